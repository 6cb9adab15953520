import pandas as pd
import pytest
from sample_tables import runs_of

from divergent import analysis


@pytest.mark.parametrize("missing", ["solved", "evaluations", "maze", "population"])
def test_require_columns_with_a_missing_column_raises(missing):
    with pytest.raises(ValueError, match=f"must have the required column '{missing.replace('maze', 'problem')}'"):
        analysis.evaluations(runs_of("surprise", [100]).drop(columns=missing))


def test_group_rows_orders_known_names_first_then_numbers():
    runs = pd.concat(
        [runs_of("surprise", [1], maze=maze) for maze in ("generated:10", "hard", "own", "medium", "generated:9")]
        + [runs_of("objective", [1], maze="hard")]
    )
    table = analysis.success_rates(runs)
    assert table["maze"].tolist() == ["medium", "hard", "hard", "generated:9", "generated:10", "own"]
    assert table["search"].tolist()[1:3] == ["objective", "surprise"]


def test_complete_seeds_selects_seeds_run_in_every_maze():
    hard, medium = (
        runs_of("novelty", evaluations, maze=maze) for maze, evaluations in (("hard", [1, 2, 3]), ("medium", [4, 5]))
    )
    one_maze = runs_of("surprise", [6, 7], maze="hard")
    kept = analysis.complete_seeds(pd.concat([hard, medium, one_maze], ignore_index=True))
    assert sorted(zip(kept["search"], kept["maze"], kept["evaluations"], strict=True)) == [
        ("novelty", "hard", 1), ("novelty", "hard", 2), ("novelty", "medium", 4), ("novelty", "medium", 5),
    ]  # fmt: skip
