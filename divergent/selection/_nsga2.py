"""NSGA-II ranking of individuals, with the scores of several strategies as objectives."""

from collections.abc import Sequence

import numpy as np

from divergent._compile import njit
from divergent.individual import Outcomes
from divergent.selection._composite import CompositeStrategy, concatenate
from divergent.selection._strategy import Strategy
from divergent.validation import brief, check_scores

BOUNDARY = 2.0  # crowding distance of the extreme points of a Pareto front; all other crowding distances are at most 1


class NSGA2Ranking(CompositeStrategy):
    """Non-dominated sorting with crowding distance, returned as one score.

    An individual dominates another individual if at least one of its scores is higher and none of its scores is lower.
    The score is the negative Pareto rank plus a third of the crowding distance; the first Pareto front has rank 0.
    Crowding distances are 2 for the extreme points of a Pareto front and at most 1 for all other points.
    ``by_score(strategy=NSGA2Ranking([a, b]), select=tools.selBest)`` selects the same individuals as
    ``by_score(strategy=[a, b], select=tools.selNSGA2)``, but is faster. The single score can be used by any selector or
    loop.

    Crowding distances are computed from Pareto fronts that are sorted by each objective in turn. Ties in an objective
    are broken by the preceding objective in the list, where the last objective precedes the first. If n
    individuals are equal in all objectives, their crowding distance is divided by n. The crowding distance of n equal
    extreme points is 1 + 1/n. Scores therefore do not depend on the order of individuals.

    Parameters
    ----------
    strategies : sequence of Strategy
        Strategies whose scores are the objectives, all maximised; scores may be infinite.

    See Also
    --------
    Blend : Weighted sum of strategies.
    NoveltyWithCompetition : Novelty and local competition as two objectives.

    References
    ----------
    K. Deb, A. Pratap, S. Agarwal and T. Meyarivan, "A fast and elitist multiobjective genetic algorithm: NSGA-II", IEEE
    Transactions on Evolutionary Computation 6(2), 2002.

    Examples
    --------
    The third individual dominates the last. The first three individuals form the first Pareto front; the first two are
    its extreme points:

    >>> from divergent.individual import Outcomes
    >>> from divergent.selection import Novelty, Objective
    >>> ranking = NSGA2Ranking([Objective(), Novelty(neighbours=1)])
    >>> outcomes = Outcomes(np.array([4.0, 2.0, 3.0, 1.0]), np.array([[0.0], [9.0], [3.0], [1.0]]))
    >>> ranking.score(outcomes).round(2).tolist()
    [0.67, 0.67, 0.33, -0.33]
    """

    loop = "plus"

    def __init__(self, strategies: Sequence[Strategy]):
        if not isinstance(strategies, Sequence) or isinstance(strategies, str):
            raise TypeError(
                f"strategies must be a list of strategies, got {brief(strategies)}; "
                "write NSGA2Ranking([Novelty(), Objective()])"
            )
        super().__init__(strategies)
        if len({id(part) for part in strategies}) < len(self.parts):
            raise ValueError("strategies must be different objects, got one object twice; construct a second strategy")

    def score(self, outcomes: Outcomes, among: Outcomes | None = None) -> np.ndarray:
        population = concatenate(outcomes, among)
        scores = _ranking([check_scores(part, part.score(population), len(population.fitness)) for part in self.parts])
        return scores[len(scores) - len(outcomes.fitness) :]

    def score_generation(self, outcomes: Outcomes) -> np.ndarray:
        return _ranking(
            [check_scores(part, part.score_generation(outcomes), len(outcomes.fitness)) for part in self.parts]
        )


def _ranking(scores: list[np.ndarray]) -> np.ndarray:
    """Return the NSGA-II ranking as one score per individual; higher scores are better."""
    rows = np.column_stack(scores)
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    is_first = np.ones(len(rows), dtype=bool)  # of equal rows
    is_first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    distinct = ordered[is_first]
    distinct_row = np.empty(len(rows), dtype=int)
    distinct_row[order] = np.cumsum(is_first) - 1
    ranks = non_dominated_ranks(distinct)
    crowding = crowding_distances(distinct, ranks)
    is_extreme = crowding == BOUNDARY
    # The crowding distance of n equal rows is divided by n, except that n equal extreme points have 1 + 1/n.
    shared = is_extreme + (crowding - is_extreme) / np.bincount(distinct_row, minlength=len(distinct))
    return (shared / 3 - ranks)[distinct_row]


@njit(cache=True)
def non_dominated_ranks(rows: np.ndarray) -> np.ndarray:
    """Return the Pareto rank of each row, 0 for the first front; rows must be distinct and sorted lexicographically."""
    count, width = rows.shape
    ranks = np.zeros(count, np.int64)
    for i in range(count - 2, -1, -1):
        for j in range(i + 1, count):  # Rows before i are lexicographically smaller, so they cannot dominate row i.
            if ranks[j] < ranks[i]:
                continue
            dominates = True
            for column in range(width):
                if rows[j, column] < rows[i, column]:
                    dominates = False
                    break
            if dominates:
                ranks[i] = ranks[j] + 1
    return ranks


def crowding_distances(rows: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """Return the crowding distance of each row, which is `BOUNDARY` for the extreme points of a Pareto front.

    For other points, the gap between the two neighbours in the sorted front is divided by the range of the front and
    averaged over objectives.
    """
    count, width = rows.shape
    distances = np.zeros(count)
    is_extreme = np.zeros(count, dtype=bool)
    for column in range(width):
        order = np.lexsort((*(rows[:, (column + 1 + other) % width] for other in range(width)), ranks))
        values = _finite(rows[order, column])
        # mask of the rows at which a Pareto front begins, with an additional True at the end
        begins = np.ones(count + 1, dtype=bool)
        begins[1:-1] = ranks[order[1:]] != ranks[order[:-1]]
        is_extreme[order[begins[:-1] | begins[1:]]] = True
        first = np.flatnonzero(begins)
        ranges = np.repeat(values[first[1:] - 1] - values[first[:-1]], np.diff(first))
        gaps = np.zeros(count)
        gaps[1:-1] = values[2:] - values[:-2]
        distances[order] += np.where(ranges > 0, gaps, 0.0) / np.where(ranges > 0, ranges, 1.0) / width
    distances[is_extreme] = BOUNDARY
    return distances


def _finite(values: np.ndarray) -> np.ndarray:
    """Clip infinities to the finite range and halve all values, so that differences are finite."""
    finite = values[np.isfinite(values)]
    return values.clip(finite.min(), finite.max()) / 2 if len(finite) else np.zeros_like(values)
