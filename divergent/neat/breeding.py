"""Breeding of a child from two parents by arbitrary operators, or by NEAT's operators in one compiled call."""

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
from divergent.individual import copy_fitness
from divergent.neat import operators
from divergent.neat._gene_kernels import cross_genes, perturb_genes, reenable_genes, toggle_genes
from divergent.neat._genes import are_valid_genes
from divergent.neat._options import check
from divergent.neat._random import source_of, uniform, uniforms
from divergent.neat.genetic_distance import compare_genes, distance
from divergent.neat.genome import Genome, Individual, same_interface, sources, validated_genes
from divergent.neat.operators import gene_donor
from divergent.neat.structure import add_connection, add_node
from divergent.validation import brief

NOT_COMPILED = ("feed_forward", "delete_node_rate", "delete_connection_rate", "activations")

# Status codes of the compiled call: NODE and CONNECTION request a structural mutation of the child.
# UNRELATED and MALFORMED report an error in the genes of the parents.
COMPLETE, COPY, NODE, CONNECTION, UNRELATED, MALFORMED = range(6)


def breed(
    first_parent: Individual,
    second_parent: Individual | None = None,
    *,
    mutate_only: float = 0.3,
    mate_only: float = 0.2,
    self_crossover: bool = False,
    mate: Callable[..., Any],
    mutate: Callable[..., Any],
    rng: np.random.Generator,
) -> Individual:
    """Breed one child; the parents do not change.

    Parameters
    ----------
    first_parent : divergent.neat.Genome
        The first parent.
    second_parent : divergent.neat.Genome or None, default=None
        The second parent. If None, the child is a mutated copy of the first parent.
    mutate_only : float, default=0.3
        Probability that the child is a mutated copy of the first parent.
    mate_only : float, default=0.2
        Probability that a child of crossover is not mutated. The child is always mutated if the distance between the
        parents is 0.
    self_crossover : bool, default=False
        Whether an individual that was selected as both parents is crossed with itself, as in Lehman's program (2008).
        Self-crossover may re-enable genes, because a crossover that averages weights can enable disabled genes. If
        `self_crossover` is False, the child of an individual that was selected as both parents is a mutated copy.
    mate : callable
        Crossover operator whose options are already bound; the first genome that it returns becomes the child.
    mutate : callable
        Mutation operator whose options are already bound.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    Genome
        The child, with an invalid fitness.

    Raises
    ------
    TypeError
        If a parent is not a genome.
    ValueError
        If a probability is not between 0 and 1.

    See Also
    --------
    register : Register breeding with all operators in a toolbox.
    """
    if not (0.0 <= mutate_only <= 1.0 and 0.0 <= mate_only <= 1.0 and type(self_crossover) is bool):
        check(mutate_only=mutate_only, mate_only=mate_only, self_crossover=self_crossover)
    for parent in (first_parent,) if second_parent is None else (first_parent, second_parent):
        if not isinstance(parent, Genome):
            raise TypeError(f"parents must be genomes, got {brief(parent)}; subclass divergent.neat.Genome")
        validated_genes(parent)
    child = first_parent.copy()
    if second_parent is None or (first_parent is second_parent and not self_crossover) or rng.random() < mutate_only:
        (child,) = mutate(child)
    else:
        child, _ = mate(child, second_parent.copy())
        if rng.random() >= mate_only or distance(first_parent, second_parent, activation=1.0) == 0.0:
            (child,) = mutate(child)
    del child.fitness.values
    return child


class Rate(IntEnum):
    """Positions of the options of `breed`, `mate`, `mutate` and `mutate_weights` in an array for compiled code."""

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
    """Breeding operator that looks up `mate` and `mutate` in a toolbox in each call.

    If the operators are `neat.mate` and `neat.mutate`, one compiled call breeds the child. The compiled call draws
    the same random numbers and returns the same child as separate calls of `mate` and `mutate`. In the maze
    experiments, the compiled call reduces the time to breed a child by a tenth. The compiled call
    does not support deletions, `feed_forward` or activations of individual nodes; in these cases the operators are
    called separately.

    In the maze experiments, about one child in six is an exact copy of its first parent. An exact copy keeps the
    fitness values and the behaviour of the parent, but not the score.

    Parameters
    ----------
    toolbox : deap.base.Toolbox
        Toolbox with the operators `mate` and `mutate`.
    rng : numpy.random.Generator
        Source of random numbers of `breed` and of both operators.
    """

    def __init__(self, toolbox: base.Toolbox, rng: np.random.Generator):
        self.toolbox, self.rng = toolbox, rng
        self._mate: Any = None
        self._mutate: Any = None

    def __call__(self, first_parent: Individual, second_parent: Individual | None = None, **options: Any) -> Individual:
        mate, mutate = self.toolbox.mate, self.toolbox.mutate
        if mate is not self._mate or mutate is not self._mutate or (self._compiled and self._options_changed(options)):
            self._read_operators(mate, mutate, options)
        if not (self._compiled and _may_be_compiled(first_parent, second_parent)):
            return breed(first_parent, second_parent, **options, mate=mate, mutate=mutate, rng=self.rng)
        alone = second_parent is None or (first_parent is second_parent and not self._self_crossover)
        second_parent = first_parent if second_parent is None else second_parent
        donor = gene_donor(first_parent, second_parent, **self._donor_options)
        genes, status = _breed(
            first_parent.genes, second_parent.genes, sources(first_parent), alone, donor, self._rates, *self._source
        )
        if status == MALFORMED:
            validated_genes(first_parent), validated_genes(second_parent)
        elif status == UNRELATED:
            raise ValueError(operators.DIFFERENT_RUNS)
        child = first_parent.with_genes(genes)
        return child if status == COMPLETE else self._finish(child, status, first_parent)

    def _finish(self, child: Individual, status: int, first_parent: Individual) -> Individual:
        """Add a node to the child if `status` is NODE, or a connection if `status` is CONNECTION.

        If the child's genes equal the genes of the first parent, the child gets a copy of the first parent's fitness.
        """
        genes = child.genes
        if status == NODE:
            add_node(child, **self._node, rng=self.rng)
        elif status == CONNECTION:
            add_connection(child, **self._connection, rng=self.rng)
        # If a structural mutation finds no valid connection or pair of nodes, it leaves the child's genes unchanged.
        if status == COPY or (child.genes is genes and np.array_equal(genes, first_parent.genes)):
            child.fitness = copy_fitness(first_parent.fitness)
            child.fitness.score = math.nan
        return child

    def _options_changed(self, options: dict[str, Any]) -> bool:
        """Return whether the options of a registered operator changed in place since they were read."""
        return (self._mate.keywords, self._mutate.keywords, options) != self._options

    def _read_operators(self, mate: Any, mutate: Any, options: dict[str, Any]) -> None:
        """Read the operators and their options, and decide whether a compiled call can breed children."""
        self._mate, self._mutate = mate, mutate
        self._compiled = (
            _is_registered(mate, operators.mate, self.rng)
            and _is_registered(mutate, operators.mutate, self.rng)
            and not any((mate.keywords | mutate.keywords).get(name) for name in NOT_COMPILED)
        )
        if not self._compiled:
            return
        self._options = dict(mate.keywords), dict(mutate.keywords), dict(options)
        defaults = [
            _defaults(operator) for operator in (breed, operators.mate, operators.mutate, operators.mutate_weights)
        ]
        chosen = dict(ChainMap(*self._options, *defaults))
        check(**{name: chosen[name] for name in (*(rate.name.lower() for rate in Rate), "inherit", "self_crossover")})
        self._rates = np.array([chosen[rate.name.lower()] for rate in Rate], dtype=float)
        self._self_crossover = chosen["self_crossover"]
        self._donor_options = {name: chosen[name] for name in ("inherit", "fit_attr")}
        self._node = {name: chosen[name] for name in ("innovations", "out_weight", "bias")}
        self._connection = {name: chosen[name] for name in ("innovations", "recurrent", "loop")}
        self._source = source_of(self.rng)


def _may_be_compiled(first_parent: Any, second_parent: Any) -> bool:
    """Return whether the parents have no `node_activations` and match in inputs, outputs, bias and activations."""
    if first_parent.node_activations or second_parent is None:
        return not first_parent.node_activations
    return not second_parent.node_activations and same_interface(first_parent, second_parent)


def _is_registered(operator: Any, function: Callable[..., Any], rng: np.random.Generator) -> bool:
    """Return whether an operator is a partial of `function` that binds `rng` by keyword and no positional argument."""
    return (
        isinstance(operator, partial)
        and operator.func is function
        and not operator.args
        and operator.keywords.get("rng") is rng
    )


def _defaults(operator: Callable[..., Any]) -> dict[str, Any]:
    """Return the default options of an operator by name."""
    parameters = inspect.signature(operator).parameters.values()
    return {parameter.name: parameter.default for parameter in parameters if parameter.default is not parameter.empty}


@njit(cache=True)
def _breed(
    first_parent: np.ndarray,
    second_parent: np.ndarray,
    sources: int,
    alone: bool,
    donor: int,
    rates: np.ndarray,
    function: int,
    state: int,
) -> tuple[np.ndarray, int]:
    """Return the genes of a child and a status code; draw random numbers in the same order as `mate` and `mutate`."""
    if not (are_valid_genes(first_parent, sources) and are_valid_genes(second_parent, sources)):
        return first_parent, MALFORMED
    if alone or uniform(function, state) < rates[Rate.MUTATE_ONLY]:
        genes = first_parent.copy()
    else:
        draws = uniforms(1 + 3 * min(len(first_parent), len(second_parent)), function, state)
        room = len(first_parent) + len(second_parent)
        genes, sibling = np.empty((room, 5)), np.empty((room, 5))
        count = cross_genes(
            first_parent, second_parent, donor, rates[Rate.AVERAGE], rates[Rate.DISABLE], draws, genes, sibling
        )
        if count < 0:
            return genes, UNRELATED
        genes = genes[:count]
        if uniform(function, state) < rates[Rate.MATE_ONLY]:
            disjoint, excess, weight = compare_genes(first_parent, second_parent)
            if disjoint + excess + weight > 0.0:
                return genes, _copy_or_new(genes, first_parent)
    draws = uniforms(5, function, state)
    if draws[0] < rates[Rate.NODE_RATE]:
        return genes, NODE
    if draws[1] < rates[Rate.CONNECTION_RATE]:
        return genes, CONNECTION
    if draws[2] < rates[Rate.WEIGHT_RATE]:
        changes = uniforms(1 + 2 * len(genes), function, state)
        perturb_genes(
            genes, changes, rates[Rate.POWER], rates[Rate.LIMIT], rates[Rate.SEVERE], rates[Rate.PERTURB],
            rates[Rate.REPLACE], rates[Rate.TAIL], rates[Rate.TAIL_PERTURB], rates[Rate.TAIL_REPLACE],
        )  # fmt: skip
    if draws[3] < rates[Rate.TOGGLE_RATE] and len(genes):
        toggle_genes(genes, uniform(function, state))
    if draws[4] < rates[Rate.REENABLE_RATE]:
        reenable_genes(genes)
    return genes, _copy_or_new(genes, first_parent)


@njit(cache=True)
def _copy_or_new(genes: np.ndarray, first_parent: np.ndarray) -> int:
    """Return COPY if the genes equal the genes of the first parent, otherwise COMPLETE."""
    if len(genes) != len(first_parent):
        return COMPLETE
    for gene in range(len(genes)):
        for column in range(genes.shape[1]):
            if genes[gene, column] != first_parent[gene, column]:
                return COMPLETE
    return COPY
