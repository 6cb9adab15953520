"""Comparison of success rates and means with the paper, with a verdict on each number.

Further tests compare surprise search with novelty search and use only numbers that the paper reports.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from divergent import analysis
from divergent.analysis import Evidence, Verdict
from divergent.maze._rules import FIVE_RANGEFINDERS, SIX_RANGEFINDERS
from divergent.replicate import paper
from divergent.replicate._replication import Replication, computed_once
from divergent.runs.defaults import default_budget

# fraction of simulated perfect replications that agree with the paper, for each comparison in the published mazes
AGREEMENTS = Path(__file__).with_name("perfect_agreements.csv")
KINDS = ("agrees", "differs", "undecided")  # verdicts that count as a comparison with the paper
EMPTY = Verdict("")
COMPARED_BY_ORDER = Verdict("compared by order")
OTHER_BUDGET = Verdict("no verdict, another budget")
ROBOTS = {FIVE_RANGEFINDERS: "five-rangefinder robot", SIX_RANGEFINDERS: "six-rangefinder robot"}
# the robot of each experiment in the paper's mazes
ROBOT_EXPERIMENTS = {"original": FIVE_RANGEFINDERS, "authored": SIX_RANGEFINDERS}

Reason = Callable[[Any, pd.DataFrame], Verdict | None]


def exclusion(row: Any, runs: pd.DataFrame) -> Verdict | None:
    """Return the reason why a number cannot be compared with the paper, or None if it can be compared.

    Parameters
    ----------
    row : named tuple
        Row of a table of numbers, with the fields `maze` and `search`.
    runs : pandas.DataFrame
        Runs from which the numbers of the row were computed.

    Returns
    -------
    Verdict or None
        Table entry that states the reason, or None if the number can be compared.
    """
    if row.maze not in paper.MAZES:
        return EMPTY
    selected = runs[(runs["maze"] == row.maze) & (runs["search"] == row.search)]
    if set(selected["population"] * selected["generations"]) != {default_budget(row.maze)}:
        return OTHER_BUDGET
    return None if row.maze in paper.PUBLISHED else COMPARED_BY_ORDER


def compare_solved(runs: pd.DataFrame) -> pd.DataFrame:
    """Compare success rates with the success rates in the paper.

    Parameters
    ----------
    runs : pandas.DataFrame
        Table of runs.

    Returns
    -------
    pandas.DataFrame
        One row per maze and search: success rate, difference from the paper with its interval, p-value and verdict.
        Holm's method corrects the p-values over the table.
    """
    table = analysis.success_rates(runs)
    rows, evidence = [], []
    for row in table.itertuples():
        reported = paper.SOLVED.get((row.maze, row.search), paper.Count("", ()))
        reason = exclusion(row, runs) if reported.among else EMPTY
        evidence.append(reason or analysis.evidence_of_counts(row.solved, row.runs, reported.among, reported.runs))
        rows.append((reported.text, reported.runs if reported.text else pd.NA, *_proportion_difference(row, reported)))
    names = ["paper", "paper_runs", "difference", "difference_low", "difference_high"]
    columns = pd.DataFrame(rows, columns=names).astype({"paper_runs": "Int64"})
    return _with_verdicts(table.join(columns), evidence)


def compare_means(
    table: pd.DataFrame,
    runs: pd.DataFrame,
    reported: Mapping[Any, paper.Mean],
    *,
    measure: str | None = None,
    reason: Reason = exclusion,
    unit: str = "run",
) -> pd.DataFrame:
    """Compare a table of means with the paper's means.

    Parameters
    ----------
    table : pandas.DataFrame
        Table of means, in which one or more of the columns `maze`, `search` and `measure` identify each row.
    runs : pandas.DataFrame
        Runs, or other sample units, that were averaged.
    reported : mapping of tuple of str to Mean
        The paper's means, by the values of the columns that identify a row of `table`.
    measure : str or None, default=None
        Column of `runs` that was averaged; None reads the name of the column from the column `measure` of `table`.
    reason : callable, default=exclusion
        Function that returns the reason why a row is not compared, or None.
    unit : str, default="run"
        Sample unit of the rows of `runs`: "run" or "maze".

    Returns
    -------
    pandas.DataFrame
        The table with additional columns for the paper's mean, standard deviation and sample size. Further columns are
        the difference with its interval, the p-value corrected by Holm's method, and the verdict.
    """
    by = [name for name in ("maze", "search") if name in table]
    groups = dict(list(runs.groupby(by)))
    rows: list[tuple[Any, ...]] = []
    evidence: list[Evidence | Verdict] = []
    for row in table.itertuples():
        key = tuple(getattr(row, name) for name in by)
        mean = reported.get(key if measure else (*key, row.measure))
        if mean is None:
            rows.append((math.nan, math.nan, pd.NA, *[math.nan] * 3))
            evidence.append(EMPTY)
            continue
        values = groups[key][measure or row.measure]
        evidence.append(reason(row, runs) or replace(analysis.evidence_of_means(values, *mean), unit=unit))
        rows.append((*mean, *_mean_difference(row, mean)))
    names = ["paper_mean", "paper_sd", f"paper_{unit}s", "difference", "difference_low", "difference_high"]
    columns = pd.DataFrame(rows, columns=names).astype({f"paper_{unit}s": "Int64"})
    return _with_verdicts(table.join(columns), evidence)


def by_robot(replication: Replication, summarise: Callable[[pd.DataFrame], pd.DataFrame]) -> pd.DataFrame:
    """Summarise the runs of each robot in the paper's mazes, and concatenate the summaries with a column `robot`."""
    tables = [
        summarise(replication.runs(name)).assign(robot=robot)
        for name, robot in ROBOT_EXPERIMENTS.items()
        if replication.has(name)
    ]
    table = pd.concat(tables, ignore_index=True)
    return table[["robot", *(name for name in table.columns if name != "robot")]]


def compare_evaluations(runs: pd.DataFrame) -> pd.DataFrame:
    """Compare mean evaluations with the paper's mean evaluations.

    Parameters
    ----------
    runs : pandas.DataFrame
        Table of runs.

    Returns
    -------
    pandas.DataFrame
        One row per maze and search, with the columns of `compare_means`.
    """
    table, sample = analysis.evaluations(runs), analysis.censor_at_budget(runs)
    return compare_means(table, sample, paper.EVALUATIONS, measure="evaluations")


@computed_once
def solved_by_robot(replication: Replication) -> pd.DataFrame:
    """Compare the success rates of the five- and the six-rangefinder robot with the paper."""
    return by_robot(replication, compare_solved)


@computed_once
def evaluations_by_robot(replication: Replication) -> pd.DataFrame:
    """Compare the mean evaluations of the five- and the six-rangefinder robot with the paper."""
    return by_robot(replication, compare_evaluations)


MEASURES = {"solved": solved_by_robot, "evaluations": evaluations_by_robot}


@computed_once
def differences(replication: Replication) -> pd.DataFrame:
    """Return the differences from the paper in the published mazes, for the five- and the six-rangefinder robot.

    Differences of success rates have 95% intervals. Differences of evaluations are relative to the paper's mean and
    have 90% intervals. If a 90% interval lies within the margin, two one-sided tests at 5% show equivalence.
    """
    tables = []
    for measure, compare in MEASURES.items():
        table = compare(replication).assign(measure=measure)
        scale = table["paper_mean"] if measure == "evaluations" else 1.0
        columns = {name: table[f"difference_{name}"] / scale for name in ("low", "high")}
        tables.append(table.assign(difference=table["difference"] / scale, **columns))
    table = pd.concat(tables, ignore_index=True)
    table = table[table["maze"].isin(paper.PUBLISHED) & table["difference"].notna()]
    table = table.assign(series=[ROBOTS[robot] for robot in table["robot"]])
    order = {name: position for position, name in enumerate((*paper.PUBLISHED, *paper.SEARCHES))}
    table = table.sort_values(["maze", "search"], key=lambda column: column.map(order), kind="stable")
    return table[["maze", "search", "series", "measure", "difference", "low", "high", "verdict"]].reset_index(drop=True)


def verdict_counts(replication: Replication) -> pd.DataFrame:
    """Count the verdicts on success rates and mean evaluations in the published mazes, for each robot.

    Returns
    -------
    pandas.DataFrame
        One row per robot with at least one comparison: `robot`, the number of `comparisons`, and the number of
        verdicts of each kind (`agrees`, `differs`, `undecided`).
    """
    rows = []
    tables = [compare(replication) for compare in MEASURES.values()] if replication.has(*ROBOT_EXPERIMENTS) else []
    for robot, name in ROBOTS.items():
        counts = dict.fromkeys(KINDS, 0)
        for table in tables:
            published = table[table["maze"].isin(paper.PUBLISHED) & table["robot"].eq(robot)]
            for verdict in published["verdict"]:
                if verdict.kind in counts:
                    counts[verdict.kind] += 1
        if total := sum(counts.values()):
            rows.append({"robot": name, "comparisons": total, **counts})
    return pd.DataFrame(rows, columns=["robot", "comparisons", *KINDS])


def expected_agreements() -> pd.Series:
    """Return, for each comparison in the published mazes, the probability that a perfect replication agrees.

    Returns
    -------
    pandas.Series
        Fraction of simulations that agree with the paper, by measure, maze and search. The sum is the expected number
        of agreements.

    See Also
    --------
    divergent.replicate._perfect_replication.agreements : Simulate the perfect replications.
    """
    return pd.read_csv(AGREEMENTS).set_index(["measure", "maze", "search"])["agrees"]


def expectation() -> str:
    """Describe how many comparisons in the published mazes agree with the paper in simulated exact replications."""
    expected = expected_agreements()
    return (
        f"A simulation estimates how many of the {len(expected)} comparisons of each robot with the paper would agree "
        "in an exact replication. In each "
        f"simulated replication, the results of {paper.RUNS} runs per search method and maze are drawn from "
        "distributions with the means, standard deviations and success rates reported in the paper. On average, "
        f"{expected.sum():.1f} of the {len(expected)} comparisons of a simulated replication agree with the paper."
    )


def conclusion(replication: Replication) -> str:
    """Describe how many of the paper's numbers are reproduced in the published mazes, for each robot.

    The description ends with the number of agreements that is expected in an exact replication.
    """
    sentences = [
        f"With the {row.robot}, the {row.comparisons} comparisons of success rates and mean numbers of evaluations "
        f"with the paper have these verdicts: agrees ({row.agrees}), differs ({row.differs}), undecided "
        f"({row.undecided})."
        for row in verdict_counts(replication).itertuples()
    ]
    if not sentences:
        return "There are no runs in the paper's two published mazes that could be compared."
    return " ".join([*sentences, expectation()])


def check_paper_itself() -> pd.DataFrame:
    """Compare surprise search with novelty search by tests that use only numbers reported in the paper.

    Returns
    -------
    pandas.DataFrame
        One row per maze. If the paper does not report the numbers that a test needs, the p-value is NaN.
    """
    rows = []
    for maze in paper.MAZES:
        novelty, surprise = (paper.EVALUATIONS[maze, search] for search in paper.COMPARED)
        counts = [paper.SOLVED[maze, search] for search in paper.COMPARED]
        solved = [number for count in counts[::-1] for number in (*count.among[:1], count.runs)]
        rows.append(
            {"maze": maze, "surprise": surprise.mean, "novelty": novelty.mean}
            | {"p_evaluations": analysis.welch(*surprise, *novelty)}
            | {"solved_surprise": counts[1].text, "solved_novelty": counts[0].text}
            | {"p_solved": analysis.fisher(*solved) if len(solved) == 4 else math.nan}
        )
    return pd.DataFrame(rows)


def compare_paper_2016() -> pd.DataFrame:
    """Compare the mean evaluations that the authors reported in 2016 with the mean evaluations in the replicated paper.

    Returns
    -------
    pandas.DataFrame
        One row per search, with the relative difference.
    """
    rows = [
        {"maze": maze, "search": search, "mean_2016": before, "mean": paper.EVALUATIONS[maze, search].mean}
        for (maze, search), before in paper.EVALUATIONS_2016.items()
    ]
    table = pd.DataFrame(rows)
    return table.assign(relative_difference=table["mean"] / table["mean_2016"] - 1)


def variation_between_papers() -> str:
    """Describe in a sentence how much the evaluations in two papers of the same authors differ."""
    clauses = [
        f"{row.mean_2016:,} and {row.mean:,} for {row.search} search ({row.relative_difference:.0%} apart)"
        for row in compare_paper_2016().itertuples()
    ]
    return (
        "Variation between two experiments of the same kind: in the hard maze the authors' own numbers of "
        f"evaluations in 2016 and in the paper are {', '.join(clauses[:-1])} and {clauses[-1]}."
    )


def _with_verdicts(table: pd.DataFrame, evidence: list[Evidence | Verdict]) -> pd.DataFrame:
    """Add three columns to a table: p-values, p-values corrected by Holm's method over the table, and verdicts."""
    ps = [test.p for test in evidence]
    verdicts = analysis.decide(evidence)
    return table.assign(p=ps, p_corrected=[verdict.p for verdict in verdicts], verdict=verdicts)


def _proportion_difference(row: Any, reported: paper.Count) -> tuple[float, float, float]:
    """Return the difference between a success rate and the paper's success rate, with its confidence interval.

    If the paper's number of successful runs is ambiguous, such as "61 or 62", the number with the smaller difference is
    used.
    """
    if not reported.among:
        return math.nan, math.nan, math.nan
    closest = min(reported.among, key=lambda number: abs(number / reported.runs - row.fraction))
    ends = analysis.difference_of_proportions(row.solved, row.runs, closest, reported.runs)
    return row.fraction - closest / reported.runs, *ends


def _mean_difference(row: Any, reported: paper.Mean) -> tuple[float, float, float]:
    """Return the difference between a mean and the paper's mean, with its interval."""
    difference = row.mean - reported.mean
    if row.runs < 2:
        return difference, math.nan, math.nan
    return difference, *analysis.difference_of_means(row.mean, np.nan_to_num(row.sd), row.runs, *reported)
