"""Do the run of a record again, exactly, to see what the record does not hold."""

import warnings
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from divergent.history import History
from divergent.loops import Step
from divergent.runs.build import Parts, assemble
from divergent.runs.record import Record
from divergent.runs.settings import Plan, check_size
from divergent.selection import SEARCHES


class Repeat(NamedTuple):
    """A record's run that is about to be done again, step by step."""

    parts: Parts
    history: History
    """What happened so far."""
    steps: Iterator[Step]


def replay(record: Record) -> History:
    """The history of a record's run, by doing the run again.

    A record tells how many species there were, not which; the history has the members of each by its lasting id, every
    parent, score and genome's size, and what the search remembered. It takes as long as the run took. If the repeat
    went another way than the record, as on another processor it may, there is a warning that says from where on.

    Examples
    --------
    >>> from divergent import Settings, run
    >>> record = run(Settings(maze="medium", search="surprise", population=20, generations=5))
    >>> history = replay(record)
    >>> len(history), [sum(one.species.values()) for one in history.generations]
    (100, [20, 20, 20, 20, 20])
    """
    _, history, steps = repeat(record)
    for _ in steps:
        pass
    if told := difference(record.positions, history.behaviours[:, -2:]):
        warnings.warn(told, stacklevel=2)
    return history


def repeat(record: Record) -> Repeat:
    """Prepare the run of a record to be done again, until it is solved or its budget is spent.

    Parameters
    ----------
    record : Record
        The record; its strategy must be registered in this process, with the options that the record has.

    Returns
    -------
    Repeat

    Raises
    ------
    ValueError
        If this process cannot build the run.
    """
    _check_plan(record.settings)
    parts = assemble(record.settings, record.maze)
    history = History(strategy=parts.strategy, species=parts.species)
    return Repeat(parts, history, _until_solved(parts, history))


def _check_plan(plan: Plan) -> None:
    """Reject a plan whose run this process cannot do; a record may come from another version or another program."""
    if plan.search not in SEARCHES:
        raise ValueError(
            f"search must be registered in divergent.selection.SEARCHES, got {plan.search!r}; "
            "import the module that registers it, then call divergent.explore or divergent.runs.replay"
        )
    check_size(plan)
    try:
        plan.strategy((0.0, 0.0, 1.0, 1.0), np.random.default_rng(0))
    except (TypeError, ValueError) as error:
        raise ValueError(f"options of search {plan.search!r} must be those of its class here: {error}") from error


def _until_solved(parts: Parts, history: History) -> Iterator[Step]:
    for step in history.watch(parts.steps()):
        yield step
        if any(parts.task.solved(individual.fitness.values) for individual in step.offspring):
            return


def difference(recorded: np.ndarray, repeated: np.ndarray) -> str:
    """A sentence if the final positions of a repeat are not the recorded ones, else nothing.

    Examples
    --------
    >>> places = np.array([(1.0, 2.0), (3.0, 4.0)])
    >>> difference(places, places)
    ''
    >>> difference(places, places + [(0.0, 0.0), (0.0, 0.5)])
    'The repeat differs from the record from evaluation 2 on, as on another processor it may.'
    """
    count = min(len(recorded), len(repeated))
    differ = (recorded[:count].astype(np.float32) != repeated[:count].astype(np.float32)).any(axis=1)
    if not differ.any() and len(recorded) <= len(repeated):
        return ""
    first = int(differ.argmax()) if differ.any() else count
    return f"The repeat differs from the record from evaluation {first + 1:,} on, as on another processor it may."
