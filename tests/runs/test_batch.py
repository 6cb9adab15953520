import dataclasses
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from divergent.maze import read_maze
from divergent.runs import _locks as locks
from divergent.runs import run_batch
from divergent.runs.batch import PlannedRun, run_or_wait, run_unless_held
from divergent.runs.execution import record_folder
from divergent.runs.record import ARRAYS, TEXT
from divergent.runs.settings import Settings

SMALL = Settings(maze="medium", search="surprise", population=20, generations=60, clusters=8, steps=40)


def contents(folder):
    """The content of a record without the description of the machine."""
    return {name: (Path(folder) / name).read_bytes() for name in (TEXT, ARRAYS)}


def seeds(count, settings=SMALL):
    return [dataclasses.replace(settings, seed=seed) for seed in range(count)]


@pytest.mark.parametrize("search", ["surprise", "nsslc"])
def test_run_many_in_worker_processes_gives_the_same_records(tmp_path, search):
    plans = seeds(4, dataclasses.replace(SMALL, search=search))
    alone = list(run_batch(plans, tmp_path / "alone", jobs=1))
    together = list(run_batch(plans, tmp_path / "together", jobs=2))
    assert {end.settings.seed for end in together} == {0, 1, 2, 3}
    for end in alone:
        assert contents(end.folder) == contents(record_folder(end.settings, tmp_path / "together"))


def test_run_many_yields_finished_runs_first(tmp_path):
    list(run_batch(seeds(2), tmp_path))
    finished = list(run_batch(seeds(3), tmp_path))
    assert [(run.settings.seed, run.before) for run in finished] == [(0, True), (1, True), (2, False)]


def test_run_many_with_a_held_lock_reads_the_record_of_the_other_process(tmp_path):
    (alone,) = run_batch(seeds(1), tmp_path / "alone")
    first = record_folder(SMALL, tmp_path / "shared")
    with locks.locked(first):
        batch = run_batch(seeds(3), tmp_path / "shared")
        ends = [next(batch), next(batch)]
        shutil.copytree(alone.folder, first)  # the other process has finished, and still holds the lock
        first.with_name("seed-0000.checkpoint.npz").write_text("left behind")
        with pytest.warns(UserWarning, match=r"seed-0000\.lock: another process holds this lock"):
            ends += batch
    assert [end.settings.seed for end in ends] == [1, 2, 0]
    assert sorted(path.name for path in first.parent.iterdir()) == ["seed-0000", "seed-0001", "seed-0002"]


def test_run_many_removes_the_abandoned_lock_of_a_finished_run(tmp_path):
    (end,) = run_batch(seeds(1), tmp_path)
    lock = locks.lock_path(end.folder)
    lock.write_text(json.dumps({"host": socket.gethostname(), "pid": os.getpid(), "started": "1"}))
    list(run_batch(seeds(1), tmp_path))
    assert not lock.exists()


def test_run_or_wait_with_a_held_lock_waits_for_the_record(tmp_path):
    (alone,) = run_batch(seeds(1), tmp_path / "alone")
    planned = PlannedRun(alone.settings, read_maze("medium"), tmp_path / "shared")
    lock = locks.lock_path(planned.folder)
    lock.parent.mkdir(parents=True)
    lock.write_text('{"host": "elsewhere"}')

    def elsewhere():
        time.sleep(0.5)
        shutil.copytree(alone.folder, planned.folder)
        lock.unlink()

    other = threading.Thread(target=elsewhere)
    other.start()
    generations = []
    with pytest.warns(UserWarning, match=r"seed-0000\.lock: another process holds this lock"):
        record = run_or_wait(planned, generations.append)
    other.join()
    assert record.evaluations == alone.evaluations
    assert generations == []


def test_run_unless_held_reads_a_record_that_appears_during_the_run(tmp_path):
    (alone,) = run_batch(seeds(1), tmp_path / "alone")
    planned = PlannedRun(alone.settings, read_maze("medium"), tmp_path / "shared")

    def finish_first(row):
        if row["generation"] == 30:
            shutil.copytree(alone.folder, planned.folder)

    record = run_unless_held(planned, finish_first)
    assert record.evaluations == alone.evaluations
    assert [path.name for path in planned.folder.parent.iterdir()] == ["seed-0000"]


@pytest.mark.slow
def test_two_identical_commands_divide_the_runs(tmp_path):
    command = [
        sys.executable, "-m", "divergent.run_maze", "hard", "--search", "random", "--population", "50",
        "--generations", "150", "--steps", "60", "--runs", "6", "--quiet", "--out", str(tmp_path),
    ]  # fmt: skip
    both = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    errors = [process.communicate(timeout=300)[1] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert all("Traceback" not in text and text.count("\n") <= 1 for text in errors)
    records = [f"seed-{seed:04d}" for seed in range(6)]
    assert sorted(path.name for path in (tmp_path / "hard-random").iterdir() if path.suffix != ".png") == records


def test_run_many_with_more_jobs_than_runs_succeeds(tmp_path):
    assert len(list(run_batch(seeds(1), tmp_path, jobs=10**6))) == 1


def test_run_many_with_too_many_jobs_raises(tmp_path):
    with pytest.raises(ValueError, match=r"jobs must be at most \d+ \(4 for each core of this machine\), got 5,000"):
        run_batch(seeds(5000), tmp_path, jobs=10**6)


def test_run_many_without_jobs_raises(tmp_path):
    with pytest.raises(ValueError, match="jobs must be at least 1, got 0"):
        next(run_batch(seeds(1), tmp_path, jobs=0))


@pytest.mark.slow
def test_run_many_on_a_cluster_with_a_lost_worker_gives_the_same_records(tmp_path):
    from distributed import LocalCluster

    longer = dataclasses.replace(SMALL, generations=600, search="random", options={})
    alone = list(run_batch(seeds(4, longer), tmp_path / "alone", jobs=2))
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster:
        batch = run_batch(seeds(4, longer), tmp_path / "cluster", scheduler=cluster.scheduler_address)
        first = next(batch)
        os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
        ends = [first, *batch]
    assert {end.settings.seed for end in ends} == {0, 1, 2, 3}
    for end in alone:
        assert contents(end.folder) == contents(record_folder(end.settings, tmp_path / "cluster"))


@pytest.mark.slow
def test_killed_command_resumes_to_the_same_records(tmp_path):
    command = [
        sys.executable, "-m", "divergent.run_maze", "hard", "--search", "random", "--population", "50",
        "--generations", "300", "--steps", "60", "--runs", "3", "--jobs", "2", "--quiet", "--out",
    ]  # fmt: skip
    subprocess.run([*command, str(tmp_path / "whole")], check=True, timeout=300)
    rng = np.random.default_rng(5)
    for _ in range(5):
        launched = subprocess.Popen([*command, str(tmp_path / "killed")], start_new_session=True)
        time.sleep(float(rng.uniform(1.5, 4.0)))
        launched.kill()
        launched.wait()
    subprocess.run([*command, str(tmp_path / "killed")], check=True, timeout=300)
    for seed in range(3):
        name = f"hard-random/seed-{seed:04d}"
        assert contents(tmp_path / "killed" / name) == contents(tmp_path / "whole" / name)
    names = sorted(path.name for path in (tmp_path / "killed" / "hard-random").iterdir() if path.suffix != ".png")
    assert names == ["seed-0000", "seed-0001", "seed-0002"]
