"""Common style of all figures of results: a colour-blind safe colour, a line style and a label of each search."""

from typing import Any

from divergent._text import printable

# the colours of Okabe and Ito, and some of Tol's for the family: told apart with every kind of colour vision and, with
# the lines, in grey
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
OTHER = "#000000"  # colour of searches outside the package

STYLE = {
    "figure.dpi": 110,
    "savefig.dpi": 200,
    "font.family": "sans-serif",
    "font.size": 9,
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
    "svg.hashsalt": "divergent",  # equal figures are equal files
}


def colour(search: str) -> str:
    """Return the colour of a search in every figure.

    Parameters
    ----------
    search : str
        Command-line name of the search.

    Returns
    -------
    str
        The colour; black for searches that are not in the package.
    """
    return COLOURS.get(search, OTHER)


def label(name: str) -> str:
    """Return the display name of a search, a maze or a measure.

    Parameters
    ----------
    name : str
        Name as on the command line or in a table.

    Returns
    -------
    str
        The display name.

    Examples
    --------
    >>> label("ssnp"), label("very_hard"), label("generated:7")
    ('SSnp', 'Very hard', 'Generated 7')
    """
    if name in LABELS:
        return LABELS[name]
    return printable(name.replace("_", " ").replace(":", " ").capitalize())


def line(search: str) -> dict[str, Any]:
    """Return the keyword arguments of matplotlib for the line of a search.

    Parameters
    ----------
    search : str
        Command-line name of the search.

    Returns
    -------
    dict
        Colour, line style and label.
    """
    return {"color": colour(search), "linestyle": LINES.get(search, "-"), "label": label(search)}
