"""Weighted sum of novelty and surprise as one strategy."""

import numpy as np

from divergent.neighbours._index import Distance
from divergent.selection._blend import Blend
from divergent.selection._novelty import Novelty
from divergent.selection._surprise import Surprise
from divergent.selection._validation import check_clusters
from divergent.validation import brief, is_finite


class SurpriseProperties:
    """Mixin with properties for the centroids, the predictions and the occupied clusters of surprise search.

    Attributes
    ----------
    surprise : Surprise
        Component strategy that scores surprise.
    """

    surprise: Surprise

    @property
    def centroids(self) -> list[np.ndarray]:
        """Cluster centroids of the past generations that the predictor uses, oldest generation first."""
        return self.surprise.centroids

    @property
    def predictions(self) -> np.ndarray | None:
        """Predicted centroids of the next generation."""
        return self.surprise.predictions

    @property
    def occupied(self) -> np.ndarray | None:
        """Boolean mask of clusters that had members in the last update."""
        return self.surprise.occupied


class NoveltyAndSurprise(SurpriseProperties, Blend):
    """Weighted sum of novelty and surprise, which are both mean distances (NSS).

    The score is ``weight * novelty + (1 - weight) * surprise``. Like surprise search, `NoveltyAndSurprise` needs a loop
    that does not replace all parents in every generation. In the steady-state loop, the novelty archive and the
    surprise predictions are updated from the offspring of the generation. To change other settings of novelty or
    surprise, use ``Blend({Novelty(...): 0.5, Surprise(...): 0.5}, scaled=False)``.

    Parameters
    ----------
    weight : float, default=0.5
        Weight of novelty in the sum, from 0 (surprise only) to 1 (novelty only).
    neighbours : int, default=15
        Number of nearest neighbours, k, over which novelty is averaged.
    threshold : float or None, default=None
        Initial archive threshold of novelty. See `Novelty`.
    clusters : int or None, default=None
        Number of clusters whose centroids are predicted. See `Surprise`.
    nearest_predictions : int, default=2
        Number of nearest predictions over which surprise is averaged.
    distance : str or callable, default="euclidean"
        Distance metric: euclidean, or another metric of `scipy.spatial.distance.cdist`. A function of two vectors is
        also accepted.
    rng : numpy.random.Generator or None, default=None
        Source of random numbers. None creates an unseeded generator.

    Attributes
    ----------
    novelty : Novelty
        Component strategy that scores novelty.
    surprise : Surprise
        Component strategy that scores surprise.

    See Also
    --------
    Blend : Weighted sum of the scores of any strategies.
    CoupledWithCompetition : Two objectives: the sum of novelty and surprise, and local competition.

    References
    ----------
    D. Gravina, A. Liapis and G. N. Yannakakis, "Coupling Novelty and Surprise for Evolutionary Divergence", GECCO 2017.

    Examples
    --------
    A population that moved from 0 to 1 is predicted to move to 2. The individual at 5 has novelty 2 (its distance to
    the individual at 7) and surprise 3:

    >>> from divergent.individual import Outcomes
    >>> both = NoveltyAndSurprise(weight=0.25, neighbours=1, threshold=9.0, clusters=1, nearest_predictions=1)
    >>> both.learn(Outcomes(np.zeros(2), np.array([[0.0], [0.0]])))
    >>> both.learn(Outcomes(np.zeros(2), np.array([[1.0], [1.0]])))
    >>> both.score(Outcomes(np.zeros(2), np.array([[5.0], [7.0]])))
    array([2.75, 4.25])
    """

    def __init__(
        self,
        *,
        weight: float = 0.5,
        neighbours: int = 15,
        threshold: float | None = None,
        clusters: int | None = None,
        nearest_predictions: int = 2,
        distance: Distance = "euclidean",
        rng: np.random.Generator | None = None,
    ):
        if not is_finite(weight) or not 0 <= weight <= 1:
            raise ValueError(f"weight must be a number from 0 to 1, got {brief(weight)}")
        check_clusters(clusters, nearest_predictions, "nearest_predictions")
        self.novelty = Novelty(neighbours=neighbours, threshold=threshold, distance=distance, rng=rng)
        shared = self.novelty.rng
        self.surprise = Surprise(clusters=clusters, neighbours=nearest_predictions, distance=distance, rng=shared)
        super().__init__({self.novelty: weight, self.surprise: 1 - weight}, scaled=False)
        self.rng = shared

    @property
    def archive(self) -> np.ndarray:
        """Behaviours in the novelty archive, oldest first."""
        return self.novelty.archive

    @property
    def threshold(self) -> float | None:
        """Current threshold of the novelty archive."""
        return self.novelty.threshold
