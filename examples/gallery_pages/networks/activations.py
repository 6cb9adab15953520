"""Activation functions

The figure shows six of the eight activation functions that NEAT provides for hidden nodes and output nodes.

Tags: NEAT, activation
"""

import numpy as np
from matplotlib import pyplot

from divergent import Genome, neat

x = np.linspace(-3, 3, 121)
figure, axes = pyplot.subplots(figsize=(6.4, 4), layout="constrained")
start = {"inputs": 1, "outputs": 1, "hidden": 0}
for name in ("sigmoid", "tanh", "sine", "gaussian", "identity", "relu"):
    activation = neat.Activation(name, slope=1.0)
    rng = np.random.default_rng(0)
    genome = Genome.start(**start, output_activation=activation, rng=rng)
    genes = genome.genes.copy()
    genes[:, neat.genome.WEIGHT] = 1.0
    genome.genes = genes
    network = neat.express(genome)
    style = (0, (4, 3)) if name == "relu" else "-"  # relu equals identity for positive inputs
    axes.plot(x, [network((value,))[0] for value in x], label=name, linestyle=style, linewidth=2)
axes.set(xlabel="input", ylabel="output", ylim=(-1.6, 2.2))
axes.legend(frameon=False, ncols=2)
pyplot.show()
