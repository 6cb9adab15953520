"""Objective search: the task's own measure."""

import math

import numpy as np

from divergent.selection.checks import check_outcomes
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
        check_outcomes(outcomes)
        scores = np.array(outcomes.fitness, dtype=float)
        if math.isnan(scores[0]) if len(scores) == 1 else np.isnan(scores).any():
            raise ValueError(f"fitness must be a number, individual {int(np.isnan(scores).argmax())} has nan")
        return scores
