"""Growth of the novelty archive

The archive of novelty search covers more of the maze in later generations.

Each dot is an archived behaviour, the final position of a robot.

Tags: maze, novelty, archive, History
"""

import numpy as np
from deap import base
from matplotlib import pyplot

import divergent
from divergent import neat
from divergent.maze import INPUTS, OUTPUTS, MazeTask, read_maze
from divergent.plots import draw_maze
from divergent.selection import Novelty

maze = read_maze("hard")
rng = np.random.default_rng(1)
toolbox = base.Toolbox()
neat.register(toolbox, inputs=INPUTS, outputs=OUTPUTS, rng=rng)
toolbox.register("evaluate", MazeTask(maze))
strategy, species = Novelty(threshold=6.0, rng=rng), neat.Species(target=10, rng=rng)
history = divergent.History(strategy=strategy, species=species)
loop = divergent.steady_state(toolbox.population(n=150), toolbox, strategy, species, generations=60)
for step in history.watch(loop):
    pass

figure, panels = pyplot.subplots(1, 3, figsize=(11, 4), layout="constrained")
for axes, number in zip(panels, (5, 25, 59), strict=True):
    archive = history.generations[number].memory["archive"]
    draw_maze(maze, ax=axes)
    axes.scatter(*np.asarray(archive).T, s=12, color="#0072B2")
    axes.set_title(f"generation {number}: {len(archive)} behaviours", loc="center")
pyplot.show()
