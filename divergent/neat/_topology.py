"""Network topology from a gene array: nodes, connections and cycles."""

from functools import lru_cache

import numpy as np

from divergent._compile import njit
from divergent.neat._genes import ENABLED, SOURCE, TARGET

MAX_NODES = 5000
"""Largest number of nodes of a network, including inputs: the weights of all pairs take 200 MB."""

TOO_MANY_NODES = f"a network must have at most {MAX_NODES} nodes, including inputs"


@njit(cache=True, inline="always")
def insertion_point(nodes: np.ndarray, count: int, node: int) -> int:
    """Return the index of a node among the first `count` sorted node ids, or the index at which to insert the node."""
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
    """Return the sorted ids of all hidden nodes that are the source or target of a gene.

    A node is hidden if its id is at least `visible`, the number of inputs, bias and outputs. If `enabled_only` is True,
    disabled genes are ignored.
    """
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
    """Return the ids of all hidden nodes in ascending order; `visible` is the lowest possible id of a hidden node."""
    return collect_nodes(genes, visible, False)


@njit(cache=True)
def _place(node: int, visible: int, hidden: np.ndarray) -> int:
    """Return the index of a node in the order inputs, bias, outputs, hidden nodes."""
    return node if node < visible else visible + insertion_point(hidden, len(hidden), node)


@njit(cache=True)
def analyse_topology(
    genes: np.ndarray, sources: int, outputs: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the hidden nodes, the adjacency matrix, the reachability matrix and the recurrent connections.

    Nodes are indexed in the order inputs, bias, outputs, hidden nodes. Reachability ignores recurrent connections, and
    every node is reachable from itself.
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


@lru_cache(maxsize=1)  # cached: all genomes of an initial population have the same connections
def fully_connected(sources: int, outputs: int, hidden: int) -> np.ndarray:
    """Return the genes of a fully connected genome; all weights are 0."""
    first, second = range(sources), range(sources, sources + outputs)
    between = range(sources + outputs, sources + outputs + hidden)
    links = [(i, h) for i in first for h in between] + [(h, o) for h in between for o in second]
    if not hidden:
        links = [(i, o) for i in first for o in second]
    return np.array([(number, *link, 0.0, 1.0) for number, link in enumerate(links)], dtype=float)
