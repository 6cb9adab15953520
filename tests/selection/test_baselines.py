import numpy as np
import pytest

from divergent.selection import SEARCHES, Random, SurpriseNoPrediction, SurpriseRandom


def test_searches_names_are_those_of_the_command_line():
    family = ["nss", "nslc", "sslc", "nsslc", "nssslc", "dns"]
    assert list(SEARCHES) == ["objective", "novelty", "surprise", "ssnp", "ssr", "random", *family]


def test_no_prediction_generation_is_scored_by_its_own_centroids(did):
    strategy = SurpriseNoPrediction(clusters=1, neighbours=1)
    assert strategy.score_generation(did((0, 0), (6, 8))).tolist() == [5.0, 5.0]
    assert strategy.score_generation(did((100, 0), (102, 0))).tolist() == [1.0, 1.0]
    assert len(strategy.centroids) == 1


def test_no_prediction_new_individual_is_scored_by_learnt_centroids(did):
    strategy = SurpriseNoPrediction(clusters=1, neighbours=1)
    strategy.learn(did((0, 0), (2, 0)))
    assert strategy.score(did((1, 7)), among=did((9, 9))).tolist() == [7.0]


def test_no_prediction_empty_clusters_count_unless_excluded(did):
    for keep_empty_clusters, expected in ((True, 1.0), (False, 50.0)):
        strategy = SurpriseNoPrediction(clusters=2, neighbours=1, keep_empty_clusters=keep_empty_clusters)
        strategy.centroids = [np.array([[0.0, 0.0], [51.0, 0.0]])]
        strategy.learn(did((0, 0), (0, 0)))
        assert strategy.score(did((50, 0))).tolist() == [expected]


def test_surprise_random_points_lie_in_bounds_and_are_redrawn_by_learn(did, rng):
    strategy = SurpriseRandom(clusters=500, bounds=(10, -5, 20, 5), rng=rng)
    first = strategy.predictions
    assert first.shape == (500, 2)
    assert (first >= (10, -5)).all()
    assert (first <= (20, 5)).all()
    assert np.ptp(first, axis=0).min() > 9
    strategy.score(did((0, 0)))
    assert strategy.predictions is first
    strategy.learn(did((0, 0)))
    assert not (strategy.predictions == first).any()


def test_surprise_random_score_is_distance_to_points(did):
    strategy = SurpriseRandom(clusters=2, neighbours=2, bounds=((0, 0), (1, 1)))
    strategy.predictions = np.array([[0.0, 0.0], [6.0, 8.0]])
    assert strategy.score(did((0, 0), (3, 4))).tolist() == [5.0, 5.0]


def test_surprise_random_without_bounds_raises():
    with pytest.raises(
        ValueError, match="bounds must be passed, got None: SurpriseRandom draws its points within them"
    ):
        SurpriseRandom()


def test_baselines_with_more_neighbours_than_clusters_raise():
    for search in (SurpriseNoPrediction, SurpriseRandom):
        with pytest.raises(ValueError, match="neighbours must be at most the number of clusters 1, got 2"):
            search(clusters=1, **({"bounds": (0, 0, 1, 1)} if search is SurpriseRandom else {}))


def test_random_score_is_redrawn_at_every_scoring(did):
    strategy, here = Random(), did((0, 0), (1, 1))
    scores = [strategy.score(here) for _ in range(500)]
    assert not (scores[0] == scores[1]).any()
    assert 0.45 < np.mean(scores) < 0.55
