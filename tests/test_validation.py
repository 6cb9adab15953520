import numpy as np
import pytest

from divergent.validation import as_numbers, brief, check_at_least, check_generator, check_rate, is_finite


@pytest.mark.parametrize("number", [2**31, 10**400])
def test_whole_numbers_beyond_what_compiled_code_counts_are_refused(number):
    with pytest.raises(ValueError, match="k must be a whole number, at most 2147483647, got"):
        check_at_least(0, k=number)


@pytest.mark.parametrize("rate", [-0.1, 1.1, np.nan, "x", None, 10**400])
def test_what_is_no_rate_is_named(rate):
    with pytest.raises(ValueError, match="cxpb must be a rate between 0 and 1, got"):
        check_rate(cxpb=rate)


def test_an_array_that_compiled_code_can_read_is_passed_on_as_it_is():
    rows = np.zeros((3, 2))
    assert as_numbers("rows", rows, 2) is rows


@pytest.mark.parametrize("rows", [[[1, 2]], np.ones((2, 4), np.float32)[:, ::2], np.asfortranarray(np.ones((3, 2)))])
def test_numbers_of_any_form_become_an_array_that_compiled_code_can_read(rows):
    found = as_numbers("rows", rows, 2)
    assert found.flags.c_contiguous
    assert found.dtype == float
    assert np.array_equal(found, rows)


@pytest.mark.parametrize("rows", ["text", None, [[1.0], [1.0, 2.0]], np.ones((2, 2)) * 1j, [["1", "2"]], [[10**400]]])
def test_what_is_no_array_of_numbers_is_named(rows):
    with pytest.raises((TypeError, ValueError), match="rows must be"):
        as_numbers("rows", rows, 2)


@pytest.mark.parametrize("shape", [(), (3,), (3, 2, 1)])
def test_arrays_of_other_dimensions_are_refused(shape):
    with pytest.raises(ValueError, match=r"rows must be one row of numbers each, shape \(m, d\); got shape"):
        as_numbers("rows", np.zeros(shape), 2)


def test_numbers_beyond_floats_are_not_finite():
    assert is_finite(3)
    assert is_finite(np.float32(3))
    assert not any(map(is_finite, (10**400, np.inf, np.nan, "3", None, 1j)))


def test_only_a_numpy_generator_will_do():
    check_generator(np.random.default_rng(1))
    with pytest.raises(TypeError, match=r"rng must be a numpy\.random\.Generator, got 3"):
        check_generator(3)


def test_a_value_is_shown_in_brief_whatever_it_is():
    class Silent:
        def __repr__(self):
            raise KeyError

    assert brief("x" * 100) == "'" + "x" * 56 + "..."
    assert brief(Silent()) == "a Silent that cannot be shown"
    assert brief(10**5000) == "a int that cannot be shown"
