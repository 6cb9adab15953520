"""Regress success rates on the failure rate of objective search, which measures how deceptive a maze is."""

import math
from typing import NamedTuple

import pandas as pd

from divergent.analysis._grouping import problem_column, require_columns


class Deceptiveness(NamedTuple):
    """Regression of the success rates of two searches on the failure rate of a third search, the misled search.

    Parameters
    ----------
    points : DataFrame
        One row per maze and search: the success rate of the search, and the failure rate of the misled search.
    lines : DataFrame
        One row per search, with the regression line of the search.
    difference : float
        Intercept of the second search minus the intercept of the first search, fitted with a common slope (ANCOVA).
    intercept_p : float
        p-value of the null hypothesis that both intercepts are equal (ANCOVA).
    slope_p : float
        p-value of the null hypothesis that both slopes are equal, which ANCOVA assumes.
    """

    points: pd.DataFrame
    lines: pd.DataFrame
    difference: float
    intercept_p: float
    slope_p: float


def deceptiveness(runs: pd.DataFrame, searches: tuple[str, str], misled: str = "objective") -> Deceptiveness:
    """Regress the success rates of two searches on the failure rate of a third search, with one data point per maze.

    Parameters
    ----------
    runs : DataFrame
        A table of runs, in which searches may have different numbers of runs.
    searches : tuple of str
        Names of the two searches to compare.
    misled : str, default="objective"
        Name of the search whose failure rate measures how deceptive a maze is.

    Returns
    -------
    Deceptiveness
        Success rates, regression lines and tests. Statistics are NaN if there are fewer than three mazes, or if all
        success rates or all failure rates are equal.

    Examples
    --------
    >>> rows = [(maze, search, run < solved) for maze, *counts in (("a", 4, 4, 4), ("b", 2, 3, 4), ("c", 0, 1, 2))
    ...     for search, solved in zip(("objective", "novelty", "surprise"), counts) for run in range(4)]
    >>> runs = pd.DataFrame(rows, columns=["maze", "search", "solved"])
    >>> deceptiveness(runs, ("novelty", "surprise")).lines["slope"].round(2).tolist()
    [-0.75, -0.5]
    """
    column = problem_column(runs)
    require_columns(runs, column, "search", "solved")
    rates = runs.pivot_table(index=column, columns="search", values="solved", aggfunc="mean").astype(float)
    rates = rates.reindex(columns=[misled, *searches])
    points = pd.concat(
        [
            pd.DataFrame({"search": search, "failures": 1 - rates[misled], "successes": rates[search]}).dropna()
            for search in searches
        ]
    ).reset_index(names=column)
    lines = [{"search": search} | _line(points[points["search"] == search]) for search in searches]
    columns = ["search", "mazes", "slope", "intercept", "adjusted_r2", "p"]
    return Deceptiveness(points, pd.DataFrame(lines, columns=columns), *_ancova(points, searches))


def _line(points: pd.DataFrame) -> dict[str, float]:
    """Return the regression line of success rates on failure rates."""
    from statsmodels.formula import api

    line = {"mazes": len(points), "slope": math.nan, "intercept": math.nan, "adjusted_r2": math.nan, "p": math.nan}
    if len(points) < 3 or points["failures"].nunique() < 2 or points["successes"].nunique() < 2:
        return line
    fit = api.ols("successes ~ failures", data=points).fit()
    numbers = {"slope": fit.params["failures"], "intercept": fit.params["Intercept"]}
    return line | numbers | {"adjusted_r2": fit.rsquared_adj, "p": fit.pvalues["failures"]}


def _ancova(points: pd.DataFrame, searches: tuple[str, str]) -> tuple[float, float, float]:
    """Return the difference of intercepts at a common slope, and p-values for equal intercepts and for equal slopes."""
    from statsmodels.formula import api
    from statsmodels.stats.anova import anova_lm

    parts = [points[points["search"] == search] for search in searches]
    if any(len(part) < 3 or part["failures"].nunique() < 2 for part in parts) or points["successes"].nunique() < 2:
        return math.nan, math.nan, math.nan
    points = points.assign(second=(points["search"] == searches[1]).astype(float))
    parallel = api.ols("successes ~ failures + second", data=points).fit()
    separate = api.ols("successes ~ failures * second", data=points).fit()
    if separate.ssr < 1e-20:  # an exact fit has no residuals, so the tests are undefined
        return float(parallel.params["second"]), math.nan, math.nan
    intercepts = anova_lm(parallel, typ=2).loc["second", "PR(>F)"]
    slopes = anova_lm(separate, typ=2).loc["failures:second", "PR(>F)"]
    return float(parallel.params["second"]), float(intercepts), float(slopes)
