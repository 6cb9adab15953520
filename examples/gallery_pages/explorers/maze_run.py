"""Explore a maze run in the browser

The interactive page shows the evaluations, predictions, trajectories, ancestors and networks of a run of surprise
search.

The figure below the explorer shows all final positions, the trajectory and the network of the best robot.

Tags: explorer, maze, surprise
"""

from matplotlib import pyplot

import divergent
from divergent import Settings, run
from divergent.plots import draw_run

record = run(Settings(maze="medium", search="surprise", seed=1, generations=60))
divergent.explore(record, out="maze_run.html")
maze, network = draw_run(record)
maze.figure.set_size_inches(9.5, 4.2)
pyplot.show()
