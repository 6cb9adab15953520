"""Groups of a table: what belongs together, in what order, and the mean of it."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from divergent.analysis.intervals import bounded_interval
from divergent.maze.task import STEPS
from divergent.selection import SEARCHES


def ordered(values: Iterable[str], known: Sequence[str]) -> list[str]:
    """Known names in their order, then numbered names by number, then the rest.

    Examples
    --------
    >>> ordered(["generated:10", "hard", "generated:9", "medium"], known=("medium", "hard"))
    ['medium', 'hard', 'generated:9', 'generated:10']
    """
    return sorted(values, key=lambda value: _place(value, known))


def groups(table: pd.DataFrame, by: Sequence[str]) -> list[tuple[dict[str, Any], pd.DataFrame]]:
    """Groups with their key as a dictionary; our mazes from easy to hard, our searches in the order of `SEARCHES`."""
    known = {"maze": tuple(STEPS), "search": tuple(SEARCHES)}
    found = [(dict(zip(by, key, strict=True)), group) for key, group in table.groupby(list(by), dropna=False)]
    return sorted(found, key=lambda pair: [_place(part, known.get(name, ())) for name, part in pair[0].items()])


def by_search(table: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """The part of each search."""
    return [(key["search"], group) for key, group in groups(table, ("search",))]


def in_every_maze(runs: pd.DataFrame) -> pd.DataFrame:
    """The runs of those seeds with which a search was run in every maze of the table, so that all mazes count alike.

    Examples
    --------
    >>> runs = pd.DataFrame({"maze": ["a", "a", "b"], "search": "novelty", "seed": [0, 1, 0]})
    >>> in_every_maze(runs)["seed"].tolist()
    [0, 0]
    """
    require(runs, "maze", "search", "seed")
    mazes = runs.groupby(["search", "seed"])["maze"].transform("nunique")
    return runs[mazes == runs["maze"].nunique()]


def require(table: pd.DataFrame, *columns: str) -> None:
    """Refuse a table that lacks a column."""
    for column in columns:
        if column not in table.columns:
            there = ", ".join(map(str, table.columns))
            raise ValueError(f"the table needs a column {column!r}; it has {there or 'none'}")


def one_budget(group: pd.DataFrame, key: Mapping[str, Any]) -> int:
    """The budget of runs that are put together, refused if there are several."""
    budgets = sorted({int(budget) for budget in group["budget"]})
    if len(budgets) > 1:
        which = ", ".join(f"{name} {value}" for name, value in key.items())
        told = " and ".join(f"{budget:,}" for budget in budgets)
        raise ValueError(f"runs of different budgets cannot be put together: {which} has {told} evaluations")
    return budgets[0] if budgets else 0


def mean_interval(column: pd.Series, low: float = -math.inf, high: float = math.inf) -> dict[str, Any]:
    """The mean of what is known, its standard deviation and the 95% interval of the mean, inside what is possible."""
    values = column.dropna().to_numpy(dtype=float)
    count = len(values)
    mean = float(values.mean()) if count else math.nan
    sd = float(values.std(ddof=1)) if count > 1 else math.nan
    lowest, highest = bounded_interval(values, low, high)
    return {"runs": count, "mean": mean, "sd": sd, "low": lowest, "high": highest}


def stacked(tables: Iterable[pd.DataFrame], columns: Sequence[str]) -> pd.DataFrame:
    """Tables one below the other, with these columns even if there are none."""
    tables = [table for table in tables if not table.empty]
    return pd.concat(tables, ignore_index=True)[list(columns)] if tables else pd.DataFrame(columns=list(columns))


def _place(value: Any, known: Sequence[str]) -> tuple[int, float, str]:
    """A sorting key: known names first, in their order, then numbered names by number, then the rest."""
    if value in known:
        return 0, known.index(value), ""
    if isinstance(value, str):
        name, _, number = value.rpartition(":")
        return (1, int(number), name) if number.isdecimal() else (2, 0, value)
    return 1, -1 if pd.isna(value) else value, ""
