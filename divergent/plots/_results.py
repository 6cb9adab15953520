"""Draw the results of many runs, as in the papers, from the tables of `divergent.analysis`."""

import functools
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib import pyplot
from matplotlib.colors import LogNorm, to_rgba
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator, PercentFormatter

from divergent.analysis import CELL_SIZE, MARGIN, PROPORTION_MARGIN, Deceptiveness, FeatureRegression
from divergent.analysis._grouping import problem_column
from divergent.maze._maze import Maze
from divergent.plots._maze import draw_maze, draw_outlined_maze
from divergent.plots._style import INK, MARKERS, STYLE, choose_axes, colour, in_thousands, label, line, value_map

GAP = 0.1  # padding in inches on the left and right of each panel, which separates the numbers at risk of two panels


def styled(draw: Callable) -> Callable:
    """Decorate a drawing function so that its figures have the common style `STYLE`."""

    @functools.wraps(draw)
    def drawn(*arguments: Any, **options: Any) -> Any:
        # a matplotlib backend changes settings when it starts, and leaving a style context would undo these changes
        matplotlib.get_backend()
        with matplotlib.rc_context(STYLE):
            return draw(*arguments, **options)

    return drawn


@styled
def by_maze(draw: Callable, table: pd.DataFrame, *, columns: int = 2, size: tuple[float, float] = (3.6, 2.5)) -> Any:
    """Draw one panel per maze, with one legend and the same y axis in all panels.

    Parameters
    ----------
    draw : callable
        Function that draws the panel of one maze, such as `draw_efficiency`; called as `draw(table, ax=axes)`.
    table : pandas.DataFrame
        Table with a column `problem` or `maze` and the columns that `draw` needs.
    columns : int, default=2
        Number of panels in a row.
    size : tuple of float, default=(3.6, 2.5)
        Width and height of a panel in inches.

    Returns
    -------
    numpy.ndarray of matplotlib.axes.Axes
        Axes of the panel of each maze.

    Examples
    --------
    >>> table = pd.DataFrame({"maze": ["medium", "hard"], "search": "surprise", "evaluations": 250,
    ...     "mean": 100.0, "low": 90.0, "high": 110.0})
    >>> [axes.get_title("left") for axes in by_maze(draw_efficiency, table)]
    ['Medium', 'Hard']
    """
    problem = problem_column(table)
    mazes = list(dict.fromkeys(table[problem]))
    columns = min(columns, max(1, len(mazes)))
    rows = max(1, -(-len(mazes) // columns))
    figure, grid = pyplot.subplots(
        rows, columns, figsize=(size[0] * columns, size[1] * rows + 0.35), layout="constrained", squeeze=False
    )
    figure.get_layout_engine().set(w_pad=GAP)
    panels = grid.ravel()
    handles: dict[str, Any] = {}
    for axes, maze in zip(panels, mazes, strict=False):
        draw(table[table[problem] == maze], ax=axes)
        axes.set_title(label(maze))
        handles |= dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
        if axes.get_legend() is not None:
            axes.get_legend().remove()
    for axes in panels[len(mazes) :]:
        axes.set_visible(False)
    limits = [axes.get_ylim() for axes in panels[: len(mazes)]]
    for axes in panels[: len(mazes)]:  # a common y axis makes panels comparable
        axes.set_ylim(min(low for low, _ in limits), max(high for _, high in limits))
    for number, axes in enumerate(panels[: len(mazes)]):
        if number % columns:
            axes.set_ylabel("")
        if number + columns < len(mazes):
            axes.set_xlabel("")
    if handles:
        across = _legend_columns(list(handles), min(3 * columns, len(handles)), size[0] * columns)
        figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=across)
    return panels[: len(mazes)]


def _legend_columns(names: Sequence[str], most: int, width: float) -> int:
    """Return the largest number of legend columns, at most `most`, that fit into a width in inches."""
    for count in range(most, 1, -1):
        widest = [max(map(len, part)) for part in np.array_split(np.array(names, dtype=object), count)]
        if sum(0.57 + 0.065 * letters for letters in widest) <= width:
            return count
    return 1


@styled
def draw_efficiency(table: pd.DataFrame, ax: Any = None) -> Any:
    """Draw the mean best fitness so far over evaluations, one line per search, with 95% intervals.

    Parameters
    ----------
    table : pandas.DataFrame
        Result of `divergent.analysis.efficiency` for one maze.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.
    """
    axes = choose_axes(ax)
    for search, part in _searches(table):
        axes.plot(part["evaluations"], part["mean"], **line(search))
        axes.fill_between(part["evaluations"], part["low"], part["high"], color=colour(search), alpha=0.18, lw=0)
    axes.set_ylabel("best fitness so far")
    return _against_evaluations(axes, table)


@styled
def draw_kaplan_meier(table: pd.DataFrame, ax: Any = None) -> Any:
    """Draw the fraction of solved runs over evaluations (Kaplan-Meier), one line per search, with 95% bands.

    For each search, the number at risk (runs not yet solved) is shown below each tick of the x axis.

    Parameters
    ----------
    table : pandas.DataFrame
        Result of `divergent.analysis.kaplan_meier` for one maze.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.
    """
    axes = choose_axes(ax, size=(4.6, 4.0))
    searches = _searches(table)
    shade = min(0.13, 5 / max(len(searches), 1) ** 2)  # bands are paler if there are many searches
    for search, part in searches:
        axes.step(part["evaluations"], part["fraction"], where="post", **line(search))
        axes.fill_between(
            part["evaluations"], part["low"], part["high"], step="post", color=colour(search), alpha=shade, lw=0
        )
    axes.set_ylim(-0.02, 1.02)
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.set_ylabel("fraction of solved runs")
    _against_evaluations(axes, table)
    axes.xaxis.set_major_locator(MaxNLocator(5))  # few ticks, so that the numbers at risk do not overlap
    for number, (search, part) in enumerate(searches):
        _annotate_at_risk(axes, search, part, number)
    return axes


def _annotate_at_risk(axes: Any, search: str, part: pd.DataFrame, number: int) -> None:
    height = -38 - 9 * number  # offset in points, which leaves room for the label of the x axis
    style = {"fontsize": 7, "color": INK, "va": "center", "annotation_clip": False}  # dark, because the text is small
    below = {"xycoords": ("data", "axes fraction"), "textcoords": "offset points"}
    if number == 0:
        axes.annotate("at risk", (0, 0), (-14, height + 9), ha="right", fontstyle="italic", fontsize=7, **below)
    axes.annotate(label(search), (0, 0), (-14, height), ha="right", **below, **style)
    for moment in (tick for tick in axes.get_xticks() if 0 <= tick <= part["evaluations"].max()):
        solved = part.loc[part["evaluations"] < moment, "solved"].max() if moment else 0
        axes.annotate(f"{part['runs'].iloc[0] - solved:,}", (moment, 0), (0, height), ha="center", **below, **style)


@styled
def draw_sensitivity(table: pd.DataFrame, ax: Any = None) -> Any:
    """Draw the effort (mean evaluations / budget) over the number of clusters or neighbours in one maze.

    Error bars are 95% intervals. The x axis shows the number of clusters, with one series per number of neighbours. If
    the search has no clusters, the x axis shows the number of neighbours. Points are not joined by lines, because
    intermediate settings were not run.

    Parameters
    ----------
    table : pandas.DataFrame
        Result of `divergent.analysis.sensitivity` for one maze.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.
    """
    axes = choose_axes(ax)
    if table["clusters"].notna().any():
        against, series = "clusters", list(table.groupby("neighbours"))
        axes.set_xlabel("clusters, k")
    else:
        against, series = "neighbours", [(None, table)]
        axes.set_xlabel("neighbours, n")
    settings = np.sort(table[against].astype(float).unique())
    room = np.diff(settings).min() if len(settings) > 1 else 1.0
    for number, (neighbours, part) in enumerate(series):
        part = part.sort_values(against)
        reach = np.array([part["effort"] - part["low"], part["high"] - part["effort"]])
        shift = room * 0.3 * (number - (len(series) - 1) / 2)
        axes.errorbar(
            part[against].astype(float) + shift, part["effort"], yerr=np.nan_to_num(reach).clip(min=0),
            color=value_map()(0.4 * number) if neighbours else colour(part["search"].iloc[0]),
            marker="oD^"[number % 3], linestyle="none", capsize=2.5, elinewidth=1,
            label=f"n = {neighbours}" if neighbours else label(part["search"].iloc[0]),
        )  # fmt: skip
    axes.set_xticks(settings, [f"{setting:g}" for setting in settings])
    axes.grid(visible=False, axis="x")
    axes.set_ylim(0, 1.02)
    axes.set_ylabel("mean evaluations / budget")
    return axes


@styled
def draw_heatmap(
    counts: np.ndarray, maze: Maze, ax: Any = None, *, cell: float = CELL_SIZE, highest: float | None = None
) -> Any:
    """Draw the number of final positions in each grid cell of a maze on a logarithmic colour scale.

    Empty grid cells are white.

    Parameters
    ----------
    counts : numpy.ndarray
        Result of `divergent.analysis.visits`.
    maze : Maze
        The maze to draw over the grid cells.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; a new figure by default.
    cell : float, default=CELL_SIZE
        Side length of a grid cell in maze units.
    highest : float, optional
        Count that is drawn in the brightest colour, so that several figures can share one colour scale; the largest
        count by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.
    """
    axes = choose_axes(ax)
    left, top = maze.bounds[:2]
    rows, columns = counts.shape
    shown = np.ma.masked_less(np.asarray(counts, dtype=float), 1)
    image = axes.imshow(
        shown, extent=(left, left + columns * cell, top + rows * cell, top), origin="upper", interpolation="nearest",
        cmap=value_map().with_extremes(bad="white"),
        norm=LogNorm(1, max(2.0, counts.max() if highest is None else highest)),
    )  # fmt: skip
    draw_outlined_maze(maze, axes)
    width, height = np.subtract(maze.bounds[2:], maze.bounds[:2])
    image.set_clip_path(pyplot.Rectangle((left, top), width, height, transform=axes.transData))
    if ax is None:
        axes.figure.colorbar(image, ax=axes, shrink=0.8, label="robots that ended there")
    return axes


@styled
def draw_heatmaps(pairs: Sequence[tuple[str, Maze, np.ndarray] | None], *, columns: int = 4) -> Any:
    """Draw heatmaps of several mazes or searches with one common colour scale.

    Parameters
    ----------
    pairs : sequence of tuple or None
        One tuple (title, maze, counts) for each heatmap; None leaves a panel empty.
    columns : int, default=4
        Number of heatmaps in a row.

    Returns
    -------
    numpy.ndarray of matplotlib.axes.Axes
        Axes of each heatmap.

    See Also
    --------
    draw_heatmap : Draw one heatmap.
    """
    columns = max(1, min(columns, len(pairs)))
    ratios = [0.0 if pair is None else _height_to_width(pair[1]) for pair in pairs]
    heights = [2.0 * max(ratios[first : first + columns]) + 0.6 for first in range(0, len(pairs), columns)]
    figure, grid = pyplot.subplots(
        len(heights), columns, figsize=(2.0 * columns + 0.6, sum(heights)), height_ratios=heights,
        layout="constrained", squeeze=False,
    )  # fmt: skip
    panels = grid.ravel()
    highest = max((pair[2].max() for pair in pairs if pair is not None), default=1)
    for axes, pair in zip_longest(panels, pairs):
        if pair is None:
            axes.set_visible(False)
            continue
        title, maze, counts = pair
        draw_heatmap(counts, maze, ax=axes, highest=highest)
        axes.set_title(title, fontsize=8.5, fontweight="normal")
    drawn = [axes for axes in panels if axes.get_visible()]
    if drawn:
        bar = figure.colorbar(drawn[0].images[0], ax=grid, shrink=0.6, aspect=30, pad=0.01)
        bar.set_label("robots that ended there", fontsize=8)
    return np.array(drawn)


def _height_to_width(maze: Maze) -> float:
    left, top, right, bottom = maze.bounds
    return (bottom - top) / (right - left)


@styled
def draw_examples(mazes: Sequence[tuple[str, Maze]]) -> Any:
    """Draw several mazes in one row of panels.

    Parameters
    ----------
    mazes : sequence of tuple of str and Maze
        Title and maze of each panel.

    Returns
    -------
    numpy.ndarray of matplotlib.axes.Axes
        Axes of the panel of each maze.
    """
    size = (1.75 * len(mazes), 2.0)
    panels = pyplot.subplots(1, len(mazes), figsize=size, layout="constrained", squeeze=False)[1].ravel()
    for axes, (title, maze) in zip(panels, mazes, strict=True):
        draw_maze(maze, ax=axes)
        axes.set_title(title, fontsize=8.5, fontweight="normal", loc="center")
    return panels


@styled
def draw_regression(result: Deceptiveness, ax: Any = None) -> Any:
    """Draw the success rates of searches against the failure rate of objective search, with regression lines.

    The area of a marker grows with the number of mazes that have the same failure rate and success rate. Markers of
    different searches are shifted sideways to avoid overlaps.

    Parameters
    ----------
    result : Deceptiveness
        Result of `divergent.analysis.deceptiveness`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.
    """
    axes = choose_axes(ax)
    handles = []
    for number, row in enumerate(result.lines.itertuples()):
        points = result.points[result.points["search"] == row.search]
        places = points.groupby(["failures", "successes"]).size().reset_index(name="mazes")
        looks = {"marker": MARKERS.get(row.search, "o"), "markerfacecolor": to_rgba(colour(row.search), 0.3)}
        shift = 0.02 * (number - (len(result.lines) - 1) / 2)
        axes.scatter(
            places["failures"] + shift, places["successes"], s=_area(places["mazes"]), marker=looks["marker"],
            facecolor=looks["markerfacecolor"], edgecolor=colour(row.search), linewidth=0.8, zorder=3,
        )  # fmt: skip
        ends = np.array([points["failures"].min(), points["failures"].max()])
        axes.plot(ends, row.intercept + row.slope * ends, **line(row.search))
        handles.append(Line2D([], [], **line(row.search) | looks))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(PercentFormatter(1))
    axes.set(xlabel="failure rate of objective search", ylabel="success rate", xlim=(-0.1, 1.1), ylim=(-0.1, 1.1))
    axes.add_artist(axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.0, 1.0)))
    sizes = [1, 5, 20]
    keys = [
        Line2D([], [], linestyle="none", marker="o", markersize=_area(size) ** 0.5, color="#7F7F7F", alpha=0.5)
        for size in sizes
    ]
    names = [f"{size} maze{'s' * (size > 1)}" for size in sizes]
    axes.legend(keys, names, loc="upper left", bbox_to_anchor=(1.0, 0.7), labelspacing=0.9)
    return axes


def _area(mazes: Any) -> Any:
    """Return the marker area, in square points, for a number of mazes."""
    return 10 + 6 * np.asarray(mazes, dtype=float)


@styled
def draw_features(result: FeatureRegression, ax: Any = None) -> Any:
    """Draw the change of the success rate per standard deviation of each maze feature, with 95% intervals.

    Parameters
    ----------
    result : FeatureRegression
        Result of `divergent.analysis.regress_on_features`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.
    """
    axes = choose_axes(ax, size=(6.4, 3.0))
    outcomes = list(dict.fromkeys(result.lines["outcome"]))
    features = list(dict.fromkeys(result.lines["feature"]))
    for number, outcome in enumerate(outcomes):
        part = result.lines[result.lines["outcome"] == outcome].set_index("feature").loc[features]
        heights = np.arange(len(features)) + 0.22 * (number - (len(outcomes) - 1) / 2)
        reach = np.array([part["change"] - part["low"], part["high"] - part["change"]])
        name = f"{label(outcomes[1])} less {label(outcomes[0])}" if number == 2 else label(outcome)
        axes.errorbar(
            part["change"], heights, xerr=reach, linestyle="none", marker=MARKERS.get(outcome, "s"), capsize=2.5,
            elinewidth=1, color=colour(outcome), label=name,
        )  # fmt: skip
    axes.axvline(0, color="#7F7F7F", lw=0.8)
    axes.set_yticks(range(len(features)), [label(feature) for feature in features])
    axes.invert_yaxis()
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.set_xlabel("change of successes with one standard deviation")
    axes.grid(visible=False, axis="y")
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return axes


@styled
def draw_paper_comparison(table: pd.DataFrame) -> Any:
    """Draw the differences between reproduced and published results, with panels for solved runs and evaluations.

    A reproduced result agrees with the published result if the confidence interval of the difference lies inside the
    grey band.

    Parameters
    ----------
    table : pandas.DataFrame
        Table with the columns `maze`, `search`, `series`, `measure`, `difference`, `low` and `high`. The column
        `series` names the experiment, for example by its robot. The column `measure` is "solved" or "evaluations".
        Differences of solved runs are differences of proportions; differences of evaluations are relative to the
        published mean.

    Returns
    -------
    numpy.ndarray of matplotlib.axes.Axes
        Axes of the panels for solved runs and for evaluations.
    """
    rows = list(dict.fromkeys(zip(table["maze"], table["search"], strict=True)))
    series = list(dict.fromkeys(table["series"]))
    figure, (left, right) = pyplot.subplots(
        1, 2, figsize=(7.4, 0.34 * len(rows) + 1.5), layout="constrained", sharey=True
    )  # fmt: skip
    for axes, measure, reach in ((left, "solved", PROPORTION_MARGIN), (right, "evaluations", MARGIN)):
        axes.axvspan(-reach, reach, color="#E9E9E9", lw=0)
        axes.axvline(0, color="#4D4D4D", lw=0.9)
        for number, name in enumerate(series):
            part = table[(table["series"] == name) & (table["measure"] == measure)]
            places = [rows.index(pair) for pair in zip(part["maze"], part["search"], strict=True)]
            heights = np.array(places) + 0.26 * (number - (len(series) - 1) / 2)
            ends = np.array([part["difference"] - part["low"], part["high"] - part["difference"]])
            axes.errorbar(
                part["difference"], heights, xerr=ends.clip(min=0), linestyle="none", marker="oD^"[number % 3],
                capsize=2.5, elinewidth=1, color=value_map()(0.35 * (number % 3)), label=name,
            )  # fmt: skip
        axes.xaxis.set_major_formatter(FuncFormatter(_signed_percent))
        axes.grid(visible=False, axis="y")
    left.set(title="Solved runs", xlabel="ours minus the paper's, in percentage points")
    right.set(title="Evaluations", xlabel="ours minus the paper's, in % of the paper's mean")
    left.set_yticks(range(len(rows)), [f"{label(maze)}, {label(search)}" for maze, search in rows])
    left.invert_yaxis()
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=len(series))
    return np.array([left, right])


def _signed_percent(value: float, _: int | None = None) -> str:
    """Format a fraction as a percentage with its sign but without the percent sign, for the ticks of an axis."""
    return f"{100 * value:+.0f}".replace("-", "\N{MINUS SIGN}") if round(100 * value) else "0"


def _searches(table: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    column = problem_column(table)
    if column in table and table[column].nunique() > 1:
        names = ", ".join(dict.fromkeys(table[column]))
        raise ValueError(
            f"table must contain only one value in the column {column}, got {names}; "
            "use by_maze to draw one panel per maze"
        )
    return list(table.groupby("search", sort=False))


def _against_evaluations(axes: Any, table: pd.DataFrame) -> Any:
    axes.set_xlabel("evaluations")
    axes.xaxis.set_major_formatter(in_thousands)
    if len(table):
        axes.set_xlim(0, table["evaluations"].max())
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return axes
