import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from divergent.neighbours._nearest_rows import nearest_rows

GRID = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3))  # small: many distances are the same


def twin(queries, points, count, themselves):
    """By comparing with every point."""
    found = []
    for at, query in enumerate(queries):
        order = sorted(range(len(points)), key=lambda number: (math.dist(query, points[number]), number))
        found.append(sorted([number for number in order if not (themselves and number == at)][:count]))
    return found


def test_the_nearest_of_five_on_a_line():
    points = np.array([[0.0], [1.0], [3.0], [6.0], [10.0]])
    assert nearest_rows(points, points, 2, True).tolist() == [[1, 2], [0, 2], [0, 1], [2, 4], [2, 3]]
    # 2 is as far from 1 as from 3, and 0 is the next
    assert nearest_rows(np.array([[2.0]]), points, 3, False).tolist() == [[0, 1, 2]]


def test_of_equally_far_ones_the_first_are_taken():
    points = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    assert nearest_rows(np.zeros((1, 2)), points, 2, False).tolist() == [[0, 1]]
    assert nearest_rows(np.zeros((1, 2)), points[::-1].copy(), 3, False).tolist() == [[0, 1, 2]]


@given(
    st.integers(1, 3),
    st.lists(GRID, min_size=1, max_size=8),
    st.lists(GRID, min_size=1, max_size=8),
    st.integers(1, 9),
    st.booleans(),
)
def test_they_are_those_of_comparing_with_every_point(width, queries, others, count, themselves):
    queries = np.array(queries, dtype=float)[:, :width]
    points = np.vstack([queries, np.array(others, dtype=float)[:, :width]])
    count = min(count, len(points) - themselves)
    assert nearest_rows(queries, points, count, themselves).tolist() == twin(queries, points, count, themselves)


@pytest.mark.parametrize("width", [1, 2, 9, 40])
def test_they_are_the_same_for_any_number_of_columns(width, rng):
    queries = rng.normal(0, 50, (20, width))
    points = np.vstack([queries, rng.normal(0, 50, (60, width))])
    for themselves in (True, False):
        assert nearest_rows(queries, points, 5, themselves).tolist() == twin(queries, points, 5, themselves)


def test_who_is_infinitely_far_away_is_not_found():
    points = np.array([[0.0, 0.0], [1e200, 0.0], [1.0, 0.0]])
    assert nearest_rows(np.zeros((1, 2)), points, 3, False).tolist() == [[0, 2, 3]]
