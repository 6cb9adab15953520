"""Crossover of two genomes

Crossover aligns the connection genes of two parents by their innovation numbers.

The child inherits the disjoint and excess genes of both parents.

Tags: NEAT, crossover, innovation number
"""

import random

import numpy as np
from deap import base
from matplotlib import pyplot

from divergent import neat
from divergent.plots import draw_network

random.seed(1)
rng = np.random.default_rng(1)
toolbox = base.Toolbox()
neat.register(toolbox, inputs=2, outputs=1, hidden=0, rng=rng, node_rate=0.5, connection_rate=0.5)
parents = toolbox.population(n=2)
for parent in parents:
    for _ in range(4):
        toolbox.mutate(parent)
child, _ = toolbox.mate(*(toolbox.clone(parent) for parent in parents))
figure, panels = pyplot.subplots(1, 3, figsize=(12, 3.8), layout="constrained")
for axes, genome, name in zip(panels, (*parents, child), ("first parent", "second parent", "child"), strict=True):
    draw_network(genome, ax=axes)
    axes.set_title(f"{name}: {len(genome.genes)} connections", loc="center")
    print(f"{name}: innovations {genome.genes[:, 0].astype(int).tolist()}")
pyplot.show()
