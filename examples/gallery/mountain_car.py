"""MountainCarContinuous: every push costs, so that staying still is a local optimum.

A car that is too weak for its hill must build up momentum. Pushing costs up to 0.1 a step, the flag gives 100, and 90
counts as
solved (gymnasium's own threshold). Individuals are NEAT networks with the unscaled position and velocity as inputs.
With inputs scaled to -1 to 1, the default of `GymTask`, 18 of 1,000 random networks solve the task, which is then not
deceptive. The behaviour is the leftmost and the rightmost position of the car.

A. W. Moore, Efficient Memory-based Learning for Robot Control, 1990; gymnasium, MountainCarContinuous-v0.
"""

import random

import numpy as np
from deap import base
from searches import SEARCHES, run_search

from divergent import neat
from divergent.problems.gymnasium import GymTask

PUBLISHED = "solved from a return of 90 on; doing nothing returns 0 (gymnasium)"
MEASURE = "return"
SIZE = "connections"
POPULATION, GENERATIONS = 50, 30


def controller(genome):
    network = neat.express(genome)
    return lambda observation: 2 * network.activate((1.0, *observation)) - 1


def reach(episode):
    position = episode.observations[:, 0]
    return position.min(), position.max()


def run(search, seed, generations=GENERATIONS):
    random.seed(seed)
    rng = np.random.default_rng(seed)
    task = GymTask("MountainCarContinuous-v0", controller=controller, behaviour=reach, seed=seed)
    toolbox = base.Toolbox()
    neat.register(toolbox, inputs=task.inputs, outputs=task.outputs, rng=rng)
    toolbox.register("evaluate", task)
    strategy = SEARCHES[search](rng=rng)
    return run_search(
        strategy, toolbox.population(n=POPULATION), toolbox, generations, task.solved, cxpb=0.3, mutpb=0.7
    )


if __name__ == "__main__":
    for search in SEARCHES:
        print(search, run(search, seed=0))
