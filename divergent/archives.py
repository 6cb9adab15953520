"""What a search leaves behind: the best of each cell of a grid over the behaviours, how many there are and how good."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from divergent.individual import FitnessValue, Outcomes, pack
from divergent.maze.task import BEST
from divergent.runs.record import Record
from divergent.selection.partitions import Bounds, GridPartition

CELLS = 20  # along each dimension, where nobody says how many


class Elites:
    """The best of each cell of a grid over the behaviours, of everybody that was ever poured in.

    It takes no part in a search: pour in whoever a loop yields, or make it of a finished record, and searches can be
    compared by what they leave behind. Of equals in a cell the first one stays.

    Parameters
    ----------
    bounds
        Lows and highs of the behaviours, ``((x, y), (x, y))``, or as four numbers ``(x, y, x, y)``. Behaviours outside
        belong to the nearest cell.
    cells
        Number of cells along each dimension: one number for all, or one per dimension.
    worst
        The fitness from which the QD score counts; choose it so that nobody's is lower.
    index : int or None, default=None
        Position of the fitness value to compare, from 0. None is the first one, with a warning where there are several.

    Attributes
    ----------
    best : dict
        Who is the best of a cell, by its place in the grid, a tuple of whole numbers: an individual, or the number of
        an evaluation if it comes from a record.
    fitness : ndarray with as many cells along each dimension as asked for
        The fitness of the best, larger is better; nan in empty cells.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from divergent.individual import MaximisedFitness, Outcome
    >>> elites = Elites(bounds=((0, 0), (10, 10)), cells=2)
    >>> people = [SimpleNamespace(name=name, fitness=MaximisedFitness()) for name in ("Ann", "Bob", "Cleo")]
    >>> for person, fitness, place in zip(people, (3.0, 5.0, 4.0), ((1, 1), (2, 2), (9, 1))):
    ...     person.fitness.values = Outcome((fitness,), behaviour=place)
    >>> elites.add(people)
    >>> {cell: person.name for cell, person in elites.best.items()}
    {(0, 0): 'Bob', (1, 0): 'Cleo'}
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
            raise ValueError(f"worst must be a finite fitness, got {worst}")
        self.worst = float(worst)
        self._chosen = FitnessValue(index, "Elites")
        self.best: dict[tuple[int, ...], Any] = {}
        self.fitness = np.full(tuple(self._grid.cells.tolist()), np.nan)

    @classmethod
    def of_record(cls, record: Record, cells: int | Sequence[int] = CELLS) -> "Elites":
        """Those of a finished run in a maze: the grid covers the maze, and everybody who was evaluated is poured in.

        The QD score counts from the fitness of the maze's corner that is furthest from the goal.
        """
        left, top, right, bottom = record.maze.bounds
        corners = np.array([(x, y) for x in (left, right) for y in (top, bottom)])
        elites = cls(record.maze.bounds, cells, worst=float(_fitness_at(corners, record).min()))
        positions = record.positions.astype(float)
        elites._take(Outcomes(_fitness_at(positions, record), positions), range(len(positions)))
        return elites

    @property
    def coverage(self) -> float:
        """The share of cells that anybody was in."""
        return len(self.best) / self.fitness.size

    @property
    def qd_score(self) -> float:
        """The sum, over all cells that anybody was in, of how much better than `worst` their best is."""
        return float(np.nansum(self.fitness - self.worst))

    def add(self, individuals: Sequence[Any]) -> None:
        """Let evaluated individuals compete for their cells; those who win are kept themselves, not as copies."""
        if len(individuals):
            self._take(pack(individuals), individuals)

    def _take(self, outcomes: Outcomes, members: Sequence[Any]) -> None:
        fitness = self._chosen.of(outcomes)
        if not np.isfinite(fitness).all():
            raise ValueError("elites are compared by a finite fitness, got one that is not")
        cells = self._grid.cell_indices(outcomes.behaviours)
        order = np.lexsort((-fitness, cells))  # of equals the first one comes first
        winners = order[np.diff(cells[order], prepend=-1) > 0]
        places = np.transpose(np.unravel_index(cells[winners], self.fitness.shape))
        for winner, place in zip(winners.tolist(), places.tolist(), strict=True):
            cell = tuple(place)
            if cell not in self.best or fitness[winner] > self.fitness[cell]:
                self.best[cell], self.fitness[cell] = members[winner], fitness[winner]


def _fitness_at(positions: np.ndarray, record: Record) -> np.ndarray:
    """The fitness of robots that end there."""
    return BEST - np.hypot(*(positions - record.maze.goal).T)
