"""Game levels

Novelty search generates game levels on a grid; the behaviour descriptor consists of path length and symmetry.

The figure shows six feasible levels with different lengths of the path from start (green) to exit (red). Symmetry is
the fraction of tiles that equal their mirror image. FI-2pop evolves feasible and infeasible levels in two populations.

Tags: levels, constraints, FI-2pop, content generation, novelty
"""

import random

import numpy as np
from matplotlib import pyplot

from divergent import FeasibleInfeasible, evolve
from divergent.problems.levels import LEVELS, render
from divergent.selection import Novelty

random.seed(1)
rng = np.random.default_rng(1)
toolbox = LEVELS.toolbox(rng)
survive = FeasibleInfeasible(Novelty(rng=rng), cxpb=0.6, mutpb=0.9)
feasible = {}  # one level for each path length
for step in evolve(toolbox.population(n=100), toolbox, 100, survive=survive):
    for level in step.offspring:
        if level.fitness.violation == 0:
            feasible.setdefault(level.fitness.behaviour[0], level)

lengths = sorted(feasible)
chosen = [lengths[index] for index in np.linspace(0, len(lengths) - 1, 6).astype(int)]
figure, panels = pyplot.subplots(2, 3, figsize=(8.5, 3.9), layout="constrained")
for axes, length in zip(panels.flat, chosen, strict=True):
    symmetry = feasible[length].fitness.behaviour[1]
    axes.imshow(render(feasible[length]))
    axes.set_title(f"path length {length:.0f}, symmetry {symmetry:.2f}", fontsize=10)
    axes.axis("off")
pyplot.show()
