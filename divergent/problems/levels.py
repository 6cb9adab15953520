"""Grid levels of a game: a constrained content-generation problem whose evaluations take less than 0.1 ms."""

import random
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from deap import base, tools

from divergent._compile import njit
from divergent.individual import MaximisedFitness, Outcome
from divergent.problem import Problem
from divergent.validation import brief, check_at_least, check_rate

WIDTH, HEIGHT = 20, 12
WALL = 1
SHORTEST_PATH = 35  # smallest feasible number of steps from start to exit; an empty level has a path of 30 steps
FLOOR = (0.4, 0.7)  # smallest and largest feasible fraction of floor tiles
LONGEST_PATH = 110  # upper limit of the behaviour dimension "path length"
TILE = 8  # number of pixels along each side of a tile in an image
COLOURS = np.array([(244, 240, 230), (70, 74, 86), (226, 120, 60), (60, 140, 90), (190, 60, 60)], dtype=np.uint8)


class Level(list):
    """A game level as a list of tiles, row by row: 0 is floor, 1 is wall.

    The start is the first tile and the exit is the last tile; both are floor regardless of their values.

    Parameters
    ----------
    tiles : iterable of int
        The tiles, `WIDTH * HEIGHT` numbers.

    Raises
    ------
    ValueError
        If the number of tiles is not `WIDTH * HEIGHT`, or a tile is neither 0 nor 1.
    """

    def __init__(self, tiles: Iterable[int]):
        super().__init__(tiles)
        if len(self) != WIDTH * HEIGHT or not set(self) <= {0, WALL}:
            raise ValueError(f"tiles must be {WIDTH * HEIGHT} numbers, each 0 or 1, got {brief(list(self))}")
        self.fitness = MaximisedFitness()


class Structure(NamedTuple):
    """Structure of a level, from which constraint violation and behaviour are computed."""

    distances: np.ndarray
    """Steps from the start to each tile, shape (HEIGHT, WIDTH); -1 if a tile is unreachable."""
    path: int
    """Number of steps from start to exit; -1 if no path exists."""
    floor: float
    """Fraction of tiles that are floor."""
    isolated: float
    """Fraction of floor tiles that cannot be reached from the start."""
    gap: int
    """Manhattan distance from the exit to the nearest reachable tile; 0 if a path to the exit exists."""
    symmetry: float
    """Fraction of tiles that equal their mirror image when the level is reflected left to right."""


def evaluate(level: Sequence[int]) -> Outcome:
    """Compute the fitness (path length), behaviour and constraint violation of a level.

    A level is feasible if its shortest path has at least 35 steps, 40 to 70 % of the tiles are floor, and all floor
    tiles are reachable. The constraint violation is the sum of three fractions: the missing path length, the missing
    or excess floor, and the unreachable floor. If no path exists, the constraint violation is above 1.

    Parameters
    ----------
    level : Level
        The level.

    Returns
    -------
    Outcome
        The path length as fitness, the behaviour (path length, symmetry), and the constraint violation.

    Examples
    --------
    >>> evaluate(Level([0] * 240)).violation > 0
    True
    """
    structure = analyse(level)
    low, high = FLOOR
    violation = max(0.0, low - structure.floor) + max(0.0, structure.floor - high) + structure.isolated
    if structure.path < 0:
        violation += 1.0 + structure.gap / (WIDTH + HEIGHT)
    else:
        violation += max(0, SHORTEST_PATH - structure.path) / SHORTEST_PATH
    path = float(max(structure.path, 0))
    return Outcome((path,), behaviour=(path, structure.symmetry), violation=violation)


def analyse(level: Sequence[int]) -> Structure:
    """Compute the structure of a level.

    Parameters
    ----------
    level : Level
        The level.

    Returns
    -------
    Structure
        Distances from the start, path length, fractions of floor and isolated floor, distance from the exit to the
        nearest reachable tile, and symmetry.

    Examples
    --------
    >>> structure = analyse(Level([0] * 240))

    >>> structure.path, structure.floor, structure.isolated, structure.symmetry
    (30, 1.0, 0.0, 1.0)
    """
    grid = _as_grid(level)
    distances = _distances(grid)
    reached = distances >= 0
    floor = grid == 0
    path = int(distances[-1, -1])
    rows, columns = np.nonzero(reached)
    gap = 0 if path >= 0 else int((HEIGHT - 1 - rows + WIDTH - 1 - columns).min())
    return Structure(
        distances,
        path,
        float(floor.mean()),
        float((floor & ~reached).sum() / floor.sum()),
        gap,
        float((grid == grid[:, ::-1]).mean()),
    )


def exchange_rectangle(first: Level, second: Level) -> tuple[Level, Level]:
    """Apply crossover in place: exchange the tiles of a random rectangle between two levels.

    Parameters
    ----------
    first : Level
        The first level.
    second : Level
        The second level.

    Returns
    -------
    tuple of Level
        Both changed levels.
    """
    for tile in _random_rectangle(WIDTH, HEIGHT):
        first[tile], second[tile] = second[tile], first[tile]
    return first, second


def change_tiles(level: Level, *, flip: float = 0.01, fill: float = 0.5) -> tuple[Level]:
    """Mutate a level in place: flip single tiles, and sometimes fill a small rectangle with floor or wall.

    Parameters
    ----------
    level : Level
        The level.
    flip : float, default=0.01
        Probability that a tile is flipped.
    fill : float, default=0.5
        Probability that a rectangle of at most 5 x 3 tiles is filled.

    Returns
    -------
    tuple of Level
        The changed level, as a tuple of one element.
    """
    check_rate(flip=flip, fill=fill)
    tools.mutFlipBit(level, indpb=flip)
    if random.random() < fill:
        kind = random.randrange(2)
        for tile in _random_rectangle(5, 3):
            level[tile] = kind
    return (level,)


def random_level(rng: np.random.Generator, walls: float = 0.4) -> Level:
    """Create a level of independent random tiles.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of random numbers.
    walls : float, default=0.4
        Probability that a tile is a wall.

    Returns
    -------
    Level
        The level.
    """
    check_rate(walls=walls)
    return Level((rng.random(WIDTH * HEIGHT) < walls).astype(int).tolist())


def render(level: Sequence[int], scale: int = TILE) -> np.ndarray:
    """Draw a level with its shortest path as an image.

    Parameters
    ----------
    level : Level
        The level.
    scale : int, default=8
        Number of pixels along each side of a tile.

    Returns
    -------
    ndarray of shape (HEIGHT * scale, WIDTH * scale, 3)
        RGB image of floor, walls, shortest path, start and exit, with values from 0 to 255.
    """
    check_at_least(1, scale=scale)
    image = _as_grid(level).astype(int)
    for row, column in shortest_path(level)[1:-1]:
        image[row, column] = 2
    image[0, 0], image[-1, -1] = 3, 4
    return COLOURS[image].repeat(scale, axis=0).repeat(scale, axis=1)


def shortest_path(level: Sequence[int]) -> list[tuple[int, int]]:
    """Return a shortest path from start to exit.

    Parameters
    ----------
    level : Level
        The level.

    Returns
    -------
    list of tuple of int
        Row and column of each tile from start to exit; an empty list if no path exists.
    """
    distances = analyse(level).distances
    row, column = HEIGHT - 1, WIDTH - 1
    if distances[row, column] < 0:
        return []
    path = [(row, column)]
    while distances[row, column] > 0:
        for near in ((row - 1, column), (row, column - 1), (row + 1, column), (row, column + 1)):
            inside = 0 <= near[0] < HEIGHT and 0 <= near[1] < WIDTH
            if inside and distances[near] == distances[row, column] - 1:
                row, column = near
                break
        path.append((row, column))
    return path[::-1]


def make_toolbox(rng: np.random.Generator) -> base.Toolbox:
    """Create the DEAP toolbox of the level problem.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of random numbers for the initial population; the operators draw from the module `random`, as in
        DEAP.

    Returns
    -------
    deap.base.Toolbox
        The toolbox with `population`, `evaluate`, `mate` and `mutate`.
    """
    toolbox = base.Toolbox()
    toolbox.register("individual", random_level, rng)
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    toolbox.register("evaluate", evaluate)
    toolbox.register("mate", exchange_rectangle)
    toolbox.register("mutate", change_tiles)
    return toolbox


LEVELS = Problem(
    "levels",
    make_toolbox,
    defaults={"population": 100, "generations": 100, "loop": "fi2pop", "cxpb": 0.6, "mutpb": 0.9},
    axes=("path length", "symmetry"),
    limits=((0.0, float(LONGEST_PATH)), (0.3, 1.0)),
    render=render,
    title="Grid levels",
)
"""The problem of evolving levels; the default loop is FI-2pop, see `divergent.FeasibleInfeasible`."""


def _as_grid(level: Sequence[int]) -> np.ndarray:
    """Convert a level to a two-dimensional array whose start and exit are floor."""
    grid = np.array(level, dtype=np.int64).reshape(HEIGHT, WIDTH)
    grid[0, 0] = grid[-1, -1] = 0
    return grid


def _random_rectangle(widest: int, highest: int) -> list[int]:
    """Return the indices of the tiles in a random rectangle of limited size."""
    width, height = random.randint(1, widest), random.randint(1, highest)
    left, top = random.randint(0, WIDTH - width), random.randint(0, HEIGHT - height)
    return [row * WIDTH + column for row in range(top, top + height) for column in range(left, left + width)]


@njit(cache=True)
def _distances(grid: Any) -> Any:
    """Compute the number of steps from the start to each tile by breadth-first search; unreachable tiles get -1."""
    height, width = grid.shape
    distances = np.full((height, width), -1, dtype=np.int64)
    queue = np.empty(height * width, dtype=np.int64)
    distances[0, 0], queue[0] = 0, 0
    first, last = 0, 1
    while first < last:
        row, column = queue[first] // width, queue[first] % width
        first += 1
        for step in range(4):
            near_row = row + (step == 0) - (step == 1)
            near_column = column + (step == 2) - (step == 3)
            inside = 0 <= near_row < height and 0 <= near_column < width
            if inside and grid[near_row, near_column] == 0 and distances[near_row, near_column] < 0:
                distances[near_row, near_column] = distances[row, column] + 1
                queue[last] = near_row * width + near_column
                last += 1
    return distances
