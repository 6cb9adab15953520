"""Files: written whole or not at all, read as if damaged or hostile, every fault a ValueError that names the file."""

import hashlib
import io
import json
import os
import secrets
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

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


def read_bytes(path: str | os.PathLike) -> bytes:
    """The content of a regular file; a pipe or a device, which may never end, is refused."""
    path = Path(path)
    if path.exists() and not path.is_file():
        raise ValueError(f"{path}: cannot be read: not a regular file")
    try:
        return path.read_bytes()
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror}") from error


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


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it has its old or its new content, whatever happens meanwhile."""
    temporary = unfinished(path)
    try:
        with open(temporary, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


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
