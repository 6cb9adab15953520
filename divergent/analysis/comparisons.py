"""Searches side by side: tests between every two, claimed orders, rankings over mazes."""

import math
from collections.abc import Iterable, Sequence
from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from divergent.analysis.agreement import (
    Evidence,
    evidence_of_counts,
    evidence_of_means,
    evidence_of_order,
    fisher,
    holm,
    judged,
)
from divergent.analysis.grouping import by_search, groups, one_budget, ordered, require, stacked
from divergent.analysis.intervals import LEVEL, bounded_interval, proportion_interval
from divergent.analysis.survival import log_rank
from divergent.analysis.tables import POINTS, at_budget, grid
from divergent.selection import SEARCHES


def compare(runs: pd.DataFrame, measure: str = "evaluations", by: Sequence[str] = ("maze",)) -> pd.DataFrame:
    """Compare every two searches of each group by two-tailed Mann-Whitney U tests.

    The effect is the rank-biserial correlation: 1 if all values of the first search are larger, -1 if all are smaller,
    0 if either is larger equally often. `told_pairs` reports it in words. Evaluations of runs without a solution count
    as the budget. They also get a log-rank test, which censors these runs at the budget.

    Parameters
    ----------
    runs : DataFrame
        A table of runs.
    measure : str, default="evaluations"
        The column to compare.
    by : sequence of str, default=("maze",)
        Columns whose values define a group. Runs are compared within a group only.

    Returns
    -------
    DataFrame
        One row for each group and pair of searches. Holm's method corrects p over all rows, see `corrected`. Samples
        without any difference between values have p = 1; a pair without values of both searches has NaN.
    """
    timed = measure == "evaluations"
    runs = at_budget(runs, by) if timed else runs
    require(runs, *by, "search", measure)
    tables = []
    for key, group in groups(runs, by):
        if timed:
            one_budget(group, key)
        samples = dict(by_search(group))
        rows = []
        for first, second in combinations(samples, 2):
            values = (samples[name][measure].dropna().to_numpy() for name in (first, second))
            logs = {"p_log_rank": log_rank(samples[first], samples[second])} if timed else {}
            rows.append(key | {"first": first, "second": second} | _mann_whitney(*values) | logs)
        tables.append(pd.DataFrame(rows))
    columns = [*by, "first", "second", "runs_first", "runs_second", "u", "effect", "p"]
    table = corrected(stacked(tables, columns + ["p_log_rank"] * timed))
    return table[[*columns, "p_corrected", *["p_log_rank", "p_log_rank_corrected"] * timed]]


def compare_measures(runs: pd.DataFrame, measures: Sequence[str]) -> pd.DataFrame:
    """Compare every two searches in each maze by several measures, see `compare`.

    Parameters
    ----------
    runs : DataFrame
        A table of runs.
    measures : sequence of str
        The columns to compare.

    Returns
    -------
    DataFrame
        The tables of `compare` with a column `measure`. Holm's method corrects p over all rows.
    """
    return corrected(pd.concat([compare(runs, name).assign(measure=name) for name in measures], ignore_index=True))


def corrected(table: pd.DataFrame) -> pd.DataFrame:
    """Correct the p-values of a table by Holm's method over all its rows.

    Parameters
    ----------
    table : DataFrame
        Tests in rows, with p-values in any of the columns `p`, `p_log_rank` and `p_paired`.

    Returns
    -------
    DataFrame
        The same table with a column for each of these, such as `p_corrected`. The number of tests is the number of
        p-values of a column that are not NaN.

    Examples
    --------
    >>> corrected(pd.DataFrame({"maze": ["medium", "hard"], "p": [0.01, 0.04]}))["p_corrected"].tolist()
    [0.02, 0.04]
    """
    names = [name for name in ("p", "p_log_rank", "p_paired") if name in table]
    return table.assign(**{f"{name}_corrected": holm(table[name].to_list()) for name in names})


def compare_over_mazes(runs: pd.DataFrame) -> pd.DataFrame:
    """Compare every two searches over many mazes.

    Runs are only compared within a maze. The log-rank test is stratified by maze. The paired t-test compares the mean
    evaluations of both searches in each maze, the measure of mean evaluations over all mazes; runs without a solution
    count with the budget. The two tests may differ: a log-rank test compares how fast runs solve at each moment, mean
    evaluations are dominated by the mazes that take long.

    Parameters
    ----------
    runs : DataFrame
        A table of runs.

    Returns
    -------
    DataFrame
        One row for each pair of searches. `effect` is the mean over mazes of the rank-biserial correlation;
        `difference` the mean over mazes of the evaluations of the first search minus those of the second, with its 95%
        interval by BCa bootstrap over mazes. Holm's method corrects each kind of p over the table.

    Examples
    --------
    >>> runs = pd.DataFrame({"maze": ["a", "a", "b", "b"], "search": ["novelty", "surprise"] * 2, "solved": True,
    ...     "evaluations": [100, 200, 300, 900], "population": 10, "generations": 100})
    >>> compare_over_mazes(runs)[["first", "second", "mazes", "effect"]].values.tolist()
    [['novelty', 'surprise', 2, -1.0]]
    """
    runs = at_budget(runs, ("maze", "search"))
    samples = dict(by_search(runs))
    rows = []
    for first, second in combinations(samples, 2):
        both = [set(samples[name]["maze"]) for name in (first, second)]
        one, other = (samples[name][samples[name]["maze"].isin(both[0] & both[1])] for name in (first, second))
        within = [
            _mann_whitney(one.loc[one["maze"] == maze, "evaluations"], other.loc[other["maze"] == maze, "evaluations"])
            for maze in sorted(both[0] & both[1])
        ]
        means = [part.groupby("maze")["evaluations"].mean() for part in (one, other)]
        rows.append(
            {"first": first, "second": second, "mazes": len(within), "runs_first": len(one), "runs_second": len(other)}
            | {"effect": float(np.mean([each["effect"] for each in within])) if within else math.nan}
            | {"p_log_rank": log_rank(one, other, strata="maze")}
            | _paired((means[0] - means[1]).to_numpy())
        )
    columns = ["first", "second", "mazes", "runs_first", "runs_second", "effect", "p_log_rank"]
    columns += ["difference", "difference_low", "difference_high", "p_paired"]
    return corrected(stacked([pd.DataFrame(rows)], columns))


def told_pairs(first: str, second: str, effect: float) -> str:
    """The effect of a comparison of evaluations in words; pairs that are equal count half.

    Examples
    --------
    >>> told_pairs("Novelty", "Surprise", -0.3)
    'Novelty is faster in 65 of 100 pairs of runs'
    >>> told_pairs("Novelty", "Surprise", 0.3)
    'Surprise is faster in 65 of 100 pairs of runs'
    """
    if math.isnan(effect):
        return ""
    faster = first if effect <= 0 else second
    return f"{faster} is faster in {50 * (1 + abs(effect)):.0f} of 100 pairs of runs"


class Claim(NamedTuple):
    """An order in one maze: `first` does better than `second`, about as well, or nobody of `first` solves it."""

    maze: str
    first: str
    relation: str
    """ "better", "equal" or "never"."""

    second: str | None


def order(runs: pd.DataFrame, claims: Iterable[tuple[str, str, str, str | None]], never_of: int = 100) -> pd.DataFrame:
    """Whether claimed orders of searches hold, with a verdict on each; p are corrected by Holm's method over all.

    A claim "better" agrees if the first search needs significantly fewer evaluations (Mann-Whitney U test) and differs
    if it needs significantly more. "equal" agrees if the means are equivalent, "never" if the share of runs that solved
    is, see `evidence_of_means` and `evidence_of_counts`.

    Parameters
    ----------
    runs
        A table of runs.
    claims
        Each a `Claim`, or a tuple of the same four things.
    never_of
        In how many runs of those who claim it nobody solved it.
    """
    runs = at_budget(runs, ("maze", "search"))
    rows, evidence = [], []
    for claim in (Claim(*claim) for claim in claims):
        here = runs[runs["maze"] == claim.maze]
        first, second = here[here["search"] == claim.first], here[here["search"] == claim.second]
        if claim.second is not None:
            one_budget(pd.concat([first, second]), {"maze": claim.maze})
        test = _mann_whitney(first["evaluations"].to_numpy(), second["evaluations"].to_numpy())
        rows.append(
            claim._asdict()
            | {"runs_first": len(first), "solved_first": int(first["solved"].sum())}
            | {"runs_second": len(second), "solved_second": int(second["solved"].sum())}
            | test
        )
        evidence.append(_evidence(claim, first, second, test, never_of))
    verdicts = judged(evidence)
    table = pd.DataFrame(rows)
    table = table.assign(p_corrected=[verdict.p for verdict in verdicts], verdict=verdicts)
    columns = ["maze", "first", "relation", "second", "runs_first", "solved_first", "runs_second", "solved_second"]
    return stacked([table], [*columns, "u", "effect", "p", "p_corrected", "verdict"])


def rankings(runs: pd.DataFrame) -> pd.DataFrame:
    """Count the mazes in which each search solves strictly more runs than each other search.

    Two searches are compared over the seeds that both have run in a maze; `runs` is the smallest number of them. The
    interval of the proportion of mazes is Wilson's.

    Parameters
    ----------
    runs : DataFrame
        A table of runs.

    Returns
    -------
    DataFrame
        One row for each ordered pair of searches.

    Examples
    --------
    >>> runs = pd.DataFrame({"maze": ["a", "a", "b", "b"], "search": ["novelty", "surprise"] * 2, "seed": 0,
    ...     "solved": [False, True, True, True]})
    >>> rankings(runs)[["first", "second", "mazes", "runs", "more", "share"]].values.tolist()
    [['novelty', 'surprise', 2, 1, 0, 0.0], ['surprise', 'novelty', 2, 1, 1, 0.5]]
    """
    rows = []
    for (first, second), table in _strictly_more(runs).items():
        mazes, more = len(table), int(table["more"].sum())
        low, high = proportion_interval(more, mazes) if mazes else (math.nan, math.nan)
        fewest = int(table["runs"].min()) if mazes else 0
        rows.append(
            {"first": first, "second": second, "mazes": mazes, "runs": fewest, "more": more}
            | {"share": more / mazes if mazes else math.nan, "low": low, "high": high}
        )
    return pd.DataFrame(rows, columns=["first", "second", "mazes", "runs", "more", "share", "low", "high"])


def ranking_totals(runs: pd.DataFrame) -> pd.DataFrame:
    """Average the rankings of each search over the other searches.

    Parameters
    ----------
    runs : DataFrame
        A table of runs.

    Returns
    -------
    DataFrame
        One row for each search: `more`, the mean percentage of mazes in which it solves strictly more runs than
        another search, and `fewer`, that in which another search does. The 95% intervals are by BCa bootstrap over the
        mazes that all searches were run in.

    See Also
    --------
    rankings

    Examples
    --------
    >>> runs = pd.DataFrame({"maze": ["a", "a", "b", "b"], "search": ["novelty", "surprise"] * 2, "seed": 0,
    ...     "solved": [False, True, True, True]})
    >>> ranking_totals(runs)[["search", "mazes", "more", "fewer"]].values.tolist()
    [['novelty', 2, 0.0, 0.5], ['surprise', 2, 0.5, 0.0]]
    """
    pairs = {pair: table["more"].astype(float) for pair, table in _strictly_more(runs).items()}
    rows = []
    for search in dict.fromkeys(first for first, _ in pairs):
        row: dict[str, Any] = {"search": search}
        for name, place in (("more", 0), ("fewer", 1)):
            mine = pd.concat([more for pair, more in pairs.items() if pair[place] == search], axis=1).dropna()
            values = mine.mean(axis=1).to_numpy()
            low, high = bounded_interval(values, 0, 1)
            mean = float(values.mean()) if len(values) else math.nan
            row |= {"mazes": len(values), name: mean, f"{name}_low": low, f"{name}_high": high}
        rows.append(row)
    names = [f"{name}{end}" for name in ("more", "fewer") for end in ("", "_low", "_high")]
    return pd.DataFrame(rows, columns=["search", "mazes", *names])


def ahead_from(runs: pd.DataFrame, first: str, second: str, points: int = POINTS) -> float:
    """Return the evaluations from which to the end one search has solved significantly more runs than another.

    Significance is by Fisher's exact test, two-tailed, at equally spaced numbers of evaluations.

    Parameters
    ----------
    runs : DataFrame
        A table of runs with one budget.
    first, second : str
        The searches.
    points : int, default=100
        How many numbers of evaluations are tested, up to the budget.

    Returns
    -------
    float
        Infinite if the first search is not significantly ahead at the end; NaN without runs of both searches.
    """
    runs = at_budget(runs, ("search",))
    parts = [runs[runs["search"] == search] for search in (first, second)]
    if any(part.empty for part in parts):
        return math.nan
    budget = one_budget(pd.concat(parts), {"searches": f"{first} and {second}"})
    since = math.inf
    for count in grid(budget, points)[::-1]:
        solved = [int((part["solved"] & (part["evaluations"] <= count)).sum()) for part in parts]
        larger = solved[0] / len(parts[0]) > solved[1] / len(parts[1])
        if not larger or fisher(solved[0], len(parts[0]), solved[1], len(parts[1])) >= LEVEL:
            break
        since = float(count)
    return since


def _strictly_more(runs: pd.DataFrame) -> dict[tuple[str, str], pd.DataFrame]:
    """By ordered pair of searches: whether the first solves more runs of a maze, and of how many seeds, by maze."""
    require(runs, "maze", "search", "seed", "solved")
    solved = runs.pivot_table(index=["maze", "seed"], columns="search", values="solved", aggfunc="first")
    tables = {}
    for first, second in permutations(ordered(solved.columns, tuple(SEARCHES)), 2):
        both = solved[[first, second]].dropna().astype(bool).groupby(level="maze")
        count = both.sum()
        tables[first, second] = pd.DataFrame({"more": count[first] > count[second], "runs": both.size()})
    return tables


def _evidence(
    claim: Claim, first: pd.DataFrame, second: pd.DataFrame, test: dict[str, float], never_of: int
) -> Evidence:
    if claim.relation == "never":
        return evidence_of_counts(int(first["solved"].sum()), len(first), [0], never_of)
    fewest = min(len(first), len(second))
    if claim.relation == "better":
        return evidence_of_order(test["p"], test["effect"], fewest)
    if fewest < 2:
        return Evidence(math.nan, False, fewest)
    other = second["evaluations"]
    return evidence_of_means(first["evaluations"].to_numpy(), other.mean(), other.std(), len(second))


def _paired(differences: np.ndarray) -> dict[str, float]:
    """The mean difference with its interval, and the p of a paired t-test."""
    low, high = bounded_interval(differences)
    mean = float(differences.mean()) if len(differences) else math.nan
    if len(differences) < 2:
        p = math.nan
    elif np.ptp(differences) == 0:  # the test divides by their standard deviation
        p = float(mean == 0)
    else:
        p = float(stats.ttest_1samp(differences, 0).pvalue)
    return {"difference": mean, "difference_low": low, "difference_high": high, "p_paired": p}


def _mann_whitney(first: np.ndarray, second: np.ndarray) -> dict[str, float]:
    sizes = {"runs_first": len(first), "runs_second": len(second)}
    if len(first) == 0 or len(second) == 0:
        return sizes | {"u": math.nan, "effect": math.nan, "p": math.nan}
    pairs = len(first) * len(second)
    if np.ptp(np.concatenate([first, second])) == 0:  # p is 1, which SciPy returns as NaN from version 1.18 on
        return sizes | {"u": pairs / 2, "effect": 0.0, "p": 1.0}
    test = stats.mannwhitneyu(first, second, alternative="two-sided")
    return sizes | {
        "u": float(test.statistic),
        "effect": float(2 * test.statistic / pairs - 1),
        "p": float(test.pvalue),
    }
