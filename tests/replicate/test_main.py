import os
import subprocess
import sys
from pathlib import Path

import pytest

from divergent.replicate.__main__ import main
from divergent.replicate._experiments import EXPERIMENTS
from divergent.replicate._results import read_results

COMMITTED = Path(__file__).parents[2] / "results"
TINY = {"population": 20, "generations": 2}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "nothing"], "name of the experiment must be one of authored"),
        (["run", "authored", "--runs", "0"], "runs must be at least 1, got 0"),
        (["run", "authored", "--runs", "1000000000"], "runs must be at most 100,000, got 1,000,000,000"),
        (["run", "authored", "--jobs", "100000"], "jobs must be at most"),
        (
            ["run", "authored", "--maze", "easy"],
            "selected mazes and searches must belong to the experiment: maze of authored must be one of medium",
        ),
        (
            ["run", "genotypes", "--search", "random"],
            "selected mazes and searches must belong to the experiment: search of genotypes must be one of novelty, "
            "surprise, got 'random'",
        ),
        (
            ["collect", "authored", "--out", "nowhere"],
            "nowhere: folder must contain finished run records of this experiment, got none",
        ),
        (["report", "--results", "nowhere"], "nowhere: folder must contain results of an experiment, got none"),
    ],
)
def test_main_with_invalid_arguments_prints_one_line_and_returns_2(arguments, message, capsys):
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"replicate: {message}")
    assert error.count("\n") == 1


def test_list_prints_every_experiment_with_its_size(capsys):
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(EXPERIMENTS)
    assert lines[1].split()[:2] == ["authored", "2,400"]


def test_list_imports_no_heavy_package():
    command = [sys.executable, "-X", "importtime", "-m", "divergent.replicate", "list"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=os.getcwd())
    imported = {line.rsplit("|", 1)[1].strip() for line in done.stderr.splitlines() if "|" in line}
    assert not imported & {"pandas", "statsmodels", "matplotlib", "sklearn"}


@pytest.mark.slow
def test_quick_run_in_the_medium_maze_solves_a_run(tmp_path, capsys):
    command = ["run", "authored", "--quick", "--maze", "medium", "--search", "surprise", "--out", str(tmp_path)]
    assert main(command) == 0
    assert "2 runs, 1 solved" in capsys.readouterr().out


@pytest.mark.slow
def test_quick_experiment_is_run_resumed_and_reported(tmp_path, capsys):
    command = ["run", "authored", "--quick", "--runs", "1", "--maze", "hard", "--search", "surprise"]
    command += ["--search", "random", "--out", str(tmp_path)]
    assert main(command) == 0
    first = read_results(tmp_path / "quick" / "results" / "authored").runs
    stamps = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("record.jsonl")}
    assert main(command) == 0
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("record.jsonl")} == stamps
    assert first.equals(read_results(tmp_path / "quick" / "results" / "authored").runs)
    assert sorted(first["search"]) == ["random", "surprise"]
    assert main(["report", "--results", str(tmp_path / "quick" / "results"), "--out", str(tmp_path / "report")]) == 0
    assert "report.html" in capsys.readouterr().out
    assert (tmp_path / "report" / "report.html").stat().st_size > 10_000


@pytest.mark.slow
def test_run_with_results_does_only_the_missing_seeds(tmp_path):
    command = ["run", "authored", "--quick", "--maze", "hard", "--search", "random"]
    command += ["--results", str(tmp_path / "kept")]
    assert main([*command, "--runs", "1", "--out", str(tmp_path / "first")]) == 0
    assert main([*command, "--runs", "2", "--out", str(tmp_path / "second")]) == 0
    assert [path.parent.name for path in (tmp_path / "second").rglob("record.jsonl")] == ["seed-0001"]
    assert read_results(tmp_path / "kept" / "authored").runs["seed"].tolist() == [0, 1]


@pytest.mark.slow
def test_quick_qd_variants_are_run_with_weights_and_reported(tmp_path):
    command = ["run", "family", "--quick", "--runs", "1", "--maze", "hard", "--search", "nss", "--search", "nsslc"]
    assert main([*command, "--out", str(tmp_path)]) == 0
    runs = read_results(tmp_path / "quick" / "results" / "family").runs
    assert list(zip(runs["search"], runs["weight"], strict=True)) == [
        ("nss", 0.5), ("nsslc", 0.5), ("nss", 0.25), ("nss", 0.75),
    ]  # fmt: skip
    assert runs["coverage"].between(0.05, 1).all()
    assert main(["report", "--results", str(tmp_path / "quick" / "results"), "--out", str(tmp_path / "report")]) == 0
    assert (tmp_path / "report" / "tables" / "qd_variants_weights.csv").is_file()
