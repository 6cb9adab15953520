"""Compressed arrays for a page, with a table of their types and lengths."""

import gzip
from typing import Any

import numpy as np

LARGEST = np.iinfo(np.uint16).max  # code of a missing measurement
LARGEST_SHOWN = 1e30  # largest absolute value on a page, well within the range of single precision
NAMES = {
    "int8": "Int8Array",
    "uint8": "Uint8Array",
    "uint16": "Uint16Array",
    "int32": "Int32Array",
    "float32": "Float32Array",
}


class Bundle:
    """Named arrays of a page.

    Examples
    --------
    >>> bundle = Bundle()
    >>> bundle.add("sizes", np.array([3, 4]), np.uint8)
    >>> bundle.add_measured("x", np.array([0.0, 5.0, np.nan, 10.0]))
    >>> bundle.table
    {'sizes': {'type': 'Uint8Array', 'length': 2}, 'x': {'type': 'Uint16Array', 'length': 4, 'low': 0.0, 'high': 10.0}}
    """

    def __init__(self) -> None:
        self.table: dict[str, dict[str, Any]] = {}
        self._parts: list[bytes] = []

    def add(self, name: str, values: Any, kind: type) -> None:
        """Add integers, or numbers for which single precision suffices."""
        array = np.ascontiguousarray(values).ravel()
        self._put(name, array.astype(kind))

    def add_measured(self, name: str, values: np.ndarray, low: float | None = None, high: float | None = None) -> None:
        """Add measurements, rounded to 65,535 steps between the lowest and the highest; nan stays nan.

        Finite numbers are clipped to the range from -1e30 to 1e30.
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
        """Return all arrays, each aligned to 4 bytes, compressed with gzip at a level from 1, fast, to 9, small."""
        return compress(b"".join(self._parts), level)

    def _put(self, name: str, array: np.ndarray) -> None:
        little = array.astype(array.dtype.newbyteorder("<")).tobytes()
        self._parts.append(little + bytes(-len(little) % 4))
        self.table[name] = {"type": NAMES[array.dtype.name], "length": len(array)}


def compress(content: bytes, level: int = 9) -> bytes:
    """Compress arrays for a page; equal arrays have equal bytes."""
    return gzip.compress(content, compresslevel=level, mtime=0)
