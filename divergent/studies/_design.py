"""Design of the ablation study and of the study of reference sets, fixed before the runs.

The design consists of experimental conditions (cells), comparisons and seeds.
"""

import itertools
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from divergent.replicate._deceptive import deceptive_mazes
from divergent.replicate._experiments import Part
from divergent.runs.defaults import maze_defaults
from divergent.runs.settings import Settings

FIRST_SEED = 3000  # earlier runs of this project have seeds below 3000
LADDER, REFERENCE_SET = "ladder", "reference_set"
HARD, VERY_HARD, DECEPTIVE = "hard", "very_hard", "deceptive"
# number of runs of each variant of the ablation study, per maze
LADDER_RUNS = {HARD: 50, VERY_HARD: 30, DECEPTIVE: 1}
PREDICTOR_RUNS, REFERENCE_RUNS = 20, 30
HISTORIES = (3, 5, 10)  # numbers of past generations that additional predictors use, instead of the default of 2
RULES = ("threshold", "random", "fixed", "novel")
LOOPS = ("steady", "plus", "generational")
PAPER_K, OTHER_K = 15, (5, 30)
CLUSTERS, NEIGHBOURS = "K", "n"  # placeholders for the paper's parameter values, which depend on the maze


class Cell(NamedTuple):
    """Experimental condition (cell) of a study: a set of runs that differ only in seed and maze."""

    study: str
    name: str
    settings: Mapping[str, Any]
    """Settings and options of the search that differ from the defaults."""

    spelling: Mapping[str, Any] | None = None
    """Equivalent settings, which differ in fewer options from a compared cell. The runs would be the same, except in
    the rung "offspring". If a cluster loses its last member while k-means iterates, surprise search keeps the
    prediction of the cluster, but novelty search uses the last position of its centroid."""

    @property
    def folder(self) -> str:
        """Folder of the run records and the results of the experimental condition."""
        return f"{self.study}/{self.name}"

    def part(self, maze: str, runs: int) -> Part:
        """Return the settings and seeds of the runs of the experimental condition in a maze."""
        return Part(self.folder, make_settings(self.settings, maze), runs, FIRST_SEED)


class Step(NamedTuple):
    """Comparison of two experimental conditions (cells) that differ in one option, or in predictor and history."""

    before: str
    after: str
    question: str


def make_settings(values: Mapping[str, Any], maze: str) -> Settings:
    """Return the settings of runs in a maze, with the paper's numbers of clusters and neighbours for that maze.

    Examples
    --------
    The placeholder `CLUSTERS` becomes the number of clusters of surprise search in the hard maze:

    >>> make_settings({"search": "novelty", "clusters": CLUSTERS}, "hard").options
    {'clusters': 100}
    """
    surprise = maze_defaults(maze).options["surprise"]
    placeholders = {CLUSTERS: surprise["clusters"], NEIGHBOURS: surprise["neighbours"]}
    return Settings(maze=maze, **{name: placeholders.get(value, value) for name, value in values.items()})


def _ladder() -> Iterator[Cell]:
    """Yield the variants of the ablation study, from novelty search without archive to variants of surprise search."""
    population = {"search": "novelty", "archiving": "none", "neighbours": PAPER_K}
    nearest = population | {"neighbours": NEIGHBOURS}
    centroids = nearest | {"clusters": CLUSTERS}
    surprise = {"search": "surprise", "predictor": "linear"}
    yield Cell(LADDER, "population", population)
    yield Cell(LADDER, "archive", population | {"archiving": "threshold"})
    yield Cell(LADDER, "nearest", nearest)
    yield Cell(LADDER, "centroids", centroids)
    persistence = surprise | {"predictor": "persistence"}
    yield Cell(LADDER, "offspring", persistence, spelling=centroids | {"learn_from": "offspring"})
    yield Cell(LADDER, "delayed", surprise | {"predictor": "delayed"})
    yield Cell(LADDER, "linear", surprise)
    yield Cell(LADDER, "random-step", surprise | {"predictor": "random-step"})
    yield Cell(LADDER, "forgetful", surprise | {"keep_empty_clusters": False})


def _predictors() -> Iterator[Cell]:
    """Yield variants of surprise search with other predictors and longer histories than the paper."""
    for predictor in ("least-squares", "quadratic", "shared:ridge"):
        for history in HISTORIES:
            values = {"search": "surprise", "predictor": predictor, "history": history}
            yield Cell(LADDER, f"{predictor.replace(':', '-')}-h{history}", values)


def _reference_set() -> Iterator[Cell]:
    """Yield the experimental conditions (cells) of the study of reference sets."""
    for loop in LOOPS:
        values = {"search": "novelty", "loop": loop, "neighbours": PAPER_K}
        passive = values | {"reference": "population", "archiving": "threshold"}
        yield Cell(REFERENCE_SET, f"{loop}-population", values | {"archiving": "none"}, spelling=passive)
        for reference in ("archive", "both"):
            for rule in RULES:
                options = {"reference": reference, "archiving": rule}
                yield Cell(REFERENCE_SET, f"{loop}-{reference}-{rule}", values | options)
    for k in OTHER_K:
        for rule in RULES:
            values = {"search": "novelty", "loop": "steady", "neighbours": k, "reference": "both", "archiving": rule}
            yield Cell(REFERENCE_SET, f"steady-both-{rule}-k{k}", values)


RUNGS = {cell.name: cell for cell in _ladder()}
PREDICTORS = {cell.name: cell for cell in _predictors()}
REFERENCE_SETS = {cell.name: cell for cell in _reference_set()}
# Two conditions of the study of reference sets have the same runs as two variants of the ablation study.
SHARED = {"steady-population": "population", "steady-both-threshold": "archive"}

STEPS = (
    Step("population", "archive", "does an archive reduce the number of evaluations?"),
    Step("population", "nearest", "do n nearest neighbours instead of 15 change the number of evaluations?"),
    Step("nearest", "centroids", "do centroids instead of current individuals change the number of evaluations?"),
    Step("centroids", "offspring", "does clustering offspring, not the population, reduce the number of evaluations?"),
    Step("offspring", "delayed", "does a delay of one generation change the number of evaluations?"),
    Step("delayed", "linear", "does the direction of the step, forward or backward, change the number of evaluations?"),
    Step("offspring", "linear", "does prediction reduce the number of evaluations?"),
    Step("linear", "random-step", "does a random direction of the step change the number of evaluations?"),
    Step("linear", "forgetful", "do the predictions kept for empty clusters change the number of evaluations?"),
)
"""The primary comparisons of the ablation study."""

REFERENCE_STEPS = tuple(
    Step(f"{loop}-{before}", f"{loop}-{after}", question)
    for loop in LOOPS
    for before, after, question in (
        ("population", "both-threshold", "does an archive reduce the number of evaluations?"),
        ("population", "archive-threshold", "can the archive replace the population?"),
        ("both-threshold", "archive-threshold", "is the population needed in addition to the archive?"),
    )
)
"""The primary comparisons of the study of reference sets."""

RULE_STEPS = tuple(
    Step(f"{loop}-both-threshold", f"{loop}-both-{rule}", f"does the rule {rule} differ from the threshold?")
    for loop in LOOPS
    for rule in RULES[1:]
)
K_STEPS = tuple(
    Step(f"steady-both-{rule}", f"steady-both-{rule}-k{k}", f"does k = {k} differ from {PAPER_K}?")
    for rule in RULES
    for k in OTHER_K
)
PREDICTOR_STEPS = tuple(
    Step("linear", name, "does this predictor differ from the linear one with a history of 2?") for name in PREDICTORS
)


def blocks() -> dict[str, list[tuple[Cell, str, int]]]:
    """Return groups of runs in order of execution.

    A group is a list of experimental conditions (cells), each with a maze and a number of runs.
    """
    mazes = {HARD: (HARD,), VERY_HARD: (VERY_HARD,), DECEPTIVE: deceptive_mazes()}
    ladder = {
        f"{LADDER}-{group}": [(cell, maze, LADDER_RUNS[group]) for cell in RUNGS.values() for maze in mazes[group]]
        for group in mazes
    }
    new = [cell for name, cell in REFERENCE_SETS.items() if name not in SHARED]
    return {
        f"{LADDER}-{HARD}": ladder[f"{LADDER}-{HARD}"],
        REFERENCE_SET: [(cell, HARD, REFERENCE_RUNS) for cell in new],
        "predictors": [(cell, HARD, PREDICTOR_RUNS) for cell in PREDICTORS.values()],
        f"{LADDER}-{VERY_HARD}": ladder[f"{LADDER}-{VERY_HARD}"],
        f"{LADDER}-{DECEPTIVE}": ladder[f"{LADDER}-{DECEPTIVE}"],
    }


def changed_options(before: Cell, after: Cell) -> dict[str, tuple[Any, Any]]:
    """Map each setting that differs between two experimental conditions to its pair of values.

    Examples
    --------
    The variants "population" and "archive" differ only in the archiving rule:

    >>> changed_options(RUNGS["population"], RUNGS["archive"])
    {'archiving': ('none', 'threshold')}

    The variants "centroids" and "offspring" differ only in `learn_from`; None stands for the default value:

    >>> changed_options(RUNGS["centroids"], RUNGS["offspring"])
    {'learn_from': (None, 'offspring')}
    """
    pairs = itertools.product(*([cell.settings, cell.spelling or cell.settings] for cell in (before, after)))
    return min((_changed(first, second) for first, second in pairs), key=len)


def _changed(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Map each setting that differs between two mappings to its pair of values; None stands for the default value."""
    values = {name: (first.get(name), second.get(name)) for name in dict(first) | dict(second)}
    return {name: pair for name, pair in values.items() if pair[0] != pair[1]}
