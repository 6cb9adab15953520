import math

import numpy as np
import pandas as pd
import pytest
from sample_tables import curves_of, no_runs, runs_of

from divergent import analysis
from divergent.analysis._summaries import GENOTYPE


def test_efficiency_is_the_mean_over_runs_with_its_interval():
    table = analysis.efficiency(curves_of([10, 20], [14, 20], [12, 26]))
    assert table["evaluations"].tolist() == [50, 100]
    assert table["mean"].tolist() == [12, 22]
    assert table["sd"].tolist() == [2, pytest.approx(np.std([20, 20, 26], ddof=1))]
    assert (table["low"][0], table["high"][0]) == analysis.bounded_interval([10, 14, 12])
    assert table["runs"].tolist() == [3, 3]


def test_efficiency_of_one_run_has_no_interval():
    table = analysis.efficiency(curves_of([10, 20]))
    assert table["mean"].tolist() == [10, 20]
    assert table[["sd", "low", "high"]].isna().all(axis=None)


def test_efficiency_without_curves_is_empty():
    assert analysis.efficiency(analysis.curves([])).empty


def test_efficiency_with_different_budgets_raises():
    mixed = pd.concat([curves_of([1, 2], budget=100), curves_of([1, 2], budget=200)])
    with pytest.raises(
        ValueError,
        match=r"must have the same budget, "
        r"got budgets of 100 and 200 evaluations for the group maze hard, search surprise",
    ):
        analysis.efficiency(mixed)


def test_efficiency_never_exceeds_the_fitness_at_the_goal():
    table = analysis.efficiency(curves_of([299, 300], [300, 300], [10, 300]))
    assert (table["high"] <= 300).all()
    assert table[["low", "high"]].iloc[1].tolist() == [300, 300]


def test_success_rates_have_wilsons_interval():
    row = analysis.success_rates(runs_of("surprise", [1] * 9 + [None])).iloc[0]
    assert (row["runs"], row["solved"], row["fraction"]) == (10, 9, 0.9)
    assert (row["low"], row["high"]) == pytest.approx((0.5958, 0.9821), abs=1e-4)
    all_of_one = analysis.success_rates(runs_of("surprise", [1])).iloc[0]
    assert (all_of_one["solved"], all_of_one["high"]) == (1, 1)
    assert analysis.success_rates(no_runs()).empty


def test_evaluations_count_failures_at_the_budget():
    row = analysis.evaluations(runs_of("surprise", [100, 300, None])).iloc[0]
    assert row["mean"] == pytest.approx(1400 / 3)
    assert row["sd"] == pytest.approx(np.std([100, 300, 1000], ddof=1))
    assert row["budget"] == 1000


def test_evaluations_interval_is_between_0_and_the_budget():
    row = analysis.evaluations(runs_of("surprise", [1, 1, None, None])).iloc[0]
    assert 0 <= row["low"] < row["mean"] < row["high"] <= 1000
    row = analysis.evaluations(runs_of("random", [None] * 5)).iloc[0]
    assert row[["low", "high"]].tolist() == pytest.approx([1000 * 5 / (5 + 1.96**2), 1000], rel=1e-4)  # Wilson's


def test_evaluations_of_one_run_have_a_mean_only():
    row = analysis.evaluations(runs_of("surprise", [100])).iloc[0]
    assert row["mean"] == 100
    assert math.isnan(row["low"])
    assert analysis.evaluations(no_runs()).empty


def test_evaluations_with_different_budgets_raises():
    mixed = pd.concat([runs_of("surprise", [100]), runs_of("surprise", [100], budget=2000)])
    with pytest.raises(
        ValueError,
        match=r"must have the same budget, "
        r"got budgets of 1,000 and 2,000 evaluations for the group maze hard, search surprise",
    ):
        analysis.evaluations(mixed)
    with pytest.raises(ValueError, match="must have the same budget"):
        analysis.compare(mixed)


def test_typical_run_is_the_closest_solved_run():
    runs = runs_of("surprise", [100, 450, None, 550])
    assert analysis.typical_run(runs, 500)["seed"] == 1
    assert analysis.typical_run(runs, 990)["seed"] == 3
    assert analysis.typical_run(runs_of("random", [None]), 500) is None


def test_genotypes_are_means_over_the_runs_that_solved():
    measures = dict.fromkeys(GENOTYPE, 1.0) | {"connections": [30, 40, 90]}
    table = analysis.genotypes(runs_of("surprise", [1, 2, None], **measures))
    row = table[table["measure"] == "connections"].iloc[0]
    assert (row["runs"], row["mean"]) == (2, 35)
    assert table["measure"].tolist() == list(GENOTYPE)
    assert analysis.genotypes(runs_of("surprise", [None], **dict.fromkeys(GENOTYPE, 1.0))).empty


def test_sensitivity_is_the_effort_of_each_setting():
    runs = pd.concat(
        [
            runs_of("surprise", [100, 300], clusters=20, neighbours=1),
            runs_of("surprise", [500, None], clusters=20, neighbours=2),
        ]
    )
    table = analysis.sensitivity(runs)
    assert table["effort"].tolist() == [0.2, 0.75]
    assert table["solved"].tolist() == [2, 1]
    assert analysis.sensitivity(no_runs().assign(clusters=1, neighbours=1)).empty


def test_sensitivity_of_novelty_has_no_clusters():
    runs = runs_of("novelty", [100, 300], clusters=pd.array([None, None], dtype="Int64"), neighbours=15)
    assert analysis.sensitivity(runs)["runs"].tolist() == [2]


def test_best_settings_have_most_successes_then_fewest_evaluations():
    runs = pd.concat(
        [
            runs_of("surprise", [1, None], clusters=20, neighbours=1),
            runs_of("surprise", [900, 900], clusters=40, neighbours=1),
            runs_of("surprise", [800, 900], clusters=60, neighbours=1),
        ]
    )
    assert analysis.best_settings(analysis.sensitivity(runs))["clusters"].tolist() == [60]
