"""Execute the runs of one section of docs/benchmarks/agenda.md: python benchmarks/agenda.py SECTION.

SECTION is batches, wall, lineage, elites or levels. Each run adds a row to results/agenda/SECTION.csv. Runs that
already have a row in results/agenda/SECTION.csv are skipped.
"""

import argparse
import csv
import functools
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np
from deap import base, tools
from scipy.spatial.distance import pdist

from divergent.archives import Elites
from divergent.constrained import FeasibleInfeasible
from divergent.illumination import map_elites
from divergent.individual import MaximisedFitness, Outcome
from divergent.loops import Step, evolve, steady_state
from divergent.maze import read_maze
from divergent.maze._maze import BEST
from divergent.problems.levels import LEVELS
from divergent.runs import Settings, assemble
from divergent.selection import SEARCHES, Novelty, by_score

RESULTS = Path(__file__).parent.parent / "results" / "agenda"

WALL_SECONDS = 0.05  # of one evaluation
LEVEL_EVALUATIONS = 10_000
CLUSTERS = 10  # the number of clusters is small because few of the 100 levels of a population are feasible

Row = dict[str, Any]


def first_solution(steps: Iterator[Step], solved: Callable[[Any], bool]) -> tuple[bool, int]:
    """Return whether a run finds a solution, and its number of evaluations up to the first solution or the end."""
    evaluations = 0
    for step in steps:
        for number, individual in enumerate(step.offspring, step.evaluations - len(step.offspring)):
            evaluations = number + 1
            if solved(individual.fitness.values):
                return True, evaluations
    return False, evaluations


def maze_run(search: str, seed: int, batch: int = 1, **options: Any) -> Row:
    """Execute one run of the steady-state loop in the hard maze, and return its success and number of evaluations."""
    plan = Settings(maze="hard", search=search, seed=seed, **options).resolve()
    parts = assemble(plan, read_maze("hard"))
    steps = steady_state(
        parts.population,
        parts.toolbox,
        parts.strategy,
        parts.species,
        generations=plan.generations,
        learn_from=plan.learn_from,
        refresh=plan.refresh,
        batch=batch,
    )
    solved, evaluations = first_solution(steps, parts.task.solved)
    return {"solved": solved, "evaluations": evaluations}


def batches(runs: int) -> Iterator[tuple[Row, Callable[[], Row]]]:
    """Yield runs of novelty and surprise search with the batch sizes 8 and 250 of the steady-state loop."""
    for seed in range(runs):
        for search in ("novelty", "surprise"):
            for batch in (8, 250):
                key = {"search": search, "batch": batch, "seed": seed}
                yield key, lambda search=search, batch=batch, seed=seed: maze_run(search, seed, batch)


def lineage(runs: int) -> Iterator[tuple[Row, Callable[[], Row]]]:
    """Yield runs of surprise search that group individuals by lineage instead of clustering their behaviours."""
    for seed in range(runs):
        yield {"seed": seed}, lambda seed=seed: maze_run("surprise", seed, partition="lineage")


def wall(runs: int) -> Iterator[tuple[Row, Callable[[], Row]]]:
    """Yield measurements of the wall time of 2,000 evaluations, each of which sleeps for 50 ms."""
    for run in range(runs):
        for loop, batch in (("steady", 1), ("steady", 8), ("steady", 250), ("plus", 250)):
            for processes in (1, 2):
                key = {"loop": loop, "batch": batch, "processes": processes, "run": run}
                yield key, lambda loop=loop, batch=batch, processes=processes: wall_run(loop, batch, processes)


def wall_run(loop: str, batch: int, processes: int) -> Row:
    """Measure the wall time of one loop that evaluates individuals in a pool of processes."""
    random.seed(1)
    toolbox = base.Toolbox()
    toolbox.register("evaluate", sleep_and_evaluate)
    toolbox.register("mate", tools.cxBlend, alpha=0.2)
    toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=0.3, indpb=1.0)
    strategy = Novelty(rng=np.random.default_rng(1))
    toolbox.register("select", by_score, strategy=strategy, select=tools.selBest)
    population = [Point([random.random(), random.random()]) for _ in range(250)]
    with Pool(processes) as pool:
        toolbox.register("map", functools.partial(pool.map, chunksize=1))
        began = time.perf_counter()
        if loop == "steady":
            steps = steady_state(population, toolbox, strategy, generations=8, batch=batch)
        else:
            steps = evolve(population, toolbox, 8, survive="plus", cxpb=0.5, mutpb=0.5)
        *_, last = steps
        seconds = time.perf_counter() - began
    return {"evaluations": last.evaluations, "seconds": round(seconds, 2)}


class Point(list):
    """An individual that is a point in the plane; its fitness is not used."""

    def __init__(self, numbers: Any):
        super().__init__(numbers)
        self.fitness = MaximisedFitness()


def sleep_and_evaluate(point: Point) -> Outcome:
    """Sleep for 50 ms, as if an external simulator evaluated the individual."""
    time.sleep(WALL_SECONDS)
    return Outcome((0.0,), behaviour=tuple(point))


def elites(runs: int) -> Iterator[tuple[Row, Callable[[], Row]]]:
    """Yield runs of MAP-Elites in the hard maze with five methods of parent selection."""
    for seed in range(runs):
        for parents in ("uniform", "novelty", "surprise", "nss", "curiosity"):
            yield {"parents": parents, "seed": seed}, lambda parents=parents, seed=seed: elites_run(parents, seed)


def elites_run(parents: str, seed: int) -> Row:
    """Execute one run of MAP-Elites with NEAT in the hard maze; the run stops at the first solution."""
    random.seed(seed)
    maze = read_maze("hard")
    search = parents if parents in SEARCHES else "random"
    # MAP-Elites has no species, so genomes would grow without limit if children inherited the genes of both parents.
    # With loop="plus", children inherit disjoint and excess genes only from the fitter parent.
    plan = Settings(maze="hard", search=search, seed=seed, loop="plus").resolve()
    parts = assemble(plan, maze)
    left, top, right, bottom = maze.bounds
    corners = [(x, y) for x in (left, right) for y in (top, bottom)]
    furthest = max(float(np.hypot(x - maze.goal[0], y - maze.goal[1])) for x, y in corners)
    archive = Elites(((left, top), (right, bottom)), worst=BEST - furthest)
    chosen = parts.strategy if parents in SEARCHES else parents
    steps = map_elites(parts.population, parts.toolbox, archive, chosen, evaluations=plan.budget, batch=250)
    solved, evaluations = first_solution(steps, parts.task.solved)
    return {
        "solved": solved,
        "evaluations": evaluations,
        "coverage": round(archive.coverage, 4),
        "qd_score": round(archive.qd_score, 1),
    }


def levels(runs: int) -> Iterator[tuple[Row, Callable[[], Row]]]:
    """Yield runs that generate game levels by FI-2pop with four strategies, or by novelty search without FI-2pop."""
    for seed in range(runs):
        for search in ("objective", "novelty", "surprise", "nss", "discard"):
            yield {"search": search, "seed": seed}, lambda search=search, seed=seed: levels_run(search, seed)


def levels_run(search: str, seed: int) -> Row:
    """Generate game levels in one run of 10,000 evaluations, and return the results of the last generation."""
    *_, row = (row for row, _ in levels_steps(search, seed))
    return row


def levels_steps(search: str, seed: int, evaluations: int = LEVEL_EVALUATIONS) -> Iterator[tuple[Row, Elites]]:
    """Generate game levels; after each generation, yield the results so far and the archive of feasible levels."""
    random.seed(seed)
    rng = np.random.default_rng(seed)
    toolbox = LEVELS.toolbox(rng)
    options = {"clusters": CLUSTERS} if search in ("surprise", "nss") else {}
    strategy: Any = SEARCHES["novelty" if search == "discard" else search](**options)
    strategy.rng = rng
    survive: Any = FeasibleInfeasible(strategy, cxpb=0.6, mutpb=0.9, smallest=CLUSTERS)
    if search == "discard":
        survive = "generational"
        toolbox.register("select", by_score, strategy=strategy, select=tools.selTournament, tournsize=3)
    assert LEVELS.bounds is not None
    archive, feasible, counted = Elites(LEVELS.bounds), 0, 0
    for step in evolve(toolbox.population(n=100), toolbox, evaluations, survive=survive, cxpb=0.6, mutpb=0.9):
        offspring = step.offspring[: evaluations - counted]
        counted += len(offspring)
        feasible_levels = [level for level in offspring if level.fitness.violation == 0]
        feasible += len(feasible_levels)
        archive.add(feasible_levels)
        final = [level for level in step.population if level.fitness.violation == 0]
        yield (
            {
                "feasible": round(feasible / counted, 4),
                "coverage": round(archive.coverage, 4),
                "diversity": round(mean_pairwise_distance(final), 4) if counted == evaluations else "",
                "final_feasible": len(final),
            },
            archive,
        )
        if counted == evaluations:
            return


def mean_pairwise_distance(individuals: list) -> float:
    """Return the fraction of tiles in which two game levels differ, averaged over all pairs; 0 if there is no pair."""
    if len(individuals) < 2:
        return 0.0
    return float(pdist(np.array([list(level) for level in individuals]), "hamming").mean())


def add_missing(name: str, cases: Iterator[tuple[Row, Callable[[], Row]]]) -> None:
    """Execute the runs that have no row in results/agenda/NAME.csv yet, and append a row for each executed run."""
    path = RESULTS / f"{name}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    finished = list(csv.DictReader(path.open())) if path.exists() else []
    for key, run in cases:
        texts = {column: str(value) for column, value in key.items()}
        if any(all(row[column] == value for column, value in texts.items()) for row in finished):
            continue
        row = key | run() | {"commit": commit()}
        new = not path.exists()
        with path.open("a", newline="") as file:
            writer = csv.DictWriter(file, row.keys(), lineterminator="\n")
            if new:
                writer.writeheader()
            writer.writerow(row)


@functools.cache
def commit() -> str:
    """Return the Git commit of the code at the start of the process."""
    command = ["git", "describe", "--always", "--abbrev=12"]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=RESULTS.parent).stdout.strip()


SECTIONS: dict[str, tuple[Callable[[int], Iterator[tuple[Row, Callable[[], Row]]]], int]] = {
    "batches": (batches, 30),
    "wall": (wall, 1),
    "lineage": (lineage, 50),
    "elites": (elites, 30),
    "levels": (levels, 20),
}


def main() -> int:
    """Execute the missing runs of one section of docs/benchmarks/agenda.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("section", choices=SECTIONS)
    parser.add_argument("--runs", type=int, help="runs of each variant (default: that of the rules)")
    options = parser.parse_args()
    commit()
    cases, runs = SECTIONS[options.section]
    add_missing(options.section, cases(options.runs or runs))
    return 0


if __name__ == "__main__":
    sys.exit(main())
