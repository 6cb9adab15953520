import numpy as np
import pytest

from divergent.validation import as_numbers, brief, check_at_least, check_generator, check_number, check_rate, is_finite


@pytest.mark.parametrize("number", [2**31, 10**400])
def test_check_at_least_beyond_32_bits_raises(number):
    with pytest.raises(ValueError, match="k must be an integer, at most 2147483647, got"):
        check_at_least(0, k=number)


@pytest.mark.parametrize("rate", [-0.1, 1.1, np.nan, "x", None, 10**400])
def test_check_rate_outside_the_unit_interval_names_the_argument(rate):
    with pytest.raises(ValueError, match="cxpb must be a rate between 0 and 1, got"):
        check_rate(cxpb=rate)


def test_as_numbers_of_a_contiguous_float_array_returns_the_same_array():
    rows = np.zeros((3, 2))
    assert as_numbers("rows", rows, 2) is rows


@pytest.mark.parametrize("rows", [[[1, 2]], np.ones((2, 4), np.float32)[:, ::2], np.asfortranarray(np.ones((3, 2)))])
def test_as_numbers_of_other_layouts_returns_a_contiguous_float_array(rows):
    array = as_numbers("rows", rows, 2)
    assert array.flags.c_contiguous
    assert array.dtype == float
    assert np.array_equal(array, rows)


@pytest.mark.parametrize("rows", ["text", None, [[1.0], [1.0, 2.0]], np.ones((2, 2)) * 1j, [["1", "2"]], [[10**400]]])
def test_as_numbers_of_other_values_names_the_argument(rows):
    with pytest.raises((TypeError, ValueError), match="rows must be"):
        as_numbers("rows", rows, 2)


@pytest.mark.parametrize("shape", [(), (3,), (3, 2, 1)])
def test_as_numbers_with_another_number_of_dimensions_raises(shape):
    with pytest.raises(ValueError, match=r"rows must be an array of shape \(m, d\); got shape"):
        as_numbers("rows", np.zeros(shape), 2)


def test_is_finite_beyond_the_range_of_floats_is_false():
    assert is_finite(3)
    assert is_finite(np.float32(3))
    assert not any(map(is_finite, (10**400, np.inf, np.nan, "3", None, 1j)))


def test_check_generator_of_another_type_raises():
    check_generator(np.random.default_rng(1))
    with pytest.raises(TypeError, match=r"rng must be a numpy\.random\.Generator, got 3"):
        check_generator(3)


def test_brief_of_any_value_is_short():
    class Silent:
        def __repr__(self):
            raise KeyError

    assert brief("x" * 100) == "'" + "x" * 56 + "..."
    assert brief(Silent()) == "a Silent that cannot be shown"
    assert brief(10**5000) == "a int that cannot be shown"


@pytest.mark.parametrize("number", [np.nan, np.inf, -1, True, "3", None, 10**400])
def test_check_number_of_invalid_values_names_the_rule(number):
    check_number(0, seconds=2.5)
    with pytest.raises(ValueError, match="seconds must be a finite number, at least 0, got"):
        check_number(0, seconds=number)
