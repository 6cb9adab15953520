"""Plain data that JSON keeps exactly, made of values with arrays, tuples and numpy's numbers in them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from divergent.validation import brief

# by which keys a dictionary is known that stands for something else, the last for a dictionary with such keys
MARKS = ARRAY, TUPLE, OTHER, DICTIONARY = {"array", "shape", "dtype"}, {"__tuple__"}, {"__other__"}, {"__dictionary__"}
PYTHONS = (np.float64, np.int64, np.bool_)  # numbers of numpy that compute as Python's own do


def to_plain(value: Any, other: Callable[[Any], Any] | None = None) -> Any:
    """A value as what JSON keeps: None, truth values, numbers, strings, lists, dictionaries with strings as keys.

    Parameters
    ----------
    value
        Any of these, tuples, arrays of numbers, and what has `state` and `restore`, whose state is taken.
    other
        Called with whatever else there is, and returns a value for it; such values are refused if None.

    Examples
    --------
    >>> to_plain({"a": (1, 2.5)})
    {'a': {'__tuple__': [1, 2.5]}}
    >>> from_plain(to_plain({"a": (1, 2.5)}))
    {'a': (1, 2.5)}
    """
    kind = type(value)
    if value is None or kind in (bool, int, float, str):
        return value
    if kind in PYTHONS:
        return value.item()
    if kind is list:
        return [to_plain(item, other) for item in value]
    if kind is tuple:
        return {"__tuple__": [to_plain(item, other) for item in value]}
    if kind is dict:
        if not all(type(key) is str for key in value):
            raise TypeError(f"dictionaries that are kept have strings as keys, got {brief(value)}")
        made = {key: to_plain(item, other) for key, item in value.items()}
        return {"__dictionary__": made} if made.keys() in MARKS else made
    if (
        (kind is np.ndarray or isinstance(value, np.generic))
        and value.dtype.kind in "biuf"
        and value.dtype.itemsize < 9
    ):
        return {"array": value.ravel().tolist(), "shape": list(value.shape), "dtype": value.dtype.str}
    if hasattr(value, "state") and hasattr(value, "restore"):
        return to_plain(value.state(), other)
    if other is not None:
        return {"__other__": other(value)}
    raise TypeError(
        f"only None, numbers, strings, lists, tuples, dictionaries and arrays of numbers are kept, got {brief(value)}"
    )


def from_plain(value: Any, other: Callable[[Any], Any] | None = None) -> Any:
    """The value that `to_plain` made plain; `other` makes again what its namesake there returned."""
    if isinstance(value, list):
        return [from_plain(item, other) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == ARRAY:
        kind = np.dtype(value["dtype"])
        if kind.kind not in "biuf":
            raise ValueError(f"arrays in a state are of numbers, got the type {brief(value['dtype'])}")
        return np.array(value["array"], dtype=kind).reshape(value["shape"])[()]
    if value.keys() == TUPLE:
        return tuple(from_plain(item, other) for item in value["__tuple__"])
    if value.keys() == OTHER and other is not None:
        return other(value["__other__"])
    if value.keys() == DICTIONARY:
        value = value["__dictionary__"]
    return {key: from_plain(item, other) for key, item in value.items()}
