"""Records as tables: a row a run, or a row a point of its curve."""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from divergent.analysis.grouping import require
from divergent.analysis.occupancy import entropy, visits
from divergent.archives import Elites
from divergent.runs.record import Record, read

POINTS = 100  # of a curve of best fitness

DIVERSITY = ("compatibility", "disjoint", "excess", "weight_difference")
SETTINGS = (
    "population", "generations", "steps", "neighbours", "clusters", "weight", "history", "predictor", "deviation",
    "learn_from", "behaviour", "loop", "robot", "rules",
)  # fmt: skip
PROVENANCE = ("commit", "cpu_seconds", "processor")  # of the machine of a record; empty where a record has none
RUN_COLUMNS = (
    "maze", "search", "seed", "solved", "evaluations", "best_fitness", "connections", "hidden_nodes", "entropy",
    "coverage", "qd_score", *DIVERSITY, *SETTINGS, "version", "seconds", *PROVENANCE,
)  # fmt: skip


def read_records(folder: str | os.PathLike) -> Iterator[Record]:
    """Every finished record in a folder and the folders in it, in the order of their paths."""
    if not Path(folder).is_dir():
        raise FileNotFoundError(f"{folder}: no such folder of records")
    for text in sorted(Path(folder).glob("**/record.jsonl")):
        if not text.parent.name.endswith(".writing"):
            yield read(text.parent)


def tabulate(records: Iterable[Record]) -> pd.DataFrame:
    """A table of runs, a row a record, with the columns `RUN_COLUMNS`."""
    return pd.DataFrame([run_row(record) for record in records], columns=list(RUN_COLUMNS))


def run_row(record: Record) -> dict[str, Any]:
    """A record's row in a table of runs."""
    settings = record.settings.to_json()
    settings |= settings.pop("options")
    elites = Elites.of_record(record)
    for part in DIVERSITY:
        if part not in record.diversity:
            raise ValueError(
                f"record of {settings['search']} on {settings['maze']}, seed {settings['seed']}: "
                f"{part!r} is missing in its diversity"
            )
    return {
        "maze": settings["maze"],
        "search": settings["search"],
        "seed": settings["seed"],
        "solved": record.solved,
        "evaluations": record.evaluations,
        "best_fitness": record.best_fitness,
        "connections": record.connections,
        "hidden_nodes": record.hidden_nodes,
        "entropy": entropy(visits(record.positions, record.maze.bounds)),
        "coverage": elites.coverage,
        "qd_score": elites.qd_score,
        **{part: record.diversity[part] for part in DIVERSITY},
        **{name: settings.get(name) for name in SETTINGS},
        "version": record.version,
        **{name: record.machine.get(name) for name in ("seconds", *PROVENANCE)},
    }


def curves(records: Iterable[Record], points: int = POINTS) -> pd.DataFrame:
    """Best fitness so far at equally spaced numbers of evaluations up to the budget, a row a point and record."""
    found = [(record.settings, run_curve(record, points)) for record in records]
    return curve_table([settings for settings, _ in found], np.array([curve for _, curve in found]))


def run_curve(record: Record, points: int = POINTS) -> np.ndarray:
    """A record's best fitness so far at equally spaced evaluations, its end carried forward to the budget.

    It is known at the end of each generation, and for the time before the first one, that one's is taken.
    """
    known = np.array([row["evaluations"] for row in record.rows])
    best = np.array([row["best_fitness"] for row in record.rows])
    places = np.searchsorted(known, grid(record.settings.budget, points), side="right") - 1
    return best[np.maximum(places, 0)]


def grid(budget: int, points: int = POINTS) -> np.ndarray:
    """Equally spaced numbers of evaluations, the last one the budget.

    Examples
    --------
    >>> grid(1000, 4).tolist()
    [250.0, 500.0, 750.0, 1000.0]
    """
    return budget * np.arange(1, points + 1) / points


def curve_table(settings: Sequence[Any], best: np.ndarray) -> pd.DataFrame:
    """The table that `curves` gives, from settings (or rows of a table of runs) and one row of best fitness each."""
    points = best.shape[1] if best.ndim == 2 else 0
    budgets = np.array([one.population * one.generations for one in settings], dtype=int)
    return pd.DataFrame(
        {
            "maze": np.repeat([one.maze for one in settings], points),
            "search": np.repeat([one.search for one in settings], points),
            "seed": np.repeat([one.seed for one in settings], points),
            "budget": np.repeat(budgets, points),
            "evaluations": np.concatenate([np.empty(0), *(grid(budget, points) for budget in budgets)]),
            "best_fitness": best.ravel(),
        }
    )


def at_budget(runs: pd.DataFrame, by: Sequence[str] = ()) -> pd.DataFrame:
    """The runs with a column for their budget, the evaluations of those without a solution set to it."""
    require(runs, *by, "solved", "evaluations", "population", "generations")
    budget = (runs["population"] * runs["generations"]).astype(int)
    solved = runs["solved"].astype(bool)
    return runs.assign(budget=budget, solved=solved, evaluations=runs["evaluations"].where(solved, budget).astype(int))
