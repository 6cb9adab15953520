import dataclasses
import warnings

import numpy as np
import pytest

from divergent import Settings, run
from divergent.runs._replay import difference, replay


@pytest.mark.parametrize("loop", ["steady", "generational"])
def test_the_history_of_a_record_is_that_of_its_run(loop):
    record = run(Settings(maze="medium", search="surprise", loop=loop, population=20, generations=6, steps=30))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        history = replay(record)
    assert np.array_equal(history.behaviours.astype(np.float32), record.positions)
    assert [one.number for one in history.generations] == [row["generation"] for row in record.rows]
    assert (history.parents[20:, 0] >= 0).all()
    assert {sum(one.species.values()) for one in history.generations[1:]} == {20}


def test_a_repeat_ends_with_the_solution():
    record = run(Settings(maze="medium", search="novelty", population=250, generations=300, seed=0))
    assert record.solved
    assert len(replay(record)) == record.evaluations


def test_a_repeat_that_goes_another_way_is_warned_about():
    record = run(Settings(maze="medium", search="random", population=10, generations=2, steps=10))
    positions = record.positions.copy()
    positions[3] += 1
    with pytest.warns(UserWarning, match="from evaluation 4 on"):
        replay(dataclasses.replace(record, positions=positions))


def test_positions_that_differ_are_told_with_the_first_of_them():
    places = np.zeros((5, 2))
    other = places.copy()
    other[3] = 1.0
    assert difference(places, places) == ""
    assert "from evaluation 4 on" in difference(places, other)


def test_a_repeat_that_ends_too_early_is_told():
    assert "from evaluation 3 on" in difference(np.zeros((5, 2)), np.zeros((2, 2)))
