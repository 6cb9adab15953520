import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from divergent.neighbours import CachedDistance, NeighbourIndex, _cached_distance


def as_objects(items):
    objects = np.empty(len(items), dtype=object)
    for position, item in enumerate(items):
        objects[position] = item
    return objects


class Counted:
    """The number of items that only one of two sets has, and the number of calls for each unordered pair."""

    def __init__(self):
        self.calls = {}

    def __call__(self, first, second):
        pair = frozenset((id(first), id(second)))
        self.calls[pair] = self.calls.get(pair, 0) + 1
        return len(set(first) ^ set(second))


def length_difference(first, second):
    return abs(len(first) - len(second))


def test_between_calls_the_distance_once_for_each_unordered_pair():
    sets = as_objects([{1}, {2}, {1, 2}, set()])
    counted = Counted()
    distance = CachedDistance(counted)
    expected = [[np.inf, 2, 1, 1], [2, np.inf, 1, 1], [1, 1, np.inf, 2], [1, 1, 2, np.inf]]
    for _ in range(3):
        assert distance.between(sets, sets, exclude_self=True).tolist() == expected
    assert set(counted.calls.values()) == {1}
    assert len(counted.calls) == 6
    assert distance.between(sets[:1], sets[2:]).tolist() == [[1.0, 1.0]]
    assert sum(counted.calls.values()) == 6


def test_between_of_a_child_then_of_its_population_calls_nothing_again():
    sets = as_objects([{1}, {2}, {3}, {1, 2, 3}])
    counted = Counted()
    distance = CachedDistance(counted)
    distance.between(sets[:3], sets[:3], exclude_self=True)
    distance.between(sets[3:], sets[:3])  # the child was not among the points
    assert sum(counted.calls.values()) == 6
    distance.between(sets[1:], sets[1:], exclude_self=True)  # the child has replaced the first
    assert sum(counted.calls.values()) == 6


def test_between_of_equal_strings_and_vectors_shares_their_distances():
    calls = []

    def distance(first, second):
        calls.append((first, second))
        return length_difference(first, second)

    words = as_objects(["".join(("no", "rth")), "north", "east"])
    assert CachedDistance(distance).between(words, words, exclude_self=True)[0].tolist() == [np.inf, 0.0, 1.0]
    assert len(calls) == 2  # north with north and with east
    calls.clear()
    cache = CachedDistance(distance)
    rows = np.array([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0]])
    cache.between(rows, rows, exclude_self=True)
    cache.between(rows.copy(), rows[1:].copy())
    assert len(calls) == 2 + 1  # the second row with itself was excluded before


def test_between_of_objects_that_are_equal_by_identity_only_keeps_them_alive():
    distance = CachedDistance(length_difference)
    for size in range(300):  # a new list may have the address of an earlier one
        assert distance.between(as_objects([[0] * size]), as_objects([[0] * 7])).tolist() == [[abs(size - 7.0)]]


@pytest.mark.parametrize(
    "items", [[b"ab", "ab"], [("a", "b"), frozenset("ab")], [(1, 2), [1, 2]], [(["a"],), (["b"],)]]
)
def test_between_of_different_types_does_not_confuse_them(items):
    distance = CachedDistance(lambda first, second: float(type(first) is not type(second)))
    objects = as_objects(items)
    expected = [[float(type(first) is not type(second)) for second in items] for first in items]
    assert distance.between(objects, objects).tolist() == expected


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_between_with_a_small_cache_equals_the_distances(data):
    words = data.draw(st.lists(st.text("ab", max_size=4), min_size=1, max_size=12))
    distance = CachedDistance(length_difference)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_cached_distance, "MIN_MARGIN", 1)
        patch.setattr(_cached_distance, "MAX_CACHED", data.draw(st.sampled_from([0, 20, 1 << 20])))
        for _ in range(data.draw(st.integers(1, 6))):
            queries, points = (
                as_objects(data.draw(st.lists(st.sampled_from(words), min_size=least, max_size=5))) for least in (1, 0)
            )
            expected = np.array([[length_difference(query, point) for point in points] for query in queries])
            assert np.array_equal(distance.between(queries, points), expected.reshape(len(queries), len(points)))
            own = distance.between(queries, np.concatenate([queries, points]), exclude_self=True)
            assert np.isinf(np.diagonal(own)).all()
            assert np.array_equal(own[:, len(queries) :], expected.reshape(len(queries), len(points)))


def test_between_of_ever_new_behaviours_keeps_the_cache_small():
    distance = CachedDistance(lambda first, second: abs(first[0] - second[0]))
    for number in range(60):
        rows = np.arange(number * 10.0, number * 10 + 20).reshape(-1, 1)
        expected = np.abs(rows - rows.T)
        np.fill_diagonal(expected, np.inf)
        assert np.array_equal(distance.between(rows, rows, exclude_self=True), expected)
    assert max(distance._values.shape) <= 20 + 3 * _cached_distance.MIN_MARGIN


@pytest.mark.parametrize("value", [np.nan, np.inf, -1.0, "1", None])
def test_between_of_an_invalid_distance_raises_an_error_that_names_it(value):
    def broken(first, second):
        return value

    with pytest.raises(
        ValueError,
        match=r"distance must return a finite number of at least 0, got the value .* from the function broken "
        r"for the behaviours 'a'",
    ):
        CachedDistance(broken).between(as_objects(["a"]), as_objects(["b"]))


def test_cached_distance_of_no_callable_raises():
    with pytest.raises(TypeError, match="distance must be a callable of two behaviours, got 3"):
        CachedDistance(3)


def test_cached_distance_after_pickle_and_copy_has_an_empty_cache():
    distance = CachedDistance(length_difference)
    words = as_objects(["a", "bcd"])
    distance.between(words, words)
    for duplicate in (pickle.loads(pickle.dumps(distance)), copy.deepcopy(distance)):
        assert duplicate._values.size == 0
        assert duplicate.between(words, words).tolist() == [[0.0, 2.0], [2.0, 0.0]]
    assert repr(distance) == "CachedDistance(length_difference)"
    assert distance("a", "bcd") == 2.0


def test_index_of_vectors_with_a_callable_equals_the_named_metric():
    rng = np.random.default_rng(1)
    points, queries, among = (
        rng.integers(0, 5, (30, 3)) * 1.0,
        rng.integers(0, 5, (20, 3)) * 1.0,
        rng.normal(size=(9, 3)),
    )
    named = NeighbourIndex(points, "cityblock")
    called = NeighbourIndex(points, lambda first, second: np.abs(first - second).sum())
    for index in (named, called):
        assert index.extended(np.vstack([points, among])).mean_nearest(queries, 4).shape == (20,)
    assert np.allclose(named.mean_nearest(queries, 5, among), called.mean_nearest(queries, 5, among))
    assert np.allclose(named.mean_nearest_of_all(queries, 5), called.mean_nearest_of_all(queries, 5))
    assert np.array_equal(named.nearest(queries, 5, queries), called.nearest(queries, 5, queries))
    assert np.array_equal(named.nearest_of_all(queries, 5), called.nearest_of_all(queries, 5))
    assert np.array_equal(named.select_by_threshold(queries, 2.0), called.select_by_threshold(queries, 2.0))


def test_index_of_objects_without_a_callable_raises():
    with pytest.raises(TypeError, match=r"behaviours must be numbers, .* got 'north'"):
        NeighbourIndex(as_objects(["north"]))
    with pytest.raises(ValueError, match=r"behaviours must have one length, .* got 1 and 2 numbers"):
        NeighbourIndex(np.empty((0, 0))).mean_nearest(as_objects([np.zeros(1), np.zeros(2)]), 1)


def test_index_of_points_and_queries_of_different_lengths_uses_the_callable():
    index = NeighbourIndex(np.zeros((2, 3)), length_difference)
    assert index.mean_nearest(np.zeros((1, 5)), 2).tolist() == [2.0]
    assert index.mean_nearest(as_objects(["north"]), 3, as_objects(["up"])).tolist() == [(2 + 2 + 3) / 3]
