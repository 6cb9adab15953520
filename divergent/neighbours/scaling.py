"""Behaviours whose numbers are of different sizes, brought to one scale that is learnt from what was seen."""

from typing import Any

import numpy as np

from divergent.individual import Outcomes
from divergent.neighbours._validation import check_behaviours
from divergent.validation import as_numbers, brief, check_at_least

SCALES = ("none", "range", "std")
LEARNT = ("mean", "squares", "low", "high")  # of each number: its mean, sum of squared deviations, least and largest


class Scale:
    """What each number of a behaviour is multiplied with before distances are taken.

    Until anything is learnt, the scale is that of the behaviours at hand.

    Parameters
    ----------
    kind
        "none": numbers stay as they are. "range": the range of each number, over everything learnt from, becomes 1.
        "std": its standard deviation does. A number that never varies stays as it is.

    Examples
    --------
    >>> scale = Scale("range")
    >>> scale.learn(np.array([[0.0, 1000.0], [4.0, 3000.0]]))
    >>> scaled(np.array([[2.0, 2000.0]]), scale.factors())
    array([[0.5, 1. ]])
    """

    def __init__(self, kind: str):
        if not isinstance(kind, str) or kind not in SCALES:
            raise ValueError(f"scale must be one of {', '.join(SCALES)}, got {brief(kind)}")
        self.kind = kind
        self.count = 0
        self.mean = self.squares = self.low = self.high = np.empty(0)
        self._factors: np.ndarray | None = None

    def learn(self, behaviours: np.ndarray) -> None:
        """Take more behaviours into account."""
        if self.kind == "none":
            return
        behaviours = check_behaviours(behaviours, self.mean[None] if self.count else None)
        count, mean = len(behaviours), behaviours.mean(axis=0)
        squares = ((behaviours - mean) ** 2).sum(axis=0)
        low, high = behaviours.min(axis=0), behaviours.max(axis=0)
        if self.count:
            # mean and sum of squared deviations of two groups, put together
            total, step = self.count + count, mean - self.mean
            squares = self.squares + squares + step**2 * (self.count * count / total)
            mean, count = self.mean + step * (count / total), total
            low, high = np.minimum(self.low, low), np.maximum(self.high, high)
        self.count, self.mean, self.squares, self.low, self.high = count, mean, squares, low, high
        self._decide()

    def factors(self, outcomes: Outcomes | None = None, among: Outcomes | None = None) -> np.ndarray | None:
        """One factor for each number, the same array until more is learnt; of these outcomes if nothing was yet."""
        if self._factors is None and self.kind != "none" and outcomes is not None:
            fresh = Scale(self.kind)
            populations = [outcomes.behaviours] if among is None else [outcomes.behaviours, among.behaviours]
            fresh.learn(np.concatenate(populations))
            return fresh._factors
        return self._factors

    def state(self) -> dict[str, Any]:
        """What was learnt, as plain data."""
        return {"count": self.count} | {name: getattr(self, name).tolist() for name in LEARNT}

    def restore(self, state: dict[str, Any]) -> None:
        """Go back to what `state` gave."""
        check_at_least(0, count=state["count"])
        learnt = [as_numbers(name, state[name], 1) for name in LEARNT]
        mean, squares, low, high = learnt
        sound = len({one.shape for one in learnt}) == 1 and np.isfinite(learnt).all()
        if not sound or (squares < 0).any() or (low > high).any() or (len(mean) > 0) != (state["count"] > 0):
            raise ValueError(f"this is not what a scale has learnt: {brief(state)}")
        self.count, self._factors = state["count"], None
        self.mean, self.squares, self.low, self.high = learnt
        if self.count:
            self._decide()

    def check_width(self, width: int | None) -> None:
        """Refuse a scale of another number of numbers than the behaviours have."""
        if self.count and width is not None and width != len(self.mean):
            raise ValueError(f"the scale is of {len(self.mean)} numbers, the behaviours of {width}")

    def _decide(self):
        size = self.high - self.low if self.kind == "range" else np.sqrt(self.squares / self.count)
        self._factors = 1.0 / np.where(size > np.finfo(float).tiny, size, 1.0)


def scaled(behaviours: np.ndarray, factors: np.ndarray | None) -> np.ndarray:
    """Behaviours on a scale; the very same array if there is none."""
    return behaviours if factors is None else behaviours * factors
