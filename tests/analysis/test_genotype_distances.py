import math

import numpy as np
import pytest

from divergent.analysis import DIVERSITY, pairwise_diversity, solution_distances
from divergent.neat import Genome


def genome(*weights):
    return Genome([[number, number, 3, weight, 1] for number, weight in enumerate(weights)], inputs=3, outputs=1)


def test_solution_distances_are_means_over_pairs():
    alike, other = genome(0.5), genome(0.5, 1.0)
    table = solution_distances([alike, alike, other])
    assert table["excess"].tolist() == [0.5, 0.5, 1.0]
    assert table["weight_difference"].tolist() == [0.0, 0.0, 0.0]


def test_solution_distances_of_one_solution_are_nan():
    table = solution_distances([genome(0.5)])
    assert tuple(table.columns) == DIVERSITY
    assert all(math.isnan(value) for value in table.iloc[0])
    assert solution_distances([]).empty


def test_pairwise_diversity_is_the_mean_and_standard_deviation_over_pairs():
    table = pairwise_diversity([genome(0.0), genome(1.0), genome(3.0, 5.0)]).set_index("measure")
    assert table.index.tolist() == list(DIVERSITY)
    assert table["pairs"].tolist() == [3] * 4
    weights, excess = table.loc["weight_difference"], table.loc["excess"]
    assert (weights["mean"], weights["sd"]) == (2.0, 1.0)  # of 1, 2 and 3
    assert (excess["mean"], excess["sd"]) == pytest.approx((2 / 3, 3**-0.5))  # of 0, 1 and 1
    assert table.loc["compatibility", "mean"] == pytest.approx(20 / 3)  # of 3, 9 + 1 and 6 + 1
    assert (table["low"] <= table["mean"]).all()
    assert (table["mean"] <= table["high"]).all()


def test_pairwise_diversity_interval_omits_pairs_of_a_solution_with_itself():
    apart = [Genome([[number, 0, 3, 0.5, 1]], inputs=3, outputs=1) for number in range(5)]  # no genes match
    table = pairwise_diversity(apart).set_index("measure")
    assert table.loc["compatibility", ["mean", "sd", "low", "high"]].tolist() == [2.0, 0.0, 2.0, 2.0]


def test_pairwise_diversity_interval_has_twice_the_standard_error_of_the_means_of_solutions():
    weights = np.random.default_rng(1).normal(size=200)
    solutions = [genome(weight) for weight in weights]
    row = pairwise_diversity(solutions).set_index("measure").loc["weight_difference"]
    error = solution_distances(solutions)["weight_difference"].std() / 200**0.5
    assert row["high"] - row["low"] == pytest.approx(2 * 1.96 * 2 * error, rel=0.05)


def test_pairwise_diversity_of_one_solution_is_nan():
    table = pairwise_diversity([genome(0.5)])
    assert table["pairs"].tolist() == [0] * 4
    assert table[["mean", "sd", "low", "high"]].isna().all(axis=None)
