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
from divergent.runs import locks, run_many
from divergent.runs.batch import Asked, run_or_wait, run_unless_held
from divergent.runs.execution import folder_of
from divergent.runs.record import ARRAYS, TEXT
from divergent.runs.settings import Settings

SMALL = Settings(maze="medium", search="surprise", population=20, generations=60, clusters=8, steps=40)


def contents(folder):
    """A record's bytes, but for what it ran on."""
    return {name: (Path(folder) / name).read_bytes() for name in (TEXT, ARRAYS)}


def seeds(count, settings=SMALL):
    return [dataclasses.replace(settings, seed=seed) for seed in range(count)]


@pytest.mark.parametrize("search", ["surprise", "nsslc"])
def test_worker_processes_do_not_change_a_record(tmp_path, search):
    plans = seeds(4, dataclasses.replace(SMALL, search=search))
    alone = list(run_many(plans, tmp_path / "alone", jobs=1))
    together = list(run_many(plans, tmp_path / "together", jobs=2))
    assert {end.settings.seed for end in together} == {0, 1, 2, 3}
    for end in alone:
        assert contents(end.folder) == contents(folder_of(end.settings, tmp_path / "together"))


def test_finished_runs_are_told_first_and_not_repeated(tmp_path):
    list(run_many(seeds(2), tmp_path))
    told = list(run_many(seeds(3), tmp_path))
    assert [(end.settings.seed, end.before) for end in told] == [(0, True), (1, True), (2, False)]


def test_a_run_that_another_process_does_is_left_to_it_and_read_at_the_end(tmp_path):
    (alone,) = run_many(seeds(1), tmp_path / "alone")
    first = folder_of(SMALL, tmp_path / "shared")
    with locks.locked(first):
        told = run_many(seeds(3), tmp_path / "shared")
        ends = [next(told), next(told)]
        shutil.copytree(alone.folder, first)  # the other process finishes, but has not let go yet
        first.with_name("seed-0000.checkpoint.npz").write_text("left behind")
        with pytest.warns(UserWarning, match=r"seed-0000\.lock: another process holds this lock"):
            ends += told
    assert [end.settings.seed for end in ends] == [1, 2, 0]
    assert sorted(path.name for path in first.parent.iterdir()) == ["seed-0000", "seed-0001", "seed-0002"]


def test_abandoned_lock_of_a_finished_run_is_removed(tmp_path):
    (end,) = run_many(seeds(1), tmp_path)
    lock = locks.lock_of(end.folder)
    lock.write_text(json.dumps({"host": socket.gethostname(), "pid": os.getpid(), "started": "1"}))
    list(run_many(seeds(1), tmp_path))
    assert not lock.exists()


def test_one_run_waits_for_another_process_that_does_it(tmp_path):
    (alone,) = run_many(seeds(1), tmp_path / "alone")
    asked = Asked(alone.settings, read_maze("medium"), tmp_path / "shared")
    lock = locks.lock_of(asked.folder)
    lock.parent.mkdir(parents=True)
    lock.write_text('{"host": "elsewhere"}')

    def elsewhere():
        time.sleep(0.5)
        shutil.copytree(alone.folder, asked.folder)
        lock.unlink()

    other = threading.Thread(target=elsewhere)
    other.start()
    generations = []
    with pytest.warns(UserWarning, match=r"seed-0000\.lock: another process holds this lock"):
        record = run_or_wait(asked, generations.append)
    other.join()
    assert record.evaluations == alone.evaluations
    assert generations == []


def test_a_record_that_appears_during_the_run_is_read(tmp_path):
    (alone,) = run_many(seeds(1), tmp_path / "alone")
    asked = Asked(alone.settings, read_maze("medium"), tmp_path / "shared")

    def finish_first(row):
        if row["generation"] == 30:
            shutil.copytree(alone.folder, asked.folder)

    record = run_unless_held(asked, finish_first)
    assert record.evaluations == alone.evaluations
    assert [path.name for path in asked.folder.parent.iterdir()] == ["seed-0000"]


@pytest.mark.slow
def test_two_identical_commands_at_once_share_the_runs(tmp_path):
    command = [
        sys.executable, "-m", "divergent.run_maze", "hard", "--search", "random", "--population", "50",
        "--generations", "150", "--steps", "60", "--runs", "6", "--quiet", "--out", str(tmp_path),
    ]  # fmt: skip
    both = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    said = [one.communicate(timeout=300)[1] for one in both]
    assert [one.returncode for one in both] == [0, 0]
    assert all("Traceback" not in words and words.count("\n") <= 1 for words in said)
    records = [f"seed-{seed:04d}" for seed in range(6)]
    assert sorted(path.name for path in (tmp_path / "hard-random").iterdir() if path.suffix != ".png") == records


def test_no_more_processes_are_started_than_there_are_runs(tmp_path):
    assert len(list(run_many(seeds(1), tmp_path, jobs=10**6))) == 1


def test_more_processes_than_cores_can_serve_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"jobs must be at most \d+, 4 for each core of this machine, got 5,000"):
        run_many(seeds(5000), tmp_path, jobs=10**6)


def test_no_jobs_are_refused(tmp_path):
    with pytest.raises(ValueError, match="jobs must be at least 1, got 0"):
        next(run_many(seeds(1), tmp_path, jobs=0))


@pytest.mark.slow
def test_a_cluster_does_not_change_a_record_and_a_lost_worker_costs_only_its_run(tmp_path):
    from distributed import LocalCluster

    longer = dataclasses.replace(SMALL, generations=600, search="random", options={})
    alone = list(run_many(seeds(4, longer), tmp_path / "alone", jobs=2))
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        told = run_many(seeds(4, longer), tmp_path / "cluster", scheduler=cluster.scheduler_address)
        first = next(told)
        os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
        ends = [first, *told]
    assert {end.settings.seed for end in ends} == {0, 1, 2, 3}
    for end in alone:
        assert contents(end.folder) == contents(folder_of(end.settings, tmp_path / "cluster"))


@pytest.mark.slow
def test_a_killed_command_goes_on_to_the_same_records(tmp_path):
    command = [
        sys.executable, "-m", "divergent.run_maze", "hard", "--search", "random", "--population", "50",
        "--generations", "300", "--steps", "60", "--runs", "3", "--jobs", "2", "--quiet", "--out",
    ]  # fmt: skip
    subprocess.run([*command, str(tmp_path / "whole")], check=True, timeout=300)
    chance = np.random.default_rng(5)
    for _ in range(5):
        launched = subprocess.Popen([*command, str(tmp_path / "killed")], start_new_session=True)
        time.sleep(float(chance.uniform(1.5, 4.0)))
        launched.kill()
        launched.wait()
    subprocess.run([*command, str(tmp_path / "killed")], check=True, timeout=300)
    for seed in range(3):
        name = f"hard-random/seed-{seed:04d}"
        assert contents(tmp_path / "killed" / name) == contents(tmp_path / "whole" / name)
    there = sorted(path.name for path in (tmp_path / "killed" / "hard-random").iterdir() if path.suffix != ".png")
    assert there == ["seed-0000", "seed-0001", "seed-0002"]
