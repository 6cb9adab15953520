import numpy as np
import pytest

from divergent.individual import Outcomes


@pytest.fixture
def did():
    """Outcomes from behaviours, with fitness 0 unless it matters."""

    def outcomes(*behaviours, fitness=None):
        rows = np.array(behaviours, dtype=float)
        return Outcomes(np.zeros(len(rows)) if fitness is None else np.array(fitness, dtype=float), rows)

    return outcomes


@pytest.fixture
def rng():
    return np.random.default_rng(1)
