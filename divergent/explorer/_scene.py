"""The content of a page on one run: behaviours in some dimensions, and the history of the individuals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from divergent.explorer._array_bundle import LARGEST_SHOWN
from divergent.explorer._descriptions import name_of
from divergent.history import History
from divergent.selection import SEARCHES

MARGIN = 0.04  # margin around behaviours without limits, as a fraction of the range
MOST_VALUES = 3_000_000  # largest number of behaviours times dimensions; dimensions with the largest variance are kept


class Dimension(NamedTuple):
    """A dimension of behaviours on the page."""

    name: str
    low: float
    high: float
    derived: bool = False
    """Whether it is a principal component."""


@dataclass(kw_only=True)
class Scene:
    """One run as a page shows it.

    Parameters
    ----------
    title : str
        Title of the run.
    facts : str
        Its outcome in words.
    search : str or None
        Name of the search; None if it is unknown.
    history : History
        All evaluations.
    dimensions : sequence of Dimension
        Dimensions that the page can show.
    values : ndarray of shape (n, len(dimensions))
        The behaviours in these dimensions.
    expand : callable
        Turns behaviours (m, d) into rows of `dimensions`.
    measure : str
        Name of the quality.
    qualities : ndarray of shape (n,)
        Quality of each individual.
    smaller : bool
        Whether a smaller quality is better.
    plane : tuple of int, default=(0, 1)
        The dimensions that are shown first.
    solution : int or None, default=None
        The first individual that solved the task.
    remark : str, default=""
        A caution for the reader.
    settings : list of tuple, default=[]
        Names and values of settings, as text.
    maze : dict or None, default=None
        The maze as JSON-serialisable data.
    trails : ndarray or None, default=None
        Thinned trajectories of all robots.
    robots : dict, default={}
        Robots with complete trajectories, by the number of their evaluation.
    background : str or None, default=None
        An image below the individuals in the plane shown first, as a data address.
    images : dict, default={}
        Images of individuals by number, as data addresses.
    """

    title: str
    facts: str
    search: str | None
    history: History
    dimensions: Sequence[Dimension]
    values: np.ndarray
    expand: Callable[[np.ndarray], np.ndarray]
    measure: str
    qualities: np.ndarray
    smaller: bool
    plane: tuple[int, int] = (0, 1)
    solution: int | None = None
    remark: str = ""
    settings: list[tuple[str, str]] = field(default_factory=list)
    maze: dict[str, Any] | None = None
    trails: np.ndarray | None = None
    robots: dict[int, Any] = field(default_factory=dict)
    background: str | None = None
    images: dict[int, str] = field(default_factory=dict)


def scene_of(
    history: History,
    title: str | None = None,
    *,
    axes: Sequence[str] | None = None,
    limits: Sequence[tuple[float, float]] | None = None,
    solved: Callable[[tuple[float, ...]], bool] | None = None,
) -> Scene:
    """Return the scene of a history.

    Parameters
    ----------
    history : History
        The history of a loop.
    title : str or None, default=None
        Title of the run; None is the name of the search.
    axes : sequence of str or None, default=None
        Names of the behaviour dimensions; None numbers them.
    limits : sequence of (float, float) or None, default=None
        Ranges of the behaviour dimensions; None uses the range of the behaviours with a margin.
    solved : callable or None, default=None
        Function of a tuple with the first fitness value. Returns whether this value solves the task.

    Returns
    -------
    Scene
        With more than two dimensions, the first two principal components are added and shown first unless `axes` or
        `limits` are given.

    Raises
    ------
    ValueError
        If there are no behaviours, a behaviour is too large, or `axes` or `limits` do not have one item per dimension.

    Examples
    --------
    >>> scene_of(History())
    Traceback (most recent call last):
    ...
    ValueError: history must have evaluations with behaviours, got none; watch the loop with History.watch
    """
    behaviours = history.behaviours
    if not behaviours.size:
        raise ValueError("history must have evaluations with behaviours, got none; watch the loop with History.watch")
    if (largest := float(np.abs(behaviours).max())) > LARGEST_SHOWN:
        raise ValueError(f"behaviours must be at most {LARGEST_SHOWN:g} in size to be shown, got {largest:g}")
    expand, names = _expansion(behaviours, axes)
    values = expand(behaviours)
    dimensions = _dimensions(names, values, behaviours.shape[1], limits)
    search = next((name for name, kind in SEARCHES.items() if type(history.strategy) is kind), None)
    best = history.fitness.min() if history.minimised else history.fitness.max()
    solution = None
    if solved is not None:
        solution = next((number for number, value in enumerate(history.fitness) if solved((value,))), None)
    ending = "" if solution is None else f", solved after {solution + 1:,}"
    named = axes is not None or limits is not None or behaviours.shape[1] <= 2
    return Scene(
        title=title or name_of(search),
        facts=f"{len(history):,} evaluations{ending}; best fitness {best:.4g}",
        search=search,
        history=history,
        dimensions=dimensions,
        values=values,
        expand=expand,
        plane=(0, 1) if named else (len(names) - 2, len(names) - 1),
        measure="fitness",
        qualities=history.fitness,
        smaller=history.minimised,
        solution=solution,
    )


def _expansion(
    behaviours: np.ndarray, axes: Sequence[str] | None
) -> tuple[Callable[[np.ndarray], np.ndarray], list[str]]:
    """Return a function from behaviours to the dimensions of the page, and the names of the dimensions."""
    count, width = behaviours.shape
    if axes is not None and len(axes) != width:
        raise ValueError(f"axes must name {width} dimensions, got {len(axes)}")
    names = list(axes) if axes is not None else [f"behaviour {number + 1}" for number in range(width)]
    if width == 1:
        return lambda rows: np.column_stack([rows, np.zeros(len(rows))]), [names[0], ""]
    if width == 2:
        return np.asarray, names
    kept = np.arange(width)
    if count * width > MOST_VALUES:
        kept = np.sort(np.argsort(-behaviours.var(axis=0), kind="stable")[: max(MOST_VALUES // count, 2)])
    mean = behaviours.mean(axis=0)
    plane, variances = _principal_components(behaviours - mean)
    names = [names[number] for number in kept]
    names += [f"principal component {number + 1} ({part:.0%} of the variance)" for number, part in enumerate(variances)]
    return lambda rows: np.column_stack([rows[:, kept], (rows - mean) @ plane.T]), names


def _principal_components(centred: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the first two principal components with a fixed sign, and their fractions of the variance."""
    scatter, directions = np.linalg.eigh(centred.T @ centred)
    plane, total = np.zeros((2, centred.shape[1])), max(float(scatter.sum()), float(np.finfo(float).tiny))
    fractions = np.zeros(2)
    for place in range(2):
        direction = directions[:, -1 - place]
        # behaviours on a line have one principal direction, a single behaviour has none
        if scatter[-1 - place] <= 1e-12 * total:
            continue
        plane[place] = direction * np.sign(direction[np.abs(direction).argmax()])
        fractions[place] = scatter[-1 - place] / total
    return plane, fractions


def _dimensions(
    names: Sequence[str], values: np.ndarray, width: int, limits: Sequence[tuple[float, float]] | None
) -> list[Dimension]:
    if limits is not None and len(limits) != width:
        raise ValueError(f"limits must have one range for each of {width} dimensions, got {len(limits)}")
    dimensions = []
    for place, name in enumerate(names):
        low, high = float(values[:, place].min()), float(values[:, place].max())
        margin = (high - low) * MARGIN if high > low else 1.0
        low, high = low - margin, high + margin
        derived = width > 2 and place >= len(names) - 2
        if limits is not None and not derived and place < width:
            low, high = (float(bound) for bound in limits[place])
            if not low < high:
                raise ValueError(f"limits must be increasing, got {low:g} and {high:g} for {name!r}")
        dimensions.append(Dimension(name, low, high, derived))
    return dimensions
