"""What every search is: a strategy that scores what a population did, then learns from it."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from divergent.checks import brief, check_generator
from divergent.individual import Outcomes, pack
from divergent.plain import from_plain, to_plain


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
        standing "population", or the "births".
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

    def follow(self, outcomes: Outcomes) -> np.ndarray:
        """Score a generation and learn from it, in the order of this strategy."""
        scores = self.score(outcomes)
        self.learn(outcomes)
        return scores

    def __call__(self, individuals: Sequence[Any]) -> np.ndarray:
        """Follow one generation of evaluated DEAP individuals."""
        return self.follow(pack(individuals))

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

    def check_memory(self) -> None:
        """Refuse, with a ValueError, a restored memory that no `learn` can have left; by default there is no rule."""
