"""steady_state(batch=k): children of one population, evaluated together, inserted in order."""

import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from deap import base, creator, tools

import divergent
from divergent import Outcome
from divergent.loops import steady_state
from divergent.selection import Novelty, Objective, Surprise

creator.create("BatchLeast", divergent.Fitness, weights=(-1.0,))
creator.create("BatchPoint", list, fitness=creator.BatchLeast)


def evaluate(point):
    return Outcome((sum(x * x for x in point) ** 0.5,), behaviour=tuple(point))


def toolbox():
    box = base.Toolbox()
    box.register("evaluate", evaluate)
    box.register("mate", tools.cxBlend, alpha=0.2)
    box.register("mutate", tools.mutGaussian, mu=0, sigma=0.3, indpb=1.0)
    return box


def points(count):
    random.seed(1)
    return [creator.BatchPoint([random.uniform(-5, 5), random.uniform(-5, 5)]) for _ in range(count)]


def test_steady_state_with_a_batch_breeds_all_its_children_from_one_population():
    seen = []
    box = toolbox()
    population = points(10)

    def breed(first, second):
        seen.append(tuple(map(tuple, population)))
        return creator.BatchPoint([0.1 * x for x in first])

    box.register("breed", breed)
    steps = list(steady_state(population, box, Objective(), generations=3, batch=4))
    assert [len(set(seen[start : start + 4])) for start in (0, 4)] == [1, 1]
    assert len({seen[0], seen[4], seen[8]}) == 3
    assert [step.evaluations for step in steps] == list(range(10, 31))


def test_steady_state_with_a_batch_ends_it_with_the_generation():
    sizes = []
    box = toolbox()

    def mapped(function, individuals):
        sizes.append(len(individuals))
        return list(map(function, individuals))

    box.register("map", mapped)
    for _ in steady_state(points(10), box, Objective(), generations=3, batch=4):
        pass
    assert sizes == [10, 4, 4, 2, 4, 4, 2]


@pytest.mark.parametrize("batch", [3, 10])
def test_steady_state_with_a_batch_does_not_depend_on_the_number_of_workers(batch):
    ends = []
    for workers in (None, 1, 3):
        box = toolbox()
        strategy = Surprise(clusters=4, rng=np.random.default_rng(1))
        if workers is None:
            *_, last = steady_state(points(10), box, strategy, generations=8, batch=batch)
        else:
            with ThreadPoolExecutor(workers) as pool:
                box.register("map", pool.map)
                *_, last = steady_state(points(10), box, strategy, generations=8, batch=batch)
        ends.append(last.population)
    assert ends[0] == ends[1] == ends[2]


def test_steady_state_with_a_batch_resumes_as_if_it_had_not_been_stopped():
    def strategy():
        return Novelty(neighbours=3, threshold=0.5)

    whole = points(10)
    for _ in steady_state(whole, toolbox(), strategy(), generations=7, batch=4):
        pass
    population, resumed = points(10), strategy()
    for _ in steady_state(population, toolbox(), resumed, generations=3, batch=4):
        pass
    for _ in steady_state(population, toolbox(), resumed, generations=7, batch=4, done=3):
        pass
    assert population == whole


def test_steady_state_with_an_invalid_batch_raises():
    with pytest.raises(ValueError, match="batch must be an integer, at least 1, got 0"):
        next(steady_state(points(3), toolbox(), Objective(), generations=2, batch=0))
