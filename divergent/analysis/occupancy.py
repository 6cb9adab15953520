"""Where robots ended: final positions counted in cells, and how evenly they are spread."""

import math
from collections.abc import Sequence

import numpy as np
from scipy import stats

CELL = 5.0  # maze units: the side of the squares in which visits are counted


def visits(positions: np.ndarray, bounds: Sequence[float], cell: float = CELL) -> np.ndarray:
    """How many positions lie in each square cell of a maze, shape (rows, columns), the smallest y first.

    Cells start at the left and at the smallest y of the bounding box; the last ones may reach beyond it. A position
    outside the box counts in the nearest cell.

    Examples
    --------
    >>> visits(np.array([(1, 1), (2, 2), (9, 1)]), bounds=(0, 0, 10, 5))
    array([[2, 1]])
    """
    left, top, right, bottom = bounds
    if cell <= 0:
        raise ValueError(f"cell must be above 0, got {cell}")
    columns, rows = (max(1, math.ceil(round(side / cell, 9))) for side in (right - left, bottom - top))
    places = np.asarray(positions, dtype=float).reshape(-1, 2) - (left, top)
    column, row = (np.clip(places // cell, 0, (columns - 1, rows - 1)).astype(int)).T
    return np.bincount(row * columns + column, minlength=rows * columns).reshape(rows, columns)


def entropy(counts: np.ndarray) -> float:
    """How evenly visits are spread over cells: 0 if all are in one, 1 if every cell has as many; NaN without visits.

    Examples
    --------
    >>> entropy(np.array([[3, 3], [3, 3]])), entropy(np.array([[6, 0], [0, 0]]))
    (1.0, 0.0)
    """
    counts = np.asarray(counts, dtype=float).ravel()
    if counts.sum() == 0:
        return math.nan
    if len(counts) == 1:
        return 0.0
    return float(stats.entropy(counts) / math.log(len(counts)))
