"""A planar arm of 12 links for quality diversity: divergent run examples/problems/arm.py --search novelty nslc dns.

The behaviour is the position of the hand. The fitness is the negative variance of the angles, which is best for an arm
bent evenly. The report has coverage and QD score of each search.

A. Cully et al., Robots that can adapt like animals, Nature 521, 2015; V. Vassiliades and J.-B. Mouret, Discovering the
Elite Hypervolume by Leveraging Interspecies Correlation, GECCO 2018.
"""

import math
import random

import numpy as np
from deap import base, creator, tools

import divergent

LINKS = 12

creator.create("ArmBend", divergent.Fitness, weights=(1.0,))
creator.create("Arm", list, fitness=creator.ArmBend)


def hand(angles):
    """Return the position of the hand of an arm of length 1."""
    directions = np.cumsum(angles)
    return np.cos(directions).sum() / LINKS, np.sin(directions).sum() / LINKS


def evaluate(angles):
    return divergent.Outcome((-float(np.var(angles)),), behaviour=hand(angles))


def make_toolbox(rng):
    toolbox = base.Toolbox()
    toolbox.register("individual", lambda: creator.Arm(random.uniform(-math.pi, math.pi) / 4 for _ in range(LINKS)))
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    toolbox.register("evaluate", evaluate)
    toolbox.register("mate", tools.cxUniform, indpb=0.5)
    toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=0.2, indpb=0.3)
    return toolbox


problem = divergent.Problem(
    "arm",
    make_toolbox,
    defaults={"population": 100, "generations": 100, "loop": "plus", "cxpb": 0.3, "mutpb": 0.7},
    axes=("x", "y"),
    limits=((-1, 1), (-1, 1)),
    title=f"Arm of {LINKS} links",
)
