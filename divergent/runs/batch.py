"""Do many runs, on this machine or on a cluster, and tell each as it ends."""

import contextlib
import math
import os
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from divergent.maze import Maze
from divergent.runs import _checkpoint as checkpoint
from divergent.runs import locks
from divergent.runs.dask import check_cluster, on_cluster
from divergent.runs.execution import Row, Run, find, folder_of, maze_of
from divergent.runs.record import Record, write
from divergent.runs.settings import Plan, Settings

MOST_RUNS = 100_000
JOBS_A_CORE = 4
LOOK_AGAIN = 1.0  # seconds, while somebody else does the runs that are left
TOUCH_EVERY = 60.0  # seconds, for the locks of what a cluster is doing


class Finished(NamedTuple):
    """The end of one of many runs."""

    settings: Plan
    folder: Path
    solved: bool
    evaluations: int
    seconds: float
    before: bool
    """Whether it was finished already when the runs were asked for."""


class Asked(NamedTuple):
    """A run that is asked for, and the folder of all records."""

    plan: Plan
    maze: Maze
    out: str | os.PathLike

    @property
    def folder(self) -> Path:
        """Where its record is, or will be."""
        return folder_of(self.plan, self.out)

    @property
    def is_free(self) -> bool:
        """Whether there is something to do for it, or to read, and nobody else is at it."""
        return self.folder.exists() or not locks.is_held(self.folder)

    def found(self) -> Record | None:
        """Its record, if it is finished; the checkpoint of whoever was slower is removed."""
        record = find(self.plan, self.maze, self.out)
        if record is not None:
            with contextlib.suppress(OSError):
                checkpoint.place_of(self.folder).unlink()
        return record


def run_many(
    runs: Sequence[Settings], out: str | os.PathLike, *, jobs: int = 1, scheduler: str | None = None
) -> Generator[Finished, None, None]:
    """Do many runs and yield each as it finishes; those that are finished already come first.

    Results depend neither on `jobs`, nor on `scheduler`, nor on the order in which runs finish. A run that another
    process is doing is left to it, and read when it is finished.

    Parameters
    ----------
    runs
        The settings of each.
    out
        The folder of the records.
    jobs
        Processes on this machine, of which no more are started than there are runs.
    scheduler
        The address of a Dask scheduler, whose workers then do the runs; a run whose worker is lost is run again.
    """
    check_jobs(min(jobs, max(len(runs), 1)))
    if scheduler is not None:
        check_cluster()
    plans = [settings.resolve() for settings in runs]
    mazes = {name: maze_of(plan) for name, plan in {plan.maze: plan for plan in plans}.items()}
    return _each([Asked(plan, mazes[plan.maze], out) for plan in plans], jobs, scheduler)


def check_count(runs: int) -> None:
    """Refuse a number of runs that there cannot be, before anything is made for each of them."""
    if runs < 1:
        raise ValueError(f"runs must be at least 1, got {runs}")
    if runs > MOST_RUNS:
        raise ValueError(f"runs must be at most {MOST_RUNS:,}, got {runs:,}: {runs // 86_400:,} days at a second each")


def check_jobs(jobs: int) -> None:
    """Refuse a number of processes that would only be in each other's way."""
    if jobs < 1:
        raise ValueError(f"jobs must be at least 1, got {jobs}")
    if jobs <= JOBS_A_CORE:  # on any machine, without joblib, which takes a while to import
        return
    from joblib import cpu_count

    if jobs > (most := JOBS_A_CORE * cpu_count()):
        raise ValueError(f"jobs must be at most {most}, {JOBS_A_CORE} for each core of this machine, got {jobs:,}")


def run_unless_held(asked: Asked, told: Callable[[Row], Any]) -> Record | None:
    """Do a run, and tell each generation; None if another process is at it, its record if that has just finished."""
    with locks.locked(asked.folder) as lock:
        if record := asked.found():
            return record
        if lock is None:
            return None
        one = Run(asked.plan, asked.maze, out=asked.out)
        try:
            for row in one:
                _touch(lock)
                told(row)
        except OSError:
            # whoever does not ask for locks, as `divergent.run` does not, may have been faster
            if record := asked.found():
                return record
            raise
        return one.record


def run_or_wait(asked: Asked, told: Callable[[Row], Any]) -> Record:
    """Do a run, and tell each generation; if another process is at it, wait for its record."""
    locks.clean(asked.folder.parent)
    while (record := run_unless_held(asked, told)) is None:
        _wait_for(asked)
    return record


def _wait_for(asked: Asked) -> None:
    lock = locks.lock_of(asked.folder)
    warnings.warn(f"{lock}: another process holds this lock and does the run; waiting for its record", stacklevel=2)
    time.sleep(LOOK_AGAIN)


def _each(runs: Sequence[Asked], jobs: int, scheduler: str | None) -> Generator[Finished, None, None]:
    for folder in {asked.folder.parent for asked in runs}:
        locks.clean(folder)
    pending = []
    for asked in runs:
        if record := asked.found():
            yield _finished(record, asked, before=True)
        else:
            pending.append(asked)
    while pending:
        free = [asked for asked in pending if asked.is_free]
        held = [asked for asked in pending if not asked.is_free]
        for asked, record in _done(free, jobs, scheduler):
            if record is None:
                held.append(asked)
            else:
                yield _finished(record, asked, before=False)
        if held:
            _wait_for(held[0])
        pending = held


def _done(runs: Sequence[Asked], jobs: int, scheduler: str | None) -> Iterator[tuple[Asked, Record | None]]:
    """Each with its record, or with None if another process is at it."""
    if scheduler is not None:
        return _on_cluster(runs, scheduler)
    if jobs > 1 and len(runs) > 1:
        return _on_processes(runs, min(jobs, len(runs)))
    return ((asked, run_unless_held(asked, _listen)) for asked in runs)


def _listen(row: Row) -> None:
    """Let a generation pass."""


def _finished(record: Record, asked: Asked, before: bool) -> Finished:
    seconds = record.machine.get("seconds", math.nan)
    return Finished(record.settings, asked.folder, record.solved, record.evaluations, seconds, before)


def _on_processes(runs: Sequence[Asked], jobs: int) -> Iterator[tuple[Asked, Record | None]]:
    from joblib import Parallel, delayed

    work = (delayed(_run_as_worker)(asked, os.getpid()) for asked in runs)
    return Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1, pre_dispatch=jobs)(work)


def _run_as_worker(asked: Asked, parent: int) -> tuple[Asked, Record | None]:
    def look(row: Row) -> None:
        if os.getppid() != parent:
            os._exit(1)  # whoever asked is gone; the checkpoint stays for the next launch

    return asked, run_unless_held(asked, look)


def _on_cluster(runs: Sequence[Asked], address: str) -> Iterator[tuple[Asked, Record | None]]:
    with contextlib.ExitStack() as held:
        mine: list[Asked] = []
        lock_files: dict[int, Path] = {}
        for asked in runs:
            if lock := held.enter_context(locks.locked(asked.folder)):
                lock_files[len(mine)] = lock
                mine.append(asked)
            else:
                yield asked, None
        touched = time.monotonic()
        for end in on_cluster([(asked.plan, asked.maze) for asked in mine], address):
            if end is not None:
                number, record = end
                yield mine[number], _kept(record, mine[number])
                lock_files.pop(number).unlink(missing_ok=True)
            if time.monotonic() - touched > TOUCH_EVERY:
                for lock in lock_files.values():
                    _touch(lock)
                touched = time.monotonic()


def _kept(record: Record, asked: Asked) -> Record:
    """A record, written; that of somebody else who has finished the same run meanwhile is as good."""
    try:
        write(record.files(), asked.folder)
    except OSError:
        if found := asked.found():
            return found
        raise
    return record


def _touch(lock: Path) -> None:
    with contextlib.suppress(OSError):
        os.utime(lock)
