"""Runs that are killed at random times; a resumed run must give the same record as an uninterrupted run."""

import itertools
import os
import shutil
import signal
import time
from functools import partial

from divergent.problem import LOOPS
from divergent.runs import Settings, execution, run
from divergent.runs.record import ARRAYS, TEXT
from divergent.selection import SEARCHES

DEFAULT_COUNT = 50


def attacks(rng, folder):
    kinds = [(search, loop) for search in SEARCHES for loop in LOOPS]
    execution.CHECKPOINT_EVERY = 3
    for number in itertools.count():
        search, loop = kinds[number % len(kinds)]
        settings = Settings(maze="hard", search=search, loop=loop, population=60, generations=30, steps=50, seed=number)
        yield partial(kill, settings, folder / f"{number}", rng.random()), []


def kill(settings, out, moment):
    """Kill a run at a fraction of its duration, resume it, and compare its record with that of an uninterrupted run."""
    began = time.perf_counter()
    whole = run(settings, out=out / "whole").files()
    seconds = time.perf_counter() - began
    child = os.fork()
    if child == 0:
        run(settings, out=out / "killed")
        os._exit(0)
    time.sleep(seconds * moment)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    folder = execution.record_folder(settings, out / "killed")
    saved = folder.with_name(folder.name + ".checkpoint.npz").exists()
    end = "finished" if folder.exists() else "resumed" if saved else "restarted"
    resumed = run(settings, out=out / "killed").files()
    assert all(resumed[name] == whole[name] for name in (TEXT, ARRAYS)), f"another record, {end}: {settings}"
    shutil.rmtree(out)
    return end
