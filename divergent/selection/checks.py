"""Refusals that strategies share: numbers of clusters and neighbours, outcomes that cannot be scored or learnt from."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from divergent.checks import as_numbers, brief, check_at_least
from divergent.individual import PLAIN_TUPLE, Outcomes

LARGEST_BEHAVIOUR = 1e150  # beyond which there is no square of a distance

NO_BEHAVIOUR = f"individuals have no behaviour: evaluate must return an Outcome with one for this search; {PLAIN_TUPLE}"


def check_clusters(clusters: int | None, neighbours: int, name: str = "neighbours") -> None:
    """Refuse numbers of clusters and neighbours that cannot be; None is a number still to be decided."""
    check_at_least(1, **{name: neighbours})
    if clusters is not None:
        check_at_least(1, clusters=clusters)
        if neighbours > clusters:
            raise ValueError(f"{name} must be at most the number of clusters, {clusters}; got {neighbours}")


def check_outcomes(outcomes: Outcomes) -> None:
    """Refuse what is not one fitness and one row of behaviour each."""
    try:
        fitness, behaviours = outcomes.fitness, outcomes.behaviours
        if behaviours.ndim == 2 and fitness.ndim == 1 and len(fitness) == len(behaviours):
            return
        if behaviours.ndim == 2 and fitness.ndim == 2 and fitness.shape[1] and len(fitness) == len(behaviours):
            return
    except AttributeError:
        raise TypeError(
            f"a strategy scores Outcomes(fitness, behaviours), two arrays, as pack makes of individuals; "
            f"got {brief(outcomes)}"
        ) from None
    raise ValueError(
        f"outcomes must be fitness of shape (m,) or (m, w) and behaviours of shape (m, d), "
        f"got {fitness.shape} and {behaviours.shape}"
    )


def check_rows(name: str, rows: Any, width: int | None = None) -> np.ndarray:
    """What a strategy remembers: finite rows, of a width if that is known; refused if they are not."""
    if not isinstance(rows, np.ndarray) or rows.ndim != 2 or rows.dtype.kind not in "biuf":
        raise ValueError(f"{name} must be rows of numbers, an array of shape (m, d), got {brief(rows)}")
    if width is not None and len(rows) and rows.shape[1] != width:
        raise ValueError(f"{name} must be rows of {width} numbers, got {rows.shape[1]}")
    if not np.isfinite(rows).all():
        raise ValueError(f"{name} must be finite, got {brief(rows.tolist())}")
    return rows


def check_behaviours(behaviours: np.ndarray, known: np.ndarray | None = None) -> np.ndarray:
    """The behaviours of a population to learn from, refused if there are none, or as wide as nothing `known`."""
    behaviours = as_numbers("behaviours", behaviours, 2)
    if len(behaviours) == 0:
        raise ValueError("there must be at least one individual to learn from, got none")
    if behaviours.shape[1] == 0:
        raise ValueError(NO_BEHAVIOUR)
    check_finite(behaviours)
    if np.abs(behaviours).max() > LARGEST_BEHAVIOUR:
        raise ValueError(
            f"behaviours must be numbers up to {LARGEST_BEHAVIOUR:g}, or there are no distances between them; "
            f"got {np.abs(behaviours).max():g}"
        )
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
