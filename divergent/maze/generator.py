"""Generate mazes by recursive division: one for every seed, the same for ever."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from divergent.maze.maze import ROBOT_RADIUS, Maze, distances
from divergent.maze.paths import path_length
from divergent.validation import brief

GENERATED = "generated:"
BOX = 200.0
START, HEADING, GOAL = (20.0, 180.0), 0.0, (180.0, 20.0)
SMALLEST_SIDE = 25.0
HOLE = 18.0
SHORTEST_WALL = HOLE + 1.0  # that a hole is cut into
LONGEST_PATH = 500.0
FEWEST_SUBDIVISIONS, MOST_SUBDIVISIONS = 2, 6

Box = tuple[float, float, float, float]  # of a chamber, or the ends of a wall


def generate_maze(seed: int, subdivisions: int | None = None) -> Maze:
    """Divide a 200 x 200 box by walls with one hole each; the same seed gives the same maze for ever.

    Each subdivision is one wall: it cuts any chamber that can still be cut, in either direction where both are
    possible, all equally likely, and leaves at least 25 units on both sides. Its hole is 18 units wide. Mazes that a
    robot of radius 8 cannot cross within 500 units are drawn again from the same stream.

    Parameters
    ----------
    seed
        A whole number, 0 or larger. The sixty mazes of the experiments are seeds 0 to 59.
    subdivisions
        How many walls divide the box; None draws the number from 2 to 6. Fewer are made if nothing is left to be cut.

    Examples
    --------
    >>> maze = generate_maze(3)
    >>> maze.name, maze.start, maze.goal, maze.bounds
    ('generated:3', (20.0, 180.0), (180.0, 20.0), (0.0, 0.0, 200.0, 200.0))
    """
    _check_whole("seed", seed)
    if subdivisions is not None:
        _check_whole("subdivisions", subdivisions)
    # Python promises that random() of a seeded Random never changes; numpy promises that only for its raw bits
    draw = random.Random(int(seed)).random
    while True:
        count = subdivisions
        if count is None:
            count = FEWEST_SUBDIVISIONS + int(draw() * (MOST_SUBDIVISIONS - FEWEST_SUBDIVISIONS + 1))
        maze = Maze(f"{GENERATED}{seed}", START, HEADING, GOAL, _divide(count, draw))
        if _crossable(maze):
            maze.walls.flags.writeable = False
            return maze


def _crossable(maze: Maze) -> bool:
    ends = np.array([maze.start, maze.goal])
    return distances(ends, maze.walls).min() >= ROBOT_RADIUS and path_length(maze) <= LONGEST_PATH


def _check_whole(name: str, number: Any) -> None:
    if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < 0:
        raise ValueError(f"{name} must be a whole number from 0, got {brief(number)}")


def _divide(count: int, draw: Callable[[], float]) -> np.ndarray:
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
    left, top, right, bottom = chamber
    return right - left, bottom - top


def _directions(chamber: Box) -> list[str]:
    """How a wall can stand in a chamber: upright, level, both or neither."""
    width, height = _sides(chamber)
    room, breadth = 2 * SMALLEST_SIDE, SHORTEST_WALL
    return ["upright"] * (width >= room and height >= breadth) + ["level"] * (height >= room and width >= breadth)


def _cut(chamber: Box, draw: Callable[[], float]) -> tuple[list[Box], list[Box]]:
    """Two halves, and the two pieces of wall on both sides of the hole between them."""
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
