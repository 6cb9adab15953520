import numpy as np
import pytest

from divergent.individual import Outcomes
from divergent.selection import Objective


def test_objective_score_is_a_copy_of_the_fitness():
    outcomes = Outcomes(np.array([3.0, -1.0]), np.empty((2, 0)))
    scores = Objective().score(outcomes)
    outcomes.fitness[:] = 0
    assert scores.tolist() == [3.0, -1.0]


def test_objective_among_others_is_the_fitness():
    outcomes, others = Outcomes(np.array([3.0]), np.empty((1, 0))), Outcomes(np.array([9.0]), np.empty((1, 0)))
    assert Objective().score(outcomes, among=others).tolist() == [3.0]


def test_objective_with_index_uses_that_value():
    outcomes = Outcomes(np.array([[3.0, -1.0], [2.0, 7.0]]), np.empty((2, 0)))
    assert Objective(index=0).score(outcomes).tolist() == [3.0, 2.0]
    assert Objective(index=1).score(outcomes).tolist() == [-1.0, 7.0]


def test_objective_of_several_values_without_index_warns_once():
    outcomes = Outcomes(np.array([[3.0, -1.0], [2.0, 7.0]]), np.empty((2, 0)))
    objective = Objective()
    with pytest.warns(UserWarning, match=r"Objective uses values\[0\] of 2 fitness values; pass index to choose"):
        assert objective.score(outcomes).tolist() == [3.0, 2.0]
    assert objective.score(outcomes).tolist() == [3.0, 2.0]  # a second warning would be an error


def test_objective_with_index_out_of_range_raises():
    with pytest.raises(ValueError, match="index must be below 1, the number of fitness values, got 1"):
        Objective(index=1).score(Outcomes(np.array([3.0]), np.empty((1, 0))))
    with pytest.raises(ValueError, match=r"index must be an integer, at least 0, got -1"):
        Objective(index=-1)
