"""What a page shows of one run: points in a plane, and everything that is known of them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from divergent.explorer._array_bundle import LARGEST_SHOWN
from divergent.explorer._descriptions import name_of
from divergent.history import History
from divergent.selection import SEARCHES

MARGIN = 0.04  # of the plane, around points that no maze encloses


@dataclass(kw_only=True)
class Scene:
    """One run as a page shows it.

    Parameters
    ----------
    title, facts
        What it is called, and how it went, in words.
    search
        The name of the search, which decides what the page says of it; None for one that has none.
    history
        What happened.
    points
        Where each birth is drawn, shape (n, 2).
    bounds
        The plane: xmin, ymin, xmax, ymax.
    axes
        What its two directions are.
    project
        A callable that turns behaviours (m, d) into places in the plane (m, 2).
    measure, qualities
        What the best-so-far curve is of, and its value for each birth.
    smaller
        Whether a smaller value is better.
    solution
        The number of the birth that solved the task, None if none did.
    remark
        What a reader must know before trusting the page, or nothing.
    maze, trails, robots
        In a maze: the maze as plain data, the thinned ways of all robots, and the whole drives of some.
    """

    title: str
    facts: str
    search: str | None
    history: History
    points: np.ndarray
    bounds: tuple[float, float, float, float]
    axes: tuple[str, str]
    project: Any
    measure: str
    qualities: np.ndarray
    smaller: bool
    solution: int | None = None
    remark: str = ""
    maze: dict[str, Any] | None = None
    trails: np.ndarray | None = None
    robots: dict[int, Any] = field(default_factory=dict)


def scene_of(history: History, title: str | None = None) -> Scene:
    """The scene of a history: behaviours of two numbers as they are, of more by two principal components.

    Parameters
    ----------
    history
        What a loop did.
    title
        What to call it; None for the name of its search.

    Examples
    --------
    >>> scene_of(History())
    Traceback (most recent call last):
    ...
    ValueError: there is nothing to show: the history has no births with behaviours
    """
    behaviours = history.behaviours
    if not behaviours.size:
        raise ValueError("there is nothing to show: the history has no births with behaviours")
    if (largest := float(np.abs(behaviours).max())) > LARGEST_SHOWN:
        raise ValueError(f"behaviours must be at most {LARGEST_SHOWN:g} in size to be shown, got {largest:g}")
    project, axes = _projection(behaviours)
    points = project(behaviours)
    low, high = points.min(axis=0), points.max(axis=0)
    margin = np.where(high > low, (high - low) * MARGIN, 1.0)
    search = next((name for name, kind in SEARCHES.items() if type(history.strategy) is kind), None)
    best = history.fitness.min() if history.minimised else history.fitness.max()
    return Scene(
        title=title or name_of(search),
        facts=f"{len(history):,} evaluations; best fitness {best:.4g}",
        search=search,
        history=history,
        points=points,
        bounds=(*(low - margin).tolist(), *(high + margin).tolist()),
        axes=axes,
        project=project,
        measure="fitness",
        qualities=history.fitness,
        smaller=history.minimised,
    )


def _projection(behaviours: np.ndarray) -> tuple[Callable[[np.ndarray], np.ndarray], tuple[str, str]]:
    """A function from behaviours to the plane, and the names of its axes; of more than two numbers, two components."""
    width = behaviours.shape[1]
    if width == 2:
        return np.asarray, ("behaviour, first number", "behaviour, second number")
    if width == 1:
        return lambda rows: np.column_stack([rows, np.zeros(len(rows))]), ("behaviour", "")
    mean = behaviours.mean(axis=0)
    _, spread, directions = np.linalg.svd(behaviours - mean, full_matrices=False)
    plane, variances = np.zeros((2, width)), np.zeros(2)
    for axis, direction in enumerate(directions[:2]):  # a single behaviour has one direction
        plane[axis] = direction * np.sign(direction[np.abs(direction).argmax()])
        variances[axis] = spread[axis] ** 2 / max((spread**2).sum(), np.finfo(float).tiny)
    names = [
        f"{name} principal component, {fraction:.0%} of the variance"
        for name, fraction in zip(("first", "second"), variances, strict=True)
    ]
    return lambda rows: (rows - mean) @ plane.T, (names[0], names[1])
