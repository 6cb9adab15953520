"""Game levels

Novelty search generates game levels on a grid; the behaviour descriptor consists of path length and symmetry.

The figure shows feasible levels, sorted by path length.

Tags: levels, constraints, content generation, novelty
"""

import random

import numpy as np
from deap import tools
from matplotlib import pyplot

import divergent
from divergent.problems import levels
from divergent.selection import Novelty

random.seed(1)
rng = np.random.default_rng(1)
toolbox = levels.make_toolbox(rng)
strategy = Novelty(neighbours=10, scale="range", rng=rng)
toolbox.register("select", divergent.by_score, strategy=strategy, select=tools.selTournament, tournsize=3)
feasible = {}
for step in divergent.evolve(toolbox.population(n=60), toolbox, 40, survive="plus", cxpb=0.3, mutpb=0.7):
    for level in step.offspring:
        if levels.evaluate(level).violation == 0:
            feasible[round(level.fitness.behaviour[0])] = level

lengths = sorted(feasible)
chosen = [lengths[index] for index in np.linspace(0, len(lengths) - 1, 6).astype(int)]
figure, panels = pyplot.subplots(1, 6, figsize=(12, 2.6), layout="constrained")
for axes, length in zip(panels, chosen, strict=True):
    axes.imshow(levels.render(feasible[length]))
    axes.set_title(f"path of {length} tiles", fontsize=9)
    axes.axis("off")
pyplot.show()
