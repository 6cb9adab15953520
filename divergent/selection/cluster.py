"""Local behaviours: the clusters of a population, each the continuation of one of the generation before."""

from collections.abc import Callable

import numpy as np
from numba import njit

from divergent.selection.neighbours import squared_distance

ITERATIONS = 300     # Lloyd's iterations at most; some ten are usual

Clustering = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]


def kmeans(behaviours: np.ndarray, seeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Cluster by Lloyd's iterations from `seeds` until nobody changes cluster, 300 iterations at most.

    A cluster that attracts nobody stays where it was; who is as near to two centroids belongs to the first.

    Parameters
    ----------
    behaviours
        One row each, shape (m, d).
    seeds
        Where the clusters begin, shape (k, d).

    Returns
    -------
    centroids : ndarray of shape (k, d)
        Row c continues row c of `seeds`.
    labels : ndarray of shape (m,)
        The cluster of each behaviour.

    Examples
    --------
    >>> behaviours = np.array([[0.0, 0.0], [0.0, 2.0], [9.0, 9.0]])
    >>> centroids, labels = kmeans(behaviours, np.array([[1.0, 1.0], [8.0, 8.0], [-50.0, 0.0]]))
    >>> centroids.tolist(), labels.tolist()
    ([[0.0, 1.0], [9.0, 9.0], [-50.0, 0.0]], [0, 0, 1])
    """
    return _lloyd(
        np.ascontiguousarray(behaviours, dtype=float), np.array(seeds, dtype=float, order="C"), ITERATIONS
    )


def spread(behaviours: np.ndarray, clusters: int, rng: np.random.Generator) -> np.ndarray:
    """Seeds for a first clustering: `clusters` of the behaviours, far apart, by k-means++."""
    from sklearn.cluster import kmeans_plusplus

    seeds, _ = kmeans_plusplus(behaviours, clusters, random_state=int(rng.integers(2**32)))
    return seeds


@njit(cache=True)
def _lloyd(behaviours, centroids, iterations):
    m, d = behaviours.shape
    k = centroids.shape[0]
    labels = np.full(m, -1)
    sums = np.empty((k, d))
    sizes = np.empty(k)
    for _ in range(iterations):
        changed = False
        for i in range(m):
            # beginning with the last cluster, since most stay where they are
            label = max(labels[i], 0)
            nearest = squared_distance(behaviours, i, centroids, label, np.inf)
            for c in range(k):
                squared = squared_distance(behaviours, i, centroids, c, nearest)
                if squared < nearest or (squared == nearest and c < label):
                    nearest = squared
                    label = c
            if label != labels[i]:
                labels[i] = label
                changed = True
        if not changed:
            break
        sums[:] = 0.0
        sizes[:] = 0.0
        for i in range(m):
            sizes[labels[i]] += 1
            for j in range(d):
                sums[labels[i], j] += behaviours[i, j]
        for c in range(k):
            if sizes[c] > 0:
                for j in range(d):
                    centroids[c, j] = sums[c, j] / sizes[c]
    return centroids, labels
