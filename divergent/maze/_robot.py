"""The simulated robot: sensors, motion and rollouts of a controller."""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from divergent.maze._maze import GOAL_RADIUS, Maze
from divergent.maze._rollout import (
    INPUTS,
    OUTPUTS,
    REAR,
    Layout,
    make_layout,
    rollout,
    sense_at,
    shift_radar_weights,
    step_pose,
)
from divergent.maze._rules import FIVE_RANGEFINDERS, ROBOTS, SIX_RANGEFINDERS
from divergent.neat.network import Network, node_kinds
from divergent.validation import brief, is_integer

MAX_STEPS = 10_000_000  # largest number of steps of a rollout
LARGEST_POSITION = 1e9  # largest absolute value of a coordinate or heading


class Pose(NamedTuple):
    """Position and motion of a robot.

    Parameters
    ----------
    x : float
        x coordinate in maze units.
    y : float
        y coordinate in maze units.
    heading : float
        Heading in degrees.
    speed : float, default=0.0
        Speed in maze units per step.
    turn : float, default=0.0
        Turning rate in degrees per step.
    """

    x: float
    y: float
    heading: float
    speed: float = 0.0
    turn: float = 0.0


class Rollout(NamedTuple):
    """Result of a rollout.

    Parameters
    ----------
    end : tuple of float
        Final position.
    heading : float
        Final heading in degrees.
    reached : bool
        Whether the centre of the robot came closer than 5 units to the goal, which ends the rollout.
    steps : int
        Number of simulated steps.
    trail : numpy.ndarray or None
        All positions, beginning with the start, shape (steps + 1, 2); None if positions were not recorded.
    """

    end: tuple[float, float]
    heading: float
    reached: bool
    steps: int
    trail: np.ndarray | None


def sense(maze: Maze, position: Sequence[float], heading: float, robot: str = SIX_RANGEFINDERS) -> np.ndarray:
    """Compute the sensor readings of the robot: 11 numbers from 0 to 1.

    The first reading, reading 0, is a bias input and always 1. Readings 1 to 6 come from rangefinders at -90, -45, 0,
    45, 90 and 180 degrees from the heading. A rangefinder reads the distance to the nearest wall along its ray, divided
    by the range of 100 and limited to 1. Readings 7 to 10 come from four radars with sectors of 90 degrees, centred at
    0, 90, 180 and 270 degrees from the heading. A radar reads 1 if the goal lies in its sector, otherwise 0. The
    five-rangefinder robot has no rear rangefinder: its readings 6 to 9 come from the radars, and reading 10 is always
    0.

    Parameters
    ----------
    maze : Maze
        The maze.
    position : sequence of float
        Position (x, y) of the robot in maze units.
    heading : float
        Heading in degrees.
    robot : str, default="six-rangefinder"
        Name of a robot in `ROBOTS`.

    Returns
    -------
    numpy.ndarray
        The readings, shape (11,).

    See Also
    --------
    step : Move the robot.

    Examples
    --------
    >>> from divergent.maze import read_maze
    >>> maze = read_maze("medium")
    >>> sense(maze, maze.start, maze.heading).round(3).tolist()
    [1.0, 0.168, 0.237, 0.664, 0.725, 1.0, 0.223, 1.0, 0.0, 0.0, 0.0]
    >>> sense(maze, maze.start, maze.heading, robot="five-rangefinder").round(3).tolist()
    [1.0, 0.168, 0.237, 0.664, 0.725, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]
    """
    check_robot(robot)
    x, y, heading = _validate_numbers("position and heading", (*_pair("position", position), heading))
    readings = np.empty(INPUTS)
    layout = make_layout(maze)
    sense_at(layout.walls, x, y, heading, *layout.scene[3:].tolist(), readings)
    readings[np.isnan(readings)] = 0.0  # next to a wall, 1 / distance can overflow and give NaN
    return _robot_inputs(readings, robot)


def step(pose: Pose, outputs: Sequence[float], maze: Maze) -> Pose:
    """Move the robot by one step.

    The first output minus 0.5 is added to the turning rate, and the second output minus 0.5 is added to the speed.
    Turning rate and speed are then limited to the range -3 to 3. The robot moves along its old heading and then turns.
    If the move would bring the robot's centre closer than 8 units to a wall, the robot only turns.

    Parameters
    ----------
    pose : Pose
        Position and motion before the step.
    outputs : sequence of float
        Two controller outputs from 0 to 1: the first changes the turning rate, the second changes the speed.
    maze : Maze
        The maze.

    Returns
    -------
    Pose
        Position and motion after the step.

    See Also
    --------
    drive : Run many steps.

    Examples
    --------
    >>> from divergent.maze import read_maze
    >>> step(Pose(30.0, 22.0, 0.0), (0.5, 1.0), read_maze("medium"))
    Pose(x=30.5, y=22.0, heading=0.0, speed=0.5, turn=0.0)
    """
    numbers = _validate_numbers("a pose and the outputs", (*_numbers("pose", pose, 5), *_pair("outputs", outputs)))
    return Pose(*step_pose(make_layout(maze).walls, *numbers))


def drive(
    controller: Callable[[np.ndarray], Any], maze: Maze, steps: int, trail: bool = False, robot: str = SIX_RANGEFINDERS
) -> Rollout:
    """Run a controller from the start of a maze until the robot reaches the goal or the step limit is reached.

    Parameters
    ----------
    controller : Network or callable
        A `Network` must have 11 inputs and 2 outputs, and runs in compiled code. Before the first step, the network is
        activated 10 times with the first sensor readings. Any other callable receives the 11 readings of `sense` in
        every step and returns 2 outputs, see `step`.
    maze : Maze
        The maze.
    steps : int
        Largest number of steps.
    trail : bool, default=False
        Whether to record all positions.
    robot : str, default="six-rangefinder"
        Name of a robot in `ROBOTS`; robots differ in their sensor readings, see `sense`.

    Returns
    -------
    Rollout
        The end of the rollout and, if requested, all positions.

    Raises
    ------
    TypeError
        If the controller is not callable.
    ValueError
        If an argument is invalid, or the controller returns anything but two finite numbers.

    See Also
    --------
    MazeTask : Evaluate genomes.

    Examples
    --------
    >>> from divergent.maze import read_maze
    >>> rollout = drive(lambda inputs: (0.5, 1.0), read_maze("medium"), steps=10)
    >>> rollout.end
    (52.5, 22.0)

    >>> rollout.reached, rollout.steps
    (False, 10)
    """
    check_steps(steps)
    check_robot(robot)
    if not callable(controller):
        raise TypeError(f"controller must be a Network or a callable with {INPUTS} inputs, got {brief(controller)}")
    track = np.empty((steps + 1 if trail else 0, 2))
    layout = make_layout(maze)
    if isinstance(controller, Network):
        if (controller.inputs, controller.outputs) != (INPUTS, OUTPUTS):
            raise ValueError(
                f"a network that drives the robot must have {INPUTS} inputs and {OUTPUTS} outputs, "
                f"got {controller.inputs} and {controller.outputs}"
            )
        if not np.isfinite(controller.weights).all():
            raise ValueError("weights of the controller must be finite, got nan or infinity")
        weights = controller.weights
        if robot == FIVE_RANGEFINDERS:
            weights = weights.copy()
            shift_radar_weights(weights)
        result = rollout(weights, node_kinds(controller), controller.silent, *layout, steps, track)
    else:
        result = _drive_callable(controller, layout, steps, track, robot)
    return as_rollout(result, track)


def _numbers(name: str, numbers: Any, count: int) -> tuple[Any, ...]:
    """Convert an argument to a tuple; raise an error unless it has `count` values."""
    try:
        values = tuple(numbers)
    except TypeError:
        values = ()
    if len(values) != count:
        raise ValueError(f"{name} must be a sequence of {count} numbers, got {brief(numbers)}")
    return values


def _pair(name: str, numbers: Any) -> tuple[Any, ...]:
    """Convert an argument to a tuple; raise an error unless it has two values."""
    return _numbers(name, numbers, 2)


def _validate_numbers(name: str, numbers: Any) -> list[float]:
    """Convert numbers to floats; raise an error unless all are finite and of magnitude at most 1e9."""
    try:
        values = [float(number) for number in numbers]
    except (TypeError, ValueError, OverflowError):
        values = [math.nan]
    if not all(abs(number) <= LARGEST_POSITION for number in values):
        raise ValueError(
            f"{name} must be finite numbers of magnitude at most {LARGEST_POSITION:g}, got {brief(numbers)}"
        )
    return values


def check_steps(steps: int) -> None:
    """Raise a ValueError unless `steps` is an integer from 1 to MAX_STEPS."""
    if not is_integer(steps) or steps < 1:
        raise ValueError(f"steps must be an integer of at least 1, got {brief(steps)}")
    if steps > MAX_STEPS:
        raise ValueError(f"steps must be at most {MAX_STEPS:,}, got {brief(steps)}")


def check_robot(robot: str) -> None:
    """Raise a ValueError unless `robot` is a name in `ROBOTS`."""
    if not isinstance(robot, str) or robot not in ROBOTS:
        raise ValueError(f"unknown robot {brief(robot)}; choose from {', '.join(ROBOTS)}")


def _robot_inputs(readings: np.ndarray, robot: str) -> np.ndarray:
    """Convert the sensor readings of the six-rangefinder robot to the controller inputs of the given robot."""
    inputs = readings.copy()
    if robot == FIVE_RANGEFINDERS:
        inputs[REAR:-1] = readings[REAR + 1 :]
        inputs[-1] = 0.0
    return inputs


def _drive_callable(
    controller: Callable[[np.ndarray], Any], layout: Layout, steps: int, track: np.ndarray, robot: str
) -> tuple[float, float, float, int, bool]:
    """Run the rollout of a controller that is not a `Network`."""
    x, y, heading, goal_x, goal_y = layout.scene.tolist()
    pose = (x, y, heading, 0.0, 0.0)
    readings = np.empty(INPUTS)
    done = 0
    track[:1] = pose[:2]
    reached = math.hypot(x - goal_x, y - goal_y) < GOAL_RADIUS
    while done < steps and not reached:
        sense_at(layout.walls, *pose[:3], goal_x, goal_y, readings)
        turn, accelerate = _validate_outputs(controller(_robot_inputs(readings, robot)), done + 1)
        pose = step_pose(layout.walls, *pose, turn, accelerate)
        done += 1
        track[done : done + 1] = pose[:2]
        reached = math.hypot(pose[0] - goal_x, pose[1] - goal_y) < GOAL_RADIUS
    return *pose[:3], done, reached


def _validate_outputs(outputs: Any, number: int) -> list[float]:
    """Convert controller outputs to floats; raise an error unless they are two finite numbers."""
    try:
        if np.iscomplexobj(outputs):
            raise TypeError
        values = np.asarray(outputs, dtype=float).ravel().tolist()
    except (TypeError, ValueError, OverflowError):
        values = None
    if values is None or outputs is None:
        raise ValueError(f"the controller must return {OUTPUTS} numbers, got {outputs!s:.60} in step {number}")
    if len(values) != OUTPUTS:
        raise ValueError(f"the controller must return {OUTPUTS} outputs, got {len(values)} in step {number}")
    if not (math.isfinite(values[0]) and math.isfinite(values[1])):
        raise ValueError(f"the controller must return finite outputs, got {values} in step {number}")
    return values


def as_rollout(result: Any, track: np.ndarray) -> Rollout:
    """Convert the result and the positions of a compiled rollout to a `Rollout`."""
    x, y, heading, steps, reached = result
    return Rollout((x, y), heading, bool(reached), steps, track[: steps + 1] if len(track) else None)
