import pytest

from divergent.studies.__main__ import main
from divergent.studies._design import LADDER, Cell
from divergent.studies._results import read_cell, read_runs
from divergent.studies._run import run_cell

SMALL = {"search": "novelty", "archiving": "none", "population": 20, "generations": 2}
CELL = Cell(LADDER, "small", SMALL)


def test_run_cell_skips_runs_with_results_and_adds_seeds(tmp_path):
    records, results = tmp_path / "runs", tmp_path / "results"
    assert [run.settings.seed for run in run_cell((CELL, "medium", 2), records, results)] == [3000, 3001]
    first = read_cell(CELL, results)
    assert list(run_cell((CELL, "medium", 2), tmp_path / "other", results)) == []
    # the records of the first runs are not there any more
    assert [run.settings.seed for run in run_cell((CELL, "medium", 3), tmp_path / "other", results)] == [3002]
    kept = read_cell(CELL, results)
    assert kept.runs["seed"].tolist() == [3000, 3001, 3002]
    assert kept.runs["evaluations"][:2].tolist() == first.runs["evaluations"].tolist()
    assert "--archiving none" in kept.commands


def test_run_cell_keeps_the_results_of_other_mazes(tmp_path):
    for maze, folder in (("medium", "a"), ("hard", "b"), ("medium", "c")):
        list(run_cell((CELL, maze, 2 if folder == "c" else 1), tmp_path / folder, tmp_path / "results"))
    runs = read_runs([CELL], tmp_path / "results")
    assert runs[["maze", "seed", "cell"]].values.tolist() == [
        ["medium", 3000, "small"],
        ["medium", 3001, "small"],
        ["hard", 3000, "small"],
    ]


def test_read_runs_without_results_is_empty(tmp_path):
    assert read_runs([CELL], tmp_path).empty


def test_list_names_the_blocks(capsys):
    assert main(["list"]) == 0
    assert capsys.readouterr().out.split("\n")[0].split() == ["ladder-hard", "9", "cells", "450", "runs"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "ladder"], "BLOCK must be the name of a group of runs, one of ladder-hard, "),
        (
            ["run", "ladder-hard", "--cell", "top"],
            "--cell must be the name of an experimental condition in ladder-hard, one of population, ",
        ),
        (["describe", "--search", "nss"], "--search must be the name of a search, one of objective, "),
    ],
)
def test_main_with_unknown_names_fails(arguments, message, capsys):
    assert main(arguments) == 2
    assert message in capsys.readouterr().err
