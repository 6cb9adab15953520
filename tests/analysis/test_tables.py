import dataclasses

import pytest

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
    with pytest.raises(ValueError, match=r"must have 'weight_difference' \(random on medium, seed 4\)"):
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
    with pytest.raises(FileNotFoundError, match="no such folder"):
        list(analysis.read_records(tmp_path / "elsewhere"))
