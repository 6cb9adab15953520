"""Atomic writes of files, and reads that treat content as possibly damaged or malicious.

Invalid files raise a ValueError that names the file.
"""

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

NONBLOCKING = getattr(os, "O_NONBLOCK", 0)  # Windows has neither O_NONBLOCK nor pipes in the file system
HEADER = 1024  # maximum size of an array header in an npz file, in bytes; NumPy writes 128 bytes
SEALED_ARRAYS = 16  # largest number of arrays in an npz file with a digest; the checkpoint of a run has seven
SEAL = 64  # length of a SHA-256 digest in hexadecimal characters
END_OF_ARCHIVE = b"PK\5\6"  # signature of the end record of a zip file, which contains the number of files
# errors that NumPy, zipfile and zlib raise for damaged npz files
_ARCHIVE_ERRORS = (
    ValueError, KeyError, TypeError, IndexError, AttributeError, SyntaxError, EOFError, OSError, OverflowError,
    RuntimeError, NotImplementedError, zipfile.BadZipFile, zlib.error, tokenize.TokenError,
)  # fmt: skip


def digest(content: bytes) -> str:
    """Return the SHA-256 digest of the content as 64 hexadecimal characters."""
    return hashlib.sha256(content).hexdigest()


def read_bytes(path: str | os.PathLike, most: int | None = None) -> bytes:
    """Return the content of a regular file of at most `most` bytes; pipes and devices raise an error.

    Raises
    ------
    ValueError
        If the file cannot be read, is not a regular file or is too large. If the file is unreadable, the OSError is
        attached as the cause.
    """
    try:
        # without O_NONBLOCK, opening a pipe would wait for its writer
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | NONBLOCKING)) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise ValueError(f"{path}: cannot be read: not a regular file")
            if most is not None and status.st_size > most:
                raise ValueError(f"{path}: the file size must be at most {most:,} bytes, got {status.st_size:,}")
            return file.read()
    except OSError as error:
        reason = "not a regular file" if isinstance(error, IsADirectoryError) else error.strerror
        raise ValueError(f"{path}: cannot be read: {reason}") from error


def read_text(path: str | os.PathLike) -> str:
    """Return the content of a UTF-8 text file."""
    try:
        return read_bytes(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path}: damaged, must be UTF-8 text, got an invalid byte at position {error.start}"
        ) from error


def parse_object(text: str, place: object) -> dict[str, Any]:
    """Parse the text of a JSON object; error messages begin with `place`, such as a file name and line.

    Examples
    --------
    The text of a JSON object becomes a dictionary:

    >>> parse_object('{"seconds": 1.5}', "machine.json")
    {'seconds': 1.5}

    The text of a JSON array raises an error:

    >>> parse_object("[1]", "machine.json")
    Traceback (most recent call last):
    ...
    ValueError: machine.json: must be a JSON object, got [1]
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else "not JSON"
        raise ValueError(f"{place}: truncated or damaged, {reason}; the text must be a JSON object") from None
    if not isinstance(value, dict):
        raise ValueError(f"{place}: must be a JSON object, got {text[:40]}")
    return value


def read_object(path: str | os.PathLike) -> dict[str, Any]:
    """Read a JSON object from a file."""
    return parse_object(read_text(path), path)


def read_npz(path: str | os.PathLike, *, arrays: int, most: int) -> dict[str, np.ndarray]:
    """Read the arrays of an npz file by name, see `parse_npz`; reading executes no code."""
    return parse_npz(read_bytes(path), path, arrays=arrays, most=most)


def parse_npz(content: bytes, place: object, *, arrays: int, most: int) -> dict[str, np.ndarray]:
    """Parse the arrays of an npz file.

    A small file may decompress to any size, so the sizes in the directory of the zip file are checked first.

    Parameters
    ----------
    content : bytes
        Content of the npz file.
    place : object
        Name of the file in error messages.
    arrays : int
        Largest valid number of arrays.
    most : int
        Largest valid total size of all arrays, in bytes.

    Returns
    -------
    dict of str to ndarray
        The arrays by name.

    Raises
    ------
    ValueError
        If the file has more than `arrays` arrays or `most` bytes, or is damaged.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            count = content.rindex(END_OF_ARCHIVE) + 10  # position where the zip file stores its number of files
            if len(archive.infolist()) != int.from_bytes(content[count : count + 2], "little"):
                raise ValueError("arrays are missing")
            _check_sizes(archive, arrays, most)
            # NumPy does not read to the end of a zip entry, where zipfile compares the checksum
            if damaged := archive.testzip():
                raise ValueError(f"the content of array {damaged} must match its checksum, got another checksum")
            _check_headers(archive)
        with np.load(io.BytesIO(content), allow_pickle=False) as loaded:
            return {name: np.asarray(loaded[name]) for name in loaded.files}
    except _ARCHIVE_ERRORS as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise ValueError(f"{place}: truncated or damaged, not an npz file: {reason:.200}") from error


def _check_sizes(archive: zipfile.ZipFile, arrays: int, most: int) -> None:
    """Raise an error if an npz file has too many arrays or bytes, or an unsupported compression."""
    members = archive.infolist()
    if len(members) > arrays:
        raise ValueError(f"the number of arrays in the file must be at most {arrays}, got {len(members)}")
    # zipfile decompresses formats such as bzip2 and LZMA without a size limit
    for member in members:
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError(f"arrays must be uncompressed or deflated, got compression type {member.compress_type}")
    size, limit = sum(member.file_size for member in members), most + arrays * HEADER
    if size > limit:
        raise ValueError(f"the total size of the arrays must be at most {limit:,} bytes, got {size:,}")


def _check_headers(archive: zipfile.ZipFile) -> None:
    """Raise an error unless the size in each array's header is correct; NumPy allocates this size before reading."""
    for member in archive.infolist():
        with archive.open(member) as file:
            if np.lib.format.read_magic(file) != (1, 0):
                raise ValueError(f"array {member.filename} must have an npy header of version 1.0")
            shape, _, dtype = np.lib.format.read_array_header_1_0(file)
            if dtype.hasobject:
                raise ValueError(f"array {member.filename} must contain numbers, got pickled objects")
            size = file.tell() + math.prod(shape) * dtype.itemsize
        if size != member.file_size:
            raise ValueError(
                f"the size of array {member.filename} must be as its header specifies, {size:,} bytes, "
                f"got {member.file_size:,} bytes"
            )


def unfinished(path: Path) -> Path:
    """Return a unique temporary path next to a file or folder; its name contains the process id of the writer."""
    return path.with_name(f"{path.name}.{os.getpid()}-{secrets.token_hex(4)}.writing")


@contextlib.contextmanager
def named_errors(path: str | os.PathLike) -> Iterator[None]:
    """Add the file name to an OSError, since errors caused by a full disk or a failed fsync lack the name."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error


def write_whole(path: Path, content: bytes) -> None:
    """Write a file atomically: at any time the file has either its old or its new content.

    Devices and pipes, such as /dev/stdout, are written to and never replaced.

    Raises
    ------
    OSError
        If the file cannot be written; the error contains the file name.
    """
    if path.exists() and not path.is_file():
        with named_errors(path):
            path.write_bytes(content)
        return
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


def npz(**arrays: Any) -> bytes:
    """Return the content of a compressed npz file with the arrays; equal arrays give equal bytes."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


def write_sealed_npz(path: Path, **arrays: np.ndarray) -> None:
    """Write arrays atomically to an npz file with a digest; create the folder of the file if it is missing."""
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)  # type: ignore[arg-type]  # `savez` accepts any names except its own parameters
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, seal(buffer.getvalue()))


def seal(content: bytes) -> bytes:
    """Append the digest of a zip or npz file as the comment of the zip archive."""
    body = content[:-2] + SEAL.to_bytes(2, "little")
    return body + digest(body).encode()


def read_sealed_npz(path: str | os.PathLike) -> dict[str, np.ndarray]:
    """Read the arrays of an npz file with a digest; raise an error if the content does not match the digest.

    `write_sealed_npz` does not compress, so the arrays are never larger than the file.
    """
    content = read_bytes(path)
    if digest(content[:-SEAL]).encode() != content[-SEAL:]:
        raise ValueError(f"{path}: truncated or damaged, its content does not match its digest")
    return parse_npz(content, path, arrays=SEALED_ARRAYS, most=len(content))
