"""Many numbers: scores and clusters as of comparing with everyone, whatever blocks and threads there are."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from divergent.neighbours import _high_dimensional as products
from divergent.neighbours import _kd_tree as tree
from divergent.neighbours._kmeans import kmeans, kmeans_plus_plus
from divergent.neighbours._squared_distance import squared_in_parts
from divergent.neighbours.index import NeighbourIndex


def squares(a, b):
    """Squared distances between all rows, summed in the order in which the compiled function sums them."""
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


def mean_nearest(queries, points, count, themselves=False):
    """Mean distance to the nearest points, by sorting all distances; nobody is its own neighbour."""
    table = np.hstack([squares(queries, queries), squares(queries, points)]) if themselves else squares(queries, points)
    scores = []
    for i, row in enumerate(table):
        nearest = np.sort(np.delete(row, i) if themselves else row)[:count]
        total = 0.0
        for distance in np.sqrt(nearest):
            total += distance
        scores.append(total / len(nearest) if len(nearest) else 0.0)
    return scores


def select_by_threshold(queries, points, threshold):
    kept = []
    for i, query in enumerate(queries):
        others = np.vstack([points, *[queries[j : j + 1] for j in kept]])
        if (np.sqrt(squares(query[None], others)) > threshold).all():
            kept.append(i)
    return [i in kept for i in range(len(queries))]


@st.composite
def hard_rows(draw, most=500):
    """A function of a number that returns so many rows, all of one length: far off, in clumps, with equals and ties."""
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
def test_scores_are_those_of_comparing_with_everyone_to_the_last_bit(rows, archived, count):
    points, queries, others = rows(archived), rows(25), rows(12)
    prepared = NeighbourIndex(points)
    together = prepared.mean_nearest_of_all(queries, count)
    assert together.tolist() == mean_nearest(queries, points, count, themselves=True)
    assert prepared.mean_nearest(queries, count).tolist() == mean_nearest(queries, points, count)
    expected = mean_nearest(queries, np.vstack([points, others]), count)
    assert prepared.mean_nearest(queries, count, others).tolist() == expected
    for i in (0, 13):
        assert prepared.mean_nearest(queries[i : i + 1], count, np.delete(queries, i, axis=0))[0] == together[i]
    threshold = max(float(np.median(together)), 1e-3)
    assert prepared.select_by_threshold(queries, threshold).tolist() == select_by_threshold(queries, points, threshold)


@settings(max_examples=25)
@given(rows=hard_rows(most=60), height=st.integers(1, 9), width=st.integers(1, 70), clusters=st.integers(1, 20))
def test_nothing_depends_on_where_blocks_end(rows, height, width, clusters):
    points, queries = rows(150), rows(40)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(products, "ROWS", height)
        patch.setattr(products, "COLUMNS", width)
        scores = NeighbourIndex(points).mean_nearest_of_all(queries, 5)
        centroids, labels = kmeans(points, queries[:clusters])
    assert scores.tolist() == NeighbourIndex(points).mean_nearest_of_all(queries, 5).tolist()
    assert scores.tolist() == mean_nearest(queries, points, 5, themselves=True)
    expected, groups = kmeans(points, queries[:clusters])
    assert labels.tolist() == groups.tolist()
    assert centroids.tobytes() == expected.tobytes()


@settings(max_examples=25)
@given(rows=hard_rows(most=8), count=st.integers(1, 20))
def test_a_tree_finds_the_same(rows, count):
    points, queries = rows(150), rows(40)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tree, "PAIRS", 0)
        scores = NeighbourIndex(points).mean_nearest(queries, count)
        nearest = np.full((40, count), np.inf)
        who = np.full(nearest.shape, -1)
        products.find_nearest(queries, queries, nearest, who, own=np.arange(40))
    assert scores.tolist() == mean_nearest(queries, points, count)
    expected = np.sort(squares(queries, queries) + np.diag(np.full(40, np.inf)), axis=1)[:, :count]
    assert nearest.tolist() == expected.tolist()
    assert np.take_along_axis(squares(queries, queries), who, axis=1).tolist() == expected.tolist()
    assert (who != np.arange(40)[:, None]).all()


@settings(max_examples=40)
@given(rows=hard_rows(), clusters=st.integers(1, 30))
def test_clusters_are_those_of_comparing_with_every_centroid_to_the_last_bit(rows, clusters):
    behaviours = rows(50)
    seeds = behaviours[:clusters].copy()
    centroids, labels = kmeans(behaviours, seeds)
    expected, groups = lloyd(behaviours, seeds)
    assert labels.tolist() == groups.tolist()
    assert centroids.tobytes() == expected.tobytes()


def test_coordinates_are_taken_from_the_mean_only_where_that_makes_norms_much_smaller():
    square = np.array([[0.0, 0.0], [0.0, 2.0], [2.0, 0.0], [2.0, 2.0]])
    assert products.middle(square).tolist() == [0, 0]  # the mean has half of the mean squared norm
    assert products.middle(square + 1000).tolist() == [1001, 1001]
    assert products.middle(square[:0]).tolist() == [0, 0]
    assert products.lowered(square, np.zeros(2))[0] is square


def test_products_are_of_the_queries_that_are_named_in_their_order():
    queries, points = np.arange(6.0).reshape(3, 2), np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    ((row, column, block),) = products.blocks(queries, points, np.array([2, 0]))
    assert (row, column) == (0, 0)
    assert block.tolist() == [[-8, -10, -18], [0, -2, -2]]
    assert queries.tolist() == [[0, 1], [2, 3], [4, 5]]


@settings(max_examples=60)
@given(rows=hard_rows())
def test_a_bound_is_never_above_the_distance_it_bounds(rows):
    queries, points = rows(20), rows(30)
    origin = products.middle(points)
    (from_origin, query_norms), (centred, norms) = products.lowered(queries, origin), products.lowered(points, origin)
    exact = squares(queries, points)
    for row, column, block in products.blocks(from_origin, centred):
        bounds = block + query_norms[row : row + len(block), None] + norms[column : column + block.shape[1]]
        assert (bounds <= exact[row : row + len(block), column : column + block.shape[1]]).all()


@pytest.mark.parametrize("dimensions", [1, 2, 7, 8, 31, 32, 33, 400])
def test_one_distance_is_summed_like_its_plain_twin_unless_it_is_enough(rng, dimensions):
    a, b = rng.normal(size=(3, dimensions)), rng.normal(size=(4, dimensions))
    expected = squares(a, b)
    for i in range(3):
        for j in range(4):
            assert squared_in_parts(a, i, b, j, np.inf) == expected[i, j]
            assert squared_in_parts(a, i, b, j, expected[i, j] / 2) > expected[i, j] / 2


def test_a_population_that_changes_by_a_few_is_scored_like_one_never_seen_before(rng):
    archive, population = trails(rng, 460), trails(rng, 40)
    points = NeighbourIndex(archive)
    for size in (460, 460, 475, 475, 500):
        if size > len(archive):
            archive = np.vstack([archive, trails(rng, size - len(archive))])
            points = points.extended(archive)
        newcomer = trails(rng, 1)
        assert points.mean_nearest(newcomer, 6, population).tolist() == mean_nearest(
            newcomer, np.vstack([archive, population]), 6
        )
        population[rng.integers(40)] = newcomer
        population[rng.integers(40)] = population[rng.integers(40)]
        expected = mean_nearest(population, archive, 6, themselves=True)
        assert points.mean_nearest_of_all(population, 6).tolist() == expected
        assert points.select_by_threshold(population, 20.0).tolist() == select_by_threshold(population, archive, 20.0)


def test_points_before_they_grew_still_answer_for_themselves(rng):
    archive, population = trails(rng, 420), trails(rng, 30)
    points = NeighbourIndex(archive[:410])
    points.mean_nearest_of_all(population, 4)
    grown = points.extended(archive)
    population[3] = archive[415]
    grown.mean_nearest_of_all(population, 4)
    assert points.mean_nearest_of_all(population, 4).tolist() == mean_nearest(population, archive[:410], 4, True)


def test_a_glance_in_few_directions_misses_nobody(rng):
    archive, newcomers = trails(rng, 500), trails(rng, 5)
    points = NeighbourIndex(archive)
    assert points.mean_nearest(newcomers, 7).tolist() == mean_nearest(newcomers, archive, 7)


def test_numbers_too_large_for_products_are_compared(rng):
    queries = 1e155 * rng.integers(0, 2, (30, 1)) + 1e141 * rng.normal(size=(30, 5))
    points = queries[::-1] + 1e141
    with np.errstate(over="ignore"):
        expected = mean_nearest(queries, points, 2)
    assert NeighbourIndex(points).mean_nearest(queries, 2).tolist() == expected


@pytest.mark.parametrize("dimensions", [3, 20])
def test_first_seeds_are_those_of_the_plain_rule(rng, dimensions):
    behaviours = np.repeat(rng.normal(size=(60, dimensions)), 2, axis=0)
    ours, plain = np.random.default_rng(4), np.random.default_rng(4)
    seeds = [int(plain.integers(120))]
    nearest = squares(behaviours, behaviours[seeds])[:, 0]
    for _ in range(9):
        drawn = plain.choice(120, 4, p=nearest / nearest.sum())
        nearer = np.minimum(nearest, squares(behaviours[drawn], behaviours))
        seeds.append(int(drawn[nearer.sum(axis=1).argmin()]))
        nearest = np.minimum(nearest, squares(behaviours, behaviours[seeds[-1:]])[:, 0])
    assert kmeans_plus_plus(behaviours, 10, ours).tobytes() == behaviours[seeds].tobytes()


SCORED = """
import numpy as np
from divergent.neighbours._kmeans import kmeans, kmeans_plus_plus
from divergent.neighbours.index import NeighbourIndex
rng = np.random.default_rng(0)
behaviours, archive = rng.normal(1e6, 1, (1200, 70)), rng.normal(1e6, 1, (1500, 70))
seeds = kmeans_plus_plus(behaviours, 50, rng)
centroids, labels = kmeans(behaviours, seeds)
scores = NeighbourIndex(archive).mean_nearest_of_all(behaviours, 15)
print([array.tobytes().hex() for array in (seeds, centroids, labels, scores)])
"""


def test_nothing_depends_on_the_number_of_threads():
    answers = []
    for threads in ("1", "2"):
        names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
        environment = os.environ | dict.fromkeys(names, threads)
        command = [sys.executable, "-c", SCORED]
        answers.append(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
    assert len(answers[0]) > 1000
    assert answers[0] == answers[1]


def trails(rng, number):
    """Smooth ways of 50 positions."""
    turns = np.cumsum(rng.normal(0, 0.3, (number, 50, 2)), axis=1)
    return np.cumsum(turns, axis=1).reshape(number, 100)
