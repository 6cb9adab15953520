import numpy as np
import pytest

from divergent.individual import Outcomes
from divergent.selection import kmeans
from divergent.selection._partitions import ClusterPartition, GridPartition, GroupPartition


def generation(*behaviours):
    return Outcomes(np.zeros(len(behaviours)), np.array(behaviours, dtype=float))


def test_cluster_partition_continues_and_keeps_empty_clusters(rng):
    summary = ClusterPartition(2, kmeans).summarise(
        generation((11, 0), (13, 0)), np.array([[0.0, 0], [10, 0]]), None, rng
    )
    assert summary.centroids.tolist() == [[0.0, 0.0], [12.0, 0.0]]
    assert summary.occupied.tolist() == [False, True]


def test_cluster_partition_scaled_returns_unscaled_centroids(rng):
    before, factors = np.array([[0.0, 900.0], [10.0, 100.0]]), np.array([1.0, 1e-6])
    # without a scale the second number alone would decide
    summary = ClusterPartition(2, kmeans).summarise(generation((-1, 100), (1, 900)), before, factors, rng)
    assert summary.occupied.tolist() == [True, False]
    assert summary.centroids == pytest.approx(np.array([[0.0, 500.0], [10.0, 100.0]]))


@pytest.mark.parametrize(("population", "count"), [(4, 3), (250, 200), (1000, 200), (1, 1)])
def test_cluster_partition_default_number_depends_on_first_generation(rng, population, count):
    behaviours = rng.normal(size=(population, 2))
    summary = ClusterPartition(None, kmeans).summarise(Outcomes(np.zeros(population), behaviours), None, None, rng)
    assert len(summary.centroids) == len(summary.occupied) == count


def test_group_partition_adds_continues_and_drops_groups():
    labels = iter([[1, 2], [3, 2], [4, 4]])
    groups = GroupPartition(lambda outcomes: next(labels), most=2)
    first = groups.summarise(generation((0, 0), (1, 0)), None, None, None)
    assert first.centroids.tolist() == [[0.0, 0.0], [1.0, 0.0]]
    second = groups.summarise(generation((2, 0), (5, 0)), first.centroids, None, None)
    assert (second.continued, second.centroids.tolist()) == ([1], [[5.0, 0.0], [2.0, 0.0]])
    third = groups.summarise(generation((8, 0), (8, 2)), second.centroids, None, None)
    assert (third.continued, third.centroids.tolist()) == ([1], [[2.0, 0.0], [8.0, 1.0]])
    assert third.occupied.tolist() == [False, True]
    assert third.align(np.array([[10.0], [20.0]]).repeat(2, axis=1)).tolist() == [[20.0, 20.0], [8.0, 1.0]]


def test_group_partition_restored_recognises_groups():
    groups, later = (GroupPartition(lambda outcomes: [7, 9], most=5) for _ in range(2))
    places = groups.summarise(generation((0, 0), (1, 1)), None, None, None).centroids
    later.restore(groups.state())
    assert later.summarise(generation((2, 2), (3, 3)), places, None, None).continued == [0, 1]


def test_grid_partition_summary_is_relative_count():
    summary = GridPartition(((0, 0), (4, 2)), (2, 1)).summarise(
        generation((1, 1), (1.5, 0.5), (3, 1)), None, None, None
    )
    assert summary.centroids.ravel().tolist() == [1.0, 0.5]
    assert summary.occupied.all()
