"""The nearest of points of many numbers: matrix products say who cannot be, the others are compared one by one.

|x - y|^2 = |x|^2 + |y|^2 - 2 x y turns distances between many rows into one matrix product, which is by far the fastest
way to them, but not exact: it loses what is small beside |x|^2, and its last digits depend on the library, on its threads
and on where blocks end. So it only decides who is looked at. Its error has a bound; whoever may be near within that bound
is compared again, by a sum of squared differences in one fixed order, and only these sums count. Coordinates are taken
from the middle of the points, so that an offset common to all loses nothing. Where numbers still are so far apart that
the bound rules out nobody, as for clumps of points at great distance from each other, everybody is compared: slower, and
the same result.
"""

from collections.abc import Iterator

import numpy as np
from numba import njit

from divergent.selection.squares import insert, mean_roots, squared_in_parts

ROWS, COLUMNS = 128, 1024  # of a block of products: a megabyte
FEW = 8  # queries for which products cost more than they save
KEPT = 1000  # size of a population whose distances among itself are kept: eight megabytes
TINY, HUGE = 1e-290, 1e300  # squares beyond which floating point has other errors than those of the bound


class Products:
    """Points of many numbers, to be asked for the nearest.

    A population is mostly the one that was asked about before: what was found for rows that are still the same is kept,
    and nothing but time depends on it.

    Parameters
    ----------
    rows
        One point each, shape (p, d).
    """

    def __init__(self, rows: np.ndarray):
        self.rows = rows
        self.origin = middle(rows)
        self.centred, self.norms = lowered(rows, self.origin)
        self.asked = rows[:0]
        self.nearest = np.empty((0, 0))  # squared distances from those asked about to the points
        self.among: Among | None = None

    def extended(self, added: np.ndarray) -> "Products":
        """With more points."""
        more = Products(self.rows[:0])
        more.origin = self.origin
        centred, norms = lowered(added, self.origin)
        more.rows = np.vstack([self.rows, added])
        more.centred = np.vstack([self.centred, centred])
        more.norms = np.concatenate([self.norms, norms])
        more.asked, more.nearest, more.among = self.asked.copy(), self.nearest.copy(), self.among
        _compare(more.asked, added, more.nearest)
        return more

    def mean_nearest(self, queries: np.ndarray, others: np.ndarray, count: int) -> np.ndarray:
        """Mean distance from each query to the `count` nearest of points and others."""
        nearest = self._nearest(queries, min(count, len(self.rows) + len(others)))
        if len(others):
            find_nearest(queries, others, nearest)
        return mean_roots(nearest)

    def mean_nearest_of_all(self, queries: np.ndarray, count: int) -> np.ndarray:
        """The same among the points and the other queries."""
        nearest = self._nearest(queries, min(count, len(self.rows) + len(queries) - 1))
        if nearest.shape[1] == 0:
            return mean_roots(nearest)
        if len(queries) > KEPT:
            find_nearest(queries, queries, nearest, themselves=True)
        else:
            if self.among is None or self.among.rows.shape != queries.shape:
                self.among = Among(queries)
            self.among.follow(queries)
            self.among.find_nearest(nearest)
        return mean_roots(nearest)

    def beyond(self, queries: np.ndarray, threshold: float) -> np.ndarray:
        """Which queries, taken in order and kept, are further than `threshold` from every point and everyone kept."""
        # looking a little further than the threshold, so that the distance decides and not its square
        nearest = np.full((len(queries), 1), threshold * threshold * (1 + 1e-9))
        find_nearest(queries, self.rows, nearest, known=(self.origin, self.centred, self.norms))
        return _keep_beyond(queries, nearest[:, 0], threshold)

    def _nearest(self, queries, count):
        """Squared distances from each query to the nearest points, sorted; infinite where there are not so many."""
        changed = np.arange(len(queries))
        if self.asked.shape == queries.shape and self.nearest.shape[1] == count:
            changed = np.flatnonzero(rows_that_differ(queries, self.asked))
        nearest = np.full((len(changed), count), np.inf)
        if count:
            find_nearest(queries[changed], self.rows, nearest, known=(self.origin, self.centred, self.norms))
        if len(queries) == 1:
            return nearest
        if len(changed) == len(queries):
            self.asked, self.nearest = queries.copy(), nearest
        else:
            self.asked[changed], self.nearest[changed] = queries[changed], nearest
        return self.nearest.copy()


class Among:
    """Squared distances among a population, as far as they are known, or else lower bounds of them.

    Parameters
    ----------
    rows
        The population, shape (m, d).
    """

    def __init__(self, rows: np.ndarray):
        self.rows = np.full_like(rows, np.nan)
        self.squares = np.empty((len(rows), len(rows)))
        self.known = np.empty(self.squares.shape, dtype=bool)

    def follow(self, rows: np.ndarray) -> None:
        """Take over the rows that have changed."""
        changed = np.flatnonzero(rows_that_differ(rows, self.rows))
        self.rows[changed] = rows[changed]
        centred, norms = lowered(rows, middle(rows))
        bounds = _products(centred[changed], centred)
        bounds += norms
        bounds += norms[changed, None]
        self.squares[changed] = bounds
        self.squares[:, changed] = bounds.T
        self.known[changed] = False
        self.known[:, changed] = False

    def find_nearest(self, nearest: np.ndarray) -> None:
        """Insert the squared distances to the nearest others into the sorted rows of `nearest`."""
        _take_known(self.rows, self.squares, self.known, nearest)


def find_nearest(queries, points, nearest, *, known=None, themselves=False) -> None:
    """Insert squared distances from queries to their nearest points into the sorted rows of `nearest`.

    Parameters
    ----------
    queries, points
        One row each, shapes (m, d) and (p, d).
    nearest
        What is known so far, shape (m, count), infinite where nothing is; changed in place.
    known
        Origin of the points, and what `lowered` made of them with it, if that is known.
    themselves
        Whether the points are the queries; nobody is its own neighbour then.
    """
    if len(queries) < FEW and not themselves:
        _compare(queries, points, nearest)
        return
    origin, centred, norms = known or (middle(points), None, None)
    if centred is None:
        centred, norms = lowered(points, origin)
    from_origin, query_norms = lowered(queries, origin)
    for row, column, products in blocks(from_origin, centred):
        _take(queries, points, products, query_norms, norms, row, column, themselves, nearest)


def middle(rows: np.ndarray) -> np.ndarray:
    """Where to take coordinates from, so that norms are small."""
    with np.errstate(all="ignore"):
        return rows.mean(axis=0) if len(rows) else np.zeros(rows.shape[1])


def lowered(rows: np.ndarray, origin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows as differences from `origin`, and their squared norms, lowered by more than all errors.

    The sum of two such norms and of -2 times a product is then below the squared distance, as long as that is computed
    with rounding to double precision, in whichever order. With u for its unit, half of EPSILON, and n for the sum of two
    squared norms, norms and product err by at most 2 d u n, the differences from the origin make 4 u n, and the distance
    that it is compared with errs by (d + 2) u 2 n: 4 d u n and a few more. Norms for which this does not hold, as they
    are too large, are made nan, which is not above anything, so that everyone is compared.
    """
    slack = (2 * rows.shape[1] + 32) * np.finfo(float).eps
    with np.errstate(all="ignore"):
        centred = rows - origin
        norms = np.einsum("ij,ij->i", centred, centred)
        return centred, np.where(norms < HUGE, norms * (1 - slack) - TINY, np.nan)


def blocks(queries: np.ndarray, points: np.ndarray) -> Iterator[tuple[int, int, np.ndarray]]:
    """First row, first column and block after block of -2 times the products of queries and points."""
    for row in range(0, len(queries), ROWS):
        for column in range(0, len(points), COLUMNS):
            yield row, column, _products(queries[row : row + ROWS], points[column : column + COLUMNS])


def _products(queries, points):
    with np.errstate(all="ignore"):
        return (-2 * queries) @ points.T


@njit(cache=True)
def rows_that_differ(a, b):
    """Which rows of two arrays of one shape are not equal."""
    differ = np.zeros(a.shape[0], dtype=np.bool_)
    for i in range(a.shape[0]):
        for c in range(a.shape[1]):
            if not a[i, c] == b[i, c]:
                differ[i] = True
                break
    return differ


@njit(cache=True)
def _compare(queries, points, nearest):
    """Compare every query with every point."""
    for i in range(queries.shape[0]):
        best = nearest[i]
        worst = best[-1]
        for j in range(points.shape[0]):
            squared = squared_in_parts(queries, i, points, j, worst)
            if squared < worst:
                worst = insert(best, squared)


@njit(cache=True)
def _take(queries, points, products, query_norms, point_norms, row, column, themselves, nearest):
    """Compare every query of a block of products with the points that may be among its nearest."""
    width = products.shape[1]
    for r in range(products.shape[0]):
        i = row + r
        best = nearest[i]
        worst = best[-1]
        limit = worst - query_norms[i]
        for begin in range(0, width, 16):
            end = min(begin + 16, width)
            above = 0  # counting goes several at a time, and most have nobody to look at
            for j in range(begin, end):
                above += products[r, j] + point_norms[column + j] >= limit
            if above == end - begin:
                continue
            for j in range(begin, end):
                if products[r, j] + point_norms[column + j] >= limit or (themselves and column + j == i):
                    continue
                squared = squared_in_parts(queries, i, points, column + j, worst)
                if squared < worst:
                    worst = insert(best, squared)
                    limit = worst - query_norms[i]


@njit(cache=True)
def _take_known(rows, squares, known, nearest):
    """Compare everyone with the others that may be among its nearest, if they have not been compared before."""
    for i in range(rows.shape[0]):
        best = nearest[i]
        worst = best[-1]
        for j in range(rows.shape[0]):
            if squares[i, j] >= worst or i == j:
                continue
            if not known[i, j]:
                squares[i, j] = squares[j, i] = squared_in_parts(rows, i, rows, j, np.inf)
                known[i, j] = known[j, i] = True
            if squares[i, j] < worst:
                worst = insert(best, squares[i, j])


@njit(cache=True)
def _keep_beyond(queries, nearest, threshold):
    """Which queries are beyond the threshold of the nearest point, whose square is given, and of those kept before."""
    kept = np.zeros(queries.shape[0], dtype=np.bool_)
    for i in range(queries.shape[0]):
        squared = nearest[i]
        for j in range(i):
            if kept[j] and np.sqrt(squared) > threshold:
                squared = min(squared, squared_in_parts(queries, i, queries, j, squared))
        kept[i] = np.sqrt(squared) > threshold
    return kept
