"""The genome: connection genes in one array, sorted by innovation number, with a fitness."""

import copy
import json
import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Self

import numpy as np

from divergent._compile import njit
from divergent.individual import Fitness, MaximisedFitness, Outcome
from divergent.neat.activation import SIGMOID, Activation, as_activation
from divergent.validation import FLOAT, LARGEST, brief, check_at_least, check_generator, is_finite

INNOVATION, SOURCE, TARGET, WEIGHT, ENABLED = range(5)

VERSION = 1
"""Version of the JSON format; other versions are rejected."""

MAX_NODES = 5000
"""Nodes of a network, including inputs: the weights of all pairs take 200 MB."""

TOO_MANY_NODES = f"a network must have at most {MAX_NODES} nodes, including inputs"

ACTIVATIONS = ("hidden_activation", "output_activation")

_new = object.__new__
_OWN = frozenset(("_genes", "inputs", "outputs", "fitness"))


class Genome:
    """A genome: the connection genes of a network, and its fitness.

    Node ids are shared by a population: inputs first, then the bias node if there is one, then outputs, then hidden
    nodes in the order of their innovation. A hidden node exists through its connections; there are no node genes.
    Operators change a genome in place and leave its `fitness` to the loop, as in DEAP.

    Parameters
    ----------
    genes : array_like
        One row for each connection: innovation, source, target, weight, enabled (1 or 0). No innovation and no pair of
        nodes occurs twice, and no connection leads into an input or the bias.
    inputs : int
        Number of inputs.
    outputs : int
        Number of outputs.
    hidden_activation : Activation or str, default=SIGMOID
        Activation of hidden nodes, or the name of its function.
    output_activation : Activation or str, default=SIGMOID
        Activation of outputs, or the name of its function.
    bias_node : bool, default=False
        Whether a node that always outputs 1 follows the inputs; it is not counted as an input.

    Attributes
    ----------
    fitness : Fitness
        Fitness values, behaviour and score. A class made with `creator.create` has the fitness of that class.

    Raises
    ------
    TypeError
        If the genes are not numbers.
    ValueError
        If the genes, a count, an activation or the bias is invalid.

    Examples
    --------
    >>> genome = Genome.start(inputs=3, outputs=2, rng=np.random.default_rng(1))
    >>> genome
    Genome(3 inputs, 2 outputs, 1 hidden, 5 connections)
    >>> genome.nodes.tolist(), genome.hidden.tolist()
    ([0, 1, 2, 3, 4, 5], [5])
    >>> Genome.from_json(genome.to_json()) == genome
    True

    Other activations, and a bias node:

    >>> genome = Genome.start(2, 1, hidden_activation="tanh", bias_node=True, rng=np.random.default_rng(1))
    >>> genome, genome.hidden_activation.function, genome.output_activation.function
    (Genome(2 inputs and a bias, 1 outputs, 1 hidden, 4 connections), 'tanh', 'sigmoid')
    """

    fitness: Any
    hidden_activation: Activation = SIGMOID
    output_activation: Activation = SIGMOID
    bias_node: bool = False

    def __init__(
        self,
        genes: Any,
        inputs: int,
        outputs: int,
        *,
        hidden_activation: Activation | str = SIGMOID,
        output_activation: Activation | str = SIGMOID,
        bias_node: bool = False,
    ):
        genes = _as_genes(genes)
        if genes.size == 0:
            genes = genes.reshape(0, 5)
        _check_counts(inputs, outputs)
        _check_bias(bias_node)
        _check_genes(genes, inputs + bias_node)
        self._genes = genes[np.argsort(genes[:, INNOVATION])]
        self.inputs = int(inputs)
        self.outputs = int(outputs)
        hidden_activation = as_activation("hidden_activation", hidden_activation)
        output_activation = as_activation("output_activation", output_activation)
        # defaults are class attributes, which keeps instances small and copies fast
        if hidden_activation != self.hidden_activation:
            self.hidden_activation = hidden_activation
        if output_activation != self.output_activation:
            self.output_activation = output_activation
        if bias_node != self.bias_node:
            self.bias_node = bias_node
        if "fitness" not in self.__dict__:  # classes made by creator.create set it first
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
            Number of hidden nodes. Each is connected to every input, the bias and every output; 1 is the start of the
            maze experiments. With 0, NEAT's default start, every input is connected to every output.
        weight_range : tuple of float, default=(-1.0, 1.0)
            Bounds of the uniform distribution of weights.
        hidden_activation : Activation or str, default=SIGMOID
            Activation of hidden nodes, or the name of its function.
        output_activation : Activation or str, default=SIGMOID
            Activation of outputs, or the name of its function.
        bias_node : bool, default=False
            Whether there is a bias node, connected like an input.
        rng : numpy.random.Generator
            Source of random numbers.

        Returns
        -------
        Genome
            The genome.

        Raises
        ------
        ValueError
            If a count or a bound is invalid, or there are more than 5000 nodes.
        """
        _check_counts(inputs, outputs)
        check_at_least(0, hidden=hidden)
        _check_bias(bias_node)
        low, high = _read_range(weight_range)
        sources = inputs + bias_node
        if sources + outputs + hidden > MAX_NODES:
            raise ValueError(f"a genome must start with at most {MAX_NODES} nodes, got {sources + outputs + hidden}")
        check_generator(rng)
        genes = _fully_connected(sources, outputs, hidden).copy()
        genes[:, WEIGHT] = rng.uniform(low, high, len(genes))
        # a custom subclass may lack these parameters: pass only what differs from the defaults
        kind: dict[str, Any] = dict(zip(ACTIVATIONS, (hidden_activation, output_activation), strict=True))
        kind["bias_node"] = bias_node
        return cls(
            genes, inputs, outputs, **{name: value for name, value in kind.items() if value != getattr(cls, name)}
        )

    @property
    def genes(self) -> np.ndarray:
        """Connection genes, a sorted C-contiguous float array of shape (n, 5); assigned arrays are validated."""
        return self._genes

    @genes.setter
    def genes(self, genes: Any) -> None:
        self._genes = _validate_genes(_as_genes(genes), sources(self))

    def copy(self) -> Self:
        """Copy the genome with its fitness, as DEAP's clone does but faster.

        Returns
        -------
        Genome
            An independent genome of the same class.
        """
        duplicate = self.with_genes(self._genes.copy())
        fitness = self.fitness
        if getattr(fitness.__class__, "__deepcopy__", None) is Fitness.__deepcopy__:
            duplicate.fitness.wvalues = fitness.wvalues
            duplicate.fitness.behaviour = fitness.behaviour
            duplicate.fitness.score = fitness.score
        else:
            duplicate.fitness = copy.deepcopy(fitness)
        return duplicate

    def with_genes(self, genes: np.ndarray) -> Self:
        """Create a genome with other genes and all other attributes of this one.

        Parameters
        ----------
        genes : numpy.ndarray
            The genes, not validated and not copied.

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
                raise TypeError(f"a genome's fitness must be a DEAP fitness, got {brief(fitness)}")
            other.fitness = copy.deepcopy(fitness)
            del other.fitness.values
        if len(self.__dict__) > len(_OWN):
            for name in self.__dict__.keys() - _OWN:
                setattr(other, name, copy.deepcopy(getattr(self, name)))
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict) -> Self:
        duplicate = memo[id(self)] = self.copy()
        return duplicate

    @property
    def hidden(self) -> np.ndarray:
        """Ids of the hidden nodes, ascending."""
        return hidden_nodes(validated_genes(self), sources(self) + self.outputs)

    @property
    def nodes(self) -> np.ndarray:
        """Ids of all nodes: inputs, bias, outputs, hidden."""
        hidden = self.hidden
        visible = sources(self) + self.outputs
        if visible > MAX_NODES:
            raise ValueError(TOO_MANY_NODES)
        return np.concatenate((np.arange(visible), hidden))

    @property
    def recurrent(self) -> np.ndarray:
        """Whether each connection closes a cycle.

        Connections are read in the order of innovation. A connection is recurrent if its target already reaches its
        source over earlier connections that are not recurrent, enabled or not. All others form an acyclic graph.
        """
        return analyse_topology(validated_genes(self), sources(self), self.outputs)[3]

    def __len__(self) -> int:
        return len(self.genes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Genome):
            return NotImplemented
        return same_interface(self, other) and np.array_equal(self.genes, other.genes)

    __hash__ = None  # type: ignore[assignment]  # a genome changes in place

    def __repr__(self) -> str:
        disabled = len(self.genes) - np.count_nonzero(self.genes[:, ENABLED])
        return (
            f"{type(self).__name__}({self.inputs} inputs{' and a bias' if self.bias_node else ''}, "
            f"{self.outputs} outputs, {len(self.hidden)} hidden, "
            f"{len(self.genes)} connections{f', {disabled} disabled' if disabled else ''})"
        )

    def to_json(self, *, fitness: bool = False) -> str:
        """Write the structure and the weights as JSON text that `from_json` reads back exactly.

        Activations and the bias are written if they differ from the defaults.

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
        >>> genome = Genome([], inputs=1, outputs=1)
        >>> genome.fitness.values = Outcome((3.0,), behaviour=(0.5, 1.0))
        >>> copy = Genome.from_json(genome.to_json(fitness=True))
        >>> copy.fitness.values, copy.fitness.behaviour.tolist(), Genome.from_json(genome.to_json()).fitness.valid
        ((3.0,), [0.5, 1.0], False)
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
        if fitness and self.fitness.valid:
            data["fitness"] = _fitness_to_json(self.fitness)
        return json.dumps(data)

    @classmethod
    def from_json(cls, text: str | bytes | Mapping[str, Any]) -> Self:
        """Read a genome from the JSON text of `to_json`.

        Parameters
        ----------
        text : str, bytes or mapping
            The text, or its decoded object.

        Returns
        -------
        Genome
            The genome.

        Raises
        ------
        ValueError
            If the text is not JSON, or a part of it is missing or invalid.

        See Also
        --------
        Genome.to_json : Write the text.
        """
        if isinstance(text, Mapping):
            data = text
        else:
            try:
                data = json.loads(text)
            except (ValueError, RecursionError) as error:
                raise ValueError(f"a genome must be JSON text: {error}") from None
            if not isinstance(data, dict):
                raise ValueError(f"a genome must be a JSON object, got {brief(data)}")
        for key in ("version", "inputs", "outputs", "hidden", "connections"):
            if key not in data:
                raise ValueError(f"a genome must have the key {key!r}, got only {', '.join(map(repr, data))}")
        if data["version"] != VERSION or isinstance(data["version"], bool):
            raise ValueError(f"version must be {VERSION}, got {brief(data['version'])}")
        _check_counts(data["inputs"], data["outputs"])
        bias = data.get("bias_node", False)
        _check_bias(bias)
        visible = data["inputs"] + bias + data["outputs"]
        hidden = _read_hidden(data["hidden"], visible)
        connections = _read_connections(data["connections"], visible, hidden)
        kind: dict[str, Any] = {name: Activation.from_json(data[name]) for name in ACTIVATIONS if name in data}
        if bias:
            kind["bias_node"] = True
        genome = cls(connections, data["inputs"], data["outputs"], **kind)
        if "fitness" in data:
            _read_fitness(data["fitness"], genome.fitness)
        return genome

    def to_networkx(self):
        """Convert the genome to a graph.

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


@lru_cache(maxsize=1)  # all genomes of an initial population have the same connections
def _fully_connected(sources: int, outputs: int, hidden: int) -> np.ndarray:
    """Return the genes of a fully connected genome, with weights of 0."""
    first, second = range(sources), range(sources, sources + outputs)
    between = range(sources + outputs, sources + outputs + hidden)
    links = [(i, h) for i in first for h in between] + [(h, o) for h in between for o in second]
    if not hidden:
        links = [(i, o) for i in first for o in second]
    return np.array([(number, *link, 0.0, 1.0) for number, link in enumerate(links)], dtype=float)


def validated_genes(genome: Genome) -> np.ndarray:
    """Return the genes of a genome; raise an error if they were changed in place to what compiled code cannot read."""
    try:
        genes, inputs, outputs = genome.genes, genome.inputs, genome.outputs
        readable = genes.flags.c_contiguous and genes.dtype == FLOAT
    except AttributeError:
        raise TypeError(f"a genome must have genes, inputs and outputs, got {brief(genome)}") from None
    if not readable or isinstance(genome, type):
        raise TypeError(
            f"genes must be a C-contiguous array of floats, got {brief(genes)}; use np.ascontiguousarray(genes, float)"
        )
    if not (type(inputs) is int and type(outputs) is int and 1 <= inputs <= LARGEST and 1 <= outputs <= LARGEST):
        _check_counts(inputs, outputs)
    return _validate_genes(genes, sources(genome))


def sources(genome: Any) -> int:
    """Return the number of inputs, plus 1 for a bias node: no connection leads into these, and output ids follow."""
    bias = getattr(genome, "bias_node", False)
    if bias is False:
        return genome.inputs
    _check_bias(bias)
    return genome.inputs + 1


def same_interface(first: Genome, second: Genome) -> bool:
    """Return whether two genomes have the same inputs, outputs, bias and activations."""
    try:  # tuples compare identical objects without calling their __eq__
        interface = first.inputs, first.outputs, first.bias_node, first.hidden_activation, first.output_activation
        return interface == (
            second.inputs, second.outputs, second.bias_node, second.hidden_activation, second.output_activation
        )  # fmt: skip
    except AttributeError:
        raise TypeError(f"genomes must be Genomes, got {brief(first)} and {brief(second)}") from None


def _validate_genes(genes, sources):
    """Return sorted and valid genes; raise an error that names the fault of others."""
    if genes.ndim != 2 or genes.shape[1] != 5 or not are_valid_genes(genes, sources):
        _check_genes(genes, sources)
        raise ValueError(f"genes must be sorted by innovation, got {brief(genes[:, INNOVATION].tolist())}")
    return genes


def _as_genes(genes):
    """Convert genes to a C-contiguous float array."""
    try:
        array = np.asarray(genes)
        if array.dtype.kind not in "biufO":
            raise TypeError
        return np.ascontiguousarray(array, dtype=float).reshape(array.shape)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(
            f"genes are rows of numbers: innovation, source, target, weight, enabled; got {brief(genes)}"
        ) from None


def _is_integer(value):
    """Return whether a value is an integer and not a truth value."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _check_counts(inputs, outputs):
    """Raise a ValueError unless the numbers of inputs and outputs are valid."""
    for name, count in (("inputs", inputs), ("outputs", outputs)):
        if not _is_integer(count) or not 1 <= count <= LARGEST:
            raise ValueError(f"{name} must be an integer, at least 1, got {brief(count)}")


def _check_bias(bias_node):
    """Raise a ValueError unless the bias is a truth value."""
    if not isinstance(bias_node, bool):
        raise ValueError(f"bias_node must be True or False, got {brief(bias_node)}")


def _read_range(weight_range):
    """Return the bounds of the initial weights as floats."""
    try:
        low, high = weight_range
        good = is_finite(low) and is_finite(high) and low <= high and is_finite(high - low)
    except (TypeError, ValueError):
        good = False
    if not good:
        raise ValueError(f"weight_range must be two finite numbers, the lower first, got {brief(weight_range)}")
    return float(low), float(high)


def _fitness_to_json(fitness):
    """Return the values of a fitness, and its behaviour and score if it has any, as JSON-serialisable data."""
    data = {"values": list(map(float, fitness.values))}
    if getattr(fitness, "behaviour", None) is not None:
        data["behaviour"] = np.asarray(fitness.behaviour, dtype=float).tolist()
    score = np.asarray(getattr(fitness, "score", math.nan), dtype=float)
    if not np.isnan(score).any():
        data["score"] = score.tolist()
    for name, numbers in data.items():
        if not np.isfinite(numbers).all():
            raise ValueError(f"the {name} of a fitness must be finite to be written as JSON, got {brief(numbers)}")
    return data


def _read_fitness(data, fitness):
    """Assign the data of `_fitness_to_json` to a fitness."""
    if not isinstance(data, Mapping) or "values" not in data:
        raise ValueError(f"fitness must be an object with values, got {brief(data)}")
    numbers = {name: _read_numbers(name, data[name]) for name in ("values", "behaviour", "score") if name in data}
    values = numbers["values"].tolist()
    if numbers["values"].ndim != 1 or len(values) != len(fitness.weights):
        raise ValueError(f"values must be one number for each of {len(fitness.weights)} weights, got {brief(values)}")
    fitness.values = Outcome(values, behaviour=numbers.get("behaviour"))
    if "score" in numbers:
        score = numbers["score"].tolist()
        fitness.score = tuple(score) if isinstance(score, list) else score


def _read_numbers(name, data):
    """Return a part of a fitness as an array of finite numbers."""
    try:
        numbers = np.array(data)
        if numbers.dtype.kind not in "if":
            raise TypeError
        numbers = numbers.astype(float)
    except (TypeError, ValueError, OverflowError):
        numbers = np.array(math.nan)
    if not np.isfinite(numbers).all():
        raise ValueError(f"the {name} of a genome's fitness must be finite numbers, got {brief(data)}")
    return numbers


def _check_genes(genes, sources):
    """Raise a ValueError that names the first fault of the genes."""
    if genes.ndim != 2 or genes.shape[1] != 5:
        raise ValueError(f"a gene is innovation, source, target, weight, enabled; got an array of shape {genes.shape}")
    links = set(zip(*genes[:, SOURCE:WEIGHT].T.tolist(), strict=True))
    if are_valid_genes(genes, sources) and len(links) == len(genes):
        return
    names = genes[:, :WEIGHT]
    wrong = np.flatnonzero(~((names >= 0) & (names <= LARGEST) & (names == np.floor(names))).all(axis=1))
    if wrong.size:
        raise ValueError(f"innovations and nodes must be integers from 0 to {LARGEST}, got {names[wrong[0]].tolist()}")
    wrong = np.flatnonzero(~np.isfinite(genes[:, WEIGHT]))
    if wrong.size:
        name, weight = genes[wrong[0], [INNOVATION, WEIGHT]].tolist()
        raise ValueError(f"connection weights must be finite, connection {int(name)} has {weight}")
    wrong = np.flatnonzero((genes[:, ENABLED] != 0) & (genes[:, ENABLED] != 1))
    if wrong.size:
        name, flag = genes[wrong[0], [INNOVATION, ENABLED]].tolist()
        raise ValueError(f"enabled must be 1 or 0, connection {int(name)} has {flag}")
    wrong = np.flatnonzero(genes[:, TARGET] < sources)
    if wrong.size:
        name, target = genes[wrong[0], [INNOVATION, TARGET]].tolist()
        raise ValueError(f"no connection may lead into an input, connection {int(name)} leads into node {int(target)}")
    values, counts = np.unique(genes[:, INNOVATION], return_counts=True)
    if (counts > 1).any():
        raise ValueError(f"an innovation may occur once, {int(values[counts > 1][0])} occurs {counts.max()} times")
    values, counts = np.unique(genes[:, SOURCE:WEIGHT], axis=0, return_counts=True)
    if (counts > 1).any():
        source, target = values[counts > 1][0].tolist()
        raise ValueError(f"two nodes may be connected once, {int(source)} to {int(target)} occurs {counts.max()} times")


def _read_hidden(hidden, visible):
    """Return the set of hidden nodes that a JSON object lists."""
    if not isinstance(hidden, list | tuple) or not all(map(_is_integer, hidden)):
        raise ValueError(f"hidden must be a list of integers, got {brief(hidden)}")
    for node in hidden:
        if not visible <= node <= LARGEST:
            raise ValueError(f"hidden nodes must be numbered from {visible} to {LARGEST}, got {brief(node)}")
    if len(set(hidden)) < len(hidden):
        raise ValueError(f"hidden must list each node once, got {brief(hidden)}")
    return set(hidden)


def _read_connections(connections, visible, hidden):
    """Return the genes that a JSON object lists."""
    if not isinstance(connections, list | tuple):
        raise ValueError(f"connections must be a list, got {brief(connections)}")
    used: set[int] = set()
    for connection in connections:
        if not isinstance(connection, list | tuple) or len(connection) != 5:
            raise ValueError(f"a connection is innovation, source, target, weight, enabled; got {brief(connection)}")
        innovation, source, target, weight, enabled = connection
        if not all(_is_integer(number) and 0 <= number <= LARGEST for number in (innovation, source, target)):
            raise ValueError(
                f"innovations and nodes must be integers from 0 to {LARGEST}, got {brief([innovation, source, target])}"
            )
        if not isinstance(weight, float) and not (_is_integer(weight) and abs(weight) <= LARGEST):
            raise ValueError(f"connection weights must be finite numbers, connection {innovation} has {brief(weight)}")
        if not isinstance(enabled, bool):
            raise ValueError(f"enabled must be true or false, connection {innovation} has {brief(enabled)}")
        for node in (source, target):
            if not 0 <= node < visible and node not in hidden:
                raise ValueError(f"connection {innovation} needs node {node}, which does not exist")
        used.update((source, target))
    if not hidden <= used:
        raise ValueError(f"every hidden node must have a connection, {min(hidden - used)} has none")
    return [[*connection[:4], float(connection[4])] for connection in connections]


@njit(cache=True)
def are_valid_genes(genes, sources):
    """Return whether genes are sorted by innovation and all their values are in range; connections may repeat."""
    last = -1.0
    for gene in range(len(genes)):
        innovation, source, target = genes[gene, INNOVATION], genes[gene, SOURCE], genes[gene, TARGET]
        enabled = genes[gene, ENABLED]
        if not (
            last < innovation <= LARGEST
            and 0 <= source <= LARGEST
            and sources <= target <= LARGEST
            and innovation == math.floor(innovation)
            and source == math.floor(source)
            and target == math.floor(target)
            and abs(genes[gene, WEIGHT]) < np.inf
            and (enabled == 0.0 or enabled == 1.0)
        ):
            return False
        last = innovation
    return True


@njit(cache=True)
def hidden_nodes(genes, visible):
    """Return the ids from `visible` on that occur in the genes, ascending."""
    nodes = np.empty(2 * len(genes), np.int64)
    count = 0
    for gene in range(len(genes)):
        for end in (SOURCE, TARGET):
            node = int(genes[gene, end])
            if node < visible:
                continue
            place = count
            while place > 0 and nodes[place - 1] >= node:
                place -= 1
            if place < count and nodes[place] == node:
                continue
            for later in range(count, place, -1):
                nodes[later] = nodes[later - 1]
            nodes[place] = node
            count += 1
    return nodes[:count]


@njit(cache=True)
def _place(node, visible, hidden):
    """Return the index of a node in the order inputs, bias, outputs, hidden."""
    if node < visible:
        return node
    low, high = 0, len(hidden)
    while low < high:
        middle = (low + high) // 2
        if hidden[middle] < node:
            low = middle + 1
        else:
            high = middle
    return visible + low


@njit(cache=True)
def analyse_topology(genes, sources, outputs):
    """Return the hidden nodes, the adjacency matrix, the reachability matrix and the recurrent connections.

    Nodes are indexed inputs, bias, outputs, hidden. Reachability ignores recurrent connections; every node reaches
    itself.
    """
    visible = sources + outputs
    hidden = hidden_nodes(genes, visible)
    size = visible + len(hidden)
    if size > MAX_NODES:
        raise ValueError(TOO_MANY_NODES)
    linked = np.zeros((size, size), np.bool_)
    reach = np.zeros((size, size), np.bool_)
    recurrent = np.zeros(len(genes), np.bool_)
    for node in range(size):
        reach[node, node] = True
    for gene in range(len(genes)):
        source = _place(int(genes[gene, SOURCE]), visible, hidden)
        target = _place(int(genes[gene, TARGET]), visible, hidden)
        linked[source, target] = True
        if reach[target, source]:
            recurrent[gene] = True
        elif not reach[source, target]:
            for before in range(size):
                if reach[before, source]:
                    for after in range(size):
                        reach[before, after] |= reach[target, after]
    return hidden, linked, reach, recurrent
