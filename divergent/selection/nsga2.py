"""Several searches as several objectives, put in the order of NSGA-II."""

from collections.abc import Sequence

import numpy as np

from divergent._compile import njit
from divergent.selection.composite import Compound, joined
from divergent.selection.strategy import Strategy
from divergent.validation import brief, check_scores

AT_THE_END = 2.0  # the crowding distance of those at the ends of a front; that of others is at most 1


class Fronts(Compound):
    """Who is dominated by few comes first, and among those whoever has few alike: the order of NSGA-II as one number.

    One individual dominates another if no strategy gives it less and some strategy gives it more. The score is minus
    the number of the front, 0 for those whom nobody dominates, plus a third of the crowding distance in the front,
    which is at most 1, and counts as 2 for those at an end of the front. So ``by_score(strategy=Fronts([a, b]),
    select=tools.selBest)`` chooses whom ``by_score(strategy=[a, b], select=tools.selNSGA2)`` does, faster, and the
    score is one number that every selector, loop and record can use.

    Where several are equal in one score, the score before it decides their order, and so on round; those who are equal
    in all of them share the crowding distance that one of them would have. So no score depends on who comes first.

    Parameters
    ----------
    strategies
        The objectives, all maximised; their scores may be infinite.

    References
    ----------
    K. Deb, A. Pratap, S. Agarwal and T. Meyarivan, "A fast and elitist multiobjective genetic algorithm: NSGA-II", IEEE
    Transactions on Evolutionary Computation 6(2), 2002.

    Examples
    --------
    The last is dominated by the one before, who is novel and fit. The first three are one front, two of them its ends:

    >>> from divergent.individual import Outcomes
    >>> from divergent.selection import Novelty, Objective
    >>> fronts = Fronts([Objective(), Novelty(neighbours=1)])
    >>> outcomes = Outcomes(np.array([4.0, 2.0, 3.0, 1.0]), np.array([[0.0], [9.0], [3.0], [1.0]]))
    >>> fronts.score(outcomes).round(2)
    array([ 0.67,  0.67,  0.33, -0.33])
    """

    loop = "plus"

    def __init__(self, strategies: Sequence[Strategy]):
        if not isinstance(strategies, Sequence) or isinstance(strategies, str):
            raise TypeError(f"fronts are of several strategies in a list, got {brief(strategies)}")
        super().__init__(strategies)
        if len({id(part) for part in strategies}) < len(self.parts):
            raise ValueError("fronts are of different strategies, got the same one twice")

    def score(self, outcomes, among=None):
        whole = joined(outcomes, among)
        scores = _in_order([check_scores(part, part.score(whole), len(whole.fitness)) for part in self.parts])
        return scores[len(scores) - len(outcomes.fitness) :]

    def score_generation(self, outcomes):
        return _in_order(
            [check_scores(part, part.score_generation(outcomes), len(outcomes.fitness)) for part in self.parts]
        )


def _in_order(scores):
    """One number each from the scores of several parts, higher for whom NSGA-II puts first."""
    rows = np.column_stack(scores)
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    first_of_equals = np.ones(len(rows), dtype=bool)
    first_of_equals[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    different = ordered[first_of_equals]
    which = np.empty(len(rows), dtype=int)
    which[order] = np.cumsum(first_of_equals) - 1
    fronts = front_numbers(different)
    crowding = crowding_distances(different, fronts)
    at_the_end = crowding == AT_THE_END
    # what is beyond 1 says that somebody is at an end, which is not shared
    shared = at_the_end + (crowding - at_the_end) / np.bincount(which, minlength=len(different))
    return (shared / 3 - fronts)[which]


@njit(cache=True)
def front_numbers(rows):
    """The front of each of different rows in increasing order: one more than the last front with who dominates it."""
    count, width = rows.shape
    fronts = np.zeros(count, np.int64)
    for i in range(count - 2, -1, -1):
        for j in range(i + 1, count):  # nobody before it can dominate it
            if fronts[j] < fronts[i]:
                continue
            dominates = True
            for column in range(width):
                if rows[j, column] < rows[i, column]:
                    dominates = False
                    break
            if dominates:
                fronts[i] = fronts[j] + 1
    return fronts


def crowding_distances(rows: np.ndarray, fronts: np.ndarray) -> np.ndarray:
    """How far apart the neighbours of each row are in its front, a mean over columns in shares of the front's range."""
    count, width = rows.shape
    distances = np.zeros(count)
    ends = np.zeros(count, dtype=bool)
    for column in range(width):
        order = np.lexsort((*(rows[:, (column + 1 + other) % width] for other in range(width)), fronts))
        values = _finite(rows[order, column])
        begins = np.ones(count + 1, dtype=bool)  # where a front begins, and after the last
        begins[1:-1] = fronts[order[1:]] != fronts[order[:-1]]
        ends[order[begins[:-1] | begins[1:]]] = True
        first = np.flatnonzero(begins)
        ranges = np.repeat(values[first[1:] - 1] - values[first[:-1]], np.diff(first))
        apart = np.zeros(count)
        apart[1:-1] = values[2:] - values[:-2]
        distances[order] += np.where(ranges > 0, apart, 0.0) / np.where(ranges > 0, ranges, 1.0) / width
    distances[ends] = AT_THE_END
    return distances


def _finite(values):
    """Half the values, so that no difference is infinite; infinite ones are put where the last finite one is."""
    finite = values[np.isfinite(values)]
    return values.clip(finite.min(), finite.max()) / 2 if len(finite) else np.zeros_like(values)
