"""Draw a maze with trajectories and final positions of robots."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from divergent.maze._maze import Maze
from divergent.plots._style import INK, choose_axes, mark_colour

LONGEST = 4  # largest ratio of the longer side to the shorter side of the figure of a maze
WALL_WIDTH = 1.6  # in points
OUTLINE = 1.3  # width in points of the white outline of a maze over a heatmap


def draw_maze(
    maze: Maze,
    ax: Any = None,
    *,
    trail: ArrayLike | None = None,
    positions: ArrayLike | None = None,
    path: ArrayLike | None = None,
) -> Any:
    """Draw the walls, the start (filled circle) and the goal (open circle) of a maze; y points down, as in the papers.

    All drawn elements except walls have a label for ``ax.legend()``.

    Parameters
    ----------
    maze : Maze
        The maze to draw.
    ax : matplotlib.axes.Axes or None, default=None
        The axes to draw on; None creates a figure with the aspect ratio of the maze.
    trail : array_like of shape (m, 2) or None, default=None
        Trajectory of a robot, drawn as a line with a dot at its end. Call `draw_maze` again on the same axes to add
        further trajectories.
    positions : array_like of shape (m, 2) or None, default=None
        Final positions of robots, drawn as dots, which are fainter if there are many positions.
    path : array_like of shape (m, 2) or None, default=None
        Planned path, such as the result of `shortest_path`, drawn as a dashed line.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Examples
    --------
    >>> from divergent.maze import read_maze, shortest_path
    >>> maze = read_maze("hard")
    >>> ax = draw_maze(maze, positions=[(40, 170), (150, 180)], path=shortest_path(maze)[1])
    >>> ax.get_aspect(), bool(ax.yaxis_inverted())
    (1.0, True)
    """
    from matplotlib.collections import LineCollection

    left, top, right, bottom = maze.bounds
    if ax is None:
        ratio = ratio_of(maze)
        ax = choose_axes(ax, size=(4 * min(1, ratio), 4 / max(1, ratio)))
    ends = np.asarray(maze.walls, dtype=float).reshape(-1, 2, 2)
    ax.add_collection(LineCollection(list(ends), colors=INK, linewidths=WALL_WIDTH, capstyle="round", zorder=3))
    if positions is not None:
        points = _points("positions", positions)
        opacity = float(np.clip(40 / np.sqrt(len(points) + 1), 0.15, 0.8))
        look = {"color": mark_colour("individual"), "linewidths": 0}
        ax.scatter(*points.T, s=5, alpha=opacity, zorder=2, rasterized=len(points) > 5000, **look)
        ax.scatter([], [], s=16, label="where a robot ended", **look)  # opaque marker that is readable in the legend
    if path is not None:
        ax.plot(*_points("path", path).T, color="0.5", linewidth=1.2, linestyle=(0, (4, 3)), zorder=2.2, label="path")
    if trail is not None:
        points = _points("trail", trail)
        solid = {"linewidth": 1.5, "solid_joinstyle": "round", "zorder": 2.5, "label": "trajectory"}
        (line,) = ax.plot(*points.T, color=mark_colour("trajectory"), **solid)
        ax.plot(*points[-1:].T, marker="o", markersize=4, color=line.get_color(), zorder=2.5)
    place = {"marker": "o", "markersize": 8, "linestyle": "none", "zorder": 4}
    ax.plot(*maze.start, color=INK, label="start", **place)
    goal = {"color": mark_colour("goal"), "markerfacecolor": "none", "markeredgewidth": 1.8}
    ax.plot(*maze.goal, label="goal", **goal, **place)
    margin = 0.02 * max(right - left, bottom - top)
    ax.set(xlim=(left - margin, right + margin), ylim=(bottom + margin, top - margin), aspect="equal")
    ax.set_axis_off()
    return ax


def draw_outlined_maze(maze: Maze, ax: Any) -> None:
    """Draw a maze over a heatmap: white outlines separate walls, start and goal from the colours of grid cells."""
    from matplotlib.collections import LineCollection
    from matplotlib.patheffects import withStroke

    # The outlines of all walls are below all walls, so that no outline covers a corner.
    ends = np.asarray(maze.walls, dtype=float).reshape(-1, 2, 2)
    width = WALL_WIDTH + 2 * OUTLINE
    ax.add_collection(LineCollection(list(ends), colors="white", linewidths=width, capstyle="round", zorder=2.9))
    draw_maze(maze, ax=ax)
    start, goal = ax.lines[-2:]
    goal.set_markerfacecolor("white")
    for marker in (start, goal):
        outline = withStroke(linewidth=marker.get_markeredgewidth() + 2 * OUTLINE, foreground="white")
        marker.set_path_effects([outline])


def ratio_of(maze: Maze) -> float:
    """Return the width-to-height ratio for the figure of a maze, limited to values between 1:4 and 4:1.

    Examples
    --------
    >>> ratio_of(Maze("corridor", (10, 20), 0, (50, 20), np.array([(0, 0, 1e6, 0), (0, 40, 1e6, 40)])))
    4.0
    """
    left, top, right, bottom = maze.bounds
    width, height = right - left, bottom - top
    longer = max(width, height)
    return max(width, longer / LONGEST) / max(height, longer / LONGEST)


def _points(name: str, given: ArrayLike) -> np.ndarray:
    points = np.asarray(given, dtype=float)
    if points.ndim != 2 or points.shape[1] != 2 or len(points) == 0:
        raise ValueError(
            f"argument {name} must be an array of shape (n, 2) with at least one point, got shape {points.shape}"
        )
    return points
