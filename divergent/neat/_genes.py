"""Gene arrays: columns and validation."""

import math
from typing import Any

import numpy as np

from divergent._compile import njit
from divergent.validation import FLOAT, LARGEST, brief, is_finite, is_integer

INNOVATION, SOURCE, TARGET, WEIGHT, ENABLED = range(5)


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
