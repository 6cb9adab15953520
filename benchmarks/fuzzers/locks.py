"""Fuzzing of lock files of any content, age and file type: held locks are kept, abandoned locks are removed."""

import itertools
import json
import os
import shutil
import socket
import time
from functools import partial

from divergent.runs import _locks as locks
from fuzzers.damage import VALUES, damaged, forged, text_of

DEFAULT_COUNT = 5000
# ages of lock files in seconds; a negative age is a time stamp in the future
AGES = (0.0, 5.0, 20.0, 3000.0, 4000.0, 1e9, -5.0, -20.0, -4000.0, -1e9)


def attacks(rng, folder):
    mine = json.loads(content_of_a_lock(folder))
    elsewhere = {"host": "elsewhere", "pid": 7, "started": "1"}
    over = mine | {"started": "1"}
    for number in itertools.count():
        lock = folder / f"{number % 50}" / "seed-0000.lock"
        age = AGES[rng.integers(len(AGES))]
        holder = (mine, elsewhere, over)[rng.integers(3)]
        content = text_of(holder).encode()
        way = rng.integers(8)
        if way == 0:
            content = ("pipe", "directory", "dangling link", "link to a pipe")[rng.integers(4)]
        elif way == 1:
            content = text_of(holder | {list(mine)[rng.integers(3)]: VALUES[rng.integers(len(VALUES))]}).encode()
        elif way == 2:
            content = text_of(forged(holder, rng)).encode()
        elif way == 3:
            content = (b"", bytes(100), b"[" * 4000, b'{"a":' * 600, b" " * 10**6, b"\xff" * 50)[rng.integers(6)]
        elif way < 7:
            content = damaged(content, rng, [b"", text_of(elsewhere).encode()])
        yield partial(check, lock, content, age), [lock.name]


def content_of_a_lock(folder):
    with locks.locked(folder / "seed-0000") as lock:
        return lock.read_bytes()


def check(lock, content, age):
    """Check that the package treats one lock file as held or abandoned, as a reference implementation does."""
    shutil.rmtree(lock.parent, ignore_errors=True)
    lock.parent.mkdir()
    make(lock, content)
    changed = time.time() - age
    os.utime(lock, (changed, changed), follow_symlinks=False)
    expected = may_be_held(content, age)
    folder = lock.with_name("seed-0000")
    assert locks.is_held(folder) == expected, f"held: {not expected}, {age} s ago: {content[:80]!r}"
    locks.clean(lock.parent)
    assert os.path.lexists(lock) == (expected or content == "directory"), f"cleaned: {expected}, {content[:80]!r}"
    with locks.locked(folder) as taken:
        assert (taken is None) == expected, f"taken: {expected}, {age} s ago: {content[:80]!r}"
    return "held" if expected else "abandoned"


def make(lock, content):
    if isinstance(content, bytes):
        lock.write_bytes(content)
    elif content == "pipe":
        os.mkfifo(lock)  # opening a named pipe for reading would block forever
    elif content == "directory":
        lock.mkdir()
    elif content == "dangling link":
        lock.symlink_to("nowhere")
    else:
        os.mkfifo(lock.with_name("pipe"))
        lock.symlink_to("pipe")


def may_be_held(content, age):
    """Return whether a lock is held, as a reference implementation of `locks.is_held`.

    A lock of this host is held only if the lock contains the process id and the start time of the fuzzer itself. A lock
    of another host is held if the lock is recent. A lock with invalid content is held if the lock is recent.
    """
    try:
        holder = json.loads(content) if len(content) <= locks.MOST_BYTES else None
        host, pid, started = holder["host"], holder["pid"], holder["started"]
        is_whole = isinstance(host, str) and isinstance(started, str) and type(pid) is int and 0 < pid < 2**31
    except (ValueError, TypeError, KeyError, RecursionError):
        is_whole = False
    if not is_whole:
        return -locks.GRACE < age < locks.GRACE
    if host != socket.gethostname():
        return -locks.GRACE < age < locks.SILENT_FOR
    return pid == os.getpid() and started == locks._start_time(pid)
