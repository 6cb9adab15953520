import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from divergent.neighbours import index as neighbours
from divergent.neighbours.index import NeighbourIndex


def mean_nearest(queries, points, among, count):
    """The plain twin of the compiled search."""
    scores = []
    for i, query in enumerate(queries):
        others = [other for j, other in enumerate(among) if not (among is queries and i == j)]
        distances = sorted(math.dist(query, point) for point in [*points, *others])[:count]
        scores.append(sum(distances) / len(distances) if distances else 0.0)
    return scores


def select_by_threshold(queries, points, threshold):
    kept = []
    for query in queries:
        near = any(math.dist(query, point) <= threshold for point in points)
        near = near or any(math.dist(query, queries[j]) <= threshold for j, keep in enumerate(kept) if keep)
        kept.append(not near)
    return kept


@pytest.mark.parametrize("dimensions", [1, 2, 3, 17, 40])
@pytest.mark.parametrize("archived", [0, 1, 60])
@pytest.mark.parametrize("count", [1, 4, 15])
def test_the_compiled_search_finds_what_comparing_with_everyone_finds(rng, dimensions, archived, count):
    points = rng.normal(0, 5, (archived, dimensions))
    queries = rng.normal(0, 5, (20, dimensions))
    queries[3] = queries[7]
    others = rng.normal(0, 50, (11, dimensions))
    prepared = NeighbourIndex(points)
    expected = mean_nearest(queries, points, others, count)
    assert prepared.mean_nearest(queries, count, others) == pytest.approx(expected, rel=1e-12, abs=1e-12)
    expected = mean_nearest(queries, points, queries, count)
    assert prepared.mean_nearest_of_all(queries, count) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("distance", ["cityblock", math.dist])
def test_any_other_distance_can_be_given(rng, distance):
    points, queries = rng.normal(0, 5, (8, 3)), rng.normal(0, 5, (6, 3))
    scores = NeighbourIndex(points, distance).mean_nearest_of_all(queries, 4)
    if distance is math.dist:
        assert scores == pytest.approx(mean_nearest(queries, points, queries, 4), rel=1e-12)
    else:
        assert (scores > NeighbourIndex(points).mean_nearest_of_all(queries, 4)).all()


def test_one_neighbour_by_another_distance_worked_out_by_hand():
    points = NeighbourIndex(np.array([[0.0, 0.0], [10.0, 10.0]]), "cityblock")
    assert points.mean_nearest(np.array([[1.0, 2.0], [9.0, 9.0]]), 1).tolist() == [3.0, 2.0]


def test_one_query_gets_what_it_gets_among_many(rng):
    points, queries = rng.normal(0, 5, (50, 2)), rng.normal(0, 5, (30, 2))
    prepared = NeighbourIndex(points)
    together = prepared.mean_nearest_of_all(queries, 5)
    for i in range(30):
        assert prepared.mean_nearest(queries[i : i + 1], 5, np.delete(queries, i, axis=0))[0] == together[i]


@pytest.mark.parametrize("distance", ["euclidean", math.dist])
@pytest.mark.parametrize("dimensions", [1, 2, 20])
def test_who_is_beyond_a_threshold_depends_on_who_was_kept_before(rng, dimensions, distance):
    points, queries = rng.uniform(0, 9, (15, dimensions)), rng.uniform(0, 9, (40, dimensions))
    threshold = 1.0 if dimensions < 3 else 9.0
    assert NeighbourIndex(points, distance).select_by_threshold(queries, threshold).tolist() == select_by_threshold(
        queries, points, threshold
    )


def test_a_distance_of_exactly_the_threshold_is_not_beyond_it():
    assert NeighbourIndex(np.array([[0.0, 0.0]])).select_by_threshold(
        np.array([[3.6, 4.8], [3.6, 4.801]]), 6.0
    ).tolist() == [
        False,
        True,
    ]


@pytest.mark.parametrize("threshold", [0.0, 1e-200])
@pytest.mark.parametrize("dimensions", [1, 2, 3, 40])
def test_beyond_no_distance_at_all_is_everyone_but_equals(dimensions, threshold):
    places = np.array([[0.0], [1.0], [3.0], [1.0], [2.0], [2.0]]) * np.ones(dimensions)
    points = NeighbourIndex(places[:1])
    assert points.select_by_threshold(places, threshold).tolist() == [False, True, True, False, True, False]


def test_nobody_is_beyond_the_first_of_equals():
    assert NeighbourIndex(np.empty((0, 0))).select_by_threshold(np.ones((3, 2)), 0.25).tolist() == [True, False, False]


def test_points_that_grow_answer_like_points_made_anew(rng):
    points = rng.normal(0, 5, (100, 2))
    grown = NeighbourIndex(points[:40])
    for size in (55, 56, 70, 100):
        grown = grown.extended(points[:size])
    queries = rng.normal(0, 5, (10, 2))
    assert grown.mean_nearest(queries, 7).tolist() == NeighbourIndex(points).mean_nearest(queries, 7).tolist()


def test_without_anyone_else_the_mean_is_nothing():
    assert NeighbourIndex(np.empty((0, 0))).mean_nearest(np.ones((1, 2)), 3).tolist() == [0.0]


def test_everyone_at_one_place_is_at_no_distance():
    here = np.full((20, 2), 7.0)
    assert NeighbourIndex(here).mean_nearest_of_all(here, 15).tolist() == [0.0] * 20


@pytest.mark.parametrize(
    ("queries", "message"),
    [
        ([[np.nan, 0.0]], r"behaviours must be finite, behaviour 0 is \[nan, 0.0\]"),
        ([[0.0, 0.0], [0.0, np.inf]], r"behaviours must be finite, behaviour 1 is \[0.0, inf\]"),
        ([[1e200, 0.0]], "distances between behaviours must be finite; there are behaviours as large as 1e"),
        ([[1.0, 2.0, 3.0]], "behaviours must have one length: 2 numbers so far, got 3"),
        ([[]], "individuals have no behaviour"),
    ],
)
def test_bad_behaviours_are_named(queries, message):
    with pytest.raises(ValueError, match=message):
        NeighbourIndex(np.zeros((1, 2))).mean_nearest(np.array(queries), 1)


@pytest.mark.parametrize("width", [2, 9])
@pytest.mark.parametrize("shape", [(5, 0), (3, 0), (5, 1)], ids=["fewer rows", "fewer yet", "another width"])
def test_points_are_extended_only_by_rows_behind_them(width, shape):
    points = NeighbourIndex(np.ones((6, width)))
    rows = np.ones((shape[0] + shape[1] * 2, width + shape[1]))
    with pytest.raises(ValueError, match=f"behind the 6 of {width} numbers there are; got shape"):
        points.extended(rows)


@pytest.mark.parametrize("count", [0, -1, 1.5, "x", None, 2**63, True])
def test_the_number_of_neighbours_is_a_whole_number(count):
    with pytest.raises(ValueError, match="count must be an integer, at"):
        NeighbourIndex(np.ones((6, 2))).mean_nearest(np.ones((1, 2)), count)


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_points_are_finite(number):
    with pytest.raises(ValueError, match="behaviours must be finite, point 1 is"):
        NeighbourIndex(np.array([[0.0, 0.0], [number, 0.0]]))


GRID = st.tuples(st.integers(0, 3), st.integers(0, 3))  # small, so that many distances are the same


@given(
    st.lists(GRID, min_size=1, max_size=8), st.lists(GRID, max_size=6), st.lists(GRID, max_size=6), st.integers(1, 9)
)
def test_the_nearest_are_those_that_sorting_everyone_finds_the_first_of_equals(queries, points, others, count):
    def sorted_out(query, everyone, not_at=None):
        order = sorted((math.dist(query, one), at) for at, one in enumerate(everyone) if at != not_at)
        return sorted(at for _, at in order[:count])

    def rows(places):
        return np.array(places, dtype=float).reshape(-1, 2)

    prepared = NeighbourIndex(rows(points))
    found = prepared.nearest(rows(queries), count, rows(others)).tolist()
    assert found == [sorted_out(query, [*others, *points]) for query in queries]
    found = prepared.nearest_of_all(rows(queries), count).tolist()
    assert found == [sorted_out(query, [*queries, *points], not_at=at) for at, query in enumerate(queries)]


def test_the_nearest_are_the_same_whatever_the_blocks(rng, monkeypatch):
    points, queries = rng.normal(0, 5, (30, 3)), rng.normal(0, 5, (20, 3))
    whole = NeighbourIndex(points, "cityblock").nearest_of_all(queries, 4)
    monkeypatch.setattr(neighbours, "TABLE", 120)
    assert NeighbourIndex(points, "cityblock").nearest_of_all(queries, 4).tolist() == whole.tolist()


def test_the_nearest_cannot_be_found_by_what_is_no_distance():
    with pytest.raises(ValueError, match="distances between behaviours must be finite"):
        NeighbourIndex(np.zeros((1, 2))).nearest(np.array([[1e200, 0.0]]), 1)
    with pytest.raises(ValueError, match="count must be"):
        NeighbourIndex(np.zeros((1, 2))).nearest(np.zeros((1, 2)), 0)
