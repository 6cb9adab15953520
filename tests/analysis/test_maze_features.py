import math

import numpy as np
import pandas as pd
import pytest
from sample_tables import runs_of

from divergent import analysis
from divergent.analysis._maze_features import _chambers
from divergent.maze import Maze, generate_maze

BOX = [(0, 0, 200, 0), (200, 0, 200, 200), (200, 200, 0, 200), (0, 200, 0, 0)]


def maze_of(*pieces):
    return Maze("made up", (20.0, 180.0), 0.0, (180.0, 20.0), np.array([*BOX, *pieces], dtype=float))


def test_compute_features_of_an_empty_maze_is_a_straight_path():
    features = analysis.compute_features(maze_of())
    assert features == {"shortest_path": pytest.approx(160 * 2**0.5), "turns": 0, "dead_end_area": 0, "subdivisions": 0}


def test_compute_features_counts_chambers_off_the_path_as_dead_ends():
    # the path passes the first wall; the second wall cuts off a quarter of the right half, a dead end
    across = (100, 0, 100, 30), (100, 48, 100, 200)
    below = (100, 150, 150, 150), (168, 150, 200, 150)
    features = analysis.compute_features(maze_of(*across, *below))
    assert features["subdivisions"] == 2
    assert features["dead_end_area"] == pytest.approx(100 * 50 / 200**2)


def test_compute_features_with_a_right_angle_counts_one_turn():
    # along the left side up to a hole at the top, then to the right
    features = analysis.compute_features(maze_of((60, 0, 60, 10), (60, 28, 60, 200)))
    assert 0.8 < features["turns"] < 1.2


@pytest.mark.parametrize("seed", range(10))
def test_chambers_of_generated_mazes_are_one_more_than_subdivisions(seed):
    maze = generate_maze(seed)
    chambers = _chambers(maze)
    assert len(chambers) == (len(maze.walls) - 4) // 2 + 1
    assert sum((right - left) * (bottom - top) for left, top, right, bottom in chambers) == pytest.approx(200**2)
    assert all(min(right - left, bottom - top) >= 25 - 1e-9 for left, top, right, bottom in chambers)
    assert 0 <= analysis.compute_features(maze)["dead_end_area"] < 1


def test_regress_on_features_finds_the_relevant_feature():
    mazes = [f"generated:{seed}" for seed in range(24)]
    lengths = pd.Series(
        {maze: analysis.compute_features(generate_maze(seed))["shortest_path"] for seed, maze in enumerate(mazes)}
    )
    solved = (10 * (lengths.max() - lengths) / np.ptp(lengths)).round().astype(int)
    runs = pd.concat(
        [runs_of(search, [1] * count + [None] * (10 - count), maze=maze)
         for maze in mazes for search, count in (("novelty", 5), ("surprise", solved[maze]))]
    )  # fmt: skip
    result = analysis.regress_on_features(runs, ("novelty", "surprise"))
    lines = result.lines.set_index(["outcome", "feature"])
    row = lines.loc[("surprise", "shortest_path")]
    assert row["low"] <= row["change"] <= row["high"] < 0
    assert row["p"] < 0.001
    assert lines.loc["difference"]["change"].tolist() == pytest.approx(lines.loc["surprise"]["change"].tolist())
    assert lines.loc["novelty"].drop(columns="mazes").isna().all(axis=None)  # it solves all of them alike
    assert len(result.mazes) == 24


def test_regress_on_features_with_few_mazes_is_nan():
    runs = pd.concat([runs_of(search, [1], maze="generated:0") for search in ("novelty", "surprise")])
    lines = analysis.regress_on_features(runs, ("novelty", "surprise")).lines
    assert len(lines) == 12
    assert all(math.isnan(change) for change in lines["change"])
    assert analysis.regress_on_features(runs[runs["search"] == "novelty"], ("novelty", "surprise")).mazes.empty
