"""Nearest-neighbour lists of a population, updated when single individuals are replaced."""

from collections.abc import Callable

import numpy as np

from divergent._compile import njit
from divergent.neighbours._kernels import (
    bucket_index,
    insert_with_id,
    lower_bound,
    make_buckets,
    square,
    squared_in_parts,
    squared_in_plane,
)

SPARE = 8  # number of additional neighbours in a list, so that removals do not require a new neighbour query
POINT, EMPTY = -1, -2  # POINT is the id of an archived point, EMPTY the id of an empty list entry

Search = Callable[[np.ndarray, int, int, np.ndarray, np.ndarray], None]
"""Function that fills every list with an EMPTY entry among its first entries. Arguments: all rows, the number of first
entries, the number of entries to fill, and the squared distances and ids of the lists."""


class NeighbourLists:
    """Nearest neighbours of each individual among the population and an archive, updated incrementally.

    Each list contains squared distances in increasing order, each with an id: the row of an individual, POINT for an
    archived point, or EMPTY. Invariant (see `check`): no individual or point outside a list is nearer than the last
    distance of the list. Removal of an individual therefore leaves an EMPTY entry, and a new individual or point is
    inserted in sorted order. A list is recomputed only if an EMPTY entry is among the first entries that a caller
    needs. Distances are bitwise identical to the distances of a full neighbour query.

    Parameters
    ----------
    column : int
        Coordinate by which new individuals are sorted, preferably the coordinate with the largest range.
    """

    def __init__(self, column: int):
        self.column = column
        self.rows = np.empty((0, 0))
        self.squares = np.empty((0, 0))
        self.ids = np.empty((0, 0), dtype=np.int64)

    def nearest(self, rows: np.ndarray, count: int, search: Search) -> np.ndarray:
        """Return read-only lists of squared distances whose first `count` entries are exact."""
        if count < 1:
            return np.empty((len(rows), 0))
        if rows.shape != self.rows.shape or self.squares.shape[1] != count + SPARE:
            self._build(rows, count, search)
            return self.squares
        changed = changed_rows(rows, self.rows)
        number = np.count_nonzero(changed)
        if 2 * number > len(rows):
            self._build(rows, count, search)
        elif number:
            self._replace(rows, changed)
            search(self.rows, count, count + SPARE, self.squares, self.ids)
        return self.squares

    def with_points(self, points: np.ndarray) -> "NeighbourLists":
        """Return a copy of the neighbour lists into which additional points are inserted."""
        lists = NeighbourLists(self.column)
        lists.rows, lists.squares, lists.ids = self.rows.copy(), self.squares.copy(), self.ids.copy()
        if lists.rows.shape[1] == points.shape[1]:
            order = np.argsort(points[:, self.column], kind="stable")
            ids = np.full(len(points), POINT)
            _insert_new(lists.rows, points[order], ids, self.column, lists.squares, lists.ids)
        return lists

    def nearest_points(self, rows: np.ndarray) -> np.ndarray:
        """Return the squared distance from each row to its nearest point, or nan if the lists lack this distance."""
        nearest = np.full(len(rows), np.nan)
        if rows.shape == self.rows.shape:
            is_point = self.ids == POINT
            known = is_point.any(axis=1) & ~changed_rows(rows, self.rows)
            nearest[known] = self.squares[known, is_point[known].argmax(axis=1)]
        return nearest

    def check(self, points: np.ndarray) -> None:
        """Compare all individuals and points in pairs, and raise an AssertionError if a neighbour list is incorrect."""
        for i, (squares, ids) in enumerate(zip(self.squares, self.ids, strict=True)):
            members = ids[ids >= 0].tolist()
            to_members = np.array([_squared(self.rows, i, self.rows, j) for j in range(len(self.rows))])
            to_points = sorted(_squared(self.rows, i, points, j) for j in range(len(points)))
            listed_points = squares[ids == POINT].tolist()
            missing = [*np.delete(to_members, [*members, i]), *to_points[len(listed_points) :]]
            assert (np.diff(squares[np.isfinite(squares)]) >= 0).all(), f"list {i} must be sorted"
            assert i not in members, f"list {i} must not contain its own row"
            assert len(set(members)) == len(members), f"list {i} must contain each member once"
            assert squares[ids >= 0].tolist() == to_members[members].tolist(), f"list {i} must have exact distances"
            assert listed_points == to_points[: len(listed_points)], f"list {i} must have exact distances to points"
            assert (squares[ids == EMPTY] == squares[-1]).all(), (
                f"empty entries of list {i} must have the last distance"
            )
            assert min(missing, default=np.inf) >= squares[-1], f"list {i} must not miss a nearer neighbour"

    def _build(self, rows: np.ndarray, count: int, search: Search) -> None:
        """Compute the neighbour lists of all rows from scratch."""
        self.rows = rows.copy()
        self.squares = np.empty((len(rows), count + SPARE))
        self.ids = np.full(self.squares.shape, EMPTY)
        # Only `count` neighbours are computed at first, because a population may be queried only once.
        search(self.rows, count, count, self.squares, self.ids)

    def _replace(self, rows: np.ndarray, changed: np.ndarray) -> None:
        """Replace the changed individuals in all neighbour lists."""
        _remove(changed, self.squares, self.ids)
        replaced = np.flatnonzero(changed)
        self.rows[replaced] = rows[replaced]
        replaced = replaced[np.argsort(rows[replaced, self.column], kind="stable")]
        _insert_new(self.rows, rows[replaced], replaced, self.column, self.squares, self.ids)


def widest_column(rows: np.ndarray) -> int:
    """Return the column with the largest range."""
    with np.errstate(over="ignore"):
        return int(np.argmax(np.ptp(rows, axis=0))) if len(rows) else 0


@njit(cache=True)
def changed_rows(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return a mask of the rows that differ between two arrays of equal shape."""
    changed = np.zeros(a.shape[0], dtype=np.bool_)
    for i in range(a.shape[0]):
        different = 0
        for c in range(a.shape[1]):  # branch-free so that LLVM vectorises the loop
            different += a[i, c] != b[i, c]
        changed[i] = different > 0
    return changed


@njit(cache=True)
def _squared(a: np.ndarray, i: int, b: np.ndarray, j: int) -> float:
    """Return the squared distance between row i of `a` and row j of `b`, rounded as in neighbour queries."""
    return squared_in_plane(a, i, b, j) if a.shape[1] == 2 else squared_in_parts(a, i, b, j, np.inf)


@njit(cache=True)
def _insert_new(
    rows: np.ndarray, ordered: np.ndarray, new_ids: np.ndarray, column: int, squares: np.ndarray, ids: np.ndarray
) -> None:
    """Insert new individuals or points, sorted by a column, into the neighbour lists of all rows."""
    plane = rows.shape[1] == 2
    count = ordered.shape[0] if squares.shape[1] else 0
    low, scale, begins = make_buckets(ordered[:count, column].copy())
    for i in range(rows.shape[0] if count else 0):
        x = rows[i, column]
        limit = squares[i, -1]
        bucket = bucket_index(x, low, scale, count)
        middle = lower_bound(ordered, column, x, begins[bucket], begins[bucket + 1])
        for direction in (1, -1):
            j = middle if direction == 1 else middle - 1
            while 0 <= j < count and square(ordered[j, column] - x) < limit:
                if plane:
                    squared = squared_in_plane(rows, i, ordered, j)
                else:
                    squared = squared_in_parts(rows, i, ordered, j, limit)
                if squared < limit:
                    limit = insert_with_id(squares[i], ids[i], squared, new_ids[j])
                j += direction


@njit(cache=True)
def _remove(removed: np.ndarray, squares: np.ndarray, ids: np.ndarray) -> None:
    """Remove individuals from all neighbour lists, and empty the lists of the removed individuals.

    All distances in an emptied list are 0, so that no neighbour is inserted before the list is recomputed.
    """
    for i in range(ids.shape[0]):
        if removed[i]:
            squares[i] = 0.0
            ids[i] = EMPTY
            continue
        valid = 0
        for neighbour in ids[i]:
            valid += neighbour < 0 or not removed[neighbour]
        if valid == ids.shape[1]:
            continue
        length = 0
        for position in range(ids.shape[1]):
            neighbour = ids[i, position]
            if neighbour < 0 or not removed[neighbour]:
                squares[i, length], ids[i, length] = squares[i, position], neighbour
                length += 1
        squares[i, length:] = squares[i, -1]
        ids[i, length:] = EMPTY
