"""Targets in `divergent.maze`."""

from collections.abc import Iterator

import numpy as np

from divergent import maze, neat
from fuzzers.api_targets.target import (
    Target,
    all_finite,
    anything,
    constructor,
    driven,
    nothing,
    outcome_of,
    path,
    sensed,
)
from fuzzers.api_targets.values import box, genome, network, toolbox, value


def used(problem):
    """Return a maze problem together with the behaviours and the species of three random individuals."""
    toolbox = problem.toolbox(np.random.default_rng(1))
    population = toolbox.population(n=3)
    for individual in population:
        individual.fitness.values = toolbox.evaluate(individual)
    species = problem.species and problem.species(np.random.default_rng(1))
    return problem, [individual.fitness.behaviour for individual in population], species and species.assign(population)


def described(answer):
    """Return whether the axes and limits of a maze problem have as many dimensions as its behaviours."""
    problem, behaviours, _ = answer
    return all_finite(behaviours) and all(
        len(behaviour) == len(problem.axes) == len(problem.limits) for behaviour in behaviours
    )


def problem_targets() -> Iterator[Target]:
    yield Target(
        "maze_problem",
        lambda **arguments: used(maze.maze_problem(**arguments)),
        {
            "maze": (box, "maze"),
            "steps": (value(30), "scalar"),
            "robot": (value(None), "scalar"),
            "rules": (value("divergent"), "scalar"),
            "samples": (value(None), "scalar"),
            "species": (value(4), "scalar"),
            "inherit": (value("both"), "scalar"),
        },
        described,
    )
    yield Target(
        "maze_problem of",
        lambda maze_name: maze.maze_problem(maze_name),
        {"maze_name": (value("hard"), "text")},
        anything,
        (OSError,),
    )
    yield constructor(
        maze.MazeProblem,
        name=(value("box"), "text"),
        toolbox=(value(toolbox), "toolbox"),
        task=(lambda: maze.MazeTask(box(), 30), "maze"),
    )


def maze_targets() -> Iterator[Target]:
    yield Target("maze_names", lambda unused: maze.maze_names(), {"unused": (value(None), "nothing")})
    of_files = (OSError,)
    yield Target("read_maze", maze.read_maze, {"name_or_path": (value("hard"), "text")}, anything, of_files)
    yield Target(
        "generate_maze",
        maze.generate_maze,
        {"seed": (value(3), "scalar"), "subdivisions": (value(3), "scalar")},
        lambda answer: len(answer.walls) >= 4,
    )
    yield Target("check_maze", maze.check_maze, {"maze": (box, "maze")}, nothing)
    yield Target("Maze.bounds", lambda maze: maze.bounds, {"maze": (box, "own maze")}, anything)
    yield Target("shortest_path", maze.shortest_path, {"maze": (box, "maze"), "radius": (value(8.0), "scalar")}, path)
    yield Target(
        "warn_if_goal_unreachable", maze.warn_if_goal_unreachable, {"maze": (box, "maze")}, nothing, (UserWarning,)
    )
    yield Target(
        "sense",
        maze.sense,
        {
            "maze": (box, "maze"),
            "position": (value((20.0, 20.0)), "array"),
            "heading": (value(0.0), "scalar"),
            "robot": (value("six-rangefinder"), "scalar"),
        },
        sensed,
    )
    yield Target(
        "sense at",
        lambda x, y: maze.sense(box(), (x, y), 0.0),
        {"x": (value(20.0), "scalar"), "y": (value(20.0), "scalar")},
        sensed,
    )
    yield Target(
        "step",
        maze.step,
        {
            "pose": (value(maze.Pose(20.0, 20.0, 0.0)), "array"),
            "outputs": (value((0.5, 1.0)), "array"),
            "maze": (box, "maze"),
        },
        all_finite,
    )
    yield Target(
        "step from",
        lambda turned, accelerated, **pose: maze.step(maze.Pose(**pose), (turned, accelerated), box()),
        {name: (value(1.0), "scalar") for name in (*maze.Pose._fields, "turned", "accelerated")},
        all_finite,
    )
    yield Target(
        "drive",
        maze.drive,
        {
            "controller": (network(), "scalar"),
            "maze": (box, "maze"),
            "steps": (value(30), "scalar"),
            "trail": (value(True), "scalar"),
            "robot": (value("five-rangefinder"), "scalar"),
        },
        driven,
    )
    yield Target(
        "drive by weights",
        lambda weights, inputs, outputs: maze.drive(neat.Network(weights, inputs, outputs), box(), 30),
        {
            "weights": (lambda: np.zeros((1, 13, 8)), "weights"),
            "inputs": (value(11), "scalar"),
            "outputs": (value(2), "scalar"),
        },
        driven,
    )
    yield Target(
        "drive by outputs",
        lambda outputs: maze.drive(lambda inputs: outputs, box(), 30),
        {"outputs": (value((0.5, 1.0)), "array")},
        driven,
    )
    yield Target(
        "drive by numbers",
        lambda turned, accelerated: maze.drive(lambda inputs: (turned, accelerated), box(), 30),
        {"turned": (value(0.5), "scalar"), "accelerated": (value(1.0), "scalar")},
        driven,
    )
    yield Target(
        "MazeTask",
        lambda genome, **given: maze.MazeTask(**given)(genome),
        {
            "genome": (genome(11, 2), "genome"),
            "maze": (box, "maze"),
            "steps": (value(30), "scalar"),
            "samples": (value(3), "scalar"),
            "robot": (value("six-rangefinder"), "scalar"),
        },
        outcome_of,
    )
    yield Target(
        "MazeTask of",
        lambda maze_name: maze.MazeTask(maze_name),
        {"maze_name": (value("hard"), "text")},
        anything,
        of_files,
    )
    yield Target(
        "MazeTask.rollout",
        lambda genome: maze.MazeTask(box(), 30).rollout(genome),
        {"genome": (genome(11, 2), "genome")},
        driven,
    )
    yield Target(
        "MazeTask.many",
        lambda individuals: maze.MazeTask(box(), 30).many(individuals),
        {"individuals": (lambda: [genome(11, 2)()], "population")},
        lambda answer: all(map(outcome_of, answer)),
    )
    yield Target(
        "MazeTask.solved",
        lambda values: maze.MazeTask(box(), 30).solved(values),
        {"values": (value((3.0,)), "array")},
        lambda answer: answer in (True, False),
    )
    yield from problem_targets()
