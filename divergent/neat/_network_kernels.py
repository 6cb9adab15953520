"""Compiled kernels of networks: weight matrices, synchronous passes, and evaluation of many inputs."""

import math
from functools import partial
from typing import NamedTuple

import numpy as np

from divergent._compile import njit
from divergent._intrinsics import LANES, TO_INTEGER, power_of_two, sum_block
from divergent.neat._genes import ENABLED, SOURCE, TARGET, WEIGHT
from divergent.neat._topology import MAX_NODES, TOO_MANY_NODES, collect_nodes, insertion_point
from divergent.neat.activation import FUNCTIONS, SLOPE
from divergent.validation import LARGEST

NODES_PER_BLOCK = LANES  # number of nodes whose weighted sums fit into one SIMD vector
POINTS_PER_BLOCK = 256  # number of input points per block, so that the values of 100 nodes fit into the L2 cache

ACTIVATION_LIMIT = 1e30  # largest absolute output of the functions relu, identity and absolute
RELAXATION_PASSES = 19  # number of passes per activation if an output is unreachable, as in Lehman's program
# The indices of activation functions follow the order of `FUNCTIONS`.
IS_SIGMOID, IS_TANH, IS_RELU, IS_SINE, IS_GAUSSIAN, IS_IDENTITY, IS_ABSOLUTE, IS_STEP = range(len(FUNCTIONS))

# Error messages are constants because compiled code cannot format values.
WRONG_NODE = f"a connection must join nodes with ids from 0 to {LARGEST} and must not lead into an input"
WRONG_WEIGHT = "weights of genes must be finite"

# The numba option "contract" permits fused multiply-add, which rounds once instead of twice.
# With fused multiply-add, network outputs differ in the last bits from outputs with NUMBA_DISABLE_JIT=1.
# The error model "numpy" makes a division by 0 return infinity.
# Small functions are inlined because LLVM cannot optimise across calls that pass arrays.
compiled = partial(njit, cache=True, nogil=True, error_model="numpy", fastmath={"contract"})


class NodeKinds(NamedTuple):
    """Bias node and activation functions of a network, in a form that compiled code can read.

    Compiled functions receive None instead of this object if a network has no bias node and only default activations.
    """

    biases: int
    """1 if there is a bias node, else 0."""
    outputs: int
    """Number of outputs, the first nodes."""
    output: int
    """Index in `FUNCTIONS` of the activation of outputs."""
    output_slope: float
    hidden: int
    hidden_slope: float
    functions: np.ndarray | None
    """Index in `FUNCTIONS` of the activation of each node; None if `output` and `hidden` apply to all nodes."""
    slopes: np.ndarray | None
    """Slope of each node, or None."""


@compiled(inline="always")
def _check_enabled(genes: np.ndarray, sources: int) -> None:
    """Raise a ValueError if an enabled gene is invalid; otherwise compiled code could write out of bounds."""
    for k in range(genes.shape[0]):
        if genes[k, ENABLED] == 0.0:
            continue
        source, target = genes[k, SOURCE], genes[k, TARGET]
        # Comparisons with NaN are False, so a NaN in a gene also raises the error.
        if not (0.0 <= source <= LARGEST and sources <= target <= LARGEST):
            raise ValueError(WRONG_NODE)
        if np.int64(source) != source or np.int64(target) != target:
            raise ValueError(WRONG_NODE)
        if not abs(genes[k, WEIGHT]) < np.inf:
            raise ValueError(WRONG_WEIGHT)


@compiled
def build_weights(genes: np.ndarray, sources: int, outputs: int) -> np.ndarray:
    """Validate the enabled genes of a genome and return the weight array of its `Network`."""
    _check_enabled(genes, sources)
    first = sources + outputs
    hidden = collect_nodes(genes, first, True)
    count = len(hidden)
    if first + count > MAX_NODES:
        raise ValueError(TOO_MANY_NODES)
    nodes = outputs + count
    weights = np.zeros(((nodes + NODES_PER_BLOCK - 1) // NODES_PER_BLOCK, sources + nodes, NODES_PER_BLOCK))
    for k in range(genes.shape[0]):
        if genes[k, ENABLED] == 0.0:
            continue
        source = np.int64(genes[k, SOURCE])
        if source >= first:
            source = first + insertion_point(hidden, count, source)
        target = np.int64(genes[k, TARGET])
        if target >= first:
            target = first + insertion_point(hidden, count, target)
        target -= sources
        weights[target // NODES_PER_BLOCK, source, target % NODES_PER_BLOCK] += genes[k, WEIGHT]
    return weights


@compiled
def rounded(genes: np.ndarray, scale: float) -> np.ndarray:
    """Return a copy of the genes with weights rounded to multiples of 1 / scale, see `express`."""
    copy = genes.copy()
    for k in range(genes.shape[0]):
        # Weights of 1e30 and more are not rounded, because floating-point numbers of this size have no decimals.
        # Infinite weights are not rounded, because `build_weights` raises an error for infinite weights.
        if abs(genes[k, WEIGHT]) < ACTIVATION_LIMIT:
            copy[k, WEIGHT] = np.trunc(genes[k, WEIGHT] * scale + 0.5) / scale
    return copy


@compiled
def unreached_nodes(genes: np.ndarray, sources: int, outputs: int) -> np.ndarray:
    """Return the indices of nodes that are unreachable from inputs and bias through enabled connections."""
    linked = genes.copy()
    linked[:, WEIGHT] = 1.0  # a connection of weight 0 also makes its target reachable
    weights = build_weights(linked, sources, outputs)
    nodes = weights.shape[1] - sources
    reached = np.zeros(sources + nodes, np.bool_)
    reached[:sources] = True
    grows = True
    while grows:
        grows = False
        for source in range(sources + nodes):
            if reached[source]:
                for node in range(nodes):
                    if (
                        weights[node // NODES_PER_BLOCK, source, node % NODES_PER_BLOCK] != 0.0
                        and not reached[sources + node]
                    ):
                        reached[sources + node] = grows = True
    return np.flatnonzero(~reached[sources:])


LOG2_E = 1.4426950408889634
LN_2, LN_2_REST = float.fromhex("0x1.62e42feep-1"), float.fromhex("0x1.a39ef35793c76p-33")


# `_exp` is inlined so that LLVM vectorises the loops that use it; calls of math.exp prevent vectorisation.
@compiled(inline="always")
def _exp(x: float) -> float:
    """Return exp(x), with x clipped to [-700, 700]; the relative error is at most 4e-16."""
    if x > 700.0:
        x = 700.0
    if x < -700.0:
        x = -700.0
    shifted = x * LOG2_E + TO_INTEGER
    exponent = shifted - TO_INTEGER
    r = (x - exponent * LN_2) - exponent * LN_2_REST
    r2 = r * r
    r4 = r2 * r2
    low = (1 + r) + r2 * (1 / 2 + r * (1 / 6)) + r4 * ((1 / 24 + r * (1 / 120)) + r2 * (1 / 720 + r * (1 / 5040)))
    high = (1 / 40320 + r * (1 / 362880)) + r2 * (1 / 3628800 + r * (1 / 39916800)) + r4 * (1 / 479001600)
    return (low + r4 * r4 * high) * power_of_two(shifted)


@compiled(inline="always")
def propagate(
    weights: np.ndarray, activations: np.ndarray, sums: np.ndarray, sources: int, kind: NodeKinds | None
) -> None:
    """Run one synchronous pass in place: compute all weighted sums first, then all activations.

    Every weighted sum includes all possible sources; absent connections have weight 0. Sums over the existing
    connections alone would be faster only for networks with far more than 30 hidden nodes. `kind` specifies the bias
    node and the activations, see `node_kinds`. If `kind` is None, the compiled code is branch-free and applies the
    default sigmoid.
    """
    blocks = weights.shape[0]
    for b in range(blocks):
        sum_block(weights, b, activations, sums)
    if kind is None:
        for i in range(blocks * NODES_PER_BLOCK):
            activations[sources + i] = 1.0 / (1.0 + _exp(-SLOPE * sums[i]))
    else:
        nodes = activations[sources:]
        if kind.functions is None:
            _apply(kind.output, kind.output_slope, sums[: kind.outputs], nodes[: kind.outputs])
            _apply(kind.hidden, kind.hidden_slope, sums[kind.outputs :], nodes[kind.outputs :])
        else:
            _apply_each(kind.functions, kind.slopes, sums, nodes)


@compiled
def run_passes(
    weights: np.ndarray,
    activations: np.ndarray,
    sums: np.ndarray,
    sources: int,
    kind: NodeKinds | None,
    silent: np.ndarray | None,
    times: int,
) -> None:
    """Run several synchronous passes, in which the nodes with indices in `silent` always output 0."""
    for _ in range(times):
        propagate(weights, activations, sums, sources, kind)
        if silent is not None:
            for node in silent:
                activations[sources + node] = 0.0


@compiled
def passes_per_activation(silent: np.ndarray, outputs: int) -> int:
    """Return the number of passes per network activation: 19 if an output node always outputs 0, otherwise 1.

    `silent` contains the indices of nodes that always output 0. Lehman's program (2008) runs 19 passes if an output
    node is unreachable from the inputs.
    """
    for node in silent:
        if node < outputs:
            return RELAXATION_PASSES
    return 1


@compiled
def _activate(function: int, x: float) -> float:
    """Return the output of an activation function for the input `x`; `function` is its index in `FUNCTIONS`."""
    if function == IS_SIGMOID:
        return 1.0 / (1.0 + _exp(-x))
    if function == IS_TANH:
        return math.tanh(x)
    if function == IS_SINE:
        return math.sin(x)
    if function == IS_GAUSSIAN:
        return _exp(-x * x)
    if function == IS_STEP:
        return 1.0 if x > 0.0 else 0.0
    if function == IS_RELU:
        x = 0.0 if x < 0.0 else x
    elif function == IS_ABSOLUTE:
        x = abs(x)
    return -ACTIVATION_LIMIT if x < -ACTIVATION_LIMIT else ACTIVATION_LIMIT if x > ACTIVATION_LIMIT else x


@compiled
def _apply(function: int, slope: float, sums: np.ndarray, nodes: np.ndarray) -> None:
    """Multiply each weighted sum by the slope, apply the activation function, and write the results to `nodes`.

    Sigmoid and Gaussian have separate loops, which LLVM vectorises.
    """
    if function == IS_SIGMOID:
        for i in range(len(sums)):
            nodes[i] = 1.0 / (1.0 + _exp(-(slope * sums[i])))
    elif function == IS_GAUSSIAN:
        for i in range(len(sums)):
            x = slope * sums[i]
            nodes[i] = _exp(-x * x)
    else:
        for i in range(len(sums)):
            nodes[i] = _activate(function, slope * sums[i])


@compiled
def _apply_each(functions: np.ndarray | None, slopes: np.ndarray | None, sums: np.ndarray, nodes: np.ndarray) -> None:
    """Apply the activation of each node to its weighted sum; do nothing if `functions` is None."""
    if functions is not None and slopes is not None:
        for i in range(len(functions)):
            nodes[i] = _activate(functions[i], slopes[i] * sums[i])


@compiled
def order_nodes(weights: np.ndarray, sources: int) -> tuple[np.ndarray, int]:
    """Return the nodes in topological order and the number of layers.

    The number of layers is the largest number of hidden and output nodes on a path through the network. If the network
    has a cycle, the order is incomplete and the number of layers is 0.
    """
    nodes = weights.shape[1] - sources
    waiting = np.zeros(nodes, np.int64)  # for each node, the number of predecessors that are not in `order` yet
    for target in range(nodes):
        for source in range(nodes):
            waiting[target] += weights[target // NODES_PER_BLOCK, sources + source, target % NODES_PER_BLOCK] != 0.0
    order = np.empty(nodes, np.int64)
    layer = np.ones(nodes, np.int64)
    count = 0
    for node in range(nodes):
        if waiting[node] == 0:
            order[count] = node
            count += 1
    place = 0
    while place < count:
        source = order[place]
        place += 1
        for target in range(nodes):
            if weights[target // NODES_PER_BLOCK, sources + source, target % NODES_PER_BLOCK] != 0.0:
                layer[target] = max(layer[target], layer[source] + 1)
                waiting[target] -= 1
                if waiting[target] == 0:
                    order[count] = target
                    count += 1
    return order[:count], layer.max() if count == nodes else 0


@compiled
def evaluate_points(
    points: np.ndarray,
    weights: np.ndarray,
    sources: int,
    order: np.ndarray,
    functions: np.ndarray,
    slopes: np.ndarray,
    answers: np.ndarray,
) -> None:
    """Fill `answers` with the outputs of an acyclic network, one row for each input point.

    Nodes are evaluated in topological order, for 256 points at a time. LLVM vectorises the inner loops, which run
    over points. If there is a bias node, it has no column in `points`, and its value is 1.
    """
    values = np.ones((weights.shape[1], POINTS_PER_BLOCK))
    sums = np.empty(POINTS_PER_BLOCK)
    inputs = points.shape[1]
    for start in range(0, points.shape[0], POINTS_PER_BLOCK):
        size = min(POINTS_PER_BLOCK, points.shape[0] - start)
        for column in range(inputs):
            for i in range(size):
                values[column, i] = points[start + i, column]
        for node in order:
            _sum_sources(weights, node, values, size, sums)
            _apply(functions[node], slopes[node], sums[:size], values[sources + node, :size])
        for output in range(answers.shape[1]):
            for i in range(size):
                answers[start + i, output] = values[sources + output, i]


@compiled
def _sum_sources(weights: np.ndarray, node: int, values: np.ndarray, size: int, sums: np.ndarray) -> None:
    """Compute the weighted sums of one node for the first `size` input points."""
    sums[:size] = 0.0
    for source in range(weights.shape[1]):
        weight = weights[node // NODES_PER_BLOCK, source, node % NODES_PER_BLOCK]
        if weight != 0.0:
            for i in range(size):
                sums[i] += weight * values[source, i]
