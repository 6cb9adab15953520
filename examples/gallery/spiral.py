"""The Archimedean spiral of QD-suite, an exploration problem with constant fitness.

The command `divergent run examples/gallery/spiral.py --runs 20` executes the runs. The genome is an angle from 0 to 40
pi; the behaviour is the position on a spiral of 20 turns. Neighbouring turns of the spiral are close to each other in
the plane. All individuals of the initial population have the angle 20 pi. The spiral is divided into 100 segments of
equal length, and coverage is the number of visited segments. Two variants of novelty search are included: without
archive, and with distances along the spiral.

The problem is from "Towards QD-suite" (Salehi and Doncieux, 2022, arXiv:2205.03207). Distances along the spiral are
discussed in "Geodesics, Non-linearities and the Archive of Novelty Search" (Salehi, Coninx and Doncieux, 2022,
arXiv:2205.03162).
"""

import math
import random
from functools import partial

import numpy as np
from deap import base, creator, tools

import divergent
from divergent.selection import Novelty, Objective, Surprise

PARTS, WIDTH, LAST = 100, 0.01, 40 * math.pi

creator.create("Indifferent", divergent.Fitness, weights=(1.0,))
creator.create("Angle", list, fitness=creator.Indifferent)


def length(angle):
    """Return the arc length of the spiral from its centre to an angle."""
    return WIDTH / 2 * (angle * np.hypot(1, angle) + np.arcsinh(angle))


def place(angle):
    return WIDTH * angle * math.cos(angle), WIDTH * angle * math.sin(angle)


def visited(places):
    """Return, after each evaluation, the number of segments of the spiral that have been visited."""
    angles = np.hypot(*np.transpose(places)) / WIDTH
    parts = np.minimum(PARTS * length(angles) / length(LAST), PARTS - 1).astype(int)
    _, first_visits = np.unique(parts, return_index=True)
    return np.cumsum(np.isin(np.arange(len(parts)), first_visits))


class AlongSpiral(Novelty):
    """Novelty search that measures distances along the spiral instead of in the plane."""

    def score(self, outcomes, among=None):
        return super().score(along(outcomes), None if among is None else along(among))

    def learn(self, outcomes):
        super().learn(along(outcomes))

    def score_generation(self, outcomes):
        return super().score_generation(along(outcomes))


def along(outcomes):
    """Return outcomes in which the behaviour is the arc length along the spiral instead of the position."""
    if outcomes.behaviours.shape[1] == 1:
        return outcomes
    angles = np.hypot(*outcomes.behaviours.T) / WIDTH
    return outcomes._replace(behaviours=length(angles)[:, None])


def move(individual):
    individual[0] = min(max(individual[0] + random.gauss(0, 1), 0.0), LAST)
    return (individual,)


def make_toolbox(rng):
    toolbox = base.Toolbox()
    toolbox.register("population", lambda n: [creator.Angle([LAST / 2]) for _ in range(n)])
    toolbox.register("evaluate", lambda angle: divergent.Outcome((0.0,), behaviour=place(*angle)))
    toolbox.register("mutate", move)
    toolbox.register("select", tools.selTournament, tournsize=3)
    return toolbox


problem = divergent.Problem(
    "spiral",
    make_toolbox,
    defaults={"population": 100, "generations": 200, "loop": "plus", "cxpb": 0.0, "mutpb": 1.0},
    searches={
        "objective": Objective,
        "novelty": Novelty,
        "surprise": Surprise,
        "novelty, no archive": partial(Novelty, archiving="none"),
        "novelty, along the spiral": AlongSpiral,
    },
    axes=("x", "y"),
    limits=((-1.3, 1.3), (-1.3, 1.3)),
    title="Archimedean spiral",
)
