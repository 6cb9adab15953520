"""NSGA-II with tournaments by dominance and crowding distance, using DEAP alone."""

import random

from deap import base, creator, tools

creator.create("FrontFitness", base.Fitness, weights=(-1.0, -1.0))
creator.create("FrontPoint", list, fitness=creator.FrontFitness)


def evaluate(point):
    x, y = point
    return x * x + y * y, (x - 2) ** 2 + (y - 1) ** 2


def evaluate_all(points, toolbox):
    for point, values in zip(points, map(toolbox.evaluate, points), strict=True):
        point.fitness.values = values


def main(generations=30, size=40):
    random.seed(1)
    toolbox = base.Toolbox()
    toolbox.register("individual", lambda: creator.FrontPoint(random.uniform(-5, 5) for _ in range(2)))
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    toolbox.register("evaluate", evaluate)
    toolbox.register("mate", tools.cxSimulatedBinaryBounded, low=-5.0, up=5.0, eta=20.0)
    toolbox.register("mutate", tools.mutPolynomialBounded, low=-5.0, up=5.0, eta=20.0, indpb=0.5)
    toolbox.register("select", tools.selNSGA2)
    population = toolbox.population(n=size)
    evaluate_all(population, toolbox)
    population = toolbox.select(population, size)
    for _ in range(generations):
        children = [toolbox.clone(point) for point in tools.selTournamentDCD(population, size)]
        for first, second in zip(children[::2], children[1::2], strict=True):
            toolbox.mate(first, second)
            toolbox.mutate(first)
            toolbox.mutate(second)
        evaluate_all(children, toolbox)
        population = toolbox.select(population + children, size)
    return len(tools.sortNondominated(population, size, first_front_only=True)[0])


if __name__ == "__main__":
    print(main())
