"""Validation of arguments, used by all subpackages."""

import inspect
import math
from typing import Any, TypeGuard

import numpy as np

LARGEST = 2**31 - 1  # largest valid integer argument, because compiled code uses 32-bit counters and indices
FLOAT = np.dtype(float)
SHAPES = {1: "(m,)", 2: "(m, d)", 3: "(h, k, d)"}
LONGEST_VALUE = 60  # an error message shows at most this number of characters of a value


def is_integer(value: Any) -> TypeGuard[int]:
    """Return whether a value is a Python or NumPy integer; booleans do not count as integers."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def is_finite(value: Any) -> bool:
    """Return whether a value is a finite real number that a float can represent."""
    try:
        return isinstance(value, int | float | np.integer | np.floating) and math.isfinite(value)
    except OverflowError:
        return False


def check_at_least(least: int, /, **numbers: Any) -> None:
    """Raise a ValueError unless every argument is an integer between `least` and 2**31 - 1."""
    for name, value in numbers.items():
        if not is_integer(value) or value < least:
            raise ValueError(f"{name} must be an integer, at least {least}, got {brief(value)}")
        if value > LARGEST:
            raise ValueError(f"{name} must be an integer, at most {LARGEST}, got {brief(value)}")


def check_number(least: float = -math.inf, /, **numbers: Any) -> None:
    """Raise a ValueError unless every argument is a finite number of at least `least`."""
    for name, value in numbers.items():
        if not is_finite(value) or isinstance(value, bool) or value < least:
            rule = "" if least == -math.inf else f", at least {least:g}"
            raise ValueError(f"{name} must be a finite number{rule}, got {brief(value)}")


def check_rate(**rates: Any) -> None:
    """Raise a ValueError unless every argument is a number between 0 and 1."""
    for name, value in rates.items():
        if not isinstance(value, int | float | np.number) or not 0 <= value <= 1:
            raise ValueError(f"{name} must be a rate between 0 and 1, got {brief(value)}")


def check_generator(rng: Any) -> None:
    """Raise a TypeError unless the argument is a NumPy generator, which compiled code requires."""
    if not isinstance(rng, np.random.Generator):
        raise TypeError(
            f"rng must be a numpy.random.Generator, got {brief(rng)}; create one with numpy.random.default_rng(seed)"
        )


def as_numbers(name: str, values: Any, dimensions: int) -> np.ndarray:
    """Return values as a C-contiguous array of floats; raise an error if the number of dimensions is wrong."""
    if type(values) is np.ndarray and values.ndim == dimensions and values.dtype == FLOAT and values.flags.c_contiguous:
        return values
    try:
        numbers = np.asarray(values)
        if numbers.dtype.kind not in "biufO":
            raise TypeError
        if numbers.size > LARGEST:
            raise ValueError
        numbers = np.ascontiguousarray(numbers, dtype=float).reshape(numbers.shape)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(
            f"{name} must be an array of numbers that has at most {LARGEST} elements and the shape "
            f"{SHAPES[dimensions]}, got {brief(values)}"
        ) from None
    if numbers.ndim != dimensions:
        raise ValueError(f"{name} must be an array of shape {SHAPES[dimensions]}; got shape {numbers.shape}")
    return numbers


def check_scores(scorer: Any, scores: Any, count: int) -> np.ndarray:
    """Return scores as an array; raise an error unless there is one number per individual and no score is nan."""
    scores = as_numbers("scores", scores, 1)
    if len(scores) != count or np.isnan(scores).any():
        name = scorer.__name__ if inspect.isroutine(scorer) else type(scorer).__name__
        if len(scores) != count:
            raise ValueError(
                f"scores must contain one number for each of the {count} individuals, got {len(scores)} from {name}"
            )
        raise ValueError(f"scores must be numbers, got nan from {name}")
    return scores


def brief(value: Any) -> str:
    """Return the repr of a value, shortened for an error message."""
    try:
        text = repr(value)
    except Exception:  # errors raised by `repr` are ignored, because another error is being reported
        text = f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 3]}..."


def check_instance(value: Any, name: str = "strategy") -> None:
    """Raise a TypeError if a class is passed instead of an instance."""
    if isinstance(value, type):
        raise TypeError(f"{name} must be an instance, such as {value.__name__}(...), got the class {value.__name__}")
