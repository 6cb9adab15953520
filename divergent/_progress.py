"""Progress bars of one run and of several runs, which also show the elapsed time of a long step."""

import contextlib
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

COMPILING = "compiling"
COMPILED_AFTER = 3  # generations of a run that call, and so compile, almost all numba functions
COUNT_EVERY = 0.5  # seconds between two writes of the number of evaluations of a run
COUNT_BYTES = 8  # size of a number of evaluations in the file that processes share


@contextlib.contextmanager
def ticking(progress: Any) -> Iterator[None]:
    """Refresh a progress bar every second, so that its elapsed time is updated between two calls of `update`."""
    if progress.disable or not _is_terminal():
        yield
        return
    ended = threading.Event()

    def refresh() -> None:
        while not ended.wait(1.0):
            progress.refresh()

    thread = threading.Thread(target=refresh, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@contextlib.contextmanager
def evaluation_bar(budget: int, *, compiling: bool) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Show a progress bar that counts the evaluations of one run.

    Parameters
    ----------
    budget : int
        Largest number of evaluations of the run.
    compiling : bool
        Whether to show "compiling" during the first generations.

    Yields
    ------
    callable
        Function that updates the bar with the statistics of a generation.
    """
    from tqdm.auto import tqdm

    bar = tqdm(total=budget, desc=COMPILING if compiling else None, unit="evaluation", dynamic_ncols=True)

    def show(row: dict[str, Any]) -> None:
        best = row["best_fitness"]
        if row["generation"] + 1 >= COMPILED_AFTER:
            bar.set_description_str("", refresh=False)
        bar.set_postfix_str("" if best is None else f"best fitness {best:.4g}")
        bar.update(row["evaluations"] - bar.n)

    with bar, ticking(bar):
        yield show
        bar.set_description_str("", refresh=False)
        bar.total = bar.n  # a successful run ends before its budget


class EvaluationCount:
    """Number of evaluations of a run, written to a file that the process with the progress bar reads.

    Parameters
    ----------
    path : Path
        File with the counts of all runs.
    index : int
        Position of the count in the file.
    """

    def __init__(self, path: Path, index: int) -> None:
        self.path = path
        self.index = index
        self._next = 0.0

    def __call__(self, row: dict[str, Any]) -> None:
        """Write the number of evaluations after a generation, at most twice per second."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + COUNT_EVERY
        # The file no longer exists if the batch has ended. Missing counts affect only the progress bar.
        with contextlib.suppress(OSError), open(self.path, "r+b", buffering=0) as file:
            file.seek(COUNT_BYTES * self.index)
            file.write(row["evaluations"].to_bytes(COUNT_BYTES, sys.byteorder))


class RunsProgress:
    """Progress bar of several runs, which counts evaluations, finished runs and solved runs.

    On a terminal, the bar is updated every second and includes the runs under way on this machine.

    Parameters
    ----------
    total : int
        Number of runs.
    hidden : bool, default=False
        Whether to show no bar.
    scheduler : str or None, default=None
        Address of the Dask scheduler whose workers execute the runs. The bar counts these runs when they finish.
    """

    def __init__(self, total: int, *, hidden: bool = False, scheduler: str | None = None) -> None:
        from divergent._compile import nothing_compiled  # only here: numba delays the help of commands

        self.total = total
        self.disable = hidden
        self.scheduler = scheduler
        self._compiling = not hidden and scheduler is None and nothing_compiled()
        self._bar: Any = None
        self._path: Path | None = None
        self._under_way: dict[Path, tuple[int, Any]] = {}  # index of the count and plan of each unfinished run
        self._registered = self._finished = self._solved = self._evaluations = 0
        self._lock = threading.Lock()  # one thread refreshes the bar while another registers and finishes runs

    def register(self, folder: Path, plan: Any) -> EvaluationCount | None:
        """Return the function that counts the evaluations of a run, or None if the bar does not need the count.

        Parameters
        ----------
        folder : Path
            Folder of the record of the run, which identifies the run.
        plan : Plan
            Complete settings of the run.

        Returns
        -------
        EvaluationCount or None
            Function to be called with the statistics of each generation, in this process or in a worker process.
        """
        if self._path is None:
            return None
        with self._lock:
            count = EvaluationCount(self._path, self._registered)
            self._under_way[folder] = self._registered, plan
            self._registered += 1
        return count

    def watch(self, runs: Generator[Any, None, None]) -> list[Any]:
        """Wait for all runs, show the progress, and return the finished runs; an interrupt stops unfinished runs.

        Parameters
        ----------
        runs : generator of Finished
            Runs that are executed with this object as their progress bar.

        Returns
        -------
        list of Finished
            The runs in the order in which they finished.
        """
        from tqdm.auto import tqdm

        finished = []
        form = self._format()
        with (
            self._count_file(),
            tqdm(total=self.total, bar_format=form, disable=self.disable, dynamic_ncols=True) as self._bar,
            ticking(self),
            contextlib.closing(runs),
        ):
            for run in runs:
                finished.append(run)
                self._finish(run)
        return finished

    def refresh(self) -> None:
        """Draw the bar with the current numbers of evaluations and runs."""
        with self._lock:
            counts = self._read_counts()
            done = [(counts[index], plan) for index, plan in self._under_way.values() if index < len(counts)]
            self._compiling &= all(count < COMPILED_AFTER * plan.population for count, plan in done)
            self._bar.bar_format = self._format(self._evaluations + sum(count for count, _ in done))
            self._bar.n = self._finished + sum(count / plan.budget for count, plan in done)
        self._bar.refresh()

    def _finish(self, run: Any) -> None:
        """Add a finished run; the estimate of the remaining time ignores runs that had a record before the batch."""
        if self.disable:
            return
        with self._lock:
            self._under_way.pop(run.folder, None)
            self._finished += 1
            self._solved += run.solved
            self._evaluations += run.evaluations
            self._compiling &= run.before
            self._bar.initial += run.before
        self.refresh()

    def _format(self, evaluations: int = 0) -> str:
        """Return the format of the bar for tqdm."""
        description, times = (f"{COMPILING}: ", "") if self._compiling else ("", "<{remaining}")
        counts = f"{self._finished:,}/{self.total:,} runs, {self._solved:,} solved, {evaluations:,} evaluations"
        return f"{description}{{percentage:3.0f}}%|{{bar}}| {counts} [{{elapsed}}{times}]"

    @contextlib.contextmanager
    def _count_file(self) -> Iterator[None]:
        """Create the file with the evaluations of the runs if the bar is refreshed while runs are under way."""
        if not self.disable and _is_terminal():
            with contextlib.suppress(OSError):  # without the file, the bar counts evaluations of finished runs only
                descriptor, name = tempfile.mkstemp(prefix="divergent-")
                os.close(descriptor)
                self._path = Path(name)
        try:
            yield
        finally:
            if self._path is not None:
                with contextlib.suppress(OSError):
                    self._path.unlink()
                self._path = None

    def _read_counts(self) -> memoryview:
        """Return the evaluations of the registered runs; runs without a count are missing at the end."""
        content = b""
        if self._path is not None:
            with contextlib.suppress(OSError):
                content = self._path.read_bytes()
        return memoryview(content[: len(content) // COUNT_BYTES * COUNT_BYTES]).cast("q")


def _is_terminal() -> bool:
    """Return whether progress bars are drawn on a terminal, not in a file, a pipe or a notebook."""
    return sys.stderr.isatty()
