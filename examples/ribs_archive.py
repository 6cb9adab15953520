"""Add the NEAT genomes of a search to a pyribs archive, which keeps the best genome in each of its cells.

The script requires the package ribs, version 0.9 or later.
"""

import numpy as np
from ribs.archives import GridArchive

from divergent.maze import read_maze
from divergent.runs import Settings, assemble


def archive_of(generations, search="nsslc", seed=1, cells=20):
    """Return a pyribs archive of all individuals that a search evaluates in the hard maze."""
    maze = read_maze("hard")
    left, top, right, bottom = maze.bounds
    archive = GridArchive(
        solution_dim=(),  # a genome is an object of variable size, not a vector
        solution_dtype=object,
        dims=[cells, cells],
        ranges=[(left, right), (top, bottom)],
    )
    parts = assemble(Settings(maze="hard", search=search, seed=seed, generations=generations).resolve(), maze)
    for step in parts.steps():
        genomes = np.empty(len(step.offspring), dtype=object)
        genomes[:] = step.offspring
        archive.add(
            genomes,
            objective=[genome.fitness.values[0] for genome in step.offspring],
            measures=[genome.fitness.behaviour for genome in step.offspring],
        )
    return archive


if __name__ == "__main__":
    archive = archive_of(generations=40)
    best = archive.best_elite
    print(f"coverage {archive.stats.coverage:.0%}, best fitness {best['objective']:.1f}")
    print(f"the best has {len(best['solution'])} connections")
