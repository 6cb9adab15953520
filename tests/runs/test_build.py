import random

import numpy as np
import pytest

from divergent.maze import read_maze
from divergent.problem import LOOPS
from divergent.runs import assemble, run
from divergent.runs.settings import Settings
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
def test_assemble_passes_options_to_the_strategy(search, options):
    strategy = parts_of(search=search, options=options).strategy
    assert {name: getattr(strategy, name) for name in options} == options


def test_assemble_with_the_name_of_a_predictor_uses_it():
    assert parts_of(predictor="cubic").strategy.predictor is PREDICTORS["cubic"]


def test_assemble_of_ssr_draws_points_in_the_maze_for_every_trail_position():
    points = parts_of(search="ssr", behaviour="trail:3").strategy.predictions
    left, top, right, bottom = read_maze("hard").bounds
    assert points.shape[1] == 6
    assert (points >= (left, top) * 3).all()
    assert (points <= (right, bottom) * 3).all()


def test_assemble_uses_population_species_and_refresh_of_the_plan():
    parts = parts_of(population=45, species=4, refresh=5)
    assert (parts.species.target, parts.plan.refresh, len(parts.population)) == (4, 5, 45)
    scored = []
    parts.strategy.score = lambda outcomes, among=None: scored.append(among is None) or np.zeros(len(outcomes.fitness))
    for step in parts.steps():
        if step.generation == 2:
            break
    population_scorings, child_scorings = 45 // 5, 45
    assert scored[: population_scorings + child_scorings].count(True) == population_scorings


def test_steps_of_the_generational_loop_use_the_rates_of_the_plan():
    none = parts_of(search="objective", loop="generational", cxpb=0.0, mutpb=0.0)
    offspring = [len(step.offspring) for step in none.steps()]
    assert offspring == [20, 0, 0]


def test_steps_of_the_plus_loop_keep_the_best_of_parents_and_offspring():
    parts = parts_of(search="objective", loop="plus", generations=6)
    assert parts.species is None
    steps = parts.steps()
    parents = next(steps).population
    for step in steps:
        assert len(step.offspring) == 20
        best = sorted((genome.fitness.values[0] for genome in [*parents, *step.offspring]), reverse=True)[:20]
        assert [genome.fitness.values[0] for genome in step.population] == best
        parents = step.population


def test_steps_of_the_plus_loop_breed_with_the_toolbox():
    parts = parts_of(search="objective", loop="plus")
    bred = []
    breed = parts.toolbox.breed

    def logged_breed(first, second):
        bred.append(breed(first, second))
        return bred[-1]

    parts.toolbox.register("breed", logged_breed)
    offspring = [child for step in parts.steps() for child in step.offspring]
    assert len(offspring) == 60
    assert all(child is expected for child, expected in zip(offspring[20:], bred, strict=True))


def test_steps_of_the_plus_loop_do_not_grow_genomes_by_crossover():
    parts = parts_of(search="random", loop="plus", generations=30)
    parts.toolbox.mutate.keywords.update(node_rate=0.0, connection_rate=0.3)
    *_, step = parts.steps()
    assert max(map(len, step.population)) < len(parts.population[0]) + 30


def test_steps_of_the_plus_loop_use_custom_operators():
    parts = parts_of(search="objective", loop="plus")
    mutated = []
    parts.toolbox.register("mutate", lambda genome: mutated.append(genome) or (genome,))
    for step in parts.steps():
        assert len(step.population) == 20
    assert 20 < len(mutated) <= 40


def test_steps_of_the_plus_loop_score_parents_and_offspring_at_each_selection():
    parts = parts_of(search="novelty", loop="plus", generations=5)
    score_generation, calls = parts.strategy.score_generation, []

    def logged_scores(outcomes):
        calls.append((outcomes, score_generation(outcomes)))
        return calls[-1][1]

    parts.strategy.score_generation = logged_scores
    *_, step = parts.steps()
    _, scores = calls[-1]
    assert [genome.fitness.score for genome in step.population] == sorted(scores.tolist(), reverse=True)[:20]
    assert [len(outcomes.fitness) for outcomes, _ in calls] == [40] * 4


def test_run_with_a_custom_search_needs_one_entry(monkeypatch):
    class Leftmost(Strategy):
        def score(self, outcomes, among=None):
            return -outcomes.behaviours[:, 0]

    monkeypatch.setitem(SEARCHES, "leftmost", Leftmost)
    record = run(Settings(maze="hard", search="leftmost", population=20, generations=10, steps=50))
    assert record.positions[-100:, 0].mean() < record.positions[:20, 0].mean()


def test_assemble_with_a_heatmap_covers_the_maze():
    strategy = parts_of(deviation="heatmap").strategy
    assert isinstance(strategy.deviation, Heatmap)
    assert (*strategy.partition.low, *strategy.partition.high) == read_maze("hard").bounds


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("search", SEARCHES)
def test_run_of_every_search_in_every_loop_succeeds(search, loop):
    settings = Settings(maze="hard", search=search, loop=loop, population=20, generations=5, steps=30)
    record = run(settings)
    assert 20 < record.evaluations <= 100
    assert len(record.positions) == record.evaluations
    assert len(record.rows) == 5


def test_steps_that_fail_restore_the_callers_random_state():
    parts = parts_of(search="objective", loop="generational")
    steps = parts.steps()
    next(steps)
    parts.toolbox.register("select", lambda individuals, k: random.random() / 0)
    before = random.getstate()
    with pytest.raises(ZeroDivisionError):
        next(steps)
    assert random.getstate() == before
