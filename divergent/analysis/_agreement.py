"""Decide whether two experiments agree, by tests of difference and tests of equivalence.

A verdict is *agrees* if a relevant difference is ruled out, *differs* if a difference is significant, and *undecided*
otherwise. The absence of a significant difference is not evidence of agreement, because tests with few runs have little
power.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from divergent.analysis._intervals import LEVEL
from divergent.analysis._two_samples import difference_of_proportions, equivalence, fisher, holm, welch

LEAST_RUNS, LEAST_RUNS_TO_RANK = 20, 50  # smallest sample sizes for verdicts on comparisons and on rankings
PROPORTION_MARGIN = 0.1  # equivalence margin for the difference between two proportions
POWER = 0.8  # probability of a decision with the recommended number of runs
MOST_RUNS = 10_000  # largest number of runs that a verdict recommends
# `DIFFERENT_ENDS` and `SAME_ENDS` are the quantiles of the sample mean at which the power of a test is checked.
# A test of difference can fail in one tail of the distribution of the sample mean, which may contain 20% of samples.
# A test of equivalence can fail in two tails of the distribution of the sample mean, which may each contain 10%.
DIFFERENT_ENDS, SAME_ENDS = (1 - POWER, POWER), ((1 - POWER) / 2, (1 + POWER) / 2)
AGREES, DIFFERS, UNDECIDED, NO_VERDICT = "agrees", "differs", "undecided", "no verdict"


@dataclass(frozen=True)
class Verdict:
    """Verdict on a comparison with another experiment, or on a claimed order of two searches.

    Parameters
    ----------
    kind : str
        The verdict: "agrees", "differs", "undecided" or "no verdict". If no comparison was made, `kind` contains the
        reason instead. The reason may be an empty string.
    p : float, default=nan
        p-value of the test, corrected by Holm's method unless `kind` is "no verdict"; NaN if no test was made.
    runs : int or None, default=None
        Number of runs in the smaller sample; None if no test was made.
    note : str, default=""
        Additional text, such as the number of runs that a decision needs.
    unit : str, default="run"
        Name of one observation of the sample, such as "run" or "maze".

    See Also
    --------
    decide : Turn the results of several statistical tests into verdicts.

    Examples
    --------
    A verdict can be printed as text or read as a truth value:

    >>> str(Verdict("agrees", p=0.31, runs=100)), Verdict("agrees", p=0.31, runs=100).good
    ('agrees (100 runs)', True)
    """

    kind: str
    p: float = math.nan
    runs: int | None = None
    note: str = ""
    unit: str = "run"

    @property
    def good(self) -> bool | None:
        """True if the verdict is "agrees", False if the verdict is "differs", None otherwise."""
        return {AGREES: True, DIFFERS: False}.get(self.kind)

    def __str__(self) -> str:
        details = [format_count(self.runs or 0, self.unit)] * (self.runs is not None) + [self.note] * bool(self.note)
        return f"{self.kind} ({'; '.join(details)})" if details else self.kind


def never(runs: int, factor: float) -> bool:
    """Return False: no number of runs reaches a decision."""
    return False


@dataclass(frozen=True)
class Evidence:
    """Result of one statistical test; `decide` turns the results of all tests of a table into verdicts.

    Parameters
    ----------
    p : float
        p-value of the null hypothesis of no difference; NaN if this hypothesis cannot be tested.
    equivalent : bool
        Whether a relevant difference is ruled out.
    runs : int
        Size of the smaller sample.
    decided : callable, default=never
        Function ``decided(runs, factor)`` that returns whether a test with `runs` runs has a power of at least 80%.
        Holm's method multiplies the p-value of the test by `factor`. The power is computed as if the observed means and
        proportions were the true values.
    significant : str, default="differs"
        Verdict if the difference is significant: "agrees" if a claim states this difference, otherwise "differs".
    note : str, default=""
        Text that is added to the note of an undecided verdict.
    unit : str, default="run"
        Name of one observation of the sample.
    least : int, default=20
        Smallest sample size for a verdict.
    """

    p: float
    equivalent: bool
    runs: int
    decided: Callable[[int, float], bool] = never
    significant: str = DIFFERS
    note: str = ""
    unit: str = "run"
    least: int = LEAST_RUNS


def decide(tests: Sequence[Evidence | Verdict]) -> list[Verdict]:
    """Determine the verdicts of all tests of a table, with p-values corrected by Holm's method.

    If a difference is significant but too small to be relevant, the verdict is "agrees".

    Parameters
    ----------
    tests : sequence of Evidence or Verdict
        Results of statistical tests. Verdicts in this sequence are returned unchanged and do not count in Holm's
        correction.

    Returns
    -------
    list of Verdict
        One verdict per test.

    Examples
    --------
    >>> tests = [Evidence(p, equivalent, 100) for p, equivalent in ((0.03, False), (0.001, False), (0.9, True))]
    >>> [verdict.kind for verdict in decide(tests)]
    ['undecided', 'differs', 'agrees']
    """
    valid = [isinstance(test, Evidence) and test.runs >= test.least and not math.isnan(test.p) for test in tests]
    ps = holm([test.p if counts else math.nan for test, counts in zip(tests, valid, strict=True)])
    tested = [test.p for test, counts in zip(tests, valid, strict=True) if counts]
    return [
        test if isinstance(test, Verdict) else _verdict(test, p, counts, sum(other >= test.p for other in tested))
        for test, p, counts in zip(tests, ps, valid, strict=True)
    ]


def evidence_of_counts(solved: int, runs: int, among: Sequence[int], of: int) -> Evidence:
    """Compare two success rates by Fisher's exact test, and test whether they are equivalent.

    Two success rates are equivalent if the 95% Newcombe interval of their difference lies between -10 and 10 percentage
    points.

    Parameters
    ----------
    solved, runs : int
        Number of successes and number of runs of our experiment.
    among : sequence of int
        Possible numbers of successes in the other experiment. The two experiments agree if our success rate is
        equivalent to at least one of the possible success rates. If the sequence is empty, there is no verdict.
    of : int
        Number of runs of the other experiment.

    Returns
    -------
    Evidence
        The result of the test.

    See Also
    --------
    evidence_of_means, evidence_of_order

    Examples
    --------
    Two equal success rates with 100 runs each agree:

    >>> [str(verdict) for verdict in decide([evidence_of_counts(99, 100, among=[99], of=100)])]
    ['agrees (100 runs)']

    There is no verdict on fewer than 20 runs:

    >>> [str(verdict) for verdict in decide([evidence_of_counts(9, 12, among=[99], of=100)])]
    ['no verdict (12 runs)']
    """
    if runs == 0 or not among:
        return Evidence(math.nan, False, runs)

    def test(ours: int, count: int) -> tuple[float, bool]:
        p = max(fisher(ours, count, number, of) for number in among)
        return p, any(_within_margin(ours, count, number, of) for number in among)

    def decided(count: int, factor: float) -> bool:
        different, same = (
            [test(int(number), count) for number in stats.binom.ppf(ends, count, solved / runs)]
            for ends in (DIFFERENT_ENDS, SAME_ENDS)
        )
        return max(p for p, _ in different) * factor < LEVEL or all(equivalent for _, equivalent in same)

    p, equivalent = test(solved, runs)
    return Evidence(p, equivalent, runs, decided)


def evidence_of_means(values: Sequence[float], mean: float, sd: float, of: int) -> Evidence:
    """Compare the mean of a sample with a reported mean by Welch's test, and test whether they are equivalent.

    Means are equivalent if two one-sided Welch tests (TOST) at the 5% level rule out differences of 20% or more of the
    reported mean.

    Parameters
    ----------
    values : sequence of float
        Values of our runs, such as evaluations.
    mean, sd : float
        Mean and standard deviation of the other experiment.
    of : int
        Number of runs of the other experiment.

    Returns
    -------
    Evidence
        The result of the test.

    See Also
    --------
    evidence_of_counts, evidence_of_order
    """
    count = len(values)
    if count < 2:
        return Evidence(math.nan, False, count)
    ours, ours_sd = float(np.mean(values)), float(np.std(values, ddof=1))

    def decided(runs: int, factor: float) -> bool:
        different, same = (
            [(ours + end * ours_sd / math.sqrt(runs), ours_sd, runs, mean, sd, of) for end in stats.norm.ppf(ends)]
            for ends in (DIFFERENT_ENDS, SAME_ENDS)
        )
        significant = max(welch(*summary) for summary in different) * factor < LEVEL
        return significant or max(equivalence(*summary) for summary in same) < LEVEL

    summary = (ours, ours_sd, count, mean, sd, of)
    return Evidence(welch(*summary), equivalence(*summary) < LEVEL, count, decided)


def evidence_of_order(p: float, effect: float, runs: int) -> Evidence:
    """Turn the result of a rank test into evidence on the claim that the first sample has smaller values.

    Parameters
    ----------
    p : float
        p-value of a rank test.
    effect : float
        Effect size of the rank test, negative if the values of the first sample are smaller.
    runs : int
        Size of the smaller sample.

    Returns
    -------
    Evidence
        The result of the test. A significant negative effect gives the verdict "agrees", a significant positive effect
        "differs".

    See Also
    --------
    evidence_of_counts, evidence_of_means
    """

    def decided(count: int, factor: float) -> bool:
        # The z-value of a rank test is proportional to the square root of the number of runs.
        grown = stats.norm.isf(p / 2) * math.sqrt(count / runs)
        return bool(2 * stats.norm.sf(grown - stats.norm.ppf(POWER)) * factor < LEVEL)

    if effect < 0:
        return Evidence(p, False, runs, decided, AGREES, "same direction")
    return Evidence(p, False, runs, decided, DIFFERS, "opposite direction")


def format_count(count: int, unit: str = "run") -> str:
    """Format a count with its unit in the singular or plural.

    Parameters
    ----------
    count : int
        Number to format.
    unit : str, default="run"
        Name of the unit in the singular.

    Returns
    -------
    str
        The count with its unit, such as "1,000 runs".

    Examples
    --------
    The unit is plural unless the count is 1:

    >>> format_count(1), format_count(1000)
    ('1 run', '1,000 runs')
    """
    return f"{count:,} {unit}{'' if count == 1 else 's'}"


def runs_to_decide(evidence: Evidence, factor: float = 1.0) -> int | None:
    """Return the smallest number of runs with which a test reaches a decision with a probability of at least 80%.

    Parameters
    ----------
    evidence : Evidence
        Result of a statistical test that is undecided. The observed means and proportions are assumed to be the true
        values.
    factor : float, default=1.0
        Factor by which Holm's method multiplies the p-value of this test.

    Returns
    -------
    int or None
        The number of runs, at least `evidence.runs`; None if 10,000 runs are too few.

    Examples
    --------
    >>> runs_to_decide(evidence_of_order(0.05, -0.2, 100))  # 100 * ((1.96 + 0.84) / 1.96) ** 2
    205
    """
    if not evidence.decided(MOST_RUNS, factor):
        return None
    if evidence.decided(evidence.runs, factor):
        return evidence.runs
    low, high = evidence.runs, MOST_RUNS  # Bisection is valid because more runs do not reverse a decision.
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if evidence.decided(middle, factor) else (middle, high)
    return high


def _verdict(evidence: Evidence, p: float, valid: bool, factor: int) -> Verdict:
    """Return the verdict of a test; `p` is its corrected p-value and `factor` its multiplier in Holm's method."""
    if not valid:
        return Verdict(NO_VERDICT, evidence.p, evidence.runs, unit=evidence.unit)
    kind = AGREES if evidence.equivalent else evidence.significant if p < LEVEL else UNDECIDED
    if kind != UNDECIDED:
        return Verdict(kind, p, evidence.runs, unit=evidence.unit)
    needed = runs_to_decide(evidence, factor)
    sentence = f"{needed:,} would decide" if needed else f"{MOST_RUNS:,} would not decide"
    note = "; ".join([sentence, *[evidence.note] * bool(evidence.note)])
    return Verdict(kind, p, evidence.runs, note, evidence.unit)


def _within_margin(solved: int, runs: int, other_solved: int, other_runs: int) -> bool:
    """Return whether the 95% interval of the difference between two proportions lies within the equivalence margin."""
    low, high = difference_of_proportions(solved, runs, other_solved, other_runs)
    return low >= -PROPORTION_MARGIN and high <= PROPORTION_MARGIN
