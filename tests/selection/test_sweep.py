"""Points of few numbers, against comparing with everyone."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from divergent.selection.sweep import Sweep


def brute(queries, points, count, themselves=False):
    apart = np.linalg.norm(queries[:, None] - points[None], axis=2)
    if themselves:
        apart[np.arange(len(queries)), np.arange(len(queries))] = np.inf
    return np.sort(apart, axis=1)[:, :count].mean(axis=1)


@settings(deadline=None)  # the first call compiles
@given(st.integers(1, 3), st.integers(0, 2**32 - 1))
def test_it_finds_whom_comparing_with_everyone_finds(columns, seed):
    rng = np.random.default_rng(seed)
    points, queries, others = (rng.integers(0, 9, (size, columns)).astype(float) for size in (20, 7, 5))
    found = Sweep(points).mean_nearest(queries, others, 4)
    assert found == pytest.approx(brute(queries, np.vstack([others, points]), 4))


def test_those_beyond_the_threshold_are_taken_in_order():
    sweep = Sweep(np.array([[0.0, 0.0]]))
    queries = np.array([[5.0, 0.0], [7.0, 0.0], [8.0, 0.0], [14.0, 0.0]])
    assert sweep.beyond(queries, 6.0).tolist() == [False, True, False, True]
