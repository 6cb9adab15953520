"""Surprise search: reward what deviates from where the last generations were heading."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from divergent.individual import Outcomes
from divergent.selection.cluster import Clustering, kmeans, spread
from divergent.selection.deviate import DEVIATIONS, Nearest
from divergent.selection.neighbours import Distance
from divergent.selection.predict import PREDICTORS, Predictor, linear
from divergent.selection.strategy import Strategy

Deviation = Callable[[np.ndarray, np.ndarray], np.ndarray]


class Surprise(Strategy):
    """Mean distance to the nearest behaviours that were to be expected.

    A population is summarised by the centroids of its clusters, each the continuation of one of the generation before.
    A predictor says where each goes next, and whoever is far from all of these predictions is surprising. The first two
    generations have none, and uniform random scores. A cluster that nobody belongs to any more stays where it is, and
    so does its prediction: it still counts, as a memory that fades when somebody comes near again.

    Surprise needs parents that survive: use the steady-state loop or a (mu + lambda) one. Where every parent dies each
    generation it is much less effective. In the steady-state loop it learns from all who were born in a generation.

    Parameters
    ----------
    clusters
        Local behaviours to predict from, from 1 (the mean of the population) to the size of the population.
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
        "nearest", or a callable of behaviours (m, d) and predictions (k, d) that returns scores (m,). One that has a
        method `summarise`, such as `Heatmap`, predicts what this makes of the behaviours instead of centroids.
    distance
        "euclidean", another metric of `scipy.spatial.distance.cdist`, or a callable of two vectors; for the nearest
        predictions, while clusters are always of Euclidean distance.
    groups
        None, or a callable of the outcomes that returns one integer for each: the label of the species or lineage
        whose mean behaviour takes the place of a cluster's centroid. A label stands for the same group throughout.
        There are `clusters` groups at most; the one that has been gone for longest makes room for a new one.
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

    memory = ("centroids", "predictions", "occupied", "labels", "archive")
    learns_from = "births"

    def __init__(
        self,
        *,
        clusters: int = 200,
        neighbours: int = 2,
        history: int = 2,
        predictor: str | Predictor = linear,
        clustering: Clustering = kmeans,
        deviation: str | Deviation = "nearest",
        distance: Distance = "euclidean",
        groups: Callable[[Outcomes], Sequence[int]] | None = None,
        archived: int = 0,
        archive_size: int = 250,
        stale: bool = True,
        rng: np.random.Generator | None = None,
    ):
        super().__init__(rng=rng)
        check_clusters(clusters, neighbours)
        if history < 2:
            raise ValueError(f"history must be at least 2, the shortest trend there is; got {history}")
        if archived < 0:
            raise ValueError(f"archived must be at least 0, got {archived}")
        if archive_size < 1:
            raise ValueError(f"archive_size must be at least 1, got {archive_size}")
        self.clusters = clusters
        self.neighbours = neighbours
        self.history = history
        self.predictor = _choose("predictor", predictor, PREDICTORS)
        needed = getattr(self.predictor, "history", 2)
        if history < needed:
            raise ValueError(f"{self.predictor!r} needs a history of at least {needed}, got {history}")
        self.clustering = clustering
        self.deviation = Nearest(neighbours, distance) if deviation == "nearest" else _choose_deviation(deviation)
        self.groups = groups
        self.archived = archived
        self.archive_size = archive_size
        self.stale = stale
        self.centroids: list[np.ndarray] = []
        self.predictions: np.ndarray | None = None
        self.occupied: np.ndarray | None = None
        self.labels: list[list[int]] = []  # of groups: label and generations since somebody belonged to it
        self.archive = np.empty((0, 0))
        self._counted: tuple[Any, Any, Any] = (None, None, None)

    def score(self, outcomes, among=None):
        if self.predictions is None:
            return self.rng.random(len(outcomes.fitness))
        return self.deviation(outcomes.behaviours, self.predictions if self.stale else self._fresh())

    def learn(self, outcomes):
        clustered = self.groups is None and not hasattr(self.deviation, "summarise")
        behaviours = check_behaviours(
            outcomes.behaviours,
            [] if hasattr(self.deviation, "summarise") else self.centroids,
            self.clusters if clustered else 1,
        )
        surprising = self._most_surprising(outcomes)
        summary = self._summarise(outcomes, behaviours)
        self.centroids = [*self.centroids, summary][-self.history :]
        if len(self.centroids) >= 2:
            expected = self.predict()
            before = self.centroids[-1] if self.predictions is None else self.predictions
            self.predictions = np.where(self.occupied[:, None], expected, before)
        if len(surprising):
            self.archive = np.vstack([self.archive.reshape(-1, behaviours.shape[1]), surprising])[-self.archive_size :]

    def predict(self) -> np.ndarray:
        """Where each cluster goes next, according to the predictor; shape (k, d)."""
        tracks = np.stack(self.centroids)
        predictions = np.asarray(self.predictor(tracks), dtype=float)
        if predictions.shape != tracks.shape[1:]:
            raise ValueError(
                f"a predictor makes (k, d) predictions of (h, k, d) centroids; "
                f"{self.predictor!r} made {predictions.shape} of {tracks.shape}"
            )
        return predictions

    def _summarise(self, outcomes, behaviours):
        """The centroids that continue those of the generation before; notes who is there."""
        if hasattr(self.deviation, "summarise"):
            summary = self.deviation.summarise(behaviours)
            self.occupied = np.ones(len(summary), dtype=bool)
            return summary
        if self.groups is not None:
            return self._group(np.asarray(self.groups(outcomes)), behaviours)
        if len(self.archive):
            behaviours = np.vstack([behaviours, self.archive])
        seeds = self.centroids[-1] if self.centroids else spread(behaviours, self.clusters, self.rng)
        centroids, labels = self.clustering(behaviours, seeds)
        self.occupied = np.bincount(labels, minlength=self.clusters) > 0
        return centroids

    def _group(self, labels, behaviours):
        if labels.shape != (len(behaviours),):
            raise ValueError(f"groups must give one label for each of {len(behaviours)} outcomes, got {labels.shape}")
        present = {int(label): behaviours[labels == label].mean(axis=0) for label in np.unique(labels)}
        if len(present) > self.clusters:
            raise ValueError(f"there may be at most {self.clusters} groups (clusters), got {len(present)}")
        self.labels = [[label, 0 if label in present else absent + 1] for label, absent in self.labels]
        new = [label for label in present if label not in {known for known, _ in self.labels}]
        excess = len(self.labels) + len(new) - self.clusters
        if excess > 0:
            gone = sorted(range(len(self.labels)), key=lambda row: -self.labels[row][1])[:excess]
            self.labels = [entry for row, entry in enumerate(self.labels) if row not in gone]
            self.centroids = [np.delete(rows, gone, axis=0) for rows in self.centroids]
            if self.predictions is not None:
                self.predictions = np.delete(self.predictions, gone, axis=0)
        self.labels += [[label, 0] for label in new]
        # a new group has been where it is for ever, which makes it the place where it is expected
        arrived = np.array([present[label] for label in new]).reshape(-1, behaviours.shape[1])
        self.centroids = [np.vstack([rows, arrived]) for rows in self.centroids]
        if self.predictions is not None:
            self.predictions = np.vstack([self.predictions, arrived])
        self.occupied = np.array([absent == 0 for _, absent in self.labels])
        before = self.centroids[-1] if self.centroids else arrived
        return np.array([present.get(label, before[row]) for row, (label, _) in enumerate(self.labels)])

    def _most_surprising(self, outcomes):
        """Copies of the behaviours that the archive takes from this generation."""
        if not self.archived or self.predictions is None:
            return np.empty((0, 0))
        first = np.argsort(-self.score(outcomes), kind="stable")[: self.archived]
        return np.array(outcomes.behaviours[first], dtype=float)

    def _fresh(self):
        """The predictions of clusters that are not empty, the same array until it changes."""
        if self._counted[0] is not self.predictions or self._counted[1] is not self.occupied:
            self._counted = (self.predictions, self.occupied, self.predictions[self.occupied])
        return self._counted[2]


def check_clusters(clusters: int, neighbours: int) -> None:
    """Refuse numbers of clusters and neighbours that cannot be."""
    if clusters < 1:
        raise ValueError(f"clusters must be at least 1, got {clusters}")
    if neighbours < 1:
        raise ValueError(f"neighbours must be at least 1, got {neighbours}")
    if neighbours > clusters:
        raise ValueError(f"neighbours must be at most the number of clusters, {clusters}; got {neighbours}")


def check_behaviours(behaviours: np.ndarray, centroids: list[np.ndarray], clusters: int) -> np.ndarray:
    """The behaviours of a population to learn from, refused if they cannot be clustered or continue no centroids."""
    behaviours = np.ascontiguousarray(behaviours, dtype=float)
    if behaviours.shape[1] == 0:
        raise ValueError("individuals have no behaviour: evaluate must return an Outcome with one for this search")
    if not np.isfinite(behaviours).all():
        position = int(np.flatnonzero(~np.isfinite(behaviours).all(axis=1))[0])
        raise ValueError(f"behaviours must be finite, behaviour {position} is {behaviours[position].tolist()}")
    if clusters > len(behaviours):
        raise ValueError(f"clusters must be at most the size of the population, {len(behaviours)}; got {clusters}")
    if centroids and centroids[-1].shape[1] != behaviours.shape[1]:
        raise ValueError(
            f"behaviours must have one length: {centroids[-1].shape[1]} numbers so far, got {behaviours.shape[1]}"
        )
    return behaviours


def _choose(thing, choice, table):
    if callable(choice):
        return choice
    if choice not in table:
        raise ValueError(f"unknown {thing} {choice!r}; choose from {', '.join(table)} or give a callable")
    return table[choice]


def _choose_deviation(deviation):
    chosen = _choose("deviation", deviation, DEVIATIONS)
    return chosen() if isinstance(chosen, type) else chosen
