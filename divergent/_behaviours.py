"""Conversion of behaviours to a matrix if all are vectors of equal length, otherwise to an object array."""

import array
import copy
import numbers
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from divergent.validation import FLOAT

NUMBERS = (float, int, bool, np.float64)  # types of numbers that NumPy converts directly
TEXT = (str, bytes, bytearray)
CONTAINERS = (list, set, dict, bytearray, np.ndarray)  # mutable types of behaviours, which must be copied
PLAIN_TUPLE = (
    "evaluate must return divergent.Outcome(values, behaviour=...), and a decorator, such as tools.DeltaPenalty or "
    "tools.ClosestValidPenalty, must not replace the Outcome by a plain tuple"
)


def as_objects(behaviours: np.ndarray) -> np.ndarray:
    """Return behaviours as a one-dimensional object array; each row of a matrix becomes one float array.

    Parameters
    ----------
    behaviours : ndarray of shape (m, d), or (m,) of objects
        Behaviours of m individuals.

    Returns
    -------
    ndarray of shape (m,)
        One behaviour per element, with dtype object. An object array is returned unchanged.

    Examples
    --------
    >>> as_objects(np.array([[1.0, 2.0]]))
    array([array([1., 2.])], dtype=object)
    """
    return behaviours if behaviours.ndim == 1 else object_array(row.copy() for row in behaviours)


def join_behaviours(*parts: np.ndarray) -> np.ndarray:
    """Concatenate arrays of behaviours to a matrix if all are vectors of equal length, otherwise to an object array.

    Parameters
    ----------
    *parts : ndarray of shape (m, d), or (m,) of objects
        Arrays of behaviours to concatenate.

    Returns
    -------
    ndarray of shape (m, d), or (m,) of objects
        Behaviours of all arguments, in the order of the arguments.

    Examples
    --------
    A vector and a string do not fit into one matrix, so the result is an object array:

    >>> join_behaviours(np.array([[1.0, 2.0]]), np.array(["north"], dtype=object))
    array([array([1., 2.]), 'north'], dtype=object)
    """
    filled = [part for part in parts if len(part)] or list(parts[:1])
    fit = len({part.shape[1:] for part in filled}) == 1
    return np.concatenate(filled if fit else [as_objects(part) for part in filled])


def stack_behaviours(behaviours: Sequence[Any]) -> np.ndarray:
    """Return behaviours as a matrix, or as an object array if they are not float arrays of the same shape.

    Parameters
    ----------
    behaviours : sequence
        Behaviours of individuals: numbers, vectors or other objects.

    Returns
    -------
    ndarray of shape (m, d), or (m,) of objects
        One behaviour per row or element.

    Examples
    --------
    Vectors of equal length become the rows of a matrix:

    >>> stack_behaviours([np.array([1.0, 2.0]), np.array([3.0, 4.0])])
    array([[1., 2.],
           [3., 4.]])

    Behaviours of different types become an object array:

    >>> stack_behaviours(["north", np.array([3.0, 4.0])])
    array(['north', array([3., 4.])], dtype=object)
    """
    is_matrix = all(type(row) is np.ndarray and row.dtype == FLOAT for row in behaviours)
    if is_matrix and len({row.shape for row in behaviours}) <= 1:
        return np.array(behaviours).reshape(len(behaviours), -1) if len(behaviours) else np.empty((0, 0))
    return object_array(behaviours)


def copy_behaviour(behaviour: Any) -> Any:
    """Return an independent copy of a mutable behaviour; numeric lists and arrays become float arrays."""
    if type(behaviour) is np.ndarray and behaviour.dtype == FLOAT:
        return behaviour.copy()
    if isinstance(behaviour, np.ndarray | list | array.array):
        numbers = as_array(behaviour)
        if numbers is not None and numbers.dtype.kind in "biuf":
            return np.array(numbers, dtype=float)
    return copy.copy(behaviour) if isinstance(behaviour, CONTAINERS) else behaviour


def object_array(items: Iterable[Any]) -> np.ndarray:
    """Return items as a one-dimensional array with dtype object."""
    items = list(items)
    objects = np.empty(len(items), dtype=object)
    # items are assigned one by one, because assigning a list would unpack sequences
    for position, item in enumerate(items):
        objects[position] = item
    return objects


def as_array(behaviour: Any) -> np.ndarray | None:
    """Convert a numeric behaviour to an array; return None for any other behaviour.

    Types are tested first, because NumPy would convert a bytearray to integers and a graph to a sequence of nodes.
    """
    first = behaviour[0] if type(behaviour) is tuple and behaviour else behaviour
    if type(first) not in NUMBERS and not _begins_with_numbers(first):
        return None
    try:
        converted = np.asarray(behaviour)
    except (TypeError, ValueError, OverflowError):  # NumPy cannot convert nested sequences of different lengths
        return None
    return converted if converted.dtype.kind in "biufO" else None


def _begins_with_numbers(behaviour: Any) -> bool:
    """Return whether the innermost first element of a nested behaviour is a number, an array or an empty sequence."""
    first = behaviour
    while isinstance(first, Sequence) and not isinstance(first, TEXT):
        if not len(first):
            break
        first = first[0]
    is_number = isinstance(first, numbers.Number | Sequence | array.array) or hasattr(first, "__array__")
    return is_number and not isinstance(first, TEXT)
