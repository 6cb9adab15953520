"""Localities: the parts of a population whose course is predicted, each the continuation of one of before."""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from divergent.individual import Outcomes
from divergent.neighbours._kmeans import Clustering, spread
from divergent.neighbours._validation import check_behaviours, check_finite
from divergent.neighbours.scaling import scaled
from divergent.validation import as_numbers, brief, check_at_least

MOST_CLUSTERS = 200  # where their number is not given
MOST_CELLS = 1_000_000

Bounds = Sequence[Sequence[float]] | Sequence[float]


class Summary(NamedTuple):
    """A generation in k parts."""

    places: np.ndarray
    """What is predicted of each part, shape (k, d)."""

    occupied: np.ndarray
    """Whether somebody belongs to it, shape (k,)."""

    kept: Sequence[int] | slice = slice(None)
    """The rows of before that the first rows continue; all others are new, and have always been where they are."""

    def continued(self, rows: np.ndarray) -> np.ndarray:
        """Rows of before, one for each of the parts there were then, as rows of the parts there are now."""
        rows = rows[self.kept]
        return np.vstack([rows, self.places[len(rows) :]])


class Locality(Protocol):
    """Divides every generation into parts and remembers what it needs to recognise them."""

    def check(self, behaviours: np.ndarray, before: np.ndarray | None) -> np.ndarray:
        """The behaviours of a generation, refused if they cannot be divided into parts that continue those `before`."""

    def summarise(
        self, outcomes: Outcomes, before: np.ndarray | None, factors: np.ndarray | None, rng: np.random.Generator
    ) -> Summary:
        """The parts of a generation, which continue those `before`; `factors` bring behaviours to one scale."""

    def check_memory(self, places: np.ndarray) -> None:
        """Refuse the places of parts, restored from a state, that it cannot continue."""

    def state(self) -> dict[str, Any]:
        """What it remembers, as plain data."""

    def restore(self, state: dict[str, Any]) -> None:
        """Go back to what `state` gave."""


class Clusters:
    """The centroids of clusters, of which those that attract nobody stay where they were.

    Parameters
    ----------
    count
        How many; None for 200 or four fifths of the population, whichever is smaller, when the first one is seen.
    clustering
        A callable of behaviours (m, d) and seeds (k, d) that returns centroids (k, d) and labels (m,). The seeds are
        the centroids of the generation before, or from k-means++ in the first.
    """

    def __init__(self, count: int | None, clustering: Clustering):
        self.count = count
        self.clustering = clustering

    def check(self, behaviours, before):
        if self.count is not None and self.count > len(behaviours):
            raise ValueError(
                f"clusters must be at most the size of the population, {len(behaviours)}; got {self.count}"
            )
        return check_behaviours(behaviours, before)

    def summarise(self, outcomes, before, factors, rng):
        behaviours = scaled(outcomes.behaviours, factors)
        if before is None:
            usual = max(1, min(MOST_CLUSTERS, len(behaviours) * 4 // 5))
            seeds = spread(behaviours, self.count or usual, rng)
        else:
            seeds = scaled(before, factors)
        centroids, labels = self._clustered(behaviours, seeds)
        occupied = np.bincount(labels, minlength=len(seeds)) > 0
        return Summary(centroids if factors is None else centroids / factors, occupied)

    def _clustered(self, behaviours, seeds):
        """What the clustering gave, which may be anybody's."""
        try:
            centroids, labels = self.clustering(behaviours, seeds)
            labels = np.asarray(labels)
        except (TypeError, ValueError) as error:
            raise ValueError(f"a clustering gives centroids and labels; this one does not: {error}") from None
        centroids = as_numbers("centroids", centroids, 2)
        fits = labels.shape == (len(behaviours),) and labels.dtype.kind in "iu" and centroids.shape == seeds.shape
        if not fits or not ((labels >= 0) & (labels < len(seeds))).all() or not np.isfinite(centroids).all():
            raise ValueError(
                f"a clustering gives finite centroids of shape {seeds.shape} and a label from 0 to {len(seeds) - 1} "
                f"for each of {len(behaviours)} behaviours; got {centroids.shape} and {brief(labels)}"
            )
        return centroids, labels

    def check_memory(self, places):
        if self.count is not None and len(places) != self.count:
            raise ValueError(f"there must be {self.count} clusters, got {len(places)}")

    def state(self):
        return {}

    def restore(self, state):
        """There is nothing to remember."""


class Groups:
    """The mean behaviours of groups that somebody names, such as species or lineages.

    Parameters
    ----------
    label
        A callable of outcomes that returns one integer for each: the group it belongs to, the same throughout.
    most
        How many groups are remembered; the one that has been gone for longest makes room for a new one.
    """

    def __init__(self, label: Callable[[Outcomes], Sequence[int]], most: int):
        self.label = label
        self.most = most
        self.known: list[list[int]] = []  # label, and generations since somebody belonged to it

    def check(self, behaviours, before):
        return check_behaviours(behaviours, before)

    def summarise(self, outcomes, before, factors, rng):
        behaviours, labels = outcomes.behaviours, np.asarray(self.label(outcomes))
        if labels.shape != (len(behaviours),):
            raise ValueError(f"groups must give one label for each of {len(behaviours)} outcomes, got {labels.shape}")
        if labels.dtype.kind not in "biu":
            raise TypeError(f"groups must give whole numbers as labels, got {brief(labels.tolist())}")
        present = {int(label): behaviours[labels == label].mean(axis=0) for label in np.unique(labels)}
        if len(present) > self.most:
            raise ValueError(f"there may be at most {self.most} groups (clusters), got {len(present)}")
        aged = [[label, 0 if label in present else absent + 1] for label, absent in self.known]
        new = [label for label in present if label not in {known for known, _ in aged}]
        excess = max(0, len(aged) + len(new) - self.most)
        gone = sorted(range(len(aged)), key=lambda row: -aged[row][1])[:excess]
        kept = [row for row in range(len(aged)) if row not in gone]
        self.known = [aged[row] for row in kept] + [[label, 0] for label in new]
        places = [present.get(aged[row][0], None if before is None else before[row]) for row in kept]
        places += [present[label] for label in new]
        return Summary(np.array(places), np.array([absent == 0 for _, absent in self.known]), kept)

    def check_memory(self, places):
        if len(places) != len(self.known):
            raise ValueError(f"there must be one place for each of {len(self.known)} groups, got {len(places)}")

    def state(self):
        return {"known": self.known}

    def restore(self, state):
        known = [[label, absent] for label, absent in state["known"]]
        for label, absent in known:
            if type(label) is not int:
                raise ValueError(f"labels of groups must be whole numbers, got {brief(label)}")
            check_at_least(0, absent=absent)
        self.known = known


class Cells:
    """The heat of the cells of a grid: the number of behaviours in each, divided by the largest.

    Parameters
    ----------
    bounds
        Lows and highs of the behaviours, ``((x, y), (x, y))``, or as four numbers ``(x, y, x, y)``. Behaviours outside
        belong to the nearest cell.
    cells
        Cells along each dimension: one number for all, or one each.

    Examples
    --------
    >>> cells = Cells(bounds=((0, 0), (4, 2)), cells=(2, 1))
    >>> cells.of(np.array([[1.0, 1.0], [9.0, 1.0]]))
    array([0, 1])
    """

    def __init__(self, bounds: Bounds | None, cells: int | Sequence[int]):
        self.low, self.high = read_bounds(bounds, "a heatmap lies in them")
        each = cells if isinstance(cells, Sequence | np.ndarray) and np.ndim(cells) else [cells] * len(self.low)
        if len(each) != len(self.low):
            raise ValueError(
                f"cells must be one number, or one for each of {len(self.low)} dimensions, got {brief(cells)}"
            )
        for one in each:
            check_at_least(1, cells=one)
        self.cells = np.array(each, dtype=int)
        if math.prod(self.cells.tolist()) > MOST_CELLS:
            raise ValueError(
                f"a heatmap has at most {MOST_CELLS:,} cells; {cells} along each of {len(self.low)} dimensions are more"
            )

    def check(self, behaviours, before):
        behaviours = check_behaviours(behaviours)
        self.of(behaviours)
        return behaviours

    def summarise(self, outcomes, before, factors, rng):
        counts = np.bincount(self.of(outcomes.behaviours), minlength=int(self.cells.prod()))
        return Summary((counts / counts.max()).reshape(-1, 1), np.ones(len(counts), dtype=bool))

    def of(self, behaviours: np.ndarray) -> np.ndarray:
        """The number of each behaviour's cell."""
        behaviours = as_numbers("behaviours", behaviours, 2)
        if behaviours.shape[1] != len(self.low):
            raise ValueError(f"the bounds are of {len(self.low)} numbers each, the behaviours of {behaviours.shape[1]}")
        check_finite(behaviours)
        with np.errstate(over="ignore"):  # what is far away belongs to the last cell
            place = (behaviours - self.low) / (self.high - self.low) * self.cells
        place = np.clip(np.floor(place), 0, self.cells - 1).astype(int)
        return np.ravel_multi_index(tuple(place.T), tuple(self.cells))

    def check_memory(self, places):
        cells = int(self.cells.prod())
        if places.shape != (cells, 1):
            raise ValueError(f"there must be one number for each of {cells} cells, got shape {places.shape}")

    def state(self):
        return {}

    def restore(self, state):
        """There is nothing to remember."""


def read_bounds(bounds: Bounds | None, purpose: str) -> tuple[np.ndarray, np.ndarray]:
    """Lows and highs as two arrays, or an error that says what they are needed for."""
    if bounds is None:
        raise ValueError(f"bounds are missing: {purpose}; give bounds=((x low, y low), (x high, y high))")
    try:
        if np.iscomplexobj(bounds):
            raise TypeError
        array = np.array(bounds, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"bounds must be numbers, lows and highs; got {brief(bounds)}") from None
    if array.shape == (4,):
        array = array.reshape(2, 2)
    if array.ndim != 2 or len(array) != 2 or not np.isfinite(array).all() or not (array[0] < array[1]).all():
        raise ValueError(f"bounds must be finite lows and highs, each low below its high; got {brief(bounds)}")
    return array[0], array[1]
