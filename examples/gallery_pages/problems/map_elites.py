"""MAP-Elites

MAP-Elites selects parents from a grid of elites, the best individuals of the grid cells.

In the left plot, the colour of an elite shows its fitness. The right plot shows the coverage of the grid as a function
of the number of evaluations.

Tags: MAP-Elites, quality diversity, illumination
"""

import math
import random

import numpy as np
from deap import base, creator, tools
from matplotlib import pyplot

import divergent
from divergent.archives import Elites

creator.create("Ripple", divergent.Fitness, weights=(1.0,))
creator.create("Point", list, fitness=creator.Ripple)


def evaluate(point):
    x, y = np.clip(point, -4, 4)
    fitness = math.cos(2 * math.hypot(x, y)) - 0.05 * (x * x + y * y)
    return divergent.Outcome((fitness,), behaviour=(x, y))


random.seed(1)
toolbox = base.Toolbox()
toolbox.register("evaluate", evaluate)
toolbox.register("mate", tools.cxBlend, alpha=0.2)
toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=0.5, indpb=1)
elites = Elites(bounds=((-4, -4), (4, 4)), cells=24, worst=-4)
start = [creator.Point([0.0, 0.0]) for _ in range(10)]
coverage = []
for step in divergent.map_elites(start, toolbox, elites, evaluations=6000):
    coverage.append((step.evaluations, elites.coverage))

best = list(elites.best.values())
points = np.array(best)
fitness = [individual.fitness.values[0] for individual in best]
figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
figure.get_layout_engine().set(wspace=0.12)
colours = left.scatter(*np.clip(points, -4, 4).T, c=fitness, s=30, marker="s", cmap="viridis")
left.set(aspect="equal", xlabel="x", ylabel="y", title=f"{len(points)} elites")
figure.colorbar(colours, ax=left, label="fitness")
right.plot(*np.array(coverage).T)
right.set(xlabel="evaluations", ylabel="coverage", ylim=(0, 1))
pyplot.show()
