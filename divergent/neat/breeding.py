"""Breed one child of two parents: by any operators, or by this package's own in one compiled call."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from deap import base
from numba import njit

from divergent.neat.distances import compare_genes, distance
from divergent.neat.draw import source_of, uniform, uniforms
from divergent.neat.innovation import Innovations
from divergent.neat.variation import (
    STRANGERS,
    Individual,
    add_connection,
    add_node,
    check,
    cross_genes,
    heir,
    mutate_weights,
    perturb_genes,
    reenable_genes,
    toggle_genes,
)

RATES = (
    "mutate_only", "mate_only", "average", "disable", "node_rate", "connection_rate", "weight_rate", "toggle_rate",
    "reenable_rate", "power", "limit", "severe", "perturb", "replace", "tail", "tail_perturb", "tail_replace",
)  # fmt: skip
(
    MUTATE_ONLY, MATE_ONLY, AVERAGE, DISABLE, NODE_RATE, CONNECTION_RATE, WEIGHT_RATE, TOGGLE_RATE,
    REENABLE_RATE, POWER, LIMIT, SEVERE, PERTURB, REPLACE, TAIL, TAIL_PERTURB, TAIL_REPLACE,
) = range(len(RATES))  # fmt: skip

DONE, NODE, CONNECTION, NONE = range(4)  # what a child still lacks: nothing, a structural mutation, or it cannot be


def breed(
    mother: Individual,
    father: Individual,
    *,
    mutate_only: float = 0.3,
    mate_only: float = 0.2,
    mate: Callable[..., Any],
    mutate: Callable[..., Any],
    rng: np.random.Generator,
) -> Individual:
    """One child, not evaluated yet; the parents stay as they are.

    Parameters
    ----------
    mutate_only
        How often the child is a mutated copy of its mother; always if the father is the same individual.
    mate_only
        How often a child of two parents is left unmutated; never if the distance between them is 0.
    mate, mutate
        The operators, with their options bound; of what `mate` returns the first is kept.
    """
    if not (0.0 <= mutate_only <= 1.0 and 0.0 <= mate_only <= 1.0):
        check(mutate_only=mutate_only, mate_only=mate_only)
    child = mother.copy()
    if mother is father or rng.random() < mutate_only:
        (child,) = mutate(child)
    else:
        child, _ = mate(child, father.copy())
        if rng.random() >= mate_only or distance(mother, father) == 0.0:
            (child,) = mutate(child)
    del child.fitness.values
    return child


class Breeder:
    """`breed` with the operators of a toolbox, looked up at every call.

    As long as these are the ones that were there when the breeder was made, `mate` and `mutate` of this package, a
    child is bred in one compiled call: the same child from the same draws.

    Parameters
    ----------
    toolbox
        Where `mate` and `mutate` are.
    options
        The keywords of `breed`, beside the operators and the generator.
    rng
        What `breed` and both operators draw from.
    """

    def __init__(self, toolbox: base.Toolbox, options: dict[str, Any], rng: np.random.Generator):
        self.toolbox, self.options, self.rng = toolbox, options, rng
        self.mate, self.mutate = toolbox.mate, toolbox.mutate
        mating, mutating = _bound(self.mate), _bound(self.mutate)
        rates = _defaults(mutate_weights) | _defaults(breed) | mating | mutating | options
        self.rates = np.array([rates[name] for name in RATES], dtype=float)
        self.heir = {name: mating[name] for name in ("inherit", "fit_attr")}
        self.innovations: Innovations = mutating["innovations"]
        self.node = {name: mutating[name] for name in ("out_weight", "bias")}
        self.connection = {name: mutating[name] for name in ("recurrent", "loop")}

    def __call__(self, mother: Individual, father: Individual) -> Individual:
        toolbox = self.toolbox
        if (
            toolbox.mate is not self.mate
            or toolbox.mutate is not self.mutate
            or mother.inputs != father.inputs
            or mother.outputs != father.outputs
        ):
            return breed(mother, father, **self.options, mate=toolbox.mate, mutate=toolbox.mutate, rng=self.rng)
        keep = heir(mother, father, **self.heir)
        function, state = source_of(self.rng)
        genes, lacking = _breed(mother.genes, father.genes, mother is father, keep, self.rates, function, state)
        child = mother.with_genes(genes)
        if lacking == NODE:
            add_node(child, innovations=self.innovations, **self.node, rng=self.rng)
        elif lacking == CONNECTION:
            add_connection(child, innovations=self.innovations, **self.connection, rng=self.rng)
        elif lacking == NONE:
            raise ValueError(STRANGERS)
        return child


def _defaults(operator):
    parameters = inspect.signature(operator).parameters.values()
    return {one.name: one.default for one in parameters if one.default is not one.empty}


def _bound(operator):
    """All options of a registered operator, those it was registered with and the defaults of the others."""
    return _defaults(operator.func) | operator.keywords


@njit(cache=True)
def _breed(mother, father, alone, keep, rates, function, state):
    """The genes of a child, and what it lacks. Draws as `breed`, `mate` and `mutate` do, in the same order."""
    if alone or uniform(function, state) < rates[MUTATE_ONLY]:
        genes = mother.copy()
    else:
        draws = uniforms(1 + 3 * min(len(mother), len(father)), function, state)
        room = len(mother) + len(father)
        genes, sibling = np.empty((room, 5)), np.empty((room, 5))
        count = cross_genes(mother, father, keep, rates[AVERAGE], rates[DISABLE], draws, genes, sibling)
        if count < 0:
            return genes[:0], NONE
        genes = genes[:count]
        if uniform(function, state) < rates[MATE_ONLY]:
            disjoint, excess, weight = compare_genes(mother, father)
            if disjoint + excess + weight > 0.0:
                return genes, DONE
    draws = uniforms(5, function, state)
    if draws[0] < rates[NODE_RATE]:
        return genes, NODE
    if draws[1] < rates[CONNECTION_RATE]:
        return genes, CONNECTION
    if draws[2] < rates[WEIGHT_RATE]:
        perturb_genes(
            genes, uniforms(1 + 2 * len(genes), function, state), rates[POWER], rates[LIMIT], rates[SEVERE],
            rates[PERTURB], rates[REPLACE], rates[TAIL], rates[TAIL_PERTURB], rates[TAIL_REPLACE],
        )  # fmt: skip
    if draws[3] < rates[TOGGLE_RATE] and len(genes):
        toggle_genes(genes, uniform(function, state))
    if draws[4] < rates[REENABLE_RATE]:
        reenable_genes(genes)
    return genes, DONE
