"""The simulated robot: sensors, motion and rollouts of a controller."""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from divergent._intrinsics import TO_INTEGER, if_negative, larger, smaller
from divergent.maze._maze import GOAL_RADIUS, ROBOT_RADIUS, Maze, validated_walls
from divergent.neat.network import (
    NODES_PER_BLOCK,
    Network,
    NodeKinds,
    build_weights,
    compiled,
    node_kinds,
    passes_per_activation,
    propagate,
    rounded,
    run_passes,
    unreached_nodes,
)
from divergent.validation import brief

INPUTS = 11  # bias, rangefinders at -90, -45, 0, 45, 90 and 180 degrees, radars in front, at 45-135, behind, at 225-315
OUTPUTS = 2  # turn, speed
SENSOR_RANGE = 100.0
FASTEST = 3.0  # maze units per step, forwards or backwards
FASTEST_TURN = 3.0  # degrees per step
MAX_STEPS = 10_000_000  # of a rollout
LARGEST_POSITION = 1e9  # largest absolute coordinate or heading
WARM_UP = 10  # passes of a network on the first readings, before the robot moves

SIX_RANGEFINDERS, FIVE_RANGEFINDERS = "six-rangefinder", "five-rangefinder"
ROBOTS = {
    SIX_RANGEFINDERS: "six rangefinders and four radars, as the papers describe it",
    FIVE_RANGEFINDERS: "as in Lehman's program: radars replace the rear rangefinder, and the last input is always 0",
}

REAR = 6  # input of the rear rangefinder; the radars follow

SQRT_2 = math.sqrt(2.0)
WALLS_AT_ONCE = 16
SLACK = 1e-3  # safety margin of clearances, far above the rounding error


class Pose(NamedTuple):
    """Position and motion of a robot.

    Parameters
    ----------
    x : float
        Position in maze units.
    y : float
        Position in maze units.
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
        Whether the centre came closer than 5 to the goal, which ends the rollout.
    steps : int
        Number of steps.
    trail : numpy.ndarray or None
        Positions from the start on, shape (steps + 1, 2); None unless requested.
    """

    end: tuple[float, float]
    heading: float
    reached: bool
    steps: int
    trail: np.ndarray | None


def sense(maze: Maze, position: Sequence[float], heading: float, robot: str = SIX_RANGEFINDERS) -> np.ndarray:
    """Compute the sensor readings of the robot: 11 numbers from 0 to 1.

    The first is the bias, 1. Six rangefinders follow: distances to the nearest wall at -90, -45, 0, 45, 90 and 180
    degrees from the heading, as fractions of the range of 100. The last four are radars: 1 if the goal lies in front,
    from 45 to 135 degrees, behind, or from 225 to 315 degrees. In the five-rangefinder robot (see `ROBOTS`) the radars
    come one input earlier and replace the rear rangefinder; the last input is 0.

    Parameters
    ----------
    maze : Maze
        The maze.
    position : sequence of float
        Position of the robot.
    heading : float
        Heading in degrees.
    robot : str, default="six-rangefinder"
        Name in `ROBOTS`.

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
    _sense_at(layout.walls, x, y, heading, *layout.scene[3:].tolist(), readings)
    readings[np.isnan(readings)] = 0.0  # 1 / distance overflows next to a wall
    return _robot_inputs(readings, robot)


def step(pose: Pose, outputs: Sequence[float], maze: Maze) -> Pose:
    """Move the robot by one step.

    Outputs minus 0.5 are added to the turning rate and to the speed. The robot moves along its old heading and then
    turns. It only turns if the move would bring it closer than 8 to a wall.

    Parameters
    ----------
    pose : Pose
        Position and motion before the step.
    outputs : sequence of float
        Two outputs of a controller from 0 to 1: turn, speed.
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
    return Pose(*_step(make_layout(maze).walls, *numbers))


def drive(
    controller: Callable[[np.ndarray], Any], maze: Maze, steps: int, trail: bool = False, robot: str = SIX_RANGEFINDERS
) -> Rollout:
    """Run a controller from the start of a maze until it reaches the goal or the steps are used up.

    Parameters
    ----------
    controller : Network or callable
        A `Network` of 11 inputs and 2 outputs runs in compiled code; it starts with 10 passes on the first readings.
        Any other callable is called once per step with the 11 readings of `sense` and returns 2 outputs, see `step`.
    maze : Maze
        The maze.
    steps : int
        Maximal number of steps.
    trail : bool, default=False
        Whether to record all positions.
    robot : str, default="six-rangefinder"
        Name in `ROBOTS`; the robots differ in their readings, see `sense`.

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
    >>> rollout.end, rollout.reached, rollout.steps
    ((52.5, 22.0), False, 10)
    """
    check_steps(steps)
    check_robot(robot)
    if not callable(controller):
        raise TypeError(f"controller must be a Network or another callable of {INPUTS} inputs, got {brief(controller)}")
    track = np.empty((steps + 1 if trail else 0, 2))
    layout = make_layout(maze)
    if isinstance(controller, Network):
        if (controller.inputs, controller.outputs) != (INPUTS, OUTPUTS):
            raise ValueError(
                f"a network that drives the robot must have {INPUTS} inputs and {OUTPUTS} outputs, "
                f"got {controller.inputs} and {controller.outputs}"
            )
        if not np.isfinite(controller.weights).all():
            raise ValueError("weights of the controller must be finite")
        weights = controller.weights
        if robot == FIVE_RANGEFINDERS:
            weights = weights.copy()
            _shift_radar_weights(weights)
        result = rollout(weights, node_kinds(controller), controller.silent, *layout, steps, track)
    else:
        result = _drive_callable(controller, layout, steps, track, robot)
    return as_rollout(result, track)


def _numbers(name: str, numbers: Any, count: int) -> tuple[Any, ...]:
    """Return a tuple of a fixed number of values."""
    try:
        values = tuple(numbers)
    except TypeError:
        values = ()
    if len(values) != count:
        raise ValueError(f"{name} must be {count} numbers, got {brief(numbers)}")
    return values


def _pair(name: str, numbers: Any) -> tuple[Any, ...]:
    """Return a tuple of two values."""
    return _numbers(name, numbers, 2)


def _validate_numbers(name: str, numbers: Any) -> list[float]:
    """Return values as floats; raise an error unless they are finite and in range."""
    try:
        values = [float(number) for number in numbers]
    except (TypeError, ValueError, OverflowError):
        values = [math.nan]
    if not all(abs(number) <= LARGEST_POSITION for number in values):
        raise ValueError(f"{name} must be finite numbers, at most {LARGEST_POSITION:g} in size; got {brief(numbers)}")
    return values


def check_steps(steps: int) -> None:
    """Raise a ValueError unless `steps` is an integer from 1 to MAX_STEPS."""
    if not isinstance(steps, int | np.integer) or isinstance(steps, bool) or steps < 1:
        raise ValueError(f"steps must be an integer from 1, got {brief(steps)}")
    if steps > MAX_STEPS:
        raise ValueError(f"steps must be at most {MAX_STEPS:,}, got {brief(steps)}")


def check_robot(robot: str) -> None:
    """Raise a ValueError unless the name is in `ROBOTS`."""
    if not isinstance(robot, str) or robot not in ROBOTS:
        raise ValueError(f"unknown robot {brief(robot)}; choose from {', '.join(ROBOTS)}")


def _robot_inputs(readings: np.ndarray, robot: str) -> np.ndarray:
    """Return the inputs of a robot from the readings of all sensors."""
    inputs = readings.copy()
    if robot == FIVE_RANGEFINDERS:
        inputs[REAR:-1] = readings[REAR + 1 :]
        inputs[-1] = 0.0
    return inputs


def _drive_callable(
    controller: Callable[[np.ndarray], Any], layout: "Layout", steps: int, track: np.ndarray, robot: str
) -> tuple[float, float, float, int, bool]:
    """Run a controller that is not a `Network`."""
    x, y, heading, goal_x, goal_y = layout.scene.tolist()
    pose = (x, y, heading, 0.0, 0.0)
    readings = np.empty(INPUTS)
    done = 0
    track[:1] = pose[:2]
    reached = math.hypot(x - goal_x, y - goal_y) < GOAL_RADIUS
    while done < steps and not reached:
        _sense_at(layout.walls, *pose[:3], goal_x, goal_y, readings)
        turn, accelerate = _validate_outputs(controller(_robot_inputs(readings, robot)), done + 1)
        pose = _step(layout.walls, *pose, turn, accelerate)
        done += 1
        track[done : done + 1] = pose[:2]
        reached = math.hypot(pose[0] - goal_x, pose[1] - goal_y) < GOAL_RADIUS
    return *pose[:3], done, reached


def _validate_outputs(outputs: Any, number: int) -> list[float]:
    """Return the outputs of a controller as floats; raise an error unless they are two finite numbers."""
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
    """Return the `Rollout` of the result and the positions of a compiled rollout."""
    x, y, heading, steps, reached = result
    return Rollout((x, y), heading, bool(reached), steps, track[: steps + 1] if len(track) else None)


class Layout(NamedTuple):
    """A maze as compiled code reads it."""

    walls: np.ndarray
    """Shape (7, n), n a multiple of 16: x1, y1, x2, y2, x2 - x1, y2 - y1 and 1 / length**2; the first wall repeated as
    often as needed, since a wall seen twice changes nothing."""
    scene: np.ndarray
    """Start x, y, heading, goal x, y."""


def make_layout(maze: Maze) -> Layout:
    """Return the layout of a maze; make it once for many rollouts, since it takes about 10 us."""
    walls = validated_walls(maze)
    count = len(walls)
    rows = np.empty((7, -(-count // WALLS_AT_ONCE) * WALLS_AT_ONCE))
    rows[:4, :count] = walls.T
    rows[:4, count:] = walls[0][:, None]
    rows[4:6] = rows[2:4] - rows[:2]
    rows[6] = 1.0 / (rows[4] ** 2 + rows[5] ** 2)
    return Layout(rows, np.array((*maze.start, maze.heading % 360.0, *maze.goal), dtype=float))


@compiled
def drive_genes(
    genes: np.ndarray,
    kind: NodeKinds | None,
    five_rangefinders: bool,
    walls: np.ndarray,
    scene: np.ndarray,
    steps: int,
    track: np.ndarray,
) -> tuple[float, float, float, int, bool]:
    """Express the genes of a genome and run the rollout in one compiled call."""
    weights = build_weights(genes, INPUTS if kind is None else INPUTS + kind.biases, OUTPUTS)
    if five_rangefinders:
        _shift_radar_weights(weights)
    return rollout(weights, kind, None, walls, scene, steps, track)


@compiled
def drive_expressed(
    genes: np.ndarray,
    kind: NodeKinds | None,
    five_rangefinders: bool,
    silence: bool,
    scale: float,
    walls: np.ndarray,
    scene: np.ndarray,
    steps: int,
    track: np.ndarray,
) -> tuple[float, float, float, int, bool]:
    """Do the same as `drive_genes` with the options of `express`; `scale` is 10 to the power of the decimals, or 0."""
    sources = INPUTS if kind is None else INPUTS + kind.biases
    weights = build_weights(rounded(genes, scale) if scale > 0.0 else genes, sources, OUTPUTS)
    silent = unreached_nodes(genes, sources, OUTPUTS) if silence else np.empty(0, np.int64)
    if five_rangefinders:
        _shift_radar_weights(weights)
    return rollout(weights, kind, silent, walls, scene, steps, track)


@compiled
def _shift_radar_weights(weights: np.ndarray) -> None:
    """Adapt the weights of a five-rangefinder network in place to the readings of the six-rangefinder robot.

    Each input from the rear rangefinder on reads the value of the next input, and the last input reads nothing. Moving
    the weights once is faster than moving the readings in every step.
    """
    for b in range(weights.shape[0]):
        for i in range(NODES_PER_BLOCK):
            for j in range(INPUTS - 1, REAR, -1):
                weights[b, j, i] = weights[b, j - 1, i]
            weights[b, REAR, i] = 0.0


@compiled
def rollout(
    weights: np.ndarray,
    kind: NodeKinds | None,
    silent: np.ndarray | None,
    walls: np.ndarray,
    scene: np.ndarray,
    steps: int,
    track: np.ndarray,
) -> tuple[float, float, float, int, bool]:
    """Drive; returns x, y, heading, steps driven, reached.

    An empty `track` is not filled, `kind` is from `node_kinds`, `silent` are indices of nodes that output 0, or None.
    """
    sources = INPUTS if kind is None else INPUTS + kind.biases
    x, y, heading, goal_x, goal_y = scene[0], scene[1], scene[2], scene[3], scene[4]
    speed = turn = room = 0.0
    obstacle, last = 0, walls.shape[1] - 1
    activations = np.zeros(sources + weights.shape[0] * NODES_PER_BLOCK)
    for bias in range(INPUTS, sources):
        activations[bias] = 1.0
    sums = np.empty(weights.shape[0] * NODES_PER_BLOCK)
    tracked = track.shape[0] > 0
    if tracked:
        track[0, 0], track[0, 1] = x, y
    if (x - goal_x) ** 2 + (y - goal_y) ** 2 < GOAL_RADIUS**2:
        return x, y, heading, 0, True
    cosine, sine = _direction(heading)
    if silent is not None:
        passes = passes_per_activation(silent, OUTPUTS)
    for number in range(WARM_UP + steps):
        if number == 0 or number > WARM_UP:
            _sense(walls, x, y, cosine, sine, goal_x, goal_y, activations)
        if silent is None:
            propagate(weights, activations, sums, sources, kind)
        else:
            run_passes(weights, activations, sums, sources, kind, silent, passes)
        done = number - WARM_UP + 1
        if done < 1:
            continue
        heading, speed, turn = _steer(heading, speed, turn, activations[sources], activations[sources + 1])
        next_x, next_y = x + speed * cosine, y + speed * sine
        # all walls are tested only if the clearance of the last test is used up and the last obstacle no longer
        # blocks the robot
        room -= abs(speed)
        if room > 0.0:
            x, y = next_x, next_y
        elif _distance(walls, obstacle, next_x, next_y) >= ROBOT_RADIUS**2:
            nearest = _nearest(walls, next_x, next_y)
            if nearest >= ROBOT_RADIUS**2:
                x, y = next_x, next_y
                room = math.sqrt(nearest) - ROBOT_RADIUS - SLACK
            else:
                obstacle = 0
                while obstacle < last and _distance(walls, obstacle, next_x, next_y) >= ROBOT_RADIUS**2:
                    obstacle += 1
        if tracked:
            track[done, 0], track[done, 1] = x, y
        if (x - goal_x) ** 2 + (y - goal_y) ** 2 < GOAL_RADIUS**2:
            return x, y, heading, done, True
        cosine, sine = _direction(heading)
    return x, y, heading, steps, False


@compiled
def _sense_at(
    walls: np.ndarray, x: float, y: float, heading: float, goal_x: float, goal_y: float, inputs: np.ndarray
) -> None:
    """Fill `inputs` with the readings at a position and heading."""
    cosine, sine = _direction(heading)
    _sense(walls, x, y, cosine, sine, goal_x, goal_y, inputs)


@compiled
def _step(
    walls: np.ndarray,
    x: float,
    y: float,
    heading: float,
    speed: float,
    turn: float,
    output_turn: float,
    output_speed: float,
) -> tuple[float, float, float, float, float]:
    """Return the pose after one step."""
    cosine, sine = _direction(heading)
    heading, speed, turn = _steer(heading, speed, turn, output_turn, output_speed)
    next_x, next_y = x + speed * cosine, y + speed * sine
    if _nearest(walls, next_x, next_y) >= ROBOT_RADIUS**2:
        x, y = next_x, next_y
    return x, y, heading, speed, turn


# with the library's cosine and sine a step is about a tenth slower
@compiled(inline="always")
def _direction(heading: float) -> tuple[float, float]:
    """Return the cosine and sine of a heading in degrees, with an error of at most 1e-15 and exact at right angles."""
    quarters = (heading * (1 / 90) + TO_INTEGER) - TO_INTEGER
    angle = (heading - 90.0 * quarters) * (math.pi / 180)
    z = angle * angle
    z2 = z * z
    z4 = z2 * z2
    low = (1 - z * (1 / 6)) + z2 * (1 / 120 - z * (1 / 5040))
    high = (1 / 362880 - z * (1 / 39916800)) + z2 * (1 / 6227020800 - z * (1 / 1307674368000))
    sine = (low + z4 * high) * angle
    low = (1 - z * (1 / 2)) + z2 * (1 / 24 - z * (1 / 720))
    high = (1 / 40320 - z * (1 / 3628800)) + z2 * (1 / 479001600 - z * (1 / 87178291200))
    cosine = low + z4 * (high + z4 * (1 / 20922789888000))
    quarter = np.int64(quarters) & 3
    if quarter & 1:
        cosine, sine = -sine, cosine
    if quarter & 2:
        cosine, sine = -cosine, -sine
    return cosine, sine


@compiled(inline="always")
def _sense(
    walls: np.ndarray, x: float, y: float, cosine: float, sine: float, goal_x: float, goal_y: float, inputs: np.ndarray
) -> None:
    """Fill `inputs` with the readings at a place, for a robot that looks along (cosine, sine).

    Seen from the robot, a wall from a to b meets the line through the robot with the normal n if n.a and n.b have
    different signs, and then 1 / distance = n.(b - a) / (a x b), negative behind. a x b is the same for all lines,
    so one division serves all six rays of a wall.
    """
    nothing = 1.0 / SENSOR_RANGE
    right = front = left = rear = nothing
    half_right = half_left = nothing * SQRT_2  # the normals of diagonal rays have this length
    for i in range(walls.shape[1]):
        ax, ay, bx, by = walls[0, i] - x, walls[1, i] - y, walls[2, i] - x, walls[3, i] - y
        across = ax * by - ay * bx
        # 0: the robot is in line with the wall and does not see it; 1e300 makes the reading vanish
        inverse = 1.0 / (across if across != 0.0 else 1e300)
        a_front, a_side = ax * cosine + ay * sine, ay * cosine - ax * sine
        b_front, b_side = bx * cosine + by * sine, by * cosine - bx * sine
        front_slope, side_slope = (b_front - a_front) * inverse, (b_side - a_side) * inverse
        ahead = if_negative(a_side * b_side, side_slope, 0.0)
        front, rear = larger(front, ahead), larger(rear, -ahead)
        beside = if_negative(a_front * b_front, front_slope, 0.0)
        left, right = larger(left, -beside), larger(right, beside)
        between = if_negative((a_side - a_front) * (b_side - b_front), side_slope - front_slope, 0.0)
        half_left = larger(half_left, between)
        between = if_negative((a_side + a_front) * (b_side + b_front), side_slope + front_slope, 0.0)
        half_right = larger(half_right, between)
    inputs[0] = 1.0
    inputs[1] = nothing / right
    inputs[2] = nothing * SQRT_2 / half_right
    inputs[3] = nothing / front
    inputs[4] = nothing * SQRT_2 / half_left
    inputs[5] = nothing / left
    inputs[6] = nothing / rear
    goal_front = (goal_x - x) * cosine + (goal_y - y) * sine
    goal_side = (goal_y - y) * cosine - (goal_x - x) * sine
    # the signs of the goal's distances from the two diagonals determine its quadrant
    first_diagonal, second_diagonal = goal_side - goal_front, goal_side + goal_front
    in_front = first_diagonal < 0.0 and second_diagonal >= 0.0
    to_left = first_diagonal >= 0.0 and second_diagonal > 0.0
    behind = first_diagonal > 0.0 and second_diagonal <= 0.0
    inputs[7] = in_front
    inputs[8] = to_left
    inputs[9] = behind
    inputs[10] = not (in_front or to_left or behind)


@compiled(inline="always")
def _steer(
    heading: float, speed: float, turn: float, output_turn: float, output_speed: float
) -> tuple[float, float, float]:
    """Return heading, speed and turn after one step."""
    turn = smaller(larger(turn + (output_turn - 0.5), -FASTEST_TURN), FASTEST_TURN)
    speed = smaller(larger(speed + (output_speed - 0.5), -FASTEST), FASTEST)
    heading += turn
    if heading > 360.0:
        heading -= 360.0
    if heading < 0.0:
        heading += 360.0
    return heading, speed, turn


@compiled(inline="always")
def _nearest(walls: np.ndarray, x: float, y: float) -> float:
    """Return the squared distance to the nearest wall."""
    nearest = np.inf
    for i in range(walls.shape[1]):
        nearest = smaller(nearest, _distance(walls, i, x, y))
    return nearest


@compiled(inline="always")
def _distance(walls: np.ndarray, i: int, x: float, y: float) -> float:
    """Return the squared distance to a wall."""
    along_x, along_y = walls[4, i], walls[5, i]
    away_x, away_y = x - walls[0, i], y - walls[1, i]
    fraction = smaller(larger((away_x * along_x + away_y * along_y) * walls[6, i], 0.0), 1.0)
    away_x -= fraction * along_x
    away_y -= fraction * along_y
    return away_x * away_x + away_y * away_y
