"""JSON-serialisable data from values that contain arrays, tuples, sets and NumPy numbers, and back."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from divergent.validation import brief

# the keys of dictionaries that represent other types; the last represents a dictionary with such keys
MARKS = ARRAY, PACKED, TUPLE, SET, FROZENSET, OBJECTS, OTHER, DICTIONARY = (
    {"array", "shape", "dtype"},
    {"packed", "shape", "dtype"},
    *({mark} for mark in ("__tuple__", "__set__", "__frozenset__", "__objects__", "__other__", "__dictionary__")),
)
PYTHON_SCALARS = (np.float64, np.int64, np.bool_)  # NumPy scalars that compute like Python's numbers


class ArrayPool:
    """Arrays of numbers next to JSON data: one array for each type of numbers, which npz files store compactly.

    Parameters
    ----------
    arrays : Mapping of str to ndarray, default={}
        The arrays of a pool, as `arrays` returned them.

    Examples
    --------
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
        """Copy an array to the pool and return the data that represents it."""
        name = f"numbers_{array.dtype.str[1:]}"
        start = self._sizes.get(name, 0)
        self._sizes[name] = start + array.size
        self._added.setdefault(name, []).append(array.ravel())
        return {"packed": start, "shape": list(array.shape), "dtype": array.dtype.str}

    def arrays(self) -> dict[str, np.ndarray]:
        """Return one array for each type of numbers, by name."""
        return {name: np.concatenate(parts) for name, parts in self._added.items()}

    def get(self, data: Mapping[str, Any]) -> np.ndarray:
        """Return a copy of the array that the data of `add` represents."""
        kind, start, shape = _number_type(data["dtype"]), data["packed"], data["shape"]
        pool = self._arrays[f"numbers_{kind.str[1:]}"]
        size = math.prod(shape)
        if type(start) is not int or not 0 <= start <= start + size <= len(pool) or pool.dtype != kind:
            raise ValueError(f"an array must be within {len(pool)} numbers of type {pool.dtype}, got {brief(data)}")
        return pool[start : start + size].reshape(shape).copy()[()]


def to_jsonable(value: Any, other: Callable[[Any], Any] | None = None, pool: ArrayPool | None = None) -> Any:
    """Convert a value to data that JSON represents exactly.

    Parameters
    ----------
    value : object
        None, truth values, numbers, strings, tuples, lists, sets, dictionaries with string keys, arrays of numbers,
        one-dimensional arrays of such values, and objects with `state` and `restore`, which are represented by their
        state.
    other : callable or None, default=None
        Converts objects of other types. Such objects raise an error if None.
    pool : ArrayPool or None, default=None
        Receives the numbers of arrays. None writes them as lists.

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
    >>> to_jsonable({"a": (1, 2.5)})
    {'a': {'__tuple__': [1, 2.5]}}
    >>> from_jsonable(to_jsonable({"a": (1, 2.5)}))
    {'a': (1, 2.5)}
    """
    kind = type(value)
    if value is None or kind in (bool, int, float, str):
        return value
    if kind in PYTHON_SCALARS:
        return value.item()
    if kind is list:
        return [to_jsonable(item, other, pool) for item in value]
    if kind is tuple:
        return {"__tuple__": [to_jsonable(item, other, pool) for item in value]}
    if kind in (set, frozenset):
        items = [to_jsonable(item, other, pool) for item in value]
        return {f"__{kind.__name__}__": sorted(items, key=repr)}  # the order of a set differs between processes
    if kind is np.ndarray and value.dtype == object and value.ndim == 1:
        return {"__objects__": [to_jsonable(item, other, pool) for item in value]}
    if kind is dict:
        if not all(type(key) is str for key in value):
            raise TypeError(f"keys of dictionaries must be strings, got {brief(value)}")
        converted = {key: to_jsonable(item, other, pool) for key, item in value.items()}
        return {"__dictionary__": converted} if converted.keys() in MARKS else converted
    if (
        (kind is np.ndarray or isinstance(value, np.generic))
        and value.dtype.kind in "biuf"
        and value.dtype.itemsize < 9
    ):
        if pool is not None and kind is np.ndarray and value.dtype.isnative:
            return pool.add(value)
        return {"array": value.ravel().tolist(), "shape": list(value.shape), "dtype": value.dtype.str}
    if hasattr(value, "state") and hasattr(value, "restore"):
        return to_jsonable(value.state(), other, pool)
    if other is not None:
        return {"__other__": other(value)}
    raise TypeError(
        "values must be None, numbers, strings, lists, tuples, sets, dictionaries or arrays of numbers, "
        f"got {brief(value)}"
    )


def from_jsonable(value: Any, other: Callable[[Any], Any] | None = None, pool: ArrayPool | None = None) -> Any:
    """Convert the data of `to_jsonable` back to the value.

    Parameters
    ----------
    value : object
        Data of `to_jsonable`.
    other : callable or None, default=None
        Inverse of the `other` of `to_jsonable`.
    pool : ArrayPool or None, default=None
        The numbers of arrays, if `to_jsonable` had a pool.

    Returns
    -------
    object
        The value.

    Raises
    ------
    ValueError
        If an array has a type that is not a number.
    """
    if isinstance(value, list):
        return [from_jsonable(item, other, pool) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == ARRAY:
        return np.array(value["array"], dtype=_number_type(value["dtype"])).reshape(value["shape"])[()]
    if value.keys() == PACKED and pool is not None:
        return pool.get(value)
    if value.keys() == TUPLE:
        return tuple(from_jsonable(item, other, pool) for item in value["__tuple__"])
    if value.keys() in (SET, FROZENSET):
        ((mark, items),) = value.items()
        return (set if mark == "__set__" else frozenset)(from_jsonable(item, other, pool) for item in items)
    if value.keys() == OBJECTS:
        objects = np.empty(len(value["__objects__"]), dtype=object)
        for position, item in enumerate(value["__objects__"]):  # assigning all at once would unpack sequences
            objects[position] = from_jsonable(item, other, pool)
        return objects
    if value.keys() == OTHER and other is not None:
        return other(value["__other__"])
    if value.keys() == DICTIONARY:
        value = value["__dictionary__"]
    return {key: from_jsonable(item, other, pool) for key, item in value.items()}


def _number_type(name: Any) -> np.dtype:
    """Return the type of numbers of a name; an error for other types, which could execute code."""
    kind = np.dtype(name)
    if kind.kind not in "biuf":
        raise ValueError(f"dtype of an array must be a type of numbers, got {brief(name)}")
    return kind
