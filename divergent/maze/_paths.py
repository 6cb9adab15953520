"""Shortest path of a disc through a maze."""

import math
import warnings
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from divergent.maze._maze import (
    GOAL_RADIUS,
    LARGEST_COORDINATE,
    ROBOT_RADIUS,
    Maze,
    distances,
    format_numbers,
    validated_walls,
)
from divergent.validation import brief, is_finite

MAX_WALLS_FOR_WARNING = 64  # no path is searched in a maze of more than 64 walls, because the search takes cubic time


def shortest_path(maze: Maze, radius: float = ROBOT_RADIUS) -> tuple[float, np.ndarray]:
    """Find the shortest path of a disc from the start to the goal of a maze.

    The path consists of straight lines and arcs. The arcs lie on circles around the ends of walls, and the lines are
    tangents of these circles. The lines and arcs are edges of a visibility graph, so the length of the path is exact.
    The waypoints approximate each arc by a polygonal line just outside the arc. If the goal is closer than `radius` to
    a wall, the path ends at a free point within the goal radius.

    Parameters
    ----------
    maze : Maze
        The maze.
    radius : float, default=8.0
        Radius of the disc in maze units.

    Returns
    -------
    length : float
        Length of the path in maze units.
    points : numpy.ndarray
        Waypoints from the start to the goal, shape (m, 2).

    Raises
    ------
    ValueError
        If no path exists, or the radius or the maze is invalid.

    Examples
    --------
    >>> from divergent.maze import read_maze
    >>> length, points = shortest_path(read_maze("medium"))
    >>> round(length)
    269

    >>> points[0].tolist(), points[-1].tolist()
    ([30.0, 22.0], [270.0, 100.0])
    """
    import networkx

    if not is_finite(radius) or radius <= 0:
        raise ValueError(f"radius must be a number above 0, got {brief(radius)}")
    if radius > LARGEST_COORDINATE:
        raise ValueError(f"radius must be at most {LARGEST_COORDINATE:g}, got {radius:g}")
    walls = validated_walls(maze)
    points = np.concatenate([np.array([maze.start], dtype=float), _end_points(maze, walls, radius)])
    clearance = distances(points, walls).min(axis=1)
    if clearance[0] < radius or len(points) == 1:
        where = "start" if clearance[0] < radius else "goal"
        raise ValueError(
            f"maze {maze.name!r}: the disc must not touch a wall at either end of the path, got a collision at the "
            f"{where} with radius {radius:g}; choose a smaller radius"
        )
    # The path keeps 1e-6 more than the radius from walls, because rounding could move waypoints into a wall.
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
            f"maze {maze.name!r}: goal must be reachable, got no path for a disc of radius {radius:g} "
            f"from {maze.start} to {maze.goal}"
        ) from None
    return length, _way_points(graph, nodes[::-1], points, centres, room)


def warn_if_goal_unreachable(maze: Maze) -> None:
    """Issue a warning if the goal of a maze cannot be reached.

    A maze with an unreachable goal is valid. In a maze of more than 64 walls, the function only checks whether the goal
    lies outside the bounding box of the walls.

    Parameters
    ----------
    maze : Maze
        The maze.

    See Also
    --------
    shortest_path : Find the path.
    """
    validated_walls(maze)
    xmin, ymin, xmax, ymax = maze.bounds
    x, y = maze.goal
    if not (xmin <= x <= xmax and ymin <= y <= ymax):
        fault = "lies outside the walls"
    elif len(maze.walls) <= MAX_WALLS_FOR_WARNING and not math.isfinite(path_length(maze)):
        fault = "cannot be reached from the start"
    else:
        return
    warnings.warn(
        f"maze {maze.name!r}: the goal {format_numbers(maze.goal)} {fault}; the maze is valid nevertheless",
        stacklevel=2,
    )


def path_length(maze: Maze) -> float:
    """Return the length of the robot's shortest path, or infinity if no path exists."""
    try:
        return shortest_path(maze)[0]
    except ValueError:
        return math.inf


def _end_points(maze: Maze, walls: np.ndarray, radius: float) -> np.ndarray:
    """Return possible end points of the path: the goal, or free points within the goal radius.

    Free points replace the goal if the goal is too close to a wall for the disc.
    """
    goal = np.array([maze.goal], dtype=float)
    if distances(goal, walls).min() >= radius:
        return goal
    angles = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    rings = [goal + fraction * GOAL_RADIUS * _directions(angles) for fraction in (0.25, 0.5, 0.75, 0.999)]
    around = np.concatenate(rings)
    return around[distances(around, walls).min(axis=1) >= radius]


# A node (circle, angle) of the visibility graph is a point on the circle around the end of a wall.
# A node (-1, number) is a terminal point: number 0 is the start, larger numbers are end points.
Node = tuple[int, float]


def _clear_lines(
    points: np.ndarray, centres: np.ndarray, walls: np.ndarray, room: float
) -> Iterator[tuple[tuple[int, float, int, float], float]]:
    """Yield the collision-free straight edges of the visibility graph, with their lengths."""
    lines = np.concatenate([_between_circles(centres, room), *_from_points(points, centres, room)])
    begins, ends = _places(lines[:, :2], points, centres, room), _places(lines[:, 2:], points, centres, room)
    clear = np.empty(len(lines), dtype=bool)
    for part in range(0, len(lines), 4096):
        chunk = slice(part, part + 4096)
        clear[chunk] = _clearance(begins[chunk], ends[chunk], walls) >= room - 1e-9
    lengths = np.linalg.norm(ends - begins, axis=1)
    for (circle, angle, other, bearing), length in zip(lines[clear].tolist(), lengths[clear].tolist(), strict=True):
        yield (int(circle), angle, int(other), bearing), length


def _between_circles(centres: np.ndarray, room: float) -> np.ndarray:
    """Return the common tangents of all pairs of circles around the ends of walls."""
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


def _from_points(points: np.ndarray, centres: np.ndarray, room: float) -> Iterator[np.ndarray]:
    """Yield the straight edges of the visibility graph that touch the start or an end point of the path.

    Straight lines connect the start of the path with each possible end point of the path. Tangents connect the start
    and the end points of the path with circles around the ends of walls.
    """
    for number, point in enumerate(points):
        away = point - centres
        bearing = np.arctan2(away[:, 1], away[:, 0])
        across = np.arccos(np.minimum(1, room / np.hypot(away[:, 0], away[:, 1])))
        here = np.full((len(centres), 2), (-1.0, number))
        for side in (-1, 1):
            yield np.column_stack((here, np.arange(len(centres)), (bearing + side * across) % (2 * np.pi)))
        if number > 0:
            yield np.array([(-1.0, 0.0, -1.0, number)])


def _clear_arcs(graph: Any, centres: np.ndarray, walls: np.ndarray, room: float) -> Iterator[tuple[Node, Node, float]]:
    """Yield the collision-free arcs between neighbouring nodes of the visibility graph on each circle."""
    on_circle: dict[int, list[float]] = {}
    for circle, angle in graph:
        if circle >= 0:
            on_circle.setdefault(circle, []).append(angle)
    samples = 360
    step = 2 * np.pi / samples
    circle_points = room * _directions(np.arange(samples) * step)
    for circle, angles in on_circle.items():
        angles.sort()
        clear = distances(centres[circle] + circle_points, walls).min(axis=1) >= room - 1e-9
        sweeps = np.diff([*angles, angles[0] + 2 * np.pi]).tolist()
        arcs = zip(sweeps, angles, [*angles[1:], angles[0]], strict=True)
        # Of two edges between the same nodes, the graph keeps the last, so the longer arc is added first.
        for sweep, begin, end in sorted(arcs, reverse=True):
            between = np.arange(math.ceil(begin / step), math.floor((begin + sweep) / step) + 1) % samples
            if begin != end and clear[between].all():
                yield (circle, begin), (circle, end), sweep


def _way_points(graph: Any, nodes: list[Node], points: np.ndarray, centres: np.ndarray, room: float) -> np.ndarray:
    """Return the waypoints of a path through nodes of the visibility graph."""
    path = [points[0]]
    for node, following in pairwise(nodes):
        edge = graph.edges[node, following]
        if "sweep" in edge:
            sweep = edge["sweep"] if node == edge["begin"] else -edge["sweep"]
            count = math.ceil(abs(sweep) / math.radians(5))
            middles = node[1] + sweep * (np.arange(count) + 0.5) / count
            path.extend(centres[node[0]] + room / math.cos(sweep / (2 * count)) * _directions(middles))
        path.append(_places(np.array([following]), points, centres, room)[0])
    return np.array(path)


def _places(nodes: np.ndarray, points: np.ndarray, centres: np.ndarray, room: float) -> np.ndarray:
    """Return the coordinates of nodes of the visibility graph."""
    is_point = nodes[:, 0] < 0
    places = np.empty((len(nodes), 2))
    places[is_point] = points[nodes[is_point, 1].astype(int)]
    places[~is_point] = centres[nodes[~is_point, 0].astype(int)] + room * _directions(nodes[~is_point, 1])
    return places


def _clearance(begins: np.ndarray, ends: np.ndarray, walls: np.ndarray) -> np.ndarray:
    """Return the distance from every straight line to its nearest wall."""
    lines = np.column_stack((begins, ends))
    nearest = np.minimum(distances(begins, walls).min(axis=1), distances(ends, walls).min(axis=1))
    nearest = np.minimum(nearest, distances(walls.reshape(-1, 2), lines).min(axis=0))
    crossed = _ends_on_both_sides(lines[:, None], walls[None]) & _ends_on_both_sides(walls[None], lines[:, None])
    nearest[crossed.any(axis=1)] = 0
    return nearest


def _ends_on_both_sides(lines: np.ndarray, walls: np.ndarray) -> np.ndarray:
    """Return whether the two ends of a wall lie on different sides of a line."""
    along = lines[..., 2:] - lines[..., :2]
    sides = [
        along[..., 0] * (walls[..., end + 1] - lines[..., 1]) - along[..., 1] * (walls[..., end] - lines[..., 0])
        for end in (0, 2)
    ]
    return sides[0] * sides[1] < 0


def _directions(angles: np.ndarray) -> np.ndarray:
    """Return the unit vectors in the directions of the angles."""
    return np.column_stack((np.cos(angles), np.sin(angles)))
