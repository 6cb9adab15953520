"""Conversion of values with arrays, tuples, sets and NumPy numbers to JSON-serialisable data and back."""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from divergent._behaviours import object_array
from divergent.validation import brief

# keys of JSON objects that encode types without a JSON equivalent, such as tuples and sets
MARKS = ARRAY, PACKED, TUPLE, SET, FROZENSET, OBJECTS, OTHER, DICTIONARY = (
    {"array", "shape", "dtype"},
    {"packed", "shape", "dtype"},
    *({mark} for mark in ("__tuple__", "__set__", "__frozenset__", "__objects__", "__other__", "__dictionary__")),
)
PLAIN_TYPES = (bool, int, float, str)
PYTHON_SCALARS = (np.float64, np.int64, np.bool_)  # NumPy scalars that are equivalent to Python's numbers


class ArrayPool:
    """Pool of arrays for an npz file: arrays of equal dtype are concatenated, and JSON data contains their positions.

    Parameters
    ----------
    arrays : Mapping of str to ndarray, default={}
        Saved arrays by name, as returned by `ArrayPool.arrays`.

    Examples
    --------
    Convert a dictionary with an array to JSON-serialisable data and back:

    >>> pool = ArrayPool()
    >>> data = to_jsonable({"a": np.arange(3.0)}, pool=pool)
    >>> data, list(pool.arrays())
    ({'a': {'packed': 0, 'shape': [3], 'dtype': '<f8'}}, ['numbers_f8'])

    >>> from_jsonable(data, pool=ArrayPool(pool.arrays()))
    {'a': array([0., 1., 2.])}
    """

    def __init__(self, arrays: Mapping[str, np.ndarray] | None = None) -> None:
        self._arrays = dict(arrays or {})
        self._added: dict[str, list[np.ndarray]] = {}
        self._sizes: dict[str, int] = {}

    def add(self, array: np.ndarray) -> dict[str, Any]:
        """Add an array to the pool and return its position, shape and dtype."""
        name = f"numbers_{array.dtype.str[1:]}"
        start = self._sizes.get(name, 0)
        self._sizes[name] = start + array.size
        self._added.setdefault(name, []).append(array.ravel())
        return {"packed": start, "shape": list(array.shape), "dtype": array.dtype.str}

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the concatenated arrays of the pool by name, one array for each dtype."""
        return {name: np.concatenate(parts) for name, parts in self._added.items()}

    def get(self, data: Mapping[str, Any]) -> np.ndarray:
        """Return a copy of the array whose position, shape and dtype `add` returned."""
        kind, start, shape = _number_type(data["dtype"]), data["packed"], data["shape"]
        pool = self._arrays[f"numbers_{kind.str[1:]}"]
        size = math.prod(shape)
        if type(start) is not int or not 0 <= start <= start + size <= len(pool) or pool.dtype != kind:
            raise ValueError(
                f"packed (index of the first number), shape and dtype must describe a range of the {len(pool)} saved "
                f"{pool.dtype} numbers in the file, got {brief(data)}"
            )
        return pool[start : start + size].reshape(shape).copy()[()]


def to_jsonable(value: Any, other: Callable[[Any], Any] | None = None, pool: ArrayPool | None = None) -> Any:
    """Convert a value to data that JSON represents exactly.

    Parameters
    ----------
    value : object
        Value to convert. Valid types are None, booleans, numbers, strings, tuples, lists, sets, dictionaries with
        string keys, arrays of numbers, and one-dimensional arrays of such values. Objects with the methods `state` and
        `restore` are represented by their state.
    other : callable or None, default=None
        Function that converts objects of other types. If None, such objects raise an error.
    pool : ArrayPool or None, default=None
        Collection of arrays for an npz file, to which the arrays in `value` are added. None converts arrays to lists.

    Returns
    -------
    object
        JSON-serialisable data.

    Raises
    ------
    TypeError
        If a value cannot be represented.

    Examples
    --------
    A tuple becomes a dictionary with the key ``__tuple__``, which `from_jsonable` converts back:

    >>> to_jsonable({"a": (1, 2.5)})
    {'a': {'__tuple__': [1, 2.5]}}

    >>> from_jsonable(to_jsonable({"a": (1, 2.5)}))
    {'a': (1, 2.5)}
    """
    return _Encoder(other, pool).encode(value)


def from_jsonable(value: Any, other: Callable[[Any], Any] | None = None, pool: ArrayPool | None = None) -> Any:
    """Convert the data that `to_jsonable` returned back to the original value.

    Parameters
    ----------
    value : object
        Data that `to_jsonable` returned.
    other : callable or None, default=None
        Inverse of the function that was passed to `to_jsonable` as `other`.
    pool : ArrayPool or None, default=None
        Pool that contains the arrays, if `to_jsonable` was called with a pool.

    Returns
    -------
    object
        The value.

    Raises
    ------
    ValueError
        If the dtype of an array is not numeric.
    """
    return _Decoder(other, pool).decode(value)


class _Encoder:
    """Encoder that converts values to JSON-serialisable data according to their type."""

    def __init__(self, other: Callable[[Any], Any] | None, pool: ArrayPool | None):
        self._other, self._pool = other, pool
        self._by_type: dict[type, Callable[[Any], Any]] = {
            list: self._items,
            tuple: lambda value: {"__tuple__": self._items(value)},
            # the elements are sorted, because the order of a set differs between processes
            set: lambda value: {"__set__": sorted(self._items(value), key=repr)},
            frozenset: lambda value: {"__frozenset__": sorted(self._items(value), key=repr)},
            dict: self._dictionary,
        }

    def encode(self, value: Any) -> Any:
        """Return a value as JSON-serialisable data."""
        kind = type(value)
        if value is None or kind in PLAIN_TYPES:
            return value
        if kind in PYTHON_SCALARS:
            return value.item()
        if kind in self._by_type:
            return self._by_type[kind](value)
        if kind is np.ndarray and value.dtype == object and value.ndim == 1:
            return {"__objects__": self._items(value)}
        if (kind is np.ndarray or isinstance(value, np.generic)) and _holds_numbers(value.dtype):
            return self._numbers(value)
        if hasattr(value, "state") and hasattr(value, "restore"):
            return self.encode(value.state())
        if self._other is not None:
            return {"__other__": self._other(value)}
        raise TypeError(
            "values must be None, numbers, strings, lists, tuples, sets, dictionaries or arrays of numbers, "
            f"got {brief(value)}"
        )

    def _items(self, values: Iterable[Any]) -> list[Any]:
        return [self.encode(value) for value in values]

    def _dictionary(self, value: dict[Any, Any]) -> dict[str, Any]:
        if not all(type(key) is str for key in value):
            raise TypeError(f"keys of dictionaries must be strings, got {brief(value)}")
        encoded = {key: self.encode(item) for key, item in value.items()}
        return {"__dictionary__": encoded} if encoded.keys() in MARKS else encoded

    def _numbers(self, value: Any) -> dict[str, Any]:
        if self._pool is not None and type(value) is np.ndarray and value.dtype.isnative:
            return self._pool.add(value)
        return {"array": value.ravel().tolist(), "shape": list(value.shape), "dtype": value.dtype.str}


class _Decoder:
    """Decoder that converts the data that `_Encoder` returned back to values."""

    def __init__(self, other: Callable[[Any], Any] | None, pool: ArrayPool | None):
        self._by_mark: list[tuple[set[str], Callable[[dict[str, Any]], Any]]] = [
            (ARRAY, _decode_array),
            (TUPLE, lambda data: tuple(self._items(data["__tuple__"]))),
            (SET, lambda data: set(self._items(data["__set__"]))),
            (FROZENSET, lambda data: frozenset(self._items(data["__frozenset__"]))),
            (OBJECTS, lambda data: object_array(self._items(data["__objects__"]))),
            (DICTIONARY, lambda data: self._dictionary(data["__dictionary__"])),
        ]
        if pool is not None:
            self._by_mark.append((PACKED, pool.get))
        if other is not None:
            self._by_mark.append((OTHER, lambda data: other(data["__other__"])))

    def decode(self, data: Any) -> Any:
        """Return the value that JSON-serialisable data represents."""
        if isinstance(data, list):
            return self._items(data)
        if not isinstance(data, dict):
            return data
        keys = data.keys()
        for mark, convert in self._by_mark:
            if keys == mark:
                return convert(data)
        return self._dictionary(data)

    def _items(self, data: Iterable[Any]) -> list[Any]:
        return [self.decode(item) for item in data]

    def _dictionary(self, data: Mapping[str, Any]) -> dict[str, Any]:
        return {key: self.decode(item) for key, item in data.items()}


def _decode_array(data: Mapping[str, Any]) -> np.ndarray:
    return np.array(data["array"], dtype=_number_type(data["dtype"])).reshape(data["shape"])[()]


def _holds_numbers(kind: np.dtype) -> bool:
    """Return whether an array of this type contains numbers that JSON represents exactly."""
    return kind.kind in "biuf" and kind.itemsize < 9


def _number_type(name: Any) -> np.dtype:
    """Return the dtype with this name; raise an error unless it is numeric, since object dtypes could execute code."""
    kind = np.dtype(name)
    if kind.kind not in "biuf":
        raise ValueError(f"dtype of an array must be numeric, got {brief(name)}")
    return kind
