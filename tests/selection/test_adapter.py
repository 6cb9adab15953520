import array
import copy
import multiprocessing
import random

import numpy as np
import pytest
from deap import algorithms, base, creator, gp, tools

import divergent
from divergent.individual import MaximisedFitness, Outcome, Score
from divergent.selection import Novelty, Objective, Surprise, by_score


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
        twin = Packed(self)
        twin.fitness = copy.deepcopy(self.fitness, memo)
        return twin

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
def test_stock_loops_follow_a_strategy_with_any_kind_of_individual(kind, loop, rng):
    toolbox = toolbox_for(Surprise(clusters=10, rng=rng), tournsize=3)
    final, _ = loop(population_of(kind), toolbox, mu=20, lambda_=20, cxpb=0.4, mutpb=0.5, ngen=5, verbose=False)
    assert all(isinstance(individual.score, Score) for individual in final)
    assert all(individual.fitness.behaviour == (individual[0], individual[1]) for individual in final)


def test_the_simple_loop_follows_a_strategy(rng):
    strategy = Novelty(rng=rng)
    toolbox = toolbox_for(strategy, tournsize=3)
    algorithms.eaSimple(population_of(Listed), toolbox, cxpb=0.4, mutpb=0.5, ngen=5, verbose=False)
    assert len(strategy.archive) > 0


@pytest.mark.parametrize(
    ("select", "options"),
    [
        (tools.selBest, {}),
        (tools.selWorst, {}),
        (tools.selTournament, {"tournsize": 2}),
        (tools.selRoulette, {}),
        (tools.selStochasticUniversalSampling, {}),
        (tools.selDoubleTournament, {"fitness_size": 3, "parsimony_size": 1.2, "fitness_first": True}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_every_selector_of_deap_that_takes_fit_attr_can_read_scores(select, options):
    individuals = population_of(Listed)
    for individual in individuals:
        individual.fitness.values = evaluate(individual)
    chosen = toolbox_for(Novelty(), select, **options).select(individuals, 7)
    assert len(chosen) == 7
    best = max(individuals, key=lambda individual: individual.score)
    if select is tools.selBest:
        assert chosen[0] is best


def test_objective_selects_the_fittest_of_a_minimised_problem():
    creator.create("Smallest", divergent.Fitness, weights=(-1.0,))
    creator.create("Numbers", list, fitness=creator.Smallest)
    individuals = [creator.Numbers([x, 0]) for x in (3, 1, 2)]
    for individual in individuals:
        individual.fitness.values = evaluate(individual)
    assert toolbox_for(Objective(), tools.selBest).select(individuals, 1) == [[1, 0]]


def test_trees_are_individuals_too(rng):
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
    assert [tree.score for tree in chosen] == sorted((tree.score for tree in trees), reverse=True)[:3]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_worker_processes_bring_every_behaviour_home(method):
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


def test_an_individual_never_evaluated_is_named():
    with pytest.raises(ValueError, match="individual 0 was never evaluated"):
        toolbox_for(Novelty(), tools.selBest).select(population_of(Listed), 1)
