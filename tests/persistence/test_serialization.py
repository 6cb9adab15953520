import collections
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from divergent.persistence.serialization import from_plain, to_plain

leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


def kept(value):
    return from_plain(json.loads(json.dumps(to_plain(value))))


@given(values)
def test_what_json_has_kept_comes_back_with_its_types(value):
    assert repr(kept(value)) == repr(value)


@pytest.mark.parametrize(
    "value",
    [
        {"array": [1], "shape": [1], "dtype": "<f8"},
        {"__tuple__": [1]},
        {"__other__": 1},
        {"__dictionary__": {"__dictionary__": {}}},
        np.float32(0.1),
        np.uint8(255),
        np.array([[0.1, -0.0], [math.inf, 1e-320]]),
        np.array([[1, 2]], dtype=np.int8),
        np.zeros((0, 3), dtype=np.float32),
        (math.inf, [-0.0, (True,)]),
    ],
)
def test_marks_arrays_and_numbers_of_numpy_come_back_as_they_were(value):
    assert repr(kept(value)) == repr(value)


def test_what_already_is_plain_is_kept_as_it_is():
    once = to_plain({"seen": (np.arange(3), 1)})
    assert kept(once) == once


def test_what_has_a_state_is_kept_as_that():
    class Counter:
        def state(self):
            return {"count": (1, 2)}

        def restore(self, state):
            pass

    assert kept([Counter()]) == [{"count": (1, 2)}]


def test_what_is_neither_is_left_to_the_caller():
    text = json.dumps(to_plain([{1, 2}], other=sorted))
    assert from_plain(json.loads(text), other=set) == [{1, 2}]


@pytest.mark.parametrize(
    "value",
    [{1, 2}, {1: 2}, {(1, 2): 3}, print, 1j, np.array([print]), np.longdouble(1), b"x", collections.Counter("a")],
)
def test_what_would_come_back_as_something_else_is_refused(value):
    with pytest.raises(TypeError, match=r"are kept|that are kept have strings as keys"):
        to_plain([value])


def test_a_type_that_is_no_number_is_refused():
    with pytest.raises(ValueError, match="arrays in a state are of numbers, got the type 'O'"):
        from_plain({"array": [1], "shape": [1], "dtype": "O"})
