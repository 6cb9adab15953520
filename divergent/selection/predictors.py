"""Predictors: where the next step of every cluster is expected, given its last ones."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.polynomial.chebyshev import chebvander

from divergent.validation import as_numbers, check_at_least

Predictor = Callable[[np.ndarray], np.ndarray]

LARGEST_DEGREE = 20  # a prediction is a weighted sum of the past, with weights that grow as 2 to the degree


def check_tracks(tracks: np.ndarray) -> np.ndarray:
    """Tracks that can be predicted from, refused if they are none."""
    tracks = as_numbers("tracks", tracks, 3)
    if len(tracks) < 2:
        raise ValueError(f"a prediction needs the centroids of at least 2 generations, got {len(tracks)}")
    if not np.isfinite(tracks).all():
        raise ValueError("tracks must be finite, some numbers are not")
    return tracks


def linear(tracks: np.ndarray) -> np.ndarray:
    """The line through the last two, one step on; earlier ones do not count.

    Parameters
    ----------
    tracks
        Centroids of h generations, the latest last, shape (h, k, d); as for every predictor. It returns (k, d).

    Examples
    --------
    >>> linear(np.array([[[0.0, 0.0]], [[1.0, 2.0]]]))
    array([[2., 4.]])
    """
    tracks = check_tracks(tracks)
    return 2 * tracks[-1] - tracks[-2]


class Polynomial:
    """The polynomial in time that fits the tracks best, one step on; exactly, where there are just enough of them.

    Parameters
    ----------
    degree
        Degree of the polynomial, from 1 to 20. While there are fewer than `degree` + 1 generations to look back on, the
        largest degree that they determine.

    Examples
    --------
    A cluster that was at 0, 1 and 4 goes on to 9 if it keeps accelerating, to 17/3 if it does not:

    >>> tracks = np.array([0.0, 1.0, 4.0]).reshape(3, 1, 1)
    >>> Polynomial(2)(tracks).round(6).item(), Polynomial(1)(tracks).round(6).item()
    (9.0, 5.666667)
    """

    def __init__(self, degree: int):
        check_at_least(1, degree=degree)
        if degree > LARGEST_DEGREE:
            raise ValueError(
                f"degree must be at most {LARGEST_DEGREE}, beyond which nothing can be computed; got {degree}"
            )
        self.degree = degree
        self.history = degree + 1

    def __call__(self, tracks: np.ndarray) -> np.ndarray:
        tracks = check_tracks(tracks)
        h = len(tracks)
        degree = min(self.degree, h - 1)
        # time from -1 to 1 and Chebyshev's polynomials, with which high degrees can be told apart
        times = np.linspace(-1.0, 1.0, h)
        after = 1.0 + (times[1] - times[0])
        weights = chebvander(after, degree) @ np.linalg.pinv(chebvander(times, degree))
        return np.tensordot(weights.ravel(), tracks, axes=1)

    def __repr__(self):
        return f"Polynomial({self.degree})"


def polynomial(degree: int) -> Polynomial:
    """The predictor that fits a polynomial of this degree in time."""
    return Polynomial(degree)


least_squares = Polynomial(1)
"""The straight line in time that fits all h generations best, one step on."""


def check_estimator(estimator: Any) -> Any:
    """What scikit-learn calls a regressor, refused if it is none."""
    if isinstance(estimator, type) or not (hasattr(estimator, "fit") and hasattr(estimator, "predict")):
        raise TypeError(f"a regressor has fit and predict, got {estimator!r}")
    return estimator


def fit_and_predict(estimator: Any, features: np.ndarray, targets: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """What a clone of the estimator, fitted to targets (m, d), says of rows of features; one clone for each of the d
    numbers where it can give one only."""
    from sklearn.base import clone
    from sklearn.multioutput import MultiOutputRegressor
    from sklearn.utils import get_tags

    estimator = clone(estimator)
    if targets.shape[1] == 1:
        fitted = estimator.fit(features, targets[:, 0])
    else:
        several = get_tags(estimator).target_tags.multi_output
        fitted = (estimator if several else MultiOutputRegressor(estimator)).fit(features, targets)
    return np.reshape(fitted.predict(asked), (len(asked), targets.shape[1]))


class Regressor:
    """Any scikit-learn regressor, fitted to each cluster's track against time, asked for one step on.

    Each cluster is a fit of its own with the times 0 to h-1 as the only feature, and each coordinate too where the
    estimator gives one number only (as SVR does): with many clusters and a slow estimator a generation takes long.
    Regressors that expect values near zero should be wrapped in a
    `sklearn.compose.TransformedTargetRegressor`.

    Parameters
    ----------
    estimator
        What is cloned and fitted.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> tracks = np.array([[[0.0, 0.0]], [[1.0, 2.0]], [[2.0, 4.0]]])
    >>> Regressor(LinearRegression())(tracks).round(6)
    array([[3., 6.]])
    """

    def __init__(self, estimator: Any):
        self.estimator = check_estimator(estimator)

    def __call__(self, tracks: np.ndarray) -> np.ndarray:
        tracks = check_tracks(tracks)
        h = len(tracks)
        times = np.arange(h, dtype=float).reshape(-1, 1)
        after = np.array([[float(h)]])
        predictions = [fit_and_predict(self.estimator, times, places, after) for places in tracks.swapaxes(0, 1)]
        return np.reshape(predictions, tracks.shape[1:])

    def __repr__(self):
        return f"Regressor({self.estimator!r})"


def regressor(estimator: Any) -> Regressor:
    """The predictor that fits any scikit-learn regressor."""
    return Regressor(estimator)


def _ridge() -> Any:
    from sklearn.linear_model import Ridge
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), Ridge())


def _forest() -> Any:
    from sklearn.ensemble import RandomForestRegressor

    return RandomForestRegressor(random_state=0)  # the same centroids give the same predictions


ESTIMATORS: dict[str, Callable[[], Any]] = {"ridge": _ridge, "forest": _forest}


class Shared:
    """One scikit-learn regressor for all clusters, fitted to how they moved last, asked for one step on.

    From h generations it learns what the first h - 1 places of a cluster say of its step to the last place, each
    cluster an example, and then predicts the next step from the last h - 1 places. So it looks back on one generation
    less than it is given, and what it is given must be three: two places tell where a cluster is and how it moves.
    Until there are three it makes do with where a cluster is.

    The features are the later of those places and the steps between them, and the target is the step, not the place: a
    regressor that draws near to the mean, or that gives back what it has seen, then errs towards how others moved.
    Clusters that did not move at all in the last generation are no examples, unless none did: nobody belongs to them.

    Parameters
    ----------
    estimator
        What is cloned and fitted, or the name of one: "ridge", ridge regression on scaled features, or "forest", a
        random forest. One that draws at random needs a `random_state`, or no run can be repeated.

    Examples
    --------
    Two clusters went one to the right, and both are expected to go on, the one that has only just begun, too:

    >>> from sklearn.linear_model import LinearRegression
    >>> tracks = np.array([[[0.0, 0.0], [5.0, 5.0]], [[1.0, 0.0], [5.0, 5.0]], [[2.0, 0.0], [6.0, 5.0]]])
    >>> Shared(LinearRegression())(tracks).round(6)
    array([[3., 0.],
           [7., 5.]])
    """

    history = 3

    def __init__(self, estimator: Any):
        if isinstance(estimator, str):
            if estimator not in ESTIMATORS:
                raise ValueError(
                    f"unknown estimator {estimator!r}; choose from {', '.join(ESTIMATORS)} or give a regressor"
                )
        else:
            check_estimator(estimator)
        self.estimator = estimator

    def __call__(self, tracks: np.ndarray) -> np.ndarray:
        tracks = check_tracks(tracks)
        steps = np.diff(tracks, axis=0)
        moved = steps[-1].any(axis=1)
        taught = moved if moved.any() else ~moved
        before, now = (
            np.hstack([places[-1], *moves]) for places, moves in ((tracks[:-1], steps[:-1]), (tracks[1:], steps[1:]))
        )
        estimator = ESTIMATORS[self.estimator]() if isinstance(self.estimator, str) else self.estimator
        return tracks[-1] + fit_and_predict(estimator, before[taught], steps[-1][taught], now)

    def __repr__(self):
        return f"Shared({self.estimator!r})"


def shared(estimator: Any) -> Shared:
    """The predictor that fits one scikit-learn regressor to all clusters at once."""
    return Shared(estimator)


PREDICTORS: dict[str, Predictor] = {
    "linear": linear,
    "least-squares": least_squares,
    "quadratic": Polynomial(2),
    "cubic": Polynomial(3),
    **{f"shared:{name}": Shared(name) for name in ESTIMATORS},
}
