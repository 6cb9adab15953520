import errno
import json
import os
import re
import socket
import subprocess
import sys
import time

import pytest

from divergent.persistence._files import unfinished
from divergent.runs import _locks as locks

POSIX = pytest.mark.skipif(os.name != "posix", reason="the state of a process is unknown on Windows")
LEFT_BEHIND = """
import os, pathlib, sys
from divergent.runs import _locks as locks
from divergent.persistence._files import unfinished
folder = pathlib.Path(sys.argv[1])
with locks.locked(folder):
    unfinished(folder).mkdir()
    unfinished(folder.with_name("seed-0000.checkpoint.npz")).write_text("half of it")
    folder.with_name(f"seed-0000.{os.getpid()}.writing").mkdir()
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "hard-surprise" / "seed-0000"


@pytest.fixture
def holder(folder):
    """Another process that holds the lock of a run and is in the middle of writing."""
    with subprocess.Popen(
        [sys.executable, "-c", LEFT_BEHIND, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def names(folder):
    return sorted(path.name for path in folder.parent.iterdir())


def test_locked_twice_yields_none_and_removes_the_lock_at_the_end(folder):
    with locks.locked(folder) as lock:
        assert lock.name == "seed-0000.lock"
        assert locks.is_held(folder)
        with locks.locked(folder) as second:
            assert second is None
        assert locks.is_held(folder)
    assert not locks.is_held(folder)
    assert names(folder) == []


def test_locked_with_an_error_removes_the_lock(folder):
    with pytest.raises(RuntimeError), locks.locked(folder):
        raise RuntimeError
    assert names(folder) == []


def test_clean_keeps_the_files_of_a_live_process(folder, holder):
    before = names(folder)
    assert len(before) == 4
    locks.clean(folder.parent)
    assert names(folder) == before
    with locks.locked(folder) as lock:
        assert lock is None


@POSIX
def test_is_held_by_a_killed_process_is_false(folder, holder):
    holder.kill()
    holder.wait()
    assert not locks.is_held(folder)
    with locks.locked(folder) as lock:
        assert lock is not None


@POSIX
def test_clean_removes_only_the_files_of_a_killed_process(folder, holder):
    folder.mkdir()
    checkpoint = folder.with_name("seed-0001.checkpoint.npz")
    checkpoint.write_text("another run")
    holder.kill()
    holder.wait()
    assert len(names(folder)) == 6
    locks.clean(folder.parent)
    assert names(folder) == ["seed-0000", "seed-0001.checkpoint.npz"]


@POSIX
def test_is_held_with_a_reused_process_id_is_false(folder):
    with locks.locked(folder) as lock:
        content = json.loads(lock.read_text())
    content["started"] = "1"
    lock.write_text(json.dumps(content))
    assert not locks.is_held(folder)


def aged(lock, seconds):
    """Set the last change of a lock to so many seconds ago."""
    follows = os.utime not in os.supports_follow_symlinks  # Windows changes the time of the target only
    os.utime(lock, (time.time() - seconds,) * 2, follow_symlinks=follows)


def test_lock_of_another_machine_is_held_for_an_hour_after_its_last_touch(folder):
    folder.parent.mkdir()
    lock = locks.lock_path(folder)
    lock.write_text(json.dumps({"host": "elsewhere", "pid": 1, "started": "1"}))
    for seconds, held in ((0, True), (3500, True), (3700, False)):
        aged(lock, seconds)
        assert locks.is_held(folder) is held
    with locks.locked(folder) as lock:
        assert lock is not None
        assert json.loads(lock.read_text())["host"] == socket.gethostname()


def test_lock_of_another_machine_from_the_future_is_abandoned(folder):
    folder.parent.mkdir()
    lock = locks.lock_path(folder)
    lock.write_text(json.dumps({"host": "elsewhere", "pid": 1, "started": "1"}))
    for seconds, held in ((-5, True), (-60, False), (-1e9, False)):  # clocks may differ by a few seconds
        aged(lock, seconds)
        assert locks.is_held(folder) is held


def lock_content(**changes):
    return json.dumps({"host": socket.gethostname(), "pid": os.getpid(), "started": "1"} | changes).encode()


DAMAGED = {
    "empty": b"",
    "zeros": bytes(64),
    "noise": b"\xff\xfe\x80",
    "truncated": b'{"host',
    "list": b"[1]",
    "deep": b"[" * 3000,
    "long": b" " * 10_000_000 + lock_content(),
    "pid 0": lock_content(pid=0, started=""),
    "pid -1": lock_content(pid=-1, started=""),
    "large pid": lock_content(pid=10**23, started=None),
    "no start": lock_content(pid=2**31 - 1, started=None),
    "true": lock_content(pid=True),
    "no host": lock_content(host=None),
}


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
def test_lock_that_names_no_process_is_abandoned_after_the_grace_period(folder, content):
    folder.parent.mkdir()
    lock = locks.lock_path(folder)
    lock.write_bytes(content)
    assert locks.is_held(folder)
    aged(lock, locks.GRACE + 1)
    assert not locks.is_held(folder)
    with locks.locked(folder) as lock:
        assert json.loads(lock.read_text())["pid"] == os.getpid()
    assert names(folder) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("make", ["mkfifo", "symlink"])
def test_lock_that_is_no_regular_file_is_abandoned_after_the_grace_period(folder, make):
    folder.parent.mkdir()
    lock = locks.lock_path(folder)
    os.mkfifo(lock) if make == "mkfifo" else lock.symlink_to("nowhere")
    assert locks.is_held(folder)  # and does not wait for a writer
    aged(lock, locks.GRACE + 1)
    with locks.locked(folder) as lock:
        assert lock is not None
    assert names(folder) == []


def test_lock_that_is_a_directory_is_kept_and_named(folder):
    lock = locks.lock_path(folder)
    (lock / "inner").mkdir(parents=True)
    aged(lock, locks.GRACE + 1)
    locks.clean(folder.parent)
    message = r"seed-0000\.lock: a lock must be a file, got a directory; remove the directory"
    with pytest.raises(ValueError, match=message):
        locks._acquire(lock)
    assert (lock / "inner").exists()


def test_abandoned_damaged_locks_are_cleaned(folder):
    folder.parent.mkdir()
    lock = locks.lock_path(folder)
    lock.write_bytes(bytes(64))
    locks.clean(folder.parent)
    assert lock.exists()
    aged(lock, locks.GRACE + 1)
    locks.clean(folder.parent)
    assert not lock.exists()


def test_lock_is_on_the_disk_before_it_is_held(folder, monkeypatch):
    flushed = []
    monkeypatch.setattr(os, "fsync", lambda file: flushed.append(os.fstat(file).st_size))
    with locks.locked(folder) as lock:
        assert flushed == [lock.stat().st_size]


def test_lock_that_cannot_be_written_is_named_and_removed(folder, monkeypatch):
    def full(file):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=r"No space left on device: .*seed-0000\.lock"), locks.locked(folder):
        pass
    assert names(folder) == []


@pytest.mark.parametrize("number", ["0", "99999999999999999999999"])
def test_unfinished_file_of_an_impossible_process_is_cleaned(folder, number):
    folder.parent.mkdir()
    left = folder.with_name(f"seed-0000.{number}-ab12cd34.writing")
    left.mkdir()
    locks.clean(folder.parent)
    assert not left.exists()


def test_clean_keeps_files_without_a_writer_for_an_hour(folder):
    folder.parent.mkdir()
    left = folder.with_name("seed-0000.ab12cd34.writing")
    left.mkdir()
    locks.clean(folder.parent)
    assert left.exists()
    os.utime(left, (time.time() - 3700,) * 2)
    locks.clean(folder.parent)
    assert not left.exists()


def test_unfinished_names_are_unique(folder):
    first, second = unfinished(folder), unfinished(folder)
    assert first != second
    assert re.fullmatch(rf"seed-0000\.{os.getpid()}-\w+\.writing", first.name)
