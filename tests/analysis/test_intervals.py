import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from divergent.analysis.intervals import RESAMPLES, SEED, bounded_interval, bounded_intervals


def test_the_interval_is_scipys_bootstrap():
    values = np.random.default_rng(4).exponential(size=30)
    expected = stats.bootstrap(
        (values,), np.mean, n_resamples=RESAMPLES, method="BCa", rng=np.random.default_rng(SEED)
    ).confidence_interval  # fmt: skip
    assert bounded_interval(values, 0) == pytest.approx(tuple(expected))
    assert bounded_interval(values, 0) == bounded_interval(values, 0)


@given(st.lists(st.sampled_from([0.0, 1.0, 250.0, 74_999.0, 75_000.0]), min_size=2, max_size=12))
def test_no_interval_leaves_what_is_possible(values):
    low, high = bounded_interval(values, 0, 75_000)
    assert 0 <= low <= high <= 75_000
    assert low <= np.mean(values) + 1e-9
    assert np.mean(values) - 1e-9 <= high


def test_values_that_are_all_the_same_have_their_mean_and_one_alone_has_none():
    assert bounded_interval([75_000] * 9, 0, 75_000) == (75_000, 75_000)
    assert all(math.isnan(end) for values in ([], [1.0]) for end in bounded_interval(values))


def test_columns_have_the_intervals_that_each_has_alone():
    table = np.array([[1.0, 5.0, 300.0], [2.0, 5.0, 290.0], [4.0, 5.0, 280.0], [9.0, 5.0, 300.0]])
    lows, highs = bounded_intervals(table, high=300)
    for column, low, high in zip(table.T, lows, highs, strict=True):
        assert (low, high) == bounded_interval(column, high=300)


def test_values_outside_the_bounds_are_refused():
    with pytest.raises(ValueError, match="values must be between 0 and 1, got 2"):
        bounded_interval([0.5, 2.0], 0, 1)
    with pytest.raises(ValueError, match="got nan"):
        bounded_interval([0.5, math.nan], 0, 1)
