"""The Santa Fe ant: genetic programming of an ant that follows a trail of food.

The command `divergent run examples/gallery/santa_fe_ant.py` executes the runs. The trail consists of 89 food pellets
with gaps and corners. The ant walks on a torus of 32 x 32 grid cells, and senses only whether there is food ahead. The
ant repeats its program, a tree, until 600 moves are used. The behaviour is the total food eaten by the end of
each eighth of the moves.

The problem is from "Genetic Programming" (Koza, 1992). Novelty search for this problem is from "Efficiently Evolving
Programs through the Search for Novelty" (Lehman and Stanley, GECCO 2010).
"""

from functools import partial

import numpy as np
from deap import creator, gp
from numba import njit
from trees import make_toolbox, numbered, primitives

import divergent

MOVES, SAMPLES = 600, 8
TRAIL = [
    ".###............................", "...#............................", "...#.....................###....",
    "...#....................#....#..", "...#....................#....#..", "...####.#####........##.........",
    "............#................#..", "............#.......#...........", "............#.......#........#..",
    "............#.......#...........", "....................#...........", "............#................#..",
    "............#...................", "............#.......#.....###...", "............#.......#..#........",
    ".................#..............", "................................", "............#...........#.......",
    "............#...#..........#....", "............#...#...............", "............#...#...............",
    "............#...#.........#.....", "............#..........#........", "............#...................",
    "...##..#####....#...............", ".#..............#...............", ".#..............#...............",
    ".#......#######.................", ".#.....#........................", ".......#........................",
    "..####..........................", "................................",
]  # fmt: skip
FOOD = np.array([[cell == "#" for cell in row] for row in TRAIL])
ARITY = {"if_food": 2, "both": 2, "three": 3, "forward": 0, "left": 0, "right": 0}
KNOWN = primitives("santa_fe", ARITY)

creator.create("Pellets", divergent.Fitness, weights=(1.0,))
creator.create("Ant", gp.PrimitiveTree, fitness=creator.Pellets)


@njit(cache=True)
def walk(program, arity, food, moves, samples):
    """Return the total food eaten by the end of each of `samples` equal intervals of moves."""
    ends = np.empty(len(program), np.int64)  # index after the last node of the subtree that starts at each node
    for place in range(len(program) - 1, -1, -1):
        end = place + 1
        for _ in range(arity[program[place]]):
            end = ends[end]
        ends[place] = end
    size, row, column, down, along = len(food), 0, 0, 0, 1
    eaten, made, waiting, waits = np.zeros(samples), 0, np.empty(3 * len(program) + 3, np.int64), 0
    total = 0
    while made < moves:
        if waits == 0:
            waiting[0], waits = 0, 1
        waits -= 1
        place = waiting[waits]
        name = program[place]
        if name == 0:  # if_food executes its first branch if there is food ahead, otherwise its second branch
            ahead = food[(row + down) % size, (column + along) % size]
            waiting[waits] = place + 1 if ahead else ends[place + 1]
            waits += 1
        elif name <= 2:  # arguments are pushed in reverse order, so that the first argument is executed first
            child = place + 1
            for number in range(arity[name]):
                waiting[waits + arity[name] - 1 - number] = child
                child = ends[child]
            waits += arity[name]
        else:
            if name == 3:
                row, column = (row + down) % size, (column + along) % size
                total += food[row, column]
                food[row, column] = False
            else:
                down, along = (-along, down) if name == 4 else (along, -down)
            eaten[made * samples // moves] = total
            made += 1
    return eaten


def evaluate(tree):
    eaten = walk(numbered(tree, ARITY), np.array(list(ARITY.values())), FOOD.copy(), MOVES, SAMPLES)
    return divergent.Outcome((float(eaten[-1]),), behaviour=eaten)


problem = divergent.Problem(
    "santa_fe_ant",
    partial(make_toolbox, KNOWN, creator.Ant, evaluate),
    solved=lambda values: values[0] == FOOD.sum(),
    defaults={"population": 500, "generations": 50, "loop": "plus", "cxpb": 0.9, "mutpb": 0.1},
    title="Santa Fe ant",
)
