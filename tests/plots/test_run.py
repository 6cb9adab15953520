import dataclasses

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot

from divergent.maze import Maze
from divergent.plots import draw_run, save_run
from divergent.runs import Settings, run

matplotlib.use("Agg")


@pytest.fixture(scope="module")
def record():
    return run(Settings(maze="medium", search="random", population=10, generations=2, steps=30))


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    pyplot.close("all")


def in_maze(record, name, walls):
    return dataclasses.replace(record, maze=Maze(name, (10, 20), 0, (50, 20), np.array(walls, dtype=float)))


@pytest.mark.parametrize("walls", [[(0, 0, 100, 0)], [(0, 0, 0, 100)], [(0, 0, 1e6, 0), (0, 100, 1e6, 100)]])
def test_the_picture_of_a_run_is_of_bounded_size_whatever_the_walls(record, walls, tmp_path):
    odd = in_maze(record, "odd", walls)
    assert max(draw_run(odd)[0].figure.get_size_inches()) <= 23.5
    assert save_run(odd, tmp_path / "run.png")
    assert 1000 < (tmp_path / "run.png").stat().st_size < 1_000_000


def test_a_maze_of_any_name_is_drawn(record, tmp_path):
    odd = in_maze(record, "$x^$", [(0, 0, 100, 0), (0, 40, 100, 40)])
    assert "$x^$" in draw_run(odd)[0].get_title()
    assert save_run(odd, tmp_path / "run.png")


def test_a_picture_that_fails_is_warned_about_and_leaves_nothing_open(record, tmp_path):
    pyplot.close("all")
    with pytest.warns(UserWarning, match=r"nowhere/run\.png: no picture could be drawn: .*No such file"):
        assert not save_run(record, tmp_path / "nowhere" / "run.png")
    assert pyplot.get_fignums() == []
