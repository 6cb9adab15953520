"""The robot: what it senses, how it moves, and where a controller drives it."""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from divergent._intrinsics import TO_INTEGER, if_negative, larger, smaller
from divergent.maze.maze import GOAL_RADIUS, ROBOT_RADIUS, Maze, check_parts
from divergent.neat.network import (
    BLOCK,
    Network,
    compiled,
    kind_of,
    passes_of,
    propagate,
    rounded,
    run_passes,
    unreached,
    wire,
)
from divergent.validation import brief

INPUTS = 11  # bias, rangefinders at -90, -45, 0, 45, 90 and 180 degrees, radars in front, at 45-135, behind, at 225-315
OUTPUTS = 2  # turn, speed up
SENSOR_RANGE = 100.0
FASTEST = 3.0  # maze units a step, forwards or backwards
FASTEST_TURN = 3.0  # degrees a step
MOST_STEPS = 10_000_000  # of a drive
FURTHEST = 1e9  # a robot may be from anywhere
WARM_UP = 10  # passes of a network on the first readings, before the robot moves

SIX_RANGEFINDERS, FIVE_RANGEFINDERS = "six-rangefinder", "five-rangefinder"
ROBOTS = {
    SIX_RANGEFINDERS: "six rangefinders and four radars, as the papers describe it",
    FIVE_RANGEFINDERS: "as in Lehman's program: radars replace the rear rangefinder, and the last input is always 0",
}

REAR = 6  # the input of the rear rangefinder; the radars' follow

SQRT_2 = math.sqrt(2.0)
WALLS_AT_ONCE = 16
SLACK = 1e-3  # by which a distance to a wall is taken to be shorter: far more than rounding can make of it


class Pose(NamedTuple):
    """Where a robot is and how it moves: heading in degrees, speed in units and turn in degrees a step."""

    x: float
    y: float
    heading: float
    speed: float = 0.0
    turn: float = 0.0


class Rollout(NamedTuple):
    """One drive through a maze."""

    end: tuple[float, float]
    heading: float
    reached: bool
    """Whether the centre came closer than 5 to the goal; the drive ends there."""
    steps: int
    """How many were driven."""
    trail: np.ndarray | None
    """The positions from the start on, shape (steps + 1, 2); None unless asked for."""


def sense(maze: Maze, position: Sequence[float], heading: float, robot: str = SIX_RANGEFINDERS) -> np.ndarray:
    """What the robot senses: 11 numbers from 0 to 1.

    A 1 for the bias; six distances to the nearest wall at -90, -45, 0, 45, 90 and 180 degrees from the heading, as
    shares of the sensors' reach of 100; and four radars, of which the one that looks towards the goal is 1: in front,
    from 45 to 135 degrees, behind, from 225 to 315. The original robot (see `ROBOTS`) has the radars one place earlier,
    where they hide the last rangefinder, and a 0 at the end.

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
    x, y, heading = _checked_numbers("position and heading", (*_pair("position", position), heading))
    readings = np.empty(INPUTS)
    layout = lay_out(maze)
    _look(layout.walls, x, y, heading, *layout.scene[3:].tolist(), readings)
    readings[np.isnan(readings)] = 0.0  # so close to a wall that 1 / distance is infinite
    return _as_read(readings, robot)


def step(pose: Pose, outputs: Sequence[float], maze: Maze) -> Pose:
    """Move once: outputs above 0.5 accelerate the turn and the speed, below 0.5 they brake.

    The robot moves along its old heading, unless that would bring it closer than 8 to a wall: then it only turns.

    Examples
    --------
    >>> from divergent.maze import read_maze
    >>> step(Pose(30.0, 22.0, 0.0), (0.5, 1.0), read_maze("medium"))
    Pose(x=30.5, y=22.0, heading=0.0, speed=0.5, turn=0.0)
    """
    numbers = _checked_numbers("a pose and the outputs", (*_several("pose", pose, 5), *_pair("outputs", outputs)))
    return Pose(*_step(lay_out(maze).walls, *numbers))


def drive(
    controller: Callable[[np.ndarray], Any], maze: Maze, steps: int, trail: bool = False, robot: str = SIX_RANGEFINDERS
) -> Rollout:
    """Let a controller drive the robot from the maze's start until it reaches the goal or the steps are over.

    Parameters
    ----------
    controller
        A `Network` of 11 inputs and 2 outputs, which is run by compiled code, on a fresh state that is first settled by
        10 passes on the first readings; or anything else that turns the 11 inputs of `sense` into 2 outputs from 0 to
        1 (see `step`), which is called once a step.
    maze
        Where to drive.
    steps
        How many steps at most.
    trail
        Whether to keep all positions.
    robot
        Which of the `ROBOTS`: they differ in what the inputs read, see `sense`.

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
        raise TypeError(f"a controller is a Network or another callable of {INPUTS} inputs, got {brief(controller)}")
    track = np.empty((steps + 1 if trail else 0, 2))
    layout = lay_out(maze)
    if isinstance(controller, Network):
        if (controller.inputs, controller.outputs) != (INPUTS, OUTPUTS):
            raise ValueError(
                f"a network that drives the robot has {INPUTS} inputs and {OUTPUTS} outputs, "
                f"got {controller.inputs} and {controller.outputs}"
            )
        if not np.isfinite(controller.weights).all():
            raise ValueError("the weights of a network must be finite; some are not")
        weights = controller.weights
        if robot == FIVE_RANGEFINDERS:
            weights = weights.copy()
            _read_one_later(weights)
        result = rollout(weights, kind_of(controller), controller.silent, *layout, steps, track)
    else:
        result = _call_each_step(controller, layout, steps, track, robot)
    return finished(result, track)


def _several(name, numbers, count):
    try:
        found = tuple(numbers)
    except TypeError:
        found = ()
    if len(found) != count:
        raise ValueError(f"{name} must be {count} numbers, got {brief(numbers)}")
    return found


def _pair(name, numbers):
    return _several(name, numbers, 2)


def _checked_numbers(name, numbers):
    try:
        found = [float(number) for number in numbers]
    except (TypeError, ValueError, OverflowError):
        found = [math.nan]
    if not all(abs(number) <= FURTHEST for number in found):
        raise ValueError(f"{name} must be finite numbers, at most {FURTHEST:g} in size; got {brief(numbers)}")
    return found


def check_steps(steps: int) -> None:
    """Refuse anything but a whole number from 1."""
    if not isinstance(steps, int | np.integer) or isinstance(steps, bool) or steps < 1:
        raise ValueError(f"steps must be a whole number from 1, got {brief(steps)}")
    if steps > MOST_STEPS:
        raise ValueError(f"steps must be at most {MOST_STEPS:,}, got {brief(steps)}")


def check_robot(robot: str) -> None:
    """Refuse what is none of the `ROBOTS`."""
    if not isinstance(robot, str) or robot not in ROBOTS:
        raise ValueError(f"unknown robot {brief(robot)}; choose from {', '.join(ROBOTS)}")


def _as_read(readings, robot):
    """What the inputs of a robot hold, from the readings of all sensors."""
    inputs = readings.copy()
    if robot == FIVE_RANGEFINDERS:
        inputs[REAR:-1] = readings[REAR + 1 :]
        inputs[-1] = 0.0
    return inputs


def _call_each_step(controller, layout, steps, track, robot):
    x, y, heading, goal_x, goal_y = layout.scene.tolist()
    pose = (x, y, heading, 0.0, 0.0)
    readings = np.empty(INPUTS)
    done = 0
    track[:1] = pose[:2]
    reached = math.hypot(x - goal_x, y - goal_y) < GOAL_RADIUS
    while done < steps and not reached:
        _look(layout.walls, *pose[:3], goal_x, goal_y, readings)
        turn, accelerate = _checked(controller(_as_read(readings, robot)), done + 1)
        pose = _step(layout.walls, *pose, turn, accelerate)
        done += 1
        track[done : done + 1] = pose[:2]
        reached = math.hypot(pose[0] - goal_x, pose[1] - goal_y) < GOAL_RADIUS
    return *pose[:3], done, reached


def _checked(outputs, number):
    try:
        if np.iscomplexobj(outputs):
            raise TypeError
        found = np.asarray(outputs, dtype=float).ravel().tolist()
    except (TypeError, ValueError, OverflowError):
        found = None
    if found is None or outputs is None:
        raise ValueError(f"the controller must return {OUTPUTS} numbers, got {outputs!s:.60} in step {number}")
    if len(found) != OUTPUTS:
        raise ValueError(f"the controller must return {OUTPUTS} outputs, got {len(found)} in step {number}")
    if not (math.isfinite(found[0]) and math.isfinite(found[1])):
        raise ValueError(f"the controller must return finite outputs, got {found} in step {number}")
    return found


def finished(result, track) -> Rollout:
    """The `Rollout` of what a compiled drive returned and the trail it filled."""
    x, y, heading, steps, reached = result
    return Rollout((x, y), heading, bool(reached), steps, track[: steps + 1] if len(track) else None)


class Layout(NamedTuple):
    """A maze as the compiled code reads it."""

    walls: np.ndarray
    """Shape (7, n), n a multiple of 16: x1, y1, x2, y2, x2 - x1, y2 - y1 and 1 / length**2; the first wall repeated as
    often as needed, since a wall seen twice changes nothing."""
    scene: np.ndarray
    """Start x, y, heading, goal x, y."""


def lay_out(maze: Maze) -> Layout:
    """The maze for the compiled code; 10 us or so, hence once for many drives."""
    walls = check_parts(maze)
    count = len(walls)
    rows = np.empty((7, -(-count // WALLS_AT_ONCE) * WALLS_AT_ONCE))
    rows[:4, :count] = walls.T
    rows[:4, count:] = walls[0][:, None]
    rows[4:6] = rows[2:4] - rows[:2]
    rows[6] = 1.0 / (rows[4] ** 2 + rows[5] ** 2)
    return Layout(rows, np.array((*maze.start, maze.heading % 360.0, *maze.goal), dtype=float))


@compiled
def drive_genes(genes, kind, original, walls, scene, steps, track):
    """Express the genes of a genome and drive, the original robot or the described one, in one call."""
    weights = wire(genes, INPUTS if kind is None else INPUTS + kind.biases, OUTPUTS)
    if original:
        _read_one_later(weights)
    return rollout(weights, kind, None, walls, scene, steps, track)


@compiled
def drive_expressed(genes, kind, original, silence, scale, walls, scene, steps, track):
    """As `drive_genes`, with the options of `express`: `scale` is 10 to the power of the decimals, or 0."""
    sources = INPUTS if kind is None else INPUTS + kind.biases
    weights = wire(rounded(genes, scale) if scale > 0.0 else genes, sources, OUTPUTS)
    silent = unreached(genes, sources, OUTPUTS) if silence else np.empty(0, np.int64)
    if original:
        _read_one_later(weights)
    return rollout(weights, kind, silent, walls, scene, steps, track)


@compiled
def _read_one_later(weights):
    """Make the weights of the original robot's network those with which all readings in order give the same, in place.

    Its inputs from the rear rangefinder's on read what stands one place later, and its last input reads nothing. So the
    weights move instead of the readings, once, and both robots drive at the same speed.
    """
    for b in range(weights.shape[0]):
        for i in range(BLOCK):
            for j in range(INPUTS - 1, REAR, -1):
                weights[b, j, i] = weights[b, j - 1, i]
            weights[b, REAR, i] = 0.0


@compiled
def rollout(weights, kind, silent, walls, scene, steps, track):
    """Drive; returns x, y, heading, steps driven, reached.

    An empty `track` is not filled, `kind` is from `kind_of`, `silent` are indices of nodes that output 0, or None.
    """
    sources = INPUTS if kind is None else INPUTS + kind.biases
    x, y, heading, goal_x, goal_y = scene[0], scene[1], scene[2], scene[3], scene[4]
    speed = turn = room = 0.0
    obstacle, last = 0, walls.shape[1] - 1
    activations = np.zeros(sources + weights.shape[0] * BLOCK)
    for bias in range(INPUTS, sources):
        activations[bias] = 1.0
    sums = np.empty(weights.shape[0] * BLOCK)
    tracked = track.shape[0] > 0
    if tracked:
        track[0, 0], track[0, 1] = x, y
    if (x - goal_x) ** 2 + (y - goal_y) ** 2 < GOAL_RADIUS**2:
        return x, y, heading, 0, True
    cosine, sine = _direction(heading)
    if silent is not None:
        passes = passes_of(silent, OUTPUTS)
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
        # all walls are asked only where the last answer does not do: so far from the nearest one that it cannot be
        # reached yet, or still too close to the one that was in the way
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
def _look(walls, x, y, heading, goal_x, goal_y, inputs):
    cosine, sine = _direction(heading)
    _sense(walls, x, y, cosine, sine, goal_x, goal_y, inputs)


@compiled
def _step(walls, x, y, heading, speed, turn, output_turn, output_speed):
    cosine, sine = _direction(heading)
    heading, speed, turn = _steer(heading, speed, turn, output_turn, output_speed)
    next_x, next_y = x + speed * cosine, y + speed * sine
    if _nearest(walls, next_x, next_y) >= ROBOT_RADIUS**2:
        x, y = next_x, next_y
    return x, y, heading, speed, turn


# the library's cosine and sine, which know nothing of degrees, make a step about a tenth slower
@compiled(inline="always")
def _direction(heading):
    """Cosine and sine of a heading in degrees: right to 1e-15, and exact at right angles."""
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
def _sense(walls, x, y, cosine, sine, goal_x, goal_y, inputs):
    """Fill `inputs` with the readings at a place, for a robot that looks along (cosine, sine).

    Seen from the robot, a wall from a to b meets the line through the robot with the normal n if n.a and n.b have
    different signs, and then 1 / distance = n.(b - a) / (a x b), negative behind. a x b is the same for all lines,
    so one division serves all six rays of a wall.
    """
    nothing = 1.0 / SENSOR_RANGE
    right = front = left = rear = nothing
    half_right = half_left = nothing * SQRT_2  # their normals below are that much too long
    for i in range(walls.shape[1]):
        ax, ay, bx, by = walls[0, i] - x, walls[1, i] - y, walls[2, i] - x, walls[3, i] - y
        across = ax * by - ay * bx
        # 0: the robot is in line with the wall, which it does not see; any other number does
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
    # the signs of the goal's distances from the two diagonals say in which quarter it lies
    one, other = goal_side - goal_front, goal_side + goal_front
    in_front = one < 0.0 and other >= 0.0
    to_left = one >= 0.0 and other > 0.0
    behind = one > 0.0 and other <= 0.0
    inputs[7] = in_front
    inputs[8] = to_left
    inputs[9] = behind
    inputs[10] = not (in_front or to_left or behind)


@compiled(inline="always")
def _steer(heading, speed, turn, output_turn, output_speed):
    """Heading, speed and turn after one step."""
    turn = smaller(larger(turn + (output_turn - 0.5), -FASTEST_TURN), FASTEST_TURN)
    speed = smaller(larger(speed + (output_speed - 0.5), -FASTEST), FASTEST)
    heading += turn
    if heading > 360.0:
        heading -= 360.0
    if heading < 0.0:
        heading += 360.0
    return heading, speed, turn


@compiled(inline="always")
def _nearest(walls, x, y):
    """The square of the distance to the nearest wall."""
    nearest = np.inf
    for i in range(walls.shape[1]):
        nearest = smaller(nearest, _distance(walls, i, x, y))
    return nearest


@compiled(inline="always")
def _distance(walls, i, x, y):
    """The square of the distance to a wall."""
    along_x, along_y = walls[4, i], walls[5, i]
    away_x, away_y = x - walls[0, i], y - walls[1, i]
    share = smaller(larger((away_x * along_x + away_y * along_y) * walls[6, i], 0.0), 1.0)
    away_x -= share * along_x
    away_y -= share * along_y
    return away_x * away_x + away_y * away_y
