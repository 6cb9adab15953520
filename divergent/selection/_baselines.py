"""Baseline strategies: surprise search without predictions or with random predictions, and random search."""

import numpy as np

from divergent.individual import Outcomes
from divergent.neighbours._index import Distance, check_compares_magnitudes
from divergent.neighbours._kmeans import Clustering, kmeans
from divergent.selection._deviations import Nearest
from divergent.selection._partitions import Bounds, read_bounds
from divergent.selection._strategy import Strategy
from divergent.selection._surprise import Surprise
from divergent.selection._validation import check_clusters, check_outcomes, check_rows
from divergent.validation import check_at_least

MOST_POINTS = 1_000_000


class SurpriseNoPrediction(Surprise):
    """Surprise search without predictions (SSnp): mean distance to the nearest cluster centroids.

    Each generation is clustered before its individuals are scored. Scores are random until `learn` or
    `score_generation` is called.

    Parameters
    ----------
    clusters : int or None, default=None
        Number of clusters. None means 200 clusters, or four fifths of the size of the first population if that is
        smaller.
    neighbours : int, default=2
        Number of nearest centroids, k, over which distances are averaged.
    clustering : callable, default=kmeans
        Function that takes behaviours (m, d) and initial centroids (k, d), and returns centroids (k, d) and labels
        (m,).
    distance : str or callable, default="euclidean"
        Distance metric: euclidean, or another metric of `scipy.spatial.distance.cdist`. A function of two vectors is
        also accepted.
    scale : {"none", "range", "std"}, default="none"
        Scaling of behaviour dimensions before distances are computed. See `Surprise`.
    keep_empty_clusters : bool, default=True
        Whether scores use the centroids of empty clusters; such centroids keep their positions.
    rng : numpy.random.Generator or None, default=None
        Source of random numbers. None creates an unseeded generator.

    See Also
    --------
    Surprise : Surprise search with predictions.
    SurpriseRandom : Distance to random points.

    References
    ----------
    D. Gravina, A. Liapis and G. N. Yannakakis, "Surprise Search for Evolutionary Divergence", 2017.

    Examples
    --------
    >>> from divergent.individual import Outcomes
    >>> strategy = SurpriseNoPrediction(clusters=1, neighbours=1)
    >>> strategy.score_generation(Outcomes(np.zeros(2), np.array([[0.0, 0.0], [6.0, 8.0]])))
    array([5., 5.])
    """

    def __init__(
        self,
        *,
        clusters: int | None = None,
        neighbours: int = 2,
        clustering: Clustering = kmeans,
        distance: Distance = "euclidean",
        scale: str = "none",
        keep_empty_clusters: bool = True,
        rng: np.random.Generator | None = None,
    ):
        super().__init__(
            clusters=clusters,
            neighbours=neighbours,
            clustering=clustering,
            distance=distance,
            scale=scale,
            keep_empty_clusters=keep_empty_clusters,
            rng=rng,
        )

    def learn(self, outcomes: Outcomes) -> None:
        super().learn(outcomes)
        self.centroids = self.centroids[-1:]
        self.predictions = self.centroids[0]

    def score_generation(self, outcomes: Outcomes) -> np.ndarray:
        self.learn(outcomes)
        return self.score(outcomes)


class SurpriseRandom(Strategy):
    """Surprise search with random predictions (SSr): mean distance to the nearest of many uniformly random points.

    Each call of `learn` redraws the random points.

    Parameters
    ----------
    clusters : int, default=200
        Number of random points.
    neighbours : int, default=2
        Number of nearest random points, k, over which distances are averaged.
    bounds : sequence
        Lower and upper bounds of the random points, ``((x, y), (x, y))`` or ``(x, y, x, y)``.
    distance : str or callable, default="euclidean"
        Distance metric: euclidean, or another metric of `scipy.spatial.distance.cdist`. A function of two vectors is
        also accepted.
    rng : numpy.random.Generator or None, default=None
        Source of random numbers. None creates an unseeded generator.

    Attributes
    ----------
    predictions : ndarray of shape (k, d)
        The random points.

    See Also
    --------
    Surprise : Surprise search with predictions.
    SurpriseNoPrediction : Distance to the centroids of the current generation.

    References
    ----------
    D. Gravina, A. Liapis and G. N. Yannakakis, "Surprise Search for Evolutionary Divergence", 2017.

    Examples
    --------
    >>> strategy = SurpriseRandom(clusters=5, bounds=((0, 0), (200, 100)))
    >>> strategy.predictions.shape, bool((strategy.predictions <= (200, 100)).all())
    ((5, 2), True)
    """

    memory = ("predictions",)

    def __init__(
        self,
        *,
        clusters: int = 200,
        neighbours: int = 2,
        bounds: Bounds | None = None,
        distance: Distance = "euclidean",
        rng: np.random.Generator | None = None,
    ):
        super().__init__(rng=rng)
        check_at_least(1, clusters=clusters)
        check_clusters(clusters, neighbours)
        if clusters > MOST_POINTS:
            raise ValueError(f"clusters, the number of random points, must be at most {MOST_POINTS:,}, got {clusters}")
        self.clusters = clusters
        self.neighbours = neighbours
        self.low, self.high = read_bounds(bounds, "SurpriseRandom draws its points within them")
        check_compares_magnitudes(distance, "random points")
        self.deviation = Nearest(neighbours, distance)
        self.predictions = self._draw()

    def score(self, outcomes: Outcomes, among: Outcomes | None = None) -> np.ndarray:
        check_outcomes(outcomes)
        return self.deviation(outcomes.behaviours, self.predictions)

    def learn(self, outcomes: Outcomes) -> None:
        check_outcomes(outcomes)
        self.watch_drift(outcomes.behaviours)
        self.predictions = self._draw()

    def check_memory(self) -> None:
        check_rows("predictions", self.predictions, len(self.low))

    def _draw(self) -> np.ndarray:
        """Draw the random points."""
        return self.rng.uniform(self.low, self.high, (self.clusters, len(self.low)))


class Random(Strategy):
    """Random search: each call of `score` draws uniform random numbers as scores.

    Parameters
    ----------
    rng : numpy.random.Generator or None, default=None
        Source of random numbers. None creates an unseeded generator.

    Examples
    --------
    >>> from divergent.individual import Outcomes
    >>> Random(rng=np.random.default_rng(1)).score(Outcomes(np.zeros(2), np.empty((2, 0)))).round(2)
    array([0.51, 0.95])
    """

    def score(self, outcomes: Outcomes, among: Outcomes | None = None) -> np.ndarray:
        check_outcomes(outcomes, objects=True)
        return self.rng.random(len(outcomes.fitness))
