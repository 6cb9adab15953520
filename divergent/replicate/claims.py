"""The claims of the paper, the one primary test of each, and the outcome on seeds that were not used before.

The rules were committed before the runs that they judge. A claim states that one search does better than another (or
about as well) in one or several mazes; it is as strong as its weakest comparison. `evaluate` gives a row per claim.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from divergent.analysis import LEVEL, at_budget, fisher, holm, log_rank
from divergent.plots.style import label
from divergent.replicate import paper
from divergent.replicate.experiments import GENERATED_NAMES
from divergent.replicate.results import Results
from divergent.replicate.words import number
from divergent.replicate.words import p as p_words

FIRST_SEED = 1000  # no run before the rules has a seed from here on
LEHMAN, DEFAULT, SENSITIVITY = "as in Lehman's program", "default", "default, varied k and n"
GENERATED = "generated"  # all sixty mazes, which are compared in pairs


class Planned(NamedTuple):
    """The runs that decide in a maze: the configuration, and the seeds of each search."""

    configuration: str
    seeds: range


PLAN = {
    "medium": Planned(LEHMAN, range(1000, 1150)),
    "hard": Planned(LEHMAN, range(1000, 1150)),
    "very_hard": Planned(DEFAULT, range(1000, 1150)),
    "extremely_hard": Planned(DEFAULT, range(1000, 1100)),
    GENERATED: Planned(DEFAULT, range(1000, 1020)),  # in each of the sixty mazes
}
COMMITTED = range(FIRST_SEED)
POWER = 0.8
EQUAL_MARGIN = 0.2  # of the paper's mean
RESAMPLES = 9_999
SEED = 20261117  # of resampling: the same runs have the same interval and p

REPLICATED, NOT_CONFIRMED, CONTRADICTED = "replicated", "not confirmed", "contradicted"
UNDECIDED, PENDING, DESCRIPTIVE = "undecided", "pending", "descriptive"
OUTCOMES = (REPLICATED, NOT_CONFIRMED, CONTRADICTED, UNDECIDED, PENDING, DESCRIPTIVE)

Statistic = Callable[[pd.DataFrame, pd.DataFrame], float]
Interval = Callable[[pd.DataFrame, pd.DataFrame, float], tuple[float, float]]


class Comparison(NamedTuple):
    """Two searches in a maze, or in all generated mazes."""

    maze: str
    first: str
    second: str


@dataclass(frozen=True)
class Test:
    """A primary test with its effect, both between the runs of a first and a second search.

    Parameters
    ----------
    name : str
        The test, in words.
    measure : str
        The effect, in words.
    direction : int
        Sign of the effect that the paper claims; 0 for a claim of equality.
    effect : callable
        The effect.
    p : callable
        The p of the test: two-tailed, or of two one-sided tests for a claim of equality.
    interval : callable
        The interval of the effect at a confidence level.
    paper : callable
        The effect in the paper for a comparison.
    numbers : callable
        The numbers of the paper for a comparison, in words.
    form : str, default="+.1%"
        How an effect is printed.
    unit : str, default="runs"
        The sample unit: runs, or mazes for paired tests.
    """

    __test__ = False  # pytest must not collect it

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
        """Return the margin of equivalence: half of the paper's effect, or 20 % of its mean for equality."""
        return abs(self.paper(comparison)) / 2 if self.direction else EQUAL_MARGIN


@dataclass(frozen=True)
class Claim:
    """A claim of the paper with the rule that decides it.

    Parameters
    ----------
    id : str
        A short unique name.
    statement : str
        The claim in one sentence.
    where : str
        The place in the paper.
    test : str
        A name in `TESTS`.
    comparisons : tuple of Comparison
        All of them must hold; the weakest decides.
    committed : str or None, default=None
        The configuration of the runs that were committed before the rules, where no others are planned; the claim is
        then descriptive. None if the runs of `PLAN` decide.
    """

    id: str
    statement: str
    where: str
    test: str
    comparisons: tuple[Comparison, ...]
    committed: str | None = None

    @property
    def primary(self) -> bool:
        """Whether fresh runs are planned, so that the test counts in Holm's correction."""
        return self.committed is None

    def planned(self, maze: str) -> Planned:
        """Return the configuration and the seeds that are compared in a maze."""
        return PLAN[maze] if self.committed is None else Planned(self.committed, COMMITTED)


def _values(runs: pd.DataFrame, column: str) -> np.ndarray:
    return runs[column].to_numpy(dtype=float)


def _evaluations(runs: pd.DataFrame) -> np.ndarray:
    return _values(at_budget(runs), "evaluations")


def _of_solutions(column: str) -> Callable[[pd.DataFrame], np.ndarray]:
    """A column of the runs that solved their maze, as the paper's table of genotypes has it."""

    def values(runs: pd.DataFrame) -> np.ndarray:
        return _values(runs[runs["solved"]], column)

    return values


def _paired(column: str) -> Callable[[pd.DataFrame, pd.DataFrame], tuple[np.ndarray, np.ndarray]]:
    """Means of a column by maze, for two searches in the same order of mazes."""

    def pairs(first: pd.DataFrame, second: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
        means = [at_budget(runs).groupby("maze")[column].mean() for runs in (first, second)]
        table = pd.concat(means, axis=1, join="inner").sort_index()
        return table.iloc[:, 0].to_numpy(dtype=float), table.iloc[:, 1].to_numpy(dtype=float)

    return pairs


def _bootstrap(
    samples: Sequence[np.ndarray], statistic: Callable[..., np.ndarray], level: float, paired: bool
) -> tuple[float, float]:
    """Bootstrap interval, bias-corrected and accelerated; percentile where that is undefined."""
    for method in ("BCa", "percentile"):
        with np.errstate(all="ignore"):
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
    """Effect and interval of two independent samples of runs."""

    def effect(first: pd.DataFrame, second: pd.DataFrame) -> float:
        return float(statistic(values(first), values(second)))

    def interval(first: pd.DataFrame, second: pd.DataFrame, level: float) -> tuple[float, float]:
        return _bootstrap((values(first), values(second)), statistic, level, paired=False)

    return effect, interval


def _over_mazes(
    pairs: Callable[[pd.DataFrame, pd.DataFrame], tuple[np.ndarray, np.ndarray]], statistic: Callable[..., np.ndarray]
) -> tuple[Statistic, Interval]:
    """Effect and interval of paired means, by bootstrap over mazes."""

    def effect(first: pd.DataFrame, second: pd.DataFrame) -> float:
        return float(statistic(*pairs(first, second)))

    def interval(first: pd.DataFrame, second: pd.DataFrame, level: float) -> tuple[float, float]:
        return _bootstrap(pairs(first, second), statistic, level, paired=True)

    return effect, interval


def _mann_whitney(values: Callable[[pd.DataFrame], np.ndarray]) -> Statistic:
    def p(first: pd.DataFrame, second: pd.DataFrame) -> float:
        return float(stats.mannwhitneyu(values(first), values(second), alternative="two-sided").pvalue)

    return p


def _permutation(column: str) -> Statistic:
    """The p of a paired permutation test: the signs of the differences of mazes are exchanged."""

    def p(first: pd.DataFrame, second: pd.DataFrame) -> float:
        differences = np.subtract(*_paired(column)(first, second))
        return float(
            stats.permutation_test(
                (differences,), np.mean, permutation_type="samples", vectorized=True, n_resamples=RESAMPLES,
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
    from statsmodels.stats.proportion import confint_proportions_2indep

    low, high = confint_proportions_2indep(*_solved(first), *_solved(second), method="newcomb", alpha=1 - level)
    return max(-1.0, float(low)), min(1.0, float(high))


_EQUAL_MEAN = paper.EVALUATIONS["very_hard", "ssnp"].mean


def _of_paper_mean(first: np.ndarray, second: np.ndarray, axis: int = -1) -> np.ndarray:
    return _difference(first, second, axis) / _EQUAL_MEAN


def _two_one_sided(first: pd.DataFrame, second: pd.DataFrame) -> float:
    from statsmodels.stats.weightstats import ttost_ind

    margin = EQUAL_MARGIN * _EQUAL_MEAN
    return float(ttost_ind(_evaluations(first), _evaluations(second), -margin, margin, usevar="unequal")[0])


def _scaling(first: pd.DataFrame, second: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Differences of success rates by maze, and the failure rates of objective search in the same order."""
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
    """The paper's evaluations of both searches."""
    maze, first, second = comparison
    if maze == GENERATED:
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
    """An effect where the paper reports significance or a trend without a number."""
    return lambda comparison: effect, lambda comparison: words


TESTS = {
    "faster": Test(
        "log-rank test on evaluations, censored at the budget",
        "relative difference of mean evaluations (unsolved runs at the budget)", -1,
        _two_samples(_evaluations, _relative)[0], log_rank, _two_samples(_evaluations, _relative)[1],
        _paper_relative, _paper_evaluations,
    ),
    "more successes": Test(
        "Fisher's exact test on the number of runs that solved", "difference of success rates", 1,
        _proportions, _fisher, _newcombe,
        _paper_proportions,
        lambda comparison: ", ".join(count.text for count in _paper_counts(comparison)) + " of 100 solved",
    ),
    "about as fast": Test(
        "two one-sided Welch tests (TOST) on mean evaluations, margin 20 % of the paper's mean",
        "difference of mean evaluations, relative to the paper's mean", 0,
        _two_samples(_evaluations, _of_paper_mean)[0], _two_one_sided, _two_samples(_evaluations, _of_paper_mean)[1],
        _paper_relative, _paper_evaluations,
    ),
    "larger networks": Test(
        "Mann-Whitney U test on the connections of solutions", "relative difference of mean connections", 1,
        _two_samples(_of_solutions("connections"), _relative)[0], _mann_whitney(_of_solutions("connections")),
        _two_samples(_of_solutions("connections"), _relative)[1], *_genotype("connections"),
    ),
    "more diverse": Test(
        "Mann-Whitney U test on the mean compatibility distance of each solution to the solutions of the other runs",
        "relative difference of mean compatibility distance", 1,
        _two_samples(_of_solutions("solution_distance"), _relative)[0],
        _mann_whitney(_of_solutions("solution_distance")),
        _two_samples(_of_solutions("solution_distance"), _relative)[1], *_genotype("compatibility"),
    ),
    "higher entropy": Test(
        "Mann-Whitney U test on the entropy of the final positions of runs that solved", "difference of mean entropy",
        1, _two_samples(_of_solutions("entropy"), _difference)[0], _mann_whitney(_of_solutions("entropy")),
        _two_samples(_of_solutions("entropy"), _difference)[1],
        _paper_entropy,
        lambda comparison: ", ".join(f"{paper.ENTROPY[comparison.maze, search].entropy}" for search in comparison[1:])
        + ", one run each",
        form="+.3f",
    ),
    "faster over mazes": Test(
        "paired permutation test on mean evaluations by maze",
        "relative difference of mean evaluations (unsolved runs at the budget)", -1,
        _over_mazes(_paired("evaluations"), _relative)[0], _permutation("evaluations"),
        _over_mazes(_paired("evaluations"), _relative)[1], _paper_relative, _paper_evaluations, unit="mazes",
    ),
    "more mazes": Test(
        "sign test (exact binomial) over mazes in which one search solves strictly more runs than the other",
        "fraction of mazes with more successes minus fraction with fewer", 1,
        _over_mazes(_paired("solved"), _untied)[0], _sign_test, _over_mazes(_paired("solved"), _untied)[1],
        _paper_rankings,
        lambda comparison: f"more in {paper.RANKINGS[comparison[1:]]} %, "
        f"fewer in {paper.RANKINGS[comparison.second, comparison.first]} % of mazes",
        unit="mazes",
    ),
    "higher intercept": Test(
        "paired permutation test on success rates by maze",
        "difference of success rates at equal failures of objective search", 1,
        _over_mazes(_paired("solved"), _difference)[0], _permutation("solved"),
        _over_mazes(_paired("solved"), _difference)[1],
        *_assumed(0.05, "ANCOVA p < 0.05, no numbers; assumed 5 points"), unit="mazes",
    ),
    "scales better": Test(
        "slope of the regression, over mazes, of the difference of success rates on objective search's failure rate",
        "slope", 1,
        _over_mazes(_scaling, _slope)[0], _slope_p, _over_mazes(_scaling, _slope)[1],
        *_assumed(0.1, "no test, no numbers; assumed 0.1"), form="+.3f", unit="mazes",
    ),
    "falls with k": Test(
        "Spearman's rank correlation of evaluations with k", "rank correlation", -1,
        _spearman, _spearman_p, _spearman_interval,
        *_assumed(-0.2, "no test, no numbers; assumed -0.2"), form="+.2f",
    ),
}  # fmt: skip


def _in_mazes(mazes: Sequence[str], *pairs: tuple[str, str]) -> tuple[Comparison, ...]:
    return tuple(Comparison(maze, *pair) for maze in mazes for pair in pairs)


_PAIR = ("surprise", "novelty")
_OBJECTIVE = (("novelty", "objective"), ("surprise", "objective"))

CLAIMS = (
    Claim(
        "beats-objective-published",
        "Novelty and surprise search reach the goal faster than objective search in the medium and hard maze.",
        "VII-A, VII-B", "faster", _in_mazes(paper.PUBLISHED, *_OBJECTIVE),
    ),
    Claim(
        "beats-objective-very-hard",
        "Novelty and surprise search solve the very hard maze more often than objective search, which never does.",
        "VII-A", "more successes", _in_mazes(("very_hard",), *_OBJECTIVE), DEFAULT,
    ),
    Claim(
        "beats-objective-generated",
        "Novelty and surprise search need fewer evaluations than objective search over the generated mazes.",
        "VIII-B", "faster over mazes", _in_mazes((GENERATED,), *_OBJECTIVE), DEFAULT,
    ),
    Claim(
        "faster-medium", "Surprise search reaches the goal of the medium maze faster than novelty search.",
        "VII-B, abstract", "faster", _in_mazes(("medium",), _PAIR),
    ),
    Claim(
        "faster-hard", "Surprise search reaches the goal of the hard maze faster than novelty search.",
        "VII-B, abstract", "faster", _in_mazes(("hard",), _PAIR),
    ),
    Claim(
        "faster-very-hard", "Surprise search reaches the goal of the very hard maze faster than novelty search.",
        "VII-B, abstract", "faster", _in_mazes(("very_hard",), _PAIR),
    ),
    Claim(
        "faster-extremely-hard",
        "Surprise search reaches the goal of the extremely hard maze faster than novelty search.",
        "VII-B, abstract", "faster", _in_mazes(("extremely_hard",), _PAIR),
    ),
    Claim(
        "faster-generated", "Surprise search needs fewer evaluations than novelty search over the generated mazes.",
        "VIII-B", "faster over mazes", _in_mazes((GENERATED,), _PAIR),
    ),
    Claim(
        "robust-hard", "Surprise search solves the hard maze in more runs than novelty search.",
        "VII-B, abstract", "more successes", _in_mazes(("hard",), _PAIR),
    ),
    Claim(
        "robust-very-hard", "Surprise search solves the very hard maze in more runs than novelty search.",
        "VII-B, abstract", "more successes", _in_mazes(("very_hard",), _PAIR),
    ),
    Claim(
        "robust-extremely-hard", "Surprise search solves the extremely hard maze in more runs than novelty search.",
        "VII-B, abstract", "more successes", _in_mazes(("extremely_hard",), _PAIR),
    ),
    Claim(
        "prediction",
        "Surprise search is faster than SSnp, surprise search without prediction, in the medium, hard and very hard "
        "maze.",
        "VII-B, IX", "faster", _in_mazes(("medium", "hard", "very_hard"), ("surprise", "ssnp")),
    ),
    Claim(
        "prediction-extremely-hard", "Surprise search is faster than SSnp in the extremely hard maze.",
        "VII-B", "faster", _in_mazes(("extremely_hard",), ("surprise", "ssnp")), DEFAULT,
    ),
    Claim(
        "novelty-like-ssnp", "Novelty search and SSnp are about as fast in the very hard maze.",
        "VII-A, VII-B", "about as fast", _in_mazes(("very_hard",), ("novelty", "ssnp")),
    ),
    Claim(
        "baselines-fail",
        "SSr and random search never solve the very hard and extremely hard maze, which surprise search solves.",
        "VII-A, VII-B", "more successes",
        _in_mazes(("very_hard", "extremely_hard"), ("surprise", "ssr"), ("surprise", "random")), DEFAULT,
    ),
    Claim(
        "larger-networks", "Surprise search evolves networks with more connections than novelty search in every maze.",
        "VII-C, Table II", "larger networks", _in_mazes(paper.MAZES, _PAIR),
    ),
    Claim(
        "diverse-genotypes", "Solutions of surprise search are genotypically more diverse than those of novelty search "
        "in every maze.",
        "VII-C, Table II, abstract", "more diverse", _in_mazes(paper.MAZES, _PAIR),
    ),
    Claim(
        "entropy", "Surprise search explores every maze more uniformly than novelty search.",
        "VII-C, Table I, abstract", "higher entropy", _in_mazes(paper.MAZES, _PAIR),
    ),
    Claim(
        "higher-k", "Surprise search needs fewer evaluations with a higher k (medium and hard maze).",
        "VI-C, Fig. 5", "falls with k", _in_mazes(paper.PUBLISHED, ("surprise", "surprise")), SENSITIVITY,
    ),
    Claim(
        "more-generated", "Surprise search solves more runs than novelty search in more generated mazes than fewer.",
        "VIII-B, Table III", "more mazes", _in_mazes((GENERATED,), _PAIR),
    ),
    Claim(
        "intercept-generated",
        "Regressed on the failures of objective search, the successes of surprise search have the higher intercept.",
        "VIII-B, Fig. 9", "higher intercept", _in_mazes((GENERATED,), _PAIR),
    ),
    Claim(
        "scaling-generated", "The advantage of surprise over novelty search grows with the deceptiveness of the maze.",
        "VIII-B, Fig. 9", "scales better", _in_mazes((GENERATED,), _PAIR),
    ),
)  # fmt: skip

PRIMARY = tuple(claim for claim in CLAIMS if claim.primary)


def tables(found: Mapping[str, Results]) -> dict[str, pd.DataFrame]:
    """Return the runs by configuration, with the columns that the tests need.

    Parameters
    ----------
    found : mapping of str to Results
        Committed results by experiment.

    Returns
    -------
    dict of str to pandas.DataFrame
        For each configuration a table of runs. `solution_distance` is the mean compatibility distance of a solution to
        the solutions of the other runs. `failures` is the failure rate of objective search in the maze, from the runs
        that were committed before the rules.
    """
    sources = {
        LEHMAN: ("lehman",),
        DEFAULT: ("authored", "generated"),
        SENSITIVITY: ("sensitivity-surprise",),
    }
    runs = {}
    for configuration, names in sources.items():
        parts = [_with_distances(found[name]) for name in names if name in found]
        if parts:
            runs[configuration] = pd.concat(parts, ignore_index=True)
    return runs


def compare(tables: Mapping[str, pd.DataFrame], claims: Sequence[Claim] = CLAIMS) -> pd.DataFrame:
    """Return a row per comparison of each claim: effect, p, sample sizes and the effect in the paper.

    Parameters
    ----------
    tables : mapping of str to pandas.DataFrame
        Runs by configuration, see `tables`.
    claims : sequence of Claim, default=CLAIMS
        The claims.

    Returns
    -------
    pandas.DataFrame
        Columns claim, maze, first, second, n_first, n_second, effect, p, paper, margin. Effect and p are NaN where a
        planned run is missing.
    """
    rows = []
    for claim in claims:
        test = TESTS[claim.test]
        for comparison in claim.comparisons:
            first, second = _samples(tables, claim, comparison)
            complete = _complete(claim, comparison, first) and _complete(claim, comparison, second)
            rows.append(
                {"claim": claim.id, **comparison._asdict(), "n_first": len(first), "n_second": len(second)}
                | {"effect": test.effect(first, second) if complete else math.nan}
                | {"p": test.p(first, second) if complete else math.nan}
                | {"paper": test.paper(comparison), "margin": test.margin(comparison)}
            )
    return pd.DataFrame(rows)


def decisive(comparisons: pd.DataFrame, claims: Sequence[Claim] = CLAIMS) -> pd.DataFrame:
    """Return the weakest comparison of each claim, with p and p corrected by Holm's method over the primary tests.

    If all comparisons of a claim have the claimed direction, the largest p is that of the claim (intersection-union
    test). Otherwise the smallest p of those with the other direction is, multiplied by the number of comparisons. A
    claim whose runs are not complete counts with p = 1 in the correction.
    """
    rows = []
    for claim in claims:
        group = comparisons[comparisons["claim"] == claim.id].reset_index(drop=True)
        if group["p"].isna().any():
            rows.append({**group.iloc[0], "effect": math.nan, "p": math.nan})
            continue
        against = TESTS[claim.test].direction * group["effect"] < 0
        place = group.loc[against, "p"].idxmin() if against.any() else group["p"].idxmax()
        row = group.loc[place].to_dict()
        rows.append({**row, "p": min(1.0, row["p"] * len(group)) if against.any() else row["p"]})
    table = pd.DataFrame(rows)
    primary = np.array([claim.primary for claim in claims])
    known = table["p"].where(table["p"].notna(), 1.0)
    table["p_holm"] = np.nan
    table.loc[primary, "p_holm"] = holm(known[primary].to_list())
    table["tests"] = [int((known[primary] >= p).sum()) if main else 1 for p, main in zip(known, primary, strict=True)]
    return table.assign(p_holm=table["p_holm"].where(table["p"].notna()))


def evaluate(tables: Mapping[str, pd.DataFrame], claims: Sequence[Claim] = CLAIMS) -> pd.DataFrame:
    """Decide every claim on its planned runs.

    Parameters
    ----------
    tables : mapping of str to pandas.DataFrame
        Runs by configuration, see `tables`.
    claims : sequence of Claim, default=CLAIMS
        The claims.

    Returns
    -------
    pandas.DataFrame
        A row per claim: claim, maze, first, second (of the weakest comparison), outcome, effect, low, high (95 %
        interval), paper (its effect), p, p_holm, runs (of each search in the maze), runs_paper, and runs_needed for
        80 % power where the outcome is undecided.
    """
    table = decisive(compare(tables, claims), claims)
    rows = []
    for claim, row in zip(claims, table.to_dict("records"), strict=True):
        test = TESTS[claim.test]
        comparison = Comparison(row["maze"], row["first"], row["second"])
        outcome, needed, low, high = PENDING, math.nan, math.nan, math.nan
        if not math.isnan(row["p"]):
            samples = _samples(tables, claim, comparison)
            low, high = test.interval(*samples, 1 - LEVEL)
            outcome = DESCRIPTIVE
        if claim.primary and outcome != PENDING:
            inner = test.interval(*samples, 1 - 2 * LEVEL)
            outcome = judge(
                test.direction, row["effect"], (low, high), inner, row["p_holm"], row["paper"], row["margin"]
            )
        if outcome == UNDECIDED:
            n = len(GENERATED_NAMES) if comparison.maze == GENERATED else min(row["n_first"], row["n_second"])
            target = row["paper"] if test.direction else row["margin"]
            needed = needed_for_power(high - low, n, target, row["tests"], equality=not test.direction)
        row |= {"outcome": outcome, "low": low, "high": high, "n_needed": needed}
        rows.append(row | {"n_paper": _paper_runs(claim), "unit": test.unit})
    columns = ["claim", "maze", "first", "second", "outcome", "effect", "low", "high", "paper", "margin", "p", "p_holm"]
    return pd.DataFrame(rows)[[*columns, "n_first", "n_second", "n_paper", "n_needed", "unit"]]


def judge(
    direction: int,
    effect: float,
    interval: tuple[float, float],
    inner: tuple[float, float],
    p: float,
    paper: float,
    margin: float,
) -> str:
    """Return the outcome of a primary test.

    Parameters
    ----------
    direction : int
        Sign of the claimed effect; 0 for equality.
    effect : float
        Our effect.
    interval, inner : tuple of float
        Its 95 % and 90 % interval. The latter lies within the margin if two one-sided tests at 5 % find equivalence.
    p : float
        The p of the primary test, corrected.
    paper : float
        The effect in the paper.
    margin : float
        The margin of equivalence.

    Returns
    -------
    str
        "replicated", "contradicted", "not confirmed" or "undecided".

    Examples
    --------
    >>> judge(-1, -0.3, (-0.4, -0.2), (-0.38, -0.22), 0.001, paper=-0.34, margin=0.17)
    'replicated'
    >>> judge(-1, 0.0, (-0.1, 0.1), (-0.08, 0.08), 0.9, paper=-0.34, margin=0.17)
    'contradicted'
    >>> judge(-1, 0.1, (-0.2, 0.4), (-0.15, 0.35), 0.5, paper=-0.34, margin=0.17)
    'not confirmed'
    >>> judge(-1, -0.1, (-0.4, 0.2), (-0.35, 0.15), 0.5, paper=-0.34, margin=0.17)
    'undecided'
    """
    low, high = interval
    if p < LEVEL:
        return CONTRADICTED if direction * effect < 0 else REPLICATED
    if direction == 0:
        return CONTRADICTED if low > 0 or high < 0 else UNDECIDED
    if -margin < inner[0] and inner[1] < margin:
        return CONTRADICTED
    strongest = high if direction > 0 else low
    return UNDECIDED if direction * strongest >= direction * paper else NOT_CONFIRMED


def needed_for_power(width: float, n: int, target: float, tests: int = 1, *, equality: bool = False) -> int:
    """Return the sample size with 80 % power to find an effect, from the width of a 95 % interval.

    Parameters
    ----------
    width : float
        Width of the interval with `n` runs (or mazes); it shrinks with the square root of the sample size.
    n : int
        Sample size behind the interval.
    target : float
        The effect to find; for a claim of equality, the margin.
    tests : int, default=1
        Divisor of the significance level, by Holm's method.
    equality : bool, default=False
        Whether two one-sided tests of equivalence are done.

    Examples
    --------
    >>> needed_for_power(width=2 * 1.959964 * 0.1, n=100, target=0.28)
    101
    """
    error = width / (2 * stats.norm.isf(LEVEL / 2))
    level, power = (LEVEL / tests, (1 + POWER) / 2) if equality else (LEVEL / tests / 2, POWER)
    reach = stats.norm.isf(level) + stats.norm.ppf(power)
    return math.ceil(n * (reach * error / target) ** 2)


def _samples(
    tables: Mapping[str, pd.DataFrame], claim: Claim, comparison: Comparison
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The runs of both searches that the rule compares, as far as they are there."""
    plan = claim.planned(comparison.maze)
    runs = tables.get(plan.configuration, pd.DataFrame(columns=["maze", "search", "seed"]))
    mazes = GENERATED_NAMES if comparison.maze == GENERATED else (comparison.maze,)
    runs = runs[runs["maze"].isin(mazes) & runs["seed"].isin(plan.seeds)]
    if comparison.maze == GENERATED:
        runs = runs.assign(failures=runs["maze"].map(_objective_failures(tables)))
    first, second = (runs[runs["search"] == search] for search in comparison[1:])
    return first, second


def _objective_failures(tables: Mapping[str, pd.DataFrame]) -> Mapping[str, float]:
    """Failure rate of objective search by maze, from committed runs: the same covariate for both searches."""
    if DEFAULT not in tables:
        return {}
    runs = tables[DEFAULT]
    runs = runs[(runs["search"] == "objective") & runs["seed"].isin(COMMITTED)]
    return dict(1 - runs.groupby("maze")["solved"].mean())


def _complete(claim: Claim, comparison: Comparison, runs: pd.DataFrame) -> bool:
    """Whether all planned runs are there; of committed runs, any."""
    if not claim.primary:
        return len(runs) > 0
    mazes = len(GENERATED_NAMES) if comparison.maze == GENERATED else 1
    columns = {"more diverse": "solution_distance", "scales better": "failures"}
    column = columns.get(claim.test)
    known = column is None or (column in runs and runs.loc[runs["solved"].astype(bool), column].notna().all())
    return len(runs) == mazes * len(claim.planned(comparison.maze).seeds) and known


def _with_distances(results: Results) -> pd.DataFrame:
    """The runs with the mean distance of each solution to the solutions of the other runs."""
    keys = ["maze", "search", "clusters", "neighbours", "seed"]
    distances = results.solutions[[*keys, "compatibility"]].rename(columns={"compatibility": "solution_distance"})
    return results.runs.merge(distances, on=keys, how="left", validate="one_to_one")


def _paper_runs(claim: Claim) -> int:
    """The runs of each search in a maze behind the paper's numbers."""
    if claim.test in ("higher entropy", "falls with k"):
        return 1 if claim.test == "higher entropy" else paper.SENSITIVITY_RUNS
    return paper.GENERATED_RUNS if claim.comparisons[0].maze == GENERATED else paper.RUNS


def statements() -> pd.DataFrame:
    """Return the claims and the numbers of the paper as a table to be read: a row per claim."""
    return pd.DataFrame(
        {"claim": f"`{claim.id}`", "statement": claim.statement, "where": claim.where}
        | {"the paper's numbers": _by_comparison({each: TESTS[claim.test].numbers(each) for each in claim.comparisons})}
        for claim in CLAIMS
    )


def rules() -> pd.DataFrame:
    """Return the rules as a table to be read: a row per claim."""
    rows = []
    for claim in CLAIMS:
        test = TESTS[claim.test]
        effects = {each: f"{test.paper(each):{test.form}}" for each in claim.comparisons}
        margins = {each: f"{test.margin(each):{test.form[1:]}}" for each in claim.comparisons}
        rows.append(
            {"claim": f"`{claim.id}`", "primary test": test.name, "effect": test.measure}
            | {"the paper's effect": _by_comparison(effects), "margin": _by_comparison(margins), "runs": _runs(claim)}
        )
    return pd.DataFrame(rows)


def _by_comparison(words: Mapping[Comparison, str]) -> str:
    """Words on every comparison of a claim, with its names where there are several."""
    if len(words) == 1:
        return "".join(words.values())
    several = len({comparison[1:] for comparison in words}) > 1
    return "; ".join(
        f"{label(maze)}{f', {label(first)} vs {label(second)}' * several}: {each}"
        for (maze, first, second), each in words.items()
    )


def _runs(claim: Claim) -> str:
    """The runs that decide a claim, in words."""
    if claim.committed:
        return f"committed runs only ({claim.committed}): descriptive"
    mazes: dict[Planned, dict[str, None]] = {}
    for comparison in claim.comparisons:
        mazes.setdefault(claim.planned(comparison.maze), {})[comparison.maze] = None
    return "; ".join(
        f"{', '.join(label(name).lower() for name in names)}: {len(plan.seeds)} of each search"
        f"{' in each of 60 mazes' * (GENERATED in names)}, seeds {plan.seeds[0]} to {plan.seeds[-1]}, "
        f"{plan.configuration}"
        for plan, names in mazes.items()
    )


def outcomes(evaluated: pd.DataFrame) -> pd.DataFrame:
    """Return the outcomes as a table to be read: a row per claim.

    Parameters
    ----------
    evaluated : pandas.DataFrame
        From `evaluate`.
    """
    rows = []
    for claim, row in zip(CLAIMS, evaluated.itertuples(), strict=True):
        form = TESTS[claim.test].form
        known = not math.isnan(row.effect)
        rows.append(
            {"claim": f"`{claim.id}`", "outcome": row.outcome}
            | {"weakest comparison": f"{label(row.maze)}: {label(row.first)}, {label(row.second)}" if known else ""}
            | {"effect": number(row.effect, form), "95% interval": f"{row.low:{form}} to {row.high:{form}}" * known}
            | {"the paper's effect": f"{row.paper:{form}}", "p": p_words(row.p), "p, Holm": p_words(row.p_holm)}
            | {"runs": f"{row.n_first}, {row.n_second}" * known, "the paper's runs": row.n_paper}
            | {"for 80 % power": f"{row.n_needed:,.0f} {row.unit}" if row.n_needed > 0 else ""}
        )
    return pd.DataFrame(rows)
