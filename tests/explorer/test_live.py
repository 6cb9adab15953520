import json
import re
import urllib.error
import urllib.request
from types import SimpleNamespace

import pytest

from divergent import History, Outcome
from divergent.explorer.live import Watch, _GenerationSummary
from divergent.individual import MaximisedFitness
from divergent.loops import Step


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
        found = update(watch)
        assert found["status"]["state"] == "finished"
        assert found["run"]["evaluations"] == 120
        assert "run" not in update(watch, found["version"])
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
    assert summary.messages() == ["95% of the last generation in 3 cells"]


def test_diagnoses_of_one_dominant_species_name_it():
    summary = _GenerationSummary()
    summary.add(generation_of(0, [(float(k), 0.0) for k in range(20)], species=[4] * 15 + [2] * 5))
    summary.add(generation_of(1, [(0.0, 0.0)]))
    assert summary.messages() == ["species 4 has 75% of the offspring"]


def test_diagnoses_of_a_stagnant_run_count_the_generations():
    summary = _GenerationSummary()
    for number in range(22):
        summary.add(generation_of(number, [(float(k), float(number)) for k in range(20)]))
    assert summary.messages() == ["no better individual for 20 generations"]
