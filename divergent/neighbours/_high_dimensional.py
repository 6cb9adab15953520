"""The nearest of points of many numbers: matrix products say who cannot be, the others are compared one by one.

|x - y|^2 = |x|^2 + |y|^2 - 2 x y turns distances between many rows into one matrix product, by far the fastest way to
them, but not exact: it loses what is small beside |x|^2, and its last digits depend on the library, on its threads and
on where blocks end. So it only decides who is looked at. Its error has a bound; whoever may be near within that bound
is compared again, by a sum of squared differences in one fixed order, and only these sums count. Coordinates are taken
from the middle of the points, so that an offset common to all loses nothing. Where numbers still are so far apart that
the bound rules out nobody, as for clumps of points at a great distance from each other, everybody is compared: slower,
and the same result.
"""

import copy
from collections.abc import Iterator
from contextlib import AbstractContextManager
from functools import cache

import numpy as np

from divergent._compile import njit
from divergent.neighbours import _kd_tree as tree
from divergent.neighbours._incremental import NOBODY, POINT, Standing, rows_that_differ, widest
from divergent.neighbours._squared_distance import insert, insert_one, keep_beyond, mean_roots, square, squared_in_parts

ROWS, COLUMNS = 128, 4096  # of a block of products: four megabytes
STRETCH = 16  # lower bounds that are looked at together
SKETCHED = 16  # directions in which points are seen at a glance
SKETCH_FROM = 400  # points from which on it is worth finding them
SKETCH_SLACK = 1e-9  # in shares of two squared norms: more than all errors of projecting up to 100,000 numbers
OFFSET = 0.99  # share of the mean squared norm from which on the squared norm of the mean is worth taking away
NEWCOMERS = 100  # of those who were asked about alone, so many are remembered
FEW = 16  # queries for which products cost more than they save
AT_A_GLANCE = 64  # queries for which a glance in a few directions may save more than products do
EPSILON = float(np.finfo(float).eps)
NONE = np.empty(0)
TINY, HUGE = 1e-290, 1e300  # squares beyond which floating point has other errors than those of the bound


class Products:
    """Points of many numbers, to be asked for the nearest.

    What was found for the members of a population that stands, and for newcomers who were asked about alone, is kept,
    and nothing but time depends on it.

    Parameters
    ----------
    rows
        One point each, shape (p, d).
    """

    def __init__(self, rows: np.ndarray):
        self.rows = rows
        self.origin = middle(rows)
        self.centred: np.ndarray | None = None  # made when it is needed, which it seldom is
        self.norms = NONE  # the same
        self.directions: np.ndarray | None = None  # found when they are needed first
        self.sketches = np.empty((0, 0))
        self.standing = Standing(widest(rows))
        self.asked = rows[:0]
        self.nearest = np.empty((0, 0))  # squared distances from those asked about together to the points
        self.newcomers: dict[bytes, np.ndarray] = {}  # squared distances from each to the nearest points

    def extended(self, rows: np.ndarray) -> "Products":
        """With more points behind these."""
        added = rows[len(self.rows) :]
        more = copy.copy(self)
        centred, norms = lowered(added, self.origin)
        more.rows = rows
        more.centred = None
        more.norms = np.concatenate([self.norms, norms]) if len(self.norms) else NONE
        if self.directions is not None:
            with one_thread():
                more.sketches = np.hstack([self.sketches, self.directions.T @ centred.T])
        more.standing = self.standing.joined(added)
        more.asked, more.newcomers = rows[:0], {}
        return more

    def mean_nearest(self, queries: np.ndarray, others: np.ndarray, count: int) -> np.ndarray:
        """Mean distance from each query to the `count` nearest of points and others."""
        count = min(count, len(self.rows) + len(others))
        if len(queries) == 1:
            nearest = self._nearest_points(queries, count)
            if len(self.newcomers) < NEWCOMERS:
                self.newcomers[queries.tobytes()] = nearest[0].copy()
            _take_all(queries, others, nearest)
        else:
            nearest = self._nearest_of_many(queries, count)
            if len(others):
                find_nearest(queries, others, nearest)
        return mean_roots(nearest, count)

    def mean_nearest_of_all(self, queries: np.ndarray, count: int) -> np.ndarray:
        """The same among the points and the other queries."""
        count = min(count, len(self.rows) + len(queries) - 1)
        return mean_roots(self.standing.nearest(queries, count, self._search), count)

    def select_by_threshold(self, queries: np.ndarray, threshold: float) -> np.ndarray:
        """Which queries, taken in order and kept, are further than `threshold` from every point and everyone kept."""
        nearest = self.standing.nearest_points(queries)
        unknown = np.flatnonzero(np.isnan(nearest))
        nearest[unknown] = self._recalled(queries[unknown], 1, 1)[0][:, 0]
        return keep_beyond(queries, nearest, threshold)

    def _search(self, rows, first, width, squares, who):
        """What `Standing` asks for."""
        wanted = np.flatnonzero(who[:, first - 1] == NOBODY)
        if len(wanted) == len(rows):
            nearest, whose = self._nearest_of_everyone(rows, width)
        else:
            queries = rows[wanted]
            nearest, whose = self._recalled(queries, first, width)
            find_nearest(queries, rows, nearest, whose, own=wanted)
        squares[wanted, :width], who[wanted, :width] = nearest, whose
        squares[wanted, width:], who[wanted, width:] = nearest[:, -1:], NOBODY
        self.newcomers = {}

    def _nearest_of_everyone(self, rows, width):
        """Lists of the nearest rows and points of each row, squares and who: one search among all of them."""
        nearest, whose = np.full((len(rows), width), np.inf), np.full((len(rows), width), NOBODY)
        find_nearest(rows, np.vstack([rows, self.rows]), nearest, whose, own=np.arange(len(rows)))
        whose[whose >= len(rows)] = POINT
        return nearest, whose

    def _nearest_of_many(self, queries, count):
        """As `_nearest_points`, but what was found before for queries that are still the same is kept."""
        if self.asked.shape == queries.shape and self.nearest.shape[1] == count:
            changed = np.flatnonzero(rows_that_differ(queries, self.asked))
            self.asked[changed] = queries[changed]
            self.nearest[changed] = self._recalled(queries[changed], count, count)[0]
        else:
            self.asked, self.nearest = queries.copy(), self._nearest_points(queries, count)
        self.newcomers = {}
        return self.nearest.copy()

    def _recalled(self, queries, first, width):
        """Lists of the nearest points of each query, squares and who; of newcomers the `first` ones, if they are known.

        Whoever else they have is no nearer than the last of these, as lists of `Standing` say it.
        """
        if not self.newcomers:
            nearest = self._nearest_points(queries, width)
            return nearest, np.where(nearest < np.inf, POINT, NOBODY)
        known = [self.newcomers.get(query.tobytes(), NONE)[:width] for query in queries]
        nearest = np.empty((len(queries), width))
        unknown = [i for i in range(len(queries)) if len(known[i]) < first]
        nearest[unknown] = self._nearest_points(queries[unknown], width)
        whose = np.where(nearest < np.inf, POINT, NOBODY)
        for i, squares in enumerate(known):
            if len(squares) >= first:
                nearest[i], whose[i] = squares[-1], NOBODY
                nearest[i, : len(squares)] = squares
                whose[i, : len(squares)][squares < np.inf] = POINT
        return nearest, whose

    def _nearest_points(self, queries, count):
        """Squared distances from each query to the nearest points, sorted; infinite where there are not so many."""
        nearest = np.full((len(queries), count), np.inf)
        if len(queries) < AT_A_GLANCE and self._sketched():
            _take_sketched(queries, self.rows, self.origin, self.directions, self.sketches, self.norms, nearest)
        elif len(queries) < FEW:
            find_nearest(queries, self.rows, nearest)
        else:
            if self.centred is None:
                self.centred, self.norms = lowered(self.rows, self.origin)
            find_nearest(queries, self.rows, nearest, known=(self.origin, self.centred, self.norms))
        return nearest

    def _sketched(self):
        """Whether the points are known in a few directions, which are found if there are enough points."""
        worth = len(self.rows) >= SKETCH_FROM and self.rows.shape[1] >= 4 * SKETCHED
        if worth and self.directions is None:
            centred, self.norms = lowered(self.rows, self.origin)
            with one_thread():
                self.directions = widest_directions(centred)
                self.sketches = self.directions.T @ centred.T
        return worth and len(self.sketches) > 0


def find_nearest(queries, points, nearest, who=None, *, own=None, known=None) -> None:
    """Insert squared distances from queries to their nearest points into the sorted rows of `nearest`.

    Parameters
    ----------
    queries, points
        One row each, shapes (m, d) and (p, d).
    nearest
        What is known so far, shape (m, count), infinite where nothing is; changed in place.
    who
        Where the points' positions are put, the same shape; None if nobody wants to know.
    own
        The position of each query among the points, if they are among them; nobody is its own neighbour then.
    known
        Origin of the points, and what `lowered` made of them with it, if that is known.
    """
    who = np.empty(nearest.shape, dtype=np.int64) if who is None else who
    among = own is not None
    own = own if among else np.full(len(queries), -1)
    if len(queries) < FEW:
        _compare(queries, points, own, nearest, who)
        return
    rows = np.arange(len(queries))
    if tree.pays(queries, points):
        rows = tree.find_nearest_in_tree(queries, points, own, nearest, who)
    if len(rows) == 0:
        return
    origin = known[0] if known else middle(points)
    centred, norms = known[1:] if known else lowered(points, origin)
    if among:
        from_origin, query_norms, which = centred, norms, own[rows]
    else:
        (from_origin, query_norms), which = lowered(queries, origin), rows
    query_norms = query_norms[which]
    for row, column, products in blocks(from_origin, centred, which):
        _take(queries, points, products, query_norms[row:], norms, rows[row:], column, own, nearest, who)


def one_thread() -> AbstractContextManager:
    """While it lasts, matrix products take one thread: for blocks of this size, others cost more than they bring.

    They wait for each other busily, which with other processes beside them takes several times as long.
    """
    return _libraries().limit(limits=1, user_api="blas")


@cache
def _libraries():
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def middle(rows: np.ndarray) -> np.ndarray:
    """Where to take coordinates from, so that norms are small: the mean, or 0 where that does and saves a copy."""
    if len(rows) == 0:
        return np.zeros(rows.shape[1])
    with np.errstate(all="ignore"):
        mean = rows.mean(axis=0)
        return mean if mean @ mean > OFFSET * np.einsum("ij,ij->", rows, rows) / len(rows) else np.zeros_like(mean)


def lowered(rows: np.ndarray, origin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows as differences from `origin`, and their squared norms, lowered by more than all errors.

    The sum of two such norms and of -2 times a product is then below the squared distance, as long as that is computed
    with rounding to double precision, in whichever order; and `_doubt` more is above it. Norms for which this does not
    hold, as they are too large, are nan, which is not above anything, so that everyone is compared.
    """
    with np.errstate(all="ignore"):
        centred = rows - origin if origin.any() else rows
        norms = np.einsum("ij,ij->i", centred, centred)
        return centred, np.where(norms < HUGE, norms * (1 - _slack(rows.shape[1])) - TINY, np.nan)


def widest_directions(centred: np.ndarray) -> np.ndarray:
    """Orthonormal directions, shape (d, SKETCHED), in which points differ most; none if numbers are too large for them.

    The distance between two points as seen in these directions alone is a lower bound of their distance. Of points
    whose numbers depend on each other, as positions along a trail do, it is nearly all of it.
    """
    some = centred[:: len(centred) // 200]  # more would not show other directions
    if not np.abs(centred).max() < HUGE:
        return np.empty((centred.shape[1], 0))
    return np.ascontiguousarray(np.linalg.svd(some, full_matrices=False)[2][:SKETCHED].T)


def blocks(
    queries: np.ndarray, points: np.ndarray, which: np.ndarray | None = None
) -> Iterator[tuple[int, int, np.ndarray]]:
    """First row, first column and block after block of -2 times the products of queries and points.

    Of all queries, or of `which`, in that order. A block is overwritten by the next.
    """
    rows = len(queries) if which is None else len(which)
    space = np.empty(min(ROWS, rows) * min(COLUMNS, len(points)))
    with one_thread(), np.errstate(all="ignore"):
        for row in range(0, rows, ROWS):
            some = queries[row : row + ROWS].copy() if which is None else queries[which[row : row + ROWS]]
            some *= -2
            for column in range(0, len(points), COLUMNS):
                others = points[column : column + COLUMNS]
                block = space[: len(some) * len(others)].reshape(len(some), len(others))
                yield row, column, np.matmul(some, others.T, out=block)


@njit(cache=True)
def _slack(columns):
    """A bound of all relative errors, in shares of the sum n of two squared norms.

    With u for half of the machine's epsilon and d columns: norms and product err by at most 2 d u n, the differences
    from the origin make 4 u n, and the distance that it is compared with errs by at most 2 (d + 2) u n.
    """
    return (2 * columns + 32) * EPSILON


@njit(cache=True)
def _doubt(norms, columns):
    """How far the upper bound of a squared distance is above the lower one, for the sum of two lowered norms."""
    return 2 * _slack(columns) * norms + 4 * TINY


@njit(cache=True)
def _compare(queries, points, own, nearest, who):
    """Compare every query with every point."""
    for i in range(queries.shape[0] if nearest.shape[1] else 0):
        worst = nearest[i, -1]
        for j in range(points.shape[0]):
            squared = squared_in_parts(queries, i, points, j, worst)
            if squared < worst and j != own[i]:
                worst = insert_one(nearest[i], who[i], squared, j)


@njit(cache=True)
def _take_all(queries, points, nearest):
    """Compare every query with every point, when nobody wants to know whose the distances are."""
    for i in range(queries.shape[0] if nearest.shape[1] else 0):
        worst = nearest[i, -1]
        for j in range(points.shape[0]):
            squared = squared_in_parts(queries, i, points, j, worst)
            if squared < worst:
                worst = insert(nearest[i], squared)


@njit(cache=True)
def _bounds_of_sketches(sketch, sketches, norm, norms, bounds):
    """Lower bounds of the squared distances between a query and all points from what they are in a few directions."""
    for j in range(bounds.shape[0]):
        bounds[j] = -SKETCH_SLACK * (norm + norms[j])
    for c in range(sketch.shape[0]):
        seen = sketches[c]
        for j in range(bounds.shape[0]):
            bounds[j] += square(sketch[c] - seen[j])


@njit(cache=True)
def _take_sketched(queries, points, origin, directions, sketches, norms, nearest):
    """Compare every query with the points that may be among its nearest, those that seem nearest first."""
    bounds = np.full(-(-points.shape[0] // STRETCH) * STRETCH, np.inf)
    smallest = np.empty(nearest.shape[1])
    sketch = np.empty(SKETCHED)
    for i in range(queries.shape[0] if nearest.shape[1] else 0):
        norm = 0.0
        sketch[:] = 0.0
        for c in range(queries.shape[1]):
            difference = queries[i, c] - origin[c]
            norm += difference * difference
            for direction in range(SKETCHED):
                sketch[direction] += difference * directions[c, direction]
        _bounds_of_sketches(sketch, sketches, norm, norms, bounds[: points.shape[0]])
        smallest[:] = np.inf
        for begin in range(0, len(bounds), STRETCH):
            if not _all_above(bounds[begin : begin + STRETCH], smallest[-1]):
                for j in range(begin, begin + STRETCH):
                    if bounds[j] < smallest[-1]:
                        insert(smallest, bounds[j])
        best = nearest[i]
        for first in (True, False):
            for begin in range(0, len(bounds), STRETCH):
                if _all_above(bounds[begin : begin + STRETCH], smallest[-1] if first else best[-1]):
                    continue
                for j in range(begin, min(begin + STRETCH, points.shape[0])):
                    if bounds[j] >= best[-1] or first == (bounds[j] > smallest[-1]):
                        continue
                    squared = squared_in_parts(queries, i, points, j, best[-1])
                    if squared < best[-1]:
                        insert(best, squared)


@njit(cache=True)
def _all_above(stretch, limit):
    """Whether all of a stretch are above the limit; counting goes several at a time."""
    above = 0
    for j in range(STRETCH):
        above += 1 if stretch[j] > limit else 0
    return above == STRETCH


@njit(cache=True)
def _take(queries, points, products, query_norms, point_norms, which, column, own, nearest, who):
    """Compare every query of a block of products with the points that may be among its nearest."""
    height, width = products.shape
    whole = width - width % STRETCH
    columns = queries.shape[1]
    norms = point_norms[column : column + width]
    uppers = np.empty(nearest.shape[1])
    for r in range(height if nearest.shape[1] else 0):
        i = which[r]
        best = nearest[i]
        lowers = products[r]
        for j in range(width):
            lowers[j] += norms[j] + query_norms[r]
        if column <= own[i] < column + width:
            lowers[own[i] - column] = np.inf
        # the nearest are no further than so many upper bounds, which need no comparison
        uppers[:] = best
        for begin in range(0, width, STRETCH):
            if begin < whole and _all_above(lowers[begin : begin + STRETCH], uppers[-1]):
                continue
            for j in range(begin, min(begin + STRETCH, width)):
                if lowers[j] < uppers[-1]:
                    upper = lowers[j] + _doubt(query_norms[r] + norms[j], columns)
                    if upper < uppers[-1]:
                        insert(uppers, upper)
        limit = uppers[-1]
        for begin in range(0, width, STRETCH):
            if best[-1] == 0:
                break
            if begin < whole and _all_above(lowers[begin : begin + STRETCH], limit):
                continue
            for j in range(begin, min(begin + STRETCH, width)):
                if lowers[j] > limit or lowers[j] == np.inf:
                    continue
                squared = squared_in_parts(queries, i, points, column + j, best[-1])
                if squared < best[-1]:
                    limit = min(limit, insert_one(best, who[i], squared, column + j))
