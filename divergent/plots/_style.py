"""Colour-blind safe colours, line styles, markers and display names for figures and for the web page of a run."""

from typing import Any

from divergent._text import printable

# The palettes of Okabe and Ito, and of Tol for QD variants, are safe for readers with colour vision deficiencies.
# Different line styles make searches distinguishable in greyscale figures, too.
COLOURS = {
    "objective": "#009E73",
    "novelty": "#0072B2",
    "surprise": "#D55E00",
    "ssnp": "#E69F00",
    "ssr": "#CC79A7",
    "random": "#7F7F7F",
    "nss": "#56B4E9",
    "nslc": "#332288",
    "sslc": "#882255",
    "nsslc": "#AA4499",
    "nssslc": "#999933",
    "dns": "#6E4B2A",
}
LINES: dict[str, Any] = {
    "objective": (0, (5, 1.5)),
    "novelty": "-",
    "surprise": "-",
    "ssnp": (0, (3, 1, 1, 1)),
    "ssr": (0, (1, 1)),
    "random": (0, (1, 2.5)),
    "nss": (0, (7, 1, 2, 1)),
    "nslc": (0, (4, 1)),
    "sslc": (0, (4, 1, 1, 1, 1, 1)),
    "nsslc": (0, (10, 1, 1, 1)),
    "nssslc": (0, (2, 1)),
    "dns": (0, (8, 1.5)),
}
MARKERS = {
    "objective": "s", "novelty": "o", "surprise": "D", "ssnp": "^", "ssr": "v", "random": "x", "nss": "P",
    "nslc": "<", "sslc": ">", "nsslc": "*", "nssslc": "h", "dns": "d",
}  # fmt: skip
LABELS = {
    "objective": "Objective",
    "novelty": "Novelty",
    "surprise": "Surprise",
    "ssnp": "SSnp",
    "ssr": "SSr",
    "random": "Random",
    "nss": "NSS",
    "nslc": "NSLC",
    "sslc": "SSLC",
    "nsslc": "NSSLC",
    "nssslc": "NSSSLC",
    "dns": "DNS",
}
OTHER = "#000000"  # colour of custom searches in all figures

MARKS = {  # colour of each kind of figure element on light and on dark backgrounds
    "individual": ("#8A94A3", "#77808D"),
    "trajectory": ("#0072B2", "#4BA3DB"),
    "goal": ("#007A5A", "#2CC79B"),
    "prediction": ("#D55E00", "#F08A3C"),
    "archive": ("#8E3A80", "#D48ACB"),
    "sensor": ("#E69F00", "#F0B429"),
    "positive": ("#0072B2", "#4BA3DB"),
    "negative": ("#D55E00", "#F08A3C"),
}
# INK is the main dark colour, for example of walls and robots.
# SOFT is a lighter grey for the cluster centroids at t-2, two generations before the current generation t.
INK, SOFT = "#1B1D21", "#5B626C"
SPECIES = (  # colours of Okabe and Ito on light and dark backgrounds; yellow is darker on light backgrounds
    ("#0072B2", "#3D9BD6"),
    ("#D55E00", "#E8702A"),
    ("#009E73", "#1DB98D"),
    ("#CC79A7", "#DB93BB"),
    ("#E69F00", "#F0B429"),
    ("#56B4E9", "#7CC8F2"),
    ("#A89B00", "#F0E442"),
)
# Colours from 8% to 88% of the viridis colour map are visible on both light and dark backgrounds.
VALUES = ("#471365", "#433C84", "#355F8D", "#287D8E", "#1F9A8A", "#37B878", "#70CF57", "#A8DB34")

STYLE = {
    "figure.dpi": 110,
    "savefig.dpi": 200,
    "font.family": "sans-serif",
    "font.size": 9,
    "mathtext.fontset": "dejavusans",  # powers of ten in the same font as all other text
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 9,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#E3E3E3",
    "grid.linewidth": 0.6,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.fontsize": 8.5,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "lines.markersize": 4.5,
    "svg.hashsalt": "divergent",  # a fixed salt makes SVG files of equal figures identical
}


def colour(search: str) -> str:
    """Return the colour that represents a search in all figures.

    Parameters
    ----------
    search : str
        Command-line name of the search.

    Returns
    -------
    str
        Hexadecimal colour; black for custom searches.
    """
    return COLOURS.get(search, OTHER)


def label(name: str) -> str:
    """Return the display name of a search, a maze or a measure.

    Parameters
    ----------
    name : str
        Name of a search, maze or measure, as on the command line or in a table.

    Returns
    -------
    str
        The display name.

    Examples
    --------
    >>> label("ssnp"), label("very_hard")
    ('SSnp', 'Very hard')

    >>> label("generated:7")
    'Generated 7'
    """
    if name in LABELS:
        return LABELS[name]
    return printable(name.replace("_", " ").replace(":", " ").capitalize())


def line(search: str) -> dict[str, Any]:
    """Return the matplotlib keyword arguments for the line of a search.

    Parameters
    ----------
    search : str
        Command-line name of the search.

    Returns
    -------
    dict
        Colour, line style and label of the line.
    """
    return {"color": colour(search), "linestyle": LINES.get(search, "-"), "label": label(search)}


def mark_colour(name: str) -> str:
    """Return the colour of a kind of figure element on a light background.

    Parameters
    ----------
    name : str
        A key of `MARKS`, such as "trajectory", "goal" or "prediction".

    Returns
    -------
    str
        The colour.

    Examples
    --------
    >>> mark_colour("prediction")
    '#D55E00'
    """
    return MARKS[name][0]


def species_colour(species: int) -> str:
    """Return the colour of a species on a light background.

    Parameters
    ----------
    species : int
        Id of the species.

    Returns
    -------
    str
        One of seven colours, selected by the id modulo 7.

    Examples
    --------
    >>> species_colour(0), species_colour(7)
    ('#0072B2', '#0072B2')
    """
    return SPECIES[species % len(SPECIES)][0]


def value_map() -> Any:
    """Return the colour map for numeric values, from dark (low) to bright (high).

    Returns
    -------
    matplotlib.colors.Colormap
        The colour map.

    Examples
    --------
    >>> value_map().name
    'divergent-values'
    """
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("divergent-values", VALUES)


def choose_axes(ax: Any, size: tuple[float, float] = (4.2, 3.0)) -> Any:
    """Return the axes; None creates the axes of a new figure of the given size in inches."""
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.subplots(figsize=size, layout="constrained")[1]


def in_thousands(count: float, position: int | None = None) -> str:
    """Format a number of evaluations in thousands, for the ticks of an axis."""
    return f"{count / 1000:g}k" if count else "0"


def grammar() -> dict[str, Any]:
    """Return the colours and line styles as JSON-serialisable data for the explorer, a web page that plays runs.

    Returns
    -------
    dict
        Colours of figure elements, species and searches, dash patterns of searches, and the colour map of
        numerical values.

    Examples
    --------
    >>> grammar()["marks"]["goal"]["light"], grammar()["dashes"]["novelty"]
    ('#007A5A', [])
    """
    return {
        "marks": {name: {"light": light, "dark": dark} for name, (light, dark) in MARKS.items()},
        "species": [{"light": light, "dark": dark} for light, dark in SPECIES],
        "searches": {name: {"light": shade, "dark": _lighter(shade)} for name, shade in COLOURS.items()},
        "dashes": {name: [] if dash == "-" else [2 * part for part in dash[1]] for name, dash in LINES.items()},
        "ramp": list(VALUES),
    }


def _lighter(shade: str) -> str:
    """Lighten a colour for dark backgrounds by mixing it with one third of white."""
    parts = [int(shade[place : place + 2], 16) for place in (1, 3, 5)]
    return "#" + "".join(f"{round(part + (255 - part) / 3):02X}" for part in parts)
