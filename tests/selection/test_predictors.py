import pickle
import warnings

import numpy as np
import pytest
from sklearn.compose import TransformedTargetRegressor
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression
from sklearn.neural_network import MLPRegressor
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

from divergent.selection import PREDICTORS, least_squares, linear, polynomial, regressor


def track(*places):
    """One cluster's centroids, one after the other, as a predictor sees them."""
    return np.array(places, dtype=float).reshape(len(places), 1, -1)


def test_a_cluster_that_keeps_moving_is_expected_further_on():
    assert linear(track((0, 0), (1, 2))).tolist() == [[2.0, 4.0]]


def test_linear_looks_at_the_last_two_only():
    assert linear(track((-50, 9), (0, 0), (1, 2))).tolist() == [[2.0, 4.0]]


def test_least_squares_over_four_generations():
    # the line through 0, 1, 1, 4 rises by 1.2 a step from -0.3, so the fifth is 4.5
    assert least_squares(track((0, 0), (1, 2), (1, 2), (4, 8))) == pytest.approx(np.array([[4.5, 9.0]]))


def test_least_squares_of_two_generations_is_linear(rng):
    tracks = rng.normal(size=(2, 9, 3))
    assert least_squares(tracks) == pytest.approx(linear(tracks))


@pytest.mark.parametrize(
    ("degree", "places", "expected"),
    [(1, (1, 3, 5), 7), (2, (0, 1, 4), 9), (2, (0, 1, 4, 9), 16), (3, (0, 1, 8, 27), 64), (3, (0, 1, 8, 27, 64), 125)],
)
def test_polynomials_go_on_as_they_went(degree, places, expected):
    assert polynomial(degree)(track(*places)).item() == pytest.approx(expected)


def test_a_polynomial_makes_do_with_a_lower_degree_while_history_is_short():
    assert polynomial(3)(track(0, 1)).item() == pytest.approx(2)
    assert polynomial(3)(track(0, 1, 4)).item() == pytest.approx(9)


def test_polynomials_agree_with_numpys(rng):
    tracks = rng.normal(size=(7, 5, 2))
    coefficients = np.polyfit(np.arange(7), tracks.reshape(7, -1), 2)
    assert polynomial(2)(tracks).ravel() == pytest.approx(coefficients.T @ [49, 7, 1])


@pytest.mark.parametrize("degree", [1, 3, 8, 14, 20])
@pytest.mark.parametrize("history", [2, 5, 15, 21, 60])
def test_what_stands_still_is_expected_where_it_is_by_every_degree(degree, history):
    assert polynomial(degree)(track(*[100.0] * history)).item() == pytest.approx(100.0, rel=1e-7)


def test_a_linear_regressor_is_least_squares(rng):
    tracks = rng.normal(size=(4, 6, 3))
    assert regressor(LinearRegression())(tracks) == pytest.approx(least_squares(tracks))


def test_a_regressor_of_one_number_is_fitted_to_each_coordinate(rng):
    tracks = rng.normal(size=(4, 3, 2))
    predictions = regressor(SVR())(tracks)
    times = np.arange(4.0).reshape(-1, 1)
    assert predictions[1, 0] == SVR().fit(times, tracks[:, 1, 0]).predict([[4.0]])[0]
    assert predictions[2, 1] == SVR().fit(times, tracks[:, 2, 1]).predict([[4.0]])[0]


def test_a_neural_network_predicts_too(rng):
    network = MLPRegressor(hidden_layer_sizes=(4,), max_iter=30, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        predictions = regressor(network)(rng.normal(size=(4, 3, 2)))
    assert predictions.shape == (3, 2)
    assert np.isfinite(predictions).all()


def test_a_scaled_support_vector_machine_follows_a_straight_track():
    machine = TransformedTargetRegressor(SVR(kernel="linear", C=100), transformer=StandardScaler())
    prediction = regressor(machine)(track((100, 50), (110, 60), (120, 70), (130, 80)))
    assert prediction == pytest.approx(np.array([[140, 90]]), abs=3)


@pytest.mark.parametrize("name", [*PREDICTORS, "regressor"])
def test_every_predictor_survives_a_pickle_and_leaves_the_tracks_alone(rng, name):
    predictor = PREDICTORS.get(name) or regressor(LinearRegression())
    tracks = rng.normal(size=(4, 3, 2))
    kept = tracks.copy()
    assert pickle.loads(pickle.dumps(predictor))(tracks).tolist() == predictor(tracks).tolist()
    assert (tracks == kept).all()


def test_bad_predictors_are_named():
    with pytest.raises(ValueError, match="degree must be a whole number, at least 1, got 0"):
        polynomial(0)
    with pytest.raises(ValueError, match="degree must be at most 20, beyond which nothing can be computed; got 21"):
        polynomial(21)
    with pytest.raises(TypeError, match="a regressor has fit and predict, got 'SVR'"):
        regressor("SVR")
