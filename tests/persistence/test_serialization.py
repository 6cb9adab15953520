import collections
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from divergent.persistence._serialization import from_jsonable, to_jsonable

leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


def kept(value):
    return from_jsonable(json.loads(json.dumps(to_jsonable(value))))


@given(values)
def test_from_jsonable_returns_values_with_their_types(value):
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
def test_from_jsonable_returns_marks_arrays_and_numpy_numbers_unchanged(value):
    assert repr(kept(value)) == repr(value)


def test_to_jsonable_of_its_own_result_is_reversible():
    once = to_jsonable({"seen": (np.arange(3), 1)})
    assert kept(once) == once


def test_to_jsonable_of_an_object_with_state_returns_the_state():
    class Counter:
        def state(self):
            return {"count": (1, 2)}

        def restore(self, state):
            pass

    assert kept([Counter()]) == [{"count": (1, 2)}]


def test_to_jsonable_of_other_objects_calls_other():
    text = json.dumps(to_jsonable([b"ab"], other=list))
    assert from_jsonable(json.loads(text), other=bytes) == [b"ab"]


@pytest.mark.parametrize(
    "value",
    [{print}, {1: 2}, {(1, 2): 3}, print, 1j, np.array([print]), np.longdouble(1), b"x", collections.Counter("a")],
)
def test_to_jsonable_of_unsupported_values_raises(value):
    with pytest.raises(TypeError, match=r"values must be None, numbers|keys of dictionaries must be strings"):
        to_jsonable([value])


def test_from_jsonable_of_an_array_of_objects_raises():
    with pytest.raises(ValueError, match="dtype of an array must be numeric, got 'O'"):
        from_jsonable({"array": [1], "shape": [1], "dtype": "O"})


@pytest.mark.parametrize("value", [{1, 2}, set(), frozenset("ab"), {("a", 1), (2.5, None)}, [{1}, frozenset({2})]])
def test_to_jsonable_of_sets_keeps_their_type(value):
    restored = from_jsonable(json.loads(json.dumps(to_jsonable(value))))
    assert restored == value
    assert type(restored) is type(value)


def test_to_jsonable_of_a_set_does_not_depend_on_its_order():
    assert to_jsonable({"b", "a", "c"}) == {"__set__": ["a", "b", "c"]}
    assert to_jsonable({"__set__": [1]}) == {"__dictionary__": {"__set__": [1]}}


def test_to_jsonable_of_an_array_of_objects_keeps_its_items():
    value = np.empty(4, dtype=object)
    for position, item in enumerate(["north", [1, 2], (3.0,), np.array([1.0, 2.0])]):
        value[position] = item
    restored = from_jsonable(json.loads(json.dumps(to_jsonable(value))))
    assert restored.dtype == object
    assert restored.shape == (4,)
    assert restored[:3].tolist() == ["north", [1, 2], (3.0,)]
    assert restored[3].tolist() == [1.0, 2.0]
