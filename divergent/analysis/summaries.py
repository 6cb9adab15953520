"""How well searches do: successes, evaluations and means, each with its interval."""

import math
from collections.abc import Sequence

import pandas as pd

from divergent.analysis.grouping import groups, mean_interval, one_budget, require, stacked
from divergent.analysis.intervals import bounded_intervals, proportion_interval
from divergent.analysis.tables import DIVERSITY, at_budget
from divergent.maze.task import BEST

GENOTYPE = ("connections", "hidden_nodes", *DIVERSITY)
# between which a measure can be; what is not here has no bounds that are known
LIMITS = dict.fromkeys(GENOTYPE, (0.0, math.inf)) | {"best_fitness": (-math.inf, BEST), "entropy": (0.0, 1.0)}
LIMITS |= {"coverage": (0.0, 1.0), "qd_score": (0.0, math.inf)}


def efficiency(curves: pd.DataFrame, by: Sequence[str] = ("maze", "search")) -> pd.DataFrame:
    """Mean best fitness so far against evaluations, with the 95% interval of the mean."""
    require(curves, *by, "seed", "budget", "evaluations", "best_fitness")
    tables = []
    for key, group in groups(curves, by):
        one_budget(group, key)
        order = group.groupby("evaluations").cumcount()  # runs may share a seed where they are of several mazes
        best = group.assign(run=order).pivot(index="run", columns="evaluations", values="best_fitness")
        low, high = bounded_intervals(best.to_numpy(), high=BEST)
        sd = best.std() if len(best) > 1 else math.nan
        numbers = {"evaluations": best.columns, "runs": len(best), "mean": best.mean(), "sd": sd}
        tables.append(pd.DataFrame(numbers | {"low": low, "high": high}, index=best.columns).assign(**key))
    return stacked(tables, [*by, "evaluations", "runs", "mean", "sd", "low", "high"])


def successes(runs: pd.DataFrame, by: Sequence[str] = ("maze", "search")) -> pd.DataFrame:
    """How many runs solved, and the 95% interval of the share that would (Wilson's)."""
    require(runs, *by, "solved")
    rows = []
    for key, group in groups(runs, by):
        solved, count = int(group["solved"].sum()), len(group)
        low, high = proportion_interval(solved, count)
        rows.append(key | {"runs": count, "solved": solved, "share": solved / count, "low": low, "high": high})
    return pd.DataFrame(rows, columns=[*by, "runs", "solved", "share", "low", "high"])


def evaluations(runs: pd.DataFrame, by: Sequence[str] = ("maze", "search")) -> pd.DataFrame:
    """The restricted mean of evaluations to a solution, with its 95% interval.

    It is restricted at the budget: runs without a solution count with their budget, whatever they would have needed.
    """
    runs = at_budget(runs, by)
    rows = []
    for key, group in groups(runs, by):
        budget = one_budget(group, key)
        rows.append(key | {"budget": budget} | mean_interval(group["evaluations"], 0, budget))
    return pd.DataFrame(rows, columns=[*by, "budget", "runs", "mean", "sd", "low", "high"])


def means(runs: pd.DataFrame, measure: str, by: Sequence[str] = ("maze", "search")) -> pd.DataFrame:
    """The mean of any column of a table of runs, with its 95% interval."""
    require(runs, *by, measure)
    rows = [key | mean_interval(group[measure], *LIMITS.get(measure, ())) for key, group in groups(runs, by)]
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
        key | {"measure": measure} | mean_interval(group[measure], *LIMITS[measure])
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
        effort = mean_interval(group["evaluations"] / one_budget(group, key), 0, 1)
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
