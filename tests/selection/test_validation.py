import numpy as np
import pytest

from divergent.neighbours._validation import check_behaviours
from divergent.selection._validation import check_at_least, check_clusters, choose


@pytest.mark.parametrize("value", [0, -3, 1.0, "2", True, None, np.nan])
def test_check_clusters_of_invalid_number_raises(value):
    with pytest.raises(ValueError, match=rf"neighbours must be an integer, at least 1, got {value!r}"):
        check_at_least(1, neighbours=value)


def test_check_clusters_accepts_numpy_integers():
    check_at_least(1, neighbours=np.int64(1))


def test_check_clusters_accepts_none():
    check_clusters(None, 300)
    with pytest.raises(ValueError, match="neighbours must be at most the number of clusters, 2; got 3"):
        check_clusters(2, 3)


def test_check_behaviours_returns_floats_of_known_width():
    assert check_behaviours(np.array([[1, 2]]), np.zeros((5, 2))).dtype == float
    with pytest.raises(ValueError, match="one length: 3 numbers so far, got 2"):
        check_behaviours(np.array([[1, 2]]), np.zeros((5, 3)))


def test_choose_accepts_name_or_callable():
    assert choose("tool", len, {}) is len
    assert choose("tool", "hammer", {"hammer": 1}) == 1
    with pytest.raises(ValueError, match="unknown tool 'saw'; choose from hammer or give a callable"):
        choose("tool", "saw", {"hammer": 1})
