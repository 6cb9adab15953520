"""Compute confidence intervals of proportions and means that stay within the range of possible values."""

import math
import warnings
from collections.abc import Sequence

import numpy as np
from scipy import stats

LEVEL = 0.05  # significance level of tests; confidence intervals have the level 1 - LEVEL
RESAMPLES = 10_000
SEED = 20170608  # seed of the bootstrap, so that equal samples have equal intervals
BATCH = 200  # number of bootstrap resamples that are in memory at the same time


def proportion_interval(count: int, of: int) -> tuple[float, float]:
    """Return Wilson's 95% confidence interval of a proportion.

    Parameters
    ----------
    count : int
        Number of successes.
    of : int
        Number of trials, at least 1.

    Returns
    -------
    tuple of float
        Lower and upper end of the interval.

    Examples
    --------
    >>> low, high = proportion_interval(0, 60)
    >>> low, round(high, 4)
    (0.0, 0.0602)
    """
    interval = stats.binomtest(count, of).proportion_ci(1 - LEVEL, method="wilson")
    return float(interval.low), float(interval.high)


def bounded_interval(
    values: Sequence[float] | np.ndarray, low: float = -math.inf, high: float = math.inf
) -> tuple[float, float]:
    """Return the 95% interval of a mean by BCa bootstrap (bias-corrected and accelerated, 10,000 resamples).

    If a sample has no variance, its bootstrap interval is undefined. If all n sample values equal one end of a finite
    range, the interval extends from this end by `w * (high - low)`. The factor `w`, the upper end of Wilson's interval
    for 0 successes in n trials, bounds the fraction of population values at the opposite end. If the range is 0 to 1
    and all values are 0 or all are 1, the result is Wilson's interval. In all other samples without variance, both ends
    of the interval equal the mean.

    Parameters
    ----------
    values : sequence of float
        Values of the sample.
    low, high : float, default=-inf and inf
        Range of possible values, which also bounds the interval.

    Returns
    -------
    tuple of float
        Lower and upper end of the interval, NaN if there are fewer than two values.

    Raises
    ------
    ValueError
        If a value is outside the range.

    Examples
    --------
    The interval contains the mean and stays within the range:

    >>> low, high = bounded_interval([0.0, 0.0, 0.0, 75_000.0, 75_000.0], 0, 75_000)
    >>> 0 <= low < 30_000 < high <= 75_000
    True

    If there is no variance and the range has no lower bound, both ends of the interval equal the mean:

    >>> bounded_interval([300.0, 300.0], high=300)
    (300.0, 300.0)

    If all values are 0 in the range from 0 to 1, the result is Wilson's interval:

    >>> low, high = bounded_interval([0.0] * 60, 0, 1)
    >>> low, round(high, 4)
    (0.0, 0.0602)
    """
    lows, highs = bounded_intervals(np.asarray(values, dtype=float)[:, None], low, high)
    return float(lows[0]), float(highs[0])


def bounded_intervals(
    values: np.ndarray, low: float = -math.inf, high: float = math.inf
) -> tuple[np.ndarray, np.ndarray]:
    """Return the 95% interval of the mean of each column of `values`, as `bounded_interval` does for one column."""
    values = np.asarray(values, dtype=float)
    outside = ~((values >= low) & (values <= high))
    if outside.any():
        raise ValueError(
            f"values must be between low and high ({low:g} and {high:g}), got the value {values[outside][0]:g}"
        )
    count, columns = values.shape
    if count < 2:
        return np.full(columns, math.nan), np.full(columns, math.nan)
    lows, highs = values.mean(axis=0), values.mean(axis=0)
    varied = np.ptp(values, axis=0) > 0
    if varied.any():
        ends = _bootstrap(values[:, varied], "BCa")
        undefined = np.isnan(ends).any(axis=0)
        if undefined.any():  # BCa is undefined if all resamples lie on one side of the mean
            ends[:, undefined] = _bootstrap(values[:, varied][:, undefined], "percentile")
        lows[varied], highs[varied] = ends
    reach = (high - low) * proportion_interval(0, count)[1]
    if math.isfinite(reach):
        highs[(values == low).all(axis=0)] = low + reach
        lows[(values == high).all(axis=0)] = high - reach
    return np.clip(lows, low, high), np.clip(highs, low, high)


def _bootstrap(values: np.ndarray, method: str) -> np.ndarray:
    """Return the lower and upper end of the bootstrap interval of each column mean, shape (2, columns)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # undefined intervals are NaN and need no warning
        interval = stats.bootstrap(
            (values,), np.mean, axis=0, n_resamples=RESAMPLES, batch=BATCH, confidence_level=1 - LEVEL, method=method,
            random_state=np.random.default_rng(SEED),
        ).confidence_interval  # fmt: skip
    return np.array([interval.low, interval.high])
