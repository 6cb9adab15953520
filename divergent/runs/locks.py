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
from typing import NamedTuple

from divergent.persistence.files import named_errors, parse_object, read_bytes, unfinished
from divergent.validation import LARGEST

SILENT_FOR = 3600.0  # seconds without a touch after which the lock of another machine counts as abandoned
GRACE = 10.0  # seconds until a damaged lock is abandoned: it may be half written; and by which clocks may differ
MOST_BYTES = 4096  # of a lock: a host name, a process number and a time
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
        with contextlib.suppress(ValueError):  # another process has taken it over, and may have removed it
            if _holder(lock) == _myself():
                lock.unlink(missing_ok=True)


def is_held(folder: Path) -> bool:
    """Whether a process is doing a run: the holder of its lock is alive, or may be.

    A lock is input like any other. One that names no process (empty, zero-filled, damaged, or a pipe in its place) is
    abandoned `GRACE` seconds after its last change. One from another machine is abandoned after `SILENT_FOR` seconds
    without a touch, or if its time is in the future.
    """
    return _is_live(lock_of(folder))


def clean(folder: Path) -> None:
    """Remove from a folder of records what dead processes left there: their locks, and what they were writing."""
    for path in folder.glob("seed-*.lock"):
        if not _is_live(path):
            with contextlib.suppress(OSError):  # another command cleans, too, or this one may not
                path.unlink()
    for path in folder.glob("seed-*.writing"):
        if _is_abandoned(path):
            with contextlib.suppress(OSError):
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def _taken(lock: Path) -> bool:
    lock.parent.mkdir(parents=True, exist_ok=True)
    while True:
        try:
            with named_errors(lock), open(lock, "x", encoding="utf-8") as file:
                try:
                    json.dump(_myself()._asdict(), file)
                    file.flush()
                    os.fsync(file.fileno())  # after a loss of power the file would exist without its content
                except BaseException:
                    lock.unlink()
                    raise
            return True
        except FileExistsError:
            if _is_live(lock):
                return False
            if lock.is_dir() and not lock.is_symlink():
                raise ValueError(f"{lock}: a lock must be a file, got a directory; remove it") from None
            # of several processes that find the same abandoned lock one moves it away, and the others look again
            aside = unfinished(lock)
            with contextlib.suppress(FileNotFoundError):
                lock.rename(aside)
            aside.unlink(missing_ok=True)


class _Holder(NamedTuple):
    """The process that a lock names."""

    host: str
    pid: int
    started: str


def _myself() -> _Holder:
    return _Holder(socket.gethostname(), os.getpid(), _started(os.getpid()) or "")


def _holder(lock: Path) -> _Holder:
    """Return the process that a lock names; a ValueError if there is no lock, or it is damaged."""
    content = parse_object(read_bytes(lock, MOST_BYTES).decode(), lock)
    host, pid, started = (content.get(name) for name in _Holder._fields)
    if not isinstance(host, str) or type(pid) is not int or not isinstance(started, str) or not 0 < pid <= LARGEST:
        raise ValueError(f"{lock}: damaged, it names no process")
    return _Holder(host, pid, started)


def _is_live(lock: Path) -> bool:
    try:
        holder = _holder(lock)
    except ValueError as error:
        is_unreadable = isinstance(error.__cause__, PermissionError)  # the lock of another user is no damaged one
        return not _is_silent(lock, SILENT_FOR if is_unreadable else GRACE)
    if os.name == "posix" and holder.host == socket.gethostname():
        return _started(holder.pid) == holder.started
    return not _is_silent(lock, SILENT_FOR)


def _is_abandoned(path: Path) -> bool:
    """Whether no process continues to write a file: its run is not held, and the process in its name is over."""
    if is_held(path.with_name(path.name.partition(".")[0])):
        return False
    writer = WRITER.search(path.name)
    return _started(int(writer["pid"])) is None if writer else _is_silent(path, SILENT_FOR)


def _is_silent(path: Path, seconds: float) -> bool:
    """Whether a file was not touched for so long, does not exist, or has a time in the future."""
    try:
        age = time.time() - path.lstat().st_mtime
    except FileNotFoundError:
        return True
    return not -GRACE < age < seconds


def _started(process: int) -> str | None:
    """When a process of this machine began, as far as the system tells; None if it is over."""
    if os.name != "posix":
        return ""  # asking there could end it
    if not 0 < process <= LARGEST:
        return None  # 0 and negative numbers are groups of processes
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
    except ProcessLookupError:
        return None
    except PermissionError:
        pass
    return ""
