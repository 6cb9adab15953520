"""Novelty and fitness as two objectives

NSGA-II maximises two objectives, the fitness and the novelty of an individual.

Two strategies, `Objective` and `Novelty`, compute the objectives. The figure shows the final population of a run in the
hard maze. A robot is on the Pareto front if no other robot dominates it.

Tags: novelty, objective, DEAP, NSGA-II, Pareto front
"""

import random

import numpy as np
from deap import base, tools
from matplotlib import pyplot

import divergent
from divergent import neat
from divergent.maze import INPUTS, OUTPUTS, MazeTask
from divergent.selection import Novelty, Objective

random.seed(5)
rng = np.random.default_rng(5)
toolbox = base.Toolbox()
neat.register(toolbox, inputs=INPUTS, outputs=OUTPUTS, rng=rng)
toolbox.register("evaluate", MazeTask("hard"))
strategies = [Objective(rng=rng), Novelty(rng=rng)]
toolbox.register("select", divergent.by_score, strategy=strategies, select=tools.selNSGA2)
for step in divergent.evolve(toolbox.population(n=100), toolbox, 40, survive="plus"):
    pass

scores = np.array([individual.fitness.score for individual in step.population])
better = (scores >= scores[:, None]).all(axis=2) & (scores > scores[:, None]).any(axis=2)
dominated = better.any(axis=1)
figure, axes = pyplot.subplots(figsize=(6, 4.4), layout="constrained")
axes.scatter(*scores[dominated].T, s=14, color="0.6", label="dominated")
axes.scatter(*scores[~dominated].T, s=26, color="#D55E00", label="Pareto front")
axes.set(xlabel="fitness (300 minus distance to the goal)", ylabel="novelty")
axes.legend(frameon=False)
pyplot.show()
