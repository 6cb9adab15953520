"""Batches of runs of any problem: in processes, killed and resumed, and on the command line."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from deap import base, creator, tools
from sample_problems import SMALL, WALK, walk_toolbox

import divergent
from divergent import Outcome, Problem, run_many
from divergent.cli import main
from divergent.runs import load_problem, read
from divergent.runs._locks import is_held
from divergent.runs._many import read_batches
from divergent.runs.record import ARRAYS, TEXT

FILE = """
import random
import time
from deap import base, creator, tools
import divergent
from divergent.runs import execution

execution.CHECKPOINT_EVERY = 2
creator.create("KilledMin", divergent.Fitness, weights=(-1.0,))
creator.create("KilledList", list, fitness=creator.KilledMin)


def evaluate(numbers):
    time.sleep(PAUSE)
    return divergent.Outcome((abs(sum(numbers) - 50),), behaviour=(numbers[0], sum(numbers[1:])))


def make_toolbox(rng):
    toolbox = base.Toolbox()
    toolbox.register("individual", lambda: creator.KilledList(random.gauss(0, 1) for _ in range(4)))
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    toolbox.register("evaluate", evaluate)
    toolbox.register("mate", tools.cxTwoPoint)
    toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=1, indpb=0.5)
    return toolbox


problem = divergent.Problem(
    "killed",
    make_toolbox,
    defaults=dict(population=10, generations=30, loop="LOOP"),
    solved=lambda values: values[0] < 0.001,
)
"""


def files(folder):
    """Text and arrays of all records in a folder, by their path."""
    folders = {path.parent.relative_to(folder): path.parent for path in Path(folder).rglob(TEXT)}
    return {str(name): [(place / file).read_bytes() for file in (TEXT, ARRAYS)] for name, place in folders.items()}


def checkpoints(folder):
    """The checkpoints of a problem with their times; files and folders may vanish meanwhile."""
    entries = set()
    for path in folder.glob("*/*.checkpoint.npz"):
        with contextlib.suppress(FileNotFoundError):
            entries.add((path, path.stat().st_mtime_ns))
    return entries


def test_run_many_gives_the_records_of_single_runs_and_a_table(tmp_path):
    table = run_many(WALK, ("novelty", "random"), runs=2, out=tmp_path, seed=5, progress=False, neighbours=4)
    assert table[["problem", "search", "seed"]].values.tolist() == [
        ["walk", "novelty", 5], ["walk", "novelty", 6], ["walk", "random", 5], ["walk", "random", 6],
    ]  # fmt: skip
    single = divergent.run(WALK, search="novelty", seed=6, neighbours=4)
    record = read(table["folder"][1])
    assert record.files()[ARRAYS] == single.files()[ARRAYS]
    assert record.settings.options["neighbours"] == 4
    assert divergent.analysis.success_rates(table)["runs"].tolist() == [2, 2]
    again = run_many(WALK, ("novelty", "random"), runs=3, out=tmp_path, seed=5, progress=False, neighbours=4)
    assert len(again) == 6


def test_run_many_without_searches_takes_those_of_the_problem(tmp_path):
    table = run_many(WALK, runs=1, out=tmp_path, progress=False, generations=2)
    assert table["search"].tolist() == ["novelty", "objective"]


@pytest.mark.slow
def test_run_many_sends_a_problem_of_this_file_to_processes(tmp_path):
    creator.create("SentMax", divergent.Fitness, weights=(1.0,))
    creator.create("SentList", list, fitness=creator.SentMax)
    size = 5

    def make(rng):
        toolbox = base.Toolbox()
        toolbox.register("individual", lambda: creator.SentList(rng.normal(size=size).tolist()))
        toolbox.register("population", tools.initRepeat, list, toolbox.individual)
        toolbox.register("evaluate", lambda numbers: Outcome((sum(numbers),), behaviour=numbers[:2]))
        toolbox.register("mate", tools.cxTwoPoint)
        toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=1, indpb=0.5)
        return toolbox

    problem = Problem("sent", make, defaults=SMALL)
    run_many(problem, ("novelty",), runs=3, jobs=2, out=tmp_path / "two", progress=False)
    run_many(problem, ("novelty",), runs=3, jobs=1, out=tmp_path / "one", progress=False)
    assert files(tmp_path / "two") == files(tmp_path / "one")
    assert len(files(tmp_path / "one")) == 3


def test_run_many_of_a_problem_that_cannot_be_sent_raises(tmp_path):
    lock = threading.Lock()

    def make(rng):
        with lock:
            return walk_toolbox(rng)

    problem = Problem("locked", make, defaults=SMALL)
    with pytest.raises(
        ValueError, match=r"problem 'locked' must be picklable .*; create unpicklable objects in toolbox\(rng\)"
    ):
        run_many(problem, ("novelty",), runs=2, jobs=2, out=tmp_path, progress=False)
    assert len(run_many(problem, ("novelty",), runs=2, out=tmp_path, progress=False)) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"searches": "novelty"},
            r"searches must be a sequence of names, got the string 'novelty'; pass a tuple of one name: \('novelty',\)",
        ),
        ({"searches": ("none",)}, "setting search must be a known name, got 'none'"),
        ({"runs": 0}, "runs must be an integer, at least 1, got 0"),
        ({"seed": -1}, "seed must be an integer, at least 0, got -1"),
        ({"jobs": 0}, "jobs must be at least 1, got 0"),
        ({"colour": "red"}, "options must belong to one of the searches novelty, objective, got colour"),
    ],
)
def test_run_many_with_invalid_arguments_raises(tmp_path, arguments, message):
    with pytest.raises(ValueError, match=message):
        run_many(WALK, out=tmp_path, progress=False, **arguments)
    assert not list(tmp_path.rglob("record.jsonl"))


@pytest.mark.slow
@pytest.mark.parametrize("loop", ["steady", "plus", "fi2pop"])
def test_batch_killed_twice_and_resumed_has_the_records_of_an_undisturbed_one(tmp_path, loop):
    source = tmp_path / "killed.py"
    source.write_text(FILE.replace("PAUSE", "0.01").replace("LOOP", loop))
    command = [sys.executable, "-m", "divergent", "run", str(source), "--search", "novelty", "surprise"]
    command += ["--runs", "2", "--jobs", "2", "--out", str(tmp_path / "runs"), "--quiet"]
    seen = set()
    for _ in range(2):
        started = subprocess.Popen(command, start_new_session=True)
        deadline = time.monotonic() + 240
        while time.monotonic() < deadline:
            saved = checkpoints(tmp_path / "runs" / "killed")
            if len(saved - seen) >= 2 or started.poll() is not None:
                break
            time.sleep(0.02)
        os.killpg(started.pid, signal.SIGKILL)
        started.wait()
        seen |= saved
        while any(is_held(path.with_suffix("")) for path in (tmp_path / "runs" / "killed").glob("*/seed-*.lock")):
            assert time.monotonic() < deadline + 60  # killed workers end when a busy machine schedules them
            time.sleep(0.02)
    assert len(seen) >= 2
    assert main(["resume", str(tmp_path / "runs" / "killed"), "--quiet"]) == 0
    assert not list(tmp_path.rglob("*.checkpoint.npz"))
    run_many(load_problem(source), ("novelty", "surprise"), runs=2, out=tmp_path / "whole", progress=False)
    assert files(tmp_path / "runs") == files(tmp_path / "whole")
    assert len(files(tmp_path / "runs")) == 4


@pytest.mark.slow
def test_two_processes_share_the_runs_of_a_batch(tmp_path):
    source, log = tmp_path / "shared.py", tmp_path / "evaluations.txt"
    logged = f"    with open({str(log)!r}, 'a') as file:\n        file.write(f'{{os.getpid()}}\\n')\n"
    source.write_text(
        "import os\n"
        + FILE.replace("    time.sleep(PAUSE)\n", logged + "    time.sleep(0.005)\n").replace("LOOP", "plus")
    )
    command = [sys.executable, "-m", "divergent", "run", str(source), "--search", "novelty", "random", "--runs", "4"]
    command += ["--out", str(tmp_path / "runs"), "--quiet"]
    both = [subprocess.Popen(command) for _ in range(2)]
    assert [process.wait(timeout=240) for process in both] == [0, 0]
    records = list(divergent.analysis.read_records(tmp_path / "runs"))
    processes = log.read_text().split()
    assert len(records) == 8
    assert len(processes) == sum(record.evaluations for record in records)  # every run is done once
    assert {int(process) for process in processes} == {process.pid for process in both}
    run_many(load_problem(source), ("novelty", "random"), runs=4, out=tmp_path / "whole", progress=False)
    assert files(tmp_path / "runs") == files(tmp_path / "whole")


def test_command_with_a_batch_of_children_records_it(tmp_path):
    source = tmp_path / "killed.py"
    source.write_text(FILE.replace("PAUSE", "0").replace("LOOP", "steady"))
    command = ["run", str(source), "--search", "novelty", "--generations", "5", "--quiet"]
    assert main([*command, "--batch", "5", "--out", str(tmp_path / "five")]) == 0
    assert main([*command, "--out", str(tmp_path / "one")]) == 0
    five, single = (read(tmp_path / name / "killed" / "novelty" / "seed-0000") for name in ("five", "one"))
    assert (five.settings.batch, single.settings.batch) == (5, 1)
    assert five.evaluations == single.evaluations == 50
    assert (five.fitness[:10] == single.fitness[:10]).all()
    assert (five.fitness[10:] != single.fitness[10:]).any()


def test_commands_run_and_resume_use_the_file_and_its_digest(tmp_path, capsys):
    source = tmp_path / "killed.py"
    text = FILE.replace("PAUSE", "0").replace("LOOP", "plus")
    source.write_text(text)
    out = str(tmp_path / "runs")
    command = ["run", str(source), "--search", "novelty", "--runs", "2", "--out", out, "--neighbours", "3"]
    assert main([*command, "--generations", "4"]) == 0
    assert "novelty  2     0       40" in capsys.readouterr().out
    (batch,) = read_batches(tmp_path / "runs" / "killed")
    assert (batch.file, batch.searches, batch.runs) == (str(source), ["novelty"], 2)
    assert batch.settings == {"generations": 4, "neighbours": 3}
    first = files(out)
    (tmp_path / "runs" / "killed" / "novelty" / "seed-0001").rename(tmp_path / "aside")
    assert main(["resume", str(tmp_path / "runs" / "killed"), "--quiet"]) == 0
    assert files(out) == first
    source.write_text(text + "# changed\n")
    assert main(["resume", str(tmp_path / "runs" / "killed"), "--quiet"]) == 2
    assert "the file of problem killed has changed" in capsys.readouterr().err
    assert main(["resume", str(tmp_path / "runs" / "killed"), "--quiet", "--force"]) == 0
    assert main(["resume", str(tmp_path), "--quiet"]) == 2
    message = "folder must be the output folder of a problem, such as runs/roof, and contain batches.json"
    assert message in capsys.readouterr().err


def test_resume_of_a_batch_of_a_program_names_the_call(tmp_path, capsys):
    run_many(WALK, ("novelty",), runs=1, out=tmp_path, progress=False)
    assert main(["resume", str(tmp_path / "walk"), "--quiet"]) == 2
    assert "resume the runs there with divergent.run_many('walk'" in capsys.readouterr().err


def test_read_batches_of_a_damaged_file_raises(tmp_path):
    (tmp_path / "batches.json").write_text(json.dumps({"batches": [{"file": None}]}))
    with pytest.raises(ValueError, match="every listed batch must have the keys file, problem"):
        read_batches(tmp_path)
