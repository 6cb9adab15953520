"""Ours beside the paper's: solved runs and means with a verdict on each, and what the paper's own numbers support."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from divergent import analysis
from divergent.analysis import Evidence, Verdict
from divergent.maze import FIVE_RANGEFINDERS, SIX_RANGEFINDERS
from divergent.replicate import paper
from divergent.replicate.results import Results
from divergent.runs.defaults import usual_budget

NOTHING = Verdict("")
BY_ORDER = Verdict("compared by order")
OTHER_BUDGET = Verdict("no verdict, another budget")
ROBOTS = {FIVE_RANGEFINDERS: "five-rangefinder robot", SIX_RANGEFINDERS: "six-rangefinder robot"}
MEASURES = ("solved", "evaluations")

Reason = Callable[[Any, pd.DataFrame], Verdict | None]


def authored_reason(row: Any, runs: pd.DataFrame) -> Verdict | None:
    """Why a number in an authored maze is not compared with the paper's; None if it is."""
    if row.maze not in paper.MAZES:
        return NOTHING
    here = runs[(runs["maze"] == row.maze) & (runs["search"] == row.search)]
    if set(here["population"] * here["generations"]) != {usual_budget(row.maze)}:
        return OTHER_BUDGET
    return None if row.maze in paper.PUBLISHED else BY_ORDER


def solved_beside(runs: pd.DataFrame) -> pd.DataFrame:
    """Successes beside the paper's, with the interval of the difference, p corrected over the table and verdict."""
    table = analysis.successes(runs)
    rows, evidence = [], []
    for row in table.itertuples():
        theirs = paper.SOLVED.get((row.maze, row.search), paper.Count("", ()))
        reason = authored_reason(row, runs) if theirs.among else NOTHING
        evidence.append(reason or analysis.evidence_of_counts(row.solved, row.runs, theirs.among, theirs.runs))
        rows.append((theirs.text, theirs.runs if theirs.text else pd.NA, *_difference_of_shares(row, theirs)))
    names = ["paper", "paper_runs", "difference", "difference_low", "difference_high"]
    beside = pd.DataFrame(rows, columns=names).astype({"paper_runs": "Int64"})
    return _with_verdicts(table.join(beside), evidence)


def means_beside(
    table: pd.DataFrame,
    runs: pd.DataFrame,
    theirs: Mapping[Any, paper.Mean],
    *,
    measure: str | None = None,
    reason: Reason = authored_reason,
    unit: str = "run",
) -> pd.DataFrame:
    """Compare a table of means with the paper's means.

    Parameters
    ----------
    table : DataFrame
        Means, with columns that say of what: any of `maze`, `search` and `measure`.
    runs : DataFrame
        The sample behind the means.
    theirs : mapping of tuple of str to Mean
        The paper's means. A key has the values of these columns, in this order.
    measure : str or None, default=None
        The column of `runs` that the means are of. None uses the table's column `measure`.
    reason : callable, default=authored_reason
        Returns the reason why a row is not compared, or None.
    unit : str, default="run"
        The unit of a row of `runs`.

    Returns
    -------
    DataFrame
        The table with the paper's mean, standard deviation and sample size, the difference with its interval, p
        corrected by Holm's method over the table, and the verdict or the reason for none.
    """
    by = [name for name in ("maze", "search") if name in table]
    groups = dict(list(runs.groupby(by)))
    rows: list[tuple[Any, ...]] = []
    evidence: list[Evidence | Verdict] = []
    for row in table.itertuples():
        key = tuple(getattr(row, name) for name in by)
        other = theirs.get(key if measure else (*key, row.measure))
        if other is None:
            rows.append((math.nan, math.nan, pd.NA, *[math.nan] * 3))
            evidence.append(NOTHING)
            continue
        values = groups[key][measure or row.measure]
        evidence.append(reason(row, runs) or replace(analysis.evidence_of_means(values, *other), unit=unit))
        rows.append((*other, *_difference_of_means(row, other)))
    names = ["paper_mean", "paper_sd", f"paper_{unit}s", "difference", "difference_low", "difference_high"]
    beside = pd.DataFrame(rows, columns=names).astype({f"paper_{unit}s": "Int64"})
    return _with_verdicts(table.join(beside), evidence)


def by_robot(found: Mapping[str, Results], runs_of: Callable[[pd.DataFrame], pd.DataFrame]) -> pd.DataFrame:
    """The table that a function makes of the runs of each robot, one below the other, with a column robot."""
    tables = [
        runs_of(found[name].runs).assign(robot=robot)
        for name, robot in (("original", FIVE_RANGEFINDERS), ("authored", SIX_RANGEFINDERS))
        if name in found
    ]
    table = pd.concat(tables, ignore_index=True)
    return table[["robot", *(name for name in table.columns if name != "robot")]]


def evaluations_beside(runs: pd.DataFrame) -> pd.DataFrame:
    """Evaluations beside the paper's, see `means_beside`."""
    table, sample = analysis.evaluations(runs), analysis.at_budget(runs)
    return means_beside(table, sample, paper.EVALUATIONS, measure="evaluations")


def differences(found: Mapping[str, Results]) -> pd.DataFrame:
    """What is drawn of both robots beside the paper: differences with intervals, in the mazes that the paper has.

    Differences of solved runs are of shares, with 95% intervals; those of evaluations are relative to the paper's
    mean, with 90% intervals, which lie in the margin where two one-sided tests at 5% say so.
    """
    tables = []
    for measure, of_runs in (("solved", solved_beside), ("evaluations", evaluations_beside)):
        table = by_robot(found, of_runs).assign(measure=measure)
        scale = table["paper_mean"] if measure == "evaluations" else 1.0
        columns = {name: table[f"difference_{name}"] / scale for name in ("low", "high")}
        tables.append(table.assign(difference=table["difference"] / scale, **columns))
    table = pd.concat(tables, ignore_index=True)
    table = table[table["maze"].isin(paper.PUBLISHED) & table["difference"].notna()]
    table = table.assign(series=[ROBOTS[robot] for robot in table["robot"]])
    order = {name: place for place, name in enumerate((*paper.PUBLISHED, *paper.SEARCHES))}
    table = table.sort_values(["maze", "search"], key=lambda column: column.map(order), kind="stable")
    return table[["maze", "search", "series", "measure", "difference", "low", "high", "verdict"]].reset_index(drop=True)


def verdicts_by_robot(found: Mapping[str, Results]) -> dict[tuple[str, str], dict[str, int]]:
    """How many verdicts of each kind there are in the published mazes, by robot and measure."""
    counts = {}
    for measure, of_runs in (("solved", solved_beside), ("evaluations", evaluations_beside)):
        for robot, table in by_robot(found, of_runs).groupby("robot"):
            kinds = [one.kind for one in table.loc[table["maze"].isin(paper.PUBLISHED), "verdict"] if one != NOTHING]
            counts[robot, measure] = {kind: kinds.count(kind) for kind in ("agrees", "undecided", "differs")}
    return counts


def conclusion(found: Mapping[str, Results]) -> str:
    """One sentence on what came out in the mazes that the paper has, and with which robot."""
    counts = verdicts_by_robot(found) if found.keys() & {"authored", "original"} else {}
    told = []
    for robot, name in ROBOTS.items():
        kinds = [counts[robot, measure] for measure in MEASURES if (robot, measure) in counts]
        total = sum(sum(each.values()) for each in kinds)
        if total:
            sums = {kind: sum(each[kind] for each in kinds) for kind in kinds[0]}
            differ = "differs" if sums["differs"] == 1 else "differ"
            told.append(
                f"with the {name} {sums['agrees']} of the paper's {total} numbers in its two published mazes agree, "
                f"{sums['undecided']} are undecided and {sums['differs']} {differ}"
            )
    sentence = "; ".join(told) or "there are no runs in the paper's two published mazes that could be compared"
    return f"{sentence[0].upper()}{sentence[1:]}."


def paper_itself() -> pd.DataFrame:
    """What the paper's own means, deviations and counts say of surprise against novelty, a row a maze."""
    rows = []
    for maze in paper.MAZES:
        novelty, surprise = (paper.EVALUATIONS[maze, search] for search in paper.COMPARED)
        counts = [paper.SOLVED[maze, search] for search in paper.COMPARED]
        solved = [number for count in counts[::-1] for number in (count.among[0], count.runs)]
        rows.append(
            {"maze": maze, "surprise": surprise.mean, "novelty": novelty.mean}
            | {"p_evaluations": analysis.welch(*surprise, *novelty)}
            | {"solved_surprise": counts[1].text, "solved_novelty": counts[0].text}
            | {"p_solved": analysis.fisher(*solved)}
        )
    return pd.DataFrame(rows)


def paper_2016() -> pd.DataFrame:
    """The authors' evaluations in 2016 and in the paper, one row for each search, with their relative difference."""
    rows = [
        {"maze": maze, "search": search, "mean_2016": before, "mean": paper.EVALUATIONS[maze, search].mean}
        for (maze, search), before in paper.EVALUATIONS_2016.items()
    ]
    table = pd.DataFrame(rows)
    return table.assign(relative_difference=table["mean"] / table["mean_2016"] - 1)


def yardstick() -> str:
    """How close two experiments of one kind come, in a sentence."""
    told = [
        f"{row.mean_2016:,} and {row.mean:,} for {row.search} search ({row.relative_difference:.0%} apart)"
        for row in paper_2016().itertuples()
    ]
    return (
        "How close two experiments of one kind come, a yardstick: in the hard maze the authors' own numbers of "
        f"evaluations in 2016 and in the paper are {', '.join(told[:-1])} and {told[-1]}."
    )


def _with_verdicts(table: pd.DataFrame, evidence: list[Evidence | Verdict]) -> pd.DataFrame:
    """The table with p, corrected by Holm's method over it, and verdict."""
    ps = [one.p for one in evidence]
    verdicts = analysis.judged(evidence)
    return table.assign(p=ps, p_corrected=[verdict.p for verdict in verdicts], verdict=verdicts)


def _difference_of_shares(row: Any, theirs: paper.Count) -> tuple[float, float, float]:
    if not theirs.among:
        return math.nan, math.nan, math.nan
    closest = min(theirs.among, key=lambda number: abs(number / theirs.runs - row.share))
    ends = analysis.difference_of_shares(row.solved, row.runs, closest, theirs.runs)
    return row.share - closest / theirs.runs, *ends


def _difference_of_means(row: Any, theirs: paper.Mean) -> tuple[float, float, float]:
    difference = row.mean - theirs.mean
    if row.runs < 2:
        return difference, math.nan, math.nan
    return difference, *analysis.difference_of_means(row.mean, np.nan_to_num(row.sd), row.runs, *theirs)
