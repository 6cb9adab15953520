"""The nearest of many points of several numbers, by a k-d tree, whose choice is compared again one by one."""

import numpy as np
from numba import njit

from divergent.selection.squares import insert, squared_in_parts

NUMBERS = 6  # of a point, up to which a tree pays
PAIRS = 1 << 20  # of queries and points, from which on it does
CERTAIN = 1e-12  # relative difference of distances that no rounding makes
LEAST = 1e-140  # distances below have squares of few digits


def pays(queries: np.ndarray, points: np.ndarray) -> bool:
    """Whether a tree is faster than matrix products for so many rows."""
    return queries.shape[1] <= NUMBERS and len(queries) * len(points) >= PAIRS


def find_nearest_in_tree(queries: np.ndarray, points: np.ndarray, nearest: np.ndarray, themselves: bool) -> np.ndarray:
    """Insert squared distances to the nearest points into the sorted rows of `nearest`, where the tree is certain.

    It is asked for one more than needed. If that one is no further than the last, be it by a rounding, the tree has
    chosen among equals by a rule of its own. Returns the rows of which this is true, which have been left as they are.
    """
    wanted = nearest.shape[1] + themselves + 1
    if wanted > len(points) or not (np.isfinite(queries).all() and np.isfinite(points).all()):
        return np.arange(len(queries))
    from scipy.spatial import cKDTree  # takes a fifth of a second to import, which few runs need

    distances, found = cKDTree(points).query(queries, np.arange(1, wanted + 1))
    certain = (distances[:, -1] > distances[:, -2] * (1 + CERTAIN)) & (distances[:, -1] > LEAST)
    _compare_with_found(queries, points, found[:, :-1], certain, themselves, nearest)
    return np.flatnonzero(~certain)


@njit(cache=True)
def _compare_with_found(queries, points, found, certain, themselves, nearest):
    for i in range(queries.shape[0]):
        best = nearest[i]
        for position in range(found.shape[1] if certain[i] else 0):
            j = found[i, position]
            if not (themselves and i == j):
                squared = squared_in_parts(queries, i, points, j, best[-1])
                if squared < best[-1]:
                    insert(best, squared)
