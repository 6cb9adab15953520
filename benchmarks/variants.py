"""Measure the success rates of variants of a search, for docs/benchmarks/replication.md.

Usage: python benchmarks/variants.py MAZE SEARCH SEEDS NAME... [--results FILE]

Example: python benchmarks/variants.py extremely_hard novelty 30 above-lowest

NAME is a key of `VARIANTS`, or several keys joined by a plus sign. All other settings are the defaults, and the seeds
are 0 to SEEDS - 1. With `--results FILE`, the runs replace all rows of the table FILE that have the same maze, search
and variant. The command `python -m divergent.replicate report` includes the rows of results/variants.csv in the report.
"""

import sys
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

from divergent import Settings, neat
from divergent.maze import read_maze
from divergent.runs import assemble
from divergent.selection import kmeans

VARIANTS = {
    "none": "nothing is changed",
    "population": "the search updates from the current population",
    "offspring": "the search updates from the offspring of the generation",
    "original": "the five-rangefinder robot of Lehman's program",
    "above-lowest": "parent species are drawn in proportion to their mean score above the population minimum",
    "within-species": "no mating between species (default: one mating in a thousand)",
    "fresh": "predictions of empty clusters are ignored",
    "one-iteration": "k-means makes one iteration per generation",
    "scattered": "the first centroids are drawn uniformly from the bounding box of the maze",
}


class AboveLowest(neat.Species):
    """Species that are selected for reproduction in proportion to their mean score above the population minimum."""

    def select_parents(self, scores):
        return super().select_parents(scores - scores.min())


def one_run(maze, search, seed, names):
    """Execute one run; return the number of evaluations and whether the run solved the maze."""
    learn_from = next((name for name in ("population", "offspring") if name in names), None)
    keep_empty_clusters = False if "fresh" in names else None
    robot = {"robot": "five-rangefinder"} if "original" in names else {}
    plan = Settings(
        maze=maze, search=search, seed=seed, learn_from=learn_from, keep_empty_clusters=keep_empty_clusters, **robot
    ).resolve()
    maze = read_maze(maze)
    parts = assemble(plan, maze)
    if "one-iteration" in names:
        parts.strategy.partition.clustering = partial(kmeans, iterations=1)
    if "scattered" in names:
        left, top, right, bottom = maze.bounds
        clusters = (plan.options["clusters"], 2)
        parts.strategy.centroids = [parts.strategy.rng.uniform((left, top), (right, bottom), clusters)]
    if "above-lowest" in names:
        parts.species = AboveLowest(target=plan.species, rng=parts.rngs["grouping"])
    if "within-species" in names:
        parts.species.interspecies = 0.0
    solved, evaluations = False, plan.budget
    for step in parts.steps():
        if any(parts.task.solved(individual.fitness.values) for individual in step.offspring):
            solved, evaluations = True, step.evaluations
            break
    return {
        "seed": seed, "solved": solved, "evaluations": evaluations, "population": plan.population,
        "generations": plan.generations,
    }  # fmt: skip


def keep(runs, path):
    """Write runs to a CSV file, replacing earlier runs of the same maze, search and variant."""
    own = ["maze", "search", "variant"]
    if path.is_file():
        before = pd.read_csv(path)
        replaced = before[own].apply(tuple, axis=1).isin(set(runs[own].apply(tuple, axis=1)))
        runs = pd.concat([before[~replaced], runs])
    runs.sort_values([*own, "seed"]).to_csv(path, index=False, lineterminator="\n")


def main():
    words = sys.argv[1:]
    path = None
    if "--results" in words[:-1]:
        place = words.index("--results")
        path = Path(words[place + 1])
        del words[place : place + 2]
    if len(words) < 4:
        print(__doc__)
        for name, change in VARIANTS.items():
            print(f"  {name:<14} {change}")
        return
    maze, search, seeds, *variants = words
    for variant in variants:
        names = variant.split("+")
        for name in names:
            if name not in VARIANTS:
                raise SystemExit(f"NAME must be a known variant, got {name!r}; choose from {', '.join(VARIANTS)}")
        rows = Parallel(n_jobs=2)(delayed(one_run)(maze, search, seed, names) for seed in range(int(seeds)))
        runs = pd.DataFrame(rows)
        runs = pd.DataFrame({"maze": maze, "search": search, "variant": variant, **runs})
        sd = np.std(runs["evaluations"], ddof=1)
        print(
            f"{search} on {maze}, {variant}: {runs['solved'].sum()} of {seeds} solved, "
            f"{runs['evaluations'].mean():,.0f} evaluations (sd {sd:,.0f})",
            flush=True,
        )
        if path is not None:
            keep(runs, path)


if __name__ == "__main__":
    main()
