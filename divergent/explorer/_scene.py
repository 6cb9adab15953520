"""Page content of one run: the history of all individuals, and the behaviour dimensions to show."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from divergent.explorer._array_bundle import LARGEST_SHOWN
from divergent.explorer._descriptions import name_of
from divergent.history import History
from divergent.selection._searches import SEARCHES

# Poses are rounded to 1/40 maze unit or degree, so that the change of a pose per time step fits into signed bytes.
GRID = 40
MARGIN = 0.04  # margin around the behaviours if no limits are given, as a fraction of the range of behaviours
MOST_VALUES = 3_000_000  # limit of evaluations times dimensions per run; dimensions of low variance are omitted


class Dimension(NamedTuple):
    """Behaviour dimension that the page can show."""

    name: str
    low: float
    high: float
    derived: bool = False
    """Whether the dimension is a principal component."""


@dataclass(kw_only=True)
class Scene:
    """Page content of one run.

    Parameters
    ----------
    title : str
        Title of the run.
    facts : str
        Outcome of the run in words.
    search : str or None
        Name of the search; None for an unknown search.
    history : History
        The history of all evaluations.
    dimensions : sequence of Dimension
        Behaviour dimensions that the page can show.
    values : ndarray of shape (n, len(dimensions))
        Behaviours of all individuals in these dimensions.
    expand : callable
        Function that maps behaviours of shape (m, d) to the dimensions of the page.
    measure : str
        Name of the quality measure, such as "fitness".
    qualities : ndarray of shape (n,)
        Quality of each individual.
    smaller : bool
        Whether a smaller quality is better.
    plane : tuple of int, default=(0, 1)
        Indices of the two dimensions that the page displays initially.
    solution : int or None, default=None
        Evaluation number of the first individual that solved the task.
    remark : str, default=""
        Warning that the page shows to the reader.
    settings : list of tuple, default=[]
        Names and values of settings, as text.
    maze : dict or None, default=None
        The maze as JSON-serialisable data.
    trails : ndarray or None, default=None
        Trajectories of all robots, reduced to a few positions per robot.
    robots : dict, default={}
        Robots with complete trajectories by evaluation number.
    background : str or None, default=None
        Background image of the two dimensions in `plane`, as a data URL.
    images : dict, default={}
        Images of individuals by evaluation number, as data URLs.
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
    """Create the page content of one run from its history.

    Parameters
    ----------
    history : History
        The history of a loop.
    title : str or None, default=None
        Title of the run; None uses the name of the search.
    axes : sequence of str or None, default=None
        Names of the behaviour dimensions; None numbers the dimensions.
    limits : sequence of (float, float) or None, default=None
        Ranges of the behaviour dimensions; None uses the range of the behaviours with a margin.
    solved : callable or None, default=None
        Function that takes a tuple with the first fitness value and returns whether this value solves the task.

    Returns
    -------
    Scene
        Page content of the run. If behaviours have more than two dimensions, the first two principal components are
        added as dimensions. The page initially displays these two components unless `axes` or `limits` are given.

    Raises
    ------
    ValueError
        If there are no behaviours, a behaviour has an absolute value above 1e30, or `axes` or `limits` are invalid.
    """
    behaviours = history.behaviours
    if not behaviours.size:
        raise ValueError("history must have evaluations with behaviours, got none; watch the loop with History.watch")
    if (largest := float(np.abs(behaviours).max())) > LARGEST_SHOWN:
        raise ValueError(f"absolute values of behaviours on a page must be at most {LARGEST_SHOWN:g}, got {largest:g}")
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
    """Return a function that maps behaviours to the dimensions shown on the page, and the names of the dimensions."""
    count, width = behaviours.shape
    if axes is not None and len(axes) != width:
        raise ValueError(f"axes must have one name for each of the {width} behaviour dimensions, got {len(axes)}")
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
    """Return the first two principal components, with deterministic signs, and their fractions of the variance."""
    scatter, directions = np.linalg.eigh(centred.T @ centred)
    plane, total = np.zeros((2, centred.shape[1])), max(float(scatter.sum()), float(np.finfo(float).tiny))
    fractions = np.zeros(2)
    for place in range(2):
        direction = directions[:, -1 - place]
        # a principal component is set to 0 if its variance is 0, for example because all behaviours lie on a line
        if scatter[-1 - place] <= 1e-12 * total:
            continue
        plane[place] = direction * np.sign(direction[np.abs(direction).argmax()])
        fractions[place] = scatter[-1 - place] / total
    return plane, fractions


def _dimensions(
    names: Sequence[str], values: np.ndarray, width: int, limits: Sequence[tuple[float, float]] | None
) -> list[Dimension]:
    if limits is not None and len(limits) != width:
        raise ValueError(f"limits must have one range for each of the {width} behaviour dimensions, got {len(limits)}")
    dimensions = []
    for place, name in enumerate(names):
        low, high = float(values[:, place].min()), float(values[:, place].max())
        margin = (high - low) * MARGIN if high > low else 1.0
        low, high = low - margin, high + margin
        derived = width > 2 and place >= len(names) - 2
        if limits is not None and not derived and place < width:
            low, high = (float(bound) for bound in limits[place])
            if not low < high:
                raise ValueError(
                    f"lower limits must be below upper limits, got the lower limit {low:g} and the upper limit {high:g}"
                    f" for the dimension {name!r}"
                )
        dimensions.append(Dimension(name, low, high, derived))
    return dimensions
