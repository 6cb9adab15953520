"""Validation of arguments and memory for all strategies."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from divergent.individual import Outcomes
from divergent.neighbours._validation import not_vectors_error
from divergent.validation import brief, check_at_least


def check_clusters(clusters: int | None, neighbours: int, name: str = "neighbours") -> None:
    """Raise an error unless `neighbours` is an integer from 1 to `clusters`; `clusters=None` sets no upper limit."""
    check_at_least(1, **{name: neighbours})
    if clusters is not None:
        check_at_least(1, clusters=clusters)
        if neighbours > clusters:
            raise ValueError(f"the argument {name} must be at most the number of clusters {clusters}, got {neighbours}")


def check_outcomes(outcomes: Outcomes, *, objects: bool = False) -> None:
    """Raise an error unless outcomes have one fitness and one behaviour per individual.

    Parameters
    ----------
    outcomes : Outcomes
        Fitness and behaviours to validate.
    objects : bool, default=False
        Whether behaviours may be objects that are not vectors.
    """
    try:
        fitness, behaviours = outcomes.fitness, outcomes.behaviours
        if behaviours.ndim == 2 and fitness.ndim == 1 and len(fitness) == len(behaviours):
            return
        is_matrix, are_objects = behaviours.ndim == 2, behaviours.ndim == 1 and behaviours.dtype == object
        has_columns = fitness.ndim == 1 or (fitness.ndim == 2 and fitness.shape[1] > 0)
        if (is_matrix or are_objects) and has_columns and len(fitness) == len(behaviours):
            if are_objects and not objects:
                raise not_vectors_error(behaviours)
            return
    except AttributeError:
        raise TypeError(
            f"outcomes must be Outcomes(fitness, behaviours), got {brief(outcomes)}; "
            "use divergent.pack to convert individuals"
        ) from None
    raise ValueError(
        "outcomes must have fitness of shape (m,) or (m, w), and behaviours of shape (m, d), or of shape (m,) if they "
        f"are objects, got shapes {fitness.shape} and {behaviours.shape}; use divergent.pack to convert individuals"
    )


def check_rows(name: str, rows: Any, width: int | None = None, *, objects: bool = False) -> np.ndarray:
    """Return a restored array, such as an archive; raise a ValueError unless it is a finite matrix of `width` columns.

    If `width` is None, any number of columns is accepted. If `objects` is True, a one-dimensional array of objects is
    also accepted.
    """
    if objects and isinstance(rows, np.ndarray) and rows.ndim == 1 and rows.dtype == object:
        return rows
    if not isinstance(rows, np.ndarray) or rows.ndim != 2 or rows.dtype.kind not in "biuf":
        raise ValueError(
            f"the restored attribute {name} must be an array of numbers of shape (m, d), got {brief(rows)}"
        )
    if width is not None and len(rows) and rows.shape[1] != width:
        raise ValueError(f"the restored array {name} must have one column per dimension, {width}, got {rows.shape[1]}")
    if not np.isfinite(rows).all():
        raise ValueError(f"the restored array {name} must contain only finite numbers, got {brief(rows.tolist())}")
    return rows


def choose(name: str, choice: Any, table: Mapping[str, Any]) -> Any:
    """Return the entry of `table` with the key `choice`, or `choice` itself if `choice` is callable."""
    if callable(choice):
        return choice
    if choice not in table:
        raise ValueError(
            f"the argument {name} must be a known name or a callable, got {choice!r}; choose from {', '.join(table)}"
        )
    return table[choice]
