"""Draw the best and mean fitness of a run over generations."""

from typing import Any

import numpy as np

from divergent.plots._style import INK, choose_axes, mark_colour
from divergent.reporter import Reporter


def draw_progress(reporter: Reporter, ax: Any = None) -> Any:
    """Draw best and mean fitness over generations, with a band of one standard deviation around the mean.

    The band does not extend beyond the best fitness.

    Parameters
    ----------
    reporter : Reporter
        A reporter that has recorded at least one generation of a run.
    ax : matplotlib.axes.Axes or None, default=None
        The axes to draw on; None creates a figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Raises
    ------
    ValueError
        If the reporter has not recorded any generation.

    See Also
    --------
    draw_species : Draw the sizes of species over generations.

    Examples
    --------
    The legend explains two lines and a band:

    >>> reporter = Reporter()
    >>> reporter.rows = [{"generation": 0, "best": 2.0, "mean": 1.0, "std": 0.5}]
    >>> ax = draw_progress(reporter)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['best', 'mean', 'standard deviation']
    """
    if not reporter.rows:
        raise ValueError("reporter must have recorded a generation, got none; pass the reporter to a loop first")
    columns = ("generation", "best", "mean", "std")
    generation, best, mean, std = np.array(
        [[row[column] for column in columns] for row in reporter.rows], dtype=float
    ).T
    ax = choose_axes(ax, size=(7, 3.5))
    blue = mark_colour("trajectory")
    ax.plot(generation, best, color=INK, label="best")
    ax.plot(generation, mean, color=blue, label="mean")
    # the band ends at the best fitness, because no individual is better
    low = np.where(best < mean, np.maximum(mean - std, best), mean - std)
    high = np.where(best < mean, mean + std, np.minimum(mean + std, best))
    ax.fill_between(generation, low, high, color=blue, alpha=0.2, linewidth=0, label="standard deviation")
    ax.set(xlabel="generation", ylabel="fitness")
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.legend(frameon=False)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax
