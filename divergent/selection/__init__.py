"""Search strategies that score populations, and functions that select DEAP individuals by these scores.

The strategies are `Objective`, `Novelty`, `Surprise` and the baselines `SurpriseNoPrediction`, `SurpriseRandom` and
`Random`. Strategies are combined by `Blend`, `NoveltyAndSurprise` and `NSGA2Ranking`. Strategies for quality diversity
are `LocalCompetition`, `DominatedNovelty`, `NoveltyWithCompetition`, `SurpriseWithCompetition`,
`CoupledWithCompetition` and `NoveltySurpriseAndCompetition`. Surprise search uses predictors (`PREDICTORS`, `linear`,
`least_squares`, `polynomial`, `regressor`, `shared`, `persistence`, `delayed`, `random_step`), deviations
(`DEVIATIONS`, `Nearest`, `Heatmap`) and `kmeans`. `Strategy` is the base class of custom searches, `check_strategy`
tests a strategy, and `by_score` selects individuals by the scores of a strategy. `SEARCHES` maps the command-line name
of each search to its strategy class.
"""

from divergent.neighbours._kmeans import kmeans
from divergent.selection._baselines import Random, SurpriseNoPrediction, SurpriseRandom
from divergent.selection._blend import Blend
from divergent.selection._check_strategy import check_strategy
from divergent.selection._deap_selector import by_score, update_by_score
from divergent.selection._deviations import DEVIATIONS, Heatmap, Nearest
from divergent.selection._local_competition import DominatedNovelty, LocalCompetition
from divergent.selection._novelty import Novelty
from divergent.selection._novelty_surprise import NoveltyAndSurprise
from divergent.selection._nsga2 import NSGA2Ranking
from divergent.selection._objective import Objective
from divergent.selection._predictors import (
    PREDICTORS,
    delayed,
    least_squares,
    linear,
    persistence,
    polynomial,
    random_step,
    regressor,
    shared,
)
from divergent.selection._quality_diversity import (
    CoupledWithCompetition,
    NoveltySurpriseAndCompetition,
    NoveltyWithCompetition,
    SurpriseWithCompetition,
)
from divergent.selection._strategy import Strategy
from divergent.selection._surprise import Surprise

SEARCHES: dict[str, type[Strategy]] = {
    "objective": Objective,
    "novelty": Novelty,
    "surprise": Surprise,
    "ssnp": SurpriseNoPrediction,
    "ssr": SurpriseRandom,
    "random": Random,
    "nss": NoveltyAndSurprise,
    "nslc": NoveltyWithCompetition,
    "sslc": SurpriseWithCompetition,
    "nsslc": CoupledWithCompetition,
    "nssslc": NoveltySurpriseAndCompetition,
    "dns": DominatedNovelty,
}

__all__ = [
    "DEVIATIONS",
    "PREDICTORS",
    "SEARCHES",
    "Blend",
    "CoupledWithCompetition",
    "DominatedNovelty",
    "Heatmap",
    "LocalCompetition",
    "NSGA2Ranking",
    "Nearest",
    "Novelty",
    "NoveltyAndSurprise",
    "NoveltySurpriseAndCompetition",
    "NoveltyWithCompetition",
    "Objective",
    "Random",
    "Strategy",
    "Surprise",
    "SurpriseNoPrediction",
    "SurpriseRandom",
    "SurpriseWithCompetition",
    "by_score",
    "check_strategy",
    "delayed",
    "kmeans",
    "least_squares",
    "linear",
    "persistence",
    "polynomial",
    "random_step",
    "regressor",
    "shared",
    "update_by_score",
]
