import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot

from divergent.maze import INPUTS, OUTPUTS, Maze, read_maze, sense
from divergent.plots._robot import draw_robot, robot_labels

matplotlib.use("Agg")

WALLS = np.array([(0.0, 0, 100, 0), (100, 0, 100, 100), (100, 100, 0, 100), (0, 100, 0, 0)])
BOX = Maze("box", (50, 50), 0, (50, 10), WALLS)


def ends_of_rays(ax):
    rays = ax.collections[-1]
    return [segment[1].round(6).tolist() for segment in rays.get_segments()]


@pytest.mark.parametrize("robot", ["six-rangefinder", "five-rangefinder"])
def test_robot_labels_of_each_robot_name_every_input_and_output_once(robot):
    labels = robot_labels(robot)
    assert list(labels) == list(range(INPUTS + OUTPUTS))
    assert len(set(labels.values())) == INPUTS + OUTPUTS
    assert {"goal ahead", "goal right", "goal behind", "goal left"} <= set(labels.values())


def test_robot_labels_of_an_input_name_what_it_reads():
    labels = list(robot_labels().values())
    readings = dict(zip(labels, sense(BOX, (80, 50), heading=0.0), strict=False))
    assert readings["wall ahead"] == pytest.approx(0.2)  # 20 of 100 units to the wall at x = 100
    assert readings["wall left"] == pytest.approx(0.5)  # y points down, so left of +x is up
    assert [name for name in labels[7:11] if readings[name] == 1] == ["goal left"]


def test_draw_robot_in_a_maze_ends_rays_at_walls_and_points_the_radar_to_the_goal():
    ax = draw_robot(BOX, (80, 50), 0.0)
    assert ends_of_rays(ax) == [[80, 0], [100, 30], [100, 50], [100, 70], [80, 100], [0, 50]]
    quarter, body = ax.patches
    assert body.center == (80, 50)
    assert ax.get_legend_handles_labels()[1] == ["start", "goal", "radar", "rangefinders"]
    corners = quarter.get_xy()
    assert corners[:, 1].min() == pytest.approx(50 - 32, abs=0.05)
    assert corners[:, 1].max() == 50


def test_draw_robot_with_five_rangefinders_has_no_ray_backwards():
    assert len(ends_of_rays(draw_robot(BOX, (80, 50), 0.0, robot="five-rangefinder"))) == 5


def test_draw_robot_on_given_axes_keeps_their_limits():
    _, ax = pyplot.subplots()
    ax.set(xlim=(0, 10), ylim=(0, 10))
    assert draw_robot(read_maze("hard"), (40, 170), 30.0, ax=ax) is ax
    assert ax.get_xlim() == (0, 10)


def test_draw_robot_with_an_unknown_robot_raises():
    with pytest.raises(ValueError, match="unknown robot 'flying'; choose from six-rangefinder, five-rangefinder"):
        robot_labels("flying")
