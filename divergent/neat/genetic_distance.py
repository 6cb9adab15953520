"""Compatibility distance between genomes: disjoint genes, excess genes and weight differences."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from divergent._compile import njit
from divergent.neat._genes import INNOVATION, WEIGHT
from divergent.neat.genome import Genome, own_activations, sources, validated_genes
from divergent.validation import brief, is_finite


class Compatibility(NamedTuple):
    """Terms of the compatibility distance between two genomes.

    Parameters
    ----------
    disjoint : int
        Number of non-matching genes within the range of the other genome's innovations.
    excess : int
        Number of genes beyond the other genome's last innovation.
    weight : float
        Mean absolute weight difference of matching genes; 0 if no genes match.

    See Also
    --------
    compatibility : Compute the terms of the distance between two genomes.
    """

    disjoint: int
    excess: int
    weight: float


class Diversity(NamedTuple):
    """Genotypic diversity: means of the compatibility distance and of its terms over all pairs of genomes.

    Parameters
    ----------
    compatibility : float
        Mean compatibility distance.
    disjoint : float
        Mean number of disjoint genes.
    excess : float
        Mean number of excess genes.
    weight : float
        Mean weight difference of matching genes.

    See Also
    --------
    diversity : Compute the genotypic diversity of a population.
    """

    compatibility: float
    disjoint: float
    excess: float
    weight: float


def compatibility(first: Genome, second: Genome) -> Compatibility:
    """Compute the terms of the compatibility distance between two genomes.

    Parameters
    ----------
    first : divergent.neat.Genome
        The first genome.
    second : divergent.neat.Genome
        The second genome, from the same run.

    Returns
    -------
    Compatibility
        Disjoint genes, excess genes and the mean weight difference.

    See Also
    --------
    distance : Compatibility distance, the weighted sum of the terms.
    """
    disjoint, excess, weight = compare_genes(validated_genes(first), validated_genes(second))
    return Compatibility(disjoint, excess, weight)


def distance(
    first: Genome,
    second: Genome,
    *,
    disjoint: float = 1.0,
    excess: float = 1.0,
    weight: float = 3.0,
    activation: float = 0.0,
) -> float:
    """Compute NEAT's compatibility distance, not normalised by genome size.

    Parameters
    ----------
    first : divergent.neat.Genome
        The first genome.
    second : divergent.neat.Genome
        The second genome, from the same run.
    disjoint : float, default=1.0
        Coefficient of the number of disjoint genes.
    excess : float, default=1.0
        Coefficient of the number of excess genes.
    weight : float, default=3.0
        Coefficient of the mean weight difference of matching genes.
    activation : float, default=0.0
        Coefficient of the number of shared nodes whose activations differ.

    Returns
    -------
    float
        The distance.

    See Also
    --------
    compatibility : Terms of the compatibility distance.

    References
    ----------
    K. O. Stanley and R. Miikkulainen, "Evolving neural networks through augmenting topologies", Evolutionary
    Computation 10(2), 2002.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> genome = Genome.start(2, 1, rng=rng)
    >>> other = genome.copy()
    >>> other.genes[:, WEIGHT] += 0.5
    >>> distance(genome, other)
    1.5
    """
    _check_coefficients(disjoint=disjoint, excess=excess, weight=weight, activation=activation)
    parts = compare_genes(validated_genes(first), validated_genes(second))
    between = disjoint * parts[0] + excess * parts[1] + weight * parts[2]
    return between + activation * differing_activations(first, second) if activation else between


def differing_activations(first: Genome, second: Genome) -> int:
    """Return the number of nodes that occur in both genomes and differ in activation."""
    own = own_activations(first), own_activations(second)
    common = {*first.hidden.tolist()} & {*second.hidden.tolist()}
    hidden = sum(
        own[0].get(node, first.hidden_activation) != own[1].get(node, second.hidden_activation) for node in common
    )
    start = sources(first)
    return hidden + sum(
        own[0].get(node, first.output_activation) != own[1].get(node, second.output_activation)
        for node in range(start, start + min(first.outputs, second.outputs))
    )


def diversity(
    genomes: Sequence[Genome], *, disjoint: float = 1.0, excess: float = 1.0, weight: float = 3.0
) -> Diversity:
    """Compute the means of the compatibility distance and of its terms over all pairs of genomes.

    Parameters
    ----------
    genomes : sequence of Genome
        The population.
    disjoint : float, default=1.0
        Coefficient of the number of disjoint genes.
    excess : float, default=1.0
        Coefficient of the number of excess genes.
    weight : float, default=3.0
        Coefficient of the mean weight difference of matching genes.

    Returns
    -------
    Diversity
        Means over all pairs; zeros if there are fewer than two genomes.

    See Also
    --------
    mean_distances : Mean distance from each genome to all others.
    """
    _check_coefficients(disjoint=disjoint, excess=excess, weight=weight)
    if len(genomes) < 2:
        return Diversity(0.0, 0.0, 0.0, 0.0)
    parts = _mean_parts(*_flatten_genes([validated_genes(genome) for genome in genomes]))
    return Diversity(disjoint * parts[0] + excess * parts[1] + weight * parts[2], *parts)


def mean_distances(
    genomes: Sequence[Genome], *, disjoint: float = 1.0, excess: float = 1.0, weight: float = 3.0
) -> np.ndarray:
    """Compute the mean distance from each genome to all others.

    `mean_distances` can serve as an objective for genotypic diversity: ``by_score(strategy=[Novelty(),
    LocalCompetition(), mean_distances], select=tools.selNSGA2)``.

    Parameters
    ----------
    genomes : sequence of Genome
        The population.
    disjoint : float, default=1.0
        Coefficient of the number of disjoint genes.
    excess : float, default=1.0
        Coefficient of the number of excess genes.
    weight : float, default=3.0
        Coefficient of the mean weight difference of matching genes.

    Returns
    -------
    numpy.ndarray
        Mean distance from each genome to all others; 0 if there is only one genome.

    See Also
    --------
    diversity : Mean distance over all pairs of genomes.

    Examples
    --------
    >>> genome = Genome.start(2, 1, rng=np.random.default_rng(1))
    >>> duplicate, other = genome.copy(), genome.copy()
    >>> other.genes[:, WEIGHT] += 1.0
    >>> mean_distances([genome, duplicate, other]).tolist()
    [1.5, 1.5, 3.0]
    """
    _check_coefficients(disjoint=disjoint, excess=excess, weight=weight)
    genes = [validated_genes(genome) for genome in genomes]
    if len(genes) < 2:
        return np.zeros(len(genes))
    return _mean_distances(*_flatten_genes(genes), float(disjoint), float(excess), float(weight))


def _check_coefficients(**coefficients: Any) -> None:
    for name, value in coefficients.items():
        if not is_finite(value):
            raise ValueError(f"coefficient {name} must be a finite number, got {brief(value)}")


@njit(cache=True)
def compare_genes(first: np.ndarray, second: np.ndarray) -> tuple[int, int, float]:
    """Return the numbers of disjoint and excess genes and the mean weight difference of two genomes."""
    i = j = matching = disjoint = 0
    total = 0.0
    while i < len(first) and j < len(second):
        first_number, second_number = first[i, INNOVATION], second[j, INNOVATION]
        if first_number == second_number:
            total += abs(first[i, WEIGHT] - second[j, WEIGHT])
            matching += 1
        else:
            disjoint += 1
        i += first_number <= second_number
        j += second_number <= first_number
    excess = len(first) - i + len(second) - j
    return disjoint, excess, total / matching if matching else 0.0


def _flatten_genes(genes: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Concatenate the genes of all genomes; return innovation ranks, weights and the boundaries between genomes.

    The rank of a gene is the position of its innovation number among all distinct innovation numbers, in ascending
    order. The genes of genome i have the indices from boundary i up to, but not including, boundary i + 1. Tables
    indexed by rank are small, because a population has few distinct innovation numbers.
    """
    innovations, weights = (np.concatenate([part[:, column] for part in genes]) for column in (INNOVATION, WEIGHT))
    _, ranks = np.unique(innovations, return_inverse=True)
    return ranks, weights, np.cumsum([0, *map(len, genes)])


@njit(cache=True)
def _compare_later(
    index: int, ranks: np.ndarray, weights: np.ndarray, ends: np.ndarray, table: np.ndarray, apart: np.ndarray
) -> None:
    """Compare genome `index` with every later genome i, and write the terms of their distance to row i of `apart`.

    The weights of genome `index` are written into `table` by innovation rank; NaN marks innovations that the genome
    lacks. With this table, each comparison needs only one pass over the genes of genome i.
    """
    table[:] = np.nan
    for gene in range(ends[index], ends[index + 1]):
        table[ranks[gene]] = weights[gene]
    own_ranks = ranks[ends[index] : ends[index + 1]]
    last = own_ranks[-1] if len(own_ranks) else -1
    for other in range(index + 1, len(ends) - 1):
        matching = excess = 0
        total = 0.0
        for gene in range(ends[other], ends[other + 1]):
            gap = abs(weights[gene] - table[ranks[gene]])
            both = gap == gap
            total += gap if both else 0.0
            matching += both
            excess += ranks[gene] > last
        other_last = ranks[ends[other + 1] - 1] if ends[other + 1] > ends[other] else -1
        place = len(own_ranks)
        while place > 0 and own_ranks[place - 1] > other_last:
            place -= 1
        excess += len(own_ranks) - place
        apart[other, 0] = len(own_ranks) + ends[other + 1] - ends[other] - 2 * matching - excess
        apart[other, 1] = excess
        apart[other, 2] = total / matching if matching else 0.0


@njit(cache=True)
def _mean_parts(ranks: np.ndarray, weights: np.ndarray, ends: np.ndarray) -> tuple[float, float, float]:
    """Return the means of the three terms of the compatibility distance over all pairs of genomes."""
    size = len(ends) - 1
    table, apart = np.empty(ranks.max() + 1 if len(ranks) else 0), np.zeros((size, 3))
    totals = np.zeros(3)
    for index in range(size):
        _compare_later(index, ranks, weights, ends, table, apart)
        for other in range(index + 1, size):
            for part in range(3):
                totals[part] += apart[other, part]
    totals /= size * (size - 1) / 2
    return totals[0], totals[1], totals[2]


@njit(cache=True)
def _mean_distances(
    ranks: np.ndarray, weights: np.ndarray, ends: np.ndarray, disjoint: float, excess: float, weight: float
) -> np.ndarray:
    """Return the mean distance from each genome to all others."""
    size = len(ends) - 1
    table, apart = np.empty(ranks.max() + 1 if len(ranks) else 0), np.zeros((size, 3))
    totals = np.zeros(size)
    for index in range(size):
        _compare_later(index, ranks, weights, ends, table, apart)
        for other in range(index + 1, size):
            between = disjoint * apart[other, 0] + excess * apart[other, 1] + weight * apart[other, 2]
            totals[index] += between
            totals[other] += between
    return totals / (size - 1)
