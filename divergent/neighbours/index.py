"""The nearest points and mean distances to them, by a search that suits their numbers, or by any other distance."""

import copy
import math
from collections.abc import Callable, Iterator

import numpy as np

from divergent.neighbours._high_dimensional import Products
from divergent.neighbours._nearest_rows import nearest_rows
from divergent.neighbours._sorted_axis import Sweep
from divergent.neighbours._validation import check_finite
from divergent.validation import LARGEST, as_numbers, brief, check_at_least, is_finite

Distance = str | Callable[[np.ndarray, np.ndarray], float]

SWEPT = 1000  # points of three numbers up to which a sweep along one of them pays; of two it always does
TABLE = 1 << 20  # distances of another metric that are in memory at once

SCIPY = "scipy.spatial.distance"
OF_EQUALITY = {
    *("hamming", "hamm", "ha", "h", "matching", "jaccard", "jacc", "ja", "j", "dice", "yule"),
    *("kulczynski1", "rogerstanimoto", "russellrao", "sokalmichener", "sokalsneath"),
}
"""Metrics of scipy that ask whether numbers are equal, or not 0."""


def check_distance(distance: Distance) -> Distance:
    """A distance, refused if it is neither a name nor a callable."""
    if not isinstance(distance, str) and not callable(distance):
        raise TypeError(f"distance must be the name of a metric or a callable of two vectors, got {brief(distance)}")
    return distance


def check_compares_magnitudes(distance: Distance, points: str) -> None:
    """Raise an error for a metric that only asks whether numbers are equal, where points are means."""
    name = distance if isinstance(distance, str) else getattr(distance, "__name__", "")
    if name.lower() in OF_EQUALITY and (distance is name or getattr(distance, "__module__", "") == SCIPY):
        raise ValueError(
            f"distance must compare how large numbers are, since {points} seldom equal a behaviour, got {name!r}; "
            "use 'cityblock', which counts the differences between behaviours of 0 and 1"
        )


class NeighbourIndex:
    """Points made ready to be asked for the nearest among them.

    The search for Euclidean distance depends on how many numbers a point has and on how many points there are: a sweep
    for two or three numbers, a k-d tree for many points of up to six, matrix products for others. The result is that of
    comparing with every point, to the last bit, and nobody's depends on who else is asked for.

    Parameters
    ----------
    points
        One row each, shape (p, d).
    distance
        "euclidean", another metric of `scipy.spatial.distance.cdist`, or a callable of two vectors.

    Examples
    --------
    >>> points = NeighbourIndex(np.array([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]]))
    >>> points.mean_nearest(np.array([[0.0, 0.0]]), 2)
    array([2.5])
    >>> points.mean_nearest_of_all(np.array([[0.0, 0.0], [0.0, 1.0]]), 2)
    array([0.5, 1. ])
    >>> points.nearest(np.array([[3.0, 3.0], [9.0, 9.0]]), 2)
    array([[0, 1],
           [1, 2]])
    """

    def __init__(self, points: np.ndarray, distance: Distance = "euclidean"):
        self.points = points
        self.distance = check_distance(distance)
        self._columns = 0  # without points those asked for say how many numbers there are
        rows = as_numbers("points", points, 2)
        check_finite(rows, "point")
        self._search = self._prepare(rows) if len(rows) else None

    def extended(self, points: np.ndarray) -> "NeighbourIndex":
        """These points when more have been added behind them: `points` begins with those there are."""
        rows = as_numbers("points", points, 2)
        if self._search is None or len(rows) >= 2 * len(self.points):
            return NeighbourIndex(points, self.distance)
        if len(rows) < len(self.points) or rows.shape[1] != self._columns:
            raise ValueError(
                f"points are extended by rows behind the {len(self.points)} of {self._columns} numbers there are; "
                f"got shape {rows.shape}"
            )
        check_finite(rows[len(self.points) :], "point")
        more = copy.copy(self)
        more.points = points
        more._search = self._search.extended(rows)
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
            More points to look in.
        """
        queries = as_numbers("behaviours", queries, 2)
        others = queries[:0] if among is None else as_numbers("others", among, 2)
        _check_count(count)
        return self._checked(self._searching(queries, others).mean_nearest(queries, others, count), queries, others)

    def mean_nearest_of_all(self, queries: np.ndarray, count: int) -> np.ndarray:
        """The same for a whole population: among the points and the other queries; nobody is its own neighbour."""
        queries = as_numbers("behaviours", queries, 2)
        _check_count(count)
        return self._checked(self._searching(queries).mean_nearest_of_all(queries, count), queries)

    def nearest(self, queries: np.ndarray, count: int, among: np.ndarray | None = None) -> np.ndarray:
        """Who the `count` nearest of each query are.

        Returns
        -------
        ndarray of shape (m, count)
            Positions in `among` followed by the points, in increasing order; of several at the same distance the first
            are taken. There are fewer columns if there are fewer points.
        """
        return self._least(queries, queries[:0] if among is None else among, count)

    def nearest_of_all(self, queries: np.ndarray, count: int) -> np.ndarray:
        """The same for a whole population, in the queries followed by the points; nobody is its own neighbour."""
        return self._least(queries, queries, count, themselves=True)

    def distance_blocks(self, queries: np.ndarray, among: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
        """All distances from the queries to `among` followed by the points, in blocks of rows, each with its first."""
        queries, others = as_numbers("behaviours", queries, 2), as_numbers("others", among, 2)
        self._searching(queries, others)
        with np.errstate(over="ignore"):  # an infinite distance is refused, with a sentence
            everyone = np.vstack([others, self.points]) if len(self.points) else others
            for row, table in _distance_blocks(queries, everyone, self.distance):
                if not np.isfinite(table).all():
                    raise ValueError(_what_is_not_finite(queries, others))
                yield row, table

    def select_by_threshold(self, queries: np.ndarray, threshold: float) -> np.ndarray:
        """Which queries, taken in order and kept, are further than `threshold` from every point and everyone kept."""
        queries = as_numbers("behaviours", queries, 2)
        check_finite(queries)
        if not is_finite(threshold) or threshold < 0:
            raise ValueError(f"threshold must be a finite number, at least 0, got {brief(threshold)}")
        return self._searching(queries).select_by_threshold(queries, float(threshold))

    def _prepare(self, rows):
        self._columns = rows.shape[1]
        if self.distance != "euclidean":
            return Compared(rows, self.distance)
        few = rows.shape[1] < 3 or (rows.shape[1] == 3 and len(rows) <= SWEPT)
        return Sweep(rows) if few else Products(rows)

    def _searching(self, queries, others=None):
        """The search, once it is known that queries and others fit."""
        others = queries if others is None else others
        if len(self.points) == 0 and self._columns != queries.shape[1] > 0:
            self._search = self._prepare(queries[:0])
        if not queries.shape[1] == others.shape[1] == self._columns or queries.shape[1] == 0:
            raise ValueError(_what_does_not_fit(queries, others, self._columns))
        return self._search

    def _least(self, queries, among, count, themselves=False):
        _check_count(count)
        count = min(count, len(among) + len(self.points) - themselves)
        if self.distance == "euclidean":
            return self._swept(queries, among, count, themselves)
        found = np.empty((len(queries), count), dtype=int)
        for row, table in self.distance_blocks(queries, among):
            if themselves:
                np.fill_diagonal(table[:, row:], np.inf)
            if count:
                found[row : row + len(table)] = _columns_of_least(table, count)
        return found

    def _swept(self, queries, among, count, themselves):
        queries, others = as_numbers("behaviours", queries, 2), as_numbers("others", among, 2)
        self._searching(queries, others)
        everyone = np.vstack([others, self.points]) if len(self.points) else others
        found = nearest_rows(queries, everyone, count, themselves)
        # whoever is infinitely far away, or nowhere, is never found
        if (found == len(everyone)).any() or not np.isfinite(queries).all() or not np.isfinite(others).all():
            raise ValueError(_what_is_not_finite(queries, others))
        return found

    def _checked(self, scores, queries, others=()):
        finite = math.isfinite(scores[0]) if len(scores) == 1 else np.isfinite(scores).all()
        if not finite:
            raise ValueError(_what_is_not_finite(queries, others))
        return scores


class Compared:
    """Points to be asked for the nearest by any other distance, which compares with every one.

    Parameters
    ----------
    rows
        One point each, shape (p, d).
    distance
        A metric of `scipy.spatial.distance.cdist`, or a callable of two vectors.
    """

    def __init__(self, rows: np.ndarray, distance: Distance):
        self.rows = rows
        self.distance = distance

    def extended(self, rows: np.ndarray) -> "Compared":
        """With more points behind these."""
        return Compared(rows, self.distance)

    def mean_nearest(self, queries: np.ndarray, others: np.ndarray, count: int) -> np.ndarray:
        """Mean distance from each query to the `count` nearest of points and others."""
        return self._means(queries, np.vstack([others, self.rows]), count)

    def mean_nearest_of_all(self, queries: np.ndarray, count: int) -> np.ndarray:
        """The same among the points and the other queries."""
        return self._means(queries, np.vstack([queries, self.rows]), count, themselves=True)

    def select_by_threshold(self, queries: np.ndarray, threshold: float) -> np.ndarray:
        """Which queries, taken in order and kept, are further than `threshold` from every point and everyone kept."""
        kept = np.zeros(len(queries), dtype=bool)
        nearest = np.concatenate(
            [table.min(axis=1, initial=np.inf) for _, table in self._distance_blocks(queries, self.rows)]
        )
        for i in range(len(queries)):
            kept[i] = nearest[i] > threshold
            if kept[i]:
                ((_, distances),) = self._distance_blocks(queries[i : i + 1], queries)
                nearest = np.minimum(nearest, distances[0])
        return kept

    def _means(self, queries, points, count, themselves=False):
        count = min(count, len(points) - themselves)
        means = np.zeros(len(queries))
        with np.errstate(over="ignore"):  # an infinite mean is refused, with a sentence
            self._fill(means, queries, points, count, themselves)
        return means

    def _fill(self, means, queries, points, count, themselves):
        for row, table in self._distance_blocks(queries, points) if count > 0 else ():
            if themselves:
                np.fill_diagonal(table[:, row:], np.inf)
            means[row : row + len(table)] = np.sort(np.partition(table, count - 1)[:, :count]).mean(axis=1)

    def _distance_blocks(self, queries, points):
        return _distance_blocks(queries, points, self.distance)


def _distance_blocks(queries, points, distance):
    """First row and block after block of rows of all distances."""
    from scipy.spatial.distance import cdist

    size = max(1, TABLE // max(1, len(points)))
    for row in range(0, len(queries), size):
        some = queries[row : row + size]
        yield row, cdist(some, points, distance) if len(points) else np.empty((len(some), 0))


def _columns_of_least(table, count):
    """Where the `count` least numbers of each row are, in order; the first of equals."""
    bound = np.partition(table, count - 1)[:, count - 1 : count]
    below, equal = table < bound, table == bound
    room = count - below.sum(axis=1, keepdims=True)
    return np.nonzero(below | (equal & (np.cumsum(equal, axis=1) <= room)))[1].reshape(-1, count)


def _check_count(count):
    if type(count) is not int or not 1 <= count <= LARGEST:
        check_at_least(1, count=count)


def _what_does_not_fit(queries, others, known):
    if queries.shape[1] == 0:
        return "individuals have no behaviour: evaluate must return an Outcome with one for this search"
    known = others.shape[1] if others.shape[1] != queries.shape[1] else known
    return f"behaviours must have one length: {known} numbers so far, got {queries.shape[1]}"


def _what_is_not_finite(queries, others):
    for name, behaviours in (("behaviour", queries), ("behaviour among the others", others)):
        for position, behaviour in enumerate(behaviours):
            if not np.isfinite(behaviour).all():
                return f"behaviours must be finite, {name} {position} is {behaviour.tolist()}"
    return f"distances between behaviours must be finite; there are behaviours as large as {np.abs(queries).max():g}"
