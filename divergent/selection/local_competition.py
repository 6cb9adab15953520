"""Competition among neighbours: reward who is fitter than those who behave alike."""

import numpy as np

from divergent.individual import FitnessValue
from divergent.neighbours.index import Distance, NeighbourIndex, check_distance
from divergent.selection._validation import check_outcomes
from divergent.selection.novelty import Novelty
from divergent.selection.strategy import Strategy
from divergent.validation import as_numbers, check_at_least

NOBODY = np.empty((0, 0))


class LocalCompetition(Novelty):
    """How many of the nearest in behaviour, in the population and in the archive, have a lower fitness.

    By itself it asks for nothing new; it is meant as one objective beside novelty or surprise, with
    ``by_score(strategy=[Novelty(), LocalCompetition()], select=tools.selNSGA2)``. Its archive follows the rules of
    `Novelty`, so that with the same settings and a rule that draws nothing both have the same one, and it remembers
    each behaviour's fitness as it was then. Nobody is its own neighbour. Of several at the same distance those of the
    population come first, in its order, then those of the archive, the oldest first.

    Parameters
    ----------
    neighbours
        How many nearest behaviours one competes with; with fewer others, all there are.
    threshold, archiving, archived, archive_size, distance, scale, rng
        As for `Novelty`.
    index : int or None, default=None
        Position of the fitness value to compare, from 0. None is the first one, with a warning where there are several.

    Attributes
    ----------
    archive : ndarray of shape (a, d)
        Behaviours of the past, the oldest first.
    archived_fitness : ndarray of shape (a,)
        Their fitness.

    References
    ----------
    J. Lehman and K. O. Stanley, "Evolving a diversity of virtual creatures through novelty search and local
    competition", GECCO 2011.

    Examples
    --------
    The fittest of all, far away, beats its two nearest, and so does the best of those near 0:

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

    def score(self, outcomes, among=None):
        archived, behaviours, others = self._places(outcomes, among)
        if others is None:
            nearest = archived.nearest_of_all(behaviours, self.neighbours)
        else:
            nearest = archived.nearest(behaviours, self.neighbours, others)
        fitness = self._fitness.of(outcomes)
        rivals = np.concatenate([fitness if among is None else self._fitness.of(among), self.archived_fitness])
        return (rivals[nearest] < fitness[:, None]).sum(axis=1).astype(float)

    def learn(self, outcomes):
        taken = self._remember(self._check(outcomes))
        fitness = np.concatenate([self.archived_fitness, self._fitness.of(outcomes)[taken]])
        self.archived_fitness = fitness[len(fitness) - len(self.archive) :]

    def score_generation(self, outcomes):
        return Strategy.score_generation(self, outcomes)

    def check_memory(self):
        super().check_memory()
        fitness = as_numbers("archived_fitness", self.archived_fitness, 1)
        if len(fitness) != len(self.archive):
            raise ValueError(
                f"archived_fitness must be one number for each of {len(self.archive)} in the archive, "
                f"got {len(fitness)}"
            )


class DominatedNovelty(Strategy):
    """Mean distance to the nearest who are fitter, in the population; more than that for whom nobody beats.

    Whoever is worse than somebody alike is worth little, and whoever is worse than somebody far away only is worth
    keeping: both a better fitness and another behaviour help. It has no archive and remembers nothing.

    Those with the highest fitness have nobody to be compared with, and by the paper an infinite score. Here scores are
    finite, so that means, sums and selectors can use them: twice the distance to the furthest other. If the distance is
    a metric, that is more than the score of everybody who is beaten; it is the least number above 0 where all behave
    the same.

    Parameters
    ----------
    neighbours
        How many nearest fitter ones the distance is averaged over; with fewer of them, all there are.
    distance
        "euclidean", another metric of `scipy.spatial.distance.cdist`, or a callable of two vectors.
    index : int or None, default=None
        Position of the fitness value to compare, from 0. None is the first one, with a warning where there are several.
    rng
        Not used; every strategy takes one.

    References
    ----------
    R. Bahlous-Boldi, M. Faldor, L. Grillotti, H. Janmohamed, L. Coiffard, L. Spector and A. Cully, "Dominated Novelty
    Search: Rethinking Local Competition in Quality-Diversity", GECCO 2025.

    Examples
    --------
    >>> from divergent.individual import Outcomes
    >>> dominated = DominatedNovelty(neighbours=1)
    >>> dominated.score(Outcomes(np.array([1.0, 2.0, 3.0]), np.array([[0.0], [1.0], [5.0]])))
    array([ 1.,  4., 10.])
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
        self.index = index
        self._fitness = FitnessValue(index, type(self).__name__)

    def score(self, outcomes, among=None):
        check_outcomes(outcomes)
        if among is not None:
            check_outcomes(among)
        else:
            self.watch_drift(outcomes.behaviours)
        others = outcomes if among is None else among  # nobody is fitter than itself
        fitness = self._fitness.of(outcomes)
        fitness_of_others = fitness if among is None else self._fitness.of(among)
        scores = np.empty(len(fitness))
        for row, table in NeighbourIndex(NOBODY, self.distance).tables(outcomes.behaviours, others.behaviours):
            rows = slice(row, row + len(table))
            fitter = fitness_of_others > fitness[rows, None]
            nearest = np.sort(np.where(fitter, table, np.inf), axis=1)[:, : self.neighbours]
            beaten_by = np.isfinite(nearest)
            total = np.where(beaten_by, nearest, 0.0).sum(axis=1)
            unbeaten = np.maximum(2 * table.max(axis=1, initial=0.0), np.finfo(float).tiny)
            scores[rows] = np.where(fitter.any(axis=1), total / np.maximum(beaten_by.sum(axis=1), 1), unbeaten)
        return scores
