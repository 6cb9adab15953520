"""Surprise search: reward what deviates from where the last generations were heading."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from divergent.individual import Outcomes
from divergent.neighbours._kmeans import Clustering, kmeans
from divergent.neighbours.index import Distance, check_compares_magnitudes
from divergent.neighbours.scaling import Scale, scaled
from divergent.selection._validation import check_clusters, check_outcomes, check_rows, choose
from divergent.selection.deviations import DEVIATIONS, Deviation, Heatmap, Nearest
from divergent.selection.partitions import MOST_CLUSTERS, Bounds, Clusters, Groups, Locality
from divergent.selection.predictors import PREDICTORS, Predictor, linear
from divergent.selection.strategy import Strategy
from divergent.validation import brief, check_at_least


class Surprise(Strategy):
    """Mean distance to the nearest behaviours that were to be expected.

    A population is summarised by the centroids of its clusters, each the continuation of one of the generation before.
    A predictor says where each goes next, and whoever is far from all of these predictions is surprising. The first two
    generations have none, and uniform random scores. A cluster that nobody belongs to any more stays where it is, and
    so does its prediction: it still counts, as a memory that fades when somebody comes near again.

    In mazes it is at its best in the steady-state loop; where every parent dies each generation, or parents and
    children compete by their scores, it solves far less there. In that loop it learns from all who were born in a
    generation.

    Parameters
    ----------
    clusters
        Local behaviours to predict from, from 1 (the mean of the population) to the size of the population. None: 200,
        or four fifths of the population that is learnt from first, whichever is smaller.
    neighbours
        How many nearest predictions the distance is averaged over.
    history
        How many generations the predictor looks back on; it works with what there is until there are so many.
    predictor
        A name in `PREDICTORS`, or a callable of centroids (h, k, d) that returns predictions (k, d).
    clustering
        A callable of behaviours (m, d) and seeds (k, d) that returns centroids (k, d) and labels (m,). The seeds are
        the centroids of the generation before, or from k-means++ in the first.
    deviation
        "nearest"; "heatmap", which needs `bounds`; or a callable of behaviours (m, d) and predictions (k, d) that
        returns scores (m,). One that has a `locality`, as `Heatmap` has, predicts that one's parts instead of clusters.
    bounds
        Lows and highs of the behaviours, ``((x, y), (x, y))``, for a heatmap; `Heatmap` takes the number of cells, too.
    distance
        "euclidean", another metric of `scipy.spatial.distance.cdist`, or a callable of two vectors; for the nearest
        predictions, while clusters are always of Euclidean distance.
    groups
        None, or a callable of the outcomes that returns one integer for each: the label of the species or lineage
        whose mean behaviour takes the place of a cluster's centroid. A label stands for the same group throughout.
        There are `clusters` groups at most; the one that has been gone for longest makes room for a new one.
    scale
        "none", or "range" or "std": every number of a behaviour is divided by its range or standard deviation, over all
        that was learnt from, before distances are taken. For behaviours whose numbers are of different sizes.
    archived
        How many of the most surprising behaviours of each generation join the archive. Its members are clustered
        together with every later population.
    archive_size
        When the archive holds more, the oldest leave.
    stale
        Whether predictions of empty clusters count.
    rng
        A `numpy.random.Generator`; None for a fresh one.

    Attributes
    ----------
    centroids : list of ndarray of shape (k, d)
        Of the last generations learnt from, at most `history`, the latest last.
    predictions : ndarray of shape (k, d) or None
        What is expected of the next generation.
    locality
        What divides a generation: `Clusters`, `Groups` or the `Cells` of a heatmap.
    occupied : ndarray of shape (k,) or None
        Which clusters somebody belonged to in the generation learnt from last.
    archive : ndarray of shape (a, d)
        Surprising behaviours of the past.

    References
    ----------
    D. Gravina, A. Liapis and G. N. Yannakakis, "Surprise Search for Evolutionary Divergence", 2017.

    Examples
    --------
    A population that moved from (0, 0) to (1, 2) is expected at (2, 4):

    >>> from divergent.individual import Outcomes
    >>> surprise = Surprise(clusters=1, neighbours=1)
    >>> surprise.learn(Outcomes(np.zeros(2), np.array([[0.0, -1.0], [0.0, 1.0]])))
    >>> surprise.learn(Outcomes(np.zeros(2), np.array([[1.0, 1.0], [1.0, 3.0]])))
    >>> surprise.predictions
    array([[2., 4.]])
    >>> surprise.score(Outcomes(np.zeros(2), np.array([[2.0, 4.0], [5.0, 8.0]])))
    array([0., 5.])
    """

    memory = ("centroids", "predictions", "occupied", "locality", "scale", "archive")
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
        scale: str = "none",
        archived: int = 0,
        archive_size: int = 250,
        keep_empty_clusters: bool = True,
        rng: np.random.Generator | None = None,
    ):
        super().__init__(rng=rng)
        check_clusters(clusters, neighbours)
        if isinstance(history, int | float) and history < 2:
            raise ValueError(f"history must be at least 2, the shortest trend there is; got {history}")
        check_at_least(2, history=history)
        check_at_least(0, archived=archived)
        check_at_least(1, archive_size=archive_size)
        self.clusters = clusters
        self.neighbours = neighbours
        self.history = history
        self.predictor = choose("predictor", predictor, PREDICTORS)
        needed = getattr(self.predictor, "history", 2)
        if history < needed:
            raise ValueError(f"{self.predictor!r} needs a history of at least {needed}, got {history}")
        self.deviation = _make_deviation(deviation, neighbours, distance, bounds)
        if isinstance(self.deviation, Nearest) and (clustering is kmeans or groups is not None):
            check_compares_magnitudes(self.deviation.distance, "predictions")
        self.locality: Locality = getattr(self.deviation, "locality", None) or (
            Clusters(clusters, clustering) if groups is None else Groups(groups, clusters or MOST_CLUSTERS)
        )
        if archived and not isinstance(self.locality, Clusters):
            raise ValueError(
                f"archived behaviours join clusters, and here are none; archived must be 0, got {archived}"
            )
        self.scale = Scale(scale)
        if scale != "none" and hasattr(self.deviation, "locality"):
            raise ValueError(f"scale is for distances, and {self.deviation!r} takes none; it must be none, got {scale}")
        self.archived = archived
        self.archive_size = archive_size
        self.keep_empty_clusters = keep_empty_clusters
        self.centroids: list[np.ndarray] = []
        self.predictions: np.ndarray | None = None
        self.occupied: np.ndarray | None = None
        self.archive = np.empty((0, 0))
        self._counted: tuple[Any, ...] = ()

    def score(self, outcomes, among=None):
        check_outcomes(outcomes)
        if self.predictions is None:
            return self.rng.random(len(outcomes.fitness))
        scores = self.deviation(scaled(outcomes.behaviours, self.scale.factors()), self._expected())
        if type(scores) is not np.ndarray or scores.shape != (len(outcomes.fitness),):
            raise ValueError(
                f"a deviation gives one score for each of {len(outcomes.fitness)} behaviours, got {brief(scores)}"
            )
        return scores

    def learn(self, outcomes):
        check_outcomes(outcomes)
        known = self.centroids[-1] if self.centroids else None
        behaviours = self.locality.check(outcomes.behaviours, known)
        self.watch_drift(behaviours)
        surprising = self._most_surprising(outcomes)
        self.scale.learn(behaviours)
        seen = Outcomes(outcomes.fitness, np.vstack([behaviours, self.archive]) if len(self.archive) else behaviours)
        summary = self.locality.summarise(seen, known, self.scale.factors(), self.rng)
        self._continue(summary)
        if len(surprising):
            self.archive = np.vstack([self.archive.reshape(-1, behaviours.shape[1]), surprising])[-self.archive_size :]

    def predict(self) -> np.ndarray:
        """Where each cluster goes next, according to the predictor; shape (k, d)."""
        tracks = np.stack(self.centroids)
        predictions = self.predictor(tracks)
        try:
            predictions = np.asarray(predictions, dtype=float)
        except (TypeError, ValueError):
            raise TypeError(f"{self.predictor!r} must predict numbers, got {brief(predictions)}") from None
        if predictions.shape != tracks.shape[1:]:
            raise ValueError(
                f"a predictor makes (k, d) predictions of (h, k, d) centroids; "
                f"{self.predictor!r} made {predictions.shape} of {tracks.shape}"
            )
        if not np.isfinite(predictions).all():
            raise ValueError(f"a predictor makes finite predictions; {self.predictor!r} does not")
        return predictions

    def check_memory(self):
        if not isinstance(self.centroids, list) or len(self.centroids) > self.history:
            raise ValueError(f"centroids must be a list of at most {self.history} arrays, got {brief(self.centroids)}")
        rows = [check_rows("centroids", one) for one in self.centroids]
        rows += [] if self.predictions is None else [check_rows("predictions", self.predictions)]
        if len({one.shape for one in rows}) > 1 or (self.predictions is not None and not self.centroids):
            raise ValueError(f"centroids and predictions must have one shape, got {[one.shape for one in rows]}")
        shape = rows[0].shape if rows else None
        if (shape is None) != (self.occupied is None):
            raise ValueError(f"clusters are occupied or not as soon as there are some, got {brief(self.occupied)}")
        if shape is not None and (
            not isinstance(self.occupied, np.ndarray) or self.occupied.dtype != bool or self.occupied.shape != shape[:1]
        ):
            raise ValueError(f"each of {shape[0]} clusters is occupied or not, got {brief(self.occupied)}")
        if shape is not None:
            self.locality.check_memory(rows[0])
        if isinstance(self.locality, Clusters):
            check_rows("archive", self.archive, shape[1] if shape else None)
            self.scale.check_width(shape[1] if shape else None)
        elif not isinstance(self.archive, np.ndarray) or len(self.archive):
            raise ValueError(f"only clusters have an archive, got {brief(self.archive)}")
        self._counted = ()

    def _continue(self, summary):
        """Add a generation to the tracks of its parts and predict the next."""
        self.centroids = [*map(summary.continued, self.centroids), summary.places][-self.history :]
        if self.predictions is not None:
            self.predictions = summary.continued(self.predictions)
        self.occupied = summary.occupied
        if len(self.centroids) >= 2:
            expected = self.predict()
            before = self.centroids[-1] if self.predictions is None else self.predictions
            self.predictions = np.where(self.occupied[:, None], expected, before)

    def _most_surprising(self, outcomes):
        """Copies of the behaviours that the archive takes from this generation."""
        if not self.archived or self.predictions is None:
            return np.empty((0, 0))
        first = np.argsort(-self.score(outcomes), kind="stable")[: self.archived]
        return np.array(outcomes.behaviours[first], dtype=float)

    def _expected(self):
        """The predictions that count, on the scale of behaviours: the same array until something is learnt."""
        assert self.predictions is not None
        factors = self.scale.factors()
        if self.keep_empty_clusters and factors is None:
            return self.predictions
        made_of = [self.predictions, self.occupied, factors]
        if not self._counted or any(one is not other for one, other in zip(made_of, self._counted[0], strict=True)):
            counting = self.predictions if self.keep_empty_clusters else self.predictions[self.occupied]
            self._counted = made_of, scaled(counting, factors)
        return self._counted[1]


def _make_deviation(deviation, neighbours, distance, bounds):
    chosen = choose("deviation", deviation, DEVIATIONS)
    if chosen is Nearest:
        return Nearest(neighbours, distance)
    return Heatmap(bounds) if chosen is Heatmap else chosen
