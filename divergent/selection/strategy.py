"""What every search is: a strategy that scores what a population did, then learns from it."""

import inspect
import math
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from divergent.individual import Outcomes, pack
from divergent.loops import mark_used
from divergent.persistence.serialization import from_plain, to_plain
from divergent.validation import brief, check_generator

DRIFT = 1e9  # growth of behaviours that no bounded problem has


class Strategy:
    """Score a population, then learn from it.

    A search of your own is a subclass with a `score`; with a memory, also with a `learn` and the names of the
    attributes that hold the memory. `check_strategy` tries it against everything that the loops rely on.

    Parameters
    ----------
    rng
        A `numpy.random.Generator`, the only source of chance; None for a fresh one.

    Attributes
    ----------
    memory : tuple of str
        The attributes that `learn` changes: arrays, numbers, strings, None, lists of these, dictionaries of these with
        strings as keys, or objects that have `state` and `restore` themselves.
    learns_from : str
        What a loop of single births and deaths gives `learn` when as many were born as the population has members: the
        standing "population", or the "offspring".
    used : bool
        Whether it remembers, and a loop or `by_score` has let it learn, since it was made or reset.
    loop : str
        The loop of a maze run that has this search, unless another is asked for: one that `divergent.Settings` names.

    Examples
    --------
    >>> from divergent.individual import Outcomes
    >>> class Unseen(Strategy):
    ...     '''Whether a whole-numbered behaviour was never seen before.'''
    ...
    ...     memory = ("seen",)
    ...
    ...     def __init__(self, *, rng=None):
    ...         super().__init__(rng=rng)
    ...         self.seen = []
    ...
    ...     def score(self, outcomes, among=None):
    ...         return np.array([float(row not in self.seen) for row in outcomes.behaviours.round().tolist()])
    ...
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
        """One number per outcome, larger is better; changes no memory.

        Parameters
        ----------
        outcomes
            Those to score.
        among
            The others of their population, without `outcomes`; None when `outcomes` is the whole population.
        """
        raise NotImplementedError(f"{type(self).__name__} must define score(outcomes, among=None)")

    def learn(self, outcomes: Outcomes) -> None:
        """Update the memory from a whole population; the only method that does. Memoryless by default.

        Loops hand over arrays that they never write to again. To be safe with any loop, copy what you keep of them.
        """

    def score_generation(self, outcomes: Outcomes) -> np.ndarray:
        """Score a generation and learn from it, in the order of this strategy."""
        scores = self.score(outcomes)
        self.learn(outcomes)
        return scores

    def __call__(self, individuals: Sequence[Any]) -> np.ndarray:
        """Follow one generation of evaluated DEAP individuals."""
        mark_used(self)
        return self.score_generation(pack(individuals))

    @property
    def remembers(self) -> bool:
        """Whether it has a memory, which a second run would continue."""
        return bool(self.memory)

    def reset(self) -> None:
        """Forget everything learnt: the strategy is as it was made, except that its generator continues.

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
        given = signature.bind(*args, **options)
        if "rng" in signature.parameters:
            given.arguments["rng"] = rng
        vars(self).clear()
        self._arguments = args, options
        type(self).__init__(self, *given.args, **given.kwargs)

    def __repr__(self) -> str:
        args, options = self._arguments
        shown = [_shown(value) for value in args]
        shown += [f"{name}={_shown(value)}" for name, value in options.items() if name != "rng"]
        return f"{type(self).__name__}({', '.join(shown)})"

    def state(self) -> dict[str, Any]:
        """Memory and generator as plain data that JSON keeps exactly."""
        return {name: to_plain(getattr(self, name)) for name in self.memory} | {
            "rng": to_plain(self.rng.bit_generator.state)
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go back to what `state` gave; the settings are those of this strategy."""
        if not isinstance(state, Mapping):
            raise TypeError(f"a state of {type(self).__name__} is what its `state` gave, got {brief(state)}")
        lacking = [name for name in (*self.memory, "rng") if name not in state]
        if lacking:
            raise ValueError(f"this is not a state of {type(self).__name__}: it lacks {', '.join(lacking)}")
        try:
            for name in self.memory:
                if hasattr(getattr(self, name, None), "restore"):
                    getattr(self, name).restore(from_plain(state[name]))
                else:
                    setattr(self, name, from_plain(state[name]))
            self.check_memory()
            self.rng.bit_generator.state = from_plain(state["rng"])
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise ValueError(f"this is not a state of {type(self).__name__}: {error}") from None

    def watch_drift(self, behaviours: np.ndarray) -> None:
        """Warn once if behaviours have grown a billionfold since the first generation that was seen.

        Distances reward distance: where nothing bounds a behaviour, a search follows it outwards for ever. The first
        generation counts as 1 if it is smaller.
        """
        largest = float(np.abs(behaviours).max(initial=0.0))
        if self._drift_limit is None:
            self._drift_limit = DRIFT * max(1.0, largest)
        elif self._drift_limit < largest < math.inf:  # what is not finite is an error of its own
            warnings.warn(
                f"behaviours have drifted to {largest:.3g}, more than {DRIFT:.0e} times the first generation; "
                "bound them in evaluate, for instance with numpy.clip",
                stacklevel=1,
            )
            self._drift_limit = math.inf

    def check_memory(self) -> None:
        """Refuse, with a ValueError, a restored memory that no `learn` can have left; by default there is no rule."""


# a subclass without an __init__ has that of Strategy, which inspect would look for in __new__ first
setattr(Strategy.__new__, "__signature__", inspect.signature(Strategy.__init__))  # noqa: B010


def _shown(value: Any) -> str:
    """An argument as `repr` shows it, functions by their names."""
    return value.__name__ if inspect.isroutine(value) else repr(value)
