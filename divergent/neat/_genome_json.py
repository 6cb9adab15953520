"""Conversion of genomes to and from JSON-serialisable data."""

import json
from collections.abc import Mapping
from typing import Any

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
            raise ValueError(
                f"the JSON data of a genome must have all required keys, got data without the key {key!r} "
                f"and with the keys {', '.join(map(repr, data))}"
            )
    if data["version"] != VERSION or isinstance(data["version"], bool):
        raise ValueError(
            f"the JSON format version of a genome must be {VERSION}, got {brief(data['version'])}; "
            "write the genome again with Genome.to_json"
        )
    return data


def read_hidden(hidden: Any, visible: int) -> set[int]:
    """Return the ids of the hidden nodes from the JSON data of a genome."""
    if not isinstance(hidden, list | tuple) or not all(map(is_integer, hidden)):
        raise ValueError(f"hidden must be a list of integer node ids, got {brief(hidden)}")
    for node in hidden:
        if not visible <= node <= LARGEST:
            raise ValueError(
                f"ids of hidden nodes must be integers from {visible}, the first id after the outputs, "
                f"to {LARGEST}, got {brief(node)}"
            )
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
                    f"connections must join inputs, outputs or hidden nodes, got the unknown node {node} "
                    f"in the connection with innovation number {innovation}"
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
        raise ValueError(
            f"connection weights must be finite numbers, got {brief(weight)} "
            f"for the connection with innovation number {innovation}"
        )
    if not isinstance(enabled, bool):
        raise ValueError(
            f"enabled must be true or false, got {brief(enabled)} "
            f"for the connection with innovation number {innovation}"
        )
