"""Files: written whole or not at all, read as if damaged or hostile, every fault a ValueError that names the file."""

import contextlib
import hashlib
import io
import json
import os
import secrets
import stat
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

NONBLOCKING = getattr(os, "O_NONBLOCK", 0)  # missing on Windows, which has no pipes among its files
SEAL = 64  # characters of a digest
END_OF_ARCHIVE = b"PK\5\6"  # where a zip file says how many files it holds
# what a damaged archive makes numpy, zipfile and zlib raise
_OF_ARCHIVES = (
    ValueError, KeyError, TypeError, IndexError, AttributeError, SyntaxError, EOFError, OSError, OverflowError,
    RuntimeError, NotImplementedError, MemoryError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip


def digest(content: bytes) -> str:
    """The sha256 of some bytes, as 64 characters."""
    return hashlib.sha256(content).hexdigest()


def read_bytes(path: str | os.PathLike, most: int | None = None) -> bytes:
    """Return the content of a regular file of at most `most` bytes; a pipe or device, which may never end, is rejected.

    Raises
    ------
    ValueError
        If the file cannot be read, is no regular file or is too large. The cause of an unreadable file is its OSError.
    """
    try:
        # without O_NONBLOCK, opening a pipe waits for its writer
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | NONBLOCKING)) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise ValueError(f"{path}: cannot be read: not a regular file")
            if most is not None and status.st_size > most:
                raise ValueError(f"{path}: must be at most {most:,} bytes, got {status.st_size:,}")
            return file.read()
    except OSError as error:
        reason = "not a regular file" if isinstance(error, IsADirectoryError) else error.strerror
        raise ValueError(f"{path}: cannot be read: {reason}") from error


def read_text(path: str | os.PathLike) -> str:
    """The content of a text file in UTF-8."""
    try:
        return read_bytes(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: damaged, not text at byte {error.start}") from error


def parse_object(text: str, place: object) -> dict[str, Any]:
    """A JSON object from its text; `place` is how a refusal calls it, for example by file and line.

    Examples
    --------
    >>> parse_object('{"seconds": 1.5}', "machine.json")
    {'seconds': 1.5}
    >>> parse_object("[1]", "machine.json")
    Traceback (most recent call last):
    ...
    ValueError: machine.json: it is a JSON object, got [1]
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else "not JSON"
        raise ValueError(f"{place}: truncated or damaged, {reason}") from None
    if not isinstance(value, dict):
        raise ValueError(f"{place}: it is a JSON object, got {text[:40]}")
    return value


def read_object(path: str | os.PathLike) -> dict[str, Any]:
    """The JSON object in a file."""
    return parse_object(read_text(path), path)


def read_npz(path: str | os.PathLike) -> dict[str, np.ndarray]:
    """The arrays of an npz file by name; nothing in it is executed."""
    return parse_npz(read_bytes(path), path)


def parse_npz(content: bytes, place: object) -> dict[str, np.ndarray]:
    """The arrays in the bytes of an npz file, `place` being how a refusal calls it."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            promised = content.rindex(END_OF_ARCHIVE) + 10
            if len(archive.infolist()) != int.from_bytes(content[promised : promised + 2], "little"):
                raise ValueError("it lacks some of its arrays")
            if wrong := archive.testzip():  # numpy does not read to the end, where a checksum is compared
                raise ValueError(f"{wrong} has another checksum")
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            return {name: np.asarray(arrays[name]) for name in arrays.files}
    except _OF_ARCHIVES as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise ValueError(f"{place}: truncated or damaged, not an npz file: {reason:.200}") from error


def unfinished(path: Path) -> Path:
    """A name beside a file or folder to write it under: no other writer has it, and it tells the process."""
    return path.with_name(f"{path.name}.{os.getpid()}-{secrets.token_hex(4)}.writing")


@contextlib.contextmanager
def named_errors(path: str | os.PathLike) -> Iterator[None]:
    """Let an OSError name the file that was to be written: those of a full disk or a failed fsync name none."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it has its old or its new content, whatever happens meanwhile.

    Raises
    ------
    OSError
        If it cannot be written, with the name of the file.
    """
    temporary = unfinished(path)
    try:
        with named_errors(path):
            with open(temporary, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def write_sealed_npz(path: Path, **arrays: np.ndarray) -> None:
    """Write arrays as an npz file that is sealed, in place of the one before; its folder is made if need be."""
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)  # type: ignore[arg-type]  # which takes any names but its own
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, seal(buffer.getvalue()))


def seal(content: bytes) -> bytes:
    """The bytes of a zip or npz file with their digest at its end, as the comment that such a file may have."""
    body = content[:-2] + SEAL.to_bytes(2, "little")
    return body + digest(body).encode()


def read_sealed_npz(path: str | os.PathLike) -> dict[str, np.ndarray]:
    """The arrays of an npz file that was sealed, refused unless every byte is as it was."""
    content = read_bytes(path)
    if digest(content[:-SEAL]).encode() != content[-SEAL:]:
        raise ValueError(f"{path}: truncated or damaged, its content is not that of its digest")
    return parse_npz(content, path)
