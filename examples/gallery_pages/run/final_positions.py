"""A run at a glance

The function `draw_run` draws all final positions of a run, the trajectory of the solution, and the network of the
solution.

Tags: maze, surprise, network
"""

from matplotlib import pyplot

from divergent import Settings, run
from divergent.plots import draw_run

record = run(Settings(maze="medium", search="surprise", seed=1, generations=100))
maze, network = draw_run(record)
maze.figure.set_size_inches(9.5, 4.2)
pyplot.show()
