"""Archives of elites: the best solution of each cell of a grid over the behaviours."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from divergent.individual import FitnessValue, Outcomes, pack
from divergent.selection.partitions import Bounds, GridPartition

__all__ = ["Elites"]

CELLS = 20  # default number of cells along each dimension


class Elites:
    """Grid archive: the best individual of each cell of the behaviour space.

    The archive takes no part in the search. Add the individuals that a loop yields, and compare searches by coverage
    and QD score. Of equal individuals in a cell, the first one is kept.

    Parameters
    ----------
    bounds : sequence
        Lower and upper bounds of the behaviours, ``((x, y), (x, y))``, or as four numbers ``(x, y, x, y)``. A
        behaviour outside the bounds belongs to the nearest cell.
    cells : int or sequence of int, default=20
        Cells along each dimension: one number for all dimensions, or one number each.
    worst : float, default=0.0
        Fitness that contributes 0 to the QD score. Choose a lower bound of the fitness.
    index : int or None, default=None
        Position of the fitness value to compare, from 0. None uses the first value, with a warning where an individual
        has several.

    Attributes
    ----------
    best : dict
        The best individual of each occupied cell, by the cell's index, a tuple of integers. An archive of a record has
        numbers of evaluations instead of individuals.
    fitness : ndarray
        Fitness of the best individual, one entry per cell; larger is better. NaN in empty cells.

    Raises
    ------
    ValueError
        If `worst` is not finite.

    See Also
    --------
    divergent.analysis.elites_of_record : The archive of a finished run.

    References
    ----------
    J.-B. Mouret and J. Clune, "Illuminating search spaces by mapping elites", arXiv:1504.04909, 2015.
    J. K. Pugh, L. B. Soros and K. O. Stanley, "Quality diversity: a new frontier for evolutionary computation",
    Frontiers in Robotics and AI 3, 2016 (QD score).

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from divergent.individual import MaximisedFitness, Outcome
    >>> elites = Elites(bounds=((0, 0), (10, 10)), cells=2)
    >>> population = [SimpleNamespace(name=name, fitness=MaximisedFitness()) for name in ("a", "b", "c")]
    >>> for individual, fitness, position in zip(population, (3.0, 5.0, 4.0), ((1, 1), (2, 2), (9, 1))):
    ...     individual.fitness.values = Outcome((fitness,), behaviour=position)
    >>> elites.add(population)
    >>> {cell: individual.name for cell, individual in elites.best.items()}
    {(0, 0): 'b', (1, 0): 'c'}
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
        self._grid = GridPartition(bounds, cells)
        self.low, self.high = self._grid.low, self._grid.high
        if not np.isfinite(worst):
            raise ValueError(f"worst must be a finite fitness, got {worst}; choose a lower bound of the fitness")
        self.worst = float(worst)
        self._fitness_value = FitnessValue(index, "Elites")
        self.best: dict[tuple[int, ...], Any] = {}
        self.fitness = np.full(tuple(self._grid.cells.tolist()), np.nan)

    @property
    def coverage(self) -> float:
        """Fraction of cells that are occupied."""
        return len(self.best) / self.fitness.size

    @property
    def qd_score(self) -> float:
        """Sum of the fitness above `worst` over all occupied cells."""
        return float(np.nansum(self.fitness - self.worst))

    def add(self, individuals: Sequence[Any]) -> None:
        """Insert evaluated individuals where they are better than the elites of their cells.

        Parameters
        ----------
        individuals : sequence
            Individuals with a valid `divergent.Fitness`. The archive keeps references, not copies.

        Raises
        ------
        ValueError
            If a fitness is not finite.
        """
        if len(individuals):
            self.add_outcomes(pack(individuals), individuals)

    def add_outcomes(self, outcomes: Outcomes, individuals: Sequence[Any]) -> None:
        """Insert individuals by their packed outcomes.

        Parameters
        ----------
        outcomes : Outcomes
            Fitness and behaviours, one row per individual.
        individuals : sequence
            The objects to keep, in the same order, such as individuals or numbers of evaluations.

        Raises
        ------
        ValueError
            If a fitness is not finite.
        """
        fitness = self._fitness_value.of(outcomes)
        if not np.isfinite(fitness).all():
            value = fitness[~np.isfinite(fitness)][0]
            raise ValueError(f"individuals must have a finite fitness, got {value}; leave invalid individuals out")
        cells = self._grid.cell_indices(outcomes.behaviours)
        order = np.lexsort((-fitness, cells))  # stable: of equal individuals the first one stays first
        winners = order[np.diff(cells[order], prepend=-1) > 0]
        indices = np.transpose(np.unravel_index(cells[winners], self.fitness.shape))
        for winner, index in zip(winners.tolist(), indices.tolist(), strict=True):
            cell = tuple(index)
            if cell not in self.best or fitness[winner] > self.fitness[cell]:
                self.best[cell], self.fitness[cell] = individuals[winner], fitness[winner]
