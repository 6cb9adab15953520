"""Outcomes of all evaluations of a run."""

from typing import Any

import numpy as np

from divergent._behaviours import as_array


class OutcomeLog:
    """Weighted fitness values, behaviours and constraint violations of all evaluations of a run, in order.

    Parameters
    ----------
    budget : int
        Largest number of evaluations.
    """

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self.wvalues = np.empty((budget, 1))
        self._vectors: np.ndarray | None = None  # stores behaviours that are vectors of numbers
        self._objects: list[Any] = []  # stores behaviours that are not vectors
        self._violations: np.ndarray | None = None  # constraint violations, None until an individual is infeasible
        self._count = 0

    def add(self, wvalues: tuple[float, ...], behaviour: Any, violation: float = 0.0) -> None:
        """Append the weighted fitness values, the behaviour and the constraint violation of an evaluation."""
        if self._count == 0:
            self._begin(len(wvalues), behaviour)
        self.wvalues[self._count] = wvalues
        if self._vectors is not None:
            numbers = behaviour if isinstance(behaviour, np.ndarray) and behaviour.ndim == 1 else _numbers(behaviour)
            if numbers is not None and len(numbers) == self._vectors.shape[1]:
                self._vectors[self._count] = numbers
            else:  # a list stores behaviours that are not vectors of equal length
                self._objects, self._vectors = self._vectors[: self._count].tolist(), None
        if self._vectors is None:
            self._objects.append(behaviour)
        if violation:
            if self._violations is None:
                self._violations = np.zeros(self._budget)
            self._violations[self._count] = violation
        self._count += 1

    def _begin(self, values: int, behaviour: Any) -> None:
        """Allocate arrays for all outcomes, with the dimensions of the first outcome."""
        self.wvalues = np.empty((self._budget, values))
        numbers = _numbers(behaviour)
        if numbers is not None:
            self._vectors = np.empty((self._budget, len(numbers)))

    def behaviours(self) -> np.ndarray | list[Any]:
        """Return the behaviours as a float32 array with one row for each evaluation, or as a list of objects."""
        if self._vectors is None:
            return self._objects
        largest = float(np.finfo(np.float32).max)
        return np.clip(self._vectors[: self._count], -largest, largest).astype("<f4")

    def violations(self) -> np.ndarray | None:
        """Return the constraint violations of all evaluations, or None if all individuals are feasible."""
        return None if self._violations is None else self._violations[: self._count]

    def state(self, evaluations: int) -> dict[str, Any]:
        """Return the outcomes of all evaluations for a checkpoint."""
        behaviours = self._objects if self._vectors is None else self._vectors[:evaluations]
        state = {"wvalues": self.wvalues[:evaluations], "behaviours": behaviours}
        return state if self._violations is None else state | {"violations": self._violations[:evaluations]}

    def restore(self, notes: dict[str, Any], evaluations: int) -> None:
        """Restore the outcomes from the data that `state` returned."""
        wvalues, behaviours = notes["wvalues"], notes["behaviours"]
        if wvalues.ndim != 2 or not len(wvalues) == len(behaviours) == evaluations <= self._budget:
            raise ValueError(
                f"the numbers of fitness values and behaviours must equal the number of evaluations, {evaluations}, "
                f"got {len(wvalues)} and {len(behaviours)}"
            )
        self.wvalues = np.empty((self._budget, wvalues.shape[1]))
        self.wvalues[:evaluations] = wvalues
        if isinstance(behaviours, np.ndarray):
            self._vectors = np.empty((self._budget, behaviours.shape[1]))
            self._vectors[:evaluations] = behaviours
        else:
            self._objects = list(behaviours)
        if "violations" in notes:
            self._violations = np.zeros(self._budget)
            self._violations[:evaluations] = notes["violations"]
        self._count = evaluations


def _numbers(behaviour: Any) -> np.ndarray | None:
    """Convert a behaviour to a vector of numbers, or to None if the behaviour is not numeric."""
    if behaviour is None:
        return np.empty(0)
    numbers = as_array(behaviour)
    return numbers.astype(float).ravel() if numbers is not None and numbers.dtype.kind in "biuf" else None
