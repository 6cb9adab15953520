"""Records of runs: plain files that explain themselves, are written whole or not at all, and never overwritten."""

import hashlib
import io
import json
import os
import shutil
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from divergent.maze import Maze
from divergent.neat import Genome
from divergent.runs.settings import Plan

FORMAT = 2
TEXT, ARRAYS, MACHINE = "record.jsonl", "arrays.npz", "machine.json"


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
        One dictionary a generation: evaluations, best and mean fitness, connections, species, archive size.
    solved, evaluations, best_fitness
        How it ended. `evaluations` includes the solver's own, and is the whole budget if the run did not solve.
    solution
        The genome that solved the maze, or the one that came closest.
    diversity
        Means over pairs of the final population: compatibility, disjoint, excess, weight_difference.
    positions
        The final position of every evaluation, in order, shape (evaluations, 2).
    trail
        The way of the solution, shape (steps + 1, 2).
    machine
        What it ran on and how long it took: the only part in which repeats of a run differ.
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
        return len(self.solution.nodes) - self.solution.inputs - self.solution.outputs

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
            "arrays": hashlib.sha256(arrays).hexdigest(),
        }
        rows = [{"kind": "generation"} | row for row in self.rows]
        text = "".join(json.dumps(line) + "\n" for line in [opening, *rows, closing])
        machine = json.dumps(self.machine, indent=1) + "\n"
        return {TEXT: text.encode(), ARRAYS: arrays, MACHINE: machine.encode()}


def write(files: dict[str, bytes], folder: str | os.PathLike) -> Path:
    """Write a record's files as one folder that appears whole or not at all; an existing one is never touched."""
    folder = Path(folder)
    if folder.exists():
        raise FileExistsError(f"{folder}: a record is there already, and records are never overwritten")
    unfinished = folder.with_name(f"{folder.name}.{os.getpid()}.writing")
    try:
        unfinished.mkdir(parents=True)
        for name, content in files.items():
            write_whole(unfinished / name, content)
        unfinished.rename(folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return folder


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it has its old or its new content, whatever happens meanwhile."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.writing")
    try:
        with open(unfinished, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def read(path: str | os.PathLike) -> Record:
    """Read one run's record from its folder.

    Nothing in it is executed: the files are JSON and plain arrays. A damaged, truncated or incomplete record raises a
    ValueError that names the file and what is wrong with it.
    """
    folder = Path(path)
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder}: no record there; a record is a folder with {TEXT} in it")
    source = folder / TEXT
    lines = _lines(source)
    opening, closing = lines[0], lines[-1]
    _require(source, 1, opening, "kind", "format", "version", "settings", "maze")
    if opening["format"] != FORMAT:
        raise ValueError(f"{source}: record format {opening['format']!r} is not known; this version reads {FORMAT}")
    if closing.get("kind") != "result":
        raise ValueError(f"{source}: truncated, the last line is not the result")
    _require(source, len(lines), closing, "solved", "evaluations", "best_fitness", "diversity", "solution", "arrays")
    arrays = _arrays(folder / ARRAYS, closing["arrays"])
    try:
        return Record(
            settings=Plan.from_json(opening["settings"]),
            version=opening["version"],
            maze=maze_from_json(opening["maze"]),
            rows=[{name: value for name, value in row.items() if name != "kind"} for row in lines[1:-1]],
            solved=closing["solved"],
            evaluations=closing["evaluations"],
            best_fitness=closing["best_fitness"],
            solution=Genome.from_json(closing["solution"]),
            diversity=closing["diversity"],
            machine=_machine(folder / MACHINE),
            **arrays,
        )
    except (TypeError, KeyError, ValueError) as error:
        raise ValueError(f"{source}: not a record this version can read: {error}") from error


def maze_as_json(maze: Maze) -> dict[str, Any]:
    """A maze as plain data."""
    return maze._asdict() | {"start": list(maze.start), "goal": list(maze.goal), "walls": maze.walls.tolist()}


def maze_from_json(data: dict[str, Any]) -> Maze:
    """The maze that `maze_as_json` made data of."""
    return Maze(
        data["name"], tuple(data["start"]), data["heading"], tuple(data["goal"]), np.array(data["walls"], dtype=float)
    )


def npz(**arrays: Any) -> bytes:
    """Arrays as the bytes of a compressed npz file, the same bytes for the same arrays."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


def _lines(source: Path) -> list[dict[str, Any]]:
    try:
        text = source.read_text(encoding="utf-8")
    except OSError as error:
        raise ValueError(f"{source}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{source}: damaged, not text at byte {error.start}") from error
    lines = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            lines.append(json.loads(line))
        except json.JSONDecodeError as error:
            raise ValueError(f"{source}, line {number}: truncated or damaged, not JSON") from error
        if not isinstance(lines[-1], dict):
            raise ValueError(f"{source}, line {number}: a line is a JSON object, got {line[:40]}")
    if len(lines) < 2:
        raise ValueError(f"{source}: truncated, {len(lines)} lines")
    return lines


def _require(source: Path, number: int, line: dict[str, Any], *names: str) -> None:
    for name in names:
        if name not in line:
            raise ValueError(f"{source}, line {number}: {name!r} is missing")


def _arrays(source: Path, digest: str) -> dict[str, np.ndarray]:
    try:
        content = source.read_bytes()
    except OSError as error:
        raise ValueError(f"{source}: cannot be read: {error.strerror}") from error
    if hashlib.sha256(content).hexdigest() != digest:
        raise ValueError(f"{source}: truncated or damaged, its checksum is not the one in {TEXT}")
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            return {name: arrays[name] for name in ("positions", "trail")}
    except (ValueError, KeyError, zipfile.BadZipFile) as error:
        raise ValueError(f"{source}: not the arrays of a record: {error}") from error


def _machine(source: Path) -> dict[str, Any]:
    try:
        return json.loads(source.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}  # what the run was done on is told where it is known; results do not depend on it
