"""Mean distances to the nearest points, by a compiled search for Euclidean distance or by any other distance."""

import math
from collections.abc import Callable

import numpy as np
from numba import njit

Distance = str | Callable[[np.ndarray, np.ndarray], float]


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
        if self.distance == "euclidean":
            scores = _mean_nearest(queries, others, itself, ordered, self.column, count)
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
def squared_distance(a, i, b, j, enough):
    """Squared distance between two rows; cut short, at something larger, once it is past `enough`."""
    d = a.shape[1]
    if d == 2:
        x = a[i, 0] - b[j, 0]
        y = a[i, 1] - b[j, 1]
        return x * x + y * y
    total = 0.0
    c = 0
    while c + 8 <= d:
        # four sums that do not wait for each other
        s0 = (a[i, c] - b[j, c]) ** 2 + (a[i, c + 4] - b[j, c + 4]) ** 2
        s1 = (a[i, c + 1] - b[j, c + 1]) ** 2 + (a[i, c + 5] - b[j, c + 5]) ** 2
        s2 = (a[i, c + 2] - b[j, c + 2]) ** 2 + (a[i, c + 6] - b[j, c + 6]) ** 2
        s3 = (a[i, c + 3] - b[j, c + 3]) ** 2 + (a[i, c + 7] - b[j, c + 7]) ** 2
        total += (s0 + s1) + (s2 + s3)
        if total > enough:
            return total
        c += 8
    while c < d:
        total += (a[i, c] - b[j, c]) ** 2
        c += 1
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
    """Put `value` where it belongs among the sorted `best`, pushing the last out."""
    j = best.shape[0] - 1
    while j > 0 and best[j - 1] > value:
        best[j] = best[j - 1]
        j -= 1
    best[j] = value


@njit(cache=True)
def _mean_nearest(queries, others, itself, ordered, column, count):
    m = queries.shape[0]
    p = ordered.shape[0]
    available = p + others.shape[0] - (1 if itself else 0)
    count = min(count, available)
    scores = np.zeros(m)
    if count < 1:
        return scores
    best = np.empty(count)
    for i in range(m):
        best[:] = np.inf
        worst = np.inf
        x = queries[i, column]
        after = _place(ordered, column, x)
        before = after - 1
        while True:
            # the nearer of the two ends along the column; when that alone is too far, so is everything beyond
            ahead = ordered[after, column] - x if after < p else np.inf
            behind = x - ordered[before, column] if before >= 0 else np.inf
            if ahead <= behind:
                gap = ahead
                j = after
                after += 1
            else:
                gap = behind
                j = before
                before -= 1
            if gap == np.inf or gap * gap > worst:
                break
            squared = squared_distance(queries, i, ordered, j, worst)
            if squared < worst:
                _insert(best, squared)
                worst = best[count - 1]
        for j in range(others.shape[0]):
            squared = squared_distance(queries, i, others, j, worst)
            if squared < worst and not (itself and i == j):
                _insert(best, squared)
                worst = best[count - 1]
        total = 0.0
        for c in range(count):
            total += math.sqrt(best[c])
        scores[i] = total / count
    return scores


@njit(cache=True)
def _beyond(queries, ordered, column, threshold):
    m = queries.shape[0]
    enough = threshold * threshold * (1 + 1e-9)
    kept = np.zeros(m, dtype=np.bool_)
    for i in range(m):
        x = queries[i, column]
        near = False
        j = _place(ordered, column, x - threshold)
        while j < ordered.shape[0] and ordered[j, column] <= x + threshold and not near:
            near = math.sqrt(squared_distance(queries, i, ordered, j, enough)) <= threshold
            j += 1
        j = 0
        while j < i and not near:
            near = kept[j] and math.sqrt(squared_distance(queries, i, queries, j, enough)) <= threshold
            j += 1
        kept[i] = not near
    return kept
