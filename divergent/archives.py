"""Archives of elites: the best solution in each cell of a grid or Voronoi tessellation of the behaviour space."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from divergent.individual import FitnessValue, Outcomes, pack
from divergent.selection._partitions import Bounds, GridPartition, read_bounds
from divergent.validation import as_numbers, check_at_least

__all__ = ["CVTElites", "Elites"]

CELLS = 20  # default number of cells along each dimension
SAMPLES_PER_CELL = 25  # default number of uniform samples for each cell of a Voronoi tessellation


class Elites:
    """MAP-Elites archive: the best individual in each cell of a grid over the behaviour space.

    Add the individuals of a loop to the archive to compare searches by coverage and QD score. The loop `map_elites`
    selects its parents from a MAP-Elites archive. Among individuals of equal fitness in a cell, the archive keeps the
    first.

    Parameters
    ----------
    bounds : sequence
        Lower and upper bounds of the behaviours, ``((x_min, y_min), (x_max, y_max))`` or ``(x_min, y_min, x_max,
        y_max)``. A behaviour outside the bounds belongs to the nearest cell.
    cells : int or sequence of int, default=20
        Number of cells along each dimension: one integer for all dimensions, or one integer per dimension.
    worst : float, default=0.0
        Fitness that contributes 0 to the QD score. Choose a lower bound of the fitness.
    index : int or None, default=None
        Index of the fitness value by which individuals are compared, counted from 0. None uses the first fitness value
        and warns if there are several.

    Attributes
    ----------
    best : dict
        Maps the index of each occupied cell, a tuple of integers, to the best individual of the cell. An
        archive of a recorded run contains evaluation numbers instead of individuals.
    fitness : ndarray
        Fitness of the best individual of each cell; larger is better. Empty cells contain NaN.

    Raises
    ------
    ValueError
        If `worst` is not finite.

    See Also
    --------
    CVTElites : Archive whose cells are a centroidal Voronoi tessellation.
    divergent.map_elites : MAP-Elites, the loop that selects parents from an archive.
    divergent.analysis.elites_of_record : Archive filled with all individuals of a recorded run.

    References
    ----------
    J.-B. Mouret and J. Clune, "Illuminating search spaces by mapping elites", arXiv:1504.04909, 2015.
    J. K. Pugh, L. B. Soros and K. O. Stanley, "Quality diversity: a new frontier for evolutionary computation",
    Frontiers in Robotics and AI 3, 2016 (QD score).

    Examples
    --------
    Two of four grid cells are occupied, and individual b replaces individual a:

    >>> from types import SimpleNamespace
    >>> from divergent.individual import MaximisedFitness, Outcome
    >>> elites = Elites(bounds=((0, 0), (10, 10)), cells=2)
    >>> population = [SimpleNamespace(name=name, fitness=MaximisedFitness()) for name in ("a", "b", "c")]
    >>> for individual, fitness, position in zip(population, (3.0, 5.0, 4.0), ((1, 1), (2, 2), (9, 1))):
    ...     individual.fitness.values = Outcome((fitness,), behaviour=position)
    >>> elites.add(population)
    >>> elites.best[0, 0].name, elites.best[1, 0].name
    ('b', 'c')
    >>> elites.coverage, elites.qd_score
    (0.5, 9.0)
    """

    def __init__(
        self,
        bounds: Bounds,
        cells: int | Sequence[int] = CELLS,
        *,
        worst: float = 0.0,
        index: int | None = None,
    ):
        grid = GridPartition(bounds, cells)
        self._begin(grid, tuple(grid.cells.tolist()), worst, index)

    def _begin(self, partition: Any, shape: tuple[int, ...], worst: float, index: int | None) -> None:
        """Begin with empty cells."""
        self._partition = partition
        self.low, self.high = partition.low, partition.high
        if not np.isfinite(worst):
            raise ValueError(f"worst must be a finite fitness, got {worst}; choose a lower bound of the fitness")
        self.worst = float(worst)
        self._fitness_value = FitnessValue(index, "Elites")
        self.best: dict[tuple[int, ...], Any] = {}
        self.fitness = np.full(shape, np.nan)

    @property
    def coverage(self) -> float:
        """Fraction of archive cells that contain an individual."""
        return len(self.best) / self.fitness.size

    @property
    def qd_score(self) -> float:
        """QD score, the sum of ``fitness - worst`` over all occupied cells."""
        return float(np.nansum(self.fitness - self.worst))

    def cells_of(self, individuals: Sequence[Any]) -> list[tuple[int, ...]]:
        """Return the index of each individual's archive cell.

        Parameters
        ----------
        individuals : sequence
            Individuals with a valid `divergent.Fitness`.

        Returns
        -------
        list of tuple of int
            Index of each individual's cell. The indices of occupied cells are the keys of `best`.
        """
        return self._unravel(self._partition.cell_indices(pack(individuals).behaviours))

    def _unravel(self, flat: np.ndarray) -> list[tuple[int, ...]]:
        """Convert flat cell indices to tuples with one index per dimension."""
        return [tuple(index) for index in np.transpose(np.unravel_index(flat, self.fitness.shape)).tolist()]

    def add(self, individuals: Sequence[Any]) -> None:
        """Insert each evaluated individual whose cell is empty or whose fitness exceeds that of the cell's elite.

        Parameters
        ----------
        individuals : sequence
            Individuals with a valid `divergent.Fitness`. The archive keeps references to the individuals, not copies.

        Raises
        ------
        ValueError
            If a fitness is not finite.
        """
        if len(individuals):
            self.add_outcomes(pack(individuals), individuals)

    def add_outcomes(self, outcomes: Outcomes, individuals: Sequence[Any]) -> None:
        """Insert individuals whose fitness and behaviours are given as arrays.

        Parameters
        ----------
        outcomes : Outcomes
            Fitness and behaviours, one row per individual.
        individuals : sequence
            Objects to keep in the archive, in the order of the rows, such as individuals or evaluation numbers.

        Raises
        ------
        ValueError
            If a fitness is not finite.
        """
        fitness = self._fitness_value.of(outcomes)
        if not np.isfinite(fitness).all():
            value = fitness[~np.isfinite(fitness)][0]
            raise ValueError(f"individuals must have a finite fitness, got {value}; leave invalid individuals out")
        cells = self._partition.cell_indices(outcomes.behaviours)
        order = np.lexsort((-fitness, cells))  # stable sort, so that the first of equally fit individuals is kept
        winners = order[np.diff(cells[order], prepend=-1) > 0]
        for winner, cell in zip(winners.tolist(), self._unravel(cells[winners]), strict=True):
            if cell not in self.best or fitness[winner] > self.fitness[cell]:
                self.best[cell], self.fitness[cell] = individuals[winner], fitness[winner]


class CVTElites(Elites):
    """Archive whose cells are a centroidal Voronoi tessellation (CVT) of the behaviour space.

    The number of cells does not grow with the number of dimensions. Uniform samples are clustered by k-means, and the
    cells are the Voronoi cells of the centroids.

    Parameters
    ----------
    bounds : sequence
        Lower and upper bounds of the behaviours, ``((x_min, y_min), (x_max, y_max))``. Before distances are computed,
        each dimension is scaled so that its bounds become 0 and 1.
    cells : int, default=400
        Number of cells.
    samples : int or None, default=None
        Number of uniform samples that are clustered. None uses 25 samples per cell.
    seed : int, default=0
        Random seed of the samples and of k-means. The same arguments give the same cells.
    worst : float, default=0.0
        Fitness that contributes 0 to the QD score.
    index : int or None, default=None
        Index of the fitness value by which individuals are compared; see `Elites`.

    Attributes
    ----------
    centroids : ndarray of shape (cells, d)
        Centres of the Voronoi cells.

    Raises
    ------
    ValueError
        If an argument is invalid.

    See Also
    --------
    Elites : Archive whose cells form a grid.

    References
    ----------
    V. Vassiliades, K. Chatzilygeroudis and J.-B. Mouret, "Using centroidal Voronoi tessellations to scale up the
    multidimensional archive of phenotypic elites algorithm", IEEE Transactions on Evolutionary Computation 22(4), 2018.

    Examples
    --------
    >>> elites = CVTElites(bounds=((0, 0, 0), (1, 1, 1)), cells=8)
    >>> elites.centroids.shape, elites.coverage
    ((8, 3), 0.0)
    """

    def __init__(
        self,
        bounds: Bounds,
        cells: int = CELLS**2,
        *,
        samples: int | None = None,
        seed: int = 0,
        worst: float = 0.0,
        index: int | None = None,
    ):
        check_at_least(1, cells=cells)
        if samples is not None:
            check_at_least(cells, samples=samples)
        check_at_least(0, seed=seed)
        partition = _VoronoiPartition(bounds, cells, samples or SAMPLES_PER_CELL * cells, seed)
        self.centroids = partition.centroids
        self._begin(partition, (cells,), worst, index)


class _VoronoiPartition:
    """Voronoi cells of the behaviour space, with centres computed by k-means from uniform samples."""

    def __init__(self, bounds: Bounds, cells: int, samples: int, seed: int):
        from scipy.spatial import KDTree
        from sklearn.cluster import KMeans

        self.low, self.high = read_bounds(bounds, "a tessellation needs them")
        points = np.random.default_rng(seed).random((samples, len(self.low)))
        unit = KMeans(cells, n_init=1, random_state=seed).fit(points).cluster_centers_
        self.centroids = self.low + unit * (self.high - self.low)
        self._tree = KDTree(unit)

    def cell_indices(self, behaviours: np.ndarray) -> np.ndarray:
        """Return, for each behaviour, the index of the nearest centroid."""
        behaviours = as_numbers("behaviours", behaviours, 2)
        if behaviours.shape[1] != len(self.low):
            raise ValueError(
                f"behaviours must have as many dimensions as bounds, {len(self.low)}, got {behaviours.shape[1]}"
            )
        inside = np.clip(behaviours, self.low, self.high)
        return np.asarray(self._tree.query((inside - self.low) / (self.high - self.low))[1])
