import json
import os
import re
import socket
import subprocess
import sys
import time

import pytest

from divergent.runs import locks
from divergent.storage import unfinished

LEFT_BEHIND = """
import os, pathlib, sys
from divergent.runs import locks
from divergent.storage import unfinished
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


def test_a_lock_is_held_by_one_and_gone_afterwards(folder):
    with locks.locked(folder) as mine:
        assert mine.name == "seed-0000.lock"
        assert locks.is_held(folder)
        with locks.locked(folder) as second:
            assert second is None
        assert locks.is_held(folder)
    assert not locks.is_held(folder)
    assert names(folder) == []


def test_a_lock_is_let_go_when_the_run_fails(folder):
    with pytest.raises(RuntimeError), locks.locked(folder):
        raise RuntimeError
    assert names(folder) == []


def test_a_live_process_keeps_its_lock_and_what_it_writes(folder, holder):
    before = names(folder)
    assert len(before) == 4
    locks.clean(folder.parent)
    assert names(folder) == before
    with locks.locked(folder) as mine:
        assert mine is None


def test_a_killed_process_holds_no_lock_any_more(folder, holder):
    holder.kill()
    holder.wait()
    assert not locks.is_held(folder)
    with locks.locked(folder) as mine:
        assert mine is not None


def test_what_a_killed_process_left_is_cleaned_and_nothing_else(folder, holder):
    folder.mkdir()
    checkpoint = folder.with_name("seed-0001.checkpoint.npz")
    checkpoint.write_text("somebody's")
    holder.kill()
    holder.wait()
    assert len(names(folder)) == 6
    locks.clean(folder.parent)
    assert names(folder) == ["seed-0000", "seed-0001.checkpoint.npz"]


def test_a_number_that_another_process_has_now_does_not_keep_a_lock(folder):
    with locks.locked(folder) as mine:
        content = json.loads(mine.read_text())
    content["started"] = "1"
    mine.write_text(json.dumps(content))
    assert not locks.is_held(folder)


@pytest.mark.parametrize("content", [json.dumps({"host": "elsewhere", "pid": 1, "started": "1"}), "", "[1]", '{"host'])
def test_a_lock_from_elsewhere_is_believed_for_an_hour_after_its_last_touch(folder, content):
    folder.parent.mkdir()
    lock = locks.lock_of(folder)
    lock.write_text(content)
    assert locks.is_held(folder)
    os.utime(lock, (time.time() - 3700,) * 2)
    assert not locks.is_held(folder)
    with locks.locked(folder) as mine:
        assert mine is not None
        assert json.loads(lock.read_text())["host"] == socket.gethostname()


def test_what_names_no_writer_is_left_for_an_hour(folder):
    folder.parent.mkdir()
    left = folder.with_name("seed-0000.ab12cd34.writing")
    left.mkdir()
    locks.clean(folder.parent)
    assert left.exists()
    os.utime(left, (time.time() - 3700,) * 2)
    locks.clean(folder.parent)
    assert not left.exists()


def test_no_two_names_to_write_under_are_the_same(folder):
    first, second = unfinished(folder), unfinished(folder)
    assert first != second
    assert re.fullmatch(rf"seed-0000\.{os.getpid()}-\w+\.writing", first.name)
