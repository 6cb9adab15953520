"""Objective search."""

import math

import numpy as np

from divergent.individual import FitnessValue, Outcomes
from divergent.selection._strategy import Strategy
from divergent.selection._validation import check_outcomes


class Objective(Strategy):
    """Objective search: the score is the fitness.

    Parameters
    ----------
    index : int or None, default=None
        Zero-based index of the fitness value to use. None uses the first fitness value and warns if there are several.
    rng : numpy.random.Generator or None, default=None
        Not used; accepted so that all searches have the parameter `rng`.

    Examples
    --------
    >>> from divergent.individual import Outcomes
    >>> Objective().score(Outcomes(np.array([135.9, 20.0]), np.empty((2, 0))))
    array([135.9,  20. ])
    """

    def __init__(self, *, index: int | None = None, rng: np.random.Generator | None = None):
        super().__init__(rng=rng)
        self.index = index
        self._fitness = FitnessValue(index, type(self).__name__)

    def score(self, outcomes: Outcomes, among: Outcomes | None = None) -> np.ndarray:
        check_outcomes(outcomes, objects=True)
        scores = np.array(self._fitness.of(outcomes), dtype=float)
        if math.isnan(scores[0]) if len(scores) == 1 else np.isnan(scores).any():
            raise ValueError(
                f"fitness must be a number, got nan for individual {int(np.isnan(scores).argmax())}; "
                "return a number from evaluate"
            )
        return scores
