"""Refusals that strategies share: numbers of clusters and neighbours, outcomes that cannot be scored or learnt from."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from divergent.individual import Outcomes
from divergent.validation import brief, check_at_least


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


def choose(thing: str, choice: Any, table: Mapping[str, Any]) -> Any:
    """What a table has under a name; anything callable is its own choice."""
    if callable(choice):
        return choice
    if choice not in table:
        raise ValueError(f"unknown {thing} {choice!r}; choose from {', '.join(table)} or give a callable")
    return table[choice]
