"""Novelty search for symbolic regression of a quartic polynomial by genetic programming."""

import operator
import random
from functools import partial

from deap import algorithms, base, creator, gp, tools

import divergent
from divergent.selection import Novelty

POINTS = [x / 10 for x in range(-10, 10)]
TARGET = [x**4 + x**3 + x**2 + x for x in POINTS]
KNOWN = gp.PrimitiveSet("quartic", 1)
KNOWN.addPrimitive(operator.add, 2)
KNOWN.addPrimitive(operator.sub, 2)
KNOWN.addPrimitive(operator.mul, 2)
KNOWN.addPrimitive(operator.neg, 1)
creator.create("QuarticFitness", divergent.Fitness, weights=(-1.0,))
creator.create("QuarticTree", gp.PrimitiveTree, fitness=creator.QuarticFitness)


def evaluate(tree):
    function = gp.compile(tree, KNOWN)
    errors = [min(abs(function(x) - y), 1e3) for x, y in zip(POINTS, TARGET, strict=True)]
    return divergent.Outcome((sum(errors) / len(errors),), behaviour=errors)


def main(generations=20):
    random.seed(1)
    toolbox = base.Toolbox()
    toolbox.register("individual", lambda: creator.QuarticTree(gp.genHalfAndHalf(KNOWN, 1, 2)))
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    toolbox.register("evaluate", evaluate)
    toolbox.register("mate", gp.cxOnePoint)
    toolbox.register("mutate", gp.mutUniform, expr=partial(gp.genFull, min_=0, max_=2), pset=KNOWN)
    for name in ("mate", "mutate"):
        toolbox.decorate(name, gp.staticLimit(len, 60))
    toolbox.register("select", divergent.by_score, strategy=Novelty(), select=tools.selTournament, tournsize=3)
    best = tools.HallOfFame(1)
    algorithms.eaSimple(toolbox.population(n=80), toolbox, 0.5, 0.1, generations, halloffame=best, verbose=False)
    return best[0].fitness.values[0]


if __name__ == "__main__":
    print(main())
