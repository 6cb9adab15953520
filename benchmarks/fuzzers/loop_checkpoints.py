"""Fuzzing of checkpoints of custom loops: a resumed loop gives the same result, or an error that names the file."""

import itertools
import json
from functools import partial

import numpy as np

from divergent.persistence._files import read_sealed_npz, write_sealed_npz
from fuzzers import loop_kills
from fuzzers.damage import damaged, forged, text_of

DEFAULT_COUNT = 3000
SEED = 5


def attacks(rng, folder):
    loop_kills.GENERATIONS = 4
    begun = [begin(program, folder) for program in loop_kills.PROGRAMS]
    for number in itertools.count():
        program, content, whole = begun[rng.integers(len(begun))]
        path = folder / f"{number % 50:02d}.npz"
        if number % 2:
            write_forged(path, content, rng)
            yield partial(restore, program, path), [path.name]
        else:
            others = [begun[rng.integers(len(begun))][1], b"", b"noise"]
            path.write_bytes(damaged(content, rng, others))
            yield partial(go_on, program, path, whole), [path.name]


def begin(program, folder):
    """Run a program with a custom loop; return the program, its last checkpoint and its result."""
    path = folder / f"{program.__name__}.npz"
    whole = program(path, SEED)
    return program, path.read_bytes(), whole


def go_on(program, path, whole):
    """Resume a program from a damaged checkpoint; its result must equal the result of an uninterrupted program."""
    assert program(path, SEED) == whole, "another end"
    return "unharmed"


def restore(program, path):
    """Restore a checkpoint that has one changed value and a valid digest, without continuing the loop."""
    default, loop_kills.run_loop = loop_kills.run_loop, lambda steps, kept, start: None
    try:
        program(path, SEED)
    finally:
        loop_kills.run_loop = default
    return "forged"


def write_forged(path, content, rng):
    """Write a checkpoint file with one changed value and a valid digest."""
    path.write_bytes(content)
    notes = forged(json.loads(read_sealed_npz(path)["notes"].tobytes()), rng)
    write_sealed_npz(path, notes=np.frombuffer(text_of(notes).encode(), dtype=np.uint8))
