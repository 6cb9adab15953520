import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot

from divergent.maze import Maze, generate_maze, read_maze, shortest_path
from divergent.plots._maze import draw_maze
from divergent.plots._style import INK, mark_colour

matplotlib.use("Agg")


@pytest.mark.parametrize("name", ["medium", "hard", "very_hard", "extremely_hard", "generated:1"])
def test_draw_maze_of_any_maze_is_to_scale_with_y_downwards(name):
    maze = read_maze(name)
    ax = draw_maze(maze)
    left, top, right, bottom = maze.bounds
    low, high = ax.get_ylim()
    assert ax.get_aspect() == 1
    assert low >= bottom > top >= high
    assert ax.get_xlim()[0] <= left < right <= ax.get_xlim()[1]
    (walls,) = ax.collections
    assert np.array(walls.get_segments()).reshape(-1, 4).tolist() == maze.walls.tolist()


def test_draw_maze_of_any_maze_has_a_filled_start_and_an_open_goal():
    start, goal = draw_maze(read_maze("hard")).lines
    assert (start.get_xdata()[0], start.get_ydata()[0]) == (36, 184)
    assert (goal.get_xdata()[0], goal.get_ydata()[0]) == (31, 20)
    assert start.get_markerfacecolor() == INK
    assert goal.get_markerfacecolor() == "none"
    assert goal.get_markeredgecolor() == mark_colour("goal")


def test_draw_maze_with_trail_and_path_draws_them_on_the_given_axes():
    maze = generate_maze(2)
    _, ax = pyplot.subplots()
    trail = [(20, 180), (25, 180), (30, 178)]
    positions = np.random.default_rng(0).uniform(0, 200, (100, 2))
    assert draw_maze(maze, ax, trail=trail, positions=positions, path=shortest_path(maze)[1]) is ax
    path, way, end, _, _ = ax.lines
    assert way.get_xydata().tolist() == [list(point) for point in trail]
    assert end.get_xydata().tolist() == [[30, 178]]
    assert path.get_xydata()[-1].tolist() == list(maze.goal)
    assert ax.collections[1].get_offsets().shape == (100, 2)


def test_draw_maze_saved_as_a_file_writes_an_image(tmp_path):
    draw_maze(read_maze("medium"), positions=[(50, 50)]).figure.savefig(tmp_path / "maze.pdf")
    assert (tmp_path / "maze.pdf").stat().st_size > 1000


def test_draw_maze_of_a_single_wall_draws_it():
    draw_maze(Maze("wall", (10, 20), 0, (50, 20), np.array([(0.0, 0.0, 100.0, 0.0)]))).figure.canvas.draw()


@pytest.mark.parametrize(
    ("walls", "size"),
    [
        ([(0, 0, 100, 0)], (4, 1)),
        ([(0, 0, 0, 100)], (1, 4)),
        ([(0, 0, 1e6, 0), (0, 100, 1e6, 100)], (4, 1)),
        ([(0, 0, 300, 150)], (4, 2)),
    ],
)
def test_draw_maze_of_a_long_maze_has_a_figure_of_bounded_shape(walls, size):
    figure = draw_maze(Maze("odd", (10, 20), 0, (50, 20), np.array(walls, dtype=float))).figure
    assert figure.get_size_inches().tolist() == list(size)


@pytest.mark.parametrize("points", [(1, 2), [(1, 2, 3)], np.empty((0, 2))])
def test_draw_maze_with_points_that_are_no_pairs_raises(points):
    with pytest.raises(
        ValueError, match=r"argument positions must be an array of shape \(n, 2\) with at least one point"
    ):
        draw_maze(read_maze("hard"), positions=points)
