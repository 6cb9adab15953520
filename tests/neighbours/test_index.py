import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from divergent.neighbours import _index as index_module
from divergent.neighbours._index import NeighbourIndex


def mean_nearest(queries, points, among, count):
    """Reference implementation of the compiled search."""
    scores = []
    for i, query in enumerate(queries):
        others = [other for j, other in enumerate(among) if not (among is queries and i == j)]
        distances = sorted(math.dist(query, point) for point in [*points, *others])[:count]
        scores.append(sum(distances) / len(distances) if distances else 0.0)
    return scores


def select_by_threshold(queries, points, threshold):
    selected = []
    for query in queries:
        near = any(math.dist(query, point) <= threshold for point in points)
        near = near or any(
            math.dist(query, queries[j]) <= threshold for j, is_selected in enumerate(selected) if is_selected
        )
        selected.append(not near)
    return selected


@pytest.mark.parametrize("dimensions", [1, 2, 3, 17, 40])
@pytest.mark.parametrize("archived", [0, 1, 60])
@pytest.mark.parametrize("count", [1, 4, 15])
def test_mean_nearest_matches_reference_implementation(rng, dimensions, archived, count):
    points = rng.normal(0, 5, (archived, dimensions))
    queries = rng.normal(0, 5, (20, dimensions))
    queries[3] = queries[7]
    others = rng.normal(0, 50, (11, dimensions))
    index = NeighbourIndex(points)
    expected = mean_nearest(queries, points, others, count)
    assert index.mean_nearest(queries, count, others) == pytest.approx(expected, rel=1e-12, abs=1e-12)
    expected = mean_nearest(queries, points, queries, count)
    assert index.mean_nearest_of_all(queries, count) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("distance", ["cityblock", math.dist])
def test_mean_nearest_of_all_accepts_other_distances(rng, distance):
    points, queries = rng.normal(0, 5, (8, 3)), rng.normal(0, 5, (6, 3))
    scores = NeighbourIndex(points, distance).mean_nearest_of_all(queries, 4)
    if distance is math.dist:
        assert scores == pytest.approx(mean_nearest(queries, points, queries, 4), rel=1e-12)
    else:
        assert (scores > NeighbourIndex(points).mean_nearest_of_all(queries, 4)).all()


def test_mean_nearest_of_city_block_distance_is_exact():
    points = NeighbourIndex(np.array([[0.0, 0.0], [10.0, 10.0]]), "cityblock")
    assert points.mean_nearest(np.array([[1.0, 2.0], [9.0, 9.0]]), 1).tolist() == [3.0, 2.0]


def test_mean_nearest_of_one_query_equals_that_of_many(rng):
    points, queries = rng.normal(0, 5, (50, 2)), rng.normal(0, 5, (30, 2))
    index = NeighbourIndex(points)
    together = index.mean_nearest_of_all(queries, 5)
    for i in range(30):
        assert index.mean_nearest(queries[i : i + 1], 5, np.delete(queries, i, axis=0))[0] == together[i]


@pytest.mark.parametrize("distance", ["euclidean", math.dist])
@pytest.mark.parametrize("dimensions", [1, 2, 20])
def test_select_by_threshold_matches_reference_implementation(rng, dimensions, distance):
    points, queries = rng.uniform(0, 9, (15, dimensions)), rng.uniform(0, 9, (40, dimensions))
    threshold = 1.0 if dimensions < 3 else 9.0
    assert NeighbourIndex(points, distance).select_by_threshold(queries, threshold).tolist() == select_by_threshold(
        queries, points, threshold
    )


def test_select_by_threshold_excludes_the_exact_threshold():
    assert NeighbourIndex(np.array([[0.0, 0.0]])).select_by_threshold(
        np.array([[3.6, 4.8], [3.6, 4.801]]), 6.0
    ).tolist() == [
        False,
        True,
    ]


@pytest.mark.parametrize("threshold", [0.0, 1e-200])
@pytest.mark.parametrize("dimensions", [1, 2, 3, 40])
def test_select_by_threshold_of_zero_excludes_duplicates(dimensions, threshold):
    rows = np.array([[0.0], [1.0], [3.0], [1.0], [2.0], [2.0]]) * np.ones(dimensions)
    index = NeighbourIndex(rows[:1])
    assert index.select_by_threshold(rows, threshold).tolist() == [False, True, True, False, True, False]


def test_select_by_threshold_of_equal_queries_selects_the_first():
    assert NeighbourIndex(np.empty((0, 0))).select_by_threshold(np.ones((3, 2)), 0.25).tolist() == [True, False, False]


def test_extended_index_equals_a_new_index(rng):
    points = rng.normal(0, 5, (100, 2))
    grown = NeighbourIndex(points[:40])
    for size in (55, 56, 70, 100):
        grown = grown.extended(points[:size])
    queries = rng.normal(0, 5, (10, 2))
    assert grown.mean_nearest(queries, 7).tolist() == NeighbourIndex(points).mean_nearest(queries, 7).tolist()


def test_mean_nearest_without_points_is_zero():
    assert NeighbourIndex(np.empty((0, 0))).mean_nearest(np.ones((1, 2)), 3).tolist() == [0.0]


def test_mean_nearest_of_all_of_equal_behaviours_is_zero():
    here = np.full((20, 2), 7.0)
    assert NeighbourIndex(here).mean_nearest_of_all(here, 15).tolist() == [0.0] * 20


@pytest.mark.parametrize(
    ("queries", "message"),
    [
        ([[np.nan, 0.0]], r"behaviours must be finite, behaviour 0 is \[nan, 0.0\]"),
        ([[0.0, 0.0], [0.0, np.inf]], r"behaviours must be finite, behaviour 1 is \[0.0, inf\]"),
        ([[1e200, 0.0]], "distances between behaviours must be finite, got behaviours as large as 1e"),
        ([[1.0, 2.0, 3.0]], "behaviours must all have the same number of dimensions, 2, got 3"),
        ([[]], "individuals must have a behaviour in this search, got none"),
    ],
)
def test_mean_nearest_of_invalid_behaviours_raises(queries, message):
    with pytest.raises(ValueError, match=message):
        NeighbourIndex(np.zeros((1, 2))).mean_nearest(np.array(queries), 1)


@pytest.mark.parametrize("width", [2, 9])
@pytest.mark.parametrize("shape", [(5, 0), (3, 0), (5, 1)], ids=["fewer rows", "fewer yet", "another width"])
def test_extended_with_other_points_raises(width, shape):
    points = NeighbourIndex(np.ones((6, width)))
    rows = np.ones((shape[0] + shape[1] * 2, width + shape[1]))
    with pytest.raises(
        ValueError,
        match=rf"points must begin with all points of the index \(6 points with {width} dimensions\), "
        "got an array of shape",
    ):
        points.extended(rows)


@pytest.mark.parametrize("count", [0, -1, 1.5, "x", None, 2**63, True])
def test_mean_nearest_with_invalid_count_raises(count):
    with pytest.raises(ValueError, match=r"count must be an integer, at"):
        NeighbourIndex(np.ones((6, 2))).mean_nearest(np.ones((1, 2)), count)


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_index_with_non_finite_points_raises(number):
    with pytest.raises(ValueError, match=r"behaviours must be finite, got the vector .* for point 1"):
        NeighbourIndex(np.array([[0.0, 0.0], [number, 0.0]]))


GRID = st.tuples(st.integers(0, 3), st.integers(0, 3))  # small, so that many distances are the same


@given(
    st.lists(GRID, min_size=1, max_size=8), st.lists(GRID, max_size=6), st.lists(GRID, max_size=6), st.integers(1, 9)
)
def test_nearest_matches_sorting_all_distances(queries, points, others, count):
    def expected(query, candidates, own=None):
        order = sorted((math.dist(query, point), i) for i, point in enumerate(candidates) if i != own)
        return sorted(i for _, i in order[:count])

    def rows(points):
        return np.array(points, dtype=float).reshape(-1, 2)

    index = NeighbourIndex(rows(points))
    nearest = index.nearest(rows(queries), count, rows(others)).tolist()
    assert nearest == [expected(query, [*others, *points]) for query in queries]
    nearest = index.nearest_of_all(rows(queries), count).tolist()
    assert nearest == [expected(query, [*queries, *points], own=i) for i, query in enumerate(queries)]


def test_nearest_does_not_depend_on_blocks(rng, monkeypatch):
    points, queries = rng.normal(0, 5, (30, 3)), rng.normal(0, 5, (20, 3))
    whole = NeighbourIndex(points, "cityblock").nearest_of_all(queries, 4)
    monkeypatch.setattr(index_module, "BLOCK_DISTANCES", 120)
    assert NeighbourIndex(points, "cityblock").nearest_of_all(queries, 4).tolist() == whole.tolist()


def test_nearest_with_infinite_distance_or_invalid_count_raises():
    with pytest.raises(ValueError, match="distances between behaviours must be finite"):
        NeighbourIndex(np.zeros((1, 2))).nearest(np.array([[1e200, 0.0]]), 1)
    with pytest.raises(ValueError, match="count must be"):
        NeighbourIndex(np.zeros((1, 2))).nearest(np.zeros((1, 2)), 0)
