"""Primary statistical tests of the claims: p-value, effect size with its interval, and the effect size in the paper."""

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from divergent.analysis import MARGIN, censor_at_budget, difference_of_proportions, fisher, log_rank, welch
from divergent.replicate import paper

ALL_GENERATED = "generated"  # name that stands for all generated mazes in a comparison
RESAMPLES, PERMUTATIONS = 10_000, 9_999
SEED = 20261117  # fixed seed of bootstrap and permutations, so that the same runs give the same intervals and p-values

Statistic = Callable[[pd.DataFrame, pd.DataFrame], float]
Interval = Callable[[pd.DataFrame, pd.DataFrame, float], tuple[float, float]]


class Comparison(NamedTuple):
    """Comparison of two searches in a maze, or in all generated mazes."""

    maze: str
    first: str
    second: str


@dataclass(frozen=True)
class Test:
    """Primary statistical test of a claim, which compares the runs of two searches.

    Parameters
    ----------
    name : str
        Name of the test in the report.
    measure : str
        Name of the effect size in the report.
    direction : int
        Sign of the effect that the paper claims; 0 if the paper claims equality.
    effect : callable
        Returns the effect size, given the runs of both searches.
    p : callable
        Returns the p-value, given the runs of both searches; a claim of equality is tested by two one-sided tests.
    interval : callable
        Returns the interval of the effect size, given the runs of both searches and a confidence level.
    paper : callable
        Returns the effect size that the paper reports for a comparison.
    numbers : callable
        Returns the results that the paper reports for a comparison, as a string.
    form : str, default="+.1%"
        Format specification of printed effect sizes.
    unit : str, default="runs"
        Sample unit of the test: "runs", or "mazes" if the test compares means that are paired by maze.
    """

    __test__ = False  # prevents pytest from collecting this class as a test

    name: str
    measure: str
    direction: int
    effect: Statistic
    p: Statistic
    interval: Interval
    paper: Callable[[Comparison], float]
    numbers: Callable[[Comparison], str]
    form: str = "+.1%"
    unit: str = "runs"

    def margin(self, comparison: Comparison) -> float:
        """Return the equivalence margin: half the effect in the paper, or 20 % of its mean for a claim of equality."""
        return abs(self.paper(comparison)) / 2 if self.direction else MARGIN


def _values(runs: pd.DataFrame, column: str) -> np.ndarray:
    return runs[column].to_numpy(dtype=float)


def _evaluations(runs: pd.DataFrame) -> np.ndarray:
    return _values(censor_at_budget(runs), "evaluations")


def _of_solutions(column: str) -> Callable[[pd.DataFrame], np.ndarray]:
    """Return a function that selects the values of a column in successful runs."""

    def values(runs: pd.DataFrame) -> np.ndarray:
        return _values(runs[runs["solved"]], column)

    return values


def _paired(column: str) -> Callable[[pd.DataFrame, pd.DataFrame], tuple[np.ndarray, np.ndarray]]:
    """Return a function that computes, for two searches, the mean of a column in each maze."""

    def pairs(first: pd.DataFrame, second: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
        means = [censor_at_budget(runs).groupby("maze")[column].mean() for runs in (first, second)]
        table = pd.concat(means, axis=1, join="inner").sort_index()
        return table.iloc[:, 0].to_numpy(dtype=float), table.iloc[:, 1].to_numpy(dtype=float)

    return pairs


def _bootstrap(
    samples: Sequence[np.ndarray], statistic: Callable[..., np.ndarray], level: float, paired: bool
) -> tuple[float, float]:
    """Return the BCa bootstrap interval of a statistic, or the percentile interval if the BCa interval is undefined."""
    for method in ("BCa", "percentile"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # degenerate bootstrap distribution
            interval = stats.bootstrap(
                tuple(samples), statistic, paired=paired, vectorized=True, n_resamples=RESAMPLES, batch=500,
                confidence_level=level, method=method, random_state=np.random.default_rng(SEED),
            ).confidence_interval  # fmt: skip
        if np.isfinite([interval.low, interval.high]).all():
            break
    return float(interval.low), float(interval.high)


def _relative(first: np.ndarray, second: np.ndarray, axis: int = -1) -> np.ndarray:
    return first.mean(axis=axis) / second.mean(axis=axis) - 1


def _difference(first: np.ndarray, second: np.ndarray, axis: int = -1) -> np.ndarray:
    return first.mean(axis=axis) - second.mean(axis=axis)


def _untied(first: np.ndarray, second: np.ndarray, axis: int = -1) -> np.ndarray:
    return (first > second).mean(axis=axis) - (first < second).mean(axis=axis)


def _slope(difference: np.ndarray, failures: np.ndarray, axis: int = -1) -> np.ndarray:
    centred = failures - failures.mean(axis=axis, keepdims=True)
    return (centred * difference).sum(axis=axis) / (centred**2).sum(axis=axis)


def _two_samples(
    values: Callable[[pd.DataFrame], np.ndarray], statistic: Callable[..., np.ndarray]
) -> tuple[Statistic, Interval]:
    """Return functions that compute an effect size and its bootstrap interval from two independent samples of runs."""

    def effect(first: pd.DataFrame, second: pd.DataFrame) -> float:
        samples = values(first), values(second)
        return float(statistic(*samples)) if min(map(len, samples)) > 1 else math.nan

    def interval(first: pd.DataFrame, second: pd.DataFrame, level: float) -> tuple[float, float]:
        return _bootstrap((values(first), values(second)), statistic, level, paired=False)

    return effect, interval


def _over_mazes(
    pairs: Callable[[pd.DataFrame, pd.DataFrame], tuple[np.ndarray, np.ndarray]], statistic: Callable[..., np.ndarray]
) -> tuple[Statistic, Interval]:
    """Return functions that compute an effect size and its bootstrap interval from means that are paired by maze."""

    def effect(first: pd.DataFrame, second: pd.DataFrame) -> float:
        return float(statistic(*pairs(first, second)))

    def interval(first: pd.DataFrame, second: pd.DataFrame, level: float) -> tuple[float, float]:
        return _bootstrap(pairs(first, second), statistic, level, paired=True)

    return effect, interval


def _welch(values: Callable[[pd.DataFrame], np.ndarray]) -> Statistic:
    def p(first: pd.DataFrame, second: pd.DataFrame) -> float:
        samples = values(first), values(second)
        if min(len(sample) for sample in samples) < 2:
            return 1.0
        moments = [(float(sample.mean()), float(sample.std(ddof=1)), len(sample)) for sample in samples]
        return welch(*moments[0], *moments[1])

    return p


def _permutation(column: str) -> Statistic:
    """Return a function that computes the p-value of a sign-flip permutation test on the differences in each maze."""

    def p(first: pd.DataFrame, second: pd.DataFrame) -> float:
        differences = np.subtract(*_paired(column)(first, second))
        return float(
            stats.permutation_test(
                (differences,), np.mean, permutation_type="samples", vectorized=True, n_resamples=PERMUTATIONS,
                random_state=np.random.default_rng(SEED),
            ).pvalue
        )  # fmt: skip

    return p


def _sign_test(first: pd.DataFrame, second: pd.DataFrame) -> float:
    more, fewer = (int(test(*_paired("solved")(first, second)).sum()) for test in (np.greater, np.less))
    return float(stats.binomtest(more, more + fewer).pvalue) if more + fewer else 1.0


def _solved(runs: pd.DataFrame) -> tuple[int, int]:
    return int(runs["solved"].sum()), len(runs)


def _fisher(first: pd.DataFrame, second: pd.DataFrame) -> float:
    return fisher(*_solved(first), *_solved(second))


def _proportions(first: pd.DataFrame, second: pd.DataFrame) -> float:
    return float(first["solved"].mean() - second["solved"].mean())


def _newcombe(first: pd.DataFrame, second: pd.DataFrame, level: float) -> tuple[float, float]:
    return difference_of_proportions(*_solved(first), *_solved(second), alpha=1 - level)


_EQUAL_MEAN = paper.EVALUATIONS["very_hard", "ssnp"].mean


def _of_paper_mean(first: np.ndarray, second: np.ndarray, axis: int = -1) -> np.ndarray:
    return _difference(first, second, axis) / _EQUAL_MEAN


def _two_one_sided(first: pd.DataFrame, second: pd.DataFrame) -> float:
    from statsmodels.stats.weightstats import ttost_ind

    margin = MARGIN * _EQUAL_MEAN
    return float(ttost_ind(_evaluations(first), _evaluations(second), -margin, margin, usevar="unequal")[0])


def _scaling(first: pd.DataFrame, second: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return two arrays with one number per maze.

    The first array is the difference between the success rates of two searches. The second array is the failure rate
    of objective search.
    """
    return np.subtract(*_paired("solved")(first, second)), _paired("failures")(first, second)[0]


def _slope_p(first: pd.DataFrame, second: pd.DataFrame) -> float:
    differences, failures = _scaling(first, second)
    return float(stats.linregress(failures, differences).pvalue)


def _spearman(runs: pd.DataFrame, _: pd.DataFrame) -> float:
    return float(stats.spearmanr(runs["clusters"].astype(float), _evaluations(runs)).statistic)


def _spearman_p(runs: pd.DataFrame, _: pd.DataFrame) -> float:
    return float(stats.spearmanr(runs["clusters"].astype(float), _evaluations(runs)).pvalue)


def _spearman_interval(runs: pd.DataFrame, _: pd.DataFrame, level: float) -> tuple[float, float]:
    ranks = stats.rankdata(runs["clusters"].astype(float)), stats.rankdata(_evaluations(runs))
    interval = stats.pearsonr(*ranks).confidence_interval(level)
    return float(interval.low), float(interval.high)


def _paper_means(comparison: Comparison) -> tuple[paper.Mean, paper.Mean]:
    """Return the mean evaluations that the paper reports for both searches of a comparison."""
    maze, first, second = comparison
    if maze == ALL_GENERATED:
        return paper.GENERATED_EVALUATIONS[first], paper.GENERATED_EVALUATIONS[second]
    return paper.EVALUATIONS[maze, first], paper.EVALUATIONS[maze, second]


def _paper_relative(comparison: Comparison) -> float:
    first, second = _paper_means(comparison)
    return first.mean / second.mean - 1


def _paper_evaluations(comparison: Comparison) -> str:
    first, second = _paper_means(comparison)
    return f"{first.mean:,.0f}, {second.mean:,.0f} evaluations"


def _paper_counts(comparison: Comparison) -> list[paper.Count]:
    return [paper.SOLVED[comparison.maze, search] for search in comparison[1:]]


def _paper_proportions(comparison: Comparison) -> float:
    first, second = _paper_counts(comparison)
    return first.among[0] / first.runs - second.among[0] / second.runs


def _genotype(measure: str) -> tuple[Callable[[Comparison], float], Callable[[Comparison], str]]:
    def means(comparison: Comparison) -> list[paper.Mean]:
        return [paper.GENOTYPES[comparison.maze, search][measure] for search in comparison[1:]]

    def effect(comparison: Comparison) -> float:
        first, second = means(comparison)
        return first.mean / second.mean - 1

    def numbers(comparison: Comparison) -> str:
        return ", ".join(f"{each.mean:g} ({each.sd:g})" for each in means(comparison))

    return effect, numbers


def _paper_entropy(comparison: Comparison) -> float:
    maze, first, second = comparison
    return paper.ENTROPY[maze, first].entropy - paper.ENTROPY[maze, second].entropy


def _paper_rankings(comparison: Comparison) -> float:
    _, first, second = comparison
    return (paper.RANKINGS[first, second] - paper.RANKINGS[second, first]) / 100


def _assumed(effect: float, words: str) -> tuple[Callable[[Comparison], float], Callable[[Comparison], str]]:
    """Return functions that return the assumed size and the description of an effect that the paper does not report."""
    return lambda comparison: effect, lambda comparison: words


TESTS = {
    "faster": Test(
        "log-rank test on evaluations, censored at the budget",
        "relative difference of mean evaluations", -1,
        _two_samples(_evaluations, _relative)[0], log_rank, _two_samples(_evaluations, _relative)[1],
        _paper_relative, _paper_evaluations,
    ),
    "more successes": Test(
        "Fisher's exact test on the number of successful runs", "difference of success rates", 1,
        _proportions, _fisher, _newcombe,
        _paper_proportions,
        lambda comparison: ", ".join(count.text for count in _paper_counts(comparison)) + " of 100 solved",
    ),
    "about as fast": Test(
        "two one-sided Welch tests (TOST) on mean evaluations, margin 20 % of the mean in the paper",
        "difference of mean evaluations, relative to the mean in the paper", 0,
        _two_samples(_evaluations, _of_paper_mean)[0], _two_one_sided, _two_samples(_evaluations, _of_paper_mean)[1],
        _paper_relative, _paper_evaluations,
    ),
    "larger networks": Test(
        "Welch's test on the number of connections of solutions",
        "relative difference of the mean number of connections", 1,
        _two_samples(_of_solutions("connections"), _relative)[0], _welch(_of_solutions("connections")),
        _two_samples(_of_solutions("connections"), _relative)[1], *_genotype("connections"),
    ),
    "more diverse": Test(
        "Welch's test on the mean compatibility distance of each solution to the solutions of the other runs",
        "relative difference of mean compatibility distance", 1,
        _two_samples(_of_solutions("solution_distance"), _relative)[0],
        _welch(_of_solutions("solution_distance")),
        _two_samples(_of_solutions("solution_distance"), _relative)[1], *_genotype("compatibility"),
    ),
    "higher entropy": Test(
        "Welch's test on the entropy of the final positions in successful runs", "difference of mean entropy",
        1, _two_samples(_of_solutions("entropy"), _difference)[0], _welch(_of_solutions("entropy")),
        _two_samples(_of_solutions("entropy"), _difference)[1],
        _paper_entropy,
        lambda comparison: ", ".join(f"{paper.ENTROPY[comparison.maze, search].entropy}" for search in comparison[1:])
        + ", one run each",
        form="+.3f",
    ),
    "faster over mazes": Test(
        "sign-flip permutation test on mean evaluations, paired by maze",
        "relative difference of mean evaluations", -1,
        _over_mazes(_paired("evaluations"), _relative)[0], _permutation("evaluations"),
        _over_mazes(_paired("evaluations"), _relative)[1], _paper_relative, _paper_evaluations, unit="mazes",
    ),
    "more mazes": Test(
        "sign test (exact binomial) over mazes in which one search has strictly more successful runs than the other",
        "fraction of mazes with more successful runs minus fraction of mazes with fewer successful runs", 1,
        _over_mazes(_paired("solved"), _untied)[0], _sign_test, _over_mazes(_paired("solved"), _untied)[1],
        _paper_rankings,
        lambda comparison: f"more in {paper.RANKINGS[comparison[1:]]} %, "
        f"fewer in {paper.RANKINGS[comparison.second, comparison.first]} % of mazes",
        unit="mazes",
    ),
    "higher intercept": Test(
        "sign-flip permutation test on success rates, paired by maze",
        "difference of success rates at equal failure rates of objective search", 1,
        _over_mazes(_paired("solved"), _difference)[0], _permutation("solved"),
        _over_mazes(_paired("solved"), _difference)[1],
        *_assumed(0.05, "ANCOVA p < 0.05, no numbers; assumed 5 points"), unit="mazes",
    ),
    "scales better": Test(
        "linear regression, over mazes, of the difference of success rates on the failure rate of objective search",
        "slope of the regression", 1,
        _over_mazes(_scaling, _slope)[0], _slope_p, _over_mazes(_scaling, _slope)[1],
        *_assumed(0.1, "no test, no numbers; assumed 0.1"), form="+.3f", unit="mazes",
    ),
    "falls with k": Test(
        "Spearman's rank correlation of evaluations with k", "rank correlation", -1,
        _spearman, _spearman_p, _spearman_interval,
        *_assumed(-0.2, "no test, no numbers; assumed -0.2"), form="+.2f",
    ),
}  # fmt: skip
