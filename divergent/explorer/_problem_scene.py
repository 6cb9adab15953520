"""Create the page content of a recorded run on any problem; repeat the run if the problem is given."""

from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

from divergent._text import printable
from divergent.explorer._batch import RunSummary, add_detail
from divergent.explorer._descriptions import name_of
from divergent.explorer._scene import Scene, scene_of
from divergent.history import History
from divergent.individual import Fitness, Outcome
from divergent.loops._contract import Step
from divergent.problem import Problem
from divergent.runs.build import assemble
from divergent.runs.record import ProblemRecord
from divergent.validation import brief

CLOSE = 1e-4  # tolerance for differences between repeated and recorded behaviours, which have single precision


class _Maximised(Fitness):
    weights = (1.0,)


class _Minimised(Fitness):
    weights = (-1.0,)


def scene_of_problem_record(record: ProblemRecord, problem: Problem | None = None) -> Scene:
    """Return the page content of a recorded run of a problem.

    Parameters
    ----------
    record : ProblemRecord
        Record of a run whose behaviours are vectors.
    problem : Problem or None, default=None
        The problem of the run, used to repeat the run and obtain parents, species and predictions; None shows only the
        data of the record.

    Returns
    -------
    Scene
        Page content of the run.

    Raises
    ------
    ValueError
        If the behaviours are not vectors.
    """
    behaviours = vectors(record)
    history, remark = recorded_history(record, behaviours), ""
    if problem is not None:
        repeated = repeat_problem(record, problem)
        if repeated is None:
            remark = "A repeat of the run differs from the record. This page shows what the record has."
        else:
            history = repeated
    info = record.info
    scene = scene_of(history, axes=info.axes or None, limits=info.limits or None)
    search = printable(record.settings.search)
    scene.title, scene.search, scene.remark = name_of(search), search, remark
    scene.solution = record.evaluations - 1 if record.solved else None
    outcome = f"solved after {record.evaluations:,}" if record.solved else f"{record.evaluations:,}"
    best = "" if record.best_fitness is None else f"; best fitness {record.best_fitness:.4g}"
    scene.facts = f"{printable(info.title)}, seed {record.settings.seed}: {outcome} evaluations{best}"
    scene.settings = [("problem", printable(info.title)), ("seed", str(record.settings.seed))]
    return scene


def vectors(record: ProblemRecord) -> np.ndarray:
    """Return the behaviours of a record as an array, and raise an error if the behaviours are not vectors."""
    behaviours = record.behaviours
    if not isinstance(behaviours, np.ndarray) or behaviours.ndim != 2 or not behaviours.shape[1]:
        first = brief(behaviours[0]) if len(behaviours) else "none"
        raise ValueError(
            f"behaviours of problem {record.info.name!r} must be vectors to be shown, got {first}; "
            "use `divergent report` to show fitness and success rates"
        )
    return behaviours.astype(float)


def recorded_history(record: ProblemRecord, behaviours: np.ndarray) -> History:
    """Return the behaviours and fitness of a record as a history without parents, scores and species."""
    kind = _Minimised if record.info.weights[0] < 0 else _Maximised
    individuals = []
    for value, behaviour in zip(record.fitness[:, 0], behaviours, strict=True):
        individual = SimpleNamespace(fitness=kind())
        individual.fitness.values = Outcome((float(value),), behaviour=behaviour)
        individuals.append(individual)
    history, first = History(), 0
    for row in record.rows:
        offspring = individuals[first : row["evaluations"]]
        if offspring:
            history.note(Step(row["generation"], row["evaluations"], offspring, offspring))
        first = row["evaluations"]
    return history


def repeat_problem(record: ProblemRecord, problem: Problem) -> History | None:
    """Repeat a recorded run and return its history, or None if the repeated run differs from the record."""
    parts = assemble(record.settings, problem)
    history = History(strategy=parts.strategy, species=parts.species, keep=True)
    for _ in history.watch(_up_to(parts.steps(), record.evaluations)):
        pass
    repeated, recorded = history.behaviours, vectors(record)
    same = repeated.shape == recorded.shape and np.allclose(repeated, recorded, atol=CLOSE, rtol=CLOSE)
    return history if same else None


def _up_to(steps: Iterable[Step], evaluations: int) -> Iterator[Step]:
    """Yield the steps of a loop until a number of evaluations is reached; remove surplus offspring of the last step."""
    for step in steps:
        kept = len(step.offspring) - max(0, step.evaluations - evaluations)
        if kept < len(step.offspring):
            parents, species = step.parents[:kept], step.species[:kept]
            step = step._replace(
                evaluations=evaluations, offspring=step.offspring[:kept], parents=parents, species=species
            )
        yield step
        if step.evaluations >= evaluations:
            return


def summary_of_problem_record(record: ProblemRecord, problem: Problem | None = None) -> RunSummary:
    """Return the summary of a run for an overview page, which shows the first two behaviour dimensions.

    Parameters
    ----------
    record : ProblemRecord
        Record of the run.
    problem : Problem or None, default=None
        The problem of the run, used to repeat the run; None uses only the data of the record.

    Returns
    -------
    RunSummary
        Summary of the run. If the repeated run differs from the record, the data of the repeated run are omitted.
    """
    values = record.fitness[:, 0].astype(float)
    smaller = record.info.weights[0] < 0
    so_far = np.minimum.accumulate(values) if smaller else np.maximum.accumulate(values)
    plan = record.settings
    ends = np.array([row["evaluations"] for row in record.rows if row["evaluations"]], dtype=int)
    summary = RunSummary(
        group=printable(plan.name.removeprefix(f"{record.info.name}/")),
        search=printable(plan.search),
        seed=plan.seed,
        solved=record.solved,
        evaluations=record.evaluations,
        budget=plan.budget,
        population=plan.population,
        points=_first_two(vectors(record)),
        qualities=values,
        curve=np.column_stack([ends, so_far[ends - 1]]),
        trail=np.empty((0, 2)),
        stones=np.empty((0, 2)),
    )
    history = None if problem is None else repeat_problem(record, problem)
    return summary if history is None else add_detail(summary, history, _first_two, smaller=smaller)


def _first_two(behaviours: np.ndarray) -> np.ndarray:
    """Return the first two behaviour dimensions; one-dimensional behaviours are extended by a second dimension of 0."""
    if behaviours.shape[1] == 1:
        return np.column_stack([behaviours, np.zeros(len(behaviours))])
    return behaviours[:, :2]


def problem_dimensions(records: list[ProblemRecord]) -> list[dict[str, Any]]:
    """Return the name and range of the first two behaviour dimensions of several records."""
    info = records[0].info
    rows = np.concatenate([_first_two(vectors(record)) for record in records])
    dimensions = []
    for place in range(2):
        low, high = float(rows[:, place].min()), float(rows[:, place].max())
        if place < len(info.limits):
            low, high = info.limits[place]
        elif not low < high:
            low, high = low - 1.0, high + 1.0
        name = info.axes[place] if place < len(info.axes) else f"behaviour {place + 1}"
        dimensions.append({"name": name, "low": low, "high": high})
    return dimensions
