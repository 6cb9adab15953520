"""Local behaviours: the clusters of a population, each the continuation of one of the generation before."""

from collections.abc import Callable

import numpy as np
from numba import njit

from divergent.selection.neighbours import squared_in_parts, squared_in_plane

ITERATIONS = 300  # Lloyd's iterations at most; some ten are usual

Clustering = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]


def kmeans(behaviours: np.ndarray, seeds: np.ndarray, iterations: int = ITERATIONS) -> tuple[np.ndarray, np.ndarray]:
    """Cluster by Lloyd's iterations from `seeds` until nobody changes cluster.

    A cluster that attracts nobody stays where it was; who is as near to two centroids belongs to the first.

    Parameters
    ----------
    behaviours
        One row each, shape (m, d).
    seeds
        Where the clusters begin, shape (k, d).
    iterations
        How many there are at most.

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
    return _lloyd(np.ascontiguousarray(behaviours, dtype=float), np.array(seeds, dtype=float, order="C"), iterations)


def spread(behaviours: np.ndarray, clusters: int, rng: np.random.Generator) -> np.ndarray:
    """Seeds for a first clustering: `clusters` of the behaviours, far apart, by greedy k-means++.

    The first is drawn uniformly. For each other one a few are drawn in proportion to their squared distance from the
    nearest seed, and the one that brings the seeds closest to everybody is kept. (As in scikit-learn, and written out
    because that takes two seconds to import, at every start of a run.)
    """
    trials = 2 + int(np.log(clusters))
    drawn = int(rng.integers(len(behaviours)))
    seeds = [behaviours[drawn]]
    squared = ((behaviours - behaviours[drawn]) ** 2).sum(axis=1)
    for _ in range(clusters - 1):
        total = squared.sum()
        candidates = rng.choice(len(behaviours), trials, p=squared / total if total > 0 else None)
        nearer = [np.minimum(squared, ((behaviours - behaviours[one]) ** 2).sum(axis=1)) for one in candidates]
        best = int(np.argmin([distances.sum() for distances in nearer]))
        seeds.append(behaviours[candidates[best]])
        squared = nearer[best]
    return np.array(seeds)


@njit(cache=True)
def _lloyd(behaviours, centroids, iterations):
    m, d = behaviours.shape
    k = centroids.shape[0]
    plane = d == 2
    labels = np.full(m, -1)
    nearest = np.full(m, np.inf)
    moved = np.arange(k)  # the first `moves` entries: who went elsewhere in the last iteration
    moves = k
    here = np.zeros(k, dtype=np.bool_)  # whether a centroid stayed in the last iteration
    sums = np.empty((k, d))
    sizes = np.empty(k)
    for _ in range(iterations):
        changed = False
        for i in range(m):
            label = labels[i]
            distance = nearest[i]
            if label >= 0 and here[label]:
                # its own has not moved, so only those that have can be nearer now
                for position in range(moves):
                    c = moved[position]
                    if plane:
                        squared = squared_in_plane(behaviours, i, centroids, c)
                    else:
                        squared = squared_in_parts(behaviours, i, centroids, c, distance)
                    if squared < distance or (squared == distance and c < label):
                        distance = squared
                        label = c
            else:
                distance = np.inf
                for c in range(k):
                    if plane:
                        squared = squared_in_plane(behaviours, i, centroids, c)
                    else:
                        squared = squared_in_parts(behaviours, i, centroids, c, distance)
                    if squared < distance:
                        distance = squared
                        label = c
            nearest[i] = distance
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
        moves = 0
        for c in range(k):
            here[c] = True
            if sizes[c] > 0:
                for j in range(d):
                    mean = sums[c, j] / sizes[c]
                    if mean != centroids[c, j]:
                        centroids[c, j] = mean
                        here[c] = False
            if not here[c]:
                moved[moves] = c
                moves += 1
    return centroids, labels
