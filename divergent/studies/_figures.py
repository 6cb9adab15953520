"""Figures of the ablation study and of the study of reference sets."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from divergent import analysis
from divergent.plots._style import colour, label
from divergent.studies import _describe
from divergent.studies._comparisons import summarise_cells
from divergent.studies._design import HARD, LADDER_RUNS, LOOPS, REFERENCE_RUNS, RULES, RUNGS, VERY_HARD
from divergent.studies._pages import LOOP_NAMES, Studies

SETS = {"population": "C2", "archive": "C1", "both": "C0"}
DYNAMICS = {
    "revisited": "revisited cells",
    "turnover": "turnover of cells",
    "entropy": "entropy",
    "novelty_surprise": "rank correlation, novelty and surprise",
    "intensity": "selection intensity",
    "size": "connections",
}
WINDOW = 10  # number of generations in the running mean


def draw_figures(studies: Studies, folder: Path) -> Iterator[Path]:
    """Draw all figures that have results, and yield the paths of the image files."""
    from matplotlib import pyplot

    for name, draw, table in (
        ("studies_ladder", draw_ladder, studies.ladder[studies.ladder["cell"].isin(RUNGS)]),
        ("studies_reference_set", draw_reference_sets, studies.reference_sets),
        ("studies_dynamics", draw_dynamics, studies.generations),
    ):
        if table.empty:
            continue
        figure = draw(table)
        path = folder / f"{name}.png"
        figure.savefig(path, dpi=110, metadata={"Software": None})
        pyplot.close(figure)
        yield path


def draw_ladder(runs: pd.DataFrame) -> Any:
    """Draw success rates and mean evaluations of the variants of the ablation study in the hard and very hard mazes."""
    from matplotlib import pyplot

    names = list(RUNGS)
    figure, panels = pyplot.subplots(1, 2, figsize=(9, 0.9 + 0.45 * len(names)), sharey=True, layout="constrained")
    for number, maze in enumerate((HARD, VERY_HARD)):
        chosen = runs[runs["maze"].eq(maze)]
        if chosen.empty:
            continue
        table = summarise_cells(chosen, names, LADDER_RUNS[maze])
        rows = table["cell"].map(names.index) + 0.25 * number
        style = {"color": f"C{number}", "label": f"{maze.replace('_', ' ')} maze, {LADDER_RUNS[maze]} runs each"}
        _draw_intervals(panels[0], rows, table["fraction"], table["low"], table["high"], style)
        means = table[["mean", "mean_low", "mean_high"]] / analysis.censor_at_budget(chosen)["budget"].max()
        _draw_intervals(panels[1], rows, means["mean"], means["mean_low"], means["mean_high"], style)
    panels[0].set(xlabel="success rate, 95 % interval", xlim=(0, 1.03))
    panels[1].set(xlabel="mean evaluations / budget (unsuccessful run: 1)", xlim=(0, 1.03))
    panels[0].set_yticks(range(len(names)), names)
    panels[0].invert_yaxis()
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=2, frameon=False)
    return figure


def draw_reference_sets(runs: pd.DataFrame) -> Any:
    """Draw the success rates of novelty search by loop, reference set and archiving rule."""
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, len(LOOPS), figsize=(10, 3.4), sharey=True, layout="constrained")
    for axes, loop in zip(panels, LOOPS, strict=True):
        for number, (reference, chosen) in enumerate(SETS.items()):
            names = {rule: f"{loop}-{reference}-{rule}" for rule in RULES}
            if reference == "population":
                names = {"population": f"{loop}-population"}
            table = summarise_cells(runs, list(names.values()), REFERENCE_RUNS).set_index("cell")
            for position, name in enumerate(names.values()):
                if name in table.index:
                    row = table.loc[name]
                    place = -1 if reference == "population" else position + (number - 1.5) * 0.16
                    ends = [[row["fraction"] - row["low"]], [row["high"] - row["fraction"]]]
                    axes.errorbar([place], [row["fraction"]], ends, fmt="o", color=chosen, capsize=2, label=reference)
        axes.set_xticks([-1, *range(len(RULES))], ["no archive", *RULES], rotation=30, ha="right")
        axes.set(title=LOOP_NAMES[loop], ylim=(-0.03, 1.03))
    panels[0].set_ylabel("success rate, 95 % interval")
    handles = {name: handle for axes in panels for handle, name in zip(*axes.get_legend_handles_labels(), strict=True)}
    figure.legend(handles.values(), handles, title="reference set", loc="outside right upper", frameon=False)
    return figure


def draw_dynamics(generations: pd.DataFrame) -> Any:
    """Draw measures of each search over generations: means over unfinished runs, smoothed by a running mean."""
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(2, 3, figsize=(11, 5.4), sharex=True, layout="constrained")
    for axes, (measure, title) in zip(panels.ravel(), DYNAMICS.items(), strict=True):
        for search in _describe.SEARCHES:
            table = generations[generations["search"] == search]
            mean = table.groupby("generation")[measure].mean()
            axes.plot(mean.rolling(WINDOW, min_periods=1).mean(), color=colour(search), label=label(search))
        axes.set_title(title, fontsize="medium")
    for axes in panels[1]:
        axes.set_xlabel("generation")
    lines = panels[0, 0].get_legend_handles_labels()
    figure.legend(*lines, loc="outside upper center", ncols=len(_describe.SEARCHES), frameon=False)
    return figure


def _draw_intervals(
    axes: Any, rows: pd.Series, values: pd.Series, low: pd.Series, high: pd.Series, style: Mapping[str, Any]
) -> None:
    """Draw one point with a horizontal error bar for each value."""
    axes.errorbar(values, rows, xerr=[values - low, high - values], fmt="o", capsize=2, **style)
    axes.grid(axis="x", alpha=0.3)
