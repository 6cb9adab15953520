"""Summarise searches by success rates, evaluations and means, with confidence intervals."""

import math
from collections.abc import Sequence

import pandas as pd

from divergent.analysis._budgets import censor_at_budget
from divergent.analysis._grouping import (
    common_budget,
    group_columns,
    group_rows,
    mean_interval,
    problem_column,
    require_columns,
    stack_tables,
)
from divergent.analysis._intervals import bounded_intervals, proportion_interval
from divergent.maze._maze import BEST
from divergent.runs._row_measures import DIVERSITY

GENOTYPE = ("connections", "hidden_nodes", *DIVERSITY)
# range of possible values of each measure, which bounds the confidence interval of its mean
LIMITS = dict.fromkeys(GENOTYPE, (0.0, math.inf)) | {"best_fitness": (-math.inf, BEST), "entropy": (0.0, 1.0)}
LIMITS |= {"coverage": (0.0, 1.0), "qd_score": (0.0, math.inf)}


def efficiency(curves: pd.DataFrame, by: Sequence[str] | None = None) -> pd.DataFrame:
    """Return the mean best fitness so far at each number of evaluations.

    Parameters
    ----------
    curves : DataFrame
        A table of best-fitness curves, as returned by `divergent.analysis.curves`.
    by : sequence of str or None, default=None
        Columns whose values define a group; None groups rows by problem and search.

    Returns
    -------
    DataFrame
        One row per group and number of evaluations, with the mean, its 95% interval and the standard deviation.
    """
    by = group_columns(curves, by, ("search",))
    require_columns(curves, *by, "seed", "budget", "evaluations", "best_fitness")
    tables = []
    for key, group in group_rows(curves, by):
        common_budget(group, key)
        # The pivot table identifies runs by consecutive numbers, because runs in different mazes may have equal seeds.
        run = group.groupby("evaluations").cumcount()
        best = group.assign(run=run).pivot(index="run", columns="evaluations", values="best_fitness")
        low, high = bounded_intervals(best.to_numpy(), high=BEST)
        sd = best.std() if len(best) > 1 else math.nan
        numbers = {"evaluations": best.columns, "runs": len(best), "mean": best.mean(), "sd": sd}
        tables.append(pd.DataFrame(numbers | {"low": low, "high": high}, index=best.columns).assign(**key))
    return stack_tables(tables, [*by, "evaluations", "runs", "mean", "sd", "low", "high"])


def success_rates(runs: pd.DataFrame, by: Sequence[str] | None = None) -> pd.DataFrame:
    """Return the success rate of each group of runs.

    Parameters
    ----------
    runs : DataFrame
        A table of runs.
    by : sequence of str or None, default=None
        Columns whose values define a group; None groups rows by problem and search.

    Returns
    -------
    DataFrame
        One row per group. `runs` is the number of runs, `solved` the number of successful runs, and `fraction` the
        success rate. The columns `low` and `high` bound Wilson's 95% interval of `fraction`.

    Examples
    --------
    >>> runs = pd.DataFrame({"maze": "hard", "search": "novelty", "solved": [True, False, True, True]})
    >>> success_rates(runs)[["runs", "solved", "fraction"]].values.tolist()
    [[4.0, 3.0, 0.75]]
    """
    by = group_columns(runs, by, ("search",))
    require_columns(runs, *by, "solved")
    rows = []
    for key, group in group_rows(runs, by):
        solved, count = int(group["solved"].sum()), len(group)
        low, high = proportion_interval(solved, count)
        rows.append(key | {"runs": count, "solved": solved, "fraction": solved / count, "low": low, "high": high})
    return pd.DataFrame(rows, columns=[*by, "runs", "solved", "fraction", "low", "high"])


def evaluations(runs: pd.DataFrame, by: Sequence[str] | None = None) -> pd.DataFrame:
    """Return the restricted mean number of evaluations to a solution.

    The mean is restricted to the budget: the evaluations of an unsuccessful run equal its budget.

    Parameters
    ----------
    runs : DataFrame
        A table of runs, in which all runs of a group have the same budget.
    by : sequence of str or None, default=None
        Columns whose values define a group; None groups rows by problem and search.

    Returns
    -------
    DataFrame
        One row per group, with the budget, the number of runs, the mean, its 95% interval and the standard deviation.

    See Also
    --------
    running_times : Compute median and expected running times.
    """
    by = group_columns(runs, by, ("search",))
    runs = censor_at_budget(runs, by)
    rows = []
    for key, group in group_rows(runs, by):
        budget = common_budget(group, key)
        rows.append(key | {"budget": budget} | mean_interval(group["evaluations"], 0, budget))
    return pd.DataFrame(rows, columns=[*by, "budget", "runs", "mean", "sd", "low", "high"])


def means(runs: pd.DataFrame, measure: str, by: Sequence[str] | None = None) -> pd.DataFrame:
    """Return the mean of one column for each group of runs.

    Parameters
    ----------
    runs : DataFrame
        A table of runs.
    measure : str
        Name of the column to average.
    by : sequence of str or None, default=None
        Columns whose values define a group; None groups rows by problem and search.

    Returns
    -------
    DataFrame
        One row per group, with the number of runs, the mean, its 95% interval and the standard deviation.
    """
    by = group_columns(runs, by, ("search",))
    require_columns(runs, *by, measure)
    rows = [key | mean_interval(group[measure], *LIMITS.get(measure, ())) for key, group in group_rows(runs, by)]
    return pd.DataFrame(rows, columns=[*by, "runs", "mean", "sd", "low", "high"])


def typical_run(runs: pd.DataFrame, count: float) -> pd.Series | None:
    """Return the successful run whose number of evaluations is closest to a given number.

    Parameters
    ----------
    runs : DataFrame
        A table of runs.
    count : float
        Number of evaluations, such as the mean evaluations of a search.

    Returns
    -------
    Series or None
        Row of this run in the table; None if no run solved its maze.
    """
    solved = runs[runs["solved"]].sort_values("seed")
    if solved.empty:
        return None
    return solved.loc[(solved["evaluations"] - count).abs().idxmin()]


def genotypes(
    runs: pd.DataFrame,
    by: Sequence[str] | None = None,
    measures: Sequence[str] = GENOTYPE,
) -> pd.DataFrame:
    """Return the mean size and diversity of genotypes over the runs that solved their maze.

    Parameters
    ----------
    runs : DataFrame
        A table of runs.
    by : sequence of str or None, default=None
        Columns whose values define a group; None groups rows by problem and search.
    measures : sequence of str, default=GENOTYPE
        Columns to average, by default the size of the solution and the genotypic diversity of the final population.

    Returns
    -------
    DataFrame
        One row per group and measure, with the number of runs, the mean, its 95% interval and the standard deviation.
    """
    by = group_columns(runs, by, ("search",))
    require_columns(runs, *by, "solved", *measures)
    solved = runs[runs["solved"]]
    rows = [
        key | {"measure": measure} | mean_interval(group[measure], *LIMITS[measure])
        for key, group in group_rows(solved, by)
        for measure in measures
    ]
    return pd.DataFrame(rows, columns=[*by, "measure", "runs", "mean", "sd", "low", "high"])


def sensitivity(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the number of successful runs and the mean evaluations for each setting of a sensitivity analysis.

    Parameters
    ----------
    runs : DataFrame
        A table of runs with several values of `clusters` and `neighbours`.

    Returns
    -------
    DataFrame
        One row per maze, search and setting. `effort` is the mean number of evaluations divided by the budget. The
        columns `low` and `high` bound the 95% interval of `effort`.

    See Also
    --------
    best_settings : Select the best setting for each maze and search.
    """
    by = (problem_column(runs), "search", "clusters", "neighbours")
    runs = censor_at_budget(runs, by)
    rows = []
    for key, group in group_rows(runs, by):
        effort = mean_interval(group["evaluations"] / common_budget(group, key), 0, 1)
        rows.append(
            key
            | {"runs": effort["runs"], "solved": int(group["solved"].sum()), "evaluations": group["evaluations"].mean()}
            | {"effort": effort["mean"], "low": effort["low"], "high": effort["high"]}
        )
    return pd.DataFrame(rows, columns=[*by, "runs", "solved", "evaluations", "effort", "low", "high"])


def best_settings(table: pd.DataFrame) -> pd.DataFrame:
    """Select the best setting for each maze and search.

    Parameters
    ----------
    table : DataFrame
        A table as returned by `sensitivity`.

    Returns
    -------
    DataFrame
        The row with the highest success rate for each maze and search; ties are broken by fewest evaluations.
    """
    problem = problem_column(table)
    require_columns(table, problem, "search", "runs", "solved", "evaluations")
    rated = table.assign(fraction=table["solved"] / table["runs"])
    best = rated.sort_values(["fraction", "evaluations"], ascending=[False, True]).groupby([problem, "search"]).head(1)
    return table.loc[best.index].sort_index().reset_index(drop=True)
