"""Execution of one run, which can resume from its last checkpoint."""

import contextlib
import math
import os
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from divergent._compile import nothing_compiled
from divergent._progress import evaluation_bar
from divergent.individual import pack
from divergent.loops._contract import Step
from divergent.maze._maze import Maze
from divergent.persistence._checkpoint import INVALID_CONTENT, Checkpoint, damaged, read_notes
from divergent.persistence._individuals import IndividualFormat
from divergent.persistence._serialization import from_jsonable
from divergent.problem import Problem
from divergent.runs._components import find_primitives, has_state
from divergent.runs._machine import Clock, describe_machine
from divergent.runs._maze_plan import MazePlan
from divergent.runs._outcome_log import OutcomeLog
from divergent.runs._plan import Plan
from divergent.runs._record_checks import check_rows
from divergent.runs._row_measures import finite, mean_size, species_count
from divergent.runs.build import Parts, assemble, load_maze, problem_strategy
from divergent.runs.problem_files import source_of
from divergent.runs.record import ProblemInfo, ProblemRecord, Record, read, write
from divergent.runs.settings import Settings
from divergent.validation import brief, check_number
from divergent.version import __version__

CHECKPOINT_EVERY = 25  # generations between checkpoints; writing a checkpoint takes about half a second in a maze
CHECKPOINT_AFTER = 5.0  # seconds after which a checkpoint is written even if fewer generations are complete

Row = dict[str, Any]


def run(
    problem: Problem | Settings | Plan,
    out: str | os.PathLike | None = None,
    progress: Callable[[Row], Any] | bool | None = None,
    *,
    search: str | None = None,
    seed: int | None = None,
    force: bool = False,
    **settings: Any,
) -> Any:
    """Run one search on a problem or in a maze, and return the record.

    Parameters
    ----------
    problem : Problem, Settings or Plan
        The problem, or the settings of a run, such as the settings of a maze run.
    out : str, os.PathLike or None, default=None
        Output directory; the record is written to a subdirectory. None writes no files. An interrupted run resumes
        from its checkpoint in `out`, and the record of a finished run is read instead of repeating the run.
    progress : callable, bool or None, default=None
        Function that is called with the statistics of each generation; True shows a progress bar.
    search : str or None, default=None
        Name of the search on a `Problem`; None uses "novelty".
    seed : int or None, default=None
        Random seed of the run on a `Problem`; None uses seed 0.
    force : bool, default=False
        Whether to accept a record or checkpoint that was made with another version of the problem file.
    **settings
        Further settings of a run on a `Problem`, such as `population`, `generations` and `loop`, and options of the
        search, see `Settings`. An evaluation fails if it raises an error or takes longer than `timeout` seconds. If
        `on_error` is "raise", a failed evaluation ends the run with an `EvaluationError`. If `on_error` is "invalid",
        the failed individual gets the outcome of the worst individual so far.

    Returns
    -------
    Record
        Settings and results of the run: a `ProblemRecord`, or a `MazeRecord` in a maze.

    Raises
    ------
    ValueError
        If a setting is invalid, or `out` contains the record or checkpoint of this run with other settings.
    EvaluationError
        If an evaluation fails.
    OSError
        If the maze does not exist, or the record cannot be written.

    See Also
    --------
    divergent.run_many : Run several searches with many seeds, in parallel.

    Examples
    --------
    Run random search in a maze, then novelty search on a problem; print evaluations and shapes of recorded arrays:

    >>> record = run(Settings(maze="medium", search="random", population=20, generations=2))
    >>> record.evaluations, record.solved, record.positions.shape
    (40, False, (40, 2))
    >>> from divergent.maze import maze_problem
    >>> record = run(maze_problem("medium", steps=50), search="novelty", seed=3, population=20, generations=2)
    >>> record.evaluations, record.behaviours.shape, record.fitness.shape
    (40, (40, 2), (40, 1))
    """
    compiling = progress is True and nothing_compiled()  # must precede `as_plan`, which compiles a function
    plan, subject = as_plan(problem, search, seed, settings)
    if out is not None and (finished := find_record(plan, subject, out, force=force)):
        return finished
    new_run = make_run(plan, subject, out=out, force=force)
    if progress is True:
        with evaluation_bar(plan.budget, compiling=compiling) as show:
            return new_run.finish(show)
    if not callable(progress):
        return new_run.finish()
    for row in new_run:
        progress(row)
    return new_run.record


def as_plan(
    problem: Problem | Settings | Plan, search: str | None, seed: int | None, settings: dict[str, Any]
) -> tuple[Plan, Problem]:
    """Return the complete settings (plan) and the problem that the arguments of `run` specify."""
    if isinstance(problem, Problem):
        chosen = Settings(problem=problem, search=search or "novelty", seed=0 if seed is None else seed, **settings)
        return chosen.resolve(), problem
    given = [name for name, value in (("search", search), ("seed", seed)) if value is not None] + list(settings)
    if given:
        raise TypeError(f"{given[0]} must be passed to Settings unless problem is a Problem, got a separate argument")
    if not isinstance(problem, Settings | Plan):
        raise TypeError(f"problem must be a Problem, Settings or Plan, got {brief(problem)}")
    plan = problem.resolve()
    if isinstance(problem, Settings) and problem.problem is not None:
        return plan, problem.problem
    if not isinstance(plan, MazePlan):
        raise TypeError(
            f"problem must be a Problem or Settings that contain a problem, got the plan {plan.name!r}; "
            "pass Settings instead of a Plan"
        )
    return plan, plan.make_problem(load_maze(plan))


def find_record(plan: Plan, problem: Problem | Maze, out: str | os.PathLike, *, force: bool = False) -> Any:
    """Read the record of a run, or return None if none exists; raise an error if settings or problem have changed."""
    folder = record_folder(plan, out)
    if not folder.exists():
        return None
    record = read(folder)
    make_run(plan, problem, force=force).check_same(folder, record.settings, record._description())
    return record


def record_folder(settings: Settings | Plan, out: str | os.PathLike) -> Path:
    """Return the folder of the record of a run, which need not exist."""
    return Path(out) / settings.name / f"seed-{settings.seed:04d}"


def checkpoint_path(folder: Path) -> Path:
    """Return the path of the checkpoint of a run, next to the folder of its record."""
    return folder.with_name(folder.name + ".checkpoint.npz")


def make_run(
    plan: Plan, problem: Problem | Maze, *, out: str | os.PathLike | None = None, force: bool = False
) -> "Run":
    """Create a run from its complete settings; iterating over the run executes its generations.

    Parameters
    ----------
    plan : Plan
        Complete settings of the run.
    problem : Problem or Maze
        The problem, or the maze of a `MazePlan`; the maze file need not exist on a cluster worker.
    out : str, os.PathLike or None, default=None
        Output directory, see `run`.
    force : bool, default=False
        Whether to accept a checkpoint that was made with another version of the problem file.

    Returns
    -------
    Run
        A `MazeRun` if the plan is a `MazePlan`, otherwise a `Run`.
    """
    if isinstance(plan, MazePlan):
        from divergent.runs._maze_run import MazeRun

        maze_problem = plan.make_problem(problem) if isinstance(problem, Maze) else problem
        return MazeRun(plan, maze_problem, out=out, force=force)
    assert isinstance(problem, Problem)
    return Run(plan, problem, out=out, force=force)


class Run:
    """One run; iterating over the run executes each generation and yields the generation's statistics.

    After the last generation, the attribute `record` contains the record of the run. The record is also written to the
    output directory unless `out` is None.

    Parameters
    ----------
    plan : Plan
        Complete settings of the run.
    problem : Problem
        The problem.
    out : str, os.PathLike or None, default=None
        Output directory, see `run`.
    force : bool, default=False
        Whether to accept a checkpoint that was made with another version of the problem file.

    Attributes
    ----------
    watch : callable or None
        Function that wraps the iterator over the loop's steps to observe them, such as a
        `divergent.explorer.live.RunWatch`.

    See Also
    --------
    run : Run a problem and return the record.
    """

    parts: Parts
    record: Any
    best: Any
    outcomes: OutcomeLog
    _checkpoint_path: Path | None

    def __init__(
        self, plan: Plan, problem: Problem, *, out: str | os.PathLike | None = None, force: bool = False
    ) -> None:
        self.plan: Any = plan
        self.problem: Any = problem
        self.folder = None if out is None else record_folder(plan, out)
        self.force = force
        self.watch: Callable[[Parts, Iterator[Step]], Iterator[Step]] | None = None
        self.rows: list[Row] = []
        self.evaluations = 0
        self.generations_done = 0

    def __iter__(self) -> Iterator[Row]:
        self._prepare()
        return self.parts.module_random.isolate(self._generations())

    def finish(self, progress: Callable[[Row], Any] | None = None) -> Any:
        """Run all generations and return the record; this method is faster than iterating over the run.

        Parameters
        ----------
        progress : callable or None, default=None
            Function that is called with the statistics of each finished generation. The function must not draw from the
            global random generators, because they have the states of the run during the call.

        Returns
        -------
        Record
            Settings and results of the run.
        """
        self._prepare()
        with self.parts.module_random.active():
            for row in self._generations():
                if progress is not None:
                    progress(row)
        return self.record

    def _prepare(self) -> None:
        """Build the toolbox, strategy and population, and resume from the checkpoint of the run if one exists."""
        self.machine = describe_machine()  # the git commit is read before the run, because files may change later
        self.clock = Clock()
        self.outcomes = self.make_log()  # memory is allocated first, so that a lack of memory raises an error early
        self.parts = assemble(self.plan, self.problem)
        self.population = self.parts.population
        self._checkpoint_path = None if self.folder is None else checkpoint_path(self.folder)
        if self._checkpoint_path and self._checkpoint_path.exists():
            with self.parts.module_random.active():
                self._resume(self._checkpoint_path)

    def _generations(self) -> Iterator[Row]:
        """Execute the run: yield the statistics of each generation, save checkpoints and write the record."""
        saved = self._checkpoint_path
        steps = self.parts._loop(done=self.generations_done, evaluations=self.evaluations)
        if self.watch is not None:
            steps = self.watch(self.parts, steps)
        last_saved, solver = time.monotonic(), None
        while solver is None:
            step, solver = self._generation(steps)
            if step is None:
                break
            yield self.add_row(step)
            due = step.generation % CHECKPOINT_EVERY == CHECKPOINT_EVERY - 1
            if saved and solver is None and (due or time.monotonic() - last_saved > CHECKPOINT_AFTER):
                self._save(saved, step)
                last_saved = time.monotonic()
        self.record = self.make_record(solver is not None)
        if self.folder and saved:
            write(self.record.files(), self.folder)
            with contextlib.suppress(OSError):  # the next batch deletes any checkpoint that a finished run leaves
                saved.unlink()

    def make_log(self) -> OutcomeLog:
        """Return an empty log of the outcomes of all evaluations."""
        return OutcomeLog(self.plan.budget)

    def _generation(self, steps: Iterator[Step]) -> tuple[Step | None, Any]:
        """Advance to the end of a generation or the first solution; return the last step and the solution, if any."""
        step = None
        for step in steps:
            solver = self.add(step)
            if solver is not None or step.ends_generation:
                return step, solver
        return None, None

    def add(self, step: Step) -> Any:
        """Record the outcomes of the offspring; return the first individual that solved the problem, or None."""
        solved = self.problem.solved
        for individual in step.offspring:
            fitness = individual.fitness
            self.outcomes.add(fitness.wvalues, fitness.behaviour, fitness.violation)
            first = self.evaluations == 0
            self.evaluations += 1
            if first or _is_better(fitness, self.best.fitness):
                self.best = individual
            if solved is not None and not fitness.violation and solved(fitness.values):
                self.best = individual
                return individual
        return None

    def add_row(self, step: Step) -> Row:
        """Append the statistics of a generation to `rows`, and return them."""
        self.population = step.population
        values = [value for individual in step.population if math.isfinite(value := individual.fitness.values[0])]
        row = {
            "generation": step.generation,
            "evaluations": self.evaluations,
            "best_fitness": finite(self.best.fitness.values[0]),
            "mean_fitness": float(np.mean(values)) if values else None,
            "mean_size": mean_size(step.population),
            "species": species_count(self.parts.species or getattr(self.parts.survive, "species", None)),
            "archive": len(getattr(self.parts.strategy, "archive", ())),
        }
        self.rows.append(row)
        return row

    def make_record(self, solved: bool) -> Record:
        """Create the record of the finished run."""
        weights = np.array(self.best.fitness.weights, dtype=float)
        form = individual_format(self.problem, self.parts)
        return ProblemRecord(
            settings=self.plan,
            version=__version__,
            problem=self.info(),
            rows=self.rows,
            solved=solved,
            evaluations=self.evaluations,
            best_fitness=finite(self.best.fitness.values[0]),
            solution=form.save(self.best),
            fitness=self.outcomes.wvalues[: self.evaluations] / weights,
            behaviours=self.outcomes.behaviours(),
            violations=self.outcomes.violations(),
            failures=self.parts.evaluator.failures,
            machine=self.clock.read() | self.machine,
        )

    def info(self) -> ProblemInfo:
        """Return the properties of the problem that the record stores."""
        weights = tuple(float(weight) for weight in self.population[0].fitness.weights)
        return ProblemInfo.of(self.problem, weights)

    def check_same(self, path: Path, saved_plan: Plan, saved_description: Any) -> None:
        """Raise an error if a record or checkpoint was made with other settings or another version of the problem."""
        differences = saved_plan.differences(self.plan)
        remedy = "choose another output folder, or remove the saved run"
        if not self.force and (change := self.changes(saved_description)):
            differences.append(change)
            remedy += self.force_remedy()
        if differences:
            raise ValueError(
                f"{path}: settings must equal the settings of this run, got {'; '.join(differences)}; {remedy}"
            )

    def description(self) -> Any:
        """Return the JSON-serialisable data that identifies the version of the problem."""
        source = source_of(self.problem)
        return None if source is None else source.sha256

    def changes(self, saved: Any) -> str:
        """Return a message if the problem file differs from the file of a record or checkpoint, otherwise ""."""
        now = self.description()
        return f"the file of problem {self.problem.name} has changed" if saved != now else ""

    def force_remedy(self) -> str:
        """Return advice for the error message about a changed problem file: how to accept the change."""
        return ", or accept the change with force (--force on the command line)"

    def checkpoint(self, path: Path) -> Checkpoint:
        """Return the checkpoint of the run, which saves strategy, evaluator, species and random generators."""
        parts = self.parts
        components: dict[str, Any] = {"strategy": parts.strategy, "evaluator": parts.evaluator, **parts.rngs}
        if parts.species is not None:
            components["species"] = parts.species
        if has_state(parts.survive):
            components["survive"] = parts.survive
        components |= {f"component{number}": component for number, component in enumerate(parts.components)}
        return Checkpoint(
            path,
            dump=self.problem.save,
            load=self.problem.load,
            primitives=find_primitives(parts.toolbox),
            **components,
        )

    def notes(self) -> dict[str, Any]:
        """Return the checkpoint data: plan, problem version, generation statistics, outcomes and elapsed times."""
        return {
            "plan": self.plan.to_json(),
            "description": self.description(),
            "rows": self.rows,
            "best": self.best,
            **self.outcomes.state(self.evaluations),
            **self.clock.read(),
        }

    def _save(self, path: Path, step: Step) -> None:
        """Write a checkpoint at the end of a generation; issue a warning if the file cannot be written."""
        try:
            self.checkpoint(path).save(step._replace(evaluations=self.evaluations), self.notes())
        except (OSError, MemoryError) as error:
            warnings.warn(
                f"{path}: the checkpoint cannot be written ({_reason(error)}); the run continues", stacklevel=3
            )

    def _resume(self, path: Path) -> None:
        """Resume from a checkpoint; raise an error if the checkpoint is damaged or has other settings."""
        content, _ = read_notes(path)
        try:
            notes = from_jsonable(content["notes"])
            saved_plan, description = type(self.plan).from_json(notes["plan"]), notes["description"]
        except INVALID_CONTENT as error:
            raise damaged(path, error) from error
        self.check_same(path, saved_plan, description)
        start = self.checkpoint(path).restore(self.parts.population)
        try:
            self._restore(start)
        except INVALID_CONTENT as error:
            raise damaged(path, error) from error

    def _restore(self, start: Any) -> None:
        notes = start.notes
        self.best, rows = notes["best"], notes["rows"]
        self.check_rows(rows, start.evaluations)
        if start.done != len(rows):
            raise ValueError(
                f"a checkpoint must have one row per generation, got {len(rows)} rows up to generation {start.done - 1}"
            )
        self.outcomes.restore(notes, start.evaluations)
        times = {name: notes[name] for name in ("seconds", "cpu_seconds")}
        check_number(0, **times)
        self.clock.advance(**times)
        self.rows = rows
        self.generations_done, self.evaluations = start.done, start.evaluations
        self.parts.population = self.population = start.population
        self.check_restored()

    def check_rows(self, rows: list[Row], evaluations: int) -> None:
        """Raise an error unless the generation statistics of a checkpoint are consistent."""
        check_rows(self.plan, rows, evaluations, finite(self.best.fitness.values[0]), ProblemRecord.row_names)

    def check_restored(self) -> None:
        """Raise an error unless a copy of the restored strategy can score the restored population."""
        strategy = problem_strategy(self.plan, self.problem, np.random.default_rng(0))
        strategy.restore(self.parts.strategy.state())
        outcomes = pack(self.population, getattr(strategy, "ancestors", 0))
        scores = np.asarray(strategy.score_generation(outcomes))
        if scores.shape != (len(self.population),) or not np.isfinite(scores).all():
            raise ValueError("strategy must give every individual a finite score, got missing, nan or infinite scores")


def individual_format(problem: Problem, parts: Parts) -> IndividualFormat:
    """Return the converter between individuals of a problem and JSON-serialisable data."""
    return IndividualFormat(type(parts.population[0]), problem.save, problem.load, find_primitives(parts.toolbox))


def _is_better(fitness: Any, best: Any) -> bool:
    """Return whether `fitness` has a lower violation than `best`, or an equal violation and higher weighted values."""
    if fitness.violation != best.violation:
        return fitness.violation < best.violation
    return fitness.wvalues > best.wvalues


def _reason(error: OSError | MemoryError) -> str:
    """Return the message of an error without error number and file name."""
    return (error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__
