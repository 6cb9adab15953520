"""Survival analysis of evaluations to a solution, with unsuccessful runs censored at their budget."""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import stats

from divergent.analysis._budgets import censor_at_budget
from divergent.analysis._grouping import common_budget, group_columns, group_rows
from divergent.analysis._intervals import LEVEL


def kaplan_meier(runs: pd.DataFrame, by: Sequence[str] | None = None) -> pd.DataFrame:
    """Return Kaplan-Meier curves of the fraction of runs that have solved the problem.

    Parameters
    ----------
    runs : DataFrame
        A table of runs, in which all runs of a group have the same budget.
    by : sequence of str or None, default=None
        Columns whose values define a group with its own curve; None groups runs by problem and search.

    Returns
    -------
    DataFrame
        For each group, one row at 0 evaluations, one row at each number of evaluations with a solution, and one row at
        the budget. The column `at_risk` counts the runs that are unsolved immediately before the number in the column
        `evaluations`. The columns `low` and `high` bound the 95% confidence band, a log-log band with Greenwood's
        variance. If no run or all runs are solved, the band is an exact binomial interval because the log-log band is
        undefined.

    See Also
    --------
    log_rank : Test the difference between two Kaplan-Meier curves.
    running_times : Compute median and expected running times.

    Examples
    --------
    Two of three runs solve the maze, after 300 and 700 evaluations:

    >>> runs = pd.DataFrame({"maze": "hard", "search": "surprise", "solved": [True, False, True],
    ...     "evaluations": [700, 1000, 300], "population": 250, "generations": 4})
    >>> curve = kaplan_meier(runs)
    >>> curve["evaluations"].tolist()
    [0, 300, 700, 1000]

    >>> curve["solved"].tolist()
    [0, 1, 2, 2]

    >>> curve["at_risk"].tolist()
    [3, 3, 2, 1]
    """
    by = group_columns(runs, by, ("search",))
    runs = censor_at_budget(runs, by)
    rows = []
    for key, group in group_rows(runs, by):
        budget, count = common_budget(group, key), len(group)
        ends = np.sort(group.loc[group["solved"], "evaluations"].to_numpy())
        for moment in np.unique([0, *ends, budget]):
            solved = int(np.searchsorted(ends, moment, side="right"))
            before = int(np.searchsorted(ends, moment, side="left"))
            low, high = _band(solved, count)
            rows.append(
                key
                | {"evaluations": int(moment), "solved": solved, "runs": count, "at_risk": count - before}
                | {"fraction": solved / count, "low": low, "high": high}
            )
    columns = [*by, "evaluations", "solved", "runs", "at_risk", "fraction", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def running_times(runs: pd.DataFrame, by: Sequence[str] | None = None) -> pd.DataFrame:
    """Return the median and the expected running time of each group of runs, in evaluations.

    Parameters
    ----------
    runs : DataFrame
        A table of runs, in which all runs of a group have the same budget.
    by : sequence of str or None, default=None
        Columns whose values define a group; None groups runs by problem and search.

    Returns
    -------
    DataFrame
        One row per group. `median` is the number of evaluations after which half of the runs are solved; infinite if
        fewer than half are solved. The 95% interval of the median is derived from the band of `kaplan_meier`.
        `expected` is the expected running time (ERT) of a search that restarts when its budget is spent. ERT is the
        number of evaluations of all runs divided by the number of successful runs.

    See Also
    --------
    kaplan_meier : Compute the Kaplan-Meier curves from which medians are read.

    Examples
    --------
    >>> runs = pd.DataFrame({"maze": "hard", "search": "surprise", "solved": [True, False, True],
    ...     "evaluations": [700, 1000, 300], "population": 250, "generations": 4})
    >>> running_times(runs)[["median", "expected"]].values.tolist()
    [[700.0, 1000.0]]
    """
    by = group_columns(runs, by, ("search",))
    runs = censor_at_budget(runs, by)
    curves = {tuple(key.values()): curve for key, curve in group_rows(kaplan_meier(runs, by), by)}
    rows = []
    for key, group in group_rows(runs, by):
        curve, solved = curves[tuple(key.values())], int(group["solved"].sum())
        medians = [_first_at_half(curve, name) for name in ("fraction", "high", "low")]
        rows.append(
            key
            | {"runs": len(group), "solved": solved}
            | dict(zip(("median", "low", "high"), medians, strict=True))
            | {"expected": group["evaluations"].sum() / solved if solved else math.inf}
        )
    return pd.DataFrame(rows, columns=[*by, "runs", "solved", "median", "low", "high", "expected"])


def log_rank(first: pd.DataFrame, second: pd.DataFrame, strata: str | None = None) -> float:
    """Return the p-value of a log-rank test between two samples of runs.

    Parameters
    ----------
    first, second : DataFrame
        Tables of runs to compare.
    strata : str or None, default=None
        Column whose values define the strata of a stratified test, such as "maze"; None treats all runs as one stratum.

    Returns
    -------
    float
        The p-value, NaN if a sample is empty. A stratum is omitted if it has no successful run, or runs of one sample
        only. A stratum is also omitted if all its runs succeed after the same number of evaluations. The p-value is 1
        if all strata are omitted.

    See Also
    --------
    kaplan_meier : Compute the Kaplan-Meier curves that the test compares.

    Examples
    --------
    >>> def runs_of(*solved):
    ...     return pd.DataFrame({"evaluations": solved, "solved": True, "population": 10, "generations": 100})
    >>> round(log_rank(runs_of(100, 200, 300, 400), runs_of(500, 600, 700, 800)), 4)
    0.0067
    """
    if first.empty or second.empty:
        return math.nan
    runs = censor_at_budget(pd.concat([first.assign(group=0), second.assign(group=1)], ignore_index=True))
    groups = runs.groupby(np.zeros(len(runs)) if strata is None else strata)
    # statsmodels would divide by 0 if all runs of a stratum are solved after the same number of evaluations
    tied = groups["solved"].transform("all") & (groups["evaluations"].transform("nunique") == 1)
    runs = runs[(groups["group"].transform("nunique") == 2) & groups["solved"].transform("any") & ~tied]
    if runs.empty:
        return 1.0
    from statsmodels.duration.survfunc import survdiff

    labels = None if strata is None else runs[strata].to_numpy()
    return float(survdiff(runs["evaluations"], runs["solved"].astype(int), runs["group"], strata=labels)[1])


def _band(solved: int, count: int) -> tuple[float, float]:
    """Return the 95% confidence interval of the fraction of successful runs at one point of a Kaplan-Meier curve.

    Greenwood's variance is the binomial variance here, because no run is censored before the budget.
    """
    if solved in (0, count):
        interval = stats.binomtest(solved, count).proportion_ci(1 - LEVEL, method="exact")
        return float(interval.low), float(interval.high)
    left = 1 - solved / count
    reach = stats.norm.ppf(1 - LEVEL / 2) * math.sqrt(left * (1 - left) / count) / (left * abs(math.log(left)))
    return 1 - left ** math.exp(-reach), 1 - left ** math.exp(reach)


def _first_at_half(curve: pd.DataFrame, name: str) -> float:
    """Return the first number of evaluations at which a column of a Kaplan-Meier table is at least 0.5, or infinity."""
    evaluations = curve.loc[curve[name] >= 0.5, "evaluations"]
    return float(evaluations.iloc[0]) if len(evaluations) else math.inf
