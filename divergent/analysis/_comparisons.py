"""Compare searches by pairwise tests, by tests of claims such as "A is better than B", and by rankings over mazes."""

import math
from collections.abc import Iterable, Sequence
from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from divergent.analysis._agreement import Evidence, decide, evidence_of_counts, evidence_of_means, evidence_of_order
from divergent.analysis._budgets import CURVE_POINTS, censor_at_budget, evaluation_grid
from divergent.analysis._grouping import (
    by_search,
    common_budget,
    group_columns,
    group_rows,
    order_names,
    problem_column,
    require_columns,
    stack_tables,
)
from divergent.analysis._intervals import LEVEL, bounded_interval, proportion_interval
from divergent.analysis._survival import log_rank
from divergent.analysis._two_samples import fisher, holm, mann_whitney
from divergent.selection._searches import SEARCHES


def compare(runs: pd.DataFrame, measure: str = "evaluations", by: Sequence[str] | None = None) -> pd.DataFrame:
    """Compare all pairs of searches within each group by two-tailed Mann-Whitney U tests.

    The effect is the rank-biserial correlation. The effect is -1 if all values of the first search are below all values
    of the second search, and 1 if all are above. The function `describe_effect` describes the rank-biserial correlation
    in words. Unsuccessful runs count with their full budget. If `measure` is "evaluations", a log-rank test is added,
    which censors unsuccessful runs at the budget.

    Parameters
    ----------
    runs : DataFrame
        A table of runs.
    measure : str, default="evaluations"
        Name of the column to compare.
    by : sequence of str or None, default=None
        Columns whose values define the groups; None groups runs by problem.

    Returns
    -------
    DataFrame
        One row for each group and pair of searches. Holm's method corrects p-values over all rows, see
        `correct_p_values`. A p-value is 1 if all values are equal, and NaN if a search has no values.

    See Also
    --------
    compare_measures : Compare several measures in one table.
    compare_over_mazes : Compare searches over many mazes.
    """
    by = group_columns(runs, by, ())
    is_time = measure == "evaluations"
    runs = censor_at_budget(runs, by) if is_time else runs
    require_columns(runs, *by, "search", measure)
    tables = []
    for key, group in group_rows(runs, by):
        if is_time:
            common_budget(group, key)
        samples = dict(by_search(group))
        rows = []
        for first, second in combinations(samples, 2):
            values = (samples[name][measure].dropna().to_numpy() for name in (first, second))
            logs = {"p_log_rank": log_rank(samples[first], samples[second])} if is_time else {}
            rows.append(key | {"first": first, "second": second} | mann_whitney(*values) | logs)
        tables.append(pd.DataFrame(rows))
    columns = [*by, "first", "second", "runs_first", "runs_second", "u", "effect", "p"]
    table = correct_p_values(stack_tables(tables, columns + ["p_log_rank"] * is_time))
    return table[[*columns, "p_corrected", *["p_log_rank", "p_log_rank_corrected"] * is_time]]


def compare_measures(runs: pd.DataFrame, measures: Sequence[str]) -> pd.DataFrame:
    """Compare all pairs of searches in each maze by several measures, see `compare`.

    Parameters
    ----------
    runs : DataFrame
        A table of runs.
    measures : sequence of str
        Names of the columns to compare.

    Returns
    -------
    DataFrame
        Concatenated results of `compare` for all measures, with an additional column `measure`. Holm's method corrects
        p-values over all rows.
    """
    return correct_p_values(
        pd.concat([compare(runs, name).assign(measure=name) for name in measures], ignore_index=True)
    )


def correct_p_values(table: pd.DataFrame) -> pd.DataFrame:
    """Correct the p-values of a table by Holm's method over all its rows.

    Parameters
    ----------
    table : DataFrame
        One test per row, with p-values in any of the columns `p`, `p_log_rank` and `p_paired`.

    Returns
    -------
    DataFrame
        Copy of the table with an additional column of corrected p-values, such as `p_corrected`, for each column of
        p-values. Holm's method counts only p-values that are not NaN as tests.

    Examples
    --------
    >>> correct_p_values(pd.DataFrame({"maze": ["medium", "hard"], "p": [0.01, 0.04]}))["p_corrected"].tolist()
    [0.02, 0.04]
    """
    names = [name for name in ("p", "p_log_rank", "p_paired") if name in table]
    return table.assign(**{f"{name}_corrected": holm(table[name].to_list()) for name in names})


def compare_over_mazes(runs: pd.DataFrame) -> pd.DataFrame:
    """Compare all pairs of searches over many mazes.

    Runs are compared only with runs in the same maze. The log-rank test is stratified by maze. The paired t-test
    compares the mean evaluations of both searches in each maze; unsuccessful runs count with their budget. The tests
    may disagree: the log-rank test compares solution rates at each number of evaluations, while difficult mazes
    dominate mean evaluations.

    Parameters
    ----------
    runs : DataFrame
        A table of runs.

    Returns
    -------
    DataFrame
        One row for each pair of searches. `effect` is the mean rank-biserial correlation over mazes. `difference` is
        the mean evaluations of the first search minus the mean evaluations of the second search, averaged over mazes.
        The 95% interval of `difference` is computed by BCa bootstrap over mazes. Holm's method corrects each kind of
        p-value over all rows.

    Examples
    --------
    Novelty search needs fewer evaluations than surprise search in both mazes, so the effect is -1:

    >>> runs = pd.DataFrame({"maze": ["a", "a", "b", "b"], "search": ["novelty", "surprise"] * 2, "solved": True,
    ...     "evaluations": [100, 200, 300, 900], "population": 10, "generations": 100})
    >>> compare_over_mazes(runs)[["first", "second", "mazes", "effect"]].values.tolist()
    [['novelty', 'surprise', 2, -1.0]]
    """
    column = problem_column(runs)
    runs = censor_at_budget(runs, (column, "search"))
    samples = dict(by_search(runs))
    rows = []
    for first, second in combinations(samples, 2):
        mazes = sorted(set(samples[first][column]) & set(samples[second][column]))
        pair = [samples[name][samples[name][column].isin(mazes)] for name in (first, second)]
        tests = [
            mann_whitney(*(part.loc[part[column] == maze, "evaluations"].to_numpy() for part in pair)) for maze in mazes
        ]
        means = [part.groupby(column)["evaluations"].mean() for part in pair]
        rows.append(
            {"first": first, "second": second, "mazes": len(mazes)}
            | {"runs_first": len(pair[0]), "runs_second": len(pair[1])}
            | {"effect": float(np.mean([test["effect"] for test in tests])) if tests else math.nan}
            | {"p_log_rank": log_rank(pair[0], pair[1], strata=column)}
            | _paired((means[0] - means[1]).to_numpy())
        )
    columns = ["first", "second", "mazes", "runs_first", "runs_second", "effect", "p_log_rank"]
    columns += ["difference", "difference_low", "difference_high", "p_paired"]
    return correct_p_values(stack_tables([pd.DataFrame(rows)], columns))


def describe_effect(first: str, second: str, effect: float) -> str:
    """Describe in words how often one search needs fewer evaluations than another search.

    Parameters
    ----------
    first, second : str
        Names of the two searches.
    effect : float
        Rank-biserial correlation of evaluations, negative if the first search needs fewer evaluations. Pairs of runs
        with equal evaluations count half.

    Returns
    -------
    str
        The description, empty if the effect is NaN.

    See Also
    --------
    compare : Compute the rank-biserial correlation of every pair of searches.

    Examples
    --------
    >>> describe_effect("Novelty", "Surprise", -0.3)
    'Novelty is faster in 65 % of all pairs of runs'

    >>> describe_effect("Novelty", "Surprise", 0.3)
    'Surprise is faster in 65 % of all pairs of runs'
    """
    if math.isnan(effect):
        return ""
    faster = first if effect <= 0 else second
    return f"{faster} is faster in {50 * (1 + abs(effect)):.0f} % of all pairs of runs"


class Claim(NamedTuple):
    """A claim to be tested: a search is better than or equal to another search in a maze, or never solves the maze.

    Parameters
    ----------
    maze : str
        Name of the maze.
    first : str
        Name of the search that the claim is about.
    relation : str
        "better" (fewer evaluations than the second search), "equal", or "never" (the first search never solves the
        maze).
    second : str or None
        Name of the other search; None if the relation is "never".
    """

    maze: str
    first: str
    relation: str
    second: str | None


def check_order(
    runs: pd.DataFrame, claims: Iterable[tuple[str, str, str, str | None]], never_of: int = 100
) -> pd.DataFrame:
    """Test claimed orders of searches, and return a verdict on each claim.

    The runs agree with a claim "better" if the first search needs significantly fewer evaluations (Mann-Whitney U
    test). The runs differ from a claim "better" if the first search needs significantly more evaluations. The runs
    agree with a claim "equal" if the mean evaluations are equivalent. The runs agree with a claim "never" if the
    success rate is equivalent to 0.

    Parameters
    ----------
    runs : DataFrame
        A table of runs.
    claims : iterable of Claim
        The claims, or tuples with the fields of `Claim`.
    never_of : int, default=100
        Number of unsuccessful runs on which a claim "never" is based (the claim that a search never solves a maze).

    Returns
    -------
    DataFrame
        One row per claim. Holm's method corrects p-values over all claims.

    See Also
    --------
    evidence_of_order, evidence_of_means, evidence_of_counts
    """
    runs = censor_at_budget(runs, ("maze", "search"))
    rows, evidence = [], []
    for claim in (Claim(*claim) for claim in claims):
        in_maze = runs[runs["maze"] == claim.maze]
        first, second = in_maze[in_maze["search"] == claim.first], in_maze[in_maze["search"] == claim.second]
        if claim.second is not None:
            common_budget(pd.concat([first, second]), {"maze": claim.maze})
        test = mann_whitney(first["evaluations"].to_numpy(), second["evaluations"].to_numpy())
        rows.append(
            claim._asdict()
            | {"runs_first": len(first), "solved_first": int(first["solved"].sum())}
            | {"runs_second": len(second), "solved_second": int(second["solved"].sum())}
            | test
        )
        evidence.append(_evidence(claim, first, second, test, never_of))
    verdicts = decide(evidence)
    table = pd.DataFrame(rows)
    table = table.assign(p_corrected=[verdict.p for verdict in verdicts], verdict=verdicts)
    columns = ["maze", "first", "relation", "second", "runs_first", "solved_first", "runs_second", "solved_second"]
    return stack_tables([table], [*columns, "u", "effect", "p", "p_corrected", "verdict"])


def rankings(runs: pd.DataFrame) -> pd.DataFrame:
    """Count, for each ordered pair of searches, the mazes in which the first search has strictly more successful runs.

    In each maze, two searches are compared over the seeds with which both searches were run. The column `runs` is the
    smallest number of common seeds over all mazes. The columns `low` and `high` bound Wilson's 95% interval of the
    column `fraction`.

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
    Surprise search has more successful runs than novelty search in one of two mazes, so its column `fraction` is 0.5:

    >>> runs = pd.DataFrame({"maze": ["a", "a", "b", "b"], "search": ["novelty", "surprise"] * 2, "seed": 0,
    ...     "solved": [False, True, True, True]})
    >>> rankings(runs)[["first", "fraction"]].values.tolist()
    [['novelty', 0.0], ['surprise', 0.5]]
    """
    rows = []
    for (first, second), table in _strictly_more(runs).items():
        mazes, more = len(table), int(table["more"].sum())
        low, high = proportion_interval(more, mazes) if mazes else (math.nan, math.nan)
        fewest = int(table["runs"].min()) if mazes else 0
        rows.append(
            {"first": first, "second": second, "mazes": mazes, "runs": fewest, "more": more}
            | {"fraction": more / mazes if mazes else math.nan, "low": low, "high": high}
        )
    return pd.DataFrame(rows, columns=["first", "second", "mazes", "runs", "more", "fraction", "low", "high"])


def ranking_totals(runs: pd.DataFrame) -> pd.DataFrame:
    """Return two mean fractions per search: mazes with more successful runs than another search, and mazes with fewer.

    Parameters
    ----------
    runs : DataFrame
        A table of runs.

    Returns
    -------
    DataFrame
        One row for each search. `more` is the fraction of mazes in which the search has strictly more successful runs
        than another search, averaged over the other searches. `fewer` is the fraction of mazes in which the search has
        strictly fewer successful runs than another search, averaged over the other searches. The 95% intervals are
        computed by BCa bootstrap over the mazes in which all searches were run.

    See Also
    --------
    rankings

    Examples
    --------
    Novelty search has fewer successful runs than surprise search in one of two mazes:

    >>> runs = pd.DataFrame({"maze": ["a", "a", "b", "b"], "search": ["novelty", "surprise"] * 2, "seed": 0,
    ...     "solved": [False, True, True, True]})
    >>> ranking_totals(runs)[["more", "fewer"]].values.tolist()
    [[0.0, 0.5], [0.5, 0.0]]
    """
    pairs = {pair: table["more"].astype(float) for pair, table in _strictly_more(runs).items()}
    rows = []
    for search in dict.fromkeys(first for first, _ in pairs):
        row: dict[str, Any] = {"search": search}
        for name, position in (("more", 0), ("fewer", 1)):
            columns = [more for pair, more in pairs.items() if pair[position] == search]
            values = pd.concat(columns, axis=1).dropna().mean(axis=1).to_numpy()
            low, high = bounded_interval(values, 0, 1)
            mean = float(values.mean()) if len(values) else math.nan
            row |= {"mazes": len(values), name: mean, f"{name}_low": low, f"{name}_high": high}
        rows.append(row)
    names = [f"{name}{end}" for name in ("more", "fewer") for end in ("", "_low", "_high")]
    return pd.DataFrame(rows, columns=["search", "mazes", *names])


def lead_onset(runs: pd.DataFrame, first: str, second: str, points: int = CURVE_POINTS) -> float:
    """Return the smallest number of evaluations from which the first search stays significantly ahead in success rate.

    The success rates of both searches are compared by two-tailed Fisher tests at equally spaced numbers of evaluations.

    Parameters
    ----------
    runs : DataFrame
        A table of runs that all have the same budget.
    first, second : str
        Names of the two searches.
    points : int, default=100
        Number of tests, at equally spaced numbers of evaluations up to the budget.

    Returns
    -------
    float
        Number of evaluations; infinite if the first search is not significantly ahead at the end, NaN if a search has
        no runs.
    """
    runs = censor_at_budget(runs, ("search",))
    parts = [runs[runs["search"] == search] for search in (first, second)]
    if any(part.empty for part in parts):
        return math.nan
    budget = common_budget(pd.concat(parts), {"searches": f"{first} and {second}"})
    onset = math.inf
    for count in evaluation_grid(budget, points)[::-1]:
        solved = [int((part["solved"] & (part["evaluations"] <= count)).sum()) for part in parts]
        larger = solved[0] / len(parts[0]) > solved[1] / len(parts[1])
        if not larger or fisher(solved[0], len(parts[0]), solved[1], len(parts[1])) >= LEVEL:
            break
        onset = float(count)
    return onset


def _strictly_more(runs: pd.DataFrame) -> dict[tuple[str, str], pd.DataFrame]:
    """Return for each ordered pair of searches whether the first search has more successful runs in each maze."""
    column = problem_column(runs)
    require_columns(runs, column, "search", "seed", "solved")
    solved = runs.pivot_table(index=[column, "seed"], columns="search", values="solved", aggfunc="first")
    tables = {}
    for first, second in permutations(order_names(solved.columns, tuple(SEARCHES)), 2):
        both = solved[[first, second]].dropna().astype(bool).groupby(level=column)
        count = both.sum()
        tables[first, second] = pd.DataFrame({"more": count[first] > count[second], "runs": both.size()})
    return tables


def _evidence(
    claim: Claim, first: pd.DataFrame, second: pd.DataFrame, test: dict[str, float], never_of: int
) -> Evidence:
    """Test a claim with the runs of one search (claim "never") or two searches in the maze of the claim."""
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
    """Return the mean of paired differences, its 95% interval, and the p-value of a paired t-test."""
    low, high = bounded_interval(differences)
    mean = float(differences.mean()) if len(differences) else math.nan
    if len(differences) < 2:
        p = math.nan
    elif np.ptp(differences) == 0:  # the t-test would divide by a standard deviation of 0
        p = float(mean == 0)
    else:
        p = float(stats.ttest_1samp(differences, 0).pvalue)
    return {"difference": mean, "difference_low": low, "difference_high": high, "p_paired": p}
