"""Ancestors of the best robot

The final positions of the ancestors of the best robot form stepping stones from the start to the goal.

The lineage contains only the first parent of each individual. The colour of a dot shows the number of ancestors of the
individual; the last dot is the best robot. Grey dots are the final positions of all robots.

Tags: maze, surprise, lineage, History
"""

import numpy as np
from deap import base
from matplotlib import pyplot

import divergent
from divergent import neat
from divergent.maze import INPUTS, OUTPUTS, MazeTask, read_maze
from divergent.plots import draw_maze
from divergent.selection import Surprise

maze = read_maze("medium")
rng = np.random.default_rng(2)
toolbox = base.Toolbox()
neat.register(toolbox, inputs=INPUTS, outputs=OUTPUTS, rng=rng)
toolbox.register("evaluate", MazeTask(maze))
strategy, species = Surprise(clusters=50, rng=rng), neat.Species(target=10, rng=rng)
history = divergent.History(strategy=strategy, species=species)
loop = divergent.steady_state(toolbox.population(n=150), toolbox, strategy, species, generations=60)
for step in history.watch(loop):
    pass

row, line = int(np.argmax(history.fitness)), []
while row >= 0:
    line.append(history.behaviours[row])
    row = int(history.parents[row, 0])
line = np.array(line[::-1])
figure, axes = pyplot.subplots(figsize=(8, 4.4), layout="constrained")
draw_maze(maze, ax=axes)
axes.scatter(*history.behaviours.T, s=2, color="0.8", zorder=0)
axes.plot(*line.T, color="0.5", linewidth=0.8, linestyle="--")
points = axes.scatter(*line.T, c=range(len(line)), cmap="viridis", s=26, zorder=3)
figure.colorbar(points, label="number of ancestors", shrink=0.8)
axes.set_title(f"{len(line) - 1} ancestors in the line of first parents", loc="center")
pyplot.show()
