import dataclasses

import numpy as np
import pytest
from deap import base, creator, tools

from divergent import Outcome, Problem, run
from divergent.explorer import explore, page_data
from divergent.explorer._batch import batch_data
from divergent.explorer._problem_scene import scene_of_problem_record, summary_of_problem_record


def toolbox_of_points(rng):
    """Operators of individuals with two numbers."""
    toolbox = base.Toolbox()
    toolbox.register("individual", lambda: creator.ExploredPoint(rng.normal(size=2).tolist()))
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    toolbox.register("evaluate", lambda point: Outcome((float(np.abs(point).sum()),), behaviour=tuple(point)))
    toolbox.register("mate", tools.cxUniform, indpb=0.5)
    toolbox.register("mutate", tools.mutGaussian, mu=0.0, sigma=0.2, indpb=0.5)
    return toolbox


PROBLEM = Problem(
    "points",
    toolbox_of_points,
    title="Some points",
    axes=("length", "height"),
    limits=((-4, 4), (-4, 4)),
    defaults={"population": 12, "generations": 4},
    render=lambda point: np.zeros((8, 8)),
)


@pytest.fixture(scope="module")
def record():
    return run(PROBLEM, search="novelty", seed=1)


def test_scene_of_a_problem_record_has_its_behaviours_axes_and_limits(record):
    scene = scene_of_problem_record(record)
    assert np.allclose(scene.values, record.behaviours)
    assert [(dimension.name, dimension.low, dimension.high) for dimension in scene.dimensions] == [
        ("length", -4, 4),
        ("height", -4, 4),
    ]
    assert scene.smaller
    assert scene.title == "Novelty search"
    assert (scene.history.parents == -1).all()


def test_scene_of_a_problem_record_with_the_problem_has_parents(record):
    scene = scene_of_problem_record(record, PROBLEM)
    assert scene.remark == ""
    assert np.allclose(scene.values, record.behaviours)
    assert (scene.history.parents[12:, 0] >= 0).all()


def test_scene_of_a_run_solved_within_a_generation_has_its_parents():
    value = run(PROBLEM, search="novelty", seed=1, loop="plus").fitness[29, 0]  # evaluation 30, in the third generation
    problem = dataclasses.replace(PROBLEM, solved=lambda values: values[0] == value)
    solved = run(problem, search="novelty", seed=1, loop="plus")
    assert solved.evaluations % 12
    scene = scene_of_problem_record(solved, problem)
    assert scene.remark == ""
    assert len(scene.values) == solved.evaluations
    assert (scene.history.parents[12:, 0] >= 0).all()


def test_scene_of_a_problem_record_that_differs_has_a_remark(record):
    other = dataclasses.replace(record, behaviours=record.behaviours + 1.0)
    scene = scene_of_problem_record(other, PROBLEM)
    assert "differs from the record" in scene.remark
    assert np.allclose(scene.values, other.behaviours)


def test_scene_of_a_record_without_vectors_raises(record):
    other = dataclasses.replace(record, behaviours=["a"] * record.evaluations)
    with pytest.raises(ValueError, match="behaviours of problem 'points' must be vectors to be shown"):
        scene_of_problem_record(other)


def test_explore_of_a_problem_record_renders_individuals(record):
    data = page_data(record, problem=PROBLEM)
    (description,) = data.description["runs"]
    assert 0 < len(description["images"]) <= 60
    assert explore(record).text.startswith("<!doctype html>")


def test_overview_of_problem_records_has_their_outcomes(record):
    records = [record, run(PROBLEM, search="random", seed=1), run(PROBLEM, search="random", seed=2)]
    data = batch_data(records)
    batch = data.description["batch"]
    assert data.title == "3 runs of Some points"
    assert [group["name"] for group in batch["groups"]] == ["novelty", "random"]
    assert batch["runs"][0]["best"] == pytest.approx(record.fitness.min())
    assert batch["smaller"] is True


def test_summary_of_a_problem_record_has_the_best_so_far(record):
    curve = summary_of_problem_record(record).curve
    assert curve[:, 0].tolist() == [12, 24, 36, 48]
    assert curve[-1, 1] == pytest.approx(record.fitness.min())
    assert (np.diff(curve[:, 1]) <= 0).all()


def test_overview_of_problem_records_with_the_problem_has_their_repeats(record):
    problem = dataclasses.replace(PROBLEM, draw=lambda axes: axes.axhline(0.0))
    data = batch_data([record] * 3, repeated=True, problem=problem)
    batch = data.description["batch"]
    assert batch["runs"][0]["detail"]["score"]["length"] == record.evaluations
    assert batch["background"].startswith("data:image/png")


def test_batch_data_with_repeats_of_a_problem_and_no_problem_raises(record):
    with pytest.raises(ValueError, match="problem must be given if runs are to be repeated, got None"):
        batch_data([record] * 3, repeated=True)
