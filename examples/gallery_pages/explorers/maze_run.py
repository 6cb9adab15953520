"""Explore a maze run in the browser

The interactive page shows the evaluations, predictions, trajectories, ancestors and networks of a run of surprise
search.

Tags: explorer, maze, surprise
"""

from matplotlib import pyplot

import divergent
from divergent import Settings, run
from divergent.plots import draw_run

record = run(Settings(maze="medium", search="surprise", seed=1, generations=60))
divergent.explore(record, out="maze_run.html")
draw_run(record)
pyplot.show()
