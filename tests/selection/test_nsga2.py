import json
import random
from types import SimpleNamespace

import numpy as np
import pytest
from deap import base, tools
from deap.tools import emo
from hypothesis import given
from hypothesis import strategies as st

from divergent import steady_state
from divergent.individual import MaximisedFitness, Outcome, Outcomes
from divergent.selection import (
    Blend,
    DominatedNovelty,
    LocalCompetition,
    Novelty,
    NSGA2Ranking,
    Objective,
    Random,
    Strategy,
    Surprise,
    by_score,
    check_strategy,
)
from divergent.selection._nsga2 import BOUNDARY, crowding_distances, non_dominated_ranks


class Column(Strategy):
    """One number of the behaviour, as it is."""

    def __init__(self, number):
        super().__init__()
        self.number = number

    def score(self, outcomes, among=None):
        return outcomes.behaviours[:, self.number]


def columns(count):
    return [Column(number) for number in range(count)]


def scores_of(*rows):
    """The scores of individuals whose parts give them these numbers."""
    rows = np.array(rows, dtype=float)
    return NSGA2Ranking(columns(rows.shape[1])).score(Outcomes(np.zeros(len(rows)), rows))


def in_deap(rows):
    made_of = type("Several", (base.Fitness,), {"weights": (1.0,) * len(rows[0])})
    individuals = [SimpleNamespace(number=number, fitness=made_of()) for number in range(len(rows))]
    for individual, row in zip(individuals, rows, strict=True):
        individual.fitness.values = row
    return individuals


def several(numbers, *, unique=False, least=1):
    """Rows of two or three numbers; if unique, no number is there twice in a column."""
    return st.integers(2, 3).flatmap(
        lambda width: st.integers(least, 25).flatmap(
            lambda size: st.tuples(
                *[st.lists(numbers, min_size=size, max_size=size, unique=unique) for _ in range(width)]
            ).map(lambda lists: list(zip(*lists, strict=True)))
        )
    )


def test_nsga2_ranking_sorts_by_front_then_crowding():
    # 0 is the best front, with its ends at (1, 9) and (9, 1); (5, 5) has neighbours 5 of 8 apart in both
    scores = scores_of((1, 9), (4, 6), (5, 5), (9, 1), (4, 5), (0, 0))
    assert scores.tolist() == pytest.approx([2 / 3, 4 / 8 / 3, 5 / 8 / 3, 2 / 3, -1 + 2 / 3, -2 + 2 / 3])


def test_nsga2_ranking_of_equal_individuals_divides_crowding_distance():
    alone = scores_of((1, 9), (5, 5), (9, 1))
    shared = scores_of((1, 9), (5, 5), (5, 5), (9, 1), (9, 1))
    assert alone.tolist() == pytest.approx([2 / 3, 1 / 3, 2 / 3])
    assert shared.tolist() == pytest.approx([2 / 3, 1 / 6, 1 / 6, 1.5 / 3, 1.5 / 3])


def test_nsga2_ranking_infinite_scores_are_extreme_points():
    scores = scores_of((np.inf, 0), (3, 3), (2, 4), (0, np.inf), (-np.inf, 1))
    # at the finite ends are 3 and 0, and 4 and 0
    assert scores.tolist() == pytest.approx([2 / 3, (1 / 3 + 4 / 4) / 6, (3 / 3 + 1 / 4) / 6, 2 / 3, -1 + 2 / 3])
    assert np.isfinite(scores_of((np.inf, np.inf), (np.inf, -np.inf), (1e308, -1e308), (-1e308, 1e308))).all()


@given(several(st.integers(-4, 4)))
def test_non_dominated_ranks_match_deap(rows):
    different = np.array(sorted(set(rows)), dtype=float)
    expected = np.empty(len(different))
    individuals = in_deap(different.tolist())
    for number, front in enumerate(emo.sortNondominated(individuals, len(individuals))):
        for individual in front:
            expected[individual.number] = number
    assert non_dominated_ranks(different).tolist() == expected.tolist()


@given(several(st.integers(-4, 4)))
def test_crowding_distances_match_deap(rows):
    different = np.array(sorted(set(rows)), dtype=float)
    fronts = non_dominated_ranks(different)
    distances = crowding_distances(different, fronts)
    for number in range(fronts.max() + 1):
        members = np.flatnonzero(fronts == number)
        # DEAP leaves ties in the order it finds them in: here, by the last score, then the one before, and so on
        members = members[np.lexsort(different[members, 1:].T)]
        front = in_deap(different[members].tolist())
        emo.assignCrowdingDist(front)
        expected = [min(individual.fitness.crowding_dist, BOUNDARY) for individual in front]
        assert distances[members].tolist() == pytest.approx(expected)


@given(several(st.floats(-1e6, 1e6).map(lambda x: round(x, 3)), unique=True), st.data())
def test_nsga2_ranking_selects_the_individuals_of_sel_nsga2(rows, data):
    individuals = [SimpleNamespace(number=number, fitness=MaximisedFitness()) for number in range(len(rows))]
    for individual, row in zip(individuals, rows, strict=True):
        individual.fitness.values = Outcome((0.0,), behaviour=row)
    k = data.draw(st.integers(1, len(rows)))
    parts = columns(len(rows[0]))
    theirs = by_score(individuals, k, strategy=parts, select=tools.selNSGA2)
    ours = by_score(individuals, k, strategy=NSGA2Ranking(parts), select=tools.selBest)
    # of several individuals with equal crowding distances, either may select another
    rank = ranks_in_deap(rows)
    assert sorted(rank[individual.number] for individual in ours) == sorted(
        rank[individual.number] for individual in theirs
    )


def ranks_in_deap(rows):
    """The front and the crowding distance of each, nearly equal distances made equal."""
    ranks = {}
    for number, front in enumerate(emo.sortNondominated(in_deap(rows), len(rows))):
        emo.assignCrowdingDist(front)
        ranks |= {individual.number: (number, round(individual.fitness.crowding_dist, 9)) for individual in front}
    return ranks


@given(several(st.integers(-2, 2), least=2), st.randoms(use_true_random=False))
def test_nsga2_ranking_does_not_depend_on_order(rows, chance):
    order = list(range(len(rows)))
    chance.shuffle(order)
    assert scores_of(*[rows[index] for index in order]).tolist() == pytest.approx(scores_of(*rows)[order].tolist())


def test_nsga2_ranking_scores_a_child_as_member_of_the_population(did):
    fronts = NSGA2Ranking([Novelty(neighbours=1), Objective()])
    others, child = did((0, 0), (5, 0), (9, 0), fitness=(3, 2, 1)), did((6, 0), fitness=(2,))
    whole = did((0, 0), (5, 0), (9, 0), (6, 0), fitness=(3, 2, 1, 2))
    assert fronts.score(child, among=others).tolist() == fronts.score(whole)[3:].tolist()
    assert fronts.score(Outcomes(np.empty(0), np.empty((0, 2))), among=others).tolist() == []
    with pytest.raises(
        ValueError, match="behaviours must have as many dimensions as the rest of the population, 2, got 3"
    ):
        fronts.score(did((1, 2, 3)), among=others)


def test_nsga2_ranking_parts_learn_once_and_are_restored(did):
    novelty, competition = Novelty(threshold=1.0), LocalCompetition(threshold=1.0)
    fronts = NSGA2Ranking([novelty, competition])
    fronts.score_generation(did((0, 0), (5, 0), (9, 0), fitness=(1, 2, 3)))
    assert len(novelty.archive) == len(competition.archive) == 3
    again = NSGA2Ranking([Novelty(), LocalCompetition()])
    again.restore(json.loads(json.dumps(fronts.state())))
    assert again.parts[1].archived_fitness.tolist() == [1.0, 2.0, 3.0]
    with pytest.raises(
        ValueError,
        match="state of the composite strategy NSGA2Ranking must contain the states of its 1 component strategies, got",
    ):
        NSGA2Ranking([Novelty()]).restore(fronts.state())


def test_nsga2_ranking_learns_from_offspring_if_a_part_does():
    assert NSGA2Ranking([Novelty(), Surprise()]).learns_from == "offspring"
    assert NSGA2Ranking([Novelty(), Objective()]).learns_from == "population"


@pytest.mark.parametrize(
    "strategy",
    [
        NSGA2Ranking([Objective()]),
        NSGA2Ranking([Novelty(neighbours=3), Surprise(clusters=10), LocalCompetition(neighbours=3)]),
        NSGA2Ranking([Novelty(clusters=10), DominatedNovelty()]),
        NSGA2Ranking([NSGA2Ranking([Novelty(), Objective()]), Random()]),
        NSGA2Ranking([Blend({Novelty(): 1, Objective(): 1}), LocalCompetition(archiving="random")]),
    ],
    ids=["one", "three", "without memory", "fronts of fronts", "with a blend"],
)
def test_nsga2_ranking_of_any_strategies_passes_check_strategy(strategy):
    check_strategy(strategy, individuals=30)


def test_nsga2_ranking_with_invalid_strategies_raises(did):
    same = Novelty()
    for strategies, kind, sentence in [
        ([], ValueError, "NSGA2Ranking must have at least one strategy, got none"),
        ("novelty", TypeError, "strategies must be a list of strategies, got 'novelty'"),
        (Novelty(), TypeError, "strategies must be a list of strategies, got"),
        ([Novelty], TypeError, r"must be an instance, such as Novelty\(...\), got the class Novelty"),
        (
            [Novelty(), "surprise"],
            TypeError,
            "parts of the composite strategy NSGA2Ranking must be strategies, got 'surprise' of type str",
        ),
        ([same, same], ValueError, "strategies must be different objects, got one object twice"),
    ]:
        with pytest.raises(kind, match=sentence):
            NSGA2Ranking(strategies)
    with pytest.raises(ValueError, match="scores must be numbers, got nan from Column"):
        NSGA2Ranking(columns(2)).score(did((1, 2), (np.nan, 3)))
    with pytest.raises(
        ValueError, match="scores must contain one number for each of the 2 individuals, got 1 from Short"
    ):
        NSGA2Ranking([Short()]).score(did((1, 2), (0, 3)))


class Short(Strategy):
    """One score, however many there are."""

    def score(self, outcomes, among=None):
        return np.zeros(1)


def test_nsga2_ranking_works_in_steady_state_loop():
    toolbox = base.Toolbox()
    toolbox.register("clone", lambda individual: type(individual)(individual))
    toolbox.register("evaluate", lambda individual: Outcome((-abs(individual[0]),), behaviour=individual))
    toolbox.register("mate", tools.cxBlend, alpha=0.2)
    toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=1, indpb=1)
    random.seed(1)
    population = [Pair([random.uniform(-5, 5), random.uniform(-5, 5)]) for _ in range(10)]
    *_, step = steady_state(population, toolbox, NSGA2Ranking([Novelty(), LocalCompetition()]), generations=4)
    assert step.evaluations == 40
    assert all(np.isfinite(individual.fitness.score) for individual in step.offspring)


class Pair(list):
    """Two numbers that are their own behaviour."""

    def __init__(self, numbers):
        super().__init__(numbers)
        self.fitness = MaximisedFitness()
