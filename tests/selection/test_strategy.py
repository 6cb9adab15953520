import json

import numpy as np
import pytest

from divergent.selection import Objective, Random, Strategy, Surprise


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
