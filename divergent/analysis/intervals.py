"""Intervals by bootstrap that stay inside what is possible."""

import math
import warnings
from collections.abc import Sequence

import numpy as np
from scipy import stats

LEVEL = 0.05  # of significance; intervals are of 1 - LEVEL
RESAMPLES = 2000
SEED = 20170608  # the same sample has the same interval
BLOCK = 200  # resamples that are computed at a time, which bounds the memory


def bounded_interval(
    values: Sequence[float] | np.ndarray, low: float = -math.inf, high: float = math.inf
) -> tuple[float, float]:
    """The 95% interval of a mean by bootstrap (bias-corrected and accelerated), inside what is possible.

    One value alone has none, NaN; values that are all the same have their mean.

    Parameters
    ----------
    values
        The sample.
    low, high
        Between which every value must be, and with them the interval.

    Examples
    --------
    >>> low, high = bounded_interval([0.0, 0.0, 0.0, 75_000.0, 75_000.0], 0, 75_000)
    >>> 0 <= low < 30_000 < high <= 75_000
    True
    >>> bounded_interval([300.0, 300.0], high=300)
    (300.0, 300.0)
    """
    lows, highs = bounded_intervals(np.asarray(values, dtype=float)[:, None], low, high)
    return float(lows[0]), float(highs[0])


def bounded_intervals(
    values: np.ndarray, low: float = -math.inf, high: float = math.inf
) -> tuple[np.ndarray, np.ndarray]:
    """The intervals of the means of several columns, shape (sample, columns); see `bounded_interval`."""
    values = np.asarray(values, dtype=float)
    outside = ~((values >= low) & (values <= high))
    if outside.any():
        raise ValueError(f"values must be between {low:g} and {high:g}, got {values[outside][0]:g}")
    count, columns = values.shape
    if count < 2:
        return np.full(columns, math.nan), np.full(columns, math.nan)
    lows, highs = values.mean(axis=0), values.mean(axis=0)
    spread = np.ptp(values, axis=0) > 0
    if spread.any():
        ends = _bootstrapped(values[:, spread], "BCa")
        undefined = np.isnan(ends).any(axis=0)
        if undefined.any():  # where all resamples lie on one side of the mean there is nothing to correct by
            ends[:, undefined] = _bootstrapped(values[:, spread][:, undefined], "percentile")
        lows[spread], highs[spread] = ends
    return np.clip(lows, low, high), np.clip(highs, low, high)


def _bootstrapped(values: np.ndarray, method: str) -> np.ndarray:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what is undefined, which is looked after above
        interval = stats.bootstrap(
            (values,), np.mean, axis=0, n_resamples=RESAMPLES, batch=BLOCK, confidence_level=1 - LEVEL, method=method,
            random_state=np.random.default_rng(SEED),
        ).confidence_interval  # fmt: skip
    return np.array([interval.low, interval.high])
