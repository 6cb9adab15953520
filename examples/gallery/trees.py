"""Genetic programming with DEAP's trees and operators, and conversion of trees to arrays for compiled code."""

import numpy as np
from deap import base, gp, tools

HIGHEST = 17  # Koza's limit


def primitives(name, arity):
    """Return a primitive set; `arity` maps the name of each primitive to its number of arguments, 0 for terminals."""
    known = gp.PrimitiveSet(name, 0)
    for symbol, arguments in arity.items():
        if arguments:
            known.addPrimitive(None, arguments, name=symbol)
        else:
            known.addTerminal(None, name=symbol)
    return known


def make_toolbox(known, individual, evaluate, rng):
    """Return a toolbox with Koza's subtree crossover and mutation, and ramped half-and-half initialisation.

    The argument `rng` is not used, because DEAP's operators draw from the module `random`.
    """
    toolbox = base.Toolbox()
    toolbox.register("individual", lambda: individual(gp.genHalfAndHalf(known, 2, 5)))
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    toolbox.register("evaluate", evaluate)
    toolbox.register("mate", gp.cxOnePointLeafBiased, termpb=0.1)
    toolbox.register("mutate", gp.mutUniform, expr=lambda pset, type_: gp.genGrow(pset, 0, 2, type_), pset=known)
    for operator in ("mate", "mutate"):
        toolbox.decorate(operator, gp.staticLimit(lambda tree: tree.height, HIGHEST))
    toolbox.register("select", tools.selTournament, tournsize=3)
    toolbox.register("clone", copy)
    return toolbox


def copy(tree):
    """Copy a tree with its fitness; the copy shares the nodes, which are immutable."""
    clone = type(tree)(tree)
    clone.fitness.wvalues, clone.fitness.behaviour = tree.fitness.wvalues, tree.fitness.behaviour
    clone.fitness.score = tree.fitness.score
    return clone


def numbered(tree, arity):
    """Convert a tree to an array in prefix order; each node becomes the index of its name in `arity`."""
    places = {name: place for place, name in enumerate(arity)}
    return np.array([places[node.name] for node in tree])
