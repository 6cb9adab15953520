"""Novelty search: reward what differs from everything now and in the archive."""

import numpy as np

from divergent.neighbours._kmeans import kmeans
from divergent.neighbours._validation import check_behaviours
from divergent.neighbours.index import Distance, NeighbourIndex, check_compares_magnitudes, check_distance
from divergent.neighbours.scaling import Scale, scaled
from divergent.selection._validation import check_outcomes, check_rows
from divergent.selection.partitions import Clusters
from divergent.selection.strategy import Strategy
from divergent.validation import brief, check_at_least, is_finite

ARCHIVING = ("threshold", "fixed", "random", "none")
SPREAD_TO_THRESHOLD = 1 / 6  # 3 to 8 units for the first populations of the mazes, where 6 is usual
THRESHOLD_TO_FLOOR = 1 / 24  # 0.25 for the usual 6


class Novelty(Strategy):
    """Mean distance to the nearest behaviours, in the population and in the archive.

    Nobody is its own neighbour, but another individual at the same place is one, and so is an archived behaviour,
    whoever it came from. With fewer than `neighbours` others the mean is over all there are.

    Parameters
    ----------
    neighbours
        How many nearest behaviours the distance is averaged over.
    threshold
        How far from the whole archive a behaviour must be to join it under the rule "threshold", at the start. None: a
        sixth of the spread of the first population that has one, the root mean square distance from its mean.
    archiving
        Which behaviours of a generation the archive takes. "threshold": everyone further than `threshold` from all
        that are archived, in order; then more than 4 raise the threshold by a fifth, and 10 generations without any
        lower it by a twentieth, down to a 24th of what it was at the start. "random": `archived` of them, drawn at
        random, for ever. "fixed": the same, but beyond `archive_size` the oldest leave. "none": no archive.
    archived
        How many behaviours join each generation, if they are drawn at random.
    archive_size
        The largest size of a "fixed" archive.
    clusters
        None, or into how many clusters the population is gathered; novelty is then measured among their centroids
        instead of individuals. These are of the generation learnt from last; of the very same one where the strategy is
        called with a whole generation.
    distance
        "euclidean", another metric of `scipy.spatial.distance.cdist`, or a callable of two vectors.
    scale
        "none", or "range" or "std": every number of a behaviour is divided by its range or standard deviation, over all
        that was learnt from, before distances are taken. For behaviours whose numbers are of different sizes; the
        threshold is then of scaled distances.
    rng
        A `numpy.random.Generator`; None for a fresh one.

    Attributes
    ----------
    threshold : float or None
        The threshold now.
    archive : ndarray of shape (a, d)
        Behaviours of the past, the oldest first.
    centroids : ndarray of shape (clusters, d) or None
        Of the generation learnt from last, if there are clusters.

    References
    ----------
    J. Lehman and K. O. Stanley, "Abandoning objectives", Evolutionary Computation 19(2), 2011.

    Examples
    --------
    >>> from divergent.individual import Outcomes
    >>> novelty = Novelty(neighbours=2, threshold=6.0)
    >>> outcomes = Outcomes(np.zeros(3), np.array([[0.0, 0.0], [3.0, 4.0], [30.0, 40.0]]))
    >>> novelty.score(outcomes)
    array([27.5, 25. , 47.5])
    >>> novelty.learn(outcomes)
    >>> novelty.archive.tolist()     # (3, 4) is within the threshold of 6
    [[0.0, 0.0], [30.0, 40.0]]
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
        distance: Distance = "euclidean",
        scale: str = "none",
        rng: np.random.Generator | None = None,
    ):
        super().__init__(rng=rng)
        check_at_least(1, neighbours=neighbours, archived=archived, archive_size=archive_size)
        if threshold is not None and not (is_finite(threshold) and threshold > 0):
            raise ValueError(f"threshold must be a finite number above 0, got {brief(threshold)}")
        if archiving not in ARCHIVING:
            raise ValueError(f"unknown archiving {archiving!r}; choose from {', '.join(ARCHIVING)}")
        if clusters is not None:
            check_at_least(1, clusters=clusters)
            check_compares_magnitudes(distance, "centroids")
        self.neighbours = neighbours
        self.archiving = archiving
        self.archived = archived
        self.archive_size = archive_size
        self.clusters = clusters
        self.distance = check_distance(distance)
        self.scale = Scale(scale)
        self.archive = np.empty((0, 0))
        self.threshold: float | None = None
        self.floor: float | None = None
        if threshold is not None:
            self._begin(float(threshold))
        self.idle = 0  # generations in a row that added nothing
        self.centroids: np.ndarray | None = None
        self._points: NeighbourIndex | None = None
        self._prepared: tuple[np.ndarray, np.ndarray | None] | None = None  # what the points were made of

    def score(self, outcomes, among=None):
        archived, behaviours, others = self._places(outcomes, among)
        if others is None:
            return archived.mean_nearest_of_all(behaviours, self.neighbours)
        return archived.mean_nearest(behaviours, self.neighbours, others)

    def learn(self, outcomes):
        behaviours = self._check(outcomes)
        self._cluster(outcomes, behaviours)
        self._remember(behaviours)

    def score_generation(self, outcomes):
        # the generation's own centroids, but not yet its own additions to the archive
        behaviours = self._check(outcomes)
        self._cluster(outcomes, behaviours)
        scores = self.score(outcomes)
        self._remember(behaviours)
        return scores

    def check_memory(self):
        width = None
        for name in ("archive", "centroids"):
            if getattr(self, name) is not None:
                rows = check_rows(name, getattr(self, name), width)
                width = rows.shape[1] if len(rows) else width
        self.scale.check_width(width)
        check_at_least(0, idle=self.idle)
        for name in ("threshold", "floor"):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, float) and 0 < value < np.inf):
                raise ValueError(f"{name} must be a finite number above 0, got {value!r}")
        if (self.threshold is None) != (self.floor is None):
            raise ValueError(f"threshold and floor begin together, got {self.threshold} and {self.floor}")

    def _places(self, outcomes, among):
        """The archive, those to score, and the others or None for themselves, on one scale."""
        check_outcomes(outcomes)
        if among is not None:
            check_outcomes(among)
        factors = self.scale.factors(outcomes, among)
        others = among.behaviours if self.centroids is None and among is not None else self.centroids
        return (
            self._archived(factors),
            scaled(outcomes.behaviours, factors),
            None if others is None else scaled(others, factors),
        )

    def _check(self, outcomes):
        check_outcomes(outcomes)
        known = self.archive if len(self.archive) else self.centroids
        behaviours = check_behaviours(outcomes.behaviours, known)
        self.watch_drift(behaviours)
        return behaviours

    def _cluster(self, outcomes, behaviours):
        if self.clusters is not None:
            clusters = Clusters(self.clusters, kmeans)
            clusters.check(behaviours, self.centroids)
            factors = self.scale.factors(outcomes)
            self.centroids = clusters.summarise(outcomes, self.centroids, factors, self.rng).places

    def _remember(self, behaviours):
        """Let the archive take from a generation; returns which rows it took."""
        self.scale.learn(behaviours)
        taken = self._choose(behaviours)
        joining = behaviours[taken]
        if len(joining):
            archive = np.vstack([self.archive.reshape(-1, behaviours.shape[1]), joining])
            self._take(archive[-self.archive_size :] if self.archiving == "fixed" else archive)
        return taken

    def _choose(self, behaviours):
        """Which rows of a generation the rule of the archive takes."""
        if self.archiving == "threshold":
            return self._far(scaled(behaviours, self.scale.factors()))
        if self.archiving == "none":
            return slice(0)
        count = min(self.archived, len(behaviours))
        return np.sort(self.rng.choice(len(behaviours), count, replace=False))

    def _far(self, behaviours):
        """Which behaviours are beyond the threshold of the archive, which then adapts."""
        if self.threshold is None:
            spread = float(np.sqrt(((behaviours - behaviours.mean(axis=0)) ** 2).sum(axis=1).mean()))
            if spread == 0:  # nothing to tell a distance by yet: somebody begins the archive, and the next ones decide
                return slice(0 if len(self.archive) else 1)
            self._begin(spread * SPREAD_TO_THRESHOLD)
        joining = self._archived(self.scale.factors()).beyond(behaviours, self.threshold)
        self.threshold = self._adapted(self.threshold, int(joining.sum()))
        return joining

    def _begin(self, threshold):
        self.threshold, self.floor = threshold, threshold * THRESHOLD_TO_FLOOR

    def _adapted(self, threshold, added):
        """The threshold after a generation that added so many."""
        if added > 4:
            threshold *= 1.2
        self.idle = 0 if added else self.idle + 1
        if self.idle == 10:
            threshold = max(threshold * 0.95, self.floor)
            self.idle = 0
        return threshold

    def _take(self, archive):
        """Have this archive, which begins with the one before unless that is full."""
        factors = self.scale.factors()
        if factors is None and self.archiving != "fixed":
            self._points = self._archived(None).extended(archive)
            self._prepared = archive, None
        self.archive = archive

    def _archived(self, factors):
        """The archive made ready for the search of neighbours, on the scale of behaviours."""
        if (
            self._points is None
            or self._prepared is None
            or (self._prepared[0] is not self.archive or self._prepared[1] is not factors)
        ):
            self._points = NeighbourIndex(
                scaled(self.archive, factors) if len(self.archive) else self.archive, self.distance
            )
            self._prepared = self.archive, factors
        return self._points

    def __getstate__(self):
        return vars(self) | {"_points": None, "_prepared": None}
