"""Breed one child of two parents: by any operators, or by this package's own in one compiled call."""

import copy
import inspect
import math
from collections import ChainMap
from collections.abc import Callable
from enum import IntEnum
from functools import partial
from typing import Any

import numpy as np
from deap import base

from divergent._compile import njit
from divergent.neat import operators
from divergent.neat._random import source_of, uniform, uniforms
from divergent.neat.genetic_distance import compare_genes, distance
from divergent.neat.genome import Genome, alike, checked, sources, well_formed
from divergent.neat.operators import Individual, add_connection, add_node, check, cross_genes, heir
from divergent.validation import brief

NOT_COMPILED = ("feed_forward", "delete_node_rate", "delete_connection_rate")

DONE, COPY, NODE, CONNECTION, STRANGERS, MALFORMED = range(6)  # what a child is or still lacks, or why there is none


def breed(
    mother: Individual,
    father: Individual | None = None,
    *,
    mutate_only: float = 0.3,
    mate_only: float = 0.2,
    self_crossover: bool = False,
    mate: Callable[..., Any],
    mutate: Callable[..., Any],
    rng: np.random.Generator,
) -> Individual:
    """One child, not evaluated yet; the parents stay as they are.

    Parameters
    ----------
    mother, father : Genome
        The parents. Without a father the child is a mutated copy of its mother.
    mutate_only
        How often the child is a mutated copy of its mother.
    mate_only
        How often a child of two parents is left unmutated; never if the distance between them is 0.
    self_crossover : bool, default=False
        Whether an individual that is both parents is crossed with itself, as in Lehman's program (2008): averaging may
        re-enable genes. By default the child is a mutated copy of it.
    mate, mutate
        The operators, with their options bound; of what `mate` returns the first is kept.
    """
    if not (0.0 <= mutate_only <= 1.0 and 0.0 <= mate_only <= 1.0 and type(self_crossover) is bool):
        check(mutate_only=mutate_only, mate_only=mate_only, self_crossover=self_crossover)
    for parent in (mother,) if father is None else (mother, father):
        if not isinstance(parent, Genome):
            raise TypeError(f"parents must be genomes, got {brief(parent)}")
        checked(parent)
    child = mother.copy()
    if father is None or (mother is father and not self_crossover) or rng.random() < mutate_only:
        (child,) = mutate(child)
    else:
        child, _ = mate(child, father.copy())
        if rng.random() >= mate_only or distance(mother, father) == 0.0:
            (child,) = mutate(child)
    del child.fitness.values
    return child


class Rate(IntEnum):
    """What the compiled call needs to know of `breed`, `mate`, `mutate` and `mutate_weights`: their own names."""

    MUTATE_ONLY = 0
    MATE_ONLY = 1
    AVERAGE = 2
    DISABLE = 3
    NODE_RATE = 4
    CONNECTION_RATE = 5
    WEIGHT_RATE = 6
    TOGGLE_RATE = 7
    REENABLE_RATE = 8
    POWER = 9
    LIMIT = 10
    SEVERE = 11
    PERTURB = 12
    REPLACE = 13
    TAIL = 14
    TAIL_PERTURB = 15
    TAIL_REPLACE = 16


class Breeder:
    """`breed` with the operators that a toolbox has when it is called.

    As long as these are `mate` and `mutate` of this package, whatever their options, a child is bred in one compiled
    call: the same child from the same draws. It makes a birth of the maze experiments a tenth cheaper. Only deletions
    and the avoiding of cycles are left to the operators themselves. A child bred so that came out as an exact copy of
    its mother, as one in six does in mazes, has her values and behaviour, for it would do the same, and no score yet.

    Parameters
    ----------
    toolbox
        Where `mate` and `mutate` are.
    rng
        What `breed` and both operators draw from.
    """

    def __init__(self, toolbox: base.Toolbox, rng: np.random.Generator):
        self.toolbox, self.rng = toolbox, rng
        self._mate: Any = None
        self._mutate: Any = None

    def __call__(self, mother: Individual, father: Individual | None = None, **options: Any) -> Individual:
        mate, mutate = self.toolbox.mate, self.toolbox.mutate
        if mate is not self._mate or mutate is not self._mutate or (self._ours and self._changed(options)):
            self._look(mate, mutate, options)
        if not self._ours or not (father is None or alike(mother, father)):
            return breed(mother, father, **options, mate=mate, mutate=mutate, rng=self.rng)
        alone = father is None or (mother is father and not self._self_crossover)
        father = mother if father is None else father
        keep = heir(mother, father, **self._heir)
        genes, lacking = _breed(mother.genes, father.genes, sources(mother), alone, keep, self._rates, *self._source)
        if lacking == MALFORMED:
            checked(mother), checked(father)
        elif lacking == STRANGERS:
            raise ValueError(operators.STRANGERS)
        child = mother.with_genes(genes)
        if lacking == NODE:
            add_node(child, **self._node, rng=self.rng)
        elif lacking == CONNECTION:
            add_connection(child, **self._connection, rng=self.rng)
        # where no place was found for what it lacked, it is a copy, too
        if lacking == COPY or (lacking != DONE and np.array_equal(child.genes, mother.genes)):
            child.fitness = copy.deepcopy(mother.fitness)
            child.fitness.score = math.nan
        return child

    def _changed(self, options):
        """Whether somebody changed the options of a registered operator in place."""
        return (self._mate.keywords, self._mutate.keywords, options) != self._options

    def _look(self, mate, mutate, options):
        """See whether the operators are ours, and with which options."""
        self._mate, self._mutate = mate, mutate
        self._ours = (
            _is(mate, operators.mate, self.rng)
            and _is(mutate, operators.mutate, self.rng)
            and not any((mate.keywords | mutate.keywords).get(name) for name in NOT_COMPILED)
        )
        if not self._ours:
            return
        self._options = dict(mate.keywords), dict(mutate.keywords), dict(options)
        defaults = [_defaults(one) for one in (breed, operators.mate, operators.mutate, operators.mutate_weights)]
        chosen = dict(ChainMap(*self._options, *defaults))
        check(**{name: chosen[name] for name in (*(rate.name.lower() for rate in Rate), "inherit", "self_crossover")})
        self._rates = np.array([chosen[rate.name.lower()] for rate in Rate], dtype=float)
        self._self_crossover = chosen["self_crossover"]
        self._heir = {name: chosen[name] for name in ("inherit", "fit_attr")}
        self._node = {name: chosen[name] for name in ("innovations", "out_weight", "bias")}
        self._connection = {name: chosen[name] for name in ("innovations", "recurrent", "loop")}
        self._source = source_of(self.rng)


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
def _breed(mother, father, sources, alone, keep, rates, function, state):
    """The genes of a child, and what it lacks. Draws as `breed`, `mate` and `mutate` do, in the same order."""
    if not (well_formed(mother, sources) and well_formed(father, sources)):
        return mother, MALFORMED
    if alone or uniform(function, state) < rates[Rate.MUTATE_ONLY]:
        genes = mother.copy()
    else:
        draws = uniforms(1 + 3 * min(len(mother), len(father)), function, state)
        room = len(mother) + len(father)
        genes, sibling = np.empty((room, 5)), np.empty((room, 5))
        count = cross_genes(mother, father, keep, rates[Rate.AVERAGE], rates[Rate.DISABLE], draws, genes, sibling)
        if count < 0:
            return genes, STRANGERS
        genes = genes[:count]
        if uniform(function, state) < rates[Rate.MATE_ONLY]:
            disjoint, excess, weight = compare_genes(mother, father)
            if disjoint + excess + weight > 0.0:
                return genes, _done(genes, mother)
    draws = uniforms(5, function, state)
    if draws[0] < rates[Rate.NODE_RATE]:
        return genes, NODE
    if draws[1] < rates[Rate.CONNECTION_RATE]:
        return genes, CONNECTION
    if draws[2] < rates[Rate.WEIGHT_RATE]:
        changes = uniforms(1 + 2 * len(genes), function, state)
        operators.perturb_genes(
            genes, changes, rates[Rate.POWER], rates[Rate.LIMIT], rates[Rate.SEVERE], rates[Rate.PERTURB],
            rates[Rate.REPLACE], rates[Rate.TAIL], rates[Rate.TAIL_PERTURB], rates[Rate.TAIL_REPLACE],
        )  # fmt: skip
    if draws[3] < rates[Rate.TOGGLE_RATE] and len(genes):
        operators.toggle_genes(genes, uniform(function, state))
    if draws[4] < rates[Rate.REENABLE_RATE]:
        operators.reenable_genes(genes)
    return genes, _done(genes, mother)


@njit(cache=True)
def _done(genes, mother):
    """Whether a child that lacks nothing is a COPY of its mother or just DONE."""
    if len(genes) != len(mother):
        return DONE
    for gene in range(len(genes)):
        for column in range(genes.shape[1]):
            if genes[gene, column] != mother[gene, column]:
                return DONE
    return COPY
