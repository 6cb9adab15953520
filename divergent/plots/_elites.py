"""Draw an archive of elites as a heatmap of the best fitness in each archive cell."""

from typing import Any

import numpy as np

from divergent.archives import Elites
from divergent.maze._maze import Maze
from divergent.plots._maze import draw_outlined_maze
from divergent.plots._style import choose_axes, value_map


def draw_elites(elites: Elites, ax: Any = None, *, maze: Maze | None = None, bar: bool = True) -> Any:
    """Draw a two-dimensional archive with each archive cell coloured by the fitness of its elite.

    Empty archive cells are white.

    Parameters
    ----------
    elites : Elites
        Archive with two behaviour dimensions.
    ax : matplotlib.axes.Axes or None, default=None
        The axes to draw on; None creates a figure.
    maze : Maze or None, default=None
        The maze to draw over the archive cells, if behaviours are positions in this maze.
    bar : bool, default=True
        Whether to add a colour bar.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Raises
    ------
    ValueError
        If the archive does not have two dimensions.

    Examples
    --------
    The title shows the coverage and the QD score of the archive:

    >>> from divergent.archives import Elites
    >>> draw_elites(Elites(bounds=((0, 0), (10, 10)), cells=2)).get_title().split(", ")[0]
    'coverage 0%'
    """
    if elites.fitness.ndim != 2:
        raise ValueError(f"elites must have two behaviour dimensions to be drawn, got {elites.fitness.ndim}")
    ax = choose_axes(ax, size=(5, 4))
    sides = [
        np.linspace(low, high, count + 1)
        for low, high, count in zip(elites.low, elites.high, elites.fitness.shape, strict=True)
    ]
    mesh = ax.pcolormesh(*sides, np.ma.masked_invalid(elites.fitness.T), cmap=value_map())
    if bar and elites.best:
        ax.figure.colorbar(mesh, ax=ax, label="fitness of the best")
    if maze is not None:
        draw_outlined_maze(maze, ax)
    ax.set_title(f"coverage {elites.coverage:.0%}, QD score {elites.qd_score:,.0f}")
    return ax
