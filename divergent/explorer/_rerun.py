"""Repeat a recorded run in a maze exactly, to show genomes, parents, species and predictions on a page."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from divergent._text import printable
from divergent.explorer._descriptions import name_of
from divergent.explorer._scene import GRID, Dimension, Scene
from divergent.history import UNKNOWN, History
from divergent.individual import MaximisedFitness, Outcome
from divergent.loops._contract import Step
from divergent.maze._maze import BEST, Maze
from divergent.maze._robot import drive
from divergent.maze._rollout import FASTEST, FASTEST_TURN, INPUTS, OUTPUTS, WARM_UP
from divergent.maze._task import MazeTask
from divergent.neat._network_kernels import rounded
from divergent.neat.genome import Genome
from divergent.runs._maze_record import MazeRecord, maze_to_json
from divergent.runs._replay import difference, repeat
from divergent.runs.build import make_task

TRAIL_POINTS = 16  # number of stored trajectory positions per robot, evenly spaced in time
FEWER_TRAIL_POINTS = 6  # number of stored trajectory positions per robot in a run with many evaluations
MANY = 40_000  # number of evaluations above which fewer trajectory positions per robot are stored
MOST_ROBOTS = 1500  # largest number of robots whose complete trajectories are stored


class Robot(NamedTuple):
    """Robot with its network connections and complete trajectory."""

    role: str
    links: np.ndarray
    """Enabled connections, one row each: source, target, weight in the network."""
    moves: np.ndarray
    """Changes of x, y and heading in each step, in units of 1/40 maze unit or degree, shape (steps, 3)."""


class Rerun(NamedTuple):
    """History, genomes and trajectories of a repeated run."""

    history: History
    genes: list[np.ndarray]
    trails: np.ndarray
    task: MazeTask


def rerun(record: MazeRecord, progress: Callable[[int], Any] = lambda evaluations: None) -> Rerun:
    """Repeat a recorded run and return its history, genomes and trajectories."""
    parts, history, steps = repeat(record)
    genes: list[np.ndarray] = []
    trails: list[np.ndarray] = []
    left, top, right, bottom = record.maze.bounds
    corner, scale = np.array((left, top)), 255.0 / np.array((right - left, bottom - top))
    points = TRAIL_POINTS if record.evaluations <= MANY else FEWER_TRAIL_POINTS
    for step in steps:
        for individual in step.offspring:
            trail = parts.task.rollout(individual).trail
            assert trail is not None
            thinned = np.rint((trail[_moments(len(trail), points)] - corner) * scale).clip(0, 255)
            trails.append(thinned.astype(np.uint8))
            genes.append(individual.genes)
        progress(len(step.offspring))
        # The repeated run stops at the recorded number of evaluations, even if it does not reach the recorded solution.
        if len(genes) >= record.evaluations:
            break
    return Rerun(history, genes, np.array(trails), parts.task)


@cache
def _moments(length: int, points: int) -> np.ndarray:
    """Return the indices of stored trajectory positions, which are evenly spaced and include the last position."""
    return np.rint(np.linspace(0, length - 1, points + 1)[1:]).astype(int)


def scene_of_record(record: MazeRecord, progress: Callable[[int], Any] = lambda evaluations: None) -> Scene:
    """Repeat a recorded run and return its page content; use only the record if the run cannot be repeated.

    Parameters
    ----------
    record : MazeRecord
        Record of a run in a maze.
    progress : callable, optional
        Function that is called with the number of evaluations of each step. By default, no progress is reported.

    Returns
    -------
    Scene
        Page content. The attribute `remark` of the page content contains a warning if the repeated run differs from
        the record or fails.
    """
    try:
        again = rerun(record, progress)
    except (ValueError, MemoryError) as error:
        return _scene_without_rerun(record, str(error) or type(error).__name__)
    history, task = again.history, again.task
    points = history.behaviours[:, -2:]
    solution = next((number for number, fitness in enumerate(history.fitness) if task.solved((fitness,))), None)
    best = int(_distances(record.maze, points).argmin()) if solution is None else solution
    differing = difference(record.positions, points)
    remark = differing and f"{differing} The page shows the repeat."
    scene = maze_scene(record.settings, record.maze, history, points, solution, remark)
    return replace(scene, trails=again.trails, robots=_robots(again, best, solution))


def _scene_without_rerun(record: MazeRecord, reason: str) -> Scene:
    """Return the page content of a run that cannot be repeated: final positions, and the best robot's trajectory."""
    points = record.positions.astype(float)
    best = int(_distances(record.maze, points).argmin())
    solution = best if record.solved else None
    task = make_task(record.settings, record.maze)
    remark = (
        "The run could not be repeated, so this page shows only what the record holds: final positions and the best "
        f"robot. {reason}"
    )
    scene = maze_scene(record.settings, record.maze, _recorded_history(record, points), points, solution, remark)
    return replace(scene, robots={best: _robot(_role_of_best(solution), record.solution.genes, task)})


def _recorded_history(record: MazeRecord, points: np.ndarray) -> History:
    """Return the final positions of a record as a history without parents, scores and species."""
    individuals = []
    for point, distance in zip(points, _distances(record.maze, points), strict=True):
        individual = SimpleNamespace(fitness=MaximisedFitness())
        individual.fitness.values = Outcome((BEST - distance,), behaviour=point)
        individuals.append(individual)
    history, first = History(), 0
    for row in record.rows:
        offspring = individuals[first : row["evaluations"]]
        history.note(Step(row["generation"], row["evaluations"], offspring, offspring))
        first = row["evaluations"]
    return history


def _distances(maze: Maze, points: np.ndarray) -> np.ndarray:
    return np.hypot(*(points - maze.goal).T)


def maze_scene(
    settings: Any, maze: Maze, history: History, points: np.ndarray, solution: int | None, remark: str = ""
) -> Scene:
    """Return the page content of a run in a maze, without trajectories of robots.

    Parameters
    ----------
    settings : MazePlan
        All settings of the run, including default values.
    maze : Maze
        The maze of the run.
    history : History
        The history of all evaluations so far.
    points : ndarray of shape (n, 2)
        Final positions of all robots.
    solution : int or None
        Evaluation number of the individual that solved the maze.
    remark : str, default=""
        Warning that the page shows to the reader.

    Returns
    -------
    Scene
        Page content of the run.
    """
    distances, task = _distances(maze, points), make_task(settings, maze)
    name, search = printable(maze.name), printable(settings.search)
    left, top, right, bottom = maze.bounds
    if solution is None:
        ending = f"not solved in {len(history):,} evaluations, {distances.min():.0f} units from the goal at best"
    else:
        ending = f"solved after {solution + 1:,} evaluations"
    return Scene(
        title=name_of(search),
        facts=f"{name.replace('_', ' ')}, seed {settings.seed}: {ending}",
        search=search,
        history=history,
        dimensions=[Dimension("x", left, right), Dimension("y", top, bottom)],
        values=points,
        expand=lambda rows: rows[:, -2:],
        measure="distance to the goal",
        qualities=distances,
        smaller=True,
        solution=solution,
        remark=printable(remark),
        settings=[
            ("maze", name.replace("_", " ")),
            ("seed", str(settings.seed)),
            ("population", f"{settings.population:,}"),
            ("loop", settings.loop),
        ],
        maze=maze_to_json(maze) | {"name": name, "robot": settings.robot, "silence_unreached": task.silence_unreached},
    )


def live_maze_scene(settings: Any, maze: Maze, history: History) -> Scene:
    """Return the page content of an unfinished run in a maze.

    Parameters
    ----------
    settings : MazePlan
        All settings of the run, including default values.
    maze : Maze
        The maze of the run.
    history : History
        The history of all evaluations so far.

    Returns
    -------
    Scene
        Page content of the run.
    """
    points = history.behaviours[:, -2:]
    solved = make_task(settings, maze).solved
    solution = next((number for number, value in enumerate(history.fitness) if solved((value,))), None)
    return maze_scene(settings, maze, history, points, solution)


def _role_of_best(solution: int | None) -> str:
    return "the closest" if solution is None else "the solution"


def _robots(again: Rerun, best: int, solution: int | None) -> dict[int, Robot]:
    """Simulate the best robot, its ancestors, archived robots and species champions to obtain complete trajectories."""
    roles = {best: _role_of_best(solution)}
    for number in again.history.ancestors(best):
        roles.setdefault(number, "an ancestor of " + roles[best])
    for number in _archived(again.history):
        roles.setdefault(number, "in the archive")
    for species, number in _champions(again.history):
        roles.setdefault(number, f"the champion of species {species}")
    chosen = list(roles.items())[:MOST_ROBOTS]
    return {number: _robot(role, again.genes[number], again.task) for number, role in sorted(chosen)}


def _champions(history: History) -> Iterator[tuple[int, int]]:
    """Yield the id and the fittest individual of each species, sorted by decreasing species size."""
    species, fitness = history.species, history.fitness
    names, counts = np.unique(species[species != UNKNOWN], return_counts=True)
    for name in names[np.argsort(-counts, kind="stable")]:
        members = np.flatnonzero(species == name)
        yield int(name), int(members[fitness[members].argmax()])


def _archived(history: History) -> list[int]:
    """Return the evaluation numbers of individuals whose behaviours are in the archive of any generation."""
    behaviours = history.behaviours
    rows = {row.tobytes() for generation in history.generations for row in generation.memory.get("archive", ())}
    return [number for number, row in enumerate(behaviours) if row.tobytes() in rows] if rows else []


def _robot(role: str, genes: np.ndarray, task: MazeTask) -> Robot:
    """Simulate a robot and return its complete trajectory and network connections."""
    network = task.network(Genome(genes, INPUTS, OUTPUTS))
    turns: list[float] = []

    def steer(inputs: np.ndarray) -> np.ndarray:
        outputs = network.activate(inputs, passes=1 if turns else WARM_UP + 1)
        turns.append(float(outputs[0]) - 0.5)
        return outputs

    trail = drive(steer, task.maze, task.steps, trail=True, robot=task.robot).trail
    assert trail is not None
    headings = [task.maze.heading]
    turn = 0.0
    for change in turns:
        turn = min(max(turn + change, -FASTEST_TURN), FASTEST_TURN)
        headings.append(headings[-1] + turn)
    poses = np.rint(np.column_stack([trail, headings]) * GRID)
    assert GRID * max(FASTEST, FASTEST_TURN) + 1 <= np.iinfo(np.int8).max
    if task.round_weights is not None:
        genes = rounded(genes, 10.0**task.round_weights)
    enabled = genes[genes[:, 4] == 1.0]
    return Robot(role, enabled[:, 1:4], np.diff(poses, axis=0).astype(np.int8))
