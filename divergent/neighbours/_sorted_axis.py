"""The nearest of points of few numbers, by sweeping along their widest coordinate, or along strips across it."""

import copy
import math

import numpy as np

from divergent._compile import njit
from divergent.neighbours._bucket_sort import in_order, place
from divergent.neighbours._incremental import NOBODY, POINT, Standing, rows_that_differ, widest
from divergent.neighbours._squared_distance import (
    insert,
    insert_one,
    keep_beyond,
    mean_root,
    mean_roots,
    square,
    square_beyond,
    squared_in_parts,
    squared_in_plane,
)

ONE, TWO = np.uint64(1), np.uint64(2)  # unsigned, so that no place is asked whether it counts from the end
BLOCK = np.uint64(64)  # others whose distances are computed together
KEPT_FROM = 16  # queries from which on it pays to look who among them was asked about before


class Sweep:
    """Points in order along their widest coordinate.

    A search begins where the query belongs and stops as soon as that coordinate alone is too far away; the result is
    that of comparing with every point. For whole populations all are cut into strips, which keeps the way short. What
    was found for many queries is kept for those among them who are asked about again.

    Parameters
    ----------
    rows
        One point each, shape (p, d).
    """

    def __init__(self, rows: np.ndarray):
        self.column = widest(rows)
        self._standing = Standing(self.column)
        self._asked, self._count, self._means = rows[:0], 0, np.empty(0)
        self.ordered = rows[np.argsort(rows[:, self.column], kind="stable")]

    def extended(self, rows: np.ndarray) -> "Sweep":
        """With more points behind these."""
        more = copy.copy(self)
        more._asked = rows[:0]
        added = rows[len(self.ordered) :]
        added = added[np.argsort(added[:, self.column], kind="stable")]
        places = np.searchsorted(self.ordered[:, self.column], added[:, self.column])
        more._standing = self._standing.joined(added)
        more.ordered = np.insert(self.ordered, places, added, axis=0)
        return more

    def mean_nearest(self, queries: np.ndarray, others: np.ndarray, count: int) -> np.ndarray:
        """Mean distance from each query to the `count` nearest of points and others."""
        if len(others) or len(queries) < KEPT_FROM:
            return _mean_nearest(queries, others, self.ordered, self.column, count)
        if self._asked.shape == queries.shape and self._count == count:
            changed = np.flatnonzero(rows_that_differ(queries, self._asked))
            self._asked[changed] = some = queries[changed]
            self._means[changed] = _mean_nearest(some, others, self.ordered, self.column, count)
        else:
            self._asked, self._count = queries.copy(), count
            self._means = _mean_nearest(queries, others, self.ordered, self.column, count)
        return self._means.copy()

    def mean_nearest_of_all(self, queries: np.ndarray, count: int) -> np.ndarray:
        """The same among the points and the other queries."""
        count = min(count, len(self.ordered) + len(queries) - 1)
        return mean_roots(self._standing.nearest(queries, count, self._search), count)

    def select_by_threshold(self, queries: np.ndarray, threshold: float) -> np.ndarray:
        """Which queries, taken in order and kept, are further than `threshold` from every point and everyone kept."""
        nearest = _nearest_within(queries, self.ordered, self.column, square_beyond(threshold))
        return keep_beyond(queries, nearest, threshold)

    def _search(self, rows, first, width, squares, who):
        _find_nearest(rows, first, width, self.ordered, self.column, squares, who)


@njit(cache=True)
def _mean_nearest(queries, others, ordered, column, count):
    """For a few queries: every one of the others is looked at, after the points, who say how near it has to be."""
    m = queries.shape[0]
    count = min(count, ordered.shape[0] + others.shape[0])
    scores = np.zeros(m)
    if count < 1:
        return scores
    best, numbers = np.empty(count), others.ravel()
    for i in range(m):
        best[:] = np.inf
        worst = _sweep(queries, i, ordered, column, best, np.inf)
        if len(numbers) and queries.shape[1] == 2:
            _take_in_plane(queries[i, 0], queries[i, 1], numbers, best, worst)
        else:
            for j in range(others.shape[0]):
                squared = squared_in_parts(queries, i, others, j, worst)
                if squared < worst:
                    worst = insert(best, squared)
        scores[i] = mean_root(best)
    return scores


@njit(cache=True)
def _take_in_plane(x, y, numbers, best, worst):
    """Insert the nearest of others, given as their numbers in a row, into `best`.

    Distances are computed in blocks, which goes several at a time, and most blocks have nobody near enough.
    """
    squares = np.empty(BLOCK)
    end = np.uint64(len(numbers) // 2)
    for begin in range(np.uint64(0), end, BLOCK):
        count = min(BLOCK, end - begin)
        below = 0
        for j in range(count):
            first = TWO * (begin + j)
            squares[j] = square(numbers[first] - x) + square(numbers[first + ONE] - y)
            below += 1 if squares[j] < worst else 0
        if below:
            for j in range(count):
                if squares[j] < worst:
                    worst = insert(best, squares[j])


@njit(cache=True)
def _find_nearest(rows, first, width, ordered, column, squares, who):
    """Fill every list that has NOBODY among its first.

    Each looks around itself in its own strip, and then in those to both sides as long as they are near enough.
    """
    across = (column + 1) % rows.shape[1]
    points, numbers, size, low, high = _strips(rows, ordered, width, column, across)
    for position in range(len(points)):
        i = numbers[position]
        if i == POINT or who[i, first - 1] != NOBODY:
            continue
        nearest, whose = squares[i, :width], who[i, :width]
        nearest[:] = np.inf
        whose[:] = NOBODY
        x = rows[i, column]
        own = position // size
        worst = _look_around(rows, i, points, numbers, own * size, size, across, nearest, whose)
        strip = own + 1
        while strip < len(low) and square(low[strip] - x) < worst:
            worst = _look_around(rows, i, points, numbers, strip * size, size, across, nearest, whose)
            strip += 1
        strip = own - 1
        while strip >= 0 and square(x - high[strip]) < worst:
            worst = _look_around(rows, i, points, numbers, strip * size, size, across, nearest, whose)
            strip -= 1
        squares[i, width:] = worst
        who[i, width:] = NOBODY


@njit(cache=True)
def _strips(rows, ordered, width, column, across):
    """Rows and points, cut into strips along one column, each in order across, and whose number each has.

    Strips have one size, which also comes with them: were all spread evenly over a square, a strip would be as wide as
    `width` nearest are far. Last come the least and the largest coordinate of each.
    """
    everyone = np.concatenate((rows, ordered))
    size = 1 + int(math.sqrt(len(everyone) * width / math.pi))
    order = in_order(everyone[:, column].copy())
    low, high = everyone[order[::size], column], np.empty(len(order[::size]))
    for strip in range(len(low)):
        some = order[strip * size : (strip + 1) * size]
        high[strip] = everyone[some[-1], column]
        some[:] = some[in_order(everyone[some, across])]
    return everyone[order], np.where(order < len(rows), order, POINT), size, low, high


@njit(cache=True)
def _look_around(rows, i, points, numbers, begin, size, across, nearest, whose):
    """Insert the nearest to row i of a strip, apart from itself, into its list; returns the list's last.

    From where the row belongs it goes in both directions until it is too far across alone.
    """
    y = rows[i, across]
    end = min(begin + size, len(points))
    middle = place(points, across, y, begin, end)
    limit = nearest[-1]
    plane = rows.shape[1] == 2
    for direction in (1, -1):
        j = middle if direction == 1 else middle - 1
        while begin <= j < end and square(points[j, across] - y) < limit:
            squared = squared_in_plane(rows, i, points, j) if plane else squared_in_parts(rows, i, points, j, limit)
            if squared < limit and numbers[j] != i:
                limit = insert_one(nearest, whose, squared, numbers[j])
            j += direction
    return limit


@njit(cache=True)
def _sweep(queries, i, ordered, column, best, worst):
    """Insert the nearest rows of `ordered` into `best`; returns its last.

    From where the query belongs it goes along the column in both directions, until that coordinate alone is too far.
    """
    plane = queries.shape[1] == 2
    x = queries[i, column]
    middle = place(ordered, column, x, 0, ordered.shape[0])
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
def _nearest_within(queries, ordered, column, limit):
    """The squared distance from each query to the nearest row of `ordered`, or the limit if all are further."""
    nearest = np.full((queries.shape[0], 1), limit)
    for i in range(queries.shape[0]):
        _sweep(queries, i, ordered, column, nearest[i], limit)
    return nearest[:, 0]
