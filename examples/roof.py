"""A deceptive toy problem, in which a walk must lead around a roof to the goal, with DEAP's operators and loop.

A walk has four steps and stays in a box. The goal is above the start, and a roof lies between start and goal.
Positions below the roof are a local optimum, because they are closer to the goal than positions on the path around the
roof. In 20 runs of at most 7,550 evaluations, objective search reaches the goal once, novelty search 19 times and
surprise search 13 times.
"""

import math
import random

import numpy as np
from deap import algorithms, base, creator, tools

import divergent
from divergent.selection import Novelty, Objective, Surprise, by_score

creator.create("Shortest", divergent.Fitness, weights=(-1.0,))
creator.create("Walk", list, fitness=creator.Shortest)

SEARCHES = {
    "objective": lambda rng: Objective(rng=rng),
    "novelty": lambda rng: Novelty(neighbours=5, threshold=1, rng=rng),
    "surprise": lambda rng: Surprise(clusters=20, neighbours=2, rng=rng),
}


def walk(steps):
    """Return the final position of a walk; a step that would cross the roof or leave the box is skipped."""
    x = y = 0.0
    for dx, dy in zip(steps[::2], steps[1::2], strict=True):
        through_the_roof = (y < 4) != (y + dy < 4) and abs(x + dx * (4 - y) / dy) < 5
        if not through_the_roof and max(abs(x + dx), abs(y + dy)) < 10:
            x, y = x + dx, y + dy
    return x, y


def evaluate(steps):
    x, y = walk(steps)
    return divergent.Outcome((math.hypot(x, y - 8),), behaviour=(x, y))


def walkers(count):
    """Return a population of random walks."""
    return [creator.Walk(random.gauss(0, 1) for _ in range(8)) for _ in range(count)]


def arrives(search, seed, generations=150):
    """Return whether a search finds, in one run, a walk that ends within 1 unit of the goal."""
    random.seed(seed)
    toolbox = base.Toolbox()
    toolbox.register("evaluate", evaluate)
    toolbox.register("mate", tools.cxTwoPoint)
    toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=1, indpb=0.3)
    strategy = SEARCHES[search](np.random.default_rng(seed))
    toolbox.register("select", by_score, strategy=strategy, select=tools.selTournament, tournsize=3)
    best = tools.HallOfFame(1)
    algorithms.eaMuPlusLambda(
        walkers(50), toolbox, mu=50, lambda_=50, cxpb=0.5, mutpb=0.5, ngen=generations, halloffame=best, verbose=False
    )
    return best[0].fitness.values[0] < 1


if __name__ == "__main__":
    for search in SEARCHES:
        print(f"{search}: {sum(arrives(search, seed) for seed in range(20))} of 20")
