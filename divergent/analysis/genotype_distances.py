"""How far the solutions of different runs are from each other."""

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from divergent.analysis.tables import DIVERSITY
from divergent.neat import Genome, diversity


def between(solutions: Sequence[Genome]) -> pd.DataFrame:
    """How far each genome is from the others on average: compatibility and its parts, a row a genome.

    Genomes of different runs number their innovations independently, so that they share little but what they began
    with; what else has the same number is taken as the same, as in any distance by numbers. One genome alone has NaN.

    Examples
    --------
    >>> one = Genome([[0, 0, 2, 0.5, 1]], inputs=2, outputs=1)
    >>> other = Genome([[0, 0, 2, 1.5, 1], [1, 1, 2, 1.0, 1]], inputs=2, outputs=1)
    >>> between([one, other]).values.tolist()
    [[4.0, 0.0, 1.0, 1.0], [4.0, 0.0, 1.0, 1.0]]
    """
    count = len(solutions)
    parts = np.zeros((count, 4))
    for one, other in combinations(range(count), 2):
        parts[[one, other]] += diversity((solutions[one], solutions[other]))
    parts = parts / (count - 1) if count > 1 else np.full((count, 4), math.nan)
    return pd.DataFrame(parts, columns=list(DIVERSITY))
