"""Deviations: how far what happened is from what was expected."""

from collections.abc import Callable, Sequence

import numpy as np

from divergent.neighbours.index import Distance, NeighbourIndex, check_distance
from divergent.selection.partitions import Bounds, Cells
from divergent.validation import as_numbers, check_at_least

Deviation = Callable[[np.ndarray, np.ndarray], np.ndarray]


class Nearest:
    """Mean distance to the nearest predictions.

    Parameters
    ----------
    neighbours
        How many nearest predictions the distance is averaged over.
    distance
        "euclidean", another metric of `scipy.spatial.distance.cdist`, or a callable of two vectors.

    Examples
    --------
    >>> Nearest(neighbours=2)(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0], [0.0, 1.0], [99.0, 99.0]]))
    array([3.])
    """

    def __init__(self, neighbours: int = 2, distance: Distance = "euclidean"):
        check_at_least(1, neighbours=neighbours)
        self.neighbours = neighbours
        self.distance = check_distance(distance)
        self._points: NeighbourIndex | None = None

    def __call__(self, behaviours: np.ndarray, predictions: np.ndarray) -> np.ndarray:
        if self._points is None or self._points.points is not predictions:
            self._points = NeighbourIndex(predictions, self.distance)
        return self._points.mean_nearest(behaviours, self.neighbours)

    def __getstate__(self):
        return vars(self) | {"_points": None}

    def __repr__(self):
        return f"Nearest(neighbours={self.neighbours}, distance={self.distance!r})"


class Heatmap:
    """How empty the behaviour's cell was expected to be.

    It brings a locality of its own, the cells of a grid instead of clusters: the predictor sees the heat of each cell,
    the number of behaviours in it divided by the largest, as it sees a cluster. The score is 1 minus the heat, clipped
    to [0, 1], that was predicted for the behaviour's cell.

    Parameters
    ----------
    bounds, cells
        Where the cells are and how many, see `Cells`.

    Attributes
    ----------
    locality
        The `Cells`.

    Examples
    --------
    >>> heatmap = Heatmap(bounds=((0, 0), (4, 2)), cells=(2, 1))
    >>> heatmap(np.array([[3.0, 1.0]]), np.array([[1.0], [0.25]]))
    array([0.75])
    """

    def __init__(self, bounds: Bounds | None = None, cells: int | Sequence[int] = 20):
        self.locality = Cells(bounds, cells)

    def __call__(self, behaviours: np.ndarray, predictions: np.ndarray) -> np.ndarray:
        heat = as_numbers("predictions", predictions, 2)
        cells = int(self.locality.cells.prod())
        if heat.shape != (cells, 1) or not np.isfinite(heat).all():
            raise ValueError(f"a heatmap is predicted by one finite number for each of {cells} cells, got {heat.shape}")
        return 1.0 - np.clip(heat[self.locality.of(behaviours), 0], 0.0, 1.0)

    def __repr__(self):
        grid = self.locality
        return f"Heatmap(bounds=({grid.low.tolist()}, {grid.high.tolist()}), cells={grid.cells.tolist()})"


DEVIATIONS = {"nearest": Nearest, "heatmap": Heatmap}
