import dataclasses
import re

import numpy as np
import pytest

from divergent import Settings, run
from divergent.explorer._page import page_of
from divergent.explorer._rerun import TRAIL_POINTS, scene_of_record
from divergent.explorer._scene import GRID
from divergent.maze import MazeTask
from divergent.neat import Genome


def test_scene_of_a_record_has_its_final_positions(surprise, surprise_scene):
    assert np.array_equal(surprise_scene.values.astype(np.float32), surprise.positions)
    assert surprise_scene.remark == ""


def test_trails_of_a_scene_end_at_the_final_positions(surprise, surprise_scene):
    trails = surprise_scene.trails
    assert trails.shape == (surprise.evaluations, TRAIL_POINTS, 2)
    left, top, right, bottom = surprise.maze.bounds
    ends = (left, top) + trails[:, -1] / 255 * (right - left, bottom - top)
    assert np.abs(ends - surprise.positions).max() <= max(right - left, bottom - top) / 255


def test_robot_of_a_scene_has_the_drive_of_the_task(surprise, surprise_scene):
    number, robot = next(
        (number, robot) for number, robot in surprise_scene.robots.items() if robot.role == "the closest"
    )
    trail = MazeTask(surprise.maze, surprise.settings.resolve().steps).rollout(surprise.solution).trail
    assert number == int(surprise_scene.qualities.argmin())
    positions = np.array(surprise.maze.start) + robot.moves[:, :2].cumsum(axis=0, dtype=int) / GRID
    assert np.abs(positions - trail[1:]).max() <= 1 / GRID


def test_robot_of_a_scene_has_the_enabled_connections(surprise, surprise_scene):
    robot = next(robot for robot in surprise_scene.robots.values() if robot.role == "the closest")
    genome: Genome = surprise.solution
    enabled = genome.genes[genome.genes[:, 4] == 1.0]
    assert np.array_equal(robot.links, enabled[:, 1:4])


def test_scene_of_a_record_keeps_the_first_parents_of_the_best(surprise_scene):
    best = int(surprise_scene.qualities.argmin())
    assert set(surprise_scene.history.ancestors(best)) <= set(surprise_scene.robots)


def test_scene_of_an_archive_keeps_the_archived_individuals(novelty_scene):
    roles = [robot.role for robot in novelty_scene.robots.values()]
    archive = novelty_scene.history.generations[-1].memory["archive"]
    assert roles.count("in the archive") > 0
    kept = {tuple(novelty_scene.history.behaviours[number]) for number in novelty_scene.robots}
    assert {tuple(row) for row in archive} <= kept


def test_scene_with_progress_reports_evaluations(surprise):
    evaluations = []
    scene_of_record(surprise, evaluations.append)
    assert sum(evaluations) == surprise.evaluations


@pytest.mark.parametrize(
    "settings",
    [
        {"search": "objective"},
        {"search": "ssr"},
        {"search": "ssnp"},
        {"search": "random"},
        {"search": "novelty", "loop": "generational", "generations": 4},
        {"search": "nsslc", "generations": 4, "clusters": 4},
        {"search": "dns", "generations": 4},
        {"search": "surprise", "behaviour": "trail:3", "clusters": 4, "generations": 4},
        {"search": "surprise", "robot": "five-rangefinder"},
        {"search": "surprise", "rules": "lehman2008"},
    ],
)
def test_scene_of_every_kind_of_run_has_its_positions(settings):
    record = run(Settings(**{"maze": "medium", "population": 10, "generations": 2} | settings))
    scene = scene_of_record(record)
    assert scene.remark == ""
    assert np.array_equal(scene.values.astype(np.float32), record.positions)
    ends = {number: robot.moves[:, :2].sum(axis=0, dtype=int) / GRID for number, robot in scene.robots.items()}
    for number, end in ends.items():
        assert record.maze.start + end == pytest.approx(scene.values[number], abs=1 / GRID)
    assert page_of([scene]).text.count("<title>") == 1


def test_scene_of_an_unregistered_strategy_has_what_the_record_holds(outskirts):
    scene = scene_of_record(outskirts)
    assert np.array_equal(scene.values.astype(np.float32), outskirts.positions)
    assert scene.title == "Outskirts search"
    assert "search must be registered in divergent.selection.SEARCHES, got 'outskirts'" in scene.remark
    assert [generation.first for generation in scene.history.generations] == [30 * number for number in range(8)]
    ((number, robot),) = scene.robots.items()
    end = outskirts.maze.start + robot.moves[:, :2].sum(axis=0, dtype=int) / GRID
    assert end == pytest.approx(outskirts.positions[number], abs=1 / GRID)
    assert outskirts.best_fitness == pytest.approx(300 - scene.qualities[number], abs=1e-4)


@pytest.mark.parametrize(
    ("options", "remark"),
    [
        ({"crystal": 3}, "must be valid in this version of divergent, got .*crystal"),
        ({"clusters": -1}, "must be valid in this version of divergent, got .*clusters must be"),
    ],
)
def test_scene_of_a_record_with_unknown_options_has_what_the_record_holds(surprise, options, remark):
    settings = dataclasses.replace(surprise.settings, options=surprise.settings.options | options)
    scene = scene_of_record(dataclasses.replace(surprise, settings=settings))
    assert np.array_equal(scene.values.astype(np.float32), surprise.positions)
    assert re.search(remark, scene.remark)


def test_scene_of_a_record_with_a_huge_budget_stops_where_the_record_does(surprise):
    huge = dataclasses.replace(surprise.settings, generations=30_000_000)
    scene = scene_of_record(dataclasses.replace(surprise, settings=huge))
    assert len(scene.values) == surprise.evaluations
    impossible = dataclasses.replace(surprise.settings, generations=10**12)
    assert "at most 1,000,000,000" in scene_of_record(dataclasses.replace(surprise, settings=impossible)).remark
