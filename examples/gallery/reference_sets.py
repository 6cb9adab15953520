"""The reference set of novelty: only the archive, only the population, or both, in the hard maze.

Lehman and Stanley's maze and NEAT, three forms of novelty search compared with objective and surprise search. A robot
within 5 units of the goal solves the maze.

J. Lehman and K. O. Stanley, Abandoning Objectives, Evolutionary Computation 19(2), 2011; J. Gomes, P. Mariano and A. L.
Christensen, Devising Effective Novelty Search Algorithms, GECCO 2015.
"""

import random

import numpy as np
from deap import base
from scipy.spatial.distance import cdist
from searches import SEARCHES as THREE
from searches import run_search

from divergent import neat
from divergent.maze import MazeTask
from divergent.selection import Novelty

PUBLISHED = "archive-based novelty generally does better than population only (Salehi et al. 2022, of others)"
MEASURE = "300 less distance"
SIZE = "connections"
POPULATION, GENERATIONS = 250, 100


class ArchiveOnly(Novelty):
    """Mean distance to the nearest archived behaviours, without the population."""

    def score(self, outcomes, among=None):
        if not len(self.archive):
            return self.rng.random(len(outcomes.fitness))
        distances = np.sort(cdist(outcomes.behaviours, self.archive), axis=1)
        return distances[:, : self.neighbours].mean(axis=1)


SEARCHES = THREE | {"novelty, archive only": ArchiveOnly, "novelty, population only": Novelty}


def run(search, seed, generations=GENERATIONS):
    random.seed(seed)
    rng = np.random.default_rng(seed)
    task = MazeTask("hard")
    toolbox = base.Toolbox()
    neat.register(toolbox, inputs=11, outputs=2, rng=rng)
    toolbox.register("evaluate", task)
    options = {"archiving": "none"} if search.endswith("population only") else {}
    strategy = SEARCHES[search](**options, rng=rng)
    return run_search(
        strategy, toolbox.population(n=POPULATION), toolbox, generations, task.solved, cxpb=0.3, mutpb=0.7
    )


if __name__ == "__main__":
    for search in SEARCHES:
        print(search, run(search, seed=0))
