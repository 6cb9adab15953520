"""Searches and loop of all gallery problems.

Only the strategy differs between the searches of a row: operators, population, selector and budget are the same.
"""

import math
from typing import NamedTuple

from deap import tools

import divergent
from divergent.selection import Novelty, Objective, Surprise

SEARCHES = {"objective": Objective, "novelty": Novelty, "surprise": Surprise}


class Run(NamedTuple):
    """How one search went."""

    solved: bool
    evaluations: int
    """Until it was solved, or all there were."""
    best: float
    """The task's own measure of the best individual."""
    size: float
    """Mean length of the last population's individuals; nan where they have none."""


def run_search(strategy, population, toolbox, generations, solved, *, cxpb=0.5, mutpb=0.5):
    """Evolve until an individual's fitness values are `solved`: (mu + lambda), tournaments of three."""
    toolbox.register("select", divergent.by_score, strategy=strategy, select=tools.selTournament, tournsize=3)
    best = None
    for step in divergent.evolve(population, toolbox, generations, survive="plus", cxpb=cxpb, mutpb=mutpb):
        for number, child in enumerate(step.offspring, start=step.evaluations - len(step.offspring) + 1):
            if best is None or child.fitness > best:
                best = child.fitness
            if solved(child.fitness.values):
                return Run(True, number, best.values[0], mean_size(step.population))
    return Run(False, step.evaluations, best.values[0], mean_size(step.population))


def mean_size(population):
    if not hasattr(population[0], "__len__"):
        return math.nan
    return sum(map(len, population)) / len(population)
