"""Conversion of genomes to and from JSON-serialisable data."""

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from divergent.individual import Outcome
from divergent.neat.activation import Activation
from divergent.validation import LARGEST, brief, is_integer

VERSION = 1
"""Version of the JSON format; other versions are rejected."""


def decode(text: str | bytes | Mapping[str, Any]) -> Mapping[str, Any]:
    """Parse the JSON object of a genome; raise an error if a key is missing or the version is not supported."""
    data: Any = text
    if not isinstance(text, Mapping):
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"a genome must be JSON text, got text that cannot be parsed: {error}") from None
        if not isinstance(data, dict):
            raise ValueError(f"a genome must be a JSON object with the keys of Genome.to_json, got {brief(data)}")
    for key in ("version", "inputs", "outputs", "hidden", "connections"):
        if key not in data:
            raise ValueError(f"a genome must have the key {key!r}, got only {', '.join(map(repr, data))}")
    if data["version"] != VERSION or isinstance(data["version"], bool):
        raise ValueError(
            f"version must be {VERSION}, got {brief(data['version'])}; write the genome again with Genome.to_json"
        )
    return data


def fitness_to_json(fitness: Any) -> dict[str, Any]:
    """Return fitness values, and the behaviour and the score if they exist, as JSON-serialisable data."""
    data = {"values": list(map(float, fitness.values))}
    if getattr(fitness, "behaviour", None) is not None:
        data["behaviour"] = np.asarray(fitness.behaviour, dtype=float).tolist()
    score = np.asarray(getattr(fitness, "score", math.nan), dtype=float)
    if not np.isnan(score).any():
        data["score"] = score.tolist()
    for name, numbers in data.items():
        if not np.isfinite(numbers).all():
            raise ValueError(f"the {name} of a fitness must be finite to be written as JSON, got {brief(numbers)}")
    return data


def read_fitness(data: Any, fitness: Any) -> None:
    """Set values, behaviour and score of a fitness from the result of `fitness_to_json`."""
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
    """Return the values, the behaviour or the score of a fitness as an array of finite numbers."""
    try:
        numbers = np.array(data)
        if numbers.dtype.kind not in "if":
            raise TypeError
        numbers = numbers.astype(float)
    except (TypeError, ValueError, OverflowError):
        numbers = np.array(math.nan)
    if not np.isfinite(numbers).all():
        raise ValueError(f"the {name} of a genome's fitness must be finite numbers, got {brief(data)}")
    return numbers


def read_hidden(hidden: Any, visible: int) -> set[int]:
    """Return the ids of the hidden nodes from the JSON data of a genome."""
    if not isinstance(hidden, list | tuple) or not all(map(is_integer, hidden)):
        raise ValueError(f"hidden must be a list of integer node ids, got {brief(hidden)}")
    for node in hidden:
        if not visible <= node <= LARGEST:
            raise ValueError(f"ids of hidden nodes must be from {visible} to {LARGEST}, got {brief(node)}")
    if len(set(hidden)) < len(hidden):
        raise ValueError(f"hidden must list each node once, got {brief(hidden)}")
    return set(hidden)


def read_activations(rows: Any, sources: int) -> dict[int, Activation]:
    """Return the activations of individual nodes from the JSON data of a genome."""
    if not isinstance(rows, list | tuple):
        raise ValueError(f"node_activations must be a list of pairs (node id, activation), got {brief(rows)}")
    activations: dict[int, Activation] = {}
    for row in rows:
        if not isinstance(row, list | tuple) or len(row) != 2 or not is_integer(row[0]):
            raise ValueError(f"node_activations must be pairs (node id, activation), got {brief(row)}")
        node = row[0]
        if node < sources or node in activations:
            raise ValueError(
                f"ids in node_activations must be unique and belong to outputs or hidden nodes, got {brief(node)}"
            )
        activations[node] = Activation.from_json(row[1])
    return activations


def read_connections(connections: Any, visible: int, hidden: set[int]) -> list[list[float]]:
    """Return the genes from the connections in the JSON data of a genome."""
    if not isinstance(connections, list | tuple):
        raise ValueError(f"connections must be a list of genes, got {brief(connections)}")
    used: set[int] = set()
    for connection in connections:
        _check_connection(connection)
        innovation, source, target = connection[:3]
        for node in (source, target):
            if not 0 <= node < visible and node not in hidden:
                raise ValueError(
                    f"connections must join inputs, outputs or hidden nodes, got node {node} in innovation {innovation}"
                )
        used.update((source, target))
    if not hidden <= used:
        raise ValueError(f"every hidden node must have a connection, got none for node {min(hidden - used)}")
    return [[*connection[:4], float(connection[4])] for connection in connections]


def _check_connection(connection: Any) -> None:
    """Raise a ValueError if a connection in the JSON data is invalid."""
    if not isinstance(connection, list | tuple) or len(connection) != 5:
        raise ValueError(f"a connection must be [innovation, source, target, weight, enabled], got {brief(connection)}")
    innovation, source, target, weight, enabled = connection
    if not all(is_integer(number) and 0 <= number <= LARGEST for number in (innovation, source, target)):
        raise ValueError(
            f"innovations and node ids must be integers from 0 to {LARGEST}, got {brief([innovation, source, target])}"
        )
    if not isinstance(weight, float) and not (is_integer(weight) and abs(weight) <= LARGEST):
        raise ValueError(f"connection weights must be finite numbers, got {brief(weight)} for innovation {innovation}")
    if not isinstance(enabled, bool):
        raise ValueError(f"enabled must be true or false, got {brief(enabled)} for innovation {innovation}")
