"""Squared distances and the choice of the smallest, against plain Python."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from divergent.neighbours._squared_distance import (
    insert,
    keep_beyond,
    mean_root,
    mean_roots,
    squared_in_parts,
    squared_in_plane,
)

NUMBERS = st.floats(-1e6, 1e6)


@given(st.lists(NUMBERS, min_size=4, max_size=4))
def test_the_distance_in_the_plane(numbers):
    a, b = np.array(numbers).reshape(2, 1, 2)
    x, y = (a[0] - b[0]).tolist()
    assert squared_in_plane(a, 0, b, 0) == x * x + y * y


@given(st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_the_distance_of_many_numbers_is_the_same_either_way(columns, seed):
    a, b = np.random.default_rng(seed).normal(size=(2, 1, columns))
    squared = squared_in_parts(a, 0, b, 0, np.inf)
    assert squared == pytest.approx(math.fsum((x - y) ** 2 for x, y in zip(a[0], b[0], strict=True)))
    assert squared == squared_in_parts(b, 0, a, 0, np.inf)


def test_rows_that_do_not_lie_together_have_the_same_distances():
    a, b = np.random.default_rng(1).normal(size=(2, 3, 101))
    strided = np.zeros((3, 303))[:, ::3]
    strided[:] = a
    for one, other in ((strided, b), (np.asfortranarray(a), b), (a, b[:, ::-1][:, ::-1])):
        assert squared_in_parts(one, 1, other, 2, np.inf) == squared_in_parts(a, 1, b, 2, np.inf)


def in_eights(x, y):
    """Eight sums side by side, the last columns first, and then those that are left."""
    squares = [(one - other) * (one - other) for one, other in zip(x, y, strict=True)]
    sums, rest = [0.0] * 8, len(x) % 8
    for c in range(len(x) - 8, rest - 1, -8):
        sums = [total + square for total, square in zip(sums, squares[c : c + 8], strict=True)]
    s0, s1, s2, s3, s4, s5, s6, s7 = sums
    total = ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))
    for square in squares[:rest]:
        total += square
    return total


@given(st.integers(1, 140), st.integers(0, 2**32 - 1))
def test_the_sums_are_added_in_one_order(columns, seed):
    a, b = np.random.default_rng(seed).normal(size=(2, 1, columns))
    assert squared_in_parts(a, 0, b, 0, np.inf) == in_eights(a[0].tolist(), b[0].tolist())


def test_beyond_what_is_enough_the_distance_need_not_be_finished():
    a, b = np.zeros((1, 400)), np.ones((1, 400))
    assert squared_in_parts(a, 0, b, 0, 10.0) > 10.0


@given(st.lists(st.floats(0, 100), min_size=3, max_size=30))
def test_the_smallest_are_kept_in_order(values):
    best = np.full(3, np.inf)
    for value in values:
        if value < best[-1]:
            assert insert(best, value) == best[-1]
    assert best.tolist() == sorted(values)[:3]


def test_the_mean_of_roots():
    assert mean_root(np.array([4.0, 9.0, 25.0])) == pytest.approx(10 / 3)
    assert mean_roots(np.array([[4.0, 16.0, 99.0], [0.0, 1.0, 99.0]]), 2).tolist() == [3.0, 0.5]


@given(st.integers(1, 40), st.sampled_from([1, 2, 3, 40]), st.floats(0.5, 9), st.integers(0, 2**32 - 1))
def test_who_is_kept_is_beyond_the_nearest_point_and_everyone_kept_before(size, columns, threshold, seed):
    rng = np.random.default_rng(seed)
    rows, nearest = rng.integers(0, 9, (size, columns)).astype(float), rng.integers(0, 99, size).astype(float)
    kept = []
    for row, square in zip(rows, nearest, strict=True):
        if min([math.sqrt(square), *(math.dist(row, one) for one in kept)]) > threshold:
            kept.append(row)
    assert rows[keep_beyond(rows, nearest, threshold)].tolist() == [row.tolist() for row in kept]
