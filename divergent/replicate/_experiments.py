"""Experiments of the replication: settings and seeds of their runs."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from divergent.maze._generator import GENERATED
from divergent.maze._rules import FIVE_RANGEFINDERS
from divergent.replicate import paper
from divergent.replicate._deceptive import deceptive_mazes
from divergent.runs.settings import Settings

QUICK = "quick"  # folder of the run records of quick experiments, separate from the records of full experiments
# settings of quick experiments are large enough that surprise search solves the medium maze at least once
QUICK_RUNS, QUICK_POPULATION, QUICK_GENERATIONS = 2, 50, 100
QUICK_MAZES = 6  # largest number of mazes in a quick experiment, unless mazes are selected


class Part(NamedTuple):
    """Part of an experiment: runs that differ only in their seeds, and the folder of their records."""

    folder: str
    settings: Settings
    runs: int = 1
    first_seed: int = 0

    @property
    def seeds(self) -> range:
        """The seeds of the runs."""
        return range(self.first_seed, self.first_seed + self.runs)


class Block(NamedTuple):
    """Block of an experiment: every listed search runs in every listed maze with each variant of its options."""

    mazes: tuple[str, ...]
    searches: tuple[str, ...]
    runs: int
    variants: tuple[dict[str, Any], ...] = ({},)
    """Options of the search, one dictionary per variant."""
    first_seed: int = 0


class Experiment(NamedTuple):
    """An experiment of the paper, or an additional experiment of this project."""

    what: str
    blocks: tuple[Block, ...]
    records: str = "authored"
    """Name of the experiment that holds the records and results."""

    settings: Mapping[str, Any] = {}
    """Settings of all its runs that differ from the defaults."""

    own_folder: bool = False
    """Whether the records have a separate folder, because records of another experiment have the same names."""

    @property
    def mazes(self) -> tuple[str, ...]:
        """All mazes, in order."""
        return tuple(dict.fromkeys(maze for block in self.blocks for maze in block.mazes))

    @property
    def searches(self) -> tuple[str, ...]:
        """All searches, in order."""
        return tuple(dict.fromkeys(search for block in self.blocks for search in block.searches))


QD_VARIANTS = ("nss", "nslc", "sslc", "nsslc", "nssslc", "dns")
REFERENCE_SEARCHES = ("objective", "novelty", "surprise")  # reference searches that are compared with the QD variants
QD_VARIANT_RUNS, DECEPTIVE_RUNS, PREDICTOR_RUNS = 30, 5, 20
WEIGHTS = (0.25, 0.75)  # weights of novelty in the search nss, in addition to the default
# runs that test claims of the paper have seeds from 1000 on, which no earlier run used
FIRST_SEED, CLAIM_RUNS, CLAIM_RUNS_EXTREMELY_HARD, CLAIM_RUNS_GENERATED = 1000, 150, 100, 20
# runs that compare the values of the setting `learn_from` have seeds from 2000 on, which no earlier run used
FIRST_UPDATE_SEED, UPDATE_RUNS = 2000, 100
GENERATED_NAMES = tuple(f"{GENERATED}{seed}" for seed in range(paper.GENERATED_MAZES))


def qd_variant_blocks(deceptive: Sequence[str]) -> tuple[Block, ...]:
    """Return the groups of runs (blocks) of the experiment that compares QD variants with reference searches.

    Reference searches are omitted in deceptive mazes in which the experiment "generated" already runs them.
    """
    known = tuple(maze for maze in deceptive if maze in GENERATED_NAMES)
    others = tuple(maze for maze in deceptive if maze not in GENERATED_NAMES)
    return (
        Block(("hard", "very_hard"), QD_VARIANTS, QD_VARIANT_RUNS),
        Block(("hard",), ("nss",), QD_VARIANT_RUNS, tuple({"weight": weight} for weight in WEIGHTS)),
        Block(("extremely_hard",), ("nss", "nsslc"), QD_VARIANT_RUNS),
        Block(known, QD_VARIANTS, DECEPTIVE_RUNS),
        Block(others, REFERENCE_SEARCHES + QD_VARIANTS, DECEPTIVE_RUNS),
    )


EXPERIMENTS = {
    "authored": Experiment(
        "efficiency and robustness of six searches in four mazes",
        (Block(paper.MAZES, paper.SEARCHES, paper.RUNS),),
    ),
    "original": Experiment(
        "the two published mazes with the five-rangefinder robot",
        (Block(paper.PUBLISHED, paper.MEASURED, paper.RUNS),), "original", {"robot": FIVE_RANGEFINDERS},
    ),
    "genotypes": Experiment(
        "size and diversity of the genotypes of novelty and surprise search, from runs of the experiment authored",
        (Block(paper.MAZES, paper.COMPARED, paper.RUNS),),
    ),
    "heatmaps": Experiment(
        "final positions of novelty and surprise search and their entropy, from runs of the experiment authored",
        (Block(paper.MAZES, paper.COMPARED, paper.RUNS),),
    ),
    "generated": Experiment(
        "six searches in sixty generated mazes: rankings, deceptiveness, robustness",
        (Block(GENERATED_NAMES, paper.SEARCHES, paper.GENERATED_RUNS),), "generated",
    ),
    "sensitivity-novelty": Experiment(
        "novelty search with 5 to 30 nearest neighbours",
        (Block(paper.MAZES, ("novelty",), paper.SENSITIVITY_RUNS,
               tuple({"neighbours": n} for n in paper.SENSITIVITY_NEIGHBOURS)),),
        "sensitivity-novelty",
    ),
    "sensitivity-surprise": Experiment(
        "surprise search with 20 to 240 clusters and one or two nearest predictions",
        (Block(paper.MAZES, ("surprise",), paper.SENSITIVITY_RUNS,
               tuple({"clusters": k, "neighbours": n} for n in (1, 2) for k in paper.SENSITIVITY_CLUSTERS)),),
        "sensitivity-surprise",
    ),
    "predictors": Experiment(
        "surprise search with one predictor for all clusters, compared with runs of the experiment authored",
        (Block(("hard",), ("surprise",), PREDICTOR_RUNS, ({"predictor": "shared:ridge"},)),), "predictors",
    ),
    "family": Experiment(
        "QD variants: novelty-surprise search, local competition and dominated novelty search",
        qd_variant_blocks(deceptive_mazes()), "family",
    ),
    "lehman2008": Experiment(
        "confirmatory runs in the published mazes with the implementation details and the robot of Lehman's program",
        (Block(paper.PUBLISHED, paper.MEASURED, CLAIM_RUNS, first_seed=FIRST_SEED),),
        "lehman2008", {"rules": "lehman2008"}, own_folder=True,
    ),
    "fresh": Experiment(
        "confirmatory runs with the default configuration",
        (
            Block(paper.PUBLISHED, paper.MEASURED, CLAIM_RUNS, first_seed=FIRST_SEED),
            Block(("very_hard",), ("novelty", "surprise", "ssnp"), CLAIM_RUNS, first_seed=FIRST_SEED),
            Block(("extremely_hard",), paper.COMPARED, CLAIM_RUNS_EXTREMELY_HARD, first_seed=FIRST_SEED),
        ),
        "fresh", own_folder=True,
    ),
    "fresh-generated": Experiment(
        "confirmatory runs of novelty and surprise search in the generated mazes",
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
# experiment of the confirmatory runs in each maze of the paper whose results decide the claims
CONFIRMATORY = {"medium": "lehman2008", "hard": "lehman2008", "very_hard": "fresh", "extremely_hard": "fresh"}
KEPT = tuple(dict.fromkeys(experiment.records for experiment in EXPERIMENTS.values()))  # experiments with records


def experiment_of(name: str) -> Experiment:
    """Return an experiment by name.

    Parameters
    ----------
    name : str
        Name of the experiment, a key of `EXPERIMENTS`.

    Returns
    -------
    Experiment
        The experiment.

    Raises
    ------
    ValueError
        If `EXPERIMENTS` has no experiment of this name.
    """
    if name not in EXPERIMENTS:
        raise ValueError(f"name of the experiment must be one of {', '.join(EXPERIMENTS)}, got {name!r}")
    return EXPERIMENTS[name]


def parts_of(name: str, *, mazes: Sequence[str] = (), searches: Sequence[str] = (), quick: bool = False) -> list[Part]:
    """Return the parts of an experiment, each with the settings of its runs and the folder of their records.

    Parameters
    ----------
    name : str
        Name of the experiment, a key of `EXPERIMENTS`.
    mazes, searches : sequence of str, default=()
        Mazes and searches to include; an empty sequence includes all.
    quick : bool, default=False
        Whether to return a quick experiment: small population, few generations, few variants and, unless mazes are
        selected, few mazes.

    Returns
    -------
    list of Part
        One part for each combination of maze, variant and search.

    Raises
    ------
    ValueError
        If a selected maze or search is not part of the experiment.

    Examples
    --------
    >>> part = parts_of("sensitivity-surprise", mazes=["hard"])[0]
    >>> part.folder, part.seeds
    ('sensitivity-surprise/k20-n1', range(0, 50))

    >>> part.settings.options
    {'clusters': 20, 'neighbours': 1}
    """
    experiment = experiment_of(name)
    _check_selection(f"maze of {name}", mazes, experiment.mazes)
    _check_selection(f"search of {name}", searches, experiment.searches)
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


def _check_selection(name: str, selected: Sequence[str], known: Sequence[str]) -> None:
    """Raise an error if a selected maze or search is not part of the experiment."""
    for value in selected:
        if value not in known:
            raise ValueError(
                f"selected mazes and searches must belong to the experiment: {name} must be one of {', '.join(known)}, "
                f"got {value!r}"
            )


def _folder(experiment: Experiment, variant: Mapping[str, Any], quick: bool) -> str:
    """Return the folder of the run records, chosen so that records of different runs never have the same path."""
    letters = {"clusters": "k", "neighbours": "n", "weight": "w", "predictor": ""}
    values = "-".join(f"{letters[name]}{value}" for name, value in variant.items()).replace(":", "-")
    own = [experiment.records] * bool(variant or experiment.own_folder)
    return "/".join([QUICK] * quick + own + [values] * bool(variant))
