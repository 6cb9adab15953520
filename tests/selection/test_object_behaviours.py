"""Behaviours that are not vectors, under every search with a callable distance and in every loop."""

import json
import multiprocessing
import random
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pytest
from deap import algorithms, base, creator, tools

import divergent
from divergent import Outcome, Outcomes, by_score, evolve, steady_state
from divergent.history import History
from divergent.neighbours import CachedDistance
from divergent.selection import DominatedNovelty, LocalCompetition, Novelty, NoveltyWithCompetition, NSGA2Ranking

creator.create("ObjectFitness", divergent.Fitness, weights=(1.0,))
creator.create("Word", list, fitness=creator.ObjectFitness)

SEARCHES = (Novelty, LocalCompetition, DominatedNovelty, NoveltyWithCompetition)


def edit_distance(first, second):
    """Levenshtein's distance."""
    row = list(range(len(second) + 1))
    for i, letter in enumerate(first, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(second, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (letter != other))
    return row[-1]


def jaccard(first, second):
    return 1 - len(first & second) / len(first | second) if first | second else 0.0


def edges(first, second):
    return len(set(first.edges) ^ set(second.edges))


def string_of(word):
    return Outcome((float(word.count("a")),), behaviour="".join(word))


def set_of(word):
    return Outcome((float(word.count("a")),), behaviour=set(word))


def sequence_of(word):
    return Outcome((float(word.count("a")),), behaviour=[ord(letter) for letter in word])


def graph_of(word):
    return Outcome((float(word.count("a")),), behaviour=nx.path_graph(len(word)))


KINDS = {
    "strings": (string_of, edit_distance),
    "sets": (set_of, jaccard),
    "sequences": (sequence_of, edit_distance),
    "graphs": (graph_of, edges),
}


def mutate(word):
    position = random.randrange(len(word) + 1)
    word[position : position + random.randrange(2)] = random.choices("abcd", k=random.randrange(2))
    return (word,)


def mate(first, second):
    cut, other = random.randrange(len(first) + 1), random.randrange(len(second) + 1)
    first[cut:], second[other:] = second[other:], first[cut:]
    return first, second


def words(count, seed=1):
    random.seed(seed)
    return [creator.Word(random.choices("abcd", k=random.randint(1, 5))) for _ in range(count)]


def make_toolbox(evaluate):
    toolbox = base.Toolbox()
    toolbox.register("evaluate", evaluate)
    toolbox.register("mate", mate)
    toolbox.register("mutate", mutate)
    return toolbox


def objects(*items):
    array = np.empty(len(items), dtype=object)
    for position, item in enumerate(items):
        array[position] = item
    return array


class Counted:
    """A distance that counts its calls."""

    def __init__(self, distance):
        self.distance, self.calls = distance, 0

    def __call__(self, first, second):
        self.calls += 1
        return self.distance(first, second)


def test_novelty_of_strings_is_the_mean_edit_distance_to_population_and_archive():
    novelty = Novelty(neighbours=2, threshold=1.5, distance=edit_distance)
    first = Outcomes(np.zeros(3), objects("aa", "ab", "bbbb"))
    assert novelty.score(first).tolist() == [(1 + 4) / 2, (1 + 3) / 2, (3 + 4) / 2]
    novelty.learn(first)
    assert novelty.archive.tolist() == ["aa", "bbbb"]
    child = Outcomes(np.zeros(1), objects("abbb"))
    assert novelty.score(child, among=first).tolist() == [(1 + 1) / 2]  # bbbb of the population and of the archive


def test_novelty_of_objects_has_the_threshold_of_equal_vectors():
    rows = np.random.default_rng(1).normal(size=(20, 3))
    outcomes = Outcomes(np.zeros(20), rows)
    vectors = Novelty()
    vectors.learn(outcomes)
    of_objects = Novelty(distance=lambda first, second: float(np.linalg.norm(first - second)))
    of_objects.learn(Outcomes(np.zeros(20), objects(*rows)))
    assert of_objects.threshold == pytest.approx(vectors.threshold, rel=1e-12)
    assert [row.tolist() for row in of_objects.archive] == vectors.archive.tolist()


def test_local_competition_of_sets_counts_less_fit_neighbours():
    competition = LocalCompetition(neighbours=1, distance=jaccard)
    outcomes = Outcomes(np.array([1.0, 2.0, 5.0, 4.0]), objects({1, 2}, {1, 2, 3}, {8, 9}, {8}))
    assert competition.score(outcomes).tolist() == [0.0, 1.0, 1.0, 0.0]


def test_dominated_novelty_of_strings_is_the_distance_to_the_nearest_fitter():
    dominated = DominatedNovelty(neighbours=1, distance=edit_distance)
    outcomes = Outcomes(np.array([1.0, 2.0, 3.0]), objects("a", "aa", "aabbb"))
    assert dominated.score(outcomes).tolist() == [1.0, 3.0, 8.0]


def test_novelty_with_competition_shares_the_cache_of_its_objectives():
    counted = Counted(edit_distance)
    search = NoveltyWithCompetition(neighbours=2, threshold=1.0, distance=counted)
    search.score_generation(Outcomes(np.arange(5.0), objects("a", "bb", "ccc", "dddd", "eeeee")))
    assert counted.calls == 10


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("search", SEARCHES)
def test_search_of_objects_works_in_every_loop(kind, search):
    evaluate, distance = KINDS[kind]
    for survive in ("generational", "comma", "plus"):
        toolbox = make_toolbox(evaluate)
        toolbox.register(
            "select", by_score, strategy=search(distance=distance), select=tools.selTournament, tournsize=2
        )
        *_, step = evolve(words(12), toolbox, generations=4, survive=survive)
        assert all(np.isfinite(word.fitness.score) for word in toolbox.select(step.population, 12))
    strategy = search(distance=distance)
    history = History(strategy=strategy)
    for step in history.watch(steady_state(words(12), make_toolbox(evaluate), strategy, generations=4)):
        assert len(step.population) == 12
    assert history.behaviours.shape == (48,)
    if search is Novelty:
        assert history.generations[-1].memory["archive"].ndim == 1


@pytest.mark.parametrize("loop", [algorithms.eaSimple, algorithms.eaMuPlusLambda])
def test_novelty_of_strings_works_in_deaps_loops_and_finds_more_strings_than_objective_search(loop):
    sizes = {} if loop is algorithms.eaSimple else {"mu": 30, "lambda_": 30}
    toolbox = make_toolbox(string_of)
    strategy = Novelty(neighbours=3, distance=edit_distance)
    toolbox.register("select", by_score, strategy=strategy, select=tools.selTournament, tournsize=3)
    population, _ = loop(words(30), toolbox, cxpb=0.3, mutpb=0.6, ngen=15, verbose=False, **sizes)
    assert len({"".join(word) for word in population}) > 20
    assert np.mean([len(word) for word in population]) > 5  # novel strings are longer than the first ones


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="Windows has no fork")
def test_strings_in_a_pool_equal_those_of_one_process():
    def run(map_):
        toolbox = make_toolbox(string_of)
        toolbox.register("map", map_)
        strategy = Novelty(neighbours=5, distance=edit_distance, rng=np.random.default_rng(1))
        toolbox.register("select", by_score, strategy=strategy, select=tools.selBest)
        steps = list(evolve(words(100), toolbox, generations=3, survive="plus"))
        assert steps[-1].evaluations > 250
        return ["".join(word) for word in steps[-1].population], strategy.archive.tolist()

    with multiprocessing.get_context("fork").Pool(2) as pool:
        parallel = run(pool.map)
    assert parallel == run(map)
    assert len(parallel[1]) > 5


@pytest.mark.parametrize("search", [Novelty, LocalCompetition, NoveltyWithCompetition])
@pytest.mark.parametrize("kind", ["strings", "sets", "sequences"])
def test_search_of_objects_continues_exactly_from_its_state(kind, search):
    evaluate, distance = KINDS[kind]

    def generation(seed):
        population = words(15, seed)
        for word in population:
            word.fitness.values = evaluate(word)
        return divergent.pack(population)

    first, second = (search(distance=distance, rng=np.random.default_rng(1)) for _ in range(2))
    first.score_generation(generation(1))
    first.score_generation(generation(2))
    second.restore(json.loads(json.dumps(first.state())))
    assert len(second.archive) > 2
    for seed in (3, 4):
        assert np.array_equal(first.score_generation(generation(seed)), second.score_generation(generation(seed)))
    assert first.state() == second.state()


def test_state_of_an_archive_that_json_cannot_hold_raises_an_error():
    novelty = Novelty(distance=edges, threshold=1.0)
    novelty.learn(Outcomes(np.zeros(2), objects(nx.path_graph(3), nx.path_graph(9))))
    with pytest.raises(TypeError, match=r"values must be None, numbers, strings, .* got <networkx"):
        novelty.state()


def test_vectors_that_become_sequences_of_another_length_keep_the_archive():
    novelty = Novelty(neighbours=1, threshold=0.5, distance=edit_distance)
    novelty.learn(Outcomes(np.zeros(2), np.array([[1.0, 2.0], [5.0, 6.0]])))
    assert novelty.archive.shape == (2, 2)
    novelty.learn(Outcomes(np.zeros(1), np.array([[1.0, 2.0, 3.0]])))
    assert [row.tolist() for row in novelty.archive] == [[1.0, 2.0], [5.0, 6.0], [1.0, 2.0, 3.0]]
    assert novelty.score(Outcomes(np.zeros(1), objects(np.array([1.0, 2.0, 3.0, 4.0, 5.0])))).tolist() == [2.0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"clusters": 1}, "clusters must have its default None if behaviours are not vectors of equal length, got 1"),
        (
            {"scale": "range"},
            "scale must have its default 'none' if behaviours are not vectors of equal length, got 'range'",
        ),
    ],
)
def test_novelty_that_needs_means_or_ranges_rejects_objects(options, message):
    outcomes = Outcomes(np.zeros(2), objects("a", "b"))
    for method in ("score", "learn", "score_generation"):
        with pytest.raises(ValueError, match=message):
            getattr(Novelty(distance=edit_distance, **options), method)(outcomes)


def test_ranking_of_objects_by_several_objectives_joins_population_and_child():
    ranking = NSGA2Ranking([Novelty(distance=edit_distance), DominatedNovelty(distance=edit_distance)])
    population = Outcomes(np.arange(3.0), objects("a", "bb", "ccc"))
    whole = ranking.score(population)
    rest, last = Outcomes(np.arange(2.0), objects("a", "bb")), Outcomes(np.array([2.0]), objects("ccc"))
    assert ranking.score(last, among=rest).tolist() == whole[2:].tolist()


def draw_number(individual):
    individual[0] = str(random.random())
    return (individual,)


def number_difference(first, second):
    return abs(float(first) - float(second))


@pytest.fixture
def with_archive():
    """Return 250 individuals, their toolbox, and novelty with an archive of 1,000 strings and its counted distance."""
    toolbox = base.Toolbox()
    toolbox.register("evaluate", lambda individual: Outcome((0.0,), behaviour=individual[0]))
    toolbox.register("mate", lambda first, second: (first, second))
    toolbox.register("mutate", draw_number)
    random.seed(1)
    population = [creator.Word([str(random.random())]) for _ in range(250)]

    def make_strategy(**options):
        counted = Counted(number_difference)
        strategy = Novelty(distance=counted, rng=np.random.default_rng(1), **options)
        strategy.archive = objects(*(str(random.random()) for _ in range(1000)))
        return strategy, counted

    return population, toolbox, make_strategy


@pytest.mark.parametrize("survive", ["plus", "generational"])
def test_distance_calls_of_generations_with_an_archive_of_1000_are_unavoidable(with_archive, survive):
    population, toolbox, make_strategy = with_archive
    strategy, counted = make_strategy(archiving="fixed", archived=5)
    needed = set()

    def select(individuals, k):
        keys = sorted({individual.fitness.behaviour for individual in individuals})
        needed.update((first, second) for i, first in enumerate(keys) for second in keys[i + 1 :])
        needed.update((min(key, other), max(key, other)) for key in keys for other in strategy.archive if key != other)
        return by_score(individuals, k, strategy=strategy, select=tools.selTournament, tournsize=3)

    toolbox.register("select", select)
    steps = list(evolve(population, toolbox, 3, survive=survive, cxpb=0.0, mutpb=1.0))
    assert steps[-1].evaluations == 750
    assert len(needed) > 250_000 * 2
    assert len(needed) <= counted.calls <= 1.05 * len(needed)  # copies of a member have a distance of their own


@pytest.mark.parametrize("learn_from", ["population", "offspring"])
def test_distance_calls_of_single_children_with_an_archive_of_1000_are_unavoidable(with_archive, learn_from):
    population, toolbox, make_strategy = with_archive
    strategy, counted = make_strategy(threshold=0.9)
    toolbox.register("breed", lambda first, second: creator.Word([str(random.random())]))
    steps = steady_state(population, toolbox, strategy, generations=3, learn_from=learn_from)
    evaluations = sum(len(step.offspring) for step in steps)
    # the pairs of the first population, and each child with the population and the archive
    needed = 250 * 249 // 2 + 250 * 1000 + (evaluations - 250) * (250 + 1000)
    assert evaluations == 750
    assert len(strategy.archive) == 1000
    assert counted.calls == needed


def test_distance_given_as_a_cached_distance_is_shared_by_two_strategies():
    counted = Counted(edit_distance)
    distance = CachedDistance(counted)
    population = [SimpleNamespace(fitness=creator.ObjectFitness()) for _ in range(4)]
    for individual, behaviour in zip(population, ["a", "bb", "ccc", "dddd"], strict=True):
        individual.fitness.values = Outcome((1.0,), behaviour)
    strategies = [Novelty(distance=distance), LocalCompetition(distance=distance)]
    by_score(population, 2, strategy=strategies, select=tools.selNSGA2)
    assert counted.calls == 6
