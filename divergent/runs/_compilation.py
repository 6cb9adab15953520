"""Compilation of numba functions before the first run, divided between two processes."""

import itertools
import os
import subprocess
import sys

import numpy as np

from divergent import neat
from divergent._compile import cache_folder
from divergent.maze import Maze
from divergent.runs._maze_plan import MazePlan
from divergent.runs.build import assemble
from divergent.runs.defaults import POPULATION

COMPILE_SPECIES = "from divergent.runs._compilation import compile_species; compile_species()"
SMALL_POPULATION = 20  # population size that suffices to call every function of `Species`
# number of evaluations in which a steady-state run calls every other compiled function
EVALUATIONS = 3 * POPULATION


def nothing_compiled() -> bool:
    """Return whether the cache of compiled functions is empty."""
    return not any(cache_folder().rglob("*.nbi"))


def compile_for(plan: MazePlan, maze: Maze) -> None:
    """Compile the functions of a steady-state run: speciation in another process, all other functions in this process.

    If the other process fails, the run itself compiles the functions of speciation.
    """
    if plan.loop != "steady" or os.cpu_count() == 1:
        return
    null = subprocess.DEVNULL
    try:
        other = subprocess.Popen([sys.executable, "-c", COMPILE_SPECIES], stdin=null, stdout=null, stderr=null)
    except OSError:
        return
    with other:
        parts = assemble(plan, maze)
        parts.species = None
        for _ in itertools.islice(parts.steps(), EVALUATIONS):
            pass


def compile_species() -> None:
    """Compile every function of `Species` that the steady-state loop uses, by calling it."""
    rng = np.random.default_rng(0)
    genomes = [neat.Genome.start(2, 1, rng=rng) for _ in range(SMALL_POPULATION)]
    species = neat.Species(rng=rng)
    scores = rng.random(SMALL_POPULATION + 1)
    species.assign(genomes)
    species.respeciate()
    species.select_parents(scores[:SMALL_POPULATION])
    species.replace(genomes[0], scores)
