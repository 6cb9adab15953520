"""Numbers and settings that the replicated paper reports.

The paper is "Surprise Search for Evolutionary Divergence" by Daniele Gravina, Antonios Liapis and Georgios Yannakakis.
"""

from typing import NamedTuple

MAZES = ("medium", "hard", "very_hard", "extremely_hard")
SEARCHES = ("objective", "novelty", "surprise", "ssnp", "ssr", "random")
MEASURED = ("objective", "novelty", "surprise", "ssnp")  # searches whose evaluations the paper reports
COMPARED = ("novelty", "surprise")  # searches whose behaviours and genotypes the paper compares
PUBLISHED = (
    "medium",
    "hard",
)  # mazes that the paper publishes; in the other two mazes, only the order of searches can be compared
RUNS = 100  # number of runs of each search in each maze
GENERATED_MAZES, GENERATED_RUNS = 60, 50
SENSITIVITY_RUNS = 50
SENSITIVITY_NEIGHBOURS = range(5, 31, 5)  # of novelty search
SENSITIVITY_CLUSTERS = range(20, 241, 20)  # numbers of clusters of surprise search in the sensitivity analysis


class Count(NamedTuple):
    """Number of successful runs as the paper states it, such as "61 or 62", and as a tuple of the possible integers."""

    text: str
    among: tuple[int, ...]
    runs: int = RUNS


class Mean(NamedTuple):
    """Mean, standard deviation and number of runs that the paper reports for a measure."""

    mean: float
    sd: float
    runs: int = RUNS


class Entropy(NamedTuple):
    """Entropy of the final positions in the typical run that the paper shows, and the evaluations of this run."""

    entropy: float
    evaluations: int


class Best(NamedTuple):
    """Best setting of a sensitivity analysis in the paper, with successes and mean evaluations if reported."""

    clusters: int | None
    neighbours: int
    solved: int | None
    evaluations: float | None


def _count(number: int) -> Count:
    return Count(str(number), (number,))


FEW, NOT_REPORTED = Count("few", ()), Count("not reported", ())

SOLVED = {
    ("medium", "objective"): _count(71),
    ("medium", "novelty"): NOT_REPORTED,
    ("medium", "surprise"): _count(100),
    ("medium", "ssnp"): _count(93),
    ("medium", "ssr"): FEW,
    ("medium", "random"): FEW,
    ("hard", "objective"): FEW,
    ("hard", "novelty"): _count(93),
    ("hard", "surprise"): _count(99),
    ("hard", "ssnp"): Count("61 or 62", (61, 62)),
    ("hard", "ssr"): FEW,
    ("hard", "random"): FEW,
    ("very_hard", "objective"): _count(0),
    ("very_hard", "novelty"): _count(85),
    ("very_hard", "surprise"): _count(99),
    ("very_hard", "ssnp"): _count(88),
    ("very_hard", "ssr"): _count(0),
    ("very_hard", "random"): _count(0),
    ("extremely_hard", "objective"): _count(0),
    ("extremely_hard", "novelty"): _count(48),
    ("extremely_hard", "surprise"): _count(67),
    ("extremely_hard", "ssnp"): _count(39),
    ("extremely_hard", "ssr"): _count(0),
    ("extremely_hard", "random"): _count(0),
}

# mean evaluations over all runs; an unsuccessful run counts with its full budget
EVALUATIONS = {
    ("medium", "objective"): Mean(48_186, 23_590),
    ("medium", "novelty"): Mean(19_814, 15_441),
    ("medium", "surprise"): Mean(16_084, 11_588),
    ("medium", "ssnp"): Mean(26_452, 21_249),
    ("hard", "objective"): Mean(73_643, 7_542),
    ("hard", "novelty"): Mean(28_493, 19_939),
    ("hard", "surprise"): Mean(23_566, 15_925),
    ("hard", "ssnp"): Mean(47_550, 25_524),
    ("very_hard", "novelty"): Mean(115_600, 81_091),
    ("very_hard", "surprise"): Mean(76_261, 52_385),
    ("very_hard", "ssnp"): Mean(117_560, 74_430),
    ("extremely_hard", "novelty"): Mean(178_045, 86_410),
    ("extremely_hard", "surprise"): Mean(154_794, 84_733),
    ("extremely_hard", "ssnp"): Mean(200_190, 75_569),
}

# mean evaluations that the same authors report in "Surprise search: beyond objectives and novelty" (2016)
EVALUATIONS_2016 = {
    ("hard", "objective"): 72_427,
    ("hard", "novelty"): 27_167,
    ("hard", "surprise"): 21_390,
}

BEST_FITNESS = {
    ("medium", "novelty"): Mean(295.84, 1.47),
    ("medium", "surprise"): Mean(295.93, 0.72),
    ("very_hard", "novelty"): Mean(292.15, 9.85),
    ("very_hard", "surprise"): Mean(295.77, 3.59),
    ("extremely_hard", "surprise"): Mean(287.68, 12.16),
}

GENOTYPE_MEASURES = ("connections", "hidden_nodes", "compatibility", "disjoint", "weight_difference", "excess")


def _genotype(runs: int, *pairs: tuple[float, float]) -> dict[str, Mean]:
    means = [Mean(mean, sd, runs) for mean, sd in pairs]
    return dict(zip(GENOTYPE_MEASURES, means, strict=True))


# genotype measures, averaged over successful runs; the sample size is the number of successful runs
GENOTYPES = {
    ("medium", "surprise"): _genotype(
        100, (33.76, 15.08), (2.46, 1.53), (42.52, 19.80), (27.40, 16.27), (1.22, 0.25), (11.44, 11.45)
    ),
    ("medium", "novelty"): _genotype(
        100, (29.08, 6.10), (2.2, 1.0), (32.55, 7.90), (24.97, 7.05), (1.09, 0.26), (4.28, 3.41)
    ),
    ("hard", "surprise"): _genotype(
        99, (52.34, 28.57), (3.84, 2.66), (73.24, 36.82), (51.60, 27.76), (1.25, 0.24), (17.86, 20.99)
    ),
    ("hard", "novelty"): _genotype(
        93, (32.55, 9.84), (2.48, 1.29), (39.35, 12.05), (31.06, 11.32), (1.19, 0.28), (4.71, 4.66)
    ),
    ("very_hard", "surprise"): _genotype(
        99, (101.94, 52.45), (6.94, 3.62), (160.31, 67.01), (121.56, 57.11), (1.26, 0.22), (34.96, 37.34)
    ),
    ("very_hard", "novelty"): _genotype(
        85, (42.03, 14.53), (3.27, 1.90), (56.53, 19.66), (46.65, 19.25), (1.16, 0.27), (6.38, 7.71)
    ),
    ("extremely_hard", "surprise"): _genotype(
        67, (158.16, 89.65), (10.63, 5.85), (260.52, 113.08), (207.97, 107.2), (1.31, 0.23), (48.62, 54.20)
    ),
    ("extremely_hard", "novelty"): _genotype(
        48, (41.79, 11.77), (3.25, 1.53), (54.05, 14.44), (45.30, 14.55), (1.15, 0.24), (5.28, 4.93)
    ),
}

ENTROPY = {
    ("medium", "surprise"): Entropy(0.67, 25_000),
    ("medium", "novelty"): Entropy(0.63, 25_000),
    ("hard", "surprise"): Entropy(0.67, 25_000),
    ("hard", "novelty"): Entropy(0.61, 25_000),
    ("very_hard", "surprise"): Entropy(0.69, 75_000),
    ("very_hard", "novelty"): Entropy(0.63, 75_000),
    ("extremely_hard", "surprise"): Entropy(0.68, 75_000),
    ("extremely_hard", "novelty"): Entropy(0.64, 75_000),
}

# claims on the order of searches: maze, first search, relation and second search, as in `divergent.analysis.Claim`
ORDERS: tuple[tuple[str, str, str, str | None], ...] = (
    ("very_hard", "surprise", "better", "novelty"),
    ("very_hard", "surprise", "better", "ssnp"),
    ("very_hard", "novelty", "equal", "ssnp"),
    ("very_hard", "objective", "never", None),
    ("very_hard", "ssr", "never", None),
    ("very_hard", "random", "never", None),
    ("extremely_hard", "surprise", "better", "novelty"),
    ("extremely_hard", "surprise", "better", "ssnp"),
    ("extremely_hard", "novelty", "better", "ssnp"),
    ("extremely_hard", "objective", "never", None),
    ("extremely_hard", "ssr", "never", None),
    ("extremely_hard", "random", "never", None),
)

# percentage of generated mazes in which the row's search has more successful runs (of 50) than the column's search
_PERCENT: dict[str, tuple[int | None, ...]] = {
    "objective": (None, 15, 5, 6, 71, 78),
    "novelty": (40, None, 8, 20, 75, 81),
    "surprise": (56, 40, None, 45, 78, 85),
    "ssnp": (51, 35, 11, None, 78, 85),
    "ssr": (1, 1, 1, 1, None, 36),
    "random": (0, 0, 0, 0, 20, None),
}
RANKINGS = {
    (row, column): percent
    for row, percents in _PERCENT.items()
    for column, percent in zip(SEARCHES, percents, strict=True)
    if percent is not None
}


class Total(NamedTuple):
    """Mean percentage of generated mazes in which a search has more (or fewer) successful runs than another search.

    The mean is over the other searches, as the paper reports it. Four of the paper's means of `fewer` differ from the
    means of the percentages in the same table.
    """

    more: float
    fewer: float


RANKING_TOTALS = {
    "objective": Total(35, 29.6),
    "novelty": Total(44.8, 19),
    "surprise": Total(60.8, 5),
    "ssnp": Total(52, 16.5),
    "ssr": Total(8, 62.8),
    "random": Total(4, 71.8),
}

GENERATED_EVALUATIONS = {
    search: Mean(mean, sd, GENERATED_MAZES * GENERATED_RUNS)
    for search, mean, sd in (
        ("objective", 84_398, 65_081),
        ("novelty", 76_225, 64_961),
        ("surprise", 71_865, 63_007),
        ("ssnp", 75_531, 63_820),
        ("ssr", 118_668, 53_934),
        ("random", 123_558, 50_568),
    )
}

# the paper regresses successes on the failures of objective search and reports an adjusted R2 of at least 0.85
ADJUSTED_R2 = 0.85
# number of evaluations after which surprise search has significantly more successful runs than novelty search
FASTER_FROM = 112_500

SENSITIVITY = {
    ("medium", "novelty"): Best(None, 15, 49, None),
    ("hard", "novelty"): Best(None, 15, 48, None),
    ("very_hard", "novelty"): Best(None, 15, 39, None),
    ("extremely_hard", "novelty"): Best(None, 10, 24, None),
    ("medium", "surprise"): Best(200, 1, 50, 16_364),
    ("hard", "surprise"): Best(100, 1, 49, 23_214),
    ("very_hard", "surprise"): Best(200, 2, None, None),
    ("extremely_hard", "surprise"): Best(220, 2, None, None),
}
