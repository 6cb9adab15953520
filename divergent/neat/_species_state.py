"""Reading the state of `Species`, and checks of its arguments."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from divergent.neat._genes import INNOVATION, WEIGHT
from divergent.neat._species_arrays import ABSENT, first_invalid_gene
from divergent.validation import LARGEST, brief

INNOVATIONS = 2**20
"""Upper bound of innovation numbers: the tables of representatives are indexed by innovation."""


def raise_if_invalid(genes: np.ndarray, gene: int, whose: str = "") -> None:
    """Raise a ValueError if an invalid gene was found."""
    if gene != ABSENT:
        raise ValueError(
            f"{whose}genes must be five numbers each, sorted by innovation, with integer innovations below "
            f"{INNOVATIONS}, integer node ids from 0 to {LARGEST} and finite weights; "
            f"gene {gene} is {genes[gene].tolist()}"
        )


def check_choice(choices: Sequence[str], **options: Any) -> None:
    """Raise a ValueError unless every option is one of the choices."""
    for name, value in options.items():
        if not isinstance(value, str) or value not in choices:
            raise ValueError(f"{name} must be one of {', '.join(choices)}, got {brief(value)}")


def raise_if_not_finite(scores: Any, row: int) -> None:
    """Raise a ValueError if a row with an invalid score was found."""
    if row != ABSENT:
        raise ValueError(f"scores must be finite numbers, individual {row} has {scores[row]}")


def read_state(state: Any) -> tuple[float, np.ndarray, np.ndarray, list[np.ndarray], np.ndarray, int]:
    """Return the parts of a state; raise an error unless `Species.state` can have returned them."""
    if not isinstance(state, Mapping):
        raise TypeError(f"state must be the data of Species.state(), got {brief(state)}")
    for name in ("threshold", "labels", "representatives", "genes", "ids", "founded", "rng"):
        if name not in state:
            raise ValueError(f"state must have {name!r}, got {', '.join(map(repr, state))}")
    threshold, founded = state["threshold"], state["founded"]
    if not isinstance(threshold, float) or not 0 < threshold < np.inf:
        raise ValueError(f"the threshold of species must be a finite number above 0, got {brief(threshold)}")
    if not isinstance(founded, int) or not 0 <= founded < 2**63:
        raise ValueError(f"the number of species founded must be an integer, at least 0, got {brief(founded)}")
    labels, rows, ids = (_read_numbers(name, state[name]) for name in ("labels", "representatives", "ids"))
    if (ids < 0).any() or (np.diff(ids) <= 0).any() or (ids >= founded).any():
        raise ValueError(f"the ids of species must ascend from 0 on and stay below {founded}, got {ids.tolist()}")
    _check_representatives(labels, rows, state["genes"], len(ids))
    return threshold, labels, rows, [_read_genes(genes) for genes in state["genes"]], ids, founded


def _check_representatives(labels: np.ndarray, rows: np.ndarray, genes: Any, count: int) -> None:
    """Raise a ValueError unless each species has members, and a representative among them with its genes."""
    if len(rows) != count or not isinstance(genes, list) or len(genes) != count:
        raise ValueError(f"each of {count} species has one representative and its genes")
    if not len(labels):
        return
    if not (labels.min() >= 0 and labels.max() < count == len(np.unique(labels))):
        raise ValueError(f"labels must name each of {count} species, got {np.unique(labels).tolist()}")
    if not (((rows >= 0) & (rows < len(labels))).all() and (labels[rows] == np.arange(count)).all()):
        raise ValueError(f"representatives must be members of their species, got {rows.tolist()}")


def read_order(state: Mapping[str, Any], name: str, size: int) -> np.ndarray:
    """Return an order of the members; states of earlier versions have none and are ordered by index."""
    order = _read_numbers(name, state.get(name, list(range(size))))
    if sorted(order.tolist()) != list(range(size)):
        raise ValueError(f"the {name} of species must have each of {size} members once, got {brief(order.tolist())}")
    return order


def _read_numbers(name: str, values: Any) -> np.ndarray:
    """Return a part of a state as an array of integers."""
    if not isinstance(values, list) or not all(type(value) is int and abs(value) < 2**63 for value in values):
        raise ValueError(f"the {name} of species must be a list of integers, got {values!r:.60}")
    return np.array(values, dtype=np.int64)


def _read_genes(values: Any) -> np.ndarray:
    """Return the genes of a representative in the columns of a genome; the columns that species do not read are 0."""
    try:
        pairs = np.array(values, dtype=float).reshape(len(values), 2)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"genes of representatives must be innovations and weights, got {values!r:.60}") from None
    genes = np.zeros((len(pairs), 5))
    genes[:, [INNOVATION, WEIGHT]] = pairs
    raise_if_invalid(genes, first_invalid_gene(genes, INNOVATIONS), "a representative's ")
    return genes
