"""Points of few numbers, against comparing with everyone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from divergent.neighbours._incremental import NOBODY, POINT
from divergent.neighbours._sorted_axis import Sweep, _find_nearest, _strips


def brute(queries, points, count, themselves=False):
    apart = np.linalg.norm(queries[:, None] - points[None], axis=2)
    if themselves:
        apart[np.arange(len(queries)), np.arange(len(queries))] = np.inf
    return np.sort(apart, axis=1)[:, :count].mean(axis=1)


@given(st.integers(1, 3), st.integers(0, 200), st.integers(0, 2**32 - 1))
def test_it_finds_whom_comparing_with_everyone_finds(columns, several_blocks, seed):
    rng = np.random.default_rng(seed)
    points, queries, others = (rng.integers(0, 99, (size, columns)).astype(float) for size in (20, 7, several_blocks))
    found = Sweep(points).mean_nearest(queries, others, 4)
    assert found == pytest.approx(brute(queries, np.vstack([others, points]), 4))


@given(st.lists(st.sampled_from(["some change", "nobody", "other count", "other size", "points"]), max_size=8),
       st.integers(1, 3), st.integers(0, 2**32 - 1))  # fmt: skip
def test_asking_again_finds_what_asking_anew_does(events, columns, seed):
    rng = np.random.default_rng(seed)
    points, queries, count = rng.normal(size=(20, columns)), rng.normal(size=(30, columns)), 4
    sweep, nobody = Sweep(points), np.empty((0, columns))
    for event in ["nobody", *events, "nobody"]:
        if event == "some change":
            queries[rng.integers(30, size=3) % len(queries)] = rng.normal(size=(3, columns))
        elif event == "other count":
            count = 1 + count % 5
        elif event == "other size":
            queries = rng.normal(size=(rng.integers(20, 40), columns))
        elif event == "points":
            points = np.vstack([points, rng.normal(size=(2, columns))])
            sweep = sweep.extended(points)
        found = sweep.mean_nearest(queries, nobody, count)
        assert found.tolist() == Sweep(points).mean_nearest(queries, nobody, count).tolist()
        found[:] = 0.0  # which is the caller's own
        assert sweep.mean_nearest(queries, nobody, count).all()


def test_those_beyond_the_threshold_are_taken_in_order():
    sweep = Sweep(np.array([[0.0, 0.0]]))
    queries = np.array([[5.0, 0.0], [7.0, 0.0], [8.0, 0.0], [14.0, 0.0]])
    assert sweep.select_by_threshold(queries, 6.0).tolist() == [False, True, False, True]


def somewhere(size, columns, coarse, rng):
    """Rows at random; coarse: many at one place, and many at the same distance."""
    return rng.integers(0, 4, (size, columns)).astype(float) if coarse else rng.normal(size=(size, columns))


@given(
    st.integers(1, 60),
    st.integers(0, 60),
    st.integers(1, 3),
    st.integers(1, 9),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_lists_found_in_strips_are_those_of_sorting_all_distances(size, points, columns, width, coarse, seed):
    rng = np.random.default_rng(seed)
    rows, ordered = somewhere(size, columns, coarse, rng), somewhere(points, columns, coarse, rng)
    squares, who = np.full((size, width + 2), -1.0), np.full((size, width + 2), NOBODY)
    who[::3] = POINT  # these lists are known
    _find_nearest(rows, 1, width, ordered, columns - 1, squares, who)
    for i in range(size):
        if i % 3 == 0:
            assert squares[i].tolist() == [-1.0] * (width + 2)
            continue
        everyone = [*enumerate(rows), *((POINT, point) for point in ordered)]
        apart = sorted(sum((row - rows[i]) ** 2) for number, row in everyone if number != i)
        expected = (apart + [np.inf] * width)[:width]
        assert squares[i].tolist() == expected + expected[-1:] * 2
        for square, one in zip(squares[i], who[i], strict=True):
            if one >= 0:
                assert one != i
                assert square == sum((rows[one] - rows[i]) ** 2)
            elif one == POINT:
                assert square in [sum((point - rows[i]) ** 2) for point in ordered]
        assert (who[i] == NOBODY).tolist() == [square == np.inf for square in expected] + [True, True]
        members = [one for one in who[i] if one >= 0]
        assert len(set(members)) == len(members)


@given(st.integers(1, 60), st.integers(0, 60), st.integers(1, 3), st.integers(1, 9), st.integers(0, 2**32 - 1))
def test_strips_are_cut_along_one_column_and_in_order_across(size, points, columns, width, seed):
    rng = np.random.default_rng(seed)
    rows, ordered = somewhere(size, columns, True, rng), somewhere(points, columns, True, rng)
    everyone, numbers, each, low, high = _strips(rows, ordered, width, 0, columns - 1)
    assert sorted(everyone.tolist()) == sorted([*rows.tolist(), *ordered.tolist()])
    assert sorted(numbers) == [POINT] * points + list(range(size))
    assert all((everyone[at] == rows[i]).all() for at, i in enumerate(numbers) if i != POINT)
    for strip, begin in enumerate(range(0, size + points, each)):
        some = everyone[begin : begin + each]
        assert (np.diff(some[:, columns - 1]) >= 0).all()
        assert (some[:, 0].min(), some[:, 0].max()) == (low[strip], high[strip])
    assert (high[:-1] <= low[1:]).all()


def test_rows_that_are_no_numbers_do_not_hide_others():
    rows = np.array([[0.0, 0.0], [np.nan, 1.0], [3.0, 4.0], [2.0, np.nan], [np.inf, 0.0], [0.0, 1.0]])
    squares, who = np.empty((6, 2)), np.full((6, 2), NOBODY)
    _find_nearest(rows, 1, 2, np.array([[6.0, 8.0], [6.0, 9.0]]), 0, squares, who)
    assert squares[[0, 2, 5]].tolist() == [[1.0, 25.0], [18.0, 25.0], [1.0, 18.0]]
    assert squares[[1, 3, 4]].tolist() == [[np.inf, np.inf]] * 3
