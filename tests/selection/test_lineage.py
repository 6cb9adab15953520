"""Lineage surprise: predictions from the behaviours of an individual's ancestors (k = P)."""

import itertools
import random

import numpy as np
import pytest
from deap import algorithms, base, creator, tools

import divergent
from divergent import Checkpoint, Outcome, neat
from divergent.individual import Outcomes, pack
from divergent.loops import evolve, steady_state
from divergent.runs import Settings
from divergent.selection import Blend, Novelty, Surprise, by_score

creator.create("LineageLeast", divergent.Fitness, weights=(-1.0,))
creator.create("LineagePoint", list, fitness=creator.LineageLeast)


def evaluate(point):
    return Outcome((abs(point[0]),), behaviour=tuple(point))


def points(count, seed=1):
    random.seed(seed)
    return [creator.LineagePoint([random.uniform(-5, 5), random.uniform(-5, 5)]) for _ in range(count)]


def make_toolbox(strategy=None):
    box = base.Toolbox()
    box.register("evaluate", evaluate)
    box.register("mate", tools.cxUniform, indpb=0.5)
    box.register("mutate", tools.mutGaussian, mu=0, sigma=0.3, indpb=1.0)
    if strategy is not None:
        box.register("select", by_score, strategy=strategy, select=tools.selTournament, tournsize=3)
    return box


def generation(behaviours, *ancestors):
    """Outcomes whose ancestors are given nearest first, nan if unknown."""
    return Outcomes(np.zeros(len(behaviours)), np.array(behaviours, float), np.array(ancestors, float).swapaxes(0, 1))


def test_surprise_by_lineage_predicts_the_child_of_ancestors_that_moved_in_a_line():
    surprise = Surprise(partition="lineage", neighbours=1)
    surprise.learn(generation([(1, 2), (5, 5)], [(0, 0), (5, 4)]))
    assert surprise.predictions.tolist() == [[2, 4], [5, 6]]
    children = Outcomes(np.zeros(3), np.array([(2.0, 4.0), (5.0, 8.0), (2.0, 7.0)]))
    assert surprise.score(children).tolist() == [0, 2, 3]


def test_surprise_by_lineage_uses_as_many_ancestors_as_are_known():
    nan = (np.nan, np.nan)
    surprise = Surprise(partition="lineage", neighbours=1, history=3, predictor="quadratic")
    surprise.learn(generation([(4, 0), (1, 1), (9, 9)], [(1, 0), (0, 0), nan], [(0, 0), nan, nan]))
    assert surprise.ancestors == 2
    assert np.allclose(sorted(surprise.predictions.tolist()), [[2, 2], [9, 0]])  # 0, 1, 4 continue with 9


def test_surprise_by_lineage_without_known_ancestors_scores_at_random_and_keeps_predictions():
    surprise = Surprise(partition="lineage", neighbours=1)
    unknown = generation([(1, 2)], [(np.nan, np.nan)])
    surprise.learn(unknown)
    assert surprise.predictions is None
    surprise.learn(generation([(1, 2)], [(0, 0)]))
    surprise.learn(unknown)
    assert surprise.predictions.tolist() == [[2, 4]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"clusters": 5}, "clusters must be None if partition is 'lineage', got 5"),
        ({"history": 6}, "history must not exceed the maximum, 5, if partition is 'lineage', got 6"),
        ({"archived": 2}, "archived must be 0 if there are no clusters, got 2"),
        ({"groups": len}, "partition must be None because groups or a heatmap define the partition, got 'lineage'"),
        (
            {"partition": "family"},
            "partition must be None or the name of a partition, one of clusters, lineage, got 'family'",
        ),
    ],
)
def test_surprise_by_lineage_with_options_that_do_not_fit_raises(options, message):
    with pytest.raises(ValueError, match=message):
        Surprise(**{"partition": "lineage", **options})


def test_surprise_by_lineage_with_outcomes_without_ancestors_raises():
    with pytest.raises(ValueError, match="outcomes must have ancestors if partition is 'lineage', got none"):
        Surprise(partition="lineage").learn(Outcomes(np.zeros(2), np.zeros((2, 2))))


class Recorder(Surprise):
    """Keeps what it learns from."""

    def __init__(self, **options):
        super().__init__(partition="lineage", **{"rng": np.random.default_rng(1), **options})
        self.lessons = []

    def learn(self, outcomes):
        self.lessons.append(outcomes)
        super().learn(outcomes)


def numbered(strategy=None):
    """A toolbox whose behaviours end with the number of the evaluation, so that no two are equal."""
    box, numbers = make_toolbox(strategy), itertools.count()
    box.register("evaluate", lambda point: Outcome((0.0,), behaviour=(*point, float(next(numbers)))))
    return box


def check_ancestors(steps, lessons, individuals):
    """Compare the ancestors in the last lesson with those that the steps report."""
    behaviours, parents = {}, {}
    for step in steps:
        first = step.evaluations - len(step.offspring)
        for number, (child, numbers) in enumerate(zip(step.offspring, step.parents, strict=True), first):
            behaviours[number], parents[number] = tuple(child.fitness.behaviour), numbers
    known = 0
    numbers_of = {behaviour: number for number, behaviour in behaviours.items()}
    for row, lines in zip(lessons[-1].behaviours.tolist(), lessons[-1].ancestors, strict=True):
        number = numbers_of[tuple(row)]
        for line in lines:
            if not parents[number]:
                assert np.isnan(line).all()
                break
            number = parents[number][0]
            assert line.tolist() == list(behaviours[number])
            known += 1
    assert known > individuals / 2


@pytest.mark.parametrize("learn_from", ["population", "offspring"])
def test_steady_state_passes_the_behaviours_of_first_parents(learn_from):
    recorder = Recorder(history=3)
    steps = list(steady_state(points(10), numbered(), recorder, generations=6, learn_from=learn_from))
    check_ancestors(steps, recorder.lessons, 10)


@pytest.mark.parametrize("survive", ["generational", "comma", "plus"])
def test_evolve_passes_the_behaviours_of_first_parents(survive):
    recorder = Recorder(history=3)
    steps = list(evolve(points(10), numbered(recorder), 6, survive=survive, cxpb=0.4, mutpb=0.6))
    check_ancestors(steps, recorder.lessons, 10)


def test_evolve_with_offspring_that_are_not_clones_passes_the_behaviours_of_first_parents():
    recorder = Recorder(history=3)
    box = numbered(recorder)
    box.register("mate", lambda first, second: (creator.LineagePoint([first[0] + 0.1, second[1] - 0.1]), second))
    steps = list(evolve(points(10), box, 5, survive="plus", cxpb=1.0, mutpb=0.0))
    check_ancestors(steps, recorder.lessons, 10)


def test_reproduction_passes_the_behaviours_of_first_parents():
    rng = np.random.default_rng(1)
    box = base.Toolbox()
    neat.register(box, 2, 1, rng=rng)
    box.register("evaluate", lambda genome: Outcome((0.0,), behaviour=genome.genes[:2, 3]))
    recorder = Recorder(rng=rng)
    for _ in evolve(box.population(n=20), box, 5, survive=neat.Reproduction(strategy=recorder, rng=rng)):
        pass
    assert np.isfinite(recorder.lessons[-1].ancestors).all()
    assert recorder.predictions.shape == (20, 2)


@pytest.mark.parametrize("loop", [algorithms.eaSimple, algorithms.eaMuPlusLambda])
def test_loops_of_deap_keep_the_behaviour_of_the_first_parent(loop):
    recorder = Recorder()
    sizes = {} if loop is algorithms.eaSimple else {"mu": 10, "lambda_": 10}
    loop(points(10), make_toolbox(recorder), cxpb=0.5, mutpb=0.5, ngen=4, verbose=False, **sizes)
    known = np.isfinite(recorder.lessons[-1].ancestors).all(axis=2)
    assert known.mean() > 0.5
    assert len(recorder.predictions) == known.sum()


def test_fitness_of_a_clone_keeps_the_behaviour_when_it_is_deleted_twice():
    (point,) = points(1)
    point.fitness.values = Outcome((1.0,), behaviour=(0.0, 0.0))
    for x in (1.0, 2.0):
        del point.fitness.values
        del point.fitness.values
        point.fitness.values = Outcome((1.0,), behaviour=(x, 0.0))
    assert pack([point], ancestors=3).ancestors[0, :2].tolist() == [[1.0, 0.0], [0.0, 0.0]]
    assert np.isnan(pack([point], ancestors=3).ancestors[0, 2]).all()


def test_composite_with_lineage_surprise_asks_for_ancestors():
    strategy = Blend({Novelty(): 1, Surprise(partition="lineage", history=3): 1})
    assert strategy.ancestors == 2
    *_, last = steady_state(points(10), make_toolbox(), strategy, generations=5)
    assert last.evaluations == 50


def test_surprise_by_lineage_resumes_from_a_checkpoint(tmp_path):
    def run(path, generations):
        strategy = Surprise(partition="lineage", history=3, rng=np.random.default_rng(1))
        checkpoint = Checkpoint(path, strategy=strategy)
        start = checkpoint.restore(points(10))
        for step in steady_state(start.population, make_toolbox(), strategy, generations=generations, done=start.done):
            if step.ends_generation and step.generation == 3:
                checkpoint.save(step)
        return step.population, strategy.predictions.tolist()

    whole = run(tmp_path / "whole.npz", 9)
    run(tmp_path / "run.npz", 4)
    assert run(tmp_path / "run.npz", 9) == whole


def test_settings_with_lineages_have_no_clusters():
    plan = Settings(maze="hard", search="surprise", partition="lineage").resolve()
    assert "clusters" not in plan.options
    assert "partition" not in Settings(maze="hard", search="surprise").resolve().options
