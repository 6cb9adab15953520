"""The k-d tree: it finds what comparing with everyone finds, and leaves near ties to others."""

import numpy as np
import pytest

from divergent.neighbours import _kd_tree as tree


@pytest.mark.parametrize("themselves", [True, False])
def test_it_finds_whom_comparing_with_everyone_finds_or_says_for_whom_it_is_not_certain(rng, themselves):
    points = rng.normal(size=(300, 4))
    queries = points[:40] if themselves else rng.normal(size=(40, 4))
    nearest, who = np.full((40, 5), np.inf), np.full((40, 5), -1)
    own = np.arange(40) if themselves else np.full(40, -1)
    left = tree.find_nearest_in_tree(queries, points, own, nearest, who)
    squared = ((queries[:, None] - points[None]) ** 2).sum(axis=2)
    if themselves:
        squared[np.arange(40), np.arange(40)] = np.inf
    certain = np.setdiff1d(np.arange(40), left)
    assert len(certain) > 30
    assert nearest[certain] == pytest.approx(np.sort(squared, axis=1)[certain, :5])
    assert (who[certain] == np.argsort(squared, axis=1)[certain, :5]).all()
