"""Run one maze experiment, resumable at any moment."""

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
from divergent.maze import INPUTS, OUTPUTS, Maze, maze_names, read_maze, warn_of_the_goal
from divergent.maze.task import BEST
from divergent.persistence.checkpoint import damaged
from divergent.runs import _checkpoint as checkpoint
from divergent.runs.build import assemble
from divergent.runs.machine import describe_machine
from divergent.runs.record import Record, check_points, check_rows, maze_as_json, read, write
from divergent.runs.rules import RULES
from divergent.runs.settings import Plan, Settings
from divergent.validation import brief, is_finite
from divergent.version import __version__

CHECKPOINT_EVERY = 25  # generations: about half a second of work
MOST_COMPARED = 2000  # at most, members of the last population whose genomes are compared with each other

Row = dict[str, Any]


def run(
    settings: Settings,
    out: str | os.PathLike | None = None,
    progress: Callable[[Row], Any] | bool | None = None,
) -> Record:
    """Do one run and return its record.

    Parameters
    ----------
    settings
        What decides the run; what is not said takes the paper's value.
    out
        A folder that keeps the record, in a folder of its own. An interrupted run goes on where its last checkpoint is,
        and a run that is finished there is read, not repeated. None keeps nothing.
    progress
        What is called with each generation's row of the record as it is made, or True for a bar, in a notebook too.

    Examples
    --------
    >>> record = run(Settings(maze="medium", search="random", population=20, generations=2))
    >>> record.evaluations, record.solved, record.positions.shape
    (40, False, (40, 2))
    """
    plan = settings.resolve()
    maze = maze_of(plan)
    if out is not None and (finished := find(plan, maze, out)):
        return finished
    one = Run(plan, maze, out=out)
    if progress is True:
        return _with_bar(one)
    for row in one:
        if callable(progress):
            progress(row)
    return one.record


def maze_of(plan: Plan) -> Maze:
    """The maze of a run, with a warning if its goal cannot be reached."""
    maze = read_maze(plan.maze)
    if plan.maze not in maze_names():  # the mazes of the package have a path, which takes networkx to find
        warn_of_the_goal(maze)
    return maze


def find(plan: Plan, maze: Maze, out: str | os.PathLike) -> Record | None:
    """The finished record of a plan, None if there is none; one of another plan or maze is refused."""
    folder = folder_of(plan, out)
    if not folder.exists():
        return None
    record = read(folder)
    _refuse_changes(folder, record.settings, plan, maze_as_json(record.maze), maze_as_json(maze))
    return record


def folder_of(settings: Settings, out: str | os.PathLike) -> Path:
    """Where the record of a run is, or will be."""
    return Path(out) / settings.name / f"seed-{settings.seed:04d}"


class Run:
    """One run, done by iterating over it: one row for the record each generation.

    Afterwards `record` is the whole of it, and is written if there is a folder for it.

    Parameters
    ----------
    plan
        What decides the run.
    maze
        The maze itself: its file need not be at hand, as on a worker of a cluster.
    out
        As for `run`.
    """

    def __init__(self, plan: Plan, maze: Maze, *, out: str | os.PathLike | None = None):
        self.plan = plan
        self.maze = maze
        self.folder = None if out is None else folder_of(plan, out)
        self.record: Record

    def __iter__(self) -> Iterator[Row]:
        state = _State(self.plan, self.maze)
        saved = self.folder and checkpoint.place_of(self.folder)
        if saved and saved.exists():
            state.load(saved)
        solver = None
        for step in state.steps():
            solver = state.note(step)
            if solver is None and step.evaluations % self.plan.population and self.plan.loop == "steady":
                continue  # in the middle of a generation
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
            with contextlib.suppress(OSError):  # the record is whole, and the next command removes the checkpoint
                saved.unlink()

    def finish(self) -> Record:
        """Do the whole run and return its record."""
        for _ in self:
            pass
        return self.record


class _Clock:
    """Wall time and processor time of a run, including those before the checkpoint that it resumes from."""

    def __init__(self) -> None:
        self._wall = time.perf_counter()
        self._processor = time.process_time()

    def advance(self, seconds: float, cpu_seconds: float) -> None:
        """Add the times of an earlier process."""
        self._wall -= seconds
        self._processor -= cpu_seconds

    def read(self) -> dict[str, float]:
        """The times so far, by their names in records and checkpoints."""
        return {
            "seconds": round(time.perf_counter() - self._wall, 3),
            "cpu_seconds": round(time.process_time() - self._processor, 3),
        }


class _State:
    """Everything that changes in the course of a run."""

    def __init__(self, plan: Plan, maze: Maze):
        self.machine = describe_machine()  # at the start: the code may be edited before the run ends
        self.clock = _Clock()
        self.plan, self.maze = plan, maze
        self.parts = assemble(plan, maze)
        self.population = self.parts.population
        self.positions = np.empty((plan.budget, 2), dtype=np.float32)
        self.evaluations = 0
        self.rows: list[Row] = []
        self.best: neat.Genome
        self.generations_done = 0

    def steps(self) -> Iterator[Step]:
        """The loop, from the beginning or from where a checkpoint left it."""
        return self.parts.steps(done=self.generations_done, evaluations=self.evaluations)

    def note(self, step: Step) -> neat.Genome | None:
        """Take down who was born; the first who solved the maze, or None."""
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
        """What the record says of a generation."""
        self.population = step.population
        genes = [genome.genes for genome in step.population]
        row = {
            "generation": step.generation,
            "evaluations": self.evaluations,
            "best_fitness": self.best.fitness.values[0],
            "mean_fitness": float(np.mean([genome.fitness.values[0] for genome in step.population])),
            "mean_connections": float(np.mean([len(part) for part in genes])),
            "species": 0 if self.parts.species is None else self.parts.species.count,
            "archive": len(getattr(self.parts.strategy, "archive", ())),
        }
        self.rows.append(row)
        return row

    def record(self, solved: bool) -> Record:
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
        notes = {
            "settings": self.plan.to_json(),
            "maze": maze_as_json(self.maze),
            "generations_done": step.generation + 1,
            "evaluations": self.evaluations,
            "rows": self.rows,
            "best": self.best.to_json(),
            "best_fitness": self.best.fitness.values,
            "strategy": self.parts.strategy.state(),
            "species": self.parts.species and self.parts.species.state(),
            "innovations": self.parts.innovations.state(),
            "rngs": {name: rng.bit_generator.state for name, rng in self.parts.rngs.items()},
            "chance": self.parts.chance.getstate(),
            **self.clock.read(),
        }
        if self.plan.loop == "plus":
            notes["scores"] = [genome.fitness.score for genome in step.population]
        checkpoint.save(path, notes, step.population, self.positions[: self.evaluations])

    def load(self, path: Path) -> None:
        notes, population, positions = checkpoint.load(path, INPUTS, OUTPUTS)
        try:
            there, maze = Plan.from_json(notes["settings"]), notes["maze"]
        except (TypeError, KeyError, ValueError, AttributeError) as error:
            raise damaged(path, error) from error
        _refuse_changes(path, there, self.plan, maze, maze_as_json(self.maze))
        try:
            self._restore(notes, population, positions)
        except (TypeError, LookupError, ValueError, AttributeError, ArithmeticError) as error:
            raise damaged(path, error) from error

    def _restore(self, notes: dict[str, Any], population: list[neat.Genome], positions: np.ndarray) -> None:
        if len(population) != self.plan.population:
            raise ValueError(f"a population of {self.plan.population} has {len(population)} genomes")
        (best_fitness,) = notes["best_fitness"]
        check_rows(self.plan, notes["rows"], notes["evaluations"], best_fitness)
        check_points("positions", positions, notes["evaluations"], notes["evaluations"])
        if notes["generations_done"] != len(notes["rows"]):
            raise ValueError(f"{notes['generations_done']!r} generations are done, {len(notes['rows'])} are told")
        self.parts.population = self.population = population
        self.positions[: len(positions)] = positions
        self.generations_done, self.evaluations = notes["generations_done"], notes["evaluations"]
        self.rows = notes["rows"]
        # earlier checkpoints have wall time only, which is close to the processor time of a single thread
        times = {"seconds": notes["seconds"], "cpu_seconds": notes.get("cpu_seconds", notes["seconds"])}
        for name, seconds in times.items():
            if not is_finite(seconds) or seconds < 0:
                raise ValueError(f"{name} must be a finite number, at least 0, got {brief(seconds)}")
        self.clock.advance(**times)
        self.best = neat.Genome.from_json(notes["best"])
        self.best.fitness.values = (best_fitness,)
        outcomes = pack(population)
        if outcomes.behaviours.shape[1] != 2 * (self.plan.samples or 1):
            raise ValueError(f"behaviours are positions, got {outcomes.behaviours.shape[1]} numbers each")
        from_goal = np.hypot(*(outcomes.behaviours[:, -2:] - self.maze.goal).T)
        if not np.allclose(outcomes.fitness, BEST - from_goal, rtol=0, atol=1e-6):
            raise ValueError("the fitness of the population is not that of where it ended")
        self._rehearse(notes["strategy"], outcomes)
        self.parts.strategy.restore(notes["strategy"])
        if self.parts.species is not None:
            # a generation is divided when it is selected from: until then species know only their representatives
            members = population if self.plan.loop == "steady" else None
            self.parts.species.restore(notes["species"], members)
        if self.plan.loop == "plus":
            # whose genes a child gets is decided by the scores that its parents survived by
            for genome, score in zip(population, notes["scores"], strict=True):
                genome.fitness.score = float(score)
        # which rejects genomes that number their connections differently
        neat.Innovations([*population, self.best], **RULES[self.plan.rules].innovations)
        self._restore_innovations(notes["innovations"])
        for name, rng in self.parts.rngs.items():
            rng.bit_generator.state = notes["rngs"][name]
        version, internal, gauss = notes["chance"]
        self.parts.chance.setstate((version, tuple(internal), gauss))

    def _restore_innovations(self, state: dict[str, Any]) -> None:
        innovations = self.parts.innovations
        first_node = innovations.next_node
        innovations.restore(state)
        # a child adds at most one recurrent connection without a match, and a new node has new connections
        unmatched = innovations.next_innovation - len(innovations)
        most = 0 if innovations.match_recurrent else self.generations_done * self.plan.population
        if not 0 <= unmatched <= most or innovations.next_node > first_node + innovations.next_innovation:
            raise ValueError(
                f"{len(innovations)} connections do not lead to next_innovation {innovations.next_innovation} and "
                f"next_node {innovations.next_node}"
            )
        if not all(innovations.knows(genome) for genome in [*self.population, self.best]):
            raise ValueError("a genome has innovation numbers that were not given out")

    def _rehearse(self, state: dict[str, Any], outcomes: Outcomes) -> None:
        """Let a strategy that is thrown away follow the population, so that a memory that does not fit is found now."""
        strategy = self.plan.strategy(self.maze.bounds, np.random.default_rng(0))
        strategy.restore(state)
        scores = strategy.score_generation(outcomes)
        if scores.shape != outcomes.fitness.shape or not np.isfinite(scores).all():
            raise ValueError("with the memory there is, the search does not score the population")


def _with_bar(one: Run) -> Record:
    from tqdm.auto import tqdm

    with tqdm(total=one.plan.budget, unit="evaluation", dynamic_ncols=True) as bar:
        for row in one:
            bar.set_postfix_str(f"best fitness {row['best_fitness']:.1f}")
            bar.update(row["evaluations"] - bar.n)
    return one.record


def _refuse_changes(path: Path, there: Plan, now: Plan, maze_there: Any, maze_now: Any) -> None:
    differences = there.differences(now)
    if maze_there != maze_now:
        differences.append(f"the maze {now.maze} was changed since")
    if differences:
        raise ValueError(f"{path}: has other settings: {'; '.join(differences)}; choose another folder, or remove it")


def _reason(error: OSError | MemoryError) -> str:
    return (error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__
