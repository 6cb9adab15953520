"""MountainCarContinuous: every push costs, so that doing nothing looks best to who never got up the hill.

A car that is too weak for its hill has to swing. Pushing costs up to 0.1 a step, the flag gives 100, and 90 counts as
solved (gymnasium's own threshold). Individuals are NEAT networks that see position and velocity as gymnasium gives
them, the velocity in hundredths; scaled to -1 to 1, as `GymTask` does by itself, 18 of 1,000 random networks solve it
and nothing is deceptive any more. The behaviour is how far the car came to the left and to the right.

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
