"""The maze task: drive an individual's network through a maze, and say how close it came and where it ended."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from divergent.individual import Outcome
from divergent.maze.files import read_maze
from divergent.maze.generator import GENERATED
from divergent.maze.maze import GOAL_RADIUS, Maze, check_maze
from divergent.maze.robot import (
    FIVE_RANGEFINDERS,
    INPUTS,
    OUTPUTS,
    SIX_RANGEFINDERS,
    Rollout,
    check_robot,
    check_steps,
    drive_expressed,
    drive_genes,
    finished,
    lay_out,
)
from divergent.neat.network import Network, check_expression, express, kind_of, rows
from divergent.validation import brief

BEST = 300.0  # the fitness at the goal itself
STEPS = {"medium": 400, "hard": 400, "very_hard": 500, "extremely_hard": 1000}
STEPS_GENERATED = 200
STEPS_ELSEWHERE = 400


def usual_steps(maze: str) -> int:
    """How many steps a robot usually has in a maze of this name: the paper's number, or 400.

    Examples
    --------
    >>> usual_steps("extremely_hard"), usual_steps("generated:3"), usual_steps("own.txt")
    (1000, 200, 400)
    """
    return STEPS_GENERATED if maze.startswith(GENERATED) else STEPS.get(maze, STEPS_ELSEWHERE)


class MazeTask:
    """Evaluate individuals by where their networks drive the robot.

    Called with a genome of 11 inputs and 2 outputs it returns an `Outcome`: the fitness, 300 minus the final distance
    to the goal, and the behaviour. It draws no random numbers and keeps nothing, so calls may run anywhere, in any
    order.

    Parameters
    ----------
    maze
        A `Maze`, or what `read_maze` accepts.
    steps
        How many steps a robot drives at most. None: the paper's number for the maze, by its name (medium and hard 400,
        very_hard 500, extremely_hard 1000, generated ones 200), and 400 for any other.
    samples
        None: the behaviour is the final position. A number m: the positions after m evenly spaced steps, the last of
        them the final one, as 2 m numbers; where the goal came first, the final position fills the rest.
    robot
        Which of the `ROBOTS` is driven: the one that the papers describe, or the original program's.
    silence_unreached : bool, default=False
        Whether nodes that no input reaches output 0, see `divergent.neat.express`.
    round_weights : int or None, default=None
        Decimals of the network's weights, see `divergent.neat.express`. None: weights are not rounded.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> standing = SimpleNamespace(genes=np.empty((0, 5)), inputs=11, outputs=2)
    >>> task = MazeTask("hard")
    >>> outcome = task(standing)
    >>> round(outcome[0], 2), outcome.behaviour.tolist(), task.solved(outcome)
    (135.92, [36.0, 184.0], False)
    """

    def __init__(
        self,
        maze: Maze | str,
        steps: int | None = None,
        samples: int | None = None,
        robot: str = SIX_RANGEFINDERS,
        silence_unreached: bool = False,
        round_weights: int | None = None,
    ):
        if isinstance(maze, Maze):
            check_maze(maze)
        else:
            maze = read_maze(maze)
        if steps is None:
            steps = usual_steps(maze.name)
        check_steps(steps)
        if samples is not None and not (isinstance(samples, int | np.integer) and 1 <= samples <= steps):
            raise ValueError(
                f"samples must be a whole number from 1 to the number of steps, {steps}; got {brief(samples)}"
            )
        check_robot(robot)
        check_expression(silence_unreached, round_weights)
        self.maze = maze
        self.steps = steps
        self.samples = samples
        self.robot = robot
        self.silence_unreached = silence_unreached
        self.round_weights = round_weights
        self._scale = 0.0 if round_weights is None else 10.0**round_weights
        self._walls, self._scene = lay_out(maze)
        self._goal = tuple(map(float, maze.goal))
        self._no_track = np.empty((0, 2))
        if samples is not None:
            self._sampled = np.rint(steps * np.arange(1, samples + 1) / samples).astype(int)

    def __call__(self, individual: Any) -> Outcome:
        if self.samples is None:
            x, y, _, _, _ = self._drive(individual, self._no_track)
            behaviour = np.array((x, y))
        else:
            track = np.empty((self.steps + 1, 2))
            x, y, _, steps, _ = self._drive(individual, track)
            behaviour = track[: steps + 1].take(self._sampled, axis=0, mode="clip").ravel()
        goal_x, goal_y = self._goal
        return Outcome((BEST - math.hypot(x - goal_x, y - goal_y),), behaviour)

    def many(self, individuals: Iterable[Any]) -> list[Outcome]:
        """The outcome of each."""
        return [self(individual) for individual in individuals]

    def rollout(self, individual: Any) -> Rollout:
        """The whole drive of an individual, with its trail."""
        track = np.empty((self.steps + 1, 2))
        return finished(self._drive(individual, track), track)

    def network(self, individual: Any) -> Network:
        """The network of an individual as it drives the robot."""
        return express(individual, silence_unreached=self.silence_unreached, round_weights=self.round_weights)

    def solved(self, values: Sequence[float]) -> bool:
        """Whether an `Outcome`, or the values of a fitness, mean that the goal was reached."""
        if not isinstance(values, Sequence | np.ndarray) or np.ndim(values) != 1 or not len(values):
            raise TypeError(f"values must be those of a fitness, numbers in a tuple, got {brief(values)}")
        return bool(values[0] > BEST - GOAL_RADIUS)

    def _drive(self, individual: Any, track: np.ndarray) -> Any:
        try:
            fits = individual.inputs == INPUTS and individual.outputs == OUTPUTS
        except AttributeError:
            raise TypeError(f"a genome has inputs, outputs and genes, got {brief(individual)}") from None
        if not fits:
            raise ValueError(
                f"a genome that drives the robot has {INPUTS} inputs and {OUTPUTS} outputs, "
                f"got {individual.inputs} and {individual.outputs}"
            )
        genes, kind, original = rows(individual), kind_of(individual), self.robot == FIVE_RANGEFINDERS
        if self.silence_unreached or self._scale:
            options = self.silence_unreached, self._scale
            return drive_expressed(genes, kind, original, *options, self._walls, self._scene, self.steps, track)
        return drive_genes(genes, kind, original, self._walls, self._scene, self.steps, track)

    def __reduce__(self) -> tuple[Any, ...]:
        options = self.silence_unreached, self.round_weights
        return MazeTask, (self.maze, self.steps, self.samples, self.robot, *options)

    def __repr__(self) -> str:
        silence = ", silence_unreached=True" if self.silence_unreached else ""
        digits = "" if self.round_weights is None else f", round_weights={self.round_weights}"
        shown = f"steps={self.steps}, samples={self.samples}, robot={self.robot!r}{silence}{digits}"
        return f"MazeTask({self.maze.name!r}, {shown})"
