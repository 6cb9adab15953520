"""Runs of docs/benchmarks/agenda.md: python benchmarks/agenda.py {batches,wall,lineage,elites,levels} [--runs N].

Rows are added to results/agenda/NAME.csv; runs that the file has are not repeated.
"""

import argparse
import csv
import functools
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from divergent.loops import Step, steady_state
from divergent.maze import read_maze
from divergent.runs import Settings, assemble

RESULTS = Path(__file__).parent.parent / "results" / "agenda"

Row = dict[str, Any]


def first_solution(steps: Iterator[Step], solved: Callable[[Any], bool]) -> tuple[bool, int]:
    """Whether an individual solved the problem, and the number of evaluations up to it."""
    evaluations = 0
    for step in steps:
        for number, individual in enumerate(step.offspring, step.evaluations - len(step.offspring)):
            evaluations = number + 1
            if solved(individual.fitness.values):
                return True, evaluations
    return False, evaluations


def maze_run(search: str, seed: int, batch: int = 1, **options: Any) -> Row:
    """One run in the hard maze."""
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
    """Novelty and surprise search with batches of 8 and 250; those of 1 are runs of `authored`."""
    for seed in range(runs):
        for search in ("novelty", "surprise"):
            for batch in (8, 250):
                key = {"search": search, "batch": batch, "seed": seed}
                yield key, lambda search=search, batch=batch, seed=seed: maze_run(search, seed, batch)


def lineage(runs: int) -> Iterator[tuple[Row, Callable[[], Row]]]:
    """Surprise search with lineages; that with clusters has runs of `authored`."""
    for seed in range(runs):
        yield {"seed": seed}, lambda seed=seed: maze_run("surprise", seed, partition="lineage")


def add_missing(name: str, cases: Iterator[tuple[Row, Callable[[], Row]]]) -> None:
    """Append the rows of cases that the file does not have."""
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
    """The commit of the code when the process began."""
    command = ["git", "describe", "--always", "--abbrev=12"]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=RESULTS.parent).stdout.strip()


SECTIONS: dict[str, tuple[Callable[[int], Iterator[tuple[Row, Callable[[], Row]]]], int]] = {
    "batches": (batches, 30),
    "lineage": (lineage, 50),
}


def main() -> int:
    """Run one section."""
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
