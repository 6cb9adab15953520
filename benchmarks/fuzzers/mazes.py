"""Fuzzing of maze files: a damaged file gives a maze with the numbers in the file, or an error that names the file."""

import itertools
import math
from functools import partial

import numpy as np

from divergent.maze import MazeTask, maze_names, read_maze
from divergent.neat import Genome
from divergent.plots._maze import ratio_of
from fuzzers.damage import damaged

DEFAULT_COUNT = 6000
WORDS = (
    "nan", "inf", "-inf", "1e400", "-1e400", "1e6", "-1e6", "1000000.1", "1e-320", "-0", "0", "1_0", "0x10", "٣", "1,5",
    "#", "1" + "0" * 400, "1e", "", "-", "\u2028", "\0", "10000", "10001", "5", "5 5",
)  # fmt: skip
BOX = "4\n20 20\n0\n80 80\n0 0 100 0\n100 0 100 100\n100 100 0 100\n0 100 0 0\n"
WALL = "1\n50 50\n0\n80 50\n0 0 100 0\n"


def attacks(rng, folder):
    texts = [BOX, WALL, *(as_text(read_maze(name)) for name in (*maze_names(), "generated:3"))]
    drivers = [Genome.start(11, 2, rng=np.random.default_rng(seed)) for seed in range(3)]
    for number in itertools.count():
        text = texts[rng.integers(len(texts))]
        if number % 2:
            words = text.split(" ")
            words[rng.integers(len(words))] = WORDS[rng.integers(len(WORDS))]
            content = " ".join(words).encode("utf-8")
        else:
            content = damaged(text.encode(), rng)
        path = folder / f"maze-{number % 50}.txt"
        path.write_bytes(content)
        yield partial(read, path, content, drivers[number % 3]), [str(path)]


def read(path, content, driver):
    """Read a maze file, check that the maze has the coordinates of the file, and execute a rollout in the maze."""
    maze = read_maze(path)
    lines = (line.split("#", 1)[0].split() for line in content.decode().splitlines())
    expected = [float(word) for line in lines for word in line]
    actual = [len(maze.walls), *maze.start, maze.heading, *maze.goal, *maze.walls.ravel().tolist()]
    assert expected == actual, f"the file contains {expected}, got {actual}"
    (fitness,) = MazeTask(maze, steps=20)(driver)
    assert math.isfinite(fitness), f"fitness {fitness}"
    assert 0.25 <= ratio_of(maze) <= 4
    return "read"


def as_text(maze):
    rows = [(len(maze.walls),), maze.start, (maze.heading,), maze.goal, *maze.walls.tolist()]
    return "".join(" ".join(f"{number:g}" for number in row) + "\n" for row in rows)
