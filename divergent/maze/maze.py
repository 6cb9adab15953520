"""A maze: where a robot starts, where it should go, and the walls between."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from divergent.validation import brief

ROBOT_RADIUS = 8.0  # maze units, as every length here
GOAL_RADIUS = 5.0  # a robot whose centre is closer than this to the goal has reached it
MOST_WALLS = 10_000
LARGEST_COORDINATE = 1e6
SHORTEST = 1e-100  # length of a wall


class Maze(NamedTuple):
    """Where a robot starts, where it should go, and the walls between.

    y is drawn downwards; headings are in degrees, from +x towards +y.

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
    """One row ``x1 y1 x2 y2`` a wall, shape (n, 4)."""

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """The bounding box of the walls: xmin, ymin, xmax, ymax."""
        ends = np.asarray(self.walls, dtype=float).reshape(-1, 2)
        return (*ends.min(axis=0).tolist(), *ends.max(axis=0).tolist())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Maze):
            return NotImplemented
        return self[:4] == other[:4] and np.array_equal(self.walls, other.walls)

    def __hash__(self) -> int:
        return hash(self[:4])


def check_maze(maze: Maze, places: dict[str, str] | None = None) -> None:
    """Refuse a maze that no robot can be put into, naming the part, the rule and the value.

    Parameters
    ----------
    maze
        Any maze, for example one built by hand.
    places
        How to call ``"start"``, ``"heading"``, ``"goal"`` and the walls ``"wall 1"``, ``"wall 2"``... in a message, for
        example by file and line.

    Examples
    --------
    >>> check_maze(Maze("slit", (5, 2), 0, (80, 20), np.array([(0.0, 0.0, 100.0, 0.0)])))
    Traceback (most recent call last):
    ...
    ValueError: maze 'slit', start: it must be at least 8 from every wall; it is 2 from maze 'slit', wall 1
    """

    walls = check_parts(maze, places)
    clearance = distances(np.array([maze.start], dtype=float), walls)[0]
    if clearance.min() < ROBOT_RADIUS:
        number = int(clearance.argmin())
        raise ValueError(
            f"{_place(maze, places, 'start')}: it must be at least {ROBOT_RADIUS:g} from every wall; "
            f"it is {clearance[number]:.6g} from {_place(maze, places, f'wall {number + 1}')}"
        )


def check_parts(maze: Maze, places: dict[str, str] | None = None) -> np.ndarray:
    """The walls of a maze as floats; refuses a maze whose parts are not as many finite numbers as they must be."""
    if not isinstance(maze, Maze):
        raise TypeError(f"a maze is a Maze, as read_maze gives it, got {brief(maze)}")

    def place(part: str) -> str:
        return _place(maze, places, part)

    for part, numbers, count in (("start", maze.start, 2), ("heading", (maze.heading,), 1), ("goal", maze.goal, 2)):
        if not isinstance(numbers, Sequence | np.ndarray) or isinstance(numbers, str) or np.ndim(numbers) != 1:
            raise TypeError(f"{place(part)}: it is {count} numbers; got {brief(numbers)}")
        if len(numbers) != count:
            raise ValueError(f"{place(part)}: it is {count} numbers; got {len(numbers)}")
        _check_numbers(place(part), numbers)
    try:
        walls = np.asarray(maze.walls, dtype=float)
    except (TypeError, ValueError):
        raise TypeError(f"maze {maze.name!r}: walls are numbers, rows x1 y1 x2 y2; got {brief(maze.walls)}") from None
    if walls.ndim != 2 or walls.shape[1] != 4 or not 1 <= len(walls) <= MOST_WALLS:
        raise ValueError(
            f"maze {maze.name!r}: walls are an array of 1 to {MOST_WALLS} rows x1 y1 x2 y2; got shape {walls.shape}"
        )
    odd = ~(np.isfinite(walls) & (np.abs(walls) <= LARGEST_COORDINATE)).all(axis=1)
    if odd.any():
        number = int(np.flatnonzero(odd)[0])
        _check_numbers(place(f"wall {number + 1}"), walls[number])
    points = np.abs(walls[:, :2] - walls[:, 2:]).max(axis=1) < SHORTEST  # whose squared length is no longer a number
    if points.any():
        number = int(np.flatnonzero(points)[0])
        raise ValueError(f"{place(f'wall {number + 1}')}: a wall is longer than 0; got {text_of(walls[number])}")
    return walls


def _place(maze: Maze, places: dict[str, str] | None, part: str) -> str:
    return places[part] if places else f"maze {maze.name!r}, {part}"


def distances(points: np.ndarray, walls: np.ndarray) -> np.ndarray:
    """From every point to every wall, shape (points, walls)."""
    x1, y1, x2, y2 = walls.T
    along_x, along_y = x2 - x1, y2 - y1
    away_x, away_y = points[:, :1] - x1, points[:, 1:] - y1
    squared = along_x**2 + along_y**2
    share = np.clip((away_x * along_x + away_y * along_y) / np.where(squared > 0, squared, 1.0), 0, 1)
    return np.sqrt((away_x - share * along_x) ** 2 + (away_y - share * along_y) ** 2)


def text_of(numbers: Iterable[float]) -> str:
    """Numbers as a maze file writes them."""
    return " ".join(f"{number:g}" for number in numbers)


def _check_numbers(place: str, numbers: Iterable[float]) -> None:
    for number in numbers:
        if not isinstance(number, int | float | np.number) or isinstance(number, complex | np.complexfloating):
            raise TypeError(f"{place}: a maze is made of numbers; got {brief(number)}")
        if isinstance(number, int) and abs(number) > LARGEST_COORDINATE:
            raise ValueError(f"{place}: no number is larger than {LARGEST_COORDINATE:g}; got {brief(number)}")
        if not math.isfinite(number):
            raise ValueError(f"{place}: a maze has finite numbers only; got {number}")
        if abs(number) > LARGEST_COORDINATE:
            raise ValueError(f"{place}: no number is larger than {LARGEST_COORDINATE:g}; got {number:.10g}")
