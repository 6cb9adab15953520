"""MAP-Elites: parents from an archive, exchangeable parent selection, grid and CVT cells."""

import random

import numpy as np
import pytest
from deap import base, creator, tools
from hypothesis import given, settings
from hypothesis import strategies as st

import divergent
from divergent import Checkpoint, Outcome, Search, neat
from divergent.archives import CVTElites, Elites
from divergent.illumination import MapElites, map_elites
from divergent.selection import Novelty, NoveltyAndSurprise, Surprise

creator.create("IlluminationLeast", divergent.Fitness, weights=(-1.0,))
creator.create("IlluminationPoint", list, fitness=creator.IlluminationLeast)
BOUNDS = ((-5, -5), (5, 5))


def evaluate(point):
    return Outcome((abs(point[0]),), behaviour=tuple(point))


def points(count, seed=1):
    random.seed(seed)
    return [creator.IlluminationPoint([random.gauss(0, 0.1), random.gauss(0, 0.1)]) for _ in range(count)]


@pytest.fixture
def toolbox():
    box = base.Toolbox()
    box.register("evaluate", evaluate)
    box.register("mate", tools.cxUniform, indpb=0.5)
    box.register("mutate", tools.mutGaussian, mu=0, sigma=0.5, indpb=1.0)
    return box


def strategies():
    rng = np.random.default_rng(1)
    return {
        "uniform": "uniform",
        "curiosity": "curiosity",
        "novelty": Novelty(neighbours=5, rng=rng),
        "surprise": Surprise(clusters=8, rng=rng),
        "lineage": Surprise(partition="lineage", rng=rng),
        "nss": NoveltyAndSurprise(clusters=8, rng=rng),
    }


@pytest.mark.parametrize("parents", strategies())
def test_map_elites_fills_the_archive_with_every_parent_selection(toolbox, parents):
    elites = Elites(BOUNDS, cells=10, worst=-5)
    coverage = []
    for step in map_elites(points(20), toolbox, elites, strategies()[parents], evaluations=1000, batch=20):
        coverage.append(elites.coverage)
        assert {id(individual) for individual in step.population} == {id(best) for best in elites.best.values()}
    assert coverage == sorted(coverage)
    assert coverage[-1] > 0.5
    assert step.evaluations == 1000
    assert step.generation == 49


def test_map_elites_selects_parents_from_the_archive_only(toolbox):
    elites, chosen = Elites(BOUNDS, cells=4), []

    def breed(first, second):
        chosen.append((first, second))
        return creator.IlluminationPoint([first[0] + random.gauss(0, 1), second[1] + random.gauss(0, 1)])

    toolbox.register("breed", breed)
    archive: set[int] = set()
    for step in map_elites(points(5), toolbox, elites, evaluations=105, batch=10):
        assert len(chosen) == (10 if step.generation else 0)
        assert {id(parent) for parents in chosen for parent in parents} <= archive
        archive, chosen[:] = {id(best) for best in elites.best.values()}, []
    assert step.generation == 10


def test_map_elites_by_novelty_prefers_novel_elites(toolbox):
    """Elites far from the others have more children than under uniform selection."""
    counts = {}
    for name, parents in (("uniform", "uniform"), ("novelty", Novelty(neighbours=3, archiving="none"))):
        elites, drawn = Elites(BOUNDS, cells=10), []
        crowd = [creator.IlluminationPoint([x, y]) for x in (-4.5, -3.5, -2.5) for y in (-4.5, -3.5, -2.5)]
        start = [*crowd, creator.IlluminationPoint([4.5, 4.5])]
        random.seed(2)
        toolbox.register("breed", lambda first, second, drawn=drawn: drawn.append(first) or toolbox.clone(first))
        for _ in map_elites(start, toolbox, elites, parents, evaluations=210, batch=100):
            pass
        counts[name] = sum(parent[0] == 4.5 for parent in drawn)
    assert counts["novelty"] > 1.5 * counts["uniform"]


def test_map_elites_by_curiosity_prefers_parents_of_new_elites(toolbox):
    elites, drawn = Elites(((0,), (100,)), cells=100), []

    def breed(first, second):
        drawn.append(first[0])
        fertile = first[0] >= 50
        return creator.IlluminationPoint([min(99.5, first[0] + 1) if fertile else first[0]])

    toolbox.register("breed", breed)
    toolbox.register("evaluate", lambda point: Outcome((0.0,), behaviour=point))
    random.seed(1)
    start = [creator.IlluminationPoint([0.5]), creator.IlluminationPoint([50.5])]
    for _ in map_elites(start, toolbox, elites, "curiosity", evaluations=60, batch=4):
        pass
    assert np.mean([number < 50 for number in drawn[-30:]]) < 0.1


def test_map_elites_uses_genomes_and_the_map_of_the_toolbox():
    rng, sizes = np.random.default_rng(1), []
    box = base.Toolbox()
    neat.register(box, 2, 1, rng=rng)
    box.register("evaluate", lambda genome: Outcome((0.0,), behaviour=genome.genes[:2, 3]))
    box.register("map", lambda function, genomes: sizes.append(len(genomes)) or list(map(function, genomes)))
    elites = Elites(BOUNDS, cells=10)
    for _ in map_elites(box.population(n=10), box, elites, evaluations=35, batch=10):
        pass
    assert len(sizes) == 4
    assert sum(sizes) <= 35
    assert elites.coverage > 0.05


def test_map_elites_with_invalid_arguments_raises(toolbox):
    elites = Elites(BOUNDS)
    with pytest.raises(
        ValueError, match="parents must be a strategy or one of the names uniform, curiosity, got 'random'"
    ):
        next(map_elites(points(3), toolbox, elites, "random", evaluations=10))
    with pytest.raises(TypeError, match="elites must be an instance of Elites, got 7"):
        next(map_elites(points(3), toolbox, 7, evaluations=10))
    with pytest.raises(ValueError, match="batch must be an integer, at least 1, got 0"):
        next(map_elites(points(3), toolbox, elites, evaluations=10, batch=0))


def test_map_elites_with_a_selector_of_too_few_parents_raises(toolbox):
    start = [creator.IlluminationPoint([float(x), 0.0]) for x in range(3)]  # 3 elites, but 10 children have 20 parents
    steps = map_elites(start, toolbox, Elites(BOUNDS), Novelty(), evaluations=13, batch=10, select=tools.selNSGA2)
    next(steps)
    with pytest.raises(ValueError, match="requested number of parents, 20, got 3; pass a selector that draws with rep"):
        next(steps)


def test_map_elites_with_breed_that_returns_no_individual_raises(toolbox):
    toolbox.register("breed", lambda first, second: None)
    steps = map_elites(points(3), toolbox, Elites(BOUNDS), evaluations=10)
    next(steps)
    with pytest.raises(TypeError, match=r"toolbox\.breed must return one individual with a fitness, got None"):
        next(steps)


@pytest.mark.parametrize("parents", ["curiosity", "surprise"])
def test_search_of_map_elites_resumes_from_a_checkpoint(toolbox, tmp_path, parents):
    def run(path, evaluations, stop=None):
        chosen, elites = strategies()[parents], Elites(BOUNDS, cells=10, worst=-5)
        search = Search.of(MapElites(points(10), toolbox, elites, chosen))
        parts = {"strategy": chosen} if parents == "surprise" else {}
        checkpoint = Checkpoint(tmp_path / path, **parts)
        checkpoint.restore(search)
        while search.evaluations < evaluations:
            asked = search.ask(10)
            search.tell(asked, map(evaluate, asked))
            if search.evaluations == stop:
                checkpoint.save(search)
        return elites.qd_score, sorted(map(tuple, search.population))

    whole = run("whole.npz", 300)
    run("run.npz", 150, stop=150)
    assert run("run.npz", 300) == whole


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 12), st.integers(1, 3), st.integers(0, 5), st.integers(0, 1000))
def test_cvt_elites_put_each_behaviour_in_the_cell_of_the_nearest_centroid(cells, dimensions, seed, points_seed):
    low, high = np.arange(dimensions) - 1.0, np.arange(dimensions) * 3 + 2.0
    elites = CVTElites((low, high), cells=cells, seed=seed)
    behaviours = np.random.default_rng(points_seed).uniform(low, high, (20, dimensions))
    individuals = []
    for behaviour in behaviours:
        individual = creator.IlluminationPoint(behaviour.tolist())
        individual.fitness.values = Outcome((1.0,), behaviour=behaviour)
        individuals.append(individual)
    distances = (((behaviours[:, None] - elites.centroids) / (high - low)) ** 2).sum(axis=2)
    assert elites.cells_of(individuals) == [(cell,) for cell in distances.argmin(axis=1).tolist()]
    elites.add(individuals)
    assert elites.coverage == len(set(distances.argmin(axis=1).tolist())) / cells


def test_cvt_elites_have_the_same_cells_for_the_same_seed():
    first, second = (CVTElites(BOUNDS, cells=9, seed=3) for _ in range(2))
    assert np.array_equal(first.centroids, second.centroids)
    assert not np.array_equal(first.centroids, CVTElites(BOUNDS, cells=9, seed=4).centroids)
    with pytest.raises(ValueError, match="samples must be an integer, at least 9, got 3"):
        CVTElites(BOUNDS, cells=9, samples=3)
