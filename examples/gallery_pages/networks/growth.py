"""Growth of networks

In these two runs in the medium maze, surprise search ends with larger networks than objective search.

Each curve is a moving average of the number of connections over 150 evaluated genomes. The figure shows one run of each
search; other seeds may give another order.

Tags: NEAT, complexity
"""

import numpy as np
from deap import base
from matplotlib import pyplot

import divergent
from divergent import neat
from divergent.maze import INPUTS, OUTPUTS, MazeTask
from divergent.plots import line
from divergent.selection import Objective, Surprise

figure, axes = pyplot.subplots(figsize=(6.4, 4), layout="constrained")
for name, make in {"objective": Objective, "surprise": Surprise}.items():
    rng = np.random.default_rng(3)
    toolbox = base.Toolbox()
    neat.register(toolbox, inputs=INPUTS, outputs=OUTPUTS, rng=rng)
    toolbox.register("evaluate", MazeTask("medium"))
    strategy, species = make(rng=rng), neat.Species(rng=rng)
    sizes = []
    population = toolbox.population(n=150)
    for step in divergent.steady_state(population, toolbox, strategy, species, generations=80):
        sizes += [len(genome.genes) for genome in step.offspring]
    mean = np.convolve(sizes, np.ones(150) / 150, mode="valid")
    axes.plot(np.arange(len(mean)) + 150, mean, **line(name))
axes.set(xlabel="evaluations", ylabel="connections, mean of 150 genomes")
axes.legend(frameon=False)
pyplot.show()
