import pandas as pd
import pytest
from made_up import runs_of

from divergent import analysis


@pytest.mark.parametrize("missing", ["solved", "evaluations", "maze", "population"])
def test_a_missing_column_is_named(missing):
    with pytest.raises(ValueError, match=f"needs a column '{missing}'"):
        analysis.evaluations(runs_of("surprise", [100]).drop(columns=missing))


def test_groups_come_in_the_papers_order_and_numbered_mazes_by_number():
    runs = pd.concat(
        [runs_of("surprise", [1], maze=maze) for maze in ("generated:10", "hard", "own", "medium", "generated:9")]
        + [runs_of("objective", [1], maze="hard")]
    )
    table = analysis.successes(runs)
    assert table["maze"].tolist() == ["medium", "hard", "hard", "generated:9", "generated:10", "own"]
    assert table["search"].tolist()[1:3] == ["objective", "surprise"]
