"""Draw mazes, networks, searches and results; every `draw_...` returns the matplotlib axes it drew on."""

from divergent.plots.elites import draw_elites
from divergent.plots.maze import draw_maze
from divergent.plots.network import draw_network
from divergent.plots.robot import draw_robot, robot_labels
from divergent.plots.run import animate_run, draw_run, save_run
from divergent.plots.species import draw_species
from divergent.plots.surprise import draw_surprise

__all__ = [
    "animate_run",
    "draw_elites",
    "draw_maze",
    "draw_network",
    "draw_robot",
    "draw_run",
    "draw_species",
    "draw_surprise",
    "robot_labels",
    "save_run",
]
