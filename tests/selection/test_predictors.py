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

from divergent.selection import (
    PREDICTORS,
    delayed,
    least_squares,
    linear,
    persistence,
    polynomial,
    random_step,
    regressor,
    shared,
)


def track(*places):
    """One cluster's centroids, one after the other, as a predictor sees them."""
    return np.array(places, dtype=float).reshape(len(places), 1, -1)


def test_linear_extrapolates_the_last_step():
    assert linear(track((0, 0), (1, 2))).tolist() == [[2.0, 4.0]]


def test_linear_uses_the_last_two_generations():
    assert linear(track((-50, 9), (0, 0), (1, 2))).tolist() == [[2.0, 4.0]]


def test_persistence_predicts_the_last_generation_even_of_one():
    assert persistence(track((0, 0), (1, 2))).tolist() == [[1.0, 2.0]]
    assert persistence(track((3, 4))).tolist() == [[3.0, 4.0]]


def test_delayed_predicts_the_generation_before_the_last():
    assert delayed(track((9, 9), (0, 0), (1, 2))).tolist() == [[0.0, 0.0]]


def test_random_step_has_the_length_of_the_last_step(rng):
    tracks = rng.normal(size=(3, 400, 2))
    steps = random_step(tracks, rng) - tracks[-1]
    lengths = np.linalg.norm(tracks[-1] - tracks[-2], axis=1)
    assert np.linalg.norm(steps, axis=1) == pytest.approx(lengths)
    directions = steps / lengths[:, None]
    assert np.abs(directions.mean(axis=0)).max() < 0.15  # uniform: standard error 0.035
    assert random_step(tracks, rng).tolist() != random_step(tracks, rng).tolist()


def test_random_step_of_a_resting_cluster_is_zero(rng):
    assert random_step(track((1, 2), (1, 2)), rng).tolist() == [[1.0, 2.0]]


def test_least_squares_fits_four_generations():
    # the line through 0, 1, 1, 4 rises by 1.2 a step from -0.3, so the fifth is 4.5
    assert least_squares(track((0, 0), (1, 2), (1, 2), (4, 8))) == pytest.approx(np.array([[4.5, 9.0]]))


def test_least_squares_of_two_generations_equals_linear(rng):
    tracks = rng.normal(size=(2, 9, 3))
    assert least_squares(tracks) == pytest.approx(linear(tracks))


@pytest.mark.parametrize(
    ("degree", "places", "expected"),
    [(1, (1, 3, 5), 7), (2, (0, 1, 4), 9), (2, (0, 1, 4, 9), 16), (3, (0, 1, 8, 27), 64), (3, (0, 1, 8, 27, 64), 125)],
)
def test_polynomial_continues_a_polynomial_track(degree, places, expected):
    assert polynomial(degree)(track(*places)).item() == pytest.approx(expected)


def test_polynomial_with_short_history_uses_lower_degree():
    assert polynomial(3)(track(0, 1)).item() == pytest.approx(2)
    assert polynomial(3)(track(0, 1, 4)).item() == pytest.approx(9)


def test_polynomial_of_random_tracks_equals_numpy(rng):
    tracks = rng.normal(size=(7, 5, 2))
    coefficients = np.polyfit(np.arange(7), tracks.reshape(7, -1), 2)
    assert polynomial(2)(tracks).ravel() == pytest.approx(coefficients.T @ [49, 7, 1])


@pytest.mark.parametrize("degree", [1, 3, 8, 14, 20])
@pytest.mark.parametrize("history", [2, 5, 15, 21, 60])
def test_polynomial_of_constant_track_is_constant(degree, history):
    assert polynomial(degree)(track(*[100.0] * history)).item() == pytest.approx(100.0, rel=1e-7)


def test_regressor_linear_equals_least_squares(rng):
    tracks = rng.normal(size=(4, 6, 3))
    assert regressor(LinearRegression())(tracks) == pytest.approx(least_squares(tracks))


def test_regressor_with_one_output_is_fitted_to_each_coordinate(rng):
    tracks = rng.normal(size=(4, 3, 2))
    predictions = regressor(SVR())(tracks)
    times = np.arange(4.0).reshape(-1, 1)
    assert predictions[1, 0] == SVR().fit(times, tracks[:, 1, 0]).predict([[4.0]])[0]
    assert predictions[2, 1] == SVR().fit(times, tracks[:, 2, 1]).predict([[4.0]])[0]


def test_regressor_accepts_a_neural_network(rng):
    network = MLPRegressor(hidden_layer_sizes=(4,), max_iter=30, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        predictions = regressor(network)(rng.normal(size=(4, 3, 2)))
    assert predictions.shape == (3, 2)
    assert np.isfinite(predictions).all()


def test_regressor_scaled_svr_extrapolates_a_line():
    machine = TransformedTargetRegressor(SVR(kernel="linear", C=100), transformer=StandardScaler())
    prediction = regressor(machine)(track((100, 50), (110, 60), (120, 70), (130, 80)))
    assert prediction == pytest.approx(np.array([[140, 90]]), abs=3)


@pytest.mark.parametrize("estimator", [LinearRegression(), "ridge", "forest", SVR()])
@pytest.mark.parametrize("history", [2, 3, 6])
def test_shared_common_step_is_repeated(rng, estimator, history):
    starts = rng.normal(size=(1, 9, 2))
    tracks = starts + np.arange(history)[:, None, None] * [3.0, -1.0]
    assert shared(estimator)(tracks) == pytest.approx(tracks[-1] + [3.0, -1.0])


@pytest.mark.parametrize("history", [2, 3, 5])
def test_shared_common_rotation_is_continued(rng, history):
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])  # a quarter
    places = [rng.normal(size=(7, 2))]
    for _ in range(history):
        places.append((1.0, 2.0) + (places[-1] - (1.0, 2.0)) @ turn.T)
    assert shared(LinearRegression())(np.array(places[:-1])) == pytest.approx(places[-1])


def test_shared_of_three_generations_learns_constant_velocity(rng):
    starts, steps = rng.normal(size=(2, 8, 2))
    tracks = np.array([starts, starts + steps, starts + 2 * steps])
    assert shared(LinearRegression())(tracks) == pytest.approx(linear(tracks))


def test_shared_predicts_from_steps_of_other_clusters():
    # one went from 0 to 1 and another from 1 to 3; the first is at 1 now, where the other set out by 2
    tracks = np.array([[[0.0], [1.0]], [[1.0], [3.0]]])
    assert shared(LinearRegression())(tracks).ravel().tolist() == pytest.approx([3.0, 7.0])


def test_shared_ignores_clusters_that_did_not_move():
    tracks = np.array([[[0.0, 0.0], [9.0, 9.0], [4.0, 0.0]], [[1.0, 0.0], [9.0, 9.0], [5.0, 0.0]]])
    assert shared(LinearRegression())(tracks) == pytest.approx(np.array([[2.0, 0.0], [10.0, 9.0], [6.0, 0.0]]))


def test_shared_of_constant_tracks_is_constant(rng):
    tracks = np.repeat(rng.normal(size=(1, 5, 2)), 3, axis=0)
    assert shared("ridge")(tracks) == pytest.approx(tracks[-1])


def test_shared_is_fitted_once(rng):
    class Counting(LinearRegression):
        fits = 0

        def fit(self, features, targets):
            Counting.fits += 1
            return super().fit(features, targets)

    tracks = rng.normal(size=(3, 50, 2))
    shared(Counting())(tracks)
    assert Counting.fits == 1


@pytest.mark.parametrize("name", [*PREDICTORS, "regressor"])
def test_predictors_are_picklable_and_do_not_change_tracks(rng, name):
    predictor = PREDICTORS.get(name) or regressor(LinearRegression())
    tracks = rng.normal(size=(4, 3, 2))
    kept = tracks.copy()
    assert pickle.loads(pickle.dumps(predictor))(tracks).tolist() == predictor(tracks).tolist()
    assert (tracks == kept).all()


def test_predictors_with_invalid_arguments_raise():
    with pytest.raises(ValueError, match=r"degree must be an integer, at least 1, got 0"):
        polynomial(0)
    with pytest.raises(ValueError, match="degree must be at most 20, got 21"):
        polynomial(21)
    with pytest.raises(TypeError, match="estimator must have the methods fit and predict, got 'SVR'"):
        regressor("SVR")
    with pytest.raises(TypeError, match="estimator must have the methods fit and predict, got 7"):
        shared(7)
    with pytest.raises(ValueError, match="unknown estimator 'rigde'; choose from ridge, forest or pass a regressor"):
        shared("rigde")
