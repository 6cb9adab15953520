"""Crossover and mutation of genomes, as DEAP operators: in place, returning tuples.

Every rate is a keyword, with the value of the maze experiments as its default, and every operator takes the generator
it draws from as `rng`. `neat.register` registers them together; each can be registered alone.
"""

import math
from typing import Any, TypeVar

import numpy as np

from divergent._compile import njit
from divergent.neat.genome import (
    ACTIVATIONS,
    ENABLED,
    INNOVATION,
    SOURCE,
    TARGET,
    WEIGHT,
    Genome,
    alike,
    checked,
    hidden_nodes,
    sources,
    trace,
)
from divergent.neat.innovation import Innovations
from divergent.validation import brief, is_finite

Individual = TypeVar("Individual", bound=Genome)

INHERIT = ("both", "fitter")

MOST_TRIES = 1_000_000
INFINITE = 1e30  # from where on numbers are too large for weights

BOTH, FIRST, SECOND = range(3)  # whose disjoint and excess genes the children get

STRANGERS = "genomes that mate must come from one run, these number different connections alike"


def mate(
    first: Individual,
    second: Individual,
    *,
    average: float = 0.4,
    disable: float = 0.75,
    inherit: str = "both",
    fit_attr: str = "fitness",
    feed_forward: bool = False,
    rng: np.random.Generator,
) -> tuple[Individual, Individual]:
    """Cross two genomes, aligned by innovation; the children are complementary.

    Of a gene that both parents have, the first child takes one parent's and the second child the other's (multipoint),
    or both take the mean weight. Genes that only one parent has go to both children. Of two different genes between the
    same nodes, which only genomes of different runs can bring together, the children keep the older. Parents must be
    alike in all but their genes: inputs, outputs, bias and activations.

    Parameters
    ----------
    average
        How often the whole crossover takes mean weights instead of one parent's.
    disable
        How often a gene that is disabled in either parent is disabled in a child, drawn for each child. Otherwise it is
        as in the parent it is taken from, or enabled where weights are averaged.
    inherit
        "both": the children have the genes of both parents; "fitter": of the genes that only one parent has they get
        those of the fitter one. That is the one with the larger score where a search has scored both, and with the
        better fitness otherwise. Of equals, and where one was not evaluated, they get the genes of both.
    fit_attr
        The attribute that holds the fitness.
    feed_forward
        Whether genes that would close a cycle, as those of two parents together can, are left out of the children.

    References
    ----------
    K. O. Stanley and R. Miikkulainen, "Evolving neural networks through augmenting topologies", Evolutionary
    Computation 10(2), 2002.
    """
    if not (0.0 <= average <= 1.0 and 0.0 <= disable <= 1.0 and inherit in INHERIT and type(feed_forward) is bool):
        check(average=average, disable=disable, inherit=inherit, feed_forward=feed_forward)
    _check_source(rng)
    mine, other = checked(first), checked(second)
    if not alike(first, second):
        raise ValueError(_how_they_differ(first, second))
    keep = heir(first, second, inherit, fit_attr)
    draws = rng.random(1 + 3 * min(len(mine), len(other)))
    room = len(mine) + len(other)
    one, two = np.empty((room, 5)), np.empty((room, 5))
    count = cross_genes(mine, other, keep, average, disable, draws, one, two)
    if count < 0:
        raise ValueError(STRANGERS)
    one, two = one[:count], two[:count]
    if feed_forward:  # both have the same structure
        kept = ~trace(one, sources(first), first.outputs)[3]
        one, two = one[kept], two[kept]
    first._genes, second._genes = one, two  # made of checked ones
    return first, second


def mutate(
    genome: Individual,
    *,
    innovations: Innovations,
    node_rate: float = 0.005,
    connection_rate: float = 0.1,
    weight_rate: float = 0.6,
    toggle_rate: float = 0.1,
    reenable_rate: float = 0.05,
    delete_node_rate: float = 0.0,
    delete_connection_rate: float = 0.0,
    power: float = 0.8,
    limit: float = 3.0,
    severe: float = 0.5,
    perturb: float = 0.7,
    replace: float = 0.2,
    out_weight: float = 0.3,
    bias: int | None = 0,
    recurrent: float = 0.2,
    loop: float = 0.5,
    feed_forward: bool = False,
    rng: np.random.Generator,
) -> tuple[Individual]:
    """Add a node; or else add a connection; or else change weights, toggle and re-enable, each with its own rate.

    Before weights are changed, a node may be deleted, or else a connection, which then is all: usually neither ever is.
    A structural mutation that finds no place leaves the genome as it was. With `feed_forward` no connection is added
    that closes a cycle, whatever `recurrent` says. The other keywords are those of `mutate_weights`, `add_node` and
    `add_connection`.
    """
    if not (
        0.0 <= node_rate <= 1.0
        and 0.0 <= connection_rate <= 1.0
        and 0.0 <= weight_rate <= 1.0
        and 0.0 <= toggle_rate <= 1.0
        and 0.0 <= reenable_rate <= 1.0
        and 0.0 <= delete_node_rate <= 1.0
        and 0.0 <= delete_connection_rate <= 1.0
        and type(feed_forward) is bool
    ):
        check(
            node_rate=node_rate,
            connection_rate=connection_rate,
            weight_rate=weight_rate,
            toggle_rate=toggle_rate,
            reenable_rate=reenable_rate,
            delete_node_rate=delete_node_rate,
            delete_connection_rate=delete_connection_rate,
            feed_forward=feed_forward,
        )
    _check_source(rng)
    draws = rng.random(5).tolist()
    if draws[0] < node_rate:
        return add_node(genome, innovations=innovations, out_weight=out_weight, bias=bias, rng=rng)
    if draws[1] < connection_rate:
        recurrent = 0.0 if feed_forward else recurrent
        return add_connection(genome, innovations=innovations, recurrent=recurrent, loop=loop, rng=rng)
    # drawn only where they can happen, so that who deletes nothing gets what there was before deletions were
    if delete_node_rate > 0.0 and rng.random() < delete_node_rate:
        return delete_node(genome, rng=rng)
    if delete_connection_rate > 0.0 and rng.random() < delete_connection_rate:
        return delete_connection(genome, rng=rng)
    if draws[2] < weight_rate:
        mutate_weights(genome, power=power, limit=limit, severe=severe, perturb=perturb, replace=replace, rng=rng)
    if draws[3] < toggle_rate:
        toggle(genome, rng=rng)
    if draws[4] < reenable_rate:
        reenable(genome)
    return (genome,)


def mutate_weights(
    genome: Individual,
    *,
    power: float = 0.8,
    limit: float = 3.0,
    severe: float = 0.5,
    perturb: float = 0.7,
    replace: float = 0.2,
    tail: float = 0.8,
    tail_perturb: float = 0.5,
    tail_replace: float = 0.2,
    rng: np.random.Generator,
) -> tuple[Individual]:
    """Perturb or replace the weights of all connections by uniform draws.

    Parameters
    ----------
    power
        Half the width of the draws.
    limit
        Weights are kept within plus and minus this.
    severe
        How often the whole genome is treated severely: each weight is perturbed with rate `perturb`, replaced with rate
        `replace`, else left alone. Otherwise every weight is perturbed, but those of the newest genes (of a genome with
        at least 10, the ones after the share `tail`) only with rate `tail_perturb`, and replaced with `tail_replace`.
    """
    if not (
        0.0 <= power < INFINITE
        and 0.0 <= limit < INFINITE
        and 0.0 <= severe <= 1.0
        and 0.0 <= replace <= 1.0
        and 0.0 <= perturb <= 1.0 - replace
        and 0.0 <= tail <= 1.0
        and 0.0 <= tail_replace <= 1.0
        and 0.0 <= tail_perturb <= 1.0 - tail_replace
    ):
        check(
            power=power,
            limit=limit,
            severe=severe,
            perturb=perturb,
            replace=replace,
            tail=tail,
            tail_perturb=tail_perturb,
            tail_replace=tail_replace,
        )
    _check_source(rng)
    genes = _changeable(genome)
    draws = rng.random(1 + 2 * len(genes))
    options = map(float, (power, limit, severe, perturb, replace, tail, tail_perturb, tail_replace))
    perturb_genes(genes, draws, *options)
    return (genome,)


def add_node(
    genome: Individual,
    *,
    innovations: Innovations,
    in_weight: float = 1.0,
    out_weight: float = 0.3,
    bias: int | None = 0,
    tries: int = 20,
    rng: np.random.Generator,
) -> tuple[Individual]:
    """Split an enabled connection by a new node; the connection is disabled.

    Parameters
    ----------
    in_weight
        The weight of the connection into the new node.
    out_weight
        The weight of the connection out of it, as a multiple of the split one's. NEAT's original rule is 1.
    bias
        The input whose connections are never split; None if they all may be. Of a genome with a bias node it is that.
    tries
        How many random connections are looked at before giving up.
    """
    _check_source(rng)
    if not (1 <= tries <= MOST_TRIES and abs(in_weight) < INFINITE and abs(out_weight) < INFINITE):
        check(tries=tries, in_weight=in_weight, out_weight=out_weight)
    genes = checked(genome)
    if sources(genome) > genome.inputs:
        bias = genome.inputs
    for draw in rng.random(tries).tolist() if len(genes) else ():
        gene = int(draw * len(genes))
        split, source, target, weight, enabled = genes[gene].tolist()
        if enabled and source != bias:
            break
    else:
        return (genome,)
    _acquaint(innovations, genome)
    nodes = hidden_nodes(genes, sources(genome) + genome.outputs)
    occurrence = 0
    while (node := innovations.node(int(split), occurrence)) in nodes:
        occurrence += 1
    genes = genes.copy()
    genes[gene, ENABLED] = 0.0
    genes = _insert(genes, innovations.connection(int(source), node), source, node, in_weight)
    genome.genes = _insert(genes, innovations.connection(node, int(target)), node, target, out_weight * weight)
    return (genome,)


def add_connection(
    genome: Individual,
    *,
    innovations: Innovations,
    recurrent: float = 0.2,
    loop: float = 0.5,
    width: float = 1.0,
    tries: int = 40,
    rng: np.random.Generator,
) -> tuple[Individual]:
    """Connect two nodes that are not connected yet, in this direction, by a link that is enabled.

    Parameters
    ----------
    recurrent
        How often a recurrent connection is looked for, one whose target already reaches its source (see
        `Genome.recurrent`); otherwise one that is not recurrent is.
    loop
        How often a node is tried with itself when a recurrent connection is looked for.
    width
        The weight is drawn uniformly between minus and plus this, unless `Innovations` reuses the first weight.
    tries
        How many random pairs of nodes are looked at before giving up.
    """
    if not (0.0 <= recurrent <= 1.0 and 0.0 <= loop <= 1.0 and 0.0 <= width < INFINITE and 1 <= tries <= MOST_TRIES):
        check(recurrent=recurrent, loop=loop, width=width, tries=tries)
    _check_source(rng)
    draws = rng.random(2 + 3 * tries)
    source, target = _unconnected(checked(genome), sources(genome), genome.outputs, recurrent, loop, draws)
    if target < 0:
        return (genome,)
    _acquaint(innovations, genome)
    closes = bool(draws[0] < recurrent)
    innovation = innovations.connection(int(source), int(target), recurrent=closes)
    weight = width * (2.0 * draws[1] - 1.0)
    if not closes:
        weight = innovations.first_weight(innovation, weight)
    genome.genes = _insert(genome.genes, innovation, source, target, weight)
    return (genome,)


def delete_connection(genome: Individual, *, rng: np.random.Generator) -> tuple[Individual]:
    """Delete a random connection, enabled or not; a hidden node that loses its last one is gone as well."""
    _check_source(rng)
    genes = checked(genome)
    if len(genes):
        genome.genes = np.delete(genes, int(rng.random() * len(genes)), axis=0)
    return (genome,)


def delete_node(genome: Individual, *, rng: np.random.Generator) -> tuple[Individual]:
    """Delete a random hidden node with all its connections.

    Other hidden nodes that had connections with this one only are gone as well.

    Examples
    --------
    >>> genome = Genome.start(2, 1, hidden=1, rng=np.random.default_rng(1))
    >>> delete_node(genome, rng=np.random.default_rng(1))
    (Genome(2 inputs, 1 outputs, 0 hidden, 0 connections),)
    """
    _check_source(rng)
    genes = checked(genome)
    hidden = hidden_nodes(genes, sources(genome) + genome.outputs)
    if len(hidden):
        node = hidden[int(rng.random() * len(hidden))]
        genome.genes = genes[(genes[:, SOURCE] != node) & (genes[:, TARGET] != node)]
    return (genome,)


def toggle(genome: Individual, *, rng: np.random.Generator) -> tuple[Individual]:
    """Enable a random connection, or disable it unless it is the last enabled one out of its source."""
    _check_source(rng)
    genes = _changeable(genome)
    if len(genes):
        toggle_genes(genes, rng.random())
    return (genome,)


def reenable(genome: Individual) -> tuple[Individual]:
    """Enable the oldest connection that is disabled."""
    reenable_genes(_changeable(genome))
    return (genome,)


def check(**options: Any) -> None:
    """Refuse, by name, an option of these operators that breaks its rule."""
    for name, value in options.items():
        rule, holds = _RULES[name]
        try:
            good = bool(holds(value))
        except (TypeError, ValueError, OverflowError):
            good = False
        if not good:
            raise ValueError(f"{name} must be {rule}, got {brief(value)}")
    for first, second in (("perturb", "replace"), ("tail_perturb", "tail_replace")):
        if first in options and second in options and not options[first] <= 1.0 - options[second]:
            raise ValueError(
                f"{first} and {second} must not exceed 1 together, got {options[first]} and {options[second]}"
            )


_RATE = "a rate between 0 and 1", lambda value: 0.0 <= value <= 1.0
_AMOUNT = "a finite number, at least 0", lambda value: is_finite(value) and 0.0 <= value < INFINITE
_FINITE = "a finite number", lambda value: is_finite(value) and abs(value) < INFINITE
_COUNT = f"a whole number from 1 to {MOST_TRIES}", lambda value: value == int(value) and 1 <= value <= MOST_TRIES
_RULES = {
    **dict.fromkeys(("average", "disable", "severe", "recurrent", "loop", "mutate_only", "mate_only"), _RATE),
    **dict.fromkeys(("node_rate", "connection_rate", "weight_rate", "toggle_rate", "reenable_rate"), _RATE),
    **dict.fromkeys(("delete_node_rate", "delete_connection_rate"), _RATE),
    **dict.fromkeys(("perturb", "replace", "tail", "tail_perturb", "tail_replace"), _RATE),
    **dict.fromkeys(("power", "limit", "width"), _AMOUNT),
    **dict.fromkeys(("in_weight", "out_weight"), _FINITE),
    "tries": _COUNT,
    "inherit": (f"one of {', '.join(INHERIT)}", lambda value: value in INHERIT),
    **dict.fromkeys(("feed_forward", "self_crossover"), ("True or False", lambda value: isinstance(value, bool))),
    "fit_attr": ("the name of an attribute", lambda value: isinstance(value, str)),
    "bias": ("the number of an input, or None", lambda value: value is None or value == int(value) >= 0),
}


def heir(first: Genome, second: Genome, inherit: str, fit_attr: str) -> int:
    """Whose disjoint and excess genes children get: FIRST, SECOND or BOTH."""
    if inherit == "both":
        return BOTH
    try:
        mine, other = getattr(first, fit_attr), getattr(second, fit_attr)
        if not (mine.valid and other.valid):
            return BOTH
    except (AttributeError, TypeError):
        raise TypeError(
            f"{fit_attr!r} must be the attribute that holds a DEAP fitness; these genomes have none"
        ) from None
    scores = getattr(mine, "score", math.nan), getattr(other, "score", math.nan)
    if scores[0] == scores[0] and scores[1] == scores[1]:  # neither is nan
        mine, other = scores
    return FIRST if mine > other else SECOND if other > mine else BOTH


def _how_they_differ(first, second):
    if first.inputs != second.inputs or first.outputs != second.outputs:
        return (
            f"genomes that mate must have the same inputs and outputs, got {first.inputs} and {first.outputs}, "
            f"{second.inputs} and {second.outputs}"
        )
    name = next(name for name in ("bias_node", *ACTIVATIONS) if getattr(first, name) != getattr(second, name))
    return f"genomes that mate must have the same {name}, got {getattr(first, name)} and {getattr(second, name)}"


def _changeable(genome):
    """Genes that may be changed in place."""
    genes = checked(genome)
    if not genes.flags.writeable:
        raise ValueError("genes that are read-only cannot be mutated; give the genome a copy of them")
    return genes


def _check_source(rng):
    if not hasattr(rng, "random"):
        raise TypeError(f"rng must be a numpy.random.Generator, got {brief(rng)}")


def _acquaint(innovations, genome):
    if not isinstance(innovations, Innovations):
        raise TypeError(f"innovations must be the run's Innovations, got {brief(innovations)}")
    if not innovations.knows(genome):
        innovations.include([genome])


def _insert(genes, innovation, source, target, weight):
    extended = np.empty((len(genes) + 1, 5))
    if not _extend(genes, extended, float(innovation), float(source), float(target), float(weight)):
        raise ValueError(
            f"innovation {innovation} is another connection in this genome, which comes from a different run than the "
            "innovations: make them with Innovations(genomes)"
        )
    return extended


@njit(cache=True)
def _extend(genes, extended, innovation, source, target, weight):
    """Copy the genes with an enabled one put in its place; whether its innovation was new."""
    place = len(genes)
    while place > 0 and genes[place - 1, INNOVATION] >= innovation:
        place -= 1
    for gene in range(len(genes)):
        for column in range(5):
            extended[gene + (gene >= place), column] = genes[gene, column]
    extended[place, INNOVATION] = innovation
    extended[place, SOURCE] = source
    extended[place, TARGET] = target
    extended[place, WEIGHT] = weight
    extended[place, ENABLED] = 1.0
    return place == len(genes) or genes[place, INNOVATION] != innovation


@njit(cache=True)
def toggle_genes(genes, draw):
    """Enable or disable the gene at this share of them, see `toggle`."""
    chosen = int(draw * len(genes))
    if genes[chosen, ENABLED] == 0.0:
        genes[chosen, ENABLED] = 1.0
        return
    alike = 0.0
    for gene in range(len(genes)):
        if genes[gene, SOURCE] == genes[chosen, SOURCE]:
            alike += genes[gene, ENABLED]
    if alike > 1.0:
        genes[chosen, ENABLED] = 0.0


@njit(cache=True)
def reenable_genes(genes):
    """Enable the oldest gene that is disabled, see `reenable`."""
    for gene in range(len(genes)):
        if genes[gene, ENABLED] == 0.0:
            genes[gene, ENABLED] = 1.0
            return


@njit(cache=True)
def perturb_genes(genes, draws, power, limit, severe, perturb, replace, tail, tail_perturb, tail_replace):
    severely = draws[0] < severe
    newest = tail * len(genes) if len(genes) >= 10 else len(genes)
    for gene in range(len(genes)):
        change = power * (2.0 * draws[1 + 2 * gene] - 1.0)
        choice = draws[2 + 2 * gene]
        weight = genes[gene, WEIGHT]
        if severely:
            if choice < perturb:
                weight += change
            elif choice < perturb + replace:
                weight = change
        elif gene > newest:
            if choice < tail_perturb:
                weight += change
            elif choice < tail_perturb + tail_replace:
                weight = change
        else:
            weight += change
        genes[gene, WEIGHT] = min(max(weight, -limit), limit)


@njit(cache=True)
def cross_genes(first, second, keep, average, disable, draws, one, two):
    """Fill two children and return how many genes they have; -1 if one innovation is two different connections."""
    averaged = draws[0] < average
    # links that only one parent has, each as one number: a second one between the same nodes is left out
    mines, others = np.empty(len(first), np.int64), np.empty(len(second), np.int64)
    here = there = count = matching = mine_count = other_count = 0
    while here < len(first) or there < len(second):
        mine = first[here, INNOVATION] if here < len(first) else np.inf
        other = second[there, INNOVATION] if there < len(second) else np.inf
        if mine == other:
            if first[here, SOURCE] != second[there, SOURCE] or first[here, TARGET] != second[there, TARGET]:
                return -1
            swap = draws[1 + 3 * matching] < 0.5
            for column in range(5):
                one[count, column] = second[there, column] if swap else first[here, column]
                two[count, column] = first[here, column] if swap else second[there, column]
            if averaged:
                one[count, WEIGHT] = two[count, WEIGHT] = (first[here, WEIGHT] + second[there, WEIGHT]) / 2.0
                one[count, ENABLED] = two[count, ENABLED] = 1.0
            if first[here, ENABLED] * second[there, ENABLED] == 0.0:
                if draws[2 + 3 * matching] < disable:
                    one[count, ENABLED] = 0.0
                if draws[3 + 3 * matching] < disable:
                    two[count, ENABLED] = 0.0
            matching += 1
            here += 1
            there += 1
            count += 1
        elif mine < other:
            link = int(first[here, SOURCE]) << 32 | int(first[here, TARGET])
            if keep != SECOND and not _among(link, others, other_count):
                mines[mine_count] = link
                mine_count += 1
                for column in range(5):
                    one[count, column] = two[count, column] = first[here, column]
                count += 1
            here += 1
        else:
            link = int(second[there, SOURCE]) << 32 | int(second[there, TARGET])
            if keep != FIRST and not _among(link, mines, mine_count):
                others[other_count] = link
                other_count += 1
                for column in range(5):
                    one[count, column] = two[count, column] = second[there, column]
                count += 1
            there += 1
    return count


@njit(cache=True)
def _among(number, numbers, count):
    found = False
    for position in range(count):
        found |= numbers[position] == number
    return found


@njit(cache=True)
def _unconnected(genes, sources, outputs, recurrent, loop, draws):
    hidden, linked, reach, _ = trace(genes, sources, outputs)
    visible = sources + outputs
    size = visible + len(hidden)
    closing = draws[0] < recurrent
    for attempt in range(2, len(draws), 3):
        target = sources + int(draws[attempt + 1] * (size - sources))
        if closing and draws[attempt + 2] < loop:
            source = target
        else:
            source = int(draws[attempt] * size)
        if not linked[source, target] and reach[target, source] == closing:
            return (
                source if source < visible else hidden[source - visible],
                target if target < visible else hidden[target - visible],
            )
    return -1, -1
