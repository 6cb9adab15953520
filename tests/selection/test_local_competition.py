import json
import math
import random

import numpy as np
import pytest
from deap import algorithms, base, creator, tools
from hypothesis import given
from hypothesis import strategies as st

import divergent
from divergent.individual import Outcomes
from divergent.selection import DominatedNovelty, LocalCompetition, Novelty, Surprise, check_strategy

FIVE = ((0, 0), (1, 0), (3, 0), (6, 0), (10, 0))


def test_local_competition_on_a_line_counts_beaten_neighbours(did):
    competition = LocalCompetition(neighbours=2)
    # the nearest two of each: 1 and 3; 0 and 3; 1 and 0; 3 and 10; 6 and 3
    scores = competition.score(did(*FIVE, fitness=(5, 1, 4, 2, 3)))
    assert scores.tolist() == [2.0, 0.0, 1.0, 0.0, 1.0]


def test_local_competition_equal_fitness_does_not_count(did):
    assert LocalCompetition(neighbours=2).score(did(*FIVE)).tolist() == [0.0] * 5


def test_local_competition_uses_archived_fitness(did):
    competition = LocalCompetition(neighbours=2, threshold=2.0)
    competition.learn(did((0, 0), (1, 0), (5, 0), fitness=(7, 8, 9)))
    assert competition.archive.tolist() == [[0.0, 0.0], [5.0, 0.0]]
    assert competition.archived_fitness.tolist() == [7.0, 9.0]
    # at 4 the nearest two are the archived one at 5 and, of two at a distance of 4, the other of the population
    assert competition.score(did((4, 0), fitness=(8,)), among=did((8, 0), fitness=(1,))).tolist() == [1.0]
    assert competition.score(did((1, 0), fitness=(8,)), among=did((99, 0))).tolist() == [1.0]


def test_local_competition_without_neighbours_is_zero(did):
    assert LocalCompetition().score(did((0, 0), fitness=(5,))).tolist() == [0.0]


@pytest.mark.parametrize("archiving", ["threshold", "fixed", "random", "none"])
def test_local_competition_archive_is_that_of_novelty(archiving):
    options = {"archiving": archiving, "archived": 3, "archive_size": 7}
    competition = LocalCompetition(**options, rng=np.random.default_rng(3))
    novelty = Novelty(**options, rng=np.random.default_rng(3))
    rng = np.random.default_rng(1)
    fitness_of = {}
    for _ in range(6):
        outcomes = Outcomes(rng.uniform(0, 1, 10), rng.uniform(0, 100, (10, 2)))
        fitness_of |= {
            tuple(behaviour): fitness for behaviour, fitness in zip(outcomes.behaviours, outcomes.fitness, strict=True)
        }
        competition.score_generation(outcomes)
        novelty.score_generation(outcomes)
        assert competition.archive.tolist() == novelty.archive.tolist()
        assert competition.archived_fitness.tolist() == [
            fitness_of[tuple(behaviour)] for behaviour in competition.archive
        ]


def test_local_competition_restore_without_archived_fitness_raises(did):
    competition = LocalCompetition(threshold=1.0)
    competition.learn(did(*FIVE))
    state = json.loads(json.dumps(competition.state()))
    state["archived_fitness"]["array"].pop()
    state["archived_fitness"]["shape"] = [len(state["archived_fitness"]["array"])]
    with pytest.raises(
        ValueError, match=r"archived_fitness must contain one number for each of the 4 archived .*, got 3"
    ):
        LocalCompetition().restore(state)


def test_dominated_novelty_on_a_line_is_distance_to_fitter(did):
    # fitter than the one at 0: all, nearest 1 and 3; at 1: 3, 6, 10; at 3: 6 and 10; at 6: 10; at 10: none
    generation = did(*FIVE, fitness=(1, 2, 3, 4, 5))
    assert DominatedNovelty(neighbours=2).score(generation).tolist() == [2.0, 3.5, 5.0, 4.0, 20.0]
    assert DominatedNovelty(neighbours=1).score(generation).tolist() == [1.0, 2.0, 3.0, 4.0, 20.0]


def test_dominated_novelty_all_fittest_are_undominated(did):
    assert DominatedNovelty().score(did((0, 0), (3, 4), (3, 0), fitness=(2, 2, 1))).tolist() == [10.0, 10.0, 3.5]


def test_dominated_novelty_of_equal_behaviours_ranks_the_fittest_first(did):
    unbeaten, beaten = DominatedNovelty().score(did((1, 1), (1, 1), fitness=(2, 1)))
    assert unbeaten > beaten == 0


def test_dominated_novelty_of_one_individual_is_positive(did):
    assert DominatedNovelty().score(did((1, 1), fitness=(2,)))[0] > 0


@given(
    st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9), st.integers(0, 5)), min_size=1, max_size=12),
    st.integers(1, 5),
)
def test_dominated_novelty_matches_reference_implementation(rows, neighbours):
    outcomes = Outcomes(np.array([float(row[2]) for row in rows]), np.array([row[:2] for row in rows], dtype=float))
    scores = DominatedNovelty(neighbours=neighbours).score(outcomes)
    best = max(row[2] for row in rows)
    beaten = [-1.0]
    for row, score in zip(rows, scores, strict=True):
        fitter = sorted(math.dist(row[:2], other[:2]) for other in rows if other[2] > row[2])[:neighbours]
        if fitter:
            assert score == pytest.approx(sum(fitter) / len(fitter))
            beaten.append(score)
    assert all(score > max(beaten) for row, score in zip(rows, scores, strict=True) if row[2] == best)


@pytest.mark.parametrize(
    "strategy",
    [
        LocalCompetition(),
        LocalCompetition(neighbours=3, archiving="fixed", archived=5, archive_size=12),
        LocalCompetition(neighbours=3, archiving="random", scale="range"),
        LocalCompetition(archiving="none", distance="cityblock"),
        DominatedNovelty(),
        DominatedNovelty(neighbours=40, distance="cityblock"),
    ],
    ids=lambda strategy: type(strategy).__name__,
)
@pytest.mark.parametrize("dimensions", [1, 2, 9])
def test_local_competition_and_dominated_novelty_pass_check_strategy(strategy, dimensions):
    check_strategy(strategy, individuals=30, dimensions=dimensions)


@pytest.mark.parametrize("strategy", [LocalCompetition(), DominatedNovelty()])
def test_competition_with_invalid_behaviours_raises(strategy, did):
    with pytest.raises(ValueError, match=r"behaviours must be finite, behaviour 1 is \[nan, 0.0\]"):
        strategy.score(did((0, 0), (np.nan, 0)))
    with pytest.raises(ValueError, match="behaviours must all have the same number of dimensions, 3, got 2"):
        strategy.score(did((0, 0)), among=did((1, 1, 1)))
    with pytest.raises(ValueError, match="individuals must have a behaviour in this search, got none"):
        strategy.score(did((), ()))


@pytest.mark.parametrize(
    "searches",
    [
        [Novelty(), LocalCompetition()],
        [Surprise(clusters=5), LocalCompetition()],
        [Novelty(), Surprise(clusters=5), LocalCompetition()],
        [DominatedNovelty()],
    ],
    ids=lambda searches: "+".join(type(search).__name__ for search in searches),
)
def test_competition_in_deap_loop_works_with_list_individuals(searches, monkeypatch):
    monkeypatch.setattr(creator, "Higher", type("Higher", (divergent.Fitness,), {"weights": (1.0,)}), raising=False)
    monkeypatch.setattr(creator, "Pair", type("Pair", (list,), {}), raising=False)
    toolbox = base.Toolbox()
    toolbox.register("evaluate", lambda pair: divergent.Outcome((-abs(pair[0]),), behaviour=pair))
    toolbox.register("mate", tools.cxBlend, alpha=0.2)
    toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=1, indpb=1)
    toolbox.register("select", divergent.by_score, strategy=searches, select=tools.selNSGA2)
    random.seed(1)
    population = []
    for _ in range(12):
        population.append(creator.Pair([random.uniform(-5, 5), random.uniform(-5, 5)]))
        population[-1].fitness = creator.Higher()
    final, _ = algorithms.eaMuPlusLambda(population, toolbox, 12, 12, 0.5, 0.4, ngen=4, verbose=False)
    assert len(final) == 12
    assert all(len(individual.fitness.score) == len(searches) for individual in final)


@pytest.mark.parametrize("kind", [LocalCompetition, DominatedNovelty])
def test_competition_with_index_uses_that_value(did, kind):
    first, second = (5, 1, 4, 2, 3), (1, 2, 3, 4, 5)
    both = did(*FIVE, fitness=list(zip(first, second, strict=True)))
    others = did((2, 0), (7, 0), fitness=[(9, 0), (0, 9)])
    for index, fitness in enumerate((first, second)):
        chosen, alone = kind(neighbours=2, index=index), kind(neighbours=2)
        among = did((2, 0), (7, 0), fitness=others.fitness[:, index])
        for _ in range(2):
            assert chosen.score(both).tolist() == alone.score(did(*FIVE, fitness=fitness)).tolist()
            assert chosen.score(both, others).tolist() == alone.score(did(*FIVE, fitness=fitness), among).tolist()
            chosen.learn(both)
            alone.learn(did(*FIVE, fitness=fitness))
        assert chosen.state()["rng"].keys() == alone.state()["rng"].keys()
        assert {**chosen.state(), "rng": None} == {**alone.state(), "rng": None}


@pytest.mark.parametrize("kind", [LocalCompetition, DominatedNovelty])
def test_competition_of_several_values_without_index_warns_once(did, kind):
    both = did((0, 0), (1, 0), fitness=[(1, 4), (2, 3)])
    competition = kind(neighbours=1)
    with pytest.warns(UserWarning, match=rf"{kind.__name__} uses values\[0\] of 2 fitness values"):
        scores = competition.score(both)
    assert scores.tolist() == kind(neighbours=1, index=0).score(both).tolist()
    assert competition.score(both).tolist() == scores.tolist()  # a second warning would be an error
