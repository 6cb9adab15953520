"""Execute and read the runs of an experimental condition (cell), stored in the format of `divergent.replicate`."""

import dataclasses
import os
from collections.abc import Iterator
from pathlib import Path

from divergent._progress import RunsProgress
from divergent.replicate._results import collect, known_seeds, write_results
from divergent.runs.batch import Finished, plan_batch, run_planned
from divergent.studies._design import Cell
from divergent.studies._results import read_cell

Selection = tuple[Cell, str, int]
"""A cell, a maze and a number of runs."""


def run_cell(
    selection: Selection,
    out: str | os.PathLike,
    results: str | os.PathLike,
    jobs: int = 1,
    progress: RunsProgress | None = None,
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
    progress : RunsProgress or None, default=None
        Progress bar that shows the evaluations of the runs.

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
    yield from run_planned(plan_batch(settings, Path(out) / part.folder), jobs, progress=progress)
    # results of other mazes in the same folder are kept
    mazes = dict.fromkeys([*([] if kept is None else kept.runs["maze"]), maze])
    parts = [cell.part(known_maze, runs) for known_maze in mazes]
    write_results(collect(parts, out, kept), Path(results) / cell.folder)
