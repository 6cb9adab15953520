"""Tartarus, a task with a very large behaviour space: a bulldozer pushes boxes to the walls of a board.

The command `divergent run examples/gallery/tartarus.py --runs 20` executes the runs. The board has 6 x 6 grid cells and
six boxes. The bulldozer senses the eight grid cells around it, and moves forward or turns, 80 times per board. A box at
a wall counts 1 and a box in a corner counts 2, so the highest score is 10. An individual is a list of weights of a
small recurrent network. Each individual is evaluated on five boards, and its behaviour is the sequence of its 400
actions.

The task is from "The Evolution of Mental Models" (Teller, 1994). Novelty search for this task is from "When Novelty is
Not Enough" (Cuccu and Gomez, EvoApplications 2011).
"""

import random

import numpy as np
from deap import base, creator, tools
from numba import njit

import divergent

MOVES, BOARDS, HIDDEN = 80, 5, 5
WEIGHTS = HIDDEN * (9 + HIDDEN) + 3 * HIDDEN

creator.create("Pushed", divergent.Fitness, weights=(1.0,))
creator.create("Weights", list, fitness=creator.Pushed)


def boards(count, rng):
    """Return random boards with boxes (1) and walls (2), and the initial positions and headings of the bulldozer."""
    made, starts = [], []
    while len(made) < count:
        board = np.full((8, 8), 2)
        board[1:7, 1:7] = 0
        *boxes, start = rng.choice(16, 7, replace=False)
        for box in boxes:
            board[2 + box // 4, 2 + box % 4] = 1
        ones = board == 1
        if not (ones[1:, 1:] & ones[:-1, 1:] & ones[1:, :-1] & ones[:-1, :-1]).any():
            made.append(board)
            starts.append((2 + start // 4, 2 + start % 4, rng.integers(4)))
    return np.array(made), np.array(starts)


BOARD, START = boards(BOARDS, np.random.default_rng(0))
AROUND = np.array([(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)])  # clockwise


@njit(cache=True)
def work(inward, outward, board, row, column, heading, actions):
    """Simulate one board: fill `actions` with the moves (0 forward, -1 left, 1 right) and return the score."""
    seen, hidden = np.ones(9 + len(inward)), np.zeros(len(inward))
    for move in range(len(actions)):
        for cell in range(8):
            down, along = AROUND[(2 * heading + cell) % 8]
            seen[1 + cell] = (0.0, 1.0, -1.0)[board[row + down, column + along]]
        seen[9:] = hidden
        hidden = np.tanh(inward @ seen)
        choice = np.argmax(outward @ hidden)
        actions[move] = (0, -1, 1)[choice]
        heading = (heading + actions[move]) % 4
        if choice == 0:
            down, along = AROUND[2 * heading]
            if board[row + down, column + along] == 1 and board[row + 2 * down, column + 2 * along] == 0:
                board[row + down, column + along], board[row + 2 * down, column + 2 * along] = 0, 1
            if board[row + down, column + along] == 0:
                row, column = row + down, column + along
    score = 0
    for side in (1, 6):
        score += (board[side, 1:7] == 1).sum() + (board[1:7, side] == 1).sum()
    return score


def evaluate(weights):
    inward, outward = np.split(np.array(weights), [HIDDEN * (9 + HIDDEN)])
    actions = np.zeros((BOARDS, MOVES), dtype=np.int64)
    scores = [
        work(inward.reshape(HIDDEN, -1), outward.reshape(3, HIDDEN), board.copy(), *start, done)
        for board, start, done in zip(BOARD, START, actions, strict=True)
    ]
    return divergent.Outcome((sum(scores) / BOARDS,), behaviour=actions)


def make_toolbox(rng):
    toolbox = base.Toolbox()
    toolbox.register("individual", lambda: creator.Weights(random.gauss(0, 1) for _ in range(WEIGHTS)))
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    toolbox.register("evaluate", evaluate)
    toolbox.register("mate", tools.cxUniform, indpb=0.5)
    toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=0.5, indpb=0.1)
    toolbox.register("select", tools.selTournament, tournsize=3)
    return toolbox


problem = divergent.Problem(
    "tartarus",
    make_toolbox,
    solved=lambda values: values[0] == 10,
    defaults={"population": 100, "generations": 60, "loop": "plus", "cxpb": 0.5, "mutpb": 0.5},
    title="Tartarus",
)
