"""Draw the maze robot with its sensor readings, and label the inputs and outputs of its controller."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from divergent.maze._maze import ROBOT_RADIUS, Maze
from divergent.maze._robot import check_robot, sense
from divergent.maze._rollout import SENSOR_RANGE
from divergent.maze._rules import FIVE_RANGEFINDERS, SIX_RANGEFINDERS
from divergent.plots._maze import draw_maze
from divergent.plots._style import INK, mark_colour

RANGEFINDERS = {
    -90: "wall left",
    -45: "wall ahead left",
    0: "wall ahead",
    45: "wall ahead right",
    90: "wall right",
    180: "wall behind",
}
"""The rangefinders by their direction in degrees from the heading, in the order of the inputs."""

RADARS = ("goal ahead", "goal right", "goal behind", "goal left")
"""The radars in the order of the inputs; each radar points 90 degrees to the right of the previous radar."""


def robot_labels(robot: str = SIX_RANGEFINDERS) -> dict[int, str]:
    """Return the labels of the inputs and outputs of a robot controller by node id.

    Parameters
    ----------
    robot : str, default="six-rangefinder"
        Name of the robot, one of `divergent.maze.ROBOTS`.

    Returns
    -------
    dict of int to str
        Labels of input and output nodes by node id.

    Examples
    --------
    The first inputs are the bias and the rangefinders:

    >>> list(robot_labels().values())[:2]
    ['bias', 'wall left']

    The five-rangefinder robot has an additional input that is always 0:

    >>> list(robot_labels("five-rangefinder").values())[10:]
    ['always 0', 'turn', 'speed']
    """
    check_robot(robot)
    if robot == FIVE_RANGEFINDERS:
        inputs = [*list(RANGEFINDERS.values())[:-1], *RADARS, "always 0"]
    else:
        inputs = [*RANGEFINDERS.values(), *RADARS]
    return dict(enumerate(["bias", *inputs, "turn", "speed"]))


def draw_robot(
    maze: Maze, position: Sequence[float], heading: float, ax: Any = None, *, robot: str = SIX_RANGEFINDERS
) -> Any:
    """Draw the robot in a maze: body, rangefinder rays up to the nearest wall, and radar sector with the goal.

    Parameters
    ----------
    maze : Maze
        The maze of the robot.
    position : sequence of float
        Position (x, y) of the robot.
    heading : float
        Heading of the robot in degrees, from +x towards +y.
    ax : matplotlib.axes.Axes or None, default=None
        Axes on which the maze is drawn; None draws the maze in a new figure.
    robot : str, default="six-rangefinder"
        Name of the robot, one of `divergent.maze.ROBOTS`.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Examples
    --------
    >>> from divergent.maze import read_maze
    >>> maze = read_maze("hard")
    >>> ax = draw_robot(maze, maze.start, maze.heading)
    >>> len(ax.patches)  # the body and the quarter
    2
    """
    if ax is None:
        ax = draw_maze(maze)
    MovingRobot(maze, ax, robot).move(position, heading)
    return ax


class MovingRobot:
    """Drawing of the robot in its maze, created once and then moved."""

    def __init__(self, maze: Maze, ax: Any, robot: str = SIX_RANGEFINDERS):
        from matplotlib.collections import LineCollection
        from matplotlib.patches import Circle, Polygon

        check_robot(robot)
        self.maze = maze
        self.directions = np.array(
            list(RANGEFINDERS)[:-1] if robot == FIVE_RANGEFINDERS else list(RANGEFINDERS), dtype=float
        )
        self.quarter = Polygon(
            np.zeros((3, 2)), facecolor=mark_colour("goal"), alpha=0.25, linewidth=0, zorder=4.5, label="radar"
        )
        self.rays = LineCollection([], colors=mark_colour("sensor"), linewidths=1.2, zorder=4.6, label="rangefinders")
        self.body = Circle((0.0, 0.0), ROBOT_RADIUS, facecolor="white", edgecolor=INK, linewidth=1.4, zorder=5)
        (self.nose,) = ax.plot([], [], color=INK, linewidth=1.5, solid_capstyle="round", zorder=5.1)
        ax.add_patch(self.quarter)
        ax.add_collection(self.rays, autolim=False)
        ax.add_patch(self.body)

    def move(self, position: Sequence[float], heading: float | None) -> None:
        """Move the drawn robot to a position; if the heading is None, only the body of the robot moves."""
        place = np.asarray(position, dtype=float)
        self.body.center = (float(place[0]), float(place[1]))
        if heading is None:
            return
        readings = sense(self.maze, position, heading)
        reach = readings[1 : 1 + len(self.directions)] * SENSOR_RANGE
        ends = place + reach[:, None] * _towards(heading + self.directions)
        self.rays.set_segments([np.array([place, end]) for end in ends])
        goal = heading + 90 * int(np.argmax(readings[-len(RADARS) :]))
        self.quarter.set_xy([place, *(place + 4 * ROBOT_RADIUS * _towards(goal + np.linspace(-45, 45, 30)))])
        self.nose.set_data(*np.transpose([place, place + ROBOT_RADIUS * _towards(np.array(heading))]))


def _towards(degrees: np.ndarray) -> np.ndarray:
    return np.stack([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))], axis=-1)
