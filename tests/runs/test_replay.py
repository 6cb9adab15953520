import dataclasses
import warnings

import numpy as np
import pytest

from divergent import Settings, run
from divergent.runs._replay import difference, replay


@pytest.mark.parametrize("loop", ["steady", "generational"])
def test_replay_returns_the_history_of_the_run(loop):
    record = run(Settings(maze="medium", search="surprise", loop=loop, population=20, generations=6, steps=30))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        history = replay(record)
    assert np.array_equal(history.behaviours.astype(np.float32), record.positions)
    assert [generation.number for generation in history.generations] == [row["generation"] for row in record.rows]
    assert (history.parents[20:, 0] >= 0).all()
    assert {sum(generation.species.values()) for generation in history.generations[1:]} == {20}


def test_replay_of_a_solved_run_ends_with_the_solution():
    record = run(Settings(maze="medium", search="novelty", population=250, generations=300, seed=0))
    assert record.solved
    assert len(replay(record)) == record.evaluations


def test_replay_with_other_positions_warns():
    record = run(Settings(maze="medium", search="random", population=10, generations=2, steps=10))
    positions = record.positions.copy()
    positions[3] += 1
    with pytest.warns(UserWarning, match="from evaluation 4 on"):
        replay(dataclasses.replace(record, positions=positions))


def test_difference_names_the_first_evaluation_that_differs():
    positions = np.zeros((5, 2))
    other = positions.copy()
    other[3] = 1.0
    assert difference(positions, positions) == ""
    assert "from evaluation 4 on" in difference(positions, other)


def test_difference_of_a_short_repeat_names_the_first_missing_evaluation():
    assert "from evaluation 3 on" in difference(np.zeros((5, 2)), np.zeros((2, 2)))
