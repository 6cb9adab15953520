import numpy as np
import pytest

from divergent.individual import Outcomes
from divergent.neighbours._validation import check_behaviours
from divergent.selection import SEARCHES
from divergent.selection._validation import check_at_least, check_clusters, check_outcomes, choose


@pytest.mark.parametrize("value", [0, -3, 1.0, "2", True, None, np.nan])
def test_check_clusters_of_invalid_number_raises(value):
    with pytest.raises(ValueError, match=rf"neighbours must be an integer, at least 1, got {value!r}"):
        check_at_least(1, neighbours=value)


def test_check_clusters_accepts_numpy_integers():
    check_at_least(1, neighbours=np.int64(1))


def test_check_clusters_accepts_none():
    check_clusters(None, 300)
    with pytest.raises(ValueError, match="neighbours must be at most the number of clusters 2, got 3"):
        check_clusters(2, 3)


def test_check_behaviours_returns_floats_of_known_width():
    assert check_behaviours(np.array([[1, 2]]), np.zeros((5, 2))).dtype == float
    with pytest.raises(ValueError, match="behaviours must all have the same number of dimensions, 3, got 2"):
        check_behaviours(np.array([[1, 2]]), np.zeros((5, 3)))


def test_choose_accepts_name_or_callable():
    assert choose("tool", len, {}) is len
    assert choose("tool", "hammer", {"hammer": 1}) == 1
    with pytest.raises(
        ValueError, match="the argument tool must be a known name or a callable, got 'saw'; choose from hammer"
    ):
        choose("tool", "saw", {"hammer": 1})


def objects(*items):
    array = np.empty(len(items), dtype=object)
    for position, item in enumerate(items):
        array[position] = item
    return array


@pytest.mark.parametrize(
    "search", ["surprise", "ssnp", "ssr", "novelty", "nslc", "nss", "sslc", "nsslc", "nssslc", "dns"]
)
@pytest.mark.parametrize(
    ("behaviours", "error", "message"),
    [
        (objects("north", "east"), TypeError, "behaviours must be numbers, .* got 'north'; use novelty.* a callable"),
        (objects(np.zeros(2), np.zeros(3)), ValueError, "behaviours must have one length, .* got 2 and 3 numbers; use"),
    ],
)
def test_search_without_a_callable_distance_rejects_objects_with_an_explanation(search, behaviours, error, message):
    options = {"bounds": ((0, 0), (1, 1))} if search == "ssr" else {}
    strategy = SEARCHES[search](**options)
    for method in (strategy.score_generation, strategy.learn) if search != "dns" else (strategy.score,):
        with pytest.raises(error, match=message):
            method(Outcomes(np.zeros(2), behaviours))


@pytest.mark.parametrize("search", ["objective", "random"])
def test_search_without_behaviours_accepts_objects(search):
    assert len(SEARCHES[search]().score_generation(Outcomes(np.zeros(2), objects("north", {1, 2})))) == 2


def test_check_outcomes_of_wrong_shapes_raises():
    with pytest.raises(ValueError, match=r"got shapes \(3,\) and \(2,\); use divergent.pack"):
        check_outcomes(Outcomes(np.zeros(3), objects("a", "b")), objects=True)
    with pytest.raises(ValueError, match=r"got shapes \(2,\) and \(2,\)"):
        check_outcomes(Outcomes(np.zeros(2), np.zeros(2)), objects=True)
