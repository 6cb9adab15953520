"""The nearest of everyone in a population that stands, kept while single members come and go."""

from collections.abc import Callable

import numpy as np

from divergent._compile import njit
from divergent.neighbours._bucket_sort import cell_of, cells_of, place
from divergent.neighbours._squared_distance import insert_one, square, squared_in_parts, squared_in_plane

SPARE = 8  # neighbours that are known beyond those asked for, so that some can go
POINT, NOBODY = -1, -2  # instead of a member's number

Search = Callable[[np.ndarray, int, int, np.ndarray, np.ndarray], None]
"""Fills every list that has NOBODY among its first: takes all rows, how many are first, up to how many to fill in, and
the squares and who of the lists."""


class Standing:
    """For each member of a population the nearest others and points, as long as the population is much the same.

    Each has a list of squared distances in increasing order and of whose they are: a member's number, POINT, or NOBODY
    for a place that nobody takes. Whoever is missing from a list is no nearer than its last distance. So a list stays
    right when a member goes, whose place nobody takes then, and when somebody comes, who is put where it belongs; only
    when NOBODY is among the nearest asked for is a new search needed. The distances are those of a new search, to the
    last bit.

    Parameters
    ----------
    column
        The coordinate that newcomers are put in order by, best the widest.
    """

    def __init__(self, column: int):
        self.column = column
        self.rows = np.empty((0, 0))
        self.squares = np.empty((0, 0))
        self.who = np.empty((0, 0), dtype=np.int64)

    def nearest(self, rows: np.ndarray, count: int, search: Search) -> np.ndarray:
        """The squared distances of the lists, right up to the `count` nearest, of which there are as many.

        To be read only, until it is asked again.
        """
        if count < 1:
            return np.empty((len(rows), 0))
        if rows.shape != self.rows.shape or self.squares.shape[1] != count + SPARE:
            self._begin(rows, count, search)
            return self.squares
        changed = rows_that_differ(rows, self.rows)
        number = np.count_nonzero(changed)
        if 2 * number > len(rows):
            self._begin(rows, count, search)
        elif number:
            self._exchange(rows, changed)
            search(self.rows, count, count + SPARE, self.squares, self.who)
        return self.squares

    def joined(self, points: np.ndarray) -> "Standing":
        """The same with more points."""
        more = Standing(self.column)
        more.rows, more.squares, more.who = self.rows.copy(), self.squares.copy(), self.who.copy()
        if more.rows.shape[1] == points.shape[1]:
            order = np.argsort(points[:, self.column], kind="stable")
            _take_in(more.rows, points[order], np.full(len(points), POINT), self.column, more.squares, more.who)
        return more

    def nearest_points(self, rows: np.ndarray) -> np.ndarray:
        """Squared distances from every row to the nearest point, nan where that is not known."""
        nearest = np.full(len(rows), np.nan)
        if rows.shape == self.rows.shape:
            points = self.who == POINT
            known = points.any(axis=1) & ~rows_that_differ(rows, self.rows)
            nearest[known] = self.squares[known, points[known].argmax(axis=1)]
        return nearest

    def _begin(self, rows, count, search):
        self.rows = rows.copy()
        self.squares = np.empty((len(rows), count + SPARE))
        self.who = np.full(self.squares.shape, NOBODY)
        # no more neighbours than needed, since those who were not asked about before may never be again
        search(self.rows, count, count, self.squares, self.who)

    def _exchange(self, rows, changed):
        _forget(changed, self.squares, self.who)
        places = np.flatnonzero(changed)
        self.rows[places] = rows[places]
        places = places[np.argsort(rows[places, self.column], kind="stable")]
        _take_in(self.rows, rows[places], places, self.column, self.squares, self.who)


def widest(rows: np.ndarray) -> int:
    """The column in which rows differ most."""
    with np.errstate(over="ignore"):
        return int(np.argmax(np.ptp(rows, axis=0))) if len(rows) else 0


@njit(cache=True)
def rows_that_differ(a, b):
    """Which rows of two arrays of one shape are not equal."""
    differ = np.zeros(a.shape[0], dtype=np.bool_)
    for i in range(a.shape[0]):
        different = 0
        for c in range(a.shape[1]):  # all of them, which goes several at a time
            different += a[i, c] != b[i, c]
        differ[i] = different > 0
    return differ


@njit(cache=True)
def _take_in(rows, ordered, numbers, column, squares, who):
    """Put newcomers, who are in order, where they belong in everyone's list."""
    plane = rows.shape[1] == 2
    count = ordered.shape[0] if squares.shape[1] else 0
    low, scale, begins = cells_of(ordered[:count, column].copy())
    for i in range(rows.shape[0] if count else 0):
        x = rows[i, column]
        limit = squares[i, -1]
        cell = cell_of(x, low, scale, count)
        middle = place(ordered, column, x, begins[cell], begins[cell + 1])
        for direction in (1, -1):
            j = middle if direction == 1 else middle - 1
            while 0 <= j < count and square(ordered[j, column] - x) < limit:
                if plane:
                    squared = squared_in_plane(rows, i, ordered, j)
                else:
                    squared = squared_in_parts(rows, i, ordered, j, limit)
                if squared < limit:
                    limit = insert_one(squares[i], who[i], squared, numbers[j])
                j += direction


@njit(cache=True)
def _forget(gone, squares, who):
    """Take those who are gone out of the lists; their own say that nobody is known, and take nobody in."""
    for i in range(who.shape[0]):
        if gone[i]:
            squares[i] = 0.0
            who[i] = NOBODY
            continue
        known = 0
        for one in who[i]:
            known += one < 0 or not gone[one]
        if known == who.shape[1]:
            continue
        kept = 0
        for position in range(who.shape[1]):
            one = who[i, position]
            if one < 0 or not gone[one]:
                squares[i, kept], who[i, kept] = squares[i, position], one
                kept += 1
        squares[i, kept:] = squares[i, -1]
        who[i, kept:] = NOBODY
