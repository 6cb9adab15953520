"""Searches side by side: tests between every two, claimed orders, rankings over mazes."""

import math
from collections.abc import Iterable, Sequence
from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from divergent.analysis.groups import LEVEL, by_search, groups, one_budget, ordered, require, stacked
from divergent.analysis.tables import POINTS, at_budget, grid
from divergent.analysis.verdicts import Verdict, equality_of_two, nobody_solves, order_of_two
from divergent.selection import SEARCHES


def compare(runs: pd.DataFrame, measure: str = "evaluations", by: Sequence[str] = ("maze",)) -> pd.DataFrame:
    """Two-tailed Mann-Whitney U tests between every two searches, corrected by Holm's method within each group.

    The effect is the rank-biserial correlation: 1 if the first search's values are all larger, -1 if all are smaller,
    0 if either is larger equally often. Evaluations of runs without a solution count as the budget.
    """
    runs = at_budget(runs, by) if measure == "evaluations" else runs
    require(runs, *by, "search", measure)
    tables = []
    for key, group in groups(runs, by):
        if measure == "evaluations":
            one_budget(group, key)
        samples = {search: part[measure].dropna().to_numpy() for search, part in by_search(group)}
        rows = [
            key | {"first": first, "second": second} | _mann_whitney(samples[first], samples[second])
            for first, second in combinations(samples, 2)
        ]
        tables.append(_corrected(pd.DataFrame(rows)))
    columns = [*by, "first", "second", "runs_first", "runs_second", "u", "effect", "p", "p_corrected"]
    return stacked(tables, columns)


class Claim(NamedTuple):
    """An order in one maze: `first` does better than `second`, about as well, or nobody of `first` solves it."""

    maze: str
    first: str
    relation: str
    """ "better", "equal" or "never"."""

    second: str | None


def order(runs: pd.DataFrame, claims: Iterable[tuple[str, str, str, str | None]]) -> pd.DataFrame:
    """Whether claimed orders of searches hold: a Mann-Whitney U test on evaluations for each claim.

    Tests are corrected by Holm's method within a maze. A claim "better" holds if the first search needs significantly
    fewer evaluations, "equal" if there is no significant difference, "never" if the search solved no run.

    Parameters
    ----------
    runs
        A table of runs.
    claims
        Each a `Claim`, or a tuple of the same four things.
    """
    told = [Claim(*claim) for claim in claims]
    runs = at_budget(runs, ("maze", "search"))
    tables = []
    for maze in dict.fromkeys(claim.maze for claim in told):
        here = runs[runs["maze"] == maze]
        samples = dict(by_search(here))
        nobody = here.iloc[:0]
        rows = []
        for claim in (claim for claim in told if claim.maze == maze):
            first, second = samples.get(claim.first, nobody), samples.get(claim.second or "", nobody)
            if claim.second is not None:
                one_budget(pd.concat([first, second]), {"maze": maze})
            rows.append(
                claim._asdict()
                | {"runs_first": len(first), "solved_first": int(first["solved"].sum())}
                | {"runs_second": len(second), "solved_second": int(second["solved"].sum())}
                | _mann_whitney(first["evaluations"].to_numpy(), second["evaluations"].to_numpy())
            )
        table = _corrected(pd.DataFrame(rows))
        tables.append(table.assign(verdict=[_verdict(row) for row in table.itertuples()]))
    columns = ["maze", "first", "relation", "second", "runs_first", "solved_first", "runs_second", "solved_second"]
    return stacked(tables, [*columns, "u", "effect", "p", "p_corrected", "verdict"])


def rankings(runs: pd.DataFrame) -> pd.DataFrame:
    """In how many mazes each search solves strictly more runs than each other search.

    Two searches are compared over the seeds that both have run in a maze; `runs` is the smallest number of them.

    Examples
    --------
    >>> runs = pd.DataFrame({"maze": ["a", "a", "b", "b"], "search": ["novelty", "surprise"] * 2, "seed": 0,
    ...     "solved": [False, True, True, True]})
    >>> rankings(runs)[["first", "second", "mazes", "runs", "more", "share"]].values.tolist()
    [['novelty', 'surprise', 2, 1, 0, 0.0], ['surprise', 'novelty', 2, 1, 1, 0.5]]
    """
    require(runs, "maze", "search", "seed", "solved")
    solved = runs.pivot_table(index=["maze", "seed"], columns="search", values="solved", aggfunc="first")
    rows = []
    for first, second in permutations(ordered(solved.columns, tuple(SEARCHES)), 2):
        both = solved[[first, second]].dropna().astype(bool).groupby(level="maze")
        count, sizes = both.sum(), both.size()
        more = int((count[first] > count[second]).sum())
        share = more / len(count) if len(count) else math.nan
        fewest = int(sizes.min()) if len(sizes) else 0
        rows.append(
            {"first": first, "second": second, "mazes": len(count), "runs": fewest, "more": more, "share": share}
        )
    return pd.DataFrame(rows, columns=["first", "second", "mazes", "runs", "more", "share"])


def ahead_from(runs: pd.DataFrame, first: str, second: str, points: int = POINTS) -> float:
    """Evaluations from which on, to the end, one search has solved significantly more runs than another; NaN if none.

    Significance is by Fisher's exact test, two-tailed, at equally spaced numbers of evaluations.
    """
    runs = at_budget(runs, ("search",))
    parts = [runs[runs["search"] == search] for search in (first, second)]
    if any(part.empty for part in parts):
        return math.nan
    budget = one_budget(pd.concat(parts), {"searches": f"{first} and {second}"})
    since = math.nan
    for count in grid(budget, points)[::-1]:
        solved = [int((part["solved"] & (part["evaluations"] <= count)).sum()) for part in parts]
        table = [[number, len(part) - number] for number, part in zip(solved, parts, strict=True)]
        larger = solved[0] / len(parts[0]) > solved[1] / len(parts[1])
        if not larger or stats.fisher_exact(table).pvalue >= LEVEL:
            break
        since = float(count)
    return since


def _verdict(row: Any) -> Verdict:
    if row.relation == "never":
        return nobody_solves(row.solved_first, row.runs_first)
    fewest = min(row.runs_first, row.runs_second)
    if row.relation == "equal":
        return equality_of_two(row.p_corrected, fewest)
    return order_of_two(row.p_corrected, row.effect, fewest)


def _mann_whitney(first: np.ndarray, second: np.ndarray) -> dict[str, float]:
    sizes = {"runs_first": len(first), "runs_second": len(second)}
    if len(first) == 0 or len(second) == 0:
        return sizes | {"u": math.nan, "effect": math.nan, "p": math.nan}
    test = stats.mannwhitneyu(first, second, alternative="two-sided")
    effect = 2 * test.statistic / (len(first) * len(second)) - 1
    return sizes | {"u": float(test.statistic), "effect": float(effect), "p": float(test.pvalue)}


def _corrected(table: pd.DataFrame) -> pd.DataFrame:
    """The table with p corrected by Holm's method, over the rows that have a p."""
    from statsmodels.stats.multitest import multipletests

    if table.empty:
        return table
    known = table["p"].notna()
    corrected = pd.Series(math.nan, index=table.index)
    if known.any():
        corrected[known] = multipletests(table.loc[known, "p"], alpha=LEVEL, method="holm")[1]
    return table.assign(p_corrected=corrected)
