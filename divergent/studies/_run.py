"""Execute and read the runs of an experimental condition (cell), stored in the format of `divergent.replicate`."""

import dataclasses
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import pandas as pd

from divergent.replicate._results import Results, collect, has_results, known_seeds, read_results, write_results
from divergent.runs.batch import Finished, run_batch
from divergent.studies._design import Cell

Selection = tuple[Cell, str, int]
"""A cell, a maze and a number of runs."""


def run_cell(
    selection: Selection, out: str | os.PathLike, results: str | os.PathLike, jobs: int = 1
) -> Iterator[Finished]:
    """Execute the missing runs of an experimental condition in a maze, then add the runs to the results.

    Parameters
    ----------
    selection : tuple
        Experimental condition (cell), maze and number of runs.
    out : path_like
        Folder of the run records.
    results : path_like
        Folder of the compact results of the ablation study and of the study of reference sets.
    jobs : int, default=1
        Number of parallel runs.

    Yields
    ------
    Finished
        Outcome of each finished run.
    """
    cell, maze, runs = selection
    part = cell.part(maze, runs)
    kept = read_cell(cell, results)
    known = set() if kept is None else known_seeds(kept, part)
    settings = [dataclasses.replace(part.settings, seed=seed) for seed in part.seeds if seed not in known]
    if not settings:
        return
    yield from run_batch(settings, Path(out) / part.folder, jobs=jobs)
    # results of other mazes in the same folder are kept
    mazes = dict.fromkeys([*([] if kept is None else kept.runs["maze"]), maze])
    parts = [cell.part(known_maze, runs) for known_maze in mazes]
    write_results(collect(parts, out, kept), Path(results) / cell.folder)


def read_cell(cell: Cell, results: str | os.PathLike) -> Results | None:
    """Return the results of an experimental condition (cell), or None if the condition has no results."""
    folder = Path(results) / cell.folder
    return read_results(folder) if has_results(folder) else None


def read_runs(cells: Iterable[Cell], results: str | os.PathLike) -> pd.DataFrame:
    """Return the runs of several experimental conditions as one table; the column `cell` names the condition."""
    tables = [kept.runs.assign(cell=cell.name) for cell in cells if (kept := read_cell(cell, results)) is not None]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=["cell", "maze", "seed"])
