"""Evaluation within a run, with a time limit, detailed errors and optional tolerance of failures."""

import contextlib
import ctypes
import signal
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from deap import base

from divergent.individual import Outcome
from divergent.loops._variation import batch_map
from divergent.validation import brief


class EvaluationError(ValueError):
    """Error raised if an evaluation fails; the message names the problem, the seed, the individual and the cause."""


class EvaluationTimeout(Exception):  # noqa: N818
    """Error raised if an evaluation exceeds its time limit."""


class Failure:
    """The reason why an evaluation failed; worker processes return a `Failure` instead of an outcome."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


class Evaluator:
    """The evaluation function of a run, registered as `toolbox.evaluate`.

    Parameters
    ----------
    evaluate : callable
        The evaluation function of the problem.
    run : str
        Name of the problem and seed of the run, for error messages.
    timeout : float or None, default=None
        Time limit of an evaluation in seconds; None disables the limit.
    on_error : {"raise", "invalid"}, default="raise"
        Reaction to a failed evaluation: "raise" raises an `EvaluationError`; "invalid" assigns the worst outcome so
        far, compared by the first fitness value. Even with "invalid", the first evaluation of a run must succeed.

    Attributes
    ----------
    failures : int
        Number of failed evaluations so far.
    """

    def __init__(
        self, evaluate: Callable[[Any], Any], run: str, timeout: float | None = None, on_error: str = "raise"
    ) -> None:
        self.evaluate = evaluate
        self.run = run
        self.timeout = timeout
        self.on_error = on_error
        self.failures = 0
        self._worst: tuple[Any, ...] | None = None  # values of the worst `Outcome` so far
        self._worst_weighted: float | None = None

    def __call__(self, individual: Any) -> Any:
        if self.timeout is None and self.on_error == "raise":
            try:
                return self.evaluate(individual)
            except Exception as error:
                raise self.error(individual, describe(error)) from error
        return self.accept(individual, attempt(self.evaluate, self.timeout, individual))

    def accept(self, individual: Any, outcome: Any) -> Any:
        """Return the outcome of an evaluation, or a substitute outcome if the evaluation failed."""
        if not isinstance(outcome, Failure):
            if self.on_error == "invalid":
                self._remember(individual, outcome)
            return outcome
        if self.on_error == "raise":
            raise self.error(individual, outcome.reason)
        if self._worst is None:
            raise self.error(individual, f"{outcome.reason}; the first evaluation of a run must not fail")
        self.failures += 1
        return Outcome(*self._worst)

    def error(self, individual: Any, reason: str) -> EvaluationError:
        """Create an `EvaluationError` for a failed evaluation."""
        return EvaluationError(f"{self.run}: the evaluation of {brief(individual)} failed: {reason}")

    def _remember(self, individual: Any, outcome: Any) -> None:
        """Store the outcome as the worst so far if its first weighted fitness value is the lowest so far."""
        weighted = float(outcome[0]) * individual.fitness.weights[0]
        if self._worst_weighted is None or weighted < self._worst_weighted:
            self._worst_weighted = weighted
            behaviour, violation = getattr(outcome, "behaviour", None), getattr(outcome, "violation", 0.0)
            self._worst = tuple(map(float, outcome)), behaviour, violation

    def state(self) -> dict[str, Any]:
        """Return the number of failed evaluations and the worst outcome, for a checkpoint."""
        return {"failures": self.failures, "worst": self._worst, "weighted": self._worst_weighted}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore the evaluator from the data that `state` returned."""
        self.failures, self._worst, self._worst_weighted = state["failures"], state["worst"], state["weighted"]


class EvaluatorOfMany(Evaluator):
    """An `Evaluator` for tasks whose method `many` evaluates a list of individuals at once."""

    def many(self, individuals: Iterable[Any]) -> list[Any]:
        """Evaluate several individuals; after an error, evaluate them one by one to find the failing individual."""
        individuals = list(individuals)
        if self.timeout is None and self.on_error == "raise":
            with contextlib.suppress(Exception):
                return self.evaluate.many(individuals)  # type: ignore[attr-defined]
        return [self(individual) for individual in individuals]


def register_evaluator(toolbox: base.Toolbox, run: str, timeout: float | None, on_error: str) -> Evaluator:
    """Register the evaluator of a run in a toolbox, adapt a custom `map` to the evaluator, and return the evaluator."""
    task = toolbox.evaluate
    if isinstance(task, partial) and not task.args and not task.keywords:
        task = task.func
    evaluator = (EvaluatorOfMany if hasattr(task, "many") else Evaluator)(task, run, timeout, on_error)
    toolbox.register("evaluate", evaluator)
    if toolbox.map is not map and getattr(toolbox.map, "func", None) not in (map, batch_map):
        toolbox.register("map", partial(_map_in_workers, toolbox.map, evaluator))
    return evaluator


def _map_in_workers(
    original: Callable[..., Any], evaluator: Evaluator, function: Callable[..., Any], individuals: Iterable[Any]
) -> list[Any]:
    """Evaluate individuals with a custom `map`, and handle outcomes and failures in this process."""
    individuals = list(individuals)
    task = partial(attempt, evaluator.evaluate, evaluator.timeout)
    outcomes = original(task, individuals)
    return [evaluator.accept(individual, outcome) for individual, outcome in zip(individuals, outcomes, strict=True)]


def attempt(evaluate: Callable[[Any], Any], timeout: float | None, individual: Any) -> Any:
    """Evaluate an individual, and return its outcome or a `Failure`."""
    try:
        with time_limit(timeout):
            return evaluate(individual)
    except Exception as error:
        return Failure(describe(error))


def describe(error: BaseException) -> str:
    """Describe an error by its type, its message and its source line."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {' '.join(str(error).split())}{place}"


@contextlib.contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise an `EvaluationTimeout` in this thread after `seconds`, or later if compiled code is running."""
    if seconds is None:
        yield
    elif threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer"):
        yield from _alarm(seconds)
    else:
        yield from _timer(seconds)


def _alarm(seconds: float) -> Iterator[None]:
    """Limit the time of an evaluation in the main thread by a signal, which also interrupts blocking calls."""

    def interrupt(number: int, frame: Any) -> None:
        raise EvaluationTimeout(f"evaluation must end within {seconds:g} s, got no result; increase timeout")

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _timer(seconds: float) -> Iterator[None]:
    """Limit the time of an evaluation outside the main thread; a timer raises an exception in the evaluating thread."""
    identity = ctypes.c_long(threading.get_ident())
    lock = threading.Lock()
    ended = False

    def interrupt() -> None:
        with lock:
            if not ended:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(identity, ctypes.py_object(EvaluationTimeout))

    timer = threading.Timer(seconds, interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with lock:
            ended = True
        timer.cancel()
