"""Execution of runs on the workers of a Dask scheduler."""

import asyncio
import contextlib
import functools
import importlib.util
import logging
import queue
import random
import sys
import threading
import types
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from typing import Any

from divergent.runs._plan import Plan
from divergent.runs.problem_files import PackedProblem
from divergent.runs.record import Record
from divergent.version import __version__

ANSWER_WITHIN = 20.0  # seconds
EXAMPLE_ADDRESS = "tcp://10.0.0.1:8786"
POLL_EVERY = 5.0  # seconds
# largest number of submissions of a run; Dask abandons a submission after four workers are lost
ATTEMPTS = 3
CERTIFICATES = {  # environment variables of Dask for the certificate files
    "authority": "DASK_DISTRIBUTED__COMM__TLS__CA_FILE",
    "certificate": "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT",
    "key": "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY",
}
DASK_PACKAGES = ("dask", "distributed", "tornado")  # packages that receive a separate copy of the module `random`
RESUME = "finished runs are kept, and the same command executes the missing runs"
# A worker executes one run at a time, because all its threads share the module random, which DEAP uses.
WORKER_LOCK = threading.Lock()


def check_cluster() -> None:
    """Raise a ValueError if the package `distributed` is not installed."""
    if importlib.util.find_spec("distributed") is None:
        raise ValueError(
            "the package 'distributed' must be installed to use the argument scheduler; "
            'run: pip install -e ".[cluster]"'
        )


def on_cluster(
    runs: Sequence[tuple[Plan, Any]], address: str, make_run: Callable[[Plan, Any], Any]
) -> Iterator[tuple[int, Record] | None]:
    """Execute runs on a Dask cluster; yield the index and record of each finished run, and None while waiting.

    Workers call `make_run` with the plan and the problem of a run.

    A run on a lost worker is submitted again, up to `ATTEMPTS` times in total. If all submissions of a run fail, a
    ConnectionError is raised when all other runs have ended. The runs are cancelled when the iterator is closed or this
    process ends.
    """
    from distributed import Client, Future, KilledWorker

    _check_answer(address)
    with _silence(), Client(address, timeout=ANSWER_WITHIN, set_as_default=False) as client:
        ended: queue.SimpleQueue[Future] = queue.SimpleQueue()
        # The dictionary keeps references to all futures, because the scheduler forgets futures without a reference.
        under_way: dict[Any, tuple[int, Future]] = {}

        def submit(number: int) -> None:
            future = client.submit(_run_on_worker, make_run, *runs[number], pure=False)
            under_way[future.key] = number, future
            future.add_done_callback(ended.put)

        losses: Counter[int] = Counter()
        for number in range(len(runs)):
            submit(number)
        while under_way:
            try:
                future = ended.get(timeout=POLL_EVERY)
            except queue.Empty:
                if not client.scheduler_info()["workers"]:
                    warnings.warn(
                        f"no workers at {address} yet; waiting for them (start one with: dask worker {address})",
                        stacklevel=2,
                    )
                yield None
                continue
            if future.cancelled():
                raise ConnectionError(f"scheduler must stay reachable, got no connection to {address}; {RESUME}")
            number, _ = under_way.pop(future.key)
            try:
                record = future.result()
            except KilledWorker:
                losses[number] += 1
                if losses[number] < ATTEMPTS:
                    submit(number)
            except Exception as error:
                seed = runs[number][0].seed
                raise ValueError(
                    f"the run with seed {seed} failed on a worker: {type(error).__name__}: {error}"
                ) from error
            else:
                if record.version != __version__:
                    raise ValueError(
                        f"workers must have version {__version__} of divergent, got {record.version}; install "
                        "this version on the workers"
                    )
                yield number, record
        if given_up := [number for number, count in losses.items() if count == ATTEMPTS]:
            seeds = ", ".join(str(runs[number][0].seed) for number in given_up)
            raise ConnectionError(
                f"workers must stay connected until their runs finish, got lost workers in the runs with seed {seeds}; "
                f"check the memory of the workers; {RESUME}"
            )


def _run_on_worker(make_run: Callable[[Plan, Any], Any], plan: Plan, problem: Any) -> Record:
    """Execute a run on a Dask worker until the run ends or is cancelled."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()
    with WORKER_LOCK:
        separate_random()
        new_run = make_run(plan, problem.load() if isinstance(problem, PackedProblem) else problem)

        def stop_if_cancelled(row: Any) -> None:
            task = worker.state.tasks.get(key)
            if task is None or task.state == "cancelled":
                raise CancelledError

        return new_run.finish(stop_if_cancelled)


def separate_random() -> None:
    """Replace the module `random` in the modules of Dask by a separate copy.

    Threads of Dask draw random numbers at any time, for example to estimate the size of a message. If Dask used the
    random generator of a run, the results of the run would change.
    """
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in DASK_PACKAGES and getattr(module, "random", None) is random:
            module.random = _random_copy()  # type: ignore[attr-defined]


@functools.cache
def _random_copy() -> types.ModuleType:
    """Return a second copy of the module `random`, which has a separate generator."""
    spec = importlib.util.find_spec("random")
    assert spec is not None
    assert spec.loader is not None
    copy = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(copy)
    return copy


def _check_answer(address: str) -> None:
    """Raise an error unless a scheduler answers at the address, because a Dask client would wait indefinitely."""
    from distributed import Security
    from distributed.comm import connect

    async def greet() -> None:
        options = Security().get_connection_args("client")
        comm = await asyncio.wait_for(connect(address, timeout=ANSWER_WITHIN, **options), ANSWER_WITHIN + 1)
        await comm.close()

    try:
        # a separate thread is needed because the main thread of a notebook has an event loop already
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, greet()).result()
    except OSError as error:
        raise ConnectionError(
            f"scheduler must be running at {address}, got {str(error) or 'no answer'}; start it with: dask scheduler"
        ) from error
    except (TypeError, ValueError, ImportError, RuntimeError) as error:
        if isinstance(error, TypeError) and address.startswith("tls://"):
            files = ", ".join(CERTIFICATES.values())
            raise ValueError(
                f"certificates must be configured for a scheduler with a tls address, got {address!r} and no "
                f"certificates; set the environment variables {files} to the paths of the certificate files"
            ) from error
        raise ValueError(
            f"scheduler must be an address that Dask can connect to, got {address!r} ({error}); "
            f"pass the address of a running scheduler, such as {EXAMPLE_ADDRESS}"
        ) from error


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """Disable log messages of Dask about lost connections; relevant errors are raised as exceptions."""
    known = list(logging.root.manager.loggerDict)  # the loggers of Dask must be disabled one by one
    logs = [logging.getLogger(name) for name in known if name.split(".")[0] in ("asyncio", "distributed", "tornado")]
    try:
        for log in logs:
            log.disabled = True
        yield
    finally:
        for log in logs:
            log.disabled = False
