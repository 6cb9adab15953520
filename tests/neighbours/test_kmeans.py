import warnings

import numpy as np
import pytest
from sklearn.cluster import KMeans

from divergent.neighbours._kmeans import kmeans, kmeans_plus_plus


def lloyd(behaviours, centroids, iterations=300):
    """Reference implementation: assign to the nearest centroid and move centroids to means until no label changes."""
    centroids, labels = centroids.copy(), None
    for _ in range(iterations):
        new = np.linalg.norm(behaviours[:, None] - centroids, axis=2).argmin(axis=1)
        if labels is not None and (new == labels).all():
            break
        labels = new
        for c in np.unique(labels):
            centroids[c] = behaviours[labels == c].mean(axis=0)
    return centroids, labels


@pytest.mark.parametrize("dimensions", [1, 2, 5, 33])
@pytest.mark.parametrize("clusters", [1, 7, 40])
def test_kmeans_matches_reference_implementation(rng, dimensions, clusters):
    behaviours = rng.normal(0, 10, (40, dimensions))
    seeds = rng.normal(0, 10, (clusters, dimensions))
    centroids, labels = kmeans(behaviours, seeds)
    expected, groups = lloyd(behaviours, seeds)
    assert centroids == pytest.approx(expected, abs=1e-9)
    assert labels.tolist() == groups.tolist()


def test_kmeans_without_empty_clusters_matches_scikit_learn(rng):
    compared = 0
    for _ in range(60):
        behaviours = rng.normal(0, 10, (80, int(rng.integers(1, 6))))
        seeds = behaviours[rng.choice(80, int(rng.integers(1, 12)), replace=False)]
        if any((np.bincount(lloyd(behaviours, seeds, n)[1], minlength=len(seeds)) == 0).any() for n in range(1, 30)):
            continue
        reference = KMeans(len(seeds), init=seeds, n_init=1, tol=0).fit(behaviours)
        centroids, labels = kmeans(behaviours, seeds)
        assert centroids == pytest.approx(reference.cluster_centers_, abs=1e-6)
        assert labels.tolist() == reference.labels_.tolist()
        compared += 1
    assert compared >= 40


def test_kmeans_empty_cluster_keeps_its_centroid():
    centroids, labels = kmeans(np.array([[0.0, 0.0], [2.0, 0.0]]), np.array([[1.0, 1.0], [-9.0, 5.0]]))
    assert centroids.tolist() == [[1.0, 0.0], [-9.0, 5.0]]
    assert labels.tolist() == [0, 0]


def test_kmeans_tie_belongs_to_the_first_centroid():
    _, labels = kmeans(np.array([[0.0, 0.0]]), np.array([[5.0, 0.0], [-1.0, 0.0], [1.0, 0.0]]))
    assert labels.tolist() == [1]


def test_kmeans_does_not_change_its_arguments(rng):
    behaviours, seeds = rng.normal(size=(20, 2)), rng.normal(size=(4, 2))
    before = behaviours.copy(), seeds.copy()
    kmeans(behaviours, seeds)
    assert (behaviours == before[0]).all()
    assert (seeds == before[1]).all()


def test_kmeans_with_more_clusters_than_distinct_points_works(rng):
    behaviours = np.repeat([[1.0, 2.0], [3.0, 4.0]], 10, axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        seeds = kmeans_plus_plus(behaviours, 15, rng)
        centroids, labels = kmeans(behaviours, seeds)
    assert {tuple(row) for row in centroids} == {(1.0, 2.0), (3.0, 4.0)}
    assert len(set(labels)) == 2


def test_kmeans_plus_plus_seeds_are_distant_and_reproducible():
    behaviours = np.array([[0.0, 0.0], [0.1, 0.0], [100.0, 0.0], [100.1, 0.0]])
    seeds = kmeans_plus_plus(behaviours, 2, np.random.default_rng(5))
    assert abs(seeds[0, 0] - seeds[1, 0]) > 99
    assert kmeans_plus_plus(behaviours, 2, np.random.default_rng(5)).tolist() == seeds.tolist()


@pytest.mark.parametrize(
    ("behaviours", "seeds", "message"),
    [
        (np.ones((5, 2)), np.ones((2, 3)), "behaviours and seeds must have the same number of dimensions, got 2 and 3"),
        (np.ones((5, 9)), np.ones((2, 2)), "behaviours and seeds must have the same number of dimensions, got 9 and 2"),
        (np.ones((5, 2)), np.ones((0, 2)), "seeds must be an integer, at least 1, got 0"),
        (np.ones((5, 2)), np.ones(2), r"seeds must be an array of shape \(m, d\); got shape \(2,\)"),
        (np.full((5, 2), np.nan), np.ones((2, 2)), "behaviours must be finite, got the vector .* for behaviour 0"),
        (np.ones((5, 2)), np.full((2, 2), np.inf), "behaviours must be finite, got the vector .* for seed 0"),
        (np.full((5, 2), 1e308), np.ones((2, 2)), "behaviours must be so small that their sum is finite"),
    ],
)
def test_kmeans_with_invalid_arguments_raises(behaviours, seeds, message):
    with pytest.raises(ValueError, match=message):
        kmeans(behaviours, seeds)


def test_kmeans_at_infinite_distance_assigns_the_first_centroid():
    _, labels = kmeans(np.array([[1e200, 0.0], [0.0, 0.0]]), np.array([[0.0, 0.0], [1.0, 1.0]]))
    assert labels.tolist() == [0, 1]  # the first centroid moves there, away from the other behaviour
