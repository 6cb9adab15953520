"""Parallel compilation of numba functions in two processes before the first run."""

import itertools
import os
import subprocess
import sys

import numpy as np

from divergent import neat
from divergent.maze._maze import Maze
from divergent.runs._maze_plan import MazePlan
from divergent.runs.build import assemble
from divergent.runs.defaults import POPULATION

COMPILE_SPECIES = "from divergent.runs._compilation import compile_species; compile_species()"
SMALL_POPULATION = 20  # a population of this size suffices to compile every function of `Species`
# a steady-state run of 3 * POPULATION evaluations calls (compiles) every numba function except those of `Species`
EVALUATIONS = 3 * POPULATION


def compile_for(plan: MazePlan, maze: Maze) -> None:
    """Compile the numba functions of a steady-state run in parallel, with a second process for `Species`.

    If the second process fails, the functions of `Species` are compiled during the run.
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
    """Call every function of `Species` that the steady-state loop uses, so that numba compiles these functions."""
    rng = np.random.default_rng(0)
    genomes = [neat.Genome.start(2, 1, rng=rng) for _ in range(SMALL_POPULATION)]
    species = neat.Species(rng=rng)
    scores = rng.random(SMALL_POPULATION + 1)
    species.assign(genomes)
    species.respeciate()
    species.select_parents(scores[:SMALL_POPULATION])
    species.replace(genomes[0], scores)
