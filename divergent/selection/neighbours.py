"""Mean distances to the nearest points, by a compiled search for Euclidean distance or by any other distance."""

import copy
import math
from collections.abc import Callable

import numpy as np
from numba import njit

Distance = str | Callable[[np.ndarray, np.ndarray], float]

HUGE = 1e300  # a limit of squared distances beyond which there is none


class Points:
    """Points made ready to be asked for the nearest among them.

    For Euclidean distance they are put in order along their widest coordinate, so that a search can begin at the right
    place and stop as soon as that coordinate alone is too far away; the result is that of comparing with every point.

    Parameters
    ----------
    points
        One row each, shape (p, d).
    distance
        "euclidean", another metric of `scipy.spatial.distance.cdist`, or a callable of two vectors.

    Examples
    --------
    >>> points = Points(np.array([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]]))
    >>> points.mean_nearest(np.array([[0.0, 0.0]]), 2)
    array([2.5])
    """

    def __init__(self, points: np.ndarray, distance: Distance = "euclidean"):
        self.points = points
        self.distance = distance
        points = np.ascontiguousarray(points, dtype=float)
        self.column = int(np.argmax(np.ptp(points, axis=0))) if points.size else 0
        self.ordered = points[np.argsort(points[:, self.column], kind="stable")] if points.size else points

    def extended(self, points: np.ndarray) -> "Points":
        """These points when more have been added behind them: `points` begins with those there are."""
        old = len(self.ordered)
        if self.distance != "euclidean" or len(points) >= 2 * old:
            return Points(points, self.distance)
        more = copy.copy(self)
        more.points = points
        added = np.asarray(points[old:], dtype=float)
        added = added[np.argsort(added[:, self.column], kind="stable")]
        places = np.searchsorted(self.ordered[:, self.column], added[:, self.column])
        more.ordered = np.insert(self.ordered, places, added, axis=0)
        return more

    def mean_nearest(self, queries: np.ndarray, count: int, among: np.ndarray | None = None) -> np.ndarray:
        """Mean distance from each query to the `count` nearest of the points and of `among`.

        With fewer than `count` points it is the mean over all of them, 0 if there are none.

        Parameters
        ----------
        queries
            One row each, shape (m, d).
        count
            How many nearest.
        among
            More points to look in. When it is `queries` itself, nobody counts as its own neighbour.
        """
        itself = among is queries
        queries = np.ascontiguousarray(queries, dtype=float)
        others = queries[:0] if among is None else np.ascontiguousarray(among, dtype=float)
        ordered = self.ordered if len(self.ordered) else queries[:0]
        if not queries.shape[1] == others.shape[1] == ordered.shape[1] or queries.shape[1] == 0:
            raise ValueError(_what_does_not_fit(queries, others, ordered))
        if self.distance == "euclidean" and itself:
            scores = _mean_nearest_of_all(queries, ordered, self.column, count)
        elif self.distance == "euclidean":
            scores = _mean_nearest(queries, others, ordered, self.column, count)
        else:
            scores = _mean_nearest_by(self.distance, queries, others, itself, ordered, count)
        finite = math.isfinite(scores[0]) if len(scores) == 1 else np.isfinite(scores).all()
        if not finite:
            raise ValueError(_what_is_not_finite(queries, others))
        return scores

    def beyond(self, queries: np.ndarray, threshold: float) -> np.ndarray:
        """Which queries, taken in order and kept, are further than `threshold` from every point and everyone kept."""
        queries = np.ascontiguousarray(queries, dtype=float)
        if self.distance == "euclidean":
            return _beyond(queries, self.ordered if len(self.ordered) else queries[:0], self.column, threshold)
        kept = np.zeros(len(queries), dtype=bool)
        nearest = _distances(queries, self.ordered, self.distance).min(axis=1, initial=np.inf)
        for i in range(len(queries)):
            kept[i] = nearest[i] > threshold
            if kept[i]:
                nearest = np.minimum(nearest, _distances(queries, queries[i : i + 1], self.distance)[:, 0])
        return kept


def _mean_nearest_by(distance, queries, others, itself, points, count):
    to_others = _distances(queries, others, distance)
    if itself:
        to_others = to_others[~np.eye(len(queries), dtype=bool)].reshape(len(queries), -1)
    distances = np.sort(np.hstack([to_others, _distances(queries, points, distance)]), axis=1)
    return distances[:, :count].mean(axis=1) if distances.shape[1] else np.zeros(len(queries))


def _distances(queries, points, distance):
    from scipy.spatial.distance import cdist

    return cdist(queries, points, distance) if len(points) else np.empty((len(queries), 0))


def _what_does_not_fit(queries, others, points):
    if queries.shape[1] == 0:
        return "individuals have no behaviour: evaluate must return an Outcome with one for this search"
    known = others.shape[1] if others.shape[1] != queries.shape[1] else points.shape[1]
    return f"behaviours must have one length: {known} numbers so far, got {queries.shape[1]}"


def _what_is_not_finite(queries, others):
    for name, behaviours in (("behaviour", queries), ("behaviour among the others", others)):
        for position, behaviour in enumerate(behaviours):
            if not np.isfinite(behaviour).all():
                return f"behaviours must be finite, {name} {position} is {behaviour.tolist()}"
    return f"distances between behaviours must be finite; there are behaviours as large as {np.abs(queries).max():g}"


@njit(cache=True)
def squared_in_plane(a, i, b, j):
    """Squared distance between row i of `a` and row j of `b`, both of two columns."""
    x = a[i, 0] - b[j, 0]
    y = a[i, 1] - b[j, 1]
    return x * x + y * y


@njit(cache=True, fastmath={"reassoc"})  # lets the sum go several at a time, in one order for every pair
def squared_in_parts(a, i, b, j, enough):
    """Squared distance between rows of any number of columns, or something above `enough` once it is past that."""
    d = a.shape[1]
    total = 0.0
    for start in range(0, d, 16):
        part = 0.0
        for c in range(start, min(start + 16, d)):
            difference = a[i, c] - b[j, c]
            part += difference * difference
        total += part
        if total > enough:
            break
    return total


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
def _insert(best, value):
    """Put `value` where it belongs among the sorted `best`, pushing the last out; returns the new last."""
    last = best.shape[0] - 1
    j = last
    while j > 0 and best[j - 1] > value:
        best[j] = best[j - 1]
        j -= 1
    best[j] = value
    return best[last]


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
                    worst = _insert(best, row[j])
        else:
            for j in range(others.shape[0]):
                squared = squared_in_parts(queries, i, others, j, worst)
                if squared < worst:
                    worst = _insert(best, squared)
        _sweep(queries, i, ordered, column, best, worst)
        scores[i] = _mean_root(best)
    return scores


@njit(cache=True)
def _mean_nearest_of_all(queries, ordered, column, count):
    """For a whole population, among itself and the ordered points: all in one order, where each looks around itself."""
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
        # the one before was so near to its neighbours: look a little further than that, and further still if in vain
        limit = 1.5 * worst
        worst = _look_around(points, column, places[i], row, best, limit)
        while worst == limit and limit < np.inf:
            limit = 4 * limit if 0 < limit < HUGE else np.inf
            worst = _look_around(points, column, places[i], row, best, limit)
        scores[i] = _mean_root(best)
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
            worst = _insert(best, squared)
    return worst


@njit(cache=True)
def _mean_root(squares):
    total = 0.0
    for square in squares:
        total += math.sqrt(square)
    return total / squares.shape[0]


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
                worst = _insert(best, squared)
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
