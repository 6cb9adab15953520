import math
import warnings
from itertools import pairwise

import numpy as np
import pytest
from reference_kernels import distances

from divergent.maze import Maze, read_maze, shortest_path, warn_if_goal_unreachable

BOX = [(0, 0, 100, 0), (100, 0, 100, 100), (100, 100, 0, 100), (0, 100, 0, 0)]


def box(goal=(80, 80), more=()):
    """A room of 100 by 100 with more walls in it."""
    return Maze("box", (20, 20), 0, goal, np.array([*BOX, *more], dtype=float))


def densely(points, every=0.5):
    """Points on the straight lines between way points."""
    pieces = []
    for begin, end in pairwise(points):
        count = max(2, int(np.linalg.norm(end - begin) / every) + 2)
        pieces.append(begin + np.linspace(0, 1, count)[:, None] * (end - begin))
    return np.concatenate(pieces)


@pytest.mark.parametrize(
    ("goal", "walls", "fault"),
    [
        ((180, 80), [], "lies outside the walls"),
        ((80, 50), [(50, 0, 50, 100)], "cannot be reached from the start"),
        ((80, 50), [(50, 0, 50, 45), (50, 55, 50, 100)], "cannot be reached from the start"),
        ((1, 80), [], "cannot be reached from the start"),
    ],
)
def test_warn_if_goal_unreachable_warns(goal, walls, fault):
    maze = box(goal=goal, more=walls)
    with pytest.warns(UserWarning, match=rf"maze 'box': the goal {goal[0]} {goal[1]} {fault}; the maze is valid"):
        warn_if_goal_unreachable(maze)


def test_warn_if_goal_unreachable_of_a_goal_near_a_wall_is_silent():
    maze = box(goal=(95, 80))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_if_goal_unreachable(maze)
    length, points = shortest_path(maze)
    assert math.dist(points[-1], maze.goal) < 5
    assert distances(points, maze.walls).min() >= 8
    assert length == pytest.approx(math.dist((20, 20), points[-1]))


def test_shortest_path_in_an_open_box_is_straight():
    length, points = shortest_path(box())
    assert length == pytest.approx(math.dist((20, 20), (80, 80)))
    assert points.tolist() == [[20, 20], [80, 80]]


def test_shortest_path_around_a_wall_is_two_tangents_and_an_arc():
    walls = np.array([(0.0, 0.0, 200.0, 0.0), (100.0, 0.0, 100.0, 100.0)])
    maze = Maze("hook", (50.0, 100.0), 0.0, (150.0, 100.0), walls)
    # each tangent: sqrt(50^2 - 8^2); the arc: what is left of a half circle after two angles arccos(8 / 50)
    tangent = math.sqrt(50**2 - 8**2)
    arc = 8 * (math.pi - 2 * math.acos(8 / 50))
    length, points = shortest_path(maze)
    assert length == pytest.approx(2 * tangent + arc, abs=1e-4)
    assert np.linalg.norm(np.diff(points, axis=0), axis=1).sum() == pytest.approx(length, rel=1e-3)


def test_shortest_path_of_a_smaller_disc_is_shorter():
    lengths = [shortest_path(read_maze("hard"), radius)[0] for radius in (0.5, 2, 8, 10)]
    assert lengths == sorted(lengths)
    assert lengths[0] < lengths[-1]


def test_shortest_path_of_a_large_disc_raises():
    with pytest.raises(
        ValueError,
        match="maze 'hard': the disc must not touch a wall at either end of the path, got a collision at the goal with "
        "radius 20",
    ):
        shortest_path(read_maze("hard")._replace(start=(100.0, 75.0)), radius=20.0)
    with pytest.raises(ValueError, match=r"got no path for a disc of radius 14 from \(36.0, 184.0\) to \(31.0, 20.0\)"):
        shortest_path(read_maze("hard"), radius=14.0)
    with pytest.raises(ValueError, match="radius must be a number above 0, got -1"):
        shortest_path(read_maze("hard"), radius=-1)


@pytest.mark.parametrize(
    ("name", "length"), [("medium", 269), ("hard", 459), ("very_hard", 560), ("extremely_hard", 697)]
)
def test_shortest_path_of_the_four_mazes_has_the_known_length(name, length):
    maze = read_maze(name)
    shortest, points = shortest_path(maze)
    assert shortest == pytest.approx(length, rel=0.01)
    assert np.linalg.norm(np.diff(points, axis=0), axis=1).sum() == pytest.approx(shortest, rel=1e-3)
    assert points[0].tolist() == list(maze.start)
    assert points[-1].tolist() == list(maze.goal)
    assert distances(densely(points), maze.walls).min() >= 8


def test_shortest_path_is_not_longer_than_a_grid_path():
    import networkx

    maze = read_maze("hard")
    spacing = 3.0
    left, top, right, bottom = maze.bounds
    x, y = np.meshgrid(np.arange(left, right, spacing), np.arange(top, bottom, spacing))
    points = np.column_stack((x.ravel(), y.ravel()))
    points = np.concatenate((points, [maze.start, maze.goal]))
    points = points[distances(points, maze.walls).min(axis=1) >= 8]
    # neighbours closer than 8 cannot have a wall between them: both are 8 away from it
    near = np.argwhere(np.triu(np.linalg.norm(points[:, None] - points, axis=2) < 8, k=1))
    graph = networkx.Graph()
    for i, j in near.tolist():
        graph.add_edge(i, j, weight=math.dist(points[i], points[j]))
    on_grid = networkx.dijkstra_path_length(graph, len(points) - 2, len(points) - 1)
    assert shortest_path(maze)[0] * 0.995 <= on_grid <= shortest_path(maze)[0] * 1.05


def test_shortest_path_to_the_start_is_zero():
    maze = read_maze("medium")
    assert shortest_path(maze._replace(goal=maze.start))[0] == 0
