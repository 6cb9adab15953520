"""How well searches do: successes, evaluations and means, each with its interval."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import stats

from divergent.analysis.groups import groups, mean_interval, one_budget, require
from divergent.analysis.tables import DIVERSITY, at_budget

GENOTYPE = ("connections", "hidden_nodes", *DIVERSITY)


def efficiency(curves: pd.DataFrame, by: Sequence[str] = ("maze", "search")) -> pd.DataFrame:
    """Mean best fitness so far against evaluations, with the 95% interval of the mean."""
    require(curves, *by, "budget", "evaluations", "best_fitness")
    rows = []
    for key, group in groups(curves, by):
        one_budget(group, key)
        for count, part in group.groupby("evaluations"):
            rows.append(key | {"evaluations": count} | mean_interval(part["best_fitness"]))
    return pd.DataFrame(rows, columns=[*by, "evaluations", "runs", "mean", "sd", "low", "high"])


def robustness(runs: pd.DataFrame, by: Sequence[str] = ("maze", "search")) -> pd.DataFrame:
    """How many runs have solved against evaluations: a row at 0, at each solution and at the budget.

    Examples
    --------
    >>> runs = pd.DataFrame({"maze": "hard", "search": "surprise", "solved": [True, False, True],
    ...     "evaluations": [700, 1000, 300], "population": 250, "generations": 4})
    >>> robustness(runs)[["evaluations", "solved", "runs"]].values.tolist()
    [[0, 0, 3], [300, 1, 3], [700, 2, 3], [1000, 2, 3]]
    """
    runs = at_budget(runs, by)
    rows = []
    for key, group in groups(runs, by):
        budget = one_budget(group, key)
        ends = np.sort(group.loc[group["solved"], "evaluations"].to_numpy())
        for count in np.unique([0, *ends, budget]):
            solved = int(np.searchsorted(ends, count, side="right"))
            rows.append(key | {"evaluations": int(count), "solved": solved, "runs": len(group)})
    table = pd.DataFrame(rows, columns=[*by, "evaluations", "solved", "runs"])
    return table.assign(share=table["solved"] / table["runs"])


def successes(runs: pd.DataFrame, by: Sequence[str] = ("maze", "search")) -> pd.DataFrame:
    """How many runs solved, and the 95% interval of the share that would (Wilson's)."""
    require(runs, *by, "solved")
    rows = []
    for key, group in groups(runs, by):
        solved, count = int(group["solved"].sum()), len(group)
        interval = stats.binomtest(solved, count).proportion_ci(method="wilson")
        share = {"share": solved / count, "low": interval.low, "high": interval.high}
        rows.append(key | {"runs": count, "solved": solved} | share)
    return pd.DataFrame(rows, columns=[*by, "runs", "solved", "share", "low", "high"])


def evaluations(runs: pd.DataFrame, by: Sequence[str] = ("maze", "search")) -> pd.DataFrame:
    """Mean evaluations to a solution, runs without one counted at the budget, with the mean's 95% interval."""
    runs = at_budget(runs, by)
    rows = [
        key | {"budget": one_budget(group, key)} | mean_interval(group["evaluations"])
        for key, group in groups(runs, by)
    ]
    return pd.DataFrame(rows, columns=[*by, "budget", "runs", "mean", "sd", "low", "high"])


def means(runs: pd.DataFrame, measure: str, by: Sequence[str] = ("maze", "search")) -> pd.DataFrame:
    """The mean of any column of a table of runs, with its 95% interval."""
    require(runs, *by, measure)
    rows = [key | mean_interval(group[measure]) for key, group in groups(runs, by)]
    return pd.DataFrame(rows, columns=[*by, "runs", "mean", "sd", "low", "high"])


def typical(runs: pd.DataFrame, count: float) -> pd.Series | None:
    """The run that solved its maze closest to a number of evaluations; None if none solved it."""
    solved = runs[runs["solved"]].sort_values("seed")
    if solved.empty:
        return None
    return solved.loc[(solved["evaluations"] - count).abs().idxmin()]


def genotypes(
    runs: pd.DataFrame,
    by: Sequence[str] = ("maze", "search"),
    measures: Sequence[str] = GENOTYPE,
) -> pd.DataFrame:
    """Size of the solving genomes and diversity of their populations, means over the runs that solved."""
    require(runs, *by, "solved", *measures)
    solved = runs[runs["solved"]]
    rows = [
        key | {"measure": measure} | mean_interval(group[measure])
        for key, group in groups(solved, by)
        for measure in measures
    ]
    return pd.DataFrame(rows, columns=[*by, "measure", "runs", "mean", "sd", "low", "high"])


def sensitivity(runs: pd.DataFrame) -> pd.DataFrame:
    """Successes and effort (mean evaluations / budget, with its 95% interval) for each setting that was tried."""
    by = ("maze", "search", "clusters", "neighbours")
    runs = at_budget(runs, by)
    rows = []
    for key, group in groups(runs, by):
        effort = mean_interval(group["evaluations"] / one_budget(group, key))
        rows.append(
            key
            | {"runs": effort["runs"], "solved": int(group["solved"].sum()), "evaluations": group["evaluations"].mean()}
            | {"effort": effort["mean"], "low": effort["low"], "high": effort["high"]}
        )
    return pd.DataFrame(rows, columns=[*by, "runs", "solved", "evaluations", "effort", "low", "high"])


def best_settings(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of a sensitivity table with most successes for their runs, ties broken by fewest evaluations."""
    require(table, "maze", "search", "runs", "solved", "evaluations")
    share = table.assign(share=table["solved"] / table["runs"])
    best = share.sort_values(["share", "evaluations"], ascending=[False, True]).groupby(["maze", "search"]).head(1)
    return table.loc[best.index].sort_index().reset_index(drop=True)
