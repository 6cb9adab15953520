"""Gene arrays: columns, validation and topology."""

import math
from functools import lru_cache
from typing import Any

import numpy as np

from divergent._compile import njit
from divergent.validation import FLOAT, LARGEST, brief, is_finite, is_integer

INNOVATION, SOURCE, TARGET, WEIGHT, ENABLED = range(5)

MAX_NODES = 5000
"""Nodes of a network, including inputs: the weights of all pairs take 200 MB."""

TOO_MANY_NODES = f"a network must have at most {MAX_NODES} nodes, including inputs"


def as_genes(genes: Any) -> np.ndarray:
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


def check_counts(inputs: Any, outputs: Any) -> None:
    """Raise a ValueError unless the numbers of inputs and outputs are valid."""
    for name, count in (("inputs", inputs), ("outputs", outputs)):
        if not is_integer(count) or not 1 <= count <= LARGEST:
            raise ValueError(f"{name} must be an integer, at least 1, got {brief(count)}")


def check_bias(bias_node: Any) -> None:
    """Raise a ValueError unless the bias is a truth value."""
    if not isinstance(bias_node, bool):
        raise ValueError(f"bias_node must be True or False, got {brief(bias_node)}")


def sources(genome: Any) -> int:
    """Return the number of inputs, plus 1 for a bias node: no connection leads into these, and output ids follow."""
    bias = getattr(genome, "bias_node", False)
    if bias is False:
        return genome.inputs
    check_bias(bias)
    return genome.inputs + 1


def check_genes(genes: np.ndarray, sources: int) -> None:
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


def validate_genes(genes: np.ndarray, sources: int) -> np.ndarray:
    """Return sorted and valid genes; raise an error that names the fault of others."""
    if genes.ndim != 2 or genes.shape[1] != 5 or not are_valid_genes(genes, sources):
        check_genes(genes, sources)
        raise ValueError(f"genes must be sorted by innovation, got {brief(genes[:, INNOVATION].tolist())}")
    return genes


def validated_genes(genome: Any) -> np.ndarray:
    """Return the genes of a genome; raise an error if they were changed in place to invalid values."""
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
        check_counts(inputs, outputs)
    return validate_genes(genes, sources(genome))


@njit(cache=True)
def are_valid_genes(genes: np.ndarray, sources: int) -> bool:
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


@njit(cache=True, inline="always")
def insertion_point(nodes: np.ndarray, count: int, node: int) -> int:
    """Return the index of a node, or its insertion point, among the first `count` ids, which ascend."""
    low, high = 0, count
    while low < high:
        middle = (low + high) >> 1
        if nodes[middle] < node:
            low = middle + 1
        else:
            high = middle
    return low


@njit(cache=True, inline="always")
def collect_nodes(genes: np.ndarray, visible: int, enabled_only: bool) -> np.ndarray:
    """Return the ids from `visible` on that occur in the genes, ascending."""
    nodes = np.empty(2 * len(genes), np.int64)
    count = 0
    for gene in range(len(genes)):
        if enabled_only and genes[gene, ENABLED] == 0.0:
            continue
        for end in (SOURCE, TARGET):
            node = int(genes[gene, end])
            if node < visible:
                continue
            place = insertion_point(nodes, count, node)
            if place < count and nodes[place] == node:
                continue
            for later in range(count, place, -1):
                nodes[later] = nodes[later - 1]
            nodes[place] = node
            count += 1
    return nodes[:count]


@njit(cache=True)
def hidden_nodes(genes: np.ndarray, visible: int) -> np.ndarray:
    """Return the ids of all hidden nodes, ascending; `visible` is the first id of a hidden node."""
    return collect_nodes(genes, visible, False)


@njit(cache=True)
def _place(node: int, visible: int, hidden: np.ndarray) -> int:
    """Return the index of a node in the order inputs, bias, outputs, hidden."""
    return node if node < visible else visible + insertion_point(hidden, len(hidden), node)


@njit(cache=True)
def analyse_topology(
    genes: np.ndarray, sources: int, outputs: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
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


@lru_cache(maxsize=1)  # all genomes of an initial population have the same connections
def fully_connected(sources: int, outputs: int, hidden: int) -> np.ndarray:
    """Return the genes of a fully connected genome, with weights of 0."""
    first, second = range(sources), range(sources, sources + outputs)
    between = range(sources + outputs, sources + outputs + hidden)
    links = [(i, h) for i in first for h in between] + [(h, o) for h in between for o in second]
    if not hidden:
        links = [(i, o) for i in first for o in second]
    return np.array([(number, *link, 0.0, 1.0) for number, link in enumerate(links)], dtype=float)


def read_range(weight_range: Any) -> tuple[float, float]:
    """Return the bounds of the initial weights as floats."""
    try:
        low, high = weight_range
        good = is_finite(low) and is_finite(high) and low <= high and is_finite(high - low)
    except (TypeError, ValueError):
        good = False
    if not good:
        raise ValueError(f"weight_range must be two finite numbers, the lower first, got {brief(weight_range)}")
    return float(low), float(high)
