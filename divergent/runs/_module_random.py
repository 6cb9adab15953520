"""Separate states of the global generators of `random` and `numpy.random` for each run."""

import contextlib
import random
from collections.abc import Iterator
from typing import Any, TypeVar

import numpy as np

Item = TypeVar("Item")


class ModuleRandom:
    """States of the global random generators during one run; DEAP's tools draw from these generators.

    Parameters
    ----------
    seed : int
        Seed of the run.

    Examples
    --------
    >>> first, second = ModuleRandom(3), ModuleRandom(3)
    >>> with first.active():
    ...     drawn = random.random()
    >>> with second.active():
    ...     random.random() == drawn
    True
    """

    def __init__(self, seed: int) -> None:
        self.python = random.Random(int(seed))
        sequence = np.random.SeedSequence(int(seed), spawn_key=(0, 0))
        self._numpy: Any = np.random.RandomState(np.random.MT19937(sequence)).get_state(legacy=False)

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """Set the global generators to the states of this run, and restore the caller's states afterwards."""
        # Functions of the problem, such as DEAP's operators, may draw from the global generators.
        python_state, numpy_state = random.getstate(), np.random.get_state(legacy=False)  # noqa: NPY002
        random.setstate(self.python.getstate())
        np.random.set_state(self._numpy)  # noqa: NPY002
        try:
            yield
        finally:
            self.python.setstate(random.getstate())
            self._numpy = np.random.get_state(legacy=False)  # noqa: NPY002
            random.setstate(python_state)
            np.random.set_state(numpy_state)  # noqa: NPY002

    def isolate(self, items: Iterator[Item]) -> Iterator[Item]:
        """Yield the items of an iterator; while an item is computed, the global generators have this run's states.

        Between items, the generators have the states of the caller. The exchange of states delays each item by about
        the time of three evaluations in a maze.
        """
        while True:
            with self.active():
                try:
                    item = next(items)
                except StopIteration:
                    return
            yield item
