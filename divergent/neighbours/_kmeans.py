"""Local behaviours: the clusters of a population, each the continuation of one of the generation before."""

from collections.abc import Callable

import numpy as np

from divergent._compile import njit
from divergent.neighbours._high_dimensional import blocks, lowered, middle, one_thread
from divergent.neighbours._squared_distance import squared_in_parts, squared_in_plane
from divergent.neighbours._validation import check_finite
from divergent.validation import as_numbers, check_at_least

FEW = 3  # numbers up to which comparing with every centroid is faster than matrix products
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
    behaviours = as_numbers("behaviours", behaviours, 2)
    centroids = as_numbers("seeds", seeds, 2).copy()
    check_at_least(1, iterations=iterations, seeds=len(centroids))
    if behaviours.shape[1] != centroids.shape[1]:
        raise ValueError(
            f"behaviours and seeds must be of one length, got {behaviours.shape[1]} and {centroids.shape[1]} numbers"
        )
    check_finite(behaviours)
    check_finite(centroids, "seed")
    lloyd = _lloyd if behaviours.shape[1] <= FEW else _lloyd_by_products
    centroids, labels = lloyd(behaviours, centroids, iterations)
    if not np.isfinite(centroids).all():
        raise ValueError(f"behaviours must have a mean; there are numbers as large as {np.abs(behaviours).max():g}")
    return centroids, labels


def kmeans_plus_plus(behaviours: np.ndarray, clusters: int, rng: np.random.Generator) -> np.ndarray:
    """Seeds for a first clustering: `clusters` of the behaviours, far apart, by greedy k-means++.

    The first is drawn uniformly. For each other one a few are drawn in proportion to their squared distance from the
    nearest seed, and the one that brings the seeds closest to everybody is kept. (As in scikit-learn, and written out
    because that takes two seconds to import, at every start of a run.)
    """
    behaviours = np.ascontiguousarray(behaviours, dtype=float)
    trials = 2 + int(np.log(clusters))
    rows, norms = lowered(behaviours, middle(behaviours))
    seeds = [int(rng.integers(len(behaviours)))]
    squared = np.full(len(behaviours), np.inf)
    squared = _nearer(behaviours, np.array(seeds), _bounds(rows, norms, seeds), squared)[0]
    for _ in range(clusters - 1):
        total = squared.sum()
        if total > 0:
            shares = (squared / total).cumsum()
            drawn = (shares / shares[-1]).searchsorted(rng.random(trials), side="right")
        else:
            drawn = rng.integers(len(behaviours), size=trials)
        nearer = _nearer(behaviours, drawn, _bounds(rows, norms, drawn), squared)
        best = int(np.argmin(nearer.sum(axis=1)))
        seeds.append(int(drawn[best]))
        squared = nearer[best]
    return behaviours[seeds]


def _bounds(rows, norms, candidates):
    """Lower bounds of the squared distances from candidates to everybody; none for few numbers, which need none."""
    if rows.shape[1] <= FEW:
        return np.empty((len(candidates), 0))
    with one_thread(), np.errstate(all="ignore"):
        return (-2 * rows[candidates]) @ rows.T + norms + norms[candidates, None]


@njit(cache=True)
def _nearer(behaviours, candidates, bounds, squared):
    """Squared distances from the nearest seed, one row for each candidate, if it were the next."""
    m, d = behaviours.shape
    nearer = np.empty((candidates.shape[0], m))
    for row in range(candidates.shape[0]):
        for i in range(m):
            nearer[row, i] = squared[i]
            if d == 2:
                distance = squared_in_plane(behaviours, i, behaviours, candidates[row])
            elif bounds.shape[1] and bounds[row, i] > squared[i]:
                continue
            else:
                distance = squared_in_parts(behaviours, i, behaviours, candidates[row], squared[i])
            nearer[row, i] = min(squared[i], distance)
    return nearer


@njit(cache=True)
def _lloyd(behaviours, centroids, iterations):
    """For few numbers: compare with every centroid that may have come nearer."""
    m, d = behaviours.shape
    k = centroids.shape[0]
    plane = d == 2
    labels = np.empty(m, np.int64)
    labels[:] = -1
    nearest = np.empty(m)
    moved = np.empty(k, np.bool_)  # who went elsewhere in the last iteration
    movers = np.empty(k, np.int64)  # the same as a list, so many of them
    count = 0
    for _ in range(iterations):
        changed = False
        for i in range(m):
            label = labels[i]
            distance = nearest[i]
            if label >= 0 and not moved[label]:
                # its own has not moved, so only those that have can be nearer now
                for c in movers[:count]:
                    if plane:
                        squared = squared_in_plane(behaviours, i, centroids, c)
                    else:
                        squared = squared_in_parts(behaviours, i, centroids, c, distance)
                    if squared < distance or (squared == distance and c < label):
                        distance = squared
                        label = c
            else:
                label = 0  # where every distance is infinite
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
        _move(behaviours, labels, centroids, moved)
        count = 0
        for c in range(k):
            if moved[c]:
                movers[count] = c
                count += 1
    return centroids, labels


def _lloyd_by_products(behaviours, centroids, iterations):
    """The same for many numbers: matrix products say which centroids cannot be the nearest."""
    origin = middle(behaviours)
    rows, norms = lowered(behaviours, origin)
    labels = np.zeros(len(behaviours), dtype=int)
    nearest = np.empty(len(behaviours))
    moved = np.ones(len(centroids), dtype=bool)
    before = None
    for _ in range(iterations):
        seeds, seed_norms = lowered(centroids, origin)
        left = moved[labels]
        nearest[left] = np.inf
        # whose own has not moved, for them only those that have can be nearer now
        for who, which in ((left, np.ones_like(moved)), (~left, moved)):
            some, few = np.flatnonzero(who), np.flatnonzero(which)
            for row, column, products in blocks(rows if who.all() else rows[some], seeds[few]):
                chosen = some[row:], few[column:]
                _assign(behaviours, centroids, products, norms, seed_norms, *chosen, labels, nearest)
        if before is not None and np.array_equal(labels, before):
            break
        before = labels.copy()
        _move(behaviours, labels, centroids, moved)
    return centroids, labels


@njit(cache=True)
def _assign(behaviours, centroids, products, norms, centroid_norms, who, which, labels, nearest):
    """Compare everyone in a block of products with the centroids that may be nearer than its own."""
    added = centroid_norms[which[: products.shape[1]]]
    for row in range(products.shape[0]):
        i = who[row]
        bounds = products[row]
        for column in range(len(bounds)):
            bounds[column] += norms[i] + added[column]
        first = 0
        for column in range(len(bounds)):
            if bounds[column] < bounds[first]:
                first = column
        # begun with the one that seems nearest, there is hardly another to compare with
        _compare(behaviours, i, centroids, which[first], labels, nearest)
        beyond = 0
        for bound in bounds:  # counted, which goes several at a time
            beyond += bound > nearest[i]
        if beyond < len(bounds) - 1:
            for column in range(len(bounds)):
                if not bounds[column] > nearest[i]:
                    _compare(behaviours, i, centroids, which[column], labels, nearest)


@njit(cache=True)
def _compare(behaviours, i, centroids, c, labels, nearest):
    """Give behaviour i to centroid c if that is nearer than its own, or as near and before it."""
    squared = squared_in_parts(behaviours, i, centroids, c, nearest[i])
    if squared < nearest[i] or (squared == nearest[i] and c < labels[i]):
        nearest[i] = squared
        labels[i] = c


@njit(cache=True)
def _move(behaviours, labels, centroids, moved):
    """Move centroids to the mean of those who belong to them; notes which went elsewhere."""
    k, d = centroids.shape
    sums = np.zeros((k, d))
    sizes = np.zeros(k)
    for i in range(behaviours.shape[0]):
        sizes[labels[i]] += 1
        for j in range(d):
            sums[labels[i], j] += behaviours[i, j]
    for c in range(k):
        moved[c] = False
        if sizes[c] > 0:
            for j in range(d):
                mean = sums[c, j] / sizes[c]
                if mean != centroids[c, j]:
                    centroids[c, j] = mean
                    moved[c] = True
