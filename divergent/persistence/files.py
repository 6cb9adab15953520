"""Files: written whole or not at all, read as if damaged or hostile, every fault a ValueError that names the file."""

import contextlib
import hashlib
import io
import json
import math
import os
import secrets
import stat
import tokenize
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

NONBLOCKING = getattr(os, "O_NONBLOCK", 0)  # missing on Windows, which has no pipes among its files
HEADER = 1024  # bytes at most, of an array in an npz file; numpy writes 128
SEALED_ARRAYS = 16  # at most; the checkpoint of a run has seven
SEAL = 64  # characters of a digest
END_OF_ARCHIVE = b"PK\5\6"  # where a zip file says how many files it holds
# what a damaged archive makes numpy, zipfile and zlib raise
_OF_ARCHIVES = (
    ValueError, KeyError, TypeError, IndexError, AttributeError, SyntaxError, EOFError, OSError, OverflowError,
    RuntimeError, NotImplementedError, zipfile.BadZipFile, zlib.error, tokenize.TokenError,
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


def read_npz(path: str | os.PathLike, *, arrays: int, most: int) -> dict[str, np.ndarray]:
    """Read the arrays of an npz file by name, see `parse_npz`; nothing in it is executed."""
    return parse_npz(read_bytes(path), path, arrays=arrays, most=most)


def parse_npz(content: bytes, place: object, *, arrays: int, most: int) -> dict[str, np.ndarray]:
    """Return the arrays in the bytes of an npz file, `place` being its name in an error.

    A small file may decompress to any size, so its own account of its members is checked first.

    Parameters
    ----------
    content : bytes
        The npz file.
    place : object
        Its name in an error.
    arrays : int
        How many arrays it may have.
    most : int
        How many bytes all arrays together may have.

    Raises
    ------
    ValueError
        If there are more arrays or bytes, or the file is damaged.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            promised = content.rindex(END_OF_ARCHIVE) + 10
            if len(archive.infolist()) != int.from_bytes(content[promised : promised + 2], "little"):
                raise ValueError("it lacks some of its arrays")
            _check_sizes(archive, arrays, most)
            if wrong := archive.testzip():  # numpy does not read to the end, where a checksum is compared
                raise ValueError(f"{wrong} has another checksum")
            _check_headers(archive)
        with np.load(io.BytesIO(content), allow_pickle=False) as loaded:
            return {name: np.asarray(loaded[name]) for name in loaded.files}
    except _OF_ARCHIVES as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise ValueError(f"{place}: truncated or damaged, not an npz file: {reason:.200}") from error


def _check_sizes(archive: zipfile.ZipFile, arrays: int, most: int) -> None:
    members = archive.infolist()
    if len(members) > arrays:
        raise ValueError(f"it must have at most {arrays} arrays, got {len(members)}")
    # zipfile decompresses the other kinds in steps without a limit
    if odd := [member for member in members if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)]:
        raise ValueError(f"its arrays must be stored or deflated, got compression {odd[0].compress_type}")
    size, limit = sum(member.file_size for member in members), most + arrays * HEADER
    if size > limit:
        raise ValueError(f"its arrays must have at most {limit:,} bytes, got {size:,}")


def _check_headers(archive: zipfile.ZipFile) -> None:
    """Raise an error if an array is not as large as its header says: numpy allocates that much before it reads."""
    for member in archive.infolist():
        with archive.open(member) as file:
            if np.lib.format.read_magic(file) != (1, 0):
                raise ValueError(f"{member.filename} must have a header of version 1.0")
            shape, _, dtype = np.lib.format.read_array_header_1_0(file)
            if dtype.hasobject:
                raise ValueError(f"{member.filename} has pickled objects, which are not opened")
            size = file.tell() + math.prod(shape) * dtype.itemsize
        if size != member.file_size:
            raise ValueError(f"{member.filename} must have {size:,} bytes by its header, got {member.file_size:,}")


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
    """Read the arrays of an npz file that was sealed; any changed byte is an error.

    `write_sealed_npz` does not compress, so the arrays are never larger than the file.
    """
    content = read_bytes(path)
    if digest(content[:-SEAL]).encode() != content[-SEAL:]:
        raise ValueError(f"{path}: truncated or damaged, its content is not that of its digest")
    return parse_npz(content, path, arrays=SEALED_ARRAYS, most=len(content))
