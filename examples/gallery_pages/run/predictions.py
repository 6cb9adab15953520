"""Predictions of surprise search

The figure shows the cluster centroids of two generations, the predicted centroids of the next generation, and the
current population.

Tags: maze, surprise, clusters, prediction
"""

import numpy as np
from deap import base
from matplotlib import pyplot

from divergent import neat, steady_state
from divergent.maze import INPUTS, OUTPUTS, MazeTask, read_maze
from divergent.plots import draw_maze, draw_surprise
from divergent.selection import Surprise

maze = read_maze("medium")
rng = np.random.default_rng(3)
toolbox = base.Toolbox()
neat.register(toolbox, inputs=INPUTS, outputs=OUTPUTS, rng=rng)
toolbox.register("evaluate", MazeTask(maze))
surprise = Surprise(clusters=40, neighbours=1, rng=rng)
population, species = toolbox.population(n=250), neat.Species(rng=rng)
for step in steady_state(population, toolbox, surprise, species, generations=12):
    pass
figure, axes = pyplot.subplots(figsize=(8, 4.6), layout="constrained")
draw_surprise(surprise, step.population, ax=draw_maze(maze, ax=axes))
pyplot.show()
