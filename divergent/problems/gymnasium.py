"""Any gymnasium environment as a task: individuals become policies, and their episodes outcomes."""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from gymnasium import spaces

from divergent.individual import Outcome
from divergent.neat import express
from divergent.validation import brief, is_integer

REMEDIES = {
    "observation": "the environment (gymnasium.wrappers.TransformObservation can)",
    "action": "the policy that the controller returns",
}
MOST_CELLS = 10_000  # numbers of a behaviour; more are hardly meant
FROM_0_TO_1 = ("sigmoid", "gaussian")  # activations whose numbers a default policy can spread over a Box
Policy = Callable[[np.ndarray], Any]


class Episode(NamedTuple):
    """What happened from one reset to the end: all that a behaviour can be made of."""

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


class GymTask:
    """Evaluate individuals by what their policies do in a gymnasium environment.

    Called with an individual it returns an `Outcome`: the return, the sum of rewards, as fitness, and the behaviour.
    Every evaluation begins from the same seeds, so that it depends on the individual alone. The environment is made
    when it is first needed, once in each process: a task may be sent to a pool of processes, spawned ones too.

    Parameters
    ----------
    env_id
        The id of a registered environment, or a function without arguments that makes one; for a pool of processes a
        function that can be pickled.
    controller
        Turns an individual into a policy: a function of an observation that returns an action. None: a NEAT genome
        becomes its network, and a sequence of numbers a linear policy; see `network_policy` and `linear_policy`.
    behaviour
        "final": the last observation. "cells": for every cell of a grid over the observation space, whether it was
        visited. "actions": how often each action was taken. Or a callable of an `Episode` that returns numbers.
    steps
        How many steps an episode has at most; None leaves it to the environment's own limit, which it must have then.
    episodes
        How many episodes: fitness is their mean return, and the behaviour that of each, one after the other.
    seed
        The first episode is reset with this seed, the next one with the seed plus 1, and so on.

    Raises
    ------
    ValueError
        An observation, action or reward of an episode is nan, an observation or action is infinite or not of the size
        of its space. The message names the environment.

    Attributes
    ----------
    inputs : int
        Numbers that a default policy sees: a bias of 1, then those of an observation.
    outputs : int
        Numbers that a default policy gives: one for each number of a Box, one for each choice of a Discrete action.

    Examples
    --------
    A network without connections gives 0.5, which is in the middle of the forces: the car stays in its valley.

    >>> from divergent.neat import Genome
    >>> task = GymTask("MountainCarContinuous-v0", steps=50)
    >>> task.inputs, task.outputs
    (3, 1)
    >>> outcome = task(Genome([], inputs=task.inputs, outputs=task.outputs))
    >>> outcome[0] == 0.0, outcome.behaviour.shape
    (True, (2,))
    """

    def __init__(
        self,
        env_id: str | Callable[[], gymnasium.Env],
        *,
        controller: Callable[[Any], Policy] | None = None,
        behaviour: str | Callable[[Episode], Any] = "final",
        steps: int | None = None,
        episodes: int = 1,
        seed: int = 0,
    ):
        if isinstance(behaviour, str) and behaviour not in BEHAVIOURS:
            raise ValueError(
                f"unknown behaviour {behaviour!r}; choose from {', '.join(BEHAVIOURS)}, or give a callable"
            )
        for name, number, least in (("steps", steps, 1), ("episodes", episodes, 1), ("seed", seed, 0)):
            whole = is_integer(number) and number >= least
            if not (whole or (name == "steps" and number is None)):
                raise ValueError(f"{name} must be an integer, at least {least}, got {number!r}")
        self.env_id = env_id
        self.controller = controller
        self.behaviour = behaviour
        self.steps = steps
        self.episodes = episodes
        self.seed = seed
        self._environment: gymnasium.Env | None = None

    @property
    def inputs(self) -> int:
        return 1 + spaces.flatdim(self.environment.observation_space)

    @property
    def outputs(self) -> int:
        return _outputs(self.environment.action_space)

    @property
    def environment(self) -> gymnasium.Env:
        """The environment of this process."""
        if self._environment is None:
            self._environment = self._make()
        return self._environment

    @property
    def threshold(self) -> float | None:
        """The return from which the environment's authors count it as solved; None if they do not say."""
        return None if self.environment.spec is None else self.environment.spec.reward_threshold

    def __call__(self, individual: Any) -> Outcome:
        lived = self.rollouts(individual)
        behave = BEHAVIOURS[self.behaviour] if isinstance(self.behaviour, str) else self.behaviour
        behaviours = [np.asarray(behave(episode), dtype=float).ravel() for episode in lived]
        returns = [float(episode.rewards.sum()) for episode in lived]
        return Outcome((sum(returns) / len(returns),), behaviour=np.concatenate(behaviours))

    def rollouts(self, individual: Any) -> list[Episode]:
        """The episodes of an individual."""
        return [self._rollout(individual, self.seed + number) for number in range(self.episodes)]

    def solved(self, values: Sequence[float]) -> bool:
        """Whether an `Outcome`, or the values of a fitness, reach the environment's own threshold."""
        if self.threshold is None:
            raise ValueError(f"{self!r} has no reward threshold; pass a threshold that solves it")
        return values[0] >= self.threshold

    def _make(self) -> gymnasium.Env:
        if callable(self.env_id):
            environment = self.env_id()
        else:
            environment = gymnasium.make(self.env_id, disable_env_checker=True)
        unlimited = environment.spec is None or environment.spec.max_episode_steps is None
        if self.steps is None and unlimited:
            raise ValueError(f"steps must be given for {self.env_id!r}: it has no limit of its own, got None")
        return environment

    def _rollout(self, individual: Any, seed: int) -> Episode:
        environment = self.environment
        observations, actions = environment.observation_space, environment.action_space
        if self.controller is not None:
            policy = self.controller(individual)
        else:
            make = network_policy if hasattr(individual, "genes") else linear_policy
            try:
                policy = make(individual, observations, actions)
            except ValueError as error:
                raise ValueError(f"environment {self.env_id!r}: {error}") from None
        observation, _ = environment.reset(seed=seed)
        # rows are copies: environments and policies may write to one array again
        observed, taken, ended, limited = [self._row("observation", observations, observation)], [], False, False
        rewards: list[float] = []
        while not (ended or limited or len(rewards) == self.steps):
            action = policy(observation)
            taken.append(self._row("action", actions, action))
            observation, reward, ended, limited, _ = environment.step(action)
            observed.append(self._row("observation", observations, observation))
            rewards.append(self._reward(reward, len(rewards) + 1))
        return Episode(
            np.array(observed), np.array(taken), np.array(rewards, dtype=float), bool(ended), observations, actions
        )

    def _reward(self, reward: Any, step: int) -> float:
        """Return the reward of a step as a number."""
        try:
            number = float(reward)
        except (TypeError, ValueError):
            number = math.nan
        if math.isnan(number):
            raise ValueError(
                f"rewards of environment {self.env_id!r} must be numbers, got {brief(reward)} at step {step}; "
                "correct them in the environment, or with gymnasium.wrappers.TransformReward"
            )
        return number

    def _row(self, kind: str, space: spaces.Space, point: Any) -> np.ndarray:
        """An observation or action of the space as a new row of finite numbers."""
        row = _flat(space, point, strict=kind == "observation")
        if row is None:
            raise ValueError(
                f"{kind}s of environment {self.env_id!r} must fit its {kind}_space {space}, "
                f"got {brief(point)} of shape {_shape(point)}; correct {REMEDIES[kind]}, or the {kind}_space"
            )
        if np.count_nonzero(np.isfinite(row)) < len(row):  # half the time of all()
            raise ValueError(
                f"{kind}s of environment {self.env_id!r} must be finite, got {brief(row.tolist())}; "
                f"correct {REMEDIES[kind]}"
            )
        return row

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_environment": None}

    def __repr__(self) -> str:
        return f"GymTask({self.env_id!r})"


def network_policy(genome: Any, observations: spaces.Space, actions: spaces.Space) -> Policy:
    """The policy of a NEAT genome: its network, one pass a step, its outputs from 0 to 1 made an action.

    The network sees a 1, then the observation, of which bounded numbers are scaled to -1 to 1. For a Box of actions an
    output of 0 is the lowest and 1 the highest action; of a Discrete choice the largest output wins.
    """
    see, act = _sense(observations), _act(actions)
    network = express(genome)
    wanted = 1 + spaces.flatdim(observations), _outputs(actions)
    if (network.inputs, network.outputs) != wanted:
        raise ValueError(
            f"a genome for this environment has {wanted[0]} inputs and {wanted[1]} outputs, "
            f"got {network.inputs} and {network.outputs}"
        )
    if isinstance(actions, spaces.Box) and network.output_activation.function not in FROM_0_TO_1:
        raise ValueError(
            f"a default policy acts in a Box with outputs from 0 to 1, so that output_activation must be one of "
            f"{', '.join(FROM_0_TO_1)}, got {network.output_activation}: give a controller"
        )
    return lambda observation: act(network.activate(see(observation)))


def linear_policy(weights: Sequence[float], observations: spaces.Space, actions: spaces.Space) -> Policy:
    """The policy of a flat sequence of weights: one row for each output, over a bias and the observation.

    What it sees and how its outputs, after a logistic function, become an action is as for `network_policy`.
    """
    see, act = _sense(observations), _act(actions)
    shape = _outputs(actions), 1 + spaces.flatdim(observations)
    matrix = np.asarray(weights, dtype=float)
    if matrix.size != shape[0] * shape[1]:
        raise ValueError(
            f"a linear policy for this environment has {shape[0]} x {shape[1]} weights, got {matrix.size} numbers"
        )
    matrix = matrix.reshape(shape)
    return lambda observation: act(0.5 + 0.5 * np.tanh(0.5 * (matrix @ see(observation))))


def final(episode: Episode) -> np.ndarray:
    """The last observation."""
    return episode.observations[-1]


def cells(
    episode: Episode, count: int = 10, numbers: Sequence[int] | None = None, bounds: Any | None = None
) -> np.ndarray:
    """Which cells of a grid were visited, 1 or 0 each.

    Parameters
    ----------
    count
        Cells along each side.
    numbers
        Which numbers of an observation make the grid; all if None.
    bounds
        Lows and highs of these numbers; those of the observation space if None.
    """
    numbers = range(episode.observations.shape[1]) if numbers is None else numbers
    seen = episode.observations[:, list(numbers)]
    if bounds is None:
        space = episode.observation_space
        if not isinstance(space, spaces.Box) or not space.is_bounded():
            raise ValueError(f"bounds must be given for visited cells: the observation space has none, it is {space}")
        bounds = space.low.ravel()[list(numbers)], space.high.ravel()[list(numbers)]
    if count ** seen.shape[1] > MOST_CELLS:
        raise ValueError(
            f"there are at most {MOST_CELLS} cells, got {count} along each of {seen.shape[1]} sides: choose fewer"
        )
    low, high = (np.asarray(side, dtype=float) for side in bounds)
    width = np.where(high > low, high - low, 1.0)
    # clipped before they become integers, which cannot hold what is far outside
    places = np.clip(count * (seen - low) / width, 0, count - 1).astype(int)
    visited = np.zeros((count,) * seen.shape[1])
    visited[tuple(places.T)] = 1.0
    return visited.ravel()


def actions(episode: Episode, parts: int = 3) -> np.ndarray:
    """How often each action was taken, as a share of the steps; of a Box, each of so many equal parts of every side."""
    space, taken = episode.action_space, episode.actions
    if isinstance(space, spaces.Discrete):
        return np.bincount(taken[:, 0].astype(int) - int(space.start), minlength=int(space.n)) / len(taken)
    if not isinstance(space, spaces.Box) or not space.is_bounded():
        raise ValueError(f"frequencies are of Discrete actions or a bounded Box, got {space}: give a callable")
    low, high = space.low.ravel(), space.high.ravel()
    width = np.where(high > low, high - low, 1.0)
    places = np.clip(parts * (taken - low) / width, 0, parts - 1).astype(int)
    return np.stack([(places == part).mean(axis=0) for part in range(parts)], axis=1).ravel()


BEHAVIOURS: dict[str, Callable[[Episode], np.ndarray]] = {"final": final, "cells": cells, "actions": actions}


def _flat(space: spaces.Space, point: Any, strict: bool) -> np.ndarray | None:
    """A point of a space as a new row of numbers; None if it does not fit.

    Points of a Box have its shape if `strict`, otherwise its size: an action may be a number where one is asked for.
    """
    try:
        if isinstance(space, spaces.Box):
            if np.iscomplexobj(point):  # numpy discards imaginary parts with a warning only
                return None
            numbers = np.array(point, dtype=float)
            fits = numbers.shape == space.shape or (numbers.size == math.prod(space.shape) and not strict)
        elif isinstance(space, spaces.Discrete):
            numbers = np.array(point, dtype=float)
            fits = numbers.size == 1 and not (numbers < space.start or numbers >= space.start + space.n)
        else:
            numbers = np.array(spaces.flatten(space, point), dtype=float)
            fits = numbers.size == spaces.flatdim(space)
    except (TypeError, ValueError, LookupError, AttributeError, OverflowError):
        return None
    return numbers.ravel() if fits else None


def _shape(point: Any) -> Any:
    """The shape of a point as a message reports it."""
    try:
        return np.shape(point)
    except ValueError:
        return "unequal rows"


def _outputs(space: spaces.Space) -> int:
    if isinstance(space, spaces.Discrete):
        return int(space.n)
    if isinstance(space, spaces.Box) and space.is_bounded():
        return int(np.prod(space.shape))
    raise ValueError(f"a default policy acts in Discrete or a bounded Box, got {space}: give a controller")


def _sense(space: spaces.Space) -> Callable[[Any], np.ndarray]:
    """What a default policy sees of an observation: a bias, then numbers, scaled where they are bounded."""
    if not isinstance(space, spaces.Box):
        raise ValueError(f"a default policy sees a Box, got {space}: give a controller")
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
    """How outputs from 0 to 1 become an action."""
    _outputs(space)
    if isinstance(space, spaces.Discrete):
        return lambda outputs: int(space.start) + int(np.argmax(outputs))
    assert isinstance(space, spaces.Box)
    low, width = space.low.astype(float), space.high.astype(float) - space.low
    return lambda outputs: (low + width * np.reshape(outputs, low.shape)).astype(space.dtype)
