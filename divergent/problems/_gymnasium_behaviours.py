"""Behaviour descriptors of episodes in gymnasium environments."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces

MOST_CELLS = 10_000  # largest number of grid cells that a behaviour may have


class Episode(NamedTuple):
    """Observations, actions and rewards of one episode, from which behaviour descriptors are computed."""

    observations: np.ndarray
    """Flat observations, beginning with the observation of the reset, shape (steps + 1, observation size)."""
    actions: np.ndarray
    """Flat actions, one row for each step, shape (steps, action size)."""
    rewards: np.ndarray
    """Rewards of all steps, shape (steps,)."""
    terminated: bool
    """Whether the environment terminated the episode; False if a step limit truncated the episode."""
    observation_space: spaces.Space
    action_space: spaces.Space


def final(episode: Episode) -> np.ndarray:
    """Return the last observation of an episode as its behaviour.

    Parameters
    ----------
    episode : Episode
        The episode.

    Returns
    -------
    ndarray
        The last observation as a flat array.
    """
    return episode.observations[-1]


def cells(
    episode: Episode, count: int = 10, numbers: Sequence[int] | None = None, bounds: Any | None = None
) -> np.ndarray:
    """Return the behaviour of an episode: 1 for each visited cell of a grid over the observation space, otherwise 0.

    Parameters
    ----------
    episode : Episode
        The episode.
    count : int, default=10
        Number of grid cells along each dimension.
    numbers : sequence of int or None, default=None
        Indices of the observation dimensions that span the grid; None uses all dimensions.
    bounds : sequence or None, default=None
        Lower and upper bounds of the grid; None uses the bounds of the observation space.

    Returns
    -------
    ndarray
        One number for each grid cell: 1 for a visited cell, otherwise 0.

    Raises
    ------
    ValueError
        If `bounds` is None and the observation space is not a bounded Box, or if the grid has more than 10,000 cells.

    Examples
    --------
    A grid over all four dimensions of CartPole has too many cells; a grid over position and angle does not:

    >>> from functools import partial
    >>> from divergent.problems.gymnasium import GymTask
    >>> position_and_angle = partial(cells, numbers=(0, 2), bounds=((-2.4, -0.2), (2.4, 0.2)))
    >>> task = GymTask("CartPole-v1", behaviour=position_and_angle)
    >>> task([0.0] * task.inputs * task.outputs).behaviour.shape
    (100,)
    """
    numbers = range(episode.observations.shape[1]) if numbers is None else numbers
    seen = episode.observations[:, list(numbers)]
    if bounds is None:
        space = episode.observation_space
        if not isinstance(space, spaces.Box) or not space.is_bounded():
            raise ValueError(f"bounds must be passed to `cells` if the observation space is unbounded, got {space}")
        bounds = space.low.ravel()[list(numbers)], space.high.ravel()[list(numbers)]
    if count ** seen.shape[1] > MOST_CELLS:
        raise ValueError(
            f"a grid must have at most {MOST_CELLS:,} cells in total, got {count} along each of {seen.shape[1]} "
            "dimensions; choose two or three dimensions of the observation: "
            f"behaviour=functools.partial(divergent.problems.gymnasium.cells, count={count}, numbers=(0, 1))"
        )
    low, high = (np.asarray(side, dtype=float) for side in bounds)
    width = np.where(high > low, high - low, 1.0)
    # clip before the conversion to integers, because values far outside the grid would overflow
    places = np.clip(count * (seen - low) / width, 0, count - 1).astype(int)
    visited = np.zeros((count,) * seen.shape[1])
    visited[tuple(places.T)] = 1.0
    return visited.ravel()


def actions(episode: Episode, parts: int = 3) -> np.ndarray:
    """Return the behaviour of an episode as the frequency of each action, or of each interval of actions.

    Parameters
    ----------
    episode : Episode
        The episode.
    parts : int, default=3
        Number of intervals into which each dimension of a Box action space is divided.

    Returns
    -------
    ndarray
        The fraction of steps with each Discrete action, or with an action in each interval of each Box dimension.

    Raises
    ------
    ValueError
        If the action space is neither Discrete nor a bounded Box.
    """
    space, taken = episode.action_space, episode.actions
    if isinstance(space, spaces.Discrete):
        return np.bincount(taken[:, 0].astype(int) - int(space.start), minlength=int(space.n)) / len(taken)
    if not isinstance(space, spaces.Box) or not space.is_bounded():
        raise ValueError(
            f"action space must be Discrete or a bounded Box if behaviour is 'actions', got {space}; "
            "pass a callable behaviour"
        )
    low, high = space.low.ravel(), space.high.ravel()
    width = np.where(high > low, high - low, 1.0)
    places = np.clip(parts * (taken - low) / width, 0, parts - 1).astype(int)
    return np.stack([(places == part).mean(axis=0) for part in range(parts)], axis=1).ravel()
