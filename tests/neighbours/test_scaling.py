import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from divergent.individual import Outcomes
from divergent.neighbours._scaling import Scale, scaled

ROWS = np.array([[0.0, 1000.0, 7.0], [4.0, 3000.0, 7.0], [2.0, 2000.0, 7.0]])


def outcomes(rows):
    return Outcomes(np.zeros(len(rows)), rows)


def test_scale_range_gives_unit_ranges():
    scale = Scale("range")
    scale.learn(ROWS)
    assert np.ptp(scaled(ROWS, scale.factors()), axis=0).tolist() == [1.0, 1.0, 0.0]


def test_scale_std_gives_unit_deviations():
    scale = Scale("std")
    scale.learn(ROWS)
    assert scaled(ROWS, scale.factors()).std(axis=0) == pytest.approx([1.0, 1.0, 0.0])


def test_scale_none_returns_the_same_array():
    scale = Scale("none")
    scale.learn(ROWS)
    assert scaled(ROWS, scale.factors(outcomes(ROWS))) is ROWS


@pytest.mark.parametrize("kind", ["range", "std"])
@given(st.lists(arrays(float, (4, 2), elements=st.floats(-1e6, 1e6)), min_size=1, max_size=5))
def test_scale_learn_in_parts_equals_learn_at_once(kind, parts):
    in_parts, at_once = Scale(kind), Scale(kind)
    for part in parts:
        in_parts.learn(part)
    at_once.learn(np.concatenate(parts))
    assert in_parts.count == at_once.count
    assert in_parts.mean == pytest.approx(at_once.mean, rel=1e-9, abs=1e-6)
    assert in_parts.squares == pytest.approx(at_once.squares, rel=1e-6, abs=1e-3)
    assert (in_parts.low.tolist(), in_parts.high.tolist()) == (at_once.low.tolist(), at_once.high.tolist())


@pytest.mark.parametrize("kind", ["none", "range", "std"])
def test_scale_restored_continues_as_before(kind):
    scale, restored = Scale(kind), Scale(kind)
    for rows in (ROWS, 3 * ROWS + 1):
        scale.learn(rows)
        restored.restore(json.loads(json.dumps(scale.state())))
        for each in (scale, restored):
            each.learn(rows - 5)
        assert restored.state() == scale.state()
        assert np.array_equal(restored.factors(), scale.factors())


def test_scale_before_learning_uses_the_behaviours_at_hand():
    scale = Scale("range")
    assert scale.factors(outcomes(ROWS[:1]), outcomes(ROWS[1:])).tolist() == [0.25, 1 / 2000, 1.0]
    assert scale.count == 0
