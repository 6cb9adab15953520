import json
import re
import urllib.error
import urllib.request
from types import SimpleNamespace

import numpy as np
import pytest
from deap import base, creator, tools

from divergent import History, Outcome, Problem, Settings, run
from divergent.explorer.live import RunWatch, Watch, _GenerationSummary
from divergent.individual import MaximisedFitness
from divergent.loops import Step
from divergent.maze import read_maze
from divergent.runs import make_run


def get(url, **headers):
    request = urllib.request.Request(url, headers=headers)
    with urllib.request.urlopen(request, timeout=10) as answer:
        return answer.read().decode("utf-8")


def update(watch, version=0):
    return json.loads(get(watch.url.replace("/?", f"/update?version={version}&")))


def test_watch_of_a_loop_serves_its_evaluations(steps_of):
    history, steps = steps_of(6)
    with Watch(history, budget=120) as watch:
        assert "first generation is being evaluated" in get(watch.url)
        for _ in watch.steps(steps):
            pass
        answer = update(watch)
        assert answer["status"]["state"] == "finished"
        assert answer["run"]["evaluations"] == 120
        assert "run" not in update(watch, answer["version"])
        assert 'id="description"' in get(watch.url)


def test_watch_yields_the_same_steps_as_the_loop(steps_of):
    _, plain = steps_of(4)
    expected = [tuple(step.offspring[0]) for step in plain]
    history, steps = steps_of(4)
    with Watch(history) as watch:
        assert [tuple(step.offspring[0]) for step in watch.steps(steps)] == expected


def test_watch_without_a_page_builds_nothing_after_the_first_data(steps_of):
    history, steps = steps_of(8)
    with Watch(history) as watch:
        generations = [watch._data and watch._data[0] for _ in watch.steps(steps)]
        assert max(version for version in generations if version) == 1


@pytest.mark.parametrize("path", ["/", "/update", "/?token=wrong", "/update?version=0&token="])
def test_watch_without_the_token_answers_forbidden(path):
    with Watch(History()) as watch, pytest.raises(urllib.error.HTTPError, match="403"):
        get(f"http://127.0.0.1:{watch.port}{path}")


def test_watch_asked_by_another_host_name_answers_forbidden():
    with Watch(History()) as watch, pytest.raises(urllib.error.HTTPError, match="403"):
        get(watch.url, Host=f"example.org:{watch.port}")


def test_watch_listens_on_the_loopback_interface_only():
    with Watch(History()) as watch:
        assert watch._server.server_address[0] == "127.0.0.1"
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{24}", watch.url)


def generation_of(number, behaviours, species=()):
    individuals = []
    for behaviour in behaviours:
        individual = SimpleNamespace(fitness=MaximisedFitness())
        individual.fitness.values = Outcome((0.0,), behaviour=behaviour)
        individuals.append(individual)
    return Step(number, len(individuals), individuals, individuals, species=list(species))


def test_diagnoses_of_a_concentrated_generation_name_the_fraction():
    summary = _GenerationSummary()
    spread = [(x, y) for x in range(10) for y in range(2)]
    summary.add(generation_of(0, spread))
    summary.add(generation_of(1, [(5.0, 1.0)] * 17 + [(0.0, 0.0), (9.0, 0.0), (9.0, 1.0)]))
    assert summary.messages() == []
    summary.add(generation_of(2, spread))
    assert summary.messages() == ["95% of the last generation are in 3 cells"]


def test_diagnoses_of_one_dominant_species_name_it():
    summary = _GenerationSummary()
    summary.add(generation_of(0, [(float(k), 0.0) for k in range(20)], species=[4] * 15 + [2] * 5))
    summary.add(generation_of(1, [(0.0, 0.0)]))
    assert summary.messages() == ["species 4 contains 75% of the offspring"]


def test_diagnoses_of_a_stagnant_run_count_the_generations():
    summary = _GenerationSummary()
    for number in range(22):
        summary.add(generation_of(number, [(float(k), float(number)) for k in range(20)]))
    assert summary.messages() == ["no better individual for 20 generations"]


def test_run_with_a_watch_has_the_record_of_the_run_without():
    settings = Settings(maze="medium", search="surprise", population=20, generations=5, seed=3)
    expected = run(settings)
    plan = settings.resolve()
    watched = make_run(plan, read_maze("medium"))
    lines = []
    watched.watch = RunWatch(lines.append)
    record = watched.finish()
    answer = update(watched.watch.watch)
    watched.watch.close()
    assert np.array_equal(record.positions, expected.positions)
    assert record.rows == expected.rows
    assert lines == [f"watch    {watched.watch.watch.url}"]
    assert answer["status"]["state"] == "finished"
    assert answer["run"]["evaluations"] == 100
    assert answer["run"]["maze"]["name"] == "medium"


def test_run_of_a_problem_with_a_watch_has_its_axes():
    problem = Problem(
        "points",
        toolbox_of_points,
        axes=("length", "height"),
        limits=((-2, 2), (-2, 2)),
        defaults={"population": 10, "generations": 3},
    )
    settings = Settings(problem=problem, search="novelty")
    watched = make_run(settings.resolve(), problem)
    watched.watch = RunWatch(lambda line: None)
    watched.finish()
    answer = update(watched.watch.watch)
    watched.watch.close()
    assert [dimension["name"] for dimension in answer["run"]["dimensions"]] == ["length", "height"]


def toolbox_of_points(rng):
    """Operators of individuals with two numbers."""
    toolbox = base.Toolbox()
    toolbox.register("individual", lambda: creator.ExploredPoint(rng.normal(size=2).tolist()))
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    toolbox.register("evaluate", lambda point: Outcome((float(np.abs(point).sum()),), behaviour=tuple(point)))
    toolbox.register("mate", tools.cxUniform, indpb=0.5)
    toolbox.register("mutate", tools.mutGaussian, mu=0.0, sigma=0.2, indpb=0.5)
    return toolbox


def test_run_maze_with_watch_prints_the_address(tmp_path, capsys):
    from divergent.run_maze import main

    options = ["--population", "10", "--generations", "2", "--out", str(tmp_path)]
    assert main(["medium", "--watch", *options]) == 0
    assert re.search(r"^watch    http://127\.0\.0\.1:\d+/\?token=", capsys.readouterr().out, re.MULTILINE)


def test_run_maze_with_watch_and_two_runs_raises(tmp_path, capsys):
    from divergent.run_maze import main

    assert main(["medium", "--watch", "--runs", "2", "--out", str(tmp_path)]) == 2
    assert "--watch must be used with --runs 1 and without --scheduler, got --runs 2" in capsys.readouterr().err


PROBLEM_FILE = """
from deap import base, creator, tools
import divergent

creator.create("WatchedFitness", divergent.Fitness, weights=(-1.0,))
creator.create("WatchedPoint", list, fitness=creator.WatchedFitness)


def make_toolbox(rng):
    toolbox = base.Toolbox()
    toolbox.register("individual", lambda: creator.WatchedPoint(rng.normal(size=2).tolist()))
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    toolbox.register("evaluate", lambda point: divergent.Outcome((abs(point[0]),), behaviour=point))
    toolbox.register("mate", tools.cxUniform, indpb=0.5)
    toolbox.register("mutate", tools.mutGaussian, mu=0.0, sigma=0.2, indpb=0.5)
    return toolbox


problem = divergent.Problem("points", make_toolbox, defaults={"population": 10, "generations": 2})
"""


def test_run_of_a_problem_file_with_watch_prints_the_address(tmp_path, capsys):
    from divergent.run_problem import main

    (tmp_path / "points.py").write_text(PROBLEM_FILE)
    arguments = [str(tmp_path / "points.py"), "--search", "novelty", "--out", str(tmp_path / "runs"), "--watch"]
    assert main(arguments) == 0
    assert re.search(r"^watch    http://127\.0\.0\.1:\d+/\?token=", capsys.readouterr().out, re.MULTILINE)
    assert main([*arguments, "--runs", "2"]) == 2
    assert "--watch must be used with one run, got 2 runs" in capsys.readouterr().err
