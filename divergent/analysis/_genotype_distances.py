"""Compute compatibility distances between the solutions of different runs."""

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.spatial.distance import squareform

from divergent.analysis._intervals import LEVEL, RESAMPLES, SEED
from divergent.neat.genetic_distance import compatibility, distance
from divergent.neat.genome import Genome
from divergent.runs._row_measures import DIVERSITY


def solution_distances(solutions: Sequence[Genome]) -> pd.DataFrame:
    """Return the mean compatibility distance from each genome to all others, and the mean of each term of the distance.

    Genomes of different runs number their innovations independently. Genes with equal innovation numbers are treated as
    matching, although only genes of the initial genomes have a common origin.

    Parameters
    ----------
    solutions : sequence of Genome
        Genomes to compare with each other.

    Returns
    -------
    DataFrame
        One row per genome with the columns `DIVERSITY`. All values are NaN if there is only one genome.

    See Also
    --------
    pairwise_diversity : Mean and standard deviation over all pairs of genomes.

    Examples
    --------
    Two genomes share one gene, whose weights differ by 1; the second genome has one additional gene:

    >>> first = Genome([[0, 0, 2, 0.5, 1]], inputs=2, outputs=1)
    >>> second = Genome([[0, 0, 2, 1.5, 1], [1, 1, 2, 1.0, 1]], inputs=2, outputs=1)
    >>> solution_distances([first, second]).values.tolist()[0]
    [4.0, 0.0, 1.0, 1.0]
    """
    count = len(solutions)
    sums = np.zeros((count, len(DIVERSITY)))
    for (first, second), terms in zip(combinations(range(count), 2), _compare_pairs(solutions), strict=True):
        sums[[first, second]] += terms
    means = sums / (count - 1) if count > 1 else np.full_like(sums, math.nan)
    return pd.DataFrame(means, columns=list(DIVERSITY))


def pairwise_diversity(solutions: Sequence[Genome]) -> pd.DataFrame:
    """Return means and standard deviations of the compatibility distance and of its terms over all pairs of genomes.

    Pairs that share a genome are not independent. The interval of a mean is therefore a percentile bootstrap interval
    that resamples genomes (10,000 resamples). Pairs of a genome with itself are omitted from the resamples.

    Parameters
    ----------
    solutions : sequence of Genome
        Genomes to compare with each other, such as solutions of different runs.

    Returns
    -------
    DataFrame
        One row per measure of `DIVERSITY`, with the columns `measure`, `pairs`, `mean`, `sd`, `low` and `high` (95%
        interval of the mean). Values are NaN if there are too few pairs.

    See Also
    --------
    solution_distances : Mean distance from each genome to all others.

    Examples
    --------
    Three genomes have a single gene each, with the weights 0, 1 and 3:

    >>> genomes = [Genome([[0, 0, 2, weight, 1]], inputs=2, outputs=1) for weight in (0.0, 1.0, 3.0)]
    >>> table = pairwise_diversity(genomes).set_index("measure")
    >>> table.loc["weight_difference", ["mean", "sd"]].tolist()
    [2.0, 1.0]
    """
    pairs = _compare_pairs(solutions)
    terms = pd.DataFrame(pairs, columns=list(DIVERSITY))
    lows, highs = _resample_genomes(pairs, len(solutions))
    return pd.DataFrame(
        {"measure": list(DIVERSITY), "pairs": len(pairs), "mean": terms.mean().tolist(), "sd": terms.std().tolist()}
        | {"low": lows, "high": highs}
    )


def _compare_pairs(solutions: Sequence[Genome]) -> np.ndarray:
    """Return the measures `DIVERSITY` of all pairs of genomes, one row per pair in the order of `combinations`."""
    rows = [(distance(*pair), *compatibility(*pair)) for pair in combinations(solutions, 2)]
    return np.array(rows, dtype=float).reshape(-1, len(DIVERSITY))


def _resample_genomes(pairs: np.ndarray, count: int) -> np.ndarray:
    """Return the lower and upper end of the bootstrap interval of each mean over pairs of `count` genomes."""
    if count < 2:
        return np.full((2, pairs.shape[1]), math.nan)
    copies = np.random.default_rng(SEED).multinomial(count, np.full(count, 1 / count), RESAMPLES).astype(float)
    different = count**2 - (copies**2).sum(axis=1)  # twice the number of pairs of different genomes in each resample
    copies, different = copies[different > 0], different[different > 0]
    means = [((copies @ squareform(column)) * copies).sum(axis=1) / different for column in pairs.T]
    return np.quantile(means, [LEVEL / 2, 1 - LEVEL / 2], axis=1)
