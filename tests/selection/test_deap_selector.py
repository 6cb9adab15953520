import array
import copy
import multiprocessing
import random
from functools import partial

import numpy as np
import pytest
from deap import algorithms, base, cma, creator, gp, tools
from deap.tools import emo

import divergent
from divergent.individual import MaximisedFitness, Outcome
from divergent.selection import Novelty, Objective, Strategy, Surprise, by_score, update_by_score


class TwoFitness(divergent.Fitness):
    weights = (-1.0, -1.0)


class Both(list):
    """A point with two values to minimise, which cannot both be 0."""

    def __init__(self, numbers):
        super().__init__(numbers)
        self.fitness = TwoFitness()


def evaluate_both(point):
    return Outcome((point[0] ** 2 + point[1] ** 2, (point[0] - 2) ** 2), behaviour=tuple(point))


class Listed(list):
    def __init__(self, numbers):
        super().__init__(numbers)
        self.fitness = MaximisedFitness()


class Packed(array.array):
    def __new__(cls, numbers):
        return super().__new__(cls, "d", numbers)

    def __init__(self, numbers):
        self.fitness = MaximisedFitness()

    def __deepcopy__(self, memo):
        duplicate = Packed(self)
        duplicate.fitness = copy.deepcopy(self.fitness, memo)
        return duplicate

    def __reduce__(self):
        return Packed, (list(self),), vars(self)


def evaluate(individual):
    return Outcome((sum(individual),), behaviour=(individual[0], individual[1]))


def toolbox_for(strategy, select=tools.selTournament, **options):
    toolbox = base.Toolbox()
    toolbox.register("evaluate", evaluate)
    toolbox.register("mate", tools.cxTwoPoint)
    toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=1, indpb=0.5)
    toolbox.register("select", by_score, strategy=strategy, select=select, **options)
    return toolbox


def population_of(kind, size=20, seed=1):
    random.seed(seed)
    return [kind(random.gauss(0, 3) for _ in range(4)) for _ in range(size)]


@pytest.mark.parametrize("kind", [Listed, Packed])
@pytest.mark.parametrize("loop", [algorithms.eaMuPlusLambda, algorithms.eaMuCommaLambda])
def test_by_score_in_deap_loops_works_with_any_individual(kind, loop, rng):
    toolbox = toolbox_for(Surprise(clusters=10, rng=rng), tournsize=3)
    final, _ = loop(population_of(kind), toolbox, mu=20, lambda_=20, cxpb=0.4, mutpb=0.5, ngen=5, verbose=False)
    assert all(np.isfinite(individual.fitness.score) for individual in final)
    assert all(individual.fitness.behaviour == (individual[0], individual[1]) for individual in final)


def test_by_score_in_ea_simple_follows_the_strategy(rng):
    strategy = Novelty(rng=rng)
    toolbox = toolbox_for(strategy, tournsize=3)
    algorithms.eaSimple(population_of(Listed), toolbox, cxpb=0.4, mutpb=0.5, ngen=5, verbose=False)
    assert len(strategy.archive) > 0


REFERENCE = {"ref_points": tools.uniform_reference_points(2, p=4)}
SELECTORS = [
    (tools.selBest, {}),
    (tools.selWorst, {}),
    (tools.selRandom, {}),
    (tools.selTournament, {"tournsize": 2}),
    (tools.selRoulette, {}),
    (tools.selStochasticUniversalSampling, {}),
    (tools.selDoubleTournament, {"fitness_size": 3, "parsimony_size": 1.2, "fitness_first": True}),
    (tools.selLexicase, {}),
    (tools.selEpsilonLexicase, {"epsilon": 0.5}),
    (tools.selAutomaticEpsilonLexicase, {}),
    (tools.selTournamentDCD, {}),
    (tools.selNSGA2, {}),
    (tools.selSPEA2, {}),
    (tools.selNSGA3, {"ref_points": np.array([[1.0]]), "nd": "standard"}),  # the other sort needs two objectives
]
OF_SEVERAL = [
    (tools.selNSGA2, {}),
    (tools.selSPEA2, {}),
    (tools.selNSGA3, REFERENCE),
    (tools.selTournamentDCD, {}),
    (tools.selLexicase, {}),
    (tools.selEpsilonLexicase, {"epsilon": 0.5}),
    (tools.selAutomaticEpsilonLexicase, {}),
]


def evaluated(kind=Listed, size=20):
    individuals = population_of(kind, size)
    for individual in individuals:
        individual.fitness.values = evaluate(individual)
    return individuals


def test_selectors_tested_are_all_of_deap():
    every = {name for name in dir(tools) if name.startswith("sel") and callable(getattr(tools, name))}
    tried = {select.__name__ for select, _ in SELECTORS}
    assert every - tried == {"selNSGA3WithMemory"}  # a class, which makes a selector


@pytest.mark.parametrize(("select", "options"), SELECTORS, ids=lambda value: getattr(value, "__name__", ""))
def test_by_score_works_with_every_deap_selector(select, options):
    individuals = evaluated()
    before = [individual.fitness.values for individual in individuals]
    chosen = toolbox_for(Novelty(), select, **options).select(individuals, 8)
    assert len(chosen) == 8
    assert all(any(parent is individual for individual in individuals) for parent in chosen)
    assert [individual.fitness.values for individual in individuals] == before


@pytest.mark.parametrize("select", [tools.selBest, tools.selNSGA2, tools.selSPEA2, tools.selWorst])
def test_by_score_selects_by_score_and_not_by_fitness(select):
    individuals = [Listed([x, 0.0]) for x in (9.0, 8.0, 7.0, -50.0)]  # the last is the least fit, and the most novel
    for individual in individuals:
        individual.fitness.values = evaluate(individual)
    first = toolbox_for(Novelty(neighbours=1), select).select(individuals, 1)[0]
    assert (first is individuals[3]) == (select is not tools.selWorst)


@pytest.mark.parametrize(("select", "options"), OF_SEVERAL, ids=lambda value: getattr(value, "__name__", ""))
def test_by_score_with_several_strategies_works_with_multiobjective_selectors(select, options):
    individuals = evaluated()
    strategies = [Novelty(neighbours=3), Objective()]
    chosen = toolbox_for(strategies, select, **options).select(individuals, 8)
    assert len(chosen) == 8
    novelty, fitness = zip(*(individual.fitness.score for individual in individuals), strict=True)
    assert fitness == tuple(individual.fitness.values[0] for individual in individuals)
    assert novelty == tuple(Novelty(neighbours=3).score(divergent.pack(individuals)))


def test_by_score_with_several_strategies_selects_the_pareto_front():
    individuals = [Listed(numbers) for numbers in ([0.0, 0.0], [0.1, 0.0], [0.2, 0.0], [-90.0, 0.0], [5.0, 0.0])]
    for individual in individuals:
        individual.fitness.values = evaluate(individual)
    chosen = toolbox_for([Novelty(neighbours=1), Objective()], tools.selNSGA2).select(individuals, 2)
    assert sorted(map(list, chosen)) == [[-90.0, 0.0], [5.0, 0.0]]


def test_by_score_keeps_fitness_for_hall_of_fame_and_pareto_front():
    famous, front = tools.HallOfFame(1), tools.ParetoFront()
    toolbox = toolbox_for([Novelty(neighbours=3), Objective()], tools.selNSGA2)
    final, _ = algorithms.eaMuPlusLambda(
        population_of(Listed), toolbox, mu=20, lambda_=20, cxpb=0.4, mutpb=0.5, ngen=5, halloffame=famous, verbose=False
    )
    front.update(final)
    assert famous[0].fitness.values == (sum(famous[0]),)
    assert [individual.fitness.values for individual in front] == [(sum(individual),) for individual in front]


def test_scored_individual_has_size_items_and_attributes():
    def the_third(candidates, k):
        assert [len(candidate) for candidate in candidates] == [4] * 20
        assert all(
            list(candidate) == [candidate[0], candidate[1], candidate[2], candidate[3]] == list(candidate.individual)
            for candidate in candidates
        )
        return [candidates[2]]

    individuals = evaluated()
    individuals[2].name = "third"
    toolbox = toolbox_for(
        Novelty(), lambda candidates, k: [candidate for candidate in candidates if hasattr(candidate, "name")]
    )
    assert toolbox.select(individuals, 1) == [individuals[2]]
    assert toolbox_for(Novelty(), the_third).select(individuals, 1) == [individuals[2]]


def score_log():
    statistics = tools.Statistics(lambda individual: individual.fitness.score)
    statistics.register("mean", lambda scores: np.nan if np.isnan(scores).all() else np.nanmean(scores))
    return statistics


@pytest.mark.parametrize(
    ("loop", "sizes"),
    [(algorithms.eaSimple, {}), (algorithms.eaMuPlusLambda, {"mu": 20, "lambda_": 20})],
    ids=["eaSimple", "eaMuPlusLambda"],
)
def test_by_score_scores_are_in_the_logbook_from_generation_one(loop, sizes):
    toolbox = toolbox_for(Novelty(neighbours=3), tournsize=2)
    _, logbook = loop(
        population_of(Listed), toolbox, cxpb=0.4, mutpb=0.5, ngen=4, stats=score_log(), verbose=False, **sizes
    )
    means = logbook.select("mean")
    assert np.isnan(means[0])
    assert np.isfinite(means[1:]).all()


def test_by_score_child_has_no_score_of_its_parent():
    toolbox, seen = toolbox_for(Novelty(neighbours=3), tournsize=2), []

    def noting(individual):
        seen.append(individual.fitness.score)
        return evaluate(individual)

    toolbox.register("evaluate", noting)
    final, _ = algorithms.eaSimple(population_of(Listed), toolbox, cxpb=1.0, mutpb=0.5, ngen=3, verbose=False)
    assert np.isnan(seen).all()
    assert np.isnan([individual.fitness.score for individual in final]).all()


class LocalFitness(Strategy):
    """How many of the five nearest are less fit: what a user would write."""

    def score(self, outcomes, among=None):
        fitness, behaviours = (
            outcomes[:2] if among is None else map(np.concatenate, zip(outcomes[:2], among[:2], strict=True))
        )
        apart = np.linalg.norm(outcomes.behaviours[:, None] - behaviours[None], axis=2)
        nearest = np.argsort(apart, axis=1, kind="stable")[:, 1:6]
        return (fitness[nearest] < outcomes.fitness[:, None]).sum(axis=1).astype(float)


def test_by_score_complete_deap_program_runs():
    random.seed(3)
    famous, logbook_of = tools.HallOfFame(3), tools.Statistics(lambda individual: individual.fitness.score)
    logbook_of.register("best", np.max, axis=0)
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        toolbox = toolbox_for([Novelty(neighbours=5), LocalFitness()], tools.selNSGA2)
        toolbox.register("map", pool.map)
        final, logbook = algorithms.eaMuPlusLambda(
            population_of(Listed, 40),
            toolbox,
            mu=40,
            lambda_=40,
            cxpb=0.5,
            mutpb=0.4,
            ngen=6,
            stats=logbook_of,
            halloffame=famous,
            verbose=False,
        )
    assert len(logbook) == 7
    assert np.isnan(logbook[0]["best"]).all()
    assert all(len(entry["best"]) == 2 and np.isfinite(entry["best"]).all() for entry in logbook[1:])
    assert [individual.fitness.values for individual in famous] == [(sum(individual),) for individual in famous]
    assert all(individual.fitness.behaviour == tuple(individual[:2]) for individual in final)


def test_by_score_accepts_a_function_of_individuals():
    individuals = evaluated()

    def sizes(given):
        assert given is individuals
        return [len(individual) - number for number, individual in enumerate(given)]

    chosen = toolbox_for(sizes, tools.selBest).select(individuals, 2)
    assert chosen == individuals[:2]
    assert chosen[1].fitness.score == len(chosen[1]) - 1
    toolbox_for([Novelty(), sizes], tools.selNSGA2).select(individuals, 2)
    assert [individual.fitness.score[1] for individual in individuals] == sizes(individuals)


def test_by_score_function_with_invalid_scores_raises():
    for gives, sentence in [
        ([1.0], "scores must contain one number for each of the 2 individuals, got 1 from wrong"),
        ([1.0, np.nan], "scores must be numbers, got nan from wrong"),
    ]:

        def wrong(individuals, gives=gives):
            return gives

        with pytest.raises(ValueError, match=sentence):
            toolbox_for([Novelty(), wrong], tools.selNSGA2).select(evaluated()[:2], 1)
    with pytest.raises(
        TypeError, match=r"strategy must be a .*Strategy or a function that scores individuals, .*, got 'far'"
    ):
        toolbox_for(["far"], tools.selBest).select(evaluated(), 1)


def test_by_score_with_a_class_as_strategy_raises():
    with pytest.raises(TypeError, match=r"strategy must be an instance, such as Novelty\(...\), got the class Novelty"):
        toolbox_for(Novelty, tools.selBest).select(evaluated(), 1)
    with pytest.raises(ValueError, match="at least one strategy, got an empty list"):
        toolbox_for([], tools.selBest).select(evaluated(), 1)


def test_by_score_with_deap_fitness_raises():
    creator.create("FitnessOfDeap", base.Fitness, weights=(1.0,))
    creator.create("PlainList", list, fitness=creator.FitnessOfDeap)
    individual = creator.PlainList([1.0, 2.0])
    individual.fitness.values = evaluate(individual)
    for strategy in (Novelty(), Objective()):
        with pytest.raises(
            TypeError, match=r"derived from deap.base.Fitness.*derive FitnessOfDeap from divergent.Fitness"
        ):
            toolbox_for(strategy, tools.selBest).select([individual], 1)


def test_by_score_objective_of_minimised_problem_selects_the_fittest():
    creator.create("Smallest", divergent.Fitness, weights=(-1.0,))
    creator.create("Numbers", list, fitness=creator.Smallest)
    individuals = [creator.Numbers([x, 0]) for x in (3, 1, 2)]
    for individual in individuals:
        individual.fitness.values = evaluate(individual)
    assert toolbox_for(Objective(), tools.selBest).select(individuals, 1) == [[1, 0]]


def test_by_score_works_with_genetic_programming_trees(rng):
    primitives = gp.PrimitiveSet("main", 1)
    primitives.addPrimitive(max, 2)
    primitives.addPrimitive(min, 2)
    primitives.addTerminal(1)
    creator.create("TreeFitness", divergent.Fitness, weights=(1.0,))
    creator.create("Tree", gp.PrimitiveTree, fitness=creator.TreeFitness)
    random.seed(2)
    trees = [creator.Tree(gp.genHalfAndHalf(primitives, 1, 3)) for _ in range(12)]
    for tree in trees:
        tree.fitness.values = Outcome((len(tree),), behaviour=(len(tree), tree.height))
    chosen = toolbox_for(Novelty(neighbours=3, rng=rng), tools.selBest).select(trees, 3)
    scores = [tree.fitness.score for tree in trees]
    assert [tree.fitness.score for tree in chosen] == sorted(scores, reverse=True)[:3]


@pytest.mark.parametrize("method", sorted({"fork", "spawn"}.intersection(multiprocessing.get_all_start_methods())))
def test_by_score_with_worker_processes_keeps_behaviours(method):
    histories = []
    with multiprocessing.get_context(method).Pool(2) as pool:
        for mapped in (pool.map, map):
            toolbox = toolbox_for(Novelty(rng=np.random.default_rng(1)), tournsize=2)
            toolbox.register("map", mapped)
            final, _ = algorithms.eaMuPlusLambda(
                population_of(Listed), toolbox, mu=20, lambda_=20, cxpb=0.4, mutpb=0.5, ngen=3, verbose=False
            )
            assert all(individual.fitness.behaviour == tuple(individual[:2]) for individual in final)
            histories.append([list(individual) for individual in final])
    assert histories[0] == histories[1]


def test_by_score_with_individual_not_evaluated_raises():
    with pytest.raises(ValueError, match="individual 0 must be evaluated"):
        toolbox_for(Novelty(), tools.selBest).select(population_of(Listed), 1)


def as_in_the_nsga2_example(select, preselect=tools.selTournamentDCD):
    """The loop of DEAP's examples/ga/nsga2.py, with its two selections."""
    random.seed(5)
    toolbox = base.Toolbox()
    toolbox.register("mate", tools.cxSimulatedBinaryBounded, low=-5.0, up=5.0, eta=20.0)
    toolbox.register("mutate", tools.mutPolynomialBounded, low=-5.0, up=5.0, eta=20.0, indpb=0.5)
    population = [Both([random.uniform(-5, 5), random.uniform(-5, 5)]) for _ in range(12)]
    for individual in population:
        individual.fitness.values = evaluate_both(individual)
    population = select(population, 12)
    for _ in range(5):
        offspring = [toolbox.clone(individual) for individual in preselect(population, 12)]
        for first, second in zip(offspring[::2], offspring[1::2], strict=True):
            if random.random() <= 0.9:
                toolbox.mate(first, second)
            toolbox.mutate(first)
            toolbox.mutate(second)
            for child in (first, second):
                child.fitness.values = evaluate_both(child)
        population = select(population + offspring, 12)
    return [(list(individual), individual.fitness.crowding_dist) for individual in population]


def test_by_score_in_the_loop_of_nsga2_with_its_objectives_is_nsga2():
    objectives = [Objective(index=0), Objective(index=1)]
    swapped = partial(by_score, strategy=objectives, select=tools.selNSGA2)
    assert as_in_the_nsga2_example(swapped) == as_in_the_nsga2_example(tools.selNSGA2)


def test_by_score_with_two_selections_a_generation_learns_once():
    class Counting(Novelty):
        learnt = 0

        def score_generation(self, outcomes):
            self.learnt += 1
            return super().score_generation(outcomes)

    strategies = [Counting(neighbours=3), Objective(index=0)]
    select = partial(by_score, strategy=strategies, select=tools.selNSGA2)
    preselect = partial(by_score, strategy=strategies, select=tools.selTournamentDCD, learn=False)
    assert len(as_in_the_nsga2_example(select, preselect)) == 12
    assert strategies[0].learnt == 6


def test_by_score_without_learning_scores_and_leaves_the_memory_as_it_is():
    individuals, strategy = evaluated(), Novelty(neighbours=3, threshold=0.1)
    expected = strategy.score(divergent.pack(individuals)).tolist()
    before = strategy.state()
    chosen = by_score(individuals, 3, strategy=strategy, select=tools.selBest, learn=False)
    assert [individual.fitness.score for individual in individuals] == expected
    assert [individual.fitness.score for individual in chosen] == sorted(expected, reverse=True)[:3]
    assert strategy.state() == before
    with pytest.raises(TypeError, match="learn must be True or False, got 'no'"):
        by_score(individuals, 3, strategy=strategy, select=tools.selBest, learn="no")


@pytest.mark.parametrize("infeasible", [0, 3, "all"])
@pytest.mark.parametrize(
    "penalty",
    [
        lambda feasible: tools.DeltaPenalty(feasible, 9.0),
        lambda feasible: tools.ClosestValidPenalty(feasible, lambda individual: individual, 9.0),
    ],
    ids=["DeltaPenalty", "ClosestValidPenalty"],
)
def test_by_score_after_a_penalty_without_behaviour_explains_the_decorator(penalty, infeasible):
    individuals = population_of(Listed, 5)
    toolbox = toolbox_for(Novelty(), tools.selBest)
    toolbox.decorate(
        "evaluate", penalty(lambda individual: infeasible != "all" and individual is not individuals[infeasible])
    )
    for individual in individuals:
        individual.fitness.values = toolbox.evaluate(individual)
    with pytest.raises(ValueError, match=r"behaviour.*divergent\.Outcome.*tools\.DeltaPenalty or .* plain tuple"):
        toolbox.select(individuals, 2)


@pytest.mark.parametrize("strategy", [Novelty(), [Novelty()]], ids=["one", "list of one"])
def test_by_score_with_nsga3_and_one_strategy_selects_the_best(strategy):
    points = tools.uniform_reference_points(1, 4)
    individuals = evaluated()
    for select in (partial(tools.selNSGA3, ref_points=points), tools.selNSGA3WithMemory(points, nd="standard")):
        selected = by_score(individuals, 5, strategy=strategy, select=select, learn=False)
        best = by_score(individuals, 5, strategy=strategy, select=tools.selBest, learn=False)
        assert {id(individual) for individual in selected} == {id(individual) for individual in best}
    assert len(by_score(individuals, 5, strategy=strategy, select=tools.selNSGA2, nd="log")) == 5
    message = "nd of selNSGA3WithMemory must be 'standard' if there is one strategy, got 'log'"
    with pytest.raises(ValueError, match=message):
        by_score(individuals, 5, strategy=strategy, select=tools.selNSGA3WithMemory(points))


def test_by_score_computes_crowding_distances_only_for_selectors_that_use_them(monkeypatch):
    individuals = evaluated(size=40)
    calls = []
    assign = emo.assignCrowdingDist
    monkeypatch.setattr(
        emo, "assignCrowdingDist", lambda candidates: (calls.append(len(candidates)), assign(candidates))
    )
    by_score(individuals, 5, strategy=Objective(), select=tools.selBest)
    by_score(individuals, 5, strategy=Objective(), select=tools.selTournament, tournsize=3)
    assert calls == []
    assert not any(hasattr(individual.fitness, "crowding_dist") for individual in individuals)
    assert len(by_score(individuals, 8, strategy=[Objective(), Novelty()], select=tools.selTournamentDCD)) == 8
    assert calls == [40]
    assert all(individual.fitness.crowding_dist >= 0 for individual in individuals)


class Spot(list):
    def __init__(self, numbers):
        super().__init__(np.clip(numbers, -5.0, 5.0))
        self.fitness = MaximisedFitness()


def test_update_by_score_lets_cma_es_follow_the_objective():
    np.random.seed(1)  # noqa: NPY002 - DEAP's CMA-ES draws from the global generator
    evolution = cma.Strategy(centroid=[4.0, 4.0], sigma=1.0, lambda_=20)
    toolbox = base.Toolbox()
    toolbox.register("generate", evolution.generate, Spot)
    toolbox.register("evaluate", lambda spot: Outcome((-(spot[0] ** 2) - spot[1] ** 2,), behaviour=tuple(spot)))
    toolbox.register("update", update_by_score, strategy=Objective(), update=evolution.update)
    population, _ = algorithms.eaGenerateUpdate(toolbox, ngen=40, verbose=False)
    assert np.abs(evolution.centroid).max() < 0.01
    assert all(spot.fitness.score == spot.fitness.values[0] for spot in population)


def test_update_by_score_with_novelty_explores_within_the_bound():
    np.random.seed(1)  # noqa: NPY002 - DEAP's CMA-ES draws from the global generator
    evolution = cma.Strategy(centroid=[0.0, 0.0], sigma=0.1, lambda_=20)
    toolbox = base.Toolbox()
    toolbox.register("generate", evolution.generate, Spot)
    toolbox.register("evaluate", lambda spot: Outcome((0.0,), behaviour=tuple(spot)))
    novelty = Novelty(neighbours=5)
    toolbox.register("update", update_by_score, strategy=novelty, update=evolution.update)
    sizes = []
    for _ in range(300):
        algorithms.eaGenerateUpdate(toolbox, ngen=1, verbose=False)
        sizes.append(evolution.sigma)
    assert max(sizes) < 1000  # without the bound it overflows within 100 generations
    cells = {tuple(cell) for cell in np.floor(novelty.archive).astype(int)}
    assert len(cells) > 60  # of 121 unit squares, where the first generation is within one


def test_update_by_score_of_wrong_arguments_raises():
    with pytest.raises(TypeError, match="update must be a callable that takes a list of individuals, got None"):
        update_by_score(evaluated(), strategy=Objective(), update=None)
    with pytest.raises(TypeError, match="learn must be True or False, got 1"):
        update_by_score(evaluated(), strategy=Objective(), update=list, learn=1)


@pytest.mark.parametrize("call", [partial(by_score, k=1, select=tools.selBest), partial(update_by_score, update=list)])
def test_selection_without_a_strategy_raises(call):
    with pytest.raises(ValueError, match="strategy must contain at least one strategy, got an empty list"):
        call([], strategy=[])
