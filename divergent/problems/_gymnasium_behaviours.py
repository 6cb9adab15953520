"""Behaviour descriptors of episodes in gymnasium environments."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces

MOST_CELLS = 10_000  # of a behaviour


class Episode(NamedTuple):
    """Observations, actions and rewards of one episode, from which behaviour descriptors are computed."""

    observations: np.ndarray
    """From the reset on, flat, shape (steps + 1, numbers of an observation)."""
    actions: np.ndarray
    """One row a step, flat, shape (steps, numbers of an action)."""
    rewards: np.ndarray
    """Shape (steps,)."""
    terminated: bool
    """Whether the environment ended it, rather than its limit of steps."""
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
    """Return the behaviour that marks the visited cells of a grid over the observation space.

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
        If the observation space is not bounded, or the grid has more than 10,000 cells.

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
            raise ValueError(f"bounds must be passed to `cells` for an unbounded observation space, got {space}")
        bounds = space.low.ravel()[list(numbers)], space.high.ravel()[list(numbers)]
    if count ** seen.shape[1] > MOST_CELLS:
        raise ValueError(
            f"cells must be at most {MOST_CELLS:,} in total, got {count} along each of {seen.shape[1]} dimensions; "
            "choose two or three dimensions of the observation: "
            f"behaviour=functools.partial(divergent.problems.gymnasium.cells, count={count}, numbers=(0, 1))"
        )
    low, high = (np.asarray(side, dtype=float) for side in bounds)
    width = np.where(high > low, high - low, 1.0)
    # clip before the conversion to integers, because distant values would overflow
    places = np.clip(count * (seen - low) / width, 0, count - 1).astype(int)
    visited = np.zeros((count,) * seen.shape[1])
    visited[tuple(places.T)] = 1.0
    return visited.ravel()


def actions(episode: Episode, parts: int = 3) -> np.ndarray:
    """Return the behaviour of action frequencies, as fractions of the steps of an episode.

    Parameters
    ----------
    episode : Episode
        The episode.
    parts : int, default=3
        Number of intervals into which each dimension of a Box action space is divided.

    Returns
    -------
    ndarray
        One fraction for each Discrete action, or for each interval of each Box dimension.

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
            f"action space must be Discrete or a bounded Box for frequencies, got {space}; pass a callable behaviour"
        )
    low, high = space.low.ravel(), space.high.ravel()
    width = np.where(high > low, high - low, 1.0)
    places = np.clip(parts * (taken - low) / width, 0, parts - 1).astype(int)
    return np.stack([(places == part).mean(axis=0) for part in range(parts)], axis=1).ravel()
