from types import SimpleNamespace

import numpy as np
import pytest

from divergent import History, Outcome
from divergent.explorer._run_detail import _parent_species, _ranks, prediction_errors
from divergent.individual import MaximisedFitness
from divergent.loops import Step


def individual(behaviour, score):
    made = SimpleNamespace(fitness=MaximisedFitness())
    made.fitness.values = Outcome((0.0,), behaviour=behaviour)
    made.fitness.score = score
    return made


def history_of(*generations, strategy=None):
    history = History(strategy=strategy)
    for number, offspring in enumerate(generations):
        history.note(Step(number, len(history) + len(offspring), offspring, offspring))
    return history


def test_prediction_errors_of_one_generation_average_the_nearest_distances():
    strategy = SimpleNamespace(predictions=np.array([[0.0, 0.0], [10.0, 0.0]]))
    history = history_of([individual((3.0, 4.0), 1.0), individual((10.0, 1.0), 2.0)], strategy=strategy)
    errors = prediction_errors(history, history.generations, lambda rows: rows)
    assert errors.tolist() == [pytest.approx((5.0 + 1.0) / 2)]


def test_prediction_errors_without_predictions_are_nan():
    history = history_of([individual((0.0, 0.0), 1.0)])
    assert np.isnan(prediction_errors(history, history.generations, lambda rows: rows)).all()


def test_ranks_of_two_generations_are_separate():
    first = [individual((0.0, 0.0), score) for score in (5.0, 1.0, 3.0)]
    second = [individual((0.0, 0.0), score) for score in (0.1, 0.2)]
    assert _ranks(history_of(first, second)).tolist() == [1.0, 0.0, 0.5, 0.0, 1.0]


def test_parent_species_of_a_founder_skips_its_own_species():
    species, parents = np.array([4, 7, 7]), np.array([-1, 0, 1])
    assert _parent_species(2, species, parents) == 4
    assert _parent_species(0, species, parents) == -1
