"""Neural networks, the phenotypes of genomes."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from divergent.neat._network_kernels import (
    IS_IDENTITY,
    NODES_PER_BLOCK,
    NodeKinds,
    build_weights,
    evaluate_points,
    order_nodes,
    passes_per_activation,
    rounded,
    run_passes,
    unreached_nodes,
)
from divergent.neat._topology import MAX_NODES, collect_nodes
from divergent.neat.activation import FUNCTIONS, SIGMOID, Activation, as_activation
from divergent.neat.genome import sources
from divergent.validation import FLOAT, as_numbers, brief, check_at_least, is_integer

COLUMNS = 5  # number of columns of a gene array
MAX_DECIMALS = 15  # a float has about 15 significant decimal digits

DEFAULT_KINDS = (
    SIGMOID,
    SIGMOID,
    False,
)  # default hidden activation, output activation and bias node

INDEX = {name: index for index, name in enumerate(FUNCTIONS)}


def node_kinds(genome: Any) -> NodeKinds | None:
    """Return the bias and the activations of a genome or network, or None if all have their default values."""
    hidden = getattr(genome, "hidden_activation", SIGMOID)
    output = getattr(genome, "output_activation", SIGMOID)
    own = getattr(genome, "node_activations", None)
    if not own and (hidden, output, getattr(genome, "bias_node", False)) == DEFAULT_KINDS:
        return None
    hidden, output = as_activation("hidden_activation", hidden), as_activation("output_activation", output)
    functions, slopes = (None, None) if not own else _function_arrays(_in_order(genome, own))
    return NodeKinds(
        int(sources(genome) - genome.inputs),
        int(genome.outputs),
        INDEX[output.function],
        output.slope,
        INDEX[hidden.function],
        hidden.slope,
        functions,
        slopes,
    )


def _in_order(genome: Any, own: Any) -> Sequence[Activation]:
    """Return the activation of each node in the order of a network: outputs, then hidden nodes with enabled genes."""
    if not isinstance(own, Mapping):  # `node_activations` of a network are already in node order
        return own
    first, outputs = int(sources(genome)), int(genome.outputs)
    nodes = collect_nodes(gene_array(genome), first + outputs, True).tolist()
    default = [getattr(genome, "output_activation", SIGMOID)] * outputs
    default += [getattr(genome, "hidden_activation", SIGMOID)] * len(nodes)
    return [own.get(node, kind) for node, kind in zip([*range(first, first + outputs), *nodes], default, strict=True)]


def _function_arrays(activations: Sequence[Activation]) -> tuple[np.ndarray, np.ndarray]:
    """Return the indices in `FUNCTIONS` and the slopes of activations as arrays for compiled code."""
    functions = np.array([INDEX[activation.function] for activation in activations], dtype=np.int64)
    return functions, np.array([activation.slope for activation in activations], dtype=float)


class Network:
    """A feed-forward or recurrent network that keeps its activations between passes.

    A pass is synchronous: every node sums the outputs of its sources from the previous pass, then all nodes are updated
    at once. A signal therefore needs one pass for each feed-forward or recurrent connection on its path. Input nodes
    output the inputs unchanged. The output of a hidden or output node is a function of its weighted sum s, by default 1
    / (1 + exp(-4.924273 s)). A node without incoming connections therefore outputs 0.5 after the first pass, unless the
    node is in `silent`.

    If the network is acyclic, a call runs one pass per layer and returns the steady-state outputs, which do not depend
    on earlier calls. If the network has a cycle, a call runs one pass from the current activations; `reset` sets them
    to 0. `activate` runs one pass by default, for control tasks in which the inputs change between passes.

    Parameters
    ----------
    weights : numpy.ndarray
        Array of shape (blocks, sources, 8); ``weights[b, j, i]`` is the weight from source j to node 8 b + i. Sources
        are the inputs, the bias if there is one, then the nodes. Nodes are the outputs, then the hidden nodes. All
        parameters become read-only attributes, because compiled code relies on matching sizes.
    inputs : int
        Number of inputs.
    outputs : int
        Number of outputs.
    hidden_activation : str or Activation, default=SIGMOID
        Activation of hidden nodes, given as an `Activation` or as a function name.
    output_activation : str or Activation, default=SIGMOID
        Activation of outputs, given as an `Activation` or as a function name.
    bias_node : bool, default=False
        Whether the network has a bias node: a source after the inputs that always outputs 1.
    node_activations : sequence of Activation or str, or None, default=None
        Activation of each node, in the order of the nodes. If None, `hidden_activation` and `output_activation` apply.
    silent : sequence of int, default=()
        Indices of nodes that output 0 instead of their activation, see `express`. If an output node is in `silent`,
        `activate` replaces each pass by 19 passes, as in Lehman's program (2008).

    Raises
    ------
    ValueError
        If the sizes do not match, or there are more than 5000 nodes.

    See Also
    --------
    express : Build the network of a genome.

    Examples
    --------
    >>> weights = np.zeros((1, 3, 8))
    >>> weights[0, :2, 0] = 1.0, -1.0        # from the two inputs to the only output
    >>> network = Network(weights, inputs=2, outputs=1)
    >>> network([0.5, 0.5]).tolist(), network([1.0, 0.0]).round(3).tolist()
    ([0.5], [0.993])
    >>> network.is_feed_forward
    True

    An acyclic network evaluates many input points in one call:

    >>> network = Network(weights, inputs=2, outputs=1, output_activation="identity")
    >>> network([1.0, 0.25]).tolist(), network.many([[1.0, 0.25], [0.5, 1.0]]).tolist()
    ([0.75], [[0.75], [-0.5]])
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
        node_activations: Sequence[Activation | str] | None = None,
        silent: Sequence[int] | np.ndarray = (),
    ):
        check_counts(inputs, outputs)
        try:
            shape = np.shape(weights)
        except ValueError:
            raise ValueError(f"weights must be a NumPy array of three dimensions, got {brief(weights)}") from None
        self._inputs = int(inputs)
        self._outputs = int(outputs)
        self._bias_node = bias_node
        self._sources = sources(self)
        nodes = shape[1] - self._sources if len(shape) == 3 else 0
        if nodes < outputs or shape != (-(-nodes // NODES_PER_BLOCK), self._sources + nodes, NODES_PER_BLOCK):
            raise ValueError(
                f"weights must be an array of shape (blocks, sources, {NODES_PER_BLOCK}) with up to "
                f"{NODES_PER_BLOCK} nodes in each block and one source for each input, bias and node, "
                f"got the shape {shape} for {inputs} inputs{' and a bias' if bias_node else ''} and {outputs} outputs"
            )
        if shape[1] > MAX_NODES:
            raise ValueError(f"the number of nodes, including inputs, must be at most {MAX_NODES}, got {shape[1]}")
        self._weights = as_numbers("weights", weights, 3)
        self._hidden_activation = as_activation("hidden_activation", hidden_activation)
        self._output_activation = as_activation("output_activation", output_activation)
        self._node_activations: tuple[Activation, ...] | None = None
        if node_activations is not None:
            self._node_activations = _check_node_activations(node_activations, nodes)
        self._kind = node_kinds(self)
        self._silent = _check_silent(silent, nodes)
        self._order: tuple[np.ndarray, int] | None = None
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
    def node_activations(self) -> tuple[Activation, ...] | None:
        """Activation of each node; None if all nodes have `hidden_activation` or `output_activation`."""
        return self._node_activations

    @property
    def silent(self) -> np.ndarray | None:
        """Indices of the nodes that always output 0; None if there are none."""
        return self._silent

    @property
    def is_feed_forward(self) -> bool:
        """Whether no connection closes a cycle; connections of weight 0 are ignored."""
        return self._passes() > 0

    def _ordered(self) -> tuple[np.ndarray, int]:
        """Return the nodes in topological order and the number of layers, which is 0 if there is a cycle."""
        if self._order is None:
            self._order = order_nodes(self.weights, self._sources)
        return self._order

    def _passes(self) -> int:
        """Return the number of passes until all nodes are in steady state, or 0 if there is a cycle."""
        return self._ordered()[1]

    def __call__(self, inputs: Any) -> np.ndarray:
        """Return the steady-state outputs if the network is acyclic, otherwise the outputs after one pass."""
        return self.activate(inputs, self._passes() or 1)

    def many(self, points: Any) -> np.ndarray:
        """Evaluate an acyclic network at many input points in one compiled call.

        Up to rounding, the outputs equal the steady-state outputs of a separate call for each point. Activations that
        the network keeps between passes are neither read nor changed.

        Parameters
        ----------
        points : array_like
            Input points, shape (n, inputs).

        Returns
        -------
        numpy.ndarray
            Outputs, shape (n, outputs).

        Raises
        ------
        ValueError
            If the points do not have one column for each input, or the network has a cycle.
        """
        numbers = as_numbers("points", points, 2)
        if numbers.shape[1] != self.inputs:
            raise ValueError(f"points must have {self.inputs} columns, one for each input, got {numbers.shape[1]}")
        order, layers = self._ordered()
        if not layers:
            raise ValueError(
                "Network.many must be called on an acyclic network, got a network with a cycle; "
                "breed genomes with feed_forward=True, or call Network.activate for each point"
            )
        kinds = self._node_activations
        if kinds is None:
            hidden = len(order) - self.outputs
            kinds = (self.output_activation,) * self.outputs + (self.hidden_activation,) * hidden
        functions, slopes = _function_arrays(kinds)
        if self._silent is not None:
            functions[self._silent], slopes[self._silent] = IS_IDENTITY, 0.0
        answers = np.empty((len(numbers), self.outputs))
        evaluate_points(numbers, self.weights, self._sources, order, functions, slopes, answers)
        return answers

    def activate(self, inputs: Any, passes: int = 1) -> np.ndarray:
        """Run synchronous passes with constant inputs, starting from the current activations.

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
    genome : divergent.neat.Genome
        The genome, or any object with `genes`, `inputs` and `outputs`.
    silence_unreached : bool, default=False
        Whether nodes output 0 if they are unreachable from the inputs and the bias through enabled connections. If an
        output is unreachable, `Network.activate` replaces each pass by 19 passes. Lehman's program (2008) also silences
        unreachable nodes and runs 19 passes.
    round_weights : int or None, default=None
        Number of decimals to which the network's weights are rounded. If there are n decimals, a weight w becomes
        ``trunc(10**n * w + 0.5) / 10**n``, which rounds negative weights towards 0. Lehman's program rounds to 3
        decimals. None keeps the weights of the genome.

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
    own = getattr(genome, "node_activations", None)
    weights = build_weights(genes if round_weights is None else rounded(genes, 10.0**round_weights), first, outputs)
    return Network(
        weights,
        genome.inputs,
        genome.outputs,
        hidden_activation=getattr(genome, "hidden_activation", SIGMOID),
        output_activation=getattr(genome, "output_activation", SIGMOID),
        bias_node=getattr(genome, "bias_node", False),
        node_activations=_in_order(genome, own) if own else None,
        silent=unreached_nodes(genes, first, outputs) if silence_unreached else (),
    )


def _check_node_activations(activations: Sequence[Activation | str], nodes: int) -> tuple[Activation, ...]:
    """Return the activation of each node as a tuple."""
    if isinstance(activations, str | Mapping) or len(activations) != nodes:
        raise ValueError(
            f"node_activations must contain one activation for each node, got {nodes} nodes and {brief(activations)}"
        )
    return tuple(as_activation("node_activations", activation) for activation in activations)


def _check_silent(silent: Any, nodes: int) -> np.ndarray | None:
    """Return `silent` as an array of node indices for compiled code, or None if `silent` is empty."""
    indices = np.asarray(silent)
    if not indices.size:
        return None
    if indices.ndim != 1 or indices.dtype.kind not in "iu" or indices.min() < 0 or indices.max() >= nodes:
        raise ValueError(f"silent must contain node indices from 0 to {nodes - 1}, got {brief(silent)}")
    return indices.astype(np.int64)


def check_expression(silence_unreached: bool, round_weights: int | None) -> None:
    """Raise a ValueError if an option of `express` is invalid."""
    if not isinstance(silence_unreached, bool):
        raise ValueError(f"silence_unreached must be True or False, got {brief(silence_unreached)}")
    if round_weights is not None and not (is_integer(round_weights) and 0 <= round_weights <= MAX_DECIMALS):
        raise ValueError(
            f"round_weights must be an integer from 0 to {MAX_DECIMALS} or None, got {brief(round_weights)}"
        )


def check_counts(inputs: int, outputs: int) -> None:
    """Raise a ValueError if a network cannot have these numbers of inputs and outputs."""
    for name, count in (("inputs", inputs), ("outputs", outputs)):
        if not is_integer(count) or not 1 <= count <= MAX_NODES:
            raise ValueError(
                f"argument {name} must be an integer number of nodes from 1 to {MAX_NODES}, got {brief(count)}"
            )


def gene_array(genome: Any) -> np.ndarray:
    """Return the `genes` of any object as an array for `build_weights`."""
    genes = genome.genes
    if type(genes) is not np.ndarray or genes.dtype != FLOAT or not genes.flags.c_contiguous:
        try:
            genes = np.ascontiguousarray(genes, dtype=float)
        except (TypeError, ValueError, OverflowError):
            raise TypeError(f"genes must be rows of {COLUMNS} numbers, got {brief(genes)}") from None
    if genes.ndim != 2 or genes.shape[1] != COLUMNS:
        raise ValueError(
            f"genes must have {COLUMNS} columns (innovation, source, target, weight, enabled), got shape {genes.shape}"
        )
    return genes
