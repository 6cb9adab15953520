"""Columns of tables as a reader sees them: names, numbers, intervals and tests in words."""

import math
from collections.abc import Iterable
from typing import Any

import pandas as pd

from divergent import analysis
from divergent.plots.style import label


def names(table: pd.DataFrame) -> dict[str, Any]:
    """The first columns of a table: what its rows are of, and of how many runs."""
    return {name: labels(table[name]) for name in ("robot", "maze", "search") if name in table} | {
        "runs": table["runs"]
    }


def tests(table: pd.DataFrame) -> dict[str, Any]:
    """Columns on tests between two searches."""
    return {
        "searches": [f"{label(row.first)}, {label(row.second)}" for row in table.itertuples()],
        "runs": [f"{row.runs_first}, {row.runs_second}" for row in table.itertuples()],
        "effect": numbers(table["effect"], "+.2f"),
        "p": ps(table["p"]),
        "p, corrected": ps(table["p_corrected"]),
    }


def tests_over_mazes(table: pd.DataFrame) -> dict[str, Any]:
    """Columns on tests between two searches over many mazes."""
    ends = table[["difference_low", "difference_high"]].set_axis(["low", "high"], axis=1)
    return (
        {"searches": [f"{label(row.first)}, {label(row.second)}" for row in table.itertuples()]}
        | {"mazes": table["mazes"], "runs": [f"{row.runs_first}, {row.runs_second}" for row in table.itertuples()]}
        | {"difference of evaluations": numbers(table["difference"], "+,.0f"), "95% interval": spans(ends, "+,.0f")}
        | {"paired p, corrected": ps(table["p_paired_corrected"]), "pairs of runs": pairs(table)}
        | {"log-rank p, corrected": ps(table["p_log_rank_corrected"])}
    )


def labels(names: Iterable[str]) -> list[str]:
    """Names as a reader would write them."""
    return [label(name) for name in names]


def mean(mean: float, sd: float, form: str) -> str:
    """A mean with its standard deviation.

    Examples
    --------
    >>> mean(23566, 15925, ",.0f"), mean(0.5, math.nan, ".1f")
    ('23,566 (15,925)', '0.5')
    """
    return number(mean, form) + ("" if math.isnan(sd) else f" ({sd:{form}})")


def spans(table: pd.DataFrame, form: str) -> list[str]:
    """The intervals of a table with columns low and high."""
    return ["" if pd.isna(row.low) else f"{row.low:{form}} to {row.high:{form}}" for row in table.itertuples()]


def numbers(values: Iterable[float], form: str) -> list[str]:
    """Numbers, nothing where there is none."""
    return [number(value, form) for value in values]


def number(value: float, form: str) -> str:
    """A number, nothing if there is none."""
    return "" if pd.isna(value) else f"{value:{form}}"


def ps(values: Iterable[float], decimals: int = 3) -> list[str]:
    """What tests say, see `p`."""
    return [p(value, decimals) for value in values]


def p(value: float, decimals: int = 3) -> str:
    """The p of a test, nothing if there is none.

    Examples
    --------
    >>> p(0.01234), p(0.00001)
    ('0.012', '< 0.001')
    """
    if pd.isna(value):
        return ""
    least = 10**-decimals
    return f"< {least:.{decimals}f}" if value < least else f"{value:.{decimals}f}"


def hours(runs: pd.DataFrame) -> str:
    """Report how long runs took in all: core hours where processor time is recorded, else wall-clock hours.

    Parameters
    ----------
    runs : DataFrame
        A table of runs with the column `seconds` (wall-clock time) and, in newer results, `cpu_seconds`.

    Returns
    -------
    str
        The hours in words.

    Examples
    --------
    >>> hours(pd.DataFrame({"seconds": [3600.0, 7200.0]}))
    '3.0 wall-clock hours'
    >>> hours(pd.DataFrame({"seconds": [3600.0, 7200.0], "cpu_seconds": [3600.0, math.nan]}))
    '1.0 core hours, and 2.0 wall-clock hours of 1 run without processor time'
    """
    cpu = runs["cpu_seconds"] if "cpu_seconds" in runs else pd.Series(math.nan, index=runs.index)
    wall = f"{runs.loc[cpu.isna(), 'seconds'].sum() / 3600:,.1f} wall-clock hours"
    if cpu.isna().all():
        return wall
    core = f"{cpu.sum() / 3600:,.1f} core hours"
    without = int(cpu.isna().sum())
    return f"{core}, and {wall} of {analysis.told_runs(without)} without processor time" if without else core


def pairs(table: pd.DataFrame) -> list[str]:
    """The effects of a table of comparisons as pairs of runs."""
    return [
        analysis.told_pairs(label(row.first), label(row.second or ""), row.effect) if not pd.isna(row.effect) else ""
        for row in table.itertuples()
    ]
