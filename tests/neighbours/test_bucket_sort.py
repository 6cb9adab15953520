"""Order and places by cells, against sorting."""

import bisect
import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from divergent.neighbours._bucket_sort import cell_of, cells_of, in_order, place

SPREAD = st.lists(st.floats(-1e6, 1e6), max_size=60)
CROWDED = st.lists(st.sampled_from([0.0, 1.0, 1.0 + 2**-52, 1e9, 1e9 + 1e-6, 5e-324]), max_size=60)
EXTREME = st.lists(st.floats(), max_size=60)  # infinities and what is no number among them


def test_numbers_a_hand_can_order():
    assert in_order(np.array([3.0, -1.0, 2.0, 10.0])).tolist() == [1, 2, 0, 3]
    assert in_order(np.array([])).tolist() == []


@given(SPREAD | CROWDED | EXTREME, st.integers(1, 30))
def test_the_order_is_that_of_sorting_however_crowded_the_cells_are(numbers, times):
    values = np.array(numbers * times)
    order = in_order(values)
    assert sorted(order.tolist()) == list(range(len(values)))
    assert np.array_equal(values[order], np.sort(values), equal_nan=True)


@given(SPREAD | CROWDED, st.floats(-2e9, 2e9) | st.sampled_from([math.inf, -math.inf]))
def test_the_place_of_a_number_is_found_among_those_of_its_cell(numbers, number):
    values = sorted(numbers)
    if not values:
        return
    cells = cells_of(np.array(values))
    cell = cell_of(number, cells.low, cells.scale, len(values))
    first, end = cells.begins[cell], cells.begins[cell + 1]
    assert place(np.array(values)[:, None], 0, number, first, end) == bisect.bisect_left(values, number)


def test_what_is_no_number_is_in_the_last_cell():
    assert cell_of(math.nan, 0.0, 1.0, 7) == 6
