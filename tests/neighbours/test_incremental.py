"""Incremental neighbour lists, compared with a new search after every kind of change."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from divergent.neighbours._incremental import EMPTY, POINT, NeighbourLists
from divergent.neighbours._index import NeighbourIndex

EVENTS = ("child", "child scored before", "offspring", "new population", "points", "other size", "other count")


def nearest(rows, points, count):
    """Reference implementation: sort all squared distances."""
    return [
        sorted(sum((row - other) ** 2) for j, other in enumerate([*rows, *points]) if j != i)[:count]
        for i, row in enumerate(rows)
    ]


@given(
    st.lists(st.sampled_from(EVENTS), max_size=12),
    st.sampled_from([1, 2, 3, 7, 40]),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_neighbour_lists_after_any_events_equal_a_new_search(events, columns, coarse, seed):
    rng = np.random.default_rng(seed)

    def random_rows(size):  # coarse: many equal rows and equal distances
        return rng.integers(0, 4, (size, columns)).astype(float) if coarse else rng.normal(size=(size, columns))

    rows, points, count = random_rows(30), random_rows(20), 4
    index = NeighbourIndex(points)
    for event in ["nothing", *events, "nothing"]:
        if event == "child":
            rows[rng.integers(len(rows))] = random_rows(1)
        elif event == "child scored before":
            child, row = random_rows(1), rng.integers(len(rows))
            alone = index.mean_nearest(child, count, rows)
            assert alone.tolist() == NeighbourIndex(points).mean_nearest(child, count, rows).tolist()
            rows[row] = child
        elif event == "offspring":
            rows[rng.integers(len(rows), size=6)] = random_rows(6)
        elif event == "new population":
            rows = random_rows(len(rows))
        elif event == "points":
            points = np.vstack([points, random_rows(3)])
            index = index.extended(points)
        elif event == "other size":
            rows = random_rows(1 + rng.integers(40))
        elif event == "other count":
            count = 1 + int(rng.integers(60))
        scores = index.mean_nearest_of_all(rows, count)
        assert scores.tolist() == NeighbourIndex(points).mean_nearest_of_all(rows, count).tolist()
        index._search.lists.check(points)
        plain = [np.mean(np.sqrt(squares)) if squares else 0.0 for squares in nearest(rows, points, count)]
        assert scores == pytest.approx(plain, rel=1e-12, abs=1e-12)
        assert index.mean_nearest(rows, count).tolist() == NeighbourIndex(points).mean_nearest(rows, count).tolist()
        rows[rng.integers(len(rows))] = random_rows(1)
        assert (
            index.select_by_threshold(rows, 1.5).tolist()
            == NeighbourIndex(points).select_by_threshold(rows, 1.5).tolist()
        )


def sorting(searched):
    """Return a search of one-dimensional rows by sorting, which records the lists that it fills."""

    def search(rows, first, width, squares, ids):
        for i in np.flatnonzero(ids[:, first - 1] == EMPTY):
            searched.append(int(i))
            neighbours = sorted(((row[0] - rows[i, 0]) ** 2, number) for number, row in enumerate(rows) if number != i)
            squares[i], ids[i] = neighbours[width - 1][0], EMPTY
            squares[i, :width], ids[i, :width] = zip(*neighbours[:width], strict=True)

    return search


def test_neighbour_lists_with_spare_neighbours_search_only_new_rows():
    searched = []
    line, lists, search = np.arange(40.0)[:, None], NeighbourLists(0), sorting(searched)
    lists.nearest(line, 2, search)
    assert searched == list(range(40))
    searched.clear()
    line[39] = 50.0
    assert lists.nearest(line, 2, search)[[37, 38, 39], :2].tolist() == [[1, 1], [1, 4], [144, 169]]
    assert searched == [38, 39]  # list 38 had two entries, one of which was removed
    searched.clear()
    line[0] = 51.0
    assert lists.nearest(line, 2, search)[[0, 38, 39], :2].tolist() == [[1, 169], [1, 4], [1, 144]]
    assert searched == [0, 1]


def test_neighbour_lists_with_points_does_not_change_the_original():
    line, lists, search = np.arange(40.0)[:, None], NeighbourLists(0), sorting([])
    lists.nearest(line, 2, search)
    more = lists.with_points(np.array([[3.5], [9.0]]))
    assert more.nearest(line, 2, search)[[3, 9], :2].tolist() == [[0.25, 1], [0, 1]]
    assert (more.ids[3, 0], more.ids[9, 0]) == (POINT, POINT)
    assert lists.nearest(line, 2, search)[[3, 9], :2].tolist() == [[1, 1], [1, 1]]


@pytest.mark.parametrize(
    ("row", "column", "square", "neighbour", "message"),
    [
        (3, 1, 0.5, 4, "must be sorted"),
        (3, 0, 0.0, 3, "must not contain its own row"),
        (3, 1, 1.0, 2, "must contain each member once"),
        (3, 1, 1.0, 5, "must have exact distances"),
        (3, 9, 9.0, EMPTY, "must not miss a nearer neighbour"),
    ],
)
def test_neighbour_lists_check_of_a_corrupted_list_raises(row, column, square, neighbour, message):
    lists = NeighbourLists(0)
    lists.nearest(np.arange(40.0)[:, None], 2, sorting([]))
    lists.check(np.empty((0, 1)))
    lists.squares[row, column], lists.ids[row, column] = square, neighbour
    if message == "must not miss a nearer neighbour":
        lists.squares[row, 2:] = square
    with pytest.raises(AssertionError, match=message):
        lists.check(np.empty((0, 1)))
