"""The nearest of many points of several numbers, by a k-d tree, whose choice is compared again one by one."""

import numpy as np

from divergent._compile import njit
from divergent.neighbours._squared_distance import insert_one, squared_in_parts

NUMBERS = 6  # of a point, up to which a tree pays
PAIRS = 1 << 20  # of queries and points, from which on it does
CERTAIN = 1e-12  # relative difference of distances that no rounding makes
LEAST = 1e-140  # distances below have squares of few digits


def pays(queries: np.ndarray, points: np.ndarray) -> bool:
    """Whether a tree is faster than matrix products for so many rows."""
    return queries.shape[1] <= NUMBERS and len(queries) * len(points) >= PAIRS


def find_nearest_in_tree(
    queries: np.ndarray, points: np.ndarray, own: np.ndarray, nearest: np.ndarray, who: np.ndarray
) -> np.ndarray:
    """Insert squared distances to the nearest points into the sorted rows of `nearest`, where the tree is certain.

    It is asked for two more than needed: one for the query itself, which may be among the points. If the last one is no
    further than the one before, be it by a rounding, the tree has chosen among equals by a rule of its own. Returns the
    rows of which this is true, which have been left as they are.

    Parameters
    ----------
    queries, points
        One row each.
    own
        The position of each query among the points, or -1.
    nearest, who
        Distances and positions of the nearest; changed in place.
    """
    wanted = nearest.shape[1] + 2
    if wanted > len(points) or not (np.isfinite(queries).all() and np.isfinite(points).all()):
        return np.arange(len(queries))
    from scipy.spatial import cKDTree  # takes a fifth of a second to import, which few runs need

    distances, found = cKDTree(points).query(queries, np.arange(1, wanted + 1))
    certain = (distances[:, -1] > distances[:, -2] * (1 + CERTAIN)) & (distances[:, -1] > LEAST)
    _compare_with_found(queries, points, found[:, :-1], certain, own, nearest, who)
    return np.flatnonzero(~certain)


@njit(cache=True)
def _compare_with_found(queries, points, found, certain, own, nearest, who):
    for i in range(queries.shape[0]):
        best = nearest[i]
        for position in range(found.shape[1] if certain[i] else 0):
            j = found[i, position]
            if j != own[i]:
                squared = squared_in_parts(queries, i, points, j, best[-1])
                if squared < best[-1]:
                    insert_one(best, who[i], squared, j)
