"""Compute compatibility distances between the solutions of different runs."""

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from divergent.neat.genetic_distance import diversity
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

    Examples
    --------
    Two genomes share one gene, whose weights differ by 1; the second genome has one additional gene:

    >>> first = Genome([[0, 0, 2, 0.5, 1]], inputs=2, outputs=1)
    >>> second = Genome([[0, 0, 2, 1.5, 1], [1, 1, 2, 1.0, 1]], inputs=2, outputs=1)
    >>> solution_distances([first, second]).values.tolist()[0]
    [4.0, 0.0, 1.0, 1.0]
    """
    count = len(solutions)
    sums = np.zeros((count, 4))
    for first, second in combinations(range(count), 2):
        sums[[first, second]] += diversity((solutions[first], solutions[second]))
    means = sums / (count - 1) if count > 1 else np.full((count, 4), math.nan)
    return pd.DataFrame(means, columns=list(DIVERSITY))
