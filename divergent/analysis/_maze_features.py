"""Regress the success rates of searches on features of generated mazes."""

import math
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from divergent.analysis._grouping import require_columns
from divergent.analysis._intervals import LEVEL
from divergent.maze._files import read_maze
from divergent.maze._maze import Maze
from divergent.maze._paths import shortest_path

FEATURES = ("shortest_path", "turns", "dead_end_area", "subdivisions")


def compute_features(maze: Maze) -> dict[str, float]:
    """Return path length, turns, dead-end area and number of subdivisions of a generated maze.

    The chambers of a generated maze form a tree, since every wall has one gap. A chamber that the shortest path does
    not enter is therefore a dead end or unreachable.

    Parameters
    ----------
    maze : Maze
        A generated maze.

    Returns
    -------
    dict of str to float
        `shortest_path` is the length of the shortest path in maze units. `turns` is the total angle of all turns along
        the shortest path, in right angles. `dead_end_area` is the fraction of the maze area in chambers that the
        shortest path does not enter. `subdivisions` is the number of inner walls, each of which has one gap.

    Examples
    --------
    >>> from divergent.maze import generate_maze
    >>> features = compute_features(generate_maze(3, subdivisions=0))
    >>> round(features["shortest_path"]), features["dead_end_area"], features["subdivisions"]
    (226, 0.0, 0)
    """
    length, path = shortest_path(maze)
    chambers = _chambers(maze)
    steps = np.diff(path, axis=0)
    headings = np.arctan2(steps[:, 1], steps[:, 0])
    turned = np.abs((np.diff(headings) + np.pi) % (2 * np.pi) - np.pi).sum()
    points = np.concatenate([np.linspace(start, end, 50) for start, end in pairwise(path)])
    areas = [(right - left) * (bottom - top) for left, top, right, bottom in chambers]
    off_path = sum(area for area, chamber in zip(areas, chambers, strict=True) if not _inside(points, chamber).any())
    return {
        "shortest_path": length,
        "turns": float(turned / (np.pi / 2)),
        "dead_end_area": off_path / sum(areas),
        "subdivisions": len(chambers) - 1,
    }


class FeatureRegression(NamedTuple):
    """Regression of success rates on the features of mazes.

    Parameters
    ----------
    mazes : DataFrame
        One row per maze, with the features of the maze and the success rate of each search.
    lines : DataFrame
        One row per outcome and feature, with the regression coefficient, its 95% interval and its p-value. The
        coefficient is the change of the outcome per standard deviation of the feature, with all other features held
        constant. The outcomes are the success rates of both searches and their difference (second search minus first
        search).
    """

    mazes: pd.DataFrame
    lines: pd.DataFrame


def regress_on_features(runs: pd.DataFrame, searches: tuple[str, str]) -> FeatureRegression:
    """Regress the success rates of two searches, and their difference, on the features of generated mazes.

    The regression is linear, with standard errors that are robust to unequal variances (HC3).

    Parameters
    ----------
    runs : DataFrame
        A table of runs in generated mazes.
    searches : tuple of str
        Names of the two searches.

    Returns
    -------
    FeatureRegression
        Result of the regression. Statistics are NaN if there are fewer than 15 mazes, or if a feature or an outcome is
        the same in all mazes.

    See Also
    --------
    compute_features : Compute the features of one maze.
    deceptiveness : Regress success rates on the failure rate of objective search.
    """
    require_columns(runs, "maze", "search", "solved")
    rates = runs.pivot_table(index="maze", columns="search", values="solved", aggfunc="mean").astype(float)
    rates = rates.reindex(columns=list(searches)).dropna()
    mazes = _feature_table(rates.index).join(rates)
    outcomes = {name: mazes[name] for name in searches} | {"difference": mazes[searches[1]] - mazes[searches[0]]}
    rows = [
        {"outcome": outcome, "feature": feature, "mazes": len(mazes)} | numbers
        for outcome, values in outcomes.items()
        for feature, numbers in _regress(mazes[list(FEATURES)], values).items()
    ]
    columns = ["outcome", "feature", "mazes", "change", "low", "high", "p"]
    return FeatureRegression(mazes.reset_index(), pd.DataFrame(rows, columns=columns))


def _feature_table(mazes: Iterable[str]) -> pd.DataFrame:
    """Return a table of maze features, with one row for each maze."""
    rows = {maze: compute_features(read_maze(maze)) for maze in mazes}
    table = pd.DataFrame.from_dict(rows, orient="index", columns=list(FEATURES))
    return table.rename_axis(index="maze")


def _regress(features: pd.DataFrame, values: pd.Series) -> dict[str, dict[str, float]]:
    """Return the regression coefficients of standardised features with their intervals and p-values."""
    undefined = {"change": math.nan, "low": math.nan, "high": math.nan, "p": math.nan}
    deviations = features.std()
    too_few = len(features) < 3 * (len(FEATURES) + 1)
    if too_few or values.nunique() < 2 or (deviations == 0).any():
        return dict.fromkeys(FEATURES, undefined)
    import statsmodels.api

    scaled = statsmodels.api.add_constant((features - features.mean()) / deviations)
    fit = statsmodels.api.OLS(values, scaled).fit(cov_type="HC3", use_t=True)
    reach = stats.t.ppf(1 - LEVEL / 2, fit.df_resid) * fit.bse
    return {
        name: {
            "change": float(fit.params[name]),
            "low": float(fit.params[name] - reach[name]),
            "high": float(fit.params[name] + reach[name]),
            "p": float(fit.pvalues[name]),
        }
        for name in FEATURES
    }


def _chambers(maze: Maze) -> list[tuple[float, float, float, float]]:
    """Return the rectangular chambers that the walls of a generated maze would form if their gaps were closed."""
    chambers = [maze.bounds]
    for x1, y1, x2, y2 in _closed(maze.walls[4:]):
        (divided,) = [
            box for box in chambers if box[0] <= min(x1, x2) and max(x1, x2) <= box[2] and box[1] <= min(y1, y2)
            and max(y1, y2) <= box[3]
        ]  # fmt: skip
        chambers.remove(divided)
        left, top, right, bottom = divided
        if x1 == x2:
            chambers += [(left, top, x1, bottom), (x1, top, right, bottom)]
        else:
            chambers += [(left, top, right, y1), (left, y1, right, bottom)]
    return chambers


def _closed(segments: np.ndarray) -> list[tuple[float, float, float, float]]:
    """Close the gap of each wall by joining its two segments, which are consecutive in the array."""
    walls: list[tuple[float, float, float, float]] = []
    for x1, y1, x2, y2 in segments.tolist():
        in_line = walls and ((walls[-1][0] == walls[-1][2] == x1 == x2) or (walls[-1][1] == walls[-1][3] == y1 == y2))
        if in_line:
            walls[-1] = (*walls[-1][:2], x2, y2)
        else:
            walls.append((x1, y1, x2, y2))
    return walls


def _inside(points: np.ndarray, chamber: tuple[float, float, float, float]) -> np.ndarray:
    """Return whether each point lies inside a rectangular chamber."""
    left, top, right, bottom = chamber
    x, y = points.T
    return (left < x) & (x < right) & (top < y) & (y < bottom)
