"""Encode images as data URLs: the background of a behaviour map, and renderings of individuals."""

import base64
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from divergent.history import UNKNOWN, History

LARGEST_SIDE = 480  # largest width and height of a rendering in pixels
BACKGROUND = (8.0, 6.4)  # width and height of the background in inches, at 100 pixels per inch
MOST_IMAGES = 60  # largest number of renderings on a page


def background_image(draw: Callable[[Any], Any], limits: Sequence[tuple[float, float]]) -> str:
    """Draw the background of a behaviour map on matplotlib axes, and return the image as a data URL.

    Parameters
    ----------
    draw : callable
        Function that draws on the given matplotlib axes.
    limits : sequence of (float, float)
        Range of each of the two axes.

    Returns
    -------
    str
        PNG image that covers the ranges of the axes, as a data URL.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=BACKGROUND, dpi=100)
    figure.patch.set_alpha(0.0)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.patch.set_alpha(0.0)
    draw(axes)
    axes.set(xlim=limits[0], ylim=limits[1], aspect="auto")
    axes.set_axis_off()
    return figure_image(figure)


def figure_image(figure: Any) -> str:
    """Return a matplotlib figure as a PNG image in a data URL."""
    content = io.BytesIO()
    figure.savefig(content, format="png")
    return _address(content.getvalue())


def rendered_image(rendering: Any) -> str:
    """Return a rendering of an individual as a PNG image in a data URL.

    Parameters
    ----------
    rendering : ndarray or matplotlib.figure.Figure
        A figure, or an image array of shape (height, width), (height, width, 3) or (height, width, 4). Pixel values
        are bytes or floats from 0 to 1.

    Returns
    -------
    str
        Data URL of the image; images from arrays are at most 480 pixels wide and high.

    Raises
    ------
    TypeError
        If the rendering is neither an image array nor a figure.
    """
    if hasattr(rendering, "savefig"):
        return figure_image(rendering)
    pixels = np.asarray(rendering)
    if pixels.ndim not in (2, 3) or pixels.dtype == object:
        raise TypeError(f"render must return an image array or a matplotlib figure, got {type(rendering).__name__}")
    from PIL import Image

    if pixels.dtype != np.uint8:
        pixels = np.rint(pixels.astype(float).clip(0.0, 1.0) * 255).astype(np.uint8)
    image, content = Image.fromarray(pixels), io.BytesIO()
    image.thumbnail((LARGEST_SIDE, LARGEST_SIDE))
    image.save(content, format="PNG", optimize=True)
    return _address(content.getvalue())


def render_images(
    render: Callable[[Any], Any], individuals: Mapping[int, Any], numbers: Iterable[int]
) -> dict[int, str]:
    """Render up to 60 individuals, given by their evaluation numbers; skip numbers without an individual.

    Parameters
    ----------
    render : callable
        Function that returns an image array or a figure of an individual.
    individuals : mapping of int to object
        Individuals by evaluation number.
    numbers : iterable of int
        Evaluation numbers of individuals, sorted by decreasing importance.

    Returns
    -------
    dict of int to str
        Data URLs of the images by evaluation number.
    """
    chosen = [number for number in dict.fromkeys(numbers) if number in individuals][:MOST_IMAGES]
    return {number: rendered_image(render(individuals[number])) for number in sorted(chosen)}


def notable(history: History) -> list[int]:
    """Return the evaluation numbers of notable individuals, sorted by decreasing importance.

    Parameters
    ----------
    history : History
        The history of the run.

    Returns
    -------
    list of int
        Evaluation numbers of the best individual, its ancestors along the line of first parents, the champion of each
        species, and each individual that was better than all earlier individuals.
    """
    fitness = -history.fitness if history.minimised else history.fitness
    best = int(fitness.argmax())
    improvements = np.flatnonzero(fitness > np.maximum.accumulate(np.r_[-np.inf, fitness[:-1]]))
    species = history.species
    champions = [
        int(members[fitness[members].argmax()])
        for name in np.unique(species[species != UNKNOWN])
        for members in [np.flatnonzero(species == name)]
    ]
    return [best, *history.ancestors(best), *champions, *improvements[::-1].tolist()]


def _address(content: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(content).decode("ascii")
