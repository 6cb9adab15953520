"""The phenotype: neural networks of genomes."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from divergent._compile import njit
from divergent._intrinsics import LANES, TO_INTEGER, power_of_two, sum_block
from divergent.neat._genes import ENABLED, MAX_NODES, SOURCE, TARGET, TOO_MANY_NODES, WEIGHT
from divergent.neat.activation import FUNCTIONS, SIGMOID, SLOPE, Activation, as_activation
from divergent.neat.genome import sources
from divergent.validation import FLOAT, LARGEST, as_numbers, brief, check_at_least

NODES_PER_BLOCK = LANES  # nodes whose sums are computed together

COLUMNS = 5  # numbers of a gene
ACTIVATION_LIMIT = 1e30  # largest absolute output of relu and identity
RELAXATION_PASSES = 19  # passes of one activation if an output is silent, as in Lehman's program
MAX_DECIMALS = 15  # of rounded weights: the precision of a float
IS_SIGMOID, IS_TANH, IS_RELU, IS_SINE, IS_GAUSSIAN, IS_IDENTITY = range(len(FUNCTIONS))  # in the order of their names

# messages are constants: compiled code cannot format values
WRONG_NODE = f"a connection must join nodes from 0 to {LARGEST} and must not lead into an input"
WRONG_WEIGHT = "weights of genes must be finite"

# contract: a product and a sum may be rounded once instead of twice, always in the same places. On processors that fuse
# both, the last bits of networks and rollouts therefore differ from those with NUMBA_DISABLE_JIT=1. No other kernel
# fuses. Division by 0 gives an infinity, as in numpy. Inlining small functions by hand spares the passing of arrays,
# which LLVM does not see through.
compiled = partial(njit, cache=True, nogil=True, error_model="numpy", fastmath={"contract"})


DEFAULT_KINDS = (
    SIGMOID,
    SIGMOID,
    False,
)  # hidden, output, bias; tuples compare identical objects quickly


class NodeKinds(NamedTuple):
    """Bias and activations of a network as compiled code reads them; None stands for the defaults."""

    biases: int
    """1 if there is a bias node, else 0."""
    outputs: int
    """Number of outputs, the first nodes."""
    output: int
    """Index in `FUNCTIONS` of the activation of outputs."""
    output_slope: float
    hidden: int
    hidden_slope: float


def node_kinds(genome: Any) -> NodeKinds | None:
    """Return the bias and the activations of a genome or network; None if they are the defaults."""
    hidden = getattr(genome, "hidden_activation", SIGMOID)
    output = getattr(genome, "output_activation", SIGMOID)
    if (hidden, output, getattr(genome, "bias_node", False)) == DEFAULT_KINDS:
        return None
    hidden, output = as_activation("hidden_activation", hidden), as_activation("output_activation", output)
    place = list(FUNCTIONS).index
    return NodeKinds(
        int(sources(genome) - genome.inputs),
        int(genome.outputs),
        place(output.function),
        output.slope,
        place(hidden.function),
        hidden.slope,
    )


class Network:
    """A feed-forward or recurrent network that keeps its activations between passes.

    A pass is synchronous: every node sums the outputs that its sources had after the previous pass, then all nodes
    change at once. A connection therefore takes one pass, forwards or backwards. Inputs are passed on unchanged. The
    output of every other node is the activation of its sum s, by default 1 / (1 + exp(-4.924273 s)). A node without
    connections therefore outputs 0.5 after the first pass, unless it is `silent`.

    A call of a network without cycles returns its stationary outputs: it runs as many passes as there are layers,
    independent of earlier calls. A call of a network with a cycle is one pass, and `reset` clears its state. `activate`
    is always one pass, for control tasks in which the inputs change between passes.

    Parameters
    ----------
    weights : numpy.ndarray
        Shape (blocks, sources, 8): ``weights[b, j, i]`` is the weight from source j to node 8 b + i. Sources are the
        inputs, the bias if there is one, then the nodes. Nodes are the outputs, then the hidden nodes. No parameter can
        be replaced later: compiled code relies on matching sizes.
    inputs : int
        Number of inputs.
    outputs : int
        Number of outputs.
    hidden_activation : Activation or str, default=SIGMOID
        Activation of hidden nodes, or the name of its function.
    output_activation : Activation or str, default=SIGMOID
        Activation of outputs, or the name of its function.
    bias_node : bool, default=False
        Whether a source that always outputs 1 follows the inputs.
    silent : sequence of int, default=()
        Indices of nodes that output 0 instead of their activation, see `express`. If an output is among them, one pass
        of `activate` becomes 19.

    Raises
    ------
    ValueError
        If the sizes do not match, or there are more than 5000 nodes.

    See Also
    --------
    express : The network of a genome.

    Examples
    --------
    >>> weights = np.zeros((1, 3, 8))
    >>> weights[0, :2, 0] = 1.0, -1.0        # from the two inputs to the only output
    >>> network = Network(weights, inputs=2, outputs=1)
    >>> network([0.5, 0.5]).tolist(), network([1.0, 0.0]).round(3).tolist()
    ([0.5], [0.993])
    >>> network.is_feed_forward
    True
    >>> Network(weights, inputs=2, outputs=1, output_activation="identity")([1.0, 0.25]).tolist()
    [0.75]
    """

    def __init__(
        self,
        weights: np.ndarray,
        inputs: int,
        outputs: int,
        *,
        hidden_activation: Activation | str = SIGMOID,
        output_activation: Activation | str = SIGMOID,
        bias_node: bool = False,
        silent: Sequence[int] | np.ndarray = (),
    ):
        check_counts(inputs, outputs)
        try:
            shape = np.shape(weights)
        except ValueError:
            raise ValueError(f"weights must be an array, got {brief(weights)}") from None
        self._inputs = int(inputs)
        self._outputs = int(outputs)
        self._bias_node = bias_node
        self._sources = sources(self)
        nodes = shape[1] - self._sources if len(shape) == 3 else 0
        if nodes < outputs or shape != (-(-nodes // NODES_PER_BLOCK), self._sources + nodes, NODES_PER_BLOCK):
            raise ValueError(
                f"weights must have the shape (blocks of {NODES_PER_BLOCK} nodes, inputs + nodes, "
                f"{NODES_PER_BLOCK}), "
                f"got {shape} with {inputs} inputs{' and a bias' if bias_node else ''} and {outputs} outputs"
            )
        if shape[1] > MAX_NODES:
            raise ValueError(f"a network must have at most {MAX_NODES} nodes, including inputs, got {shape[1]}")
        self._weights = as_numbers("weights", weights, 3)
        self._hidden_activation = as_activation("hidden_activation", hidden_activation)
        self._output_activation = as_activation("output_activation", output_activation)
        self._kind = node_kinds(self)
        self._silent = _check_silent(silent, nodes)
        self._layers: int | None = None
        self.reset()

    @property
    def weights(self) -> np.ndarray:
        """Weights from every source to every node."""
        return self._weights

    @property
    def inputs(self) -> int:
        """Number of inputs, without the bias."""
        return self._inputs

    @property
    def outputs(self) -> int:
        """Number of outputs."""
        return self._outputs

    @property
    def bias_node(self) -> bool:
        """Whether there is a bias node."""
        return self._bias_node

    @property
    def hidden_activation(self) -> Activation:
        """Activation of hidden nodes."""
        return self._hidden_activation

    @property
    def output_activation(self) -> Activation:
        """Activation of outputs."""
        return self._output_activation

    @property
    def silent(self) -> np.ndarray | None:
        """Indices of the nodes that always output 0; None if there are none."""
        return self._silent

    @property
    def is_feed_forward(self) -> bool:
        """Whether no connection closes a cycle; connections of weight 0 do not count."""
        return self._passes() > 0

    def _passes(self) -> int:
        """Return the number of passes after which all nodes are stationary; 0 if there is a cycle."""
        if self._layers is None:
            self._layers = count_layers(self.weights, self._sources)
        return self._layers

    def __call__(self, inputs: Any) -> np.ndarray:
        """Return the stationary outputs of a network without cycles, else the outputs after one pass."""
        return self.activate(inputs, self._passes() or 1)

    def activate(self, inputs: Any, passes: int = 1) -> np.ndarray:
        """Run passes on the same inputs, starting from the current activations.

        Parameters
        ----------
        inputs : array_like
            One number for each input.
        passes : int, default=1
            Number of passes.

        Returns
        -------
        numpy.ndarray
            The outputs.

        Raises
        ------
        ValueError
            If the number of inputs is wrong, or `passes` is below 1.
        """
        numbers = as_numbers("inputs", inputs, 1)
        if len(numbers) != self.inputs:
            raise ValueError(f"inputs must be {self.inputs} numbers, got {len(numbers)}")
        check_at_least(1, passes=passes)
        first = self._sources
        self._activations[: self.inputs] = numbers
        self._activations[self.inputs : first] = 1.0
        if self._silent is not None:
            passes *= passes_per_activation(self._silent, self._outputs)
        run_passes(self.weights, self._activations, self._sums, first, self._kind, self._silent, passes)
        return self._activations[first : first + self.outputs].copy()

    def reset(self) -> None:
        """Set all activations to 0."""
        nodes = self.weights.shape[0] * NODES_PER_BLOCK
        self._activations = np.zeros(self._sources + nodes)
        self._sums = np.zeros(nodes)

    def __repr__(self) -> str:
        hidden = self.weights.shape[1] - self._sources - self.outputs
        bias = " and a bias" if self.bias_node else ""
        return f"Network({self.inputs} inputs{bias}, {hidden} hidden, {self.outputs} outputs)"


def express(genome: Any, *, silence_unreached: bool = False, round_weights: int | None = None) -> Network:
    """Build the network of a genome from its enabled genes and their nodes.

    Parameters
    ----------
    genome : Genome
        The genome, or any object with `genes`, `inputs` and `outputs`.
    silence_unreached : bool, default=False
        Whether a node outputs 0 if no path of enabled connections leads to it from an input or the bias. If an output
        is such a node, each activation of the network is 19 passes. This is the rule of Lehman's program (2008).
    round_weights : int or None, default=None
        Decimals of the network's weights. A weight w becomes ``trunc(10**n * w + 0.5) / 10**n``, which rounds negative
        weights towards 0. Lehman's program has 3. None keeps the weights of the genome.

    Returns
    -------
    Network
        The network.

    Raises
    ------
    TypeError
        If the genome lacks genes, inputs or outputs.
    ValueError
        If a gene or an option is invalid.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> genes = np.array([(0, 0, 2, 1.0, 1), (1, 1, 2, -1.0, 1), (2, 0, 3, 5.0, 0)])
    >>> express(SimpleNamespace(genes=genes, inputs=2, outputs=1))
    Network(2 inputs, 0 hidden, 1 outputs)
    """
    try:
        check_counts(genome.inputs, genome.outputs)
    except AttributeError:
        raise TypeError(f"a genome must have genes, inputs and outputs, got {brief(genome)}") from None
    check_expression(silence_unreached, round_weights)
    genes, first, outputs = gene_array(genome), int(sources(genome)), int(genome.outputs)
    weights = build_weights(genes if round_weights is None else rounded(genes, 10.0**round_weights), first, outputs)
    return Network(
        weights,
        genome.inputs,
        genome.outputs,
        hidden_activation=getattr(genome, "hidden_activation", SIGMOID),
        output_activation=getattr(genome, "output_activation", SIGMOID),
        bias_node=getattr(genome, "bias_node", False),
        silent=unreached_nodes(genes, first, outputs) if silence_unreached else (),
    )


def _check_silent(silent: Any, nodes: int) -> np.ndarray | None:
    """Return the indices of silent nodes as compiled code reads them; None if there are none."""
    indices = np.asarray(silent)
    if not indices.size:
        return None
    if indices.ndim != 1 or indices.dtype.kind not in "iu" or indices.min() < 0 or indices.max() >= nodes:
        raise ValueError(f"silent must be indices of nodes from 0 to {nodes - 1}, got {brief(silent)}")
    return indices.astype(np.int64)


def check_expression(silence_unreached: bool, round_weights: int | None) -> None:
    """Raise a ValueError if an option of `express` is invalid."""
    if not isinstance(silence_unreached, bool):
        raise ValueError(f"silence_unreached must be True or False, got {brief(silence_unreached)}")
    if round_weights is not None:
        is_integer = isinstance(round_weights, int | np.integer) and not isinstance(round_weights, bool)
        if not is_integer or not 0 <= round_weights <= MAX_DECIMALS:
            raise ValueError(
                f"round_weights must be an integer from 0 to {MAX_DECIMALS} or None, got {brief(round_weights)}"
            )


def check_counts(inputs: int, outputs: int) -> None:
    """Raise a ValueError if a network cannot have these numbers of inputs and outputs."""
    for name, count in (("inputs", inputs), ("outputs", outputs)):
        if not isinstance(count, int | np.integer) or isinstance(count, bool) or not 1 <= count <= MAX_NODES:
            raise ValueError(f"{name} must be an integer from 1 to {MAX_NODES}, got {brief(count)}")


def gene_array(genome: Any) -> np.ndarray:
    """Return the genes of any object with `genes` as an array that `build_weights` reads."""
    genes = genome.genes
    if type(genes) is not np.ndarray or genes.dtype != FLOAT or not genes.flags.c_contiguous:
        try:
            genes = np.ascontiguousarray(genes, dtype=float)
        except (TypeError, ValueError, OverflowError):
            raise TypeError(f"genes must be rows of {COLUMNS} numbers, got {brief(genes)}") from None
    if genes.ndim != 2 or genes.shape[1] != COLUMNS:
        raise ValueError(
            f"genes must be rows of {COLUMNS} numbers: innovation, source, target, weight, enabled; got {genes.shape}"
        )
    return genes


@compiled
def build_weights(genes: np.ndarray, sources: int, outputs: int) -> np.ndarray:
    """Return the weights of a `Network` from the gene array of a genome.

    Every gene is validated first, so that arbitrary values cannot cause a write out of bounds.
    """
    first = sources + outputs
    hidden = np.empty(2 * genes.shape[0], np.int64)
    count = np.int64(0)
    for k in range(genes.shape[0]):
        if genes[k, ENABLED] == 0.0:
            continue
        # NaN fails both comparisons
        if not (0.0 <= genes[k, SOURCE] <= LARGEST and sources <= genes[k, TARGET] <= LARGEST):
            raise ValueError(WRONG_NODE)
        if not abs(genes[k, WEIGHT]) < np.inf:
            raise ValueError(WRONG_WEIGHT)
        for column in (SOURCE, TARGET):
            node = np.int64(genes[k, column])
            if node != genes[k, column]:
                raise ValueError(WRONG_NODE)
            if node < first:
                continue
            place = _place(hidden, count, node)
            if place == count or hidden[place] != node:
                for i in range(count, place, -1):
                    hidden[i] = hidden[i - 1]
                hidden[place] = node
                count += 1
                if first + count > MAX_NODES:
                    raise ValueError(TOO_MANY_NODES)
    nodes = outputs + count
    weights = np.zeros(((nodes + NODES_PER_BLOCK - 1) // NODES_PER_BLOCK, sources + nodes, NODES_PER_BLOCK))
    for k in range(genes.shape[0]):
        if genes[k, ENABLED] == 0.0:
            continue
        source = np.int64(genes[k, SOURCE])
        if source >= first:
            source = first + _place(hidden, count, source)
        target = np.int64(genes[k, TARGET])
        if target >= first:
            target = first + _place(hidden, count, target)
        target -= sources
        weights[target // NODES_PER_BLOCK, source, target % NODES_PER_BLOCK] += genes[k, WEIGHT]
    return weights


@compiled
def rounded(genes: np.ndarray, scale: float) -> np.ndarray:
    """Return a copy of genes with weights rounded to multiples of 1 / scale, see `express`."""
    copy = genes.copy()
    for k in range(genes.shape[0]):
        if abs(genes[k, WEIGHT]) < ACTIVATION_LIMIT:  # `build_weights` rejects infinite weights
            copy[k, WEIGHT] = np.trunc(genes[k, WEIGHT] * scale + 0.5) / scale
    return copy


@compiled
def unreached_nodes(genes: np.ndarray, sources: int, outputs: int) -> np.ndarray:
    """Return the indices of the nodes that no path of enabled connections leads to from a source."""
    linked = genes.copy()
    linked[:, WEIGHT] = 1.0  # connections of weight 0 count as paths
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


@compiled
def _place(hidden: np.ndarray, count: int, node: int) -> int:
    """Return the index of a node, or its insertion point, among the sorted hidden nodes."""
    low, high = 0, count
    while low < high:
        middle = (low + high) >> 1
        if hidden[middle] < node:
            low = middle + 1
        else:
            high = middle
    return low


@compiled(inline="always")
def propagate(
    weights: np.ndarray, activations: np.ndarray, sums: np.ndarray, sources: int, kind: NodeKinds | None
) -> None:
    """Run one synchronous pass in place: all sums first, then all activations.

    The sums read every source of every node, connected or not, because dense sums have no dependent loads. Sparse sums
    are faster only far above 30 hidden nodes. `kind` is from `node_kinds`; None compiles to branch-free code for the
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
        _apply(kind.output, kind.output_slope, sums[: kind.outputs], nodes[: kind.outputs])
        _apply(kind.hidden, kind.hidden_slope, sums[kind.outputs :], nodes[kind.outputs :])


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
    """Run several passes; `silent` are the indices of nodes that output 0, or None."""
    for _ in range(times):
        propagate(weights, activations, sums, sources, kind)
        if silent is not None:
            for node in silent:
                activations[sources + node] = 0.0


@compiled
def passes_per_activation(silent: np.ndarray, outputs: int) -> int:
    """Return the passes of one activation: 19 if an output is silent, else 1."""
    for node in silent:
        if node < outputs:
            return RELAXATION_PASSES
    return 1


@compiled
def _apply(function: int, slope: float, sums: np.ndarray, nodes: np.ndarray) -> None:
    """Fill the nodes with a function of the slope times their sums."""
    for i in range(len(sums)):
        x = slope * sums[i]
        if function == IS_SIGMOID:
            nodes[i] = 1.0 / (1.0 + _exp(-x))
        elif function == IS_TANH:
            nodes[i] = math.tanh(x)
        elif function == IS_RELU:
            nodes[i] = 0.0 if x < 0.0 else ACTIVATION_LIMIT if x > ACTIVATION_LIMIT else x
        elif function == IS_SINE:
            nodes[i] = math.sin(x)
        elif function == IS_GAUSSIAN:
            nodes[i] = _exp(-x * x)
        else:
            nodes[i] = -ACTIVATION_LIMIT if x < -ACTIVATION_LIMIT else ACTIVATION_LIMIT if x > ACTIVATION_LIMIT else x


@compiled
def count_layers(weights: np.ndarray, sources: int) -> int:
    """Return the number of nodes on the longest path from a source; 0 if there is a cycle."""
    nodes = weights.shape[1] - sources
    waiting = np.zeros(nodes, np.int64)  # incoming connections from nodes without a layer
    for target in range(nodes):
        for source in range(nodes):
            waiting[target] += weights[target // NODES_PER_BLOCK, sources + source, target % NODES_PER_BLOCK] != 0.0
    order = np.empty(nodes, np.int64)  # topological order
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
    return layer.max() if count == nodes else 0


LOG2_E = 1.4426950408889634
LN_2, LN_2_REST = float.fromhex("0x1.62e42feep-1"), float.fromhex("0x1.a39ef35793c76p-33")


# inlined so that LLVM vectorises the loop around it, which it cannot do with the library's exp
@compiled(inline="always")
def _exp(x: float) -> float:
    """Return exp(x) with x limited to plus and minus 700; the relative error is at most 4e-16."""
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
