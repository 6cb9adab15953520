import json

import numpy as np
import pytest

from divergent.individual import Outcomes
from divergent.selection import Novelty, Objective, Random, Strategy, Surprise


class Everything(Strategy):
    memory = ("held",)
    held = None


@pytest.mark.parametrize("generator", [np.random.PCG64, np.random.MT19937, np.random.Philox, np.random.SFC64])
def test_state_keeps_every_kind_of_generator(generator):
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
def test_state_keeps_arrays_and_plain_data_exactly(held):
    strategy = Everything()
    strategy.held = held
    copy = Everything()
    copy.restore(json.loads(json.dumps(strategy.state())))
    assert repr(copy.held) == repr(strategy.held).replace("np.float64(0.1)", "0.1")


def test_a_state_of_another_strategy_is_refused_by_name():
    with pytest.raises(ValueError, match="not a state of Surprise: it lacks centroids, predictions"):
        Surprise().restore(Objective().state())


def test_two_strategies_without_a_generator_do_not_share_one(did):
    here = did((0, 0), (1, 1))
    assert Random().score(here).tolist() != Random().score(here).tolist()


def test_objective_is_the_fitness_and_not_a_view_of_it(did):
    outcomes = did((0, 0), (1, 1), fitness=(3, -4))
    scores = Objective().score(outcomes)
    scores[0] = 99
    assert outcomes.fitness.tolist() == [3, -4]


LEARNT = Outcomes(np.zeros(12), np.random.default_rng(1).uniform(0, 100, (12, 2)))


def remembering(strategy):
    for _ in range(3):
        strategy.follow(LEARNT)
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
def test_a_state_that_it_can_never_have_had_is_refused(strategy, name, value):
    state = remembering(strategy).state()
    with pytest.raises(ValueError, match=f"this is not a state of {type(strategy).__name__}: "):
        strategy.restore(state | {name: value})


@pytest.mark.parametrize("strategy", [Novelty(), Surprise(), Objective()], ids=lambda one: type(one).__name__)
@pytest.mark.parametrize(
    "outcomes", [5, None, Outcomes(np.zeros(3), np.zeros((4, 2))), Outcomes(np.zeros(3), np.zeros(3))]
)
def test_what_are_no_outcomes_is_called_that(strategy, outcomes):
    with pytest.raises((TypeError, ValueError), match=r"Outcomes\(fitness, behaviours\)|outcomes must be"):
        strategy.follow(outcomes)
