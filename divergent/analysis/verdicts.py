"""Verdicts: whether our numbers agree with somebody else's, and whether an order that is claimed holds."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from divergent.analysis.groups import LEVEL

LEAST_RUNS, LEAST_RUNS_TO_RANK = 20, 50  # below these there is no verdict
NO_VERDICT = "no verdict"
AGREE, DIFFER = ("agrees", "holds"), ("differs", "reversed")


@dataclass(frozen=True)
class Verdict:
    """What a test says of our number beside another's, or of an order that is claimed.

    Parameters
    ----------
    kind
        "agrees" or "differs"; "holds", "reversed" or "not significant" with a direction; "no verdict"; or another
        reason why there is none, and nothing where there is nothing to be said.
    p
        Of the test, NaN without one.
    runs
        How many are behind it, of the smaller of two samples; None where there was no test.
    note
        What is told instead of the number of runs.

    Examples
    --------
    >>> str(Verdict("agrees", p=0.31, runs=100)), Verdict("agrees", p=0.31, runs=100).good
    ('agrees (100 runs)', True)
    """

    kind: str
    p: float = math.nan
    runs: int | None = None
    note: str = ""

    @property
    def good(self) -> bool | None:
        """Whether it speaks for us: True, False, or None if it does neither."""
        return True if self.kind in AGREE else False if self.kind in DIFFER else None

    def __str__(self) -> str:
        if self.note:
            return f"{self.kind}: {self.note}"
        return self.kind if self.runs is None else f"{self.kind} ({told_runs(self.runs)})"


def agreement_of_counts(solved: int, runs: int, among: Sequence[int], of: int, least: int = LEAST_RUNS) -> Verdict:
    """Whether successes agree with somebody else's: Fisher's exact test not significant at 5%.

    Parameters
    ----------
    solved, runs
        Ours.
    among, of
        The others' successes and runs. Where their successes may be one of several numbers, agreeing with one of them
        is enough; without any there is no verdict.
    least
        With fewer runs of ours there is no verdict.

    Examples
    --------
    >>> str(agreement_of_counts(97, 100, among=[99], of=100))
    'agrees (100 runs)'
    >>> str(agreement_of_counts(9, 12, among=[99], of=100))
    'no verdict (12 runs)'
    """
    p = max((_fisher(solved, runs, number, of) for number in among), default=math.nan)
    return agreement(p, runs, least)


def agreement_of_means(values: Sequence[float], mean: float, sd: float, of: int, least: int = LEAST_RUNS) -> Verdict:
    """Whether values agree with another's mean and standard deviation of so many runs: Welch's test, at 5%."""
    if len(values) < 2:
        return Verdict(NO_VERDICT, runs=len(values))
    ours, ours_sd = float(np.mean(values)), float(np.std(values, ddof=1))
    if ours_sd == 0 and sd == 0:
        p = float(ours == mean)
    else:
        p = float(stats.ttest_ind_from_stats(ours, ours_sd, len(values), mean, sd, of, equal_var=False).pvalue)
    return agreement(p, len(values), least)


def agreement(p: float, runs: int, least: int = LEAST_RUNS) -> Verdict:
    """The verdict that a test's p gives, if there are enough runs behind it."""
    if math.isnan(p) or runs < least:
        return Verdict(NO_VERDICT, p, runs)
    return Verdict("agrees" if p >= LEVEL else "differs", p, runs)


def order_of_two(p: float, effect: float, runs: int) -> Verdict:
    """Whether one is smaller than another as claimed, by a test's p and its effect, negative if it is smaller."""
    if runs < LEAST_RUNS:
        return Verdict(NO_VERDICT, p, runs)
    same = effect < 0
    if not p < LEVEL:
        return Verdict(f"not significant, {'same' if same else 'opposite'} direction", p, runs)
    return Verdict("holds" if same else "reversed", p, runs)


def equality_of_two(p: float, runs: int) -> Verdict:
    """Whether two are about equal as claimed: no significant difference."""
    if runs < LEAST_RUNS:
        return Verdict(NO_VERDICT, p, runs)
    return Verdict("differs" if p < LEVEL else "holds", p, runs)


def nobody_solves(solved: int, runs: int) -> Verdict:
    """Whether nobody solves it, as claimed."""
    if runs < LEAST_RUNS:
        return Verdict(NO_VERDICT, runs=runs)
    return Verdict("differs", runs=runs, note=f"solved {solved} of {runs}") if solved else Verdict("holds", runs=runs)


def told_runs(count: int) -> str:
    """A number of runs in words.

    Examples
    --------
    >>> told_runs(1), told_runs(1000)
    ('1 run', '1,000 runs')
    """
    return f"{count:,} {'run' if count == 1 else 'runs'}"


def _fisher(solved: int, runs: int, other_solved: int, other_runs: int) -> float:
    if runs == 0:
        return math.nan
    return float(stats.fisher_exact([[solved, runs - solved], [other_solved, other_runs - other_solved]]).pvalue)
