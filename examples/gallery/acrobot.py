"""Acrobot: swing two links above a line, with torque only at the joint between them.

Every step costs 1 until the tip is above the line, 500 steps at most, and a return of -100 counts as solved
(gymnasium's own threshold). Until the first success every return is -500, so the fitness has no gradient. Individuals
are
NEAT networks; the behaviour is the frequency of each torque.

R. S. Sutton, Generalization in Reinforcement Learning, NIPS 1996; gymnasium, Acrobot-v1.
"""

import random

import numpy as np
from deap import base
from searches import SEARCHES, run_search

from divergent import neat
from divergent.problems.gymnasium import GymTask

PUBLISHED = "solved from a return of -100 on (gymnasium)"
MEASURE = "return"
SIZE = "connections"
POPULATION, GENERATIONS = 50, 10


def run(search, seed, generations=GENERATIONS):
    random.seed(seed)
    rng = np.random.default_rng(seed)
    task = GymTask("Acrobot-v1", behaviour="actions", seed=seed)
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
