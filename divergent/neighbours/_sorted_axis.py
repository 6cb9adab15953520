"""Nearest neighbours in up to three dimensions, by a sweep along the coordinate with the largest range.

A sweep starts at the query and stops when the difference in the sorted coordinate exceeds the distance of the farthest
neighbour kept so far.
"""

import copy
import math

import numpy as np

from divergent._compile import njit
from divergent.neighbours._incremental import EMPTY, POINT, NeighbourLists, changed_rows, widest_column
from divergent.neighbours._kernels import (
    bucket_argsort,
    insert,
    insert_with_id,
    lower_bound,
    mean_root,
    mean_roots,
    select_in_order,
    square,
    square_above,
    squared_in_parts,
    squared_in_plane,
)

ONE, TWO = np.uint64(1), np.uint64(2)  # unsigned indices need no check for negative values
DISTANCE_BLOCK = np.uint64(64)  # distances computed together
MIN_CACHED_QUERIES = 16  # smallest number of queries whose results are cached


class SortedAxisSearch:
    """Nearest-neighbour search among points that are sorted along the coordinate with the largest range.

    Results are identical to the results of a comparison with all points. For a whole population, individuals and points
    are divided into strips, which are short intervals of the sorted coordinate. Each individual is compared only with
    individuals and points in nearby strips. Results for many queries are cached and reused for queries that do not
    change.

    Parameters
    ----------
    rows : ndarray of shape (p, d)
        Points among which neighbours are searched.
    """

    def __init__(self, rows: np.ndarray):
        self.column = widest_column(rows)
        self.lists = NeighbourLists(self.column)
        self._cached_queries, self._cached_count, self._cached_means = rows[:0], 0, np.empty(0)
        self.ordered = rows[np.argsort(rows[:, self.column], kind="stable")]

    def extended(self, rows: np.ndarray) -> "SortedAxisSearch":
        """Return a search structure for `rows`, which are the current points followed by new points."""
        search = copy.copy(self)
        search._cached_queries = rows[:0]
        added = rows[len(self.ordered) :]
        added = added[np.argsort(added[:, self.column], kind="stable")]
        positions = np.searchsorted(self.ordered[:, self.column], added[:, self.column])
        search.lists = self.lists.with_points(added)
        search.ordered = np.insert(self.ordered, positions, added, axis=0)
        return search

    def mean_nearest(self, queries: np.ndarray, others: np.ndarray, count: int) -> np.ndarray:
        """Return the mean distance from each query to its `count` nearest neighbours among the points and `others`."""
        if len(others) or len(queries) < MIN_CACHED_QUERIES:
            return _mean_nearest(queries, others, self.ordered, self.column, count)
        if self._cached_queries.shape == queries.shape and self._cached_count == count:
            changed = np.flatnonzero(changed_rows(queries, self._cached_queries))
            self._cached_queries[changed] = new = queries[changed]
            self._cached_means[changed] = _mean_nearest(new, others, self.ordered, self.column, count)
        else:
            self._cached_queries, self._cached_count = queries.copy(), count
            self._cached_means = _mean_nearest(queries, others, self.ordered, self.column, count)
        return self._cached_means.copy()

    def mean_nearest_of_all(self, queries: np.ndarray, count: int) -> np.ndarray:
        """Return the mean distance from each query to its `count` nearest neighbours among points and other queries."""
        count = min(count, len(self.ordered) + len(queries) - 1)
        return mean_roots(self.lists.nearest(queries, count, self._fill_lists), count)

    def select_by_threshold(self, queries: np.ndarray, threshold: float) -> np.ndarray:
        """Select queries, in order, that are farther than `threshold` from all points and earlier selected queries."""
        nearest = _nearest_within(queries, self.ordered, self.column, square_above(threshold))
        return select_in_order(queries, nearest, threshold)

    def _fill_lists(self, rows: np.ndarray, first: int, width: int, squares: np.ndarray, ids: np.ndarray) -> None:
        """Recompute every neighbour list that contains fewer neighbours than the required number `first`."""
        _find_nearest(rows, first, width, self.ordered, self.column, squares, ids)


@njit(cache=True)
def _mean_nearest(queries: np.ndarray, others: np.ndarray, ordered: np.ndarray, column: int, count: int) -> np.ndarray:
    """Return the mean distance from each query to its `count` nearest neighbours in `ordered` and `others`.

    A sweep searches the sorted array `ordered`; every row of `others` is compared with the query.
    """
    m = queries.shape[0]
    count = min(count, ordered.shape[0] + others.shape[0])
    scores = np.zeros(m)
    if count < 1:
        return scores
    best, coordinates = np.empty(count), others.ravel()
    for i in range(m):
        best[:] = np.inf
        worst = _sweep(queries, i, ordered, column, best, np.inf)
        if len(coordinates) and queries.shape[1] == 2:
            _insert_nearest_in_plane(queries[i, 0], queries[i, 1], coordinates, best, worst)
        else:
            for j in range(others.shape[0]):
                squared = squared_in_parts(queries, i, others, j, worst)
                if squared < worst:
                    worst = insert(best, squared)
        scores[i] = mean_root(best)
    return scores


@njit(cache=True)
def _insert_nearest_in_plane(x: float, y: float, coordinates: np.ndarray, best: np.ndarray, worst: float) -> None:
    """Insert squared distances from (x, y) to its nearest points into `best`.

    The array `coordinates` contains x and y of the first point, x and y of the second point, and so on. Distances are
    computed in blocks, which LLVM vectorises. Blocks in which no distance is below the last entry of `best` are
    skipped.
    """
    squares = np.empty(DISTANCE_BLOCK)
    end = np.uint64(len(coordinates) // 2)
    for begin in range(np.uint64(0), end, DISTANCE_BLOCK):
        count = min(DISTANCE_BLOCK, end - begin)
        below = 0
        for j in range(count):
            first = TWO * (begin + j)
            squares[j] = square(coordinates[first] - x) + square(coordinates[first + ONE] - y)
            below += 1 if squares[j] < worst else 0
        if below:
            for j in range(count):
                if squares[j] < worst:
                    worst = insert(best, squares[j])


@njit(cache=True)
def _find_nearest(
    rows: np.ndarray,
    first: int,
    width: int,
    ordered: np.ndarray,
    column: int,
    squares: np.ndarray,
    ids: np.ndarray,
) -> None:
    """Recompute every neighbour list that contains fewer neighbours than the required number `first`.

    The search for the neighbours of a row begins in the row's strip and continues outwards while strips may contain
    nearer rows or points.
    """
    across = (column + 1) % rows.shape[1]
    points, point_ids, size, low, high = _strips(rows, ordered, width, column, across)
    for position in range(len(points)):
        i = point_ids[position]
        if i == POINT or ids[i, first - 1] != EMPTY:
            continue
        nearest, nearest_ids = squares[i, :width], ids[i, :width]
        nearest[:] = np.inf
        nearest_ids[:] = EMPTY
        x = rows[i, column]
        own = position // size
        worst = _search_strip(rows, i, points, point_ids, own * size, size, across, nearest, nearest_ids)
        strip = own + 1
        while strip < len(low) and square(low[strip] - x) < worst:
            worst = _search_strip(rows, i, points, point_ids, strip * size, size, across, nearest, nearest_ids)
            strip += 1
        strip = own - 1
        while strip >= 0 and square(x - high[strip]) < worst:
            worst = _search_strip(rows, i, points, point_ids, strip * size, size, across, nearest, nearest_ids)
            strip -= 1
        squares[i, width:] = worst
        ids[i, width:] = EMPTY


@njit(cache=True)
def _strips(
    rows: np.ndarray, ordered: np.ndarray, width: int, column: int, across: int
) -> tuple[np.ndarray, np.ndarray, int, np.ndarray, np.ndarray]:
    """Divide rows and points into strips by the coordinate `column`, and sort each strip by the coordinate `across`.

    Returns the sorted rows and points, their ids, the size of a strip, and the smallest and largest coordinate of each
    strip. If points are uniformly distributed over a square, a strip is about as broad as the distance to the farthest
    of `width` neighbours.
    """
    combined = np.concatenate((rows, ordered))
    size = 1 + int(math.sqrt(len(combined) * width / math.pi))
    order = bucket_argsort(combined[:, column].copy())
    low, high = combined[order[::size], column], np.empty(len(order[::size]))
    for strip in range(len(low)):
        members = order[strip * size : (strip + 1) * size]
        high[strip] = combined[members[-1], column]
        members[:] = members[bucket_argsort(combined[members, across])]
    return combined[order], np.where(order < len(rows), order, POINT), size, low, high


@njit(cache=True)
def _search_strip(
    rows: np.ndarray,
    i: int,
    points: np.ndarray,
    point_ids: np.ndarray,
    begin: int,
    size: int,
    across: int,
    nearest: np.ndarray,
    nearest_ids: np.ndarray,
) -> float:
    """Insert the nearest rows and points of a strip into the neighbour list of row i.

    The result is the largest distance in the neighbour list.
    """
    y = rows[i, across]
    end = min(begin + size, len(points))
    middle = lower_bound(points, across, y, begin, end)
    limit = nearest[-1]
    plane = rows.shape[1] == 2
    for direction in (1, -1):
        j = middle if direction == 1 else middle - 1
        while begin <= j < end and square(points[j, across] - y) < limit:
            squared = squared_in_plane(rows, i, points, j) if plane else squared_in_parts(rows, i, points, j, limit)
            if squared < limit and point_ids[j] != i:
                limit = insert_with_id(nearest, nearest_ids, squared, point_ids[j])
            j += direction
    return limit


@njit(cache=True)
def _sweep(queries: np.ndarray, i: int, ordered: np.ndarray, column: int, best: np.ndarray, worst: float) -> float:
    """Insert squared distances from query i to the nearest rows of `ordered` into `best`.

    The result is the largest squared distance in `best`.
    """
    plane = queries.shape[1] == 2
    x = queries[i, column]
    middle = lower_bound(ordered, column, x, 0, ordered.shape[0])
    for direction in (1, -1):
        j = middle if direction == 1 else middle - 1
        while 0 <= j < ordered.shape[0] and not square(ordered[j, column] - x) > worst:
            if plane:
                squared = squared_in_plane(queries, i, ordered, j)
            else:
                squared = squared_in_parts(queries, i, ordered, j, worst)
            if squared < worst:
                worst = insert(best, squared)
            j += direction
    return worst


@njit(cache=True)
def _nearest_within(queries: np.ndarray, ordered: np.ndarray, column: int, limit: float) -> np.ndarray:
    """Return the squared distance from each query to the nearest row of `ordered`, but at most `limit`."""
    nearest = np.full((queries.shape[0], 1), limit)
    for i in range(queries.shape[0]):
        _sweep(queries, i, ordered, column, nearest[i], limit)
    return nearest[:, 0]


def nearest_rows(queries: np.ndarray, points: np.ndarray, count: int, exclude_self: bool) -> np.ndarray:
    """Return the indices of the `count` nearest points of each query, sorted by index; ties are broken by index.

    If `exclude_self` is True, `points` must begin with the queries, and no query is its own neighbour. A missing
    neighbour is represented by the number of points. The function works in any number of dimensions.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        column = int(np.argmax(np.ptp(points, axis=0))) if len(points) else 0
    order = np.argsort(points[:, column], kind="stable")
    ordered = points[order]
    positions = np.searchsorted(ordered[:, column], queries[:, column])
    return _nearest_rows(queries, positions, ordered, order, column, count, exclude_self)


@njit(cache=True)
def _nearest_rows(
    queries: np.ndarray,
    positions: np.ndarray,
    ordered: np.ndarray,
    order: np.ndarray,
    column: int,
    count: int,
    exclude_self: bool,
) -> np.ndarray:
    """Sweep the sorted points from each query in both directions; each step takes the nearer of the two next points."""
    size = len(order)
    nearest = np.empty((queries.shape[0], count), np.int64)
    if count < 1:
        return nearest
    plane = queries.shape[1] == 2
    best = np.empty(count)
    ids = np.empty(count, np.int64)
    for i in range(queries.shape[0]):
        best[:] = np.inf
        ids[:] = size
        x = queries[i, column]
        above = positions[i]
        below = above - 1
        while below >= 0 or above < size:
            if above == size or (below >= 0 and x - ordered[below, column] < ordered[above, column] - x):
                k = below
                below -= 1
            else:
                k = above
                above += 1
            if square(ordered[k, column] - x) > best[-1]:
                break
            if exclude_self and order[k] == i:
                continue
            if plane:
                squared = squared_in_plane(queries, i, ordered, k)
            else:
                squared = squared_in_parts(queries, i, ordered, k, best[-1])
            if squared < best[-1] or (squared == best[-1] and order[k] < ids[-1] < size):
                _insert_by_id(best, ids, squared, order[k])
        nearest[i] = np.sort(ids)
    return nearest


@njit(cache=True)
def _insert_by_id(best: np.ndarray, ids: np.ndarray, squared: float, new_id: int) -> None:
    """Insert a squared distance and its id into lists sorted by distance, then id; drop the last entry."""
    j = best.shape[0] - 1
    while j > 0 and (best[j - 1] > squared or (best[j - 1] == squared and ids[j - 1] > new_id)):
        best[j] = best[j - 1]
        ids[j] = ids[j - 1]
        j -= 1
    best[j] = squared
    ids[j] = new_id
