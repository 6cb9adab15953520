"""Refusals that strategies share: numbers of clusters and neighbours, behaviours that cannot be learnt from."""

from collections.abc import Mapping
from typing import Any

import numpy as np

NO_BEHAVIOUR = "individuals have no behaviour: evaluate must return an Outcome with one for this search"


def check_at_least(least: int, **numbers: Any) -> None:
    """Refuse, by name, what is not a whole number, or below the least one."""
    for name, value in numbers.items():
        if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
            raise ValueError(f"{name} must be a whole number, at least {least}, got {value!r}")


def check_clusters(clusters: int | None, neighbours: int) -> None:
    """Refuse numbers of clusters and neighbours that cannot be; None is a number still to be decided."""
    check_at_least(1, neighbours=neighbours)
    if clusters is not None:
        check_at_least(1, clusters=clusters)
        if neighbours > clusters:
            raise ValueError(f"neighbours must be at most the number of clusters, {clusters}; got {neighbours}")


def check_behaviours(behaviours: np.ndarray, known: np.ndarray | None = None) -> np.ndarray:
    """The behaviours of a population to learn from, refused if there are none, or as wide as nothing `known`."""
    behaviours = np.ascontiguousarray(behaviours, dtype=float)
    if behaviours.shape[1] == 0:
        raise ValueError(NO_BEHAVIOUR)
    check_finite(behaviours)
    if known is not None and known.shape[1] != behaviours.shape[1]:
        raise ValueError(f"behaviours must have one length: {known.shape[1]} numbers so far, got {behaviours.shape[1]}")
    return behaviours


def check_finite(behaviours: np.ndarray, which: str = "behaviour") -> None:
    """Refuse behaviours with numbers that are not finite."""
    if not np.isfinite(behaviours).all():
        position = int(np.flatnonzero(~np.isfinite(behaviours).all(axis=1))[0])
        raise ValueError(f"behaviours must be finite, {which} {position} is {behaviours[position].tolist()}")


def choose(thing: str, choice: Any, table: Mapping[str, Any]) -> Any:
    """What a table has under a name; anything callable is its own choice."""
    if callable(choice):
        return choice
    if choice not in table:
        raise ValueError(f"unknown {thing} {choice!r}; choose from {', '.join(table)} or give a callable")
    return table[choice]
