"""Crossover of two genomes

Crossover aligns the connection genes of two parents by their innovation numbers.

The chart below the networks aligns the connection genes by innovation number. Each box shows the source and the target
of a connection; a dotted box is a disabled connection. Matching genes stand in the same column. The child inherits
the disjoint and excess genes of both parents.

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
genomes = {"first parent": parents[0], "second parent": parents[1], "child": child}

figure = pyplot.figure(figsize=(9, 6), layout="constrained")
grid = figure.add_gridspec(2, 3, height_ratios=(3, 2))
chart = figure.add_subplot(grid[1, :])
for row, (name, genome) in enumerate(genomes.items()):
    axes = figure.add_subplot(grid[0, row])
    draw_network(genome, ax=axes, labels={node: str(node) for node in range(20)})
    axes.set_title(f"{name}: {len(genome.genes)} connections", loc="center", fontsize=11)
    axes.margins(x=0.12)
    legend = axes.get_legend()
    legend.remove()
    for text in axes.texts:  # numbers inside the nodes
        text.set(position=(0, 0), ha="center", va="center", fontsize=9)
    for innovation, source, target, weight, enabled in genome.genes.tolist():
        text = f"{source:.0f} → {target:.0f}"
        box = {"boxstyle": "round,pad=0.4", "facecolor": "#d9e6f2" if enabled else "white"}
        box |= {"linestyle": "-" if enabled else ":", "edgecolor": "0.3"}
        chart.text(innovation, row, text, ha="center", va="center", bbox=box)
    print(f"{name}: innovations {genome.genes[:, 0].astype(int).tolist()}")
highest = int(child.genes[:, 0].max())
chart.set(xlim=(-0.6, highest + 0.6), ylim=(2.6, -0.6), xlabel="innovation number")
chart.set_xticks(range(highest + 1))
chart.set_yticks(range(3), genomes)
# the child has all kinds of connections
figure.legend(handles=legend.legend_handles, loc="outside lower center", ncols=4, frameon=False)
pyplot.show()
