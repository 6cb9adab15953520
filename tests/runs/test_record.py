import hashlib
import io
import json

import numpy as np
import pytest

from divergent.maze import read_maze
from divergent.neat import Genome
from divergent.runs.record import ARRAYS, TEXT, Record, read, write, write_whole
from divergent.runs.settings import Settings


@pytest.fixture
def record():
    solution = Genome.start(11, 2, rng=np.random.default_rng(1))
    rows = [{"generation": number, "evaluations": 10 * number + 10, "best_fitness": 200.0} for number in range(3)]
    return Record(
        settings=Settings(maze="medium", population=10, generations=3).completed(),
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


def test_what_is_written_is_read_back(record, tmp_path):
    again = read(write(record.files(), tmp_path / "seed-0000"))
    assert again.settings == record.settings
    assert again.rows == record.rows
    assert again.solution == record.solution
    assert np.array_equal(again.positions, record.positions)
    assert np.array_equal(again.maze.walls, record.maze.walls)
    assert again.files() == record.files()
    assert (again.connections, again.hidden_nodes) == (13, 1)


def test_the_same_record_has_the_same_bytes(record):
    assert record.files() == record.files()


def test_the_text_explains_itself(record, tmp_path):
    folder = write(record.files(), tmp_path / "seed-0000")
    first, *_, last = [json.loads(line) for line in (folder / TEXT).read_text().splitlines()]
    assert first["settings"]["maze"] == "medium"
    assert first["version"] == "0.1.0"
    assert last["kind"] == "result"


def test_an_existing_record_is_never_touched(record, tmp_path):
    folder = write(record.files(), tmp_path / "seed-0000")
    before = (folder / TEXT).read_bytes()
    with pytest.raises(FileExistsError, match="records are never overwritten"):
        write({TEXT: b"other"}, folder)
    assert (folder / TEXT).read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["seed-0000"]


def test_a_write_that_fails_leaves_nothing_behind(record, tmp_path):
    with pytest.raises(TypeError):
        write(record.files() | {"extra": None}, tmp_path / "seed-0000")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(TypeError):
        write_whole(tmp_path / "file", None)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_record_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="no record there"):
        read(tmp_path / "nothing")


@pytest.mark.parametrize(
    ("name", "change", "sentence"),
    [
        (TEXT, lambda content: content[: len(content) // 2], "truncated or damaged, not JSON"),
        (TEXT, lambda content: b"".join(content.splitlines(True)[:-1]), "truncated, the last line is not the result"),
        (TEXT, lambda content: b"", "truncated, 0 lines"),
        (TEXT, lambda content: b"\xff" + content, "damaged, not text at byte 0"),
        (TEXT, lambda content: b"3\n" + content, "line 1: a line is a JSON object, got 3"),
        (TEXT, lambda content: content.replace(b'"format": 2', b'"format": 99'), "record format 99 is not known"),
        (TEXT, lambda content: content.replace(b'"solved"', b'"sovled"'), "line 5: 'solved' is missing"),
        (TEXT, lambda content: content.replace(b'"loop"', b'"lopo"'), "not a record this version can read"),
        (TEXT, lambda content: content.replace(b'"connections": [[0, 0, 13', b'"connections": [[0, 0, 99'), "node 99"),
        (ARRAYS, lambda content: content[:-10], "its checksum is not the one in record.jsonl"),
    ],
)
def test_a_damaged_record_is_refused_with_what_is_wrong(record, tmp_path, name, change, sentence):
    folder = write(record.files(), tmp_path / "seed-0000")
    damage(folder, name, change)
    with pytest.raises(ValueError, match=sentence):
        read(folder)


def test_a_lost_file_is_named(record, tmp_path):
    folder = write(record.files(), tmp_path / "seed-0000")
    (folder / ARRAYS).unlink()
    with pytest.raises(ValueError, match=r"arrays\.npz: cannot be read"):
        read(folder)


def test_pickled_arrays_are_not_opened(record, tmp_path):
    files = record.files()
    evil = np.array([print], dtype=object)
    buffer = io.BytesIO()
    np.savez(buffer, positions=evil, trail=evil)
    digest = json.loads(files[TEXT].splitlines()[-1])["arrays"].encode()
    files[ARRAYS] = buffer.getvalue()
    files[TEXT] = files[TEXT].replace(digest, hashlib.sha256(files[ARRAYS]).hexdigest().encode())
    with pytest.raises(ValueError, match="not the arrays of a record"):
        read(write(files, tmp_path / "seed-0000"))
