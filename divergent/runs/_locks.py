"""Lock files of runs, and removal of temporary files of processes that have ended."""

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

from divergent.persistence._files import named_errors, parse_object, read_bytes, unfinished
from divergent.validation import LARGEST

SILENT_FOR = 3600.0  # seconds without an update after which a lock file from another machine counts as abandoned
# a damaged lock file counts as abandoned GRACE seconds after its last change
# clocks of different machines may differ by up to GRACE seconds
GRACE = 10.0
MOST_BYTES = 4096  # largest size of a lock file in bytes
WRITER = re.compile(r"\.(?P<pid>\d+)(-\w+)?\.writing$")


def lock_path(folder: Path) -> Path:
    """Return the path of the lock file of a run, which is next to the folder of the run's record."""
    return folder.with_name(folder.name + ".lock")


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[Path | None]:
    """Acquire the lock of a run and yield the path of the lock file; yield None if another process holds the lock.

    A lock avoids duplicate work and is not needed for correctness. Two processes that execute the same run produce the
    same record, and the second process reads the record of the first.
    """
    lock = lock_path(folder)
    if not _acquire(lock):
        yield None
        return
    try:
        yield lock
    finally:
        with contextlib.suppress(ValueError):  # another process may have taken over or removed the lock
            if _read_holder(lock) == _this_process():
                lock.unlink(missing_ok=True)


def is_held(folder: Path) -> bool:
    """Return whether a process may be executing a run: its lock file exists and is not abandoned.

    A damaged lock file counts as abandoned `GRACE` seconds after its last change. A lock file that comes from another
    machine or is unreadable counts as abandoned after `SILENT_FOR` seconds without an update. A lock file that is
    damaged, unreadable or from another machine also counts as abandoned if its modification time is in the future.
    """
    return _is_live(lock_path(folder))


def clean(folder: Path) -> None:
    """Remove abandoned lock files and temporary files from a folder of records."""
    for path in folder.glob("seed-*.lock"):
        if not _is_live(path):
            with contextlib.suppress(OSError):  # another process removed the file, or permission is missing
                path.unlink()
    for path in folder.glob("seed-*.writing"):
        if _is_abandoned(path):
            with contextlib.suppress(OSError):
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def _acquire(lock: Path) -> bool:
    """Create a lock file and return True, or return False if another process holds the lock."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    while True:
        try:
            with named_errors(lock), open(lock, "x", encoding="utf-8") as file:
                try:
                    json.dump(_this_process()._asdict(), file)
                    file.flush()
                    # flush to disk, because a power failure could otherwise leave an empty lock file
                    os.fsync(file.fileno())
                except BaseException:
                    lock.unlink()
                    raise
            return True
        except FileExistsError:
            if _is_live(lock):
                return False
            if lock.is_dir() and not lock.is_symlink():
                raise ValueError(f"{lock}: a lock must be a file, got a directory; remove the directory") from None
            # Only one of several processes succeeds in renaming an abandoned lock; the others try again.
            aside = unfinished(lock)
            with contextlib.suppress(FileNotFoundError):
                lock.rename(aside)
            aside.unlink(missing_ok=True)


class _Holder(NamedTuple):
    """The process that holds a lock."""

    host: str
    pid: int
    started: str


def _this_process() -> _Holder:
    """Return the host, process id and start time of this process, which its lock files contain."""
    return _Holder(socket.gethostname(), os.getpid(), _start_time(os.getpid()) or "")


def _read_holder(lock: Path) -> _Holder:
    """Return the process that holds a lock; raise a ValueError if the lock is missing or damaged."""
    content = parse_object(read_bytes(lock, MOST_BYTES).decode(), lock)
    host, pid, started = (content.get(name) for name in _Holder._fields)
    if not isinstance(host, str) or type(pid) is not int or not isinstance(started, str) or not 0 < pid <= LARGEST:
        raise ValueError(f"{lock}: a lock must contain host, pid and started, got a damaged file; remove the file")
    return _Holder(host, pid, started)


def _is_live(lock: Path) -> bool:
    """Return whether the process that holds a lock is running, or has updated the lock file recently."""
    try:
        holder = _read_holder(lock)
    except ValueError as error:
        # a lock file of another user may be unreadable although it is not damaged
        is_unreadable = isinstance(error.__cause__, PermissionError)
        return not _is_silent(lock, SILENT_FOR if is_unreadable else GRACE)
    if os.name == "posix" and holder.host == socket.gethostname():
        return _start_time(holder.pid) == holder.started
    return not _is_silent(lock, SILENT_FOR)


def _is_abandoned(path: Path) -> bool:
    """Return whether a temporary file is abandoned: the run's lock is free, and the writing process has ended."""
    if is_held(path.with_name(path.name.partition(".")[0])):
        return False
    writer = WRITER.search(path.name)
    return _start_time(int(writer["pid"])) is None if writer else _is_silent(path, SILENT_FOR)


def _is_silent(path: Path, seconds: float) -> bool:
    """Return whether a file is missing, was not updated for `seconds`, or has a modification time in the future."""
    try:
        age = time.time() - path.lstat().st_mtime
    except FileNotFoundError:
        return True
    return not -GRACE < age < seconds


def _start_time(process: int) -> str | None:
    """Return the start time of a process on this machine ("" if unknown), or None if the process has ended."""
    if os.name != "posix":
        return ""  # on Windows, os.kill would end the process
    if not 0 < process <= LARGEST:
        return None  # 0 and negative process ids denote process groups
    try:
        # In /proc/PID/stat, fields are counted after the last parenthesis, because the program name may contain spaces.
        state, *fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return None if state in "ZX" else fields[18]
    except ProcessLookupError:
        return None
    except OSError:
        pass  # the process does not exist, or the system has no /proc
    try:
        os.kill(process, 0)  # signal 0 only checks whether the process exists
    except ProcessLookupError:
        return None
    except PermissionError:
        pass
    return ""
