import math

import numpy as np
import pytest

from divergent import analysis


def test_visits_are_counted_in_cells_with_the_smallest_y_first():
    positions = [(0, 0), (4.9, 4.9), (5, 0), (12, 9)]
    assert analysis.visits(np.array(positions), bounds=(0, 0, 12, 10)).tolist() == [[2, 1, 0], [0, 0, 1]]


def test_visits_outside_the_maze_count_in_the_nearest_cell():
    counts = analysis.visits(np.array([(-3.0, -3.0), (99.0, 2.0)]), bounds=(0, 0, 10, 10))
    assert counts.tolist() == [[1, 1], [0, 0]]


def test_visits_with_cell_size_zero_raises():
    with pytest.raises(ValueError, match="cell must be above 0, got 0"):
        analysis.visits(np.zeros((1, 2)), bounds=(0, 0, 10, 10), cell=0)


def test_entropy_is_divided_by_the_logarithm_of_the_cells():
    assert analysis.entropy(np.array([[2, 1], [1, 0]])) == pytest.approx(1.5 * math.log(2) / math.log(4))
    assert math.isnan(analysis.entropy(np.zeros((2, 2))))
    assert analysis.entropy(np.array([[7]])) == 0


def test_entropy_counts_empty_cells_that_are_omitted():
    assert analysis.entropy(np.array([3, 3]), cells=4) == analysis.entropy(np.array([[3, 0], [3, 0]])) == 0.5
    with pytest.raises(ValueError, match="cells must be at least 2, which is the number of counts, got 1"):
        analysis.entropy(np.array([3, 3]), cells=1)
