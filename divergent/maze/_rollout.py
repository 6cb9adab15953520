"""Compiled rollouts of the simulated robot: arrays of the maze geometry, sensing, steering and collisions."""

import math
from typing import NamedTuple

import numpy as np

from divergent._intrinsics import TO_INTEGER, if_negative, larger, smaller
from divergent.maze._maze import GOAL_RADIUS, ROBOT_RADIUS, Maze, validated_walls
from divergent.neat._network_kernels import (
    NODES_PER_BLOCK,
    NodeKinds,
    build_weights,
    compiled,
    passes_per_activation,
    propagate,
    rounded,
    run_passes,
    unreached_nodes,
)

INPUTS = 11  # inputs: bias, rangefinders at -90, -45, 0, 45, 90, 180 degrees, radars at 0, 90, 180, 270 degrees
OUTPUTS = 2  # turn, speed
SENSOR_RANGE = 100.0
FASTEST = 3.0  # largest speed in maze units per step, forwards or backwards
FASTEST_TURN = 3.0  # largest turning rate in degrees per step
WARM_UP = 10  # number of network activations with the first sensor readings before the robot moves
REAR = 6  # index of the rear rangefinder among the 11 network inputs; the radars have the next four indices

SQRT_2 = math.sqrt(2.0)
WALLS_AT_ONCE = 16
SLACK = 1e-3  # safety margin subtracted from the distance to the nearest wall, far larger than rounding errors


class Layout(NamedTuple):
    """Walls, start and goal of a maze as arrays for compiled code."""

    walls: np.ndarray
    """Array of shape (7, n), where n is a multiple of 16. The rows are x1, y1, x2, y2, x2 - x1, y2 - y1 and
    1 / length**2. Copies of the first wall fill the last columns; duplicate walls do not change the simulation."""
    scene: np.ndarray
    """Coordinates x and y of the start, initial heading, and coordinates x and y of the goal."""


def make_layout(maze: Maze) -> Layout:
    """Convert a maze to arrays for compiled code.

    The conversion of a maze takes about 10 microseconds. Many rollouts can share the arrays of a maze.
    """
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
    """Express the network of a genome and run its rollout in one compiled call."""
    weights = build_weights(genes, INPUTS if kind is None else INPUTS + kind.biases, OUTPUTS)
    if five_rangefinders:
        shift_radar_weights(weights)
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
    """Express the network of a genome and run its rollout, with optional rounding of weights and silencing of nodes.

    Weights are rounded to multiples of 1 / `scale`; a `scale` of 0 disables rounding. If `silence` is true, the output
    of nodes that are unreachable from the inputs is 0.
    """
    sources = INPUTS if kind is None else INPUTS + kind.biases
    weights = build_weights(rounded(genes, scale) if scale > 0.0 else genes, sources, OUTPUTS)
    silent = unreached_nodes(genes, sources, OUTPUTS) if silence else np.empty(0, np.int64)
    if five_rangefinders:
        shift_radar_weights(weights)
    return rollout(weights, kind, silent, walls, scene, steps, track)


@compiled
def shift_radar_weights(weights: np.ndarray) -> None:
    """Adapt the weights of a five-rangefinder network in place to the readings of the six-rangefinder robot.

    The weights of the radar inputs move to the radar readings of the six-rangefinder robot, and the rear rangefinder
    gets weight 0. Moving the weights once is faster than moving the readings in every step.
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
    """Run a rollout and return x, y, heading, the number of steps and whether the goal was reached.

    Positions are recorded in `track` unless `track` is empty. `kind` specifies the bias node and the activation
    functions of the network; None means no bias node and default activation functions. `silent` contains the indices
    of nodes whose output is always 0; None means that no node is silent.
    """
    sources = INPUTS if kind is None else INPUTS + kind.biases
    x, y, heading, goal_x, goal_y = scene[0], scene[1], scene[2], scene[3], scene[4]
    speed = turn = room = 0.0
    obstacle = 0
    activations = _initial_activations(weights, sources)
    sums = np.empty(weights.shape[0] * NODES_PER_BLOCK)
    tracked = track.shape[0] > 0
    if tracked:
        track[0, 0], track[0, 1] = x, y
    if (x - goal_x) ** 2 + (y - goal_y) ** 2 < GOAL_RADIUS**2:
        return x, y, heading, 0, True
    cosine, sine = direction(heading)
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
        # The variable `room` is the distance that the robot can travel before a new collision test is needed.
        # A collision test checks the wall of the last collision first, and then all walls.
        room -= abs(speed)
        if room > 0.0:
            x, y = next_x, next_y
        elif _distance(walls, obstacle, next_x, next_y) >= ROBOT_RADIUS**2:
            nearest = _nearest(walls, next_x, next_y)
            if nearest >= ROBOT_RADIUS**2:
                x, y = next_x, next_y
                room = math.sqrt(nearest) - ROBOT_RADIUS - SLACK
            else:
                obstacle = _first_obstacle(walls, next_x, next_y)
        if tracked:
            track[done, 0], track[done, 1] = x, y
        if (x - goal_x) ** 2 + (y - goal_y) ** 2 < GOAL_RADIUS**2:
            return x, y, heading, done, True
        cosine, sine = direction(heading)
    return x, y, heading, steps, False


@compiled
def _initial_activations(weights: np.ndarray, sources: int) -> np.ndarray:
    """Return the initial activations of a network: 1 for the bias node if there is one, and 0 for all other nodes."""
    activations = np.zeros(sources + weights.shape[0] * NODES_PER_BLOCK)
    for bias in range(INPUTS, sources):
        activations[bias] = 1.0
    return activations


@compiled
def _first_obstacle(walls: np.ndarray, x: float, y: float) -> int:
    """Return the index of the first wall that a robot at (x, y) touches.

    If the robot touches no wall, the function returns the last index, because the caller needs a valid wall index.
    """
    for obstacle in range(walls.shape[1]):
        if _distance(walls, obstacle, x, y) < ROBOT_RADIUS**2:
            return obstacle
    return walls.shape[1] - 1


@compiled
def sense_at(
    walls: np.ndarray, x: float, y: float, heading: float, goal_x: float, goal_y: float, inputs: np.ndarray
) -> None:
    """Fill `inputs` with the sensor readings at a position and heading."""
    cosine, sine = direction(heading)
    _sense(walls, x, y, cosine, sine, goal_x, goal_y, inputs)


@compiled
def step_pose(
    walls: np.ndarray,
    x: float,
    y: float,
    heading: float,
    speed: float,
    turn: float,
    output_turn: float,
    output_speed: float,
) -> tuple[float, float, float, float, float]:
    """Return the pose of the robot after one simulation step."""
    cosine, sine = direction(heading)
    heading, speed, turn = _steer(heading, speed, turn, output_turn, output_speed)
    next_x, next_y = x + speed * cosine, y + speed * sine
    if _nearest(walls, next_x, next_y) >= ROBOT_RADIUS**2:
        x, y = next_x, next_y
    return x, y, heading, speed, turn


# With the cosine and sine of the C library, a simulation step would be about 10 % slower.
@compiled(inline="always")
def direction(heading: float) -> tuple[float, float]:
    """Return the cosine and sine of a heading in degrees, exact at right angles and otherwise within 1e-15."""
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
    """Fill `inputs` with the sensor readings at (x, y), given the cosine and sine of the robot's heading.

    Let a and b be the ends of a wall relative to the robot, and n the normal of a line through the robot. A wall meets
    a line if the two ends of the wall lie on different sides of the line. The distance from the robot to the wall along
    the line is cross(a, b) / dot(n, b - a). Walls behind the robot have negative distances along the line. The cross
    product is the same for all lines through the robot, so each wall needs one division for all six rangefinders.
    """
    nothing = 1.0 / SENSOR_RANGE
    right = front = left = rear = nothing
    half_right = half_left = nothing * SQRT_2  # the normal vectors of diagonal rays have length sqrt(2)
    for i in range(walls.shape[1]):
        ax, ay, bx, by = walls[0, i] - x, walls[1, i] - y, walls[2, i] - x, walls[3, i] - y
        across = ax * by - ay * bx
        # If a wall and the robot's centre lie on one line, the cross product is 0 and no rangefinder detects the wall.
        # The number 1e300 replaces a cross product of 0, so that the inverse distance of the wall is almost 0.
        inverse = 1.0 / (across if across != 0.0 else 1e300)
        a_front, a_side = ax * cosine + ay * sine, ay * cosine - ax * sine
        b_front, b_side = bx * cosine + by * sine, by * cosine - bx * sine
        front_slope, side_slope = (b_front - a_front) * inverse, (b_side - a_side) * inverse
        ahead = if_negative(a_side * b_side, side_slope, 0.0)
        front, rear = larger(front, ahead), larger(rear, -ahead)
        sideways = if_negative(a_front * b_front, front_slope, 0.0)
        left, right = larger(left, -sideways), larger(right, sideways)
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
    # The signs of the goal's distances from the two diagonals determine the goal's quadrant.
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
    """Return the heading, speed and turning rate of the robot after one step."""
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
    """Return the squared distance from (x, y) to the nearest wall."""
    nearest = np.inf
    for i in range(walls.shape[1]):
        nearest = smaller(nearest, _distance(walls, i, x, y))
    return nearest


@compiled(inline="always")
def _distance(walls: np.ndarray, i: int, x: float, y: float) -> float:
    """Return the squared distance from (x, y) to wall `i`."""
    along_x, along_y = walls[4, i], walls[5, i]
    away_x, away_y = x - walls[0, i], y - walls[1, i]
    fraction = smaller(larger((away_x * along_x + away_y * along_y) * walls[6, i], 0.0), 1.0)
    away_x -= fraction * along_x
    away_y -= fraction * along_y
    return away_x * away_x + away_y * away_y
