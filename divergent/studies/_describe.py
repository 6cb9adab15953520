"""Dynamics and evolvability of five searches, measured in runs that record every evaluation."""

import copy
import math
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from deap import base

from divergent import analysis, neat
from divergent.history import History
from divergent.loops._variation import batch_map
from divergent.maze._files import read_maze
from divergent.maze._rollout import INPUTS, OUTPUTS
from divergent.runs._machine import describe_machine
from divergent.runs.build import Parts, assemble
from divergent.runs.defaults import THRESHOLD
from divergent.runs.settings import Settings
from divergent.selection._novelty import Novelty
from divergent.selection._partitions import GridPartition
from divergent.selection._surprise import Surprise
from divergent.studies._design import FIRST_SEED, HARD
from divergent.studies._results import append_rows, read_table

SEARCHES = ("objective", "novelty", "surprise", "ssnp", "random")
RUNS = 20
CHECKPOINTS = (25, 50, 100)  # generations
INDIVIDUALS = 50  # number of individuals whose evolvability is measured at a checkpoint
RUN_TABLE, GENERATION_TABLE, MUTANT_TABLE = "dynamics.csv", "dynamics_by_generation.csv", "evolvability.csv"
MEASURES = (
    "occupied", "new", "revisited", "turnover", "entropy", "error", "persistence", "skill", "novelty_surprise",
    "intensity", "size",
)  # fmt: skip
PAPER_CLUSTERS = 100  # the paper's number of clusters of surprise search in the hard maze


class Description(NamedTuple):
    """Dynamics of one run, and evolvability of individuals at the checkpoints of the run."""

    run: dict[str, Any]
    generations: pd.DataFrame
    mutants: pd.DataFrame


def describe_run(settings: Settings, checkpoints: tuple[int, ...] = CHECKPOINTS) -> Description:
    """Execute a run and measure its dynamics in every generation.

    Parameters
    ----------
    settings : divergent.runs.settings.Settings
        Settings of the run; the measurements do not influence the run.
    checkpoints : tuple of int, default=(25, 50, 100)
        Generations after which the evolvability of individuals is measured, if the run is still unsolved.

    Returns
    -------
    Description
        Summary of the run, a table with one row per generation, and a table with one row per measured individual.
    """
    machine, before = describe_machine(), time.process_time()
    plan = settings.resolve()
    maze = read_maze(plan.maze)
    parts = assemble(plan, maze)
    left, top, right, bottom = maze.bounds
    sides = [max(1, math.ceil(round(side / analysis.CELL_SIZE, 9))) for side in (right - left, bottom - top)]
    # the grid consists of complete cells, so it may extend beyond the maze, as in `analysis.visits`
    high = (left + sides[0] * analysis.CELL_SIZE, top + sides[1] * analysis.CELL_SIZE)
    grid = GridPartition(((left, top), high), sides)
    history = History(strategy=parts.strategy, species=parts.species)
    mutants, solved = [], False
    for step in history.watch(parts.steps()):
        solved = any(parts.task.solved(individual.fitness.values) for individual in step.offspring)
        if solved:
            break
        if step.ends_generation and step.generation in checkpoints:
            table = _evolvability(parts, step.population, history, grid, plan.seed + step.generation)
            mutants.append(table.assign(search=plan.search, seed=plan.seed, generation=step.generation))
    generations = _by_generation(history, grid, plan.population)
    key = {"search": plan.search, "seed": plan.seed}
    means = {name: float(generations[name].mean()) for name in MEASURES}
    times = analysis.return_times(_cell_counts(history, grid))
    row: dict[str, Any] = key | {"solved": solved, "evaluations": len(history)} | means
    row |= {"return_time": float(np.median(times)) if len(times) else math.nan}
    row |= {"growth": analysis.growth_rate(history.sizes), "cpu_seconds": time.process_time() - before}
    row |= {"commit": machine.get("commit")}
    return Description(row, generations.assign(**key), pd.concat(mutants) if mutants else pd.DataFrame())


def describe(
    searches: tuple[str, ...], runs: int, results: str | os.PathLike, generations: int | None = None
) -> Iterator[Description]:
    """Execute the runs that are missing in the result tables, and add their measurements to the tables.

    Parameters
    ----------
    searches : tuple of str
        Names of the searches, which run in the hard maze.
    runs : int
        Number of runs of each search; the first seed is 3000.
    results : path_like
        Folder of the result tables.
    generations : int or None, default=None
        Number of generations of a run; None selects the default of the maze.

    Yields
    ------
    Description
        Measurements of each run.
    """
    folder = Path(results)
    for seed in range(FIRST_SEED, FIRST_SEED + runs):
        for search in searches:
            known = read_table(folder / RUN_TABLE)
            if len(known) and ((known["search"] == search) & (known["seed"] == seed)).any():
                continue
            description = describe_run(Settings(maze=HARD, search=search, seed=seed, generations=generations))
            # the table of runs is written last, so that a run in this table has all its measurements
            append_rows(folder / MUTANT_TABLE, description.mutants)
            append_rows(folder / GENERATION_TABLE, description.generations)
            append_rows(folder / RUN_TABLE, pd.DataFrame([description.run]))
            yield description


def _by_generation(history: History, grid: GridPartition, population: int) -> pd.DataFrame:
    """Return all measures of the dynamics of a run, one row per generation."""
    numbers = analysis.generation_numbers(history)
    table = analysis.occupancy_over_time(_cell_counts(history, grid)).set_index("generation")
    errors = analysis.prediction_errors(history).set_index("generation")
    # the last generation of a successful run can be incomplete, because a solution ends the run
    complete = np.bincount(numbers)[numbers] == population
    rng = np.random.default_rng(0)
    clusters = min(PAPER_CLUSTERS, population)
    correlations = analysis.score_correlations(
        history.behaviours[complete],
        numbers[complete],
        Novelty(threshold=THRESHOLD, rng=rng),
        Surprise(clusters=clusters, neighbours=1, rng=rng),
    ).set_index("generation")["correlation"]
    intensity = analysis.selection_intensity(history.scores, history.parents, numbers).set_index("generation")
    sizes = pd.Series(history.sizes).groupby(numbers).mean()
    return (
        table.join(errors[["error", "persistence", "skill"]])
        .assign(
            # surprise scores of the first two generations are random, because predictions need two generations
            novelty_surprise=correlations[correlations.index > 1],
            intensity=intensity["correlation"],
            size=sizes,
        )
        .reset_index()
    )


def _cell_counts(history: History, grid: GridPartition) -> np.ndarray:
    """Return the number of evaluations in each generation and grid cell."""
    numbers = analysis.generation_numbers(history)
    return analysis.count_cells(
        history.behaviours, numbers, (grid.low.tolist(), grid.high.tolist()), grid.cells.tolist()
    )


def _evolvability(
    parts: Parts, population: list[neat.Genome], history: History, grid: GridPartition, seed: int
) -> pd.DataFrame:
    """Measure the evolvability of randomly chosen individuals of a population, without side effects on the run."""
    rng = np.random.default_rng(seed)
    innovations = copy.deepcopy(parts.innovations)
    toolbox = base.Toolbox()
    neat.register(toolbox, INPUTS, OUTPUTS, innovations=innovations, rng=rng)
    toolbox.register("evaluate", parts.task)
    toolbox.register("map", batch_map)
    visited = np.zeros(int(grid.cells.prod()), dtype=bool)
    visited[grid.cell_indices(history.behaviours)] = True
    chosen = rng.choice(len(population), min(INDIVIDUALS, len(population)), replace=False)
    return analysis.mutant_behaviours([population[row] for row in chosen], toolbox, grid, visited)
