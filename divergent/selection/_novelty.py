"""Novelty search."""

from typing import Any

import numpy as np

from divergent._behaviours import join_behaviours
from divergent.individual import Outcomes
from divergent.neighbours._cached_distance import cached
from divergent.neighbours._index import Distance, NeighbourIndex, check_compares_magnitudes, check_distance
from divergent.neighbours._kmeans import kmeans
from divergent.neighbours._scaling import Scale, scaled
from divergent.neighbours._validation import check_behaviours, check_objects
from divergent.selection._partitions import ClusterPartition
from divergent.selection._strategy import Strategy
from divergent.selection._validation import check_outcomes, check_rows
from divergent.validation import brief, check_at_least, is_finite

ARCHIVING = ("threshold", "fixed", "random", "novel", "none")
REFERENCES = ("both", "archive", "population")
# Ratio of the initial archive threshold to the dispersion of the behaviours in the population.
# A ratio of 1/6 gives initial archive thresholds from 3 to 8 in mazes; Lehman and Stanley use a threshold of 6.
DISPERSION_TO_THRESHOLD = 1 / 6
THRESHOLD_TO_FLOOR = 1 / 24  # lower limit of the archive threshold, as a fraction of its initial value


class Novelty(Strategy):
    """Novelty search: mean distance to the k-nearest neighbours.

    The score is the sparseness of behaviour space around an individual. Neighbours are taken from the population, from
    the archive, or from both (see `reference`). An individual is not its own neighbour. Other individuals and archived
    behaviours at distance 0 count as neighbours. If there are fewer than `neighbours` other behaviours, the mean is
    over all other behaviours.

    Parameters
    ----------
    neighbours : int, default=15
        Number of nearest neighbours, k, over which distances are averaged.
    threshold : float or None, default=None
        Initial archive threshold: a behaviour is archived if its distance to all archived behaviours exceeds the
        threshold. Applies only to the archiving rule "threshold". If None, the threshold is a sixth of the dispersion
        of the first population whose behaviours are not all equal. The dispersion is the root mean square distance from
        the mean behaviour. If behaviours are not vectors, the dispersion is the root mean square distance of all pairs,
        divided by the square root of 2. Both definitions of dispersion agree for Euclidean distance.
    archiving : {"threshold", "fixed", "random", "novel", "none"}, default="threshold"
        Rule by which behaviours are added to the archive. The rule "threshold" goes through the behaviours in order and
        adds each behaviour whose distance to all archived behaviours exceeds the threshold. If a generation adds more
        than 4 behaviours, the threshold rises by a fifth. After ten generations without additions, the threshold falls
        by a twentieth, but not below a 24th of its initial value. The rule "random" adds `archived` random behaviours.
        The rule "fixed" also adds `archived` random behaviours, and removes the oldest behaviours beyond
        `archive_size`. The rule "novel" adds the `archived` most novel behaviours; ties are broken by index. The rule
        "none" keeps the archive empty.
    archived : int, default=6
        Number of behaviours added to the archive per generation. Applies only to the archiving rules "random", "fixed"
        and "novel".
    archive_size : int, default=1000
        Maximum size of the archive. Applies only to the archiving rule "fixed".
    clusters : int or None, default=None
        Number of k-means clusters. If set, the centroids of the last update replace the individuals of the population
        as neighbours. `score_generation` uses the centroids of the generation that it scores. If None, distances to the
        individuals of the population are used.
    reference : {"both", "archive", "population"}, default="both"
        Reference set that neighbours are taken from. If "archive", scores ignore the population; while the archive is
        empty, scores are uniform random numbers. If "population", behaviours are archived, but scores ignore the
        archive.
    distance : str or callable, default="euclidean"
        Distance metric: euclidean, or another metric of `scipy.spatial.distance.cdist`. A symmetric function of two
        behaviours is also accepted; behaviours may then be strings, sets, sequences of different lengths or other
        objects. Distances between individuals that stay in the population are cached, see
        `divergent.neighbours.CachedDistance`.
    scale : {"none", "range", "std"}, default="none"
        Scaling of behaviour dimensions: none, range or std. The options "range" and "std" divide each dimension by its
        range or standard deviation over all generations so far. The archive threshold applies to distances between
        scaled behaviours.
    rng : numpy.random.Generator or None, default=None
        Source of random numbers. None creates an unseeded generator.

    Attributes
    ----------
    threshold : float or None
        Current archive threshold.
    archive : ndarray of shape (a, d), or (a,) of objects
        Archived behaviours, oldest first.
    centroids : ndarray of shape (clusters, d) or None
        Centroids of the last update; None before the first update or if `clusters` is None.

    See Also
    --------
    Surprise : Surprise search.
    NoveltyAndSurprise : Weighted sum of novelty and surprise.

    References
    ----------
    J. Lehman and K. O. Stanley, "Abandoning objectives", Evolutionary Computation 19(2), 2011.

    Examples
    --------
    >>> from divergent.individual import Outcomes
    >>> novelty = Novelty(neighbours=2, threshold=6.0)
    >>> outcomes = Outcomes(np.zeros(3), np.array([[0.0, 0.0], [3.0, 4.0], [30.0, 40.0]]))
    >>> novelty.score(outcomes).tolist()
    [27.5, 25.0, 47.5]

    A behaviour is archived if its distance to all archived behaviours exceeds the threshold:

    >>> novelty.learn(outcomes)
    >>> novelty.archive.tolist()     # (3, 4) is within the threshold of 6
    [[0.0, 0.0], [30.0, 40.0]]

    Behaviours can be sets, such as visited rooms; here the distance is the size of the symmetric difference:

    >>> novelty = Novelty(neighbours=1, distance=lambda first, second: len(first ^ second))
    >>> rooms = np.array([{"hall"}, {"hall", "bath"}, {"roof"}], dtype=object)
    >>> novelty.score(Outcomes(np.zeros(3), rooms))
    array([1., 1., 2.])
    """

    memory: tuple[str, ...] = ("archive", "threshold", "floor", "idle", "centroids", "scale")

    def __init__(
        self,
        *,
        neighbours: int = 15,
        threshold: float | None = None,
        archiving: str = "threshold",
        archived: int = 6,
        archive_size: int = 1000,
        clusters: int | None = None,
        reference: str = "both",
        distance: Distance = "euclidean",
        scale: str = "none",
        rng: np.random.Generator | None = None,
    ):
        super().__init__(rng=rng)
        check_at_least(1, neighbours=neighbours, archived=archived, archive_size=archive_size)
        if threshold is not None and not (is_finite(threshold) and threshold > 0):
            raise ValueError(f"threshold must be a finite number above 0, got {brief(threshold)}")
        if archiving not in ARCHIVING:
            raise ValueError(f"unknown archiving rule {archiving!r}; choose from {', '.join(ARCHIVING)}")
        if clusters is not None:
            check_at_least(1, clusters=clusters)
            check_compares_magnitudes(distance, "centroids")
        _check_reference(reference, archiving, clusters)
        self.neighbours = neighbours
        self.archiving = archiving
        self.archived = archived
        self.archive_size = archive_size
        self.clusters = clusters
        self.reference = reference
        self.distance = check_distance(distance)
        self._metric = cached(distance)
        self.scale = Scale(scale)
        self.archive = np.empty((0, 0))
        self.threshold: float | None = None
        self.floor: float | None = None
        if threshold is not None:
            self._set_initial_threshold(float(threshold))
        self.idle = 0  # number of consecutive generations without additions to the archive
        self.centroids: np.ndarray | None = None
        self._no_archive: NeighbourIndex | None = None  # empty neighbour index, used if `reference` is "population"
        self._index: NeighbourIndex | None = None
        # archive and scale factors from which the neighbour index was built
        self._index_source: tuple[np.ndarray, np.ndarray | None] | None = None

    def score(self, outcomes: Outcomes, among: Outcomes | None = None) -> np.ndarray:
        archive, behaviours, others = self._scaled(outcomes, among)
        if self.reference == "archive" and not len(self.archive):
            return self.rng.random(len(behaviours))
        return self._mean_nearest(archive, behaviours, others)

    def learn(self, outcomes: Outcomes) -> None:
        behaviours = self._check(outcomes)
        self._update_centroids(outcomes, behaviours)
        self._update_archive(behaviours)

    def score_generation(self, outcomes: Outcomes) -> np.ndarray:
        # scores use the centroids of this generation, but not the behaviours that this generation adds to the archive
        behaviours = self._check(outcomes)
        self._update_centroids(outcomes, behaviours)
        scores = self.score(outcomes)
        self._update_archive(behaviours)
        return scores

    def check_memory(self) -> None:
        width = None
        for name in ("archive", "centroids"):
            if getattr(self, name) is not None:
                rows = check_rows(name, getattr(self, name), width, objects=callable(self.distance))
                width = rows.shape[1] if len(rows) and rows.ndim == 2 else width
        self.scale.check_width(width)
        check_at_least(0, idle=self.idle)
        for name in ("threshold", "floor"):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, float) and 0 < value < np.inf):
                raise ValueError(f"the restored attribute {name} must be a finite number above 0, got {value!r}")
        if (self.threshold is None) != (self.floor is None):
            raise ValueError(
                "the restored archive threshold and its lower limit must both be numbers or both be None, "
                f"got {self.threshold} and {self.floor}"
            )

    def _scaled(
        self, outcomes: Outcomes, among: Outcomes | None
    ) -> tuple[NeighbourIndex, np.ndarray, np.ndarray | None]:
        """Return the scaled archive as a neighbour index, and two arrays of scaled behaviours.

        The first array contains the behaviours to score. The second array contains the rest of the population, or the
        cluster centroids if `clusters` is set. The second array is None if the behaviours to score are the whole
        population and there are no centroids.
        """
        for given in (outcomes,) if among is None else (outcomes, among):
            check_outcomes(given, objects=callable(self.distance))
            if given.behaviours.ndim == 1:
                self._check_objects_supported()
        factors = self.scale.factors(outcomes, among)
        others = among.behaviours if self.centroids is None and among is not None else self.centroids
        return (
            self._reference_index(factors),
            scaled(outcomes.behaviours, factors),
            None if others is None else scaled(others, factors),
        )

    def _mean_nearest(self, archive: NeighbourIndex, behaviours: np.ndarray, others: np.ndarray | None) -> np.ndarray:
        """Return the mean distance to the nearest neighbours; pass None as `others` to score a whole population."""
        if self.reference == "archive":
            return archive.mean_nearest(behaviours, self.neighbours)
        if others is None:
            return archive.mean_nearest_of_all(behaviours, self.neighbours)
        return archive.mean_nearest(behaviours, self.neighbours, others)

    def _check(self, outcomes: Outcomes) -> np.ndarray:
        """Validate and return the behaviours of a generation."""
        check_outcomes(outcomes, objects=callable(self.distance))
        if outcomes.behaviours.ndim == 1:
            self._check_objects_supported()
            return check_objects(outcomes.behaviours)
        known = self.archive if len(self.archive) else self.centroids
        any_length = callable(self.distance)
        behaviours = check_behaviours(outcomes.behaviours, None if any_length else known)
        self.watch_drift(behaviours)
        return behaviours

    def _check_objects_supported(self) -> None:
        """Raise a ValueError if the settings do not support behaviours that are not vectors."""
        for name, value, unused in (("clusters", self.clusters, None), ("scale", self.scale.kind, "none")):
            if value != unused:
                raise ValueError(
                    f"the argument {name} must have its default {unused!r} if behaviours are not vectors of equal "
                    f"length, got {value!r}; leave out this argument, because such behaviours have no mean and no range"
                )

    def _update_centroids(self, outcomes: Outcomes, behaviours: np.ndarray) -> None:
        """Cluster a generation, if `clusters` is set."""
        if self.clusters is not None:
            clusters = ClusterPartition(self.clusters, kmeans)
            clusters.check(behaviours, self.centroids)
            factors = self.scale.factors(outcomes)
            self.centroids = clusters.summarise(outcomes, self.centroids, factors, self.rng).centroids

    def _update_archive(self, behaviours: np.ndarray) -> Any:
        """Add behaviours of a generation to the archive and return an index or mask of the added rows."""
        self.scale.learn(behaviours)
        added = self._choose(behaviours)
        additions = behaviours[added]
        if len(additions):
            archive = join_behaviours(self.archive, additions)
            self._set_archive(archive[-self.archive_size :] if self.archiving == "fixed" else archive)
        return added

    def _choose(self, behaviours: np.ndarray) -> Any:
        """Return an index or mask of the behaviours that the archiving rule adds to the archive."""
        if self.archiving == "threshold":
            return self._above_threshold(scaled(behaviours, self.scale.factors()))
        if self.archiving == "none":
            return slice(0)
        if self.archiving == "novel":
            return self._most_novel(behaviours)
        count = min(self.archived, len(behaviours))
        return np.sort(self.rng.choice(len(behaviours), count, replace=False))

    def _most_novel(self, behaviours: np.ndarray) -> np.ndarray:
        """Return the indices of the most novel behaviours, sorted by index."""
        factors = self.scale.factors()
        centroids = None if self.centroids is None else scaled(self.centroids, factors)
        novelty = self._mean_nearest(self._reference_index(factors), scaled(behaviours, factors), centroids)
        return np.sort(np.argsort(-novelty, kind="stable")[: self.archived])

    def _above_threshold(self, behaviours: np.ndarray) -> Any:
        """Return an index or mask of the behaviours that the threshold rule archives, and adapt the threshold."""
        if self.threshold is None:
            dispersion = self._dispersion(behaviours)
            # If all behaviours are equal, the threshold stays undefined; only one behaviour is archived.
            if dispersion == 0:
                return slice(0 if len(self.archive) else 1)
            self._set_initial_threshold(dispersion * DISPERSION_TO_THRESHOLD)
        assert self.threshold is not None
        added = self._archive_index(self.scale.factors()).select_by_threshold(behaviours, self.threshold)
        self.threshold = self._adapted(self.threshold, int(added.sum()))
        return added

    def _dispersion(self, behaviours: np.ndarray) -> float:
        """Return the dispersion of behaviours, as defined for the parameter `threshold` of `Novelty`."""
        if behaviours.ndim == 2:
            return float(np.sqrt(((behaviours - behaviours.mean(axis=0)) ** 2).sum(axis=1).mean()))
        distances = self._metric.between(behaviours, behaviours, exclude_self=True)
        np.fill_diagonal(distances, 0.0)
        return float(np.sqrt((distances**2).mean() / 2))

    def _set_initial_threshold(self, threshold: float) -> None:
        """Set the archive threshold and its lower limit."""
        self.threshold, self.floor = threshold, threshold * THRESHOLD_TO_FLOOR

    def _adapted(self, threshold: float, added: int) -> float:
        """Return the archive threshold, adapted to the number of behaviours that a generation added to the archive."""
        if added > 4:
            threshold *= 1.2
        self.idle = 0 if added else self.idle + 1
        if self.idle == 10:
            assert self.floor is not None
            threshold = max(threshold * 0.95, self.floor)
            self.idle = 0
        return threshold

    def _set_archive(self, archive: np.ndarray) -> None:
        """Replace the archive; extend its neighbour index if the new archive starts with the old archive."""
        if self.scale.factors() is None and self.archiving != "fixed":
            self._index = self._archive_index(None).extended(archive)
            self._index_source = archive, None
        self.archive = archive

    def _reference_index(self, factors: np.ndarray | None) -> NeighbourIndex:
        """Return the neighbour index of the scaled archive, or an empty index if scores do not use the archive."""
        if self.reference != "population":
            return self._archive_index(factors)
        if self._no_archive is None:
            self._no_archive = NeighbourIndex(np.empty((0, 0)), self._metric)
        return self._no_archive

    def _archive_index(self, factors: np.ndarray | None) -> NeighbourIndex:
        """Return the neighbour index of the scaled archive, rebuilt if archive or scale factors have changed."""
        if (
            self._index is None
            or self._index_source is None
            or self._index_source[0] is not self.archive
            or self._index_source[1] is not factors
        ):
            self._index = NeighbourIndex(
                scaled(self.archive, factors) if len(self.archive) else self.archive, self._metric
            )
            self._index_source = self.archive, factors
        return self._index

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_index": None, "_index_source": None, "_no_archive": None}


def _check_reference(reference: str, archiving: str, clusters: int | None) -> None:
    """Raise a ValueError if the reference set is unknown or incompatible with `archiving` or `clusters`."""
    if reference not in REFERENCES:
        raise ValueError(
            f"reference must be the name of a reference set, one of {', '.join(REFERENCES)}, got {brief(reference)}"
        )
    if reference == "archive" and archiving == "none":
        raise ValueError(
            "reference must be 'both' or 'population' if archiving is 'none', got 'archive'; choose an archiving rule"
        )
    if reference == "archive" and clusters is not None:
        raise ValueError("reference must be 'both' or 'population' if clusters are set, got 'archive'; omit clusters")
