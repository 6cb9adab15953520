import warnings

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from divergent.individual import Outcomes
from divergent.neighbours._kmeans import kmeans_plus_plus
from divergent.selection import Heatmap, Surprise, SurpriseNoPrediction, kmeans, least_squares, linear, regressor


def learnt(surprise, *generations):
    for generation in generations:
        surprise.learn(generation)
    return surprise


def test_surprise_predicts_continued_movement():
    surprise = Surprise(clusters=1, neighbours=1)
    surprise.centroids = [np.array([[0.0, 0.0]]), np.array([[1.0, 2.0]])]
    assert surprise.predict().tolist() == [[2.0, 4.0]]


def test_surprise_first_two_generations_have_random_scores(did):
    surprise = Surprise(clusters=1, neighbours=1, rng=np.random.default_rng(3))
    reference = np.random.default_rng(3)
    first, second, third = did((0, 0)), did((1, 2)), did((2, 4))
    assert surprise.score_generation(first).tolist() == [reference.random()]
    kmeans_plus_plus(first.behaviours, 1, reference)  # it draws its first seeds when it learns from the first
    assert surprise.score_generation(second).tolist() == [reference.random()]
    assert surprise.score_generation(third).tolist() == [0.0]


def test_surprise_score_is_mean_distance_to_nearest_predictions(did):
    surprise = Surprise(clusters=3, neighbours=2)
    surprise.predictions = np.array([[0.0, 0.0], [3.0, 4.0], [100.0, 0.0]])
    assert surprise.score(did((0, 0), (3, 4), (0, -3))).tolist() == [2.5, 2.5, (3 + np.hypot(3, 7)) / 2]


def test_surprise_with_one_cluster_predicts_the_mean(did):
    surprise = learnt(Surprise(clusters=1, neighbours=1), did((0, 0), (4, 0)), did((2, 6), (4, 0)))
    assert [rows.tolist() for rows in surprise.centroids] == [[[2.0, 0.0]], [[3.0, 3.0]]]
    assert surprise.predictions.tolist() == [[4.0, 6.0]]


def test_surprise_with_as_many_clusters_as_individuals_tracks_each(did):
    first = did((0, 0), (10, 0), (0, 10))
    second = did((1, 0), (10, 2), (0, 13))
    surprise = learnt(Surprise(clusters=3, neighbours=3), first, second)
    assert sorted(surprise.predictions.tolist()) == [[0.0, 16.0], [2.0, 0.0], [10.0, 4.0]]


def test_surprise_centroids_continue_previous_centroids(did):
    surprise = Surprise(clusters=2, neighbours=1)
    surprise.centroids = [np.array([[0.0, 0.0], [10.0, 0.0]])]
    surprise.learn(did((11, 0), (13, 0), (1, 1), (1, 3)))
    assert surprise.centroids[-1].tolist() == [[1.0, 2.0], [12.0, 0.0]]
    assert surprise.predictions.tolist() == [[2.0, 4.0], [14.0, 0.0]]


def test_surprise_prediction_of_empty_cluster_stays_until_occupied(did):
    surprise = Surprise(clusters=2, neighbours=1)
    surprise.centroids = [np.array([[0.0, 0.0], [100.0, 0.0]])]
    surprise.learn(did((0, 0), (104, 0)))
    assert surprise.predictions.tolist() == [[0.0, 0.0], [108.0, 0.0]]
    surprise.learn(did((0, 0), (0, 2)))
    assert surprise.occupied.tolist() == [True, False]
    assert surprise.centroids[-1].tolist() == [[0.0, 1.0], [104.0, 0.0]]
    assert surprise.predictions.tolist() == [[0.0, 2.0], [108.0, 0.0]]
    assert surprise.score(did((108, 5))).tolist() == [5.0]
    surprise.learn(did((0, 1), (101, 0)))
    assert surprise.predictions.tolist() == [[0.0, 1.0], [98.0, 0.0]]


def test_surprise_cluster_never_occupied_is_predicted_in_place(did):
    surprise = Surprise(clusters=2, neighbours=1)
    surprise.centroids = [np.array([[0.0, 0.0], [50.0, 0.0]])]
    surprise.learn(did((1, 0), (1, 0)))
    assert surprise.predictions.tolist() == [[2.0, 0.0], [50.0, 0.0]]


def test_surprise_without_empty_clusters_ignores_their_predictions(did):
    surprise = Surprise(clusters=2, neighbours=2, keep_empty_clusters=False)
    surprise.predictions, surprise.occupied = np.array([[0.0, 0.0], [50.0, 0.0]]), np.array([True, False])
    assert surprise.score(did((50, 0))).tolist() == [50.0]
    surprise.occupied = np.array([True, True])
    assert surprise.score(did((50, 0))).tolist() == [25.0]


def test_surprise_with_fewer_distinct_behaviours_than_clusters_works(did):
    here = did(*[(1, 1)] * 5, *[(2, 2)] * 5)
    surprise = Surprise(clusters=10)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(3):
            scores = surprise.score_generation(here)
    assert scores.tolist() == pytest.approx([0.0] * 5 + [scores[-1]] * 5)
    assert np.isfinite(scores).all()


def test_surprise_least_squares_uses_a_history_of_four(did):
    surprise = Surprise(clusters=1, neighbours=1, history=4, predictor=least_squares)
    learnt(surprise, *(did((x, 2 * x)) for x in (99, 0, 1, 1, 4)))
    assert len(surprise.centroids) == 4
    assert surprise.predictions == pytest.approx(np.array([[4.5, 9.0]]))


def test_surprise_long_history_uses_available_generations(did):
    surprise = learnt(Surprise(clusters=1, neighbours=1, history=5, predictor="quadratic"), did((0,)), did((1,)))
    assert surprise.predictions.item() == pytest.approx(2)
    assert learnt(surprise, did((4,))).predictions.item() == pytest.approx(9)


def test_surprise_accepts_any_regressor(did):
    surprise = Surprise(clusters=1, neighbours=1, history=3, predictor=regressor(LinearRegression()))
    learnt(surprise, did((0, 0)), did((1, 1)), did((2, 2)))
    assert surprise.predictions == pytest.approx(np.array([[3.0, 3.0]]))


def test_surprise_works_with_trajectories(rng):
    steps = np.linspace(0, 1, 200)
    trails = rng.normal(0, 10, (30, 2, 1)) * steps
    surprise = Surprise(clusters=5)
    for _ in range(3):
        scores = surprise.score_generation(Outcomes(np.zeros(30), trails.reshape(30, 400)))
        trails = trails + steps
    assert surprise.predictions.shape == (5, 400)
    assert scores.shape == (30,)


def test_surprise_accepts_custom_clustering(did):
    def first_and_rest(behaviours, seeds):
        return np.array([behaviours[0], behaviours[1:].mean(axis=0)]), np.array([0] + [1] * (len(behaviours) - 1))

    surprise = Surprise(clusters=2, neighbours=1, clustering=first_and_rest)
    learnt(surprise, did((0, 0), (1, 0), (3, 0)), did((5, 0), (2, 0), (4, 0)))
    assert surprise.predictions.tolist() == [[10.0, 0.0], [4.0, 0.0]]


def test_surprise_accepts_custom_deviation(did):
    surprise = Surprise(clusters=1, neighbours=1, deviation=lambda behaviours, predictions: behaviours[:, 0] * 1.0)
    assert learnt(surprise, did((0, 0)), did((1, 1))).score(did((7, 0))).tolist() == [7.0]


def test_surprise_with_groups_predicts_their_means(did):
    labels = iter([[5, 5, 8], [8, 5, 5]])
    surprise = Surprise(clusters=4, neighbours=1, groups=lambda outcomes: next(labels))
    learnt(surprise, did((0, 0), (2, 0), (10, 0)), did((10, 3), (2, 1), (2, 1)))
    assert [label for label, _ in surprise.partition.known] == [5, 8]
    assert surprise.predictions.tolist() == [[3.0, 2.0], [10.0, 6.0]]


def test_surprise_empty_group_keeps_prediction_and_new_group_has_its_mean(did):
    labels = iter([[1, 2], [1, 2], [1, 3]])
    surprise = Surprise(clusters=5, neighbours=1, groups=lambda outcomes: next(labels))
    learnt(surprise, did((0, 0), (9, 0)), did((1, 0), (9, 1)), did((2, 0), (50, 50)))
    assert surprise.predictions.tolist() == [[3.0, 0.0], [9.0, 2.0], [50.0, 50.0]]
    assert surprise.occupied.tolist() == [True, False, True]


def test_surprise_new_group_replaces_the_longest_empty(did):
    labels = iter([[1, 2], [3, 2], [4, 4]])
    surprise = Surprise(clusters=2, neighbours=1, groups=lambda outcomes: next(labels))
    learnt(surprise, did((0, 0), (1, 0)), did((2, 0), (1, 0)))
    assert [label for label, _ in surprise.partition.known] == [2, 3]
    surprise.learn(did((5, 0), (5, 0)))
    assert {label for label, _ in surprise.partition.known} >= {4}
    assert len(surprise.partition.known) == len(surprise.predictions) == len(surprise.centroids[-1]) == 2


def test_surprise_archive_has_the_most_surprising_and_is_clustered(did):
    surprise = Surprise(clusters=1, neighbours=1, archived=1, archive_size=2)
    learnt(surprise, did((0, 0), (0, 0)), did((0, 0), (0, 0)))
    assert surprise.archive.size == 0
    surprise.learn(did((0, 0), (9, 0)))
    assert surprise.archive.tolist() == [[9.0, 0.0]]
    surprise.learn(did((0, 0), (0, 0)))
    assert surprise.centroids[-1].tolist() == [[3.0, 0.0]]
    surprise.learn(did((0, 0), (0, 50)))
    assert surprise.archive.tolist()[-1] == [0.0, 50.0]
    assert len(surprise.archive) == 2


def test_surprise_with_heatmap_predicts_cells(did):
    surprise = Surprise(deviation=Heatmap(bounds=((0, 0), (4, 1)), cells=(4, 1)))
    # heat of the four cells: (1, 0.5, 0, 0), then (0.5, 1, 0.5, 0); expected (0, 1.5, 1, 0), clipped to (0, 1, 1, 0)
    learnt(surprise, did((0, 0), (0, 0), (1, 0)), did((0, 0), (1, 0), (1, 0), (2, 0)))
    assert surprise.predictions.ravel().tolist() == [0.0, 1.5, 1.0, 0.0]
    assert surprise.score(did((0.5, 0), (1.5, 0), (2.5, 0), (3.5, 0))).tolist() == [1.0, 0.0, 0.0, 1.0]


def test_surprise_predictions_change_only_by_learn(did):
    surprise = learnt(Surprise(clusters=1, neighbours=1), did((0, 0)), did((1, 2)))
    child = did((2, 7))
    assert surprise.score(child, among=did((50, 50))).tolist() == [3.0]
    assert surprise.score(child, among=did((-50, 50), (1, 1))).tolist() == [3.0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"clusters": 3, "neighbours": 4}, "neighbours must be at most the number of clusters 3, got 4"),
        ({"clusters": 0}, "clusters must be an integer, at least 1, got 0"),
        ({"neighbours": 0}, "neighbours must be an integer, at least 1, got 0"),
        ({"history": 1}, "history must be an integer, at least 2, got 1"),
        ({"history": 0, "predictor": "persistence"}, "history must be an integer, at least 1, got 0"),
        (
            {"predictor": "linaer"},
            "predictor must be a known name or a callable, got 'linaer'; "
            "choose from linear, least-squares, quadratic, cubic",
        ),
        (
            {"predictor": "shared:ridge"},
            r"history must be at least the number of generations that the predictor uses, "
            r"3 for shared\('ridge'\), got 2",
        ),
        (
            {"predictor": "cubic"},
            r"history must be at least the number of generations that the predictor uses, 4 for polynomial\(3\), got 2",
        ),
        ({"deviation": "far"}, "deviation must be a known name or a callable, got 'far'; choose from nearest, heatmap"),
        ({"deviation": "heatmap"}, r"bounds must be passed, got None: a grid needs them; pass bounds=\(\(x low"),
        ({"archived": -1}, "archived must be an integer, at least 0, got -1"),
        ({"archive_size": 0}, "archive_size must be an integer, at least 1, got 0"),
        ({"groups": len, "archived": 1}, "archived must be 0 if there are no clusters, got 1"),
        ({"scale": "log"}, "scale must be a kind of scaling, one of none, range, std, got 'log'"),
        (
            {"deviation": Heatmap((0, 0, 1, 1)), "scale": "std"},
            "scale must be 'none' if deviation is .* which uses no distances",
        ),
    ],
)
def test_surprise_with_invalid_settings_raises(options, message):
    with pytest.raises(ValueError, match=message):
        Surprise(**options)


@pytest.mark.parametrize(
    ("behaviours", "message"),
    [
        ([(0, 0)], "clusters must be at most the population size 1, got 2"),
        ([(0, 0), (np.nan, 1)], r"behaviours must be finite, got the vector \[nan, 1.0\] for behaviour 1"),
        ([(0, 0, 0), (1, 1, 1)], "behaviours must all have the same number of dimensions, 2, got 3"),
        ([(), ()], "individuals must have a behaviour in this search, got none"),
    ],
)
def test_surprise_learn_of_invalid_population_raises_and_changes_nothing(did, behaviours, message):
    surprise = learnt(Surprise(clusters=2), did((0, 0), (1, 1)))
    before = surprise.state()
    with pytest.raises(ValueError, match=message):
        surprise.learn(did(*behaviours))
    assert surprise.state() == before


def test_surprise_predictor_of_wrong_shape_raises(did):
    surprise = Surprise(clusters=1, neighbours=1, predictor=lambda tracks: tracks[0, 0])
    message = r"an array with one prediction per centroid, got shape \(2,\) for past centroids of shape \(2, 1, 2\)"
    with pytest.raises(ValueError, match=message):
        learnt(surprise, did((0, 0)), did((1, 1)))


def test_surprise_with_invalid_groups_raises(did):
    with pytest.raises(ValueError, match="one label for each of the 2 outcomes"):
        Surprise(groups=lambda outcomes: [1]).learn(did((0, 0), (1, 1)))
    with pytest.raises(
        ValueError, match="groups must return at most 2 different labels, got 3 labels; increase clusters"
    ):
        Surprise(clusters=2, groups=lambda outcomes: [1, 2, 3]).learn(did((0, 0), (1, 1), (2, 2)))


def test_surprise_defaults_are_those_of_the_paper():
    surprise = Surprise()
    assert (surprise.clusters, surprise.neighbours, surprise.history) == (None, 2, 2)
    assert surprise.predictor is linear
    assert surprise.partition.clustering is kmeans


@pytest.mark.parametrize(("population", "clusters"), [(1, 1), (2, 1), (50, 40), (250, 200), (400, 200)])
def test_surprise_default_clusters_are_200_or_four_fifths(population, clusters, rng):
    surprise = Surprise(rng=rng)
    for _ in range(3):
        scores = surprise.score_generation(Outcomes(np.zeros(population), rng.normal(size=(population, 2))))
    assert surprise.predictions.shape == (clusters, 2)
    assert np.isfinite(scores).all()
    surprise.learn(Outcomes(np.zeros(1), np.zeros((1, 2))))  # later ones may be smaller


@pytest.mark.parametrize("scale", ["range", "std"])
def test_surprise_scaled_weights_dimensions_equally(scale, rng):
    units = np.array([1e-3, 1e6])
    near, far = (
        Surprise(clusters=3, neighbours=1, scale=kind, rng=np.random.default_rng(5)) for kind in ("none", scale)
    )
    places = rng.uniform(size=(20, 2))
    corners = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])  # so that both dimensions have the same range
    for step in (0.0, 0.1, 0.1):
        here = np.vstack([corners, places, places[:, ::-1]]) + step
        scores = near.score_generation(Outcomes(np.zeros(len(here)), here))
        scaled_scores = far.score_generation(Outcomes(np.zeros(len(here)), here * units))
    assert far.predictions / units == pytest.approx(near.predictions)
    ratios = scaled_scores / scores
    assert ratios == pytest.approx(np.full(len(here), ratios[0]))


def test_surprise_with_persistence_predicts_the_centroids_of_clusters_with_members(did, rng):
    surprise = Surprise(clusters=40, neighbours=1, history=1, predictor="persistence", rng=np.random.default_rng(1))
    baseline = SurpriseNoPrediction(clusters=40, neighbours=1, rng=np.random.default_rng(1))
    behaviours, differing = rng.uniform(0, 200, (60, 2)), 0
    for _ in range(30):
        behaviours = np.clip(behaviours + rng.normal(0, 15, behaviours.shape), 0, 200)
        for strategy in (surprise, baseline):
            strategy.learn(did(*behaviours))
        differs = (surprise.predictions != baseline.predictions).any(axis=1)
        differing += differs.sum()
        assert not (differs & surprise.occupied).any()
    # a cluster that loses its last member while k-means iterates keeps its earlier prediction
    assert 0 < differing < 30


def test_surprise_with_random_step_draws_from_its_generator(did):
    predictions = []
    for seed in (1, 1, 2):
        surprise = Surprise(clusters=1, neighbours=1, predictor="random-step", rng=np.random.default_rng(seed))
        predictions.append(learnt(surprise, did((0, 0)), did((3, 4))).predictions.tolist())
    assert predictions[0] == predictions[1] != predictions[2]
    assert np.hypot(*(np.array(predictions[0][0]) - (3, 4))) == pytest.approx(5.0)
