"""Draw mazes, networks, searches and results; every function returns the matplotlib axes it drew on."""

from divergent.plots.maze import draw_maze
from divergent.plots.network import draw_network
from divergent.plots.run import animate_run, draw_run, save_run
from divergent.plots.surprise import draw_surprise

__all__ = ["animate_run", "draw_maze", "draw_network", "draw_run", "draw_surprise", "save_run"]
