"""Records of runs: self-describing files, written atomically and never overwritten."""

import itertools
import json
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from divergent.persistence._files import (
    digest,
    npz,
    parse_npz,
    parse_object,
    read_bytes,
    read_object,
    read_text,
    unfinished,
    write_whole,
)
from divergent.persistence._serialization import from_jsonable, to_jsonable
from divergent.problem import Problem
from divergent.runs._plan import ProblemPlan
from divergent.runs._record_checks import check_end, check_rows
from divergent.runs.problem_files import source_of
from divergent.validation import brief, check_at_least, check_number

FORMAT = 3
FORMAT_WITHOUT_DIGEST = 2  # record files of format 2 have no digest line
TEXT, ARRAYS, MACHINE = "record.jsonl", "arrays.npz", "machine.json"
MOST_BYTES = 2**34  # largest size of the arrays of a record in bytes
INVALID_CONTENT = (TypeError, KeyError, ValueError, AttributeError, OverflowError, LookupError)
"""Errors that unexpected content of a record can cause while the record is read."""


@dataclass(frozen=True, kw_only=True)
class Record:
    """Settings and results of one run on any problem.

    Parameters
    ----------
    settings : Plan
        Complete settings of the run.
    version : str
        Version of `divergent` that executed the run.
    rows : list of dict
        One dictionary of statistics for each generation.
    solved : bool
        Whether the run solved the problem.
    evaluations : int
        Number of evaluations up to and including the solution, or of the complete run if it is unsolved.
    best_fitness : float or None
        First fitness value of the best individual; None if it is not finite.
    machine : dict, default={}
        Wall time ("seconds"), processor time ("cpu_seconds"), machine and software, see `describe_machine`; records of
        repeated runs differ only in `machine`.

    See Also
    --------
    read : Read a record from its folder.
    ProblemRecord : The record of a run on any problem.
    MazeRecord : The record of a run in a maze.
    """

    row_names: ClassVar[tuple[tuple[str, ...], tuple[str, ...]]]
    result_keys: ClassVar[tuple[str, ...]]

    settings: Any
    version: str
    rows: list[dict[str, Any]]
    solved: bool
    evaluations: int
    best_fitness: Any
    machine: dict[str, Any] = field(default_factory=dict)

    @property
    def info(self) -> "ProblemInfo":
        """Name, behaviour axes, behaviour limits and fitness weights of the problem."""
        raise NotImplementedError

    def _description(self) -> Any:
        """Return the JSON-serialisable data that identifies the version of the problem."""
        raise NotImplementedError

    def _opening(self) -> dict[str, Any]:
        """Return the data that a subclass adds to the first line of `record.jsonl`, which contains the settings."""
        raise NotImplementedError

    def _result(self) -> dict[str, Any]:
        """Return the data that a subclass adds to the line of `record.jsonl` with the result of the run."""
        raise NotImplementedError

    def _arrays(self) -> dict[str, np.ndarray]:
        raise NotImplementedError

    def files(self) -> dict[str, bytes]:
        """Return the contents of all files of the record.

        Returns
        -------
        dict of str to bytes
            Contents of the files by file name.
        """
        arrays = npz(**self._arrays())
        opening = {
            "kind": "settings",
            "format": FORMAT,
            "version": self.version,
            "settings": self.settings.to_json(),
            **self._opening(),
        }
        result = {
            "kind": "result",
            "solved": self.solved,
            "evaluations": self.evaluations,
            "best_fitness": self.best_fitness,
            **self._result(),
            "arrays": digest(arrays),
        }
        rows = [{"kind": "generation"} | row for row in self.rows]
        text = "".join(json.dumps(line) + "\n" for line in [opening, *rows, result])
        text_digest = digest(text.encode())
        text += json.dumps({"kind": "digest", "sha256": text_digest}) + "\n"
        machine = self.machine | {"sha256": _machine_digest(self.machine, text_digest)}
        return {TEXT: text.encode(), ARRAYS: arrays, MACHINE: (json.dumps(machine, indent=1) + "\n").encode()}


class ProblemInfo(NamedTuple):
    """Properties of a problem that are stored in its records."""

    name: str
    title: str
    axes: tuple[str, ...]
    """Names of the dimensions of the behaviour."""
    limits: tuple[tuple[float, float], ...]
    """Lower and upper limit of each dimension of the behaviour."""
    weights: tuple[float, ...]
    """Weights of the fitness values, negative for minimised values."""
    has_solution: bool
    """Whether the problem defines when it is solved."""
    sha256: str | None
    """SHA-256 digest of the file that defines the problem; None if there is no such file."""

    @classmethod
    def of(cls, problem: Problem, weights: tuple[float, ...]) -> "ProblemInfo":
        """Collect the properties of a problem that a record stores; `weights` are the weights of its fitness values."""
        source = source_of(problem)
        return cls(
            problem.name,
            problem.title,
            tuple(problem.axes),
            tuple(problem.limits),
            weights,
            problem.solved is not None,
            None if source is None else source.sha256,
        )

    @classmethod
    def from_json(cls, data: Any) -> "ProblemInfo":
        """Read the properties of a problem from JSON-serialisable data."""
        if not isinstance(data, dict) or data.keys() != set(cls._fields):
            raise ValueError(f"problem of a record must have the keys {', '.join(cls._fields)}, got {brief(data)}")
        info = cls(**data)
        for name in ("name", "title"):
            if not isinstance(data[name], str):
                raise ValueError(f"property {name} of the problem must be a string, got {brief(data[name])}")
        numbers = {
            f"number {place}": number for place, number in enumerate([*info.weights, *itertools.chain(*info.limits)])
        }
        check_number(**numbers)
        return info._replace(
            axes=tuple(map(str, info.axes)),
            limits=tuple((low, high) for low, high in info.limits),
            weights=tuple(info.weights),
        )


@dataclass(frozen=True, kw_only=True)
class ProblemRecord(Record):
    """Settings and results of one run on a problem.

    Parameters
    ----------
    settings : Plan
        Complete settings of the run.
    version : str
        Version of `divergent` that executed the run.
    rows : list of dict
        One dictionary for each generation: evaluations, best and mean first fitness value, mean length of individuals
        (None if individuals have no length), number of species (0 if speciation is disabled) and archive size.
    solved : bool
        Whether the run solved the problem.
    evaluations : int
        Number of evaluations up to and including the solution, or of the complete run if it is unsolved.
    best_fitness : float or None
        First fitness value of the best individual; None if it is not finite.
    machine : dict, default={}
        Wall time ("seconds"), processor time ("cpu_seconds"), machine and software, see `describe_machine`; records of
        repeated runs differ only in `machine`.
    problem : ProblemInfo
        Name, behaviour axes, behaviour limits and fitness weights of the problem.
    solution : dict
        The individual that solved the problem, or the best individual if the run is unsolved, as JSON-serialisable data
        for `load_solution`.
    fitness : ndarray of shape (evaluations, values)
        Fitness values of every evaluation, in order of evaluation.
    behaviours : ndarray of shape (evaluations, dimensions) or list
        Behaviours of all evaluations in order, as 32-bit floats, or as a list if behaviours are not vectors.
    failures : int, default=0
        Number of failed evaluations; always 0 unless the setting `on_error` is "invalid".
    violations : ndarray of shape (evaluations,) or None, default=None
        Constraint violations of all evaluations in order; None if all individuals are feasible.

    See Also
    --------
    read : Read a record from its folder.
    """

    row_names = ("generation", "evaluations", "species", "archive"), ("best_fitness", "mean_fitness", "mean_size")
    result_keys = ("solved", "evaluations", "best_fitness", "solution", "failures", "arrays")

    problem: ProblemInfo
    solution: dict[str, Any]
    fitness: np.ndarray = field(repr=False)
    behaviours: Any = field(repr=False)
    failures: int = 0
    violations: np.ndarray | None = field(default=None, repr=False)

    @property
    def info(self) -> ProblemInfo:
        """Name, behaviour axes, behaviour limits and fitness weights of the problem."""
        return self.problem

    def load_solution(self, problem: Problem) -> Any:
        """Build the individual that solved the problem, or the best individual if the run is unsolved.

        Parameters
        ----------
        problem : Problem
            The problem of the record.

        Returns
        -------
        object
            The individual, without fitness values.
        """
        from divergent.runs.build import assemble
        from divergent.runs.execution import individual_format

        return individual_format(problem, assemble(self.settings, problem)).load(self.solution)

    def _description(self) -> Any:
        """Return the SHA-256 digest of the file that defines the problem."""
        return self.problem.sha256

    def _opening(self) -> dict[str, Any]:
        return {"problem": self.problem._asdict()}

    def _result(self) -> dict[str, Any]:
        return {"solution": self.solution, "failures": self.failures}

    def _arrays(self) -> dict[str, np.ndarray]:
        """Return fitness values and behaviours; behaviours that are not vectors are encoded as JSON bytes."""
        if isinstance(self.behaviours, np.ndarray):
            behaviours = self.behaviours.astype("<f4")
        else:
            text = json.dumps(to_jsonable(list(self.behaviours)))
            behaviours = np.frombuffer(text.encode(), dtype=np.uint8)
        arrays = {"fitness": self.fitness.astype("<f8"), "behaviours": behaviours}
        return arrays if self.violations is None else arrays | {"violations": self.violations.astype("<f8")}


def write(files: dict[str, bytes], folder: str | os.PathLike) -> Path:
    """Write the files of a record to a new folder, atomically.

    Parameters
    ----------
    files : dict of str to bytes
        File contents by name, see `Record.files`.
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
            f"folder of a new record must not exist, since records are never overwritten, got {folder}; "
            "choose another folder, or remove this folder"
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


def read(path: str | os.PathLike) -> Any:
    """Read the record of a run from its folder.

    A record consists of JSON files and numeric arrays. Reading a record executes no code.

    Parameters
    ----------
    path : str or os.PathLike
        The folder of the record.

    Returns
    -------
    Record
        A `MazeRecord` if the run was in a maze, otherwise a `ProblemRecord`.

    Raises
    ------
    FileNotFoundError
        If the folder does not exist.
    ValueError
        If a file is damaged, truncated, missing, or contradicts another file; the message names the file.

    See Also
    --------
    divergent.run : Run a problem and write the record.
    """
    folder = Path(path)
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder}: a record must be a folder that contains {TEXT}, but no such folder exists")
    source = folder / TEXT
    lines = read_lines(source)
    if "maze" in lines.opening:
        from divergent.runs._maze_record import read_maze_record

        return read_maze_record(folder, lines)
    return _read_problem_record(folder, lines)


class Lines(NamedTuple):
    """Parsed lines of the file `record.jsonl`: settings, statistics of each generation, result and digest."""

    opening: dict[str, Any]
    rows: list[dict[str, Any]]
    result: dict[str, Any]
    text_digest: str | None
    """SHA-256 digest of the preceding lines; None in format 2, which has no digest."""


def _read_problem_record(folder: Path, lines: Lines) -> ProblemRecord:
    source = folder / TEXT
    opening, rows, result, text_digest = lines
    check_line(source, len(rows) + 2, result, "result", *ProblemRecord.result_keys)
    try:
        plan = ProblemPlan.from_json(opening["settings"])
        info = ProblemInfo.from_json(opening["problem"])
        check_rows(plan, rows, result["evaluations"], result["best_fitness"], ProblemRecord.row_names)
    except INVALID_CONTENT as error:
        raise unreadable(source, error) from error
    arrays = read_arrays(folder / ARRAYS, result["arrays"], ("fitness", "behaviours"), MOST_BYTES, ("violations",))
    machine = read_machine(folder / MACHINE, text_digest)
    try:
        record = ProblemRecord(
            settings=plan,
            version=opening["version"],
            problem=info,
            rows=rows,
            solved=result["solved"],
            evaluations=result["evaluations"],
            best_fitness=result["best_fitness"],
            solution=result["solution"],
            failures=result["failures"],
            machine=machine,
            fitness=arrays["fitness"],
            behaviours=_read_behaviours(arrays["behaviours"]),
            violations=arrays.get("violations"),
        )
        check_at_least(0, failures=record.failures)
        check_end(record)
        for name in arrays:
            if len(getattr(record, name)) != record.evaluations:
                raise ValueError(
                    f"array {name} must have one row per evaluation, {record.evaluations}, "
                    f"got {len(getattr(record, name))}"
                )
        if record.fitness.shape[1:] != (len(info.weights),):
            raise ValueError(
                f"fitness must have one column per weight, {len(info.weights)}, got shape {record.fitness.shape}"
            )
    except INVALID_CONTENT as error:
        raise unreadable(source, error) from error
    return record


def _read_behaviours(stored: np.ndarray) -> Any:
    """Decode stored behaviours; behaviours that are not vectors are stored as the bytes of a JSON text."""
    if stored.dtype != np.uint8:
        return stored
    return from_jsonable(json.loads(stored.tobytes().decode()))


def unreadable(source: Path, error: Exception) -> ValueError:
    """Create an error that names the file with invalid content."""
    return ValueError(f"{source}: record must be readable by this version of divergent, got an error: {error}")


def read_lines(source: Path) -> Lines:
    """Parse `record.jsonl` into settings, statistics of each generation, result and digest (None in format 2)."""
    text = read_text(source)
    lines = [
        parse_object(line, f"{source}, line {number}") for number, line in enumerate(text.split("\n")[:-1], start=1)
    ]
    if len(lines) < 2 or not text.endswith("\n"):
        raise ValueError(
            f"{source}: a record must have a settings line and a result line, got {len(lines)} complete lines; "
            "the file is truncated"
        )
    opening = lines[0]
    check_line(source, 1, opening, "settings", "format", "version", "settings")
    if "maze" not in opening and "problem" not in opening:
        raise ValueError(f"{source}, line 1: settings must have the key 'maze' or 'problem', got neither")
    if opening["format"] not in (FORMAT, FORMAT_WITHOUT_DIGEST) or isinstance(opening["format"], bool):
        raise ValueError(
            f"{source}: record format must be {FORMAT_WITHOUT_DIGEST} or {FORMAT}, got {opening['format']!r:.60}; "
            "use the version of divergent that wrote the record"
        )
    text_digest = _check_digest(source, text, lines.pop()) if opening["format"] == FORMAT else None
    result = lines[-1]
    if result.get("kind") != "result":
        raise ValueError(f"{source}: the last line must be the result, got another line; the file is truncated")
    for number, row in enumerate(lines[1:-1], start=2):
        check_line(source, number, row, "generation", "generation", "evaluations")
    rows = [{name: value for name, value in row.items() if name != "kind"} for row in lines[1:-1]]
    return Lines(opening, rows, result, text_digest)


def _check_digest(source: Path, text: str, line: dict[str, Any]) -> str:
    """Return the digest of all lines but the last; raise an error unless the last line contains this digest."""
    if line.keys() != {"kind", "sha256"} or line["kind"] != "digest":
        raise ValueError(f"{source}: the last line must be the digest, got another line; the file is truncated")
    text_digest = digest(text[: text.rindex("\n", 0, -1) + 1].encode())
    if text_digest != line["sha256"]:
        raise ValueError(f"{source}: content must match the digest, got another digest; the file is damaged")
    return text_digest


def check_line(source: Path, number: int, line: dict[str, Any], kind: str, *names: str) -> None:
    """Raise an error unless a line of `record.jsonl` has the expected kind, such as "result", and the given keys."""
    if line.get("kind") != kind:
        raise ValueError(f"{source}, line {number}: the line must be of kind {kind!r}, got {line.get('kind')!r:.60}")
    for name in names:
        if name not in line:
            raise ValueError(f"{source}, line {number}: line must have the key {name!r}, got no such key")


def read_arrays(
    source: Path, expected_digest: str, names: tuple[str, ...], most: int, optional: tuple[str, ...] = ()
) -> dict[str, np.ndarray]:
    """Read the arrays of a record; raise an error if the digest is wrong or if the arrays exceed `most` bytes."""
    content = read_bytes(source)
    if digest(content) != expected_digest:
        raise ValueError(f"{source}: content must match the digest in {TEXT}, got another digest; the file is damaged")
    arrays = parse_npz(content, source, arrays=len(names) + len(optional), most=most)
    if not set(names) <= arrays.keys() <= {*names, *optional}:
        raise ValueError(f"{source}: arrays must be named {' and '.join(names)}, got {', '.join(arrays) or 'no array'}")
    return arrays


def read_machine(source: Path, text_digest: str | None) -> dict[str, Any]:
    """Read the description of the machine; return an empty dictionary if the file is missing."""
    if not source.exists():
        return {}
    machine = read_object(source)
    if text_digest is not None and machine.pop("sha256", None) != _machine_digest(machine, text_digest):
        raise ValueError(
            f"{source}: content must match this record, got another digest; remove the file to read the record "
            "without the description of the machine"
        )
    for name in ("seconds", "cpu_seconds"):
        check_number(0, **{f"{source}: {name}": machine.get(name, 0)})
    for name in ("commit", "processor"):
        if not isinstance(machine.get(name), str | None):
            raise ValueError(f"{source}: the entry {name} must be a string or null, got {brief(machine[name])}")
    return machine


def _machine_digest(machine: dict[str, Any], text_digest: str) -> str:
    """Return the digest of the machine description and the record, so that swapped files are detected."""
    return digest((json.dumps(machine) + text_digest).encode())
