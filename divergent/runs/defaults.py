"""The paper's settings for each maze, and ours for mazes that it does not have: the one place where they stand."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from divergent.maze import GENERATED

POPULATION = 250
THRESHOLD = 6.0  # maze units: how far from an archive of novelty or local competition a behaviour must be to join it

# how a run is bred, whatever the maze
SPECIES_OF = 15  # individuals for each species that is aimed at
CROSSOVER, MUTATION = 0.7, 0.8  # probabilities in the generational loop


class Usual(NamedTuple):
    """What is usual in a maze."""

    generations: int
    options: dict[str, dict[str, Any]]
    """By the name of a search; one that is not there has the defaults of its class."""


def _usual(generations: int, nearest: int, clusters: int, predictions: int) -> Usual:
    """The settings as the paper tells them: novelty's neighbours, surprise's clusters and neighbours."""
    local = {"clusters": clusters, "neighbours": predictions}
    novel = {"neighbours": nearest, "threshold": THRESHOLD}
    both = novel | {"clusters": clusters, "nearest_predictions": predictions}
    return Usual(
        generations,
        {
            "novelty": novel,
            "surprise": local | {"history": 2, "predictor": "linear", "deviation": "nearest"},
            "ssnp": local,
            "ssr": local,
            "nss": both,
            "nslc": novel,
            "sslc": both,
            "nsslc": both,
            "nssslc": both,
        },
    )


MAZES = {
    "medium": _usual(300, nearest=15, clusters=200, predictions=1),
    "hard": _usual(300, nearest=15, clusters=100, predictions=1),
    "very_hard": _usual(1000, nearest=15, clusters=200, predictions=2),
    "extremely_hard": _usual(1000, nearest=10, clusters=220, predictions=2),
}
GENERATED_MAZE = _usual(600, nearest=15, clusters=200, predictions=2)
OWN_MAZE = _usual(300, nearest=15, clusters=200, predictions=2)


def usual_in(maze: str) -> Usual:
    """What is usual in a maze of this name."""
    return GENERATED_MAZE if maze.startswith(GENERATED) else MAZES.get(maze, OWN_MAZE)


def usual_budget(maze: str) -> int:
    """Evaluations after which a run of the usual size gives up.

    Examples
    --------
    >>> usual_budget("hard")
    75000
    """
    return POPULATION * usual_in(maze).generations


def usual_options(maze: str, search: str, population: int, given: Mapping[str, Any]) -> dict[str, Any]:
    """The usual options of a search in a maze, as far as they fit the population and the options that are given.

    Examples
    --------
    >>> usual_options("hard", "ssnp", population=50, given={})
    {'clusters': 40, 'neighbours': 1}
    """
    usual = usual_in(maze)
    options = dict(usual.options.get(search, {}))
    if "clusters" in options:
        clusters = options["clusters"]
        if clusters > population or usual is OWN_MAZE:
            options["clusters"] = max(1, min(clusters, population * 4 // 5))
        nearest = "nearest_predictions" if "nearest_predictions" in options else "neighbours"  # of the clusters
        options[nearest] = min(options[nearest], given.get("clusters", options["clusters"]))
    return options
