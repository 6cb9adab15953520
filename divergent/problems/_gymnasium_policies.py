"""Default policies for gymnasium environments, defined by NEAT networks or by linear weights."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from divergent.neat.network import express

# activation functions with values from 0 to 1, which a policy can scale to the range of a Box action space
FROM_0_TO_1 = ("sigmoid", "gaussian")
Policy = Callable[[np.ndarray], Any]


def network_policy(genome: Any, observations: spaces.Space, actions: spaces.Space) -> Policy:
    """Return the policy that a NEAT genome defines; the policy activates the genome's network once per step.

    The network inputs are a bias of 1 and the observation, whose bounded dimensions are scaled to the range -1 to 1.
    If the action space is a Box, outputs are scaled from the range 0 to 1 to the range of the actions. If the action
    space is Discrete, the largest output determines the action.

    Parameters
    ----------
    genome : Genome
        The NEAT genome.
    observations : gymnasium.spaces.Space
        The observation space, a Box.
    actions : gymnasium.spaces.Space
        The action space, Discrete or a bounded Box.

    Returns
    -------
    callable
        Function that maps an observation to an action.

    Raises
    ------
    ValueError
        If a space is not supported, or the inputs, outputs or output activation of the genome do not match the spaces.
    """
    see, act = _sense(observations), _act(actions)
    network = express(genome)
    wanted = 1 + spaces.flatdim(observations), count_outputs(actions)
    if (network.inputs, network.outputs) != wanted:
        raise ValueError(
            f"a genome for this environment must have {wanted[0]} inputs and {wanted[1]} outputs, "
            f"got {network.inputs} and {network.outputs}"
        )
    if isinstance(actions, spaces.Box) and network.output_activation.function not in FROM_0_TO_1:
        raise ValueError(
            "a network for a Box action space must have an output_activation with values from 0 to 1 "
            f"({', '.join(FROM_0_TO_1)}), got {network.output_activation}; pass a controller to use another activation"
        )
    return lambda observation: act(network.activate(see(observation)))


def linear_policy(weights: Sequence[float], observations: spaces.Space, actions: spaces.Space) -> Policy:
    """Return the linear policy that a weight vector defines.

    The weight matrix has one row for each output, one column for the bias, and one column for each observation
    dimension. A logistic function scales the outputs to the range 0 to 1. Inputs and actions are scaled as in
    `network_policy`.

    Parameters
    ----------
    weights : sequence of float
        Entries of the weight matrix, row by row.
    observations : gymnasium.spaces.Space
        The observation space, a Box.
    actions : gymnasium.spaces.Space
        The action space, Discrete or a bounded Box.

    Returns
    -------
    callable
        Function that maps an observation to an action.

    Raises
    ------
    ValueError
        If a space is not supported, or the number of weights does not match the spaces.
    """
    see, act = _sense(observations), _act(actions)
    shape = count_outputs(actions), 1 + spaces.flatdim(observations)
    matrix = np.asarray(weights, dtype=float)
    if matrix.size != shape[0] * shape[1]:
        raise ValueError(
            "a linear policy must have one weight for each pair of an output and an input of the environment, "
            f"{shape[0]} x {shape[1]} weights, got {matrix.size}"
        )
    matrix = matrix.reshape(shape)
    return lambda observation: act(0.5 + 0.5 * np.tanh(0.5 * (matrix @ see(observation))))


def count_outputs(space: spaces.Space) -> int:
    """Return the number of outputs of a default policy for an action space."""
    if isinstance(space, spaces.Discrete):
        return int(space.n)
    if isinstance(space, spaces.Box) and space.is_bounded():
        return int(np.prod(space.shape))
    raise ValueError(
        f"the action space of a default policy must be Discrete or a bounded Box, got {space}; pass a controller"
    )


def _sense(space: spaces.Space) -> Callable[[Any], np.ndarray]:
    """Return the function that converts an observation to policy inputs: a bias and the scaled observation."""
    if not isinstance(space, spaces.Box):
        raise ValueError(f"the observation space of a default policy must be a Box, got {space}; pass a controller")
    low, high = space.low.ravel().astype(float), space.high.ravel().astype(float)
    bounded = (space.bounded_below & space.bounded_above).ravel()
    middle = np.where(bounded, np.where(bounded, low, 0) / 2 + np.where(bounded, high, 0) / 2, 0.0)
    half = np.where(bounded, np.where(bounded, high, 1) / 2 - np.where(bounded, low, 0) / 2, 1.0)
    half[half == 0] = 1.0
    inputs = np.ones(1 + len(low))

    def see(observation: Any) -> np.ndarray:
        inputs[1:] = (np.asarray(observation, dtype=float).ravel() - middle) / half
        return inputs

    return see


def _act(space: spaces.Space) -> Callable[[np.ndarray], Any]:
    """Return the function that converts policy outputs, from 0 to 1, to an action."""
    count_outputs(space)
    if isinstance(space, spaces.Discrete):
        return lambda outputs: int(space.start) + int(np.argmax(outputs))
    assert isinstance(space, spaces.Box)
    low, width = space.low.astype(float), space.high.astype(float) - space.low
    return lambda outputs: (low + width * np.reshape(outputs, low.shape)).astype(space.dtype)
