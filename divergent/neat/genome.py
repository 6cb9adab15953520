"""The genome: connection genes in one array, sorted by innovation number, with a fitness."""

import copy
import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Self, TypeVar

import numpy as np

from divergent.individual import Fitness, MaximisedFitness, copy_fitness
from divergent.neat._fitness_json import fitness_to_json, read_fitness
from divergent.neat._genes import (
    ENABLED,
    INNOVATION,
    SOURCE,
    TARGET,
    WEIGHT,
    as_genes,
    check_bias,
    check_counts,
    check_genes,
    sources,
    validate_genes,
    validated_genes,
)
from divergent.neat._genome_json import VERSION, decode, read_activations, read_connections, read_hidden
from divergent.neat._topology import MAX_NODES, TOO_MANY_NODES, analyse_topology, fully_connected, hidden_nodes
from divergent.neat.activation import (
    SIGMOID,
    Activation,
    as_activation,
    as_activations,
    as_node_activations,
    draw_activation,
)
from divergent.validation import brief, check_at_least, check_generator, is_finite

ACTIVATIONS = ("hidden_activation", "output_activation")
NO_ACTIVATIONS: Mapping[int, Any] = MappingProxyType({})

_new = object.__new__
_OWN = frozenset(("_genes", "inputs", "outputs", "fitness"))


class Genome:
    """A NEAT genome: connection genes that encode a network, and the fitness of the genome.

    A node id denotes the same node in all genomes of a run. Inputs come first, then the bias node if there is one,
    outputs, and hidden nodes in order of innovation. There are no node genes: a hidden node exists if a connection gene
    refers to the node. Operators change a genome in place; the loop must invalidate its `fitness`, as in DEAP.

    Parameters
    ----------
    genes : array_like
        One row for each connection: innovation, source, target, weight, enabled (1 or 0). No innovation and no pair of
        nodes occurs twice, and no connection leads into an input or the bias.
    inputs : int
        Number of inputs.
    outputs : int
        Number of outputs.
    hidden_activation : str or Activation, default=SIGMOID
        Activation of hidden nodes, given as an `Activation` or as a function name.
    output_activation : str or Activation, default=SIGMOID
        Activation of outputs, given as an `Activation` or as a function name.
    bias_node : bool, default=False
        Whether the genome has a bias node, which follows the inputs, always outputs 1 and is not counted as an input.
    node_activations : mapping of int to Activation or str, default={}
        Activations of individual nodes by id, as in compositional pattern-producing networks (CPPNs). An activation in
        `node_activations` overrides `hidden_activation` or `output_activation`. Ids without a node are ignored.

    Attributes
    ----------
    fitness : divergent.Fitness
        Values, behaviour and score. A subclass made with DEAP's `creator.create` can specify another fitness class.

    Raises
    ------
    TypeError
        If the genes are not numbers.
    ValueError
        If the genes, the number of inputs or outputs, an activation or the bias is invalid.

    Examples
    --------
    >>> genome = Genome.start(inputs=3, outputs=2, rng=np.random.default_rng(1))
    >>> genome
    Genome(3 inputs, 2 outputs, 1 hidden, 5 connections)
    >>> genome.nodes.tolist(), genome.hidden.tolist()
    ([0, 1, 2, 3, 4, 5], [5])
    >>> Genome.from_json(genome.to_json()) == genome
    True

    Genome with a bias node and the hyperbolic tangent as the activation of hidden nodes:

    >>> genome = Genome.start(2, 1, hidden_activation="tanh", bias_node=True, rng=np.random.default_rng(1))
    >>> genome, genome.hidden_activation.function, genome.output_activation.function
    (Genome(2 inputs and a bias, 1 outputs, 1 hidden, 4 connections), 'tanh', 'sigmoid')

    Genome whose hidden nodes draw their activations from a set:

    >>> genome = Genome.start(2, 1, hidden=2, activations=("sine", "gaussian"), rng=np.random.default_rng(1))
    >>> {node: activation.function for node, activation in genome.node_activations.items()}
    {3: 'gaussian', 4: 'sine'}
    """

    fitness: Any
    hidden_activation: Activation = SIGMOID
    output_activation: Activation = SIGMOID
    bias_node: bool = False
    node_activations: Mapping[int, Activation] = NO_ACTIVATIONS
    json_attributes = frozenset((*ACTIVATIONS, "bias_node", "node_activations"))
    """Names of the attributes that `to_json` writes if they differ from the defaults."""

    def __init__(
        self,
        genes: Any,
        inputs: int,
        outputs: int,
        *,
        hidden_activation: Activation | str = SIGMOID,
        output_activation: Activation | str = SIGMOID,
        bias_node: bool = False,
        node_activations: Mapping[int, Activation | str] = NO_ACTIVATIONS,
    ):
        genes = as_genes(genes)
        if genes.size == 0:
            genes = genes.reshape(0, 5)
        check_counts(inputs, outputs)
        check_bias(bias_node)
        check_genes(genes, inputs + bias_node)
        self._genes = genes[np.argsort(genes[:, INNOVATION])]
        self.inputs = int(inputs)
        self.outputs = int(outputs)
        hidden_activation = as_activation("hidden_activation", hidden_activation)
        output_activation = as_activation("output_activation", output_activation)
        # Default values are class attributes, which keeps genomes small and copies fast.
        if hidden_activation != self.hidden_activation:
            self.hidden_activation = hidden_activation
        if output_activation != self.output_activation:
            self.output_activation = output_activation
        if bias_node != self.bias_node:
            self.bias_node = bias_node
        if node_activations is not NO_ACTIVATIONS and (
            own := as_node_activations(node_activations, inputs + bias_node)
        ):
            self.node_activations = own
        # the constructor of a class made by creator.create has set the fitness already
        if "fitness" not in self.__dict__:
            self.fitness = MaximisedFitness()

    @classmethod
    def start(
        cls,
        inputs: int,
        outputs: int,
        *,
        hidden: int = 1,
        weight_range: tuple[float, float] = (-1.0, 1.0),
        hidden_activation: Activation | str = SIGMOID,
        output_activation: Activation | str = SIGMOID,
        bias_node: bool = False,
        activations: Sequence[Activation | str] = (),
        vary_outputs: bool = False,
        rng: np.random.Generator,
    ) -> Self:
        """Create a fully connected genome with random weights.

        Parameters
        ----------
        inputs : int
            Number of inputs.
        outputs : int
            Number of outputs.
        hidden : int, default=1
            Number of hidden nodes. Each hidden node is connected to every input, the bias and every output. Initial
            genomes of the maze experiments have 1 hidden node. If `hidden` is 0, as in the original NEAT, every input
            is connected to every output.
        weight_range : tuple of float, default=(-1.0, 1.0)
            Bounds of the uniform distribution of weights.
        hidden_activation : str or Activation, default=SIGMOID
            Activation of hidden nodes, given as an `Activation` or as a function name.
        output_activation : str or Activation, default=SIGMOID
            Activation of outputs, given as an `Activation` or as a function name.
        bias_node : bool, default=False
            Whether there is a bias node, connected like an input.
        activations : sequence of Activation or str, default=()
            Set from which each hidden node draws its activation. If the set is empty, all hidden nodes have
            `hidden_activation`.
        vary_outputs : bool, default=False
            Whether outputs also draw their activations from `activations`.
        rng : numpy.random.Generator
            Source of random numbers.

        Returns
        -------
        Genome
            The genome.

        Raises
        ------
        ValueError
            If a number of nodes or a bound of the weights is invalid, or there are more than 5000 nodes.
        """
        check_counts(inputs, outputs)
        check_at_least(0, hidden=hidden)
        check_bias(bias_node)
        low, high = _read_range(weight_range)
        sources = inputs + bias_node
        if sources + outputs + hidden > MAX_NODES:
            raise ValueError(f"the total number of nodes must be at most {MAX_NODES}, got {sources + outputs + hidden}")
        check_generator(rng)
        kinds = as_activations("activations", activations)
        if not isinstance(vary_outputs, bool):
            raise ValueError(f"vary_outputs must be True or False, got {brief(vary_outputs)}")
        genes = fully_connected(sources, outputs, hidden).copy()
        genes[:, WEIGHT] = rng.uniform(low, high, len(genes))
        # Only values that differ from the defaults are passed, because a custom subclass may lack these parameters.
        kind: dict[str, Any] = dict(zip(ACTIVATIONS, (hidden_activation, output_activation), strict=True))
        kind["bias_node"] = bias_node
        if kinds:
            nodes = range(sources + (0 if vary_outputs else outputs), sources + outputs + hidden)
            kind["node_activations"] = {
                node: draw_activation(kinds, draw) for node, draw in zip(nodes, rng.random(len(nodes)), strict=True)
            }
        return cls(
            genes, inputs, outputs, **{name: value for name, value in kind.items() if value != getattr(cls, name)}
        )

    @property
    def genes(self) -> np.ndarray:
        """Connection genes, a sorted C-contiguous float array of shape (n, 5); assigned arrays are validated."""
        return self._genes

    @genes.setter
    def genes(self, genes: Any) -> None:
        self._genes = validate_genes(as_genes(genes), sources(self))

    def copy(self) -> Self:
        """Copy the genome and its fitness, faster than `copy.deepcopy`.

        Returns
        -------
        Genome
            An independent genome of the same class.
        """
        duplicate = self.with_genes(self._genes.copy())
        duplicate.fitness = copy_fitness(self.fitness)
        return duplicate

    def with_genes(self, genes: np.ndarray) -> Self:
        """Create a genome with the given genes, an invalid fitness and copies of all other attributes of this genome.

        Parameters
        ----------
        genes : numpy.ndarray
            Genes of the new genome, which are neither validated nor copied.

        Returns
        -------
        Genome
            A genome of the same class with an invalid fitness.

        Raises
        ------
        TypeError
            If the fitness of this genome is not a DEAP fitness.
        """
        other = _new(self.__class__)
        other._genes = genes
        other.inputs = self.inputs
        other.outputs = self.outputs
        fitness = self.fitness
        if getattr(fitness.__class__, "__deepcopy__", None) is Fitness.__deepcopy__:
            other.fitness = _new(fitness.__class__)
            other.fitness.wvalues = ()
        else:
            if not hasattr(fitness, "wvalues"):
                raise TypeError(f"fitness of a genome must be a DEAP fitness, got {brief(fitness)}")
            other.fitness = copy.deepcopy(fitness)
            del other.fitness.values
        if len(self.__dict__) > len(_OWN):
            for name in self.__dict__.keys() - _OWN:
                value = getattr(self, name)
                setattr(other, name, dict(value) if name == "node_activations" else copy.deepcopy(value))
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict) -> Self:
        duplicate = memo[id(self)] = self.copy()
        return duplicate

    @property
    def hidden(self) -> np.ndarray:
        """Ids of the hidden nodes, in ascending order."""
        return hidden_nodes(validated_genes(self), sources(self) + self.outputs)

    @property
    def nodes(self) -> np.ndarray:
        """Ids of all nodes, in the order inputs, bias, outputs and hidden nodes."""
        hidden = self.hidden
        visible = sources(self) + self.outputs
        if visible > MAX_NODES:
            raise ValueError(TOO_MANY_NODES)
        return np.concatenate((np.arange(visible), hidden))

    @property
    def recurrent(self) -> np.ndarray:
        """Whether each connection closes a cycle.

        Connections are read in the order of innovation. A connection is recurrent if earlier non-recurrent connections,
        enabled or disabled, lead from its target to its source. Non-recurrent connections form an acyclic graph.
        """
        return analyse_topology(validated_genes(self), sources(self), self.outputs)[3]

    def __len__(self) -> int:
        return len(self.genes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Genome):
            return NotImplemented
        return (
            same_interface(self, other)
            and np.array_equal(self.genes, other.genes)
            and own_activations(self) == own_activations(other)
        )

    # Genomes are mutable and therefore not hashable.
    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        disabled = len(self.genes) - np.count_nonzero(self.genes[:, ENABLED])
        return (
            f"{type(self).__name__}({self.inputs} inputs{' and a bias' if self.bias_node else ''}, "
            f"{self.outputs} outputs, {len(self.hidden)} hidden, "
            f"{len(self.genes)} connections{f', {disabled} disabled' if disabled else ''})"
        )

    def to_json(self, *, fitness: bool = False) -> str:
        """Write the structure and the weights as JSON text that `from_json` converts back exactly.

        Activations, including those of individual nodes, and the bias are written if they differ from the defaults.

        Parameters
        ----------
        fitness : bool, default=False
            Whether to write the values, the behaviour and the score of an evaluated genome as well.

        Returns
        -------
        str
            The JSON text.

        See Also
        --------
        Genome.from_json : Read the text.

        Examples
        --------
        >>> from divergent import Outcome
        >>> genome = Genome([], inputs=1, outputs=1)
        >>> genome.fitness.values = Outcome((3.0,), behaviour=(0.5,))
        >>> copy = Genome.from_json(genome.to_json(fitness=True))
        >>> copy.fitness.values, copy.fitness.behaviour.tolist(), Genome.from_json(genome.to_json()).fitness.valid
        ((3.0,), [0.5], False)
        """
        connections = [
            [int(innovation), int(source), int(target), weight, bool(enabled)]
            for innovation, source, target, weight, enabled in validated_genes(self).tolist()
        ]
        data: dict[str, Any] = {
            "version": VERSION,
            "inputs": self.inputs,
            "outputs": self.outputs,
            "hidden": self.hidden.tolist(),
            "connections": connections,
        }
        for name in ACTIVATIONS:
            activation = as_activation(name, getattr(self, name))
            if activation != SIGMOID:
                data[name] = activation.to_json()
        if self.bias_node:
            data["bias_node"] = True
        if self.node_activations:
            data["node_activations"] = [[node, kind.to_json()] for node, kind in own_activations(self).items()]
        if fitness and self.fitness.valid:
            data["fitness"] = fitness_to_json(self.fitness)
        return json.dumps(data)

    @classmethod
    def from_json(cls, text: str | bytes | Mapping[str, Any]) -> Self:
        """Read a genome from the JSON text of `to_json`.

        Parameters
        ----------
        text : str, bytes or mapping
            JSON text, or the decoded JSON object.

        Returns
        -------
        Genome
            The genome.

        Raises
        ------
        ValueError
            If the text is not JSON, or an entry is missing or invalid.

        See Also
        --------
        Genome.to_json : Write the text.
        """
        data = decode(text)
        check_counts(data["inputs"], data["outputs"])
        bias = data.get("bias_node", False)
        check_bias(bias)
        visible = data["inputs"] + bias + data["outputs"]
        hidden = read_hidden(data["hidden"], visible)
        connections = read_connections(data["connections"], visible, hidden)
        kind: dict[str, Any] = {name: Activation.from_json(data[name]) for name in ACTIVATIONS if name in data}
        if bias:
            kind["bias_node"] = True
        if "node_activations" in data:
            kind["node_activations"] = read_activations(data["node_activations"], data["inputs"] + bias)
        genome = cls(connections, data["inputs"], data["outputs"], **kind)
        if "fitness" in data:
            read_fitness(data["fitness"], genome.fitness)
        return genome

    def to_networkx(self) -> Any:
        """Convert the genome to a NetworkX graph.

        Returns
        -------
        networkx.DiGraph
            Nodes have a `kind` (input, bias, output, hidden); outputs and hidden nodes also have an `activation`.
            Connections have `innovation`, `weight`, `enabled` and `recurrent`.
        """
        import networkx as nx

        kinds, first = self.recurrent, sources(self)
        graph = nx.DiGraph(inputs=self.inputs, outputs=self.outputs)
        graph.add_nodes_from(range(self.inputs), kind="input")
        graph.add_nodes_from(range(self.inputs, first), kind="bias")
        outputs = range(first, first + self.outputs)
        graph.add_nodes_from(outputs, kind="output", activation=str(self.output_activation))
        graph.add_nodes_from(self.hidden.tolist(), kind="hidden", activation=str(self.hidden_activation))
        for node, activation in own_activations(self).items():
            graph.nodes[node]["activation"] = str(activation)
        for gene, recurrent in zip(self.genes.tolist(), kinds.tolist(), strict=True):
            graph.add_edge(
                int(gene[SOURCE]),
                int(gene[TARGET]),
                innovation=int(gene[INNOVATION]),
                weight=gene[WEIGHT],
                enabled=bool(gene[ENABLED]),
                recurrent=recurrent,
            )
        return graph


Individual = TypeVar("Individual", bound=Genome)


def own_activations(genome: Genome) -> dict[int, Activation]:
    """Return the `node_activations` of the nodes that are in the genome, in ascending order of node id."""
    own = genome.node_activations
    if not own:
        return {}
    first = sources(genome)
    return {node: own[node] for node in (*range(first, first + genome.outputs), *genome.hidden.tolist()) if node in own}


def same_interface(first: Genome, second: Genome) -> bool:
    """Return whether two genomes have the same inputs, outputs, bias and activations."""
    try:  # Tuples are compared because tuple comparison skips __eq__ for identical objects.
        interface = first.inputs, first.outputs, first.bias_node, first.hidden_activation, first.output_activation
        return interface == (
            second.inputs, second.outputs, second.bias_node, second.hidden_activation, second.output_activation
        )  # fmt: skip
    except AttributeError:
        raise TypeError(
            f"genomes must be instances of divergent.neat.Genome, got {brief(first)} and {brief(second)}"
        ) from None


def _read_range(weight_range: Any) -> tuple[float, float]:
    """Return the bounds of the initial weights as floats."""
    try:
        low, high = weight_range
        good = is_finite(low) and is_finite(high) and low <= high and is_finite(high - low)
    except (TypeError, ValueError):
        good = False
    if not good:
        raise ValueError(
            f"weight_range must be two finite numbers (lower bound, upper bound), got {brief(weight_range)}"
        )
    return float(low), float(high)
