"""The problems of NEAT 2002 are those of the article, and the table in docs is that of the results."""

import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import divergent
from divergent.runs import load_problem

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
FILE = BENCHMARKS / "neat2002.py"
NAMES = ("exclusive or", "two poles", "two poles without speeds")


@pytest.fixture
def tables(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    return import_module("neat2002_table")


def test_neat2002_page_has_the_table_of_the_results(tables):
    page = tables.PAGE.read_text(encoding="utf-8")
    assert page.split(tables.BEGIN)[1].split(tables.END)[0].strip() == tables.table(tables.read())


def test_neat2002_results_have_as_many_runs_as_the_article(tables):
    rows = tables.read()
    for name, runs in tables.RUNS.items():
        assert [row.seed for row in rows if row.problem == name] == list(range(runs))


@pytest.mark.parametrize("name", NAMES)
def test_neat2002_problem_counts_champions_and_repeats(name, tables):
    problem = load_problem(FILE, name)
    record = divergent.run(problem, search="objective", seed=2, population=30, generations=4)
    rows = [row["evaluations"] for row in record.rows]
    assert record.solved or rows == [30, 60, 90, 120]
    assert record.settings.loop == "custom"
    again = divergent.run(problem, search="objective", seed=2, population=30, generations=4)
    assert again.files()["record.jsonl"] == record.files()["record.jsonl"]
    row = tables.make_row(record)
    assert (row.problem, row.seed, row.solved, row.generations) == (name, 2, record.solved, len(rows))


def test_exclusive_or_solution_has_four_right_answers():
    problem = load_problem(FILE, "exclusive or")
    record = divergent.run(problem, search="objective", seed=0, generations=20)
    right = ((record.behaviours > 0.5) == [0, 1, 1, 0]).sum(axis=1)
    assert record.fitness[:, 1].tolist() == right.tolist()
    errors = np.abs(record.behaviours - [0, 1, 1, 0]).sum(axis=1)
    assert record.fitness[:, 0] == pytest.approx((4 - errors) ** 2, abs=1e-4)
    assert problem.solved((3.0, 4.0))
    assert not problem.solved((9.5, 3.0))


def test_damped_task_tests_only_the_best_of_a_generation(monkeypatch):
    load_problem(FILE, "two poles without speeds")
    module = next(m for m in sys.modules.values() if getattr(m, "__file__", None) == str(FILE))
    monkeypatch.setattr(module.two_poles, "calmness", lambda genome: float(genome))
    monkeypatch.setattr(module.two_poles, "decisions", lambda genome, most: (most if genome == 3 else 0, None))
    monkeypatch.setattr(module.two_poles, "starts_mastered", lambda genome: 250)
    task = module.Damped()
    assert [tuple(outcome) for outcome in task.many([1, 3, 2])] == [(1, -1), (3, 250), (2, -1)]
    assert [tuple(outcome) for outcome in task.many([1, 4])] == [(1, -1), (4, -1)]


def test_neat2002_table_has_means_of_ours_next_to_the_article(tables, tmp_path):
    rows = [tables.Row("exclusive or", 0, False, 5, 6, 7, 8, -1, -1)]
    rows += [tables.Row("two poles", seed, True, 1, 2, 3, 4, -1, -1) for seed in range(2)]
    table = tables.table(rows)
    assert "| XOR | NEAT paper | 100 of 100 | 32 | 4,755 | 2,553 | 13,459 | 2.35 | 7.48 |" in table
    assert "| double pole balancing | `divergent` | 2 of 2 | 1 | 2 | 0 | 2 | 3.00 | 4.00 |" in table
    assert "| XOR | `divergent` | 0 of 1 | 5 | 6 | 0 | 6 |  |  |" in table
    assert tables.TEST_COLUMNS["starts"] not in table  # only runs without velocity inputs have the second table


@pytest.fixture
def few_runs(tmp_path):
    records = tmp_path / "runs"
    problem = load_problem(FILE, "exclusive or")
    divergent.run_many(problem, ["objective"], runs=2, out=records, population=20, generations=2)
    return records


def test_neat2002_table_with_few_runs_keeps_the_committed_results(tables, few_runs, capsys):
    files = tables.RESULTS, tables.PAGE
    before = [file.read_bytes() for file in files]
    with pytest.raises(SystemExit, match="2"):
        tables.main([str(few_runs)])
    error = capsys.readouterr().err
    assert "RECORDS must contain a run for every seed (0 to 99) of the problem 'exclusive or', got the folder " in error
    assert "with 2 runs; make the missing runs, or pass --out FILE" in error
    assert [file.read_bytes() for file in files] == before


def test_neat2002_table_with_few_runs_and_out_prints_their_table(tables, few_runs, tmp_path, capsys):
    files = tables.RESULTS, tables.PAGE
    before = [file.read_bytes() for file in files]
    tables.main([str(few_runs), "--out", str(tmp_path / "trial.csv")])
    assert [row.seed for row in tables.read(tmp_path / "trial.csv")] == [0, 1]
    assert " of 2 | " in capsys.readouterr().out
    assert [file.read_bytes() for file in files] == before


def test_neat2002_table_of_an_empty_folder_raises(tables, tmp_path):
    with pytest.raises(ValueError, match=r"got .* with 0 runs"):
        tables.collect(tmp_path)
