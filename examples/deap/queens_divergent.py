"""Novelty search for the eight queens problem with permutations as individuals."""

import random

from deap import algorithms, base, creator, tools

import divergent
from divergent.selection import Novelty

SIZE = 8
creator.create("QueensFitness", divergent.Fitness, weights=(-1.0,))
creator.create("QueensBoard", list, fitness=creator.QueensFitness)


def evaluate(board):
    rising = len({row + column for row, column in enumerate(board)})
    falling = len({row - column for row, column in enumerate(board)})
    return divergent.Outcome((2 * SIZE - rising - falling,), behaviour=board)


def main(generations=40):
    random.seed(1)
    toolbox = base.Toolbox()
    toolbox.register("individual", lambda: creator.QueensBoard(random.sample(range(SIZE), SIZE)))
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    toolbox.register("evaluate", evaluate)
    toolbox.register("mate", tools.cxPartialyMatched)
    toolbox.register("mutate", tools.mutShuffleIndexes, indpb=2 / SIZE)
    toolbox.register("select", divergent.by_score, strategy=Novelty(), select=tools.selTournament, tournsize=3)
    best = tools.HallOfFame(1)
    algorithms.eaSimple(toolbox.population(n=60), toolbox, 0.5, 0.2, generations, halloffame=best, verbose=False)
    return best[0].fitness.values[0]


if __name__ == "__main__":
    print(main())
