"""Schemas of result files: the type and range of every column, checked when a file is read."""

import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from divergent.maze._generator import GENERATED
from divergent.maze._maze import BEST
from divergent.maze._rules import DEFAULT_RULES, ROBOTS, RULES
from divergent.persistence._files import read_npz, read_text
from divergent.replicate import paper
from divergent.replicate._experiments import EXPERIMENTS
from divergent.runs._row_measures import DIVERSITY
from divergent.runs.settings import EARLIER_NAMES, LEARN_FROM, LOOPS


class Column(NamedTuple):
    """Type and range of the values in a column of a CSV file."""

    rule: str
    """Rule that completes the sentence "The value must be"."""

    pattern: str
    """Regular expression that a value in the file must match."""

    kind: Any
    """Type of the values in pandas."""

    least: float = -np.inf
    most: float = np.inf
    empty: bool = False
    """Whether values, or the whole column, may be missing."""


def _integer(least: int, empty: bool = False) -> Column:
    return Column(f"an integer, at least {least}", r"\d{1,15}", "Int64" if empty else "int64", least, empty=empty)


def _number(least: float = -np.inf, most: float = np.inf, empty: bool = False) -> Column:
    limits = [f"at least {least:g}"] * (least > -np.inf) + [f"at most {most:g}"] * (most < np.inf)
    rule = ", ".join(["a finite number", *limits])
    return Column(rule, r"[+-]?\d+(\.\d*)?([eE][+-]?\d{1,3})?", "float64", least, most, empty)


def _word(rule: str, pattern: str, empty: bool = False) -> Column:
    return Column(rule, pattern, object, empty=empty)


def _one_of(*words: str, empty: bool = False) -> Column:
    return _word(" or ".join(words), "|".join(words), empty)


MAZE = _word(f"{', '.join(paper.MAZES)} or {GENERATED}SEED", "|".join([*paper.MAZES, rf"{GENERATED}\d{{1,9}}"]))
OWN = {
    "clusters": _integer(1, empty=True),
    "neighbours": _integer(1, empty=True),
    "weight": _number(0, 1, empty=True),
    "seed": _integer(0),
}
# result files keep names of the first version; this dictionary maps current names to stored names
STORED_NAMES = {
    column: {present: stored for stored, present in names.items()} for column, names in EARLIER_NAMES.items()
}
SEARCHES = dict.fromkeys(search for experiment in EXPERIMENTS.values() for search in experiment.searches)
RUNS: Mapping[str, Column] = {
    "maze": MAZE,
    "search": _one_of(*SEARCHES),
    "seed": _integer(0),
    "solved": Column("True or False", "True|False", bool),
    "evaluations": _integer(1),
    "best_fitness": _number(most=BEST),
    "connections": _integer(0),
    "hidden_nodes": _integer(0),
    "entropy": _number(0, 1),
    "coverage": _number(0, 1, empty=True),  # results of earlier versions have no columns coverage and qd_score
    "qd_score": _number(0, empty=True),
    **dict.fromkeys(DIVERSITY, _number(0)),
    "population": _integer(2),
    "generations": _integer(1),
    "steps": _integer(1),
    "neighbours": _integer(1, empty=True),
    "clusters": _integer(1, empty=True),
    "weight": OWN["weight"],
    "history": _integer(1, empty=True),
    "predictor": _word("a predictor's name", r"\S+", empty=True),
    "deviation": _word("a deviation's name", r"\S+", empty=True),
    "learn_from": _one_of(*(STORED_NAMES["learn_from"].get(name, name) for name in LEARN_FROM), empty=True),
    "behaviour": _word("end or trail:M", r"end|trail:[1-9]\d{0,8}"),
    "loop": _one_of(*LOOPS),
    "robot": _one_of(*(STORED_NAMES["robot"].get(name, name) for name in ROBOTS)),
    "rules": _one_of(*RULES, empty=True),  # results of earlier versions have no column `rules`
    "version": _word("a version", r"\S+"),
    "seconds": _number(0, empty=True),
    # the column contains the Git commit of the run, if this commit is known
    # if the commit of a run is unknown, the column contains "~" and the commit that added the run to `runs.csv`
    "commit": _word("a commit", r"~?[0-9a-f]{7,40}(\+changes)?", empty=True),
    "cpu_seconds": _number(0, empty=True),
    "processor": _word("the model of a processor", r"\S.*", empty=True),
}
SOLUTIONS: Mapping[str, Column] = {
    "maze": MAZE,
    "search": RUNS["search"],
    **OWN,
    **dict.fromkeys(DIVERSITY, _number(0, empty=True)),  # a single solution has no distance to other solutions
}

VARIANTS: Mapping[str, Column] = {
    "maze": MAZE,
    "search": RUNS["search"],
    "variant": _word("the name of a variant", r"[a-z-]+(\+[a-z-]+)*"),
    **{name: RUNS[name] for name in ("seed", "solved", "evaluations", "population", "generations")},
}


def read_table(path: Path, columns: Mapping[str, Column]) -> pd.DataFrame:
    """Read a CSV file and check the type and range of all values.

    Parameters
    ----------
    path : pathlib.Path
        CSV file to read.
    columns : mapping of str to Column
        Types and ranges of the columns to read; other columns of the file are ignored.

    Returns
    -------
    pandas.DataFrame
        Table with the columns that `columns` lists.

    Raises
    ------
    ValueError
        If the file is not a table, a column is missing, or a value has a wrong type or is out of range.
    """
    content = io.StringIO(read_text(path))
    try:
        text = pd.read_csv(content, dtype=str, keep_default_na=False, index_col=False)
    except ValueError as error:
        raise ValueError(f"{path}: file must be a CSV table, got error: {' '.join(str(error).split())}") from error
    for name, column in columns.items():
        if name not in text.columns and not column.empty:
            raise ValueError(f"{path}: column {name!r} is missing in the table; collect the results again")
    text = text.reindex(columns=list(columns), fill_value="")
    return pd.DataFrame({name: _values(path, text[name], column) for name, column in columns.items()})


def read_runs(path: Path) -> pd.DataFrame:
    """Read a table of runs; raise an error if a run is listed twice or has more evaluations than its budget.

    Parameters
    ----------
    path : pathlib.Path
        CSV file to read.

    Returns
    -------
    pandas.DataFrame
        One row per run. Names of robots and options that earlier versions wrote are replaced by the current names.

    Raises
    ------
    ValueError
        If a value is invalid or a run is listed twice.
    """
    runs = read_table(path, RUNS).replace(EARLIER_NAMES)
    runs["rules"] = runs["rules"].fillna(DEFAULT_RULES)
    own = ["maze", "search", *OWN]
    _raise_first(path, runs.duplicated(own), own[-1], runs["seed"], "the seed of a run that is in the table once")
    budget = runs["population"] * runs["generations"]
    # unsuccessful runs of generational loops can stay below the budget: unchanged copies are not evaluated again
    complete = ~runs["solved"] & (runs["loop"] == LOOPS[0])
    for wrong, rule in (
        (runs["evaluations"] > budget, "at most population * generations"),
        (complete & (runs["evaluations"] < budget), "population * generations if a steady-state run is unsolved"),
    ):
        _raise_first(path, wrong, "evaluations", runs["evaluations"], rule)
    return runs


def read_arrays(
    path: Path, check: Callable[[str, np.ndarray], str | None], *, arrays: int, most: int
) -> dict[str, np.ndarray]:
    """Read the arrays of an npz file and check each array.

    Parameters
    ----------
    path : pathlib.Path
        The npz file to read.
    check : callable
        Function that takes the name of an array and the array, and returns the violated rule or None.
    arrays : int
        Largest accepted number of arrays.
    most : int
        Largest accepted size of all arrays together, in bytes.

    Returns
    -------
    dict of str to numpy.ndarray
        Arrays of the file, by their names.

    Raises
    ------
    ValueError
        If the file is damaged or too large, or an array is invalid.
    """
    contents = read_npz(path, arrays=arrays, most=most)
    for name, array in contents.items():
        if fault := check(name, array):
            raise ValueError(f"{path}: {name} {fault}")
    return contents


def _values(path: Path, text: pd.Series, column: Column) -> pd.Series:
    """Convert a column of strings to its type; raise an error if a value is invalid."""
    missing = (text == "") & column.empty
    wrong = ~(text.str.fullmatch(column.pattern).astype(bool) | missing)
    _raise_first(path, wrong, str(text.name), text, column.rule)
    if column.kind is object:
        return text.mask(missing, None).astype(object)
    if column.kind is bool:
        return text == "True"
    numbers = text.mask(missing, "nan").astype(float)
    outside = ~((numbers >= column.least) & (numbers <= column.most) & np.isfinite(numbers) | missing)
    _raise_first(path, outside, str(text.name), text, column.rule)
    return numbers.astype(column.kind)


def _raise_first(path: Path, wrong: pd.Series, name: str, values: pd.Series, rule: str) -> None:
    """Raise an error that names the row of the first invalid value; row 1 contains the column names."""
    if wrong.any():
        index = int(np.flatnonzero(wrong)[0])
        raise ValueError(
            f"{path}: value in row {index + 2}, column {name} must be {rule}, got {str(values.iloc[index])!r:.60}"
        )
