"""Read the files of results: every column with its type and range, refused with file, row and column."""

import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from divergent.analysis import DIVERSITY
from divergent.maze import GENERATED, ROBOTS
from divergent.maze.task import BEST
from divergent.persistence.files import read_npz, read_text
from divergent.replicate import paper
from divergent.replicate.experiments import EXPERIMENTS
from divergent.runs.rules import DEFAULT, RULES
from divergent.runs.settings import EARLIER_NAMES, LEARN_FROM, LOOPS


class Column(NamedTuple):
    """What stands in a column."""

    rule: str
    """In words, after "must be"."""

    pattern: str
    """What the text of a value looks like."""

    kind: Any
    """What the values become, as pandas calls it."""

    least: float = -np.inf
    most: float = np.inf
    empty: bool = False
    """Whether a value may be missing, and with all its values the column."""


def _whole(least: int, empty: bool = False) -> Column:
    return Column(f"a whole number, at least {least}", r"\d{1,15}", "Int64" if empty else "int64", least, empty=empty)


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
    "clusters": _whole(1, empty=True),
    "neighbours": _whole(1, empty=True),
    "weight": _number(0, 1, empty=True),
    "seed": _whole(0),
}
# names of values in the files, which stay as they were when the first results were kept, by their present names
STORED_NAMES = {
    column: {present: stored for stored, present in names.items()} for column, names in EARLIER_NAMES.items()
}
SEARCHES = dict.fromkeys(search for experiment in EXPERIMENTS.values() for search in experiment.searches)
RUNS: Mapping[str, Column] = {
    "maze": MAZE,
    "search": _one_of(*SEARCHES),
    "seed": _whole(0),
    "solved": Column("True or False", "True|False", bool),
    "evaluations": _whole(1),
    "best_fitness": _number(most=BEST),
    "connections": _whole(0),
    "hidden_nodes": _whole(0),
    "entropy": _number(0, 1),
    "coverage": _number(0, 1, empty=True),  # these two are not in results that were collected before there were elites
    "qd_score": _number(0, empty=True),
    **dict.fromkeys(DIVERSITY, _number(0)),
    "population": _whole(2),
    "generations": _whole(1),
    "steps": _whole(1),
    "neighbours": _whole(1, empty=True),
    "clusters": _whole(1, empty=True),
    "weight": OWN["weight"],
    "history": _whole(2, empty=True),
    "predictor": _word("a predictor's name", r"\S+", empty=True),
    "deviation": _word("a deviation's name", r"\S+", empty=True),
    "learn_from": _one_of(*(STORED_NAMES["learn_from"].get(name, name) for name in LEARN_FROM), empty=True),
    "behaviour": _word("end or trail:M", r"end|trail:[1-9]\d{0,8}"),
    "loop": _one_of(*LOOPS),
    "robot": _one_of(*(STORED_NAMES["robot"].get(name, name) for name in ROBOTS)),
    "rules": _one_of(*RULES, empty=True),  # not in results that were collected before there was a choice
    "version": _word("a version", r"\S+"),
    "seconds": _number(0, empty=True),
    # "~" marks the commit that added a row whose own commit was not recorded
    "commit": _word("a commit", r"~?[0-9a-f]{7,40}(\+changes)?", empty=True),
    "cpu_seconds": _number(0, empty=True),
    "processor": _word("the model of a processor", r"\S.*", empty=True),
}
SOLUTIONS: Mapping[str, Column] = {
    "maze": MAZE,
    "search": RUNS["search"],
    **OWN,
    **dict.fromkeys(DIVERSITY, _number(0, empty=True)),  # one solution alone has nobody to be compared with
}

VARIANTS: Mapping[str, Column] = {
    "maze": MAZE,
    "search": RUNS["search"],
    "variant": _word("the name of a variant", r"[a-z-]+(\+[a-z-]+)*"),
    **{name: RUNS[name] for name in ("seed", "solved", "evaluations", "population", "generations")},
}


def read_table(path: Path, columns: Mapping[str, Column]) -> pd.DataFrame:
    """A table with these columns, each value of its type and in its range; other columns are left out."""
    content = io.StringIO(read_text(path))
    try:
        text = pd.read_csv(content, dtype=str, keep_default_na=False, index_col=False)
    except ValueError as error:
        raise ValueError(f"{path}: not a table: {' '.join(str(error).split())}") from error
    for name, column in columns.items():
        if name not in text.columns and not column.empty:
            raise ValueError(f"{path}: column {name!r} is missing")
    text = text.reindex(columns=list(columns), fill_value="")
    return pd.DataFrame({name: _values(path, text[name], column) for name, column in columns.items()})


def read_runs(path: Path) -> pd.DataFrame:
    """The table of runs, in which no run stands twice and none took more evaluations than it had."""
    runs = read_table(path, RUNS).replace(EARLIER_NAMES)
    runs["rules"] = runs["rules"].fillna(DEFAULT)
    own = ["maze", "search", *OWN]
    _refuse_first(path, runs.duplicated(own), own[-1], runs["seed"], "a run that stands there once")
    budget = runs["population"] * runs["generations"]
    for wrong, rule in (
        (runs["evaluations"] > budget, "at most population * generations"),
        (~runs["solved"] & (runs["evaluations"] < budget), "population * generations where a run did not solve"),
    ):
        _refuse_first(path, wrong, "evaluations", runs["evaluations"], rule)
    return runs


def read_arrays(
    path: Path, check: Callable[[str, np.ndarray], str | None], *, arrays: int, most: int
) -> dict[str, np.ndarray]:
    """The arrays of an npz file, at most so many and with at most so many bytes in all.

    None of them may have a fault that `check` tells of a name and an array.
    """
    found = read_npz(path, arrays=arrays, most=most)
    for name, array in found.items():
        if fault := check(name, array):
            raise ValueError(f"{path}: {name} {fault}")
    return found


def _values(path: Path, text: pd.Series, column: Column) -> pd.Series:
    missing = (text == "") & column.empty
    wrong = ~(text.str.fullmatch(column.pattern).astype(bool) | missing)
    _refuse_first(path, wrong, str(text.name), text, column.rule)
    if column.kind is object:
        return text.mask(missing, None).astype(object)
    if column.kind is bool:
        return text == "True"
    numbers = text.mask(missing, "nan").astype(float)
    outside = ~((numbers >= column.least) & (numbers <= column.most) & np.isfinite(numbers) | missing)
    _refuse_first(path, outside, str(text.name), text, column.rule)
    return numbers.astype(column.kind)


def _refuse_first(path: Path, wrong: pd.Series, name: str, values: pd.Series, rule: str) -> None:
    """Refuse the first value that is wrong; the names of the columns are row 1."""
    if wrong.any():
        place = int(np.flatnonzero(wrong)[0])
        raise ValueError(f"{path}, row {place + 2}, column {name}: must be {rule}, got {str(values.iloc[place])!r:.60}")
