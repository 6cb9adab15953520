import copy
import math
import random
from contextlib import nullcontext

import numpy as np
import pytest
from deap import algorithms, base, creator, tools

import divergent
from divergent import Outcome, neat
from divergent.loops import NextGeneration, OneSpecies, Step, batch_map, evolve, steady_state
from divergent.selection import SEARCHES, Novelty, Objective, Strategy, by_score

creator.create("EvolveLeast", divergent.Fitness, weights=(-1.0,))
creator.create("EvolvePoint", list, fitness=creator.EvolveLeast)
creator.create("EvolveArray", np.ndarray, fitness=creator.EvolveLeast)
creator.create("EvolveBoth", divergent.Fitness, weights=(1.0, -1.0))
creator.create("EvolveTwice", list, fitness=creator.EvolveBoth)


def distance_from_origin(point):
    return Outcome((sum(x * x for x in point) ** 0.5,), behaviour=tuple(point))


def points(count, seed=1):
    random.seed(seed)
    return [creator.EvolvePoint([random.uniform(-5, 5), random.uniform(-5, 5)]) for _ in range(count)]


@pytest.fixture
def toolbox():
    box = base.Toolbox()
    box.register("evaluate", distance_from_origin)
    box.register("mate", tools.cxBlend, alpha=0.2)
    box.register("mutate", tools.mutGaussian, mu=0, sigma=0.3, indpb=1.0)
    box.register("select", by_score, strategy=Objective(), select=tools.selTournament, tournsize=3)
    return box


class Watcher(Objective):
    """Follows the objective and notes what the loop asks of it."""

    def __init__(self):
        super().__init__()
        self.asked = []

    def score(self, outcomes, among=None):
        self.asked.append(("score", len(outcomes.fitness), 0 if among is None else len(among.fitness)))
        return super().score(outcomes, among)

    def learn(self, outcomes):
        self.asked.append(("learn", len(outcomes.fitness), 0))


@pytest.mark.parametrize("survive", ["generational", "comma", "plus"])
def test_evolve_yields_evaluated_generations(toolbox, survive):
    steps = list(evolve(points(20), toolbox, 5, survive=survive, cxpb=0.6, mutpb=0.4))
    assert [step.generation for step in steps] == [0, 1, 2, 3, 4]
    assert all(point.fitness.valid for step in steps for point in step.population)
    assert all(len(step.population) == 20 for step in steps)
    assert [step.evaluations for step in steps] == list(np.cumsum([len(step.offspring) for step in steps]))


def test_evolve_with_plus_keeps_the_best(toolbox):
    toolbox.register("select", by_score, strategy=Objective(), select=tools.selBest)
    best = [
        min(point.fitness.values[0] for point in step.population)
        for step in evolve(points(20), toolbox, 10, survive="plus", cxpb=0.6, mutpb=0.4)
    ]
    assert best == sorted(best, reverse=True)


def test_evolve_with_comma_keeps_only_offspring(toolbox):
    before = points(10)
    *_, last = evolve(before, toolbox, 2, survive="comma", offspring=30, cxpb=0.5, mutpb=0.5)
    assert len(last.offspring) == 30
    assert all(any(point is child for child in last.offspring) for point in last.population)


def test_evolve_with_a_callable_uses_it_as_survivor_selection(toolbox):
    given = []

    def keep_half(population, tools):
        given.append((population, tools))
        kept = sorted(population, key=lambda point: point.fitness, reverse=True)[:5]
        children = [tools.clone(point) for point in kept]
        for child in children:
            del child.fitness.values
        return kept + children

    bare = base.Toolbox()
    bare.register("evaluate", distance_from_origin)
    steps = list(evolve(points(10), bare, 3, survive=keep_half))
    assert [population for population, _ in given] == [steps[0].population, steps[1].population]
    assert all(tools is bare for _, tools in given)
    assert [step.evaluations for step in steps] == [10, 15, 20]
    assert steps[2].offspring == steps[2].population[5:]


def test_evolve_with_a_callable_that_returns_no_population_raises(toolbox):
    with pytest.raises(ValueError, match="population must be a list of at least one individual"):
        list(evolve(points(4), toolbox, 2, survive=lambda population, tools: []))
    with pytest.raises(TypeError, match=r"survive must be an instance, such as Watcher\(...\), got the class Watcher"):
        next(evolve(points(4), toolbox, 2, survive=Watcher))


def test_evolve_with_unknown_survivor_selection_raises(toolbox):
    with pytest.raises(ValueError, match="name of a survivor selection, one of generational, comma, plus, got 'elite'"):
        next(evolve(points(4), toolbox, 2, survive="elite"))


def test_loops_work_with_statistics_logbook_and_hall_of_fame(toolbox):
    for loop in (
        evolve(points(20), toolbox, 8),
        steady_state(points(20), toolbox, Objective(), generations=8),
    ):
        statistics = tools.Statistics(lambda point: point.fitness.values[0])
        statistics.register("best", min)
        logbook, famous = tools.Logbook(), tools.HallOfFame(3)
        for step in loop:
            famous.update(step.offspring)
            logbook.record(evaluations=step.evaluations, **statistics.compile(step.population))
        assert famous[0].fitness.values[0] <= min(logbook.select("best"))


def test_evolve_resumed_equals_an_uninterrupted_run(toolbox):
    random.seed(7)
    whole = [list(step.population) for step in evolve(points(12), toolbox, 9)][-1]
    *_, half = evolve(points(12), toolbox, 4)
    *_, end = evolve(half.population, toolbox, 9, done=4, evaluations=half.evaluations)
    assert end.population == whole


def test_steady_state_child_replaces_one_individual(toolbox):
    population = points(20)
    for step in steady_state(population, toolbox, Objective(), generations=3):
        assert len(population) == 20
        assert step.population is population
    assert (step.generation, step.evaluations) == (2, 60)


def test_steady_state_child_with_the_lowest_score_is_replaced_at_once(toolbox):
    def worst(first, second):
        return creator.EvolvePoint([100.0, 100.0])

    toolbox.register("breed", worst)
    population = points(10)
    before = list(population)
    for _ in steady_state(population, toolbox, Objective(), generations=2):
        pass
    assert population == before


def test_steady_state_with_breed_that_returns_no_individual_raises(toolbox):
    toolbox.register("breed", lambda first, second: None)
    with pytest.raises(TypeError, match=r"toolbox\.breed must return one individual with a fitness, got None"):
        list(steady_state(points(4), toolbox, Objective(), generations=2))


def test_steady_state_copy_with_the_fitness_of_its_first_parent_is_not_evaluated(toolbox):
    evaluated = []
    toolbox.register("evaluate", lambda point: evaluated.append(point) or distance_from_origin(point))
    toolbox.register("breed", lambda first, second: toolbox.clone(first))
    for step in steady_state(points(10), toolbox, Objective(), generations=3):
        assert all(not math.isnan(child.fitness.score) for child in step.offspring if step.generation)
    assert len(evaluated) == 10
    assert step.evaluations == 30


def test_steady_state_child_unlike_its_first_parent_is_evaluated_whatever_its_fitness(toolbox):
    def moved(first, second):
        child = toolbox.clone(first)
        child[0] += 1.0
        return child

    toolbox.register("breed", moved)
    for step in steady_state(points(10), toolbox, Objective(), generations=3):
        for child in step.offspring:
            assert child.fitness.values == distance_from_origin(child)


def test_steady_state_copy_of_an_array_individual_is_not_evaluated(toolbox):
    population = [np.array(point).view(creator.EvolveArray) for point in points(6)]
    for individual in population:
        individual.fitness = creator.EvolveLeast()
    evaluated = []
    toolbox.register("evaluate", lambda individual: evaluated.append(individual) or distance_from_origin(individual))
    toolbox.register("breed", lambda first, second: copy_with_fitness(first))
    for _ in steady_state(population, toolbox, Objective(), generations=2):
        pass
    assert len(evaluated) == 6


def test_steady_state_array_of_another_length_is_evaluated(toolbox):
    population = [np.array(point).view(creator.EvolveArray) for point in points(6)]
    for individual in population:
        individual.fitness = creator.EvolveLeast()

    def longer(first, second):
        child = np.append(first, 0.0).view(creator.EvolveArray)
        child.fitness = copy.deepcopy(first.fitness)
        return child

    toolbox.register(
        "evaluate", lambda individual: Outcome(distance_from_origin(individual), behaviour=(len(individual),))
    )
    toolbox.register("breed", longer)
    for step in steady_state(population, toolbox, Objective(), generations=2):
        assert all(individual.fitness.behaviour == (len(individual),) for individual in step.offspring)


def copy_with_fitness(array):
    duplicate = array.copy()
    duplicate.fitness = copy.deepcopy(array.fitness)
    return duplicate


def test_steady_state_learns_once_and_scores_the_population_twenty_times_a_generation(toolbox):
    watcher = Watcher()
    for _ in steady_state(points(40), toolbox, watcher, generations=3):
        pass
    learnt = [asked for asked in watcher.asked if asked[0] == "learn"]
    populations = [asked for asked in watcher.asked if asked == ("score", 40, 0)]
    children = [asked for asked in watcher.asked if asked == ("score", 1, 40)]
    assert (len(learnt), len(populations), len(children)) == (3, 40, 80)
    assert watcher.asked[0] == ("learn", 40, 0)


@pytest.mark.parametrize("asked", [True, False])
@pytest.mark.parametrize("learn_from", ["population", "offspring"])
def test_steady_state_learns_from_population_or_offspring(toolbox, learn_from, asked):
    class Pupil(Objective):
        lessons = ()
        learns_from = "population" if asked else learn_from

        def learn(self, outcomes):
            self.lessons = (*self.lessons, outcomes.behaviours.tolist())

    pupil, population, behaviours = Pupil(), points(10), []
    for step in steady_state(population, toolbox, pupil, generations=4, learn_from=learn_from if asked else None):
        behaviours += [list(point.fitness.behaviour) for point in step.offspring]
        if step.evaluations % 10 == 0:
            expected = behaviours[-10:] if learn_from == "offspring" else divergent.pack(population).behaviours.tolist()
            assert pupil.lessons[-1] == expected
    assert len(pupil.lessons) == 4


def test_steady_state_with_unknown_learn_from_raises(toolbox):
    with pytest.raises(ValueError, match=r"learn_from must name .*, one of population, offspring, got 'books'"):
        next(steady_state(points(4), toolbox, Objective(), generations=2, learn_from="books"))


def test_steady_state_packed_rows_equal_the_population(toolbox):
    class Checker(Objective):
        def score(self, outcomes, among=None):
            if among is None:
                packed = divergent.pack(population)
                assert np.array_equal(outcomes.fitness, packed.fitness)
                assert np.array_equal(outcomes.behaviours, packed.behaviours)
            return super().score(outcomes, among)

    population = points(25)
    for _ in steady_state(population, toolbox, Checker(), generations=6, refresh=1):
        pass


def test_steady_state_of_a_minimised_problem_with_negative_scores_solves_it(toolbox):
    *_, step = steady_state(points(40), toolbox, Objective(), generations=20)
    assert all(point.fitness.score <= 0 for point in step.population)
    assert min(point.fitness.values[0] for point in step.population) < 0.05


@pytest.mark.parametrize("name", SEARCHES)
def test_steady_state_runs_with_every_search(toolbox, name):
    options = {
        "novelty": {"neighbours": 5, "threshold": 0.1},
        "surprise": {"clusters": 10},
        "ssnp": {"clusters": 10},
        "nss": {"neighbours": 5, "threshold": 0.1, "clusters": 10},
        "ssr": {"clusters": 10, "bounds": ((-5, -5), (5, 5))},
    }.get(name, {})
    strategy: Strategy = SEARCHES[name](**options, rng=np.random.default_rng(1))
    *_, step = steady_state(points(20), toolbox, strategy, generations=5)
    assert step.evaluations == 100


@pytest.mark.parametrize("learn_from", ["population", "offspring"])
def test_steady_state_resumed_equals_an_uninterrupted_run(toolbox, learn_from):
    def strategy():
        return Novelty(neighbours=3, threshold=0.5)

    whole = points(12)
    for _ in steady_state(whole, toolbox, strategy(), generations=9, learn_from=learn_from):
        pass
    population, going_on = points(12), strategy()
    for _ in steady_state(population, toolbox, going_on, generations=4, learn_from=learn_from):
        pass
    for _ in steady_state(population, toolbox, going_on, generations=9, learn_from=learn_from, done=4):
        pass
    assert population == whole


def test_steady_state_without_behaviours_runs_objective_search(toolbox):
    toolbox.register("evaluate", lambda point: (abs(point[0]),))
    *_, step = steady_state(points(10), toolbox, Objective(), generations=3)
    assert step.evaluations == 30


@pytest.mark.parametrize(
    ("behaviour", "sentence"),
    [
        ((1.0, 2.0, 3.0), "behaviours must have one length, since .* got 3 numbers unlike others; use novelty"),
        ((1.0, float("nan")), r"behaviours must be finite, the child has \[1.0, nan\]"),
    ],
)
def test_steady_state_child_with_a_behaviour_of_another_length_raises(toolbox, behaviour, sentence):
    loop = steady_state(points(10), toolbox, Novelty(neighbours=3), generations=3)
    next(loop)
    toolbox.register("evaluate", lambda point: Outcome((1.0,), behaviour=behaviour))
    with pytest.raises(ValueError, match=sentence):
        next(loop)


@pytest.mark.parametrize("learn_from", ["population", "offspring"])
@pytest.mark.parametrize("behaviour", ["north", {1, 2}, (1.0, 2.0, 3.0)], ids=["string", "set", "length"])
def test_steady_state_child_that_fits_into_no_matrix_turns_behaviours_into_objects(toolbox, behaviour, learn_from):
    class Recorder(Objective):
        lessons = ()

        def learn(self, outcomes):
            self.lessons = (*self.lessons, outcomes.behaviours)

    strategy = Recorder()
    population = points(10)
    loop = steady_state(population, toolbox, strategy, generations=2, learn_from=learn_from)
    next(loop)
    for _ in range(9):
        last = next(loop)
    vectors = [np.array(individual.fitness.behaviour) for individual in population]
    toolbox.register("evaluate", lambda point: Outcome((0.0,), behaviour=behaviour))
    last = next(loop)
    assert last.ends_generation
    assert strategy.lessons[0].shape == (10, 2)
    assert strategy.lessons[1].shape == (10,)
    assert sum(np.array_equal(row, behaviour) for row in strategy.lessons[1]) == 1
    if learn_from == "population":
        kept = [row for row in strategy.lessons[1] if not np.array_equal(row, behaviour)]
        assert all(any(np.array_equal(row, vector) for vector in vectors) for row in kept)


@pytest.mark.parametrize(
    ("behaviour", "numbers"),
    [(3.0, 1), ([1, 2, 3], 3), ([[1, 2], [3, 4]], 4), (np.arange(6.0).reshape(2, 3), 6), (np.float32(2), 1)],
    ids=["scalar", "list", "table", "matrix", "numpy scalar"],
)
def test_loops_with_behaviours_of_any_shape_flatten_them_equally(toolbox, behaviour, numbers):
    class Pupil(Objective):
        lessons = ()

        def learn(self, outcomes):
            self.lessons = (*self.lessons, outcomes.behaviours)

    pupil = Pupil()
    toolbox.register("evaluate", lambda point: Outcome((1.0,), behaviour=behaviour))
    for _ in steady_state(points(10), toolbox, pupil, generations=3):
        pass
    expected = np.tile(np.ravel(behaviour).astype(float), (10, 1))
    assert expected.shape == (10, numbers)
    assert all(np.array_equal(lesson, expected) for lesson in pupil.lessons)


@pytest.mark.parametrize("learn_from", ["population", "offspring"])
def test_steady_state_passes_copies_to_learn(toolbox, learn_from):
    class Keeper(Objective):
        def __init__(self):
            super().__init__()
            self.kept, self.copies = [], []

        def learn(self, outcomes):
            self.kept.append(outcomes)
            self.copies.append(outcomes.copy())

    keeper = Keeper()
    for _ in steady_state(points(10), toolbox, keeper, generations=5, learn_from=learn_from):
        pass
    assert len(keeper.kept) == 5
    for outcomes, copies in zip(keeper.kept, keeper.copies, strict=True):
        assert np.array_equal(outcomes.fitness, copies[0])
        assert np.array_equal(outcomes.behaviours, copies[1])


@pytest.mark.parametrize("loop", ["plus", "generational", "steady"])
def test_loops_set_scores_and_children_have_none_of_their_parents(toolbox, loop):
    strategy, seen = Novelty(neighbours=3), []

    def noting(point):
        seen.append(point.fitness.score)
        return distance_from_origin(point)

    toolbox.register("evaluate", noting)
    toolbox.register("select", by_score, strategy=strategy, select=tools.selTournament, tournsize=3)
    if loop == "steady":
        steps = steady_state(points(20), toolbox, strategy, generations=4)
    else:
        steps = evolve(points(20), toolbox, 4, survive=loop, cxpb=0.6, mutpb=0.4)
    means = [np.mean([point.fitness.score for point in step.population]) for step in steps]
    assert np.isnan(means[0])
    assert np.isnan(seen).all()
    if loop != "generational":  # there no individual has been scored yet when a generation is yielded
        assert np.isfinite(means[1:]).all()


@pytest.mark.parametrize("loop", ["plus", "steady"])
def test_loops_with_a_fitness_that_is_nan_raise(toolbox, loop):
    toolbox.register("evaluate", lambda point: Outcome((float("nan"),), behaviour=(0.0, 0.0)))
    if loop == "steady":
        steps = steady_state(points(5), toolbox, Objective(), generations=3)
    else:
        steps = evolve(points(5), toolbox, 3, survive="plus", cxpb=0.5, mutpb=0.5)
    with pytest.raises(ValueError, match="fitness must be a number, got nan for individual 0"):
        list(steps)


def test_steady_state_child_with_a_fitness_that_is_nan_raises(toolbox):
    loop = steady_state(points(10), toolbox, Objective(), generations=3)
    next(loop)
    toolbox.register("evaluate", lambda point: Outcome((float("nan"),), behaviour=(0.0, 0.0)))
    with pytest.raises(ValueError, match="fitness must be a number, got nan for the child"):
        next(loop)


class Undefined(Strategy):
    """Scores of a whole population, and of one child, that a test chooses."""

    def __init__(self, whole, child):
        super().__init__()
        self.whole, self.child = whole, child

    def score(self, outcomes, among=None):
        return np.array(self.whole if among is None else self.child)


@pytest.mark.parametrize(
    ("whole", "child", "message"),
    [
        ([1.0, math.nan, 2.0], [0.0], "scores must be numbers, got nan from Undefined"),
        ([1.0, 3.0, 2.0], [math.nan], "scores must be numbers, got nan from Undefined"),
        ([1.0], [0.0], "scores must contain one number for each of the 3 individuals, got 1 from Undefined"),
    ],
)
def test_steady_state_without_species_rejects_scores_that_are_not_one_number_each(toolbox, whole, child, message):
    loop = steady_state(points(3), toolbox, Undefined(whole, child), generations=2)
    next(loop)
    with pytest.raises(ValueError, match=message):
        next(loop)


def test_loops_with_a_class_as_strategy_raise(toolbox):
    with pytest.raises(TypeError, match=r"strategy must be an instance, such as Novelty\(...\), got the class Novelty"):
        next(steady_state(points(4), toolbox, Novelty, generations=2))


def test_one_species_selects_the_best_fraction_and_replaces_the_lowest():
    scores = np.array([3.0, 1.0, 5.0, 4.0, 2.0])
    species = OneSpecies(fraction=0.4)
    assert {species.select_parents(scores)[0] for _ in range(100)} == {2, 3}
    assert species.replace(None, scores) == 1


def test_one_species_with_a_fraction_out_of_range_raises():
    with pytest.raises(ValueError, match=r"fraction must be above 0 and at most 1, got 1\.5"):
        OneSpecies(fraction=1.5)


def test_batch_map_uses_many_of_the_evaluator():
    class Evaluator:
        def __call__(self, individual):
            return (individual,)

        def many(self, individuals):
            return [("many", individual) for individual in individuals]

    box = base.Toolbox()
    box.register("evaluate", Evaluator())
    assert batch_map(box.evaluate, [1, 2]) == [("many", 1), ("many", 2)]
    assert batch_map(Evaluator(), [1]) == [("many", 1)]
    assert batch_map(lambda individual: (individual,), [1, 2]) == [(1,), (2,)]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"population": []}, "population must be a list of at least one individual"),
        ({"population": [1.0]}, "individual 0 of the population must have a DEAP fitness"),
        ({"generations": -1}, "generations must be an integer, at least 0, got -1"),
        ({"generations": math.inf}, "generations must be an integer, at least 0, got inf"),
        ({"done": -1}, "done must be an integer, at least 0, got -1"),
        ({"toolbox": base.Toolbox()}, "got a toolbox without 'evaluate'; register these operators"),
    ],
)
def test_loops_with_invalid_arguments_raise(changes, message):
    good = {"population": [creator.EvolvePoint([0.0])], "toolbox": toolbox_of_points(), "generations": 2}
    for loop, more in ((evolve, {}), (steady_state, {"strategy": Objective()})):
        with pytest.raises((TypeError, ValueError), match=message):
            next(loop(**(good | more | changes)))


def test_steady_state_scores_the_population_every_refresh_children():
    with pytest.raises(ValueError, match="refresh must be an integer, at least 1, got 0"):
        next(steady_state([creator.EvolvePoint([0.0])], toolbox_of_points(), Objective(), generations=2, refresh=0))


def test_evolve_with_rates_above_one_raises():
    with pytest.raises(ValueError, match="must be at most 1 if survive is 'comma' or 'plus', got survive='plus'"):
        next(evolve([creator.EvolvePoint([0.0])], toolbox_of_points(), 2, survive="plus", cxpb=0.7, mutpb=0.7))


def toolbox_of_points():
    toolbox = base.Toolbox()
    toolbox.register("evaluate", lambda point: Outcome((point[0],), behaviour=point))
    toolbox.register("mate", lambda first, second: (first, second))
    toolbox.register("mutate", lambda point: (point,))
    toolbox.register("select", lambda points, k: points[:k])
    return toolbox


@pytest.mark.parametrize("loop", ["steady", "plus"])
def test_loop_with_two_fitness_values_follows_the_chosen_one(toolbox, loop):
    toolbox.register("evaluate", lambda point: Outcome((sum(point), abs(point[0])), behaviour=point))
    last = {}
    for index in (0, 1):
        start = [creator.EvolveTwice(point) for point in points(20)]
        random.seed(2)
        strategy = Objective(index=index)
        toolbox.register("select", by_score, strategy=strategy, select=tools.selBest)
        steps = (
            steady_state(start, toolbox, strategy, generations=15)
            if loop == "steady"
            else evolve(start, toolbox, 15, survive="plus")
        )
        *_, last[index] = (np.mean([point.fitness.values for point in step.population], axis=0) for step in steps)
    assert last[0][0] > last[1][0]
    assert last[1][1] < last[0][1]


REUSED = r"Novelty\(\) starts this run with the state of an earlier run; call its reset\(\) first"


def looped(toolbox, strategy, loop, done=0):
    toolbox.register("select", by_score, strategy=strategy, select=tools.selBest)
    start = points(6)
    for point in start:
        point.fitness.values = toolbox.evaluate(point)
    if loop == "steady":
        return list(steady_state(start, toolbox, strategy, generations=done + 2, done=done))
    return list(evolve(start, toolbox, done + 2, survive="plus", done=done))


@pytest.mark.parametrize("first", ["steady", "plus"])
@pytest.mark.parametrize("second", ["steady", "plus"])
def test_loop_with_the_strategy_of_another_run_warns(toolbox, first, second):
    novelty = Novelty()
    looped(toolbox, novelty, first)
    with pytest.warns(UserWarning, match=REUSED) as caught:
        looped(toolbox, novelty, second)
    assert len(caught) == 1
    novelty.reset()
    looped(toolbox, novelty, second)  # a warning would be an error


@pytest.mark.parametrize("loop", ["steady", "plus"])
def test_loop_that_resumes_or_has_a_strategy_without_memory_does_not_warn(toolbox, loop):
    novelty, objective = Novelty(), Objective()
    for done in (0, 2):
        looped(toolbox, novelty, loop, done)  # a warning would be an error
    for _ in range(2):
        looped(toolbox, objective, loop)


def test_loop_with_the_strategy_of_a_reproduction_of_another_run_warns():
    strategy = Novelty()
    for expected in (nullcontext(), pytest.warns(UserWarning, match=REUSED)):
        toolbox = base.Toolbox()
        neat.register(toolbox, inputs=2, outputs=1, rng=np.random.default_rng(1))
        toolbox.register("evaluate", lambda genome: Outcome((0.0,), behaviour=genome.genes[0, 3:4]))
        reproduction = neat.Reproduction(strategy=strategy, rng=np.random.default_rng(1))
        with expected:
            list(evolve(toolbox.population(n=4), toolbox, 2, survive=reproduction))


def test_loop_with_one_of_several_strategies_of_another_run_warns(toolbox):
    novelty = Novelty()
    by_score(looped(toolbox, Objective(), "plus")[-1].population, 1, strategy=novelty, select=tools.selBest)
    toolbox.register("select", by_score, strategy=[Objective(), novelty], select=tools.selNSGA2)
    with pytest.warns(UserWarning, match=REUSED):
        next(evolve(points(6), toolbox, 2, survive="plus"))


def test_step_without_parents_and_species_unpacks_as_before():
    generation, evaluations, population, offspring, ends, *further = Step(0, 1, ["a"], ["a"])
    assert (generation, evaluations, population, offspring, ends) == (0, 1, ["a"], ["a"], True)
    assert further == [(), ()]


def numbered(steps):
    """All individuals by evaluation number, and the parents of each."""
    individuals, parents = {}, {}
    for step in steps:
        first = step.evaluations - len(step.offspring)
        individuals |= dict(enumerate([list(child) for child in step.offspring], first))
        parents |= dict(enumerate(step.parents, first))
        assert len(step.parents) == len(step.offspring)
    return individuals, parents


def add(first, second):
    """A crossover after which each child shows both of its parents."""
    first[:], second[:] = [*first, *second], [*second, *first]
    return first, second


def append_zero(individual):
    individual.append(0)
    return (individual,)


@pytest.mark.parametrize("survive", ["generational", "comma", "plus"])
@pytest.mark.parametrize(("cxpb", "mutpb"), [(1.0, 0.0), (0.0, 1.0), (0.5, 0.3)])
def test_evolve_reports_the_parents_that_the_genes_show(survive, cxpb, mutpb):
    box = base.Toolbox()
    box.register("evaluate", lambda individual: Outcome((float(len(individual)),)))
    box.register("mate", add)
    box.register("mutate", append_zero)
    box.register("select", tools.selRandom)
    random.seed(4)
    start = [creator.EvolvePoint([number]) for number in range(1, 7)]
    individuals, parents = numbered(evolve(start, box, 4, survive=survive, cxpb=cxpb, mutpb=mutpb))
    assert len(individuals) > 12
    assert all(parents[number] == () for number in range(6))
    for number in range(6, len(individuals)):
        first, *second = (individuals[parent] for parent in parents[number])
        bodies = [first + second[0]] if second else [first, first + first]  # the latter was crossed with a copy
        assert individuals[number] in [body + end for body in bodies for end in ([], [0])]


def test_evolve_after_an_interruption_reports_unknown_parents(toolbox):
    *_, last = evolve(points(6), toolbox, 3, cxpb=1.0, mutpb=1.0)
    step, following = evolve(last.population, toolbox, 5, cxpb=1.0, mutpb=1.0, done=3, evaluations=last.evaluations)
    assert set(step.parents) == {(-1,)}
    assert all(18 <= number < 24 for numbers in following.parents for number in numbers)


def test_evolve_reports_the_parents_of_a_next_generation(toolbox):
    def survive(population, toolbox):
        child = creator.EvolvePoint([sum(numbers) for numbers in zip(*population[1:], strict=True)])
        return NextGeneration([population[2], population[0], child], [(), (), (1, 2)])

    steps = list(evolve(points(3), toolbox, 4, survive=survive))
    assert [step.parents for step in steps] == [[(), (), ()], [(1, 2)], [(0, 3)], [(2, 4)]]
    assert [step.evaluations for step in steps] == [3, 4, 5, 6]


def test_evolve_with_a_list_of_unknown_origin_reports_no_parents(toolbox):
    *_, last = evolve(points(3), toolbox, 2, survive=lambda population, toolbox: [creator.EvolvePoint([1.0, 2.0])])
    assert last.parents == [()]


def test_steady_state_reports_the_parents_that_breed_was_given(toolbox):
    toolbox.register("breed", lambda first, second: creator.EvolvePoint([*first, *second]))
    toolbox.register("evaluate", lambda individual: Outcome((0.0,)))
    population = [creator.EvolvePoint([number]) for number in range(5)]
    random.seed(2)
    individuals, parents = numbered(steady_state(population, toolbox, Objective(), generations=4))
    assert all(parents[number] == () for number in range(5))
    assert {len(parents[number]) for number in range(5, 20)} == {1, 2}
    for number in range(5, 20):
        first, *second = parents[number]
        assert individuals[number] == [*individuals[first], *individuals[(second or [first])[0]]]


def test_steady_state_with_operators_of_deap_draws_as_vary_and_does(toolbox):
    """A child that was not crossed has one parent."""
    random.seed(3)
    steps = list(steady_state(points(10), toolbox, Objective(), generations=6))
    assert {len(parents) for step in steps[1:] for parents in step.parents} == {1, 2}
    random.seed(3)
    toolbox.register("breed", breed_by_vary_and, toolbox)
    again = list(steady_state(points(10), toolbox, Objective(), generations=6))
    assert [step.offspring for step in steps] == [step.offspring for step in again]


def breed_by_vary_and(toolbox, first, second):
    child = algorithms.varAnd([first, second], toolbox, 0.7, 0.8)[0]
    del child.fitness.values
    return child


def test_steady_state_reports_the_species_that_each_child_joined():
    rng = np.random.default_rng(1)
    box = base.Toolbox()
    neat.register(box, 2, 1, rng=rng)
    box.register("evaluate", lambda genome: Outcome((genome.genes[0, 3],)))
    species, joined = neat.Species(threshold=1.0, target=4, rng=rng), []
    for step in steady_state(box.population(n=10), box, Objective(), species, generations=8):
        labels = dict(zip(map(id, step.population), species.ids[species.labels].tolist(), strict=True))
        assert step.species == [labels.get(id(child), -1) for child in step.offspring]
        joined += step.species
    assert len(set(joined)) > 2
    assert -1 in joined


def test_steady_state_without_species_reports_none(toolbox):
    assert all(len(step.species) == 0 for step in steady_state(points(5), toolbox, Objective(), generations=3))
