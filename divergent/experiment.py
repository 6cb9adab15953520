"""Run maze experiments: one run or many, on this machine or on a cluster, resumable at any moment."""

import dataclasses
import math
import os
import platform
import random
import time
from collections.abc import Generator, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from deap import base

import divergent
from divergent import checkpoint, neat
from divergent.loops import Step, batch_map, evolve, steady_state
from divergent.maze import Maze, read_maze
from divergent.record import Record, maze_as_json, read, write
from divergent.robot import INPUTS, OUTPUTS
from divergent.selection import SEARCHES, Heatmap, Strategy, by_score
from divergent.settings import Settings
from divergent.task import MazeTask

CHECKPOINT_EVERY = 25  # generations: about a second of work


def run(settings: Settings, out: str | os.PathLike | None = None) -> Record:
    """Do one run and return its record.

    Parameters
    ----------
    settings
        What decides the run; what is None takes the paper's value.
    out
        A folder that keeps the record, in a folder of its own. An interrupted run goes on where its last checkpoint is,
        and a run that is finished there is read, not repeated. None keeps nothing.

    Examples
    --------
    >>> record = run(Settings(maze="medium", search="random", population=20, generations=2))
    >>> record.evaluations, record.solved, record.positions.shape
    (40, False, (40, 2))
    """
    if out is not None and (finished := find(settings.completed(), out)):
        return finished
    return Run(settings, out=out).finish()


def find(settings: Settings, out: str | os.PathLike) -> Record | None:
    """The finished record of completed settings, None if there is none; one of other settings is refused."""
    folder = folder_of(settings, out)
    if not folder.exists():
        return None
    record = read(folder)
    maze = read_maze(settings.maze)
    _refuse_changes(folder, record.settings, settings, maze_as_json(record.maze), maze_as_json(maze))
    return record


def folder_of(settings: Settings, out: str | os.PathLike) -> Path:
    """Where the record of a run is, or will be."""
    return Path(out) / settings.name / f"seed-{settings.seed:04d}"


class Run:
    """One run, done by iterating over it: one row for the record each generation.

    Afterwards `record` is the whole of it, and is written if there is a folder for it.

    Parameters
    ----------
    settings, out
        As for `run`.
    maze
        The maze itself, where its file is not at hand, as on a worker of a cluster.
    """

    def __init__(self, settings: Settings, *, out: str | os.PathLike | None = None, maze: Maze | None = None):
        self.settings = settings.completed()
        self.maze = maze or read_maze(self.settings.maze)
        self.folder = None if out is None else folder_of(self.settings, out)
        self.record: Record

    def __iter__(self) -> Iterator[dict[str, Any]]:
        began = time.perf_counter()
        state = _State(self.settings, self.maze)
        saved = self.folder and self.folder.with_name(self.folder.name + ".checkpoint.npz")
        if saved and saved.exists():
            state.load(saved)
        solver = None
        for step in state.steps():
            solver = state.note(step)
            if solver is None and step.evaluations % self.settings.population and self.settings.loop == "steady":
                continue  # in the middle of a generation
            row = state.row(step)
            yield row
            if solver is not None:
                break
            if saved and step.generation % CHECKPOINT_EVERY == CHECKPOINT_EVERY - 1:
                state.save(saved, step, state.seconds + time.perf_counter() - began)
        self.record = state.record(solver is not None, state.seconds + time.perf_counter() - began)
        if self.folder and saved:
            write(self.record.files(), self.folder)
            saved.unlink(missing_ok=True)

    def finish(self) -> Record:
        """Do the whole run and return its record."""
        for _ in self:
            pass
        return self.record


class Finished(NamedTuple):
    """The end of one of many runs."""

    settings: Settings
    folder: Path
    solved: bool
    evaluations: int
    seconds: float
    before: bool
    """Whether it was finished already when the runs were asked for."""


def run_many(
    runs: Sequence[Settings], out: str | os.PathLike, *, jobs: int = 1, scheduler: str | None = None
) -> Generator[Finished, None, None]:
    """Do many runs and yield each as it finishes; those that are finished already come first.

    Results depend neither on `jobs`, nor on `scheduler`, nor on the order in which runs finish.

    Parameters
    ----------
    runs
        The settings of each.
    out
        The folder of the records.
    jobs
        Processes on this machine.
    scheduler
        The address of a Dask scheduler, whose workers then do the runs; a run whose worker is lost is run again.
    """
    if jobs < 1:
        raise ValueError(f"jobs must be at least 1, got {jobs}")
    pending = []
    for settings in [settings.completed() for settings in runs]:
        if record := find(settings, out):
            yield _finished(record, out, before=True)
        else:
            pending.append(settings)
    if scheduler is not None:
        done = _on_cluster(pending, out, scheduler)
    elif jobs > 1 and len(pending) > 1:
        done = _on_processes(pending, out, jobs)
    else:
        done = (run(settings, out) for settings in pending)
    for record in done:
        yield _finished(record, out, before=False)


def make_strategy(settings: Settings, maze: Maze, rng: np.random.Generator) -> Strategy:
    """The strategy that completed settings name."""
    options: dict[str, Any] = {
        name: getattr(settings, name)
        for name in ("neighbours", "clusters", "history")
        if getattr(settings, name) is not None
    }
    left, top, right, bottom = maze.bounds
    bounds = ((left, top) * (settings.samples or 1), (right, bottom) * (settings.samples or 1))
    if settings.search == "surprise":
        options["predictor"] = settings.predictor
        options["deviation"] = Heatmap(bounds) if settings.deviation == "heatmap" else settings.deviation
    if settings.search == "ssr":
        options["bounds"] = bounds
    return SEARCHES[settings.search](**options, rng=rng)


class _State:
    """Everything that changes in the course of a run."""

    def __init__(self, settings, maze):
        self.settings, self.maze = settings, maze
        breeding, scoring, grouping = (
            np.random.default_rng(seed) for seed in np.random.SeedSequence(settings.seed).spawn(3)
        )
        self.rngs = {"breeding": breeding, "grouping": grouping}  # a strategy keeps its own
        self.task = MazeTask(maze, settings.steps, samples=settings.samples)
        self.toolbox = base.Toolbox()
        self.innovations = neat.Innovations()
        neat.register(self.toolbox, INPUTS, OUTPUTS, innovations=self.innovations, rng=breeding)
        self.toolbox.register("evaluate", self.task)
        self.toolbox.register("map", batch_map)
        self.strategy = make_strategy(settings, maze, scoring)
        self.species = neat.Species(target=max(1, settings.population // 15), rng=grouping)
        self.population = self.toolbox.population(n=settings.population)
        self.positions = np.empty((settings.budget, 2), dtype=np.float32)
        self.evaluations = 0
        self.rows = []
        self.best = None
        self.generations_done = 0
        self.seconds = 0.0
        if settings.loop == "generational":
            random.seed(settings.seed)  # DEAP's own tools draw from the module
            select = partial(neat.select, species=self.species)
            self.toolbox.register("select", by_score, strategy=self.strategy, select=select)

    def steps(self):
        """The loop, from the beginning or from where a checkpoint left it."""
        common = {"generations": self.settings.generations, "done": self.generations_done}
        if self.settings.loop == "steady":
            learn_from = self.settings.learn_from
            return steady_state(
                self.population, self.toolbox, self.strategy, self.species, learn_from=learn_from, **common
            )
        return evolve(self.population, self.toolbox, cxpb=0.7, mutpb=0.8, evaluations=self.evaluations, **common)

    def note(self, step: Step):
        """Take down who was born; the first who solved the maze, or None."""
        for individual in step.born:
            self.positions[self.evaluations] = individual.fitness.behaviour[-2:]
            self.evaluations += 1
            if self.best is None or individual.fitness.wvalues > self.best.fitness.wvalues:
                self.best = individual
                if self.task.solved(individual.fitness.values):
                    return individual
        return None

    def row(self, step: Step):
        """What the record says of a generation."""
        self.population = step.population
        genes = [genome.genes for genome in step.population]
        row = {
            "generation": step.generation,
            "evaluations": self.evaluations,
            "best_fitness": self.best.fitness.values[0],
            "mean_fitness": float(np.mean([genome.fitness.values[0] for genome in step.population])),
            "mean_connections": float(np.mean([len(part) for part in genes])),
            "species": self.species.count,
            "archive": len(getattr(self.strategy, "archive", ())),
        }
        self.rows.append(row)
        return row

    def record(self, solved, seconds):
        rollout = self.task.rollout(self.best)
        diversity = neat.diversity(self.population)
        return Record(
            settings=self.settings,
            version=divergent.__version__,
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
            machine=_machine(seconds),
        )

    def save(self, path, step, seconds):
        notes = {
            "version": divergent.__version__,
            "settings": dataclasses.asdict(self.settings),
            "maze": maze_as_json(self.maze),
            "generations_done": step.generation + 1,
            "evaluations": self.evaluations,
            "rows": self.rows,
            "best": self.best.to_json(),
            "best_fitness": self.best.fitness.values,
            "strategy": self.strategy.state(),
            "species": self.species.state(),
            "innovations": self.innovations.state(),
            "rngs": {name: rng.bit_generator.state for name, rng in self.rngs.items()},
            "random": random.getstate() if self.settings.loop == "generational" else None,
            "seconds": seconds,
        }
        checkpoint.save(path, notes, step.population, self.positions[: self.evaluations])

    def load(self, path):
        notes, population, positions = checkpoint.load(path, INPUTS, OUTPUTS)
        there = Settings(**notes["settings"])
        _refuse_changes(path, there, self.settings, notes["maze"], maze_as_json(self.maze))
        if notes["version"] != divergent.__version__:
            raise ValueError(
                f"{path}: begun with version {notes['version']} of divergent, this is {divergent.__version__}; "
                "remove it to begin this run again"
            )
        self.population = population
        self.positions[: len(positions)] = positions
        self.generations_done, self.evaluations = notes["generations_done"], notes["evaluations"]
        self.rows, self.seconds = notes["rows"], notes["seconds"]
        self.best = neat.Genome.from_json(notes["best"])
        self.best.fitness.values = notes["best_fitness"]
        self.strategy.restore(notes["strategy"])
        self.species.restore(notes["species"], population)
        self.innovations.restore(notes["innovations"])
        for name, rng in self.rngs.items():
            rng.bit_generator.state = notes["rngs"][name]
        if notes["random"] is not None:
            version, internal, gauss = notes["random"]
            random.setstate((version, tuple(internal), gauss))


def _refuse_changes(path, there, now, maze_there, maze_now):
    differences = there.differences(now)
    if maze_there != maze_now:
        differences.append(f"the maze {now.maze} was changed since")
    if differences:
        raise ValueError(f"{path}: has other settings: {'; '.join(differences)}; choose another --out, or remove it")


def _machine(seconds):
    import numba

    return {
        "seconds": round(seconds, 3),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "system": platform.platform(),
        "processor": platform.machine(),
    }


def _finished(record, out, before):
    return Finished(
        record.settings,
        folder_of(record.settings, out),
        record.solved,
        record.evaluations,
        record.machine.get("seconds", math.nan),
        before,
    )


def _on_processes(pending, out, jobs):
    from joblib import Parallel, delayed

    work = (delayed(_run_as_worker)(settings, out, os.getpid()) for settings in pending)
    return Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1, pre_dispatch=jobs)(work)


def _run_as_worker(settings, out, parent):
    one = Run(settings, out=out)
    for _ in one:
        if os.getppid() != parent:
            os._exit(1)  # whoever asked is gone; the checkpoint stays for the next launch
    return one.record


def _on_cluster(pending, out, address):
    from distributed import Client, as_completed

    with Client(address) as client:
        futures = [
            client.submit(_run_on_cluster, settings, read_maze(settings.maze), pure=False) for settings in pending
        ]
        for future in as_completed(futures):
            record = future.result()
            write(record.files(), folder_of(record.settings, out))
            yield record


def _run_on_cluster(settings, maze):
    return Run(settings, maze=maze).finish()
