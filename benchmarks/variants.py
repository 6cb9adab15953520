"""Not time but success: runs of a search with something changed, as docs/replication.md tells of them.

Usage: python benchmarks/variants.py MAZE SEARCH SEEDS NAME...     (for instance: hard surprise 40 sensors+plain-means)

A name is one of those below, or several joined by +; all runs have the paper's settings otherwise, seeds 0, 1, ...
"""

import sys
from functools import partial

import numpy as np
from joblib import Parallel, delayed

from divergent import Settings, neat
from divergent.maze import MazeTask, read_maze
from divergent.neat.genome import SOURCE, WEIGHT
from divergent.runs import assemble
from divergent.selection import kmeans

REAR = 6  # the input of the rear rangefinder
VARIANTS = {
    "none": "nothing is changed",
    "population": "the search learns from the standing population",
    "births": "the search learns from all births",
    "sensors": "the rear rangefinder always reads 0, as in the original program",
    "plain-means": "parent species are drawn by their mean score itself, not above the population's lowest",
    "fresh": "predictions of empty clusters do not count",
    "one-iteration": "k-means makes one iteration a generation",
    "scattered": "the first centroids are anywhere in the bounding box",
}


class WithoutRear(MazeTask):
    """The task of a robot whose rear rangefinder is dead."""

    def __call__(self, individual):
        genes = individual.genes.copy()
        genes[genes[:, SOURCE] == REAR, WEIGHT] = 0.0
        return super().__call__(individual.with_genes(genes))


class PlainMeans(neat.Species):
    """Species that reproduce in proportion to their mean score; there must be no negative ones."""

    def couple(self, scores):
        labels = self.labels
        means = np.bincount(labels, scores) / np.bincount(labels)
        shares = means / means.sum() if means.sum() > 0 else None
        pool = self.parents(scores, int(self.rng.choice(self.count, p=shares)))
        mother, father = pool[self.rng.integers(len(pool), size=2)].tolist()
        return mother, father


def one_run(maze, search, seed, names):
    """How many evaluations a run took, and whether it solved the maze."""
    learn_from = next((name for name in ("population", "births") if name in names), None)
    stale = False if "fresh" in names else None
    plan = Settings(maze=maze, search=search, seed=seed, learn_from=learn_from, stale=stale).completed()
    maze = read_maze(maze)
    parts = assemble(plan, maze)
    if "sensors" in names:
        parts.task = WithoutRear(maze, plan.steps)
        parts.toolbox.register("evaluate", parts.task)
    if "one-iteration" in names:
        parts.strategy.locality.clustering = partial(kmeans, iterations=1)
    if "scattered" in names:
        left, top, right, bottom = maze.bounds
        clusters = (plan.options["clusters"], 2)
        parts.strategy.centroids = [parts.strategy.rng.uniform((left, top), (right, bottom), clusters)]
    if "plain-means" in names:
        parts.species = PlainMeans(target=plan.species, rng=parts.rngs["grouping"])
    for step in parts.steps():
        if any(parts.task.solved(individual.fitness.values) for individual in step.born):
            return step.evaluations, True
    return plan.budget, False


def main():
    if len(sys.argv) < 5:
        print(__doc__)
        for name, change in VARIANTS.items():
            print(f"  {name:<14} {change}")
        return
    maze, search, seeds, *variants = sys.argv[1:]
    for variant in variants:
        names = variant.split("+")
        for name in names:
            if name not in VARIANTS:
                raise SystemExit(f"unknown variant {name!r}; choose from {', '.join(VARIANTS)}")
        runs = Parallel(n_jobs=2)(delayed(one_run)(maze, search, seed, names) for seed in range(int(seeds)))
        evaluations = np.array([count for count, _ in runs])
        solved = sum(solved for _, solved in runs)
        print(
            f"{search} on {maze}, {variant}: {solved} of {seeds} solved, {evaluations.mean():,.0f} evaluations "
            f"(sd {evaluations.std(ddof=1):,.0f})",
            flush=True,
        )


if __name__ == "__main__":
    main()
