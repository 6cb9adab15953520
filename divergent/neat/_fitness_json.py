"""Conversion of the fitness of a genome to and from JSON."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from divergent.individual import Outcome
from divergent.validation import brief


def fitness_to_json(fitness: Any) -> dict[str, Any]:
    """Return a fitness as JSON-serialisable data: its values and, if they are set, its behaviour and score."""
    data = {"values": list(map(float, fitness.values))}
    if getattr(fitness, "behaviour", None) is not None:
        data["behaviour"] = np.asarray(fitness.behaviour, dtype=float).tolist()
    score = np.asarray(getattr(fitness, "score", math.nan), dtype=float)
    if not np.isnan(score).any():
        data["score"] = score.tolist()
    for name, numbers in data.items():
        if not np.isfinite(numbers).all():
            raise ValueError(
                f"a fitness must contain only finite numbers to be written as JSON, got {name} = {brief(numbers)}"
            )
    return data


def read_fitness(data: Any, fitness: Any) -> None:
    """Set values, behaviour and score of a fitness object from the result of `fitness_to_json`."""
    if not isinstance(data, Mapping) or "values" not in data:
        raise ValueError(f"fitness must be a JSON object with the key 'values', got {brief(data)}")
    numbers = {name: _read_numbers(name, data[name]) for name in ("values", "behaviour", "score") if name in data}
    values = numbers["values"].tolist()
    if numbers["values"].ndim != 1 or len(values) != len(fitness.weights):
        raise ValueError(f"fitness must have {len(fitness.weights)} values, one for each weight, got {brief(values)}")
    fitness.values = Outcome(values, behaviour=numbers.get("behaviour"))
    if "score" in numbers:
        score = numbers["score"].tolist()
        fitness.score = tuple(score) if isinstance(score, list) else score


def _read_numbers(name: str, data: Any) -> np.ndarray:
    """Return the values, behaviour or score of a fitness as an array; raise a ValueError unless they are finite."""
    try:
        numbers = np.array(data)
        if numbers.dtype.kind not in "if":
            raise TypeError
        numbers = numbers.astype(float)
    except (TypeError, ValueError, OverflowError):
        numbers = np.array(math.nan)
    if not np.isfinite(numbers).all():
        raise ValueError(f"the JSON data of a fitness must contain only finite numbers, got {name} = {brief(data)}")
    return numbers
