"""A deceptive trap function of 20 blocks of four bits.

The command `divergent run examples/problems/trap.py --runs 20` executes the runs. A block counts 4 if all its bits are
set, and otherwise 3 minus the number of set bits. In an incomplete block, every set bit lowers the fitness. The
behaviour is the bit string, and novelty search compares bit strings by their Hamming distance. Surprise search compares
bit strings by their Euclidean distance, whose square is the Hamming distance.

Trap functions are analysed in "Analyzing Deception in Trap Functions" (Deb and Goldberg, FOGA 1992).
"""

import random
from functools import partial

import numpy as np
from deap import base, creator, tools

import divergent
from divergent.selection import Novelty, Objective, Surprise

BLOCKS, BITS = 20, 4

creator.create("TrapValue", divergent.Fitness, weights=(1.0,))
creator.create("TrapBits", list, fitness=creator.TrapValue)


def evaluate(bits):
    ones = np.reshape(bits, (BLOCKS, BITS)).sum(axis=1)
    value = np.where(ones == BITS, BITS, BITS - 1 - ones).sum()
    return divergent.Outcome((float(value),), behaviour=bits)


def make_toolbox(rng):
    toolbox = base.Toolbox()
    toolbox.register("individual", lambda: creator.TrapBits(random.choices((0, 1), k=BLOCKS * BITS)))
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    toolbox.register("evaluate", evaluate)
    toolbox.register("mate", tools.cxUniform, indpb=0.5)
    toolbox.register("mutate", tools.mutFlipBit, indpb=1 / (BLOCKS * BITS))
    toolbox.register("select", tools.selTournament, tournsize=3)
    return toolbox


problem = divergent.Problem(
    "trap",
    make_toolbox,
    solved=lambda values: values[0] == BLOCKS * BITS,
    defaults={"population": 100, "generations": 200, "loop": "plus", "cxpb": 0.7, "mutpb": 0.3},
    searches={"objective": Objective, "novelty": partial(Novelty, distance="hamming"), "surprise": Surprise},
    title=f"Deceptive trap of {BLOCKS} blocks",
)
