"""Objective search: the task's own measure."""

import numpy as np

from divergent.selection.strategy import Strategy


class Objective(Strategy):
    """The fitness itself: what every other search is compared with.

    Examples
    --------
    >>> from divergent.individual import Outcomes
    >>> Objective().score(Outcomes(np.array([135.9, 20.0]), np.empty((2, 0))))
    array([135.9,  20. ])
    """

    def score(self, outcomes, among=None):
        return np.array(outcomes.fitness, dtype=float)
