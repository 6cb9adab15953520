"""Draw the centroids that surprise search predicts, and the individuals with their surprise scores."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from divergent.individual import pack
from divergent.plots._style import INK, SOFT, choose_axes, mark_colour
from divergent.selection._partitions import ClusterPartition, GroupPartition
from divergent.selection._surprise import Surprise

PREDICTED = mark_colour("prediction")


def draw_surprise(strategy: Surprise, individuals: Sequence[Any], ax: Any = None) -> Any:
    """Draw the centroids of generations t-2 and t-1, the predicted centroids, and the population of generation t.

    Dots mark centroids at t-2, squares mark centroids at t-1, and filled diamonds mark predictions. Lines connect the
    centroids and the prediction of each cluster. Open diamonds mark predictions that were kept because their cluster is
    empty. Individuals are drawn as grey dots, whose size shows the surprise score.

    Parameters
    ----------
    strategy : Surprise
        A strategy that has been updated from at least two generations of two-dimensional behaviours.
    individuals : sequence
        Evaluated individuals of generation t.
    ax : matplotlib.axes.Axes or None, default=None
        Axes to draw on, for example the axes of `draw_maze`; None creates a figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Raises
    ------
    ValueError
        If the strategy has no predictions yet, or behaviours are not two-dimensional.

    Examples
    --------
    The legend lists the population, the clusters of two generations and the predictions:

    >>> from types import SimpleNamespace
    >>> from divergent.individual import MaximisedFitness, Outcome
    >>> from divergent.selection import Surprise
    >>> def generation(x):
    ...     individuals = [SimpleNamespace(fitness=MaximisedFitness()) for _ in range(4)]
    ...     for y, individual in enumerate(individuals):
    ...         individual.fitness.values = Outcome((0.0,), behaviour=(x, y))
    ...     return individuals
    >>> surprise = Surprise(clusters=4)
    >>> for x in (0.0, 1.0):
    ...     scores = surprise(generation(x))
    >>> ax = draw_surprise(surprise, generation(2.0))
    >>> ax.get_legend_handles_labels()[1][-1]
    'predictions for t'
    """
    outcomes = pack(individuals)
    before, now, predictions, fresh = _what_is_known(strategy)
    if outcomes.behaviours.shape[1] != 2 or now.shape[1] != 2:
        raise ValueError(f"behaviours must have 2 dimensions to be drawn, got {outcomes.behaviours.shape[1]}")
    if ax is None:
        ax = choose_axes(ax, size=(5.5, 5.5))
        ax.set_aspect("equal", adjustable="datalim")
        ax.set_xlabel("behaviour, first dimension")
        ax.set_ylabel("behaviour, second dimension")
    scores = strategy.score(outcomes)
    sizes = 4 + 40 * scores / max(scores.max(), np.finfo(float).tiny)
    ax.scatter(
        *outcomes.behaviours.T,
        s=sizes,
        color=mark_colour("individual"),
        alpha=0.6,
        linewidths=0,
        zorder=4,
        label="population at t",
    )
    for c in np.flatnonzero(fresh):
        ax.plot(*np.array([before[c], now[c]]).T, color=INK, linewidth=0.8, zorder=5)
        ax.plot(*np.array([now[c], predictions[c]]).T, color=PREDICTED, linewidth=0.8, linestyle=":", zorder=5)
    diamond = {"marker": "D", "s": 22, "edgecolors": PREDICTED, "linewidths": 1.0, "zorder": 7}
    ax.scatter(*before.T, s=10, color=SOFT, zorder=6, label="clusters at t-2")
    ax.scatter(*now.T, s=22, marker="s", color=INK, zorder=6, label="clusters at t-1")
    ax.scatter(*predictions[fresh].T, facecolors=PREDICTED, label="predictions for t", **diamond)
    if not fresh.all():
        ax.scatter(*predictions[~fresh].T, facecolors="white", label="kept, cluster empty", **diamond)
    _include(ax, predictions)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=2, frameon=False, fontsize=8)
    return ax


def _include(ax: Any, points: np.ndarray) -> None:
    """Extend the limits of the axes so that all points are visible; inverted axes stay inverted."""
    for name, values in (("x", points[:, 0]), ("y", points[:, 1])):
        start, end = getattr(ax, f"get_{name}lim")()
        low, high, margin = min(start, end), max(start, end), 0.02 * abs(end - start)
        low, high = min(low, values.min() - margin), max(high, values.max() + margin)
        getattr(ax, f"set_{name}lim")((low, high) if start < end else (high, low))


def _what_is_known(strategy: Surprise) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    if not isinstance(strategy, Surprise):
        raise TypeError(f"strategy must be a Surprise to draw its predictions, got a {type(strategy).__name__}")
    if not isinstance(strategy.partition, ClusterPartition | GroupPartition):
        raise ValueError(
            "strategy must be a Surprise that predicts cluster centroids, "
            f"got a Surprise created with the argument deviation={type(strategy.deviation).__name__}"
        )
    if strategy.predictions is None or strategy.occupied is None or len(strategy.centroids) < 2:
        raise ValueError(
            f"strategy must be updated from at least two generations to be drawn, got {len(strategy.centroids)}"
        )
    return strategy.centroids[-2], strategy.centroids[-1], strategy.predictions, strategy.occupied
