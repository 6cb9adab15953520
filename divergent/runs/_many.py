"""Batches of runs: several searches with many seeds on one problem.

The file `batches.json` lists the arguments of each batch, so that an interrupted batch can be resumed.
"""

import contextlib
import dataclasses
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from divergent._progress import RunsProgress
from divergent.persistence._files import parse_object, read_text, write_whole
from divergent.problem import Problem
from divergent.runs._dask import check_cluster
from divergent.runs.batch import Finished, PlannedRun, check_count, check_jobs, run_planned
from divergent.runs.options import strategy_options
from divergent.runs.problem_files import load_problem, source_of
from divergent.runs.settings import Settings
from divergent.validation import brief, check_at_least

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_SEARCHES = ("objective", "novelty", "surprise")
BATCHES = "batches.json"


class Batch(NamedTuple):
    """The arguments of a batch of runs, as JSON-serialisable data."""

    file: str | None
    """Path of the problem file; None if a notebook or program defines the problem."""
    problem: str
    searches: list[str]
    seed: int
    """Seed of the first run of each search."""
    runs: int
    settings: dict[str, Any]
    command: str
    """Command line or function call that started the batch."""


def run_many(
    problem: Problem,
    searches: Sequence[str] | None = None,
    runs: int = 20,
    jobs: int = 1,
    out: str | os.PathLike = "runs",
    *,
    seed: int = 0,
    scheduler: str | None = None,
    force: bool = False,
    progress: bool = True,
    **settings: Any,
) -> "pd.DataFrame":
    """Run several searches on a problem with many seeds, and return a table of the runs.

    Finished runs are read from their records, and interrupted runs resume from their last checkpoint. Processes with
    the same output directory divide the runs among themselves. Records depend neither on `jobs` nor on `scheduler`.

    Parameters
    ----------
    problem : Problem
        The problem, which is sent to all worker processes; a problem that a notebook or script defines is pickled by
        value.
    searches : sequence of str or None, default=None
        Names of searches; None uses the searches of the problem, or objective, novelty and surprise search if the
        problem defines no searches.
    runs : int, default=20
        Number of runs of each search.
    jobs : int, default=1
        Number of processes on this machine.
    out : str or os.PathLike, default="runs"
        Output directory; records are written to ``out/PROBLEM/SEARCH/seed-NNNN``.
    seed : int, default=0
        Seed of the first run of each search; later runs have consecutive seeds.
    scheduler : str or None, default=None
        Address of a Dask scheduler whose workers execute the runs.
    force : bool, default=False
        Whether to accept records and checkpoints that were made with another version of the problem file.
    progress : bool, default=True
        Whether to show a progress bar.
    **settings
        Settings of all runs and options of searches, see `divergent.run`. Each search receives only the options that
        its strategy accepts.

    Returns
    -------
    pandas.DataFrame
        One row for each run: problem, search, seed, solved, evaluations, best_fitness, population, generations,
        seconds and folder. The functions of `divergent.analysis` accept the returned table.

    Raises
    ------
    ValueError
        If an argument is invalid, an existing record has other settings, or the problem cannot be sent to a worker.
    EvaluationError
        If an evaluation fails.

    See Also
    --------
    divergent.run : One run.
    divergent.report : Write a report on the records.
    """
    import pandas as pd

    planned = plan_many(problem, searches, runs, out, seed=seed, force=force, settings=settings)
    check_jobs(min(jobs, len(planned)))
    if scheduler is not None:
        check_cluster()
    names = list(dict.fromkeys(run.plan.search for run in planned))
    call = f"divergent.run_many({problem.name!r}, searches={names}, runs={runs}, seed={seed})"
    note_batch(problem, names, runs, seed, settings, out, call)
    bar = RunsProgress(len(planned), hidden=not progress, scheduler=scheduler)
    finished = bar.watch(run_planned(planned, jobs, scheduler, bar))
    rows = sorted((finished_row(run) for run in finished), key=lambda row: (names.index(row["search"]), row["seed"]))
    return pd.DataFrame(rows)


def plan_many(
    problem: Problem,
    searches: Sequence[str] | None,
    runs: int,
    out: str | os.PathLike,
    *,
    seed: int = 0,
    force: bool = False,
    settings: Mapping[str, Any] | None = None,
) -> list[PlannedRun]:
    """Plan the runs of `run_many`, ordered by search; raise an error if an argument is invalid."""
    if not isinstance(problem, Problem):
        raise TypeError(f"problem must be a Problem, got {brief(problem)}")
    if isinstance(searches, str):
        raise ValueError(
            f"searches must be a sequence of names, got the string {searches!r}; "
            f"pass a tuple of one name: ({searches!r},)"
        )
    check_at_least(0, seed=seed)
    check_at_least(1, runs=runs)
    names = list(dict.fromkeys(searches or problem.searches or DEFAULT_SEARCHES))
    check_count(runs * len(names))
    chosen = _settings_of(problem, names, dict(settings or {}))
    planned = []
    for name in names:
        plan = Settings(problem=problem, search=name, seed=seed, **chosen[name]).resolve()
        for number in range(runs):
            planned.append(PlannedRun(dataclasses.replace(plan, seed=seed + number), problem, out, force))
    return planned


def _settings_of(problem: Problem, searches: Sequence[str], settings: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the settings and options of each search; raise an error if no search has a given option."""
    from divergent.runs.build import strategy_class

    offered = {name: strategy_options(strategy_class(problem, name)) for name in searches}
    fields = {field.name for field in dataclasses.fields(Settings)}
    for name in settings.keys() - fields:
        if settings[name] is not None and not any(name in options for options in offered.values()):
            known = sorted({option for options in offered.values() for option in options})
            raise ValueError(
                f"options must belong to one of the searches {', '.join(searches)}, got {name}; "
                f"choose from {', '.join(known)}"
            )
    return {
        search: {name: value for name, value in settings.items() if name in fields or name in options}
        for search, options in offered.items()
    }


def finished_row(run: Finished) -> dict[str, Any]:
    """Return the row of a finished run in the table that `run_many` returns."""
    plan = run.settings
    return {
        "problem": plan.problem,
        "search": plan.search,
        "seed": plan.seed,
        "solved": run.solved,
        "evaluations": run.evaluations,
        "best_fitness": run.best_fitness,
        "population": plan.population,
        "generations": plan.generations,
        "seconds": run.seconds,
        "folder": str(run.folder),
    }


def note_batch(
    problem: Problem,
    searches: Sequence[str],
    runs: int,
    seed: int,
    settings: Mapping[str, Any],
    out: str | os.PathLike,
    command: str,
) -> None:
    """Add a batch to the list of batches in the output folder of the problem, so that the batch can be resumed."""
    from divergent.runs import problem_files

    source = source_of(problem) if id(problem) in problem_files._LOADED else None
    kept = {name: value for name, value in settings.items() if value is not None}
    batch = Batch(source and source.path, problem.name, list(searches), seed, runs, kept, command)
    folder = Path(out) / problem.name
    batches = [known for known in read_batches(folder) if known[:-1] != batch[:-1]]
    content = {"batches": [known._asdict() for known in [*batches, batch]]}
    folder.mkdir(parents=True, exist_ok=True)
    # if an option is not JSON-serialisable, the batch is not listed and cannot be resumed
    with contextlib.suppress(TypeError):
        write_whole(folder / BATCHES, (json.dumps(content, indent=1) + "\n").encode())


def read_batches(folder: str | os.PathLike) -> list[Batch]:
    """Read the batches listed in the output folder of a problem; return an empty list if no batches are listed."""
    path = Path(folder) / BATCHES
    if not path.exists():
        return []
    content = parse_object(read_text(path), path)
    try:
        return [Batch(**{name: entry[name] for name in Batch._fields}) for entry in content["batches"]]
    except (KeyError, TypeError) as error:
        raise ValueError(
            f"{path}: every listed batch must have the keys {', '.join(Batch._fields)}, got a damaged file ({error})"
        ) from error


def resumed_runs(folder: str | os.PathLike, force: bool = False) -> list[PlannedRun]:
    """Return the planned runs of all batches in the output folder of a problem, including finished runs.

    This function executes the Python files that define the problems of the batches.
    """
    folder = Path(folder)
    batches = read_batches(folder)
    if not batches:
        raise ValueError(
            f"folder must be the output folder of a problem, such as runs/roof, and contain {BATCHES}, got {folder}"
        )
    planned: dict[Path, PlannedRun] = {}
    for batch in batches:
        if batch.file is None:
            raise ValueError(
                f"{folder}: problem {batch.problem!r} must be defined in a file, got a problem that a program "
                "or notebook defines; resume the runs there with "
                f"{batch.command}"
            )
        problem = load_problem(batch.file, batch.problem)
        for run in plan_many(
            problem, batch.searches, batch.runs, folder.parent, seed=batch.seed, force=force, settings=batch.settings
        ):
            planned[run.folder] = run
    return list(planned.values())
