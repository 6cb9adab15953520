"""The experiments, the paper's and ours: which runs they are made of."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from divergent.maze import FIVE_RANGEFINDERS, GENERATED
from divergent.replicate import paper
from divergent.replicate.deceptive import deceptive_mazes
from divergent.runs.settings import Settings

QUICK = "quick"  # the folder of quick records, which never mix with those of full size
QUICK_RUNS, QUICK_POPULATION, QUICK_GENERATIONS = 2, 50, 100  # surprise solves the medium maze once
QUICK_MAZES = 6  # where an experiment has more and none are named


class Part(NamedTuple):
    """Runs of an experiment that differ in their seed alone: a folder inside that of all records, and the settings."""

    folder: str
    settings: Settings
    runs: int = 1
    first_seed: int = 0

    @property
    def seeds(self) -> range:
        """The seeds of the runs."""
        return range(self.first_seed, self.first_seed + self.runs)


class Block(NamedTuple):
    """Runs of every search in every maze, with each variant."""

    mazes: tuple[str, ...]
    searches: tuple[str, ...]
    runs: int
    variants: tuple[dict[str, Any], ...] = ({},)
    """Options of the search that are tried in turn."""
    first_seed: int = 0


class Experiment(NamedTuple):
    """An experiment: the paper's, or one of ours."""

    what: str
    blocks: tuple[Block, ...]
    records: str = "authored"
    """The experiment whose records and results these are."""

    settings: Mapping[str, Any] = {}
    """What all its runs have in common beside the paper's settings."""

    own_folder: bool = False
    """Whether its records have a folder of their own, because those of another experiment have the same names."""

    @property
    def mazes(self) -> tuple[str, ...]:
        """All its mazes."""
        return tuple(dict.fromkeys(maze for block in self.blocks for maze in block.mazes))

    @property
    def searches(self) -> tuple[str, ...]:
        """All its searches."""
        return tuple(dict.fromkeys(search for block in self.blocks for search in block.searches))


FAMILY = ("nss", "nslc", "sslc", "nsslc", "nssslc", "dns")  # novelty and surprise together, and with competition
BESIDE = ("objective", "novelty", "surprise")  # what they are compared with
FAMILY_RUNS, DECEPTIVE_RUNS, PREDICTOR_RUNS = 30, 5, 20
WEIGHTS = (0.25, 0.75)  # of novelty in nss, beside its half
# runs that decide claims, and those that decide what surprise search updates from, have seeds that no earlier run has
FIRST_SEED, CLAIM_RUNS, CLAIM_RUNS_EXTREMELY_HARD, CLAIM_RUNS_GENERATED = 1000, 150, 100, 20
FIRST_UPDATE_SEED, UPDATE_RUNS = 2000, 100
GENERATED_NAMES = tuple(f"{GENERATED}{seed}" for seed in range(paper.GENERATED_MAZES))


def family_blocks(deceptive: Sequence[str]) -> tuple[Block, ...]:
    """The runs of the family, with the three others where no other experiment has them: in mazes beyond the sixty."""
    known = tuple(maze for maze in deceptive if maze in GENERATED_NAMES)
    others = tuple(maze for maze in deceptive if maze not in GENERATED_NAMES)
    return (
        Block(("hard", "very_hard"), FAMILY, FAMILY_RUNS),
        Block(("hard",), ("nss",), FAMILY_RUNS, tuple({"weight": weight} for weight in WEIGHTS)),
        Block(("extremely_hard",), ("nss", "nsslc"), FAMILY_RUNS),
        Block(known, FAMILY, DECEPTIVE_RUNS),
        Block(others, BESIDE + FAMILY, DECEPTIVE_RUNS),
    )


EXPERIMENTS = {
    "authored": Experiment(
        "efficiency and robustness of six searches in four mazes",
        (Block(paper.MAZES, paper.SEARCHES, paper.RUNS),),
    ),
    "original": Experiment(
        "the two published mazes with the original program's robot",
        (Block(paper.PUBLISHED, paper.MEASURED, paper.RUNS),), "original", {"robot": FIVE_RANGEFINDERS},
    ),
    "genotypes": Experiment(
        "size and diversity of what novelty and surprise evolve; runs of authored",
        (Block(paper.MAZES, paper.COMPARED, paper.RUNS),),
    ),
    "heatmaps": Experiment(
        "where robots ended under novelty and surprise, and its entropy; runs of authored",
        (Block(paper.MAZES, paper.COMPARED, paper.RUNS),),
    ),
    "generated": Experiment(
        "six searches in sixty generated mazes: rankings, deceptiveness, kaplan_meier",
        (Block(GENERATED_NAMES, paper.SEARCHES, paper.GENERATED_RUNS),), "generated",
    ),
    "sensitivity-novelty": Experiment(
        "novelty's number of neighbours, 5 to 30",
        (Block(paper.MAZES, ("novelty",), paper.SENSITIVITY_RUNS,
               tuple({"neighbours": neighbours} for neighbours in range(5, 31, 5))),),
        "sensitivity-novelty",
    ),
    "sensitivity-surprise": Experiment(
        "surprise's number of clusters, 20 to 240, with one and two neighbours",
        (Block(paper.MAZES, ("surprise",), paper.SENSITIVITY_RUNS,
               tuple({"clusters": clusters, "neighbours": n} for n in (1, 2) for clusters in range(20, 241, 20))),),
        "sensitivity-surprise",
    ),
    "predictors": Experiment(
        "surprise with one model for all clusters; beside runs of authored",
        (Block(("hard",), ("surprise",), PREDICTOR_RUNS, ({"predictor": "shared:ridge"},)),), "predictors",
    ),
    "family": Experiment(
        "novelty and surprise together, local competition, quality diversity; beside runs of authored and generated",
        family_blocks(deceptive_mazes()), "family",
    ),
    "lehman2008": Experiment(
        "the published mazes with the rules and the robot of Lehman's program, on the seeds that decide claims",
        (Block(paper.PUBLISHED, paper.MEASURED, CLAIM_RUNS, first_seed=FIRST_SEED),),
        "lehman2008", {"rules": "lehman2008"}, own_folder=True,
    ),
    "fresh": Experiment(
        "the default configuration on the seeds that decide claims",
        (
            Block(paper.PUBLISHED, paper.MEASURED, CLAIM_RUNS, first_seed=FIRST_SEED),
            Block(("very_hard",), ("novelty", "surprise", "ssnp"), CLAIM_RUNS, first_seed=FIRST_SEED),
            Block(("extremely_hard",), paper.COMPARED, CLAIM_RUNS_EXTREMELY_HARD, first_seed=FIRST_SEED),
        ),
        "fresh", own_folder=True,
    ),
    "fresh-generated": Experiment(
        "novelty and surprise in the generated mazes, on the seeds that decide claims",
        (Block(GENERATED_NAMES, paper.COMPARED, CLAIM_RUNS_GENERATED, first_seed=FIRST_SEED),),
        "fresh-generated", own_folder=True,
    ),
    "update-offspring": Experiment(
        "surprise search updated from the offspring of a generation, in the hard maze",
        (Block(("hard",), ("surprise",), UPDATE_RUNS, first_seed=FIRST_UPDATE_SEED),),
        "update-offspring", {"learn_from": "offspring"}, own_folder=True,
    ),
    "update-population": Experiment(
        "surprise search updated from the current population, in the hard maze",
        (Block(("hard",), ("surprise",), UPDATE_RUNS, first_seed=FIRST_UPDATE_SEED),),
        "update-population", {"learn_from": "population"}, own_folder=True,
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
    >>> part = parts_of("sensitivity-surprise", mazes=["hard"])[0]
    >>> part.folder, part.settings.options, part.seeds
    ('sensitivity-surprise/k20-n1', {'clusters': 20, 'neighbours': 1}, range(0, 50))
    """
    experiment = experiment_of(name)
    for kind, asked, there in (("maze", mazes, experiment.mazes), ("search", searches, experiment.searches)):
        for one in asked:
            if one not in there:
                raise ValueError(f"{name} has no {kind} {one!r}; choose from {', '.join(there)}")
    common = dict(experiment.settings)
    if quick:
        common |= {"population": QUICK_POPULATION, "generations": QUICK_GENERATIONS}
    chosen = mazes or experiment.mazes[: QUICK_MAZES if quick else None]
    return [
        Part(
            _folder(experiment, variant, quick),
            Settings(maze=maze, search=search, options=variant, **common),
            QUICK_RUNS if quick else block.runs,
            block.first_seed,
        )
        for block in experiment.blocks
        for maze in block.mazes
        if maze in chosen
        for variant in block.variants
        if not quick or variant.get("clusters", 0) <= QUICK_POPULATION
        for search in block.searches
        if not searches or search in searches
    ]


def _folder(experiment: Experiment, variant: Mapping[str, Any], quick: bool) -> str:
    """Where an experiment's records are inside the folder of all: apart from others of the same maze and search."""
    letters = {"clusters": "k", "neighbours": "n", "weight": "w", "predictor": ""}
    values = "-".join(f"{letters[name]}{value}" for name, value in variant.items()).replace(":", "-")
    own = [experiment.records] * bool(variant or experiment.own_folder)
    return "/".join([QUICK] * quick + own + [values] * bool(variant))
