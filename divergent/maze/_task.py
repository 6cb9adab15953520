"""The maze task: evaluate a genome by a rollout of its network in a maze."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from divergent.individual import Outcome
from divergent.maze._files import default_steps, read_maze
from divergent.maze._maze import BEST, GOAL_RADIUS, Maze, check_maze
from divergent.maze._robot import Rollout, as_rollout, check_robot, check_steps
from divergent.maze._rollout import INPUTS, OUTPUTS, drive_expressed, drive_genes, make_layout
from divergent.maze._rules import FIVE_RANGEFINDERS, SIX_RANGEFINDERS
from divergent.neat.network import Network, check_expression, express, gene_array, node_kinds
from divergent.validation import brief, is_integer


class MazeTask:
    """Evaluation of genomes by rollouts of their networks in a maze.

    The task is called with a genome of 11 inputs and 2 outputs and returns an `Outcome` with fitness and behaviour
    (behaviour descriptor). The fitness is 300 minus the final distance to the goal. The task draws no random
    numbers and has no state, so evaluations can run in any process and order.

    Parameters
    ----------
    maze : Maze or str
        A `Maze`, or a maze name or path for `read_maze`.
    steps : int or None, default=None
        Largest number of simulation steps. None uses the numbers of Gravina et al. (2017): 400 for medium and
        hard, 500 for very_hard, 1000 for extremely_hard and 200 for generated mazes. For any other maze, None uses 400.
    samples : int or None, default=None
        Number of positions that form the behaviour. The positions are taken at evenly spaced steps and end with the
        final position. If the goal is reached early, the final position is repeated. None uses only the final position.
    robot : str, default="six-rangefinder"
        Name of a robot in `ROBOTS`: "six-rangefinder" as in the papers, or "five-rangefinder" as in Lehman's program.
    silence_unreached : bool, default=False
        Whether to set the output of nodes that are unreachable from the inputs to 0, see `divergent.neat.express`.
    round_weights : int or None, default=None
        Number of decimals to which the network's weights are rounded, see `divergent.neat.express`; None disables
        rounding.

    Raises
    ------
    ValueError
        If a parameter is invalid.

    See Also
    --------
    drive : Run a controller.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> unconnected = SimpleNamespace(genes=np.empty((0, 5)), inputs=11, outputs=2)
    >>> task = MazeTask("hard")
    >>> outcome = task(unconnected)
    >>> round(outcome[0], 2), outcome.behaviour.tolist()
    (135.92, [36.0, 184.0])

    >>> task.solved(outcome)
    False
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
            steps = default_steps(maze.name)
        check_steps(steps)
        if samples is not None and not (is_integer(samples) and 1 <= samples <= steps):
            raise ValueError(f"samples must be an integer from 1 to the number of steps {steps}, got {brief(samples)}")
        check_robot(robot)
        check_expression(silence_unreached, round_weights)
        self.maze = maze
        self.steps = steps
        self.samples = samples
        self.robot = robot
        self.silence_unreached = silence_unreached
        self.round_weights = round_weights
        self._scale = 0.0 if round_weights is None else 10.0**round_weights
        self._walls, self._scene = make_layout(maze)
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
        """Evaluate several individuals.

        Parameters
        ----------
        individuals : iterable of Genome
            The individuals.

        Returns
        -------
        list of Outcome
            One outcome for each individual.
        """
        return [self(individual) for individual in individuals]

    def rollout(self, individual: Any) -> Rollout:
        """Run the rollout of an individual and record all positions.

        Parameters
        ----------
        individual : Genome
            The individual.

        Returns
        -------
        Rollout
            The rollout.
        """
        track = np.empty((self.steps + 1, 2))
        return as_rollout(self._drive(individual, track), track)

    def network(self, individual: Any) -> Network:
        """Express the network of an individual with the options of the task.

        Parameters
        ----------
        individual : Genome
            The individual.

        Returns
        -------
        Network
            The network that drives the robot.
        """
        return express(individual, silence_unreached=self.silence_unreached, round_weights=self.round_weights)

    def solved(self, values: Sequence[float]) -> bool:
        """Return whether the fitness shows that the robot reached the goal.

        Parameters
        ----------
        values : sequence of float
            An `Outcome`, or the `values` of a DEAP fitness.

        Returns
        -------
        bool
            Whether the final distance to the goal is below 5.

        Raises
        ------
        TypeError
            If `values` is not a non-empty sequence of numbers.
        """
        if not isinstance(values, Sequence | np.ndarray) or np.ndim(values) != 1 or not len(values):
            raise TypeError(f"values must be a tuple of fitness values, got {brief(values)}")
        return bool(values[0] > BEST - GOAL_RADIUS)

    def _drive(self, individual: Any, track: np.ndarray) -> Any:
        """Run the compiled rollout of an individual."""
        try:
            fits = individual.inputs == INPUTS and individual.outputs == OUTPUTS
        except AttributeError:
            raise TypeError(f"a genome must have inputs, outputs and genes, got {brief(individual)}") from None
        if not fits:
            raise ValueError(
                f"a genome that drives the robot must have {INPUTS} inputs and {OUTPUTS} outputs, "
                f"got {individual.inputs} and {individual.outputs}"
            )
        genes, kind, five_rangefinders = gene_array(individual), node_kinds(individual), self.robot == FIVE_RANGEFINDERS
        if self.silence_unreached or self._scale:
            options = self.silence_unreached, self._scale
            return drive_expressed(
                genes, kind, five_rangefinders, *options, self._walls, self._scene, self.steps, track
            )
        return drive_genes(genes, kind, five_rangefinders, self._walls, self._scene, self.steps, track)

    def __reduce__(self) -> tuple[Any, ...]:
        options = self.silence_unreached, self.round_weights
        return MazeTask, (self.maze, self.steps, self.samples, self.robot, *options)

    def __repr__(self) -> str:
        silence = ", silence_unreached=True" if self.silence_unreached else ""
        digits = "" if self.round_weights is None else f", round_weights={self.round_weights}"
        shown = f"steps={self.steps}, samples={self.samples}, robot={self.robot!r}{silence}{digits}"
        return f"MazeTask({self.maze.name!r}, {shown})"
