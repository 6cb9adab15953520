"""Evaluation tasks in gymnasium environments: individuals define policies, and episodes determine outcomes."""

import math
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import gymnasium
import numpy as np
from gymnasium import spaces

from divergent.individual import Outcome
from divergent.problems._gymnasium_behaviours import Episode, actions, cells, final
from divergent.problems._gymnasium_policies import Policy, count_outputs, linear_policy, network_policy
from divergent.validation import brief, check_at_least, is_integer

__all__ = ["BEHAVIOURS", "Episode", "GymTask", "actions", "cells", "final", "linear_policy", "network_policy"]

REMEDIES = {
    "observation": "the environment, for example with gymnasium.wrappers.TransformObservation",
    "action": "the policy that the controller returns",
}
FRAMES_PER_SECOND = 30  # frame rate if the environment specifies no frame rate
GIF_TICK = 10  # time unit of GIF files in milliseconds; browsers lengthen delays below two units


BEHAVIOURS: dict[str, Callable[[Episode], np.ndarray]] = {"final": final, "cells": cells, "actions": actions}

# Environments are not attributes of tasks, because checkpoints would include the environments' random generators.
_environments: "WeakKeyDictionary[GymTask, gymnasium.Env]" = WeakKeyDictionary()


class GymTask:
    """Evaluation of individuals: each individual's policy runs in episodes of a gymnasium environment.

    The task is called with an individual and returns an `Outcome` with fitness and behaviour (behaviour descriptor).
    The fitness is the return (sum of rewards). All evaluations use the same seeds, so that an outcome depends only on
    the individual. Each process creates the environment at first use, so a task can be sent to a pool of processes.

    Parameters
    ----------
    env_id : str or callable
        Id of a registered environment, or a function without arguments that returns an environment; a pool of processes
        requires a picklable function.
    controller : callable or None, default=None
        Function that converts an individual to a policy, which maps an observation to an action; None uses
        `network_policy` for NEAT genomes and `linear_policy` for sequences of numbers.
    behaviour : str or callable, default="final"
        Behaviour of an episode: "final" is the last observation, "cells" the visited cells of a grid over the
        observation space, and "actions" the frequency of each action; a callable maps an `Episode` to numbers.
    steps : int or None, default=None
        Maximum number of steps of an episode; None uses the time limit of the environment.
    episodes : int, default=1
        Number of episodes of an evaluation; fitness is the mean return, and the behaviours of the episodes are
        concatenated.
    seed : int, default=0
        Seed of the first episode; the seed increases by 1 for each further episode.

    Attributes
    ----------
    inputs : int
        Number of inputs of a default policy: a bias of 1 and the dimensions of an observation.
    outputs : int
        Number of outputs of a default policy: the number of Box dimensions or of Discrete actions.

    Raises
    ------
    ValueError
        If an argument is invalid. An evaluation raises a ValueError if an observation or action is not finite or does
        not match its space, or if a reward is NaN.

    See Also
    --------
    divergent.Problem : Problem definition whose argument `solved` can be `GymTask.solved`.

    Examples
    --------
    A network without connections outputs 0.5, which the policy maps to a force of 0, so the car stays in the valley:

    >>> from divergent.neat import Genome
    >>> task = GymTask("MountainCarContinuous-v0", steps=50)
    >>> task.inputs, task.outputs
    (3, 1)

    >>> genome = Genome([], inputs=task.inputs, outputs=task.outputs)
    >>> outcome = task(genome)
    >>> outcome[0] == 0.0, outcome.behaviour.shape, task.solved(genome)
    (True, (2,), False)
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

    @property
    def inputs(self) -> int:
        return 1 + spaces.flatdim(self.environment.observation_space)

    @property
    def outputs(self) -> int:
        return count_outputs(self.environment.action_space)

    @property
    def environment(self) -> gymnasium.Env:
        """The environment of the task in this process, created at first use."""
        if self not in _environments:
            _environments[self] = self._make()
        return _environments[self]

    @property
    def threshold(self) -> float | None:
        """Smallest mean return that counts as solved, or None if the environment specifies no reward threshold."""
        return None if self.environment.spec is None else self.environment.spec.reward_threshold

    def __call__(self, individual: Any) -> Outcome:
        lived = self.rollouts(individual)
        behave = BEHAVIOURS[self.behaviour] if isinstance(self.behaviour, str) else self.behaviour
        behaviours = [np.asarray(behave(episode), dtype=float).ravel() for episode in lived]
        returns = [float(episode.rewards.sum()) for episode in lived]
        return Outcome((sum(returns) / len(returns),), behaviour=np.concatenate(behaviours))

    def policy(self, individual: Any) -> Policy:
        """Return the policy that an individual defines.

        Parameters
        ----------
        individual : object
            A NEAT genome, a sequence of numbers, or any object that the controller accepts.

        Returns
        -------
        callable
            Function that maps an observation to an action. The policy of a recurrent network has a state, so create a
            new policy for each episode.

        Raises
        ------
        ValueError
            If the individual does not match the observation and action spaces, or if no default policy supports
            these spaces.

        Examples
        --------
        >>> task = GymTask("MountainCarContinuous-v0", steps=50)
        >>> task.policy([0.0, 0.0, 0.0])(np.array([-0.5, 0.0]))
        array([0.], dtype=float32)
        """
        if self.controller is not None:
            return self.controller(individual)
        make = network_policy if hasattr(individual, "genes") else linear_policy
        try:
            return make(individual, self.environment.observation_space, self.environment.action_space)
        except ValueError as error:
            raise ValueError(f"environment {self.env_id!r}: {error}") from None

    def rollouts(self, individual: Any) -> list[Episode]:
        """Run the policy of an individual and return its episodes.

        Parameters
        ----------
        individual : object
            The individual.

        Returns
        -------
        list of Episode
            One episode for each seed.
        """
        return [self._rollout(self.environment, individual, self.seed + number) for number in range(self.episodes)]

    def solved(self, individual: Any) -> bool:
        """Return whether an individual reaches the reward threshold of the environment.

        Parameters
        ----------
        individual : object
            An individual, an `Outcome` or fitness values. If an individual has no valid fitness, it is evaluated.

        Returns
        -------
        bool
            Whether the mean return is at least `threshold`.

        Raises
        ------
        ValueError
            If the environment has no reward threshold.
        """
        threshold = self.threshold
        if threshold is None:
            raise ValueError(
                f"the environment must have a reward threshold, got {self!r} without a threshold; "
                "compare the fitness with a custom threshold"
            )
        fitness = getattr(individual, "fitness", None)
        if fitness is not None and fitness.valid:
            return fitness.values[0] >= threshold
        is_values = isinstance(individual, Sequence | np.ndarray) and len(individual) == 1 and fitness is None
        return (individual if is_values else self(individual))[0] >= threshold

    def animate(self, individual: Any, path: str | PathLike[str], *, episode: int = 0, every: int = 1) -> Path:
        """Save an episode of an individual as an animated GIF.

        Parameters
        ----------
        individual : object
            The individual.
        path : path-like
            The file to write; its name ends with ".gif".
        episode : int, default=0
            Index of the episode, starting at 0; the index is added to the seed of the task.
        every : int, default=1
            Number of steps from one frame to the next; the GIF still plays at the speed of the environment.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        ValueError
            If the file name does not end with ".gif", or if the environment does not render images.
        """
        check_at_least(0, episode=episode)
        check_at_least(1, every=every)
        path = Path(path)
        if path.suffix.lower() != ".gif":
            raise ValueError(f"path must end with .gif, got {brief(str(path))}; save a GIF, then convert it")
        environment = self._make("rgb_array")
        try:
            if environment.render_mode != "rgb_array":
                raise ValueError(
                    f"environment {self.env_id!r} must have the render mode 'rgb_array' for an animation, "
                    f"got {environment.render_mode!r}; create it with gymnasium.make(..., render_mode='rgb_array')"
                )
            frames: list[Any] = []
            self._rollout(environment, individual, self.seed + episode, frames)
        finally:
            environment.close()
        _save_gif(frames, path, environment.metadata.get("render_fps", FRAMES_PER_SECOND), every)
        return path

    def _make(self, render_mode: str | None = None) -> gymnasium.Env:
        """Create an environment; if `env_id` is a function, the function determines the render mode."""
        if callable(self.env_id):
            environment = self.env_id()
        else:
            environment = gymnasium.make(self.env_id, disable_env_checker=True, render_mode=render_mode)
        unlimited = environment.spec is None or environment.spec.max_episode_steps is None
        if self.steps is None and unlimited:
            raise ValueError(
                f"steps must be an integer if the environment has no time limit, got None for {self.env_id!r}"
            )
        return environment

    def _rollout(
        self, environment: gymnasium.Env, individual: Any, seed: int, frames: list[Any] | None = None
    ) -> Episode:
        """Run one episode of an individual and append rendered images to `frames`, unless `frames` is None."""
        observations, actions = environment.observation_space, environment.action_space
        policy = self.policy(individual)
        observation, _ = environment.reset(seed=seed)
        # observations and actions are copied, because environments and policies may reuse their arrays
        observed, taken, ended, limited = [self._row("observation", observations, observation)], [], False, False
        rewards: list[float] = []
        if frames is not None:
            frames.append(environment.render())
        while not (ended or limited or len(rewards) == self.steps):
            action = policy(observation)
            taken.append(self._row("action", actions, action))
            observation, reward, ended, limited, _ = environment.step(action)
            observed.append(self._row("observation", observations, observation))
            rewards.append(self._reward(reward, len(rewards) + 1))
            if frames is not None:
                frames.append(environment.render())
        return Episode(
            np.array(observed), np.array(taken), np.array(rewards, dtype=float), bool(ended), observations, actions
        )

    def _reward(self, reward: Any, step: int) -> float:
        """Convert the reward of a step to a float; raise an error if it is not a number."""
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
        """Convert an observation or action to a new flat array of finite numbers."""
        row = _flat(space, point, strict=kind == "observation")
        if row is None:
            raise ValueError(
                f"observations and actions must match their spaces, got an invalid {kind} in environment "
                f"{self.env_id!r} with {kind} space {space}: {brief(point)} of shape {_shape(point)}; "
                f"correct {REMEDIES[kind]}, or correct the {kind} space"
            )
        # The check for finite numbers runs at every step, and `count_nonzero` is twice as fast as `all`.
        if np.count_nonzero(np.isfinite(row)) < len(row):
            raise ValueError(
                f"observations and actions must be finite, got an invalid value ({kind} in environment "
                f"{self.env_id!r}): {brief(row.tolist())}; correct {REMEDIES[kind]}"
            )
        return row

    def __repr__(self) -> str:
        return f"GymTask({self.env_id!r})"


def _flat(space: spaces.Space, point: Any, strict: bool) -> np.ndarray | None:
    """Return an observation or action as a flat array, or None if it does not match the space.

    If `strict` is True, an array must have the shape of its Box space. If `strict` is False, only the size of
    the array must match, so that an action may be a scalar.
    """
    try:
        if isinstance(space, spaces.Box):
            if np.iscomplexobj(point):  # NumPy would discard imaginary parts and only issue a warning
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


def _save_gif(frames: list[Any], path: Path, frames_per_second: float, every: int) -> None:
    """Write every `every`-th frame and the last frame to a GIF file, at the environment's frame rate if possible."""
    from PIL import Image

    delay = max(2 * GIF_TICK, round(1000 * every / frames_per_second / GIF_TICK) * GIF_TICK)
    shown = frames[::every] + frames[-1:] * ((len(frames) - 1) % every > 0)
    images = [Image.fromarray(np.asarray(frame, dtype=np.uint8)).quantize(64) for frame in shown]
    images[0].save(path, save_all=True, append_images=images[1:], duration=delay, loop=0)


def _shape(point: Any) -> Any:
    """Return the shape of an observation or action for an error message."""
    try:
        return np.shape(point)
    except ValueError:
        return "unequal rows"
