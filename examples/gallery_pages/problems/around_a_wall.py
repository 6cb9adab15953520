"""Around a wall

Objective search stays below the wall; novelty search and surprise search find walks around the wall.

A walk has four steps and starts at the filled circle. The open circle is the goal. Each dot is the end of one walk. The
dead end below the wall is a local optimum of the distance to the goal.

Tags: deception, DEAP, objective, novelty, surprise
"""

import math
import random

import numpy as np
from deap import base, creator, tools
from matplotlib import pyplot

import divergent
from divergent.selection import Novelty, Objective, Surprise

creator.create("Distance", divergent.Fitness, weights=(-1.0,))
creator.create("Steps", list, fitness=creator.Distance)
SEARCHES = {
    "objective": lambda rng: Objective(rng=rng),
    "novelty": lambda rng: Novelty(neighbours=5, threshold=1, rng=rng),
    "surprise": lambda rng: Surprise(clusters=20, neighbours=2, rng=rng),
}


def evaluate(steps):
    x = y = 0.0
    for dx, dy in zip(steps[::2], steps[1::2], strict=True):
        through_the_wall = (y < 4) != (y + dy < 4) and abs(x + dx * (4 - y) / dy) < 5
        if not through_the_wall and max(abs(x + dx), abs(y + dy)) < 10:
            x, y = x + dx, y + dy
    return divergent.Outcome((math.hypot(x, y - 8),), behaviour=(x, y))


figure, panels = pyplot.subplots(1, 3, figsize=(10, 3.8), layout="constrained", sharey=True)
for axes, (name, make) in zip(panels, SEARCHES.items(), strict=True):
    random.seed(0)
    strategy = make(np.random.default_rng(0))
    toolbox = base.Toolbox()
    toolbox.register("evaluate", evaluate)
    toolbox.register("mate", tools.cxTwoPoint)
    toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=1, indpb=0.3)
    tournament = {"select": tools.selTournament, "tournsize": 3}
    toolbox.register("select", divergent.by_score, strategy=strategy, **tournament)
    population = [creator.Steps(random.gauss(0, 1) for _ in range(8)) for _ in range(50)]
    ends, best = [], math.inf
    for step in divergent.evolve(population, toolbox, 150, survive="plus", cxpb=0.5, mutpb=0.5):
        ends += [individual.fitness.behaviour for individual in step.offspring]
        best = min([best, *(individual.fitness.values[0] for individual in step.offspring)])
    axes.scatter(*np.array(ends).T, s=2, color="#0072B2", alpha=0.4)
    axes.plot([-5, 5], [4, 4], color="black", linewidth=3)
    axes.plot(0, 0, "o", color="black")
    axes.plot(0, 8, "o", markerfacecolor="white", color="black", markersize=9)
    axes.set(xlim=(-10, 10), ylim=(-10, 10), aspect="equal", xlabel="x")
    axes.set_title(f"{name}: {best:.1f} from the goal")
panels[0].set_ylabel("y")
pyplot.show()
