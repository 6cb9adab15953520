"""Format the columns of result tables as text: names, numbers, intervals and tests."""

import math
from collections.abc import Iterable
from typing import Any

import pandas as pd

from divergent import analysis
from divergent.plots import label
from divergent.reports._page import Table


def names(table: pd.DataFrame) -> dict[str, Any]:
    """Return the leading columns of a result table: robot, maze, search and number of runs."""
    columns = {name: labels(table[name]) for name in ("robot", "maze", "search") if name in table}
    return columns | {"runs": table["runs"]}


def tests(table: pd.DataFrame) -> dict[str, Any]:
    """Return formatted columns for a table of tests that compare pairs of searches."""
    return {
        "searches": [f"{label(row.first)}, {label(row.second)}" for row in table.itertuples()],
        "runs": [f"{row.runs_first}, {row.runs_second}" for row in table.itertuples()],
        "effect": numbers(table["effect"], "+.2f"),
        "p": ps(table["p"]),
        "p, corrected": ps(table["p_corrected"]),
    }


def tests_over_mazes(table: pd.DataFrame) -> dict[str, Any]:
    """Return formatted columns for a table of tests that compare pairs of searches over many mazes."""
    return {
        "searches": [f"{label(row.first)}, {label(row.second)}" for row in table.itertuples()],
        "mazes": table["mazes"],
        "runs": [f"{row.runs_first}, {row.runs_second}" for row in table.itertuples()],
        "difference in evaluations": numbers(table["difference"], "+,.0f"),
        "95% interval": intervals(table, "+,.0f", "difference_"),
        "paired p, corrected": ps(table["p_paired_corrected"]),
        "pairs of runs": pairs(table),
        "log-rank p, corrected": ps(table["p_log_rank_corrected"]),
    }


def comparisons_over_mazes(name: str, kind: str, table: pd.DataFrame) -> Table:
    """Format the result of `analysis.compare_over_mazes` as a table; the caption names the kind of mazes."""
    caption = (
        f"Pairwise comparisons of the searches over all {kind} mazes. The difference in evaluations is the mean of the "
        "first search minus the mean of the second search, averaged over mazes, with its 95% interval by bootstrap "
        "over mazes. The paired t-test compares the means of each maze. Pairs of runs are in the same maze, and the "
        "log-rank test is stratified by maze. Both p are corrected by Holm's method."
    )
    return Table(name, caption, table, pd.DataFrame(tests_over_mazes(table)))


def compared_means(table: pd.DataFrame, form: str) -> pd.DataFrame:
    """Format the result of `paper_comparison.compare_means` as a table of strings."""
    return pd.DataFrame(
        names(table)
        | {"ours": means(table, form), "95% interval": intervals(table, form)}
        | {"paper": means(table, form, "paper_mean", "paper_sd")}
        | {"p": ps(table["p"]), "p, corrected": ps(table["p_corrected"]), "verdict": table["verdict"]}
    )


def labels(names: Iterable[str]) -> list[str]:
    """Return the display names of searches, mazes or measures."""
    return [label(name) for name in names]


def solved(table: pd.DataFrame) -> list[str]:
    """Format the number of successful runs and the number of all runs, such as "3 of 4"."""
    return [f"{row.solved} of {row.runs}" for row in table.itertuples()]


def means(table: pd.DataFrame, form: str, mean_column: str = "mean", sd_column: str = "sd") -> list[str]:
    """Format means and standard deviations from two columns of a table."""
    return [mean(*pair, form) for pair in zip(table[mean_column], table[sd_column], strict=True)]


def mean(mean: float, sd: float, form: str) -> str:
    """Format a mean with its standard deviation in parentheses.

    Examples
    --------
    The standard deviation is omitted if it is NaN:

    >>> mean(23566, 15925, ",.0f"), mean(0.5, math.nan, ".1f")
    ('23,566 (15,925)', '0.5')
    """
    return number(mean, form) + ("" if math.isnan(sd) else f" ({sd:{form}})")


def intervals(table: pd.DataFrame, form: str, prefix: str = "") -> list[str]:
    """Format intervals as "low to high"; their ends are the columns `low` and `high`, with an optional prefix."""
    ends = zip(table[f"{prefix}low"], table[f"{prefix}high"], strict=True)
    return ["" if pd.isna(low) else f"{low:{form}} to {high:{form}}" for low, high in ends]


def numbers(values: Iterable[float], form: str) -> list[str]:
    """Format several numbers as text, with an empty string for NaN."""
    return [number(value, form) for value in values]


def number(value: float, form: str) -> str:
    """Format a number as text, with an empty string for NaN."""
    return "" if pd.isna(value) else f"{value:{form}}"


def ps(values: Iterable[float], decimals: int = 3) -> list[str]:
    """Format several p-values as text, with an empty string for NaN."""
    return [p(value, decimals) for value in values]


def p(value: float, decimals: int = 3) -> str:
    """Format a p-value as text, with an empty string for NaN.

    Examples
    --------
    A p-value below the smallest printed value is shown as a bound:

    >>> p(0.01234), p(0.00001)
    ('0.012', '< 0.001')
    """
    if pd.isna(value):
        return ""
    least = 10**-decimals
    return f"< {least:.{decimals}f}" if value < least else f"{value:.{decimals}f}"


def hours(runs: pd.DataFrame) -> str:
    """Format the total time of runs, in core hours if processor time is recorded, otherwise in wall-clock hours.

    Times below 0.1 hours are formatted in minutes.

    Parameters
    ----------
    runs : DataFrame
        A table of runs with the column `seconds` (wall-clock time) and optionally `cpu_seconds` (processor time).

    Returns
    -------
    str
        Total time in hours or minutes, as text.

    Examples
    --------
    If no run has a processor time, the text contains wall-clock hours only:

    >>> hours(pd.DataFrame({"seconds": [3600.0, 7200.0]}))
    '3.0 wall-clock hours'

    If some runs have a processor time, core hours and wall-clock hours are reported separately:

    >>> hours(pd.DataFrame({"seconds": [3600.0, 7200.0], "cpu_seconds": [3600.0, math.nan]}))
    '1.0 core hours, and 2.0 wall-clock hours of 1 run without processor time'

    A time below 0.1 hours is given in minutes:

    >>> hours(pd.DataFrame({"seconds": [150.0]}))
    '2.5 wall-clock minutes'
    """
    cpu = runs["cpu_seconds"] if "cpu_seconds" in runs else pd.Series(math.nan, index=runs.index)
    wall = _duration(runs.loc[cpu.isna(), "seconds"].sum(), "wall-clock")
    if cpu.isna().all():
        return wall
    core = _duration(cpu.sum(), "core")
    without = int(cpu.isna().sum())
    return f"{core}, and {wall} of {analysis.format_count(without)} without processor time" if without else core


def _duration(seconds: float, kind: str) -> str:
    """Format a time in hours, or in minutes if the time is below 0.1 hours; `kind` is the kind of time."""
    return f"{seconds / 3600:,.1f} {kind} hours" if seconds >= 360 else f"{seconds / 60:.1f} {kind} minutes"


def pairs(table: pd.DataFrame) -> list[str]:
    """Describe in words, for each comparison in a table, how often one search needs fewer evaluations than another."""
    return [
        "" if pd.isna(row.effect) else analysis.describe_effect(label(row.first), label(row.second or ""), row.effect)
        for row in table.itertuples()
    ]


def markdown(table: pd.DataFrame) -> str:
    """Return a table in Markdown syntax.

    Examples
    --------
    A line break in a cell becomes a `<br>` element:

    >>> print(markdown(pd.DataFrame({"maze": ["hard\\nmedium"], "runs": [3]})))
    | maze | runs |
    | --- | --- |
    | hard<br>medium | 3 |
    """
    lines = [list(table.columns), ["---"] * len(table.columns), *table.fillna("").values.tolist()]
    cells = [[str(cell).strip().replace("\n", "<br>") for cell in line] for line in lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)
