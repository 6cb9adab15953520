"""Batches of runs, in processes of this machine or on the workers of a cluster."""

import contextlib
import math
import os
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from divergent._progress import RunsProgress
from divergent.maze._maze import Maze
from divergent.problem import Problem
from divergent.runs import _locks as locks
from divergent.runs._dask import check_cluster, on_cluster
from divergent.runs._maze_plan import MazePlan
from divergent.runs._plan import Plan
from divergent.runs.build import load_maze
from divergent.runs.execution import Row, checkpoint_path, find_record, make_run, record_folder
from divergent.runs.problem_files import PackedProblem, pack_problem
from divergent.runs.record import Record, write
from divergent.runs.settings import Settings

MOST_RUNS = 100_000
JOBS_PER_CORE = 4
POLL_EVERY = 1.0  # seconds between checks while other processes execute the remaining runs
TOUCH_EVERY = 60.0  # seconds between updates of the locks of runs on a cluster


class Finished(NamedTuple):
    """Summary of a finished run of a batch.

    Parameters
    ----------
    settings : Plan
        Complete settings of the run.
    folder : Path
        Folder of the record of the run.
    solved : bool
        Whether the run solved the problem.
    evaluations : int
        Number of evaluations of the run.
    seconds : float
        Wall time of the run in seconds; NaN if the record lacks the wall time.
    before : bool
        Whether the record existed before the batch started.
    best_fitness : float or None, default=None
        First fitness value of the best individual.
    """

    settings: Any
    folder: Path
    solved: bool
    evaluations: int
    seconds: float
    before: bool
    best_fitness: float | None = None


class PlannedRun(NamedTuple):
    """A run of a batch that is not executed yet: complete settings (plan), problem and output directory."""

    plan: Any
    problem: Problem | Maze | PackedProblem
    out: str | os.PathLike
    force: bool = False
    counter: Callable[[Row], Any] | None = None
    """Function that counts the evaluations for a progress bar."""

    @property
    def subject(self) -> Problem | Maze:
        """The problem of the run, deserialised if it was serialised for a worker process."""
        return self.problem.load() if isinstance(self.problem, PackedProblem) else self.problem

    @property
    def folder(self) -> Path:
        """Folder of the record of the run, which need not exist yet."""
        return record_folder(self.plan, self.out)

    @property
    def is_free(self) -> bool:
        """Whether this process can read the record or execute the run without waiting for another process."""
        return self.folder.exists() or not locks.is_held(self.folder)

    def find_record(self) -> Any:
        """Read the record if the run is finished, and remove a left-over checkpoint."""
        record = find_record(self.plan, self.subject, self.out, force=self.force)
        if record is not None:
            with contextlib.suppress(OSError):
                checkpoint_path(self.folder).unlink()
        return record


def run_batch(
    runs: Sequence[Settings | Plan],
    out: str | os.PathLike,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    force: bool = False,
) -> Generator[Finished, None, None]:
    """Execute a batch of runs and yield each run as it finishes; runs with an existing record come first.

    Results depend neither on `jobs`, nor on `scheduler`, nor on the order in which runs finish. If another process is
    executing a run, the record is read when that run is finished.

    Parameters
    ----------
    runs : sequence of Settings or Plan
        Settings of each run.
    out : str or os.PathLike
        Output directory of the records.
    jobs : int, default=1
        Largest number of processes on this machine; at most one process per run is started.
    scheduler : str or None, default=None
        Address of a Dask scheduler whose workers execute the runs; runs on a lost worker restart from the beginning.
    force : bool, default=False
        Whether to accept records and checkpoints that were made with another version of the problem file.

    Returns
    -------
    generator of Finished
        Summaries of the runs, in the order in which the runs finish.

    Raises
    ------
    ValueError
        If `jobs` or a setting is invalid, Dask is not installed, or a problem cannot be sent to a worker.

    See Also
    --------
    divergent.run : Execute one run and return its record.

    Examples
    --------
    Print the seed and the number of evaluations of each finished run:

    >>> import tempfile
    >>> from divergent import Settings
    >>> runs = [Settings(maze="medium", search="random", population=20, generations=2, seed=seed) for seed in (0, 1)]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [(finished.settings.seed, finished.evaluations) for finished in run_batch(runs, folder)]
    [(0, 40), (1, 40)]
    """
    return run_planned(plan_batch(runs, out, force), jobs, scheduler)


def run_planned(
    runs: Sequence[PlannedRun],
    jobs: int = 1,
    scheduler: str | None = None,
    progress: RunsProgress | None = None,
) -> Generator[Finished, None, None]:
    """Execute planned runs and yield each run as it finishes, like `run_batch`; a progress bar counts evaluations.

    Problems for worker processes are serialised before any run starts, so that serialisation errors are raised early.
    """
    check_jobs(min(jobs, max(len(runs), 1)))
    if scheduler is not None:
        check_cluster()
    if (jobs > 1 and len(runs) > 1) or scheduler is not None:
        packed: dict[int, PackedProblem] = {}
        for planned in runs:
            if isinstance(planned.problem, Problem) and id(planned.problem) not in packed:
                packed[id(planned.problem)] = pack_problem(planned.problem)
        runs = [planned._replace(problem=packed.get(id(planned.problem), planned.problem)) for planned in runs]
    return _run_all(runs, jobs, scheduler, progress)


def plan_batch(runs: Sequence[Settings | Plan], out: str | os.PathLike, force: bool = False) -> list[PlannedRun]:
    """Return the planned runs of a batch: complete settings with the problem or maze and the output directory."""
    mazes: dict[str, Maze] = {}
    planned: list[PlannedRun] = []
    for settings in runs:
        plan = settings.resolve()
        problem = getattr(settings, "problem", None)
        if isinstance(plan, MazePlan):
            if plan.maze not in mazes:
                mazes[plan.maze] = load_maze(plan)
            problem = mazes[plan.maze]
        elif not isinstance(problem, Problem):
            raise TypeError(
                f"runs must be Settings with a problem, got the plan {plan.name!r}; pass Settings instead of a Plan"
            )
        planned.append(PlannedRun(plan, problem, out, force))
    return planned


def check_count(runs: int) -> None:
    """Raise a ValueError unless the number of runs is between 1 and `MOST_RUNS`."""
    if runs < 1:
        raise ValueError(f"runs must be at least 1, got {runs}")
    if runs > MOST_RUNS:
        raise ValueError(f"runs must be at most {MOST_RUNS:,}, got {runs:,}; divide them among several commands")


def check_jobs(jobs: int) -> None:
    """Raise a ValueError unless `jobs` is between 1 and four times the number of cores of this machine."""
    if jobs < 1:
        raise ValueError(f"jobs must be at least 1, got {jobs}")
    # up to four jobs are valid on any machine, so the slow import of joblib is avoided
    if jobs <= JOBS_PER_CORE:
        return
    from joblib import cpu_count

    if jobs > (most := JOBS_PER_CORE * cpu_count()):
        raise ValueError(f"jobs must be at most {most} ({JOBS_PER_CORE} for each core of this machine), got {jobs:,}")


def run_unless_held(planned: PlannedRun, progress: Callable[[Row], Any] | None = None, watch: Any = None) -> Any:
    """Execute a run unless its record exists; return the record, or None if another process holds the run's lock."""
    with locks.locked(planned.folder) as lock:
        if record := planned.find_record():
            return record
        if lock is None:
            return None
        new_run = make_run(planned.plan, planned.subject, out=planned.out, force=planned.force)
        new_run.watch = watch
        observers = [observer for observer in (progress, planned.counter) if observer is not None]

        def report(row: Row) -> None:
            _touch(lock)
            for observe in observers:
                observe(row)

        try:
            return new_run.finish(report)
        except OSError:
            # `divergent.run` takes no lock, so another process may have written the record first.
            if record := planned.find_record():
                return record
            raise


def run_or_wait(planned: PlannedRun, progress: Callable[[Row], Any], watch: Any = None) -> Any:
    """Execute a run, or wait for its record if another process holds the run's lock."""
    locks.clean(planned.folder.parent)
    while (record := run_unless_held(planned, progress, watch)) is None:
        _wait_for(planned)
    return record


def _wait_for(planned: PlannedRun) -> None:
    """Warn that another process is executing the run, and wait `POLL_EVERY` seconds."""
    lock = locks.lock_path(planned.folder)
    warnings.warn(f"{lock}: another process holds this lock and executes the run; waiting for its record", stacklevel=2)
    time.sleep(POLL_EVERY)


def _run_all(
    runs: Sequence[PlannedRun], jobs: int, scheduler: str | None, progress: RunsProgress | None
) -> Generator[Finished, None, None]:
    """Yield runs with an existing record, execute all other runs, and wait for runs that other processes execute."""
    for folder in {planned.folder.parent for planned in runs}:
        locks.clean(folder)
    pending = []
    for planned in runs:
        if record := planned.find_record():
            yield _finished(record, planned, before=True)
        elif progress is None:
            pending.append(planned)
        else:
            pending.append(planned._replace(counter=progress.register(planned.folder, planned.plan)))
    while pending:
        free = [planned for planned in pending if planned.is_free]
        held = [planned for planned in pending if not planned.is_free]
        for planned, record in _run_free(free, jobs, scheduler):
            if record is None:
                held.append(planned)
            else:
                yield _finished(record, planned, before=False)
        if held:
            _wait_for(held[0])
        pending = held


def _run_free(
    runs: Sequence[PlannedRun], jobs: int, scheduler: str | None
) -> Iterator[tuple[PlannedRun, Record | None]]:
    """Execute runs and yield each run with its record, or with None if another process is executing the run."""
    if scheduler is not None:
        return _on_cluster(runs, scheduler)
    if jobs > 1 and len(runs) > 1:
        return _on_processes(runs, min(jobs, len(runs)))
    return ((planned, run_unless_held(planned)) for planned in runs)


def _finished(record: Record, planned: PlannedRun, before: bool) -> Finished:
    """Summarise a record."""
    seconds = record.machine.get("seconds", math.nan)
    return Finished(
        record.settings, planned.folder, record.solved, record.evaluations, seconds, before, record.best_fitness
    )


def _on_processes(runs: Sequence[PlannedRun], jobs: int) -> Iterator[tuple[PlannedRun, Record | None]]:
    """Execute runs in worker processes."""
    from joblib import Parallel, delayed

    work = (delayed(_run_as_worker)(planned, os.getpid()) for planned in runs)
    return Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1, pre_dispatch=jobs)(work)


def _run_as_worker(planned: PlannedRun, parent: int) -> tuple[PlannedRun, Record | None]:
    """Execute a run in a worker process, which exits if its parent process ends."""

    def exit_without_parent(row: Row) -> None:
        if os.getppid() != parent:
            os._exit(1)

    return planned, run_unless_held(planned, exit_without_parent)


def _on_cluster(runs: Sequence[PlannedRun], address: str) -> Iterator[tuple[PlannedRun, Record | None]]:
    """Execute runs on a cluster, and hold the lock of each run until its record is written."""
    with contextlib.ExitStack() as stack:
        locked: list[PlannedRun] = []
        lock_files: dict[int, Path] = {}
        for planned in runs:
            if lock := stack.enter_context(locks.locked(planned.folder)):
                lock_files[len(locked)] = lock
                locked.append(planned)
            else:
                yield planned, None
        touched = time.monotonic()
        for end in on_cluster([(planned.plan, planned.problem) for planned in locked], address, make_run):
            if end is not None:
                number, record = end
                yield locked[number], _write(record, locked[number])
                lock_files.pop(number).unlink(missing_ok=True)
            if time.monotonic() - touched > TOUCH_EVERY:
                for lock in lock_files.values():
                    _touch(lock)
                touched = time.monotonic()


def _write(record: Record, planned: PlannedRun) -> Record:
    """Write a record; if another process has already written the record, read and return it."""
    try:
        write(record.files(), planned.folder)
    except OSError:
        if finished := planned.find_record():
            return finished
        raise
    return record


def _touch(lock: Path) -> None:
    """Update the modification time of a lock, so that other machines do not consider the lock abandoned."""
    with contextlib.suppress(OSError):
        os.utime(lock)
