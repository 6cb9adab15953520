"""Parent selection and replacement for a population without speciation."""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from divergent.validation import as_numbers, brief, check_at_least, is_finite


class OneSpecies:
    """Truncation selection of parents, and replacement of the individual with the lowest score, without speciation.

    Parameters
    ----------
    fraction : float, default=0.4
        Fraction of the population from which parents are drawn: the individuals with the highest scores.

    Raises
    ------
    ValueError
        If `fraction` is not above 0 and at most 1.
    """

    def __init__(self, fraction: float = 0.4):
        if not is_finite(fraction) or not 0 < fraction <= 1:
            raise ValueError(f"fraction must be above 0 and at most 1, got {brief(fraction)}")
        self.fraction = fraction

    def assign(self, individuals: Sequence) -> None:
        """Do nothing, since all individuals belong to one species.

        Parameters
        ----------
        individuals : sequence
            Initial population.
        """

    def respeciate(self) -> None:
        """Do nothing, since all individuals stay in one species."""

    def select_parents(self, scores: np.ndarray) -> tuple[int, int]:
        """Draw two parents from the best `fraction` of the population, and return their positions, which may be equal.

        Parameters
        ----------
        scores : ndarray of shape (m,)
            Scores of the population.

        Returns
        -------
        tuple of int
            Positions of the two parents.
        """
        scores = as_numbers("scores", scores, 1)
        check_at_least(1, scores=len(scores))
        pool = np.argsort(-scores, kind="stable")[: max(1, int(self.fraction * len(scores)))]
        return int(pool[random.randrange(len(pool))]), int(pool[random.randrange(len(pool))])

    def replace(self, child: Any, scores: np.ndarray) -> int:
        """Return the position of the individual with the lowest score; ties are broken by the lowest position.

        Parameters
        ----------
        child : object
            Child to be inserted into the population; only its score affects the result.
        scores : ndarray of shape (m + 1,)
            Scores of the population, followed by the score of the child.

        Returns
        -------
        int
            Position of the replaced individual; the last position means that the child itself is removed.
        """
        scores = as_numbers("scores", scores, 1)
        check_at_least(1, scores=len(scores))
        return int(np.argmin(scores))
