"""The Archimedean spiral of QD-suite: a behaviour space with geodesic distances far from Euclidean ones.

The genome is an angle from 0 to 40 pi; the behaviour is the position on a spiral of 20 turns. Neighbouring turns are
closer to each other than most positions along the spiral. All individuals start at the centre, and the fitness is
constant. The measure is the number of visited parts among 100 of equal length; 90 count as solved.
Two more searches are compared: novelty without archive, and novelty with the length along the spiral as behaviour.

A. Salehi and S. Doncieux, Towards QD-suite, arXiv:2205.03207; A. Salehi, A. Coninx and S. Doncieux, Geodesics,
Non-linearities and the Archive of Novelty Search, arXiv:2205.03162, both 2022.
"""

import math
import random

import numpy as np
from deap import base, creator, tools
from searches import SEARCHES as THREE
from searches import Run

import divergent
from divergent.selection import Novelty

PUBLISHED = "the archive counterbalances the biases of an inadequate metric (Salehi et al. 2022)"
MEASURE = "share visited"
SIZE = None
POPULATION, GENERATIONS, PARTS, WIDTH, LAST = 100, 200, 100, 0.01, 40 * math.pi
SEARCHES = THREE | {"novelty, no archive": Novelty, "novelty, along the spiral": Novelty}

creator.create("Indifferent", divergent.Fitness, weights=(1.0,))
creator.create("Angle", list, fitness=creator.Indifferent)


def length(angle):
    """Return the length along the spiral from its centre."""
    return WIDTH / 2 * (angle * math.hypot(1, angle) + math.asinh(angle))


def place(angle):
    return WIDTH * angle * math.cos(angle), WIDTH * angle * math.sin(angle)


def move(individual):
    individual[0] = min(max(individual[0] + random.gauss(0, 1), 0.0), LAST)
    return (individual,)


def run(search, seed, generations=GENERATIONS):
    random.seed(seed)
    behave = length if search.endswith("spiral") else place
    toolbox = base.Toolbox()
    toolbox.register("evaluate", lambda one: divergent.Outcome((0.0,), behaviour=behave(one[0])))
    toolbox.register("mutate", move)
    options = {"archiving": "none"} if search.endswith("archive") else {}
    strategy = SEARCHES[search](**options, rng=np.random.default_rng(seed))
    toolbox.register("select", divergent.by_score, strategy=strategy, select=tools.selTournament, tournsize=3)
    population = [creator.Angle([LAST / 2]) for _ in range(POPULATION)]
    visited = set()
    for step in divergent.evolve(population, toolbox, generations, survive="plus", cxpb=0, mutpb=1):
        visited |= {min(int(PARTS * length(one[0]) / length(LAST)), PARTS - 1) for one in step.offspring}
        if len(visited) >= 0.9 * PARTS:
            return Run(True, step.evaluations, len(visited) / PARTS, math.nan)
    return Run(False, step.evaluations, len(visited) / PARTS, math.nan)


if __name__ == "__main__":
    for search in SEARCHES:
        print(search, run(search, seed=0))
