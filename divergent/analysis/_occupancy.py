"""Count final positions in the grid cells of a maze, and compute the entropy of the counts."""

import math
from collections.abc import Sequence

import numpy as np
from scipy import stats

CELL_SIZE = 5.0  # side length in maze units of the grid cells in which positions are counted


def visits(positions: np.ndarray, bounds: Sequence[float], cell: float = CELL_SIZE) -> np.ndarray:
    """Count the positions in each square grid cell of a maze.

    Parameters
    ----------
    positions : array_like, shape (n, 2)
        Positions, such as final positions of robots. A position outside the bounds counts in the nearest grid cell.
    bounds : sequence of float
        Bounding box as (left, smallest y, right, largest y). Grid cells start at the left and at the smallest y; the
        last grid cells may extend beyond the bounding box.
    cell : float, default=5.0
        Side length of a grid cell in maze units.

    Returns
    -------
    ndarray of int, shape (rows, columns)
        Number of positions in each grid cell; the first row has the smallest y.

    Raises
    ------
    ValueError
        If `cell` is not positive.

    See Also
    --------
    entropy : Measure how evenly positions are distributed over grid cells.

    Examples
    --------
    >>> visits(np.array([(1, 1), (2, 2), (9, 1)]), bounds=(0, 0, 10, 5))
    array([[2, 1]])
    """
    left, top, right, bottom = bounds
    if cell <= 0:
        raise ValueError(f"cell must be above 0, got {cell}; pass a side length in maze units")
    columns, rows = (max(1, math.ceil(round(side / cell, 9))) for side in (right - left, bottom - top))
    offsets = np.asarray(positions, dtype=float).reshape(-1, 2) - (left, top)
    column, row = (np.clip(offsets // cell, 0, (columns - 1, rows - 1)).astype(int)).T
    return np.bincount(row * columns + column, minlength=rows * columns).reshape(rows, columns)


def entropy(counts: np.ndarray, cells: int | None = None) -> float:
    """Return the entropy of counts, divided by the entropy of equal counts in all grid cells.

    Parameters
    ----------
    counts : array_like
        Counts in an array of any shape, such as the result of `visits`. Counts of 0 may be omitted if `cells` is given.
    cells : int or None, default=None
        Number of grid cells, including empty grid cells. None uses the number of counts.

    Returns
    -------
    float
        Normalised entropy: 0 if only one grid cell is occupied, 1 if all grid cells have equal counts, NaN if all
        counts are 0.

    Raises
    ------
    ValueError
        If `cells` is below the number of counts.

    Examples
    --------
    >>> entropy(np.array([[3, 3], [3, 3]])), entropy(np.array([[6, 0], [0, 0]]))
    (1.0, 0.0)
    >>> entropy(np.array([3, 3]), cells=4)
    0.5
    """
    counts = np.asarray(counts, dtype=float).ravel()
    cells = len(counts) if cells is None else cells
    if cells < len(counts):
        raise ValueError(f"cells must be at least {len(counts)}, which is the number of counts, got {cells}")
    if counts.sum() == 0:
        return math.nan
    if cells == 1:
        return 0.0
    return float(stats.entropy(counts) / math.log(cells))
