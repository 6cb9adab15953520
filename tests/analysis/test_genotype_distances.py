import math

from divergent.analysis import DIVERSITY, solution_distances
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
