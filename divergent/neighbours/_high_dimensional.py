"""Nearest-neighbour search in many dimensions, with cached results.

This module does not use scikit-learn, because complete runs would be slower. The table shows the CPU time of runs with
``NearestNeighbors`` as a multiple of the time with this module. The runs used the hard maze with 400-dimensional
behaviours (``--behaviour trail:200``) and one thread. Runs of both implementations alternated in one process. In the
third column of the table, scikit-learn replaces this whole module. In the last column, scikit-learn replaces all parts
of this module except for the incremental neighbour lists:

| search | population | everything | all but the neighbour lists |
|---|---|---|---|
| novelty | 250 | 11.9 | 4.6 |
| novelty | 2,500 | 7.2 | 3.0 |
| surprise | 250 | 6.2 | |
| surprise | 2,500 | 2.7 | |

Without projections of the points onto principal directions, this module would take 1.4 times as long for 250
individuals, and 1.6 times as long for 2,500. No index of scikit-learn supports the replacement of single points. The
argument checks of scikit-learn take longer than the search for the neighbours of one child. The matrix products by
which scikit-learn computes distances are inexact.
"""

import copy

import numpy as np

from divergent.neighbours._incremental import EMPTY, POINT, NeighbourLists, changed_rows, widest_column
from divergent.neighbours._kernels import mean_roots, select_in_order
from divergent.neighbours._matrix_products import (
    MIN_PRODUCT_QUERIES,
    PROJECTIONS,
    centre_rows,
    choose_origin,
    compare_all,
    find_nearest,
    find_nearest_by_projection,
    principal_directions,
    single_blas_thread,
)

MIN_PROJECTED_POINTS = 400  # smallest number of points for which projections save time
MAX_SINGLE_QUERIES = 100  # maximum number of single queries whose results are cached
MAX_PROJECTED_QUERIES = 64  # largest number of queries for which projections are faster than matrix products
NO_NORMS = np.empty(0)


class MatrixProductSearch:
    """Nearest-neighbour search among points in many dimensions.

    Results for a whole population and for single queries are cached. The caches change the running time only, not the
    results.

    Parameters
    ----------
    rows : ndarray of shape (p, d)
        Points among which neighbours are searched.
    """

    def __init__(self, rows: np.ndarray):
        self.rows = rows
        self.origin = choose_origin(rows)
        self.centred: np.ndarray | None = None  # centred points, computed at first use
        self.norms = NO_NORMS  # norms of the centred points, computed at first use
        self.directions: np.ndarray | None = None  # principal directions, computed at first use
        self.projections = np.empty((0, 0))
        self.lists = NeighbourLists(widest_column(rows))
        self.cached_queries = rows[:0]
        self.cached_nearest = np.empty((0, 0))  # squared distances from the cached queries to their nearest points
        # squared distances from single queries to their nearest points
        self.single_queries: dict[bytes, np.ndarray] = {}

    def extended(self, rows: np.ndarray) -> "MatrixProductSearch":
        """Return a search structure for `rows`, which are the current points followed by new points."""
        added = rows[len(self.rows) :]
        search = copy.copy(self)
        centred, norms = centre_rows(added, self.origin)
        search.rows = rows
        search.centred = None
        search.norms = np.concatenate([self.norms, norms]) if len(self.norms) else NO_NORMS
        if self.directions is not None:
            with single_blas_thread():
                search.projections = np.hstack([self.projections, self.directions.T @ centred.T])
        search.lists = self.lists.with_points(added)
        search.cached_queries, search.single_queries = rows[:0], {}
        return search

    def mean_nearest(self, queries: np.ndarray, others: np.ndarray, count: int) -> np.ndarray:
        """Return the mean distance from each query to its `count` nearest neighbours among the points and `others`."""
        count = min(count, len(self.rows) + len(others))
        if len(queries) == 1:
            nearest = self._nearest_points(queries, count)
            if len(self.single_queries) < MAX_SINGLE_QUERIES:
                self.single_queries[queries.tobytes()] = nearest[0].copy()
            compare_all(queries, others, nearest)
        else:
            nearest = self._nearest_points_of_many(queries, count)
            if len(others):
                find_nearest(queries, others, nearest)
        return mean_roots(nearest, count)

    def mean_nearest_of_all(self, queries: np.ndarray, count: int) -> np.ndarray:
        """Return the mean distance from each query to its `count` nearest neighbours among points and other queries."""
        count = min(count, len(self.rows) + len(queries) - 1)
        return mean_roots(self.lists.nearest(queries, count, self._fill_lists), count)

    def select_by_threshold(self, queries: np.ndarray, threshold: float) -> np.ndarray:
        """Select queries, in order, that are farther than `threshold` from all points and earlier selected queries."""
        nearest = self.lists.nearest_points(queries)
        unknown = np.flatnonzero(np.isnan(nearest))
        nearest[unknown] = self._cached_lists(queries[unknown], 1, 1)[0][:, 0]
        return select_in_order(queries, nearest, threshold)

    def _fill_lists(self, rows: np.ndarray, first: int, width: int, squares: np.ndarray, ids: np.ndarray) -> None:
        """Recompute every neighbour list that has fewer than `first` valid entries."""
        incomplete = np.flatnonzero(ids[:, first - 1] == EMPTY)
        if len(incomplete) == len(rows):
            nearest, nearest_ids = self._population_lists(rows, width)
        else:
            queries = rows[incomplete]
            nearest, nearest_ids = self._cached_lists(queries, first, width)
            find_nearest(queries, rows, nearest, nearest_ids, own=incomplete)
        squares[incomplete, :width], ids[incomplete, :width] = nearest, nearest_ids
        squares[incomplete, width:], ids[incomplete, width:] = nearest[:, -1:], EMPTY
        self.single_queries = {}

    def _population_lists(self, rows: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray]:
        """Return squared distances and ids of each individual's nearest neighbours in the population and the points."""
        nearest, ids = np.full((len(rows), width), np.inf), np.full((len(rows), width), EMPTY)
        find_nearest(rows, np.vstack([rows, self.rows]), nearest, ids, own=np.arange(len(rows)))
        ids[ids >= len(rows)] = POINT
        return nearest, ids

    def _nearest_points_of_many(self, queries: np.ndarray, count: int) -> np.ndarray:
        """Return squared distances to the nearest points; use cached distances for queries that did not change."""
        if self.cached_queries.shape == queries.shape and self.cached_nearest.shape[1] == count:
            changed = np.flatnonzero(changed_rows(queries, self.cached_queries))
            self.cached_queries[changed] = queries[changed]
            self.cached_nearest[changed] = self._cached_lists(queries[changed], count, count)[0]
        else:
            self.cached_queries, self.cached_nearest = queries.copy(), self._nearest_points(queries, count)
        self.single_queries = {}
        return self.cached_nearest.copy()

    def _cached_lists(self, queries: np.ndarray, first: int, width: int) -> tuple[np.ndarray, np.ndarray]:
        """Return squared distances and ids of nearest points; cached results may have fewer than `width` entries.

        Missing entries have the id EMPTY and the largest distance in the list, as in `NeighbourLists`.
        """
        if not self.single_queries:
            nearest = self._nearest_points(queries, width)
            return nearest, np.where(nearest < np.inf, POINT, EMPTY)
        known = [self.single_queries.get(query.tobytes(), NO_NORMS)[:width] for query in queries]
        nearest = np.empty((len(queries), width))
        unknown = [i for i in range(len(queries)) if len(known[i]) < first]
        nearest[unknown] = self._nearest_points(queries[unknown], width)
        ids = np.where(nearest < np.inf, POINT, EMPTY)
        for i, squares in enumerate(known):
            if len(squares) >= first:
                nearest[i], ids[i] = squares[-1], EMPTY
                nearest[i, : len(squares)] = squares
                ids[i, : len(squares)][squares < np.inf] = POINT
        return nearest, ids

    def _nearest_points(self, queries: np.ndarray, count: int) -> np.ndarray:
        """Return sorted squared distances from each query to its nearest points; infinity stands for missing points."""
        nearest = np.full((len(queries), count), np.inf)
        if len(queries) < MAX_PROJECTED_QUERIES and self._has_projections():
            find_nearest_by_projection(
                queries, self.rows, self.origin, self.directions, self.projections, self.norms, nearest
            )
        elif len(queries) < MIN_PRODUCT_QUERIES:
            find_nearest(queries, self.rows, nearest)
        else:
            if self.centred is None:
                self.centred, self.norms = centre_rows(self.rows, self.origin)
            find_nearest(queries, self.rows, nearest, known=(self.origin, self.centred, self.norms))
        return nearest

    def _has_projections(self) -> bool:
        """Return whether projections of the points onto principal directions exist and save time.

        The function computes the projections of the points at first use.
        """
        pays = len(self.rows) >= MIN_PROJECTED_POINTS and self.rows.shape[1] >= 4 * PROJECTIONS
        if pays and self.directions is None:
            centred, self.norms = centre_rows(self.rows, self.origin)
            with single_blas_thread():
                self.directions = principal_directions(centred)
                self.projections = self.directions.T @ centred.T
        return pays and len(self.projections) > 0
