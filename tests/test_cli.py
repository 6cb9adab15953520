import configparser
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import divergent
from divergent.cli import COMMANDS, main, overview
from divergent.maze import maze_names
from divergent.run_problem import summary
from divergent.runs import Finished, Settings
from divergent.selection import DEVIATIONS, PREDICTORS, SEARCHES


def test_overview_names_every_component():
    text = overview()
    for names in (maze_names(), SEARCHES, PREDICTORS, DEVIATIONS, COMMANDS, (divergent.__version__,)):
        for name in names:
            assert name in text


def test_overview_lists_mazes_by_the_length_of_the_shortest_path():
    text = overview()
    places = [text.index(f"\n  {name} ") for name in ("medium", "hard", "very_hard", "extremely_hard")]
    assert places == sorted(places)


def test_overview_has_a_meaning_for_every_name():
    listed = [line for line in overview().splitlines() if line.startswith("  ")]
    assert all(len(line.split(maxsplit=1)) == 2 for line in listed if not line.startswith("    "))


def test_overview_describes_every_predictor_differently():
    predictors = overview().partition("predictors\n")[2].partition("\n\n")[0]
    meanings = [text.split(maxsplit=1)[1] for text in predictors.replace("\n    ", " ").splitlines()]
    assert len(meanings) == len(set(meanings)) == len(PREDICTORS)


def test_overview_fits_80_columns_and_shows_no_internals():
    text = overview()
    assert max(map(len, text.splitlines())) <= 80
    assert "Polynomial(" not in text
    assert "Shared(" not in text


@pytest.mark.parametrize("command", [[], ["run-maze"], ["explore"], ["replicate"]], ids=str)
def test_help_fits_80_columns(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as end:
        main([*command, "--help"])
    assert end.value.code in (0, None)
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


@pytest.mark.parametrize("arguments", [[], ["list"]])
def test_module_without_a_subcommand_prints_the_overview(arguments):
    command = [sys.executable, "-m", "divergent", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == overview() + "\n"


def test_subcommand_gets_the_remaining_arguments(tmp_path, capsys):
    arguments = ["medium", "--population", "20", "--generations", "2", "--steps", "20", "--out", str(tmp_path)]
    assert main(["run-maze", *arguments]) == 0
    assert "after 40 evaluations" in capsys.readouterr().out
    assert (tmp_path / "medium-surprise" / "seed-0000").is_dir()


def test_module_with_a_subcommand_names_it_in_the_usage():
    command = [sys.executable, "-m", "divergent", "explore", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.startswith("usage: python -m divergent explore ")


def test_version_prints_the_version(capsys):
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code in (0, None)
    assert capsys.readouterr().out == f"{divergent.__version__}\n"


def test_unknown_subcommand_is_an_error_in_one_line(capsys):
    with pytest.raises(SystemExit) as end:
        main(["hard", "--search", "surprise"])
    assert end.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("divergent: argument COMMAND: invalid choice: 'hard'")
    assert printed.err.count("\n") == 1


def test_console_script_of_the_package_is_main():
    config = configparser.ConfigParser()
    config.read(Path(__file__).parents[1] / "setup.cfg")
    name, _, target = config["options.entry_points"]["console_scripts"].strip().partition(" = ")
    module, _, function = target.partition(":")
    assert name == "divergent"
    assert getattr(import_module(module), function) is main


def test_summary_of_runs_has_the_searches_in_the_given_order():
    ends = [
        Finished(Settings(maze="hard", search=name).resolve(), Path(name), name == "surprise", 40, 1.0, False, 2.0)
        for name in ("novelty", "surprise", "novelty")
    ]
    lines = summary(ends, searches=["surprise", "novelty"]).splitlines()
    assert [line.split() for line in lines[1:]] == [["surprise", "1", "1", "40", "2"], ["novelty", "2", "0", "40", "2"]]
