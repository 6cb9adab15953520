"""Every search, and variants and combinations of them, and a visitor's own, against the same contract."""

import inspect

import numpy as np
import pytest

from divergent.selection import (
    SEARCHES,
    Blend,
    Heatmap,
    Novelty,
    NoveltyAndSurprise,
    Objective,
    Random,
    Strategy,
    Surprise,
    SurpriseNoPrediction,
    check_strategy,
    polynomial,
)

BOUNDS = ((0, 0), (100, 100))


class Rarity(Strategy):
    """How rarely a behaviour's square of side 10 was visited before: what a user would write."""

    memory = ("visits",)

    def __init__(self, *, rng=None):
        super().__init__(rng=rng)
        self.visits = {}

    def score(self, outcomes, among=None):
        return np.array([1 / (1 + self.visits.get(str(square), 0)) for square in outcomes.behaviours // 10])

    def learn(self, outcomes):
        for square in map(str, outcomes.behaviours // 10):
            self.visits[square] = self.visits.get(square, 0) + 1


def by_column(outcomes):
    return (outcomes.behaviours[:, 0] // 10).astype(int)


def small(search, rng):
    known = inspect.signature(SEARCHES[search]).parameters
    options = {"clusters": 20} if "clusters" in known and search != "novelty" else {}
    return SEARCHES[search](**options, **({"bounds": BOUNDS} if search == "ssr" else {}), rng=rng)


@pytest.mark.parametrize("search", SEARCHES)
def test_searches_pass_check_strategy(search):
    check_strategy(small(search, np.random.default_rng(1)), individuals=30)


@pytest.mark.parametrize("search", ["novelty", "surprise", "ssnp", "nss", "nssslc", "dns"])
def test_searches_with_high_dimensional_behaviours_pass_check_strategy(search):
    check_strategy(small(search, np.random.default_rng(1)), individuals=30, dimensions=40)


@pytest.mark.parametrize(
    "strategy",
    [
        Novelty(clusters=10, neighbours=3),
        Novelty(archiving="fixed", archived=5, archive_size=12),
        Novelty(archiving="random"),
        Novelty(archiving="none"),
        Novelty(archiving="novel", archived=3),
        Novelty(archiving="novel", archived=3, clusters=10, neighbours=3, scale="range"),
        Novelty(reference="archive"),
        Novelty(reference="archive", archiving="novel", archived=3, scale="std"),
        Novelty(reference="population"),
        Novelty(distance="cityblock"),
        Surprise(clusters=1, neighbours=1),
        Surprise(clusters=30),
        Surprise(clusters=10, history=4, predictor="least-squares"),
        Surprise(clusters=10, history=4, predictor=polynomial(3)),
        Surprise(clusters=10, history=3, predictor="shared:ridge"),
        Surprise(clusters=10, history=1, predictor="persistence"),
        Surprise(clusters=10, predictor="delayed", keep_empty_clusters=False),
        Surprise(clusters=10, predictor="random-step"),
        Surprise(clusters=10, archived=3, archive_size=5),
        Surprise(clusters=10, keep_empty_clusters=False),
        Surprise(clusters=20, groups=by_column),
        Surprise(clusters=10, deviation=Heatmap(BOUNDS, cells=5)),
        Surprise(clusters=10, distance="chebyshev"),
        Surprise(partition="lineage"),
        Surprise(partition="lineage", history=4, predictor="least-squares", scale="std"),
        SurpriseNoPrediction(clusters=10, keep_empty_clusters=False),
        Blend({Novelty(): 0.5, Surprise(clusters=20): 0.5}),
        Blend({Objective(): 1, Surprise(clusters=20): 2}),
        Blend({SurpriseNoPrediction(clusters=20): 1, Random(): 0.1}),
        Blend({Blend({Objective(): 1, Novelty(): 1}): 1, Random(): 1}),
        Blend({Objective(): 1, Novelty(): 0.1}, scaled=False),
        Blend({Novelty(clusters=10): 1, Surprise(clusters=20): 1}, scaled=False),
        NoveltyAndSurprise(weight=0, clusters=20),
        NoveltyAndSurprise(weight=1, clusters=20),
        Rarity(),
    ],
    ids=lambda strategy: type(strategy).__name__,
)
def test_variants_and_custom_strategy_pass_check_strategy(strategy):
    check_strategy(strategy, individuals=30)
