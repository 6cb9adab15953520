"""Networks: what genomes become, ready to be run."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from divergent._compile import njit
from divergent._intrinsics import LANES, TO_INTEGER, power_of_two, sum_block
from divergent.neat.activation import FUNCTIONS, SIGMOID, SLOPE, Activation, as_activation
from divergent.neat.genome import ENABLED, MOST_NODES, SOURCE, TARGET, TOO_MANY_NODES, WEIGHT, sources
from divergent.validation import FLOAT, LARGEST, as_numbers, brief, check_at_least

BLOCK = LANES  # nodes whose sums are computed together

COLUMNS = 5  # of a gene
LIMIT = 1e30  # of what relu and identity give
RELAXED = 19  # passes of one activation where an output is silent, as in Lehman's program
MOST_DECIMALS = 15  # of rounded weights: those that a float holds
IS_SIGMOID, IS_TANH, IS_RELU, IS_SINE, IS_GAUSSIAN, IS_IDENTITY = range(len(FUNCTIONS))  # in the order of their names

# compiled code raises finished sentences only
WRONG_NODE = f"a link leads from a node, a whole number from 0 to {LARGEST}, to one that is not an input; some do not"
WRONG_WEIGHT = "the weights of a genome must be finite; some are not"

# contract: a product and a sum may be rounded once instead of twice, always in the same places. On processors that fuse
# both, the last bits of networks and rollouts therefore differ from those with NUMBA_DISABLE_JIT=1. No other kernel
# fuses. Division by 0 gives an infinity, as in numpy. Inlining small functions by hand spares the passing of arrays,
# which LLVM does not see through.
compiled = partial(njit, cache=True, nogil=True, error_model="numpy", fastmath={"contract"})


USUAL = (SIGMOID, SIGMOID, False)  # hidden nodes, outputs, no bias; a tuple sees at once what is the same object


class Kind(NamedTuple):
    """What the nodes of a network are, as compiled code reads it; None stands for the usual kind."""

    biases: int
    """1 if there is a bias node, else 0."""
    outputs: int
    """How many nodes are outputs; they come first."""
    output: int
    """The function of outputs, by its place in `FUNCTIONS`."""
    output_slope: float
    hidden: int
    hidden_slope: float


def kind_of(genome: Any) -> Kind | None:
    """The kind of a genome, a network, or of what says nothing of it; None if it is the usual one."""
    hidden = getattr(genome, "hidden_activation", SIGMOID)
    output = getattr(genome, "output_activation", SIGMOID)
    if (hidden, output, getattr(genome, "bias_node", False)) == USUAL:
        return None
    hidden, output = as_activation("hidden_activation", hidden), as_activation("output_activation", output)
    place = list(FUNCTIONS).index
    return Kind(
        int(sources(genome) - genome.inputs),
        int(genome.outputs),
        place(output.function),
        output.slope,
        place(hidden.function),
        hidden.slope,
    )


class Network:
    """A network, feed-forward or recurrent, that keeps its activations from one pass to the next.

    One pass is synchronous: every node sums what its sources held after the pass before, then all nodes change at
    once. A link therefore takes one pass, whether it leads forwards or backwards. Inputs are passed on as they are;
    every other node holds its activation of its sum s, usually 1 / (1 + exp(-4.924273 s)), so that a node that no link
    reaches holds 0.5 from its first pass on, unless it is `silent`.

    Called as a function, a network without cycles gives what its outputs settle at on these inputs: as many passes as
    it has layers, whatever was before. One with a cycle never need settle; a call is one pass, and `reset` begins anew.
    Where something happens between the passes, as in the steps of a drive or an episode, `activate` is one pass for
    every network.

    Parameters
    ----------
    weights
        Shape (blocks, sources, 8): what source j sends to node 8 b + i is ``weights[b, j, i]``. Sources are the inputs,
        the bias if there is one, then the nodes; nodes are the outputs, then the hidden ones.
        None of the parameters can be replaced later: compiled code relies on sizes that fit.
    inputs, outputs
        Their numbers.
    hidden_activation, output_activation
        What hidden nodes and outputs make of their sums: an `Activation`, or the name of a function.
    bias_node
        Whether a source that always holds 1 follows the inputs.
    silent : sequence of int, default=()
        Indices of nodes that hold 0 instead of their activation, see `express`. If an output is among them, one pass of
        `activate` becomes 19.

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
            raise ValueError(f"the weights of a network are an array, got {brief(weights)}") from None
        self._inputs = int(inputs)
        self._outputs = int(outputs)
        self._bias_node = bias_node
        self._sources = sources(self)
        nodes = shape[1] - self._sources if len(shape) == 3 else 0
        if nodes < outputs or shape != (-(-nodes // BLOCK), self._sources + nodes, BLOCK):
            raise ValueError(
                f"the weights of a network have the shape (blocks of {BLOCK} nodes, inputs + nodes, {BLOCK}), "
                f"got {shape} with {inputs} inputs{' and a bias' if bias_node else ''} and {outputs} outputs"
            )
        if shape[1] > MOST_NODES:
            raise ValueError(f"a network has at most {MOST_NODES} nodes, inputs among them, got {shape[1]}")
        self._weights = as_numbers("weights", weights, 3)
        self._hidden_activation = as_activation("hidden_activation", hidden_activation)
        self._output_activation = as_activation("output_activation", output_activation)
        self._kind = kind_of(self)
        self._silent = _check_silent(silent, nodes)
        self._layers: int | None = None
        self.reset()

    @property
    def weights(self) -> np.ndarray:
        """What every source sends to every node."""
        return self._weights

    @property
    def inputs(self) -> int:
        """How many there are, the bias not among them."""
        return self._inputs

    @property
    def outputs(self) -> int:
        """How many there are."""
        return self._outputs

    @property
    def bias_node(self) -> bool:
        """Whether there is one."""
        return self._bias_node

    @property
    def hidden_activation(self) -> Activation:
        """Of hidden nodes."""
        return self._hidden_activation

    @property
    def output_activation(self) -> Activation:
        """Of outputs."""
        return self._output_activation

    @property
    def silent(self) -> np.ndarray | None:
        """Indices of the nodes that always hold 0; None if there are none."""
        return self._silent

    @property
    def is_feed_forward(self) -> bool:
        """Whether no link closes a cycle; one with a weight of 0 carries nothing and closes none."""
        return self._passes() > 0

    def _passes(self):
        """After how many passes all nodes have settled; 0 if there is a cycle."""
        if self._layers is None:
            self._layers = count_layers(self.weights, self._sources)
        return self._layers

    def __call__(self, inputs) -> np.ndarray:
        """The outputs for these inputs: of a network without cycles what they settle at, otherwise after one pass."""
        return self.activate(inputs, self._passes() or 1)

    def activate(self, inputs, passes: int = 1) -> np.ndarray:
        """The outputs after some passes on the same inputs, from where the last pass ended."""
        numbers = as_numbers("inputs", inputs, 1)
        if len(numbers) != self.inputs:
            raise ValueError(f"the network has {self.inputs} inputs, got {len(numbers)} numbers")
        check_at_least(1, passes=passes)
        first = self._sources
        self._activations[: self.inputs] = numbers
        self._activations[self.inputs : first] = 1.0
        if self._silent is not None:
            passes *= passes_of(self._silent, self._outputs)
        run_passes(self.weights, self._activations, self._sums, first, self._kind, self._silent, passes)
        return self._activations[first : first + self.outputs].copy()

    def reset(self) -> None:
        """Forget all activations."""
        nodes = self.weights.shape[0] * BLOCK
        self._activations = np.zeros(self._sources + nodes)
        self._sums = np.zeros(nodes)

    def __repr__(self):
        hidden = self.weights.shape[1] - self._sources - self.outputs
        bias = " and a bias" if self.bias_node else ""
        return f"Network({self.inputs} inputs{bias}, {hidden} hidden, {self.outputs} outputs)"


def express(genome: Any, *, silence_unreached: bool = False, round_weights: int | None = None) -> Network:
    """The network of a genome: its enabled genes, and every node that they mention.

    Parameters
    ----------
    silence_unreached : bool, default=False
        Whether a node that no path of enabled connections leads to from an input or the bias outputs 0 instead of the
        activation of 0. If an output is such a node, each activation of the network is 19 passes. This is the rule of
        Lehman's program (2008).
    round_weights : int or None, default=None
        Decimals of the network's weights. A weight w becomes ``trunc(10**n * w + 0.5) / 10**n``, which rounds negative
        weights towards 0; Lehman's program has 3. None keeps the weights of the genome.

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
        raise TypeError(f"a genome has genes, inputs and outputs; got {brief(genome)}") from None
    check_expression(silence_unreached, round_weights)
    genes, first, outputs = rows(genome), int(sources(genome)), int(genome.outputs)
    weights = wire(genes if round_weights is None else rounded(genes, 10.0**round_weights), first, outputs)
    return Network(
        weights,
        genome.inputs,
        genome.outputs,
        hidden_activation=getattr(genome, "hidden_activation", SIGMOID),
        output_activation=getattr(genome, "output_activation", SIGMOID),
        bias_node=getattr(genome, "bias_node", False),
        silent=unreached(genes, first, outputs) if silence_unreached else (),
    )


def _check_silent(silent: Any, nodes: int) -> np.ndarray | None:
    """The indices of silent nodes as compiled code reads them; None if there are none."""
    found = np.asarray(silent)
    if not found.size:
        return None
    if found.ndim != 1 or found.dtype.kind not in "iu" or found.min() < 0 or found.max() >= nodes:
        raise ValueError(f"silent must be indices of nodes from 0 to {nodes - 1}, got {brief(silent)}")
    return found.astype(np.int64)


def check_expression(silence_unreached: bool, round_weights: int | None) -> None:
    """Refuse options of `express` that break their rule."""
    if not isinstance(silence_unreached, bool):
        raise ValueError(f"silence_unreached must be True or False, got {brief(silence_unreached)}")
    if round_weights is not None:
        whole = isinstance(round_weights, int | np.integer) and not isinstance(round_weights, bool)
        if not whole or not 0 <= round_weights <= MOST_DECIMALS:
            raise ValueError(
                f"round_weights must be an integer from 0 to {MOST_DECIMALS} or None, got {brief(round_weights)}"
            )


def check_counts(inputs: int, outputs: int) -> None:
    """Refuse numbers of inputs and outputs that no network can have."""
    for name, count in (("inputs", inputs), ("outputs", outputs)):
        if not isinstance(count, int | np.integer) or isinstance(count, bool) or not 1 <= count <= MOST_NODES:
            raise ValueError(f"{name} must be a whole number from 1 to {MOST_NODES}, got {brief(count)}")


def rows(genome: Any) -> np.ndarray:
    """The genes of anything that has some, as an array that `wire` can read."""
    genes = genome.genes
    if type(genes) is not np.ndarray or genes.dtype != FLOAT or not genes.flags.c_contiguous:
        try:
            genes = np.ascontiguousarray(genes, dtype=float)
        except (TypeError, ValueError, OverflowError):
            raise TypeError(f"genes are rows of {COLUMNS} numbers, got {brief(genes)}") from None
    if genes.ndim != 2 or genes.shape[1] != COLUMNS:
        raise ValueError(
            f"genes are rows of {COLUMNS} numbers: innovation, source, target, weight, enabled; got {genes.shape}"
        )
    return genes


@compiled
def wire(genes, sources, outputs):
    """The weights of a `Network` from the `rows` of a genome.

    Whatever they hold, nothing is written where it does not belong: what cannot be wired is refused.
    """
    first = sources + outputs
    hidden = np.empty(2 * genes.shape[0], np.int64)
    count = np.int64(0)
    for k in range(genes.shape[0]):
        if genes[k, ENABLED] == 0.0:
            continue
        # nan passes neither of these
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
                if first + count > MOST_NODES:
                    raise ValueError(TOO_MANY_NODES)
    nodes = outputs + count
    weights = np.zeros(((nodes + BLOCK - 1) // BLOCK, sources + nodes, BLOCK))
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
        weights[target // BLOCK, source, target % BLOCK] += genes[k, WEIGHT]
    return weights


@compiled
def rounded(genes, scale):
    """A copy of genes with their weights rounded to multiples of 1 / scale, see `express`."""
    found = genes.copy()
    for k in range(genes.shape[0]):
        if abs(genes[k, WEIGHT]) < LIMIT:  # `wire` refuses what is not finite
            found[k, WEIGHT] = np.trunc(genes[k, WEIGHT] * scale + 0.5) / scale
    return found


@compiled
def unreached(genes, sources, outputs):
    """Indices of the nodes of a network that no path of enabled connections leads to from a source."""
    alike = genes.copy()
    alike[:, WEIGHT] = 1.0  # a connection of weight 0 is a path as well
    weights = wire(alike, sources, outputs)
    nodes = weights.shape[1] - sources
    reached = np.zeros(sources + nodes, np.bool_)
    reached[:sources] = True
    grows = True
    while grows:
        grows = False
        for source in range(sources + nodes):
            if reached[source]:
                for node in range(nodes):
                    if weights[node // BLOCK, source, node % BLOCK] != 0.0 and not reached[sources + node]:
                        reached[sources + node] = grows = True
    return np.flatnonzero(~reached[sources:])


@compiled
def _place(hidden, count, node):
    """Where a node is, or belongs, among the sorted hidden nodes."""
    low, high = 0, count
    while low < high:
        middle = (low + high) >> 1
        if hidden[middle] < node:
            low = middle + 1
        else:
            high = middle
    return low


@compiled(inline="always")
def propagate(weights, activations, sums, sources, kind):
    """One synchronous pass, in place: all sums first, then all activations of them.

    Every source is read for every node, linked or not, since then nothing waits for anything. Following the links one
    by one is faster only where there are many more than 30 hidden nodes. `kind` is what `kind_of` gives; for None,
    the usual sigmoid, code without any choice is compiled.
    """
    blocks = weights.shape[0]
    for b in range(blocks):
        sum_block(weights, b, activations, sums)
    if kind is None:
        for i in range(blocks * BLOCK):
            activations[sources + i] = 1.0 / (1.0 + _exp(-SLOPE * sums[i]))
    else:
        nodes = activations[sources:]
        _apply(kind.output, kind.output_slope, sums[: kind.outputs], nodes[: kind.outputs])
        _apply(kind.hidden, kind.hidden_slope, sums[kind.outputs :], nodes[kind.outputs :])


@compiled
def run_passes(weights, activations, sums, sources, kind, silent, times):
    """Several passes; `silent` are the indices of nodes that then hold 0, or None."""
    for _ in range(times):
        propagate(weights, activations, sums, sources, kind)
        if silent is not None:
            for node in silent:
                activations[sources + node] = 0.0


@compiled
def passes_of(silent, outputs):
    """The passes of one activation: 19 if an output is silent, else 1."""
    for node in silent:
        if node < outputs:
            return RELAXED
    return 1


@compiled
def _apply(function, slope, sums, nodes):
    """Fill the nodes with a function of the slope times their sums."""
    for i in range(len(sums)):
        x = slope * sums[i]
        if function == IS_SIGMOID:
            nodes[i] = 1.0 / (1.0 + _exp(-x))
        elif function == IS_TANH:
            nodes[i] = math.tanh(x)
        elif function == IS_RELU:
            nodes[i] = 0.0 if x < 0.0 else LIMIT if x > LIMIT else x
        elif function == IS_SINE:
            nodes[i] = math.sin(x)
        elif function == IS_GAUSSIAN:
            nodes[i] = _exp(-x * x)
        else:
            nodes[i] = -LIMIT if x < -LIMIT else LIMIT if x > LIMIT else x


@compiled
def count_layers(weights, sources):
    """How many nodes the longest way through a network has, from a source to its end; 0 if there is a cycle."""
    nodes = weights.shape[1] - sources
    waiting = np.zeros(nodes, np.int64)  # links into a node from nodes that are in no layer yet
    for target in range(nodes):
        for source in range(nodes):
            waiting[target] += weights[target // BLOCK, sources + source, target % BLOCK] != 0.0
    order = np.empty(nodes, np.int64)  # every node after all that lead into it
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
            if weights[target // BLOCK, sources + source, target % BLOCK] != 0.0:
                layer[target] = max(layer[target], layer[source] + 1)
                waiting[target] -= 1
                if waiting[target] == 0:
                    order[count] = target
                    count += 1
    return layer.max() if count == nodes else 0


LOG2_E = 1.4426950408889634
LN_2, LN_2_REST = float.fromhex("0x1.62e42feep-1"), float.fromhex("0x1.a39ef35793c76p-33")


# inlined in a loop this runs on several numbers at once, which the library's exp cannot
@compiled(inline="always")
def _exp(x):
    """exp(x), limited to what exp(-700) and exp(700) are; right to 4e-16 of the value."""
    if x > 700.0:
        x = 700.0
    if x < -700.0:
        x = -700.0
    shifted = x * LOG2_E + TO_INTEGER
    whole = shifted - TO_INTEGER
    r = (x - whole * LN_2) - whole * LN_2_REST
    r2 = r * r
    r4 = r2 * r2
    low = (1 + r) + r2 * (1 / 2 + r * (1 / 6)) + r4 * ((1 / 24 + r * (1 / 120)) + r2 * (1 / 720 + r * (1 / 5040)))
    high = (1 / 40320 + r * (1 / 362880)) + r2 * (1 / 3628800 + r * (1 / 39916800)) + r4 * (1 / 479001600)
    return (low + r4 * r4 * high) * power_of_two(shifted)
