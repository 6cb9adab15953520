import numpy as np
import pytest

from divergent.individual import Outcomes
from divergent.selection import DEVIATIONS, Heatmap, Nearest


def test_deviations_have_command_line_names():
    assert {"nearest": Nearest, "heatmap": Heatmap} == DEVIATIONS


def test_nearest_notices_new_predictions():
    nearest, here = Nearest(1), np.zeros((1, 2))
    assert nearest(here, np.array([[3.0, 4.0]])).tolist() == [5.0]
    assert nearest(here, np.array([[6.0, 8.0]])).tolist() == [10.0]


def heat(bounds, behaviours):
    """The heat of four cells."""
    outcomes = Outcomes(np.zeros(len(behaviours)), np.array(behaviours, dtype=float))
    return Heatmap(bounds, cells=2).partition.summarise(outcomes, None, None, None).centroids.ravel().tolist()


def test_heatmap_heat_is_count_relative_to_largest():
    assert heat(((0, 0), (10, 10)), [[1, 1], [2, 2], [9, 1], [9, 9.0]]) == [1.0, 0.0, 0.5, 0.5]


def test_heatmap_behaviour_outside_belongs_to_nearest_cell():
    assert heat((0, 0, 10, 10), [[10.0, 10.0], [99.0, 99.0], [-5.0, 0.0]]) == [0.5, 0, 0, 1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "bounds must be passed, got None: a grid needs them"),
        (
            {"bounds": ((0, 0), (0, 10))},
            "bounds must be finite, and each lower bound must be below its upper bound, got",
        ),
        ({"bounds": ((0, 0), (np.inf, 10))}, "bounds must be finite"),
        ({"bounds": (0, 1, 2)}, "bounds must be finite"),
        ({"bounds": (0, 0, 1, 1), "cells": 0}, "cells must be an integer, at least 1, got 0"),
        (
            {"bounds": ((0,) * 400, (1,) * 400)},
            "cells must give at most 1,000,000 grid cells in total, got 20 for 400 behaviour dimensions",
        ),
    ],
)
def test_heatmap_with_invalid_arguments_raises(options, message):
    with pytest.raises(ValueError, match=message):
        Heatmap(**options)


def test_heatmap_with_behaviours_of_other_dimension_raises():
    heatmap = Heatmap((0, 0, 1, 1), cells=2)
    with pytest.raises(ValueError, match="behaviours must have as many dimensions as the bounds, 2, got 3"):
        heatmap(np.zeros((1, 3)), np.zeros((4, 1)))
    with pytest.raises(ValueError, match=r"got the vector \[nan, 0.0\] for behaviour 0"):
        heatmap(np.array([[np.nan, 0.0]]), np.zeros((4, 1)))
