"""Crossover and mutation of genomes as DEAP operators, which change genomes in place and return tuples.

Every rate is a keyword whose default is the value of the maze experiments. Every operator draws from its argument
`rng`. `neat.register` registers all operators; each can be registered separately.
"""

import math
from typing import Any, TypeVar

import numpy as np

from divergent._compile import njit
from divergent.neat._genes import ENABLED, INNOVATION, SOURCE, TARGET, WEIGHT, analyse_topology, hidden_nodes
from divergent.neat.genome import ACTIVATIONS, Genome, same_interface, sources, validated_genes
from divergent.neat.innovation import Innovations
from divergent.validation import brief, is_finite

Individual = TypeVar("Individual", bound=Genome)

INHERIT = ("both", "fitter")

MAX_TRIES = 1_000_000
WEIGHT_BOUND = 1e30  # bound of weights and of their changes

BOTH, FIRST, SECOND = range(3)  # parents whose disjoint and excess genes the children get

DIFFERENT_RUNS = "genomes that mate must be of one run, got one innovation for two connections; share one Innovations"


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
    """Cross two genomes, aligned by innovation number, into complementary children.

    Each matching gene goes to the first child from one parent and to the second child from the other (multipoint
    crossover), or both children get the mean weight. Both children get the disjoint and excess genes. Genomes of
    different runs may have two different genes between the same nodes; the children keep the older one.

    Parameters
    ----------
    first : Genome
        The first parent, which becomes the first child.
    second : Genome
        The second parent, which becomes the second child. It has the same inputs, outputs, bias and activations.
    average : float, default=0.4
        Probability that a crossover takes mean weights.
    disable : float, default=0.75
        Probability, for each child, that a gene disabled in either parent is disabled in the child. Otherwise the gene
        is as in its parent, or enabled if weights are averaged.
    inherit : {"both", "fitter"}, default="both"
        Source of disjoint and excess genes: both parents, or only the fitter one. The fitter parent has the larger
        score if both have one, else the better fitness. If the parents tie or one is not evaluated, both contribute.
    fit_attr : str, default="fitness"
        Attribute that holds the fitness.
    feed_forward : bool, default=False
        Whether the children omit genes that would close a cycle.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    tuple of Genome
        The two children.

    Raises
    ------
    TypeError
        If an argument is not a genome, a generator or, for `inherit="fitter"`, the name of a fitness.
    ValueError
        If an option is out of its range, or the genomes do not match.

    See Also
    --------
    mutate : Mutation.

    References
    ----------
    K. O. Stanley and R. Miikkulainen, "Evolving neural networks through augmenting topologies", Evolutionary
    Computation 10(2), 2002.
    """
    if not (0.0 <= average <= 1.0 and 0.0 <= disable <= 1.0 and inherit in INHERIT and type(feed_forward) is bool):
        check(average=average, disable=disable, inherit=inherit, feed_forward=feed_forward)
    _check_rng(rng)
    first_genes, second_genes = validated_genes(first), validated_genes(second)
    if not same_interface(first, second):
        raise ValueError(_interface_difference(first, second))
    donor = gene_donor(first, second, inherit, fit_attr)
    draws = rng.random(1 + 3 * min(len(first_genes), len(second_genes)))
    room = len(first_genes) + len(second_genes)
    first_child, second_child = np.empty((room, 5)), np.empty((room, 5))
    count = cross_genes(first_genes, second_genes, donor, average, disable, draws, first_child, second_child)
    if count < 0:
        raise ValueError(DIFFERENT_RUNS)
    first_child, second_child = first_child[:count], second_child[:count]
    if feed_forward:  # both children have the same structure
        acyclic = ~analyse_topology(first_child, sources(first), first.outputs)[3]
        first_child, second_child = first_child[acyclic], second_child[acyclic]
    first._genes, second._genes = first_child, second_child  # valid, as the parents are
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
    """Mutate a genome: add a node, else add a connection, else change weights and toggle and re-enable connections.

    By default nothing is deleted. A deletion comes before the change of weights and replaces it. A structural mutation
    that finds no valid place leaves the genome unchanged.

    Parameters
    ----------
    genome : Genome
        The genome, changed in place.
    innovations : Innovations
        Innovation numbers of the run.
    node_rate : float, default=0.005
        Probability of `add_node`.
    connection_rate : float, default=0.1
        Probability of `add_connection`, if no node is added.
    weight_rate : float, default=0.6
        Probability of `mutate_weights`, if the structure does not change.
    toggle_rate : float, default=0.1
        Probability of `toggle`, if the structure does not change.
    reenable_rate : float, default=0.05
        Probability of `reenable`, if the structure does not change.
    delete_node_rate : float, default=0.0
        Probability of `delete_node`, if nothing is added.
    delete_connection_rate : float, default=0.0
        Probability of `delete_connection`, if nothing is added and no node is deleted.
    power : float, default=0.8
        See `mutate_weights`.
    limit : float, default=3.0
        See `mutate_weights`.
    severe : float, default=0.5
        See `mutate_weights`.
    perturb : float, default=0.7
        See `mutate_weights`.
    replace : float, default=0.2
        See `mutate_weights`.
    out_weight : float, default=0.3
        See `add_node`.
    bias : int or None, default=0
        See `add_node`.
    recurrent : float, default=0.2
        See `add_connection`.
    loop : float, default=0.5
        See `add_connection`.
    feed_forward : bool, default=False
        Whether no connection may close a cycle; overrides `recurrent`.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    tuple of Genome
        The genome.

    See Also
    --------
    mate : Crossover.
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
    _check_rng(rng)
    draws = rng.random(5).tolist()
    if draws[0] < node_rate:
        return add_node(genome, innovations=innovations, out_weight=out_weight, bias=bias, rng=rng)
    if draws[1] < connection_rate:
        recurrent = 0.0 if feed_forward else recurrent
        return add_connection(genome, innovations=innovations, recurrent=recurrent, loop=loop, rng=rng)
    # no draw if the rate is 0: runs without deletions keep their random stream
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
    genome : Genome
        The genome, changed in place.
    power : float, default=0.8
        Half the width of the uniform distribution.
    limit : float, default=3.0
        Largest absolute weight.
    severe : float, default=0.5
        Probability of a severe mutation of the genome: `perturb` and `replace` then apply to each weight. Otherwise
        every weight is perturbed, except those of the newest genes, see `tail`.
    perturb : float, default=0.7
        Probability that a severe mutation perturbs a weight.
    replace : float, default=0.2
        Probability that a severe mutation replaces a weight.
    tail : float, default=0.8
        Fraction of the genes after which genes count as newest, in genomes of at least 10 genes.
    tail_perturb : float, default=0.5
        Probability that the weight of a newest gene is perturbed.
    tail_replace : float, default=0.2
        Probability that the weight of a newest gene is replaced.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    tuple of Genome
        The genome.
    """
    if not (
        0.0 <= power < WEIGHT_BOUND
        and 0.0 <= limit < WEIGHT_BOUND
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
    _check_rng(rng)
    genes = _writable_genes(genome)
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
    genome : Genome
        The genome, changed in place.
    innovations : Innovations
        Innovation numbers of the run.
    in_weight : float, default=1.0
        Weight of the connection into the new node.
    out_weight : float, default=0.3
        Weight of the connection out of the new node, as a multiple of the weight of the split connection. NEAT's
        original rule is 1.
    bias : int or None, default=0
        Input whose connections are never split; None if all may be split. In a genome with a bias node it is that node.
    tries : int, default=20
        Number of random connections to try.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    tuple of Genome
        The genome, unchanged if no connection can be split.

    See Also
    --------
    delete_node : The inverse mutation.
    """
    _check_rng(rng)
    if not (1 <= tries <= MAX_TRIES and abs(in_weight) < WEIGHT_BOUND and abs(out_weight) < WEIGHT_BOUND):
        check(tries=tries, in_weight=in_weight, out_weight=out_weight)
    genes = validated_genes(genome)
    if sources(genome) > genome.inputs:
        bias = genome.inputs
    for draw in rng.random(tries).tolist() if len(genes) else ():
        gene = int(draw * len(genes))
        split, source, target, weight, enabled = genes[gene].tolist()
        if enabled and source != bias:
            break
    else:
        return (genome,)
    _include_genome(innovations, genome)
    nodes = hidden_nodes(genes, sources(genome) + genome.outputs)
    occurrence = 0
    while (node := innovations.node(int(split), occurrence)) in nodes:
        occurrence += 1
    genes = genes.copy()
    genes[gene, ENABLED] = 0.0
    genes = _with_gene(genes, innovations.connection(int(source), node), source, node, in_weight)
    genome.genes = _with_gene(genes, innovations.connection(node, int(target)), node, target, out_weight * weight)
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
    """Add an enabled connection between two nodes that are not yet connected in this direction.

    Parameters
    ----------
    genome : Genome
        The genome, changed in place.
    innovations : Innovations
        Innovation numbers of the run.
    recurrent : float, default=0.2
        Probability that the connection must be recurrent, see `Genome.recurrent`; otherwise it must not be.
    loop : float, default=0.5
        Probability that a recurrent connection must join a node to itself.
    width : float, default=1.0
        Largest absolute value of the uniformly drawn weight, unless `Innovations` reuses the first weight.
    tries : int, default=40
        Number of random pairs of nodes to try.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    tuple of Genome
        The genome, unchanged if no pair can be connected.

    See Also
    --------
    delete_connection : The inverse mutation.
    """
    if not (0.0 <= recurrent <= 1.0 and 0.0 <= loop <= 1.0 and 0.0 <= width < WEIGHT_BOUND and 1 <= tries <= MAX_TRIES):
        check(recurrent=recurrent, loop=loop, width=width, tries=tries)
    _check_rng(rng)
    draws = rng.random(2 + 3 * tries)
    source, target = _unconnected(validated_genes(genome), sources(genome), genome.outputs, recurrent, loop, draws)
    if target < 0:
        return (genome,)
    _include_genome(innovations, genome)
    closes = bool(draws[0] < recurrent)
    innovation = innovations.connection(int(source), int(target), recurrent=closes)
    weight = width * (2.0 * draws[1] - 1.0)
    if not closes:
        weight = innovations.first_weight(innovation, weight)
    genome.genes = _with_gene(genome.genes, innovation, source, target, weight)
    return (genome,)


def delete_connection(genome: Individual, *, rng: np.random.Generator) -> tuple[Individual]:
    """Delete a random connection, enabled or not.

    A hidden node without connections disappears.

    Parameters
    ----------
    genome : Genome
        The genome, changed in place.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    tuple of Genome
        The genome.
    """
    _check_rng(rng)
    genes = validated_genes(genome)
    if len(genes):
        genome.genes = np.delete(genes, int(rng.random() * len(genes)), axis=0)
    return (genome,)


def delete_node(genome: Individual, *, rng: np.random.Generator) -> tuple[Individual]:
    """Delete a random hidden node with all its connections.

    Hidden nodes that were connected to this node only disappear as well.

    Parameters
    ----------
    genome : Genome
        The genome, changed in place.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    tuple of Genome
        The genome.

    Examples
    --------
    >>> genome = Genome.start(2, 1, hidden=1, rng=np.random.default_rng(1))
    >>> delete_node(genome, rng=np.random.default_rng(1))
    (Genome(2 inputs, 1 outputs, 0 hidden, 0 connections),)
    """
    _check_rng(rng)
    genes = validated_genes(genome)
    hidden = hidden_nodes(genes, sources(genome) + genome.outputs)
    if len(hidden):
        node = hidden[int(rng.random() * len(hidden))]
        genome.genes = genes[(genes[:, SOURCE] != node) & (genes[:, TARGET] != node)]
    return (genome,)


def toggle(genome: Individual, *, rng: np.random.Generator) -> tuple[Individual]:
    """Enable a random connection, or disable it unless it is the last enabled one from its source.

    Parameters
    ----------
    genome : Genome
        The genome, changed in place.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    tuple of Genome
        The genome.
    """
    _check_rng(rng)
    genes = _writable_genes(genome)
    if len(genes):
        toggle_genes(genes, rng.random())
    return (genome,)


def reenable(genome: Individual) -> tuple[Individual]:
    """Enable the oldest disabled connection.

    Parameters
    ----------
    genome : Genome
        The genome, changed in place.

    Returns
    -------
    tuple of Genome
        The genome.
    """
    reenable_genes(_writable_genes(genome))
    return (genome,)


def check(**options: Any) -> None:
    """Raise a ValueError that names an option of these operators if the option is out of its range."""
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
_AMOUNT = "a finite number, at least 0", lambda value: is_finite(value) and 0.0 <= value < WEIGHT_BOUND
_FINITE = "a finite number", lambda value: is_finite(value) and abs(value) < WEIGHT_BOUND
_COUNT = f"an integer from 1 to {MAX_TRIES}", lambda value: value == int(value) and 1 <= value <= MAX_TRIES
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


def gene_donor(first: Genome, second: Genome, inherit: str, fit_attr: str) -> int:
    """Return the parents whose disjoint and excess genes children get: FIRST, SECOND or BOTH."""
    if inherit == "both":
        return BOTH
    try:
        first_value, second_value = getattr(first, fit_attr), getattr(second, fit_attr)
        if not (first_value.valid and second_value.valid):
            return BOTH
    except (AttributeError, TypeError):
        raise TypeError(f"fit_attr must name an attribute that holds a DEAP fitness, got {fit_attr!r}") from None
    scores = getattr(first_value, "score", math.nan), getattr(second_value, "score", math.nan)
    if scores[0] == scores[0] and scores[1] == scores[1]:  # neither is nan
        first_value, second_value = scores
    return FIRST if first_value > second_value else SECOND if second_value > first_value else BOTH


def _interface_difference(first: Genome, second: Genome) -> str:
    """Return the error message for two genomes with different inputs, outputs or node kinds."""
    if first.inputs != second.inputs or first.outputs != second.outputs:
        return (
            f"genomes that mate must have the same inputs and outputs, got {first.inputs} and {first.outputs}, "
            f"{second.inputs} and {second.outputs}"
        )
    name = next(name for name in ("bias_node", *ACTIVATIONS) if getattr(first, name) != getattr(second, name))
    return f"genomes that mate must have the same {name}, got {getattr(first, name)} and {getattr(second, name)}"


def _writable_genes(genome: Genome) -> np.ndarray:
    """Return validated genes that may be changed in place."""
    genes = validated_genes(genome)
    if not genes.flags.writeable:
        raise ValueError("genes must be writable to be mutated; assign a copy of them to the genome")
    return genes


def _check_rng(rng: Any) -> None:
    """Raise a TypeError unless the argument can draw random numbers."""
    if not hasattr(rng, "random"):
        raise TypeError(f"rng must be a numpy.random.Generator, got {brief(rng)}")


def _include_genome(innovations: Innovations, genome: Genome) -> None:
    """Register a genome with the innovations if it has numbers above theirs."""
    if not isinstance(innovations, Innovations):
        raise TypeError(f"innovations must be an Innovations, got {brief(innovations)}")
    if not innovations.knows(genome):
        innovations.include([genome])


def _with_gene(genes: np.ndarray, innovation: int, source: float, target: float, weight: float) -> np.ndarray:
    """Return the genes with an added enabled gene, sorted by innovation."""
    extended = np.empty((len(genes) + 1, 5))
    if not _insert_gene(genes, extended, float(innovation), float(source), float(target), float(weight)):
        raise ValueError(
            f"innovation {innovation} is another connection in this genome, which comes from a different run than the "
            "innovations; make them with Innovations(genomes)"
        )
    return extended


@njit(cache=True)
def _insert_gene(
    genes: np.ndarray, extended: np.ndarray, innovation: float, source: float, target: float, weight: float
) -> bool:
    """Copy the genes with an enabled gene inserted in order; return whether its innovation is new."""
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
def toggle_genes(genes: np.ndarray, draw: float) -> None:
    """Enable or disable the gene at this fraction of the genes, see `toggle`."""
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
def reenable_genes(genes: np.ndarray) -> None:
    """Enable the oldest disabled gene, see `reenable`."""
    for gene in range(len(genes)):
        if genes[gene, ENABLED] == 0.0:
            genes[gene, ENABLED] = 1.0
            return


@njit(cache=True)
def perturb_genes(
    genes: np.ndarray,
    draws: np.ndarray,
    power: float,
    limit: float,
    severe: float,
    perturb: float,
    replace: float,
    tail: float,
    tail_perturb: float,
    tail_replace: float,
) -> None:
    """Change the weights of genes in place, see `mutate_weights`."""
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
def cross_genes(
    first: np.ndarray,
    second: np.ndarray,
    donor: int,
    average: float,
    disable: float,
    draws: np.ndarray,
    first_child: np.ndarray,
    second_child: np.ndarray,
) -> int:
    """Fill the genes of two children and return their number; -1 if an innovation is two different connections."""
    averaged = draws[0] < average
    # disjoint and excess connections as integers, to omit a second connection between the same nodes
    first_links, second_links = np.empty(len(first), np.int64), np.empty(len(second), np.int64)
    i = j = count = matching = first_count = second_count = 0
    while i < len(first) or j < len(second):
        first_number = first[i, INNOVATION] if i < len(first) else np.inf
        second_number = second[j, INNOVATION] if j < len(second) else np.inf
        if first_number == second_number:
            if first[i, SOURCE] != second[j, SOURCE] or first[i, TARGET] != second[j, TARGET]:
                return -1
            swap = draws[1 + 3 * matching] < 0.5
            for column in range(5):
                first_child[count, column] = second[j, column] if swap else first[i, column]
                second_child[count, column] = first[i, column] if swap else second[j, column]
            if averaged:
                first_child[count, WEIGHT] = second_child[count, WEIGHT] = (first[i, WEIGHT] + second[j, WEIGHT]) / 2.0
                first_child[count, ENABLED] = second_child[count, ENABLED] = 1.0
            if first[i, ENABLED] * second[j, ENABLED] == 0.0:
                if draws[2 + 3 * matching] < disable:
                    first_child[count, ENABLED] = 0.0
                if draws[3 + 3 * matching] < disable:
                    second_child[count, ENABLED] = 0.0
            matching += 1
            i += 1
            j += 1
            count += 1
        elif first_number < second_number:
            link = int(first[i, SOURCE]) << 32 | int(first[i, TARGET])
            if donor != SECOND and not _contains(link, second_links, second_count):
                first_links[first_count] = link
                first_count += 1
                for column in range(5):
                    first_child[count, column] = second_child[count, column] = first[i, column]
                count += 1
            i += 1
        else:
            link = int(second[j, SOURCE]) << 32 | int(second[j, TARGET])
            if donor != FIRST and not _contains(link, first_links, first_count):
                second_links[second_count] = link
                second_count += 1
                for column in range(5):
                    first_child[count, column] = second_child[count, column] = second[j, column]
                count += 1
            j += 1
    return count


@njit(cache=True)
def _contains(number: int, numbers: np.ndarray, count: int) -> bool:
    """Return whether a number is among the first `count` numbers."""
    present = False
    for position in range(count):
        present |= numbers[position] == number
    return present


@njit(cache=True)
def _unconnected(
    genes: np.ndarray, sources: int, outputs: int, recurrent: float, loop: float, draws: np.ndarray
) -> tuple[int, int]:
    """Return the source and the target of a new connection, or -1 and -1 if no try finds one."""
    hidden, linked, reach, _ = analyse_topology(genes, sources, outputs)
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
