import numpy as np
import pytest

from divergent.selection import Novelty


def test_novelty_is_mean_distance_to_nearest_others(did):
    scores = Novelty(neighbours=2).score(did((0, 0), (0, 1), (0, 3), (0, 7)))
    assert scores.tolist() == [2.0, 1.5, 2.5, 5.0]


def test_novelty_equal_behaviours_are_neighbours(did):
    assert Novelty(neighbours=1).score(did((0, 0), (0, 0), (5, 0))).tolist() == [0.0, 0.0, 5.0]


def test_novelty_with_fewer_others_averages_all(did):
    assert Novelty(neighbours=15).score(did((0, 0), (0, 1), (0, 3))).tolist() == [2.0, 1.5, 2.5]


def test_novelty_archived_behaviours_are_neighbours(did):
    novelty = Novelty(neighbours=1)
    here = did((0, 0), (50, 0))
    novelty.learn(here)
    assert novelty.score(here).tolist() == [0.0, 0.0]
    assert novelty.score(did((0, 3)), among=did((90, 90))).tolist() == [3.0]


def test_novelty_archive_adds_behaviours_above_threshold_in_order(did):
    novelty = Novelty(threshold=6.0)
    novelty.learn(did((0, 0), (5, 0), (7, 0), (14, 0), (6, 0)))
    assert novelty.archive.tolist() == [[0.0, 0.0], [7.0, 0.0], [14.0, 0.0]]
    novelty.learn(did((20, 0), (20.5, 0)))
    assert novelty.archive.tolist()[3:] == [[20.5, 0.0]]


def test_novelty_five_additions_raise_the_threshold(did):
    novelty = Novelty(threshold=6.0)
    novelty.learn(did(*((100 * x, 0) for x in range(4))))
    assert novelty.threshold == 6.0
    novelty.learn(did(*((100 * x, 100) for x in range(5))))
    assert novelty.threshold == pytest.approx(7.2)


def test_novelty_ten_idle_generations_lower_the_threshold(did):
    novelty, here = Novelty(threshold=6.0), did((0, 0))
    thresholds = []
    for _ in range(21):
        novelty.learn(here)
        thresholds.append(novelty.threshold)
    assert thresholds[:10] == [6.0] * 10  # the first took it
    assert thresholds[10:20] == [pytest.approx(5.7)] * 10
    assert thresholds[20] == pytest.approx(5.7 * 0.95)


def test_novelty_addition_resets_idle_generations(did):
    novelty = Novelty(threshold=6.0)
    for x in [0] * 10 + [50] + [0] * 9:
        novelty.learn(did((x, 0)))
    assert (novelty.threshold, novelty.idle) == (6.0, 9)


@pytest.mark.parametrize(("threshold", "floor"), [(6.0, 0.25), (0.05, 0.05 / 24), (2400.0, 100.0)])
def test_novelty_threshold_has_a_floor(did, threshold, floor):
    novelty, thresholds = Novelty(threshold=threshold), [threshold]
    for _ in range(800):
        novelty.learn(did((0, 0)))
        thresholds.append(novelty.threshold)
    assert thresholds == sorted(thresholds, reverse=True)
    assert novelty.threshold == pytest.approx(floor)


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_novelty_default_threshold_is_a_sixth_of_the_dispersion(did, unit):
    novelty = Novelty()
    for _ in range(3):
        novelty.learn(did((0, 0), (0, 0)))
    assert (novelty.threshold, novelty.archive.tolist()) == (None, [[0.0, 0.0]])
    # 5 from their mean, every one of them
    novelty.learn(did((3 * unit, 4 * unit), (-3 * unit, 4 * unit), (3 * unit, -4 * unit), (-3 * unit, -4 * unit)))
    assert novelty.threshold == pytest.approx(5 / 6 * unit)
    assert len(novelty.archive) == 5


@pytest.mark.parametrize("scale", ["range", "std"])
def test_novelty_scaled_weights_dimensions_equally(did, scale):
    plain, novelty = Novelty(neighbours=1), Novelty(neighbours=1, scale=scale)
    corners = did((0, 0), (0.001, 0), (0, 1000), (0.001, 1000))
    for strategy in (plain, novelty):
        strategy.learn(corners)
    here = did((0.0005, 0), (0, 500))
    assert plain.score(here) == pytest.approx([0.0005, 500.0])
    first, second = novelty.score(here)
    assert first == pytest.approx(second)


def test_novelty_scale_is_of_all_learnt_or_of_the_population(did):
    novelty = Novelty(neighbours=1, threshold=1e9, scale="range")
    assert novelty.score(did((0, 0), (10, 1000))) == pytest.approx([np.sqrt(2)] * 2)
    novelty.learn(did((0, 0), (10, 0)))
    novelty.learn(did((5, 0), (40, 1)))
    novelty.archive = np.empty((0, 2))
    assert novelty.score(did((0, 0), (20, 0))) == pytest.approx([0.5, 0.5])


def test_novelty_random_archive_grows(did, rng):
    novelty = Novelty(archiving="random", archived=2, rng=rng)
    for x in range(10):
        novelty.learn(did((x, 0), (x, 1), (x, 2)))
    assert novelty.archive[:, 0].tolist() == [x for x in range(10) for _ in range(2)]


def test_novelty_fixed_archive_removes_the_oldest(did, rng):
    novelty = Novelty(archiving="fixed", archived=2, archive_size=5, rng=rng)
    for x in range(10):
        novelty.learn(did((x, 0), (x, 1), (x, 2)))
    assert novelty.archive[:, 0].tolist() == [7, 8, 8, 9, 9]
    assert novelty.score(did((9, 5)), among=did((0, 0))).size == 1


def test_novelty_novel_archive_adds_the_most_novel_in_order(did):
    novelty = Novelty(neighbours=1, archiving="novel", archived=2)
    novelty.learn(did((0, 0), (1, 0), (30, 0), (60, 0)))  # novelty 1, 1, 29, 30
    assert novelty.archive.tolist() == [[30.0, 0.0], [60.0, 0.0]]
    novelty.learn(did((60, 1), (10, 0), (30, 2), (0, 0)))  # novelty 1, 10, 2, 10
    assert novelty.archive.tolist()[2:] == [[10.0, 0.0], [0.0, 0.0]]


def test_novelty_novel_archive_breaks_ties_by_order(did):
    novelty = Novelty(neighbours=1, archiving="novel", archived=1)
    novelty.learn(did((5, 0), (0, 0)))
    assert novelty.archive.tolist() == [[5.0, 0.0]]


def test_novelty_novel_archive_is_of_novelty_among_centroids(did):
    novelty = Novelty(neighbours=1, clusters=1, archiving="novel", archived=1)
    novelty.learn(did((0, 0), (0, 0), (0, 0), (4, 0)))  # the centroid is at 1
    assert novelty.archive.tolist() == [[4.0, 0.0]]


def test_novelty_of_archive_ignores_the_population(did):
    novelty = Novelty(neighbours=2, threshold=6.0, reference="archive")
    novelty.learn(did((0, 0), (10, 0), (30, 0)))
    population = did((1, 0), (1, 0), (12, 0))
    assert novelty.score(population).tolist() == [5.0, 5.0, 7.0]
    assert novelty.score(did((1, 0)), among=did((1, 0))).tolist() == [5.0]


def test_novelty_of_empty_archive_is_random(did):
    novelty = Novelty(reference="archive", rng=np.random.default_rng(1))
    assert novelty.score(did((0, 0), (1, 0))).tolist() == np.random.default_rng(1).random(2).tolist()


def test_novelty_of_population_ignores_the_archive_it_fills(did, rng):
    passive, without = Novelty(threshold=1.0, reference="population"), Novelty(archiving="none")
    for _ in range(3):
        population, child = did(*rng.uniform(0, 40, (20, 2))), did((3, 4))
        assert passive.score(population).tolist() == without.score(population).tolist()
        assert passive.score(child, among=population).tolist() == without.score(child, among=population).tolist()
        passive.learn(population)
        without.learn(population)
    assert len(passive.archive) > 10


def test_novelty_without_archive_stores_nothing(did):
    novelty = Novelty(archiving="none")
    novelty.learn(did((0, 0), (50, 50)))
    assert novelty.archive.size == 0


def test_novelty_with_clusters_uses_centroids_of_the_generation(did):
    novelty = Novelty(neighbours=1, clusters=2)
    scores = novelty.score_generation(did((0, 0), (2, 0), (50, 0), (54, 0)))
    assert sorted(novelty.centroids.tolist()) == [[1.0, 0.0], [52.0, 0.0]]
    assert scores.tolist() == [1.0, 1.0, 2.0, 2.0]
    assert novelty.archive.tolist() == [[0.0, 0.0], [50.0, 0.0]]


def test_novelty_custom_distance_applies_to_scores_and_archive(did):
    novelty = Novelty(neighbours=1, threshold=6, distance="cityblock")
    here = did((0, 0), (4, 4))
    assert novelty.score(here).tolist() == [8.0, 8.0]
    novelty.learn(here)
    assert len(novelty.archive) == 2
    euclidean = Novelty(neighbours=1, threshold=6)
    euclidean.learn(here)
    assert len(euclidean.archive) == 1


def test_novelty_scores_do_not_depend_on_archive_growth(did, rng):
    grown = Novelty(threshold=0.5)
    for _ in range(20):
        grown.learn(did(*rng.uniform(0, 40, (30, 2))))
        grown.score(did((0, 0)))
    made = Novelty()
    made.archive = grown.archive.copy()
    population = did(*rng.uniform(0, 40, (30, 2)))
    assert made.score(population).tolist() == grown.score(population).tolist()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"neighbours": 0}, "neighbours must be an integer, at least 1, got 0"),
        ({"threshold": 0}, "threshold must be a finite number above 0, got 0"),
        ({"threshold": float("nan")}, "threshold must be a finite number above 0, got nan"),
        ({"archiving": "some"}, "unknown archiving rule 'some'; choose from threshold, fixed, random, novel, none"),
        ({"archived": 0}, "archived must be an integer, at least 1, got 0"),
        ({"archive_size": 0}, "archive_size must be an integer, at least 1, got 0"),
        ({"clusters": 0}, "clusters must be an integer, at least 1, got 0"),
        (
            {"reference": "some"},
            "reference must be the name of a reference set, one of both, archive, population, got 'some'",
        ),
        (
            {"reference": "archive", "archiving": "none"},
            "reference must be 'both' or 'population' if archiving is 'none'",
        ),
        ({"reference": "archive", "clusters": 3}, "reference must be 'both' or 'population' if clusters are set"),
    ],
)
def test_novelty_with_invalid_settings_raises(options, message):
    with pytest.raises(ValueError, match=message):
        Novelty(**options)


@pytest.mark.parametrize("behaviours", [[(0, 0, 0)], [(np.nan, 0)], [()]])
def test_novelty_with_invalid_behaviours_raises(did, behaviours):
    novelty = Novelty()
    novelty.learn(did((0, 0), (9, 9)))
    for use in (novelty.score, novelty.learn):
        with pytest.raises(ValueError, match="behaviour"):
            use(did(*behaviours))


def test_novelty_with_more_clusters_than_individuals_raises(did):
    with pytest.raises(ValueError, match="clusters must be at most the population size 2, got 3"):
        Novelty(clusters=3).learn(did((0, 0), (1, 1)))
