"""Refusals that every part shares: whole numbers, and arrays of numbers for compiled code."""

import inspect
import math
from typing import Any

import numpy as np

LARGEST = 2**31 - 1  # that compiled code counts to and indexes with: sizes, innovation numbers, node ids
FLOAT = np.dtype(float)
SHAPES = {1: "one number each, shape (m,)", 2: "one row of numbers each, shape (m, d)", 3: "shape (h, k, d)"}


def check_at_least(least: int, **numbers: Any) -> None:
    """Refuse, by name, what is not a whole number, below the least one, or larger than compiled code counts."""
    for name, value in numbers.items():
        if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
            raise ValueError(f"{name} must be a whole number, at least {least}, got {brief(value)}")
        if value > LARGEST:
            raise ValueError(f"{name} must be a whole number, at most {LARGEST}, got {brief(value)}")


def is_finite(value: Any) -> bool:
    """Whether a value is a real number that a float can hold."""
    try:
        return isinstance(value, int | float | np.integer | np.floating) and math.isfinite(value)
    except OverflowError:
        return False


def check_generator(rng: Any) -> None:
    """Refuse what is not a numpy generator, which compiled code draws from."""
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng must be a numpy.random.Generator, got {brief(rng)}")


def check_rate(**rates: Any) -> None:
    """Refuse, by name, what is not a number from 0 to 1."""
    for name, value in rates.items():
        if not isinstance(value, int | float | np.number) or not 0 <= value <= 1:
            raise ValueError(f"{name} must be a rate between 0 and 1, got {brief(value)}")


def as_numbers(name: str, values: Any, dimensions: int) -> np.ndarray:
    """The values as compiled code reads them, a C-contiguous array of floats with so many dimensions, or a refusal."""
    if (
        type(values) is np.ndarray and values.ndim == dimensions and values.dtype == FLOAT and values.flags.c_contiguous
    ):  # nearly always
        return values
    try:
        found = np.asarray(values)
        if found.dtype.kind not in "biufO":
            raise TypeError
        if found.size > LARGEST:
            raise ValueError
        found = np.ascontiguousarray(found, dtype=float).reshape(found.shape)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(
            f"{name} must be numbers, at most {LARGEST}, {SHAPES[dimensions]}; got {brief(values)}"
        ) from None
    if found.ndim != dimensions:
        raise ValueError(f"{name} must be {SHAPES[dimensions]}; got shape {found.shape}")
    return found


def check_scores(scorer: Any, scores: Any, count: int) -> np.ndarray:
    """The scores of a strategy or function as an array; raise an error unless there is one number per individual."""
    scores = as_numbers("scores", scores, 1)
    if len(scores) != count or np.isnan(scores).any():
        name = scorer.__name__ if inspect.isroutine(scorer) else type(scorer).__name__
        if len(scores) != count:
            raise ValueError(f"there must be one score for each of {count} individuals, {name} gave {len(scores)}")
        raise ValueError(f"scores must be numbers, {name} gave nan")
    return scores


def brief(value: Any) -> str:
    """A value as a sentence can show it."""
    try:
        text = repr(value)
    except Exception:  # whatever is wrong with it, this is not the time to say so
        text = f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= 60 else f"{text[:57]}..."
