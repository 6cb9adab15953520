"""Activations: valid and invalid arguments; `test_network.py` tests their values."""

import pickle

import pytest

from divergent.neat import Activation
from divergent.neat.activation import FUNCTIONS, SIGMOID, as_activation


def test_activation_slope_default_is_that_of_the_maze_experiments_for_the_sigmoid_and_1_otherwise():
    assert {name: Activation(name).slope for name in FUNCTIONS} == {
        "sigmoid": 4.924273,
        "tanh": 1.0,
        "relu": 1.0,
        "sine": 1.0,
        "gaussian": 1.0,
        "identity": 1.0,
        "absolute": 1.0,
        "step": 1.0,
    }


def test_as_activation_of_a_name_has_the_default_slope():
    assert as_activation("hidden_activation", "tanh") == Activation("tanh")
    assert as_activation("hidden_activation", "sigmoid") is SIGMOID
    assert as_activation("hidden_activation", Activation("sine", 2)) == Activation("sine", 2.0)


def test_activation_str_shows_the_slope_unless_default():
    assert [str(Activation("tanh")), str(Activation("sigmoid", 1))] == ["tanh", "sigmoid, slope 1"]


def test_activation_json_and_pickle_round_trip():
    activation = Activation("gaussian", 0.1)
    assert Activation.from_json(activation.to_json()) == activation
    assert pickle.loads(pickle.dumps(activation)) == activation


@pytest.mark.parametrize(
    ("make", "error", "sentence"),
    [
        (
            lambda: Activation("softmax"),
            ValueError,
            "name of an activation function, one of sigmoid, tanh, relu, .* got 'softmax'",
        ),
        (
            lambda: Activation(None),
            ValueError,
            "function must be the name of an activation function, one of .* got None",
        ),
        (lambda: Activation("tanh", float("nan")), ValueError, "slope must be a finite number within the bounds -1e"),
        (lambda: Activation("tanh", "2"), ValueError, "slope must be a finite number within the bounds -1e"),
        (lambda: Activation("tanh", 1e7), ValueError, "slope must be a finite number within the bounds -1e"),
        (lambda: as_activation("output_activation", 3), TypeError, "output_activation must be an Activation or the"),
        (lambda: Activation.from_json("tanh"), ValueError, "an activation must have the keys function and slope"),
        (lambda: Activation.from_json({"function": "tanh"}), ValueError, "an activation must have the keys"),
        (
            lambda: Activation.from_json({"function": [], "slope": 1}),
            ValueError,
            "function must be the name of an activation function, one of",
        ),
    ],
)
def test_activation_with_invalid_arguments_raises(make, error, sentence):
    with pytest.raises(error, match=sentence):
        make()
