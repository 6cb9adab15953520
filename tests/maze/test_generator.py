import hashlib
import math
import subprocess
import sys

import pytest
from reference_kernels import distances

from divergent.maze import generate_maze, read_maze, shortest_path

SEED_0 = [
    [63.8375, 0.0, 63.8375, 93.052],
    [63.8375, 111.052, 63.8375, 200.0],
    [0.0, 70.4969, 21.846, 70.4969],
    [39.846, 70.4969, 63.8375, 70.4969],
    [0.0, 35.3445, 12.9187, 35.3445],
    [30.9187, 35.3445, 63.8375, 35.3445],
    [28.4664, 35.3445, 28.4664, 50.9488],
    [28.4664, 68.9488, 28.4664, 70.4969],
    [37.4837, 0.0, 37.4837, 5.3794],
    [37.4837, 23.3794, 37.4837, 35.3445],
    [0.0, 149.8757, 21.6418, 149.8757],
    [39.6418, 149.8757, 63.8375, 149.8757],
]


@pytest.fixture(scope="module")
def generated():
    return [generate_maze(seed) for seed in range(200)]


def test_generated_mazes_have_paths_within_500_units(generated):
    for maze in generated:
        length, points = shortest_path(maze)
        assert length <= 500
        assert distances(points, maze.walls).min() >= 8
        assert distances([maze.start, maze.goal], maze.walls).min() >= 8


def test_generated_mazes_have_2_to_6_walls_with_one_gap(generated):
    counts = set()
    for maze in generated:
        assert maze.walls[:4].tolist() == [[0, 0, 200, 0], [200, 0, 200, 200], [200, 200, 0, 200], [0, 200, 0, 0]]
        inner = maze.walls[4:]
        assert len(inner) % 2 == 0
        counts.add(len(inner) // 2)
        for (_, _, x2, y2), (x3, y3, _, _) in zip(inner[::2], inner[1::2], strict=True):
            assert math.dist((x2, y2), (x3, y3)) == pytest.approx(18)
    assert counts == {2, 3, 4, 5, 6}


def test_generate_maze_with_different_seeds_gives_different_mazes(generated):
    assert len({maze.walls.tobytes() for maze in generated}) == 200


def test_generated_walls_divide_any_chamber_in_either_direction(generated):
    upright = [maze.walls[4, 0] == maze.walls[4, 2] for maze in generated]
    assert 80 < sum(upright) < 120
    # the second wall cuts one of two chambers: the larger one in about half of the mazes
    larger = 0
    for maze in generated:
        place, second = (maze.walls[4, 0], maze.walls[6, 0]) if upright[0] else (maze.walls[4, 1], maze.walls[6, 1])
        larger += (second > place) == (place < 100)
    assert 60 < larger < 140


def test_generate_maze_is_equal_in_another_process(generated):
    code = (
        "import hashlib; from divergent.maze import generate_maze; "
        "print(hashlib.sha256(b''.join(generate_maze(s).walls.tobytes() for s in range(200))).hexdigest())"
    )
    here = hashlib.sha256(b"".join(maze.walls.tobytes() for maze in generated)).hexdigest()
    completed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert completed.stdout.strip() == here


def test_generate_maze_equals_the_recorded_hash():
    assert generate_maze(0).walls[4:].round(4).tolist() == SEED_0


def test_read_maze_reads_generated_mazes():
    assert read_maze("generated:12") == generate_maze(12)
    assert generate_maze(12).name == "generated:12"


def test_generate_maze_with_subdivisions_has_as_many_walls():
    assert len(generate_maze(1, subdivisions=0).walls) == 4
    assert len(generate_maze(1, subdivisions=3).walls) == 4 + 2 * 3


@pytest.mark.parametrize("seed", [-1, 1.5, "1", True, None])
def test_generate_maze_with_invalid_seed_raises(seed):
    with pytest.raises(ValueError, match=f"seed must be an integer of at least 0, got {seed!r}"):
        generate_maze(seed)
    with pytest.raises(ValueError, match="subdivisions must be an integer of at least 0, got -2"):
        generate_maze(1, subdivisions=-2)
