import random

import numpy as np
import pytest
from deap import algorithms, base, tools

import divergent
from divergent.individual import MaximisedFitness, Outcomes
from divergent.run_maze import main
from divergent.runs import Settings
from divergent.runs.record import read
from divergent.selection import (
    SEARCHES,
    CoupledWithCompetition,
    LocalCompetition,
    Novelty,
    NoveltyAndSurprise,
    NoveltySurpriseAndCompetition,
    NoveltyWithCompetition,
    NSGA2Ranking,
    Surprise,
    SurpriseWithCompetition,
)

NOVEL = {"neighbours": 3, "threshold": 2.0}
PREDICTED = {"clusters": 5, "nearest_predictions": 2}


def generations(count, size=12):
    rng = np.random.default_rng(7)
    return [Outcomes(rng.uniform(0, 1, size), rng.normal(number, 3, (size, 2))) for number in range(count)]


def rng():
    return np.random.default_rng(1)


@pytest.mark.parametrize(
    ("search", "parts"),
    [
        (NoveltyWithCompetition(**NOVEL), [Novelty(**NOVEL)]),
        (SurpriseWithCompetition(**NOVEL, **PREDICTED, rng=rng()), [Surprise(clusters=5, neighbours=2, rng=rng())]),
        (
            CoupledWithCompetition(weight=0.25, **NOVEL, **PREDICTED, rng=rng()),
            [NoveltyAndSurprise(weight=0.25, **NOVEL, **PREDICTED, rng=rng())],
        ),
        (
            NoveltySurpriseAndCompetition(**NOVEL, **PREDICTED, rng=rng()),
            [Novelty(**NOVEL), Surprise(clusters=5, neighbours=2, rng=rng())],
        ),
    ],
    ids=["nslc", "sslc", "nsslc", "nssslc"],
)
def test_competition_ranking_equals_ranking_of_its_parts(search, parts):
    fronts = NSGA2Ranking([*parts, LocalCompetition(**NOVEL)])
    for generation in generations(5):
        assert search.score_generation(generation).tolist() == fronts.score_generation(generation).tolist()
    *_, competition = fronts.parts
    assert search.archive.tolist() == competition.archive.tolist() != []
    assert search.threshold == competition.threshold
    if len(parts) > 1 or not isinstance(parts[0], Novelty):
        assert search.learns_from == "offspring"
        assert search.predictions.tolist() == parts[-1].predictions.tolist()
        assert search.centroids[-1].tolist() == parts[-1].centroids[-1].tolist()
        assert search.occupied.tolist() == parts[-1].occupied.tolist()


@pytest.mark.parametrize("search", [SurpriseWithCompetition, CoupledWithCompetition, NoveltySurpriseAndCompetition])
def test_competition_ranking_with_more_predictions_than_clusters_raises(search):
    with pytest.raises(ValueError, match="nearest_predictions must be at most the number of clusters 3, got 4"):
        search(clusters=3, nearest_predictions=4)


class Pair(list):
    """Two numbers that are their own behaviour."""

    def __init__(self, numbers):
        super().__init__(numbers)
        self.fitness = MaximisedFitness()


@pytest.mark.parametrize("name", ["nslc", "sslc", "nsslc", "nssslc", "dns"])
def test_competition_ranking_in_deap_loop_works_with_list_individuals(name):
    options = {"clusters": 5} if "ss" in name else {}
    toolbox = base.Toolbox()
    toolbox.register("evaluate", lambda pair: divergent.Outcome((-abs(pair[0]),), behaviour=pair))
    toolbox.register("mate", tools.cxBlend, alpha=0.2)
    toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=1, indpb=1)
    search = SEARCHES[name](**options, rng=rng())
    toolbox.register("select", divergent.by_score, strategy=search, select=tools.selBest)
    random.seed(1)
    population = [Pair([random.uniform(-1, 1), random.uniform(-1, 1)]) for _ in range(20)]
    final, _ = algorithms.eaMuPlusLambda(population, toolbox, 20, 20, 0.5, 0.4, ngen=15, verbose=False)
    assert all(np.isfinite(individual.fitness.score) for individual in final)
    # both asked for: wide apart along the second number, and good, which is near 0 in the first
    ranges = np.ptp(np.array(final), axis=0)
    assert ranges[1] > 3
    assert max(individual.fitness.values[0] for individual in final) > -0.05


def test_competition_ranking_in_a_maze_has_default_settings_and_loop():
    novel = {"neighbours": 10, "threshold": 6.0, "distance": "euclidean"}
    predicted = {"clusters": 220, "nearest_predictions": 2}
    for search, options in {
        "nslc": novel,
        "sslc": novel | predicted,
        "nsslc": novel | predicted | {"weight": 0.5},
        "nssslc": novel | predicted,
        "dns": {"neighbours": 3, "distance": "euclidean"},
    }.items():
        plan = Settings(maze="extremely_hard", search=search).resolve()
        assert plan.options == options
        assert plan.loop == "plus"
    assert Settings(maze="hard", search="nsslc", population=50).resolve().options["clusters"] == 40


def test_settings_with_option_of_another_search_raise():
    with pytest.raises(ValueError, match="to search nslc, got weight; this search has neighbours, threshold, dist"):
        Settings(search="nslc", weight=0.5).resolve()
    with pytest.raises(ValueError, match="to search dns, got clusters; this search has neighbours, distance, index"):
        Settings(search="dns", clusters=5).resolve()


@pytest.mark.parametrize("search", ["nslc", "sslc", "nsslc", "nssslc", "dns"])
def test_competition_ranking_runs_from_the_command_line(tmp_path, search):
    words = f"hard --search {search} --neighbours 4 --population 20 --generations 3 --steps 30 --quiet --out"
    assert main([*words.split(), str(tmp_path)]) in (0, None)
    record = read(tmp_path / f"hard-{search}" / "seed-0000")
    assert (record.settings.options["neighbours"], record.settings.loop, record.evaluations) == (4, "plus", 60)
    assert (record.rows[-1]["archive"] > 0) == (search != "dns")
    assert [row["species"] for row in record.rows] == [0, 0, 0]


@pytest.mark.parametrize("search", ["nslc", "sslc", "nsslc", "nssslc"])
def test_competition_ranking_with_index_uses_that_value(did, search):
    clusters = {"clusters": 2} if "ss" in search else {}
    places, fitness = ((0, 0), (1, 0), (5, 0)), ((1, 3), (2, 2), (3, 1))
    rng = np.random.default_rng
    chosen = SEARCHES[search](neighbours=1, index=1, rng=rng(1), **clusters)
    alone = SEARCHES[search](neighbours=1, rng=rng(1), **clusters)
    for _ in range(3):
        scores = chosen.score_generation(did(*places, fitness=fitness))
        assert (
            scores.tolist() == alone.score_generation(did(*places, fitness=[second for _, second in fitness])).tolist()
        )
    with pytest.warns(UserWarning, match=r"LocalCompetition uses values\[0\] of 2"):
        SEARCHES[search](neighbours=1, **clusters).score_generation(did(*places, fitness=fitness))
