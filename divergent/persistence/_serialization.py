"""JSON-serialisable data from values that contain arrays, tuples and NumPy numbers, and back."""

from collections.abc import Callable
from typing import Any

import numpy as np

from divergent.validation import brief

# the keys of dictionaries that represent other types; the last represents a dictionary with such keys
MARKS = ARRAY, TUPLE, SET, FROZENSET, OBJECTS, OTHER, DICTIONARY = (
    {"array", "shape", "dtype"},
    *({mark} for mark in ("__tuple__", "__set__", "__frozenset__", "__objects__", "__other__", "__dictionary__")),
)
PYTHON_SCALARS = (np.float64, np.int64, np.bool_)  # NumPy scalars that compute like Python's numbers


def to_jsonable(value: Any, other: Callable[[Any], Any] | None = None) -> Any:
    """Convert a value to data that JSON represents exactly.

    Parameters
    ----------
    value : object
        None, truth values, numbers, strings, tuples, lists, sets, dictionaries with string keys, arrays of numbers,
        one-dimensional arrays of such values, and objects with `state` and `restore`, which are represented by their
        state.
    other : callable or None, default=None
        Converts objects of other types. Such objects raise an error if None.

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
        return [to_jsonable(item, other) for item in value]
    if kind is tuple:
        return {"__tuple__": [to_jsonable(item, other) for item in value]}
    if kind in (set, frozenset):
        items = [to_jsonable(item, other) for item in value]
        return {f"__{kind.__name__}__": sorted(items, key=repr)}  # the order of a set differs between processes
    if kind is np.ndarray and value.dtype == object and value.ndim == 1:
        return {"__objects__": [to_jsonable(item, other) for item in value]}
    if kind is dict:
        if not all(type(key) is str for key in value):
            raise TypeError(f"keys of dictionaries must be strings, got {brief(value)}")
        converted = {key: to_jsonable(item, other) for key, item in value.items()}
        return {"__dictionary__": converted} if converted.keys() in MARKS else converted
    if (
        (kind is np.ndarray or isinstance(value, np.generic))
        and value.dtype.kind in "biuf"
        and value.dtype.itemsize < 9
    ):
        return {"array": value.ravel().tolist(), "shape": list(value.shape), "dtype": value.dtype.str}
    if hasattr(value, "state") and hasattr(value, "restore"):
        return to_jsonable(value.state(), other)
    if other is not None:
        return {"__other__": other(value)}
    raise TypeError(
        "values must be None, numbers, strings, lists, tuples, sets, dictionaries or arrays of numbers, "
        f"got {brief(value)}"
    )


def from_jsonable(value: Any, other: Callable[[Any], Any] | None = None) -> Any:
    """Convert the data of `to_jsonable` back to the value.

    Parameters
    ----------
    value : object
        Data of `to_jsonable`.
    other : callable or None, default=None
        Inverse of the `other` of `to_jsonable`.

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
        return [from_jsonable(item, other) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == ARRAY:
        kind = np.dtype(value["dtype"])
        if kind.kind not in "biuf":
            raise ValueError(f"dtype of an array must be a type of numbers, got {brief(value['dtype'])}")
        return np.array(value["array"], dtype=kind).reshape(value["shape"])[()]
    if value.keys() == TUPLE:
        return tuple(from_jsonable(item, other) for item in value["__tuple__"])
    if value.keys() in (SET, FROZENSET):
        ((mark, items),) = value.items()
        return (set if mark == "__set__" else frozenset)(from_jsonable(item, other) for item in items)
    if value.keys() == OBJECTS:
        objects = np.empty(len(value["__objects__"]), dtype=object)
        for position, item in enumerate(value["__objects__"]):  # assigning all at once would unpack sequences
            objects[position] = from_jsonable(item, other)
        return objects
    if value.keys() == OTHER and other is not None:
        return other(value["__other__"])
    if value.keys() == DICTIONARY:
        value = value["__dictionary__"]
    return {key: from_jsonable(item, other) for key, item in value.items()}
