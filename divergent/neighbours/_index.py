"""Exact nearest neighbours for any distance, see `NeighbourIndex`."""

import copy
import math
from collections.abc import Callable, Iterator
from typing import Any, cast

import numpy as np

from divergent._behaviours import join_behaviours
from divergent.neighbours._cached_distance import CachedDistance, cached
from divergent.neighbours._high_dimensional import MatrixProductSearch
from divergent.neighbours._sorted_axis import SortedAxisSearch, nearest_rows
from divergent.neighbours._validation import check_finite, not_vectors_error
from divergent.validation import FLOAT, LARGEST, as_numbers, brief, check_at_least, is_finite

Distance = str | Callable[[Any, Any], float]

# largest number of three-dimensional points for which a sorted axis is faster than matrix products
MAX_SORTED_POINTS = 1000
BLOCK_DISTANCES = 1 << 20  # maximum number of distances in a block, for metrics other than Euclidean

SCIPY = "scipy.spatial.distance"
OF_EQUALITY = {
    *("hamming", "hamm", "ha", "h", "matching", "jaccard", "jacc", "ja", "j", "dice", "yule"),
    *("kulczynski1", "rogerstanimoto", "russellrao", "sokalmichener", "sokalsneath"),
}
"""SciPy metrics that only test whether numbers are equal or nonzero."""


def check_distance(distance: Distance) -> Distance:
    """Return the distance; raise a TypeError unless it is the name of a metric or a callable."""
    if not isinstance(distance, str) and not callable(distance):
        raise TypeError(f"distance must be the name of a metric or a callable of two behaviours, got {brief(distance)}")
    return distance


def check_compares_magnitudes(distance: Distance, points: str) -> None:
    """Raise a ValueError if the metric only tests whether numbers are equal, as the Hamming distance does.

    Numbers of a behaviour seldom equal the numbers of a centroid or prediction, so their Hamming distance is nearly
    always maximal. The argument `points`, such as "centroids" or "predictions", is inserted into the error message.
    """
    distance = distance.distance if isinstance(distance, CachedDistance) else distance
    name = distance if isinstance(distance, str) else getattr(distance, "__name__", "")
    if name.lower() in OF_EQUALITY and (distance is name or getattr(distance, "__module__", "") == SCIPY):
        raise ValueError(
            "distance must measure by how much two numbers differ, not only whether they are equal, to compare "
            f"behaviours with {points}, got {name!r}; use 'cityblock', which counts the differences between binary "
            "behaviours"
        )


class NeighbourIndex:
    """Index of points for exact nearest-neighbour search.

    Mean Euclidean distances are computed by a sweep along a sorted axis in one or two dimensions, and for up to 1,000
    points in three dimensions. A k-d tree or matrix products are used for more than 1,000 points in three dimensions,
    and in four or more dimensions. Results are bitwise identical to the results of a comparison of all pairs and
    do not depend on earlier queries.

    Parameters
    ----------
    points : ndarray of shape (p, d), or (p,) of objects
        Points among which neighbours are searched. Points and queries may be objects that are not vectors if the
        distance is a callable.
    distance : str or callable, default="euclidean"
        Distance metric: euclidean, another metric of `scipy.spatial.distance.cdist`, or a symmetric callable of two
        behaviours. Distances of a callable are cached (see `CachedDistance`).

    Examples
    --------
    Mean distance from a query to the two nearest points:

    >>> index = NeighbourIndex(np.array([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]]))
    >>> index.mean_nearest(np.array([[0.0, 0.0]]), 2)
    array([2.5])

    Mean distance from each query to the two nearest neighbours among the points and the other queries:

    >>> index.mean_nearest_of_all(np.array([[0.0, 0.0], [0.0, 1.0]]), 2)
    array([0.5, 1. ])

    Indices of the two nearest points of each query:

    >>> index.nearest(np.array([[3.0, 3.0], [9.0, 9.0]]), 2)
    array([[0, 1],
           [1, 2]])
    """

    def __init__(self, points: np.ndarray, distance: Distance = "euclidean"):
        self.points = points
        self.distance = cached(check_distance(distance))
        self._columns = 0  # if there are no points, the first queries define the number of dimensions
        rows = self._as_rows("points", points)
        if rows.ndim == 2:
            check_finite(rows, "point")
        self._search = self._prepare(rows) if len(rows) else None

    def extended(self, points: np.ndarray) -> "NeighbourIndex":
        """Return an index with additional points; the current index does not change.

        Parameters
        ----------
        points : ndarray of shape (q, d)
            The points of this index, followed by the additional points.

        Returns
        -------
        NeighbourIndex
            The new index, which reuses data of this index.

        Raises
        ------
        ValueError
            If `points` has too few rows or the wrong number of columns to extend this index.
        """
        rows = self._as_rows("points", points)
        if self._search is None or len(rows) >= 2 * len(self.points) or isinstance(self.distance, CachedDistance):
            return NeighbourIndex(points, self.distance)
        if len(rows) < len(self.points) or rows.shape[1] != self._columns:
            raise ValueError(
                f"points must begin with all points of the index ({len(self.points)} points with {self._columns} "
                f"dimensions), got an array of shape {rows.shape}; append new points at the end"
            )
        check_finite(rows[len(self.points) :], "point")
        index = copy.copy(self)
        index.points = points
        index._search = self._search.extended(rows)
        return index

    def mean_nearest(self, queries: np.ndarray, count: int, among: np.ndarray | None = None) -> np.ndarray:
        """Return the mean distance from each query to its nearest points.

        Parameters
        ----------
        queries : ndarray of shape (m, d)
            Behaviours from which distances are measured.
        count : int
            Number of nearest points; if fewer points exist, all points are used.
        among : ndarray of shape (n, d) or None, default=None
            Additional points, which are not in the index.

        Returns
        -------
        ndarray of shape (m,)
            Mean distance of each query; 0 if there are no points.
        """
        queries = self._as_rows("behaviours", queries)
        others = queries[:0] if among is None else self._as_rows("others", among)
        _check_count(count)
        return self._check_finite(
            self._matching_search(queries, others).mean_nearest(queries, others, count), queries, others
        )

    def mean_nearest_of_all(self, queries: np.ndarray, count: int) -> np.ndarray:
        """Return the mean distance from each query to its nearest neighbours among the points and the other queries.

        Parameters
        ----------
        queries : ndarray of shape (m, d)
            Behaviours of a whole population; a query is not its own neighbour.
        count : int
            Number of nearest neighbours; if fewer neighbours exist, all neighbours are used.

        Returns
        -------
        ndarray of shape (m,)
            Mean distance of each query; 0 if there are no neighbours.
        """
        queries = self._as_rows("behaviours", queries)
        _check_count(count)
        return self._check_finite(self._matching_search(queries).mean_nearest_of_all(queries, count), queries)

    def nearest(self, queries: np.ndarray, count: int, among: np.ndarray | None = None) -> np.ndarray:
        """Return the indices of the nearest points of each query.

        Parameters
        ----------
        queries : ndarray of shape (m, d)
            Behaviours from which distances are measured.
        count : int
            Number of nearest points; if fewer points exist, all points are used.
        among : ndarray of shape (n, d) or None, default=None
            Additional points, which are not in the index.

        Returns
        -------
        ndarray of shape (m, count)
            Indices into the concatenation of `among` and the points, in increasing order. Ties in distance are broken
            by index.
        """
        return self._nearest(queries, queries[:0] if among is None else among, count)

    def nearest_of_all(self, queries: np.ndarray, count: int) -> np.ndarray:
        """Return the indices of each query's nearest neighbours among the points and the other queries.

        Parameters
        ----------
        queries : ndarray of shape (m, d)
            Behaviours of a whole population; a query is not its own neighbour.
        count : int
            Number of nearest neighbours; if fewer neighbours exist, all neighbours are used.

        Returns
        -------
        ndarray of shape (m, count)
            Indices into the concatenation of the queries and the points, in increasing order. Ties in distance are
            broken by index.
        """
        return self._nearest(queries, queries, count, exclude_self=True)

    def distance_blocks(
        self, queries: np.ndarray, among: np.ndarray, exclude_self: bool = False
    ) -> Iterator[tuple[int, np.ndarray]]:
        """Yield all distances from the queries to `among` and to the points, in blocks of queries.

        Parameters
        ----------
        queries : ndarray of shape (m, d)
            Behaviours from which distances are measured.
        among : ndarray of shape (n, d)
            Additional points, which are not in the index.
        exclude_self : bool, default=False
            Whether `among` is the array of queries. If `exclude_self` is True, the distance from a query to itself is
            infinite.

        Yields
        ------
        row : int
            Index of the first query in the block.
        distances : ndarray of shape (r, n + p)
            Distances from the r queries in the block to `among`, then to the points.

        Raises
        ------
        ValueError
            If a distance is not finite.
        """
        queries, others = self._as_rows("behaviours", queries), self._as_rows("others", among)
        self._matching_search(queries, others)
        with np.errstate(over="ignore"):  # an overflow gives an infinite distance, which raises an error
            points = join_behaviours(others, self.points)
            for row, distances in _distance_blocks(queries, points, self.distance, exclude_self):
                finite = np.isfinite(distances)
                if exclude_self:
                    np.fill_diagonal(finite[:, row:], True)
                if not finite.all():
                    raise ValueError(_not_finite_message(queries, others))
                yield row, distances

    def select_by_threshold(self, queries: np.ndarray, threshold: float) -> np.ndarray:
        """Select queries that are farther than a threshold from all points and from each other.

        The queries are considered in order. A query is compared with the points and with the queries selected so far.

        Parameters
        ----------
        queries : ndarray of shape (m, d)
            Behaviours from which distances are measured.
        threshold : float
            Minimum distance, at least 0; a query at exactly this distance is not selected.

        Returns
        -------
        ndarray of shape (m,)
            Boolean mask of the selected queries.

        Raises
        ------
        ValueError
            If the threshold is negative or not finite.
        """
        queries = self._as_rows("behaviours", queries)
        if queries.ndim == 2:
            check_finite(queries)
        if not is_finite(threshold) or threshold < 0:
            raise ValueError(f"threshold must be a finite number, at least 0, got {brief(threshold)}")
        return self._matching_search(queries).select_by_threshold(queries, float(threshold))

    def _as_rows(self, name: str, values: Any) -> np.ndarray:
        """Return points as a float array; an object array is returned unchanged if the distance is a callable."""
        if type(values) is np.ndarray and values.ndim == 2 and values.dtype == FLOAT and values.flags.c_contiguous:
            return values
        if isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype == object:
            if not isinstance(self.distance, CachedDistance):
                raise not_vectors_error(values)
            return values
        return as_numbers(name, values, 2)

    def _prepare(self, rows: np.ndarray) -> Any:
        """Return the search structure that is fastest for the distance metric and the shape of `rows`."""
        self._columns = rows.shape[1] if rows.ndim == 2 else 0
        if self.distance != "euclidean":
            return PairwiseSearch(rows, self.distance)
        is_sorted = rows.shape[1] < 3 or (rows.shape[1] == 3 and len(rows) <= MAX_SORTED_POINTS)
        return SortedAxisSearch(rows) if is_sorted else MatrixProductSearch(rows)

    def _matching_search(self, queries: np.ndarray, others: np.ndarray | None = None) -> Any:
        """Return the search structure; raise a ValueError if the number of dimensions of an argument is wrong."""
        others = queries if others is None else others
        if isinstance(self.distance, CachedDistance):
            if queries.ndim == 2 and queries.shape[1] == 0:
                raise ValueError(_dimensions_message(queries, others, 0))
            return self._search or self._prepare(queries[:0])
        if len(self.points) == 0 and self._columns != queries.shape[1] > 0:
            self._search = self._prepare(queries[:0])
        if not queries.shape[1] == others.shape[1] == self._columns or queries.shape[1] == 0:
            raise ValueError(_dimensions_message(queries, others, self._columns))
        return self._search

    def _nearest(self, queries: np.ndarray, among: np.ndarray, count: int, exclude_self: bool = False) -> np.ndarray:
        _check_count(count)
        count = min(count, len(among) + len(self.points) - exclude_self)
        if self.distance == "euclidean":
            return self._nearest_euclidean(queries, among, count, exclude_self)
        nearest = np.empty((len(queries), count), dtype=int)
        for row, distances in self.distance_blocks(queries, among, exclude_self):
            if count:
                nearest[row : row + len(distances)] = _smallest_columns(distances, count)
        return nearest

    def _nearest_euclidean(self, queries: np.ndarray, among: np.ndarray, count: int, exclude_self: bool) -> np.ndarray:
        queries, others = as_numbers("behaviours", queries, 2), as_numbers("others", among, 2)
        self._matching_search(queries, others)
        points = np.vstack([others, self.points]) if len(self.points) else others
        nearest = nearest_rows(queries, points, count, exclude_self)
        # The index `len(points)` stands for a neighbour whose distance is infinite or nan.
        if (nearest == len(points)).any() or not np.isfinite(queries).all() or not np.isfinite(others).all():
            raise ValueError(_not_finite_message(queries, others))
        return nearest

    def _check_finite(self, means: np.ndarray, queries: np.ndarray, others: np.ndarray | None = None) -> np.ndarray:
        """Return mean distances; raise a ValueError unless they are finite."""
        finite = math.isfinite(means[0]) if len(means) == 1 else np.isfinite(means).all()
        if not finite:
            raise ValueError(_not_finite_message(queries, queries[:0] if others is None else others))
        return means


class PairwiseSearch:
    """Nearest-neighbour search for non-Euclidean distances, by comparison of all pairs.

    Parameters
    ----------
    rows : ndarray of shape (p, d)
        Points among which neighbours are searched.
    distance : str or CachedDistance
        A metric of `scipy.spatial.distance.cdist`, or a callable of two behaviours.
    """

    def __init__(self, rows: np.ndarray, distance: str | CachedDistance):
        self.rows = rows
        self.distance = distance

    def extended(self, rows: np.ndarray) -> "PairwiseSearch":
        """Return a search structure for `rows`, which are the current points followed by new points."""
        return PairwiseSearch(rows, self.distance)

    def mean_nearest(self, queries: np.ndarray, others: np.ndarray, count: int) -> np.ndarray:
        """Return the mean distance from each query to its `count` nearest neighbours among the points and `others`."""
        return self._means(queries, join_behaviours(others, self.rows), count)

    def mean_nearest_of_all(self, queries: np.ndarray, count: int) -> np.ndarray:
        """Return the mean distance from each query to its `count` nearest neighbours among points and other queries."""
        return self._means(queries, join_behaviours(queries, self.rows), count, exclude_self=True)

    def select_by_threshold(self, queries: np.ndarray, threshold: float) -> np.ndarray:
        """Select queries, in order, that are farther than `threshold` from all points and earlier selected queries."""
        is_selected = np.zeros(len(queries), dtype=bool)
        blocks = _distance_blocks(queries, self.rows, self.distance)
        nearest = np.concatenate([distances.min(axis=1, initial=np.inf) for _, distances in blocks])
        for i in range(len(queries)):
            is_selected[i] = nearest[i] > threshold
            later = i + 1 + np.flatnonzero(nearest[i + 1 :] > threshold)
            if is_selected[i] and len(later):
                ((_, distances),) = _distance_blocks(queries[i : i + 1], queries[later], self.distance)
                nearest[later] = np.minimum(nearest[later], distances[0])
        return is_selected

    def _means(self, queries: np.ndarray, points: np.ndarray, count: int, exclude_self: bool = False) -> np.ndarray:
        """Return the mean distance from each query to its nearest points; a mean may be infinite."""
        count = min(count, len(points) - exclude_self)
        means = np.zeros(len(queries))
        with np.errstate(over="ignore"):  # `NeighbourIndex` raises an error for infinite means
            for row, distances in _distance_blocks(queries, points, self.distance, exclude_self) if count > 0 else ():
                nearest = np.sort(np.partition(distances, count - 1)[:, :count])
                means[row : row + len(distances)] = nearest.mean(axis=1)
        return means


def _distance_blocks(
    queries: np.ndarray, points: np.ndarray, distance: str | CachedDistance, exclude_self: bool = False
) -> Iterator[tuple[int, np.ndarray]]:
    """Yield blocks of distances, each with the index of its first query; see `NeighbourIndex.distance_blocks`."""
    if isinstance(distance, CachedDistance):
        yield 0, distance.between(queries, points, exclude_self)
        return
    from scipy.spatial.distance import cdist

    size = max(1, BLOCK_DISTANCES // max(1, len(points)))
    for row in range(0, len(queries), size):
        block = queries[row : row + size]
        distances = cdist(block, points, cast(Any, distance)) if len(points) else np.empty((len(block), 0))
        if exclude_self:
            np.fill_diagonal(distances[:, row:], np.inf)
        yield row, distances


def _smallest_columns(distances: np.ndarray, count: int) -> np.ndarray:
    """Return the column indices of the `count` smallest values in each row, sorted; ties are broken by index."""
    bound = np.partition(distances, count - 1)[:, count - 1 : count]
    below, equal = distances < bound, distances == bound
    remaining = count - below.sum(axis=1, keepdims=True)
    return np.nonzero(below | (equal & (np.cumsum(equal, axis=1) <= remaining)))[1].reshape(-1, count)


def _check_count(count: Any) -> None:
    """Raise a ValueError unless the number of neighbours is a positive integer."""
    if type(count) is not int or not 1 <= count <= LARGEST:
        check_at_least(1, count=count)


def _dimensions_message(queries: np.ndarray, others: np.ndarray, known: int) -> str:
    """Return the error message for behaviours with different numbers of dimensions."""
    if queries.shape[1] == 0:
        return (
            "individuals must have a behaviour in this search, got none; "
            "return an Outcome with a behaviour from evaluate"
        )
    known = others.shape[1] if others.shape[1] != queries.shape[1] else known
    return f"behaviours must all have the same number of dimensions, {known}, got {queries.shape[1]}"


def _not_finite_message(queries: np.ndarray, others: np.ndarray) -> str:
    """Return the error message for behaviours or distances that are not finite."""
    for name, behaviours in (("behaviour", queries), ("behaviour among the others", others)):
        for position, behaviour in enumerate(behaviours):
            if not np.isfinite(behaviour).all():
                return f"behaviours must be finite, {name} {position} is {behaviour.tolist()}"
    return (
        f"distances between behaviours must be finite, got behaviours as large as {np.abs(queries).max():g}; "
        "bound them in evaluate"
    )
