"""The genome: connection genes in one array, sorted by innovation, with its fitness."""

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
"""Version of the JSON form; another one is refused."""

MOST_NODES = 5000
"""Nodes of a network, inputs among them: every pair has a weight, so these are 200 MB."""

TOO_MANY_NODES = f"a network has at most {MOST_NODES} nodes, inputs among them; there are more"

ACTIVATIONS = ("hidden_activation", "output_activation")

_new = object.__new__
_OWN = frozenset(("_genes", "inputs", "outputs", "fitness"))


class Genome:
    """A network's connections, and what evaluation and search say of it.

    Node ids are shared by a whole population: inputs come first, then the bias where there is one, then outputs, then
    hidden nodes in the order in which `Innovations` numbered them. A hidden node exists through its connections; there
    is no table of nodes beside the genes. Operators change a genome in place and leave its `fitness` to the loop, as
    everywhere in DEAP.

    Parameters
    ----------
    genes
        One row for each connection: innovation, source, target, weight, enabled (1 or 0). Rows are sorted by
        innovation; no innovation and no pair of nodes occurs twice, and nothing leads into an input or the bias.
    inputs, outputs
        How many there are.
    hidden_activation, output_activation
        What hidden nodes and outputs make of their sums: an `Activation`, or the name of a function.
    bias_node
        Whether there is a node that always holds 1, beside the inputs and not counted among them.

    Attributes
    ----------
    genes
        The connections, a C-contiguous float array of shape (n, 5). What is assigned is checked, and must be sorted.
    fitness
        The task's own measure, the behaviour and the search's score; a class made with `creator.create` brings its own.

    Examples
    --------
    >>> genome = Genome.start(inputs=3, outputs=2, rng=np.random.default_rng(1))
    >>> genome
    Genome(3 inputs, 2 outputs, 1 hidden, 5 connections)
    >>> genome.nodes.tolist(), genome.hidden.tolist()
    ([0, 1, 2, 3, 4, 5], [5])
    >>> Genome.from_json(genome.to_json()) == genome
    True

    Nodes of another kind, and a bias that nobody has to hand in:

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
        # what is usual the class knows, so that the many copies of usual genomes carry nothing more
        if hidden_activation != self.hidden_activation:
            self.hidden_activation = hidden_activation
        if output_activation != self.output_activation:
            self.output_activation = output_activation
        if bias_node != self.bias_node:
            self.bias_node = bias_node
        if "fitness" not in self.__dict__:  # a class made by creator.create has set its own by now
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
        """Fully connected, with weights drawn uniformly from `weight_range`.

        With `hidden` nodes every input leads to every hidden node and every hidden node to every output: one hidden
        node is the start of the maze experiments. With none every input leads to every output, NEAT's usual start. A
        bias node is connected as an input is. The other keywords are those of `Genome`.
        """
        _check_counts(inputs, outputs)
        check_at_least(0, hidden=hidden)
        _check_bias(bias_node)
        low, high = _read_range(weight_range)
        sources = inputs + bias_node
        if sources + outputs + hidden > MOST_NODES:
            raise ValueError(f"a genome starts with at most {MOST_NODES} nodes, got {sources + outputs + hidden}")
        check_generator(rng)
        genes = _fully_connected(sources, outputs, hidden).copy()
        genes[:, WEIGHT] = rng.uniform(low, high, len(genes))
        # a class of somebody's own that knows nothing of kinds makes usual genomes
        kind: dict[str, Any] = dict(zip(ACTIVATIONS, (hidden_activation, output_activation), strict=True))
        kind["bias_node"] = bias_node
        return cls(genes, inputs, outputs, **{name: one for name, one in kind.items() if one != getattr(cls, name)})

    @property
    def genes(self) -> np.ndarray:
        return self._genes

    @genes.setter
    def genes(self, genes: Any) -> None:
        self._genes = _checked(_as_genes(genes), sources(self))

    def copy(self) -> Self:
        """An independent twin of the same class, with its fitness: what DEAP's clone gives, much faster."""
        twin = self.with_genes(self._genes.copy())
        fitness = self.fitness
        if getattr(fitness.__class__, "__deepcopy__", None) is Fitness.__deepcopy__:
            twin.fitness.wvalues = fitness.wvalues
            twin.fitness.behaviour = fitness.behaviour
            twin.fitness.score = fitness.score
        else:
            twin.fitness = copy.deepcopy(fitness)
        return twin

    def with_genes(self, genes: np.ndarray) -> Self:
        """A genome of the same class that was not evaluated yet, with these genes, unchecked, and all else of this."""
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
        twin = memo[id(self)] = self.copy()
        return twin

    @property
    def hidden(self) -> np.ndarray:
        """The ids of the hidden nodes, ascending."""
        return hidden_nodes(checked(self), sources(self) + self.outputs)

    @property
    def nodes(self) -> np.ndarray:
        """The ids of all nodes: inputs, bias, outputs, hidden."""
        hidden = self.hidden
        visible = sources(self) + self.outputs
        if visible > MOST_NODES:
            raise ValueError(TOO_MANY_NODES)
        return np.concatenate((np.arange(visible), hidden))

    @property
    def recurrent(self) -> np.ndarray:
        """For each connection, whether it closes a cycle.

        Taken in the order of innovation, a connection is recurrent when its target already reaches its source over
        earlier connections that are not recurrent themselves, enabled or not. The others form a graph without cycles.
        """
        return trace(checked(self), sources(self), self.outputs)[3]

    def __len__(self) -> int:
        return len(self.genes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Genome):
            return NotImplemented
        return alike(self, other) and np.array_equal(self.genes, other.genes)

    __hash__ = None  # type: ignore[assignment]  # a genome changes in place

    def __repr__(self) -> str:
        disabled = len(self.genes) - np.count_nonzero(self.genes[:, ENABLED])
        return (
            f"{type(self).__name__}({self.inputs} inputs{' and a bias' if self.bias_node else ''}, "
            f"{self.outputs} outputs, {len(self.hidden)} hidden, "
            f"{len(self.genes)} connections{f', {disabled} disabled' if disabled else ''})"
        )

    def to_json(self, *, fitness: bool = False) -> str:
        """The structure and weights as JSON text that `from_json` reads back exactly.

        Activations and the bias are told where they are not the usual ones. With `fitness` so are the values, the
        behaviour and the score of a genome that was evaluated; otherwise they stay behind.

        Examples
        --------
        >>> genome = Genome([], inputs=1, outputs=1)
        >>> genome.fitness.values = Outcome((3.0,), behaviour=(0.5, 1.0))
        >>> again = Genome.from_json(genome.to_json(fitness=True))
        >>> again.fitness.values, again.fitness.behaviour.tolist(), Genome.from_json(genome.to_json()).fitness.valid
        ((3.0,), [0.5, 1.0], False)
        """
        connections = [
            [int(innovation), int(source), int(target), weight, bool(enabled)]
            for innovation, source, target, weight, enabled in checked(self).tolist()
        ]
        told: dict[str, Any] = {
            "version": VERSION,
            "inputs": self.inputs,
            "outputs": self.outputs,
            "hidden": self.hidden.tolist(),
            "connections": connections,
        }
        for name in ACTIVATIONS:
            activation = as_activation(name, getattr(self, name))
            if activation != SIGMOID:
                told[name] = activation.to_json()
        if self.bias_node:
            told["bias_node"] = True
        if fitness and self.fitness.valid:
            told["fitness"] = _tell_fitness(self.fitness)
        return json.dumps(told)

    @classmethod
    def from_json(cls, text: str | bytes | Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote: its text, or the object it stands for."""
        if isinstance(text, Mapping):
            data = text
        else:
            try:
                data = json.loads(text)
            except (ValueError, RecursionError) as error:
                raise ValueError(f"a genome is JSON text, this is not: {error}") from None
            if not isinstance(data, dict):
                raise ValueError(f"a genome is a JSON object, got {brief(data)}")
        for key in ("version", "inputs", "outputs", "hidden", "connections"):
            if key not in data:
                raise ValueError(f"a genome has the key {key!r}, this one has only {', '.join(map(repr, data))}")
        if data["version"] != VERSION or isinstance(data["version"], bool):
            raise ValueError(f"a genome's version must be {VERSION}, got {brief(data['version'])}")
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
        """A `networkx.DiGraph`: nodes with `kind`, connections with `innovation`, `weight`, `enabled`, `recurrent`.

        Kinds are input, bias, output and hidden; outputs and hidden nodes have an `activation` as well.
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


@lru_cache(maxsize=1)  # a population begins with the same connections
def _fully_connected(sources: int, outputs: int, hidden: int) -> np.ndarray:
    """The genes of every genome that starts with so many nodes, without weights."""
    first, second = range(sources), range(sources, sources + outputs)
    between = range(sources + outputs, sources + outputs + hidden)
    links = [(i, h) for i in first for h in between] + [(h, o) for h in between for o in second]
    if not hidden:
        links = [(i, o) for i in first for o in second]
    return np.array([(number, *link, 0.0, 1.0) for number, link in enumerate(links)], dtype=float)


def checked(genome: Genome) -> np.ndarray:
    """The genes of a genome, refused if somebody has changed them in place to what no compiled function can read."""
    try:
        genes, inputs, outputs = genome.genes, genome.inputs, genome.outputs
        readable = genes.flags.c_contiguous and genes.dtype == FLOAT
    except AttributeError:
        raise TypeError(f"a genome has genes, an array, inputs and outputs; got {brief(genome)}") from None
    if not readable or isinstance(genome, type):
        raise TypeError(f"genes are a C-contiguous array of floats, got {brief(genes)}")
    if not (type(inputs) is int and type(outputs) is int and 1 <= inputs <= LARGEST and 1 <= outputs <= LARGEST):
        _check_counts(inputs, outputs)
    return _checked(genes, sources(genome))


def sources(genome: Any) -> int:
    """How many nodes nothing leads into: the inputs, and the bias if there is one; the outputs' ids come next."""
    bias = getattr(genome, "bias_node", False)
    if bias is False:
        return genome.inputs
    _check_bias(bias)
    return genome.inputs + 1


def alike(first: Genome, second: Genome) -> bool:
    """Whether genomes differ in genes at most: they have as many inputs and outputs, and the same kind of nodes."""
    try:  # tuples, since these compare what is nearly always the same object without looking into it
        mine = first.inputs, first.outputs, first.bias_node, first.hidden_activation, first.output_activation
        return mine == (
            second.inputs, second.outputs, second.bias_node, second.hidden_activation, second.output_activation
        )  # fmt: skip
    except AttributeError:
        raise TypeError(f"genomes must be Genomes, got {brief(first)} and {brief(second)}") from None


def _checked(genes, sources):
    if genes.ndim != 2 or genes.shape[1] != 5 or not well_formed(genes, sources):
        _check_genes(genes, sources)
        raise ValueError(f"genes must be sorted by innovation, got {brief(genes[:, INNOVATION].tolist())}")
    return genes


def _as_genes(genes):
    try:
        found = np.asarray(genes)
        if found.dtype.kind not in "biufO":
            raise TypeError
        return np.ascontiguousarray(found, dtype=float).reshape(found.shape)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(
            f"genes are rows of numbers: innovation, source, target, weight, enabled; got {brief(genes)}"
        ) from None


def _whole(value):
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _check_counts(inputs, outputs):
    for name, count in (("inputs", inputs), ("outputs", outputs)):
        if not _whole(count) or not 1 <= count <= LARGEST:
            raise ValueError(f"a genome needs a whole number of {name}, at least 1, got {brief(count)}")


def _check_bias(bias_node):
    if not isinstance(bias_node, bool):
        raise ValueError(f"bias_node must be True or False, got {brief(bias_node)}")


def _read_range(weight_range):
    try:
        low, high = weight_range
        good = is_finite(low) and is_finite(high) and low <= high and is_finite(high - low)
    except (TypeError, ValueError):
        good = False
    if not good:
        raise ValueError(f"weight_range must be two finite numbers, the lower first, got {brief(weight_range)}")
    return float(low), float(high)


def _tell_fitness(fitness):
    """The values of a fitness, and its behaviour and score where it has some, as plain data."""
    told = {"values": list(map(float, fitness.values))}
    if getattr(fitness, "behaviour", None) is not None:
        told["behaviour"] = np.asarray(fitness.behaviour, dtype=float).tolist()
    score = np.asarray(getattr(fitness, "score", math.nan), dtype=float)
    if not np.isnan(score).any():
        told["score"] = score.tolist()
    for name, numbers in told.items():
        if not np.isfinite(numbers).all():
            raise ValueError(f"the {name} of a fitness must be finite to be written as JSON, got {brief(numbers)}")
    return told


def _read_fitness(told, fitness):
    """Give a fitness what `_tell_fitness` told."""
    if not isinstance(told, Mapping) or "values" not in told:
        raise ValueError(f"a genome's fitness is an object with values, got {brief(told)}")
    numbers = {name: _read_numbers(name, told[name]) for name in ("values", "behaviour", "score") if name in told}
    values = numbers["values"].tolist()
    if numbers["values"].ndim != 1 or len(values) != len(fitness.weights):
        raise ValueError(f"a fitness has one value for each of {len(fitness.weights)} weights, got {brief(values)}")
    fitness.values = Outcome(values, behaviour=numbers.get("behaviour"))
    if "score" in numbers:
        score = numbers["score"].tolist()
        fitness.score = tuple(score) if isinstance(score, list) else score


def _read_numbers(name, told):
    try:
        numbers = np.array(told)
        if numbers.dtype.kind not in "if":
            raise TypeError
        numbers = numbers.astype(float)
    except (TypeError, ValueError, OverflowError):
        numbers = np.array(math.nan)
    if not np.isfinite(numbers).all():
        raise ValueError(f"the {name} of a genome's fitness must be finite numbers, got {brief(told)}")
    return numbers


def _check_genes(genes, sources):
    if genes.ndim != 2 or genes.shape[1] != 5:
        raise ValueError(f"a gene is innovation, source, target, weight, enabled; got an array of shape {genes.shape}")
    links = set(zip(*genes[:, SOURCE:WEIGHT].T.tolist(), strict=True))
    if well_formed(genes, sources) and len(links) == len(genes):
        return
    names = genes[:, :WEIGHT]
    wrong = np.flatnonzero(~((names >= 0) & (names <= LARGEST) & (names == np.floor(names))).all(axis=1))
    if wrong.size:
        raise ValueError(
            f"innovations and nodes must be whole numbers from 0 to {LARGEST}, got {names[wrong[0]].tolist()}"
        )
    wrong = np.flatnonzero(~np.isfinite(genes[:, WEIGHT]))
    if wrong.size:
        name, weight = genes[wrong[0], [INNOVATION, WEIGHT]].tolist()
        raise ValueError(f"connection weights must be finite, connection {int(name)} has {weight}")
    wrong = np.flatnonzero((genes[:, ENABLED] != 0) & (genes[:, ENABLED] != 1))
    if wrong.size:
        name, flag = genes[wrong[0], [INNOVATION, ENABLED]].tolist()
        raise ValueError(f"a connection is enabled (1) or not (0), connection {int(name)} has {flag}")
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
    if not isinstance(hidden, list | tuple) or not all(map(_whole, hidden)):
        raise ValueError(f"a genome's hidden nodes are a list of whole numbers, got {brief(hidden)}")
    for node in hidden:
        if not visible <= node <= LARGEST:
            raise ValueError(f"hidden nodes must be numbered from {visible} to {LARGEST}, got {brief(node)}")
    if len(set(hidden)) < len(hidden):
        raise ValueError(f"a hidden node may be listed once, got {brief(hidden)}")
    return set(hidden)


def _read_connections(connections, visible, hidden):
    if not isinstance(connections, list | tuple):
        raise ValueError(f"a genome's connections are a list, got {brief(connections)}")
    used: set[int] = set()
    for connection in connections:
        if not isinstance(connection, list | tuple) or len(connection) != 5:
            raise ValueError(f"a connection is innovation, source, target, weight, enabled; got {brief(connection)}")
        innovation, source, target, weight, enabled = connection
        if not all(_whole(number) and 0 <= number <= LARGEST for number in (innovation, source, target)):
            raise ValueError(
                f"innovations and nodes must be whole numbers from 0 to {LARGEST}, "
                f"got {brief([innovation, source, target])}"
            )
        if not isinstance(weight, float) and not (_whole(weight) and abs(weight) <= LARGEST):
            raise ValueError(f"connection weights must be finite numbers, connection {innovation} has {brief(weight)}")
        if not isinstance(enabled, bool):
            raise ValueError(f"a connection is enabled, true or false; connection {innovation} has {brief(enabled)}")
        for node in (source, target):
            if not 0 <= node < visible and node not in hidden:
                raise ValueError(f"connection {innovation} needs node {node}, which does not exist")
        used.update((source, target))
    if not hidden <= used:
        raise ValueError(f"every hidden node has a connection, {min(hidden - used)} has none")
    return [[*connection[:4], float(connection[4])] for connection in connections]


@njit(cache=True)
def well_formed(genes, sources):
    """Whether genes are sorted by innovation and hold numbers that can be computed with, whatever links there are."""
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
    """The ids from `visible` on that the genes mention, ascending."""
    found = np.empty(2 * len(genes), np.int64)
    count = 0
    for gene in range(len(genes)):
        for end in (SOURCE, TARGET):
            node = int(genes[gene, end])
            if node < visible:
                continue
            place = count
            while place > 0 and found[place - 1] >= node:
                place -= 1
            if place < count and found[place] == node:
                continue
            for later in range(count, place, -1):
                found[later] = found[later - 1]
            found[place] = node
            count += 1
    return found[:count]


@njit(cache=True)
def _place(node, visible, hidden):
    """The position of a node, counted inputs, bias, outputs, hidden."""
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
def trace(genes, sources, outputs):
    """Hidden nodes; who is connected to whom; who reaches whom without recurrent links; which links are recurrent.

    Nodes are counted inputs, bias, outputs, hidden; every node reaches itself.
    """
    visible = sources + outputs
    hidden = hidden_nodes(genes, visible)
    size = visible + len(hidden)
    if size > MOST_NODES:
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
