"""Compute tables of runs and of best-fitness curves from the records of runs."""

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from divergent.analysis._budgets import CURVE_POINTS, evaluation_grid
from divergent.analysis._columns import PROBLEM_COLUMNS, PROVENANCE, RUN_COLUMNS, SETTINGS
from divergent.analysis._occupancy import entropy, visits
from divergent.analysis._record_elites import elites_of_record, record_elites
from divergent.archives import CELLS
from divergent.runs._maze_record import MazeRecord
from divergent.runs._row_measures import DIVERSITY
from divergent.runs.record import Record, read


def read_records(folder: str | os.PathLike) -> Iterator[Record]:
    """Read the record of every finished run in a folder and its subfolders.

    Parameters
    ----------
    folder : path_like
        Folder to which runs were written.

    Yields
    ------
    Record
        Records of runs, sorted by path.

    Raises
    ------
    FileNotFoundError
        If the folder does not exist.
    """
    if not Path(folder).is_dir():
        raise FileNotFoundError(f"folder must be an existing folder of records, got {folder}; check the path")
    for text in sorted(Path(folder).glob("**/record.jsonl")):
        if not text.parent.name.endswith(".writing"):
            yield read(text.parent)


def tabulate(records: Iterable[Record]) -> pd.DataFrame:
    """Return a table with one row per run.

    Parameters
    ----------
    records : iterable of Record
        Records of finished runs.

    Returns
    -------
    DataFrame
        One row per run, with the columns `RUN_COLUMNS` if all runs are in mazes, otherwise with the columns
        `PROBLEM_COLUMNS`. If a run is in a maze, the column `problem` contains the name of the maze.

    See Also
    --------
    read_records : Read the records of all runs in a folder.
    """
    records = list(records)
    mazes = [record for record in records if isinstance(record, MazeRecord)]
    if len(mazes) == len(records):
        return pd.DataFrame([run_row(record) for record in mazes], columns=list(RUN_COLUMNS))
    return pd.DataFrame([problem_row(record) for record in records], columns=list(PROBLEM_COLUMNS))


def problem_row(record: Any, cells: int = CELLS) -> dict[str, Any]:
    """Compute the measures and settings of a run of any problem, as one row of a table of runs.

    Parameters
    ----------
    record : Record
        The record of a finished run.
    cells : int, default=20
        Number of grid cells along each behaviour dimension, for coverage, QD score and entropy.

    Returns
    -------
    dict
        Values for the columns `PROBLEM_COLUMNS`. Coverage, QD score and entropy are NaN if `record_elites` returns
        None. The QD score sums the fitness of all elites, relative to the worst fitness of the run.
    """
    plan = record.settings
    elites = record_elites(record, cells)
    counts = None if elites is None else _cell_counts(record, cells)
    settings = ("population", "generations", "loop", "learn_from", "refresh", "batch", "cxpb", "mutpb")
    return {
        "problem": record.info.name,
        "search": plan.search,
        "seed": plan.seed,
        "solved": record.solved,
        "evaluations": record.evaluations,
        "best_fitness": record.best_fitness,
        "mean_size": record.rows[-1].get("mean_size", record.rows[-1].get("mean_connections")),
        "entropy": math.nan if counts is None else entropy(counts, cells ** len(record.info.limits)),
        "coverage": math.nan if elites is None else elites.coverage,
        "qd_score": math.nan if elites is None else elites.qd_score,
        "failures": getattr(record, "failures", 0),
        **{name: getattr(plan, name, None) for name in settings},
        "version": record.version,
        **{name: record.machine.get(name) for name in ("seconds", *PROVENANCE)},
    }


def _cell_counts(record: Any, cells: int) -> np.ndarray:
    """Return the number of feasible evaluations in each occupied grid cell of behaviour space."""
    behaviours = record.behaviours.astype(float)
    if getattr(record, "violations", None) is not None:
        behaviours = behaviours[record.violations == 0]
    lower, upper = (np.array([pair[end] for pair in record.info.limits]) for end in (0, 1))
    places = np.clip((behaviours - lower) / (upper - lower) * cells, 0, cells - 1).astype(int)
    return np.unique(places, axis=0, return_counts=True)[1]


def run_row(record: MazeRecord) -> dict[str, Any]:
    """Compute the measures and settings of a run in a maze, as one row of a table of runs.

    Parameters
    ----------
    record : MazeRecord
        Record of a finished run in a maze.

    Returns
    -------
    dict
        Values for the columns `RUN_COLUMNS`.

    Raises
    ------
    ValueError
        If a measure of genotypic diversity is missing from the record.
    """
    settings = record.settings.to_json()
    settings |= settings.pop("options")
    elites = elites_of_record(record)
    for part in DIVERSITY:
        if part not in record.diversity:
            raise ValueError(
                f"each record must contain the genotypic diversity measure {part!r}, got a record (search "
                f"{settings['search']}, maze {settings['maze']}, seed {settings['seed']}) with the measures "
                f"{', '.join(record.diversity) or 'none'}; repeat the run"
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


def curves(records: Iterable[Record], points: int = CURVE_POINTS) -> pd.DataFrame:
    """Return the best fitness so far of each run at equally spaced numbers of evaluations.

    Parameters
    ----------
    records : iterable of Record
        Records of finished runs.
    points : int, default=100
        Number of points of each curve; the last point is at the budget.

    Returns
    -------
    DataFrame
        One row per run and point of its curve.

    See Also
    --------
    efficiency : Compute the mean best-fitness curve of each group.
    """
    pairs = [(record.settings, run_curve(record, points)) for record in records]
    return curve_table([settings for settings, _ in pairs], np.array([curve for _, curve in pairs]))


def run_curve(record: Record, points: int = CURVE_POINTS) -> np.ndarray:
    """Return the best fitness so far of one run at equally spaced numbers of evaluations.

    Parameters
    ----------
    record : Record
        The record of a finished run.
    points : int, default=100
        Number of points; the last point is at the budget.

    Returns
    -------
    ndarray, shape (points,)
        Best fitness so far, updated at the end of each generation. Points before the end of the first generation have
        the best fitness of the first generation.
    """
    evaluations = np.array([row["evaluations"] for row in record.rows])
    best = np.array([row["best_fitness"] for row in record.rows], dtype=float)
    indices = np.searchsorted(evaluations, evaluation_grid(record.settings.budget, points), side="right") - 1
    return best[np.maximum(indices, 0)]


def curve_table(settings: Sequence[Any], best: np.ndarray) -> pd.DataFrame:
    """Combine the settings and best-fitness curves of runs in one table.

    Parameters
    ----------
    settings : sequence
        One object per run with the attributes `search`, `seed`, `population`, `generations`, and `maze` or `problem`.
    best : ndarray, shape (runs, points)
        Best fitness so far of each run.

    Returns
    -------
    DataFrame
        One row per run and point of its curve.
    """
    points = best.shape[1] if best.ndim == 2 else 0
    budgets = np.array([run.population * run.generations for run in settings], dtype=int)
    column = "maze" if all(hasattr(run, "maze") for run in settings) else "problem"
    return pd.DataFrame(
        {
            column: np.repeat([getattr(run, column) for run in settings], points),
            "search": np.repeat([run.search for run in settings], points),
            "seed": np.repeat([run.seed for run in settings], points),
            "budget": np.repeat(budgets, points),
            "evaluations": np.concatenate([np.empty(0), *(evaluation_grid(budget, points) for budget in budgets)]),
            "best_fitness": best.ravel(),
        }
    )
