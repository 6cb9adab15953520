"""The nearest of points of few numbers, by sweeping along their widest coordinate."""

import copy
import math

import numpy as np
from numba import njit

from divergent.selection.squares import insert, mean_root, squared_in_parts, squared_in_plane

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
        with np.errstate(over="ignore"):
            self.column = int(np.argmax(np.ptp(rows, axis=0))) if len(rows) else 0
        self._reached = np.empty(0)
        self.ordered = rows[np.argsort(rows[:, self.column], kind="stable")]

    def extended(self, rows: np.ndarray) -> "Sweep":
        """With more points behind these."""
        more = copy.copy(self)
        added = rows[len(self.ordered) :]
        added = added[np.argsort(added[:, self.column], kind="stable")]
        places = np.searchsorted(self.ordered[:, self.column], added[:, self.column])
        more.ordered = np.insert(self.ordered, places, added, axis=0)
        return more

    def mean_nearest(self, queries: np.ndarray, others: np.ndarray, count: int) -> np.ndarray:
        """Mean distance from each query to the `count` nearest of points and others."""
        return _mean_nearest(queries, others, self.ordered, self.column, count)

    def mean_nearest_of_all(self, queries: np.ndarray, count: int) -> np.ndarray:
        """The same among the points and the other queries."""
        if len(self._reached) != len(queries):
            self._reached = np.full(len(queries), np.inf)
        return _mean_nearest_of_all(queries, self.ordered, self.column, count, self._reached)

    def beyond(self, queries: np.ndarray, threshold: float) -> np.ndarray:
        """Which queries, taken in order and kept, are further than `threshold` from every point and everyone kept."""
        return _beyond(queries, self.ordered, self.column, threshold)


@njit(cache=True)
def _place(ordered, column, x):
    """The first row whose coordinate is not below `x`."""
    low = 0
    high = ordered.shape[0]
    while low < high:
        middle = (low + high) // 2
        if ordered[middle, column] < x:
            low = middle + 1
        else:
            high = middle
    return low


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
def _mean_nearest_of_all(queries, ordered, column, count, reached):
    """For a whole population, among itself and the ordered points: all in one order, where each looks around itself.

    In `reached` is how far each looked the last time, squared, which tells where to look first.
    """
    count = min(count, ordered.shape[0] + queries.shape[0] - 1)
    scores = np.zeros(queries.shape[0])
    if count < 1:
        return scores
    order = np.argsort(queries[:, column])
    points, places = _merge(queries, order, ordered, column)
    best = np.empty(count)
    row = np.empty(points.shape[0])
    worst = np.inf
    for i in order:
        # a little further than the last time, unless somebody else was in this row then and the one before in the order
        # was much nearer to its neighbours; and further still if in vain
        limit = min(1.1 * reached[i], 4 * worst)
        worst = _look_around(points, column, places[i], row, best, limit)
        while worst == limit and limit < np.inf:
            limit = 2 * limit if 0 < limit < HUGE else np.inf
            worst = _look_around(points, column, places[i], row, best, limit)
        reached[i] = worst
        scores[i] = mean_root(best)
    return scores


@njit(cache=True)
def _merge(queries, order, ordered, column):
    """Queries and ordered points in one order along the column, and where each query is in it."""
    m, d = queries.shape
    points = np.empty((m + ordered.shape[0], d))
    places = np.empty(m, np.int64)
    i = j = 0
    for k in range(points.shape[0]):
        if j == ordered.shape[0] or (i < m and queries[order[i], column] <= ordered[j, column]):
            points[k] = queries[order[i]]
            places[order[i]] = k
            i += 1
        else:
            points[k] = ordered[j]
            j += 1
    return points, places


@njit(cache=True)
def _look_around(points, column, k, row, best, limit):
    """Fill `best` with the smallest squared distances from point k below `limit`; returns its last."""
    x = points[k, column]
    first, last = k, k + 1
    while first > 0 and (x - points[first - 1, column]) ** 2 < limit:
        first -= 1
    while last < points.shape[0] and (points[last, column] - x) ** 2 < limit:
        last += 1
    plane = points.shape[1] == 2
    if plane:
        # all distances first, which goes several at a time, then the choice
        for j in range(first, last):
            row[j] = (points[j, 0] - points[k, 0]) ** 2 + (points[j, 1] - points[k, 1]) ** 2
    best[:] = limit
    worst = limit
    for j in range(first, last):
        squared = row[j] if plane else squared_in_parts(points, k, points, j, worst)
        if squared < worst and j != k:
            worst = insert(best, squared)
    return worst


@njit(cache=True)
def _sweep(queries, i, ordered, column, best, worst):
    """Insert the nearest rows of `ordered` into `best`; returns its last.

    From where the query belongs it goes along the column in both directions, until that coordinate alone is too far.
    """
    plane = queries.shape[1] == 2
    x = queries[i, column]
    middle = _place(ordered, column, x)
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
