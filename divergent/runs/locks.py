"""Who is doing a run: a lock file beside its record, and what those left behind who died over it."""

import contextlib
import json
import os
import re
import shutil
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from divergent.storage import unfinished

SILENT_FOR = 3600.0  # seconds: the holder on another machine is believed gone that has not touched its lock for so long
WRITER = re.compile(r"\.(?P<pid>\d+)(-\w+)?\.writing$")


def lock_of(folder: Path) -> Path:
    """The lock file of the run whose record is, or will be, in a folder."""
    return folder.with_name(folder.name + ".lock")


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[Path | None]:
    """Hold the lock of a run, to be touched while it is done; None if somebody else is at it.

    A lock saves work and guards nothing: should two ever do the same run they make the same record, and the one that
    comes second finds it there.
    """
    lock = lock_of(folder)
    if not _taken(lock):
        yield None
        return
    try:
        yield lock
    finally:
        if _holder(lock) == _myself():
            lock.unlink(missing_ok=True)


def is_held(folder: Path) -> bool:
    """Whether somebody is doing a run: the holder of its lock is alive, or may be."""
    return _is_live(lock_of(folder))


def clean(folder: Path) -> None:
    """Remove from a folder of records what dead processes left there: their locks, and what they were writing."""
    left = [path for path in folder.glob("seed-*.lock") if not _is_live(path)]
    left += [path for path in folder.glob("seed-*.writing") if _is_abandoned(path)]
    for path in left:
        with contextlib.suppress(OSError):  # another command cleans, too, or nobody may
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _taken(lock: Path) -> bool:
    lock.parent.mkdir(parents=True, exist_ok=True)
    while True:
        try:
            with open(lock, "x", encoding="utf-8") as file:
                try:
                    json.dump(_myself(), file)
                    file.flush()
                except BaseException:
                    lock.unlink()
                    raise
            return True
        except FileExistsError:
            if _is_live(lock):
                return False
            # of several who find the same stale lock one moves it away, and the others look again
            aside = unfinished(lock)
            with contextlib.suppress(FileNotFoundError):
                lock.rename(aside)
            aside.unlink(missing_ok=True)


def _myself() -> dict[str, Any]:
    return {"host": socket.gethostname(), "pid": os.getpid(), "started": _started(os.getpid())}


def _holder(lock: Path) -> dict[str, Any] | None:
    """Who holds a lock; None if nobody does, and nothing in particular if it is only just being written."""
    try:
        text = lock.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    try:
        content = json.loads(text)
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}


def _is_live(lock: Path) -> bool:
    holder = _holder(lock)
    if holder is None:
        return False
    if os.name == "posix" and holder.get("host") == socket.gethostname() and isinstance(holder.get("pid"), int):
        return _started(holder["pid"]) == holder.get("started")
    return not _is_silent(lock)


def _is_abandoned(path: Path) -> bool:
    """Whether nobody goes on writing something: nobody does the run, and the writer that the name tells is dead."""
    if is_held(path.with_name(path.name.partition(".")[0])):
        return False
    writer = WRITER.search(path.name)
    return _started(int(writer["pid"])) is None if writer else _is_silent(path)


def _is_silent(path: Path) -> bool:
    try:
        return time.time() - path.stat().st_mtime >= SILENT_FOR
    except FileNotFoundError:
        return True


def _started(process: int) -> str | None:
    """When a process of this machine began, as far as the system tells; None if it is over."""
    if os.name != "posix":
        return ""  # asking there could end it
    try:
        # after the name, which may hold anything, come the fields from the third on: the state, ..., the start
        state, *fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return None if state in "ZX" else fields[18]
    except ProcessLookupError:
        return None
    except OSError:
        pass  # no such process, or no such folder in this system
    try:
        os.kill(process, 0)  # only asks
    except (ProcessLookupError, OverflowError):
        return None
    except PermissionError:
        pass
    return ""
