from pathlib import Path

import pandas as pd

from divergent.studies._design import FIRST_SEED
from divergent.studies._problems import (
    PROBLEMS,
    RUNS,
    TABLE,
    TESTED,
    compare_problems,
    problem_cells,
    render_problems,
    run_problems,
)
from divergent.studies._results import read_table

HOME = Path(__file__).parents[2]


def table_of(values):
    """A table with the same values in every run of a cell."""
    rows = [
        {"problem": problem, "cell": cell, "seed": FIRST_SEED + seed, "value": value + seed / 1000}
        | {"evaluations": 10, "cpu_seconds": 1.0, "commit": "0123456789ab"}
        for problem in PROBLEMS
        for cell, value in values.items()
        for seed in range(RUNS)
    ]
    return pd.DataFrame(rows)


def test_problem_cells_are_those_of_one_loop_in_the_maze():
    assert len(problem_cells()) == 9
    assert set(TESTED) <= set(problem_cells())


def test_run_problems_adds_missing_runs_only(tmp_path):
    small = {"population": 20, "generations": 2}
    rows = list(run_problems(tmp_path, HOME, 1, **small))
    assert len(rows) == len(PROBLEMS) * len(problem_cells())
    assert {row["seed"] for row in rows} == {FIRST_SEED}
    assert all(0 < row["value"] < 1 for row in rows if row["problem"] == "spiral")
    table = read_table(tmp_path / TABLE)
    assert list(run_problems(tmp_path, HOME, 1, **small)) == []
    table[table["cell"] != "population"].to_csv(tmp_path / TABLE, index=False)
    assert [row["cell"] for row in run_problems(tmp_path, HOME, 1, **small)] == ["population"] * len(PROBLEMS)


def test_compare_problems_incomplete_cells_gives_no_tests():
    complete = table_of(dict.fromkeys(TESTED, 0.5))
    assert compare_problems(complete[:-1]).empty
    assert "*The tests are pending.*" in render_problems(complete[:-1])


def test_compare_problems_separate_samples_differ_in_all_six_tests():
    tests = compare_problems(table_of({"population": 0.1, "both-threshold": 0.2, "archive-threshold": 0.3}))
    assert len(tests) == 6
    assert (tests["p_corrected"] < 0.05).all()
    assert (tests["effect"].abs() == 1).all()  # no two samples overlap


def test_render_problems_states_means_and_missing_runs():
    text = render_problems(table_of({"population": 0.1}))
    assert text.startswith(f"{2 * RUNS} of {2 * RUNS * 9} planned runs")
    assert "| population | 20 | 11.0% |" in text  # 0.1 and 0 to 0.019 by seed, on average 0.0095
    titles = [line for line in text.splitlines() if line.startswith("#")]
    assert titles == ["#### Archimedean spiral", "#### Santa Fe ant", "#### Tests of the reference sets"]


def test_committed_ant_runs_of_random_and_fixed_archives_are_equal():
    runs = read_table(HOME / "results" / "studies" / TABLE)
    runs = runs[runs["problem"] == "santa_fe_ant"].set_index(["cell", "seed"])[["value", "evaluations"]]
    for reference in ("archive", "both"):
        assert runs.loc[f"{reference}-random"].equals(runs.loc[f"{reference}-fixed"])
