"""Predictors: where the next step of every cluster is expected, given its last ones."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.polynomial.chebyshev import chebvander

from divergent.checks import as_numbers, check_at_least

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
        if isinstance(estimator, type) or not (hasattr(estimator, "fit") and hasattr(estimator, "predict")):
            raise TypeError(f"a regressor has fit and predict, got {estimator!r}")
        self.estimator = estimator

    def __call__(self, tracks: np.ndarray) -> np.ndarray:
        from sklearn.base import clone
        from sklearn.multioutput import MultiOutputRegressor
        from sklearn.utils import get_tags

        tracks = check_tracks(tracks)
        h, k, d = tracks.shape
        several = get_tags(self.estimator).target_tags.multi_output
        times = np.arange(h, dtype=float).reshape(-1, 1)
        predictions = np.empty((k, d))
        for c in range(k):
            if d == 1:
                fitted = clone(self.estimator).fit(times, tracks[:, c, 0])
            else:
                estimator = clone(self.estimator)
                fitted = (estimator if several else MultiOutputRegressor(estimator)).fit(times, tracks[:, c])
            predictions[c] = np.reshape(fitted.predict([[float(h)]]), -1)
        return predictions

    def __repr__(self):
        return f"Regressor({self.estimator!r})"


def regressor(estimator: Any) -> Regressor:
    """The predictor that fits any scikit-learn regressor."""
    return Regressor(estimator)


PREDICTORS: dict[str, Predictor] = {
    "linear": linear,
    "least-squares": least_squares,
    "quadratic": Polynomial(2),
    "cubic": Polynomial(3),
}
