import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import divergent
from divergent import experiment
from divergent.experiment import Run, find, folder_of, make_strategy, run, run_many
from divergent.maze import read_maze
from divergent.record import ARRAYS, TEXT, read
from divergent.selection import SEARCHES, Heatmap, Strategy
from divergent.settings import Settings

SMALL = Settings(maze="medium", search="surprise", population=20, generations=60, clusters=8, steps=40)


def contents(folder):
    """A record's bytes, but for what it ran on."""
    return {name: (Path(folder) / name).read_bytes() for name in (TEXT, ARRAYS)}


def seeds(count, settings=SMALL):
    return [dataclasses.replace(settings, seed=seed) for seed in range(count)]


@pytest.fixture
def often(monkeypatch):
    """Checkpoints every few generations, to have some in small runs."""
    monkeypatch.setattr(experiment, "CHECKPOINT_EVERY", 4)


def test_a_run_from_python_is_a_record():
    record = divergent.run(SMALL)
    assert record.evaluations == 1200
    assert record.positions.shape == (1200, 2)
    assert [row["generation"] for row in record.rows] == list(range(60))
    assert record.rows[-1]["best_fitness"] == record.best_fitness
    assert record.settings == SMALL.completed()
    assert record.diversity.keys() == {"compatibility", "disjoint", "excess", "weight_difference"}


@pytest.mark.parametrize("loop", ["steady", "generational"])
@pytest.mark.parametrize("search", SEARCHES)
def test_every_search_runs_in_every_loop(search, loop):
    settings = Settings(maze="hard", search=search, loop=loop, population=20, generations=5, steps=30)
    record = run(settings)
    assert 20 < record.evaluations <= 100
    assert len(record.positions) == record.evaluations
    assert len(record.rows) == 5


@pytest.mark.parametrize(
    "options",
    [
        {"behaviour": "trail:10"},
        {"deviation": "heatmap"},
        {"history": 4, "predictor": "least-squares"},
        {"search": "ssr", "behaviour": "trail:5"},
        {"search": "novelty", "clusters": 8, "neighbours": 3},
        {"maze": "generated:3"},
    ],
)
def test_options_reach_the_search(options):
    record = run(dataclasses.replace(Settings(population=20, generations=4, steps=30), **options))
    assert record.evaluations == 80
    assert record.positions.shape == (80, 2)


def test_a_search_of_ones_own_needs_one_entry_only(monkeypatch):
    class Leftmost(Strategy):
        def score(self, outcomes, among=None):
            return -outcomes.behaviours[:, 0]

    monkeypatch.setitem(SEARCHES, "leftmost", Leftmost)
    record = run(Settings(maze="hard", search="leftmost", population=20, generations=10, steps=50))
    assert record.positions[-100:, 0].mean() < record.positions[:20, 0].mean()


def test_the_heatmap_lies_over_the_maze():
    maze = read_maze("hard")
    strategy = make_strategy(Settings(deviation="heatmap").completed(), maze, np.random.default_rng(1))
    assert isinstance(strategy.deviation, Heatmap)
    assert (*strategy.deviation.low, *strategy.deviation.high) == maze.bounds


def test_the_same_seed_gives_the_same_record():
    first, second = run(SMALL), run(SMALL)
    for name in (TEXT, ARRAYS):
        assert first.files()[name] == second.files()[name]
    assert run(dataclasses.replace(SMALL, seed=1)).files()[ARRAYS] != first.files()[ARRAYS]


def test_a_run_stops_at_the_first_solution():
    record = run(Settings(maze="medium", search="novelty", population=250, generations=300, seed=0))
    assert record.solved
    assert record.best_fitness > 295
    assert record.evaluations == len(record.positions) == record.rows[-1]["evaluations"]
    assert np.allclose(record.trail[-1], record.positions[-1])
    distances = np.hypot(*(record.positions - record.maze.goal).T)
    assert distances[-1] < 5 <= distances[:-1].min()


def test_a_record_is_kept_and_not_run_again(tmp_path):
    first = run(SMALL, out=tmp_path)
    stamp = (folder_of(SMALL, tmp_path) / TEXT).stat().st_mtime_ns
    again = run(SMALL, out=tmp_path)
    assert again.files() == first.files()
    assert (folder_of(SMALL, tmp_path) / TEXT).stat().st_mtime_ns == stamp
    assert find(dataclasses.replace(SMALL, seed=9).completed(), tmp_path) is None


@pytest.mark.parametrize("loop", ["steady", "generational"])
@pytest.mark.parametrize("search", SEARCHES)
def test_a_run_that_goes_on_from_a_checkpoint_ends_in_the_same_record(tmp_path, often, search, loop):
    settings = Settings(maze="hard", search=search, loop=loop, population=20, generations=12, steps=30, seed=3)
    whole = run(settings, out=tmp_path / "whole")
    interrupted = iter(Run(settings, out=tmp_path / "parts"))
    for _ in range(10):
        next(interrupted)
    interrupted.close()
    (saved,) = (tmp_path / "parts").rglob("*.checkpoint.npz")
    assert saved.exists()
    resumed = run(settings, out=tmp_path / "parts")
    for name in (TEXT, ARRAYS):
        assert resumed.files()[name] == whole.files()[name]
    assert not saved.exists()


def test_a_changed_setting_is_refused_with_the_difference(tmp_path, often):
    run(SMALL, out=tmp_path)
    with pytest.raises(ValueError, match="has other settings: clusters 8 there, 9 now; choose another --out"):
        run(dataclasses.replace(SMALL, clusters=9), out=tmp_path)
    other = dataclasses.replace(SMALL, seed=1)
    interrupted = iter(Run(other, out=tmp_path))
    for _ in range(6):
        next(interrupted)
    interrupted.close()
    with pytest.raises(ValueError, match="has other settings: steps 40 there, 41 now"):
        run(dataclasses.replace(other, steps=41), out=tmp_path)


def test_a_changed_maze_is_refused(tmp_path, often):
    maze = tmp_path / "own.txt"
    text = (Path(experiment.__file__).parents[1] / "mazes" / "hard.txt").read_text()
    maze.write_text(text)
    settings = dataclasses.replace(SMALL, maze=str(maze))
    interrupted = iter(Run(settings, out=tmp_path))
    for _ in range(6):
        next(interrupted)
    interrupted.close()
    maze.write_text(text.replace("133 30", "130 30"))
    with pytest.raises(ValueError, match=r"the maze .*own\.txt was changed since"):
        run(settings, out=tmp_path)


def test_a_damaged_checkpoint_is_refused_and_kept(tmp_path, often):
    interrupted = iter(Run(SMALL, out=tmp_path))
    for _ in range(6):
        next(interrupted)
    interrupted.close()
    (saved,) = tmp_path.rglob("*.checkpoint.npz")
    content = saved.read_bytes()
    for damaged in (content[: len(content) // 2], b"", content[:2000] + b"\0" * 500 + content[2500:]):
        saved.write_bytes(damaged)
        with pytest.raises(ValueError, match="the checkpoint is truncated or damaged"):
            run(SMALL, out=tmp_path)
        assert saved.read_bytes() == damaged


def test_a_checkpoint_of_another_version_is_refused(tmp_path, often, monkeypatch):
    interrupted = iter(Run(SMALL, out=tmp_path))
    for _ in range(6):
        next(interrupted)
    interrupted.close()
    monkeypatch.setattr(divergent, "__version__", "99.0")
    with pytest.raises(ValueError, match=r"begun with version .* of divergent, this is 99\.0"):
        run(SMALL, out=tmp_path)


def test_worker_processes_do_not_change_a_record(tmp_path):
    alone = list(run_many(seeds(4), tmp_path / "alone", jobs=1))
    together = list(run_many(seeds(4), tmp_path / "together", jobs=2))
    assert {end.settings.seed for end in together} == {0, 1, 2, 3}
    for end in alone:
        assert contents(end.folder) == contents(folder_of(end.settings, tmp_path / "together"))


def test_finished_runs_are_told_first_and_not_repeated(tmp_path):
    list(run_many(seeds(2), tmp_path))
    told = list(run_many(seeds(3), tmp_path))
    assert [(end.settings.seed, end.before) for end in told] == [(0, True), (1, True), (2, False)]


def test_no_jobs_are_refused(tmp_path):
    with pytest.raises(ValueError, match="jobs must be at least 1, got 0"):
        next(run_many(seeds(1), tmp_path, jobs=0))


@pytest.mark.slow
def test_a_cluster_does_not_change_a_record_and_a_lost_worker_costs_only_its_run(tmp_path):
    from distributed import LocalCluster

    longer = dataclasses.replace(SMALL, generations=600, search="random", clusters=None)
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
    assert sorted(path.name for path in (tmp_path / "killed" / "hard-random").iterdir()) == [
        "seed-0000",
        "seed-0001",
        "seed-0002",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("search", ["surprise", "novelty"])
def test_divergent_search_solves_the_hard_maze(search, seed):
    assert run(Settings(maze="hard", search=search, seed=seed)).solved


def test_settings_are_the_first_thing_a_record_says(tmp_path):
    run(SMALL, out=tmp_path)
    opening = json.loads((folder_of(SMALL, tmp_path) / TEXT).read_text().splitlines()[0])
    assert Settings(**opening["settings"]) == SMALL.completed()
    assert read(folder_of(SMALL, tmp_path)).version == divergent.__version__
