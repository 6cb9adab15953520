"""Structural mutations, which add and delete nodes and connections."""

from collections.abc import Sequence

import numpy as np

from divergent.neat._gene_kernels import find_unconnected, insert_gene
from divergent.neat._genes import ENABLED, SOURCE, TARGET
from divergent.neat._options import MAX_TRIES, WEIGHT_BOUND, check, check_rng
from divergent.neat._topology import hidden_nodes
from divergent.neat.activation import NO_SET, Activation, as_activations, draw_activation
from divergent.neat.genome import Genome, Individual, sources, validated_genes
from divergent.neat.innovation import Innovations
from divergent.validation import brief


def add_node(
    genome: Individual,
    *,
    innovations: Innovations,
    in_weight: float = 1.0,
    out_weight: float = 0.3,
    bias: int | None = 0,
    tries: int = 20,
    activations: Sequence[Activation | str] = NO_SET,
    rng: np.random.Generator,
) -> tuple[Individual]:
    """Split an enabled connection with a new node and disable the connection.

    Parameters
    ----------
    genome : divergent.neat.Genome
        The genome, changed in place.
    innovations : divergent.neat.Innovations
        Innovation numbers of the run.
    in_weight : float, default=1.0
        Weight of the connection into the new node.
    out_weight : float, default=0.3
        Weight of the connection out of the new node, as a multiple of the weight of the split connection. The original
        NEAT uses 1.
    bias : int or None, default=0
        Input whose connections are never split; None permits all splits. If the genome has a bias node, `bias` is
        ignored, and the connections of the bias node are never split.
    tries : int, default=20
        Number of random connections to try.
    activations : sequence of Activation or str, default=()
        Set from which the new node draws its activation; offspring inherit the activation with the node id. If the set
        is empty, the new node has the `hidden_activation` of the genome.
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
    check_rng(rng)
    if not (1 <= tries <= MAX_TRIES and abs(in_weight) < WEIGHT_BOUND and abs(out_weight) < WEIGHT_BOUND):
        check(tries=tries, in_weight=in_weight, out_weight=out_weight)
    kinds = as_activations("activations", activations) if activations is not NO_SET else NO_SET
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
    if kinds:
        genome.node_activations = {**genome.node_activations, node: draw_activation(kinds, rng.random())}
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
    genome : divergent.neat.Genome
        The genome, changed in place.
    innovations : divergent.neat.Innovations
        Innovation numbers of the run.
    recurrent : float, default=0.2
        Probability that the connection must be recurrent (see `Genome.recurrent`); otherwise the connection must not be
        recurrent.
    loop : float, default=0.5
        Probability that a recurrent connection must join a node to itself.
    width : float, default=1.0
        Largest absolute value of the uniformly drawn weight. If `innovations.reuse_weights` is True, a connection that
        is not recurrent starts with the same weight in all genomes of a run.
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
    check_rng(rng)
    draws = rng.random(2 + 3 * tries)
    source, target = find_unconnected(validated_genes(genome), sources(genome), genome.outputs, recurrent, loop, draws)
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

    A hidden node that loses its last connection is deleted, too.

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
    genes = validated_genes(genome)
    if len(genes):
        genome.genes = np.delete(genes, int(rng.random() * len(genes)), axis=0)
    return (genome,)


def delete_node(genome: Individual, *, rng: np.random.Generator) -> tuple[Individual]:
    """Delete a random hidden node with all its connections.

    Hidden nodes that had connections only with this node are deleted, too.

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

    Examples
    --------
    >>> genome = Genome.start(2, 1, hidden=1, rng=np.random.default_rng(1))
    >>> delete_node(genome, rng=np.random.default_rng(1))
    (Genome(2 inputs, 1 outputs, 0 hidden, 0 connections),)
    """
    check_rng(rng)
    genes = validated_genes(genome)
    hidden = hidden_nodes(genes, sources(genome) + genome.outputs)
    if len(hidden):
        node = hidden[int(rng.random() * len(hidden))]
        genome.genes = genes[(genes[:, SOURCE] != node) & (genes[:, TARGET] != node)]
    return (genome,)


def _include_genome(innovations: Innovations, genome: Genome) -> None:
    """Register a genome in `innovations` if its innovation numbers or nodes are not registered yet."""
    if not isinstance(innovations, Innovations):
        raise TypeError(f"innovations must be an Innovations object, got {brief(innovations)}")
    if not innovations.knows(genome):
        innovations.include([genome])


def _with_gene(genes: np.ndarray, innovation: int, source: float, target: float, weight: float) -> np.ndarray:
    """Return the genes with an added enabled gene, sorted by innovation."""
    extended = np.empty((len(genes) + 1, 5))
    if not insert_gene(genes, extended, float(innovation), float(source), float(target), float(weight)):
        raise ValueError(
            f"innovation number {innovation} must not occur twice in a genome, got a gene of another run with the same "
            "number; "
            "create the registry with Innovations(genomes)"
        )
    return extended
