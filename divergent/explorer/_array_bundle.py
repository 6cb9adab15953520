"""Compress arrays for an HTML page, with a table of the types and lengths of the arrays."""

import gzip
from typing import Any

import numpy as np

LARGEST = np.iinfo(np.uint16).max  # the largest 16-bit integer encodes a missing measurement
LARGEST_SHOWN = 1e30  # largest absolute value in page data, because single-precision numbers overflow above 3.4e38
NAMES = {
    "int8": "Int8Array",
    "uint8": "Uint8Array",
    "uint16": "Uint16Array",
    "int32": "Int32Array",
    "float32": "Float32Array",
}


class Bundle:
    """Named arrays that an HTML page contains in compressed form.

    Examples
    --------
    Measurements are stored as 16-bit integers, together with their lowest and highest value:

    >>> bundle = Bundle()
    >>> bundle.add("sizes", np.array([3, 4]), np.uint8)
    >>> bundle.add_measured("x", np.array([0.0, 5.0, np.nan, 10.0]))
    >>> bundle.table["sizes"]["type"], bundle.table["x"]["type"]
    ('Uint8Array', 'Uint16Array')
    >>> bundle.table["x"]["low"], bundle.table["x"]["high"]
    (0.0, 10.0)
    """

    def __init__(self) -> None:
        self.table: dict[str, dict[str, Any]] = {}
        self._parts: list[bytes] = []

    def add(self, name: str, values: Any, kind: type) -> None:
        """Add an array, converted to an integer type or to single precision."""
        array = np.ascontiguousarray(values).ravel()
        self._put(name, array.astype(kind))

    def add_measured(self, name: str, values: np.ndarray, low: float | None = None, high: float | None = None) -> None:
        """Add measurements, rounded to 65,535 equally spaced levels from `low` to `high`.

        If `low` or `high` is None, the lowest or highest measurement is used. Finite measurements are clipped to the
        range from -1e30 to 1e30. NaN and infinite values are stored as missing.
        """
        values = np.asarray(values, dtype=float).ravel()
        values = np.where(np.isfinite(values), values.clip(-LARGEST_SHOWN, LARGEST_SHOWN), np.nan)
        finite = values[np.isfinite(values)]
        low = float(finite.min() if len(finite) else 0.0) if low is None else low
        high = float(finite.max() if len(finite) else 1.0) if high is None else high
        span = high - low if high > low else 1.0
        steps = np.rint((values - low) / span * (LARGEST - 1))
        known = np.isfinite(steps)
        self._put(name, np.where(known, np.where(known, steps, 0).clip(0, LARGEST - 1), LARGEST).astype(np.uint16))
        self.table[name] |= {"low": low, "high": low + span}

    def content(self, level: int = 9) -> bytes:
        """Return all arrays, aligned to 4 bytes and compressed with gzip at level 1 (fastest) to 9 (smallest)."""
        return compress(b"".join(self._parts), level)

    def _put(self, name: str, array: np.ndarray) -> None:
        little = array.astype(array.dtype.newbyteorder("<")).tobytes()
        self._parts.append(little + bytes(-len(little) % 4))
        self.table[name] = {"type": NAMES[array.dtype.name], "length": len(array)}


def compress(content: bytes, level: int = 9) -> bytes:
    """Compress the bytes of arrays with gzip; equal arrays give equal bytes."""
    return gzip.compress(content, compresslevel=level, mtime=0)
