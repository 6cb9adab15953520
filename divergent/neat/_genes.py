"""Column indices and validation of gene arrays."""

import math
from typing import Any

import numpy as np

from divergent._compile import njit
from divergent.validation import FLOAT, LARGEST, brief, is_integer

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
            f"genes must be rows of numbers (innovation, source, target, weight, enabled), got {brief(genes)}"
        ) from None


def check_counts(inputs: Any, outputs: Any) -> None:
    """Raise a ValueError unless the numbers of inputs and outputs are valid."""
    for name, count in (("inputs", inputs), ("outputs", outputs)):
        if not is_integer(count) or not 1 <= count <= LARGEST:
            raise ValueError(
                f"the numbers of inputs and outputs must be integers, at least 1, got {name} = {brief(count)}"
            )


def check_bias(bias_node: Any) -> None:
    """Raise a ValueError unless `bias_node` is True or False."""
    if not isinstance(bias_node, bool):
        raise ValueError(f"bias_node must be True or False, got {brief(bias_node)}")


def sources(genome: Any) -> int:
    """Return the number of inputs and bias nodes, which is also the id of the first output."""
    bias = getattr(genome, "bias_node", False)
    if bias is False:
        return genome.inputs
    check_bias(bias)
    return genome.inputs + 1


def check_genes(genes: np.ndarray, sources: int) -> None:
    """Raise a ValueError that describes the first invalid gene, if any."""
    if genes.ndim != 2 or genes.shape[1] != 5:
        raise ValueError(
            f"genes must have the columns innovation, source, target, weight, enabled, got the shape {genes.shape}"
        )
    links = set(zip(*genes[:, SOURCE:WEIGHT].T.tolist(), strict=True))
    if are_valid_genes(genes, sources) and len(links) == len(genes):
        return
    ids = genes[:, :WEIGHT]
    are_ids = ((ids >= 0) & (ids <= LARGEST) & (ids == np.floor(ids))).all(axis=1)
    if not are_ids.all():
        wrong = ids[np.argmin(are_ids)].tolist()
        raise ValueError(f"innovations and node ids must be integers from 0 to {LARGEST}, got {wrong}")
    for column, valid, rule in (
        (WEIGHT, np.isfinite(genes[:, WEIGHT]), "connection weights must be finite, got "),
        (ENABLED, np.isin(genes[:, ENABLED], (0, 1)), "enabled must be 1 or 0, got "),
        (TARGET, genes[:, TARGET] >= sources, "the target of a connection must not be an input, got node "),
    ):
        if not valid.all():
            gene = genes[np.argmin(valid)]
            raise ValueError(f"{rule}{gene[column]:g} for innovation {int(gene[INNOVATION])}")
    values, counts = np.unique(genes[:, INNOVATION], return_counts=True)
    if (counts > 1).any():
        raise ValueError(
            f"innovation numbers must be unique within a genome, got the number {int(values[counts > 1][0])} "
            f"for {counts.max()} genes; remove the duplicates"
        )
    values, counts = np.unique(genes[:, SOURCE:WEIGHT], axis=0, return_counts=True)
    if (counts > 1).any():
        source, target = values[counts > 1][0].tolist()
        raise ValueError(
            f"connections must be unique within a genome, got {counts.max()} connections "
            f"from node {int(source)} to node {int(target)}"
        )


def validate_genes(genes: np.ndarray, sources: int) -> np.ndarray:
    """Return the genes unchanged; raise a ValueError if a gene is invalid or the genes are not sorted by innovation."""
    if genes.ndim != 2 or genes.shape[1] != 5 or not are_valid_genes(genes, sources):
        check_genes(genes, sources)
        raise ValueError(f"genes must be sorted by innovation, got the order {brief(genes[:, INNOVATION].tolist())}")
    return genes


def validated_genes(genome: Any) -> np.ndarray:
    """Return the genes of a genome; raise an error if in-place changes made the genes invalid."""
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
    """Return whether genes are sorted by innovation and have valid values; duplicate connections are not detected."""
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
