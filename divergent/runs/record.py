"""Records of runs: plain files that explain themselves, are written whole or not at all, and never overwritten."""

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
from divergent.maze.task import BEST
from divergent.neat import Genome
from divergent.persistence.files import (
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

FORMAT = 3
WITHOUT_DIGEST = 2  # the format before: the same lines without a digest; read as far as they agree with each other
RESULT = ("solved", "evaluations", "best_fitness", "connections", "hidden_nodes", "diversity", "solution", "arrays")
TEXT, ARRAYS, MACHINE = "record.jsonl", "arrays.npz", "machine.json"
BYTES_OF_POINT = 8  # two numbers of 32 bits
OF_RECORDS = (TypeError, KeyError, ValueError, AttributeError, OverflowError)
"""The errors of reading a record with other content than it should have."""


@dataclass(frozen=True, kw_only=True)
class Record:
    """What one run did, from its settings to its solution.

    Parameters
    ----------
    settings, version
        What decided the run, and the version of `divergent` that ran it.
    maze
        The maze as it was.
    rows
        One dictionary a generation: evaluations, best and mean fitness, connections, species, archive size;
        0 species in a loop that has none.
    solved, evaluations, best_fitness
        How it ended. `evaluations` includes the solver's own, and is the whole budget if the run did not solve.
    solution
        The genome that solved the maze, or the one that came closest.
    diversity
        Means over pairs of the final population: compatibility, disjoint, excess, weight_difference. Of more than 2,000
        individuals every second, third, ... is compared, so that there are at most 2,000.
    positions
        The final position of every evaluation, in order, shape (evaluations, 2).
    trail
        The way of the solution, shape (steps + 1, 2).
    machine
        Wall time ("seconds"), processor time ("cpu_seconds"), and the machine and software as `describe_machine`
        describes them. Repeats of a run differ in this part only.
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
        """Genes of the solution, disabled ones too."""
        return len(self.solution.genes)

    @property
    def hidden_nodes(self) -> int:
        """Hidden nodes of the solution."""
        return len(self.solution.hidden)

    def files(self) -> dict[str, bytes]:
        """The record's files by name, as `write` writes them."""
        arrays = npz(positions=self.positions.astype("<f4"), trail=self.trail.astype("<f4"))
        opening = {
            "kind": "settings",
            "format": FORMAT,
            "version": self.version,
            "settings": self.settings.to_json(),
            "maze": maze_as_json(self.maze),
        }
        closing = {
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
        text = "".join(json.dumps(line) + "\n" for line in [opening, *rows, closing])
        of_text = digest(text.encode())
        text += json.dumps({"kind": "digest", "sha256": of_text}) + "\n"
        machine = self.machine | {"sha256": _of_machine(self.machine, of_text)}
        return {TEXT: text.encode(), ARRAYS: arrays, MACHINE: (json.dumps(machine, indent=1) + "\n").encode()}


def write(files: dict[str, bytes], folder: str | os.PathLike) -> Path:
    """Write a record's files as one folder that appears whole or not at all; an existing one is never touched."""
    folder = Path(folder)
    if folder.exists():
        raise FileExistsError(f"{folder}: a record is there already, and records are never overwritten")
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
    """Read one run's record from its folder.

    Nothing in it is executed: the files are JSON and plain arrays. A damaged, truncated or incomplete record, or one
    that contradicts itself, raises a ValueError that names the file and what is wrong with it.
    """
    folder = Path(path)
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder}: no record there; a record is a folder with {TEXT} in it")
    source = folder / TEXT
    opening, rows, closing, of_text = _lines(source)
    try:
        plan = Plan.from_json(opening["settings"])
        check_rows(plan, rows, closing["evaluations"], closing["best_fitness"])
    except OF_RECORDS as error:
        raise _unreadable(source, error) from error
    content = read_bytes(folder / ARRAYS)
    if digest(content) != closing["arrays"]:
        raise ValueError(f"{folder / ARRAYS}: truncated or damaged, its checksum is not the one in {TEXT}")
    most = BYTES_OF_POINT * (closing["evaluations"] + plan.steps + 1)
    arrays = parse_npz(content, folder / ARRAYS, arrays=2, most=most)
    if arrays.keys() != {"positions", "trail"}:
        raise ValueError(f"{folder / ARRAYS}: a record has positions and trail, got {', '.join(arrays) or 'nothing'}")
    machine = _machine(folder / MACHINE, of_text)
    try:
        record = Record(
            settings=plan,
            version=opening["version"],
            maze=maze_from_json(opening["maze"]),
            rows=rows,
            solved=closing["solved"],
            evaluations=closing["evaluations"],
            best_fitness=closing["best_fitness"],
            solution=Genome.from_json(closing["solution"]),
            diversity=closing["diversity"],
            machine=machine,
            **arrays,
        )
        check_points("positions", record.positions, record.evaluations, record.evaluations)
        _check_end(record, closing)
    except OF_RECORDS as error:
        raise _unreadable(source, error) from error
    return record


def check_rows(plan: Plan, rows: list[dict[str, Any]], evaluations: int, best_fitness: float) -> None:
    """Raise an error unless a run, or its part up to a checkpoint, can have these rows and this result."""
    _check_number("evaluations", evaluations, whole=True, least=1)
    _check_number("best_fitness", best_fitness)
    if not 1 <= len(rows) <= plan.generations:
        raise ValueError(f"a run of {plan.generations} generations has 1 to {plan.generations} rows, got {len(rows)}")
    so_far, best = 0, -math.inf
    for number, row in enumerate(rows):
        for name in ("generation", "evaluations", "species", "archive"):
            _check_number(f"{name} of row {number}", row.get(name), whole=True, least=0)
        for name in ("best_fitness", "mean_fitness", "mean_connections"):
            _check_number(f"{name} of row {number}", row.get(name))
        if row["generation"] != number:
            raise ValueError(f"row {number} is of generation {row['generation']}")
        if not so_far <= row["evaluations"] <= so_far + plan.population or row["best_fitness"] < best:
            raise ValueError(f"row {number} does not follow from the one before: {row}")
        so_far, best = row["evaluations"], row["best_fitness"]
    if so_far != evaluations or best != best_fitness:
        raise ValueError(
            f"the last row tells of {so_far} evaluations and fitness {best}, "
            f"the result of {evaluations} and {best_fitness}"
        )


def check_points(name: str, points: np.ndarray, least: int, most: int) -> None:
    """Refuse an array that is not as many points as there must be."""
    if points.dtype != np.float32 or points.ndim != 2 or points.shape[1] != 2 or not least <= len(points) <= most:
        count = str(least) if least == most else f"{least} to {most}"
        raise ValueError(f"{name} are {count} points of 32 bits, got shape {points.shape} of {points.dtype}")
    if not np.isfinite(points).all():
        raise ValueError(f"{name} are finite numbers, got others")


def _unreadable(source: Path, error: Exception) -> ValueError:
    return ValueError(f"{source}: not a record this version can read: {error}")


def _check_end(record: Record, closing: dict[str, Any]) -> None:
    plan, solution = record.settings, record.solution
    if not isinstance(record.version, str):
        raise ValueError(f"the version is a word, got {record.version!r:.60}")
    if not isinstance(record.solved, bool):
        raise ValueError(f"solved is true or false, got {record.solved!r}")
    if record.solved != (record.best_fitness > BEST - GOAL_RADIUS):
        raise ValueError(f"solved is {record.solved}, but the best fitness {record.best_fitness}")
    if not record.solved and len(record.rows) < plan.generations:
        raise ValueError(f"not solved, but only {len(record.rows)} of {plan.generations} generations are told")
    for row in record.rows[: -1 if record.solved else None]:
        if plan.loop != "generational" and row["evaluations"] != plan.population * (row["generation"] + 1):
            raise ValueError(f"generation {row['generation']} ends after {row['evaluations']} evaluations")
    if (solution.inputs, solution.outputs) != (INPUTS, OUTPUTS):
        raise ValueError(f"the solution has {solution.inputs} inputs and {solution.outputs} outputs")
    for name in ("connections", "hidden_nodes"):
        if closing[name] != getattr(record, name):
            raise ValueError(f"{name} are {closing[name]!r}, but the solution has {getattr(record, name)}")
    if record.diversity.keys() != {"compatibility", "disjoint", "excess", "weight_difference"}:
        raise ValueError(f"diversity is told by four numbers, got {', '.join(map(str, record.diversity))}")
    for name, value in record.diversity.items():
        _check_number(name, value, least=0)
    check_points("trail", record.trail, 1, plan.steps + 1)


def _check_number(name: str, value: Any, *, whole: bool = False, least: float = -math.inf) -> None:
    kinds: Any = int if whole else int | float
    if not isinstance(value, kinds) or isinstance(value, bool) or not (least <= value and abs(value) < math.inf):
        rule = ("a whole number" if whole else "a finite number") + (f", at least {least}" if least > -math.inf else "")
        raise ValueError(f"{name} must be {rule}, got {value!r:.60}")


def maze_as_json(maze: Maze) -> dict[str, Any]:
    """A maze as plain data."""
    return maze._asdict() | {"start": list(maze.start), "goal": list(maze.goal), "walls": maze.walls.tolist()}


def maze_from_json(data: dict[str, Any]) -> Maze:
    """The maze that `maze_as_json` made data of."""
    maze = Maze(
        data["name"], tuple(data["start"]), data["heading"], tuple(data["goal"]), np.array(data["walls"], dtype=float)
    )
    if not isinstance(maze.name, str):
        raise ValueError(f"a maze's name is a word, got {maze.name!r}")
    check_maze(maze)
    return maze


def npz(**arrays: Any) -> bytes:
    """Arrays as the bytes of a compressed npz file, the same bytes for the same arrays."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


def _lines(source: Path) -> tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any], str | None]:
    """The first line of a record, the generations, the result and the digest, checked; None if it has none."""
    text = read_text(source)
    lines = [
        parse_object(line, f"{source}, line {number}") for number, line in enumerate(text.split("\n")[:-1], start=1)
    ]
    if len(lines) < 2 or not text.endswith("\n"):
        raise ValueError(f"{source}: truncated or damaged, it ends after {len(lines)} whole lines")
    opening = lines[0]
    _require(source, 1, opening, "settings", "format", "version", "settings", "maze")
    if opening["format"] not in (FORMAT, WITHOUT_DIGEST) or isinstance(opening["format"], bool):
        raise ValueError(f"{source}: record format {opening['format']!r} is not known; this version reads {FORMAT}")
    of_text = None
    if opening["format"] == FORMAT:
        last = lines.pop()
        if last.keys() != {"kind", "sha256"} or last["kind"] != "digest":
            raise ValueError(f"{source}: truncated, the last line is not the digest")
        of_text = digest(text[: text.rindex("\n", 0, -1) + 1].encode())
        if of_text != last["sha256"]:
            raise ValueError(f"{source}: damaged, its content is not that of its digest")
    closing = lines[-1]
    if closing.get("kind") != "result":
        raise ValueError(f"{source}: truncated, the last line is not the result")
    _require(source, len(lines), closing, "result", *RESULT)
    for number, row in enumerate(lines[1:-1], start=2):
        _require(source, number, row, "generation", "generation", "evaluations")
    rows = [{name: value for name, value in row.items() if name != "kind"} for row in lines[1:-1]]
    return opening, rows, closing, of_text


def _require(source: Path, number: int, line: dict[str, Any], kind: str, *names: str) -> None:
    if line.get("kind") != kind:
        raise ValueError(f"{source}, line {number}: its kind must be {kind!r}, got {line.get('kind')!r:.60}")
    for name in names:
        if name not in line:
            raise ValueError(f"{source}, line {number}: {name!r} is missing")


def _machine(source: Path, of_text: str | None) -> dict[str, Any]:
    if not source.exists():
        return {}  # what the run was done on is told where it is known; results do not depend on it
    machine = read_object(source)
    if of_text is not None and machine.pop("sha256", None) != _of_machine(machine, of_text):
        raise ValueError(f"{source}: damaged, or of another record; remove it to do without it")
    for name in ("seconds", "cpu_seconds"):
        _check_number(f"{source}: {name}", machine.get(name, 0), least=0)
    for name in ("commit", "processor"):
        if not isinstance(machine.get(name), str | None):
            raise ValueError(f"{source}: {name} must be text or null, got {machine[name]!r:.60}")
    return machine


def _of_machine(machine: dict[str, Any], of_text: str) -> str:
    """The digest of what is told of the machine, in this record and no other."""
    return digest((json.dumps(machine) + of_text).encode())
