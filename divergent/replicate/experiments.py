"""The paper's experiments: which runs they are made of."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from divergent.maze import ORIGINAL
from divergent.replicate import paper
from divergent.runs.settings import Settings

QUICK = "quick"  # the folder of quick records, which never mix with those of full size
QUICK_RUNS, QUICK_POPULATION, QUICK_GENERATIONS = 2, 50, 100  # surprise solves the medium maze once
QUICK_MAZES = 6  # where an experiment has more and none are named


class Part(NamedTuple):
    """Runs of an experiment that differ in their seed alone: a folder inside that of all records, and the settings."""

    folder: str
    settings: Settings


class Experiment(NamedTuple):
    """One of the paper's experiments."""

    what: str
    mazes: tuple[str, ...]
    searches: tuple[str, ...]
    runs: int
    records: str = "authored"
    """The experiment whose records and results these are."""

    variants: tuple[dict[str, Any], ...] = ({},)
    """Options of the search that are tried in turn."""

    settings: Mapping[str, Any] = {}
    """What all its runs have in common beside the paper's settings."""


EXPERIMENTS = {
    "authored": Experiment(
        "efficiency and robustness of six searches in four mazes",
        paper.MAZES, paper.SEARCHES, paper.RUNS,
    ),
    "original": Experiment(
        "the two published mazes with the original program's robot",
        paper.PUBLISHED, paper.MEASURED, paper.RUNS, "original", settings={"robot": ORIGINAL},
    ),
    "genotypes": Experiment(
        "size and diversity of what novelty and surprise evolve; runs of authored",
        paper.MAZES, paper.COMPARED, paper.RUNS,
    ),
    "heatmaps": Experiment(
        "where robots ended under novelty and surprise, and its entropy; runs of authored",
        paper.MAZES, paper.COMPARED, paper.RUNS,
    ),
    "generated": Experiment(
        "six searches in sixty generated mazes: rankings, deceptiveness, robustness",
        tuple(f"generated:{seed}" for seed in range(paper.GENERATED_MAZES)), paper.SEARCHES, paper.GENERATED_RUNS,
        "generated",
    ),
    "sensitivity-novelty": Experiment(
        "novelty's number of neighbours, 5 to 30",
        paper.MAZES, ("novelty",), paper.SENSITIVITY_RUNS, "sensitivity-novelty",
        tuple({"neighbours": neighbours} for neighbours in range(5, 31, 5)),
    ),
    "sensitivity-surprise": Experiment(
        "surprise's number of clusters, 20 to 240, with one and two neighbours", paper.MAZES, ("surprise",),
        paper.SENSITIVITY_RUNS, "sensitivity-surprise",
        tuple({"clusters": clusters, "neighbours": n} for n in (1, 2) for clusters in range(20, 241, 20)),
    ),
}  # fmt: skip
KEPT = tuple(
    dict.fromkeys(experiment.records for experiment in EXPERIMENTS.values())
)  # those with records of their own


def experiment_of(name: str) -> Experiment:
    """The experiment of a name, refused if there is none."""
    if name not in EXPERIMENTS:
        raise ValueError(f"unknown experiment {name!r}; choose from {', '.join(EXPERIMENTS)}")
    return EXPERIMENTS[name]


def parts_of(name: str, *, mazes: Sequence[str] = (), searches: Sequence[str] = (), quick: bool = False) -> list[Part]:
    """The parts of an experiment: the settings of its runs, and the folder for their records.

    Parameters
    ----------
    name
        A name in `EXPERIMENTS`.
    mazes, searches
        Only these, if any are given.
    quick
        The quick size: a small population, few generations, and few variants and, unless they are named, mazes where
        there are many.

    Examples
    --------
    >>> folder, settings = parts_of("sensitivity-surprise", mazes=["hard"])[0]
    >>> folder, settings.options
    ('sensitivity-surprise/k20-n1', {'clusters': 20, 'neighbours': 1})
    """
    experiment = experiment_of(name)
    for kind, asked, there in (("maze", mazes, experiment.mazes), ("search", searches, experiment.searches)):
        for one in asked:
            if one not in there:
                raise ValueError(f"{name} has no {kind} {one!r}; choose from {', '.join(there)}")
    common = dict(experiment.settings)
    if quick:
        common |= {"population": QUICK_POPULATION, "generations": QUICK_GENERATIONS}
    variants = [one for one in experiment.variants if one.get("clusters", 0) <= QUICK_POPULATION or not quick]
    chosen = [maze for maze in experiment.mazes if not mazes or maze in mazes]
    if quick and not mazes:
        chosen = chosen[:QUICK_MAZES]
    return [
        Part(_folder(experiment, variant, quick), Settings(maze=maze, search=search, options=variant, **common))
        for maze in chosen
        for variant in variants
        for search in experiment.searches
        if not searches or search in searches
    ]


def _folder(experiment: Experiment, variant: Mapping[str, Any], quick: bool) -> str:
    """Where an experiment's records are inside the folder of all: apart from others of the same maze and search."""
    letters = {"clusters": "k", "neighbours": "n"}
    values = "-".join(f"{letters[name]}{value}" for name, value in variant.items())
    return "/".join([QUICK] * quick + [experiment.records, values] * bool(variant))
