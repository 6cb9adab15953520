import copy
import inspect
import json
import math
import pickle
from functools import partial

import numpy as np
import pytest
from scipy.spatial.distance import hamming

from divergent.individual import Outcomes
from divergent.selection import (
    SEARCHES,
    Blend,
    DominatedNovelty,
    Novelty,
    NoveltyAndSurprise,
    Objective,
    Random,
    Strategy,
    Surprise,
    SurpriseNoPrediction,
    SurpriseRandom,
    linear,
)


class Everything(Strategy):
    memory = ("held",)
    held = None


@pytest.mark.parametrize("generator", [np.random.PCG64, np.random.MT19937, np.random.Philox, np.random.SFC64])
def test_state_restores_every_bit_generator(generator):
    strategy = Random(rng=np.random.Generator(generator(3)))
    copy = Random(rng=np.random.Generator(generator(4)))
    copy.restore(json.loads(json.dumps(strategy.state())))
    assert copy.rng.random(5).tolist() == strategy.rng.random(5).tolist()


@pytest.mark.parametrize(
    "held",
    [
        None,
        np.array([[0.1, 1e-300], [np.pi, -0.0]]),
        np.empty((0, 3)),
        np.array([True, False]),
        [np.arange(3), {"deep": np.float64(0.1), "text": "x"}],
        {"counts": [1, 2], "none": None},
        (1, [(2.5, "x")]),
    ],
)
def test_state_restores_arrays_and_json_data_exactly(held):
    strategy = Everything()
    strategy.held = held
    copy = Everything()
    copy.restore(json.loads(json.dumps(strategy.state())))
    assert repr(copy.held) == repr(strategy.held).replace("np.float64(0.1)", "0.1")


def test_restore_of_another_strategys_state_raises():
    expected = r"state must be a result of Surprise\.state\(\), got a dictionary without centroids, predictions"
    with pytest.raises(ValueError, match=expected):
        Surprise().restore(Objective().state())


def test_strategies_without_rng_have_different_generators(did):
    here = did((0, 0), (1, 1))
    assert Random().score(here).tolist() != Random().score(here).tolist()


def test_strategy_scores_are_no_view_of_the_fitness(did):
    outcomes = did((0, 0), (1, 1), fitness=(3, -4))
    scores = Objective().score(outcomes)
    scores[0] = 99
    assert outcomes.fitness.tolist() == [3, -4]


LEARNT = Outcomes(np.zeros(12), np.random.default_rng(1).uniform(0, 100, (12, 2)))


def remembering(strategy):
    for _ in range(3):
        strategy.score_generation(LEARNT)
    return strategy


NO_ROWS = np.zeros(3)
ARRAY = {"array": [1.0, 2.0, 3.0], "shape": [1, 3], "dtype": "<f8"}


@pytest.mark.parametrize(
    ("strategy", "name", "value"),
    [
        (Novelty(threshold=6.0), "archive", {}),
        (Novelty(threshold=6.0), "archive", ARRAY | {"shape": [7, 7]}),
        (Novelty(threshold=6.0), "archive", ARRAY | {"dtype": "O"}),
        (Novelty(threshold=6.0), "threshold", -1.0),
        (Novelty(threshold=6.0), "idle", "x"),
        (Novelty(clusters=3, threshold=6.0), "centroids", ARRAY),
        (Novelty(threshold=6.0, scale="std"), "scale", {"count": 3}),
        (Novelty(threshold=6.0), "rng", 3),
        (Surprise(clusters=3), "centroids", [ARRAY, ARRAY]),
        (Surprise(clusters=3), "predictions", ARRAY),
        (Surprise(clusters=3), "occupied", None),
        (Surprise(clusters=3), "archive", "x"),
    ],
)
def test_restore_of_invalid_state_raises(strategy, name, value):
    state = remembering(strategy).state()
    with pytest.raises(ValueError, match=rf"a result of {type(strategy).__name__}\.state\(\), got an error: "):
        strategy.restore(state | {name: value})


@pytest.mark.parametrize("strategy", [Novelty(), Surprise(), Objective()], ids=lambda strategy: type(strategy).__name__)
@pytest.mark.parametrize(
    "outcomes", [5, None, Outcomes(np.zeros(3), np.zeros((4, 2))), Outcomes(np.zeros(3), np.zeros(3))]
)
def test_score_generation_of_invalid_outcomes_raises(strategy, outcomes):
    with pytest.raises((TypeError, ValueError), match=r"Outcomes\(fitness, behaviours\)|outcomes must have"):
        strategy.score_generation(outcomes)


@pytest.mark.parametrize("search", SEARCHES)
def test_reset_restores_the_constructed_strategy(search):
    options = {"clusters": 4} if "clusters" in inspect.signature(SEARCHES[search]).parameters else {}
    options |= {"bounds": ((0, 0), (100, 100))} if search == "ssr" else {}
    used = remembering(SEARCHES[search](**options, rng=np.random.default_rng(1)))
    rng = copy.deepcopy(used.rng)
    used.reset()
    fresh = SEARCHES[search](**options, rng=rng)
    assert used.state()["rng"] == fresh.state()["rng"]
    assert without_generators(used.state()) == without_generators(fresh.state())
    for _ in range(3):
        assert used.score_generation(LEARNT).tolist() == fresh.score_generation(LEARNT).tolist()


def without_generators(state):
    """A state whose compounds have generators of their own, which nothing draws from."""
    if isinstance(state, dict):
        return {name: without_generators(value) for name, value in state.items() if name != "rng"}
    return [without_generators(value) for value in state] if isinstance(state, list) else state


def test_reset_removes_attributes_set_by_learn():
    class Age(Strategy):
        memory = ("age",)
        age = 0

        def learn(self, outcomes):
            self.age += 1

    age = Age()
    age.learn(LEARNT)
    age.reset()
    assert age.age == 0


def test_reset_of_a_composite_resets_its_parts():
    novelty = Novelty(threshold=6.0)
    blend = Blend({novelty: 1, Objective(): 2})
    blend.score_generation(LEARNT)
    assert len(novelty.archive) > 0
    blend.reset()
    assert len(novelty.archive) == 0
    assert blend.low is None


@pytest.mark.parametrize(
    ("strategy", "text"),
    [
        (Objective(), "Objective()"),
        (Novelty(neighbours=5, threshold=6.0, rng=np.random.default_rng(1)), "Novelty(neighbours=5, threshold=6.0)"),
        (Surprise(clusters=9, predictor=linear), "Surprise(clusters=9, predictor=linear)"),
        (Blend({Objective(index=1): 1}, scaled=False), "Blend({Objective(index=1): 1}, scaled=False)"),
        (pickle.loads(pickle.dumps(Novelty(archived=3))), "Novelty(archived=3)"),
        (copy.deepcopy(Novelty(archived=3)), "Novelty(archived=3)"),
    ],
)
def test_repr_shows_the_arguments(strategy, text):
    assert repr(strategy) == text


def far(*numbers):
    return Outcomes(np.arange(float(len(numbers))), np.array(numbers)[:, None])


@pytest.mark.parametrize(
    "strategy",
    [
        Novelty(),
        Surprise(clusters=2),
        SurpriseNoPrediction(clusters=2),
        SurpriseRandom(bounds=((0,), (1,))),
        DominatedNovelty(),
    ],
    ids=lambda strategy: type(strategy).__name__,
)
def test_watch_drift_of_a_billionfold_growth_warns_once(strategy):
    for largest in (0.5, 100.0, 9e8):
        strategy.score_generation(far(0.1, 0.2, largest))
    with pytest.warns(
        UserWarning, match=r"behaviours have drifted to 2e\+09, more than 1e\+09 times the first gen"
    ) as caught:
        strategy.score_generation(far(0.1, 0.2, -2e9))
    assert len(caught) == 1
    strategy.score_generation(far(0.1, 0.2, 4e12))  # a second warning would be an error


@pytest.mark.parametrize("number", [math.inf, math.nan])
def test_watch_drift_of_non_finite_behaviours_does_not_warn(number):
    for strategy in (Novelty(), Surprise(clusters=2), DominatedNovelty()):
        strategy.score_generation(far(0.1, 0.2, 0.3))
        with pytest.raises(ValueError, match="finite"):
            strategy.score_generation(far(0.1, 0.2, number))


def test_watch_drift_is_relative_to_the_first_generation():
    novelty = Novelty()
    novelty.score_generation(far(1e6, 2e6, 3e6))
    novelty.score_generation(far(1e6, 2e6, 2e15))
    with pytest.warns(UserWarning, match="drifted"):
        novelty.score_generation(far(1e6, 2e6, 4e15))


@pytest.mark.parametrize("distance", ["hamming", "Hamming", "jaccard", hamming])
@pytest.mark.parametrize(
    "make",
    [
        Surprise,
        SurpriseNoPrediction,
        NoveltyAndSurprise,
        partial(Surprise, groups=len),
        partial(Novelty, clusters=3),
        partial(SurpriseRandom, bounds=((0,), (1,))),
    ],
    ids=["Surprise", "SurpriseNoPrediction", "NoveltyAndSurprise", "groups", "clusters", "SurpriseRandom"],
)
def test_strategies_with_means_and_metric_of_equality_raise(make, distance):
    with pytest.raises(
        ValueError,
        match=r"distance must measure by how much two numbers differ, .*, got '([hH]amming|jaccard)'; use 'cityblock'",
    ):
        make(distance=distance)


def test_strategies_without_means_accept_metrics_of_equality():
    bits = Outcomes(np.zeros(3), np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))
    assert Novelty(neighbours=1, distance="hamming").score(bits).tolist() == [0.5, 0.5, 0.5]
    Surprise(distance="hamming", clustering=lambda behaviours, seeds: (seeds, np.zeros(len(behaviours), dtype=int)))
    # differences are counted
    assert Novelty(neighbours=2, distance="cityblock").score(bits).tolist() == [1.5, 1.0, 1.5]
