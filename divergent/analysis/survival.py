"""How long runs take when some never arrive: those without a solution are censored at their budget."""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import stats

from divergent.analysis.grouping import groups, one_budget
from divergent.analysis.intervals import LEVEL
from divergent.analysis.tables import at_budget


def kaplan_meier(runs: pd.DataFrame, by: Sequence[str] = ("maze", "search")) -> pd.DataFrame:
    """Kaplan-Meier curves of the share of runs that have solved: a row at 0, at each solution and at the budget.

    `at_risk` is how many runs had not solved before that number of evaluations. The 95% band is the log-log one of
    Greenwood's variance; where none or all have solved, which leaves that undefined, the exact binomial one.

    Examples
    --------
    >>> runs = pd.DataFrame({"maze": "hard", "search": "surprise", "solved": [True, False, True],
    ...     "evaluations": [700, 1000, 300], "population": 250, "generations": 4})
    >>> kaplan_meier(runs)[["evaluations", "solved", "runs", "at_risk"]].values.tolist()
    [[0, 0, 3, 3], [300, 1, 3, 3], [700, 2, 3, 2], [1000, 2, 3, 1]]
    """
    runs = at_budget(runs, by)
    rows = []
    for key, group in groups(runs, by):
        budget, count = one_budget(group, key), len(group)
        ends = np.sort(group.loc[group["solved"], "evaluations"].to_numpy())
        for moment in np.unique([0, *ends, budget]):
            solved = int(np.searchsorted(ends, moment, side="right"))
            before = int(np.searchsorted(ends, moment, side="left"))
            low, high = _band(solved, count)
            rows.append(
                key
                | {"evaluations": int(moment), "solved": solved, "runs": count, "at_risk": count - before}
                | {"share": solved / count, "low": low, "high": high}
            )
    columns = [*by, "evaluations", "solved", "runs", "at_risk", "share", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def running_times(runs: pd.DataFrame, by: Sequence[str] = ("maze", "search")) -> pd.DataFrame:
    """Median and expected running times, a row a group.

    The median is the number of evaluations by which half of the runs have solved, with its 95% interval from the band
    of `robustness`; infinite where that is beyond the budget. The expected running time is that of a search that
    starts anew whenever its budget is spent: all evaluations of all runs for each solution.

    Examples
    --------
    >>> runs = pd.DataFrame({"maze": "hard", "search": "surprise", "solved": [True, False, True],
    ...     "evaluations": [700, 1000, 300], "population": 250, "generations": 4})
    >>> running_times(runs)[["median", "expected"]].values.tolist()
    [[700.0, 1000.0]]
    """
    runs = at_budget(runs, by)
    curves = {tuple(key.values()): curve for key, curve in groups(kaplan_meier(runs, by), by)}
    rows = []
    for key, group in groups(runs, by):
        curve, solved = curves[tuple(key.values())], int(group["solved"].sum())
        halves = [_first_at_half(curve, name) for name in ("share", "high", "low")]
        rows.append(
            key
            | {"runs": len(group), "solved": solved}
            | dict(zip(("median", "low", "high"), halves, strict=True))
            | {"expected": group["evaluations"].sum() / solved if solved else math.inf}
        )
    return pd.DataFrame(rows, columns=[*by, "runs", "solved", "median", "low", "high", "expected"])


def log_rank(first: pd.DataFrame, second: pd.DataFrame, strata: str | None = None) -> float:
    """Return the p-value of a log-rank test between two searches' runs.

    Parameters
    ----------
    first, second : DataFrame
        Tables of runs.
    strata : str or None, default=None
        A column within whose values runs are compared, such as the maze. None compares all runs with all.

    Returns
    -------
    float
        NaN without runs of both searches. 1 where the runs hold no information: no run solves its maze, or all runs
        of a stratum solve it after the same number of evaluations.

    Examples
    --------
    >>> def runs_of(*solved):
    ...     return pd.DataFrame({"evaluations": solved, "solved": True, "population": 10, "generations": 100})
    >>> round(log_rank(runs_of(100, 200, 300, 400), runs_of(500, 600, 700, 800)), 4)
    0.0067
    """
    if first.empty or second.empty:
        return math.nan
    runs = at_budget(pd.concat([first.assign(group=0), second.assign(group=1)], ignore_index=True))
    each = runs.groupby(np.zeros(len(runs)) if strata is None else strata)
    tied = each["solved"].transform("all") & (each["evaluations"].transform("nunique") == 1)
    # these strata have no variance, which statsmodels divides by
    runs = runs[(each["group"].transform("nunique") == 2) & each["solved"].transform("any") & ~tied]
    if runs.empty:
        return 1.0
    from statsmodels.duration.survfunc import survdiff

    kept = None if strata is None else runs[strata].to_numpy()
    return float(survdiff(runs["evaluations"], runs["solved"].astype(int), runs["group"], strata=kept)[1])


def _band(solved: int, count: int) -> tuple[float, float]:
    """Without censoring before the budget, Greenwood's variance is the binomial one."""
    if solved in (0, count):
        interval = stats.binomtest(solved, count).proportion_ci(1 - LEVEL, method="exact")
        return float(interval.low), float(interval.high)
    left = 1 - solved / count
    reach = stats.norm.ppf(1 - LEVEL / 2) * math.sqrt(left * (1 - left) / count) / (left * abs(math.log(left)))
    return 1 - left ** math.exp(-reach), 1 - left ** math.exp(reach)


def _first_at_half(curve: pd.DataFrame, name: str) -> float:
    there = curve.loc[curve[name] >= 0.5, "evaluations"]
    return float(there.iloc[0]) if len(there) else math.inf
