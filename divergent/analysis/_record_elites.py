"""Build archives of elites from the records of finished runs."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from divergent.archives import CELLS, Elites
from divergent.individual import Outcomes
from divergent.maze._maze import BEST
from divergent.runs._maze_record import MazeRecord

MOST_DIMENSIONS = 3  # grids with more dimensions are mostly empty, so their coverage is not informative


def elites_of_record(record: MazeRecord, cells: int | Sequence[int] = CELLS) -> Elites:
    """Build an archive of elites from all evaluations of a finished run in a maze.

    Parameters
    ----------
    record : MazeRecord
        Record of a finished run in a maze.
    cells : int or sequence of int, default=20
        Number of grid cells along each dimension of the bounding box of the maze.

    Returns
    -------
    Elites
        Archive that represents each elite by its evaluation number. The QD score sums the fitness of all elites,
        relative to the fitness at the maze corner farthest from the goal.

    See Also
    --------
    divergent.archives.Elites

    Examples
    --------
    >>> from divergent.runs import Settings, run
    >>> record = run(Settings(maze="medium", search="random", population=4, generations=1, steps=20))
    >>> elites_of_record(record, cells=1).coverage
    1.0
    """
    left, top, right, bottom = record.maze.bounds
    corners = np.array([(x, y) for x in (left, right) for y in (top, bottom)])
    elites = record_elites(record, cells, worst=float((BEST - np.hypot(*(corners - record.maze.goal).T)).min()))
    assert elites is not None
    return elites


def record_elites(record: Any, cells: int | Sequence[int] = CELLS, worst: float | None = None) -> Elites | None:
    """Build an archive of elites from all evaluations of a finished run of any problem.

    Parameters
    ----------
    record : Record
        The record of a finished run.
    cells : int or sequence of int, default=20
        Number of grid cells along each behaviour dimension.
    worst : float or None, default=None
        Weighted fitness that counts as 0 in the QD score; None uses the worst fitness of the run.

    Returns
    -------
    Elites or None
        Archive that represents each elite by its evaluation number. None if the behaviour does not have one to three
        bounded dimensions, or if no feasible individual has a finite fitness.
    """
    limits = record.info.limits
    if not 1 <= len(limits) <= MOST_DIMENSIONS or not isinstance(record.behaviours, np.ndarray):
        return None
    fitness = record.fitness[:, 0] * record.info.weights[0]
    finite = np.isfinite(fitness)
    if getattr(record, "violations", None) is not None:
        finite &= record.violations == 0
    if not finite.any():
        return None
    lower, upper = (tuple(pair[end] for pair in limits) for end in (0, 1))
    elites = Elites((lower, upper), cells, worst=float(fitness[finite].min()) if worst is None else worst)
    behaviours = record.behaviours.astype(float)[finite]
    elites.add_outcomes(Outcomes(fitness[finite], behaviours), np.flatnonzero(finite).tolist())
    return elites
