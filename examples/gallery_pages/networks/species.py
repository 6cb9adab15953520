"""Sizes of species

Stacked areas show the number of individuals in each NEAT species over the generations.

Tags: NEAT, species
"""

import random

import numpy as np
from deap import base
from matplotlib import pyplot

from divergent import Outcome, evolve, neat
from divergent.plots import draw_species


def evaluate(genome):
    sum_of_weights = float(np.sum(genome.genes[:, 3]))
    return Outcome((sum_of_weights,), behaviour=(len(genome),))


random.seed(3)
rng = np.random.default_rng(3)
species = neat.Species(target=8, rng=rng)
toolbox = base.Toolbox()
neat.register(toolbox, inputs=3, outputs=1, rng=rng)
toolbox.register("evaluate", evaluate)
toolbox.register("select", neat.select, species=species)
sizes = []
for step in evolve(toolbox.population(n=100), toolbox, 60, cxpb=0.5, mutpb=0.8):
    if step.generation > 0:
        sizes.append(dict(zip(species.ids.tolist(), species.sizes.tolist(), strict=True)))
draw_species(sizes, first=1)
pyplot.show()
