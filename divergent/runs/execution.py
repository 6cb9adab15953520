"""One run in a maze, which resumes from its last checkpoint."""

import contextlib
import os
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from divergent import neat
from divergent.individual import Outcomes, pack
from divergent.loops import Step
from divergent.maze import INPUTS, OUTPUTS, Maze, maze_names, read_maze, warn_if_goal_unreachable
from divergent.maze._task import BEST
from divergent.persistence._checkpoint import damaged
from divergent.persistence._serialization import from_jsonable, to_jsonable
from divergent.runs import _checkpoint as checkpoint
from divergent.runs.build import assemble
from divergent.runs.machine import describe_machine
from divergent.runs.record import Record, check_points, check_rows, maze_to_json, read, write
from divergent.runs.rules import RULES
from divergent.runs.settings import Plan, Settings
from divergent.validation import check_number
from divergent.version import __version__

CHECKPOINT_EVERY = 25  # generations: about half a second of work
MOST_COMPARED = 2000  # genomes of the final population, since comparisons grow with the square

Row = dict[str, Any]


def run(
    settings: Settings | Plan,
    out: str | os.PathLike | None = None,
    progress: Callable[[Row], Any] | bool | None = None,
) -> Record:
    """Run a search in a maze and return the record.

    Parameters
    ----------
    settings : Settings or Plan
        Settings of the run. Settings that are None have the paper's values.
    out : str, os.PathLike or None, default=None
        Output directory; the record is written to a subdirectory. An interrupted run resumes from its last checkpoint
        there, and a finished run is read and not repeated. None writes nothing.
    progress : callable, bool or None, default=None
        Called with each row of the record at the end of its generation. True shows a progress bar.

    Returns
    -------
    Record
        Settings and results of the run.

    Raises
    ------
    ValueError
        If a setting is invalid, or `out` contains the record or checkpoint of this run with other settings.
    OSError
        If the maze does not exist, or the record cannot be written.

    See Also
    --------
    divergent.runs.run_many : Run several settings, in parallel.

    Examples
    --------
    >>> record = run(Settings(maze="medium", search="random", population=20, generations=2))
    >>> record.evaluations, record.solved, record.positions.shape
    (40, False, (40, 2))
    """
    plan = settings.resolve()
    maze = load_maze(plan)
    if out is not None and (finished := find_record(plan, maze, out)):
        return finished
    new_run = Run(plan, maze, out=out)
    if progress is True:
        return _finish_with_bar(new_run)
    for row in new_run:
        if callable(progress):
            progress(row)
    return new_run.record


def load_maze(plan: Plan) -> Maze:
    """Read the maze of a plan, with a warning if its goal cannot be reached."""
    maze = read_maze(plan.maze)
    if plan.maze not in maze_names():  # the mazes of the package have a path, which takes networkx to find
        warn_if_goal_unreachable(maze)
    return maze


def find_record(plan: Plan, maze: Maze, out: str | os.PathLike) -> Record | None:
    """Read the finished record of a plan, None if there is none; an error if it has other settings or another maze."""
    folder = record_folder(plan, out)
    if not folder.exists():
        return None
    record = read(folder)
    _check_same_run(folder, record.settings, plan, maze_to_json(record.maze), maze_to_json(maze))
    return record


def record_folder(settings: Settings | Plan, out: str | os.PathLike) -> Path:
    """Return the folder of the record of a run, whether it exists or not."""
    return Path(out) / settings.name / f"seed-{settings.seed:04d}"


class Run:
    """Iterable over the generations of one run, which yields each row of the record.

    After the last row the attribute `record` is the complete record, which is written if there is an output directory.

    Parameters
    ----------
    plan : Plan
        Complete settings of the run.
    maze : Maze
        The maze. Its file need not exist, for example on a worker of a cluster.
    out : str, os.PathLike or None, default=None
        Output directory, see `run`.

    See Also
    --------
    run : Run settings and return the record.
    """

    def __init__(self, plan: Plan, maze: Maze, *, out: str | os.PathLike | None = None) -> None:
        self.plan = plan
        self.maze = maze
        self.folder = None if out is None else record_folder(plan, out)
        self.record: Record

    def __iter__(self) -> Iterator[Row]:
        state = _State(self.plan, self.maze)
        saved = self.folder and checkpoint.checkpoint_path(self.folder)
        if saved and saved.exists():
            state.load(saved)
        solver = None
        for step in state.steps():
            solver = state.add(step)
            if solver is None and step.evaluations % self.plan.population and self.plan.loop == "steady":
                continue
            row = state.row(step)
            yield row
            if solver is not None:
                break
            if saved and step.generation % CHECKPOINT_EVERY == CHECKPOINT_EVERY - 1:
                try:
                    state.save(saved, step)
                except (OSError, MemoryError) as error:
                    warnings.warn(
                        f"{saved}: the checkpoint cannot be written ({_reason(error)}); the run continues", stacklevel=2
                    )
        self.record = state.record(solver is not None)
        if self.folder and saved:
            write(self.record.files(), self.folder)
            with contextlib.suppress(OSError):  # the record is complete, and the next command removes the checkpoint
                saved.unlink()

    def finish(self) -> Record:
        """Run all generations and return the record.

        Returns
        -------
        Record
            Settings and results of the run.
        """
        for _ in self:
            pass
        return self.record


class _Clock:
    """Wall time and processor time of a run, including the times of the process that wrote its checkpoint."""

    def __init__(self) -> None:
        self._wall = time.perf_counter()
        self._processor = time.process_time()

    def advance(self, seconds: float, cpu_seconds: float) -> None:
        """Add the times of an earlier process."""
        self._wall -= seconds
        self._processor -= cpu_seconds

    def read(self) -> dict[str, float]:
        """Return the times so far, by their names in records and checkpoints."""
        return {
            "seconds": round(time.perf_counter() - self._wall, 3),
            "cpu_seconds": round(time.process_time() - self._processor, 3),
        }


class _State:
    """The changing state of a run: its components, its rows and its final positions."""

    def __init__(self, plan: Plan, maze: Maze) -> None:
        self.machine = describe_machine()  # at the start: the code may be edited before the run ends
        self.clock = _Clock()
        self.plan, self.maze = plan, maze
        self.positions = np.empty((plan.budget, 2), dtype=np.float32)  # first, so that too little memory is noticed
        self.parts = assemble(plan, maze)
        self.population = self.parts.population
        self.evaluations = 0
        self.rows: list[Row] = []
        self.best: neat.Genome
        self.generations_done = 0

    def steps(self) -> Iterator[Step]:
        """Start the loop, or resume it after the generations of a checkpoint."""
        return self.parts.steps(done=self.generations_done, evaluations=self.evaluations)

    def add(self, step: Step) -> neat.Genome | None:
        """Record the final positions of the offspring; return the first individual that solved the maze, or None."""
        for individual in step.offspring:
            self.positions[self.evaluations] = individual.fitness.behaviour[-2:]
            first = self.evaluations == 0
            self.evaluations += 1
            if first or individual.fitness.wvalues > self.best.fitness.wvalues:
                self.best = individual
                if self.parts.task.solved(individual.fitness.values):
                    return individual
        return None

    def row(self, step: Step) -> Row:
        """Append the row of a generation, and return it."""
        self.population = step.population
        row = {
            "generation": step.generation,
            "evaluations": self.evaluations,
            "best_fitness": self.best.fitness.values[0],
            "mean_fitness": float(np.mean([genome.fitness.values[0] for genome in step.population])),
            "mean_connections": float(np.mean([len(genome.genes) for genome in step.population])),
            "species": 0 if self.parts.species is None else self.parts.species.count,
            "archive": len(getattr(self.parts.strategy, "archive", ())),
        }
        self.rows.append(row)
        return row

    def record(self, solved: bool) -> Record:
        """Return the record of the run."""
        rollout = self.parts.task.rollout(self.best)
        assert rollout.trail is not None
        diversity = neat.diversity(self.population[:: -(-len(self.population) // MOST_COMPARED)])
        return Record(
            settings=self.plan,
            version=__version__,
            maze=self.maze,
            rows=self.rows,
            solved=solved,
            evaluations=self.evaluations,
            best_fitness=self.best.fitness.values[0],
            solution=self.best,
            diversity={
                "compatibility": diversity.compatibility,
                "disjoint": diversity.disjoint,
                "excess": diversity.excess,
                "weight_difference": diversity.weight,
            },
            positions=self.positions[: self.evaluations],
            trail=rollout.trail,
            machine=self.clock.read() | self.machine,
        )

    def save(self, path: Path, step: Step) -> None:
        """Write a checkpoint of the run after a step that ends a generation."""
        notes = {
            "settings": self.plan.to_json(),
            "maze": maze_to_json(self.maze),
            "generations_done": step.generation + 1,
            "evaluations": self.evaluations,
            "rows": self.rows,
            "best": self.best.to_json(),
            "best_fitness": self.best.fitness.values,
            "strategy": self.parts.strategy.state(),
            "species": self.parts.species and self.parts.species.state(),
            "innovations": self.parts.innovations.state(),
            "rngs": {name: rng.bit_generator.state for name, rng in self.parts.rngs.items()},
            "deap_rng": self.parts.deap_rng.getstate(),
            **self.clock.read(),
        }
        if self.plan.loop == "plus":
            notes["scores"] = [genome.fitness.score for genome in step.population]
        if self.parts.strategy.ancestors:
            notes["ancestors"] = [to_jsonable(genome.fitness.ancestors) for genome in step.population]
        checkpoint.save(path, notes, step.population, self.positions[: self.evaluations])

    def load(self, path: Path) -> None:
        """Resume from a checkpoint; an error if it is damaged or has other settings."""
        notes, population, positions = checkpoint.load(path, INPUTS, OUTPUTS)
        try:
            saved_plan, saved_maze = Plan.from_json(notes["settings"]), notes["maze"]
        except (TypeError, KeyError, ValueError, AttributeError) as error:
            raise damaged(path, error) from error
        _check_same_run(path, saved_plan, self.plan, saved_maze, maze_to_json(self.maze))
        try:
            self._restore(notes, population, positions)
        except (TypeError, LookupError, ValueError, AttributeError, ArithmeticError) as error:
            raise damaged(path, error) from error

    def _restore(self, notes: dict[str, Any], population: list[neat.Genome], positions: np.ndarray) -> None:
        """Check the content of a checkpoint, and restore the state from it."""
        if len(population) != self.plan.population:
            raise ValueError(f"population must have {self.plan.population} genomes, got {len(population)}")
        (best_fitness,) = notes["best_fitness"]
        check_rows(self.plan, notes["rows"], notes["evaluations"], best_fitness)
        check_points("positions", positions, notes["evaluations"], notes["evaluations"])
        if notes["generations_done"] != len(notes["rows"]):
            raise ValueError(
                f"generations_done must be the number of rows, {len(notes['rows'])}, got {notes['generations_done']!r}"
            )
        self.parts.population = self.population = population
        self.positions[: len(positions)] = positions
        self.generations_done, self.evaluations = notes["generations_done"], notes["evaluations"]
        self.rows = notes["rows"]
        times = {name: notes[name] for name in ("seconds", "cpu_seconds")}
        check_number(0, **times)
        self.clock.advance(**times)
        self.best = neat.Genome.from_json(notes["best"])
        self.best.fitness.values = (best_fitness,)
        if self.parts.strategy.ancestors:
            for genome, ancestors in zip(population, notes["ancestors"], strict=True):
                genome.fitness.ancestors = from_jsonable(ancestors)
        outcomes = pack(population, self.parts.strategy.ancestors)
        if outcomes.behaviours.shape[1] != 2 * (self.plan.samples or 1):
            raise ValueError(
                f"behaviours must have {2 * (self.plan.samples or 1)} dimensions, got {outcomes.behaviours.shape[1]}"
            )
        from_goal = np.hypot(*(outcomes.behaviours[:, -2:] - self.maze.goal).T)
        if not np.allclose(outcomes.fitness, BEST - from_goal, rtol=0, atol=1e-6):
            raise ValueError("fitness must be that of the final positions, got other values")
        self._check_memory(notes["strategy"], outcomes)
        self.parts.strategy.restore(notes["strategy"])
        if self.parts.species is not None:
            # in loops with generations, species have only representatives until the next selection
            members = population if self.plan.loop == "steady" else None
            self.parts.species.restore(notes["species"], members)
        if self.plan.loop == "plus":
            # crossover takes disjoint and excess genes from the parent with the higher score of the last selection
            for genome, score in zip(population, notes["scores"], strict=True):
                genome.fitness.score = float(score)
        # the constructor rejects genomes with contradicting innovation numbers
        neat.Innovations([*population, self.best], **RULES[self.plan.rules].innovations)
        self._restore_innovations(notes["innovations"])
        for name, rng in self.parts.rngs.items():
            rng.bit_generator.state = notes["rngs"][name]
        version, internal, gauss = notes["deap_rng"]
        self.parts.deap_rng.setstate((version, tuple(internal), gauss))

    def _restore_innovations(self, state: dict[str, Any]) -> None:
        """Restore the innovation numbers, which must include those of all genomes."""
        innovations = self.parts.innovations
        first_node = innovations.next_node
        innovations.restore(state)
        # a child adds at most one recurrent connection without a match, and a new node comes with new connections
        unmatched = innovations.next_innovation - len(innovations)
        most = 0 if innovations.match_recurrent else self.generations_done * self.plan.population
        if not 0 <= unmatched <= most or innovations.next_node > first_node + innovations.next_innovation:
            raise ValueError(
                f"next_innovation and next_node must follow from {len(innovations)} connections, "
                f"got {innovations.next_innovation} and {innovations.next_node}"
            )
        if not all(innovations.knows(genome) for genome in [*self.population, self.best]):
            raise ValueError("innovation numbers of the genomes must be known to innovations, got others")

    def _check_memory(self, state: dict[str, Any], outcomes: Outcomes) -> None:
        """Raise an error unless a copy of the strategy with this memory can score the population."""
        strategy = self.plan.strategy(self.maze.bounds, np.random.default_rng(0))
        strategy.restore(state)
        scores = strategy.score_generation(outcomes)
        if scores.shape != outcomes.fitness.shape or not np.isfinite(scores).all():
            raise ValueError("memory of the strategy must give each individual a finite score, got others")


def _finish_with_bar(new_run: Run) -> Record:
    """Run all generations with a progress bar."""
    from tqdm.auto import tqdm

    with tqdm(total=new_run.plan.budget, unit="evaluation", dynamic_ncols=True) as bar:
        for row in new_run:
            bar.set_postfix_str(f"best fitness {row['best_fitness']:.1f}")
            bar.update(row["evaluations"] - bar.n)
    return new_run.record


def _check_same_run(path: Path, saved_plan: Plan, plan: Plan, saved_maze: Any, maze: Any) -> None:
    """Raise an error if a record or checkpoint has other settings or another maze."""
    differences = saved_plan.differences(plan)
    if saved_maze != maze:
        differences.append(f"the maze {plan.maze} was changed since")
    if differences:
        raise ValueError(f"{path}: has other settings: {'; '.join(differences)}; choose another folder, or remove it")


def _reason(error: OSError | MemoryError) -> str:
    """Return the text of an error without its number and file."""
    return (error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__
