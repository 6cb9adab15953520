"""Group the rows of a table of runs, and compute the budget and means of each group."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from divergent.analysis._intervals import bounded_interval
from divergent.maze._files import STEPS
from divergent.selection._searches import SEARCHES


def order_names(values: Iterable[str], known: Sequence[str]) -> list[str]:
    """Sort names: known names in the given order, then numbered names by number, then all other names.

    Parameters
    ----------
    values : iterable of str
        Names of mazes or searches.
    known : sequence of str
        Names that come first, in the order of this sequence.

    Returns
    -------
    list of str
        The sorted names.

    Examples
    --------
    Known names come first, and numbered names are sorted by number:

    >>> order_names(["generated:10", "hard", "generated:9", "medium"], known=("medium", "hard"))
    ['medium', 'hard', 'generated:9', 'generated:10']
    """
    return sorted(values, key=lambda value: _sort_key(value, known))


def group_rows(table: pd.DataFrame, by: Sequence[str]) -> list[tuple[dict[str, Any], pd.DataFrame]]:
    """Group rows by columns, with mazes ordered from easy to hard and searches in the order of `SEARCHES`.

    Each returned pair consists of a dictionary, which maps columns to the values of a group, and the rows of the group.
    """
    known = {"maze": tuple(STEPS), "problem": tuple(STEPS), "search": tuple(SEARCHES)}
    groups = [(dict(zip(by, key, strict=True)), group) for key, group in table.groupby(list(by), dropna=False)]
    return sorted(groups, key=lambda pair: [_sort_key(part, known.get(name, ())) for name, part in pair[0].items()])


def problem_column(table: pd.DataFrame) -> str:
    """Return the column that names the problem of each row: "problem", or "maze" in tables of runs in mazes.

    Parameters
    ----------
    table : DataFrame
        A table of runs, or a table of results with one row per problem.

    Returns
    -------
    str
        "maze" if the table has this column and no column "problem", otherwise "problem".

    Examples
    --------
    >>> problem_column(pd.DataFrame({"problem": ["roof"]})), problem_column(pd.DataFrame({"maze": ["hard"]}))
    ('problem', 'maze')
    """
    return "maze" if "maze" in table and "problem" not in table else "problem"


def group_columns(table: pd.DataFrame, by: Sequence[str] | None, further: Sequence[str] = ()) -> Sequence[str]:
    """Return the columns that define groups, by default the problem column and the columns in `further`."""
    return (problem_column(table), *further) if by is None else by


def by_search(table: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Return the name and the rows of each search."""
    return [(key["search"], group) for key, group in group_rows(table, ("search",))]


def complete_seeds(runs: pd.DataFrame) -> pd.DataFrame:
    """Keep a run only if its search was run with the same seed in every maze, so that all mazes have equal weight.

    Parameters
    ----------
    runs : DataFrame
        A table of runs.

    Returns
    -------
    DataFrame
        The selected rows.

    Examples
    --------
    >>> runs = pd.DataFrame({"maze": ["a", "a", "b"], "search": "novelty", "seed": [0, 1, 0]})
    >>> complete_seeds(runs)["seed"].tolist()
    [0, 0]
    """
    column = problem_column(runs)
    require_columns(runs, column, "search", "seed")
    mazes = runs.groupby(["search", "seed"])[column].transform("nunique")
    return runs[mazes == runs[column].nunique()]


def require_columns(table: pd.DataFrame, *columns: str) -> None:
    """Raise an error unless the table has all required columns."""
    for column in columns:
        if column not in table.columns:
            present = ", ".join(map(str, table.columns))
            raise ValueError(
                f"table must have the required column {column!r}, got only these columns: {present or 'none'}"
            )


def common_budget(group: pd.DataFrame, key: Mapping[str, Any]) -> int:
    """Return the budget that all runs of a group have in common; `key` identifies the group in the error message."""
    budgets = sorted({int(budget) for budget in group["budget"]})
    if len(budgets) > 1:
        name = ", ".join(f"{column} {value}" for column, value in key.items())
        listed = " and ".join(f"{budget:,}" for budget in budgets)
        raise ValueError(
            f"all runs of a group must have the same budget, got budgets of {listed} evaluations for the group {name}; "
            "select runs with one budget"
        )
    return budgets[0] if budgets else 0


def mean_interval(column: pd.Series, low: float = -math.inf, high: float = math.inf) -> dict[str, Any]:
    """Return the count, mean, standard deviation and 95% interval of the mean of all values that are not NaN."""
    values = column.dropna().to_numpy(dtype=float)
    count = len(values)
    mean = float(values.mean()) if count else math.nan
    sd = float(values.std(ddof=1)) if count > 1 else math.nan
    lowest, highest = bounded_interval(values, low, high)
    return {"runs": count, "mean": mean, "sd": sd, "low": lowest, "high": highest}


def stack_tables(tables: Iterable[pd.DataFrame], columns: Sequence[str]) -> pd.DataFrame:
    """Concatenate the non-empty tables; if all tables are empty, return an empty table with the given columns."""
    tables = [table for table in tables if not table.empty]
    return pd.concat(tables, ignore_index=True)[list(columns)] if tables else pd.DataFrame(columns=list(columns))


def _sort_key(value: Any, known: Sequence[str]) -> tuple[int, float, str]:
    """Return a sort key: known names in the given order, then numbered names by number, then all other names."""
    if value in known:
        return 0, known.index(value), ""
    if isinstance(value, str):
        name, _, number = value.rpartition(":")
        return (1, int(number), name) if number.isdecimal() else (2, 0, value)
    return 1, -1 if pd.isna(value) else value, ""
