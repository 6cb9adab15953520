"""High-dimensional searches and clusters equal brute force for any blocks and threads."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from divergent.neighbours import _matrix_products as products
from divergent.neighbours._index import NeighbourIndex
from divergent.neighbours._kernels import squared_in_parts
from divergent.neighbours._kmeans import kmeans, kmeans_plus_plus


def squares(a, b):
    """Return squared distances between all rows, added in the order of the compiled function."""
    d = a.shape[1]
    differences = a[:, None] - b
    lanes = np.zeros((8, len(a), len(b)))
    for last in range(d, d % 8, -8):
        part = differences[:, :, last - 8 : last]
        lanes += np.moveaxis(part * part, 2, 0)
    total = ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
    for column in range(d % 8):
        total = total + differences[:, :, column] * differences[:, :, column]
    return total


def mean_nearest(queries, points, count, exclude_self=False):
    """Reference implementation: sort all distances."""
    table = (
        np.hstack([squares(queries, queries), squares(queries, points)]) if exclude_self else squares(queries, points)
    )
    scores = []
    for i, row in enumerate(table):
        nearest = np.sort(np.delete(row, i) if exclude_self else row)[:count]
        total = 0.0
        for distance in np.sqrt(nearest):
            total += distance
        scores.append(total / len(nearest) if len(nearest) else 0.0)
    return scores


def select_by_threshold(queries, points, threshold):
    selected = []
    for i, query in enumerate(queries):
        others = np.vstack([points, *[queries[j : j + 1] for j in selected]])
        if (np.sqrt(squares(query[None], others)) > threshold).all():
            selected.append(i)
    return [i in selected for i in range(len(queries))]


@st.composite
def hard_rows(draw, most=500):
    """Draw a function that returns a number of rows: with large offsets, clusters, duplicates and ties."""
    dimensions = draw(st.integers(1, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    scale = draw(st.sampled_from([1.0, 1e-6, 1e5, 1e-160]))
    offset = draw(st.sampled_from([0.0, 1e9, -3e15])) * scale
    clumps = rng.normal(0, draw(st.sampled_from([0.0, 10.0, 1e9])), (4, dimensions))
    ties = draw(st.booleans())

    def rows(number):
        noise = rng.integers(-1, 2, (number, dimensions)) if ties else rng.normal(size=(number, dimensions))
        made = offset + scale * (clumps[rng.integers(4, size=number)] + noise)
        equal = rng.integers(number, size=number // 3)
        made[equal] = made[equal[::-1]]
        return made

    return rows


def lloyd(behaviours, centroids, iterations=300):
    centroids, labels = centroids.copy(), None
    for _ in range(iterations):
        new = squares(behaviours, centroids).argmin(axis=1)
        if labels is not None and (new == labels).all():
            break
        labels = new
        for c in np.unique(labels):
            total = np.zeros(behaviours.shape[1])
            for row in behaviours[labels == c]:
                total += row
            centroids[c] = total / (labels == c).sum()
    return centroids, labels


@settings(max_examples=60)
@given(rows=hard_rows(), archived=st.integers(0, 60), count=st.integers(1, 20))
def test_index_in_many_dimensions_matches_reference_bit_for_bit(rows, archived, count):
    points, queries, others = rows(archived), rows(25), rows(12)
    index = NeighbourIndex(points)
    together = index.mean_nearest_of_all(queries, count)
    assert together.tolist() == mean_nearest(queries, points, count, exclude_self=True)
    assert index.mean_nearest(queries, count).tolist() == mean_nearest(queries, points, count)
    expected = mean_nearest(queries, np.vstack([points, others]), count)
    assert index.mean_nearest(queries, count, others).tolist() == expected
    for i in (0, 13):
        assert index.mean_nearest(queries[i : i + 1], count, np.delete(queries, i, axis=0))[0] == together[i]
    threshold = max(float(np.median(together)), 1e-3)
    assert index.select_by_threshold(queries, threshold).tolist() == select_by_threshold(queries, points, threshold)


@settings(max_examples=25)
@given(rows=hard_rows(most=60), height=st.integers(1, 9), width=st.integers(1, 70), clusters=st.integers(1, 20))
def test_results_do_not_depend_on_block_sizes(rows, height, width, clusters):
    points, queries = rows(150), rows(40)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(products, "BLOCK_ROWS", height)
        patch.setattr(products, "BLOCK_COLUMNS", width)
        scores = NeighbourIndex(points).mean_nearest_of_all(queries, 5)
        centroids, labels = kmeans(points, queries[:clusters])
    assert scores.tolist() == NeighbourIndex(points).mean_nearest_of_all(queries, 5).tolist()
    assert scores.tolist() == mean_nearest(queries, points, 5, exclude_self=True)
    expected, groups = kmeans(points, queries[:clusters])
    assert labels.tolist() == groups.tolist()
    assert centroids.tobytes() == expected.tobytes()


@settings(max_examples=25)
@given(rows=hard_rows(most=8), count=st.integers(1, 20))
def test_find_nearest_with_tree_matches_reference(rows, count):
    points, queries = rows(150), rows(40)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(products, "MIN_TREE_PAIRS", 0)
        scores = NeighbourIndex(points).mean_nearest(queries, count)
        nearest = np.full((40, count), np.inf)
        ids = np.full(nearest.shape, -1)
        products.find_nearest(queries, queries, nearest, ids, own=np.arange(40))
    assert scores.tolist() == mean_nearest(queries, points, count)
    expected = np.sort(squares(queries, queries) + np.diag(np.full(40, np.inf)), axis=1)[:, :count]
    assert nearest.tolist() == expected.tolist()
    assert np.take_along_axis(squares(queries, queries), ids, axis=1).tolist() == expected.tolist()
    assert (ids != np.arange(40)[:, None]).all()


@settings(max_examples=40)
@given(rows=hard_rows(), clusters=st.integers(1, 30))
def test_kmeans_in_many_dimensions_matches_reference_bit_for_bit(rows, clusters):
    behaviours = rows(50)
    seeds = behaviours[:clusters].copy()
    centroids, labels = kmeans(behaviours, seeds)
    expected, groups = lloyd(behaviours, seeds)
    assert labels.tolist() == groups.tolist()
    assert centroids.tobytes() == expected.tobytes()


def test_choose_origin_is_the_mean_only_for_a_large_offset():
    square = np.array([[0.0, 0.0], [0.0, 2.0], [2.0, 0.0], [2.0, 2.0]])
    assert products.choose_origin(square).tolist() == [0, 0]  # the mean has half of the mean squared norm
    assert products.choose_origin(square + 1000).tolist() == [1001, 1001]
    assert products.choose_origin(square[:0]).tolist() == [0, 0]
    assert products.centre_rows(square, np.zeros(2))[0] is square


def test_product_blocks_of_selected_queries_keep_their_order():
    queries, points = np.arange(6.0).reshape(3, 2), np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    ((row, column, block),) = products.product_blocks(queries, points, np.array([2, 0]))
    assert (row, column) == (0, 0)
    assert block.tolist() == [[-8, -10, -18], [0, -2, -2]]
    assert queries.tolist() == [[0, 1], [2, 3], [4, 5]]


@settings(max_examples=60)
@given(rows=hard_rows())
def test_centre_rows_bounds_are_below_distances(rows):
    queries, points = rows(20), rows(30)
    origin = products.choose_origin(points)
    (from_origin, query_norms), (centred, norms) = (
        products.centre_rows(queries, origin),
        products.centre_rows(points, origin),
    )
    exact = squares(queries, points)
    for row, column, block in products.product_blocks(from_origin, centred):
        bounds = block + query_norms[row : row + len(block), None] + norms[column : column + block.shape[1]]
        assert (bounds <= exact[row : row + len(block), column : column + block.shape[1]]).all()


@pytest.mark.parametrize("dimensions", [1, 2, 7, 8, 31, 32, 33, 400])
def test_squared_in_parts_matches_reference_below_the_limit(rng, dimensions):
    a, b = rng.normal(size=(3, dimensions)), rng.normal(size=(4, dimensions))
    expected = squares(a, b)
    for i in range(3):
        for j in range(4):
            assert squared_in_parts(a, i, b, j, np.inf) == expected[i, j]
            assert squared_in_parts(a, i, b, j, expected[i, j] / 2) > expected[i, j] / 2


def test_index_of_a_changing_population_matches_reference(rng):
    archive, population = trails(rng, 460), trails(rng, 40)
    points = NeighbourIndex(archive)
    for size in (460, 460, 475, 475, 500):
        if size > len(archive):
            archive = np.vstack([archive, trails(rng, size - len(archive))])
            points = points.extended(archive)
        child = trails(rng, 1)
        assert points.mean_nearest(child, 6, population).tolist() == mean_nearest(
            child, np.vstack([archive, population]), 6
        )
        population[rng.integers(40)] = child
        population[rng.integers(40)] = population[rng.integers(40)]
        expected = mean_nearest(population, archive, 6, exclude_self=True)
        assert points.mean_nearest_of_all(population, 6).tolist() == expected
        assert points.select_by_threshold(population, 20.0).tolist() == select_by_threshold(population, archive, 20.0)


def test_extended_does_not_change_the_original_index(rng):
    archive, population = trails(rng, 420), trails(rng, 30)
    points = NeighbourIndex(archive[:410])
    points.mean_nearest_of_all(population, 4)
    grown = points.extended(archive)
    population[3] = archive[415]
    grown.mean_nearest_of_all(population, 4)
    assert points.mean_nearest_of_all(population, 4).tolist() == mean_nearest(population, archive[:410], 4, True)


def test_projections_exclude_no_nearest_point(rng):
    archive, queries = trails(rng, 500), trails(rng, 5)
    points = NeighbourIndex(archive)
    assert points.mean_nearest(queries, 7).tolist() == mean_nearest(queries, archive, 7)


def test_numbers_too_large_for_products_are_compared_exactly(rng):
    queries = 1e155 * rng.integers(0, 2, (30, 1)) + 1e141 * rng.normal(size=(30, 5))
    points = queries[::-1] + 1e141
    with np.errstate(over="ignore"):
        expected = mean_nearest(queries, points, 2)
    assert NeighbourIndex(points).mean_nearest(queries, 2).tolist() == expected


@pytest.mark.parametrize("dimensions", [3, 20])
def test_kmeans_plus_plus_matches_reference(rng, dimensions):
    behaviours = np.repeat(rng.normal(size=(60, dimensions)), 2, axis=0)
    rng, reference_rng = np.random.default_rng(4), np.random.default_rng(4)
    seeds = [int(reference_rng.integers(120))]
    nearest = squares(behaviours, behaviours[seeds])[:, 0]
    for _ in range(9):
        drawn = reference_rng.choice(120, 4, p=nearest / nearest.sum())
        nearer = np.minimum(nearest, squares(behaviours[drawn], behaviours))
        seeds.append(int(drawn[nearer.sum(axis=1).argmin()]))
        nearest = np.minimum(nearest, squares(behaviours, behaviours[seeds[-1:]])[:, 0])
    assert kmeans_plus_plus(behaviours, 10, rng).tobytes() == behaviours[seeds].tobytes()


SCORED = """
import numpy as np
from divergent.neighbours._kmeans import kmeans, kmeans_plus_plus
from divergent.neighbours._index import NeighbourIndex
rng = np.random.default_rng(0)
behaviours, archive = rng.normal(1e6, 1, (1200, 70)), rng.normal(1e6, 1, (1500, 70))
seeds = kmeans_plus_plus(behaviours, 50, rng)
centroids, labels = kmeans(behaviours, seeds)
scores = NeighbourIndex(archive).mean_nearest_of_all(behaviours, 15)
print([array.tobytes().hex() for array in (seeds, centroids, labels, scores)])
"""


def test_results_do_not_depend_on_blas_threads():
    answers = []
    for threads in ("1", "2"):
        names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
        environment = os.environ | dict.fromkeys(names, threads)
        command = [sys.executable, "-c", SCORED]
        answers.append(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
    assert len(answers[0]) > 1000
    assert answers[0] == answers[1]


def trails(rng, number):
    """Return smooth trajectories of 50 positions."""
    turns = np.cumsum(rng.normal(0, 0.3, (number, 50, 2)), axis=1)
    return np.cumsum(turns, axis=1).reshape(number, 100)


@pytest.mark.parametrize("exclude_self", [True, False])
def test_find_nearest_in_tree_is_exact_or_returns_uncertain_rows(rng, exclude_self):
    points = rng.normal(size=(300, 4))
    queries = points[:40] if exclude_self else rng.normal(size=(40, 4))
    nearest, ids = np.full((40, 5), np.inf), np.full((40, 5), -1)
    own = np.arange(40) if exclude_self else np.full(40, -1)
    uncertain = products.find_nearest_in_tree(queries, points, own, nearest, ids)
    squared = ((queries[:, None] - points[None]) ** 2).sum(axis=2)
    if exclude_self:
        squared[np.arange(40), np.arange(40)] = np.inf
    certain = np.setdiff1d(np.arange(40), uncertain)
    assert len(certain) > 30
    assert nearest[certain] == pytest.approx(np.sort(squared, axis=1)[certain, :5])
    assert (ids[certain] == np.argsort(squared, axis=1)[certain, :5]).all()
