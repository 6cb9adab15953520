import dataclasses
import json
import math
import os

import numpy as np
import pytest

from divergent.maze import read_maze
from divergent.neat import Genome
from divergent.persistence._files import digest, npz
from divergent.runs import MazeRecord
from divergent.runs.record import ARRAYS, MACHINE, TEXT, read, write
from divergent.runs.settings import Settings


@pytest.fixture
def record():
    solution = Genome.start(11, 2, rng=np.random.default_rng(1))
    rows = [
        {"generation": number, "evaluations": 10 * number + 10, "best_fitness": 200.0 + number, "mean_fitness": 150.0}
        | {"mean_connections": 13.0, "species": 1, "archive": 0}
        for number in range(3)
    ]
    return MazeRecord(
        settings=Settings(maze="medium", population=10, generations=3).resolve(),
        version="0.1.0",
        maze=read_maze("medium"),
        rows=rows,
        solved=False,
        evaluations=30,
        best_fitness=202.0,
        solution=solution,
        diversity={"compatibility": 3.5, "disjoint": 2.0, "excess": 0.0, "weight_difference": 0.5},
        positions=np.linspace(0, 100, 60, dtype=np.float32).reshape(30, 2),
        trail=np.zeros((401, 2), dtype=np.float32),
        machine={"seconds": 1.5},
    )


def damage(folder, name, change):
    path = folder / name
    path.write_bytes(change(path.read_bytes()))


def lines_of(record):
    return [json.loads(line) for line in record.files()[TEXT].splitlines()]


def without_digest(record, arrays=None, **changes):
    """The files of a record in the format without a digest, with changes to its arrays or lines."""
    files = record.files()
    opening, *rows, closing, _ = lines_of(record)
    opening["format"] = 2
    files[MACHINE] = json.dumps(record.machine).encode()
    if arrays is not None:
        files[ARRAYS] = npz(**arrays)
        closing["arrays"] = digest(files[ARRAYS])
    lines = changes.get("lines", lambda *lines: lines)(opening, *rows, closing)
    files[TEXT] = "".join(json.dumps(line) + "\n" for line in lines).encode()
    return files


def test_read_after_write_returns_the_record(record, tmp_path):
    again = read(write(record.files(), tmp_path / "seed-0000"))
    assert again.settings == record.settings
    assert again.rows == record.rows
    assert again.solution == record.solution
    assert np.array_equal(again.positions, record.positions)
    assert np.array_equal(again.maze.walls, record.maze.walls)
    assert again.files() == record.files()
    assert (again.connections, again.hidden_nodes) == (13, 1)


def test_files_of_the_same_record_are_equal(record):
    assert record.files() == record.files()


def test_text_of_a_record_contains_settings_and_version(record, tmp_path):
    folder = write(record.files(), tmp_path / "seed-0000")
    first, *_, last = [json.loads(line) for line in (folder / TEXT).read_text().splitlines()]
    assert first["settings"]["maze"] == "medium"
    assert first["version"] == "0.1.0"
    assert last["kind"] == "digest"


def test_write_to_an_existing_folder_raises_and_changes_nothing(record, tmp_path):
    folder = write(record.files(), tmp_path / "seed-0000")
    before = (folder / TEXT).read_bytes()
    with pytest.raises(FileExistsError, match="records are never overwritten"):
        write({TEXT: b"other"}, folder)
    assert (folder / TEXT).read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["seed-0000"]


def test_write_that_fails_leaves_no_files(record, tmp_path):
    with pytest.raises(TypeError):
        write(record.files() | {"extra": None}, tmp_path / "seed-0000")
    assert list(tmp_path.iterdir()) == []


def test_read_of_a_missing_folder_names_it(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"a record must be a folder that contains record\.jsonl"):
        read(tmp_path / "nothing")


@pytest.mark.parametrize(
    ("machine", "sentence"),
    [
        ({"cpu_seconds": "long"}, "cpu_seconds must be a finite number, at least 0, got 'long'"),
        ({"commit": ["4a93639"]}, r"the entry commit must be a string or null, got \['4a93639'\]"),
        ({"processor": 7}, "the entry processor must be a string or null, got 7"),
    ],
)
def test_read_with_an_invalid_machine_names_the_value(record, tmp_path, machine, sentence):
    folder = write(dataclasses.replace(record, machine=machine).files(), tmp_path / "seed-0000")
    with pytest.raises(ValueError, match=rf"machine\.json: {sentence}"):
        read(folder)


@pytest.mark.parametrize(
    ("name", "change", "sentence"),
    [
        (TEXT, lambda content: content[: len(content) // 2], "got 2 complete lines; the file is truncated"),
        (TEXT, lambda content: content.replace(b'"solved": ', b'"solved"; '), "line 5: truncated or damaged, not JSON"),
        (TEXT, lambda content: b"".join(content.splitlines(True)[:-1]), "the last line must be the digest"),
        (TEXT, lambda content: b"", "got 0 complete lines; the file is truncated"),
        (TEXT, lambda content: b"\xff" + content, "damaged, must be UTF-8 text, got an invalid byte at position 0"),
        (TEXT, lambda content: b"3\n" + content, "line 1: must be a JSON object, got 3"),
        (
            TEXT,
            lambda content: content.replace(b'"format": 3', b'"format": 99'),
            "record format must be 2 or 3, got 99",
        ),
        (TEXT, lambda content: content.replace(b'"format": 3', b'"format": 2'), "the last line must be the result"),
        (TEXT, lambda content: content.replace(b"200.0", b"200.5"), "content must match the digest"),
        (TEXT, lambda content: content.replace(b'"sha256"', b'"sha512"'), "the last line must be the digest"),
        (TEXT, lambda content: b"[" * 100_000 + b"\n" + content, "line 1: truncated or damaged, nested too deeply"),
        (MACHINE, lambda content: content.replace(b"1.5", b"1.25"), r"content must match .*; remove"),
        (MACHINE, lambda content: content.replace(b"sha256", b"sha512"), r"content must match .*; remove"),
        (MACHINE, lambda content: b"[]", r"machine\.json: must be a JSON object, got \[\]"),
        (ARRAYS, lambda content: content[:-10], "content must match the digest in record.jsonl"),
    ],
)
def test_read_of_a_damaged_record_names_the_damage(record, tmp_path, name, change, sentence):
    folder = write(record.files(), tmp_path / "seed-0000")
    damage(folder, name, change)
    with pytest.raises(ValueError, match=sentence):
        read(folder)


def changed(line, **values):
    return lambda *lines: [content | values if number == line else content for number, content in enumerate(lines)]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (changed(4, solved="no"), "solved must be true or false, got 'no'"),
        (
            changed(4, solved=True),
            "solved must be consistent with best_fitness: the value False is required if best_fitness is 202.0, "
            "got True",
        ),
        (changed(4, evaluations=-5), "evaluations must be an integer, at least 1, got -5"),
        (
            changed(4, evaluations=29),
            "statistics of the last generation must equal the result of the run, 29 evaluations and best fitness "
            "202.0, got 30 evaluations",
        ),
        (changed(4, best_fitness=math.nan), "best_fitness must be a finite number, got nan"),
        (changed(4, best_fitness=-math.inf), "best_fitness must be a finite number, got -inf"),
        (
            changed(4, connections=12),
            "the recorded number of connections must equal the number in the solution, 13, got 12",
        ),
        (changed(4, diversity={}), "disjoint, excess, weight_difference, got nothing"),
        (changed(4, solution={"version": 1}), "required keys, got data without the key 'inputs'"),
        (changed(2, evaluations=None), "evaluations of row 1 must be an integer, at least 0, got None"),
        (
            changed(2, evaluations=15),
            "generation 2: evaluations and best_fitness must not decrease, and evaluations must increase by at most "
            "the population size 10",
        ),
        (
            changed(2, best_fitness=100.0),
            "generation 1: evaluations and best_fitness must not decrease, and evaluations must increase by at most "
            "the population size 10",
        ),
        (changed(2, kind="generations"), "line 3: the line must be of kind 'generation', got 'generations'"),
        (changed(0, version=1), "version must be a string, got 1"),
        (changed(0, settings=[]), "record must be readable by this version of divergent"),
        (lambda *lines: lines[:2] + lines[3:], "row 1 of the statistics must have generation 1, got 2"),
        (
            lambda *lines: lines[:3] + lines[2:],
            "the number of recorded generations must be within the limit of 3 generations, from 1 to 3, got 4",
        ),
        (
            lambda *lines: lines[:3] + lines[4:],
            "the last generation must equal the result of the run, 30 evaluations and",
        ),
        (lambda *lines: lines[:-1], "the last line must be the result"),
        (lambda opening, *lines: [{"kind": "settings", "format": 2}, *lines], "must have the key 'version'"),
    ],
)
def test_read_without_a_digest_rejects_contradictions(record, tmp_path, change, sentence):
    again = read(write(without_digest(record), tmp_path / "seed-0000"))
    assert again.files() == record.files()
    with pytest.raises(ValueError, match=sentence) as error:
        read(write(without_digest(record, lines=change), tmp_path / "seed-0001"))
    assert str(error.value).startswith(str(tmp_path / "seed-0001"))


@pytest.mark.parametrize(
    ("arrays", "sentence"),
    [
        ({"positions": np.full((30, 2), np.nan, "f4")}, "array positions must contain finite numbers"),
        ({"positions": np.zeros((29, 2), "f4")}, r"array positions must contain 30 points .*, got shape \(29, 2\)"),
        ({"positions": np.zeros((30, 3), "f4")}, "array positions must contain 30 points"),
        ({"positions": np.zeros((30, 2))}, "dtype float64"),
        ({"trail": np.zeros((0, 2), "f4")}, r"array trail must contain 1 to 401 points with .*, got shape \(0, 2\)"),
        ({"more": np.zeros(1)}, "the number of arrays in the file must be at most 2, got 3"),
    ],
)
def test_read_with_arrays_of_other_shapes_raises(record, tmp_path, arrays, sentence):
    arrays = {"positions": record.positions, "trail": record.trail} | arrays
    with pytest.raises(ValueError, match=sentence):
        read(write(without_digest(record, arrays), tmp_path / "seed-0000"))


def test_read_with_arrays_of_other_names_raises(record, tmp_path):
    arrays = {"positions": record.positions, "path": record.trail}
    with pytest.raises(ValueError, match="arrays must be named positions and trail, got positions, path"):
        read(write(without_digest(record, arrays), tmp_path / "seed-0000"))


def test_read_with_arrays_larger_than_the_run_raises(record, tmp_path):
    arrays = {"positions": np.zeros((10**6, 2), "f4"), "trail": record.trail}  # 8 MB in 8 kB
    # 30 positions and at most 401 points of the trail, 8 bytes each, and two headers
    with pytest.raises(ValueError, match=r"arrays\.npz: .* at most 5,496 bytes, got 8,003,464"):
        read(write(without_digest(record, arrays), tmp_path / "seed-0000"))


def test_read_of_a_steady_run_with_a_short_generation_raises(record, tmp_path):
    def fewer(opening, first, second, third, closing):
        return opening, first, second | {"evaluations": 19}, third | {"evaluations": 29}, closing | {"evaluations": 29}

    arrays = {"positions": record.positions[:29], "trail": record.trail}
    with pytest.raises(
        ValueError,
        match="by the population size in each generation: generation 1 must end with 20 evaluations, got 19",
    ):
        read(write(without_digest(record, arrays, lines=fewer), tmp_path / "seed-0000"))


@pytest.mark.parametrize("walls", ["1e400", "1" + "0" * 400, "[]", "null", '"a"'])
def test_read_with_an_invalid_maze_raises(record, tmp_path, walls):
    opening, *lines = [json.dumps(line) for line in lines_of(record)[:-1]]
    opening = json.loads(opening)
    opening["format"], opening["maze"]["walls"][0][0] = 2, "here"
    text = json.dumps(opening).replace('"here"', walls) + "\n" + "".join(line + "\n" for line in lines)
    with pytest.raises(ValueError, match=r"record\.jsonl: record must be readable by this version of divergent"):
        read(write(record.files() | {TEXT: text.encode()}, tmp_path / "seed-0000"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("name", [TEXT, ARRAYS, MACHINE])
def test_read_of_a_pipe_raises_without_waiting(record, tmp_path, name):
    folder = write(record.files(), tmp_path / "seed-0000")
    (folder / name).unlink()
    os.mkfifo(folder / name)
    with pytest.raises(ValueError, match=f"{name}: cannot be read: not a regular file"):
        read(folder)


def test_read_with_the_machine_of_another_record_raises(record, tmp_path):
    other = dataclasses.replace(record, version="0.2.0", machine={"seconds": 9.0})
    files = record.files() | {MACHINE: other.files()[MACHINE]}
    with pytest.raises(ValueError, match=r"machine\.json: content must match this record, .*; remove the file"):
        read(write(files, tmp_path / "seed-0000"))


def test_read_without_a_machine_file_succeeds(record, tmp_path):
    folder = write(record.files(), tmp_path / "seed-0000")
    (folder / MACHINE).unlink()
    assert read(folder).machine == {}


def test_read_without_arrays_names_the_file(record, tmp_path):
    folder = write(record.files(), tmp_path / "seed-0000")
    (folder / ARRAYS).unlink()
    with pytest.raises(ValueError, match=r"arrays\.npz: cannot be read"):
        read(folder)


def test_read_with_pickled_arrays_raises(record, tmp_path):
    evil = np.array([print], dtype=object)
    files = without_digest(record, {"positions": evil, "trail": evil})
    with pytest.raises(ValueError, match=r"arrays\.npz: truncated or damaged, not an npz file: .*pickled objects"):
        read(write(files, tmp_path / "seed-0000"))
