"""The nearest of points of few numbers, by sweeping along their widest coordinate."""

import copy
import math

import numpy as np
from numba import njit

from divergent.selection.squares import insert, mean_root, mean_roots, squared_in_parts, squared_in_plane
from divergent.selection.standing import NOBODY, POINT, Standing, look_around, place, widest

HUGE = 1e300  # a limit of squared distances beyond which there is none


class Sweep:
    """Points in order along their widest coordinate.

    A search begins where the query belongs and stops as soon as that coordinate alone is too far away; the result is
    that of comparing with every point.

    Parameters
    ----------
    rows
        One point each, shape (p, d).
    """

    def __init__(self, rows: np.ndarray):
        self.column = widest(rows)
        self._standing = Standing(self.column)
        self.ordered = rows[np.argsort(rows[:, self.column], kind="stable")]

    def extended(self, rows: np.ndarray) -> "Sweep":
        """With more points behind these."""
        more = copy.copy(self)
        added = rows[len(self.ordered) :]
        added = added[np.argsort(added[:, self.column], kind="stable")]
        places = np.searchsorted(self.ordered[:, self.column], added[:, self.column])
        more._standing = self._standing.joined(added)
        more.ordered = np.insert(self.ordered, places, added, axis=0)
        return more

    def mean_nearest(self, queries: np.ndarray, others: np.ndarray, count: int) -> np.ndarray:
        """Mean distance from each query to the `count` nearest of points and others."""
        return _mean_nearest(queries, others, self.ordered, self.column, count)

    def mean_nearest_of_all(self, queries: np.ndarray, count: int) -> np.ndarray:
        """The same among the points and the other queries."""
        count = min(count, len(self.ordered) + len(queries) - 1)
        return mean_roots(self._standing.nearest(queries, count, self._search), count)

    def beyond(self, queries: np.ndarray, threshold: float) -> np.ndarray:
        """Which queries, taken in order and kept, are further than `threshold` from every point and everyone kept."""
        return _beyond(queries, self.ordered, self.column, threshold)

    def _search(self, rows, first, width, squares, who):
        _find_nearest(rows, first, width, self.ordered, self.column, squares, who)


@njit(cache=True)
def _mean_nearest(queries, others, ordered, column, count):
    """For a few queries: every one of the others is looked at."""
    m = queries.shape[0]
    count = min(count, ordered.shape[0] + others.shape[0])
    scores = np.zeros(m)
    if count < 1:
        return scores
    best = np.empty(count)
    row = np.empty(others.shape[0])
    for i in range(m):
        best[:] = np.inf
        worst = np.inf
        if queries.shape[1] == 2:
            # all distances first, which goes several at a time, then the choice
            for j in range(others.shape[0]):
                row[j] = (others[j, 0] - queries[i, 0]) ** 2 + (others[j, 1] - queries[i, 1]) ** 2
            for j in range(others.shape[0]):
                if row[j] < worst:
                    worst = insert(best, row[j])
        else:
            for j in range(others.shape[0]):
                squared = squared_in_parts(queries, i, others, j, worst)
                if squared < worst:
                    worst = insert(best, squared)
        _sweep(queries, i, ordered, column, best, worst)
        scores[i] = mean_root(best)
    return scores


@njit(cache=True)
def _find_nearest(rows, first, width, ordered, column, squares, who):
    """Fill every list that has NOBODY among its first: all are put into one order, where each looks around itself.

    It looks a little further than the one before in the order had to, and further still if that was in vain.
    """
    order = np.argsort(rows[:, column])
    points, numbers, places = _merge(rows, order, ordered, column)
    row = np.empty(points.shape[0])
    before = np.inf
    for i in order:
        if who[i, first - 1] == NOBODY:
            nearest, whose = squares[i, :width], who[i, :width]
            limit = 2 * before if points.shape[0] > width else np.inf
            while True:
                nearest[:] = limit
                whose[:] = NOBODY
                worst = look_around(rows, i, points, numbers, column, places[i], row, nearest, whose)
                if worst < limit or limit == np.inf:
                    break
                limit = 2 * limit if 0 < limit < HUGE else np.inf
            squares[i, width:] = worst
            who[i, width:] = NOBODY
        before = squares[i, -1]


@njit(cache=True)
def _merge(rows, order, ordered, column):
    """Rows and ordered points in one order along the column, whose number each has, and where each row is in it."""
    m, d = rows.shape
    points = np.empty((m + ordered.shape[0], d))
    numbers = np.full(points.shape[0], POINT)
    places = np.empty(m, np.int64)
    i = j = 0
    for k in range(points.shape[0]):
        if j == ordered.shape[0] or (i < m and rows[order[i], column] <= ordered[j, column]):
            points[k] = rows[order[i]]
            numbers[k] = order[i]
            places[order[i]] = k
            i += 1
        else:
            points[k] = ordered[j]
            j += 1
    return points, numbers, places


@njit(cache=True)
def _sweep(queries, i, ordered, column, best, worst):
    """Insert the nearest rows of `ordered` into `best`; returns its last.

    From where the query belongs it goes along the column in both directions, until that coordinate alone is too far.
    """
    plane = queries.shape[1] == 2
    x = queries[i, column]
    middle = place(ordered, column, x)
    for direction in (1, -1):
        j = middle if direction == 1 else middle - 1
        while 0 <= j < ordered.shape[0] and not (ordered[j, column] - x) ** 2 > worst:
            if plane:
                squared = squared_in_plane(queries, i, ordered, j)
            else:
                squared = squared_in_parts(queries, i, ordered, j, worst)
            if squared < worst:
                worst = insert(best, squared)
            j += direction
    return worst


@njit(cache=True)
def _beyond(queries, ordered, column, threshold):
    m = queries.shape[0]
    plane = queries.shape[1] == 2
    kept = np.zeros(m, dtype=np.bool_)
    nearest = np.empty(1)
    for i in range(m):
        # looking a little further than the threshold, so that the distance decides and not its square
        nearest[0] = threshold * threshold * (1 + 1e-9)
        squared = _sweep(queries, i, ordered, column, nearest, nearest[0])
        for j in range(i):
            if kept[j]:
                if plane:
                    squared = min(squared, squared_in_plane(queries, i, queries, j))
                else:
                    squared = min(squared, squared_in_parts(queries, i, queries, j, squared))
        kept[i] = math.sqrt(squared) > threshold
    return kept
