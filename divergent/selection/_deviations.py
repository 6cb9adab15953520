"""Deviation measures of surprise search, which compare behaviours with predictions."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from divergent.neighbours._index import Distance, NeighbourIndex, check_distance
from divergent.selection._partitions import Bounds, GridPartition
from divergent.validation import as_numbers, check_at_least

Deviation = Callable[[np.ndarray, np.ndarray], np.ndarray]


class Nearest:
    """Mean distance to the nearest predictions.

    Parameters
    ----------
    neighbours : int, default=2
        Number of nearest predictions, k, over which distances are averaged.
    distance : str or callable, default="euclidean"
        Distance metric: euclidean, another metric of `scipy.spatial.distance.cdist`, or a callable of two vectors.

    See Also
    --------
    Heatmap : Deviation from a predicted heatmap.

    Examples
    --------
    >>> Nearest(neighbours=2)(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0], [0.0, 1.0], [99.0, 99.0]]))
    array([3.])
    """

    def __init__(self, neighbours: int = 2, distance: Distance = "euclidean"):
        check_at_least(1, neighbours=neighbours)
        self.neighbours = neighbours
        self.distance = check_distance(distance)
        self._index: NeighbourIndex | None = None

    def __call__(self, behaviours: np.ndarray, predictions: np.ndarray) -> np.ndarray:
        """Return the deviation of each behaviour from the predictions."""
        if self._index is None or self._index.points is not predictions:
            self._index = NeighbourIndex(predictions, self.distance)
        return self._index.mean_nearest(behaviours, self.neighbours)

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_index": None}

    def __repr__(self) -> str:
        return f"Nearest(neighbours={self.neighbours}, distance={self.distance!r})"


class Heatmap:
    """Deviation from a predicted heatmap: one minus the predicted heat of the behaviour's grid cell.

    Behaviour space is partitioned into grid cells instead of clusters. The heat of a grid cell is its number of
    behaviours divided by the largest number in any grid cell. The predictor predicts the heat of each grid cell;
    predicted heat is clipped to [0, 1].

    Parameters
    ----------
    bounds : sequence
        Lower and upper bounds of the grid, ``((x, y), (x, y))`` or ``(x, y, x, y)``.
    cells : int or sequence of int, default=20
        Number of grid cells along each dimension: one number for all dimensions, or one number per dimension.

    Attributes
    ----------
    partition : GridPartition
        The grid.

    See Also
    --------
    Nearest : Mean distance to the nearest predictions.

    Examples
    --------
    >>> heatmap = Heatmap(bounds=((0, 0), (4, 2)), cells=(2, 1))
    >>> heatmap(np.array([[3.0, 1.0]]), np.array([[1.0], [0.25]]))
    array([0.75])
    """

    def __init__(self, bounds: Bounds | None = None, cells: int | Sequence[int] = 20):
        self.partition = GridPartition(bounds, cells)

    def __call__(self, behaviours: np.ndarray, predictions: np.ndarray) -> np.ndarray:
        """Return the deviation of each behaviour from the predictions."""
        heat = as_numbers("predictions", predictions, 2)
        cells = int(self.partition.cells.prod())
        if heat.shape != (cells, 1) or not np.isfinite(heat).all():
            raise ValueError(
                f"predictions for {cells} grid cells must be an array of shape ({cells}, 1) without nan and infinity, "
                f"got an array of shape {heat.shape}"
            )
        return 1.0 - np.clip(heat[self.partition.cell_indices(behaviours), 0], 0.0, 1.0)

    def __repr__(self) -> str:
        grid = self.partition
        return f"Heatmap(bounds=({grid.low.tolist()}, {grid.high.tolist()}), cells={grid.cells.tolist()})"


DEVIATIONS = {"nearest": Nearest, "heatmap": Heatmap}
