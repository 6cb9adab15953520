"""A deceptive toy problem, in which a walk must lead around a roof to the goal.

The command `divergent run examples/problems/roof.py --search novelty --runs 20` executes the runs. A walk has four
steps and stays in a box. A roof lies between the start and the goal; positions directly below the roof are a local
optimum.
"""

import math
import random
from functools import partial

from deap import base, creator, tools

import divergent
from divergent.selection import Novelty, Objective, Surprise

creator.create("RoofDistance", divergent.Fitness, weights=(-1.0,))
creator.create("RoofWalk", list, fitness=creator.RoofDistance)


def walk(steps):
    """Return the final position of a walk; a step that would cross the roof or leave the box is skipped."""
    x = y = 0.0
    for dx, dy in zip(steps[::2], steps[1::2], strict=True):
        through_the_roof = (y < 4) != (y + dy < 4) and abs(x + dx * (4 - y) / dy) < 5
        if not through_the_roof and max(abs(x + dx), abs(y + dy)) < 10:
            x, y = x + dx, y + dy
    return x, y


def evaluate(steps):
    x, y = walk(steps)
    return divergent.Outcome((math.hypot(x, y - 8),), behaviour=(x, y))


def make_toolbox(rng):
    toolbox = base.Toolbox()
    toolbox.register("individual", lambda: creator.RoofWalk(random.gauss(0, 1) for _ in range(8)))
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    toolbox.register("evaluate", evaluate)
    toolbox.register("mate", tools.cxTwoPoint)
    toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=1, indpb=0.3)
    toolbox.register("select", tools.selTournament, tournsize=3)
    return toolbox


def draw(axes):
    axes.plot((-5, 5), (4, 4), color="black")
    axes.plot(0, 8, "o", color="black", fillstyle="none")


problem = divergent.Problem(
    "roof",
    make_toolbox,
    solved=lambda values: values[0] < 1,
    defaults={"population": 50, "generations": 151, "loop": "plus", "cxpb": 0.5, "mutpb": 0.5},
    searches={
        "objective": Objective,
        "novelty": partial(Novelty, neighbours=5, threshold=1.0),
        "surprise": partial(Surprise, clusters=20, neighbours=2),
    },
    axes=("x", "y"),
    limits=((-10, 10), (-10, 10)),
    draw=draw,
)
