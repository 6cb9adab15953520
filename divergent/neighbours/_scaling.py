"""Scaling of behaviour dimensions."""

from typing import TYPE_CHECKING, Any

import numpy as np

from divergent.neighbours._validation import check_behaviours
from divergent.validation import as_numbers, brief, check_at_least

if TYPE_CHECKING:
    from divergent.individual import Outcomes

SCALES = ("none", "range", "std")
# statistics of each dimension: mean, sum of squared deviations, minimum, maximum
STATISTICS = ("mean", "squares", "low", "high")


class Scale:
    """Scale factors of behaviour dimensions, computed from all behaviours passed to `learn`.

    Before the first call of `learn`, the factors are computed from the behaviours that are to be scaled.

    Parameters
    ----------
    kind : {"none", "range", "std"}
        The kind "none" does not scale. The kinds "range" and "std" divide each dimension by its range or standard
        deviation over all behaviours passed to `learn`. Constant dimensions are not scaled.

    Examples
    --------
    >>> scale = Scale("range")
    >>> scale.learn(np.array([[0.0, 1000.0], [4.0, 3000.0]]))
    >>> scaled(np.array([[2.0, 2000.0]]), scale.factors())
    array([[0.5, 1. ]])
    """

    def __init__(self, kind: str):
        if not isinstance(kind, str) or kind not in SCALES:
            raise ValueError(f"scale must be a kind of scaling, one of {', '.join(SCALES)}, got {brief(kind)}")
        self.kind = kind
        self.count = 0
        self.mean = self.squares = self.low = self.high = np.empty(0)
        self._factors: np.ndarray | None = None

    def learn(self, behaviours: np.ndarray) -> None:
        """Update the statistics.

        Parameters
        ----------
        behaviours : ndarray of shape (m, d)
            Behaviours of a generation.
        """
        if self.kind == "none":
            return
        behaviours = check_behaviours(behaviours, self.mean[None] if self.count else None)
        count, mean = len(behaviours), behaviours.mean(axis=0)
        squares = ((behaviours - mean) ** 2).sum(axis=0)
        low, high = behaviours.min(axis=0), behaviours.max(axis=0)
        if self.count:
            # Combine the means and sums of squared deviations of two samples.
            total, step = self.count + count, mean - self.mean
            squares = self.squares + squares + step**2 * (self.count * count / total)
            mean, count = self.mean + step * (count / total), total
            low, high = np.minimum(self.low, low), np.maximum(self.high, high)
        self.count, self.mean, self.squares, self.low, self.high = count, mean, squares, low, high
        self._update_factors()

    def factors(self, outcomes: "Outcomes | None" = None, among: "Outcomes | None" = None) -> np.ndarray | None:
        """Return the scale factor of each behaviour dimension.

        Parameters
        ----------
        outcomes : Outcomes or None, default=None
            Outcomes whose behaviours define the factors before the first call of `learn`.
        among : Outcomes or None, default=None
            Further outcomes whose behaviours define the factors before the first call of `learn`.

        Returns
        -------
        ndarray of shape (d,) or None
            Scale factors; the same array is returned until the next call of `learn`. None means that behaviours are not
            scaled.
        """
        if self._factors is None and self.kind != "none" and outcomes is not None:
            scale = Scale(self.kind)
            populations = [outcomes.behaviours] if among is None else [outcomes.behaviours, among.behaviours]
            scale.learn(np.concatenate(populations))
            return scale._factors
        return self._factors

    def state(self) -> dict[str, Any]:
        """Return the statistics.

        Returns
        -------
        dict
            JSON-serialisable data for `restore`.
        """
        return {"count": self.count} | {name: getattr(self, name).tolist() for name in STATISTICS}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore the statistics from the result of `state`.

        Parameters
        ----------
        state : dict
            State that the method `state` returned.

        Raises
        ------
        ValueError
            If the statistics are inconsistent.
        """
        check_at_least(0, count=state["count"])
        statistics = [as_numbers(name, state[name], 1) for name in STATISTICS]
        mean, squares, low, high = statistics
        valid = len({values.shape for values in statistics}) == 1 and np.isfinite(statistics).all()
        if not valid or (squares < 0).any() or (low > high).any() or (len(mean) > 0) != (state["count"] > 0):
            raise ValueError(f"state must be a result of Scale.state(), got {brief(state)}")
        self.count, self._factors = state["count"], None
        self.mean, self.squares, self.low, self.high = statistics
        if self.count:
            self._update_factors()

    def check_width(self, width: int | None) -> None:
        """Check that the statistics have the same number of dimensions as the behaviours.

        Parameters
        ----------
        width : int or None
            Number of behaviour dimensions, None if unknown.

        Raises
        ------
        ValueError
            If `width` differs from the number of dimensions of the statistics.
        """
        if self.count and width is not None and width != len(self.mean):
            raise ValueError(
                f"behaviours must have as many dimensions as in earlier updates, {len(self.mean)}, got {width}"
            )

    def _update_factors(self) -> None:
        """Compute the scale factors from the statistics of each dimension."""
        size = self.high - self.low if self.kind == "range" else np.sqrt(self.squares / self.count)
        self._factors = 1.0 / np.where(size > np.finfo(float).tiny, size, 1.0)


def scaled(behaviours: np.ndarray, factors: np.ndarray | None) -> np.ndarray:
    """Multiply each dimension of behaviours by its scale factor; return the same array if factors are None."""
    return behaviours if factors is None else behaviours * factors
