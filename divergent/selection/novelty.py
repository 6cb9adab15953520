"""Novelty search: reward what differs from everything now and in the archive."""

import numpy as np

from divergent.selection.cluster import kmeans, spread
from divergent.selection.neighbours import Distance, Points
from divergent.selection.strategy import Strategy
from divergent.selection.surprise import check_behaviours

ARCHIVING = ("threshold", "fixed", "random", "none")


class Novelty(Strategy):
    """Mean distance to the nearest behaviours, in the population and in the archive.

    Nobody is its own neighbour, but another individual at the same place is one, and so is an archived behaviour,
    whoever it came from. With fewer than `neighbours` others the mean is over all there are.

    Parameters
    ----------
    neighbours
        How many nearest behaviours the distance is averaged over.
    threshold
        How far from the whole archive a behaviour must be to join it under the rule "threshold".
    archiving
        Which behaviours of a generation the archive takes. "threshold": everyone further than `threshold` from all
        that are archived, in order; then more than 4 raise the threshold by a fifth, and 10 generations without any
        lower it by a twentieth, to 0.25 at least. "random": `archived` of them, drawn at random, for ever. "fixed": the
        same, but beyond `archive_size` the oldest leave. "none": no archive.
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
    rng
        A `numpy.random.Generator`; None for a fresh one.

    Attributes
    ----------
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
    >>> novelty = Novelty(neighbours=2)
    >>> outcomes = Outcomes(np.zeros(3), np.array([[0.0, 0.0], [3.0, 4.0], [30.0, 40.0]]))
    >>> novelty.score(outcomes)
    array([27.5, 25. , 47.5])
    >>> novelty.learn(outcomes)
    >>> novelty.archive.tolist()     # (3, 4) is within the threshold of 6
    [[0.0, 0.0], [30.0, 40.0]]
    """

    memory = ("archive", "threshold", "idle", "centroids")

    def __init__(
        self,
        *,
        neighbours: int = 15,
        threshold: float = 6.0,
        archiving: str = "threshold",
        archived: int = 6,
        archive_size: int = 1000,
        clusters: int | None = None,
        distance: Distance = "euclidean",
        rng: np.random.Generator | None = None,
    ):
        super().__init__(rng=rng)
        if neighbours < 1:
            raise ValueError(f"neighbours must be at least 1, got {neighbours}")
        if not threshold > 0:
            raise ValueError(f"threshold must be above 0, got {threshold}")
        if archiving not in ARCHIVING:
            raise ValueError(f"unknown archiving {archiving!r}; choose from {', '.join(ARCHIVING)}")
        if archived < 1:
            raise ValueError(f"archived must be at least 1, got {archived}")
        if archive_size < 1:
            raise ValueError(f"archive_size must be at least 1, got {archive_size}")
        if clusters is not None and clusters < 1:
            raise ValueError(f"clusters must be at least 1, got {clusters}")
        self.neighbours = neighbours
        self.threshold = float(threshold)
        self.archiving = archiving
        self.archived = archived
        self.archive_size = archive_size
        self.clusters = clusters
        self.distance = distance
        self.archive = np.empty((0, 0))
        self.idle = 0  # generations in a row that added nothing
        self.centroids: np.ndarray | None = None
        self._points: Points | None = None

    def score(self, outcomes, among=None):
        if self.centroids is None and among is None:
            return self._archived().mean_nearest_of_all(outcomes.behaviours, self.neighbours)
        others = among.behaviours if self.centroids is None else self.centroids
        return self._archived().mean_nearest(outcomes.behaviours, self.neighbours, others)

    def learn(self, outcomes):
        self._cluster(outcomes)
        self._remember(outcomes)

    def follow(self, outcomes):
        # the generation's own centroids, but not yet its own additions to the archive
        self._cluster(outcomes)
        scores = self.score(outcomes)
        self._remember(outcomes)
        return scores

    def _cluster(self, outcomes):
        if self.clusters is not None:
            known = [] if self.centroids is None else [self.centroids]
            behaviours = check_behaviours(outcomes.behaviours, known, self.clusters)
            seeds = known[0] if known else spread(behaviours, self.clusters, self.rng)
            self.centroids, _ = kmeans(behaviours, seeds)

    def _remember(self, outcomes):
        behaviours = check_behaviours(outcomes.behaviours, [self.archive] if len(self.archive) else [], 1)
        if self.archiving == "threshold":
            joining = behaviours[self._archived().beyond(behaviours, self.threshold)]
            self._adapt(len(joining))
        elif self.archiving == "none":
            return
        else:
            count = min(self.archived, len(behaviours))
            joining = behaviours[np.sort(self.rng.choice(len(behaviours), count, replace=False))]
        if len(joining):
            archive = np.vstack([self.archive.reshape(-1, behaviours.shape[1]), joining])
            if self.archiving == "fixed":
                archive = archive[-self.archive_size :]
            else:
                self._points = self._archived().extended(archive)
            self.archive = archive

    def _adapt(self, added):
        if added > 4:
            self.threshold *= 1.2
        self.idle = 0 if added else self.idle + 1
        if self.idle == 10:
            self.threshold = max(self.threshold * 0.95, 0.25)
            self.idle = 0

    def _archived(self):
        if self._points is None or self._points.points is not self.archive:
            self._points = Points(self.archive, self.distance)
        return self._points

    def __getstate__(self):
        return vars(self) | {"_points": None}
