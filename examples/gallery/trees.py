"""Genetic programming for the gallery: DEAP's trees and operators, and trees as arrays for compiled code."""

import numpy as np
from deap import base, gp, tools

HIGHEST = 17  # Koza's limit


def primitives(name, arity):
    """Return a primitive set from names and numbers of arguments, 0 for terminals."""
    known = gp.PrimitiveSet(name, 0)
    for symbol, arguments in arity.items():
        if arguments:
            known.addPrimitive(None, arguments, name=symbol)
        else:
            known.addTerminal(None, name=symbol)
    return known


def make_toolbox(known, individual, evaluate, rng):
    """Return a toolbox with Koza's subtree crossover and mutation, and ramped half-and-half initialisation.

    DEAP draws from the module `random`, so that the generator of the run is not used.
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
    """Copy a tree; its nodes are immutable and shared."""
    clone = type(tree)(tree)
    clone.fitness.wvalues, clone.fitness.behaviour = tree.fitness.wvalues, tree.fitness.behaviour
    clone.fitness.score = tree.fitness.score
    return clone


def numbered(tree, arity):
    """Return a tree in prefix order, one number per node: its index in the table of names."""
    places = {name: place for place, name in enumerate(arity)}
    return np.array([places[node.name] for node in tree])
