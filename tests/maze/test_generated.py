import hashlib
import math
import subprocess
import sys

import pytest
from twins import distances

from divergent.maze import generate_maze, read_maze, shortest_path

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
