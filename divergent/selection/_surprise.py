"""Surprise search."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from divergent.individual import Outcomes
from divergent.neighbours._index import Distance, check_compares_magnitudes
from divergent.neighbours._kmeans import Clustering, kmeans
from divergent.neighbours._scaling import Scale, scaled
from divergent.selection._deviations import DEVIATIONS, Deviation, Heatmap, Nearest
from divergent.selection._partitions import (
    MOST_CLUSTERS,
    Bounds,
    ClusterPartition,
    GroupPartition,
    LineagePartition,
    Partition,
    PartitionSummary,
)
from divergent.selection._predictors import PREDICTORS, Predictor, linear
from divergent.selection._strategy import Strategy
from divergent.selection._validation import check_clusters, check_outcomes, check_rows, choose
from divergent.validation import brief, check_at_least

PARTITIONS = ("clusters", "lineage")


class Surprise(Strategy):
    """Surprise search: mean distance to the nearest predicted behaviours.

    Cluster centroids summarise a population; each cluster continues a cluster of the previous generation. A predictor
    extrapolates each centroid by one generation. Behaviours far from all predictions are surprising. Predictions exist
    after two generations, or after one generation if the predictor is "persistence". Scores are uniform random numbers
    until predictions exist. An empty cluster keeps its centroid and its prediction; by default, scores still use this
    prediction.

    In mazes, use the steady-state loop. If offspring replace all parents, or if parents and offspring compete by score,
    surprise search solves far fewer mazes. In the steady-state loop, surprise search is updated from the offspring of
    the generation.

    Parameters
    ----------
    clusters : int or None, default=None
        Number of clusters whose centroids are predicted, from 1 to the size of the population. None means 200 clusters,
        but at most four fifths of the size of the first population.
    neighbours : int, default=2
        Number of nearest predictions, k, over which distances are averaged.
    history : int, default=2
        Number of past generations that the predictor uses. While fewer generations exist, the predictor uses the
        available generations.
    predictor : str or callable, default=linear
        Model that predicts the next centroids. Pass a name in `PREDICTORS`, or a function that takes centroids (h, k,
        d) and returns predictions (k, d). A function whose attribute `draws` is True receives `rng` as second argument.
    clustering : callable, default=kmeans
        Function that takes behaviours (m, d) and initial centroids (k, d), and returns centroids (k, d) and labels
        (m,). The initial centroids come from the previous generation, or from k-means++ in the first generation.
    deviation : str or callable, default="nearest"
        Deviation of a behaviour from the predictions. The deviation "nearest" is the mean distance to the nearest
        predictions; "heatmap" is a `Heatmap`, which needs `bounds`. A custom deviation is a function that takes
        behaviours (m, d) and predictions (k, d), and returns scores (m,). If a custom deviation has an attribute
        `partition`, its partition of behaviours replaces clusters.
    bounds : sequence or None, default=None
        Lower and upper bounds of behaviours, ``((x, y), (x, y))``; required if `deviation` is "heatmap". Pass a
        `Heatmap` as `deviation` to choose the number of grid cells.
    distance : str or callable, default="euclidean"
        Distance metric: euclidean, or another metric of `scipy.spatial.distance.cdist`. A function of two vectors is
        also accepted. The default clustering always uses Euclidean distance.
    groups : callable or None, default=None
        Function that takes the outcomes and returns one integer group label per outcome, such as the number of a
        species. A group must keep its label over generations. If `groups` is not None, mean behaviours of groups
        replace cluster centroids. At most `clusters` groups are tracked; a new group replaces the group that has been
        empty for the longest time.
    partition : {"clusters", "lineage"} or None, default=None
        Source of predictions: clusters of behaviours, or the lineage of each individual. If "lineage", the behaviour of
        each individual's child is predicted from the individual and its ancestors (first parents). Lineages do not use
        `clusters`; there is one prediction for each individual with known ancestors. None means "clusters", unless
        `groups` or `deviation` define the partition.
    scale : {"none", "range", "std"}, default="none"
        Scaling of behaviour dimensions: none, range or std. The options "range" and "std" divide each dimension by its
        range or standard deviation over all generations so far.
    archived : int, default=0
        Number of the most surprising behaviours added to the archive per generation. Archived behaviours are clustered
        together with every later population.
    archive_size : int, default=250
        Maximum size of the archive. If the archive is full, the oldest behaviours are removed.
    keep_empty_clusters : bool, default=True
        Whether scores use the predictions of empty clusters.
    rng : numpy.random.Generator or None, default=None
        Source of random numbers. None creates an unseeded generator.

    Attributes
    ----------
    centroids : list of ndarray of shape (k, d)
        Centroids of at most `history` generations, oldest generation first.
    predictions : ndarray of shape (k, d) or None
        Predicted centroids of the next generation.
    partition : ClusterPartition, GroupPartition, LineagePartition or GridPartition
        Division of a generation into clusters, groups, lineages or grid cells.
    occupied : ndarray of shape (k,) or None
        Boolean mask of clusters that had members in the last update.
    archive : ndarray of shape (a, d)
        Archived behaviours, oldest first.

    See Also
    --------
    Novelty : Novelty search.
    SurpriseNoPrediction : Baseline without predictions.
    SurpriseRandom : Baseline with random predictions.

    References
    ----------
    D. Gravina, A. Liapis and G. N. Yannakakis, "Surprise Search for Evolutionary Divergence", 2017.

    Examples
    --------
    A population that moved from (0, 0) to (1, 2) is predicted to move to (2, 4):

    >>> from divergent.individual import Outcomes
    >>> surprise = Surprise(clusters=1, neighbours=1)
    >>> surprise.learn(Outcomes(np.zeros(2), np.array([[0.0, -1.0], [0.0, 1.0]])))
    >>> surprise.learn(Outcomes(np.zeros(2), np.array([[1.0, 1.0], [1.0, 3.0]])))
    >>> surprise.predictions
    array([[2., 4.]])
    >>> surprise.score(Outcomes(np.zeros(2), np.array([[2.0, 4.0], [5.0, 8.0]])))
    array([0., 5.])
    """

    memory = ("centroids", "predictions", "occupied", "partition", "scale", "archive")
    learns_from = "offspring"

    def __init__(
        self,
        *,
        clusters: int | None = None,
        neighbours: int = 2,
        history: int = 2,
        predictor: str | Predictor = linear,
        clustering: Clustering = kmeans,
        deviation: str | Deviation = "nearest",
        bounds: Bounds | None = None,
        distance: Distance = "euclidean",
        groups: Callable[[Outcomes], Sequence[int]] | None = None,
        partition: str | None = None,
        scale: str = "none",
        archived: int = 0,
        archive_size: int = 250,
        keep_empty_clusters: bool = True,
        rng: np.random.Generator | None = None,
    ):
        super().__init__(rng=rng)
        check_clusters(clusters, neighbours)
        check_at_least(0, archived=archived)
        check_at_least(1, archive_size=archive_size)
        self.clusters = clusters
        self.neighbours = neighbours
        self.history = history
        self.predictor = choose("predictor", predictor, PREDICTORS)
        needed = getattr(self.predictor, "history", 2)
        check_at_least(min(2, needed), history=history)
        if history < needed:
            raise ValueError(
                f"history must be at least the number of generations that the predictor uses, {needed} for "
                f"{self.predictor!r}, got {history}; increase history"
            )
        self.deviation = _make_deviation(deviation, neighbours, distance, bounds)
        if isinstance(self.deviation, Nearest) and (clustering is kmeans or groups is not None):
            check_compares_magnitudes(self.deviation.distance, "predictions")
        self.partition = self._make_partition(partition, clustering, groups)
        if isinstance(self.partition, LineagePartition):
            self.ancestors = history - 1
        if archived and not isinstance(self.partition, ClusterPartition):
            raise ValueError(
                f"archived must be 0 if there are no clusters, got {archived}; "
                "use clusters instead of groups, lineages or a heatmap"
            )
        self.scale = Scale(scale)
        if scale != "none" and hasattr(self.deviation, "partition"):
            raise ValueError(
                f"scale must be 'none' if deviation is {self.deviation!r}, which uses no distances, got {scale}"
            )
        self.archived = archived
        self.archive_size = archive_size
        self.keep_empty_clusters = keep_empty_clusters
        self.centroids: list[np.ndarray] = []
        self.predictions: np.ndarray | None = None
        self.occupied: np.ndarray | None = None
        self.archive = np.empty((0, 0))
        self._scaled_predictions: tuple[Any, ...] = ()  # cached scaled predictions and their source arrays

    def _make_partition(
        self, name: str | None, clustering: Clustering, groups: Callable[[Outcomes], Sequence[int]] | None
    ) -> Partition:
        """Return the partition that the arguments define; raise an error if the arguments contradict each other."""
        if name not in (None, *PARTITIONS):
            raise ValueError(
                f"partition must be None or the name of a partition, one of {', '.join(PARTITIONS)}, got {brief(name)}"
            )
        chosen = getattr(self.deviation, "partition", None)
        if name is not None and (chosen is not None or groups is not None):
            raise ValueError(f"partition must be None because groups or a heatmap define the partition, got {name!r}")
        if chosen is not None:
            return chosen
        if name == "lineage":
            if self.clusters is not None:
                raise ValueError(f"clusters must be None if partition is 'lineage', got {self.clusters}")
            return LineagePartition(self.history)
        if groups is not None:
            return GroupPartition(groups, self.clusters or MOST_CLUSTERS)
        return ClusterPartition(self.clusters, clustering)

    def score(self, outcomes: Outcomes, among: Outcomes | None = None) -> np.ndarray:
        check_outcomes(outcomes)
        if self.predictions is None:
            return self.rng.random(len(outcomes.fitness))
        scores = self.deviation(scaled(outcomes.behaviours, self.scale.factors()), self._counted_predictions())
        if type(scores) is not np.ndarray or scores.shape != (len(outcomes.fitness),):
            raise ValueError(
                f"deviation must return one score for each of the {len(outcomes.fitness)} behaviours, "
                f"got {brief(scores)}"
            )
        return scores

    def learn(self, outcomes: Outcomes) -> None:
        check_outcomes(outcomes)
        before = self.centroids[-1] if self.centroids else None
        behaviours = self.partition.check(outcomes.behaviours, before)
        self.watch_drift(behaviours)
        surprising = self._most_surprising(outcomes)
        self.scale.learn(behaviours)
        if isinstance(self.partition, LineagePartition):
            self._update_lineages(self.partition.tracks(outcomes, min(2, getattr(self.predictor, "history", 2))))
            return
        seen = Outcomes(outcomes.fitness, np.vstack([behaviours, self.archive]) if len(self.archive) else behaviours)
        self._update_tracks(self.partition.summarise(seen, before, self.scale.factors(), self.rng))
        if len(surprising):
            self.archive = np.vstack([self.archive.reshape(-1, behaviours.shape[1]), surprising])[-self.archive_size :]

    def predict(self) -> np.ndarray:
        """Predict the centroids of the next generation.

        Returns
        -------
        ndarray of shape (k, d)
            One prediction per cluster.

        Raises
        ------
        TypeError
            If the predictor does not return numbers.
        ValueError
            If predictions have a wrong shape or are not finite.
        """
        return self._predict(np.stack(self.centroids))

    def _predict(self, tracks: np.ndarray) -> np.ndarray:
        """Predict the next centroids from past centroids, `tracks`; raise an error if the predictions are invalid."""
        draws = getattr(self.predictor, "draws", False)
        predictions = self.predictor(tracks, self.rng) if draws else self.predictor(tracks)
        try:
            predictions = np.asarray(predictions, dtype=float)
        except (TypeError, ValueError):
            raise TypeError(
                f"predictor must return an array of numbers, got {brief(predictions)} from {self.predictor!r}"
            ) from None
        if predictions.shape != tracks.shape[1:]:
            raise ValueError(
                f"predictor must return an array with one prediction per centroid, got shape {predictions.shape} "
                f"for past centroids of shape {tracks.shape}; correct the predictor {self.predictor!r}"
            )
        if not np.isfinite(predictions).all():
            raise ValueError(f"predictor must return finite numbers, got nan or infinity from {self.predictor!r}")
        return predictions

    def check_memory(self) -> None:
        if not isinstance(self.centroids, list) or len(self.centroids) > self.history:
            raise ValueError(
                f"centroids must be a list with one array per generation, at most {self.history} arrays, "
                f"got {brief(self.centroids)}"
            )
        arrays = [check_rows("centroids", centroids) for centroids in self.centroids]
        if self.predictions is not None:
            arrays.append(check_rows("predictions", self.predictions))
        shapes = {array.shape for array in arrays}
        if len(shapes) > 1 or (self.predictions is not None and not self.centroids):
            raise ValueError(f"centroids and predictions must have equal shapes, got {sorted(shapes)}")
        shape = arrays[0].shape if arrays else None
        width = shape[1] if shape else None
        self._check_occupied(shape)
        if arrays:
            self.partition.check_memory(arrays[0])
        if isinstance(self.partition, ClusterPartition):
            check_rows("archive", self.archive, width)
            self.scale.check_width(width)
        elif not isinstance(self.archive, np.ndarray) or len(self.archive):
            raise ValueError(f"archive must be empty if there are no clusters, got {brief(self.archive)}")
        self._scaled_predictions = ()

    def _check_occupied(self, shape: tuple[int, ...] | None) -> None:
        """Raise a ValueError unless `occupied` has one boolean per cluster, or is None if there are no centroids."""
        if shape is None:
            if self.occupied is not None:
                raise ValueError(f"occupied must be None if there are no centroids, got {brief(self.occupied)}")
        elif (
            not isinstance(self.occupied, np.ndarray) or self.occupied.dtype != bool or self.occupied.shape != shape[:1]
        ):
            raise ValueError(
                f"occupied must contain one boolean for each of the {shape[0]} clusters, got {brief(self.occupied)}"
            )

    def _update_tracks(self, summary: PartitionSummary) -> None:
        """Append the centroids of a generation and predict the next centroids."""
        self.centroids = [*map(summary.align, self.centroids), summary.centroids][-self.history :]
        if self.predictions is not None:
            self.predictions = summary.align(self.predictions)
        self.occupied = summary.occupied
        if len(self.centroids) >= min(2, getattr(self.predictor, "history", 2)):
            predictions = self.predict()
            before = self.centroids[-1] if self.predictions is None else self.predictions
            self.predictions = np.where(self.occupied[:, None], predictions, before)

    def _update_lineages(self, tracks: list[np.ndarray]) -> None:
        """Predict the next behaviour of each lineage; keep the earlier predictions if no lineage is long enough."""
        if not tracks:
            return
        self.predictions = np.vstack([self._predict(track) for track in tracks])
        steps = min(len(track) for track in tracks)
        self.centroids = [np.vstack([track[step] for track in tracks]) for step in range(-steps, 0)]
        self.occupied = np.ones(len(self.predictions), dtype=bool)

    def _most_surprising(self, outcomes: Outcomes) -> np.ndarray:
        """Return copies of the most surprising behaviours, to be added to the archive."""
        if not self.archived or self.predictions is None:
            return np.empty((0, 0))
        first = np.argsort(-self.score(outcomes), kind="stable")[: self.archived]
        return np.array(outcomes.behaviours[first], dtype=float)

    def _counted_predictions(self) -> np.ndarray:
        """Return the scaled predictions that scores use, from a cache that is renewed after each update."""
        assert self.predictions is not None
        factors = self.scale.factors()
        if self.keep_empty_clusters and factors is None:
            return self.predictions
        sources = [self.predictions, self.occupied, factors]
        if not self._scaled_predictions or any(
            new is not old for new, old in zip(sources, self._scaled_predictions[0], strict=True)
        ):
            counted = self.predictions if self.keep_empty_clusters else self.predictions[self.occupied]
            self._scaled_predictions = sources, scaled(counted, factors)
        return self._scaled_predictions[1]


def _make_deviation(
    deviation: str | Deviation, neighbours: int, distance: Distance, bounds: Bounds | None
) -> Deviation:
    """Return the deviation that a name denotes, or a custom deviation unchanged."""
    chosen = choose("deviation", deviation, DEVIATIONS)
    if chosen is Nearest:
        return Nearest(neighbours, distance)
    return Heatmap(bounds) if chosen is Heatmap else chosen
