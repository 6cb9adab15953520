"""Deviations: how far what happened is from what was expected."""

import math
from collections.abc import Sequence

import numpy as np

from divergent.selection.neighbours import Distance, Points

MOST_CELLS = 1_000_000

Bounds = Sequence[Sequence[float]] | Sequence[float]


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
        if neighbours < 1:
            raise ValueError(f"neighbours must be at least 1, got {neighbours}")
        self.neighbours = neighbours
        self.distance = distance
        self._points: Points | None = None

    def __call__(self, behaviours: np.ndarray, predictions: np.ndarray) -> np.ndarray:
        if self._points is None or self._points.points is not predictions:
            self._points = Points(predictions, self.distance)
        return self._points.mean_nearest(behaviours, self.neighbours)

    def __getstate__(self):
        return vars(self) | {"_points": None}

    def __repr__(self):
        return f"Nearest(neighbours={self.neighbours}, distance={self.distance!r})"


class Heatmap:
    """How empty the behaviour's cell was expected to be.

    A generation is summarised by its heatmap, the number of behaviours in each cell divided by the largest, instead of
    by clusters; the predictor then sees each cell as it sees a cluster, and the score is 1 minus the predicted heat,
    clipped to [0, 1], of the behaviour's cell. Behaviours outside the bounds belong to the nearest cell.

    Parameters
    ----------
    bounds
        Lows and highs of the behaviours, ``((x, y), (x, y))``, or as four numbers ``(x, y, x, y)``.
    cells
        Cells along each dimension: one number for all, or one each.

    Examples
    --------
    >>> heatmap = Heatmap(bounds=((0, 0), (4, 2)), cells=(2, 1))
    >>> heatmap.summarise(np.array([[1.0, 1.0], [1.5, 0.5], [3.0, 1.0]])).ravel()
    array([1. , 0.5])
    >>> heatmap(np.array([[3.0, 1.0]]), np.array([[1.0], [0.25]]))
    array([0.75])
    """

    def __init__(self, bounds: Bounds | None = None, cells: int | Sequence[int] = 20):
        self.low, self.high = read_bounds(bounds, "a heatmap lies in them")
        self.cells = np.broadcast_to(np.array(cells, dtype=int), self.low.shape)
        if (self.cells < 1).any():
            raise ValueError(f"cells must be at least 1 along each dimension, got {cells}")
        if math.prod(self.cells.tolist()) > MOST_CELLS:
            raise ValueError(
                f"a heatmap has at most {MOST_CELLS:,} cells; {cells} along each of {len(self.low)} dimensions are more"
            )

    def summarise(self, behaviours: np.ndarray) -> np.ndarray:
        """The heatmap of a generation, shape (number of cells, 1)."""
        counts = np.bincount(self._cell(behaviours), minlength=int(self.cells.prod()))
        return (counts / counts.max()).reshape(-1, 1)

    def __call__(self, behaviours: np.ndarray, predictions: np.ndarray) -> np.ndarray:
        return 1.0 - np.clip(predictions[self._cell(behaviours), 0], 0.0, 1.0)

    def _cell(self, behaviours):
        if behaviours.shape[1] != len(self.low):
            raise ValueError(f"the bounds are of {len(self.low)} numbers each, the behaviours of {behaviours.shape[1]}")
        if not np.isfinite(behaviours).all():
            position = int(np.flatnonzero(~np.isfinite(behaviours).all(axis=1))[0])
            raise ValueError(f"behaviours must be finite, behaviour {position} is {behaviours[position].tolist()}")
        place = (behaviours - self.low) / (self.high - self.low) * self.cells
        place = np.clip(np.floor(place), 0, self.cells - 1).astype(int)
        return np.ravel_multi_index(tuple(place.T), tuple(self.cells))

    def __repr__(self):
        return f"Heatmap(bounds=({self.low.tolist()}, {self.high.tolist()}), cells={self.cells.tolist()})"


def read_bounds(bounds: Bounds | None, purpose: str) -> tuple[np.ndarray, np.ndarray]:
    """Lows and highs as two arrays, or an error that says what they are needed for."""
    if bounds is None:
        raise ValueError(f"bounds are missing: {purpose}; give ((x low, y low), (x high, y high))")
    array = np.array(bounds, dtype=float)
    if array.shape == (4,):
        array = array.reshape(2, 2)
    if array.ndim != 2 or len(array) != 2 or not np.isfinite(array).all() or not (array[0] < array[1]).all():
        raise ValueError(f"bounds must be finite lows and highs, each low below its high; got {bounds}")
    return array[0], array[1]


DEVIATIONS = {"nearest": Nearest, "heatmap": Heatmap}
