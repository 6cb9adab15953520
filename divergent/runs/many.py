"""Do many runs, on this machine or on a cluster, and tell each as it ends."""

import math
import os
from collections.abc import Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from divergent.maze import Maze
from divergent.runs.record import Record, write
from divergent.runs.running import Run, find, folder_of, maze_of
from divergent.runs.settings import Plan, Settings


class Finished(NamedTuple):
    """The end of one of many runs."""

    settings: Plan
    folder: Path
    solved: bool
    evaluations: int
    seconds: float
    before: bool
    """Whether it was finished already when the runs were asked for."""


def run_many(
    runs: Sequence[Settings], out: str | os.PathLike, *, jobs: int = 1, scheduler: str | None = None
) -> Generator[Finished, None, None]:
    """Do many runs and yield each as it finishes; those that are finished already come first.

    Results depend neither on `jobs`, nor on `scheduler`, nor on the order in which runs finish.

    Parameters
    ----------
    runs
        The settings of each.
    out
        The folder of the records.
    jobs
        Processes on this machine.
    scheduler
        The address of a Dask scheduler, whose workers then do the runs; a run whose worker is lost is run again.
    """
    if jobs < 1:
        raise ValueError(f"jobs must be at least 1, got {jobs}")
    plans = [settings.completed() for settings in runs]
    mazes = {name: maze_of(plan) for name, plan in {plan.maze: plan for plan in plans}.items()}
    return _each([(plan, mazes[plan.maze]) for plan in plans], out, jobs, scheduler)


def _each(
    runs: Sequence[tuple[Plan, Maze]], out: str | os.PathLike, jobs: int, scheduler: str | None
) -> Generator[Finished, None, None]:
    pending = []
    for plan, maze in runs:
        if record := find(plan, maze, out):
            yield _finished(record, out, before=True)
        else:
            pending.append((plan, maze))
    done: Iterable[Record]
    if scheduler is not None:
        done = _on_cluster(pending, out, scheduler)
    elif jobs > 1 and len(pending) > 1:
        done = _on_processes(pending, out, jobs)
    else:
        done = (Run(plan, maze, out=out).finish() for plan, maze in pending)
    for record in done:
        yield _finished(record, out, before=False)


def _finished(record: Record, out: str | os.PathLike, before: bool) -> Finished:
    return Finished(
        record.settings,
        folder_of(record.settings, out),
        record.solved,
        record.evaluations,
        record.machine.get("seconds", math.nan),
        before,
    )


def _on_processes(pending: list[tuple[Plan, Maze]], out: str | os.PathLike, jobs: int) -> Iterable[Record]:
    from joblib import Parallel, delayed

    work = (delayed(_run_as_worker)(plan, maze, out, os.getpid()) for plan, maze in pending)
    return Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1, pre_dispatch=jobs)(work)


def _run_as_worker(plan: Plan, maze: Maze, out: str | os.PathLike, parent: int) -> Record:
    one = Run(plan, maze, out=out)
    for _ in one:
        if os.getppid() != parent:
            os._exit(1)  # whoever asked is gone; the checkpoint stays for the next launch
    return one.record


def _on_cluster(pending: list[tuple[Plan, Maze]], out: str | os.PathLike, address: str) -> Iterator[Record]:
    from distributed import Client, as_completed

    with Client(address) as client:
        futures = [client.submit(_run_on_cluster, plan, maze, pure=False) for plan, maze in pending]
        for future in as_completed(futures):
            record = future.result()
            write(record.files(), folder_of(record.settings, out))
            yield record


def _run_on_cluster(plan: Plan, maze: Maze) -> Record:
    return Run(plan, maze).finish()
