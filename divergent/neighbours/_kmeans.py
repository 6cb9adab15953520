"""k-means clustering by Lloyd's algorithm, and k-means++ seeds.

scikit-learn's KMeans cannot be used: it relocates empty clusters to distant points. In surprise search an empty cluster
must keep its position, since every cluster continues a cluster of the previous generation. With scikit-learn's
``pairwise_distances_argmin_min``, runs with 400-dimensional behaviours would take 0.9 to 1.3 times as long as with this
module (populations of 250 and 2,500). The measured times exclude the import of scikit-learn, which takes two seconds.
This implementation computes exact labels, so that results do not depend on the BLAS library.
"""

from collections.abc import Callable

import numpy as np

from divergent._compile import njit
from divergent.neighbours._kernels import squared_in_parts, squared_in_plane
from divergent.neighbours._matrix_products import centre_rows, choose_origin, product_blocks, single_blas_thread
from divergent.neighbours._validation import check_finite
from divergent.validation import as_numbers, check_at_least

MAX_COMPARED_DIMENSIONS = 3  # largest dimension in which comparing all centroids is faster than matrix products
ITERATIONS = 300  # largest number of iterations; about ten are typical

Clustering = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]


def kmeans(behaviours: np.ndarray, seeds: np.ndarray, iterations: int = ITERATIONS) -> tuple[np.ndarray, np.ndarray]:
    """Cluster behaviours by Lloyd's algorithm, starting from `seeds`, until no label changes.

    An empty cluster keeps its centroid, which scikit-learn's KMeans would relocate. Ties are broken by index: a
    behaviour belongs to the first of equally distant centroids.

    Parameters
    ----------
    behaviours : ndarray of shape (m, d)
        The behaviours to cluster.
    seeds : ndarray of shape (k, d)
        Initial centroids.
    iterations : int, default=300
        Maximum number of iterations.

    Returns
    -------
    centroids : ndarray of shape (k, d)
        The centroids; centroid c results from seed c.
    labels : ndarray of shape (m,)
        The cluster of each behaviour.

    Raises
    ------
    TypeError
        If an argument is not an array of numbers.
    ValueError
        If there are no seeds, if dimensions differ, or if a number is not finite or too large.

    Examples
    --------
    The third cluster is empty, so its centroid remains at the seed:

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
            f"behaviours and seeds must have the same number of dimensions, "
            f"got {behaviours.shape[1]} and {centroids.shape[1]}"
        )
    check_finite(behaviours)
    check_finite(centroids, "seed")
    labels = _lloyd(behaviours, centroids, iterations)
    if not np.isfinite(centroids).all():
        raise ValueError(
            f"behaviours must be so small that their sum is finite, got absolute values up to "
            f"{np.abs(behaviours).max():g}; return smaller numbers from evaluate"
        )
    return centroids, labels


def _lloyd(behaviours: np.ndarray, centroids: np.ndarray, iterations: int) -> np.ndarray:
    """Run Lloyd's algorithm, change centroids in place and return the labels."""
    labels = np.zeros(len(behaviours), dtype=np.int64)
    nearest = np.empty(len(behaviours))  # squared distance from each behaviour to its assigned centroid
    moved = np.ones(len(centroids), dtype=bool)  # mask of the centroids that the last iteration moved
    if behaviours.shape[1] > MAX_COMPARED_DIMENSIONS:
        origin = choose_origin(behaviours)
        centred, norms = centre_rows(behaviours, origin)
    before = None
    for _ in range(iterations):
        if behaviours.shape[1] <= MAX_COMPARED_DIMENSIONS:
            _assign(behaviours, centroids, moved, np.flatnonzero(moved), labels, nearest)
        else:
            _assign_by_products(behaviours, centroids, moved, origin, centred, norms, labels, nearest)
        if before is not None and np.array_equal(labels, before):
            break
        before = labels.copy()
        _move(behaviours, labels, centroids, moved)
    return labels


@njit(cache=True)
def _assign(
    behaviours: np.ndarray,
    centroids: np.ndarray,
    moved: np.ndarray,
    movers: np.ndarray,
    labels: np.ndarray,
    nearest: np.ndarray,
) -> None:
    """Assign low-dimensional behaviours to centroids by comparing them with each centroid that may be the nearest."""
    plane = behaviours.shape[1] == 2
    for i in range(behaviours.shape[0]):
        label = labels[i]
        distance = nearest[i]
        if not moved[label]:
            # The assigned centroid did not move, so only centroids that moved can be nearer.
            for c in movers:
                if plane:
                    squared = squared_in_plane(behaviours, i, centroids, c)
                else:
                    squared = squared_in_parts(behaviours, i, centroids, c, distance)
                if squared < distance or (squared == distance and c < label):
                    distance = squared
                    label = c
        else:
            label = 0  # default label, which remains if all distances are infinite
            distance = np.inf
            for c in range(centroids.shape[0]):
                if plane:
                    squared = squared_in_plane(behaviours, i, centroids, c)
                else:
                    squared = squared_in_parts(behaviours, i, centroids, c, distance)
                if squared < distance:
                    distance = squared
                    label = c
        nearest[i] = distance
        labels[i] = label


def _assign_by_products(
    behaviours: np.ndarray,
    centroids: np.ndarray,
    moved: np.ndarray,
    origin: np.ndarray,
    centred: np.ndarray,
    norms: np.ndarray,
    labels: np.ndarray,
    nearest: np.ndarray,
) -> None:
    """Assign high-dimensional behaviours to centroids; matrix products exclude most centroids from comparison."""
    centred_centroids, centroid_norms = centre_rows(centroids, origin)
    must_compare_all = moved[labels]
    nearest[must_compare_all] = np.inf
    # If the assigned centroid of a behaviour did not move, only centroids that moved can be nearer.
    for mask, candidates in ((must_compare_all, np.ones_like(moved)), (~must_compare_all, moved)):
        rows, columns = np.flatnonzero(mask), np.flatnonzero(candidates)
        for row, column, products in product_blocks(
            centred if mask.all() else centred[rows], centred_centroids[columns]
        ):
            block = rows[row:], columns[column:]
            _assign_block(behaviours, centroids, products, norms, centroid_norms, *block, labels, nearest)


@njit(cache=True)
def _assign_block(
    behaviours: np.ndarray,
    centroids: np.ndarray,
    products: np.ndarray,
    norms: np.ndarray,
    centroid_norms: np.ndarray,
    rows: np.ndarray,
    columns: np.ndarray,
    labels: np.ndarray,
    nearest: np.ndarray,
) -> None:
    """Compare a block of behaviours with a block of centroids; reassign behaviours to centroids that are nearer.

    Lower bounds of the distances exclude most centroids of a block from comparison.
    """
    column_norms = centroid_norms[columns[: products.shape[1]]]
    for row in range(products.shape[0]):
        i = rows[row]
        bounds = products[row]
        for column in range(len(bounds)):
            bounds[column] += norms[i] + column_norms[column]
        first = 0
        for column in range(len(bounds)):
            if bounds[column] < bounds[first]:
                first = column
        # The centroid with the smallest bound is compared first, since its distance excludes nearly all others.
        _assign_if_nearer(behaviours, i, centroids, columns[first], labels, nearest)
        excluded = 0
        for bound in bounds:  # branch-free so that LLVM vectorises the loop
            excluded += bound > nearest[i]
        if excluded < len(bounds) - 1:
            for column in range(len(bounds)):
                if not bounds[column] > nearest[i]:
                    _assign_if_nearer(behaviours, i, centroids, columns[column], labels, nearest)


@njit(cache=True)
def _assign_if_nearer(
    behaviours: np.ndarray, i: int, centroids: np.ndarray, c: int, labels: np.ndarray, nearest: np.ndarray
) -> None:
    """Assign behaviour i to centroid c if c is nearer than the assigned centroid; ties are broken by index."""
    squared = squared_in_parts(behaviours, i, centroids, c, nearest[i])
    if squared < nearest[i] or (squared == nearest[i] and c < labels[i]):
        nearest[i] = squared
        labels[i] = c


@njit(cache=True)
def _move(behaviours: np.ndarray, labels: np.ndarray, centroids: np.ndarray, moved: np.ndarray) -> None:
    """Move centroids to the means of their clusters and record the centroids that moved."""
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


def kmeans_plus_plus(behaviours: np.ndarray, clusters: int, rng: np.random.Generator) -> np.ndarray:
    """Return seeds for a first clustering: behaviours chosen by greedy k-means++.

    The first seed is uniformly random. For each other seed, a few candidates are drawn with probabilities proportional
    to their squared distance from the nearest seed. The candidate that minimises the sum of squared distances to the
    nearest seed becomes the next seed. scikit-learn uses the same rule, but importing it would add two seconds to every
    run.
    """
    behaviours = np.ascontiguousarray(behaviours, dtype=float)
    trials = 2 + int(np.log(clusters))
    centred, norms = centre_rows(behaviours, choose_origin(behaviours))
    seeds = [int(rng.integers(len(behaviours)))]
    squared = np.full(len(behaviours), np.inf)
    squared = _nearer(behaviours, np.array(seeds), _lower_bounds(centred, norms, seeds), squared)[0]
    for _ in range(clusters - 1):
        total = squared.sum()
        if total > 0:
            cumulative = (squared / total).cumsum()
            candidates = (cumulative / cumulative[-1]).searchsorted(rng.random(trials), side="right")
        else:
            candidates = rng.integers(len(behaviours), size=trials)
        nearer = _nearer(behaviours, candidates, _lower_bounds(centred, norms, candidates), squared)
        best = int(np.argmin(nearer.sum(axis=1)))
        seeds.append(int(candidates[best]))
        squared = nearer[best]
    return behaviours[seeds]


def _lower_bounds(centred: np.ndarray, norms: np.ndarray, candidates: np.ndarray | list[int]) -> np.ndarray:
    """Return lower bounds of the squared distances from each candidate to all behaviours.

    In low dimensions, no bounds are computed and the result has 0 columns, because computing exact distances is faster.
    """
    if centred.shape[1] <= MAX_COMPARED_DIMENSIONS:
        return np.empty((len(candidates), 0))
    with single_blas_thread(), np.errstate(all="ignore"):
        return (-2 * centred[candidates]) @ centred.T + norms + norms[candidates, None]


@njit(cache=True)
def _nearer(behaviours: np.ndarray, candidates: np.ndarray, bounds: np.ndarray, squared: np.ndarray) -> np.ndarray:
    """Return the squared distance from each behaviour to its nearest seed if a candidate becomes an additional seed.

    The result has one row for each candidate. `squared` contains the squared distance from each behaviour to its
    nearest seed without any candidate.
    """
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
