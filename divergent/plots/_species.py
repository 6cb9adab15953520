"""Draw the sizes of species over generations."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from divergent.history import History
from divergent.plots._style import choose_axes, species_colour


def draw_species(history: Sequence[Mapping[int, int]] | History, ax: Any = None) -> Any:
    """Draw the sizes of species over generations as stacked areas, with the oldest species at the bottom.

    Parameters
    ----------
    history : sequence of mappings, or History
        For each generation, a mapping from the id of each species to its size, such as ``dict(zip(species.ids.tolist(),
        species.sizes.tolist()))``. Alternatively, a `divergent.History` of a run with speciation, for example the
        result of `divergent.runs.replay`.
    ax : matplotlib.axes.Axes or None, default=None
        The axes to draw on; None creates a figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Examples
    --------
    >>> ax = draw_species([{0: 10}, {0: 6, 1: 4}, {1: 5, 2: 5}])
    >>> [text.get_text() for text in ax.texts]
    ['0', '1', '2']
    """
    if isinstance(history, History):  # a generational loop has no species before the first selection
        history = [generation.species for generation in history.generations if generation.species]
    sizes = _sizes(history)
    ax = choose_axes(ax, size=(7, 3.5))
    from matplotlib.patheffects import withStroke

    generations = np.arange(len(history))
    shades = [species_colour(name) for name in sizes]
    ax.stackplot(generations, list(sizes.values()), colors=shades, edgecolor="white", linewidth=0.4)
    total = np.sum(list(sizes.values()), axis=0)
    below = np.zeros(len(history))
    halo = [withStroke(linewidth=2.5, foreground="white")]  # a white outline makes ids readable on every colour
    for name, size in sizes.items():
        widest = int(np.argmax(size))
        if size[widest] >= 0.06 * total.max():  # the area of a small species has no room for its id
            place = float(np.clip(widest, 0.015 * generations[-1], 0.985 * generations[-1]))
            middle = float(np.interp(place, generations, below + size / 2))
            ax.text(place, middle, str(name), ha="center", va="center", fontsize=8, clip_on=True, path_effects=halo)
        below += size
    ax.set(xlabel="generation", ylabel="individuals", xlim=(0, max(generations[-1], 1)), ylim=(0, max(total.max(), 1)))
    ax.xaxis.get_major_locator().set_params(integer=True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
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
