import math

import numpy as np
import pandas as pd
import pytest
from sample_tables import no_runs, runs_of
from scipy import stats

from divergent import analysis
from divergent.replicate import paper


def deceptive_mazes(offset, failures=(0, 2, 4, 6, 8)):
    """Mazes in which objective fails so often of 10, novelty as often, and surprise less often by an offset."""
    noise = (0, 1, 0, -1, 0)
    parts = []
    for number, (count, more) in enumerate(zip(failures, noise, strict=True)):
        for search, solved in (("objective", 10 - count), ("novelty", 9 - count + more),
                               ("surprise", 9 - count + offset - more)):  # fmt: skip
            solved = min(10, max(0, solved))
            parts.append(runs_of(search, [1] * solved + [None] * (10 - solved), maze=f"generated:{number}"))
    return pd.concat(parts)


def test_deceptiveness_regresses_on_the_failures_of_objective_search():
    result = analysis.deceptiveness(deceptive_mazes(offset=1), ("novelty", "surprise"))
    failures, novelty = [0, 0.2, 0.4, 0.6, 0.8], [0.9, 0.8, 0.5, 0.2, 0.1]
    line = stats.linregress(failures, novelty)
    row = result.lines.set_index("search").loc["novelty"]
    assert (row["slope"], row["intercept"], row["p"]) == pytest.approx((line.slope, line.intercept, line.pvalue))
    assert row["adjusted_r2"] == pytest.approx(1 - (1 - line.rvalue**2) * 4 / 3)
    assert result.difference == pytest.approx(0.1)


def test_deceptiveness_intercept_p_is_the_f_test_of_ancova():
    result = analysis.deceptiveness(deceptive_mazes(offset=1), ("novelty", "surprise"))
    points = result.points
    second = (points["search"] == "surprise").astype(float)
    full = np.column_stack([np.ones(10), points["failures"], second])
    squares = [np.linalg.lstsq(columns, points["successes"], rcond=None)[1][0] for columns in (full[:, :2], full)]
    ratio = (squares[0] - squares[1]) / (squares[1] / 7)
    assert result.intercept_p == pytest.approx(stats.f.sf(ratio, 1, 7))
    assert 0 <= result.slope_p <= 1


@pytest.mark.parametrize(
    "runs",
    [
        no_runs(),
        runs_of("objective", [1]),
        pd.concat([runs_of(search, [1], maze=maze) for search in paper.SEARCHES for maze in "abc"]),
        pd.concat([runs_of(search, [None], maze=maze) for search in paper.SEARCHES for maze in "abc"]),
    ],
    ids=["no runs", "one run", "all solved", "none solved"],
)
def test_deceptiveness_without_variation_is_nan(runs):
    result = analysis.deceptiveness(runs, ("novelty", "surprise"))
    assert result.lines[["slope", "adjusted_r2", "p"]].isna().all(axis=None)
    assert math.isnan(result.intercept_p)


def test_deceptiveness_of_exact_lines_has_no_p():
    runs = pd.concat(
        [
            runs_of(search, [1] * solved + [None] * (4 - solved), maze=maze)
            for maze, counts in zip("abc", ((4, 3, 4), (3, 2, 3), (2, 1, 2)), strict=True)
            for search, solved in zip(("objective", "novelty", "surprise"), counts, strict=True)
        ]
    )
    result = analysis.deceptiveness(runs, ("novelty", "surprise"))
    assert result.difference == pytest.approx(0.25)
    assert math.isnan(result.intercept_p)
