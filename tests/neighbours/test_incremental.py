"""What is known of a standing population, against asking anew after whatever happened to it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from divergent.neighbours._incremental import NOBODY, POINT, Standing
from divergent.neighbours.index import NeighbourIndex

EVENTS = ("birth", "birth asked about before", "offspring", "exodus", "points", "other size", "other count")


def nearest(rows, points, count):
    """The plain twin: everyone's squared distances to the nearest others and points, by sorting all of them."""
    return [
        sorted(sum((row - one) ** 2) for at, one in enumerate([*rows, *points]) if at != place)[:count]
        for place, row in enumerate(rows)
    ]


@given(
    st.lists(st.sampled_from(EVENTS), max_size=12),
    st.sampled_from([1, 2, 3, 7, 40]),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_whatever_happens_answers_are_those_of_asking_anew(events, columns, coarse, seed):
    rng = np.random.default_rng(seed)

    def some(size):  # coarse: many at one place, and many at the same distance
        return rng.integers(0, 4, (size, columns)).astype(float) if coarse else rng.normal(size=(size, columns))

    rows, points, count = some(30), some(20), 4
    known = NeighbourIndex(points)
    for event in ["nothing", *events, "nothing"]:
        if event == "birth":
            rows[rng.integers(len(rows))] = some(1)
        elif event == "birth asked about before":
            newborn, place = some(1), rng.integers(len(rows))
            alone = known.mean_nearest(newborn, count, rows)
            assert alone.tolist() == NeighbourIndex(points).mean_nearest(newborn, count, rows).tolist()
            rows[place] = newborn
        elif event == "offspring":
            rows[rng.integers(len(rows), size=6)] = some(6)
        elif event == "exodus":
            rows = some(len(rows))
        elif event == "points":
            points = np.vstack([points, some(3)])
            known = known.extended(points)
        elif event == "other size":
            rows = some(1 + rng.integers(40))
        elif event == "other count":
            count = 1 + int(rng.integers(60))
        scores = known.mean_nearest_of_all(rows, count)
        assert scores.tolist() == NeighbourIndex(points).mean_nearest_of_all(rows, count).tolist()
        plain = [np.mean(np.sqrt(squares)) if squares else 0.0 for squares in nearest(rows, points, count)]
        assert scores == pytest.approx(plain, rel=1e-12, abs=1e-12)
        assert known.mean_nearest(rows, count).tolist() == NeighbourIndex(points).mean_nearest(rows, count).tolist()
        rows[rng.integers(len(rows))] = some(1)
        assert (
            known.select_by_threshold(rows, 1.5).tolist()
            == NeighbourIndex(points).select_by_threshold(rows, 1.5).tolist()
        )


def sorting(searched):
    """A search among rows of one number, as `Standing` wants it, by sorting; it notes whose lists it filled."""

    def search(rows, first, width, squares, who):
        for i in np.flatnonzero(who[:, first - 1] == NOBODY):
            searched.append(int(i))
            found = sorted(((row[0] - rows[i, 0]) ** 2, number) for number, row in enumerate(rows) if number != i)
            squares[i], who[i] = found[width - 1][0], NOBODY
            squares[i, :width], who[i, :width] = zip(*found[:width], strict=True)

    return search


def test_only_newcomers_are_searched_for_as_long_as_neighbours_are_to_spare():
    searched = []
    line, standing, search = np.arange(40.0)[:, None], Standing(0), sorting(searched)
    standing.nearest(line, 2, search)
    assert searched == list(range(40))
    searched.clear()
    line[39] = 50.0
    assert standing.nearest(line, 2, search)[[37, 38, 39], :2].tolist() == [[1, 1], [1, 4], [144, 169]]
    assert searched == [38, 39]  # 38 knew of no more than two, of whom one is gone
    searched.clear()
    line[0] = 51.0
    assert standing.nearest(line, 2, search)[[0, 38, 39], :2].tolist() == [[1, 169], [1, 4], [1, 144]]
    assert searched == [0, 1]


def test_points_that_join_leave_those_before_as_they_were():
    line, standing, search = np.arange(40.0)[:, None], Standing(0), sorting([])
    standing.nearest(line, 2, search)
    more = standing.joined(np.array([[3.5], [9.0]]))
    assert more.nearest(line, 2, search)[[3, 9], :2].tolist() == [[0.25, 1], [0, 1]]
    assert (more.who[3, 0], more.who[9, 0]) == (POINT, POINT)
    assert standing.nearest(line, 2, search)[[3, 9], :2].tolist() == [[1, 1], [1, 1]]
