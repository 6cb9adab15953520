"""Who the nearest are: points of any number of columns, found by looking along the widest."""

import numpy as np

from divergent._compile import njit
from divergent.neighbours._squared_distance import square, squared_in_parts, squared_in_plane


def nearest_rows(queries: np.ndarray, points: np.ndarray, count: int, themselves: bool) -> np.ndarray:
    """Which `count` points are nearest to each query, in increasing order; of equally far ones the first.

    Parameters
    ----------
    themselves
        Whether the queries are the first points, and nobody is its own neighbour.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        column = int(np.argmax(np.ptp(points, axis=0))) if len(points) else 0
    order = np.argsort(points[:, column], kind="stable")
    ordered = points[order]
    places = np.searchsorted(ordered[:, column], queries[:, column])
    return _nearest_rows(queries, places, ordered, order, column, count, themselves)


@njit(cache=True)
def _nearest_rows(queries, places, ordered, order, column, count, themselves):
    """From its place each query looks to both sides, the nearer first, until the column alone says it is too far."""
    size = len(order)
    found = np.empty((queries.shape[0], count), np.int64)
    if count < 1:
        return found
    plane = queries.shape[1] == 2
    best = np.empty(count)
    who = np.empty(count, np.int64)
    for i in range(queries.shape[0]):
        best[:] = np.inf
        who[:] = size
        x = queries[i, column]
        above = places[i]
        below = above - 1
        while below >= 0 or above < size:
            if above == size or (below >= 0 and x - ordered[below, column] < ordered[above, column] - x):
                k = below
                below -= 1
            else:
                k = above
                above += 1
            if square(ordered[k, column] - x) > best[-1]:
                break
            if themselves and order[k] == i:
                continue
            if plane:
                squared = squared_in_plane(queries, i, ordered, k)
            else:
                squared = squared_in_parts(queries, i, ordered, k, best[-1])
            if squared < best[-1] or (squared == best[-1] and order[k] < who[-1] < size):
                _insert_with(best, who, squared, order[k])
        found[i] = np.sort(who)
    return found


@njit(cache=True)
def _insert_with(best, who, squared, number):
    """Put a square and whose it is where they belong, by the square and then the number, pushing the last out."""
    j = best.shape[0] - 1
    while j > 0 and (best[j - 1] > squared or (best[j - 1] == squared and who[j - 1] > number)):
        best[j] = best[j - 1]
        who[j] = who[j - 1]
        j -= 1
    best[j] = squared
    who[j] = number
