"""Kernels, compared with plain Python."""

import bisect
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from divergent.neighbours._kernels import (
    bucket_argsort,
    bucket_index,
    insert,
    lower_bound,
    make_buckets,
    mean_root,
    mean_roots,
    select_in_order,
    squared_in_parts,
    squared_in_plane,
)

NUMBERS = st.floats(-1e6, 1e6)


@given(st.lists(NUMBERS, min_size=4, max_size=4))
def test_squared_in_plane_matches_python(numbers):
    a, b = np.array(numbers).reshape(2, 1, 2)
    x, y = (a[0] - b[0]).tolist()
    assert squared_in_plane(a, 0, b, 0) == x * x + y * y


@given(st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_squared_in_parts_is_symmetric(columns, seed):
    a, b = np.random.default_rng(seed).normal(size=(2, 1, columns))
    squared = squared_in_parts(a, 0, b, 0, np.inf)
    assert squared == pytest.approx(math.fsum((x - y) ** 2 for x, y in zip(a[0], b[0], strict=True)))
    assert squared == squared_in_parts(b, 0, a, 0, np.inf)


def test_squared_in_parts_of_strided_rows_is_the_same():
    a, b = np.random.default_rng(1).normal(size=(2, 3, 101))
    strided = np.zeros((3, 303))[:, ::3]
    strided[:] = a
    for first, second in ((strided, b), (np.asfortranarray(a), b), (a, b[:, ::-1][:, ::-1])):
        assert squared_in_parts(first, 1, second, 2, np.inf) == squared_in_parts(a, 1, b, 2, np.inf)


def in_eights(x, y):
    """Add in eight partial sums, the last columns first, then the remaining columns."""
    squares = [(first - second) * (first - second) for first, second in zip(x, y, strict=True)]
    sums, rest = [0.0] * 8, len(x) % 8
    for c in range(len(x) - 8, rest - 1, -8):
        sums = [total + square for total, square in zip(sums, squares[c : c + 8], strict=True)]
    s0, s1, s2, s3, s4, s5, s6, s7 = sums
    total = ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))
    for square in squares[:rest]:
        total += square
    return total


@given(st.integers(1, 140), st.integers(0, 2**32 - 1))
def test_squared_in_parts_adds_in_one_order(columns, seed):
    a, b = np.random.default_rng(seed).normal(size=(2, 1, columns))
    assert squared_in_parts(a, 0, b, 0, np.inf) == in_eights(a[0].tolist(), b[0].tolist())


def test_squared_in_parts_above_the_limit_stops():
    a, b = np.zeros((1, 400)), np.ones((1, 400))
    assert squared_in_parts(a, 0, b, 0, 10.0) > 10.0


@given(st.lists(st.floats(0, 100), min_size=3, max_size=30))
def test_insert_keeps_the_smallest_sorted(values):
    best = np.full(3, np.inf)
    for value in values:
        if value < best[-1]:
            assert insert(best, value) == best[-1]
    assert best.tolist() == sorted(values)[:3]


def test_mean_roots_are_exact():
    assert mean_root(np.array([4.0, 9.0, 25.0])) == pytest.approx(10 / 3)
    assert mean_roots(np.array([[4.0, 16.0, 99.0], [0.0, 1.0, 99.0]]), 2).tolist() == [3.0, 0.5]


@given(st.integers(1, 40), st.sampled_from([1, 2, 3, 40]), st.floats(0.5, 9), st.integers(0, 2**32 - 1))
def test_select_in_order_matches_python(size, columns, threshold, seed):
    rng = np.random.default_rng(seed)
    rows, nearest = rng.integers(0, 9, (size, columns)).astype(float), rng.integers(0, 99, size).astype(float)
    selected = []
    for row, square in zip(rows, nearest, strict=True):
        if min([math.sqrt(square), *(math.dist(row, other) for other in selected)]) > threshold:
            selected.append(row)
    assert rows[select_in_order(rows, nearest, threshold)].tolist() == [row.tolist() for row in selected]


EVEN = st.lists(st.floats(-1e6, 1e6), max_size=60)
CROWDED = st.lists(st.sampled_from([0.0, 1.0, 1.0 + 2**-52, 1e9, 1e9 + 1e-6, 5e-324]), max_size=60)
EXTREME = st.lists(st.floats(), max_size=60)  # including infinities and nan


def test_bucket_argsort_of_four_numbers_is_exact():
    assert bucket_argsort(np.array([3.0, -1.0, 2.0, 10.0])).tolist() == [1, 2, 0, 3]
    assert bucket_argsort(np.array([])).tolist() == []


@given(EVEN | CROWDED | EXTREME, st.integers(1, 30))
def test_bucket_argsort_matches_sorting(numbers, times):
    values = np.array(numbers * times)
    order = bucket_argsort(values)
    assert sorted(order.tolist()) == list(range(len(values)))
    assert np.array_equal(values[order], np.sort(values), equal_nan=True)


@given(EVEN | CROWDED, st.floats(-2e9, 2e9) | st.sampled_from([math.inf, -math.inf]))
def test_lower_bound_within_a_bucket_matches_bisect(numbers, number):
    values = sorted(numbers)
    if not values:
        return
    buckets = make_buckets(np.array(values))
    bucket = bucket_index(number, buckets.low, buckets.scale, len(values))
    first, end = buckets.begins[bucket], buckets.begins[bucket + 1]
    assert lower_bound(np.array(values)[:, None], 0, number, first, end) == bisect.bisect_left(values, number)


def test_bucket_index_of_nan_is_the_last():
    assert bucket_index(math.nan, 0.0, 1.0, 7) == 6
