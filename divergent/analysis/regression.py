"""How searches do in mazes that mislead another: regression lines and ANCOVA."""

import math
from typing import NamedTuple

import pandas as pd

from divergent.analysis.grouping import require


class Deceptiveness(NamedTuple):
    """How searches do in mazes that mislead another search."""

    points: pd.DataFrame
    """A row a maze and search: the share of runs that solved, and the share in which the misled search failed."""

    lines: pd.DataFrame
    """A row a search: the regression line through its points."""

    difference: float
    """How much higher the second search's intercept is at a common slope (ANCOVA)."""

    intercept_p: float
    """Of the hypothesis that the intercepts are equal (ANCOVA)."""

    slope_p: float
    """Of the hypothesis that the slopes are equal, which ANCOVA assumes."""


def deceptiveness(runs: pd.DataFrame, searches: tuple[str, str], misled: str = "objective") -> Deceptiveness:
    """Regress the successes of two searches on the failures of one that is misled, maze by maze.

    Shares of runs stand for numbers of runs, so that unequal numbers do no harm. What cannot be computed, for too few
    mazes or because all have the same successes or failures, is NaN.
    """
    require(runs, "maze", "search", "solved")
    share = runs.pivot_table(index="maze", columns="search", values="solved", aggfunc="mean").astype(float)
    share = share.reindex(columns=[misled, *searches])
    points = pd.concat(
        [
            pd.DataFrame({"search": search, "failures": 1 - share[misled], "successes": share[search]}).dropna()
            for search in searches
        ]
    ).reset_index(names="maze")
    lines = [{"search": search} | _line(points[points["search"] == search]) for search in searches]
    columns = ["search", "mazes", "slope", "intercept", "adjusted_r2", "p"]
    return Deceptiveness(points, pd.DataFrame(lines, columns=columns), *_ancova(points, searches))


def _line(points: pd.DataFrame) -> dict[str, float]:
    """The regression line of successes on failures."""
    from statsmodels.formula import api

    line = {"mazes": len(points), "slope": math.nan, "intercept": math.nan, "adjusted_r2": math.nan, "p": math.nan}
    if len(points) < 3 or points["failures"].nunique() < 2 or points["successes"].nunique() < 2:
        return line
    fit = api.ols("successes ~ failures", data=points).fit()
    numbers = {"slope": fit.params["failures"], "intercept": fit.params["Intercept"]}
    return line | numbers | {"adjusted_r2": fit.rsquared_adj, "p": fit.pvalues["failures"]}


def _ancova(points: pd.DataFrame, searches: tuple[str, str]) -> tuple[float, float, float]:
    """Difference of the intercepts at a common slope, p of equal intercepts, p of equal slopes."""
    from statsmodels.formula import api
    from statsmodels.stats.anova import anova_lm

    parts = [points[points["search"] == search] for search in searches]
    if any(len(part) < 3 or part["failures"].nunique() < 2 for part in parts) or points["successes"].nunique() < 2:
        return math.nan, math.nan, math.nan
    points = points.assign(second=(points["search"] == searches[1]).astype(float))
    parallel = api.ols("successes ~ failures + second", data=points).fit()
    free = api.ols("successes ~ failures * second", data=points).fit()
    if free.ssr < 1e-20:  # both lines go through all their points, and there is no residual to test against
        return float(parallel.params["second"]), math.nan, math.nan
    intercepts = anova_lm(parallel, typ=2).loc["second", "PR(>F)"]
    slopes = anova_lm(free, typ=2).loc["failures:second", "PR(>F)"]
    return float(parallel.params["second"]), float(intercepts), float(slopes)
