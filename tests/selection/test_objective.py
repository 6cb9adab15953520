import numpy as np

from divergent.individual import Outcomes
from divergent.selection import Objective


def test_the_score_is_the_fitness_and_no_view_of_it():
    outcomes = Outcomes(np.array([3.0, -1.0]), np.empty((2, 0)))
    scores = Objective().score(outcomes)
    outcomes.fitness[:] = 0
    assert scores.tolist() == [3.0, -1.0]


def test_others_change_nothing():
    one, others = Outcomes(np.array([3.0]), np.empty((1, 0))), Outcomes(np.array([9.0]), np.empty((1, 0)))
    assert Objective().score(one, among=others).tolist() == [3.0]
