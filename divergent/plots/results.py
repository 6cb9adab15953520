"""Draw what many runs show: the figures of the paper, from the tables of `divergent.analysis`."""

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib import pyplot
from matplotlib.colors import LogNorm, to_rgba
from matplotlib.ticker import FuncFormatter, PercentFormatter

from divergent.analysis import CELL, Deceptiveness
from divergent.maze import Maze
from divergent.plots.maze import draw_maze
from divergent.plots.style import MARKERS, STYLE, colour, label, line

matplotlib.get_backend()  # starts a notebook's own now: begun inside the context below, it would be switched off again
styled = matplotlib.rc_context(STYLE)


@styled
def by_maze(draw: Callable, table: pd.DataFrame, *, columns: int = 2, size: tuple[float, float] = (3.6, 2.5)) -> Any:
    """One panel a maze of a table, all drawn by one of the functions below, with one legend; returns their axes.

    Examples
    --------
    >>> table = pd.DataFrame({"maze": ["medium", "hard"], "search": "surprise", "evaluations": 250,
    ...     "mean": 100.0, "low": 90.0, "high": 110.0})
    >>> [axes.get_title("left") for axes in by_maze(draw_efficiency, table)]
    ['Medium', 'Hard']
    """
    mazes = list(dict.fromkeys(table["maze"]))
    columns = min(columns, max(1, len(mazes)))
    rows = max(1, -(-len(mazes) // columns))
    figure, grid = pyplot.subplots(
        rows, columns, figsize=(size[0] * columns, size[1] * rows + 0.35), layout="constrained", squeeze=False
    )
    panels = grid.ravel()
    handles: dict[str, Any] = {}
    for axes, maze in zip(panels, mazes, strict=False):
        draw(table[table["maze"] == maze], ax=axes)
        axes.set_title(label(maze))
        handles |= dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
        if axes.get_legend() is not None:
            axes.get_legend().remove()
    for axes in panels[len(mazes) :]:
        axes.set_visible(False)
    for number, axes in enumerate(panels[: len(mazes)]):
        if number % columns:
            axes.set_ylabel("")
        if number + columns < len(mazes):
            axes.set_xlabel("")
    if handles:
        figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=min(6, len(handles)))
    return panels[: len(mazes)]


@styled
def draw_efficiency(table: pd.DataFrame, ax: Any = None) -> Any:
    """Mean best fitness so far against evaluations, one line a search in one maze, with the mean's 95% interval."""
    axes = _axes(ax)
    for search, part in _searches(table):
        axes.plot(part["evaluations"], part["mean"], **line(search))
        axes.fill_between(part["evaluations"], part["low"], part["high"], color=colour(search), alpha=0.18, lw=0)
    axes.set_ylabel("best fitness so far")
    return _against_evaluations(axes, table)


@styled
def draw_robustness(table: pd.DataFrame, ax: Any = None) -> Any:
    """Share of runs that have solved against evaluations, one line a search."""
    axes = _axes(ax)
    for search, part in _searches(table):
        axes.step(part["evaluations"], part["share"], where="post", **line(search))
    axes.set_ylim(-0.02, 1.02)
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.set_ylabel("runs that solved")
    return _against_evaluations(axes, table)


@styled
def draw_sensitivity(table: pd.DataFrame, ax: Any = None) -> Any:
    """Effort (mean evaluations / budget, with its 95% interval) against the setting that was varied, in one maze.

    Against clusters, a line for each number of neighbours; against neighbours where there are no clusters.
    """
    axes = _axes(ax)
    if table["clusters"].notna().any():
        against, series = "clusters", list(table.groupby("neighbours"))
        axes.set_xlabel("clusters, k")
    else:
        against, series = "neighbours", [(None, table)]
        axes.set_xlabel("neighbours, n")
    for number, (neighbours, part) in enumerate(series):
        part = part.sort_values(against)
        reach = np.array([part["effort"] - part["low"], part["high"] - part["effort"]])
        axes.errorbar(
            part[against].astype(float), part["effort"], yerr=np.nan_to_num(reach),
            color=colour(("novelty", "surprise", "ssnp")[number % 3]) if neighbours else colour("novelty"),
            marker="oD^"[number % 3], linestyle=("-", (0, (5, 1.5)), ":")[number % 3], capsize=2.5, elinewidth=1,
            label=f"n = {neighbours}" if neighbours else label(part["search"].iloc[0]),
        )  # fmt: skip
    axes.set_ylim(0, 1.02)
    axes.set_ylabel("mean evaluations / budget")
    return axes


@styled
def draw_heatmap(counts: np.ndarray, maze: Maze, ax: Any = None, *, cell: float = CELL) -> Any:
    """How often each cell of a maze was the end of a robot's way, on a logarithmic scale; never is white.

    The counts are as `divergent.analysis.visits` gives them.
    """
    axes = _axes(ax)
    left, top = maze.bounds[:2]
    rows, columns = counts.shape
    shown = np.ma.masked_less(np.asarray(counts, dtype=float), 1)
    image = axes.imshow(
        shown, extent=(left, left + columns * cell, top + rows * cell, top), origin="upper", interpolation="nearest",
        cmap=pyplot.get_cmap("viridis_r").with_extremes(bad="white"), norm=LogNorm(1, max(2.0, counts.max())),
    )  # fmt: skip
    draw_maze(maze, ax=axes)
    width, height = np.subtract(maze.bounds[2:], maze.bounds[:2])
    image.set_clip_path(pyplot.Rectangle((left, top), width, height, transform=axes.transData))
    return axes


@styled
def draw_heatmaps(pairs: Sequence[tuple[str, Maze, np.ndarray] | None], *, columns: int = 4) -> Any:
    """Heatmaps side by side, each with its title, `columns` in a row, None leaving a gap; returns their axes."""
    columns = max(1, min(columns, len(pairs)))
    ratios = [0.0 if pair is None else _height_to_width(pair[1]) for pair in pairs]
    heights = [2.0 * max(ratios[first : first + columns]) + 0.5 for first in range(0, len(pairs), columns)]
    panels = pyplot.subplots(
        len(heights), columns, figsize=(2.0 * columns, sum(heights)), height_ratios=heights, layout="constrained",
        squeeze=False,
    )[1].ravel()  # fmt: skip
    for axes, pair in zip_longest(panels, pairs):
        if pair is None:
            axes.set_visible(False)
            continue
        title, maze, counts = pair
        draw_heatmap(counts, maze, ax=axes)
        axes.set_title(title, fontsize=8.5, fontweight="normal")
    return np.array([axes for axes in panels if axes.get_visible()])


def _height_to_width(maze: Maze) -> float:
    left, top, right, bottom = maze.bounds
    return (bottom - top) / (right - left)


@styled
def draw_examples(mazes: Sequence[tuple[str, Maze]]) -> Any:
    """Mazes in one row, each with its title; returns their axes."""
    size = (1.75 * len(mazes), 2.0)
    panels = pyplot.subplots(1, len(mazes), figsize=size, layout="constrained", squeeze=False)[1].ravel()
    for axes, (title, maze) in zip(panels, mazes, strict=True):
        draw_maze(maze, ax=axes)
        axes.set_title(title, fontsize=8.5, fontweight="normal", loc="center")
    return panels


@styled
def draw_regression(result: Deceptiveness, ax: Any = None) -> Any:
    """Successes of searches against the failures of objective search, with the regression lines.

    A point is a maze, and the larger the more mazes are at its place.
    """
    axes = _axes(ax)
    for row in result.lines.itertuples():
        points = result.points[result.points["search"] == row.search]
        places = points.groupby(["failures", "successes"]).size().reset_index(name="mazes")
        axes.scatter(
            places["failures"], places["successes"], s=6 * places["mazes"], marker=MARKERS.get(row.search, "o"),
            facecolor=to_rgba(colour(row.search), 0.3), edgecolor=colour(row.search), linewidth=0.8,
        )  # fmt: skip
        ends = np.array([points["failures"].min(), points["failures"].max()])
        axes.plot(ends, row.intercept + row.slope * ends, **line(row.search))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(PercentFormatter(1))
    axes.set(xlabel="objective search's failures", ylabel="successes", xlim=(-0.1, 1.1), ylim=(-0.1, 1.1))
    axes.legend(loc="lower left")
    return axes


def _axes(ax: Any) -> Any:
    return pyplot.subplots(figsize=(4.2, 3.0), layout="constrained")[1] if ax is None else ax


def _searches(table: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    if "maze" in table and table["maze"].nunique() > 1:
        raise ValueError(f"one maze at a time, got {', '.join(dict.fromkeys(table['maze']))}; see by_maze")
    return list(table.groupby("search", sort=False))


def _against_evaluations(axes: Any, table: pd.DataFrame) -> Any:
    axes.set_xlabel("evaluations")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda count, _: f"{count / 1000:g}k" if count else "0"))
    if len(table):
        axes.set_xlim(0, table["evaluations"].max())
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return axes
