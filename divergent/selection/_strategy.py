"""Base class of all search strategies."""

import inspect
import math
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from divergent.individual import Outcomes, pack
from divergent.loops._checks import mark_used
from divergent.persistence._serialization import from_jsonable, to_jsonable
from divergent.validation import brief, check_generator

DRIFT = 1e9  # behaviours that grow by more than this factor indicate an unbounded behaviour space


class Strategy:
    """Base class of search strategies, which score a population and update their state from it.

    A custom search is a subclass with a `score` method. A search that keeps state between generations also defines
    `learn` and names its state attributes in `memory`. `check_strategy` tests every property that loops rely on.

    Parameters
    ----------
    rng : numpy.random.Generator or None, default=None
        Source of all random numbers. None creates an unseeded generator.

    Attributes
    ----------
    memory : tuple of str
        Names of the attributes that `learn` changes. Such attributes may be arrays, numbers, strings, None, lists of
        these, dictionaries of these with strings as keys, or objects that have `state` and `restore` methods.
    learns_from : str
        Outcomes that the steady-state loop passes to `learn`: "population" (the current population) or "offspring" (all
        offspring of the generation).
    ancestors : int
        Number of ancestors per individual whose behaviours the strategy reads from `Outcomes.ancestors`. Loops collect
        the behaviours of ancestors.
    used : bool
        Whether a loop or `by_score` has used the strategy since construction or `reset`. Always False if the strategy
        has no state.
    loop : str
        Default loop of runs with the strategy; see `loop` of `divergent.Settings`.

    See Also
    --------
    check_strategy : Test a custom strategy.

    Examples
    --------
    The strategy `Unseen` rewards rounded behaviours that no earlier generation had:

    >>> from divergent.individual import Outcomes
    >>> class Unseen(Strategy):
    ...     '''Whether the rounded behaviour was never seen before.'''
    ...     memory = ("seen",)
    ...     def __init__(self, *, rng=None):
    ...         super().__init__(rng=rng)
    ...         self.seen = []
    ...     def score(self, outcomes, among=None):
    ...         return np.array([float(row not in self.seen) for row in outcomes.behaviours.round().tolist()])
    ...     def learn(self, outcomes):
    ...         self.seen += [row for row in outcomes.behaviours.round().tolist() if row not in self.seen]
    >>> unseen = Unseen()
    >>> unseen.learn(Outcomes(np.zeros(1), np.array([[3.0, 4.0]])))
    >>> unseen.score(Outcomes(np.zeros(2), np.array([[3.1, 3.9], [5.0, 4.0]])))
    array([0., 1.])
    >>> unseen.state()["seen"]
    [[3.0, 4.0]]
    """

    memory: tuple[str, ...] = ()
    learns_from: str = "population"
    loop: str = "steady"
    ancestors: int = 0
    used: bool = False
    _arguments: tuple[tuple[Any, ...], dict[str, Any]]
    _drift_limit: float | None = None

    def __new__(cls, *args: Any, **options: Any) -> Self:
        strategy = super().__new__(cls)
        strategy._arguments = args, options
        return strategy

    def __init__(self, *, rng: np.random.Generator | None = None):
        if rng is not None:
            check_generator(rng)
        self.rng = np.random.default_rng(rng)

    def score(self, outcomes: Outcomes, among: Outcomes | None = None) -> np.ndarray:
        """Score outcomes without changing the memory.

        Parameters
        ----------
        outcomes : Outcomes
            Fitness and behaviours of the individuals to score.
        among : Outcomes or None, default=None
            The other individuals of the population. None means that `outcomes` is the whole population.

        Returns
        -------
        ndarray of shape (m,)
            One score per outcome; larger is better.

        Raises
        ------
        NotImplementedError
            If the subclass does not define `score`.
        ValueError
            If the strategy cannot score these outcomes.
        """
        raise NotImplementedError(
            f"the strategy class {type(self).__name__} must define the method score(outcomes, among=None)"
        )

    def learn(self, outcomes: Outcomes) -> None:
        """Update the memory, such as an archive, from a population.

        The default implementation does nothing. The method `score` must not change the memory. Loops do
        not change the arrays of outcomes after they call `learn`. Other callers may change the arrays of outcomes, so a
        strategy must store copies.

        Parameters
        ----------
        outcomes : Outcomes
            Fitness and behaviours of the population.

        Raises
        ------
        ValueError
            If the outcomes are invalid for this strategy.
        """

    def score_generation(self, outcomes: Outcomes) -> np.ndarray:
        """Score a generation and update the memory from it, in the order that the strategy defines.

        Parameters
        ----------
        outcomes : Outcomes
            Fitness and behaviours of the generation.

        Returns
        -------
        ndarray of shape (m,)
            One score per outcome; larger is better.
        """
        scores = self.score(outcomes)
        self.learn(outcomes)
        return scores

    def __call__(self, individuals: Sequence[Any]) -> np.ndarray:
        """Score a generation of evaluated DEAP individuals and update the memory from it."""
        mark_used(self)
        return self.score_generation(pack(individuals, self.ancestors))

    @property
    def remembers(self) -> bool:
        """Whether the strategy keeps state, which must be reset before a second run."""
        return bool(self.memory)

    def reset(self) -> None:
        """Reset the memory to its initial value; the random generator keeps its state.

        Examples
        --------
        >>> from divergent.individual import Outcomes
        >>> from divergent.selection import Novelty
        >>> novelty = Novelty(threshold=1.0)
        >>> novelty.learn(Outcomes(np.zeros(2), np.array([[0.0], [5.0]])))
        >>> novelty.reset()
        >>> novelty, len(novelty.archive)
        (Novelty(threshold=1.0), 0)
        """
        args, options = self._arguments
        rng, signature = self.rng, inspect.signature(type(self))
        bound = signature.bind(*args, **options)
        if "rng" in signature.parameters:
            bound.arguments["rng"] = rng
        vars(self).clear()
        self._arguments = args, options
        type(self).__init__(self, *bound.args, **bound.kwargs)

    def __repr__(self) -> str:
        args, options = self._arguments
        shown = [_argument_repr(value) for value in args]
        shown += [f"{name}={_argument_repr(value)}" for name, value in options.items() if name != "rng"]
        return f"{type(self).__name__}({', '.join(shown)})"

    def state(self) -> dict[str, Any]:
        """Return the memory and the state of the random generator.

        Returns
        -------
        dict
            JSON-serialisable data from which `restore` recovers the memory and the random generator exactly.
        """
        return {name: to_jsonable(getattr(self, name)) for name in self.memory} | {
            "rng": to_jsonable(self.rng.bit_generator.state)
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Restore the memory and the random generator from the result of `state`.

        Parameters
        ----------
        state : dict
            Result of the method `state` of a strategy with the same settings.

        Raises
        ------
        TypeError
            If `state` is not a mapping.
        ValueError
            If entries of `state` are missing or inconsistent.
        """
        name = type(self).__name__
        if not isinstance(state, Mapping):
            raise TypeError(f"state must be a dictionary that {name}.state() returned, got {brief(state)}")
        missing = [attribute for attribute in (*self.memory, "rng") if attribute not in state]
        if missing:
            raise ValueError(
                f"state must be a result of {name}.state(), got a dictionary without {', '.join(missing)}; "
                "pass the state of a strategy of the same class"
            )
        try:
            for attribute in self.memory:
                if hasattr(getattr(self, attribute, None), "restore"):
                    getattr(self, attribute).restore(from_jsonable(state[attribute]))
                else:
                    setattr(self, attribute, from_jsonable(state[attribute]))
            self.check_memory()
            self.rng.bit_generator.state = from_jsonable(state["rng"])
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise ValueError(f"state must be a result of {name}.state(), got an error: {error}") from None

    def watch_drift(self, behaviours: np.ndarray) -> None:
        """Warn once if behaviours have grown a billionfold since the first generation.

        Distance-based scores reward growth, so unbounded behaviours diverge. If no coordinate of the first generation
        exceeds 1 in magnitude, growth is measured relative to 1.

        Parameters
        ----------
        behaviours : ndarray of shape (m, d), or (m,) of objects
            Behaviours of a generation. Behaviours that are objects are ignored.
        """
        if behaviours.ndim == 1:
            return
        largest = float(np.abs(behaviours).max(initial=0.0))
        if self._drift_limit is None:
            self._drift_limit = DRIFT * max(1.0, largest)
        elif self._drift_limit < largest < math.inf:  # validation raises an error for infinite behaviours
            warnings.warn(
                f"behaviours have drifted to {largest:.3g}, more than {DRIFT:.0e} times the first generation; "
                "bound them in evaluate, for instance with numpy.clip",
                stacklevel=1,
            )
            self._drift_limit = math.inf

    def check_memory(self) -> None:
        """Raise a ValueError if the restored memory is inconsistent; the default implementation accepts any memory."""


# inspect.signature uses __new__ for subclasses without __init__, so __new__ gets the signature of __init__.
setattr(Strategy.__new__, "__signature__", inspect.signature(Strategy.__init__))  # noqa: B010


def _argument_repr(value: Any) -> str:
    """Return the name of a function, or the `repr` of any other argument."""
    return value.__name__ if inspect.isroutine(value) else repr(value)
