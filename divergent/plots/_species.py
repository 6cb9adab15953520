"""Draw the sizes of species over generations."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from divergent.history import History
from divergent.plots._style import INK, choose_axes, species_colour

FONT, EDGE_FONT = 8, 7  # size of species ids in points, within the figure and at the right edge
LINE, EDGE_LINE = 1.15 * FONT, 0.95 * EDGE_FONT  # smallest distance between two ids above each other, in points
EDGE = 0.08  # fraction of the width near the right edge in which a surviving species has no second id
ROOM = 0.06  # smallest size of a labelled band within the figure, as a fraction of the largest population
TINTS = (0.0, -0.35, 0.45)  # shades of one colour: unchanged, darker, lighter


def draw_species(history: Sequence[Mapping[int, int]] | History, ax: Any = None, *, first: int = 0) -> Any:
    """Draw the sizes of species over generations as stacked areas, with the oldest species at the bottom.

    Ids label the widest part of a band, and surviving species at the right edge. An id is omitted if there is no room.

    Parameters
    ----------
    history : sequence of mappings, or History
        For each generation, a mapping from the id of each species to its size, such as ``dict(zip(species.ids.tolist(),
        species.sizes.tolist()))``. Alternatively, a `divergent.History` of a run with speciation, for example the
        result of `divergent.runs.replay`. Generations before the first speciation are empty in the figure.
    ax : matplotlib.axes.Axes or None, default=None
        The axes to draw on; None creates a figure.
    first : int, default=0
        Generation number of the first mapping; ignored for a `divergent.History`, which records generation numbers.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Examples
    --------
    The ids of the surviving species 1 and 2 are at the right edge:

    >>> ax = draw_species([{0: 10}, {0: 6, 1: 4}, {1: 5, 2: 5}])
    >>> [text.get_text() for text in ax.texts]
    ['1', '2', '0', '1']
    """
    if isinstance(history, History):
        numbers = [generation.number for generation in history.generations]
        history = [generation.species for generation in history.generations]
    else:
        numbers = list(range(first, first + len(history)))
    sizes = _sizes(history)
    used = np.flatnonzero([bool(counts) for counts in history])
    drawn = slice(used[0], used[-1] + 1)  # without the generations before the first and after the last speciation
    generations = np.array(numbers[drawn])
    bands = {name: size[drawn] for name, size in sizes.items()}
    ax = choose_axes(ax, size=(7, 3.5))
    ax.stackplot(generations, list(bands.values()), colors=_colours(bands), edgecolor="white", linewidth=0.6)
    largest = float(np.sum(list(bands.values()), axis=0).max())
    start = numbers[0]
    ax.set(xlabel="generation", ylabel="individuals", ylim=(0, max(largest, 1)))
    ax.set_xlim(start, max(numbers[-1], start + 1))
    ax.xaxis.get_major_locator().set_params(integer=True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    survivors = _label_survivors(ax, bands) if used[-1] == len(history) - 1 else []
    _label_inside(ax, generations, bands, ROOM * largest, survivors)
    return ax


def _sizes(history: Sequence[Mapping[int, int]]) -> dict[int, np.ndarray]:
    """Return the size of each species in every generation by species id, in the order of appearance."""
    if len(history) == 0 or not any(history):
        raise ValueError("history must contain a generation with at least one species, got none; enable speciation")
    for generation, counts in enumerate(history):
        if not isinstance(counts, Mapping):
            raise TypeError(
                f"items of history must be dictionaries {{id: size}}, got {counts!r} in generation {generation}"
            )
        for name, size in counts.items():
            if not size >= 0:
                where = f"species {name} with size {size} in generation {generation}"
                raise ValueError(f"sizes of species must be 0 or more, got {where}")
    names = dict.fromkeys(name for counts in history for name in sorted(counts))
    return {name: np.array([counts.get(name, 0) for counts in history], dtype=float) for name in names}


def _colours(bands: Mapping[int, np.ndarray]) -> list[str]:
    """Return the colour of each band: the colour of the species, or another shade if a neighbour has this colour."""
    neighbours: dict[int, set[int]] = {name: set() for name in bands}
    for lower, upper in _adjacent(bands):
        neighbours[lower].add(upper)
        neighbours[upper].add(lower)
    chosen: dict[int, str] = {}
    for name in bands:
        taken = {chosen[other] for other in neighbours[name] if other in chosen}
        shades = [_tinted(species_colour(name), tint) for tint in TINTS]
        chosen[name] = next((shade for shade in shades if shade not in taken), shades[0])
    return list(chosen.values())


def _adjacent(bands: Mapping[int, np.ndarray]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of species whose bands touch in a generation, or between two generations."""
    present = np.array(list(bands.values())) > 0
    between = present[:, :-1] | present[:, 1:]
    names = list(bands)
    for column in np.unique(np.hstack([present, between]).T, axis=0):
        yield from pairwise(names[place] for place in np.flatnonzero(column))


def _tinted(shade: str, tint: float) -> str:
    """Mix a colour with white (positive tint) or with black (negative tint)."""
    if tint == 0:
        return shade
    parts = [int(shade[place : place + 2], 16) for place in (1, 3, 5)]
    towards = 255 if tint > 0 else 0
    return "#" + "".join(f"{round(part + (towards - part) * abs(tint)):02X}" for part in parts)


def _label_inside(
    ax: Any, generations: np.ndarray, bands: Mapping[int, np.ndarray], smallest: float, survivors: Sequence[int]
) -> None:
    """Write the id of each species into the widest part of its band that has no other id."""
    from matplotlib.patheffects import withStroke

    halo = [withStroke(linewidth=2.5, foreground="white")]  # a white outline makes ids readable on every colour
    left, right = ax.get_xlim()
    points = np.array([ax.bbox.width, ax.bbox.height]) * 72 / ax.figure.dpi
    scale = points / np.array([right - left, ax.get_ylim()[1]])
    placed: list[tuple[float, float, float]] = []
    below = np.zeros(len(generations))
    for name, size in bands.items():
        text = str(name)
        width = 0.65 * FONT * len(text) + 3
        margin = 0.6 * width / scale[0]
        end = right - EDGE * (right - left) if name in survivors else right
        for widest in np.argsort(-size, kind="stable"):
            if size[widest] < smallest or size[widest] == 0:
                break
            if generations[widest] > end:
                continue
            x = float(np.clip(generations[widest], generations[0] + margin, right - margin))
            y = float(np.interp(x, generations, below + size / 2))
            across, up = x * scale[0], y * scale[1]
            if all(abs(across - a) >= (width + w) / 2 or abs(up - u) >= LINE for a, u, w in placed):
                ax.text(x, y, text, ha="center", va="center", fontsize=FONT, clip_on=True, path_effects=halo)
                placed.append((across, up, width))
                break
        below += size


def _label_survivors(ax: Any, bands: Mapping[int, np.ndarray]) -> list[int]:
    """Write the ids of the species of the last generation next to the right edge, and return these ids.

    If two ids overlap, the id of the smaller species is omitted.
    """
    last = np.array([size[-1] for size in bands.values()])
    middles = np.cumsum(last) - last / 2
    names = list(bands)
    gap = EDGE_LINE * ax.get_ylim()[1] / (ax.bbox.height * 72 / ax.figure.dpi)
    kept: list[int] = []
    for place in np.argsort(-last, kind="stable"):
        if last[place] > 0 and all(abs(middles[place] - middles[other]) >= gap for other in kept):
            kept.append(int(place))
    edge = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points"}
    for place in sorted(kept):
        where = (1.0, middles[place])
        ax.annotate(
            str(names[place]), where, (4, 0), va="center", fontsize=EDGE_FONT, color=INK, annotation_clip=False, **edge
        )
    return [names[place] for place in kept]
