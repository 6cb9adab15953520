"""Verdicts: whether our numbers agree with somebody else's, differ from them, or leave it undecided.

*Agrees* means that a difference that matters is ruled out, *differs* that there is one, and *undecided* neither. A test
that finds no difference is no agreement: with few runs it finds none whatever is true.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from divergent.analysis.intervals import LEVEL

LEAST_RUNS, LEAST_RUNS_TO_RANK = 20, 50  # below these there is no verdict
MARGIN = 0.2  # of the other's mean: means that are closer than this are equivalent
POINTS = 0.1  # shares that are closer than this are equivalent
POWER = 0.8  # the probability of a decision with the number of runs that a verdict names
MOST_RUNS = 10_000  # nobody is asked to do more to decide a thing
# quantiles of our sample at which the decision has to be the same: a difference that is significant at the quantile
# next to the other sample is so at all beyond it, equivalence needs both sides
DIFFERENT_ENDS, SAME_ENDS = (1 - POWER, POWER), ((1 - POWER) / 2, (1 + POWER) / 2)
AGREES, DIFFERS, UNDECIDED, NO_VERDICT = "agrees", "differs", "undecided", "no verdict"


@dataclass(frozen=True)
class Verdict:
    """What a test says of our number beside another's, or of an order that is claimed.

    Parameters
    ----------
    kind
        "agrees", "differs" or "undecided"; "no verdict"; or another reason why there is none, and nothing where there
        is nothing to be said.
    p
        Of the test, corrected for the others of its table; NaN without one.
    runs
        How many are behind it, of the smaller of two samples; None where there was no test.
    note
        What else is to be told.
    unit
        What the runs are, if they are something else.

    Examples
    --------
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
        """Whether it speaks for us: True, False, or None if it does neither."""
        return {AGREES: True, DIFFERS: False}.get(self.kind)

    def __str__(self) -> str:
        told = [told_runs(self.runs or 0, self.unit)] * (self.runs is not None) + [self.note] * bool(self.note)
        return f"{self.kind} ({'; '.join(told)})" if told else self.kind


@dataclass(frozen=True)
class Evidence:
    """A number of ours set beside another's, of which a verdict is made when all others of its table are known.

    Parameters
    ----------
    p
        Of the hypothesis that there is no difference; NaN if it cannot be tested.
    equivalent
        Whether a difference that matters is ruled out.
    runs, unit
        How many are behind it, of the smaller of two samples, and of what.
    decided
        Whether so many new runs decide with a probability of at least 80 %, if the true means and proportions are those
        of the sample, and p is multiplied by a factor for the other tests.
    significant
        What a significant difference says: that it differs, or, if it is what was claimed, that it agrees.
    note
        What an undecided verdict tells beside the number of runs.
    least
        With fewer runs there is no verdict.
    """

    p: float
    equivalent: bool
    runs: int
    decided: Callable[[int, float], bool] = lambda runs, factor: False
    significant: str = DIFFERS
    note: str = ""
    unit: str = "run"
    least: int = LEAST_RUNS


def judged(tests: Sequence[Evidence | Verdict]) -> list[Verdict]:
    """The verdicts of all tests of a table, whose p are corrected by Holm's method; verdicts among them stay.

    A test that finds a difference, but one too small to matter, agrees.

    Examples
    --------
    >>> tests = [Evidence(p, equivalent, 100) for p, equivalent in ((0.03, False), (0.001, False), (0.9, True))]
    >>> [one.kind for one in judged(tests)]
    ['undecided', 'differs', 'agrees']
    """
    enough = [isinstance(test, Evidence) and test.runs >= test.least and not math.isnan(test.p) for test in tests]
    ps = holm([test.p if there else math.nan for test, there in zip(tests, enough, strict=True)])
    known = [test.p for test, there in zip(tests, enough, strict=True) if there]
    return [
        test if isinstance(test, Verdict) else _verdict(test, p, there, sum(other >= test.p for other in known))
        for test, p, there in zip(tests, ps, enough, strict=True)
    ]


def holm(ps: Sequence[float]) -> list[float]:
    """Corrected by Holm's method, over those that are known; NaN stays.

    Examples
    --------
    >>> holm([0.01, math.nan, 0.04])
    [0.02, nan, 0.04]
    """
    # statsmodels' multipletests collects garbage at every call, which takes a fifth of a second
    corrected = np.array(ps, dtype=float)
    known = np.flatnonzero(~np.isnan(corrected))
    order = known[np.argsort(corrected[known], kind="stable")]
    stepwise = corrected[order] * np.arange(len(order), 0, -1)
    corrected[order] = np.maximum.accumulate(stepwise).clip(max=1)
    return corrected.tolist()


def evidence_of_counts(solved: int, runs: int, among: Sequence[int], of: int) -> Evidence:
    """Successes beside somebody else's: Fisher's exact test; equivalent if the shares differ by less than 10 points.

    That is, if the 95% interval of their difference (Newcombe's) lies within 10 points.

    Parameters
    ----------
    solved, runs
        Ours.
    among, of
        The others' successes and runs. Where their successes may be one of several numbers, agreeing with one of them
        is enough; without any there is no verdict.

    Examples
    --------
    >>> [str(one) for one in judged([evidence_of_counts(99, 100, among=[99], of=100)])]
    ['agrees (100 runs)']
    >>> [str(one) for one in judged([evidence_of_counts(9, 12, among=[99], of=100)])]
    ['no verdict (12 runs)']
    """
    if runs == 0 or not among:
        return Evidence(math.nan, False, runs)

    def tested(ours: int, count: int) -> tuple[float, bool]:
        p = max(fisher(ours, count, number, of) for number in among)
        return p, any(_within_points(ours, count, number, of) for number in among)

    def decided(count: int, factor: float) -> bool:
        different, same = (
            [tested(int(number), count) for number in stats.binom.ppf(ends, count, solved / runs)]
            for ends in (DIFFERENT_ENDS, SAME_ENDS)
        )
        return max(p for p, _ in different) * factor < LEVEL or all(equivalent for _, equivalent in same)

    p, equivalent = tested(solved, runs)
    return Evidence(p, equivalent, runs, decided)


def evidence_of_means(values: Sequence[float], mean: float, sd: float, of: int) -> Evidence:
    """A sample beside another's mean and standard deviation of so many runs: Welch's test, at 5%.

    Equivalent if two one-sided Welch tests at 5% rule out that the means differ by 20% of the other's.
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
        return max(welch(*one) for one in different) * factor < LEVEL or max(equivalence(*one) for one in same) < LEVEL

    summary = (ours, ours_sd, count, mean, sd, of)
    return Evidence(welch(*summary), equivalence(*summary) < LEVEL, count, decided)


def evidence_of_order(p: float, effect: float, runs: int) -> Evidence:
    """A claim that one is smaller than another, by a rank test's p and its effect, negative if it is smaller."""

    def decided(count: int, factor: float) -> bool:
        grown = stats.norm.isf(p / 2) * math.sqrt(count / runs)  # the same effect, with more runs
        return bool(2 * stats.norm.sf(grown - stats.norm.ppf(POWER)) * factor < LEVEL)

    if effect < 0:
        return Evidence(p, False, runs, decided, AGREES, "same direction")
    return Evidence(p, False, runs, decided, DIFFERS, "opposite direction")


def welch(mean: float, sd: float, runs: int, other_mean: float, other_sd: float, other_runs: int) -> float:
    """The p of Welch's test, two-tailed, from means and standard deviations.

    Examples
    --------
    >>> round(welch(16_084, 11_588, 100, 19_814, 15_441, 100), 3)
    0.055
    """
    if sd == 0 and other_sd == 0:
        return float(mean == other_mean)
    return float(stats.ttest_ind_from_stats(mean, sd, runs, other_mean, other_sd, other_runs, equal_var=False).pvalue)


def equivalence(mean: float, sd: float, runs: int, other_mean: float, other_sd: float, other_runs: int) -> float:
    """The larger p of two one-sided Welch tests that means differ by 20% of the other's, down and up.

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
    """The p of Fisher's exact test between two numbers of successes, two-tailed.

    Examples
    --------
    >>> round(fisher(99, 100, 93, 100), 3)
    0.065
    """
    return float(stats.fisher_exact([[solved, runs - solved], [other_solved, other_runs - other_solved]]).pvalue)


def difference_of_shares(solved: int, runs: int, other_solved: int, other_runs: int) -> tuple[float, float]:
    """Newcombe's 95% interval of the difference of two shares, ours less the other's.

    Examples
    --------
    >>> [round(end, 4) for end in difference_of_shares(56, 70, 48, 80)]
    [0.0524, 0.3339]
    """
    from statsmodels.stats.proportion import confint_proportions_2indep

    low, high = confint_proportions_2indep(solved, runs, other_solved, other_runs, method="newcomb", alpha=LEVEL)
    return max(-1.0, float(low)), min(1.0, float(high))


def difference_of_means(
    mean: float, sd: float, runs: int, other_mean: float, other_sd: float, other_runs: int
) -> tuple[float, float]:
    """Welch's 90% interval of the difference of two means: two one-sided tests at 5% look whether it is in the margin.

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


def told_runs(count: int, unit: str = "run") -> str:
    """A number of runs, or of something else, in words.

    Examples
    --------
    >>> told_runs(1), told_runs(1000)
    ('1 run', '1,000 runs')
    """
    return f"{count:,} {unit}{'' if count == 1 else 's'}"


def runs_to_decide(evidence: Evidence, factor: float = 1.0) -> int | None:
    """Return the fewest new runs that decide with a probability of 80 %.

    Parameters
    ----------
    evidence : Evidence
        An undecided test. Its means and proportions are taken as the true ones.
    factor : float, default=1.0
        The factor of p for the other tests of the table.

    Returns
    -------
    int or None
        At least the number of runs of the evidence; None if 10,000 runs are too few.

    Examples
    --------
    >>> runs_to_decide(evidence_of_order(0.05, -0.2, 100))  # 100 * ((1.96 + 0.84) / 1.96) ** 2
    205
    """
    if not evidence.decided(MOST_RUNS, factor):
        return None
    if evidence.decided(evidence.runs, factor):
        return evidence.runs
    short, long = evidence.runs, MOST_RUNS  # more runs do not undo a decision
    while long - short > 1:
        middle = (short + long) // 2
        short, long = (short, middle) if evidence.decided(middle, factor) else (middle, long)
    return long


def _verdict(evidence: Evidence, p: float, enough: bool, factor: int) -> Verdict:
    """The verdict, by p as it is corrected; the factor is what Holm's method multiplies it by."""
    if not enough:
        return Verdict(NO_VERDICT, evidence.p, evidence.runs, unit=evidence.unit)
    kind = AGREES if evidence.equivalent else evidence.significant if p < LEVEL else UNDECIDED
    if kind != UNDECIDED:
        return Verdict(kind, p, evidence.runs, unit=evidence.unit)
    needed = runs_to_decide(evidence, factor)
    told = f"{needed:,} would decide" if needed else f"{MOST_RUNS:,} would not decide"
    note = "; ".join([told, *[evidence.note] * bool(evidence.note)])
    return Verdict(kind, p, evidence.runs, note, evidence.unit)


def _within_points(solved: int, runs: int, other_solved: int, other_runs: int) -> bool:
    low, high = difference_of_shares(solved, runs, other_solved, other_runs)
    return low >= -POINTS and high <= POINTS
