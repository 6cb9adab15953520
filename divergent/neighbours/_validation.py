"""Validation of behaviour arrays."""

import numpy as np

from divergent._behaviours import PLAIN_TUPLE
from divergent.validation import as_numbers, brief

LARGEST_BEHAVIOUR = 1e150  # maximum absolute value; squared distances between larger values overflow

NO_BEHAVIOUR = f"individuals must have a behaviour in this search, got none; {PLAIN_TUPLE}"


def check_behaviours(behaviours: np.ndarray, known: np.ndarray | None = None) -> np.ndarray:
    """Return the behaviours as an array; raise an error if the array is empty, not finite or too large.

    An error is also raised if `known` is an array of behaviours with a different number of dimensions.
    """
    behaviours = as_numbers("behaviours", behaviours, 2)
    if len(behaviours) == 0:
        raise ValueError("outcomes must contain at least one individual, got none")
    if behaviours.shape[1] == 0:
        raise ValueError(NO_BEHAVIOUR)
    check_finite(behaviours)
    if np.abs(behaviours).max() > LARGEST_BEHAVIOUR:
        raise ValueError(
            f"behaviours must have absolute values of at most {LARGEST_BEHAVIOUR:g}, since squares of larger values "
            f"overflow, got {np.abs(behaviours).max():g}; limit the behaviours that evaluate returns"
        )
    if known is not None and known.shape[1] != behaviours.shape[1]:
        raise ValueError(
            f"behaviours must all have the same number of dimensions, {known.shape[1]}, got {behaviours.shape[1]}"
        )
    return behaviours


def check_objects(behaviours: np.ndarray) -> np.ndarray:
    """Return an array of behaviours that need not be vectors; raise an error if the array is empty."""
    if len(behaviours) == 0:
        raise ValueError("outcomes must contain at least one individual, got none")
    return behaviours


def check_finite(behaviours: np.ndarray, kind: str = "behaviour") -> None:
    """Raise a ValueError if a behaviour is not finite; the message names the first such behaviour."""
    if not np.isfinite(behaviours).all():
        position = int(np.flatnonzero(~np.isfinite(behaviours).all(axis=1))[0])
        raise ValueError(
            f"behaviours must be finite, got the vector {behaviours[position].tolist()} for {kind} {position}"
        )


def not_vectors_error(behaviours: np.ndarray) -> Exception:
    """Return the error for behaviours that are not vectors of equal length, which the search requires."""
    lengths = sorted({len(row) for row in behaviours if type(row) is np.ndarray})
    others = [row for row in behaviours if type(row) is not np.ndarray]
    remedy = "use novelty, local competition or dominated novelty with a callable distance, or return equal lengths"
    if others:
        return TypeError(
            f"behaviours must be numbers, since this search computes with them, got {brief(others[0])}; {remedy}"
        )
    got = f"{' and '.join(map(str, lengths))} numbers{' unlike others' * (len(lengths) == 1)}"
    return ValueError(f"behaviours must have one length, since this search computes with vectors, got {got}; {remedy}")
