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

from typing import TYPE_CHECKING

from divergent._lazy import lazy_index

if TYPE_CHECKING:
    from divergent.neighbours._kmeans import kmeans as kmeans
    from divergent.selection._baselines import (
        Random as Random,
        SurpriseNoPrediction as SurpriseNoPrediction,
        SurpriseRandom as SurpriseRandom,
    )
    from divergent.selection._blend import Blend as Blend
    from divergent.selection._check_strategy import check_strategy as check_strategy
    from divergent.selection._deap_selector import by_score as by_score, update_by_score as update_by_score
    from divergent.selection._deviations import DEVIATIONS as DEVIATIONS, Heatmap as Heatmap, Nearest as Nearest
    from divergent.selection._local_competition import (
        DominatedNovelty as DominatedNovelty,
        LocalCompetition as LocalCompetition,
    )
    from divergent.selection._novelty import Novelty as Novelty
    from divergent.selection._novelty_surprise import NoveltyAndSurprise as NoveltyAndSurprise
    from divergent.selection._nsga2 import NSGA2Ranking as NSGA2Ranking
    from divergent.selection._objective import Objective as Objective
    from divergent.selection._predictors import (
        PREDICTORS as PREDICTORS,
        delayed as delayed,
        least_squares as least_squares,
        linear as linear,
        persistence as persistence,
        polynomial as polynomial,
        random_step as random_step,
        regressor as regressor,
        shared as shared,
    )
    from divergent.selection._quality_diversity import (
        CoupledWithCompetition as CoupledWithCompetition,
        NoveltySurpriseAndCompetition as NoveltySurpriseAndCompetition,
        NoveltyWithCompetition as NoveltyWithCompetition,
        SurpriseWithCompetition as SurpriseWithCompetition,
    )
    from divergent.selection._searches import SEARCHES as SEARCHES
    from divergent.selection._strategy import Strategy as Strategy
    from divergent.selection._surprise import Surprise as Surprise

__getattr__, __dir__, __all__ = lazy_index(
    __name__,
    {
        ".neighbours._kmeans": ("kmeans",),
        "_baselines": ("Random", "SurpriseNoPrediction", "SurpriseRandom"),
        "_blend": ("Blend",),
        "_check_strategy": ("check_strategy",),
        "_deap_selector": ("by_score", "update_by_score"),
        "_deviations": ("DEVIATIONS", "Heatmap", "Nearest"),
        "_local_competition": ("DominatedNovelty", "LocalCompetition"),
        "_novelty": ("Novelty",),
        "_novelty_surprise": ("NoveltyAndSurprise",),
        "_nsga2": ("NSGA2Ranking",),
        "_objective": ("Objective",),
        "_predictors": (
            "PREDICTORS", "delayed", "least_squares", "linear", "persistence", "polynomial", "random_step",
            "regressor", "shared",
        ),
        "_quality_diversity": (
            "CoupledWithCompetition", "NoveltySurpriseAndCompetition", "NoveltyWithCompetition",
            "SurpriseWithCompetition",
        ),
        "_searches": ("SEARCHES",),
        "_strategy": ("Strategy",),
        "_surprise": ("Surprise",),
    },
)  # fmt: skip
