"""The first start of a command: compile for a run in two processes, each about half of it."""

import itertools
import os
import subprocess
import sys

import numpy as np

from divergent import neat
from divergent._compile import cache_folder
from divergent.maze import Maze
from divergent.runs.build import assemble
from divergent.runs.defaults import POPULATION
from divergent.runs.settings import Plan

SPECIES = "from divergent.runs.compilation import compile_species; compile_species()"
FEW = 20  # individuals are enough to call everything of species
BIRTHS = 3 * POPULATION  # and so many births everything else: a usual search has learnt three times then


def nothing_compiled() -> bool:
    """Whether compiled functions are still to be made: none are cached yet."""
    return not any(cache_folder().rglob("*.nbi"))


def compile_for(plan: Plan, maze: Maze) -> None:
    """Have what a steady run calls compiled and cached: species in another process, the rest meanwhile in this one.

    Whatever becomes of the other process, the run compiles what it does not find.
    """
    if plan.loop != "steady" or os.cpu_count() == 1:
        return
    nowhere = subprocess.DEVNULL
    try:
        other = subprocess.Popen([sys.executable, "-c", SPECIES], stdin=nowhere, stdout=nowhere, stderr=nowhere)
    except OSError:
        return
    with other:
        parts = assemble(plan, maze)
        parts.species = None
        for _ in itertools.islice(parts.steps(), BIRTHS):
            pass


def compile_species() -> None:
    """Call everything that a steady loop calls of species."""
    rng = np.random.default_rng(0)
    genomes = [neat.Genome.start(2, 1, rng=rng) for _ in range(FEW)]
    species = neat.Species(rng=rng)
    scores = rng.random(FEW + 1)
    species.assign(genomes)
    species.respeciate()
    species.select_parents(scores[:FEW])
    species.replace(genomes[0], scores)
