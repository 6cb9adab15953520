import random

import numpy as np
import pytest

from divergent.maze import read_maze
from divergent.runs import assemble, run
from divergent.runs.settings import LOOPS, Settings
from divergent.selection import PREDICTORS, SEARCHES, Heatmap, Strategy


def parts_of(**settings):
    return assemble(
        Settings(**{"population": 20, "generations": 3, "steps": 30} | settings).resolve(), read_maze("hard")
    )


@pytest.mark.parametrize(
    ("search", "options"),
    [
        ("surprise", {"clusters": 9, "neighbours": 3, "history": 4, "archived": 2, "keep_empty_clusters": False}),
        ("novelty", {"clusters": 8, "neighbours": 3, "archiving": "fixed", "archive_size": 7}),
        ("ssnp", {"clusters": 7, "neighbours": 2}),
        ("ssr", {"clusters": 6, "neighbours": 2}),
    ],
)
def test_options_reach_the_search(search, options):
    strategy = parts_of(search=search, options=options).strategy
    assert {name: getattr(strategy, name) for name in options} == options


def test_a_predictor_is_named():
    assert parts_of(predictor="cubic").strategy.predictor is PREDICTORS["cubic"]


def test_the_random_points_lie_in_the_maze_for_every_position_of_a_trail():
    points = parts_of(search="ssr", behaviour="trail:3").strategy.predictions
    left, top, right, bottom = read_maze("hard").bounds
    assert points.shape[1] == 6
    assert (points >= (left, top) * 3).all()
    assert (points <= (right, bottom) * 3).all()


def test_what_decides_the_breeding_is_in_the_plan():
    parts = parts_of(population=45, species=4, refresh=5)
    assert (parts.species.target, parts.plan.refresh, len(parts.population)) == (4, 5, 45)
    scored = []
    parts.strategy.score = lambda outcomes, among=None: scored.append(among is None) or np.zeros(len(outcomes.fitness))
    for step in parts.steps():
        if step.generation == 2:
            break
    everybody, newborns = 45 / 5, 45
    assert scored[: int(everybody + newborns)].count(True) == everybody


def test_the_rates_of_the_generational_loop_are_in_the_plan():
    none = parts_of(search="objective", loop="generational", cxpb=0.0, mutpb=0.0)
    born = [len(step.offspring) for step in none.steps()]
    assert born == [20, 0, 0]


def test_in_the_plus_loop_the_best_of_parents_and_children_survive():
    parts = parts_of(search="objective", loop="plus", generations=6)
    assert parts.species is None
    steps = parts.steps()
    parents = next(steps).population
    for step in steps:
        assert len(step.offspring) == 20
        best = sorted((one.fitness.values[0] for one in [*parents, *step.offspring]), reverse=True)[:20]
        assert [one.fitness.values[0] for one in step.population] == best
        parents = step.population


def test_children_of_the_plus_loop_are_bred_as_those_of_the_steady_one():
    parts = parts_of(search="objective", loop="plus")
    bred = []
    breed = parts.toolbox.breed

    def noting(mother, father):
        bred.append(breed(mother, father))
        return bred[-1]

    parts.toolbox.register("breed", noting)
    born = [child for step in parts.steps() for child in step.offspring]
    assert len(born) == 60
    assert all(child is one for child, one in zip(born[20:], bred, strict=True))


def test_genomes_of_the_plus_loop_do_not_grow_by_mating():
    parts = parts_of(search="random", loop="plus", generations=30)
    parts.toolbox.mutate.keywords.update(node_rate=0.0, connection_rate=0.3)
    *_, step = parts.steps()
    assert max(map(len, step.population)) < len(parts.population[0]) + 30


def test_operators_of_ones_own_take_part_in_the_plus_loop():
    parts = parts_of(search="objective", loop="plus")
    mutated = []
    parts.toolbox.register("mutate", lambda genome: mutated.append(genome) or (genome,))
    for step in parts.steps():
        assert len(step.population) == 20
    assert 20 < len(mutated) <= 40


def test_who_survives_is_scored_anew_at_each_selection():
    parts = parts_of(search="novelty", loop="plus", generations=5)
    follow, given = parts.strategy.follow, []

    def noting(outcomes):
        given.append((outcomes, follow(outcomes)))
        return given[-1][1]

    parts.strategy.follow = noting
    *_, step = parts.steps()
    _, scores = given[-1]
    assert [one.fitness.score for one in step.population] == sorted(scores.tolist(), reverse=True)[:20]
    assert [len(outcomes.fitness) for outcomes, _ in given] == [40] * 4


def test_a_search_of_ones_own_needs_one_entry_only(monkeypatch):
    class Leftmost(Strategy):
        def score(self, outcomes, among=None):
            return -outcomes.behaviours[:, 0]

    monkeypatch.setitem(SEARCHES, "leftmost", Leftmost)
    record = run(Settings(maze="hard", search="leftmost", population=20, generations=10, steps=50))
    assert record.positions[-100:, 0].mean() < record.positions[:20, 0].mean()


def test_the_heatmap_lies_over_the_maze():
    strategy = parts_of(deviation="heatmap").strategy
    assert isinstance(strategy.deviation, Heatmap)
    assert (*strategy.partition.low, *strategy.partition.high) == read_maze("hard").bounds


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("search", SEARCHES)
def test_every_search_runs_in_every_loop(search, loop):
    settings = Settings(maze="hard", search=search, loop=loop, population=20, generations=5, steps=30)
    record = run(settings)
    assert 20 < record.evaluations <= 100
    assert len(record.positions) == record.evaluations
    assert len(record.rows) == 5


def test_the_callers_random_numbers_come_back_after_a_step_that_fails():
    parts = parts_of(search="objective", loop="generational")
    steps = parts.steps()
    next(steps)
    parts.toolbox.register("select", lambda individuals, k: random.random() / 0)
    before = random.getstate()
    with pytest.raises(ZeroDivisionError):
        next(steps)
    assert random.getstate() == before
