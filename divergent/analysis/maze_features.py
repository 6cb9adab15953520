"""What generated mazes are like, and which of them a search does well in."""

import math
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from divergent.analysis.grouping import require
from divergent.analysis.intervals import LEVEL
from divergent.maze import Maze, read_maze, shortest_path

FEATURES = ("shortest_way", "turns", "dead_end_area", "subdivisions")


def features_of(maze: Maze) -> dict[str, float]:
    """What a generated maze is like.

    Every wall has one hole, so that its chambers hang together like the branches of a tree, where they do: whatever
    the shortest way does not enter is a dead end, or cannot be entered at all.

    Returns
    -------
    features
        `shortest_way`, in maze units; `turns`, by how many right angles it turns in all; `dead_end_area`, the share of
        the box that lies in chambers off that way; `subdivisions`, how many walls with a hole there are.

    Examples
    --------
    >>> from divergent.maze import generate_maze
    >>> features = features_of(generate_maze(3, subdivisions=0))
    >>> round(features["shortest_way"]), features["dead_end_area"], features["subdivisions"]
    (226, 0.0, 0)
    """
    length, way = shortest_path(maze)
    chambers = _chambers(maze)
    steps = np.diff(way, axis=0)
    headings = np.arctan2(steps[:, 1], steps[:, 0])
    turned = np.abs((np.diff(headings) + np.pi) % (2 * np.pi) - np.pi).sum()
    places = np.concatenate([np.linspace(begin, end, 50) for begin, end in pairwise(way)])
    areas = [(right - left) * (bottom - top) for left, top, right, bottom in chambers]
    off = sum(area for area, chamber in zip(areas, chambers, strict=True) if not _inside(places, chamber).any())
    return {
        "shortest_way": length,
        "turns": float(turned / (np.pi / 2)),
        "dead_end_area": off / sum(areas),
        "subdivisions": len(chambers) - 1,
    }


class FeatureRegression(NamedTuple):
    """How the share of runs that solve a maze depends on what the maze is like."""

    mazes: pd.DataFrame
    """A row a maze: its features, and each search's share of runs that solved it."""

    lines: pd.DataFrame
    """A row an outcome and feature: how much the outcome changes with one standard deviation of the feature, the other
    features being equal, with the 95% interval and p. Outcomes are the searches' shares and, last, the second search's
    less the first's."""


def regress_on_features(runs: pd.DataFrame, searches: tuple[str, str]) -> FeatureRegression:
    """Regress the successes of two searches, and the difference between them, on the features of generated mazes.

    Linear regression with standard errors that allow for unequal variances (HC3). What cannot be computed, for too few
    mazes or because a feature or outcome is the same in all, is NaN.
    """
    require(runs, "maze", "search", "solved")
    share = runs.pivot_table(index="maze", columns="search", values="solved", aggfunc="mean").astype(float)
    share = share.reindex(columns=list(searches)).dropna()
    mazes = _table_of(share.index).join(share)
    outcomes = {name: mazes[name] for name in searches} | {"difference": mazes[searches[1]] - mazes[searches[0]]}
    rows = [
        {"outcome": outcome, "feature": feature, "mazes": len(mazes)} | numbers
        for outcome, values in outcomes.items()
        for feature, numbers in _line(mazes[list(FEATURES)], values).items()
    ]
    columns = ["outcome", "feature", "mazes", "change", "low", "high", "p"]
    return FeatureRegression(mazes.reset_index(), pd.DataFrame(rows, columns=columns))


def _table_of(mazes: Iterable[str]) -> pd.DataFrame:
    rows = {maze: features_of(read_maze(maze)) for maze in mazes}
    table = pd.DataFrame.from_dict(rows, orient="index", columns=list(FEATURES))
    return table.rename_axis(index="maze")


def _line(features: pd.DataFrame, values: pd.Series) -> dict[str, dict[str, float]]:
    nothing = {"change": math.nan, "low": math.nan, "high": math.nan, "p": math.nan}
    spread = features.std()
    too_few = len(features) < 3 * (len(FEATURES) + 1)
    if too_few or values.nunique() < 2 or (spread == 0).any():
        return dict.fromkeys(FEATURES, nothing)
    import statsmodels.api

    scaled = statsmodels.api.add_constant((features - features.mean()) / spread)
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
    """The rectangles that the walls of a generated maze, their holes closed, divide its box into."""
    chambers = [maze.bounds]
    for x1, y1, x2, y2 in _closed(maze.walls[4:]):
        (whole,) = [
            box for box in chambers if box[0] <= min(x1, x2) and max(x1, x2) <= box[2] and box[1] <= min(y1, y2)
            and max(y1, y2) <= box[3]
        ]  # fmt: skip
        chambers.remove(whole)
        left, top, right, bottom = whole
        if x1 == x2:
            chambers += [(left, top, x1, bottom), (x1, top, right, bottom)]
        else:
            chambers += [(left, top, right, y1), (left, y1, right, bottom)]
    return chambers


def _closed(pieces: np.ndarray) -> list[tuple[float, float, float, float]]:
    """Walls without their holes: the pieces on both sides of a hole follow each other, if it has two."""
    walls: list[tuple[float, float, float, float]] = []
    for x1, y1, x2, y2 in pieces.tolist():
        in_line = walls and ((walls[-1][0] == walls[-1][2] == x1 == x2) or (walls[-1][1] == walls[-1][3] == y1 == y2))
        if in_line:
            walls[-1] = (*walls[-1][:2], x2, y2)
        else:
            walls.append((x1, y1, x2, y2))
    return walls


def _inside(places: np.ndarray, chamber: tuple[float, float, float, float]) -> np.ndarray:
    left, top, right, bottom = chamber
    x, y = places.T
    return (left < x) & (x < right) & (top < y) & (y < bottom)
