"""Breed one child of two parents: by any operators, or by this package's own in one compiled call."""

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from deap import base
from numba import njit

from divergent.checks import brief
from divergent.neat import variation
from divergent.neat.distances import compare_genes, distance
from divergent.neat.draw import source_of, uniform, uniforms
from divergent.neat.genome import Genome, checked, well_formed
from divergent.neat.variation import Individual, add_connection, add_node, check, cross_genes, heir

DONE, NODE, CONNECTION, STRANGERS, MALFORMED = range(5)  # what a child still lacks, or why there is none


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
    for parent in (mother, father):
        if not isinstance(parent, Genome):
            raise TypeError(f"parents must be genomes, got {brief(parent)}")
        checked(parent)
    child = mother.copy()
    if mother is father or rng.random() < mutate_only:
        (child,) = mutate(child)
    else:
        child, _ = mate(child, father.copy())
        if rng.random() >= mate_only or distance(mother, father) == 0.0:
            (child,) = mutate(child)
    del child.fitness.values
    return child


class Rates(NamedTuple):
    """What the compiled call needs to know of `breed`, `mate`, `mutate` and `mutate_weights`, by their own names."""

    mutate_only: float
    mate_only: float
    average: float
    disable: float
    node_rate: float
    connection_rate: float
    weight_rate: float
    toggle_rate: float
    reenable_rate: float
    power: float
    limit: float
    severe: float
    perturb: float
    replace: float
    tail: float
    tail_perturb: float
    tail_replace: float


class Breeder:
    """`breed` with the operators that a toolbox has when it is called.

    As long as these are `mate` and `mutate` of this package, whatever their options, a child is bred in one compiled
    call: the same child from the same draws. It makes a birth of the maze experiments a tenth cheaper.

    Parameters
    ----------
    toolbox
        Where `mate` and `mutate` are.
    rng
        What `breed` and both operators draw from.
    """

    def __init__(self, toolbox: base.Toolbox, rng: np.random.Generator):
        self.toolbox, self.rng = toolbox, rng
        self._known: tuple[Any, ...] = ()
        self._rates: Rates | None = None

    def __call__(self, mother: Individual, father: Individual, **options: Any) -> Individual:
        mate, mutate = self.toolbox.mate, self.toolbox.mutate
        if self._known != (mate, mutate, _keywords(mate), _keywords(mutate), options):
            self._look(mate, mutate, options)
        rates = self._rates
        if rates is None or mother.inputs != father.inputs or mother.outputs != father.outputs:
            return breed(mother, father, **options, mate=mate, mutate=mutate, rng=self.rng)
        keep = heir(mother, father, **self._heir)
        genes, lacking = _breed(
            mother.genes, father.genes, mother.inputs, mother is father, keep, rates, *source_of(self.rng)
        )
        if lacking == MALFORMED:
            checked(mother), checked(father)
        elif lacking == STRANGERS:
            raise ValueError(variation.STRANGERS)
        child = mother.with_genes(genes)
        if lacking == NODE:
            add_node(child, **self._node, rng=self.rng)
        elif lacking == CONNECTION:
            add_connection(child, **self._connection, rng=self.rng)
        return child

    def _look(self, mate, mutate, options):
        """See whether the operators are ours, and with which options."""
        self._known = mate, mutate, dict(_keywords(mate)), dict(_keywords(mutate)), dict(options)
        self._rates = None
        if not (_is(mate, variation.mate, self.rng) and _is(mutate, variation.mutate, self.rng)):
            return
        mating, mutating = (_defaults(one.func) | one.keywords for one in (mate, mutate))
        chosen = _defaults(variation.mutate_weights) | _defaults(breed) | mating | mutating | options
        check(**{name: chosen[name] for name in Rates._fields}, inherit=chosen["inherit"])
        self._rates = Rates(*(float(chosen[name]) for name in Rates._fields))
        self._heir = {name: chosen[name] for name in ("inherit", "fit_attr")}
        self._node = {name: chosen[name] for name in ("innovations", "out_weight", "bias")}
        self._connection = {name: chosen[name] for name in ("innovations", "recurrent", "loop")}


def _keywords(operator):
    return getattr(operator, "keywords", None) or {}


def _is(operator, function, rng):
    """Whether an operator is a function of ours, registered with options and the generator of the breeder."""
    return (
        isinstance(operator, partial)
        and operator.func is function
        and not operator.args
        and operator.keywords.get("rng") is rng
    )


def _defaults(operator):
    parameters = inspect.signature(operator).parameters.values()
    return {one.name: one.default for one in parameters if one.default is not one.empty}


@njit(cache=True)
def _breed(mother, father, inputs, alone, keep, rates, function, state):
    """The genes of a child, and what it lacks. Draws as `breed`, `mate` and `mutate` do, in the same order."""
    if not (well_formed(mother, inputs) and well_formed(father, inputs)):
        return mother, MALFORMED
    if alone or uniform(function, state) < rates.mutate_only:
        genes = mother.copy()
    else:
        draws = uniforms(1 + 3 * min(len(mother), len(father)), function, state)
        room = len(mother) + len(father)
        genes, sibling = np.empty((room, 5)), np.empty((room, 5))
        count = cross_genes(mother, father, keep, rates.average, rates.disable, draws, genes, sibling)
        if count < 0:
            return genes, STRANGERS
        genes = genes[:count]
        if uniform(function, state) < rates.mate_only:
            disjoint, excess, weight = compare_genes(mother, father)
            if disjoint + excess + weight > 0.0:
                return genes, DONE
    draws = uniforms(5, function, state)
    if draws[0] < rates.node_rate:
        return genes, NODE
    if draws[1] < rates.connection_rate:
        return genes, CONNECTION
    if draws[2] < rates.weight_rate:
        variation.perturb_genes(
            genes, uniforms(1 + 2 * len(genes), function, state), rates.power, rates.limit, rates.severe,
            rates.perturb, rates.replace, rates.tail, rates.tail_perturb, rates.tail_replace,
        )  # fmt: skip
    if draws[3] < rates.toggle_rate and len(genes):
        variation.toggle_genes(genes, uniform(function, state))
    if draws[4] < rates.reenable_rate:
        variation.reenable_genes(genes)
    return genes, DONE
