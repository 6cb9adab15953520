"""Default settings of runs in mazes, taken from the surprise search paper for the mazes of that paper."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from divergent.maze._generator import GENERATED

POPULATION = 250
INDIVIDUALS_PER_SPECIES = 15  # the target number of species is the population size divided by this number
CROSSOVER_RATE, MUTATION_RATE = 0.7, 0.8  # probabilities of crossover and mutation in the generational loop
# archive threshold of novelty search and local competition, in maze units
THRESHOLD = 6.0


class MazeDefaults(NamedTuple):
    """Default settings of runs in a maze."""

    generations: int
    options: dict[str, dict[str, Any]]
    """Options of each listed search. All other searches use the defaults of their strategy class."""


def _paper_defaults(generations: int, nearest: int, clusters: int, predictions: int) -> MazeDefaults:
    """Derive the options of all searches from the parameters of novelty search and surprise search."""
    surprise = {"clusters": clusters, "neighbours": predictions}
    novelty = {"neighbours": nearest, "threshold": THRESHOLD}
    both = novelty | {"clusters": clusters, "nearest_predictions": predictions}
    return MazeDefaults(
        generations,
        {
            "novelty": novelty,
            "surprise": surprise | {"history": 2, "predictor": "linear", "deviation": "nearest"},
            "ssnp": surprise,
            "ssr": surprise,
            "nss": both,
            "nslc": novelty,
            "sslc": both,
            "nsslc": both,
            "nssslc": both,
        },
    )


PAPER_MAZES = {
    "medium": _paper_defaults(300, nearest=15, clusters=200, predictions=1),
    "hard": _paper_defaults(300, nearest=15, clusters=100, predictions=1),
    "very_hard": _paper_defaults(1000, nearest=15, clusters=200, predictions=2),
    "extremely_hard": _paper_defaults(1000, nearest=10, clusters=220, predictions=2),
}
GENERATED_MAZE = _paper_defaults(600, nearest=15, clusters=200, predictions=2)
CUSTOM_MAZE = _paper_defaults(300, nearest=15, clusters=200, predictions=2)


def maze_defaults(maze: str) -> MazeDefaults:
    """Return the default settings of runs in a maze.

    Parameters
    ----------
    maze : str
        Name or path of the maze.

    Returns
    -------
    MazeDefaults
        Number of generations and options of each search.
    """
    return GENERATED_MAZE if maze.startswith(GENERATED) else PAPER_MAZES.get(maze, CUSTOM_MAZE)


def default_budget(maze: str) -> int:
    """Return the largest number of evaluations of a run in a maze with default settings.

    Parameters
    ----------
    maze : str
        Name or path of the maze.

    Returns
    -------
    int
        Population size times number of generations.

    Examples
    --------
    >>> default_budget("hard")
    75000
    """
    return POPULATION * maze_defaults(maze).generations


def default_options(maze: str, search: str, population: int, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return the default options of a search in a maze.

    Parameters
    ----------
    maze : str
        Name or path of the maze.
    search : str
        Name of the search.
    population : int
        Population size, which limits the number of clusters.
    chosen : Mapping
        Options that the user has chosen. A chosen number of clusters limits the default number of nearest predictions.

    Returns
    -------
    dict
        Options by name.

    Examples
    --------
    A number of clusters above the population size is replaced by four fifths of the population size:

    >>> default_options("hard", "ssnp", population=50, chosen={})
    {'clusters': 40, 'neighbours': 1}
    """
    defaults = maze_defaults(maze)
    options = dict(defaults.options.get(search, {}))
    if chosen.get("partition") == "lineage":
        options.pop("clusters", None)
    if "clusters" in options:
        clusters = options["clusters"]
        if clusters > population or defaults is CUSTOM_MAZE:
            options["clusters"] = max(1, min(clusters, population * 4 // 5))
        predictions = "nearest_predictions" if "nearest_predictions" in options else "neighbours"
        options[predictions] = min(options[predictions], chosen.get("clusters", options["clusters"]))
    return options
