"""Local competition among individuals with similar behaviour."""

import numpy as np

from divergent.individual import FitnessValue, Outcomes
from divergent.neighbours._cached_distance import cached
from divergent.neighbours._index import Distance, NeighbourIndex, check_distance
from divergent.selection._novelty import Novelty
from divergent.selection._strategy import Strategy
from divergent.selection._validation import check_outcomes
from divergent.validation import as_numbers, check_at_least

NO_POINTS = np.empty((0, 0))


class LocalCompetition(Novelty):
    """Local competition: number of nearest neighbours in behaviour space with a lower fitness.

    Local competition does not reward novelty. Use local competition as an objective together with novelty or surprise:
    ``by_score(strategy=[Novelty(), LocalCompetition()], select=tools.selNSGA2)``. Neighbours are taken from the
    population and the archive. The archive follows the rules of `Novelty` and also stores the fitness of each archived
    behaviour. With equal settings and a deterministic archiving rule, `Novelty` and `LocalCompetition` build the same
    archive. Among equally distant neighbours, individuals of the population precede archived behaviours. Further ties
    are broken by the index in the population or in the archive.

    Parameters
    ----------
    neighbours : int, default=15
        Number of nearest neighbours, k, to compete with. If there are fewer neighbours, all are used.
    threshold : float or None, default=None
        Initial archive threshold. See `Novelty`.
    archiving : {"threshold", "fixed", "random", "none"}, default="threshold"
        Rule by which behaviours are added to the archive. See `Novelty`.
    archived : int, default=6
        Number of behaviours added to the archive per generation. See `Novelty`.
    archive_size : int, default=1000
        Maximum size of the archive. See `Novelty`.
    distance : str or callable, default="euclidean"
        Distance metric: euclidean, or another metric of `scipy.spatial.distance.cdist`. A symmetric function of two
        behaviours is also accepted; behaviours may then be strings, sets, sequences of different lengths or other
        objects.
    scale : {"none", "range", "std"}, default="none"
        Scaling of behaviour dimensions before distances are computed. See `Novelty`.
    index : int or None, default=None
        Zero-based index of the fitness value to compare. None uses the first fitness value and warns if there are
        several.
    rng : numpy.random.Generator or None, default=None
        Source of random numbers. None creates an unseeded generator.

    Attributes
    ----------
    archive : ndarray of shape (a, d), or (a,) of objects
        Archived behaviours, oldest first.
    archived_fitness : ndarray of shape (a,)
        Fitness of the archived behaviours.

    See Also
    --------
    NoveltyWithCompetition : Novelty and local competition as two objectives.
    DominatedNovelty : Distance to the nearest fitter individuals.

    References
    ----------
    J. Lehman and K. O. Stanley, "Evolving a diversity of virtual creatures through novelty search and local
    competition", GECCO 2011.

    Examples
    --------
    The individuals at 1 and at 50 are both fitter than their two nearest neighbours:

    >>> from divergent.individual import Outcomes
    >>> competition = LocalCompetition(neighbours=2)
    >>> competition.score(Outcomes(np.array([1.0, 3.0, 2.0, 9.0]), np.array([[0.0], [1.0], [2.0], [50.0]])))
    array([0., 2., 1., 2.])
    """

    memory = (*Novelty.memory, "archived_fitness")

    def __init__(
        self,
        *,
        neighbours: int = 15,
        threshold: float | None = None,
        archiving: str = "threshold",
        archived: int = 6,
        archive_size: int = 1000,
        distance: Distance = "euclidean",
        scale: str = "none",
        index: int | None = None,
        rng: np.random.Generator | None = None,
    ):
        super().__init__(
            neighbours=neighbours,
            threshold=threshold,
            archiving=archiving,
            archived=archived,
            archive_size=archive_size,
            distance=distance,
            scale=scale,
            rng=rng,
        )
        self.index = index
        self._fitness = FitnessValue(index, type(self).__name__)
        self.archived_fitness = np.empty(0)

    def score(self, outcomes: Outcomes, among: Outcomes | None = None) -> np.ndarray:
        archive, behaviours, others = self._scaled(outcomes, among)
        if others is None:
            nearest = archive.nearest_of_all(behaviours, self.neighbours)
        else:
            nearest = archive.nearest(behaviours, self.neighbours, others)
        fitness = self._fitness.of(outcomes)
        rivals = np.concatenate([fitness if among is None else self._fitness.of(among), self.archived_fitness])
        return (rivals[nearest] < fitness[:, None]).sum(axis=1).astype(float)

    def learn(self, outcomes: Outcomes) -> None:
        added = self._update_archive(self._check(outcomes))
        fitness = np.concatenate([self.archived_fitness, self._fitness.of(outcomes)[added]])
        self.archived_fitness = fitness[len(fitness) - len(self.archive) :]

    def score_generation(self, outcomes: Outcomes) -> np.ndarray:
        return Strategy.score_generation(self, outcomes)

    def check_memory(self) -> None:
        super().check_memory()
        fitness = as_numbers("archived_fitness", self.archived_fitness, 1)
        if len(fitness) != len(self.archive):
            raise ValueError(
                f"archived_fitness must contain one number for each of the {len(self.archive)} archived behaviours, "
                f"got {len(fitness)}"
            )


class DominatedNovelty(Strategy):
    """Dominated novelty: mean distance to the nearest fitter individuals (DNS).

    The score is low if a fitter individual has a similar behaviour. A higher fitness and a more distinct behaviour both
    increase the score. The strategy has no archive and no other state.

    In the paper, the fittest individuals have an infinite score. Here the score of the fittest individuals is twice the
    distance to the farthest individual, so that sums of scores stay finite. If `distance` is a metric, the score of the
    fittest individuals exceeds all other scores. If all behaviours are equal, the score of the fittest individuals is
    the smallest positive normal float.

    Parameters
    ----------
    neighbours : int, default=3
        Number of nearest fitter individuals, k, over which distances are averaged. If there are fewer fitter
        individuals, all are used.
    distance : str or callable, default="euclidean"
        Distance metric: euclidean, or another metric of `scipy.spatial.distance.cdist`. A symmetric function of two
        behaviours is also accepted; behaviours may then be strings, sets, sequences of different lengths or other
        objects.
    index : int or None, default=None
        Zero-based index of the fitness value to compare. None uses the first fitness value and warns if there are
        several.
    rng : numpy.random.Generator or None, default=None
        Not used; accepted so that all searches have the parameter `rng`.

    See Also
    --------
    LocalCompetition : Number of nearest neighbours with a lower fitness.

    References
    ----------
    R. Bahlous-Boldi, M. Faldor, L. Grillotti, H. Janmohamed, L. Coiffard, L. Spector and A. Cully, "Dominated Novelty
    Search: Rethinking Local Competition in Quality-Diversity", GECCO 2025.

    Examples
    --------
    >>> from divergent.individual import Outcomes
    >>> dominated = DominatedNovelty(neighbours=1)
    >>> dominated.score(Outcomes(np.array([1.0, 2.0, 3.0]), np.array([[0.0], [1.0], [5.0]]))).tolist()
    [1.0, 4.0, 10.0]
    """

    loop = "plus"

    def __init__(
        self,
        *,
        neighbours: int = 3,
        distance: Distance = "euclidean",
        index: int | None = None,
        rng: np.random.Generator | None = None,
    ):
        super().__init__(rng=rng)
        check_at_least(1, neighbours=neighbours)
        self.neighbours = neighbours
        self.distance = check_distance(distance)
        self._metric = cached(distance)
        self.index = index
        self._fitness = FitnessValue(index, type(self).__name__)

    def score(self, outcomes: Outcomes, among: Outcomes | None = None) -> np.ndarray:
        objects = callable(self.distance)
        check_outcomes(outcomes, objects=objects)
        if among is not None:
            check_outcomes(among, objects=objects)
        else:
            self.watch_drift(outcomes.behaviours)
        # no individual is fitter than itself, so an individual is never one of its own fitter neighbours
        others = outcomes if among is None else among
        fitness = self._fitness.of(outcomes)
        other_fitness = fitness if among is None else self._fitness.of(among)
        scores = np.empty(len(fitness))
        index = NeighbourIndex(NO_POINTS, self._metric)
        for row, distances in index.distance_blocks(outcomes.behaviours, others.behaviours):
            rows = slice(row, row + len(distances))
            fitter = other_fitness > fitness[rows, None]
            nearest = np.sort(np.where(fitter, distances, np.inf), axis=1)[:, : self.neighbours]
            counted = np.isfinite(nearest)
            total = np.where(counted, nearest, 0.0).sum(axis=1)
            undominated = np.maximum(2 * distances.max(axis=1, initial=0.0), np.finfo(float).tiny)
            scores[rows] = np.where(fitter.any(axis=1), total / np.maximum(counted.sum(axis=1), 1), undominated)
        return scores
