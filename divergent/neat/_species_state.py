"""Validation of the state and the arguments of `Species`."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from divergent.neat._genes import INNOVATION, WEIGHT
from divergent.neat._species_arrays import ABSENT, first_invalid_gene
from divergent.validation import LARGEST, brief

INNOVATIONS = 2**20
"""Upper bound of innovation numbers: the tables of representatives are indexed by innovation."""


def raise_if_invalid(genes: np.ndarray, gene: int, whose: str = "") -> None:
    """Raise a ValueError that shows the invalid gene at index `gene`, unless `gene` is ABSENT."""
    if gene != ABSENT:
        raise ValueError(
            f"{whose}genes must be rows of five numbers, sorted by innovation, with integer innovations below "
            f"{INNOVATIONS}, integer node ids from 0 to {LARGEST} and finite weights, "
            f"got {genes[gene].tolist()} as gene {gene}"
        )


def check_choice(choices: Sequence[str], **options: Any) -> None:
    """Raise a ValueError unless the value of every option is in `choices`."""
    for name, value in options.items():
        if not isinstance(value, str) or value not in choices:
            raise ValueError(
                f"{name} must be the name of a Species rule, one of {', '.join(choices)}, got {brief(value)}"
            )


def raise_if_not_finite(scores: Any, row: int) -> None:
    """Raise a ValueError that shows the invalid score of individual `row`, unless `row` is ABSENT."""
    if row != ABSENT:
        raise ValueError(f"scores must be finite numbers, got {scores[row]} for individual {row}")


def read_state(state: Any) -> tuple[float, np.ndarray, np.ndarray, list[np.ndarray], np.ndarray, int]:
    """Return the entries of a dictionary from `Species.state`; raise an error if an entry is missing or invalid."""
    if not isinstance(state, Mapping):
        raise TypeError(f"state must be a dictionary that Species.state() returned, got {brief(state)}")
    for name in ("threshold", "labels", "representatives", "genes", "ids", "founded", "rng"):
        if name not in state:
            raise ValueError(
                f"state must have all required keys of Species.state(), got a state without the key {name!r} "
                f"and with the keys {', '.join(map(repr, state))}"
            )
    threshold, founded = state["threshold"], state["founded"]
    if not isinstance(threshold, float) or not 0 < threshold < np.inf:
        raise ValueError(f"the threshold of species must be a finite number above 0, got {brief(threshold)}")
    if not isinstance(founded, int) or not 0 <= founded < 2**63:
        raise ValueError(f"the number of founded species must be an integer, at least 0, got {brief(founded)}")
    labels, rows, ids = (_read_numbers(name, state[name]) for name in ("labels", "representatives", "ids"))
    if (ids < 0).any() or (np.diff(ids) <= 0).any() or (ids >= founded).any():
        raise ValueError(f"the ids of species must be ascending integers from 0 to {founded - 1}, got {ids.tolist()}")
    _check_representatives(labels, rows, state["genes"], len(ids))
    return threshold, labels, rows, [_read_genes(genes) for genes in state["genes"]], ids, founded


def _check_representatives(labels: np.ndarray, rows: np.ndarray, genes: Any, count: int) -> None:
    """Raise a ValueError unless each species has members and one member is its representative."""
    if len(rows) != count or not isinstance(genes, list) or len(genes) != count:
        raise ValueError(
            f"representatives and genes must have one entry for each species, "
            f"got {count} species and {len(rows)} representatives"
        )
    if not len(labels):
        return
    if not (labels.min() >= 0 and labels.max() < count == len(np.unique(labels))):
        raise ValueError(
            f"labels must be indices of species and include every species, "
            f"got {count} species and the labels {np.unique(labels).tolist()}"
        )
    if not (((rows >= 0) & (rows < len(labels))).all() and (labels[rows] == np.arange(count)).all()):
        raise ValueError(f"representatives must be members of their species, got {rows.tolist()}")


def read_order(state: Mapping[str, Any], name: str, size: int) -> np.ndarray:
    """Return the list `name` of member indices in a saved state; raise a ValueError unless it is a permutation.

    If a state of an earlier package version lacks the list `name`, the members keep the order of their indices.
    """
    order = _read_numbers(name, state.get(name, list(range(size))))
    if sorted(order.tolist()) != list(range(size)):
        raise ValueError(
            f"entry {name} of a Species state must be a permutation of the {size} member indices, "
            f"got {brief(order.tolist())}"
        )
    return order


def _read_numbers(name: str, values: Any) -> np.ndarray:
    """Convert a list of integers in the state to an array."""
    if not isinstance(values, list) or not all(type(value) is int and abs(value) < 2**63 for value in values):
        raise ValueError(f"entry {name} of a Species state must be a list of integers, got {values!r:.60}")
    return np.array(values, dtype=np.int64)


def _read_genes(values: Any) -> np.ndarray:
    """Convert the innovation numbers and weights of a representative to a gene array; all other columns are 0."""
    try:
        pairs = np.array(values, dtype=float).reshape(len(values), 2)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(
            f"genes of representatives must be pairs of innovation and weight, got {values!r:.60}"
        ) from None
    genes = np.zeros((len(pairs), 5))
    genes[:, [INNOVATION, WEIGHT]] = pairs
    raise_if_invalid(genes, first_invalid_gene(genes, INNOVATIONS), "a representative's ")
    return genes
