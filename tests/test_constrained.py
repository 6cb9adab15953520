"""FI-2pop: feasible individuals follow a strategy, infeasible ones reduce their violation."""

import random
from functools import partial

import numpy as np
import pytest
from deap import base, creator, tools
from hypothesis import given
from hypothesis import strategies as st

import divergent
from divergent import Checkpoint, Outcome, Search, neat
from divergent.constrained import FeasibleInfeasible
from divergent.loops import evolve
from divergent.selection import Heatmap, Novelty, Objective, Random, Strategy, Surprise

creator.create("ConstrainedMost", divergent.Fitness, weights=(1.0,))
creator.create("ConstrainedPoint", list, fitness=creator.ConstrainedMost)


def evaluate(point):
    radius = (point[0] ** 2 + point[1] ** 2) ** 0.5
    return Outcome((-radius,), behaviour=tuple(point), violation=max(0.0, 3.0 - radius))


def make_toolbox():
    box = base.Toolbox()
    box.register("evaluate", evaluate)
    box.register("mate", tools.cxUniform, indpb=0.5)
    box.register("mutate", tools.mutGaussian, mu=0, sigma=0.5, indpb=1)
    return box


def points(count, seed=1):
    random.seed(seed)
    return [creator.ConstrainedPoint([random.random(), random.random()]) for _ in range(count)]


class Recorder(Objective):
    """Notes the behaviours that it scores."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def score(self, outcomes, among=None):
        self.seen.append(outcomes.behaviours.tolist())
        return super().score(outcomes, among)


def test_feasible_infeasible_moves_a_child_that_becomes_feasible():
    recorder = Recorder()
    box = make_toolbox()
    box.register("mutate", lambda point: (creator.ConstrainedPoint([point[0] + 1.0, 0.0]),))
    survive = FeasibleInfeasible(recorder, cxpb=0.0, mutpb=1.0)
    start = [creator.ConstrainedPoint([1.5, 0.0]) for _ in range(6)]
    steps = list(evolve(start, box, 4, survive=survive))
    counts = [sum(point.fitness.violation == 0 for point in step.population) for step in steps]
    assert counts[:3] == [0, 0, 5]  # 1.5, 2.5, 3.5; one elite is kept
    assert len(recorder.seen) == 1  # of the generation with feasible members that was selected from
    assert set(map(tuple, recorder.seen[0])) == {(3.5, 0.0)}


def test_feasible_infeasible_reduces_violations_and_then_follows_the_strategy():
    survive = FeasibleInfeasible(Novelty(), mutpb=0.9)
    steps = list(evolve(points(30), make_toolbox(), 40, survive=survive))
    least = [min(point.fitness.violation for point in step.population) for step in steps]
    assert least[0] > 1.5
    assert least[-1] == 0
    feasible = [point for point in steps[-1].population if point.fitness.violation == 0]
    assert len(feasible) >= 15
    assert np.ptp([point[0] for point in feasible]) > 6  # novelty spreads them
    assert all(len(step.population) == 30 for step in steps)
    assert survive.feasible >= 10


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 3), st.booleans())
def test_allocate_keeps_the_size_and_boosts_the_feasible(feasible, infeasible, elites, boost):
    if feasible + infeasible:
        survive = FeasibleInfeasible(Random(), elites=elites, boost=boost)
        of_feasible, of_infeasible = survive.allocate(feasible, infeasible)
        kept = min(elites, feasible) + min(elites, infeasible)
        assert of_feasible + of_infeasible + kept == feasible + infeasible
        assert min(of_feasible, of_infeasible) >= 0
        assert feasible or not of_feasible
        assert infeasible or not of_infeasible
        if boost and feasible:
            assert of_feasible >= (of_feasible + of_infeasible) // 2


@pytest.mark.parametrize(
    "strategy",
    [
        Objective(),
        Surprise(clusters=5),
        Surprise(partition="lineage"),
        Surprise(deviation=Heatmap(((-9, -9), (9, 9)), cells=6)),
    ],
    ids=["objective", "surprise", "lineage", "heatmap"],
)
def test_feasible_infeasible_works_with_every_strategy(strategy):
    strategy.reset()
    start = [creator.ConstrainedPoint([4.0 * random.random(), 4.0]) for _ in range(30)]
    *_, last = evolve(start, make_toolbox(), 12, survive=FeasibleInfeasible(strategy, mutpb=0.9, smallest=5))
    assert sum(point.fitness.violation == 0 for point in last.population) > 10


def test_feasible_infeasible_with_few_feasible_individuals_scores_without_learning():
    lessons = []

    class Pupil(Objective):
        def learn(self, outcomes):
            lessons.append(len(outcomes.fitness))

    for _ in evolve(points(20), make_toolbox(), 25, survive=FeasibleInfeasible(Pupil(), mutpb=0.9, smallest=8)):
        pass
    assert lessons
    assert min(lessons) >= 8


def test_feasible_infeasible_reports_parents_of_the_same_population():
    steps = list(evolve(points(20), make_toolbox(), 25, survive=FeasibleInfeasible(Novelty(), mutpb=0.9)))
    violations, mixed = {}, 0
    for step in steps:
        first = step.evaluations - len(step.offspring)
        for number, (child, numbers) in enumerate(zip(step.offspring, step.parents, strict=True), first):
            violations[number] = child.fitness.violation
            kinds = {violations[parent] == 0 for parent in numbers}
            assert len(kinds) <= 1
            mixed += bool(kinds) and kinds != {child.fitness.violation == 0}
    assert mixed > 5  # children that changed the population


def test_feasible_infeasible_with_species_of_neat():
    rng = np.random.default_rng(1)
    box = base.Toolbox()
    neat.register(box, 2, 1, rng=rng)
    box.register(
        "evaluate",
        lambda genome: Outcome((0.0,), behaviour=genome.genes[:2, 3], violation=max(0.0, 1.0 - genome.genes[0, 3])),
    )
    species = neat.Species(target=3, rng=rng)
    survive = FeasibleInfeasible(Novelty(rng=rng), select=partial(neat.select, species=species), mutpb=0.8)
    *_, last = evolve(box.population(n=30), box, 10, survive=survive)
    assert sum(genome.fitness.violation == 0 for genome in last.population) >= 10
    assert species.count > 0


def test_search_of_feasible_infeasible_resumes_from_a_checkpoint(tmp_path):
    def run(path, evaluations, stop=None):
        strategy = Novelty(rng=np.random.default_rng(1))
        survive = FeasibleInfeasible(strategy, mutpb=0.9)
        search = Search(points(20), make_toolbox(), loop=survive)
        checkpoint = Checkpoint(tmp_path / path, strategy=strategy, survive=survive)
        checkpoint.restore(search)
        while search.evaluations < evaluations:
            asked = search.ask(50)
            search.tell(asked, map(evaluate, asked))
            if stop is not None and search.evaluations >= stop:
                checkpoint.save(search)
        return search.population, [point.fitness.violation for point in search.population]

    whole = run("whole.npz", 250)
    run("run.npz", 120, stop=100)
    assert run("run.npz", 250) == whole


def test_feasible_infeasible_with_invalid_arguments_raises():
    with pytest.raises(TypeError, match=r"strategy must be a divergent\.selection\.Strategy, got 'novelty'"):
        FeasibleInfeasible("novelty")
    with pytest.raises(TypeError, match=r"strategy must be an instance, such as Novelty\(...\), got the class Novelty"):
        FeasibleInfeasible(Novelty)
    with pytest.raises(ValueError, match="elites must be an integer, at least 0, got -1"):
        FeasibleInfeasible(Random(), elites=-1)
    with pytest.raises(TypeError, match="boost must be True or False, got 'no'"):
        FeasibleInfeasible(Random(), boost="no")
    with pytest.raises(ValueError, match="infeasible must be an integer, at least 0, got -1"):
        FeasibleInfeasible(Random()).allocate(10, -1)


def test_allocate_without_individuals_returns_no_children():
    assert FeasibleInfeasible(Random()).allocate(0, 0) == (0, 0)


def test_feasible_infeasible_called_with_invalid_arguments_raises():
    survive = FeasibleInfeasible(Random())
    with pytest.raises(ValueError, match=r"population must be a list of at least one individual, got \[\]"):
        survive([], make_toolbox())
    with pytest.raises(TypeError, match="got a toolbox without 'mate'; register these operators"):
        survive(points(3), base.Toolbox())
    population = points(3)
    population[1].fitness = type("Plain", (base.Fitness,), {"weights": (1.0,)})((1.0,))
    with pytest.raises(TypeError, match=r"individual 1 must have a divergent\.Fitness, got"):
        survive(population, make_toolbox())


def test_feasible_infeasible_with_a_selector_of_another_number_raises():
    survive = FeasibleInfeasible(Random(), select=lambda individuals, k: individuals * 3, elites=0)
    with pytest.raises(
        ValueError, match=r"requested number of parents, 4, got 12; pass a selector that draws with rep"
    ):
        list(evolve([creator.ConstrainedPoint([5.0, 5.0]) for _ in range(4)], make_toolbox(), 2, survive=survive))


def test_outcome_with_an_invalid_violation_raises():
    for violation in (-1.0, np.nan, np.inf, "much"):
        with pytest.raises(ValueError, match="violation must be a finite number, at least 0"):
            Outcome((1.0,), violation=violation)


def test_fitness_with_a_violation_keeps_it_in_copies_and_loses_it_with_the_values():
    (point,) = points(1)
    point.fitness.values = Outcome((1.0,), behaviour=(0.0, 0.0), violation=2)
    clone = base.Toolbox().clone(point)
    assert (clone.fitness.violation, repr(Outcome((1.0,), violation=2))[-14:]) == (2.0, "violation=2.0)")
    del point.fitness.values
    assert point.fitness.violation == 0.0
    assert isinstance(Strategy(), Strategy)
