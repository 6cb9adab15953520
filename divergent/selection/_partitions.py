"""Partitions of a population into clusters, groups, lineages or grid cells, which surprise search tracks."""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from divergent.individual import MOST_ANCESTORS, Outcomes
from divergent.neighbours._kmeans import Clustering, kmeans_plus_plus
from divergent.neighbours._scaling import scaled
from divergent.neighbours._validation import check_behaviours, check_finite
from divergent.validation import as_numbers, brief, check_at_least

MOST_CLUSTERS = 200  # default number of clusters, unless the population is smaller
MOST_CELLS = 1_000_000

Bounds = Sequence[Sequence[float]] | Sequence[float]


class PartitionSummary(NamedTuple):
    """Centroids of the k clusters, groups, lineages or grid cells of a generation."""

    centroids: np.ndarray
    """Vectors to predict, one for each cluster, group, lineage or grid cell, shape (k, d)."""

    occupied: np.ndarray
    """Whether the cluster, group, lineage or grid cell has members, shape (k,)."""

    continued: Sequence[int] | slice = slice(None)
    """Indices of the previous rows that continue in this generation, in order; rows of new groups follow."""

    def align(self, rows: np.ndarray) -> np.ndarray:
        """Convert an array with one row per previous group to an array with one row per current group.

        Rows of groups that no longer exist are removed. The row of each new group is its centroid.
        """
        rows = rows[self.continued]
        return np.vstack([rows, self.centroids[len(rows) :]])


class Partition(Protocol):
    """Interface of a partition, which tracks clusters, groups, lineages or grid cells over generations."""

    def check(self, behaviours: np.ndarray, before: np.ndarray | None) -> np.ndarray:
        """Return the behaviours of a generation; raise an error if they cannot be partitioned.

        The array `before` contains the centroids of the previous generation.
        """

    def summarise(
        self, outcomes: Outcomes, before: np.ndarray | None, factors: np.ndarray | None, rng: np.random.Generator
    ) -> PartitionSummary:
        """Partition a generation and return its centroids.

        The array `before` contains the centroids of the previous generation. Behaviours are scaled by `factors`.
        """

    def check_memory(self, centroids: np.ndarray) -> None:
        """Raise a ValueError if restored centroids have a wrong shape for the partition."""

    def state(self) -> dict[str, Any]:
        """Return the state of the partition as JSON-serialisable data."""

    def restore(self, state: dict[str, Any]) -> None:
        """Restore the partition from the result of `state`."""


class ClusterPartition:
    """Partition into clusters; the centroid of an empty cluster keeps its position.

    Parameters
    ----------
    count : int or None
        Number of clusters. None means 200 clusters, but at most four fifths of the size of the first population.
    clustering : callable
        Function that takes behaviours (m, d) and initial centroids (k, d), and returns centroids (k, d) and labels
        (m,). The initial centroids come from the previous generation, or from k-means++ in the first generation.
    """

    def __init__(self, count: int | None, clustering: Clustering):
        self.count = count
        self.clustering = clustering

    def check(self, behaviours: np.ndarray, before: np.ndarray | None) -> np.ndarray:
        if self.count is not None and self.count > len(behaviours):
            raise ValueError(f"clusters must be at most the population size {len(behaviours)}, got {self.count}")
        return check_behaviours(behaviours, before)

    def summarise(
        self, outcomes: Outcomes, before: np.ndarray | None, factors: np.ndarray | None, rng: np.random.Generator
    ) -> PartitionSummary:
        behaviours = scaled(outcomes.behaviours, factors)
        if before is None:
            default = max(1, min(MOST_CLUSTERS, len(behaviours) * 4 // 5))
            seeds = kmeans_plus_plus(behaviours, self.count or default, rng)
        else:
            seeds = scaled(before, factors)
        centroids, labels = self._cluster(behaviours, seeds)
        occupied = np.bincount(labels, minlength=len(seeds)) > 0
        return PartitionSummary(centroids if factors is None else centroids / factors, occupied)

    def _cluster(self, behaviours: np.ndarray, seeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return centroids and labels; raise a ValueError if a custom clustering returns invalid results."""
        try:
            centroids, labels = self.clustering(behaviours, seeds)
            labels = np.asarray(labels)
        except (TypeError, ValueError) as error:
            raise ValueError(f"clustering must return centroids and labels, got an error: {error}") from None
        centroids = as_numbers("centroids", centroids, 2)
        fits = labels.shape == (len(behaviours),) and labels.dtype.kind in "iu" and centroids.shape == seeds.shape
        if not fits or not ((labels >= 0) & (labels < len(seeds))).all() or not np.isfinite(centroids).all():
            raise ValueError(
                f"clustering must return finite centroids of shape {seeds.shape} and integer labels from 0 to "
                f"{len(seeds) - 1} for {len(behaviours)} behaviours, "
                f"got centroids of shape {centroids.shape} and labels {brief(labels)}"
            )
        return centroids, labels

    def check_memory(self, centroids: np.ndarray) -> None:
        if self.count is not None and len(centroids) != self.count:
            raise ValueError(f"centroids must have one row for each of the {self.count} clusters, got {len(centroids)}")

    def state(self) -> dict[str, Any]:
        return {}

    def restore(self, state: dict[str, Any]) -> None:
        """Do nothing, because this partition has no state; the strategy stores the centroids of the clusters."""


class GroupPartition:
    """Partition into labelled groups, such as species or lineages, each summarised by its mean behaviour.

    Parameters
    ----------
    label : callable
        Function that takes outcomes and returns one integer group label per outcome. A group must keep its label over
        generations.
    most : int
        Maximum number of groups in memory. A new group replaces the group that has been empty for the longest time.
    """

    def __init__(self, label: Callable[[Outcomes], Sequence[int]], most: int):
        self.label = label
        self.most = most
        # label of each group, and number of generations since the group last had members
        self.known: list[list[int]] = []

    def check(self, behaviours: np.ndarray, before: np.ndarray | None) -> np.ndarray:
        return check_behaviours(behaviours, before)

    def summarise(
        self, outcomes: Outcomes, before: np.ndarray | None, factors: np.ndarray | None, rng: np.random.Generator
    ) -> PartitionSummary:
        means = self._group_means(outcomes)
        aged = [[label, 0 if label in means else empty + 1] for label, empty in self.known]
        new = [label for label in means if label not in {known for known, _ in aged}]
        excess = max(0, len(aged) + len(new) - self.most)
        dropped = sorted(range(len(aged)), key=lambda row: -aged[row][1])[:excess]
        continued = [row for row in range(len(aged)) if row not in dropped]
        self.known = [aged[row] for row in continued] + [[label, 0] for label in new]
        centroids = [means.get(aged[row][0], None if before is None else before[row]) for row in continued]
        centroids += [means[label] for label in new]
        return PartitionSummary(np.array(centroids), np.array([empty == 0 for _, empty in self.known]), continued)

    def _group_means(self, outcomes: Outcomes) -> dict[int, np.ndarray]:
        """Return the mean behaviour of each group by label; raise an error if a label is invalid."""
        behaviours, labels = outcomes.behaviours, np.asarray(self.label(outcomes))
        if labels.shape != (len(behaviours),):
            raise ValueError(
                f"groups must return one label for each of the {len(behaviours)} outcomes, "
                f"got an array of shape {labels.shape}"
            )
        if labels.dtype.kind not in "biu":
            raise TypeError(f"groups must return integer labels, got {brief(labels.tolist())}")
        means = {int(label): behaviours[labels == label].mean(axis=0) for label in np.unique(labels)}
        if len(means) > self.most:
            raise ValueError(
                f"groups must return at most {self.most} different labels, got {len(means)} labels; increase clusters"
            )
        return means

    def check_memory(self, centroids: np.ndarray) -> None:
        if len(centroids) != len(self.known):
            raise ValueError(
                f"centroids must have one row for each of the {len(self.known)} groups, got {len(centroids)}"
            )

    def state(self) -> dict[str, Any]:
        return {"known": self.known}

    def restore(self, state: dict[str, Any]) -> None:
        known = [[label, empty] for label, empty in state["known"]]
        for label, empty in known:
            if type(label) is not int:
                raise ValueError(f"labels of groups must be integers, got {brief(label)}")
            check_at_least(0, generations=empty)
        self.known = known


class LineagePartition:
    """Partition into lineages, each with the behaviours of one individual and its ancestors.

    Parameters
    ----------
    history : int
        Maximum number of behaviours in a lineage: the behaviours of the individual, of its first parent, and so on.
    """

    def __init__(self, history: int):
        if history - 1 > MOST_ANCESTORS:
            raise ValueError(
                f"history must not exceed the maximum, {MOST_ANCESTORS + 1}, if partition is 'lineage', got {history}"
            )
        self.history = history

    def check(self, behaviours: np.ndarray, before: np.ndarray | None) -> np.ndarray:
        return check_behaviours(behaviours, before)

    def tracks(self, outcomes: Outcomes, shortest: int = 2) -> list[np.ndarray]:
        """Return the behaviours of lineages, grouped by the length of the lineage.

        An array of shape (h, k, d) contains the behaviours of k lineages of length h, oldest ancestor first.

        Parameters
        ----------
        outcomes : Outcomes
            Outcomes of a generation, with the behaviours of ancestors.
        shortest : int, default=2
            Minimum lineage length; shorter lineages are omitted.
        """
        lines = outcomes.behaviours[:, None]
        if self.history > 1:
            if outcomes.ancestors is None:
                raise ValueError(
                    "outcomes must have ancestors if partition is 'lineage', got none; "
                    f"use divergent.pack(individuals, ancestors={self.history - 1})"
                )
            lines = np.concatenate([lines, outcomes.ancestors[:, : self.history - 1]], axis=1)
        lengths = np.cumprod(np.isfinite(lines).all(axis=2), axis=1).sum(axis=1)
        return [
            np.ascontiguousarray(lines[lengths == length, :length].transpose(1, 0, 2)[::-1])
            for length in range(shortest, lines.shape[1] + 1)
            if (lengths == length).any()
        ]

    def summarise(
        self, outcomes: Outcomes, before: np.ndarray | None, factors: np.ndarray | None, rng: np.random.Generator
    ) -> PartitionSummary:
        behaviours = np.array(outcomes.behaviours, dtype=float)
        return PartitionSummary(behaviours, np.ones(len(behaviours), dtype=bool), [])

    def check_memory(self, centroids: np.ndarray) -> None:
        """Accept all restored centroids, since the number of lineages varies."""

    def state(self) -> dict[str, Any]:
        return {}

    def restore(self, state: dict[str, Any]) -> None:
        """Do nothing, because this partition has no state; individuals store the behaviours of their ancestors."""


class GridPartition:
    """Partition into grid cells; heat is the number of behaviours in a grid cell divided by the largest such number.

    Parameters
    ----------
    bounds : sequence
        Lower and upper bounds of the grid, ``((x, y), (x, y))`` or ``(x, y, x, y)``. Behaviours outside the bounds
        belong to the nearest grid cell.
    cells : int or sequence of int
        Number of grid cells along each dimension: one number for all dimensions, or one number per dimension.

    Examples
    --------
    >>> grid = GridPartition(bounds=((0, 0), (4, 2)), cells=(2, 1))
    >>> grid.cell_indices(np.array([[1.0, 1.0], [9.0, 1.0]]))
    array([0, 1])
    """

    def __init__(self, bounds: Bounds | None, cells: int | Sequence[int]):
        self.low, self.high = read_bounds(bounds, "a grid needs them")
        counts = cells if isinstance(cells, Sequence | np.ndarray) and np.ndim(cells) else [cells] * len(self.low)
        if len(counts) != len(self.low):
            raise ValueError(
                f"cells must be one integer, or one integer for each of the {len(self.low)} dimensions, "
                f"got {brief(cells)}"
            )
        for count in counts:
            check_at_least(1, cells=count)
        self.cells = np.array(counts, dtype=int)
        if math.prod(self.cells.tolist()) > MOST_CELLS:
            raise ValueError(
                f"cells must give at most {MOST_CELLS:,} grid cells in total, got {brief(cells)} for "
                f"{len(self.low)} behaviour dimensions; use fewer cells along each dimension"
            )

    def check(self, behaviours: np.ndarray, before: np.ndarray | None) -> np.ndarray:
        behaviours = check_behaviours(behaviours)
        self.cell_indices(behaviours)
        return behaviours

    def summarise(
        self, outcomes: Outcomes, before: np.ndarray | None, factors: np.ndarray | None, rng: np.random.Generator
    ) -> PartitionSummary:
        counts = np.bincount(self.cell_indices(outcomes.behaviours), minlength=int(self.cells.prod()))
        return PartitionSummary((counts / counts.max()).reshape(-1, 1), np.ones(len(counts), dtype=bool))

    def cell_indices(self, behaviours: np.ndarray) -> np.ndarray:
        """Return the flat index of the grid cell that contains each behaviour."""
        behaviours = as_numbers("behaviours", behaviours, 2)
        if behaviours.shape[1] != len(self.low):
            raise ValueError(
                f"behaviours must have as many dimensions as the bounds, {len(self.low)}, got {behaviours.shape[1]}"
            )
        check_finite(behaviours)
        with np.errstate(over="ignore"):  # positions that overflow to infinity are clipped to the outermost grid cell
            position = (behaviours - self.low) / (self.high - self.low) * self.cells
        position = np.clip(np.floor(position), 0, self.cells - 1).astype(int)
        return np.ravel_multi_index(tuple(position.T), tuple(self.cells))

    def check_memory(self, centroids: np.ndarray) -> None:
        cells = int(self.cells.prod())
        if centroids.shape != (cells, 1):
            raise ValueError(
                f"centroids must contain one number for each of the {cells} grid cells, "
                f"got an array of shape {centroids.shape}"
            )

    def state(self) -> dict[str, Any]:
        return {}

    def restore(self, state: dict[str, Any]) -> None:
        """Do nothing, because a grid has no state that changes during a run."""


def read_bounds(bounds: Bounds | None, purpose: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the lower and the upper bounds as two arrays.

    If bounds are missing, the error message gives `purpose` as the reason why bounds are needed.
    """
    if bounds is None:
        raise ValueError(f"bounds must be passed, got None: {purpose}; pass bounds=((x low, y low), (x high, y high))")
    try:
        if np.iscomplexobj(bounds):
            raise TypeError
        array = np.array(bounds, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(
            f"bounds must contain only numbers, got {brief(bounds)}; pass bounds=((x low, y low), (x high, y high))"
        ) from None
    if array.shape == (4,):
        array = array.reshape(2, 2)
    if array.ndim != 2 or len(array) != 2 or not np.isfinite(array).all() or not (array[0] < array[1]).all():
        raise ValueError(
            f"bounds must be finite, and each lower bound must be below its upper bound, got {brief(bounds)}"
        )
    return array[0], array[1]
