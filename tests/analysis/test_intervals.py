import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from divergent.analysis._intervals import RESAMPLES, SEED, bounded_interval, bounded_intervals, proportion_interval


def test_bounded_interval_equals_scipy_bootstrap():
    values = np.random.default_rng(4).exponential(size=30)
    expected = stats.bootstrap(
        (values,), np.mean, n_resamples=RESAMPLES, method="BCa", rng=np.random.default_rng(SEED)
    ).confidence_interval  # fmt: skip
    assert bounded_interval(values, 0) == pytest.approx(tuple(expected))
    assert bounded_interval(values, 0) == bounded_interval(values, 0)


@given(st.lists(st.sampled_from([0.0, 1.0, 250.0, 74_999.0, 75_000.0]), min_size=2, max_size=12))
def test_bounded_interval_stays_within_the_range(values):
    low, high = bounded_interval(values, 0, 75_000)
    assert 0 <= low <= high <= 75_000
    assert low <= np.mean(values) + 1e-9
    assert np.mean(values) - 1e-9 <= high


def test_bounded_interval_of_ten_thousand_resamples_is_close_to_welchs():
    values = np.random.default_rng(4).normal(10, 1, size=400)
    reach = 1.96 * values.std(ddof=1) / 20
    assert RESAMPLES == 10_000
    assert bounded_interval(values) == pytest.approx((values.mean() - reach, values.mean() + reach), abs=0.01)


@pytest.mark.parametrize("of", [2, 20, 60])
def test_bounded_interval_of_a_proportion_of_zero_or_one_is_wilsons(of):
    z = stats.norm.ppf(0.975) ** 2
    assert bounded_interval([0.0] * of, 0, 1) == pytest.approx((0, z / (of + z)))
    assert bounded_interval([1.0] * of, 0, 1) == pytest.approx((of / (of + z), 1))
    assert proportion_interval(0, of) == pytest.approx((0, z / (of + z)))


def test_bounded_interval_of_values_at_the_end_of_their_range_is_as_wide_as_wilsons():
    low, high = bounded_interval([75_000] * 20, 0, 75_000)
    assert (low, high) == (pytest.approx(75_000 * (1 - proportion_interval(0, 20)[1])), 75_000)


def test_bounded_interval_of_other_equal_values_is_their_mean_and_of_one_value_nan():
    assert bounded_interval([70_000] * 9, 0, 75_000) == (70_000, 70_000)
    assert bounded_interval([300] * 9, high=300) == (300, 300)
    assert all(math.isnan(end) for values in ([], [1.0]) for end in bounded_interval(values))


def test_bounded_intervals_of_columns_equal_those_of_each_column():
    table = np.array([[1.0, 5.0, 300.0], [2.0, 5.0, 290.0], [4.0, 5.0, 280.0], [9.0, 5.0, 300.0]])
    lows, highs = bounded_intervals(table, high=300)
    for column, low, high in zip(table.T, lows, highs, strict=True):
        assert (low, high) == bounded_interval(column, high=300)


def test_bounded_interval_with_a_value_out_of_range_raises():
    with pytest.raises(ValueError, match=r"values must be between low and high \(0 and 1\), got the value 2"):
        bounded_interval([0.5, 2.0], 0, 1)
    with pytest.raises(ValueError, match="got the value nan"):
        bounded_interval([0.5, math.nan], 0, 1)
