"""Activation functions

The figure shows six of the eight activation functions that NEAT provides for hidden nodes and output nodes.

Tags: NEAT, activation
"""

import numpy as np
from matplotlib import pyplot

from divergent import Genome, neat

x = np.linspace(-3, 3, 121)
figure, axes = pyplot.subplots(figsize=(6.4, 4), layout="constrained")
for name in ("sigmoid", "tanh", "relu", "sine", "gaussian", "identity"):
    activation = neat.Activation(name, slope=1.0)
    genome = Genome.start(inputs=1, outputs=1, hidden=0, output_activation=activation, rng=np.random.default_rng(0))
    genes = genome.genes.copy()
    genes[:, neat.genome.WEIGHT] = 1.0
    genome.genes = genes
    network = neat.express(genome)
    axes.plot(x, [network((value,))[0] for value in x], label=name)
axes.set(xlabel="input", ylabel="output", ylim=(-1.6, 2.2))
axes.legend(frameon=False, ncols=2)
pyplot.show()
