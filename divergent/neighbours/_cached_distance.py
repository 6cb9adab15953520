"""Cache of a callable distance, which is called only once for each pair of behaviours in use."""

import math
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from divergent.validation import FLOAT, brief, is_finite

MIN_MARGIN = 64  # minimum number of spare rows and columns in the matrix of cached distances
MAX_CACHED = 1 << 26  # maximum number of cached distances (512 MiB); no cache is used if a call needs more


class CachedDistance:
    """Callable distance with a cache; distances are cached while behaviours stay in the population or archive.

    The distance of each unordered pair of behaviours is computed once while both behaviours are in use. If the
    cache is full, the least recently used behaviours are removed. The cache changes the running time only, not the
    results. Each strategy creates its own cache. Strategies share a cache if the same `CachedDistance` is passed to
    them.

    Parameters
    ----------
    distance : callable
        Function of two behaviours that returns a finite number of at least 0. The function must be symmetric and depend
        on its arguments only. Behaviours must not change.

    Raises
    ------
    TypeError
        If `distance` is not callable.

    See Also
    --------
    NeighbourIndex : Exact nearest neighbours for any distance.

    Examples
    --------
    The function is called only once for each of the three pairs, although the second query repeats two pairs:

    >>> calls = []
    >>> def difference(first, second):
    ...     calls.append((first, second))
    ...     return abs(len(first) - len(second))
    >>> distance = CachedDistance(difference)
    >>> words = np.array(["north", "east", "up"], dtype=object)
    >>> distance.between(words, words, exclude_self=True)
    array([[inf,  1.,  3.],
           [ 1., inf,  2.],
           [ 3.,  2., inf]])
    >>> distance.between(words[:1], words[1:])
    array([[1., 3.]])
    >>> calls
    [('north', 'east'), ('north', 'up'), ('east', 'up')]
    """

    def __init__(self, distance: Callable[[Any, Any], float]):
        if not callable(distance):
            raise TypeError(f"distance must be a callable of two behaviours, got {brief(distance)}")
        self.distance = distance
        self._clear()

    def __call__(self, first: Any, second: Any) -> float:
        """Compute the distance between two behaviours without the cache."""
        value = self.distance(first, second)
        if not is_finite(value) or value < 0:
            name = getattr(self.distance, "__name__", brief(self.distance))
            raise ValueError(
                f"distance must return a finite number of at least 0, got the value {brief(value)} "
                f"from the function {name} for the behaviours {brief(first)} and {brief(second)}"
            )
        return float(value)

    def __repr__(self) -> str:
        return f"CachedDistance({getattr(self.distance, '__name__', repr(self.distance))})"

    def __getstate__(self) -> dict[str, Any]:
        return {"distance": self.distance}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._clear()

    def between(self, queries: np.ndarray, points: np.ndarray, exclude_self: bool = False) -> np.ndarray:
        """Return the distances from the queries to the points.

        Parameters
        ----------
        queries : ndarray of shape (m, d), or (m,) of objects
            Behaviours from which distances are computed.
        points : ndarray of shape (p, d), or (p,) of objects
            Behaviours to which distances are computed.
        exclude_self : bool, default=False
            Whether the first points are the queries themselves. If `exclude_self` is True, the distance from a query to
            itself is infinite.

        Returns
        -------
        ndarray of shape (m, p)
            Distance from each query to each point.

        Raises
        ------
        ValueError
            If a distance is not a finite number of at least 0.
        """
        query_keys, point_keys = _keys(queries), _keys(points)
        self._clock += 1
        self._rows.largest = max(self._rows.largest, len(query_keys))
        self._columns.largest = max(self._columns.largest, len(point_keys))
        margin = max(MIN_MARGIN, self._rows.largest)
        if self._rows.limit(margin) * self._columns.limit(margin) > MAX_CACHED:
            self._clear()
            return self._compute_all(queries, points, exclude_self)
        rows = self._find(self._rows, query_keys, queries, margin, axis=0)
        columns = self._find(self._columns, point_keys, points, margin, axis=1)
        own = range(len(rows)) if exclude_self else range(0)
        mirrored = self._rows.slots(point_keys), self._columns.slots(query_keys)
        self._fill(queries, points, (rows, columns), mirrored, own)
        block = self._values[np.ix_(rows, columns)]
        block[own, own] = np.inf
        return block

    def _clear(self) -> None:
        """Empty the cache."""
        self._clock = 0
        self._rows, self._columns = Slots(), Slots()
        self._values = np.empty((0, 0))  # nan where unknown

    def _find(self, slots: "Slots", keys: list[Hashable], behaviours: Any, margin: int, axis: int) -> np.ndarray:
        """Return the positions of behaviours in the cache; new behaviours replace the least recently used ones."""
        new = len({key for key in keys if key not in slots.slot_of})
        if len(slots.slot_of) + new > slots.limit(margin):
            kept = slots.compact(keys, slots.largest + margin)
            self._values = np.take(self._values, kept, axis=axis)
        positions = slots.find(keys, behaviours, self._clock)
        missing = len(slots.slot_of) - self._values.shape[axis]
        if missing > 0:  # The cache grows by many behaviours at a time, so that adding single behaviours is cheap.
            padding = [(0, 0), (0, 0)]
            padding[axis] = (0, missing + margin // 4)
            self._values = np.pad(self._values, padding, constant_values=np.nan)
        return positions

    def _fill(
        self,
        queries: Any,
        points: Any,
        slots: tuple[np.ndarray, np.ndarray],
        mirrored: tuple[np.ndarray, np.ndarray],
        own: range,
    ) -> None:
        """Compute the missing distances from queries to points, and add these distances to the cache.

        For each i in `own`, query i and point i are the same behaviour, so their distance is not computed. Distances
        are symmetric, so the cache may contain a distance from a point to a query instead. `mirrored` contains two
        arrays of indices into the matrix of cached distances: a row for each point, and a column for each query. In the
        arrays of `mirrored`, -1 marks a behaviour that is not in the cache.
        """
        (rows, columns), (point_rows, query_columns) = slots, mirrored
        block = self._values[np.ix_(rows, columns)]
        block[own, own] = 0.0
        unknown = np.isnan(block)
        if not unknown.any():
            return
        i, j = np.nonzero(unknown & (query_columns >= 0)[:, None] & (point_rows >= 0))
        self._values[rows[i], columns[j]] = self._values[point_rows[j], query_columns[i]]
        i, j = np.nonzero(unknown)
        values = self._values
        pairs = zip(
            *(array.tolist() for array in (i, j, rows[i], columns[j], point_rows[j], query_columns[i])), strict=True
        )
        for query, point, row, column, mirrored_row, mirrored_column in pairs:
            if math.isnan(values[row, column]):
                values[row, column] = value = self(queries[query], points[point])
                if mirrored_row >= 0 and mirrored_column >= 0:
                    values[mirrored_row, mirrored_column] = value

    def _compute_all(self, queries: Any, points: Any, exclude_self: bool) -> np.ndarray:
        """Compute all distances from queries to points without the cache."""
        block = np.empty((len(queries), len(points)))
        for i, query in enumerate(queries):
            for j, point in enumerate(points):
                block[i, j] = np.inf if exclude_self and i == j else self(query, point)
        return block


class Slots:
    """Row or column indices of behaviours in the matrix of cached distances."""

    def __init__(self) -> None:
        self.slot_of: dict[Hashable, int] = {}
        # references to behaviours whose key is their `id`, so that no other object gets the same `id`
        self.behaviours: dict[Hashable, Any] = {}
        # for each cache position, the number of the last call of `between` that used the position
        self.last_used = np.empty(0, dtype=int)
        self.largest = 0  # largest number of behaviours in one call of `between` so far

    def limit(self, margin: int) -> int:
        """Return the maximum number of rows, or of columns, in the matrix of cached distances."""
        return self.largest + 2 * margin

    def slots(self, keys: Sequence[Hashable]) -> np.ndarray:
        """Return the cache position of each key, or -1 if the key is not cached."""
        return np.array([self.slot_of.get(key, -1) for key in keys], dtype=int)

    def find(self, keys: Sequence[Hashable], behaviours: Any, clock: int) -> np.ndarray:
        """Return the cache position of each key; keys that are not cached get new positions."""
        for key, behaviour in zip(keys, behaviours, strict=True):
            if key not in self.slot_of:
                self.slot_of[key] = len(self.slot_of)
                if type(key) is int:
                    self.behaviours[key] = behaviour
        if len(self.slot_of) > len(self.last_used):
            self.last_used = np.pad(self.last_used, (0, 2 * len(self.slot_of) - len(self.last_used)))
        slots = self.slots(keys)
        self.last_used[slots] = clock
        return slots

    def compact(self, keys: Sequence[Hashable], size: int) -> np.ndarray:
        """Shrink the cache to the `size` most recently used behaviours; `keys` are not removed.

        Return the old cache positions of the remaining behaviours, in increasing order.
        """
        used = self.last_used[: len(self.slot_of)].copy()
        needed = self.slots(list(keys))
        used[needed[needed >= 0]] = np.iinfo(int).max
        kept = np.sort(np.argsort(-used, kind="stable")[:size])
        is_kept = np.zeros(len(used), dtype=bool)
        is_kept[kept] = True
        # keys that remain in the cache, in the order of their positions
        keys_kept = [key for key, slot in self.slot_of.items() if is_kept[slot]]
        self.slot_of = {key: slot for slot, key in enumerate(keys_kept)}
        self.behaviours = {key: self.behaviours[key] for key in keys_kept if key in self.behaviours}
        self.last_used = self.last_used[kept]
        return kept


def cached(distance: Any) -> Any:
    """Add a cache to a callable distance; return the name of a metric or a `CachedDistance` unchanged."""
    return distance if isinstance(distance, str | CachedDistance) else CachedDistance(distance)


def _keys(behaviours: np.ndarray) -> list[Hashable]:
    """Return a cache key for each behaviour: its value if it is a float array or immutable, otherwise its `id`."""
    return [_key(behaviour) for behaviour in behaviours]


def _key(behaviour: Any) -> Hashable:
    kind = type(behaviour)
    if kind is np.ndarray and behaviour.dtype == FLOAT:
        return behaviour.tobytes()
    if kind is str:
        return behaviour
    if kind in (tuple, frozenset, bytes):
        try:
            hash(behaviour)
        except TypeError:
            return id(behaviour)
        return kind, behaviour
    return id(behaviour)
