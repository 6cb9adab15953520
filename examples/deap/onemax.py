"""OneMax with NumPy arrays as individuals, using DEAP alone."""

import random

import numpy as np
from deap import algorithms, base, creator, tools

creator.create("OneMaxFitness", base.Fitness, weights=(1.0,))
creator.create("OneMaxBits", np.ndarray, fitness=creator.OneMaxFitness)


def evaluate(bits):
    return (float(bits.sum()),)


def cross(first, second):
    start, end = sorted(random.sample(range(len(first) + 1), 2))
    first[start:end], second[start:end] = second[start:end].copy(), first[start:end].copy()
    return first, second


def main(generations=40):
    random.seed(1)
    toolbox = base.Toolbox()
    toolbox.register("individual", lambda: creator.OneMaxBits([random.randint(0, 1) for _ in range(50)]))
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    toolbox.register("evaluate", evaluate)
    toolbox.register("mate", cross)
    toolbox.register("mutate", tools.mutFlipBit, indpb=0.05)
    toolbox.register("select", tools.selTournament, tournsize=3)
    best = tools.HallOfFame(1, similar=np.array_equal)
    algorithms.eaSimple(toolbox.population(n=60), toolbox, 0.5, 0.2, generations, halloffame=best, verbose=False)
    return best[0].fitness.values[0]


if __name__ == "__main__":
    print(main())
