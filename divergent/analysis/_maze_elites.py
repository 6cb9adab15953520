"""Build archives of elites from finished runs in mazes."""

from collections.abc import Sequence

import numpy as np

from divergent.archives import CELLS, Elites
from divergent.individual import Outcomes
from divergent.maze._maze import BEST
from divergent.runs._maze_record import MazeRecord


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
    elites = Elites(record.maze.bounds, cells, worst=float(_fitness(corners, record).min()))
    positions = record.positions.astype(float)
    elites.add_outcomes(Outcomes(_fitness(positions, record), positions), range(len(positions)))
    return elites


def _fitness(positions: np.ndarray, record: MazeRecord) -> np.ndarray:
    """Return the fitness of robots that end at the given positions."""
    return BEST - np.hypot(*(positions - record.maze.goal).T)
