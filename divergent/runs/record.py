"""Records of runs: self-describing files, written atomically and never overwritten."""

import io
import json
import math
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from divergent.maze import GOAL_RADIUS, INPUTS, OUTPUTS, Maze, check_maze
from divergent.maze._task import BEST
from divergent.neat import Genome
from divergent.persistence._files import (
    digest,
    parse_npz,
    parse_object,
    read_bytes,
    read_object,
    read_text,
    unfinished,
    write_whole,
)
from divergent.runs.settings import Plan
from divergent.validation import brief, check_at_least, check_number

FORMAT = 3
FORMAT_WITHOUT_DIGEST = 2  # the same lines as format 3 without the digest line
RESULT_KEYS = (
    "solved",
    "evaluations",
    "best_fitness",
    "connections",
    "hidden_nodes",
    "diversity",
    "solution",
    "arrays",
)
ROW_COUNTS = ("generation", "evaluations", "species", "archive")
ROW_MEASURES = ("best_fitness", "mean_fitness", "mean_connections")
DIVERSITY_KEYS = ("compatibility", "disjoint", "excess", "weight_difference")
TEXT, ARRAYS, MACHINE = "record.jsonl", "arrays.npz", "machine.json"
BYTES_PER_POINT = 8  # two coordinates of 32 bits
INVALID_CONTENT = (TypeError, KeyError, ValueError, AttributeError, OverflowError)
"""The errors of reading a record with unexpected content."""


@dataclass(frozen=True, kw_only=True)
class Record:
    """Settings and results of one run.

    Parameters
    ----------
    settings : Plan
        Complete settings of the run.
    version : str
        Version of `divergent` that ran it.
    maze : Maze
        The maze.
    rows : list of dict
        One dictionary for each generation: evaluations, best and mean fitness, mean number of connections, number of
        species (0 in a loop without species) and archive size.
    solved : bool
        Whether the run solved the maze.
    evaluations : int
        Evaluations up to and including the solution, or the budget of an unsolved run.
    best_fitness : float
        Highest fitness of the run.
    solution : Genome
        The genome that solved the maze, or else the genome with the highest fitness.
    diversity : dict of str to float
        Means over the pairs of the final population: compatibility, disjoint, excess, weight_difference. In populations
        of more than 2,000 individuals, at most 2,000 at equal intervals are compared.
    positions : ndarray of shape (evaluations, 2)
        Final position of every evaluation, in order.
    trail : ndarray of shape (steps + 1, 2)
        Trajectory of the solution.
    machine : dict, default={}
        Wall time ("seconds"), processor time ("cpu_seconds"), machine and software, see `describe_machine`. Repeats of
        a run differ only in this part.

    See Also
    --------
    read : Read a record from its folder.
    """

    settings: Plan
    version: str
    maze: Maze
    rows: list[dict[str, Any]]
    solved: bool
    evaluations: int
    best_fitness: float
    solution: Genome
    diversity: dict[str, float]
    positions: np.ndarray = field(repr=False)
    trail: np.ndarray = field(repr=False)
    machine: dict[str, Any] = field(default_factory=dict)

    @property
    def connections(self) -> int:
        """Number of connection genes of the solution, including disabled ones."""
        return len(self.solution.genes)

    @property
    def hidden_nodes(self) -> int:
        """Number of hidden nodes of the solution."""
        return len(self.solution.hidden)

    def files(self) -> dict[str, bytes]:
        """Return the content of the record's files.

        Returns
        -------
        dict of str to bytes
            Content by file name.
        """
        arrays = npz(positions=self.positions.astype("<f4"), trail=self.trail.astype("<f4"))
        opening = {
            "kind": "settings",
            "format": FORMAT,
            "version": self.version,
            "settings": self.settings.to_json(),
            "maze": maze_to_json(self.maze),
        }
        result = {
            "kind": "result",
            "solved": self.solved,
            "evaluations": self.evaluations,
            "best_fitness": self.best_fitness,
            "connections": self.connections,
            "hidden_nodes": self.hidden_nodes,
            "diversity": self.diversity,
            "solution": json.loads(self.solution.to_json()),
            "arrays": digest(arrays),
        }
        rows = [{"kind": "generation"} | row for row in self.rows]
        text = "".join(json.dumps(line) + "\n" for line in [opening, *rows, result])
        text_digest = digest(text.encode())
        text += json.dumps({"kind": "digest", "sha256": text_digest}) + "\n"
        machine = self.machine | {"sha256": _machine_digest(self.machine, text_digest)}
        return {TEXT: text.encode(), ARRAYS: arrays, MACHINE: (json.dumps(machine, indent=1) + "\n").encode()}


def write(files: dict[str, bytes], folder: str | os.PathLike) -> Path:
    """Write the files of a record as one folder, atomically.

    Parameters
    ----------
    files : dict of str to bytes
        The files, see `Record.files`.
    folder : str or os.PathLike
        The folder, which must not exist.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    FileExistsError
        If the folder exists.
    """
    folder = Path(folder)
    if folder.exists():
        raise FileExistsError(
            f"{folder}: the folder of a new record must not exist, since records are never overwritten; "
            "choose another folder, or remove it"
        )
    temporary = unfinished(folder)
    try:
        temporary.mkdir(parents=True)
        for name, content in files.items():
            write_whole(temporary / name, content)
        temporary.rename(folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return folder


def read(path: str | os.PathLike) -> Record:
    """Read the record of a run from its folder.

    The files are JSON and arrays of numbers. Nothing in them is executed.

    Parameters
    ----------
    path : str or os.PathLike
        The folder of the record.

    Returns
    -------
    Record
        The record.

    Raises
    ------
    FileNotFoundError
        If there is no such folder.
    ValueError
        If a file is damaged, truncated, missing, or contradicts another one. The message names the file.

    See Also
    --------
    divergent.run : Run settings and write the record.
    """
    folder = Path(path)
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder}: no record there; a record is a folder that contains {TEXT}")
    source = folder / TEXT
    opening, rows, result, text_digest = _read_lines(source)
    try:
        plan = Plan.from_json(opening["settings"])
        check_rows(plan, rows, result["evaluations"], result["best_fitness"])
    except INVALID_CONTENT as error:
        raise _unreadable(source, error) from error
    most = BYTES_PER_POINT * (result["evaluations"] + plan.steps + 1)
    arrays = _read_arrays(folder / ARRAYS, result["arrays"], most)
    machine = _read_machine(folder / MACHINE, text_digest)
    try:
        record = Record(
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
        _check_result(record)
        _check_solution(record, result)
    except INVALID_CONTENT as error:
        raise _unreadable(source, error) from error
    return record


def check_rows(plan: Plan, rows: list[dict[str, Any]], evaluations: int, best_fitness: float) -> None:
    """Raise a ValueError unless the rows and the result are possible for a run, or for its part up to a checkpoint."""
    check_at_least(1, evaluations=evaluations)
    check_number(best_fitness=best_fitness)
    if not 1 <= len(rows) <= plan.generations:
        raise ValueError(
            f"a run of {plan.generations} generations must have 1 to {plan.generations} rows, got {len(rows)}"
        )
    row_evaluations, row_fitness = 0, -math.inf
    for number, row in enumerate(rows):
        _check_row(number, row)
        evaluated = row["evaluations"] - row_evaluations
        if not 0 <= evaluated <= plan.population or row["best_fitness"] < row_fitness:
            raise ValueError(
                f"row {number} must add 0 to {plan.population} evaluations to the row before and not lower "
                f"best_fitness, got {row}"
            )
        row_evaluations, row_fitness = row["evaluations"], row["best_fitness"]
    if row_evaluations != evaluations or row_fitness != best_fitness:
        raise ValueError(
            f"the last row must agree with the result, {evaluations} evaluations and fitness {best_fitness}, "
            f"got {row_evaluations} and {row_fitness}"
        )


def _check_row(number: int, row: dict[str, Any]) -> None:
    """Raise an error unless a row has valid numbers, and is the row of its generation."""
    named: dict[str, Any] = {name: row.get(name) for name in (*ROW_COUNTS, *ROW_MEASURES)}
    check_at_least(0, **{f"{name} of row {number}": named[name] for name in ROW_COUNTS})
    check_number(**{f"{name} of row {number}": named[name] for name in ROW_MEASURES})
    if row["generation"] != number:
        raise ValueError(f"generation of row {number} must be {number}, got {row['generation']}")


def check_points(name: str, points: np.ndarray, least: int, most: int) -> None:
    """Raise a ValueError unless an array has `least` to `most` finite points of 32-bit floats."""
    if points.dtype != np.float32 or points.ndim != 2 or points.shape[1] != 2 or not least <= len(points) <= most:
        count = str(least) if least == most else f"{least} to {most}"
        raise ValueError(
            f"{name} must be {count} points, an array of float32 with two columns, "
            f"got shape {points.shape} of {points.dtype}"
        )
    if not np.isfinite(points).all():
        raise ValueError(f"{name} must be finite numbers, got nan or infinity")


def _unreadable(source: Path, error: Exception) -> ValueError:
    """Name the file in the error of its content."""
    return ValueError(f"{source}: not a record this version can read: {error}")


def _check_result(record: Record) -> None:
    """Raise an error unless the result agrees with the rows and the plan."""
    plan = record.settings
    if not isinstance(record.version, str):
        raise ValueError(f"version must be a string, got {brief(record.version)}")
    if not isinstance(record.solved, bool):
        raise ValueError(f"solved must be true or false, got {brief(record.solved)}")
    if record.solved != (record.best_fitness > BEST - GOAL_RADIUS):
        raise ValueError(
            f"solved must be {not record.solved} for best_fitness {record.best_fitness}, got {record.solved}"
        )
    if not record.solved and len(record.rows) < plan.generations:
        raise ValueError(f"an unsolved run must have {plan.generations} rows, got {len(record.rows)}")
    if plan.loop == "generational":
        return
    for row in record.rows[: -1 if record.solved else None]:
        expected = plan.population * (row["generation"] + 1)
        if row["evaluations"] != expected:
            raise ValueError(
                f"generation {row['generation']} must end after {expected} evaluations, got {row['evaluations']}"
            )


def _check_solution(record: Record, result: dict[str, Any]) -> None:
    """Raise an error unless the solution and the diversity agree with the result line."""
    solution = record.solution
    if (solution.inputs, solution.outputs) != (INPUTS, OUTPUTS):
        raise ValueError(
            f"solution must have {INPUTS} inputs and {OUTPUTS} outputs, got {solution.inputs} and {solution.outputs}"
        )
    for name in ("connections", "hidden_nodes"):
        if result[name] != getattr(record, name):
            raise ValueError(f"{name} must be {getattr(record, name)} for the solution, got {brief(result[name])}")
    if record.diversity.keys() != set(DIVERSITY_KEYS):
        raise ValueError(
            f"diversity must be {', '.join(DIVERSITY_KEYS)}, got {', '.join(map(str, record.diversity)) or 'nothing'}"
        )
    check_number(0, **record.diversity)


def maze_to_json(maze: Maze) -> dict[str, Any]:
    """Return a maze as JSON-serialisable data."""
    return maze._asdict() | {"start": list(maze.start), "goal": list(maze.goal), "walls": maze.walls.tolist()}


def maze_from_json(data: dict[str, Any]) -> Maze:
    """Read a maze from the data of `maze_to_json`."""
    maze = Maze(
        data["name"], tuple(data["start"]), data["heading"], tuple(data["goal"]), np.array(data["walls"], dtype=float)
    )
    if not isinstance(maze.name, str):
        raise ValueError(f"name of the maze must be a string, got {brief(maze.name)}")
    check_maze(maze)
    return maze


def npz(**arrays: Any) -> bytes:
    """Return arrays as a compressed npz file; equal arrays give equal bytes."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


def _read_lines(source: Path) -> tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any], str | None]:
    """Return the settings line, the rows, the result line and the digest, which is None in the format without one."""
    text = read_text(source)
    lines = [
        parse_object(line, f"{source}, line {number}") for number, line in enumerate(text.split("\n")[:-1], start=1)
    ]
    if len(lines) < 2 or not text.endswith("\n"):
        raise ValueError(f"{source}: truncated or damaged, it ends after {len(lines)} complete lines")
    opening = lines[0]
    _check_line(source, 1, opening, "settings", "format", "version", "settings", "maze")
    if opening["format"] not in (FORMAT, FORMAT_WITHOUT_DIGEST) or isinstance(opening["format"], bool):
        raise ValueError(
            f"{source}: record format must be {FORMAT_WITHOUT_DIGEST} or {FORMAT}, got {opening['format']!r:.60}; "
            "read it with the version of divergent that wrote it"
        )
    text_digest = _check_digest(source, text, lines.pop()) if opening["format"] == FORMAT else None
    result = lines[-1]
    if result.get("kind") != "result":
        raise ValueError(f"{source}: truncated, the last line is not the result")
    _check_line(source, len(lines), result, "result", *RESULT_KEYS)
    for number, row in enumerate(lines[1:-1], start=2):
        _check_line(source, number, row, "generation", "generation", "evaluations")
    rows = [{name: value for name, value in row.items() if name != "kind"} for row in lines[1:-1]]
    return opening, rows, result, text_digest


def _check_digest(source: Path, text: str, line: dict[str, Any]) -> str:
    """Return the digest of the lines before the last one; an error unless the last line contains it."""
    if line.keys() != {"kind", "sha256"} or line["kind"] != "digest":
        raise ValueError(f"{source}: truncated, the last line is not the digest")
    text_digest = digest(text[: text.rindex("\n", 0, -1) + 1].encode())
    if text_digest != line["sha256"]:
        raise ValueError(f"{source}: damaged, its content does not match its digest")
    return text_digest


def _check_line(source: Path, number: int, line: dict[str, Any], kind: str, *names: str) -> None:
    """Raise an error unless a line is of a kind and has the keys."""
    if line.get("kind") != kind:
        raise ValueError(f"{source}, line {number}: kind must be {kind!r}, got {line.get('kind')!r:.60}")
    for name in names:
        if name not in line:
            raise ValueError(f"{source}, line {number}: {name!r} is missing")


def _read_arrays(source: Path, expected_digest: str, most: int) -> dict[str, np.ndarray]:
    """Return the arrays of a record, at most `most` bytes; an error unless they match the digest in the text."""
    content = read_bytes(source)
    if digest(content) != expected_digest:
        raise ValueError(f"{source}: truncated or damaged, its content does not match the digest in {TEXT}")
    arrays = parse_npz(content, source, arrays=2, most=most)
    if arrays.keys() != {"positions", "trail"}:
        raise ValueError(f"{source}: arrays must be positions and trail, got {', '.join(arrays) or 'nothing'}")
    return arrays


def _read_machine(source: Path, text_digest: str | None) -> dict[str, Any]:
    """Return the description of the machine; empty if there is none, since results do not depend on it."""
    if not source.exists():
        return {}
    machine = read_object(source)
    if text_digest is not None and machine.pop("sha256", None) != _machine_digest(machine, text_digest):
        raise ValueError(f"{source}: damaged, or of another record; remove it to do without it")
    for name in ("seconds", "cpu_seconds"):
        check_number(0, **{f"{source}: {name}": machine.get(name, 0)})
    for name in ("commit", "processor"):
        if not isinstance(machine.get(name), str | None):
            raise ValueError(f"{source}: {name} must be a string or null, got {brief(machine[name])}")
    return machine


def _machine_digest(machine: dict[str, Any], text_digest: str) -> str:
    """Return the digest that ties the description of a machine to one record."""
    return digest((json.dumps(machine) + text_digest).encode())
