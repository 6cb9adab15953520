"""Significance tests and confidence intervals that compare two samples."""

import math
from collections.abc import Sequence

import numpy as np
from scipy import stats

from divergent.analysis._intervals import LEVEL

MARGIN = 0.2  # equivalence margin for the difference between two means, as a fraction of the second mean


def holm(ps: Sequence[float]) -> list[float]:
    """Correct p-values by Holm's method.

    Parameters
    ----------
    ps : sequence of float
        The p-values. A NaN marks a missing test, stays NaN and does not count as a test.

    Returns
    -------
    list of float
        The corrected p-values, in the same order.

    References
    ----------
    S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979.

    Examples
    --------
    >>> holm([0.01, math.nan, 0.04])
    [0.02, nan, 0.04]
    """
    # `multipletests` of statsmodels is not used because it runs the garbage collector, which takes 0.2 seconds
    corrected = np.array(ps, dtype=float)
    tests = np.flatnonzero(~np.isnan(corrected))
    order = tests[np.argsort(corrected[tests], kind="stable")]
    stepwise = corrected[order] * np.arange(len(order), 0, -1)
    corrected[order] = np.maximum.accumulate(stepwise).clip(max=1)
    return corrected.tolist()


def welch(mean: float, sd: float, runs: int, other_mean: float, other_sd: float, other_runs: int) -> float:
    """Return the p-value of Welch's two-tailed t-test from means and standard deviations.

    Parameters
    ----------
    mean, sd : float
        Mean and standard deviation of the first sample.
    runs : int
        Size of the first sample.
    other_mean, other_sd : float
        Mean and standard deviation of the second sample.
    other_runs : int
        Size of the second sample.

    Returns
    -------
    float
        The p-value.

    See Also
    --------
    equivalence : Test whether two means are equivalent.

    Examples
    --------
    >>> round(welch(16_084, 11_588, 100, 19_814, 15_441, 100), 3)
    0.055
    """
    if sd == 0 and other_sd == 0:
        return float(mean == other_mean)
    return float(stats.ttest_ind_from_stats(mean, sd, runs, other_mean, other_sd, other_runs, equal_var=False).pvalue)


def equivalence(mean: float, sd: float, runs: int, other_mean: float, other_sd: float, other_runs: int) -> float:
    """Return the p-value of two one-sided Welch tests (TOST) with a margin of 20% of the second mean.

    Parameters
    ----------
    mean, sd : float
        Mean and standard deviation of the first sample.
    runs : int
        Size of the first sample.
    other_mean, other_sd : float
        Mean and standard deviation of the second sample.
    other_runs : int
        Size of the second sample.

    Returns
    -------
    float
        Larger p-value of the two one-sided tests; small p-values show equivalence.

    See Also
    --------
    welch : Test whether two means differ.

    Examples
    --------
    >>> equivalence(100, 10, 100, 101, 10, 100) < 0.05 < equivalence(100, 100, 100, 101, 100, 100)
    True
    """
    margin = MARGIN * abs(other_mean)
    if sd == 0 and other_sd == 0:
        return float(abs(mean - other_mean) >= margin)
    other = (other_mean, other_sd, other_runs)
    tests = (
        stats.ttest_ind_from_stats(mean + shift, sd, runs, *other, equal_var=False, alternative=side)
        for shift, side in ((margin, "greater"), (-margin, "less"))
    )
    return max(float(test.pvalue) for test in tests)


def fisher(solved: int, runs: int, other_solved: int, other_runs: int) -> float:
    """Return the p-value of Fisher's two-tailed exact test for equal success rates in two samples.

    Parameters
    ----------
    solved, runs : int
        Number of successes and size of the first sample.
    other_solved, other_runs : int
        Number of successes and size of the second sample.

    Returns
    -------
    float
        The p-value.

    Examples
    --------
    >>> round(fisher(99, 100, 93, 100), 3)
    0.065
    """
    return float(stats.fisher_exact([[solved, runs - solved], [other_solved, other_runs - other_solved]]).pvalue)


def mann_whitney(first: Sequence[float], second: Sequence[float]) -> dict[str, float]:
    """Compare two samples by a two-tailed Mann-Whitney U test.

    Parameters
    ----------
    first, second : sequence of float
        The samples, such as the numbers of evaluations in the runs of two searches.

    Returns
    -------
    dict
        Sizes of both samples (`runs_first`, `runs_second`), the statistic `u` of the first sample, the `effect` (the
        rank-biserial correlation, from -1 to 1), and the p-value `p`. The p-value is 1 if all values are equal. `u`,
        `effect` and `p` are NaN if a sample is empty.

    Examples
    --------
    >>> mann_whitney([4, 5, 6], [1, 2, 3])["effect"], round(mann_whitney([4, 5, 6], [1, 2, 3])["p"], 2)
    (1.0, 0.1)
    """
    sizes = {"runs_first": len(first), "runs_second": len(second)}
    if len(first) == 0 or len(second) == 0:
        return sizes | {"u": math.nan, "effect": math.nan, "p": math.nan}
    pairs = len(first) * len(second)
    if np.ptp(np.concatenate([first, second])) == 0:  # SciPy 1.18 and later return NaN if all values are equal
        return sizes | {"u": pairs / 2, "effect": 0.0, "p": 1.0}
    test = stats.mannwhitneyu(first, second, alternative="two-sided")
    return sizes | {
        "u": float(test.statistic),
        "effect": float(2 * test.statistic / pairs - 1),
        "p": float(test.pvalue),
    }


def difference_of_proportions(
    solved: int, runs: int, other_solved: int, other_runs: int, alpha: float = LEVEL
) -> tuple[float, float]:
    """Return Newcombe's confidence interval for the difference between two proportions, the first minus the second.

    Parameters
    ----------
    solved, runs : int
        Number of successes and size of the first sample.
    other_solved, other_runs : int
        Number of successes and size of the second sample.
    alpha : float, default=0.05
        Significance level; the interval has the confidence level 1 - alpha.

    Returns
    -------
    tuple of float
        Lower and upper end of the interval.

    References
    ----------
    R. G. Newcombe, "Interval estimation for the difference between independent proportions", Statistics in Medicine 17,
    1998.

    Examples
    --------
    >>> [round(end, 4) for end in difference_of_proportions(56, 70, 48, 80)]
    [0.0524, 0.3339]
    """
    from statsmodels.stats.proportion import confint_proportions_2indep

    low, high = confint_proportions_2indep(solved, runs, other_solved, other_runs, method="newcomb", alpha=alpha)
    return max(-1.0, float(low)), min(1.0, float(high))


def difference_of_means(
    mean: float, sd: float, runs: int, other_mean: float, other_sd: float, other_runs: int
) -> tuple[float, float]:
    """Return Welch's 90% confidence interval for the difference between two means, the first minus the second.

    Two one-sided tests at the 5% level show equivalence if the 90% interval lies within the margin of equivalence.

    Parameters
    ----------
    mean, sd : float
        Mean and standard deviation of the first sample.
    runs : int
        Size of the first sample.
    other_mean, other_sd : float
        Mean and standard deviation of the second sample.
    other_runs : int
        Size of the second sample.

    Returns
    -------
    tuple of float
        Lower and upper end of the interval.

    See Also
    --------
    equivalence : Test the equivalence of two means by two one-sided tests.

    Examples
    --------
    >>> [round(end, 2) for end in difference_of_means(103, 10, 100, 100, 10, 100)]
    [0.66, 5.34]
    """
    parts = sd**2 / runs, other_sd**2 / other_runs
    if sum(parts) == 0:
        return mean - other_mean, mean - other_mean
    freedom = sum(parts) ** 2 / (parts[0] ** 2 / (runs - 1) + parts[1] ** 2 / (other_runs - 1))
    reach = float(stats.t.ppf(1 - LEVEL, freedom)) * math.sqrt(sum(parts))
    return mean - other_mean - reach, mean - other_mean + reach
