"""Blend strategy: weighted sum of the scores of several strategies."""

import math
from collections.abc import Mapping

import numpy as np

from divergent.individual import Outcomes
from divergent.selection._composite import CompositeStrategy, concatenate
from divergent.selection._strategy import Strategy
from divergent.selection._validation import check_outcomes
from divergent.validation import brief, is_finite


class Blend(CompositeStrategy):
    """Weighted sum of the scores of several strategies.

    Parameters
    ----------
    parts : mapping of Strategy to float
        Strategies to combine, each with its weight in the sum.
    scaled : bool, default=True
        Whether the scores of each strategy are normalised by their range in the population of the last update. The
        normalised scores of that population lie between 0 and 1; scores of new individuals may be below 0 or above 1.
        Before the first update, the range in the population being scored is used. If False, raw scores are added,
        which is suitable if all scores have the same unit.

    Attributes
    ----------
    low, high : ndarray of shape (number of strategies,) or None
        Smallest and largest score of each strategy in the population of the last update. `low` and `high` are None
        before the first update and if `scaled` is False.

    See Also
    --------
    NoveltyAndSurprise : Weighted sum of the raw scores of novelty and surprise.
    NSGA2Ranking : Several strategies as objectives.

    Examples
    --------
    >>> from divergent.individual import Outcomes
    >>> from divergent.selection import Novelty, Objective
    >>> blend = Blend({Objective(): 1, Novelty(neighbours=1): 0.5})
    >>> blend.score(Outcomes(np.array([0.0, 10.0, 5.0]), np.array([[0.0], [1.0], [5.0]])))
    array([0., 1., 1.])

    If ``scaled=False``, raw scores are added:

    >>> blend = Blend({Objective(): 1, Novelty(neighbours=1): 0.5}, scaled=False)
    >>> blend.score(Outcomes(np.array([0.0, 10.0, 5.0]), np.array([[0.0], [1.0], [5.0]]))).tolist()
    [0.5, 10.5, 7.0]
    """

    memory = ("low", "high")

    def __init__(self, parts: Mapping[Strategy, float], *, scaled: bool = True):
        if not isinstance(parts, Mapping):
            raise TypeError(
                f"parts must be a dictionary from strategy to weight, got {brief(parts)}; "
                "write Blend({Novelty(): 1, Surprise(): 1})"
            )
        super().__init__(parts)
        for part, weight in parts.items():
            if not is_finite(weight):
                raise ValueError(
                    f"weights must be finite, got the weight {weight!r:.60} for the strategy {type(part).__name__}"
                )
        if not isinstance(scaled, bool):
            raise TypeError(f"scaled must be True or False, got {scaled!r:.60}")
        self.scaled = scaled
        self.weights = np.array(list(parts.values()), dtype=float)
        self.low: np.ndarray | None = None
        self.high: np.ndarray | None = None

    def score(self, outcomes: Outcomes, among: Outcomes | None = None) -> np.ndarray:
        check_outcomes(outcomes, objects=True)
        if among is not None:
            check_outcomes(among, objects=True)
        if not self.scaled:
            return self._sum(self.part_scores(outcomes, among))
        if self.low is None or self.high is None:
            scores = self.part_scores(concatenate(outcomes, among))
            return self._normalised_sum(scores, *self._ranges(scores))[-len(outcomes.fitness) :]
        part_scores = self.part_scores(outcomes, among)
        scores = self._normalised_sum(part_scores, self.low, self.high)
        if not (math.isfinite(scores[0]) if len(scores) == 1 else np.isfinite(scores).all()):
            self._check_finite(part_scores)
            raise ValueError("weighted sums of scores must be finite, got an overflow; use smaller weights")
        return scores

    def learn(self, outcomes: Outcomes) -> None:
        super().learn(outcomes)
        if self.scaled:
            self.low, self.high = self._ranges(self.part_scores(outcomes))

    def score_generation(self, outcomes: Outcomes) -> np.ndarray:
        scores = np.array([part.score_generation(outcomes) for part in self.parts])
        if not self.scaled:
            return self._sum(scores)
        self.low, self.high = self._ranges(scores)
        return self._normalised_sum(scores, self.low, self.high)

    def check_memory(self) -> None:
        for name, scores in (("low", self.low), ("high", self.high)):
            if scores is not None and (
                not isinstance(scores, np.ndarray)
                or scores.shape != (len(self.parts),)
                or not np.isfinite(scores).all()
            ):
                raise ValueError(
                    f"the restored attribute {name} must contain one finite score for each of the {len(self.parts)} "
                    f"strategies, got {scores!r:.60}"
                )
        if (self.low is None) != (self.high is None):
            raise ValueError(
                "the restored score limits low and high must both be arrays or both be None, got an array and None"
            )
        if self.low is not None and not self.scaled:
            raise ValueError("the restored score limits low and high must be None if scaled is False, got arrays")

    def _ranges(self, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the smallest and the largest score of each strategy."""
        self._check_finite(scores)
        return scores.min(axis=1), scores.max(axis=1)

    def _sum(self, scores: np.ndarray) -> np.ndarray:
        """Return the weighted sum of raw scores."""
        self._check_finite(scores)
        return (self.weights[:, None] * scores).sum(axis=0)

    def _check_finite(self, scores: np.ndarray) -> None:
        """Raise a ValueError if a score is not finite; the message names the first strategy with such a score."""
        if not np.isfinite(scores).all():
            part = self.parts[int(np.flatnonzero(~np.isfinite(scores).all(axis=1))[0])]
            raise ValueError(f"scores in a blend must be finite, got nan or infinity from {type(part).__name__}")

    def _normalised_sum(self, scores: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """Normalise each strategy's scores from [low, high] to [0, 1] and return their weighted sum."""
        ranges = np.where(high > low, high - low, 1.0)
        return self.weights @ ((scores - low[:, None]) / ranges[:, None])
