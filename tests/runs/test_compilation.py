import os
import subprocess
import sys

import pytest

from divergent import Settings
from divergent.maze import read_maze
from divergent.runs import _compilation as compilation
from divergent.runs import assemble, read

TINY = ["--population", "30", "--clusters", "10", "--generations", "3", "--steps", "30", "--seed", "4"]


def test_compile_for_a_loop_without_species_starts_no_process(monkeypatch):
    monkeypatch.setattr(subprocess, "Popen", None)
    compilation.compile_for(Settings(maze="medium", search="nslc").resolve(), read_maze("medium"))


def test_compile_for_without_a_second_process_returns(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    compilation.compile_for(Settings(maze="medium").resolve(), read_maze("medium"))


def test_compile_for_a_run_does_not_change_the_run(monkeypatch):
    monkeypatch.setattr(compilation, "COMPILE_SPECIES", "pass")
    plan = Settings(maze="medium", population=30, clusters=10, generations=3, steps=30).resolve()
    maze = read_maze("medium")
    before = [step.population[0].to_json() for step in assemble(plan, maze).steps()]
    compilation.compile_for(plan, maze)
    assert [step.population[0].to_json() for step in assemble(plan, maze).steps()] == before


@pytest.mark.slow
@pytest.mark.parametrize(
    "start",
    [
        ["-c", "from divergent import Settings, run; run(Settings(maze='medium', generations=3), progress=True)"],
        ["-m", "divergent.run_maze", "medium", "--generations", "3", "--runs", "2"],
    ],
    ids=["run", "run_maze"],
)
def test_first_run_begins_with_the_word_compiling_and_the_second_does_not(tmp_path, start):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    for out in ("first", "second"):
        (tmp_path / out).mkdir()
        command = [sys.executable, *start]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path / out, check=True)
        assert done.stderr.strip().startswith("compiling") == (out == "first")
        assert "compiling" not in done.stderr.splitlines()[-1]  # text mode replaces carriage returns by line breaks


@pytest.mark.slow
def test_first_command_compiles_and_gives_the_same_rows(tmp_path):
    ends = []
    for out in ("first", "second"):
        command = [sys.executable, "-m", "divergent.run_maze", "medium", *TINY, "--out", str(tmp_path / out)]
        environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        assert ("compiling" in done.stdout) == (out == "first")
        ends.append(read(tmp_path / out / "medium-surprise" / "seed-0004"))
    assert ends[0].rows == ends[1].rows
    assert list((tmp_path / "cache").rglob("_species_kernels.replace*.nbi"))
