import numpy as np
import pytest

from divergent.individual import Outcomes
from divergent.selection import Blend, Novelty, Objective, Random, Surprise, SurpriseNoPrediction


def test_blend_scaled_normalises_scores_before_weighting(did):
    blend = Blend({Objective(): 1, Novelty(neighbours=1): 0.5})
    # fitness 0, 0.5, 1 after scaling; novelty 1, 1, 9, which is 0, 0, 1
    scores = blend.score(did((0, 0), (1, 0), (10, 0), fitness=(100, 200, 300)))
    assert scores.tolist() == [0.0, 0.5, 1.5]


def test_blend_range_is_that_of_the_last_population_learnt_from(did):
    blend = Blend({Objective(): 1})
    blend.learn(did((0, 0), (0, 0), fitness=(0, 10)))
    assert blend.score(did((0, 0), fitness=(15,)), among=did((0, 0), fitness=(99,))).tolist() == [1.5]
    assert (blend.low.tolist(), blend.high.tolist()) == ([0.0], [10.0])


def test_blend_part_with_equal_scores_has_no_influence(did):
    assert Blend({Objective(): 5}).score(did((0, 0), (1, 1), fitness=(3, 3))).tolist() == [0.0, 0.0]


def test_blend_score_generation_uses_the_order_of_each_part(did):
    generation = did((0, 0), (2, 0), (4, 0), (10, 0))
    blend = Blend({SurpriseNoPrediction(clusters=1, neighbours=1): 1})
    # distances to the mean, 4, are 4, 2, 0, 6
    assert blend.score_generation(generation) == pytest.approx([4 / 6, 2 / 6, 0, 1])


def test_blend_parts_learn_once(did):
    novelty, surprise = Novelty(), Surprise(clusters=1, neighbours=1)
    Blend({novelty: 1, surprise: 1}).score_generation(did((0, 0), (50, 0)))
    assert len(novelty.archive) == 2
    assert len(surprise.centroids) == 1


def test_blend_with_invalid_parts_raises():
    with pytest.raises(ValueError, match="at least one strategy"):
        Blend({})
    with pytest.raises(TypeError, match=r"from strategy to weight, got \['novelty'\]; write Blend\({Novelty"):
        Blend(["novelty"])
    with pytest.raises(TypeError, match="must be an instance, such as Random"):
        Blend({Random: 1})
    with pytest.raises(
        TypeError, match="parts of the composite strategy Blend must be strategies, got 'novelty' of type str"
    ):
        Blend({"novelty": 1})
    with pytest.raises(ValueError, match="weights must be finite, got the weight nan for the strategy Random"):
        Blend({Random(): np.nan})


def test_blend_learns_from_offspring_if_a_part_does():
    assert Blend({Objective(): 1, Novelty(): 1}).learns_from == "population"
    assert Blend({Objective(): 1, Surprise(): 1}).learns_from == "offspring"


def test_blend_with_infinite_score_raises():
    infinite = Outcomes(np.array([0.0, np.inf]), np.zeros((2, 1)))
    blend = Blend({Objective(): 1.0})
    with pytest.raises(ValueError, match="scores in a blend must be finite, got nan or infinity from Objective"):
        blend.learn(infinite)
    blend.learn(Outcomes(np.array([0.0, 1.0]), np.zeros((2, 1))))
    with pytest.raises(ValueError, match="scores in a blend must be finite"):
        blend.score(infinite)


def test_blend_unscaled_adds_raw_scores(did):
    blend = Blend({Objective(): 1, Novelty(neighbours=1): 0.5}, scaled=False)
    # novelty is 1, 1, 9
    generation = did((0, 0), (1, 0), (10, 0), fitness=(100, 200, 300))
    assert blend.score(generation).tolist() == [100.5, 200.5, 304.5]
    assert blend.score_generation(generation).tolist() == [100.5, 200.5, 304.5]
    assert blend.low is None
    assert blend.score(did((4, 0), fitness=(7,)), among=did((6, 0))).tolist() == [8.0]  # 2 from the other


def test_blend_unscaled_restore_of_scaled_state_raises(did):
    blend = Blend({Objective(): 1})
    blend.learn(did((0, 0), (0, 0), fitness=(0, 10)))
    with pytest.raises(ValueError, match="the restored score limits low and high must be None if scaled is False"):
        Blend({Objective(): 1}, scaled=False).restore(blend.state())


def test_blend_scaled_that_is_no_bool_raises():
    with pytest.raises(TypeError, match="scaled must be True or False, got 'no'"):
        Blend({Objective(): 1}, scaled="no")
