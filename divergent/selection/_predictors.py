"""Predictors: models that extrapolate the centroids of clusters by one generation."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.polynomial.chebyshev import chebvander

from divergent.validation import as_numbers, brief, check_at_least

Predictor = Callable[..., np.ndarray]

LARGEST_DEGREE = 20  # maximum degree of a polynomial; the weights of past centroids grow as 2**degree


def _check_tracks(tracks: np.ndarray, least: int = 2) -> np.ndarray:
    """Return past centroids; raise a ValueError if there are too few generations or if a number is not finite."""
    tracks = as_numbers("tracks", tracks, 3)
    if len(tracks) < least:
        raise ValueError(
            f"tracks must contain the centroids of enough generations, at least {least}, got {len(tracks)}"
        )
    if not np.isfinite(tracks).all():
        raise ValueError("tracks must be finite, got nan or infinite coordinates; check the behaviours")
    return tracks


def linear(tracks: np.ndarray) -> np.ndarray:
    """Extrapolate the line through the last two centroids of each cluster.

    Generations before the last two are not used.

    Parameters
    ----------
    tracks : ndarray of shape (h, k, d)
        Centroids of k clusters in h generations, oldest generation first.

    Returns
    -------
    ndarray of shape (k, d)
        Predicted centroids of the next generation.

    See Also
    --------
    least_squares : Least-squares line through all generations.
    polynomial : Least-squares polynomial of any degree.

    Examples
    --------
    >>> linear(np.array([[[0.0, 0.0]], [[1.0, 2.0]]]))
    array([[2., 4.]])
    """
    tracks = _check_tracks(tracks)
    return 2 * tracks[-1] - tracks[-2]


class _Persistence:
    """Predict that centroids stay where they were in the last generation."""

    history = 1

    def __call__(self, tracks: np.ndarray) -> np.ndarray:
        """Return predicted centroids."""
        return _check_tracks(tracks, least=1)[-1]

    def __repr__(self) -> str:
        return "persistence"


persistence = _Persistence()
"""Predict that centroids stay where they were in the last generation. Predictions start after one generation."""


def delayed(tracks: np.ndarray) -> np.ndarray:
    """Predict the centroids of the generation before the last (a delay without extrapolation).

    The prediction is as far from the last centroid as the prediction of `linear`, but in the opposite direction.

    Parameters
    ----------
    tracks : ndarray of shape (h, k, d)
        Centroids of k clusters in h generations, oldest generation first.

    Returns
    -------
    ndarray of shape (k, d)
        Predicted centroids of the next generation.

    See Also
    --------
    linear : Prediction that each centroid repeats its last step.
    random_step : Prediction that each centroid moves as far as in its last step, in a random direction.

    Examples
    --------
    >>> delayed(np.array([[[0.0, 0.0]], [[1.0, 2.0]]]))
    array([[0., 0.]])
    """
    return _check_tracks(tracks)[-2]


class _RandomStep:
    """Predict that each centroid moves as far as in the last generation, in a random direction."""

    draws = True  # `Surprise` passes its random generator to predictors whose attribute `draws` is True

    def __call__(self, tracks: np.ndarray, rng: np.random.Generator | None = None) -> np.ndarray:
        """Return predicted centroids."""
        tracks = _check_tracks(tracks)
        rng = np.random.default_rng(0) if rng is None else rng
        lengths = np.linalg.norm(tracks[-1] - tracks[-2], axis=1, keepdims=True)
        directions = rng.normal(size=tracks[-1].shape)
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        return tracks[-1] + lengths * directions

    def __repr__(self) -> str:
        return "random_step"


random_step = _RandomStep()
"""Predict that each centroid moves as far as in the last generation, in a uniformly random direction.

The random step is as long as the step of the linear prediction. `Surprise` passes its random generator; if none is
passed, a generator with seed 0 is used."""


class _Polynomial:
    """Extrapolate a least-squares polynomial in time; see `polynomial`."""

    def __init__(self, degree: int):
        check_at_least(1, degree=degree)
        if degree > LARGEST_DEGREE:
            raise ValueError(
                f"degree must be at most {LARGEST_DEGREE}, got {degree}; "
                "rounding errors dominate predictions of higher degrees"
            )
        self.degree = degree
        self.history = degree + 1
        self.__doc__ = f"Extrapolate a least-squares polynomial of degree {degree}."

    def __call__(self, tracks: np.ndarray) -> np.ndarray:
        """Return predicted centroids."""
        tracks = _check_tracks(tracks)
        h = len(tracks)
        degree = min(self.degree, h - 1)
        # Chebyshev polynomials on [-1, 1] are well conditioned up to high degrees
        times = np.linspace(-1.0, 1.0, h)
        after = 1.0 + (times[1] - times[0])
        weights = chebvander(after, degree) @ np.linalg.pinv(chebvander(times, degree))
        return np.tensordot(weights.ravel(), tracks, axes=1)

    def __repr__(self) -> str:
        return f"polynomial({self.degree})"


def polynomial(degree: int) -> Predictor:
    """Create a predictor that extrapolates the least-squares polynomial in time.

    If there are exactly degree + 1 generations, the polynomial passes through all their centroids.

    Parameters
    ----------
    degree : int
        Degree of the polynomial, from 1 to 20. If there are fewer than degree + 1 generations, the predictor lowers the
        degree, so that the polynomial passes through all centroids.

    Returns
    -------
    callable
        Predictor that takes centroids (h, k, d) and returns predictions (k, d).

    See Also
    --------
    regressor : Predictor that fits a scikit-learn regressor to each cluster.

    Examples
    --------
    For a cluster that was at 0, 1 and 4, a parabola predicts 9 and a line predicts 17/3:

    >>> tracks = np.array([0.0, 1.0, 4.0]).reshape(3, 1, 1)
    >>> polynomial(2)(tracks).round(6).item(), polynomial(1)(tracks).round(6).item()
    (9.0, 5.666667)
    """
    return _Polynomial(degree)


least_squares = polynomial(1)
"""Extrapolate the least-squares line of all h generations."""


def _check_estimator(estimator: Any) -> Any:
    """Return an estimator; raise a TypeError unless the estimator has the interface of a scikit-learn regressor."""
    if isinstance(estimator, type) or not (hasattr(estimator, "fit") and hasattr(estimator, "predict")):
        raise TypeError(
            f"estimator must have the methods fit and predict, got {brief(estimator)}; "
            "pass an instance of a scikit-learn regressor"
        )
    return estimator


def _fit_and_predict(estimator: Any, features: np.ndarray, targets: np.ndarray, queries: np.ndarray) -> np.ndarray:
    """Fit a clone of the estimator to targets (m, d) and predict the targets of the rows of `queries`.

    An estimator that supports only one output is fitted to each of the d target columns.
    """
    from sklearn.base import clone
    from sklearn.multioutput import MultiOutputRegressor
    from sklearn.utils import get_tags

    estimator = clone(estimator)
    if targets.shape[1] == 1:
        fitted = estimator.fit(features, targets[:, 0])
    else:
        multi_output = get_tags(estimator).target_tags.multi_output
        fitted = (estimator if multi_output else MultiOutputRegressor(estimator)).fit(features, targets)
    return np.reshape(fitted.predict(queries), (len(queries), targets.shape[1]))


class _Regressor:
    """Fit a scikit-learn regressor to the past centroids of each cluster; see `regressor`."""

    def __init__(self, estimator: Any):
        self.estimator = _check_estimator(estimator)

    def __call__(self, tracks: np.ndarray) -> np.ndarray:
        """Return predicted centroids."""
        tracks = _check_tracks(tracks)
        h = len(tracks)
        times = np.arange(h, dtype=float).reshape(-1, 1)
        after = np.array([[float(h)]])
        predictions = [_fit_and_predict(self.estimator, times, track, after) for track in tracks.swapaxes(0, 1)]
        return np.reshape(predictions, tracks.shape[1:])

    def __repr__(self) -> str:
        return f"regressor({self.estimator!r})"


def regressor(estimator: Any) -> Predictor:
    """Create a predictor that fits a scikit-learn regressor to the past centroids of each cluster.

    The only feature is the generation number, counted from 0. A separate regressor is fitted to each cluster, and to
    each coordinate if the estimator supports only one output, as SVR does. Slow estimators and many clusters therefore
    slow down each generation. If a regressor expects targets near zero, wrap it in a
    `sklearn.compose.TransformedTargetRegressor`.

    Parameters
    ----------
    estimator : object
        Scikit-learn regressor that is cloned and fitted.

    Returns
    -------
    callable
        Predictor that takes centroids (h, k, d) and returns predictions (k, d).

    See Also
    --------
    shared : Predictor with one regressor for all clusters.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> tracks = np.array([[[0.0, 0.0]], [[1.0, 2.0]], [[2.0, 4.0]]])
    >>> regressor(LinearRegression())(tracks).round(6)
    array([[3., 6.]])
    """
    return _Regressor(estimator)


def _ridge() -> Any:
    """Create a ridge regressor that standardises its features."""
    from sklearn.linear_model import Ridge
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), Ridge())


def _forest() -> Any:
    """Create a random forest with a fixed seed, so that equal centroids give equal predictions."""
    from sklearn.ensemble import RandomForestRegressor

    return RandomForestRegressor(random_state=0)


ESTIMATORS: dict[str, Callable[[], Any]] = {"ridge": _ridge, "forest": _forest}


class _Shared:
    """Fit one scikit-learn regressor to the movements of all centroids; see `shared`."""

    history = 3

    def __init__(self, estimator: Any):
        if not isinstance(estimator, str):
            _check_estimator(estimator)
        elif estimator not in ESTIMATORS:
            raise ValueError(
                f"unknown estimator {estimator!r}; choose from {', '.join(ESTIMATORS)} or pass a regressor"
            )
        self.estimator = estimator
        self.__doc__ = f"Predict the movements of all centroids by one regressor, {estimator}."

    def __call__(self, tracks: np.ndarray) -> np.ndarray:
        """Return predicted centroids."""
        tracks = _check_tracks(tracks)
        steps = np.diff(tracks, axis=0)
        moved = steps[-1].any(axis=1)
        examples = moved if moved.any() else ~moved
        before, now = (
            np.hstack([positions[-1], *moves])
            for positions, moves in ((tracks[:-1], steps[:-1]), (tracks[1:], steps[1:]))
        )
        estimator = ESTIMATORS[self.estimator]() if isinstance(self.estimator, str) else self.estimator
        return tracks[-1] + _fit_and_predict(estimator, before[examples], steps[-1][examples], now)

    def __repr__(self) -> str:
        return f"shared({self.estimator!r})"


def shared(estimator: Any) -> Predictor:
    """Create a predictor that fits one scikit-learn regressor to the movements of all centroids.

    Each cluster is a training example. A step is the movement of a centroid in one generation. The features are the
    second-last centroid and all earlier steps; the target is the last step. The prediction adds the predicted next step
    to the last centroid. If a regressor shrinks its predictions, as ridge regression does, predicted steps are biased
    towards the mean step of all clusters. If there are h generations, h - 2 steps are features. If there are only two
    generations, the centroid is the only feature. Clusters that did not move are regarded as empty and are not training
    examples, unless no cluster moved.

    Parameters
    ----------
    estimator : object or str
        Scikit-learn regressor that is cloned and fitted, or a name: "ridge" (ridge regression on standardised features)
        or "forest" (random forest). Set `random_state` of a randomised estimator to make runs reproducible.

    Returns
    -------
    callable
        Predictor that takes centroids (h, k, d) and returns predictions (k, d).

    See Also
    --------
    regressor : Predictor with a separate fit for each cluster.

    Examples
    --------
    Both clusters moved by 1 in x in the last generation and are predicted to move by 1 again:

    >>> from sklearn.linear_model import LinearRegression
    >>> tracks = np.array([[[0.0, 0.0], [5.0, 5.0]], [[1.0, 0.0], [5.0, 5.0]], [[2.0, 0.0], [6.0, 5.0]]])
    >>> shared(LinearRegression())(tracks).round(6)
    array([[3., 0.],
           [7., 5.]])
    """
    return _Shared(estimator)


PREDICTORS: dict[str, Predictor] = {
    "linear": linear,
    "least-squares": least_squares,
    "quadratic": polynomial(2),
    "cubic": polynomial(3),
    "persistence": persistence,
    "delayed": delayed,
    "random-step": random_step,
    **{f"shared:{name}": shared(name) for name in ESTIMATORS},
}
