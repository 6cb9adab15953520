"""Baselines: surprise with its predictions taken away, and chance."""

import numpy as np

from divergent.neighbours._kmeans import Clustering, kmeans
from divergent.neighbours.index import Distance, check_compares_magnitudes
from divergent.selection._validation import check_clusters, check_outcomes, check_rows
from divergent.selection.deviations import Nearest
from divergent.selection.partitions import Bounds, read_bounds
from divergent.selection.strategy import Strategy
from divergent.selection.surprise import Surprise
from divergent.validation import check_at_least

MOST_POINTS = 1_000_000


class SurpriseNoPrediction(Surprise):
    """Mean distance to the nearest centroids of the current generation (SSnp).

    It learns first and then scores, its points being the generation's own. Until it has learnt, scores are random.

    Parameters
    ----------
    clusters, neighbours, clustering, distance, scale, rng
        As for `Surprise`.
    stale
        Whether centroids of clusters that nobody belongs to any more count; they stay where they were.

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

    def learn(self, outcomes):
        super().learn(outcomes)
        self.centroids = self.centroids[-1:]
        self.predictions = self.centroids[0]

    def score_generation(self, outcomes):
        self.learn(outcomes)
        return self.score(outcomes)


class SurpriseRandom(Strategy):
    """Mean distance to the nearest of random points, drawn anew whenever it learns (SSr).

    Parameters
    ----------
    clusters
        How many points there are.
    neighbours
        How many nearest points the distance is averaged over.
    bounds
        Lows and highs of the box the points are drawn in, ``((x, y), (x, y))``, or as four numbers ``(x, y, x, y)``.
    distance
        "euclidean", another metric of `scipy.spatial.distance.cdist`, or a callable of two vectors.
    rng
        A `numpy.random.Generator`; None for a fresh one.

    Attributes
    ----------
    predictions : ndarray of shape (k, d)
        The points.

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
            raise ValueError(f"clusters must be at most {MOST_POINTS:,} random points, got {clusters}")
        self.clusters = clusters
        self.neighbours = neighbours
        self.low, self.high = read_bounds(bounds, "SurpriseRandom draws its points in them")
        check_compares_magnitudes(distance, "random points")
        self.deviation = Nearest(neighbours, distance)
        self.predictions = self._draw()

    def score(self, outcomes, among=None):
        check_outcomes(outcomes)
        return self.deviation(outcomes.behaviours, self.predictions)

    def learn(self, outcomes):
        check_outcomes(outcomes)
        self.watch_drift(outcomes.behaviours)
        self.predictions = self._draw()

    def check_memory(self):
        check_rows("predictions", self.predictions, len(self.low))

    def _draw(self):
        return self.rng.uniform(self.low, self.high, (self.clusters, len(self.low)))


class Random(Strategy):
    """A uniform random number, drawn anew at every scoring.

    Examples
    --------
    >>> from divergent.individual import Outcomes
    >>> Random(rng=np.random.default_rng(1)).score(Outcomes(np.zeros(2), np.empty((2, 0)))).round(2)
    array([0.51, 0.95])
    """

    def score(self, outcomes, among=None):
        check_outcomes(outcomes)
        return self.rng.random(len(outcomes.fitness))
