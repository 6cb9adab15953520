import dataclasses

import numpy as np
import pandas as pd
import pytest
from sample_problems import WALK

from divergent import analysis
from divergent.runs import run
from divergent.runs.settings import Settings


@pytest.fixture(scope="module")
def record():
    return run(Settings(maze="medium", search="random", population=20, generations=3, seed=4))


def test_tabulate_returns_a_row_with_every_column(record):
    table = analysis.tabulate([record])
    assert tuple(table.columns) == analysis.RUN_COLUMNS
    row = table.iloc[0]
    assert (row["maze"], row["search"], row["seed"], row["evaluations"]) == ("medium", "random", 4, record.evaluations)
    assert row["connections"] == len(record.solution.genes)
    assert row["compatibility"] == record.diversity["compatibility"]
    assert (row["population"], row["generations"], row["steps"]) == (20, 3, 400)
    assert 0 < row["entropy"] < 1


def test_run_row_has_the_commit_processor_time_and_processor_of_the_machine(record):
    known = {"commit": "4a93639f3c6d", "cpu_seconds": 0.5, "processor": "Model 7"}
    row = analysis.run_row(dataclasses.replace(record, machine=known))
    assert {name: row[name] for name in known} == known
    row = analysis.run_row(dataclasses.replace(record, machine={}))
    assert {name: row[name] for name in known} == dict.fromkeys(known)


def test_run_row_without_a_part_of_the_diversity_raises(record):
    short = dataclasses.replace(record, diversity={"compatibility": 1.0, "disjoint": 1.0, "excess": 1.0})
    message = (
        r"each record must contain the genotypic diversity measure 'weight_difference', got a record "
        r"\(search random, maze medium, seed 4\) with the measures compatibility, disjoint, excess; repeat the run"
    )
    with pytest.raises(ValueError, match=message):
        analysis.tabulate([short])


def test_tabulate_without_records_is_empty_with_columns():
    assert analysis.tabulate([]).empty
    assert tuple(analysis.tabulate([]).columns) == analysis.RUN_COLUMNS
    assert analysis.curves([]).empty


def test_run_curve_is_carried_forward_after_the_end(record):
    rows = [{"evaluations": 20, "best_fitness": 100.0}, {"evaluations": 40, "best_fitness": 150.0},
            {"evaluations": 45, "best_fitness": 296.0}]  # fmt: skip
    ended = dataclasses.replace(record, rows=rows)  # of a budget of 60
    assert analysis.run_curve(ended, points=6).tolist() == [100, 100, 100, 150, 296, 296]


def test_read_records_reads_subfolders(record, tmp_path):
    for seed in (1, 0):
        run(Settings(maze="medium", search="random", population=20, generations=2, seed=seed), out=tmp_path / "deep")
    (tmp_path / "deep" / "medium-random" / "seed-0002.123.writing").mkdir()
    assert [record.settings.seed for record in analysis.read_records(tmp_path)] == [0, 1]
    with pytest.raises(FileNotFoundError, match="must be an existing folder of records"):
        list(analysis.read_records(tmp_path / "elsewhere"))


def test_tabulate_of_any_problem_has_a_column_problem(record):
    walk = run(WALK, search="novelty", seed=1)
    table = analysis.tabulate([record, walk])
    assert tuple(table.columns) == analysis.PROBLEM_COLUMNS
    assert table["problem"].tolist() == [record.settings.maze, "walk"]
    assert table["best_fitness"].tolist() == [record.best_fitness, walk.best_fitness]
    elites = analysis.record_elites(walk)
    cells = {tuple(cell) for cell in np.clip((walk.behaviours + 20) / 2, 0, 19).astype(int).tolist()}
    assert elites.coverage == table["coverage"][1] == len(cells) / 400
    assert analysis.success_rates(table)["runs"].tolist() == [1, 1]
    curves = analysis.curves([walk], points=3)
    assert curves["problem"].tolist() == ["walk"] * 3
    assert curves["best_fitness"].iloc[-1] == walk.best_fitness


def test_statistics_of_a_table_that_was_not_made_here_need_only_their_columns():
    table = pd.DataFrame(
        {
            "problem": "mine", "search": ["a"] * 4 + ["b"] * 4, "solved": [True] * 4 + [False] * 4,
            "evaluations": [10, 20, 30, 40] + [100] * 4, "population": 10, "generations": 10,
        }
    )  # fmt: skip
    assert analysis.success_rates(table)["fraction"].tolist() == [1.0, 0.0]
    compared = analysis.compare(table)
    assert compared[["problem", "first", "second", "effect"]].values.tolist() == [["mine", "a", "b", -1.0]]
    assert analysis.kaplan_meier(table)["problem"].eq("mine").all()


def test_problem_row_normalises_entropy_by_all_cells_of_the_behaviour_space():
    record = run(WALK, search="novelty", seed=1)
    lower, upper = np.array(record.info.limits).T
    places = np.clip((record.behaviours - lower) / (upper - lower) * 5, 0, 4).astype(int)
    counts = np.zeros((5, 5))
    np.add.at(counts, tuple(places.T), 1)
    assert analysis.problem_row(record, cells=5)["entropy"] == pytest.approx(analysis.entropy(counts))
