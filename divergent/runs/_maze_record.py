"""Records of runs in mazes."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from divergent.maze._maze import BEST, GOAL_RADIUS, Maze, check_maze
from divergent.maze._rollout import INPUTS, OUTPUTS
from divergent.neat.genome import Genome
from divergent.runs._maze_plan import MazePlan
from divergent.runs._record_checks import check_end, check_rows
from divergent.runs._row_measures import DIVERSITY
from divergent.runs.record import (
    ARRAYS,
    INVALID_CONTENT,
    MACHINE,
    TEXT,
    Lines,
    ProblemInfo,
    Record,
    check_line,
    read_arrays,
    read_machine,
    unreadable,
)
from divergent.validation import brief, check_number

BYTES_PER_POINT = 8  # a point has two 32-bit coordinates


@dataclass(frozen=True, kw_only=True)
class MazeRecord(Record):
    """Settings and results of one run in a maze.

    Parameters
    ----------
    settings : Plan
        Complete settings of the run.
    version : str
        Version of `divergent` that executed the run.
    rows : list of dict
        One dictionary for each generation: evaluations, best and mean fitness, mean number of connections, number of
        species (0 if the loop has no speciation) and archive size.
    solved : bool
        Whether the run solved the problem.
    evaluations : int
        Number of evaluations up to and including the solution, or of the complete run if it is unsolved.
    best_fitness : float or None
        First fitness value of the best individual; None if it is not finite.
    machine : dict, default={}
        Wall time ("seconds"), processor time ("cpu_seconds"), machine and software, see `describe_machine`; records of
        repeated runs differ only in `machine`.
    maze : Maze
        The maze.
    solution : Genome
        The genome that solved the maze, or the genome with the highest fitness if the run is unsolved.
    diversity : dict of str to float
        Mean genetic distances over all pairs of the final population: compatibility, disjoint, excess,
        weight_difference. A population of more than 2,000 individuals is subsampled at regular intervals to at most
        2,000 individuals.
    positions : ndarray of shape (evaluations, 2)
        Final position of the robot in every evaluation, in order of evaluation.
    trail : ndarray of shape (steps + 1, 2)
        Trajectory of the robot that the solution controls.

    See Also
    --------
    read : Read a record from its folder.
    """

    row_names = (
        ("generation", "evaluations", "species", "archive"), ("best_fitness", "mean_fitness", "mean_connections"),
    )  # fmt: skip
    result_keys = (
        "solved", "evaluations", "best_fitness", "connections", "hidden_nodes", "diversity", "solution", "arrays",
    )  # fmt: skip

    settings: MazePlan
    maze: Maze
    solution: Genome
    diversity: dict[str, float]
    positions: np.ndarray = field(repr=False)
    trail: np.ndarray = field(repr=False)

    @property
    def connections(self) -> int:
        """Number of connection genes of the solution, including disabled genes."""
        return len(self.solution.genes)

    @property
    def hidden_nodes(self) -> int:
        """Number of hidden nodes of the solution."""
        return len(self.solution.hidden)

    @property
    def behaviours(self) -> np.ndarray:
        """Final position of the robot in every evaluation, in order of evaluation."""
        return self.positions

    @property
    def fitness(self) -> np.ndarray:
        """Fitness of every evaluation, shape (evaluations, 1), computed from the final positions."""
        return BEST - np.hypot(*(self.positions.astype(float) - self.maze.goal).T)[:, None]

    @property
    def info(self) -> ProblemInfo:
        """Name, behaviour axes, behaviour limits and fitness weights of the maze problem."""
        left, top, right, bottom = self.maze.bounds
        name = self.settings.maze
        return ProblemInfo(name, name, ("x", "y"), ((left, right), (top, bottom)), (1.0,), True, None)

    def _description(self) -> Any:
        """Return the maze as JSON-serialisable data."""
        return maze_to_json(self.maze)

    def _opening(self) -> dict[str, Any]:
        """Return the maze."""
        return {"maze": maze_to_json(self.maze)}

    def _result(self) -> dict[str, Any]:
        """Return the solution and the diversity of the final population."""
        return {
            "connections": self.connections,
            "hidden_nodes": self.hidden_nodes,
            "diversity": self.diversity,
            "solution": json.loads(self.solution.to_json()),
        }

    def _arrays(self) -> dict[str, np.ndarray]:
        """Return the final positions and the trajectory of the solution."""
        return {"positions": self.positions.astype("<f4"), "trail": self.trail.astype("<f4")}


def read_maze_record(folder: Path, lines: Lines) -> MazeRecord:
    """Read the record of a run in a maze, given the parsed lines of the file `record.jsonl`."""
    source = folder / TEXT
    opening, rows, result, text_digest = lines
    check_line(source, len(rows) + 2, result, "result", *MazeRecord.result_keys)
    try:
        plan = MazePlan.from_json(opening["settings"])
        names = MazeRecord.row_names
        check_rows(plan, rows, result["evaluations"], result["best_fitness"], names, strict=True)
    except INVALID_CONTENT as error:
        raise unreadable(source, error) from error
    most = BYTES_PER_POINT * (result["evaluations"] + plan.steps + 1)
    arrays = read_arrays(folder / ARRAYS, result["arrays"], ("positions", "trail"), most)
    machine = read_machine(folder / MACHINE, text_digest)
    try:
        record = MazeRecord(
            settings=plan,
            version=opening["version"],
            maze=maze_from_json(opening["maze"]),
            rows=rows,
            solved=result["solved"],
            evaluations=result["evaluations"],
            best_fitness=result["best_fitness"],
            solution=Genome.from_json(result["solution"]),
            diversity=result["diversity"],
            machine=machine,
            **arrays,
        )
        check_points("positions", record.positions, record.evaluations, record.evaluations)
        check_points("trail", record.trail, 1, plan.steps + 1)
        check_end(record)
        _check_result(record)
        _check_solution(record, result)
    except INVALID_CONTENT as error:
        raise unreadable(source, error) from error
    return record


def check_points(name: str, points: np.ndarray, least: int, most: int) -> None:
    """Raise a ValueError unless an array has `least` to `most` rows of two finite 32-bit floats."""
    if points.dtype != np.float32 or points.ndim != 2 or points.shape[1] != 2 or not least <= len(points) <= most:
        count = str(least) if least == most else f"{least} to {most}"
        raise ValueError(
            f"array {name} must contain {count} points with two float32 coordinates, "
            f"got shape {points.shape} and dtype {points.dtype}"
        )
    if not np.isfinite(points).all():
        raise ValueError(f"array {name} must contain finite numbers, got nan or infinity; the file is damaged")


def maze_to_json(maze: Maze) -> dict[str, Any]:
    """Return a maze as JSON-serialisable data."""
    return maze._asdict() | {"start": list(maze.start), "goal": list(maze.goal), "walls": maze.walls.tolist()}


def maze_from_json(data: dict[str, Any]) -> Maze:
    """Read a maze from the data that `maze_to_json` returned."""
    maze = Maze(
        data["name"], tuple(data["start"]), data["heading"], tuple(data["goal"]), np.array(data["walls"], dtype=float)
    )
    if not isinstance(maze.name, str):
        raise ValueError(f"name of the maze must be a string, got {brief(maze.name)}")
    check_maze(maze)
    return maze


def _check_result(record: MazeRecord) -> None:
    """Raise an error if `solved` contradicts the best fitness, or if a generation has a wrong number of evaluations."""
    plan = record.settings
    if record.solved != (record.best_fitness > BEST - GOAL_RADIUS):
        raise ValueError(
            f"solved must be consistent with best_fitness: the value {not record.solved} is required if best_fitness "
            f"is {record.best_fitness}, got {record.solved}"
        )
    if plan.loop == "generational":
        return
    for row in record.rows[: -1 if record.solved else None]:
        expected = plan.population * (row["generation"] + 1)
        if row["evaluations"] != expected:
            raise ValueError(
                "evaluations must increase by the population size in each generation: generation "
                f"{row['generation']} must end with {expected} evaluations, got {row['evaluations']}"
            )


def _check_solution(record: MazeRecord, result: dict[str, Any]) -> None:
    """Raise an error unless the solution has the recorded network size and all diversity measures are valid."""
    solution = record.solution
    if (solution.inputs, solution.outputs) != (INPUTS, OUTPUTS):
        raise ValueError(
            f"solution must have the network size that the robot requires, {INPUTS} inputs and {OUTPUTS} outputs, "
            f"got {solution.inputs} inputs and {solution.outputs} outputs"
        )
    for name in ("connections", "hidden_nodes"):
        if result[name] != getattr(record, name):
            raise ValueError(
                f"the recorded number of {name} must equal the number in the solution, {getattr(record, name)}, "
                f"got {brief(result[name])}"
            )
    if record.diversity.keys() != set(DIVERSITY):
        raise ValueError(
            f"diversity must have the keys {', '.join(DIVERSITY)}, got "
            f"{', '.join(map(str, record.diversity)) or 'nothing'}"
        )
    check_number(0, **record.diversity)
