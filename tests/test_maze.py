import hashlib
import math
import subprocess
import sys
import time
import warnings
from itertools import pairwise

import numpy as np
import pytest

from divergent.maze import Maze, check_maze, generate_maze, maze_names, read_maze, shortest_path

BOX = "0 0 100 0\n100 0 100 100\n100 100 0 100\n0 100 0 0\n"
GOOD = "4\n20 20\n0\n80 80\n" + BOX

SEED_0 = [
    [0.0, 88.0857, 46.0872, 88.0857],
    [68.0872, 88.0857, 200.0, 88.0857],
    [101.6912, 88.0857, 101.6912, 124.4951],
    [101.6912, 146.4951, 101.6912, 200.0],
    [142.5698, 0.0, 142.5698, 20.0446],
    [142.5698, 42.0446, 142.5698, 88.0857],
    [69.1185, 0.0, 69.1185, 38.5532],
    [69.1185, 60.5532, 69.1185, 88.0857],
    [0.0, 169.3109, 40.2191, 169.3109],
    [62.2191, 169.3109, 101.6912, 169.3109],
    [101.6912, 130.5355, 159.3657, 130.5355],
    [181.3657, 130.5355, 200.0, 130.5355],
]


def written(tmp_path, text):
    path = tmp_path / "bad.txt"
    path.write_text(text, encoding="utf-8")
    return path


def distances(points, walls):
    """Twin of the package's own: from every point to every wall, one by one."""
    found = np.empty((len(points), len(walls)))
    for i, (x, y) in enumerate(points):
        for j, (x1, y1, x2, y2) in enumerate(walls):
            share = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / ((x2 - x1) ** 2 + (y2 - y1) ** 2)
            share = min(max(share, 0.0), 1.0)
            found[i, j] = math.hypot(x - x1 - share * (x2 - x1), y - y1 - share * (y2 - y1))
    return found


def densely(points, every=0.5):
    """Points on the straight lines between way points."""
    pieces = []
    for begin, end in pairwise(points):
        count = max(2, int(np.linalg.norm(end - begin) / every) + 2)
        pieces.append(begin + np.linspace(0, 1, count)[:, None] * (end - begin))
    return np.concatenate(pieces)


def test_the_four_mazes_are_found_by_name():
    assert maze_names() == ["extremely_hard", "hard", "medium", "very_hard"]
    assert {name: len(read_maze(name).walls) for name in maze_names()} == {
        "extremely_hard": 17,
        "hard": 13,
        "medium": 11,
        "very_hard": 17,
    }


def test_a_maze_is_what_its_file_says():
    maze = read_maze("medium")
    assert maze[:4] == ("medium", (30.0, 22.0), 0.0, (270.0, 100.0))
    assert maze.walls[0].tolist() == [293, 7, 289, 130]
    assert maze.walls[-1].tolist() == [271, 129, 237, 88]
    assert maze.bounds == (6.0, 5.0, 293.0, 134.0)


def test_a_maze_file_may_have_comments_and_blank_lines(tmp_path):
    text = GOOD.replace("20 20\n", "\n# where it begins\n20 20   # x y\n\n")
    assert read_maze(written(tmp_path, text)) == read_maze(written(tmp_path, GOOD))


def test_a_maze_read_twice_is_equal_and_its_walls_are_not_for_writing():
    assert read_maze("hard") == read_maze("hard") != read_maze("medium")
    assert len({read_maze("hard"), read_maze("hard"), read_maze("medium")}) == 2
    with pytest.raises(ValueError, match="read-only"):
        read_maze("hard").walls[0, 0] = 1.0


def test_a_path_as_text_is_read_too(tmp_path):
    assert read_maze(str(written(tmp_path, GOOD))).name == "bad"


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ("", 1, "the file ends here, before number of walls; a maze file begins with 1 number"),
        ("# only a remark\n", 1, "the file ends here, before number of walls"),
        (GOOD.replace("80 80", "80 eighty"), 4, "'eighty' is not a number"),
        (GOOD.replace("100 0 100 100", "100 0 100"), 6, "a wall is 4 numbers, x1 y1 x2 y2; got 3"),
        (GOOD.replace("100 0 100 100", "100 0 100 100 7"), 6, "a wall is 4 numbers, x1 y1 x2 y2; got 5"),
        (GOOD.replace("4\n", "6\n", 1), 8, "the file ends here, before wall 5; a wall is 4 numbers"),
        (GOOD.replace("4\n", "3\n", 1), 8, "the file promises 3 walls; this is one more"),
        (GOOD.replace("4\n", "4.5\n", 1), 1, "the number of walls is a whole number from 1 to 10000; got 4.5"),
        (GOOD.replace("4\n", "0\n", 1), 1, "the number of walls is a whole number from 1 to 10000; got 0"),
        (GOOD.replace("4\n", "-4\n", 1), 1, "the number of walls is a whole number from 1 to 10000; got -4"),
        (GOOD.replace("4\n", "nan\n", 1), 1, "the number of walls is a whole number from 1 to 10000; got nan"),
        (GOOD.replace("4\n", "inf\n", 1), 1, "the number of walls is a whole number from 1 to 10000; got inf"),
        (GOOD.replace("20 20", "20 nan"), 2, "a maze has finite numbers only; got nan"),
        (GOOD.replace("\n0\n", "\ninf\n", 1), 3, "a maze has finite numbers only; got inf"),
        (GOOD.replace("0 100 0 0", "0 100 0 -inf"), 8, "a maze has finite numbers only; got -inf"),
        (GOOD.replace("0 100 0 0", "0 100 0 1e9"), 8, "no number is larger than 1e+06; got 1000000000"),
        (GOOD.replace("0 100 0 0", "7 50 7 50"), 8, "a wall is longer than 0; got 7 50 7 50"),
        (GOOD.replace("20 20", "20"), 2, "the start is 2 numbers, x y; got 1"),
        (GOOD.replace("20 20", "5 20"), 2, "it must be at least 8 from every wall; it is 5 from "),
    ],
)
def test_a_fault_in_a_maze_file_is_named_by_file_line_rule_and_value(tmp_path, text, line, sentence):
    path = written(tmp_path, text)
    with pytest.raises(ValueError, match=r"^.+$") as refused:
        read_maze(path)
    assert str(refused.value).startswith(f"{path}, line {line}: {sentence}")
    assert "\n" not in str(refused.value)


def test_a_start_too_close_names_the_line_of_the_wall(tmp_path):
    path = written(tmp_path, GOOD.replace("20 20", "5 20"))
    with pytest.raises(ValueError, match=r"line 2: .* it is 5 from .*bad\.txt, line 8$"):
        read_maze(path)


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "picture.txt"
    path.write_bytes(bytes(range(128, 256)))
    with pytest.raises(ValueError, match=r"picture\.txt: a maze is a text file in UTF-8; this one is not"):
        read_maze(path)


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"^maze file '.*nowhere\.txt' does not exist$"):
        read_maze(tmp_path / "nowhere.txt")
    with pytest.raises(FileNotFoundError, match=r"^maze file 'mazes/nowhere' does not exist$"):
        read_maze("mazes/nowhere")
    with pytest.raises(IsADirectoryError, match=r"a maze is a text file; '.*' is a folder"):
        read_maze(tmp_path)


def test_an_unknown_name_comes_with_the_known_ones_and_a_guess():
    with pytest.raises(ValueError, match="unknown maze 'hrad'") as refused:
        read_maze("hrad")
    assert str(refused.value) == (
        "unknown maze 'hrad'; did you mean 'hard'? choose from extremely_hard, hard, medium, very_hard, "
        "generated:SEED, or give the path of a file"
    )


@pytest.mark.parametrize("name", ["generated:", "generated:-1", "generated:one", "generated:1.5"])
def test_a_generated_maze_needs_a_whole_seed(name):
    with pytest.raises(ValueError, match=f"generated:SEED with a whole number from 0; got '{name}'"):
        read_maze(name)


def test_a_million_walls_are_refused_at_once(tmp_path):
    path = written(tmp_path, "1000000\n20 20\n0\n80 80\n" + "0 0 100 0\n" * 1_000_000)
    begin = time.perf_counter()
    with pytest.raises(ValueError, match=r"line 1: the number of walls is a whole number from 1 to 10000; got 1000000"):
        read_maze(path)
    assert time.perf_counter() - begin < 1


def test_ten_thousand_walls_are_read(tmp_path):
    path = written(tmp_path, "10000\n20 20\n0\n80 80\n" + BOX * 2500)
    assert len(read_maze(path).walls) == 10_000


@pytest.mark.parametrize(
    ("goal", "walls", "fault"),
    [
        ("180 80", BOX, "lies outside the walls"),
        ("80 50", BOX + "50 0 50 100\n", "cannot be reached from the start"),
        ("80 50", BOX + "50 0 50 45\n50 55 50 100\n", "cannot be reached from the start"),
        ("1 80", BOX, "cannot be reached from the start"),
    ],
)
def test_a_goal_out_of_reach_is_legal_but_warned_about(tmp_path, goal, walls, fault):
    count = walls.count("\n")
    path = written(tmp_path, f"{count}\n20 20\n0\n{goal}\n{walls}")
    with pytest.warns(UserWarning, match=rf"bad\.txt, line 4: the goal {goal} {fault}; the maze is legal"):
        assert len(read_maze(path).walls) == count


def test_a_goal_close_to_a_wall_that_can_still_be_reached_is_no_fault(tmp_path):
    path = written(tmp_path, GOOD.replace("80 80", "95 80"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        maze = read_maze(path)
    length, points = shortest_path(maze)
    assert math.dist(points[-1], maze.goal) < 5
    assert distances(points, maze.walls).min() >= 8
    assert length == pytest.approx(math.dist((20, 20), points[-1]))


def test_a_maze_built_by_hand_is_checked_by_its_parts():
    walls = np.array([(0.0, 0.0, 100.0, 0.0)])
    check_maze(Maze("open", (5, 8), 0, (50, 50), walls))
    with pytest.raises(ValueError, match="maze 'open', goal: a maze has finite numbers only; got nan"):
        check_maze(Maze("open", (5, 8), 0, (math.nan, 50), walls))
    with pytest.raises(ValueError, match="maze 'open', wall 1: a wall is longer than 0; got 1 1 1 1"):
        check_maze(Maze("open", (5, 8), 0, (50, 50), np.ones((1, 4))))
    with pytest.raises(ValueError, match=r"maze 'open': walls are an array .* got shape \(0, 4\)"):
        check_maze(Maze("open", (5, 8), 0, (50, 50), np.empty((0, 4))))


# hand-checkable: the shortest way around one wall end, and around both ends of a shelf


def test_the_way_in_an_open_box_is_straight(tmp_path):
    length, points = shortest_path(read_maze(written(tmp_path, GOOD)))
    assert length == pytest.approx(math.dist((20, 20), (80, 80)))
    assert points.tolist() == [[20, 20], [80, 80]]


def test_the_way_around_the_end_of_a_wall_is_two_tangents_and_an_arc():
    walls = np.array([(0.0, 0.0, 200.0, 0.0), (100.0, 0.0, 100.0, 100.0)])
    maze = Maze("hook", (50.0, 100.0), 0.0, (150.0, 100.0), walls)
    # each tangent: sqrt(50^2 - 8^2); the arc: what is left of a half circle after two angles arccos(8 / 50)
    tangent = math.sqrt(50**2 - 8**2)
    arc = 8 * (math.pi - 2 * math.acos(8 / 50))
    length, points = shortest_path(maze)
    assert length == pytest.approx(2 * tangent + arc, abs=1e-4)
    assert np.linalg.norm(np.diff(points, axis=0), axis=1).sum() == pytest.approx(length, rel=1e-3)


def test_a_smaller_disc_has_a_shorter_way():
    lengths = [shortest_path(read_maze("hard"), radius)[0] for radius in (0.5, 2, 8, 10)]
    assert lengths == sorted(lengths)
    assert lengths[0] < lengths[-1]


def test_a_disc_that_does_not_fit_has_no_way():
    with pytest.raises(ValueError, match="maze 'hard': no path, the goal is closer than 20 to a wall"):
        shortest_path(read_maze("hard")._replace(start=(100.0, 75.0)), radius=20.0)
    with pytest.raises(ValueError, match=r"no path for a disc of radius 14 from \(36.0, 184.0\) to \(31.0, 20.0\)"):
        shortest_path(read_maze("hard"), radius=14.0)
    with pytest.raises(ValueError, match="radius must be above 0, got -1"):
        shortest_path(read_maze("hard"), radius=-1)


@pytest.mark.parametrize(
    ("name", "length"), [("medium", 269), ("hard", 459), ("very_hard", 560), ("extremely_hard", 697)]
)
def test_the_four_mazes_have_the_known_shortest_ways(name, length):
    maze = read_maze(name)
    found, points = shortest_path(maze)
    assert found == pytest.approx(length, rel=0.01)
    assert np.linalg.norm(np.diff(points, axis=0), axis=1).sum() == pytest.approx(found, rel=1e-3)
    assert points[0].tolist() == list(maze.start)
    assert points[-1].tolist() == list(maze.goal)
    assert distances(densely(points), maze.walls).min() >= 8


def test_no_way_over_a_fine_grid_is_shorter():
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


# generated mazes


@pytest.fixture(scope="module")
def generated():
    return [generate_maze(seed) for seed in range(200)]


def test_two_hundred_generated_mazes_can_be_crossed_within_500_units(generated):
    for maze in generated:
        length, points = shortest_path(maze)
        assert length <= 500
        assert distances(points, maze.walls).min() >= 8
        assert distances([maze.start, maze.goal], maze.walls).min() >= 8


def test_generated_mazes_have_2_to_6_subdivisions_of_walls_with_one_hole(generated):
    counts = set()
    for maze in generated:
        assert maze.walls[:4].tolist() == [[0, 0, 200, 0], [200, 0, 200, 200], [200, 200, 0, 200], [0, 200, 0, 0]]
        inner = maze.walls[4:]
        assert len(inner) % 2 == 0
        counts.add(len(inner) // 2)
        for (_, _, x2, y2), (x3, y3, _, _) in zip(inner[::2], inner[1::2], strict=True):
            assert math.dist((x2, y2), (x3, y3)) == pytest.approx(22)
    assert counts == {2, 3, 4, 5, 6}


def test_generated_mazes_differ(generated):
    assert len({maze.walls.tobytes() for maze in generated}) == 200


def test_a_seed_gives_the_same_maze_in_another_process(generated):
    code = (
        "import hashlib; from divergent.maze import generate_maze; "
        "print(hashlib.sha256(b''.join(generate_maze(s).walls.tobytes() for s in range(200))).hexdigest())"
    )
    here = hashlib.sha256(b"".join(maze.walls.tobytes() for maze in generated)).hexdigest()
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert there.stdout.strip() == here


def test_a_seed_gives_the_same_maze_for_ever():
    assert generate_maze(0).walls[4:].round(4).tolist() == SEED_0


def test_a_generated_maze_can_be_read_by_name():
    assert read_maze("generated:12") == generate_maze(12)
    assert generate_maze(12).name == "generated:12"


def test_the_number_of_subdivisions_can_be_given():
    assert len(generate_maze(1, subdivisions=0).walls) == 4
    assert len(generate_maze(1, subdivisions=3).walls) == 4 + 2 * 3


@pytest.mark.parametrize("seed", [-1, 1.5, "1", True, None])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(ValueError, match=f"seed must be a whole number from 0, got {seed!r}"):
        generate_maze(seed)
    with pytest.raises(ValueError, match="subdivisions must be a whole number from 0, got -2"):
        generate_maze(1, subdivisions=-2)
