"""Crossover and mutation of genomes as DEAP operators, which change genomes in place and return tuples.

Every rate is a keyword argument whose default is the value in the maze experiments. Every operator draws from its
argument `rng`. `neat.register` registers all operators; each operator can also be registered separately.
"""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from divergent.neat._gene_kernels import BOTH, FIRST, SECOND, cross_genes, perturb_genes, reenable_genes, toggle_genes
from divergent.neat._options import INHERIT, WEIGHT_BOUND, check, check_rng, writable_genes
from divergent.neat._topology import analyse_topology, hidden_nodes
from divergent.neat.activation import NO_SET, Activation, as_activations, draw_activation
from divergent.neat.genome import ACTIVATIONS, Genome, Individual, same_interface, sources, validated_genes
from divergent.neat.innovation import Innovations
from divergent.neat.structure import add_connection, add_node, delete_connection, delete_node

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

    The first child inherits each matching gene from a random parent, the second child from the other parent (multipoint
    crossover). With probability `average`, both children instead get the mean weight of each matching gene. Both
    children inherit the disjoint and excess genes of the parents that `inherit` specifies. If both parents have a gene
    for the same connection, but with different innovation numbers, the children inherit only the older gene.

    Parameters
    ----------
    first : divergent.neat.Genome
        The first parent, which becomes the first child.
    second : divergent.neat.Genome
        The second parent, which becomes the second child. Both parents must have the same inputs, outputs, bias and
        activations.
    average : float, default=0.4
        Probability that a crossover averages the weights of matching genes.
    disable : float, default=0.75
        Probability, for each child, that a matching gene is disabled if it is disabled in either parent. If a
        random draw does not disable a matching gene, the gene has the enabled flag of the parent from which it is
        inherited. If a random draw does not disable a gene with an averaged weight, the gene is enabled.
    inherit : {"both", "fitter"}, default="both"
        Source of disjoint and excess genes: both parents, or only the fitter parent. The fitter parent has the larger
        score if both parents have a score, otherwise the better fitness. If the parents tie, or if a parent is not
        evaluated, both parents contribute.
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
        If an argument is not a genome or a generator, or if `inherit` is "fitter" and `fit_attr` does not name a
        fitness.
    ValueError
        If an option is out of range, or the genomes do not match.

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
    check_rng(rng)
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
    if feed_forward:  # both children have the same connections and therefore the same cycles
        acyclic = ~analyse_topology(first_child, sources(first), first.outputs)[3]
        first_child, second_child = first_child[acyclic], second_child[acyclic]
    if first.node_activations or second.node_activations:
        _cross_activations(first, second, first_child, rng)
    # the genes of the children are valid because the genes of the parents are valid
    first._genes, second._genes = first_child, second_child
    return first, second


def _cross_activations(first: Genome, second: Genome, genes: np.ndarray, rng: np.random.Generator) -> None:
    """Cross the `node_activations` of two genomes in place, so that the two parents become the children.

    `genes` are the genes of one child; the children have the same nodes, because they have the same connections.
    If both parents have a node, each child inherits the node's activation from a different parent. If only one parent
    has a node, both children inherit the node's activation from that parent.
    """
    visible = sources(first) + first.outputs
    outputs = range(sources(first), visible)
    nodes = [*outputs, *hidden_nodes(genes, visible).tolist()]
    parents = [{*outputs, *hidden_nodes(parent.genes, visible).tolist()} for parent in (first, second)]
    own = first.node_activations, second.node_activations
    children: tuple[dict[int, Activation], dict[int, Activation]] = {}, {}
    for node, draw in zip(nodes, rng.random(len(nodes)).tolist(), strict=True):
        source = [parent for parent in (0, 1) if node in parents[parent]]
        if len(source) == 2 and draw < 0.5:
            source.reverse()
        for child, parent in zip(children, (source[0], source[-1]), strict=True):
            if node in own[parent]:
                child[node] = own[parent][node]
    first.node_activations, second.node_activations = children


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
    activations: Sequence[Activation | str] = NO_SET,
    activation_rate: float = 0.1,
    vary_outputs: bool = False,
    rng: np.random.Generator,
) -> tuple[Individual]:
    """Mutate either the structure of a genome, or its weights, enabled connections and activations.

    At most one structural mutation is applied: the addition of a node or a connection, or the deletion of a node or a
    connection. By default, nothing is deleted. A structural mutation leaves the genome unchanged if it finds no valid
    connection or pair of nodes.

    Parameters
    ----------
    genome : divergent.neat.Genome
        The genome, changed in place.
    innovations : divergent.neat.Innovations
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
        Half the width of the uniform distribution of weight changes.
    limit : float, default=3.0
        Largest absolute weight.
    severe : float, default=0.5
        Probability that a weight mutation is severe, see `mutate_weights`.
    perturb : float, default=0.7
        Probability that a severe mutation perturbs a weight.
    replace : float, default=0.2
        Probability that a severe mutation replaces a weight.
    out_weight : float, default=0.3
        Weight of the connection out of a new node, as a multiple of the weight of the split connection.
    bias : int or None, default=0
        Input whose connections `add_node` never splits; None permits splits of all connections.
    recurrent : float, default=0.2
        Probability that a new connection must be recurrent, see `Genome.recurrent`; otherwise it must not be recurrent.
    loop : float, default=0.5
        Probability that a recurrent connection must join a node to itself.
    feed_forward : bool, default=False
        Whether added connections must not close a cycle; overrides `recurrent`.
    activations : sequence of Activation or str, default=()
        Set from which new nodes and `mutate_activation` draw. If the set is empty, activations do not change.
    activation_rate : float, default=0.1
        Probability of `mutate_activation`, if the structure does not change and `activations` is not empty.
    vary_outputs : bool, default=False
        Whether `mutate_activation` may change the activation of an output as well.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    tuple of Genome
        The mutated genome.

    See Also
    --------
    mate : Crossover.
    """
    options = (
        node_rate, connection_rate, weight_rate, toggle_rate, reenable_rate, delete_node_rate, delete_connection_rate,
        activation_rate, feed_forward, vary_outputs,
    )  # fmt: skip
    try:
        _check_mutation(*options)
    except TypeError:
        # The cache of `_check_mutation` raises a TypeError without the name of the option if an option is unhashable.
        # The check without the cache raises an error that names the invalid option.
        _check_mutation.__wrapped__(*options)
    if activations is not NO_SET:
        activations = as_activations("activations", activations)
    check_rng(rng)
    draws = rng.random(5).tolist()
    if draws[0] < node_rate:
        return add_node(
            genome, innovations=innovations, out_weight=out_weight, bias=bias, activations=activations, rng=rng
        )
    if draws[1] < connection_rate:
        recurrent = 0.0 if feed_forward else recurrent
        return add_connection(genome, innovations=innovations, recurrent=recurrent, loop=loop, rng=rng)
    # If a deletion rate is 0, no random number is drawn, so that the rate does not change the random stream.
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
    if activations and rng.random() < activation_rate:
        mutate_activation(genome, activations=activations, vary_outputs=vary_outputs, rng=rng)
    return (genome,)


@lru_cache(maxsize=64, typed=True)
def _check_mutation(
    node_rate: float,
    connection_rate: float,
    weight_rate: float,
    toggle_rate: float,
    reenable_rate: float,
    delete_node_rate: float,
    delete_connection_rate: float,
    activation_rate: float,
    feed_forward: bool,
    vary_outputs: bool,
) -> None:
    """Raise an error if an option of `mutate` is invalid; cached because options rarely change between calls."""
    check(
        node_rate=node_rate,
        connection_rate=connection_rate,
        weight_rate=weight_rate,
        toggle_rate=toggle_rate,
        reenable_rate=reenable_rate,
        delete_node_rate=delete_node_rate,
        delete_connection_rate=delete_connection_rate,
        activation_rate=activation_rate,
        feed_forward=feed_forward,
        vary_outputs=vary_outputs,
    )


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
    """Perturb or replace connection weights at random, with draws from a uniform distribution.

    Parameters
    ----------
    genome : divergent.neat.Genome
        The genome, changed in place.
    power : float, default=0.8
        Half the width of the uniform distribution.
    limit : float, default=3.0
        Largest absolute weight.
    severe : float, default=0.5
        Probability of a severe mutation, in which `perturb` and `replace` apply to each weight. A mutation that is not
        severe perturbs the weights of all genes except the newest genes (see `tail`).
    perturb : float, default=0.7
        Probability that a severe mutation perturbs a weight.
    replace : float, default=0.2
        Probability that a severe mutation replaces a weight.
    tail : float, default=0.8
        Position at which the newest genes begin, as a fraction of the genes sorted by innovation number. A genome with
        fewer than 10 genes has no newest genes, so that `tail` has no effect.
    tail_perturb : float, default=0.5
        Probability that the weight of a newest gene is perturbed if the mutation is not severe.
    tail_replace : float, default=0.2
        Probability that the weight of a newest gene is replaced if the mutation is not severe.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    tuple of Genome
        The mutated genome.
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
    check_rng(rng)
    genes = writable_genes(genome)
    draws = rng.random(1 + 2 * len(genes))
    options = map(float, (power, limit, severe, perturb, replace, tail, tail_perturb, tail_replace))
    perturb_genes(genes, draws, *options)
    return (genome,)


def mutate_activation(
    genome: Individual,
    *,
    activations: Sequence[Activation | str],
    vary_outputs: bool = False,
    rng: np.random.Generator,
) -> tuple[Individual]:
    """Change the activation of a random hidden node to another activation of a set.

    Parameters
    ----------
    genome : divergent.neat.Genome
        The genome, changed in place.
    activations : sequence of Activation or str
        Set of activations to draw from.
    vary_outputs : bool, default=False
        Whether the activation of an output may change as well.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    tuple of Genome
        The genome, unchanged if it has no hidden node or the set has no other activation.

    References
    ----------
    K. O. Stanley, "Compositional pattern producing networks: a novel abstraction of development", Genetic Programming
    and Evolvable Machines 8(2), 2007.

    Examples
    --------
    >>> genome = Genome.start(2, 1, hidden=1, activations=("sine",), rng=np.random.default_rng(1))
    >>> (genome,) = mutate_activation(genome, activations=("sine", "gaussian"), rng=np.random.default_rng(1))
    >>> genome.node_activations[3].function
    'gaussian'
    """
    check_rng(rng)
    check(vary_outputs=vary_outputs)
    kinds = as_activations("activations", activations)
    first = sources(genome)
    outputs = range(first, first + genome.outputs)
    nodes = [*(outputs if vary_outputs else ()), *genome.hidden.tolist()]
    if not nodes:
        return (genome,)
    node_draw, kind_draw = rng.random(2).tolist()
    node = nodes[int(node_draw * len(nodes))]
    default = genome.output_activation if node in outputs else genome.hidden_activation
    now = genome.node_activations.get(node, default)
    others = [kind for kind in kinds if kind != now]
    if others:
        genome.node_activations = {**genome.node_activations, node: draw_activation(others, kind_draw)}
    return (genome,)


def toggle(genome: Individual, *, rng: np.random.Generator) -> tuple[Individual]:
    """Enable or disable a random connection; the last enabled connection from a node is never disabled.

    Parameters
    ----------
    genome : divergent.neat.Genome
        The genome, changed in place.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    tuple of Genome
        The mutated genome.
    """
    check_rng(rng)
    genes = writable_genes(genome)
    if len(genes):
        toggle_genes(genes, rng.random())
    return (genome,)


def reenable(genome: Individual) -> tuple[Individual]:
    """Enable the oldest disabled connection.

    Parameters
    ----------
    genome : divergent.neat.Genome
        The genome, changed in place.

    Returns
    -------
    tuple of Genome
        The mutated genome.
    """
    reenable_genes(writable_genes(genome))
    return (genome,)


def gene_donor(first: Genome, second: Genome, inherit: str, fit_attr: str) -> int:
    """Return FIRST, SECOND or BOTH: the parents that pass on disjoint and excess genes."""
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
    """Return the error message for two genomes with different inputs, outputs, bias or activations."""
    if first.inputs != second.inputs or first.outputs != second.outputs:
        return (
            f"genomes that mate must have the same inputs and outputs, got {first.inputs} inputs and "
            f"{first.outputs} outputs, {second.inputs} inputs and {second.outputs} outputs"
        )
    name = next(name for name in ("bias_node", *ACTIVATIONS) if getattr(first, name) != getattr(second, name))
    return f"genomes that mate must have the same {name}, got {getattr(first, name)} and {getattr(second, name)}"
