import numpy as np
import pytest

from divergent.individual import Outcomes
from divergent.run_maze import main
from divergent.runs import Settings
from divergent.runs.record import read
from divergent.selection import Novelty, NoveltyAndSurprise, Surprise

OPTIONS = {"neighbours": 3, "threshold": 2.0, "clusters": 5, "nearest_predictions": 2}


def generations(count, size=12):
    rng = np.random.default_rng(7)
    return [Outcomes(np.zeros(size), rng.normal(number, 3, (size, 2))) for number in range(count)]


@pytest.mark.parametrize("weight", [0, 0.25, 0.5, 1])
def test_novelty_and_surprise_score_is_weighted_sum(weight):
    both = NoveltyAndSurprise(weight=weight, **OPTIONS, rng=np.random.default_rng(1))
    novelty = Novelty(neighbours=3, threshold=2.0)
    surprise = Surprise(clusters=5, neighbours=2, rng=np.random.default_rng(1))
    *before, last = generations(5)
    for generation in before:
        for strategy in (both, novelty, surprise):
            strategy.learn(generation)
    assert both.score(last).tolist() == (weight * novelty.score(last) + (1 - weight) * surprise.score(last)).tolist()
    child, others = last.take(slice(1)), last.take(slice(1, None))
    expected = weight * novelty.score(child, others) + (1 - weight) * surprise.score(child, others)
    assert both.score(child, others).tolist() == expected.tolist()


def test_novelty_and_surprise_exposes_memory_of_parts():
    both = NoveltyAndSurprise(**OPTIONS)
    for generation in generations(3):
        both.learn(generation)
    assert both.archive is both.novelty.archive
    assert both.threshold == both.novelty.threshold > 0
    assert both.predictions is both.surprise.predictions
    assert both.centroids is both.surprise.centroids
    assert both.occupied.shape == (5,)


def test_novelty_and_surprise_learns_from_offspring():
    assert NoveltyAndSurprise().learns_from == "offspring"


@pytest.mark.parametrize("weight", [-0.1, 1.1, np.nan, "half"])
def test_novelty_and_surprise_with_weight_outside_0_to_1_raises(weight):
    with pytest.raises(ValueError, match="weight must be a number from 0 to 1, got"):
        NoveltyAndSurprise(weight=weight)


def test_novelty_and_surprise_with_more_predictions_than_clusters_raises():
    with pytest.raises(ValueError, match="nearest_predictions must be at most the number of clusters 3, got 4"):
        NoveltyAndSurprise(clusters=3, nearest_predictions=4)


def test_novelty_and_surprise_in_a_maze_has_default_settings():
    assert Settings(maze="extremely_hard", search="nss").resolve().options == {
        "weight": 0.5, "neighbours": 10, "threshold": 6.0, "clusters": 220, "nearest_predictions": 2,
        "distance": "euclidean",
    }  # fmt: skip
    assert Settings(maze="very_hard", search="nss", clusters=1).resolve().options["nearest_predictions"] == 1
    assert Settings(maze="hard", search="nss", population=50).resolve().options["clusters"] == 40


def test_novelty_and_surprise_runs_from_the_command_line(tmp_path):
    words = "hard --search nss --weight 0.25 --population 20 --generations 3 --steps 30 --quiet --out"
    assert main([*words.split(), str(tmp_path)]) in (0, None)
    (folder,) = (path.parent for path in tmp_path.rglob("record.jsonl"))
    record = read(folder)
    assert record.settings.options["weight"] == 0.25
    assert record.evaluations == 60
    assert record.rows[-1]["archive"] > 0
