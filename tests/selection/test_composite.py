import json

import numpy as np
import pytest

from divergent.individual import Outcomes
from divergent.selection import Blend, Novelty, NSGA2Ranking, Surprise
from divergent.selection._composite import CompositeStrategy, concatenate


class First(CompositeStrategy):
    """The scores of the first part."""

    def score(self, outcomes, among=None):
        return self.part_scores(outcomes, among)[0]


def test_composite_parts_learn_and_are_restored_together(did):
    both = First([Novelty(threshold=1.0), Surprise(clusters=1, neighbours=1)])
    assert both.learns_from == "offspring"
    for x in (0, 1, 2):
        both.learn(did((x, 0), (x + 5, 0)))
    again = First([Novelty(), Surprise(clusters=1, neighbours=1)])
    again.restore(json.loads(json.dumps(both.state())))
    assert again.parts[0].archive.tolist() == both.parts[0].archive.tolist() != []
    assert again.parts[1].predictions.tolist() == [[5.5, 0.0]]
    assert again.score(did((9, 0))).tolist() == both.score(did((9, 0))).tolist()


def test_composite_part_scores_use_the_other_individuals(did):
    both = First([Novelty(neighbours=1), Novelty(neighbours=2)])
    assert both.part_scores(did((0, 0)), did((1, 0), (5, 0))).tolist() == [[1.0], [3.0]]


@pytest.mark.parametrize("make", [First, NSGA2Ranking, lambda parts: Blend(dict.fromkeys(parts, 1))])
def test_composite_with_invalid_parts_raises(make):
    with pytest.raises(ValueError, match=r"(First|NSGA2Ranking|Blend) must have at least one strategy, got none"):
        make([])
    with pytest.raises(TypeError, match="must be strategies, got 'novelty' of type str"):
        make([Novelty(), "novelty"])
    with pytest.raises(ValueError, match="must contain the states of its 1 component strategies, got None"):
        make([Novelty()]).restore(make([Novelty()]).state() | {"parts": None})


def test_concatenate_puts_outcomes_last(did):
    whole = concatenate(did((1, 2), fitness=(5,)), did((3, 4), (5, 6), fitness=(7, 8)))
    assert whole.fitness.tolist() == [7, 8, 5]
    assert whole.behaviours.tolist() == [[3, 4], [5, 6], [1, 2]]
    alone = did((1, 2))
    assert concatenate(alone, None) is alone
    with pytest.raises(
        ValueError, match="behaviours must have as many dimensions as the rest of the population, 1, got 2"
    ):
        concatenate(alone, did((1,)))
    with pytest.raises(ValueError, match="outcomes must have fitness of shape"):
        concatenate(alone, Outcomes(np.zeros(2), np.zeros((1, 2))))
