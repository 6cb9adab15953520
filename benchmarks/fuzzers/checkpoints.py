"""Fuzzing of checkpoints: a resumed run must equal the uninterrupted run, or raise an error that names the folder."""

import io
import itertools
import json
import shutil
from functools import partial

import numpy as np

from divergent.maze import read_maze
from divergent.persistence._files import seal
from divergent.problem import LOOPS
from divergent.runs import Settings, execution, make_run
from divergent.runs.record import ARRAYS, TEXT
from divergent.selection import SEARCHES
from fuzzers.damage import damaged, forged, text_of

DEFAULT_COUNT = 4000
MAZE = read_maze("hard")


def attacks(rng, folder):
    begun = [begin(plan, folder / f"begun-{plan.loop}") for plan in small()]
    for number in itertools.count():
        plan, content, whole = begun[rng.integers(len(begun))]
        other = begun[rng.integers(len(begun))][1]
        out = folder / str(number % 50)
        if number % 2:
            changed, expected = forged_checkpoint(content, rng), None
        else:
            changed, expected = damaged(content, rng, [other, b"", whole[TEXT], content]), whole
        yield partial(go_on, plan, out, changed, expected), [str(out)]


def begin(plan, out):
    """Return the settings of a run, the checkpoint of an interrupted run, and the record of an uninterrupted run."""
    default, execution.CHECKPOINT_EVERY = execution.CHECKPOINT_EVERY, 4
    interrupted = iter(make_run(plan, MAZE, out=out))
    for _ in range(6):
        next(interrupted)
    interrupted.close()
    execution.CHECKPOINT_EVERY = default
    return plan, saved_of(plan, out).read_bytes(), make_run(plan, MAZE).finish().files()


def go_on(plan, out, content, whole):
    """Resume a run from a damaged checkpoint; its record must equal the record of an uninterrupted run."""
    saved = saved_of(plan, out)
    saved.parent.mkdir(parents=True, exist_ok=True)
    saved.write_bytes(content)
    try:
        files = make_run(plan, MAZE, out=out).finish().files()
        if whole is None:
            return "forged"
        assert all(files[name] == whole[name] for name in (TEXT, ARRAYS)), "another record"
        return "unharmed"
    finally:
        shutil.rmtree(out)


def forged_checkpoint(content, rng):
    """Return a checkpoint in which one value or array is changed; its digest is valid."""
    with np.load(io.BytesIO(content)) as stored:
        arrays = dict(stored)
    if rng.random() < 0.7:
        notes = forged(json.loads(arrays["notes"].tobytes()), rng)
        arrays["notes"] = np.frombuffer(text_of(notes).encode(), dtype=np.uint8)
    else:
        name = list(arrays)[rng.integers(len(arrays))]
        arrays[name] = forged_array(arrays[name], rng)
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return seal(buffer.getvalue())


def forged_array(array, rng):
    way = rng.integers(6)
    if way == 0:
        return array.ravel()
    if way == 1:
        return array[:-1]
    if way == 2:
        return np.concatenate([array, array[:1]])
    if way == 3:
        return array.astype(rng.choice(["<f4", "<i8", "U8", "?"]))
    changed = array.copy()
    if changed.size:
        number = rng.integers(changed.size)
        wild = [0, 1, 7, 255, -1, 2**31, 1e300, np.nan, np.inf] if array.dtype.kind == "f" else [0, 1, 7, 123]
        changed.ravel()[number] = wild[rng.integers(len(wild))]
    return changed


def saved_of(plan, out):
    return execution.record_folder(plan, out).with_name(f"seed-{plan.seed:04d}.checkpoint.npz")


def small():
    for search in SEARCHES:
        for loop in LOOPS:
            yield Settings(maze="hard", search=search, loop=loop, population=12, generations=7, steps=15).resolve()
