"""Explore a custom loop in the browser

`History` records a custom loop of novelty search, and `explore` writes the recorded evaluations to an interactive HTML
page.

The figure below the explorer shows the behaviours of all evaluated individuals, drawn with matplotlib.

Tags: explorer, DEAP, History, novelty
"""

import math
import random

import numpy as np
from deap import base, creator, tools
from matplotlib import pyplot

import divergent
from divergent.selection import Novelty

creator.create("Distance", divergent.Fitness, weights=(-1.0,))
creator.create("Steps", list, fitness=creator.Distance)


def evaluate(steps):
    x = y = 0.0
    for dx, dy in zip(steps[::2], steps[1::2], strict=True):
        through_the_wall = (y < 4) != (y + dy < 4) and abs(x + dx * (4 - y) / dy) < 5
        if not through_the_wall and max(abs(x + dx), abs(y + dy)) < 10:
            x, y = x + dx, y + dy
    return divergent.Outcome((math.hypot(x, y - 8),), behaviour=(x, y))


random.seed(1)
toolbox = base.Toolbox()
toolbox.register("evaluate", evaluate)
toolbox.register("mate", tools.cxTwoPoint)
toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=1, indpb=0.3)
strategy = Novelty(neighbours=5, threshold=1, rng=np.random.default_rng(1))
history = divergent.History(strategy=strategy)
population = [creator.Steps(random.gauss(0, 1) for _ in range(8)) for _ in range(50)]
for step in history.watch(divergent.steady_state(population, toolbox, strategy, generations=60)):
    pass
divergent.explore(history, out="custom_loop.html")

figure, axes = pyplot.subplots(figsize=(5, 4.6), layout="constrained")
points = axes.scatter(*history.behaviours.T, c=range(len(history)), s=3, cmap="viridis")
axes.plot([-5, 5], [4, 4], color="black", linewidth=3)
axes.set(aspect="equal", xlabel="x", ylabel="y", title="behaviours")
figure.colorbar(points, label="evaluation")
pyplot.show()
