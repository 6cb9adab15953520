"""Novelty and surprise coupled: reward what is far from what was seen and from what was expected."""

import numpy as np

from divergent.neighbours.index import Distance
from divergent.selection._validation import check_clusters
from divergent.selection.blend import Blend
from divergent.selection.novelty import Novelty
from divergent.selection.surprise import Surprise
from divergent.validation import brief, is_finite


class ShowsSurprise:
    """What a part named `surprise` remembers, to be seen on the whole.

    Attributes
    ----------
    surprise : Surprise
        The part.
    """

    surprise: Surprise

    @property
    def centroids(self) -> list[np.ndarray]:
        """Of the last generations learnt from."""
        return self.surprise.centroids

    @property
    def predictions(self) -> np.ndarray | None:
        """What is expected of the next generation."""
        return self.surprise.predictions

    @property
    def occupied(self) -> np.ndarray | None:
        """Which clusters somebody belonged to in the generation learnt from last."""
        return self.surprise.occupied


class NoveltyAndSurprise(ShowsSurprise, Blend):
    """A weighted sum of novelty and surprise, both as plain distances (NSS).

    The score is ``weight * novelty + (1 - weight) * surprise``. Like surprise, it needs parents that survive, and in
    the steady-state loop it learns from all who were born in a generation, so that novelty's archive is of these, too.
    For other settings of the parts than those below, put them together yourself:
    ``Blend({Novelty(...): 0.5, Surprise(...): 0.5}, scaled=False)``.

    Parameters
    ----------
    weight
        The share of novelty in the score, from 0 (surprise alone) to 1 (novelty alone).
    neighbours
        How many nearest behaviours novelty is averaged over.
    threshold
        As for `Novelty`: how far from its archive a behaviour must be to join it, at the start.
    clusters
        As for `Surprise`: local behaviours to predict from.
    nearest_predictions
        How many nearest predictions surprise is averaged over.
    distance
        "euclidean", another metric of `scipy.spatial.distance.cdist`, or a callable of two vectors, for both.
    rng
        A `numpy.random.Generator`; None for a fresh one.

    Attributes
    ----------
    novelty, surprise : Novelty, Surprise
        The two parts.
    archive, threshold
        Novelty's.
    centroids, predictions, occupied
        Surprise's.

    References
    ----------
    D. Gravina, A. Liapis and G. N. Yannakakis, "Coupling Novelty and Surprise for Evolutionary Divergence", GECCO 2017.

    Examples
    --------
    A population that moved from 0 to 1 is expected at 2. Who is at 5 is novel by 2, the distance to the one at 7, and
    surprising by 3:

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
            raise ValueError(f"weight must be from 0 to 1, got {brief(weight)}")
        check_clusters(clusters, nearest_predictions, "nearest_predictions")
        self.novelty = Novelty(neighbours=neighbours, threshold=threshold, distance=distance, rng=rng)
        shared = self.novelty.rng
        self.surprise = Surprise(clusters=clusters, neighbours=nearest_predictions, distance=distance, rng=shared)
        super().__init__({self.novelty: weight, self.surprise: 1 - weight}, scaled=False)
        self.rng = shared

    @property
    def archive(self) -> np.ndarray:
        """Behaviours of the past that novelty compares with."""
        return self.novelty.archive

    @property
    def threshold(self) -> float | None:
        """How far from the archive a behaviour must be to join it now."""
        return self.novelty.threshold
