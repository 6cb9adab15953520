"""Exact nearest neighbours in many dimensions; matrix products exclude most points from comparison.

The identity |x - y|^2 = |x|^2 + |y|^2 - 2 x y reduces distances to a matrix product, which is fast but inexact. The
subtraction cancels digits, and the rounding depends on the BLAS library, its threads and the block size. Therefore
matrix products only provide lower bounds of distances, which account for the rounding error. All points that the bounds
do not exclude are compared exactly, by sums of squared differences in a fixed order. If the points have a large common
offset, coordinates are relative to their mean, so that the offset does not cost precision. If the bounds exclude no
points, as for distant clusters, all points are compared, which is slower. In up to six dimensions, a k-d tree replaces
matrix products for many points.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from functools import cache
from typing import Any

import numpy as np

from divergent._compile import njit
from divergent.neighbours._kernels import insert, insert_with_id, square, squared_in_parts

BLOCK_ROWS, BLOCK_COLUMNS = 128, 4096  # shape of a block of a matrix product; a block takes four megabytes
CHUNK = 16  # number of lower bounds that are compared at once
PROJECTIONS = 16  # number of principal directions onto which points are projected
PROJECTION_ERROR = 1e-9  # relative error bound of projected squared distances, valid in up to 100,000 dimensions
# rows are centred if the squared norm of their mean exceeds this fraction of the mean squared norm
OFFSET_FRACTION = 0.99
MIN_PRODUCT_QUERIES = 16  # smallest number of queries for which matrix products are faster than comparisons
EPSILON = float(np.finfo(float).eps)
TINY, HUGE = 1e-290, 1e300  # limits of squared norms for which the error bound holds
MAX_TREE_DIMENSIONS = 6  # largest dimension in which a k-d tree can be faster than matrix products
MIN_TREE_PAIRS = 1 << 20  # smallest number of query-point pairs for which a k-d tree is faster than matrix products
TREE_TOLERANCE = 1e-12  # relative difference between two distances that exceeds all rounding errors
MIN_TREE_DISTANCE = 1e-140  # distances below this value have subnormal squares


def find_nearest(
    queries: np.ndarray,
    points: np.ndarray,
    nearest: np.ndarray,
    ids: np.ndarray | None = None,
    *,
    own: np.ndarray | None = None,
    known: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None,
) -> None:
    """Insert squared distances from queries to their nearest points into the sorted rows of `nearest`.

    Parameters
    ----------
    queries : ndarray of shape (m, d)
        Behaviours from which distances are measured.
    points : ndarray of shape (p, d)
        Points among which neighbours are searched.
    nearest : ndarray of shape (m, count)
        Squared distances known so far, infinite where unknown; changed in place.
    ids : ndarray of shape (m, count) or None, default=None
        Indices of the points whose distances are in `nearest`; changed in place.
    own : ndarray of shape (m,) or None, default=None
        Row of each query among the points, so that a query is not its own neighbour. None if queries are not among the
        points.
    known : tuple or None, default=None
        Origin, centred points and norms from `choose_origin` and `centre_rows`. None computes all three.
    """
    ids = np.empty(nearest.shape, dtype=np.int64) if ids is None else ids
    own_rows = np.full(len(queries), -1) if own is None else own
    if len(queries) < MIN_PRODUCT_QUERIES:
        _compare_all_with_ids(queries, points, own_rows, nearest, ids)
        return
    rows = np.arange(len(queries))
    if queries.shape[1] <= MAX_TREE_DIMENSIONS and len(queries) * len(points) >= MIN_TREE_PAIRS:
        rows = find_nearest_in_tree(queries, points, own_rows, nearest, ids)
    if len(rows) == 0:
        return
    origin = known[0] if known else choose_origin(points)
    centred, norms = known[1:] if known else centre_rows(points, origin)
    if own is not None:
        centred_queries, query_norms, selected = centred, norms, own[rows]
    else:
        (centred_queries, query_norms), selected = centre_rows(queries, origin), rows
    query_norms = query_norms[selected]
    for row, column, products in product_blocks(centred_queries, centred, selected):
        _find_nearest_in_block(
            queries, points, products, query_norms[row:], norms, rows[row:], column, own_rows, nearest, ids
        )


def find_nearest_in_tree(
    queries: np.ndarray, points: np.ndarray, own: np.ndarray, nearest: np.ndarray, ids: np.ndarray
) -> np.ndarray:
    """Find nearest points like `find_nearest`, but with a k-d tree; return indices of queries with ambiguous results.

    The tree returns two additional neighbours, because one neighbour may be the query itself and the last neighbour
    reveals ties. A result is ambiguous if the last two neighbours are equally distant up to rounding, because the tree
    may break ties differently than `find_nearest`.
    """
    wanted = nearest.shape[1] + 2
    if wanted > len(points) or not (np.isfinite(queries).all() and np.isfinite(points).all()):
        return np.arange(len(queries))
    from scipy.spatial import cKDTree  # imported here, because the import takes 0.2 seconds and few runs need it

    distances, candidates = cKDTree(points).query(queries, np.arange(1, wanted + 1))
    certain = (distances[:, -1] > distances[:, -2] * (1 + TREE_TOLERANCE)) & (distances[:, -1] > MIN_TREE_DISTANCE)
    _compare_candidates(queries, points, candidates[:, :-1], certain, own, nearest, ids)
    return np.flatnonzero(~certain)


def single_blas_thread() -> AbstractContextManager:
    """Limit matrix products to one thread.

    For the blocks of `product_blocks`, several threads cost more time than they save, especially on a busy machine.
    """
    return _blas_controller().limit(limits=1, user_api="blas")


@cache
def _blas_controller() -> Any:
    """Return the controller of BLAS threads, which is created at first use because it inspects all loaded libraries."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def choose_origin(rows: np.ndarray) -> np.ndarray:
    """Return the origin for centring: the mean of the rows if its norm is large, otherwise 0.

    An origin of 0 avoids a copy of the rows.
    """
    if len(rows) == 0:
        return np.zeros(rows.shape[1])
    with np.errstate(all="ignore"):
        mean = rows.mean(axis=0)
        squared_norm = np.einsum("ij,ij->", rows, rows) / len(rows)
        return mean if mean @ mean > OFFSET_FRACTION * squared_norm else np.zeros_like(mean)


def centre_rows(rows: np.ndarray, origin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return rows relative to `origin`, and lower bounds of their squared norms.

    Adding the lower bounds of two rows and subtracting twice their dot product gives a lower bound of the squared
    distance between the rows. The bound of the squared distance holds in double precision for any order of additions.
    Adding `_bound_gap` to the lower bound gives an upper bound. Norms that are too large for the error bound become
    nan, so that they exclude no points.
    """
    with np.errstate(all="ignore"):
        centred = rows - origin if origin.any() else rows
        norms = np.einsum("ij,ij->i", centred, centred)
        return centred, np.where(norms < HUGE, norms * (1 - _relative_error(rows.shape[1])) - TINY, np.nan)


def principal_directions(centred: np.ndarray) -> np.ndarray:
    """Return PROJECTIONS orthonormal directions of largest variance as columns; none if coordinates are too large.

    The distance between the projections of two points is a lower bound of their distance. The bound is tight for
    correlated coordinates, such as positions along a trajectory.
    """
    # A sample of about 200 rows suffices, because more rows hardly change the principal directions.
    sample = centred[:: len(centred) // 200]
    if not np.abs(centred).max() < HUGE:
        return np.empty((centred.shape[1], 0))
    return np.ascontiguousarray(np.linalg.svd(sample, full_matrices=False)[2][:PROJECTIONS].T)


def product_blocks(
    queries: np.ndarray, points: np.ndarray, selected: np.ndarray | None = None
) -> Iterator[tuple[int, int, np.ndarray]]:
    """Compute the matrix product of queries and points, multiplied by -2, in blocks.

    Yields the row index and the column index at which a block begins, and the block. If `selected` is given, only
    the selected queries are used, in the order of `selected`. Each block overwrites the previous block.
    """
    rows = len(queries) if selected is None else len(selected)
    buffer = np.empty(min(BLOCK_ROWS, rows) * min(BLOCK_COLUMNS, len(points)))
    with single_blas_thread(), np.errstate(all="ignore"):
        for row in range(0, rows, BLOCK_ROWS):
            end = row + BLOCK_ROWS
            factors = queries[row:end].copy() if selected is None else queries[selected[row:end]]
            factors *= -2
            for column in range(0, len(points), BLOCK_COLUMNS):
                others = points[column : column + BLOCK_COLUMNS]
                block = buffer[: len(factors) * len(others)].reshape(len(factors), len(others))
                yield row, column, np.matmul(factors, others.T, out=block)


@njit(cache=True)
def _relative_error(columns: int) -> float:
    """Return a bound of all rounding errors, relative to the sum of two squared norms.

    With d columns, the relative error of the squared norms and the dot product is at most d times the machine epsilon.
    The relative error of the subtraction of the origin is at most 2 times the machine epsilon. With d columns, the
    relative error of the exact comparison is at most d + 2 times the machine epsilon.
    """
    return (2 * columns + 32) * EPSILON


@njit(cache=True)
def _bound_gap(norms: float, columns: int) -> float:
    """Return the gap between the upper and lower bound of a squared distance, given the sum of two squared norms."""
    return 2 * _relative_error(columns) * norms + 4 * TINY


@njit(cache=True)
def _compare_candidates(
    queries: np.ndarray,
    points: np.ndarray,
    candidates: np.ndarray,
    certain: np.ndarray,
    own: np.ndarray,
    nearest: np.ndarray,
    ids: np.ndarray,
) -> None:
    """Compute exact distances to the candidates of the k-d tree for queries with an unambiguous result."""
    for i in range(queries.shape[0]):
        best = nearest[i]
        for position in range(candidates.shape[1] if certain[i] else 0):
            j = candidates[i, position]
            if j != own[i]:
                squared = squared_in_parts(queries, i, points, j, best[-1])
                if squared < best[-1]:
                    insert_with_id(best, ids[i], squared, j)


@njit(cache=True)
def _compare_all_with_ids(
    queries: np.ndarray, points: np.ndarray, own: np.ndarray, nearest: np.ndarray, ids: np.ndarray
) -> None:
    """Find the nearest points of each query, without the query itself.

    The squared distances to the points are inserted into `nearest`, and the indices of the points into `ids`.
    """
    for i in range(queries.shape[0] if nearest.shape[1] else 0):
        worst = nearest[i, -1]
        for j in range(points.shape[0]):
            squared = squared_in_parts(queries, i, points, j, worst)
            if squared < worst and j != own[i]:
                worst = insert_with_id(nearest[i], ids[i], squared, j)


@njit(cache=True)
def compare_all(queries: np.ndarray, points: np.ndarray, nearest: np.ndarray) -> None:
    """Insert squared distances from every query to every point into the sorted rows of `nearest`."""
    for i in range(queries.shape[0] if nearest.shape[1] else 0):
        worst = nearest[i, -1]
        for j in range(points.shape[0]):
            squared = squared_in_parts(queries, i, points, j, worst)
            if squared < worst:
                worst = insert(nearest[i], squared)


@njit(cache=True)
def _all_above(chunk: np.ndarray, limit: float) -> bool:
    """Return whether all values of the array `chunk` exceed `limit`; branch-free so that LLVM vectorises the loop."""
    above = 0
    for j in range(CHUNK):
        above += 1 if chunk[j] > limit else 0
    return above == CHUNK


@njit(cache=True)
def _projection_bounds(
    projection: np.ndarray, projections: np.ndarray, norm: float, norms: np.ndarray, bounds: np.ndarray
) -> None:
    """Use projections to compute lower bounds of the squared distances between a query and all points."""
    for j in range(bounds.shape[0]):
        bounds[j] = -PROJECTION_ERROR * (norm + norms[j])
    for c in range(projection.shape[0]):
        coordinates = projections[c]
        for j in range(bounds.shape[0]):
            bounds[j] += square(projection[c] - coordinates[j])


@njit(cache=True)
def find_nearest_by_projection(
    queries: np.ndarray,
    points: np.ndarray,
    origin: np.ndarray,
    directions: np.ndarray,
    projections: np.ndarray,
    norms: np.ndarray,
    nearest: np.ndarray,
) -> None:
    """Compare every query with the points that projections do not exclude; points with small bounds come first."""
    bounds = np.full(-(-points.shape[0] // CHUNK) * CHUNK, np.inf)
    smallest = np.empty(nearest.shape[1])
    projection = np.empty(PROJECTIONS)
    for i in range(queries.shape[0] if nearest.shape[1] else 0):
        norm = 0.0
        projection[:] = 0.0
        for c in range(queries.shape[1]):
            difference = queries[i, c] - origin[c]
            norm += difference * difference
            for direction in range(PROJECTIONS):
                projection[direction] += difference * directions[c, direction]
        _projection_bounds(projection, projections, norm, norms, bounds[: points.shape[0]])
        smallest[:] = np.inf
        for begin in range(0, len(bounds), CHUNK):
            if not _all_above(bounds[begin : begin + CHUNK], smallest[-1]):
                for j in range(begin, begin + CHUNK):
                    if bounds[j] < smallest[-1]:
                        insert(smallest, bounds[j])
        for is_first in (True, False):
            _compare_bounded(queries, i, points, bounds, smallest[-1], is_first, nearest[i])


@njit(cache=True)
def _compare_bounded(
    queries: np.ndarray,
    i: int,
    points: np.ndarray,
    bounds: np.ndarray,
    smallest: float,
    is_first: bool,
    best: np.ndarray,
) -> None:
    """Insert squared distances from query i to its nearest points into `best`; lower bounds exclude most points.

    The first pass considers points whose lower bound is at most `smallest`, the second pass the remaining points.
    """
    for begin in range(0, len(bounds), CHUNK):
        if _all_above(bounds[begin : begin + CHUNK], smallest if is_first else best[-1]):
            continue
        for j in range(begin, min(begin + CHUNK, points.shape[0])):
            if bounds[j] >= best[-1] or is_first == (bounds[j] > smallest):
                continue
            squared = squared_in_parts(queries, i, points, j, best[-1])
            if squared < best[-1]:
                insert(best, squared)


@njit(cache=True)
def _find_nearest_in_block(
    queries: np.ndarray,
    points: np.ndarray,
    products: np.ndarray,
    query_norms: np.ndarray,
    point_norms: np.ndarray,
    rows: np.ndarray,
    column: int,
    own: np.ndarray,
    nearest: np.ndarray,
    ids: np.ndarray,
) -> None:
    """Compare every query of a block with the points that its lower bounds do not exclude."""
    height, width = products.shape
    norms = point_norms[column : column + width]
    uppers = np.empty(nearest.shape[1])
    for r in range(height if nearest.shape[1] else 0):
        i = rows[r]
        best = nearest[i]
        lowers = products[r]
        for j in range(width):
            lowers[j] += norms[j] + query_norms[r]
        if column <= own[i] < column + width:
            lowers[own[i] - column] = np.inf
        uppers[:] = best
        limit = _insert_upper_bounds(lowers, norms, query_norms[r], queries.shape[1], uppers)
        _compare_below(queries, i, points, column, lowers, limit, best, ids[i])


@njit(cache=True)
def _insert_upper_bounds(
    lowers: np.ndarray, norms: np.ndarray, query_norm: float, columns: int, uppers: np.ndarray
) -> float:
    """Insert upper bounds of distances into the sorted array `uppers` and return its last value."""
    width = len(lowers)
    whole = width - width % CHUNK
    for begin in range(0, width, CHUNK):
        if begin < whole and _all_above(lowers[begin : begin + CHUNK], uppers[-1]):
            continue
        for j in range(begin, min(begin + CHUNK, width)):
            if lowers[j] < uppers[-1]:
                upper = lowers[j] + _bound_gap(query_norm + norms[j], columns)
                if upper < uppers[-1]:
                    insert(uppers, upper)
    return uppers[-1]


@njit(cache=True)
def _compare_below(
    queries: np.ndarray,
    i: int,
    points: np.ndarray,
    column: int,
    lowers: np.ndarray,
    limit: float,
    best: np.ndarray,
    ids: np.ndarray,
) -> None:
    """Compare query i with the points whose lower bound is at most `limit`."""
    width = len(lowers)
    whole = width - width % CHUNK
    for begin in range(0, width, CHUNK):
        if best[-1] == 0:
            break
        if begin < whole and _all_above(lowers[begin : begin + CHUNK], limit):
            continue
        for j in range(begin, min(begin + CHUNK, width)):
            if lowers[j] > limit or lowers[j] == np.inf:
                continue
            squared = squared_in_parts(queries, i, points, column + j, best[-1])
            if squared < best[-1]:
                limit = min(limit, insert_with_id(best, ids, squared, column + j))
