"""Searches along a sorted axis, compared with brute force."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from divergent.neighbours._incremental import EMPTY, POINT
from divergent.neighbours._sorted_axis import SortedAxisSearch, _find_nearest, _strips, nearest_rows


def brute(queries, points, count, themselves=False):
    apart = np.linalg.norm(queries[:, None] - points[None], axis=2)
    if themselves:
        apart[np.arange(len(queries)), np.arange(len(queries))] = np.inf
    return np.sort(apart, axis=1)[:, :count].mean(axis=1)


@given(st.integers(1, 3), st.integers(0, 200), st.integers(0, 2**32 - 1))
def test_sorted_axis_mean_nearest_matches_brute_force(columns, several_blocks, seed):
    rng = np.random.default_rng(seed)
    points, queries, others = (rng.integers(0, 99, (size, columns)).astype(float) for size in (20, 7, several_blocks))
    means = SortedAxisSearch(points).mean_nearest(queries, others, 4)
    assert means == pytest.approx(brute(queries, np.vstack([others, points]), 4))


@given(st.lists(st.sampled_from(["some change", "no change", "other count", "other size", "points"]), max_size=8),
       st.integers(1, 3), st.integers(0, 2**32 - 1))  # fmt: skip
def test_sorted_axis_cached_results_equal_a_new_search(events, columns, seed):
    rng = np.random.default_rng(seed)
    points, queries, count = rng.normal(size=(20, columns)), rng.normal(size=(30, columns)), 4
    search, no_others = SortedAxisSearch(points), np.empty((0, columns))
    for event in ["no change", *events, "no change"]:
        if event == "some change":
            queries[rng.integers(30, size=3) % len(queries)] = rng.normal(size=(3, columns))
        elif event == "other count":
            count = 1 + count % 5
        elif event == "other size":
            queries = rng.normal(size=(rng.integers(20, 40), columns))
        elif event == "points":
            points = np.vstack([points, rng.normal(size=(2, columns))])
            search = search.extended(points)
        means = search.mean_nearest(queries, no_others, count)
        assert means.tolist() == SortedAxisSearch(points).mean_nearest(queries, no_others, count).tolist()
        means[:] = 0.0  # must not change the cache
        assert search.mean_nearest(queries, no_others, count).all()


def test_sorted_axis_select_by_threshold_selects_in_order():
    search = SortedAxisSearch(np.array([[0.0, 0.0]]))
    queries = np.array([[5.0, 0.0], [7.0, 0.0], [8.0, 0.0], [14.0, 0.0]])
    assert search.select_by_threshold(queries, 6.0).tolist() == [False, True, False, True]


def random_rows(size, columns, coarse, rng):
    """Return random rows; coarse: many equal rows and equal distances."""
    return rng.integers(0, 4, (size, columns)).astype(float) if coarse else rng.normal(size=(size, columns))


@given(
    st.integers(1, 60),
    st.integers(0, 60),
    st.integers(1, 3),
    st.integers(1, 9),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_find_nearest_in_strips_matches_sorting_all_distances(size, points, columns, width, coarse, seed):
    rng = np.random.default_rng(seed)
    rows, ordered = random_rows(size, columns, coarse, rng), random_rows(points, columns, coarse, rng)
    squares, ids = np.full((size, width + 2), -1.0), np.full((size, width + 2), EMPTY)
    ids[::3] = POINT  # these lists are complete
    _find_nearest(rows, 1, width, ordered, columns - 1, squares, ids)
    for i in range(size):
        if i % 3 == 0:
            assert squares[i].tolist() == [-1.0] * (width + 2)
            continue
        candidates = [*enumerate(rows), *((POINT, point) for point in ordered)]
        apart = sorted(sum((row - rows[i]) ** 2) for number, row in candidates if number != i)
        expected = (apart + [np.inf] * width)[:width]
        assert squares[i].tolist() == expected + expected[-1:] * 2
        for square, neighbour in zip(squares[i], ids[i], strict=True):
            if neighbour >= 0:
                assert neighbour != i
                assert square == sum((rows[neighbour] - rows[i]) ** 2)
            elif neighbour == POINT:
                assert square in [sum((point - rows[i]) ** 2) for point in ordered]
        assert (ids[i] == EMPTY).tolist() == [square == np.inf for square in expected] + [True, True]
        members = [neighbour for neighbour in ids[i] if neighbour >= 0]
        assert len(set(members)) == len(members)


@given(st.integers(1, 60), st.integers(0, 60), st.integers(1, 3), st.integers(1, 9), st.integers(0, 2**32 - 1))
def test_strips_are_divided_along_one_column_and_sorted_across(size, points, columns, width, seed):
    rng = np.random.default_rng(seed)
    rows, ordered = random_rows(size, columns, True, rng), random_rows(points, columns, True, rng)
    combined, ids, each, low, high = _strips(rows, ordered, width, 0, columns - 1)
    assert sorted(combined.tolist()) == sorted([*rows.tolist(), *ordered.tolist()])
    assert sorted(ids) == [POINT] * points + list(range(size))
    assert all((combined[position] == rows[i]).all() for position, i in enumerate(ids) if i != POINT)
    for strip, begin in enumerate(range(0, size + points, each)):
        strip_rows = combined[begin : begin + each]
        assert (np.diff(strip_rows[:, columns - 1]) >= 0).all()
        assert (strip_rows[:, 0].min(), strip_rows[:, 0].max()) == (low[strip], high[strip])
    assert (high[:-1] <= low[1:]).all()


def test_find_nearest_with_nan_rows_finds_the_others():
    rows = np.array([[0.0, 0.0], [np.nan, 1.0], [3.0, 4.0], [2.0, np.nan], [np.inf, 0.0], [0.0, 1.0]])
    squares, ids = np.empty((6, 2)), np.full((6, 2), EMPTY)
    _find_nearest(rows, 1, 2, np.array([[6.0, 8.0], [6.0, 9.0]]), 0, squares, ids)
    assert squares[[0, 2, 5]].tolist() == [[1.0, 25.0], [18.0, 25.0], [1.0, 18.0]]
    assert squares[[1, 3, 4]].tolist() == [[np.inf, np.inf]] * 3


GRID = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3))  # coarse: many equal distances


def reference_nearest_rows(queries, points, count, exclude_self):
    """Reference implementation: compare with every point."""
    nearest = []
    for i, query in enumerate(queries):
        order = sorted(range(len(points)), key=lambda number: (math.dist(query, points[number]), number))
        nearest.append(sorted([number for number in order if not (exclude_self and number == i)][:count]))
    return nearest


def test_nearest_rows_on_a_line_are_exact():
    points = np.array([[0.0], [1.0], [3.0], [6.0], [10.0]])
    assert nearest_rows(points, points, 2, True).tolist() == [[1, 2], [0, 2], [0, 1], [2, 4], [2, 3]]
    # 2 is as far from 1 as from 3, and 0 is the next
    assert nearest_rows(np.array([[2.0]]), points, 3, False).tolist() == [[0, 1, 2]]


def test_nearest_rows_of_equal_distances_are_the_first():
    points = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    assert nearest_rows(np.zeros((1, 2)), points, 2, False).tolist() == [[0, 1]]
    assert nearest_rows(np.zeros((1, 2)), points[::-1].copy(), 3, False).tolist() == [[0, 1, 2]]


@given(
    st.integers(1, 3),
    st.lists(GRID, min_size=1, max_size=8),
    st.lists(GRID, min_size=1, max_size=8),
    st.integers(1, 9),
    st.booleans(),
)
def test_nearest_rows_match_reference_implementation(width, queries, others, count, exclude_self):
    queries = np.array(queries, dtype=float)[:, :width]
    points = np.vstack([queries, np.array(others, dtype=float)[:, :width]])
    count = min(count, len(points) - exclude_self)
    assert nearest_rows(queries, points, count, exclude_self).tolist() == reference_nearest_rows(
        queries, points, count, exclude_self
    )


@pytest.mark.parametrize("width", [1, 2, 9, 40])
def test_nearest_rows_in_any_dimension_match_reference_implementation(width, rng):
    queries = rng.normal(0, 50, (20, width))
    points = np.vstack([queries, rng.normal(0, 50, (60, width))])
    for exclude_self in (True, False):
        assert nearest_rows(queries, points, 5, exclude_self).tolist() == reference_nearest_rows(
            queries, points, 5, exclude_self
        )


def test_nearest_rows_at_infinite_distance_are_missing():
    points = np.array([[0.0, 0.0], [1e200, 0.0], [1.0, 0.0]])
    assert nearest_rows(np.zeros((1, 2)), points, 3, False).tolist() == [[0, 2, 3]]
