"""The yardstick runs, keeps its results, and the table in docs is that of the results."""

from importlib import import_module
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def neat2002(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    return import_module("neat2002")


def test_neat2002_page_has_the_table_of_the_results(neat2002):
    page = neat2002.PAGE.read_text(encoding="utf-8")
    assert page.split(neat2002.BEGIN)[1].split(neat2002.END)[0].strip() == neat2002.table(neat2002.read())


def test_neat2002_results_have_as_many_runs_as_the_article(neat2002):
    rows = neat2002.read()
    for name, problem in neat2002.PROBLEMS.items():
        assert [row.seed for row in rows if row.problem == name] == list(range(problem.runs))


def test_neat2002_run_equals_its_committed_result(neat2002):
    kept = [row for row in neat2002.read() if row.problem == "exclusive or"]
    quick = min(kept, key=lambda row: row.evaluations)
    assert neat2002.run("exclusive or", quick.seed) == quick


def test_neat2002_write_replaces_rows_of_the_same_problem(neat2002, tmp_path):
    path = tmp_path / "rows.csv"
    first = [neat2002.Row("two poles", seed, True, 1, 2, 3, 4, 2, -1) for seed in range(2)]
    second = [neat2002.Row("exclusive or", 0, False, 5, 6, 7, 8, -1, -1)]
    neat2002.write(first, path)
    neat2002.write(second, path)
    neat2002.write(first[:1], path)
    assert neat2002.read(path) == [*second, first[0]]
    table = neat2002.table(neat2002.read(path))
    assert "| exclusive or | 2002 | 100 of 100 | 32 | 4,755 | 2,553 | 13,459 | 2.35 | 7.48 |  |  |" in table
    assert "|  | ours | 1 of 1 | 1 | 2 | 0 | 2 | 3.00 | 4.00 |  |  |" in table
    assert "|  | ours | 0 of 1 | 5 | 6 | 0 | 6 |  |  |  |  |" in table


def test_neat2002_with_an_unknown_task_reports_one_line(neat2002, capsys):
    for words, message in ((["maze"], "unknown problem 'maze'"), (["--runs", "0"], "runs must be at least 1, got 0")):
        with pytest.raises(SystemExit):
            neat2002.main(words)
        assert message in capsys.readouterr().err
