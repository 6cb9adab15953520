"""Maze generation by recursive division."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from divergent.maze._maze import ROBOT_RADIUS, Maze, distances
from divergent.maze._paths import path_length
from divergent.validation import brief, is_integer

GENERATED = "generated:"
BOX = 200.0
START, HEADING, GOAL = (20.0, 180.0), 0.0, (180.0, 20.0)
SMALLEST_SIDE = 25.0
HOLE = 18.0
SHORTEST_WALL = HOLE + 1.0  # length of the shortest wall that can have a gap
LONGEST_PATH = 500.0
MIN_SUBDIVISIONS, MAX_SUBDIVISIONS = 2, 6

Box = tuple[float, float, float, float]  # four coordinates: the bounds of a chamber or the ends of a wall


def generate_maze(seed: int, subdivisions: int | None = None) -> Maze:
    """Generate a maze by dividing a 200 x 200 box with walls that have one gap each.

    Each subdivision adds one wall. The wall divides a random chamber in a random feasible direction and leaves at least
    25 units on both sides. The gap of each wall is 18 units wide. A maze is rejected if a wall is closer than 8 units
    to the start or the goal. A maze is also rejected if the robot's shortest path is longer than 500 units or does not
    exist. After a rejection, the next maze is drawn from the same random stream. A seed gives the same maze in every
    version of Python and NumPy.

    Parameters
    ----------
    seed : int
        Random seed, a non-negative integer. The experiments on generated mazes use seeds 0 to 59.
    subdivisions : int or None, default=None
        Number of walls that divide the box; None draws a number from 2 to 6. Subdivision ends early if no chamber is
        large enough to be divided.

    Returns
    -------
    Maze
        The maze, with a read-only array of walls.

    Raises
    ------
    ValueError
        If `seed` or `subdivisions` is not a non-negative integer.

    See Also
    --------
    read_maze : Read a maze by name or path; the name of a generated maze is ``"generated:SEED"``.

    Examples
    --------
    >>> maze = generate_maze(3)
    >>> maze.name, maze.start
    ('generated:3', (20.0, 180.0))

    >>> maze.goal
    (180.0, 20.0)

    >>> maze.bounds
    (0.0, 0.0, 200.0, 200.0)
    """
    _check_non_negative("seed", seed)
    if subdivisions is not None:
        _check_non_negative("subdivisions", subdivisions)
    # Python's random() returns the same numbers for a seed in every version; NumPy only guarantees the raw bits.
    draw = random.Random(int(seed)).random
    while True:
        count = subdivisions
        if count is None:
            count = MIN_SUBDIVISIONS + int(draw() * (MAX_SUBDIVISIONS - MIN_SUBDIVISIONS + 1))
        maze = Maze(f"{GENERATED}{seed}", START, HEADING, GOAL, _divide(count, draw))
        if _crossable(maze):
            maze.walls.flags.writeable = False
            return maze


def _crossable(maze: Maze) -> bool:
    """Return whether start and goal are clear of walls and the robot's shortest path is at most 500 units long."""
    ends = np.array([maze.start, maze.goal])
    return distances(ends, maze.walls).min() >= ROBOT_RADIUS and path_length(maze) <= LONGEST_PATH


def _check_non_negative(name: str, number: Any) -> None:
    """Raise a ValueError unless `number` is a non-negative integer, which may be arbitrarily large."""
    if not is_integer(number) or number < 0:
        raise ValueError(f"{name} must be an integer of at least 0, got {brief(number)}")


def _divide(count: int, draw: Callable[[], float]) -> np.ndarray:
    """Divide the box `count` times and return all walls, including the four outer walls."""
    chambers = [(0.0, 0.0, BOX, BOX)]
    walls = [(0.0, 0.0, BOX, 0.0), (BOX, 0.0, BOX, BOX), (BOX, BOX, 0.0, BOX), (0.0, BOX, 0.0, 0.0)]
    for _ in range(count):
        possible = [chamber for chamber in chambers if _directions(chamber)]
        if not possible:
            break
        chamber = possible[int(draw() * len(possible))]
        chambers.remove(chamber)
        halves, pieces = _cut(chamber, draw)
        chambers += halves
        walls += pieces
    return np.array(walls)


def _sides(chamber: Box) -> tuple[float, float]:
    """Return the width and the height of a chamber."""
    left, top, right, bottom = chamber
    return right - left, bottom - top


def _directions(chamber: Box) -> list[str]:
    """Return the possible directions of a wall that divides a chamber: "upright" (vertical), "level" (horizontal)."""
    width, height = _sides(chamber)
    room, breadth = 2 * SMALLEST_SIDE, SHORTEST_WALL
    return ["upright"] * (width >= room and height >= breadth) + ["level"] * (height >= room and width >= breadth)


def _cut(chamber: Box, draw: Callable[[], float]) -> tuple[list[Box], list[Box]]:
    """Divide a chamber by a wall with a gap; return the two new chambers and the wall segments around the gap."""
    left, top, right, bottom = chamber
    width, height = _sides(chamber)
    directions = _directions(chamber)
    if directions[int(draw() * len(directions))] == "upright":
        x = left + SMALLEST_SIDE + draw() * (width - 2 * SMALLEST_SIDE)
        hole = top + draw() * (height - HOLE)
        halves = [(left, top, x, bottom), (x, top, right, bottom)]
        pieces = [(x, top, x, hole), (x, hole + HOLE, x, bottom)]
    else:
        y = top + SMALLEST_SIDE + draw() * (height - 2 * SMALLEST_SIDE)
        hole = left + draw() * (width - HOLE)
        halves = [(left, top, right, y), (left, y, right, bottom)]
        pieces = [(left, y, hole, y), (hole + HOLE, y, right, y)]
    return halves, [piece for piece in pieces if piece[:2] != piece[2:]]
