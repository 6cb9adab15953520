"""Mazes as problems: invalid options raise an error when the problem is made."""

import pytest

from divergent.maze import MazeProblem, MazeTask, maze_problem, read_maze


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rules": []}, r"rules must be the name of a rule set, one of divergent, lehman2008, got \[\]"),
        ({"robot": ""}, "unknown robot ''; choose from six-rangefinder, five-rangefinder"),
        ({"inherit": "x"}, "inherit must be one of"),
        ({"species": 0}, "target must be"),
        ({"samples": 0}, "samples must be"),
    ],
)
def test_maze_problem_with_an_invalid_option_raises(options, message):
    with pytest.raises(ValueError, match=message):
        maze_problem("medium", **options)


def test_maze_problem_of_a_maze_without_a_name_raises():
    with pytest.raises(ValueError, match="name of the maze must be a string, got None"):
        maze_problem(read_maze("medium")._replace(name=None), steps=30)


def test_maze_problem_without_species_has_none():
    problem = maze_problem("medium", species=None)
    assert isinstance(problem, MazeProblem)
    assert problem.species is None


def test_maze_problem_class_without_a_task_raises():
    problem = maze_problem("medium")
    assert MazeProblem("medium", problem.toolbox, task=MazeTask("medium")).task.steps == 400
    with pytest.raises(TypeError, match="task must be a MazeTask, got 'medium'"):
        MazeProblem("medium", problem.toolbox, task="medium")
