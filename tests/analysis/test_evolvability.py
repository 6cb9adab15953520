import itertools

import numpy as np
import pandas as pd
import pytest
from deap import base

from divergent.analysis import matched_means, mutant_behaviours
from divergent.individual import MaximisedFitness, Outcome
from divergent.selection._partitions import GridPartition


class Point(list):
    def __init__(self, numbers):
        super().__init__(numbers)
        self.fitness = MaximisedFitness()


def make_toolbox(steps):
    """Mutants are at the given distances from their parent, in turn."""
    moves = itertools.cycle(steps)

    def mutate(point):
        point[0] += next(moves)
        return (point,)

    toolbox = base.Toolbox()
    toolbox.register("mutate", mutate)
    toolbox.register("evaluate", lambda point: Outcome((-abs(point[0]),), behaviour=(point[0],)))
    return toolbox


def evaluated(*numbers):
    point = Point(numbers)
    point.fitness.values = Outcome((-abs(numbers[0]),), behaviour=(numbers[0],))
    return point


def test_mutant_behaviours_of_a_hand_computed_example():
    grid = GridPartition(((0.0,), (10.0,)), 10)
    visited = np.zeros(10, dtype=bool)
    visited[5] = True
    parent = evaluated(5.5, 0.0, 0.0)
    table = mutant_behaviours([parent], make_toolbox([0.0, 1.0, 3.0]), grid, visited, mutants=3)
    # mutants at 5.5, 6.5 and 8.5: pairwise distances 1, 3 and 2, cells 5, 6 and 8
    assert table.values.tolist() == [[-5.5, 3.0, 2.0, 3.0, 2.0]]
    assert list(parent) == [5.5, 0.0, 0.0]
    assert parent.fitness.valid


def test_mutant_behaviours_with_one_mutant_raises():
    with pytest.raises(ValueError, match="mutants must be an integer, at least 2, got 1"):
        mutant_behaviours([], make_toolbox([0.0]), GridPartition(((0.0,), (1.0,)), 2), np.zeros(2, dtype=bool), 1)


def test_matched_means_removes_a_difference_that_fitness_explains():
    # the spread is 10 times the fitness in both groups; b has more individuals of high fitness
    fitness = [1.0] * 8 + [2.0] * 2 + [1.0] * 2 + [2.0] * 8
    table = pd.DataFrame({"search": ["a"] * 10 + ["b"] * 10, "seed": [0, 1] * 10, "fitness": fitness, "size": 3})
    table["spread"] = 10 * table["fitness"]
    assert matched_means(table, "spread", strata=1)["mean"].tolist() == pytest.approx([12.0, 18.0])
    matched = matched_means(table, "spread", strata=2)
    assert matched["mean"].tolist() == pytest.approx([15.0, 15.0])
    assert matched["individuals"].tolist() == [10, 10]
    assert matched["runs"].tolist() == [2, 2]


def test_matched_means_leaves_out_strata_that_a_group_lacks():
    table = pd.DataFrame(
        {"search": list("aabb"), "seed": 0, "fitness": [1.0, 5.0, 1.0, 1.0], "size": 1, "spread": [1.0, 99.0, 2.0, 4.0]}
    )
    matched = matched_means(table, "spread", strata=2)
    assert matched[["individuals", "mean"]].values.tolist() == [[1.0, 1.0], [2.0, 3.0]]


def test_matched_means_interval_is_over_runs():
    table = pd.DataFrame(
        {"search": "a", "seed": [0] * 5 + [1] * 5, "fitness": 0.0, "size": 1, "spread": [1.0] * 5 + [3.0] * 5}
    )
    (row,) = matched_means(table, "spread").itertuples()
    assert (row.mean, row.low, row.high) == (2.0, 1.0, 3.0)
