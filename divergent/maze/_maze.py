"""Maze geometry: start, goal and walls."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from divergent.validation import brief

ROBOT_RADIUS = 8.0  # radius of the robot in maze units
GOAL_RADIUS = 5.0  # the goal is reached if the robot's centre is closer to the goal than this distance
BEST = 300.0  # fitness if the final distance to the goal is 0
MAX_WALLS = 10_000
LARGEST_COORDINATE = 1e6
SHORTEST_LENGTH = 1e-100


class Maze(NamedTuple):
    """A maze: start, goal and walls.

    The y axis points down. Headings are angles in degrees, measured from the +x axis towards the +y axis.

    Parameters
    ----------
    name : str
        Name of the maze.
    start : tuple of float
        Initial position of the robot.
    heading : float
        Initial heading in degrees.
    goal : tuple of float
        Position of the goal.
    walls : numpy.ndarray
        One row ``x1 y1 x2 y2`` for each wall, shape (n, 4).

    See Also
    --------
    read_maze : Read a maze from a file.
    check_maze : Validate a maze.

    Examples
    --------
    >>> maze = Maze("box", (20, 20), 0, (80, 20), np.array([(0, 0, 100, 0), (0, 40, 100, 40)]))

    >>> maze.bounds
    (0.0, 0.0, 100.0, 40.0)
    """

    name: str
    start: tuple[float, float]
    heading: float
    goal: tuple[float, float]
    walls: np.ndarray

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Bounding box of the walls as (xmin, ymin, xmax, ymax)."""
        ends = np.asarray(self.walls, dtype=float).reshape(-1, 2)
        return (*ends.min(axis=0).tolist(), *ends.max(axis=0).tolist())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Maze):
            return NotImplemented
        return self[:4] == other[:4] and np.array_equal(self.walls, other.walls)

    def __hash__(self) -> int:
        return hash(self[:4])


def check_maze(maze: Maze, places: dict[str, str] | None = None) -> None:
    """Raise an error if a maze is invalid or its start is too close to a wall for the robot.

    Parameters
    ----------
    maze : Maze
        The maze.
    places : dict or None, default=None
        Maps each entry, such as ``"start"``, ``"heading"``, ``"goal"`` or ``"wall 1"``, to its file and line for error
        messages. If None, error messages name the maze and the entry.

    Raises
    ------
    TypeError
        If `maze` is not a `Maze`, or its start, heading, goal or walls are not numbers.
    ValueError
        If start, heading, goal or walls have invalid values, or the start is closer than 8 units to a wall.

    Examples
    --------
    >>> check_maze(Maze("slit", (5, 2), 0, (80, 20), np.array([(0.0, 0.0, 100.0, 0.0)])))
    Traceback (most recent call last):
    ...
    ValueError: maze 'slit', start: the robot must be at least 8 units from every wall, got 2 from maze 'slit', wall 1
    """

    walls = validated_walls(maze, places)
    clearance = distances(np.array([maze.start], dtype=float), walls)[0]
    if clearance.min() < ROBOT_RADIUS:
        number = int(clearance.argmin())
        raise ValueError(
            f"{_place(maze, places, 'start')}: the robot must be at least {ROBOT_RADIUS:g} units from every wall, "
            f"got {clearance[number]:.6g} from {_place(maze, places, f'wall {number + 1}')}"
        )


def validated_walls(maze: Maze, places: dict[str, str] | None = None) -> np.ndarray:
    """Validate start, heading, goal and walls of a maze, and return the walls as an array of floats."""
    if not isinstance(maze, Maze):
        raise TypeError(f"maze must be a Maze, got {brief(maze)}; create a maze with read_maze")

    def place(part: str) -> str:
        return _place(maze, places, part)

    for part, numbers, count in (("start", maze.start, 2), ("heading", (maze.heading,), 1), ("goal", maze.goal, 2)):
        if not isinstance(numbers, Sequence | np.ndarray) or isinstance(numbers, str) or np.ndim(numbers) != 1:
            raise TypeError(f"{place(part)}: this maze entry must consist of {count} numbers, got {brief(numbers)}")
        if len(numbers) != count:
            raise ValueError(f"{place(part)}: this maze entry must consist of {count} numbers, got {len(numbers)}")
        _check_numbers(place(part), numbers)
    try:
        walls = np.asarray(maze.walls, dtype=float)
    except (TypeError, ValueError):
        raise TypeError(f"maze {maze.name!r}: walls must be numbers x1 y1 x2 y2, got {brief(maze.walls)}") from None
    if walls.ndim != 2 or walls.shape[1] != 4 or not 1 <= len(walls) <= MAX_WALLS:
        raise ValueError(
            f"maze {maze.name!r}: walls must be an array of 1 to {MAX_WALLS} rows x1 y1 x2 y2, got shape {walls.shape}"
        )
    invalid = ~(np.isfinite(walls) & (np.abs(walls) <= LARGEST_COORDINATE)).all(axis=1)
    if invalid.any():
        number = int(np.flatnonzero(invalid)[0])
        _check_numbers(place(f"wall {number + 1}"), walls[number])
    # the squared length of a wall shorter than `SHORTEST_LENGTH` would underflow to 0
    points = np.abs(walls[:, :2] - walls[:, 2:]).max(axis=1) < SHORTEST_LENGTH
    if points.any():
        number = int(np.flatnonzero(points)[0])
        wall = format_numbers(walls[number])
        raise ValueError(f"{place(f'wall {number + 1}')}: a wall must be longer than 0, got {wall}")
    return walls


def _place(maze: Maze, places: dict[str, str] | None, part: str) -> str:
    """Return the location of a maze entry, such as a wall, for an error message."""
    return places[part] if places else f"maze {maze.name!r}, {part}"


def distances(points: np.ndarray, walls: np.ndarray) -> np.ndarray:
    """Return the distance from every point to every wall, shape (points, walls)."""
    x1, y1, x2, y2 = walls.T
    along_x, along_y = x2 - x1, y2 - y1
    away_x, away_y = points[:, :1] - x1, points[:, 1:] - y1
    squared = along_x**2 + along_y**2
    fraction = np.clip((away_x * along_x + away_y * along_y) / np.where(squared > 0, squared, 1.0), 0, 1)
    return np.sqrt((away_x - fraction * along_x) ** 2 + (away_y - fraction * along_y) ** 2)


def format_numbers(numbers: Iterable[float]) -> str:
    """Format numbers like a line of a maze file, separated by spaces."""
    return " ".join(f"{number:g}" for number in numbers)


def _check_numbers(place: str, numbers: Iterable[float]) -> None:
    """Raise an error unless all numbers are finite and have a magnitude of at most 1e6."""
    for number in numbers:
        if not isinstance(number, int | float | np.number) or isinstance(number, complex | np.complexfloating):
            raise TypeError(f"{place}: coordinates and headings must be numbers, got {brief(number)}")
        if isinstance(number, int) and abs(number) > LARGEST_COORDINATE:
            raise ValueError(
                f"{place}: coordinates and headings must have magnitudes of at most {LARGEST_COORDINATE:g}, "
                f"got {brief(number)}"
            )
        if not math.isfinite(number):
            raise ValueError(f"{place}: coordinates and headings must be finite, got {number}")
        if abs(number) > LARGEST_COORDINATE:
            raise ValueError(
                f"{place}: coordinates and headings must have magnitudes of at most {LARGEST_COORDINATE:g}, "
                f"got {number:.10g}"
            )
