"""How far apart genomes are: disjoint genes, excess genes, weights."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from divergent._compile import njit
from divergent.neat.genome import INNOVATION, WEIGHT, Genome, checked
from divergent.validation import brief, is_finite


class Compatibility(NamedTuple):
    """What separates two genomes, in parts."""

    disjoint: int
    """Genes of one that the other lacks, within the range of the other's innovations."""

    excess: int
    """Genes of one beyond the other's last innovation."""

    weight: float
    """Mean absolute difference of the weights of the genes both have; 0 if they have none in common."""


class Diversity(NamedTuple):
    """Means over all pairs of a population."""

    compatibility: float
    disjoint: float
    excess: float
    weight: float


def compatibility(first: Genome, second: Genome) -> Compatibility:
    """The parts that `distance` adds up."""
    disjoint, excess, weight = compare_genes(checked(first), checked(second))
    return Compatibility(disjoint, excess, weight)


def distance(
    first: Genome, second: Genome, *, disjoint: float = 1.0, excess: float = 1.0, weight: float = 3.0
) -> float:
    """NEAT's compatibility distance, not divided by the size of the genomes.

    Parameters
    ----------
    disjoint, excess, weight
        What one disjoint gene, one excess gene and a mean weight difference of 1 count.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> genome = Genome.start(2, 1, rng=rng)
    >>> twin = genome.copy()
    >>> twin.genes[:, WEIGHT] += 0.5
    >>> distance(genome, twin)
    1.5
    """
    _check_coefficients(disjoint=disjoint, excess=excess, weight=weight)
    parts = compare_genes(checked(first), checked(second))
    return disjoint * parts[0] + excess * parts[1] + weight * parts[2]


def diversity(
    genomes: Sequence[Genome], *, disjoint: float = 1.0, excess: float = 1.0, weight: float = 3.0
) -> Diversity:
    """The mean over all pairs of genomes of their distance and its parts; zeros for fewer than two."""
    _check_coefficients(disjoint=disjoint, excess=excess, weight=weight)
    if len(genomes) < 2:
        return Diversity(0.0, 0.0, 0.0, 0.0)
    parts = _mean_compare(*_ranked([checked(genome) for genome in genomes]))
    return Diversity(disjoint * parts[0] + excess * parts[1] + weight * parts[2], *parts)


def mean_distances(
    genomes: Sequence[Genome], *, disjoint: float = 1.0, excess: float = 1.0, weight: float = 3.0
) -> np.ndarray:
    """The mean distance from each genome to all the others; 0 for one alone.

    Genotypic diversity as an objective: ``by_score(strategy=[Novelty(), LocalCompetition(), mean_distances],
    select=tools.selNSGA2)``.

    Parameters
    ----------
    disjoint, excess, weight
        As for `distance`.

    Examples
    --------
    >>> genome = Genome.start(2, 1, rng=np.random.default_rng(1))
    >>> twin, other = genome.copy(), genome.copy()
    >>> other.genes[:, WEIGHT] += 1.0
    >>> mean_distances([genome, twin, other])
    array([1.5, 1.5, 3. ])
    """
    _check_coefficients(disjoint=disjoint, excess=excess, weight=weight)
    genes = [checked(genome) for genome in genomes]
    if len(genes) < 2:
        return np.zeros(len(genes))
    return _mean_distances(*_ranked(genes), float(disjoint), float(excess), float(weight))


def _check_coefficients(**coefficients):
    for name, value in coefficients.items():
        if not is_finite(value):
            raise ValueError(f"{name} must be a finite number, got {brief(value)}")


@njit(cache=True)
def compare_genes(first, second):
    """Disjoint genes, excess genes and the mean weight difference, see `Compatibility`."""
    here = there = matching = disjoint = 0
    total = 0.0
    while here < len(first) and there < len(second):
        mine, other = first[here, INNOVATION], second[there, INNOVATION]
        if mine == other:
            total += abs(first[here, WEIGHT] - second[there, WEIGHT])
            matching += 1
        else:
            disjoint += 1
        here += mine <= other
        there += other <= mine
    excess = len(first) - here + len(second) - there
    return disjoint, excess, total / matching if matching else 0.0


def _ranked(genes):
    """The genes of all genomes one after the other: the ranks of their innovations, their weights, and where each ends.

    Genomes of one population have few innovations, so that a table over ranks is small.
    """
    innovations, weights = (np.concatenate([part[:, column] for part in genes]) for column in (INNOVATION, WEIGHT))
    _, ranks = np.unique(innovations, return_inverse=True)
    return ranks, weights, np.cumsum([0, *map(len, genes)])


@njit(cache=True)
def _compare_later(one, ranks, weights, ends, table, apart):
    """Fill the rows of all genomes after one with what `compare_genes` gives for the two.

    The genome is spread over the table, a place a rank, NaN where it has no gene; there the others look their genes up.
    """
    table[:] = np.nan
    for gene in range(ends[one], ends[one + 1]):
        table[ranks[gene]] = weights[gene]
    mine = ranks[ends[one] : ends[one + 1]]
    last = mine[-1] if len(mine) else -1
    for other in range(one + 1, len(ends) - 1):
        matching = excess = 0
        total = 0.0
        for gene in range(ends[other], ends[other + 1]):
            gap = abs(weights[gene] - table[ranks[gene]])
            both = gap == gap
            total += gap if both else 0.0
            matching += both
            excess += ranks[gene] > last
        other_last = ranks[ends[other + 1] - 1] if ends[other + 1] > ends[other] else -1
        place = len(mine)
        while place > 0 and mine[place - 1] > other_last:
            place -= 1
        excess += len(mine) - place
        apart[other, 0] = len(mine) + ends[other + 1] - ends[other] - 2 * matching - excess
        apart[other, 1] = excess
        apart[other, 2] = total / matching if matching else 0.0


@njit(cache=True)
def _mean_compare(ranks, weights, ends):
    size = len(ends) - 1
    table, apart = np.empty(ranks.max() + 1 if len(ranks) else 0), np.zeros((size, 3))
    totals = np.zeros(3)
    for one in range(size):
        _compare_later(one, ranks, weights, ends, table, apart)
        for other in range(one + 1, size):
            for part in range(3):
                totals[part] += apart[other, part]
    totals /= size * (size - 1) / 2
    return totals[0], totals[1], totals[2]


@njit(cache=True)
def _mean_distances(ranks, weights, ends, disjoint, excess, weight):
    size = len(ends) - 1
    table, apart = np.empty(ranks.max() + 1 if len(ranks) else 0), np.zeros((size, 3))
    totals = np.zeros(size)
    for one in range(size):
        _compare_later(one, ranks, weights, ends, table, apart)
        for other in range(one + 1, size):
            between = disjoint * apart[other, 0] + excess * apart[other, 1] + weight * apart[other, 2]
            totals[one] += between
            totals[other] += between
    return totals / (size - 1)
