"""Repetition of a recorded run, which yields data that the record does not contain."""

import warnings
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from divergent.history import History
from divergent.loops._contract import Step
from divergent.runs._maze_plan import MazePlan, check_maze_size
from divergent.runs._maze_record import MazeRecord
from divergent.runs.build import Parts, assemble
from divergent.selection._searches import SEARCHES


class Repeat(NamedTuple):
    """A recorded run that is ready to be repeated step by step."""

    parts: Parts
    history: History
    """The history of the steps so far."""
    steps: Iterator[Step]


def replay(record: MazeRecord) -> History:
    """Repeat the run of a record and return its history.

    Unlike a record, the history contains the members of each species and the memory of the strategy, such as its
    archive. The history also contains the parents, score and genome size of each individual. The repetition
    takes as long as the original run. A warning is issued if final positions differ from the record, which is possible
    on another processor.

    Parameters
    ----------
    record : MazeRecord
        The record, whose search must be registered in this process.

    Returns
    -------
    History
        The history of the run.

    Raises
    ------
    ValueError
        If the search is not registered, or the settings are invalid in this version of `divergent`.

    See Also
    --------
    divergent.explore : Show the repeated run as an interactive page.

    Examples
    --------
    Print the number of recorded individuals, and the number of species members in each generation:

    >>> from divergent import Settings, run
    >>> record = run(Settings(maze="medium", search="surprise", population=20, generations=5))
    >>> history = replay(record)
    >>> len(history), [sum(generation.species.values()) for generation in history.generations]
    (100, [20, 20, 20, 20, 20])
    """
    _, history, steps = repeat(record)
    for _ in steps:
        pass
    if message := difference(record.positions, history.behaviours[:, -2:]):
        warnings.warn(message, stacklevel=2)
    return history


def repeat(record: MazeRecord) -> Repeat:
    """Prepare the repetition of a run up to its solution or its last generation.

    Parameters
    ----------
    record : MazeRecord
        The record, whose search must be registered in this process with the same options.

    Returns
    -------
    Repeat
        The toolbox, strategy, species and population of the run, its history, and an iterator over its steps.

    Raises
    ------
    ValueError
        If the search is not registered, or the settings are invalid in this version of `divergent`.
    """
    parts = _build(record)
    history = History(strategy=parts.strategy, species=parts.species)
    return Repeat(parts, history, _until_solved(parts, history))


def _build(record: MazeRecord) -> Parts:
    """Build the toolbox, strategy, species and population of a recorded run; invalid settings raise an error."""
    plan: MazePlan = record.settings
    if plan.search not in SEARCHES:
        raise ValueError(
            f"search must be registered in divergent.selection.SEARCHES, got {plan.search!r}; "
            "import the module that registers it, then call divergent.explore or divergent.runs.replay"
        )
    check_maze_size(plan)
    try:
        return assemble(plan, record.maze)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"settings of the record must be valid in this version of divergent, got an error: {error}"
        ) from error


def _until_solved(parts: Parts, history: History) -> Iterator[Step]:
    """Yield the steps of a run up to the first solution."""
    for step in history.watch(parts.steps()):
        yield step
        if any(parts.task.solved(individual.fitness.values) for individual in step.offspring):
            return


def difference(recorded: np.ndarray, repeated: np.ndarray) -> str:
    """Describe the first difference between repeated and recorded final positions; return "" if all are equal.

    Examples
    --------
    If all positions are equal, the description is empty:

    >>> positions = np.array([(1.0, 2.0), (3.0, 4.0)])
    >>> difference(positions, positions)
    ''

    Otherwise, the description contains the number of the first evaluation that differs:

    >>> difference(positions, positions + [(0.0, 0.0), (0.0, 0.5)])
    'The repeat differs from the record from evaluation 2 on, which is possible on another processor.'
    """
    count = min(len(recorded), len(repeated))
    differ = (recorded[:count].astype(np.float32) != repeated[:count].astype(np.float32)).any(axis=1)
    if not differ.any() and len(recorded) <= len(repeated):
        return ""
    first = int(differ.argmax()) if differ.any() else count
    return (
        f"The repeat differs from the record from evaluation {first + 1:,} on, which is possible on another processor."
    )
