from types import SimpleNamespace

import matplotlib
import numpy as np
import pytest

from divergent.archives import Elites
from divergent.individual import MaximisedFitness, Outcome
from divergent.maze import read_maze
from divergent.plots import draw_elites

matplotlib.use("Agg")


def poured(bounds, *rows):
    elites = Elites(bounds, cells=2)
    for fitness, *behaviour in rows:
        individual = SimpleNamespace(fitness=MaximisedFitness())
        individual.fitness.values = Outcome((fitness,), behaviour=behaviour)
        elites.add([individual])
    return elites


def test_draw_elites_of_cells_draws_them_where_their_behaviours_are():
    axes = draw_elites(poured((0, 0, 10, 20), (3, 1, 1), (5, 9, 1)))
    (mesh,) = axes.collections
    # the first number goes to the right, the second up
    assert mesh.get_array().filled(np.nan).tolist()[0] == [3, 5]
    assert mesh.get_array().mask.tolist()[1] == [True, True]
    assert mesh.get_coordinates()[-1, -1].tolist() == [10, 20]
    assert axes.get_title() == "coverage 50%, QD score 8"


def test_draw_elites_with_a_maze_draws_it_over_the_cells():
    maze = read_maze("hard")
    axes = draw_elites(poured(maze.bounds, (3, 50, 50)), maze=maze)
    assert axes.yaxis_inverted()
    axes.figure.canvas.draw()


def test_draw_elites_of_one_dimension_raises():
    with pytest.raises(ValueError, match="elites must have two behaviour dimensions to be drawn, got 1"):
        draw_elites(Elites(bounds=((0,), (1,))))
