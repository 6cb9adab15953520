"""Several searches at once."""

import math
from collections.abc import Mapping

import numpy as np

from divergent.selection._validation import check_outcomes
from divergent.selection.composite import Compound, joined
from divergent.selection.strategy import Strategy
from divergent.validation import is_finite


class Blend(Compound):
    """A weighted sum of the scores of several strategies, normalised or as they are.

    Parameters
    ----------
    parts
        Weights by strategy.
    scaled
        Whether each strategy's scores are scaled so that the population learnt from last has scores from 0 to 1; a
        newcomer may lie outside. Until anything is learnt, the scale is that of the population being scored. Otherwise
        the scores are weighed as they are, which suits parts that measure the same thing, such as distances.

    Attributes
    ----------
    low, high : ndarray of shape (number of parts,) or None
        The smallest and largest score of each part that the scale was taken from; None if there is no scale.

    Examples
    --------
    >>> from divergent.individual import Outcomes
    >>> from divergent.selection import Novelty, Objective
    >>> blend = Blend({Objective(): 1, Novelty(neighbours=1): 0.5})
    >>> blend.score(Outcomes(np.array([0.0, 10.0, 5.0]), np.array([[0.0], [1.0], [5.0]])))
    array([0., 1., 1.])
    >>> blend = Blend({Objective(): 1, Novelty(neighbours=1): 0.5}, scaled=False)
    >>> blend.score(Outcomes(np.array([0.0, 10.0, 5.0]), np.array([[0.0], [1.0], [5.0]])))
    array([ 0.5, 10.5,  7. ])
    """

    memory = ("low", "high")

    def __init__(self, parts: Mapping[Strategy, float], *, scaled: bool = True):
        if not isinstance(parts, Mapping):
            raise TypeError(
                f"a blend is of strategies by weight, Blend({{Novelty(): 1, Surprise(): 1}}), got {parts!r}"
            )
        super().__init__(parts)
        for part, weight in parts.items():
            if not is_finite(weight):
                raise ValueError(f"weights must be finite, got {weight!r:.60} for {type(part).__name__}")
        if not isinstance(scaled, bool):
            raise TypeError(f"scaled must be True or False, got {scaled!r:.60}")
        self.scaled = scaled
        self.weights = np.array(list(parts.values()), dtype=float)
        self.low: np.ndarray | None = None
        self.high: np.ndarray | None = None

    def score(self, outcomes, among=None):
        check_outcomes(outcomes)
        if among is not None:
            check_outcomes(among)
        if not self.scaled:
            return self._sum(self.scores_of_parts(outcomes, among))
        if self.low is not None:
            scores = self._mix(self.scores_of_parts(outcomes, among), self.low, self.high)
            if not (math.isfinite(scores[0]) if len(scores) == 1 else np.isfinite(scores).all()):
                raise ValueError("a blend is of finite scores, those of some part are not")
            return scores
        scores = self.scores_of_parts(joined(outcomes, among))
        return self._mix(scores, *self._ends(scores))[-len(outcomes.fitness) :]

    def learn(self, outcomes):
        super().learn(outcomes)
        if self.scaled:
            self._scale(self.scores_of_parts(outcomes))

    def score_generation(self, outcomes):
        scores = np.array([part.score_generation(outcomes) for part in self.parts])
        if not self.scaled:
            return self._sum(scores)
        self._scale(scores)
        return self._mix(scores, self.low, self.high)

    def check_memory(self):
        for name, scores in (("low", self.low), ("high", self.high)):
            if scores is not None and (
                not isinstance(scores, np.ndarray)
                or scores.shape != (len(self.parts),)
                or not np.isfinite(scores).all()
            ):
                raise ValueError(
                    f"{name} must be one finite score for each of {len(self.parts)} parts, got {scores!r:.60}"
                )
        if (self.low is None) != (self.high is None):
            raise ValueError("low and high are learnt together, got only one of them")
        if self.low is not None and not self.scaled:
            raise ValueError("a blend that is not scaled has no low and high, got some")

    def _scale(self, scores):
        self.low, self.high = self._ends(scores)

    def _ends(self, scores):
        """The lowest and the highest score of each part."""
        self._check_finite(scores)
        return scores.min(axis=1), scores.max(axis=1)

    def _sum(self, scores):
        self._check_finite(scores)
        return (self.weights[:, None] * scores).sum(axis=0)

    def _check_finite(self, scores):
        if not np.isfinite(scores).all():
            part = self.parts[int(np.flatnonzero(~np.isfinite(scores).all(axis=1))[0])]
            raise ValueError(f"a blend is of finite scores, those of {type(part).__name__} are not")

    def _mix(self, scores, low, high):
        spread = np.where(high > low, high - low, 1.0)
        return self.weights @ ((scores - low[:, None]) / spread[:, None])
