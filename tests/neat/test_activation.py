"""Activations: what may be chosen. `test_network.py` computes with them."""

import pickle

import pytest

from divergent.neat import Activation
from divergent.neat.activation import FUNCTIONS, SIGMOID, as_activation


def test_a_slope_is_the_maze_experiments_for_the_sigmoid_and_1_for_the_others():
    assert {name: Activation(name).slope for name in FUNCTIONS} == {
        "sigmoid": 4.924273,
        "tanh": 1.0,
        "relu": 1.0,
        "sine": 1.0,
        "gaussian": 1.0,
        "identity": 1.0,
    }


def test_a_name_means_its_function_with_the_usual_slope():
    assert as_activation("hidden_activation", "tanh") == Activation("tanh")
    assert as_activation("hidden_activation", "sigmoid") is SIGMOID
    assert as_activation("hidden_activation", Activation("sine", 2)) == Activation("sine", 2.0)


def test_an_activation_reads_as_its_name_and_an_unusual_slope():
    assert [str(Activation("tanh")), str(Activation("sigmoid", 1))] == ["tanh", "sigmoid, slope 1"]


def test_an_activation_survives_json_and_pickle():
    activation = Activation("gaussian", 0.1)
    assert Activation.from_json(activation.to_json()) == activation
    assert pickle.loads(pickle.dumps(activation)) == activation


@pytest.mark.parametrize(
    ("make", "error", "sentence"),
    [
        (lambda: Activation("softmax"), ValueError, "unknown activation 'softmax'; choose from sigmoid, tanh, relu"),
        (lambda: Activation(None), ValueError, "unknown activation None"),
        (lambda: Activation("tanh", float("nan")), ValueError, "slope of an activation must be a number, at most 1e"),
        (lambda: Activation("tanh", "2"), ValueError, "slope of an activation must be a number, at most 1e"),
        (lambda: Activation("tanh", 1e7), ValueError, "slope of an activation must be a number, at most 1e"),
        (lambda: as_activation("output_activation", 3), TypeError, "output_activation must be an Activation or the"),
        (lambda: Activation.from_json("tanh"), ValueError, "an activation is an object of function and slope"),
        (lambda: Activation.from_json({"function": "tanh"}), ValueError, "an activation is an object of function and"),
        (lambda: Activation.from_json({"function": [], "slope": 1}), ValueError, "unknown activation"),
    ],
)
def test_what_is_no_activation_is_refused(make, error, sentence):
    with pytest.raises(error, match=sentence):
        make()
