"""Draw Kaplan-Meier curves of many searches in one panel per search, together with reference searches."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import pyplot
from matplotlib.ticker import PercentFormatter

from divergent.analysis._grouping import problem_column
from divergent.plots._results import styled
from divergent.plots._style import colour, in_thousands, label, line

STEP = 0.2  # the upper limit of the y axis is a multiple of this fraction


@styled
def draw_variants(
    table: pd.DataFrame, references: Sequence[str] = ("objective", "novelty", "surprise"), *, columns: int = 3
) -> Any:
    """Draw Kaplan-Meier curves in one panel per search, together with the curves of reference searches.

    Each panel shows one search with its 95% band, and the reference searches as thin lines without bands. All panels
    have the same y axis. If the table contains several mazes, each maze has one row of panels.

    Parameters
    ----------
    table : pandas.DataFrame
        Result of `divergent.analysis.kaplan_meier`.
    references : sequence of str, default=("objective", "novelty", "surprise")
        Reference searches, which are drawn in every panel. If the table has no other searches, each reference search
        has its own panel.
    columns : int, default=3
        Number of panels in a row if the table contains only one maze.

    Returns
    -------
    numpy.ndarray of matplotlib.axes.Axes
        Axes of each panel.

    See Also
    --------
    draw_kaplan_meier : Draw the Kaplan-Meier curves of all searches in one panel.

    Examples
    --------
    >>> table = pd.DataFrame({"search": ["novelty", "nslc"], "evaluations": 250, "fraction": 0.5, "low": 0.4,
    ...     "high": 0.6, "runs": 10, "solved": 5})
    >>> [axes.get_title("left") for axes in draw_variants(table)]
    ['NSLC']
    """
    column = problem_column(table)
    mazes: list[Any] = list(dict.fromkeys(table[column])) if column in table else [None]
    searches = list(dict.fromkeys(table["search"]))
    variants = [search for search in searches if search not in references] or searches
    across = len(variants) if len(mazes) > 1 else min(columns, len(variants))
    down = len(mazes) if len(mazes) > 1 else -(-len(variants) // across)
    figure, grid = pyplot.subplots(
        down, across, figsize=(1.75 * across + 0.9, 1.75 * down + 0.6), layout="constrained", squeeze=False
    )
    known = [search for search in references if search in searches]
    panels = []
    for row, place, axes in _places(grid, single=len(mazes) == 1):
        part = table if mazes == [None] else table[table[column] == mazes[row]]
        if place >= len(variants) or variants[place] not in set(part["search"]):
            axes.set_visible(False)
            continue
        _draw_panel(axes, part, variants[place], known)
        panels.append(axes)
    _finish_panels(panels, table["high"].max())
    for axes, maze in zip(grid[:, 0], mazes if len(mazes) > 1 else [], strict=False):
        axes.set_ylabel(f"{label(maze)}\nfraction of solved runs")
    _add_legend(figure, panels)
    return np.array(panels)


def _places(grid: np.ndarray, *, single: bool) -> Iterator[tuple[int, int, Any]]:
    """Yield the maze index, search index and axes of each panel; panels of a single maze may fill several rows."""
    for number, axes in enumerate(grid.ravel()):
        yield (0, number, axes) if single else (*divmod(number, grid.shape[1]), axes)


def _add_legend(figure: Any, panels: Sequence[Any]) -> None:
    """Add one legend with the reference searches of all panels."""
    handles: dict[str, Any] = {}
    for axes in panels:
        handles |= dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    if handles:
        figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=len(handles))


def _draw_panel(axes: Any, part: pd.DataFrame, search: str, references: Sequence[str]) -> None:
    """Draw the curve and band of one search, and the curves of the reference searches."""
    for reference in references:
        rows = part[part["search"] == reference]
        if len(rows) and reference != search:
            axes.step(rows["evaluations"], rows["fraction"], where="post", **line(reference) | {"linewidth": 0.9})
    rows = part[part["search"] == search]
    band = {"step": "post", "color": colour(search), "alpha": 0.2, "lw": 0}
    axes.fill_between(rows["evaluations"], rows["low"], rows["high"], **band)
    style = line(search) | {"linestyle": "-", "linewidth": 2.2, "label": None}
    axes.step(rows["evaluations"], rows["fraction"], where="post", **style)
    axes.set_title(label(search), color=colour(search))
    axes.set_xlim(0, part["evaluations"].max())


def _finish_panels(panels: Sequence[Any], highest: float) -> None:
    """Label the panels and set a common y axis, which ends at the highest value rounded up to a multiple of `STEP`."""
    top = min(1.0, STEP * np.ceil(highest / STEP - 1e-9))
    lowest = {axes.get_subplotspec().colspan.start: axes for axes in panels}
    for axes in panels:
        _finish(axes, top, first=axes.get_subplotspec().is_first_col(), last=axes in lowest.values())


def _finish(axes: Any, top: float, *, first: bool, last: bool) -> None:
    """Set the limits of the y axis of a panel, and add axis labels to panels at the left and lower edge."""
    axes.set_ylim(-0.02 * top, 1.02 * top)
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.xaxis.set_major_formatter(in_thousands)
    axes.tick_params(labelleft=first)
    if first:
        axes.set_ylabel("fraction of solved runs")
    if last:
        axes.set_xlabel("evaluations")
