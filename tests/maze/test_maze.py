import math

import numpy as np
import pytest

from divergent.maze import Maze, check_maze


def test_check_maze_names_the_invalid_part():
    walls = np.array([(0.0, 0.0, 100.0, 0.0)])
    check_maze(Maze("open", (5, 8), 0, (50, 50), walls))
    with pytest.raises(ValueError, match="maze 'open', goal: coordinates and headings must be finite, got nan"):
        check_maze(Maze("open", (5, 8), 0, (math.nan, 50), walls))
    with pytest.raises(ValueError, match="maze 'open', wall 1: a wall must be longer than 0, got 1 1 1 1"):
        check_maze(Maze("open", (5, 8), 0, (50, 50), np.ones((1, 4))))
    with pytest.raises(ValueError, match=r"maze 'open': walls must be an array .* got shape \(0, 4\)"):
        check_maze(Maze("open", (5, 8), 0, (50, 50), np.empty((0, 4))))
