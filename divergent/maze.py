"""Mazes: read from a text file, generated from a seed, and the shortest way through them."""

import difflib
import math
import random
import warnings
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROBOT_RADIUS = 8.0  # maze units, as every length here
GOAL_RADIUS = 5.0  # a robot whose centre is closer than this to the goal has reached it
MOST_WALLS = 10_000
LARGEST_COORDINATE = 1e6
MOST_WALLS_FOR_A_WARNING = 64  # looking for a path costs the cube of the number of walls

GENERATED = "generated:"
BOX = 200.0
START, HEADING, GOAL = (20.0, 180.0), 0.0, (180.0, 20.0)
SMALLEST_SIDE = 25.0
HOLE = 22.0
LONGEST_PATH = 500.0
FEWEST_SUBDIVISIONS, MOST_SUBDIVISIONS = 2, 6


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

    def __eq__(self, other):
        if not isinstance(other, Maze):
            return NotImplemented
        return self[:4] == other[:4] and np.array_equal(self.walls, other.walls)

    def __hash__(self):
        return hash(self[:4])


def maze_names() -> list[str]:
    """The names of the mazes that come with the package.

    Examples
    --------
    >>> maze_names()
    ['extremely_hard', 'hard', 'medium', 'very_hard']
    """
    return sorted(file.stem for file in _folder().glob("*.txt"))


def read_maze(name_or_path: str | Path) -> Maze:
    """Read a maze: one of ours by its name, ``"generated:SEED"``, or any file by its path.

    A file has one line each for the number of walls, the start, the heading and the goal, and one line ``x1 y1 x2 y2``
    a wall; blank lines and what follows a ``#`` are skipped. A file with a fault is refused with a `ValueError` that
    names file, line, rule and value. A goal that cannot be reached is legal and only warned about; above 64 walls the
    path is not looked for. A maze has at most 10,000 walls.

    Examples
    --------
    >>> maze = read_maze("hard")
    >>> maze.start, maze.goal, len(maze.walls)
    ((36.0, 184.0), (31.0, 20.0), 13)
    """
    if isinstance(name_or_path, str):
        if name_or_path in maze_names():
            return _read(_folder() / f"{name_or_path}.txt")
        if name_or_path.startswith(GENERATED):
            return generate_maze(_seed(name_or_path))
    path = Path(name_or_path)
    if path.is_dir():
        raise IsADirectoryError(f"a maze is a text file; {str(path)!r} is a folder")
    if path.is_file():
        return _read(path)
    if isinstance(name_or_path, Path) or path.suffix or len(path.parts) > 1:
        raise FileNotFoundError(f"maze file {str(path)!r} does not exist")
    raise ValueError(f"unknown maze {name_or_path!r}; {_suggestion(name_or_path)}")


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

    def place(part):
        return places[part] if places else f"maze {maze.name!r}, {part}"

    for part, numbers, count in (("start", maze.start, 2), ("heading", (maze.heading,), 1), ("goal", maze.goal, 2)):
        if len(numbers) != count:
            raise ValueError(f"{place(part)}: it is {count} numbers; got {len(numbers)}")
        _check_numbers(place(part), numbers)
    walls = np.asarray(maze.walls, dtype=float)
    if walls.ndim != 2 or walls.shape[1] != 4 or not 1 <= len(walls) <= MOST_WALLS:
        raise ValueError(
            f"maze {maze.name!r}: walls are an array of 1 to {MOST_WALLS} rows x1 y1 x2 y2; got shape {walls.shape}"
        )
    odd = ~(np.isfinite(walls) & (np.abs(walls) <= LARGEST_COORDINATE)).all(axis=1)
    if odd.any():
        number = int(np.flatnonzero(odd)[0])
        _check_numbers(place(f"wall {number + 1}"), walls[number])
    points = (walls[:, :2] == walls[:, 2:]).all(axis=1)
    if points.any():
        number = int(np.flatnonzero(points)[0])
        raise ValueError(f"{place(f'wall {number + 1}')}: a wall is longer than 0; got {_text(walls[number])}")
    clearance = _distances(np.array([maze.start], dtype=float), walls)[0]
    if clearance.min() < ROBOT_RADIUS:
        number = int(clearance.argmin())
        raise ValueError(
            f"{place('start')}: it must be at least {ROBOT_RADIUS:g} from every wall; "
            f"it is {clearance[number]:.6g} from {place(f'wall {number + 1}')}"
        )


def generate_maze(seed: int, subdivisions: int | None = None) -> Maze:
    """Divide a 200 x 200 box by walls with one hole each; the same seed gives the same maze for ever.

    Each subdivision cuts the largest chamber that can still be cut, across its longer side. Mazes that a robot of
    radius 8 cannot cross within 500 units are drawn again from the same stream.

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


def shortest_path(maze: Maze, radius: float = ROBOT_RADIUS) -> tuple[float, np.ndarray]:
    """The shortest way of a disc from the start to the goal: its length, and way points that stay clear of the walls.

    Such a way is made of straight lines that touch the circles of the given radius around the ends of walls, and of
    arcs on these circles. They are the edges of a graph, so the length is exact; the way points replace an arc by a
    polygon just outside it. If the goal itself is closer than `radius` to a wall, the way ends at a clear point from
    which the goal counts as reached. Without any way, a `ValueError` says so.

    Returns
    -------
    length
        In maze units.
    points
        From start to goal, shape (m, 2).

    Examples
    --------
    >>> length, points = shortest_path(read_maze("medium"))
    >>> round(length), points[0].tolist(), points[-1].tolist()
    (269, [30.0, 22.0], [270.0, 100.0])
    """
    import networkx

    if not (math.isfinite(radius) and radius > 0):
        raise ValueError(f"radius must be above 0, got {radius}")
    walls = np.asarray(maze.walls, dtype=float)
    points = np.concatenate([np.array([maze.start], dtype=float), _targets(maze, walls, radius)])
    clearance = _distances(points, walls).min(axis=1)
    if clearance[0] < radius or len(points) == 1:
        where = "start" if clearance[0] < radius else "goal"
        raise ValueError(f"maze {maze.name!r}: no path, the {where} is closer than {radius:g} to a wall")
    # a hair of room keeps rounding from pushing way points into a wall
    room = min(radius + 1e-6, clearance.min())
    graph = networkx.Graph()
    graph.add_nodes_from((-1, number) for number in range(len(points)))
    centres = np.unique(walls.reshape(-1, 2), axis=0)
    for line, length in _clear_lines(points, centres, walls, room):
        graph.add_edge(line[:2], line[2:], weight=length)
    for first, second, sweep in _clear_arcs(graph, centres, walls, room):
        graph.add_edge(first, second, weight=room * sweep, begin=first, sweep=sweep)
    try:
        ends = {(-1, number) for number in range(1, len(points))}
        length, nodes = networkx.multi_source_dijkstra(graph, ends, target=(-1, 0))
    except networkx.NetworkXNoPath:
        raise ValueError(
            f"maze {maze.name!r}: no path for a disc of radius {radius:g} from {maze.start} to {maze.goal}"
        ) from None
    return length, _way_points(graph, nodes[::-1], points, centres, room)


def _folder():
    """Beside this module in a wheel, beside the package in a checkout."""
    installed = Path(__file__).parent / "mazes"
    return installed if installed.is_dir() else Path(__file__).parents[1] / "mazes"


def _seed(name):
    digits = name.removeprefix(GENERATED)
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError(f"a generated maze is {GENERATED}SEED with a whole number from 0; got {name!r}")
    return int(digits)


def _suggestion(name):
    names = maze_names()
    near = difflib.get_close_matches(name, names, n=1)
    meant = f"did you mean {near[0]!r}? " if near else ""
    return f"{meant}choose from {', '.join(names)}, {GENERATED}SEED, or give the path of a file"


def _read(path):
    try:
        with path.open(encoding="utf-8") as file:
            return _parse(path, _lines(file))
    except UnicodeDecodeError:
        raise ValueError(f"{path}: a maze is a text file in UTF-8; this one is not") from None


def _lines(file) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(file, start=1):
        words = line.split("#", 1)[0].split()
        if words:
            yield number, words


def _parse(path, lines):
    last = 1
    places = {}

    def numbers(part, form, count):
        nonlocal last
        last, words = next(lines, (last, []))
        places[part] = f"{path}, line {last}"
        if not words:
            raise ValueError(f"{path}, line {last}: the file ends here, before {part}; {form}")
        if len(words) != count:
            raise ValueError(f"{path}, line {last}: {form}; got {len(words)}")
        return [_number(word, places[part]) for word in words]

    (count,) = numbers("number of walls", "a maze file begins with 1 number, the number of walls", 1)
    if not (1 <= count <= MOST_WALLS and count == int(count)):
        raise ValueError(
            f"{path}, line {last}: the number of walls is a whole number from 1 to {MOST_WALLS}; got {count:.10g}"
        )
    start = numbers("start", "the start is 2 numbers, x y", 2)
    (heading,) = numbers("heading", "the heading is 1 number, in degrees", 1)
    goal = numbers("goal", "the goal is 2 numbers, x y", 2)
    form = "a wall is 4 numbers, x1 y1 x2 y2"
    walls = [numbers(f"wall {number}", form, 4) for number in range(1, int(count) + 1)]
    for extra, _ in lines:
        raise ValueError(f"{path}, line {extra}: the file promises {count:g} walls; this is one more")
    maze = Maze(path.stem, tuple(start), heading, tuple(goal), np.array(walls))
    check_maze(maze, places)
    _warn_of_the_goal(maze, places["goal"])
    maze.walls.flags.writeable = False
    return maze


def _number(word, place):
    try:
        return float(word)
    except ValueError:
        raise ValueError(f"{place}: {word!r} is not a number") from None


def _check_numbers(place, numbers):
    for number in numbers:
        if not math.isfinite(number):
            raise ValueError(f"{place}: a maze has finite numbers only; got {number}")
        if abs(number) > LARGEST_COORDINATE:
            raise ValueError(f"{place}: no number is larger than {LARGEST_COORDINATE:g}; got {number:.10g}")


def _check_whole(name, number):
    if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < 0:
        raise ValueError(f"{name} must be a whole number from 0, got {number!r}")


def _text(numbers):
    return " ".join(f"{number:g}" for number in numbers)


def _warn_of_the_goal(maze, place):
    xmin, ymin, xmax, ymax = maze.bounds
    x, y = maze.goal
    if not (xmin <= x <= xmax and ymin <= y <= ymax):
        fault = "lies outside the walls"
    elif len(maze.walls) <= MOST_WALLS_FOR_A_WARNING and not math.isfinite(_length(maze)):
        fault = "cannot be reached from the start"
    else:
        return
    warnings.warn(f"{place}: the goal {_text(maze.goal)} {fault}; the maze is legal all the same", stacklevel=4)


def _length(maze):
    try:
        return shortest_path(maze)[0]
    except ValueError:
        return math.inf


def _crossable(maze):
    ends = np.array([maze.start, maze.goal])
    return _distances(ends, maze.walls).min() >= ROBOT_RADIUS and _length(maze) <= LONGEST_PATH


def _divide(count, draw):
    chambers = [(0.0, 0.0, BOX, BOX)]
    walls = [(0.0, 0.0, BOX, 0.0), (BOX, 0.0, BOX, BOX), (BOX, BOX, 0.0, BOX), (0.0, BOX, 0.0, 0.0)]
    for _ in range(count):
        large = [chamber for chamber in chambers if max(_sides(chamber)) >= 2 * SMALLEST_SIDE]
        if not large:
            break
        chamber = max(large, key=lambda chamber: math.prod(_sides(chamber)))
        chambers.remove(chamber)
        halves, pieces = _cut(chamber, draw)
        chambers += halves
        walls += pieces
    return np.array(walls)


def _sides(chamber):
    left, top, right, bottom = chamber
    return right - left, bottom - top


def _cut(chamber, draw):
    """Two halves, and the two pieces of wall on both sides of the hole between them."""
    left, top, right, bottom = chamber
    width, height = _sides(chamber)
    upright = width > height or (width == height and draw() < 0.5)
    if upright:
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


def _targets(maze, walls, radius):
    """The goal, or, if it is too close to a wall for the disc, clear points from which it counts as reached."""
    goal = np.array([maze.goal], dtype=float)
    if _distances(goal, walls).min() >= radius:
        return goal
    angles = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    rings = [goal + share * GOAL_RADIUS * _directions(angles) for share in (0.25, 0.5, 0.75, 0.999)]
    around = np.concatenate(rings)
    return around[_distances(around, walls).min(axis=1) >= radius]


# A node of the graph of ways is (circle, angle), a point on the circle around that end of a wall, or (-1, number), one
# of the given points: the start first, then every point that will do as an end.


def _clear_lines(points, centres, walls, room):
    """The straight lines between two points, a point and a circle or two circles that touch the circles and no wall."""
    lines = np.concatenate([_between_circles(centres, room), *_from_points(points, centres, room)])
    begins, ends = _places(lines[:, :2], points, centres, room), _places(lines[:, 2:], points, centres, room)
    clear = np.empty(len(lines), dtype=bool)
    for part in range(0, len(lines), 4096):
        chunk = slice(part, part + 4096)
        clear[chunk] = _clearance(begins[chunk], ends[chunk], walls) >= room - 1e-9
    lengths = np.linalg.norm(ends - begins, axis=1)
    for (circle, angle, other, bearing), length in zip(lines[clear].tolist(), lengths[clear].tolist(), strict=True):
        yield (int(circle), angle, int(other), bearing), length


def _between_circles(centres, room):
    first, second = np.triu_indices(len(centres), k=1)
    away = centres[second] - centres[first]
    bearing = np.arctan2(away[:, 1], away[:, 0])
    distance = np.hypot(away[:, 0], away[:, 1])
    apart = distance > 2 * room
    across = np.arccos(2 * room / distance[apart])
    rows = []
    for side in (-1, 1):
        outer = (bearing + side * np.pi / 2) % (2 * np.pi)
        inner = bearing[apart] + side * across
        rows.append(np.column_stack((first, outer, second, outer)))
        rows.append(np.column_stack((first[apart], inner % (2 * np.pi), second[apart], (inner + np.pi) % (2 * np.pi))))
    return np.concatenate(rows)


def _from_points(points, centres, room):
    for number, point in enumerate(points):
        away = point - centres
        bearing = np.arctan2(away[:, 1], away[:, 0])
        across = np.arccos(np.minimum(1, room / np.hypot(away[:, 0], away[:, 1])))
        here = np.full((len(centres), 2), (-1.0, number))
        for side in (-1, 1):
            yield np.column_stack((here, np.arange(len(centres)), (bearing + side * across) % (2 * np.pi)))
        if number > 0:
            yield np.array([(-1.0, 0.0, -1.0, number)])


def _clear_arcs(graph, centres, walls, room):
    """The arcs between neighbouring nodes of a circle that no wall comes too close to."""
    on_circle = {}
    for circle, angle in graph:
        if circle >= 0:
            on_circle.setdefault(circle, []).append(angle)
    samples = 360
    step = 2 * np.pi / samples
    circle_points = room * _directions(np.arange(samples) * step)
    for circle, angles in on_circle.items():
        angles.sort()
        clear = _distances(centres[circle] + circle_points, walls).min(axis=1) >= room - 1e-9
        sweeps = np.diff([*angles, angles[0] + 2 * np.pi]).tolist()
        arcs = zip(sweeps, angles, [*angles[1:], angles[0]], strict=True)
        # the longer of two arcs between the same nodes first: the graph keeps the last
        for sweep, begin, end in sorted(arcs, reverse=True):
            between = np.arange(math.ceil(begin / step), math.floor((begin + sweep) / step) + 1) % samples
            if begin != end and clear[between].all():
                yield (circle, begin), (circle, end), sweep


def _way_points(graph, nodes, points, centres, room):
    way = [points[0]]
    for node, following in pairwise(nodes):
        edge = graph.edges[node, following]
        if "sweep" in edge:
            sweep = edge["sweep"] if node == edge["begin"] else -edge["sweep"]
            count = math.ceil(abs(sweep) / math.radians(5))
            middles = node[1] + sweep * (np.arange(count) + 0.5) / count
            way.extend(centres[node[0]] + room / math.cos(sweep / (2 * count)) * _directions(middles))
        way.append(_places(np.array([following]), points, centres, room)[0])
    return np.array(way)


def _places(nodes, points, centres, room):
    given = nodes[:, 0] < 0
    places = np.empty((len(nodes), 2))
    places[given] = points[nodes[given, 1].astype(int)]
    places[~given] = centres[nodes[~given, 0].astype(int)] + room * _directions(nodes[~given, 1])
    return places


def _clearance(begins, ends, walls):
    """From every straight line to the wall nearest to it."""
    lines = np.column_stack((begins, ends))
    nearest = np.minimum(_distances(begins, walls).min(axis=1), _distances(ends, walls).min(axis=1))
    nearest = np.minimum(nearest, _distances(walls.reshape(-1, 2), lines).min(axis=0))
    crossed = _sides_differ(lines[:, None], walls[None]) & _sides_differ(walls[None], lines[:, None])
    nearest[crossed.any(axis=1)] = 0
    return nearest


def _sides_differ(lines, walls):
    """Whether the two ends of a wall lie on different sides of a line."""
    along = lines[..., 2:] - lines[..., :2]
    sides = [
        along[..., 0] * (walls[..., end + 1] - lines[..., 1]) - along[..., 1] * (walls[..., end] - lines[..., 0])
        for end in (0, 2)
    ]
    return sides[0] * sides[1] < 0


def _directions(angles):
    return np.column_stack((np.cos(angles), np.sin(angles)))


def _distances(points, walls):
    """From every point to every wall, shape (points, walls)."""
    x1, y1, x2, y2 = walls.T
    along_x, along_y = x2 - x1, y2 - y1
    away_x, away_y = points[:, :1] - x1, points[:, 1:] - y1
    share = np.clip((away_x * along_x + away_y * along_y) / (along_x**2 + along_y**2), 0, 1)
    return np.sqrt((away_x - share * along_x) ** 2 + (away_y - share * along_y) ** 2)
