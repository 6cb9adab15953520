"""Fuzzing of run records: reading a damaged record gives the original record, or an error that names its folder."""

import itertools
import json
import os
import shutil
from functools import partial

import numpy as np

from divergent import read
from divergent.persistence._files import digest, npz
from divergent.runs import Settings, run
from divergent.runs.record import ARRAYS, MACHINE, TEXT
from fuzzers.damage import damaged, forged, text_of

DEFAULT_COUNT = 6000


def attacks(rng, folder):
    records = [run(settings).files() for settings in small()]
    for number in itertools.count():
        index, other_index = rng.choice(len(records), size=2, replace=False).tolist()
        files, path = dict(records[index]), folder / f"seed-{number % 50:04d}"
        name = (TEXT, TEXT, ARRAYS, MACHINE)[rng.integers(4)]
        way = rng.integers(10)
        honest = way < 7
        if honest:
            files[name] = damaged(files[name], rng, [records[other_index][name], b"", files[TEXT], files[ARRAYS]])
        elif way == 7:
            files[name] = None
        else:
            forger = (forged_text, forged_arrays)[rng.integers(2)]
            files |= forger(files, rng)
            # machine.json is deleted, because its digest of the original record makes reading the forged record fail
            del files[MACHINE]
        yield partial(check, path, files, records[index] if honest else None), [path.name]


def check(path, files, original):
    """Read a run record; reading a damaged record must give the original record or raise an error."""
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir()
    for name, content in files.items():
        if content is None:
            os.mkfifo(path / name)  # opening a named pipe for reading would block forever
        else:
            (path / name).write_bytes(content)
    record = read(path)
    again = record.files()
    if original is None:
        return "forged"
    assert again == original, "read as something else: " + ", ".join(
        name for name in original if original[name] != again[name]
    )
    return "unharmed"


def forged_text(files, rng):
    """Return the text of a record with one changed value, with a valid digest or in the old format without digest."""
    lines = [json.loads(line) for line in files[TEXT].splitlines()[:-1]]
    lines = forged(lines, rng)
    sealed = rng.random() < 0.5
    if not sealed and lines and isinstance(lines[0], dict):
        lines[0]["format"] = 2
    text = "".join(text_of(line) + "\n" for line in lines)
    return {TEXT: with_digest(text) if sealed else text.encode()}


def forged_arrays(files, rng):
    """Return the files of a record whose position array has a random shape and type; all digests are valid."""
    lines = [json.loads(line) for line in files[TEXT].splitlines()[:-1]]
    shapes = [(), (0,), (0, 2), (1, 2), (30, 2), (80, 2), (2, 80), (80, 3)]
    shape, kind = shapes[rng.integers(len(shapes))], rng.choice(["<f4", "<f8", ">f4", "<i8", "U3", "?", "<M8[s]"])
    content = npz(positions=np.zeros(shape, kind), trail=np.full((3, 2), rng.choice([0.0, np.nan]), "<f4"))
    lines[-1]["arrays"] = digest(content)
    return {ARRAYS: content, TEXT: with_digest("".join(text_of(line) + "\n" for line in lines))}


def with_digest(text):
    return (text + text_of({"kind": "digest", "sha256": digest(text.encode())}) + "\n").encode()


def small():
    for loop in ("steady", "generational"):
        yield Settings(maze="medium", search="surprise", loop=loop, population=20, generations=4, steps=20, clusters=5)
    yield Settings(maze="hard", search="novelty", population=10, generations=3, steps=20)
