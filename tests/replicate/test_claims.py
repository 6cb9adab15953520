import math
from itertools import product

import numpy as np
import pandas as pd
import pytest
from sample_tables import results_of, runs_of

from divergent import analysis
from divergent.replicate._claim_tests import ALL_GENERATED, TESTS, Comparison
from divergent.replicate._claims import (
    CLAIMS,
    CONTRADICTED,
    DEFAULT,
    DESCRIPTIVE,
    FIRST_SEED,
    LEHMAN,
    NOT_CONFIRMED,
    PENDING,
    PLAN,
    PRIMARY,
    REPLICATED,
    SENSITIVITY,
    UNDECIDED,
    Claim,
    decisive,
    evaluate,
    judge,
    needed_for_power,
    tables,
)
from divergent.replicate._experiments import GENERATED_NAMES

BUDGET = 75_000


def claim(name):
    (claim,) = [each for each in CLAIMS if each.id == name]
    return claim


def planned(maze, search, evaluations, **columns):
    """Runs of a search with the planned seeds, evaluations repeated as needed; None for an unsuccessful run."""
    seeds = PLAN[maze].seeds
    ends = (list(evaluations) * len(seeds))[: len(seeds)]
    return runs_of(search, ends, maze=maze, budget=BUDGET, **columns).assign(seed=list(seeds))


def published(**by_search):
    return {LEHMAN: pd.concat([planned("medium", search, ends) for search, ends in by_search.items()])}


def generated(novelty, surprise, failures=None):
    """Runs in all sixty mazes: of twenty runs so many solve, in 10,000 evaluations, by maze."""
    parts = []
    rates = {"novelty": novelty, "surprise": surprise}
    for place, maze in enumerate(GENERATED_NAMES):
        for search, counts in rates.items():
            solved = counts[place % len(counts)]
            ends = [10_000] * solved + [None] * (20 - solved)
            runs = runs_of(search, ends, maze=maze, budget=150_000)
            parts.append(runs.assign(seed=list(PLAN[ALL_GENERATED].seeds)))
        failed = 0 if failures is None else failures[place % len(failures)]
        parts.append(runs_of("objective", [None] * failed + [10_000] * (10 - failed), maze=maze, budget=150_000))
    return {DEFAULT: pd.concat(parts, ignore_index=True)}


def only(name, runs):
    """The row of a claim, its test the only one in Holm's correction."""
    return evaluate(runs, [claim(name)]).iloc[0]


def test_claims_ids_are_unique():
    assert len({each.id for each in CLAIMS}) == len(CLAIMS)


def test_claims_planned_seeds_start_at_1000():
    assert PRIMARY
    for each in PRIMARY:
        assert {each.planned(comparison.maze).seeds.start for comparison in each.comparisons} == {1000}
    for each in set(CLAIMS) - set(PRIMARY):
        assert all(each.planned(comparison.maze).seeds.stop == FIRST_SEED for comparison in each.comparisons)


def test_claims_sample_sizes_are_those_of_the_plan():
    sizes = {maze: len(plan.seeds) for maze, plan in PLAN.items()}
    assert sizes == {"medium": 150, "hard": 150, "very_hard": 150, "extremely_hard": 100, ALL_GENERATED: 20}


def test_claims_effect_of_the_paper_has_the_claimed_direction():
    for each in CLAIMS:
        test = TESTS[each.test]
        if test.direction:
            assert all(test.direction * test.paper(comparison) > 0 for comparison in each.comparisons)


def test_evaluate_counts_the_runs_of_the_paper():
    runs = evaluate({}).set_index("claim")["n_paper"]
    assert (runs["faster-medium"], runs["entropy"]) == (100, 1)
    assert runs["beats-objective-generated"] == 60 * 50
    assert runs["higher-k"] == 12 * 2 * 50  # numbers of clusters, numbers of nearest predictions, runs


def test_evaluate_clearly_faster_is_replicated():
    row = only("faster-medium", published(novelty=[19_000, 21_000], surprise=[9_000, 11_000]))
    assert row["outcome"] == REPLICATED
    assert row["effect"] == pytest.approx(-0.5)
    assert row["low"] < -0.5 < row["high"] < 0
    assert (row["n_first"], row["n_second"], row["n_paper"]) == (150, 150, 100)


def test_evaluate_clearly_slower_is_contradicted():
    row = only("faster-medium", published(novelty=[9_000, 11_000], surprise=[19_000, 21_000]))
    assert (row["outcome"], row["effect"]) == (CONTRADICTED, pytest.approx(1.0))


def test_evaluate_equivalent_within_the_margin_is_contradicted():
    ends = [9_000, 10_000, 11_000]
    row = only("faster-medium", published(novelty=ends, surprise=ends))
    assert (row["outcome"], row["effect"]) == (CONTRADICTED, 0)
    assert row["p"] == pytest.approx(1)


def test_evaluate_interval_without_the_papers_effect_is_not_confirmed():
    # the interval of the effect is about +-0.13 (the sd is half of the mean): wider than the margin of 0.094, and
    # without -0.188
    ends = [5_000, 15_000]
    row = only("faster-medium", published(novelty=ends, surprise=ends))
    assert row["low"] < -row["margin"]
    assert row["paper"] < row["low"]
    assert row["outcome"] == NOT_CONFIRMED
    assert math.isnan(row["n_needed"])


def test_evaluate_interval_with_the_papers_effect_and_none_is_undecided():
    ends = [1_000, 39_000]
    row = only("faster-medium", published(novelty=ends, surprise=ends))
    assert row["low"] < row["paper"] < 0 < row["high"]
    assert row["outcome"] == UNDECIDED
    assert row["n_needed"] > 150


def test_evaluate_missing_run_is_pending():
    runs = published(novelty=[20_000], surprise=[10_000])
    row = only("faster-medium", {LEHMAN: runs[LEHMAN].iloc[:-1]})
    assert (row["outcome"], row["n_second"], row["n_first"]) == (PENDING, 150, 149)
    assert math.isnan(row["effect"])
    assert math.isnan(row["p_holm"])


def test_evaluate_without_results_is_pending():
    assert set(evaluate({})["outcome"]) == {PENDING}


def test_evaluate_other_seeds_do_not_count():
    runs = published(novelty=[20_000], surprise=[10_000])
    assert only("faster-medium", {LEHMAN: runs[LEHMAN].assign(seed=range(300))})["outcome"] == PENDING


def test_evaluate_default_configuration_does_not_decide_the_published_mazes():
    runs = published(novelty=[20_000], surprise=[10_000])
    assert only("faster-medium", {DEFAULT: runs[LEHMAN]})["outcome"] == PENDING


def test_evaluate_committed_runs_are_descriptive():
    ends = {"surprise": [500] * 20, "ssnp": [None] * 20}
    runs = pd.concat([runs_of(search, each, maze="extremely_hard") for search, each in ends.items()])
    row = only("prediction-extremely-hard", {DEFAULT: runs})
    assert row["outcome"] == DESCRIPTIVE
    assert row["p"] < 0.001
    assert math.isnan(row["p_holm"])


def test_evaluate_more_successes_is_fishers_test():
    ends = {"surprise": [10_000] * 149 + [None], "novelty": [10_000] * 120 + [None] * 30}
    table = pd.concat([planned("very_hard", search, runs) for search, runs in ends.items()])
    row = only("robust-very-hard", {DEFAULT: table})
    assert row["outcome"] == REPLICATED
    assert row["effect"] == pytest.approx(29 / 150)
    assert row["p"] == pytest.approx(analysis.fisher(149, 150, 120, 150))
    assert (row["low"], row["high"]) == pytest.approx(analysis.difference_of_proportions(149, 150, 120, 150))


def test_evaluate_about_as_fast_is_replicated_by_equivalence():
    ends = [100_000, 120_000]
    table = pd.concat([planned("very_hard", search, ends) for search in ("novelty", "ssnp")])
    assert only("novelty-like-ssnp", {DEFAULT: table.assign(generations=25_000)})["outcome"] == REPLICATED


def test_evaluate_about_as_fast_is_contradicted_by_a_difference():
    ends = {"novelty": [50_000, 70_000], "ssnp": [110_000, 130_000]}
    table = pd.concat([planned("very_hard", search, runs) for search, runs in ends.items()])
    assert only("novelty-like-ssnp", {DEFAULT: table.assign(generations=25_000)})["outcome"] == CONTRADICTED


def test_evaluate_about_as_fast_with_wide_spread_is_undecided():
    ends = [1_000, 249_000]
    table = pd.concat([planned("very_hard", search, ends) for search in ("novelty", "ssnp")])
    row = only("novelty-like-ssnp", {DEFAULT: table.assign(generations=25_000)})
    assert row["outcome"] == UNDECIDED
    assert row["n_needed"] > 150


def test_evaluate_networks_are_those_of_solutions():
    parts = []
    for maze, (search, connections) in product(
        ("medium", "hard", "very_hard", "extremely_hard"), {"novelty": (20, 30), "surprise": (90, 110)}.items()
    ):
        runs = planned(maze, search, [10_000, None])
        unsolved = np.where(runs["solved"], np.resize(connections, len(runs)), 1_000)
        parts.append(runs.assign(connections=np.where(runs["solved"], connections[0], unsolved)))
    table = pd.concat(parts)
    table["connections"] += table["seed"] % 4 // 2  # a spread, so that there is a test
    row = only("larger-networks", {LEHMAN: table, DEFAULT: table})
    assert row["outcome"] == REPLICATED
    assert row["effect"] == pytest.approx(90.5 / 20.5 - 1, abs=0.01)


def test_evaluate_too_few_solutions_are_undecided():
    parts = [
        planned(maze, search, [None], connections=20)
        for maze in ("medium", "hard", "very_hard", "extremely_hard")
        for search in ("novelty", "surprise")
    ]
    table = pd.concat(parts)
    assert only("larger-networks", {LEHMAN: table, DEFAULT: table})["outcome"] == UNDECIDED


def test_evaluate_diversity_without_distances_is_pending():
    parts = [
        planned(maze, search, [10_000])
        for maze in ("medium", "hard", "very_hard", "extremely_hard")
        for search in ("novelty", "surprise")
    ]
    table = pd.concat(parts)
    assert only("diverse-genotypes", {LEHMAN: table, DEFAULT: table})["outcome"] == PENDING


def test_evaluate_generated_mazes_is_a_paired_test():
    # in each maze surprise solves one run more, although mazes differ much
    runs = generated(novelty=range(20), surprise=range(1, 21))
    for name in ("faster-generated", "more-generated", "intercept-generated"):
        assert only(name, runs)["outcome"] == REPLICATED
    assert only("more-generated", runs)["effect"] == 1
    assert only("more-generated", runs)["p"] == pytest.approx(2 * 0.5**60)
    assert only("intercept-generated", runs)["effect"] == pytest.approx(0.05)
    assert only("intercept-generated", runs)["p"] == pytest.approx(0.0002)  # the smallest of 9,999 permutations


def test_evaluate_generated_mazes_with_equal_successes_is_contradicted():
    runs = generated(novelty=range(20), surprise=range(20))
    for name in ("faster-generated", "more-generated", "intercept-generated"):
        assert only(name, runs)["outcome"] == CONTRADICTED


def test_scaling_is_the_slope_on_the_failures_of_objective_search():
    # without failures of objective search no difference, with all runs failed four of twenty runs more
    runs = generated(novelty=[10, 10, 10], surprise=[10, 12, 14], failures=[0, 5, 10])
    row = only("scaling-generated", runs)
    assert (row["outcome"], row["effect"]) == (REPLICATED, pytest.approx(0.2))


def test_decisive_claim_has_the_largest_p_of_its_comparisons():
    comparisons = pd.DataFrame(
        {"claim": "x", "maze": ["a", "b"], "first": "surprise", "second": "ssnp", "n_first": 9, "n_second": 9}
        | {"effect": [-0.5, -0.2], "p": [0.001, 0.03], "paper": -0.4, "margin": 0.2}
    )
    both = Claim("x", "", "", "faster", (Comparison("a", "surprise", "ssnp"), Comparison("b", "surprise", "ssnp")))
    row = decisive(comparisons, [both]).iloc[0]
    assert (row["maze"], row["p"], row["p_holm"]) == ("b", 0.03, 0.03)


def test_decisive_comparison_against_the_claim_is_corrected_for_their_number():
    comparisons = pd.DataFrame(
        {"claim": "x", "maze": ["a", "b"], "first": "surprise", "second": "ssnp", "n_first": 9, "n_second": 9}
        | {"effect": [-0.5, 0.2], "p": [0.001, 0.02], "paper": -0.4, "margin": 0.2}
    )
    both = Claim("x", "", "", "faster", (Comparison("a", "surprise", "ssnp"), Comparison("b", "surprise", "ssnp")))
    row = decisive(comparisons, [both]).iloc[0]
    assert (row["maze"], row["p"]) == ("b", 0.04)


def test_decisive_corrects_over_primary_tests_only():
    claims = [
        Claim(name, "", "", "faster", (Comparison("medium", "surprise", name),), committed)
        for name, committed in (("first", None), ("second", None), ("missing", None), ("old", DEFAULT))
    ]
    comparisons = pd.DataFrame(
        {"claim": ["first", "second", "missing", "old"], "maze": "medium", "first": "surprise", "second": "novelty"}
        | {"n_first": 9, "n_second": 9, "effect": [-0.5, -0.5, np.nan, -0.5], "p": [0.01, 0.02, np.nan, 0.001]}
        | {"paper": -0.4, "margin": 0.2}
    )
    # three primary tests, the missing one with p = 1: 3 x 0.01 and 2 x 0.02
    assert decisive(comparisons, claims)["p_holm"].tolist() == pytest.approx([0.03, 0.04, np.nan, np.nan], nan_ok=True)


@pytest.mark.parametrize(
    ("effect", "interval", "inner", "p", "outcome"),
    [
        (0.4, (0.2, 0.6), (0.25, 0.55), 0.01, REPLICATED),
        (0.1, (0.05, 0.15), (0.06, 0.14), 0.01, REPLICATED),  # smaller than the margin, and significant
        (-0.4, (-0.6, -0.2), (-0.55, -0.25), 0.01, CONTRADICTED),
        (0.1, (-0.05, 0.25), (-0.02, 0.19), 0.2, CONTRADICTED),
        (0.1, (-0.1, 0.3), (-0.06, 0.26), 0.2, NOT_CONFIRMED),
        (0.1, (-0.3, 0.5), (-0.2, 0.4), 0.2, UNDECIDED),
        (0.2, (0.05, 0.35), (0.07, 0.33), 0.2, UNDECIDED),  # of the claimed direction before the correction
        (-0.3, (-0.5, -0.1), (-0.45, -0.15), 0.2, NOT_CONFIRMED),
    ],
)
def test_judge_reaches_every_outcome(effect, interval, inner, p, outcome):
    assert judge(1, effect, interval, inner, p, paper=0.4, margin=0.2) == outcome
    mirrored, mirrored_inner = (tuple(-end for end in reversed(ends)) for ends in (interval, inner))
    assert judge(-1, -effect, mirrored, mirrored_inner, p, paper=-0.4, margin=0.2) == outcome


def test_needed_for_power_shrinks_with_the_square_of_the_effect():
    # the error is 0.1 with 100 runs; (1.96 + 0.84) x 0.1 is the effect that is found with 80 % power
    width = 2 * 1.959964 * 0.1
    assert needed_for_power(width, 100, 0.2802) == 100
    assert needed_for_power(width, 100, 0.2802 / 2) == 400
    assert needed_for_power(width, 100, 0.2802, tests=10) > 150


def test_evaluate_runs_needed_are_for_the_smaller_effect():
    # quantiles of an exponential distribution; a third of the paper's effect, in the claimed direction
    quantiles = -np.log1p(-(np.arange(150) + 0.5) / 150)
    row = only("faster-medium", published(novelty=10_000 * quantiles, surprise=9_400 * quantiles))
    assert row["outcome"] == UNDECIDED
    assert row["effect"] == pytest.approx(-0.06, abs=0.001)
    assert row["n_needed"] == needed_for_power(row["high"] - row["low"], 150, row["effect"])


def test_tables_separate_configurations_and_leave_other_settings_out():
    authored = results_of("authored", 2, mazes=["medium"])
    lehman = results_of("original", 2, mazes=["medium"])
    varied = authored.runs.assign(steps=1_000)
    experiments = {
        "authored": authored,
        "lehman": lehman._replace(runs=lehman.runs.assign(rules="lehman2008")),
        "original": lehman,
        "crossover": authored._replace(runs=varied),
        "sensitivity-surprise": results_of("sensitivity-surprise", 1, mazes=["medium"]),
    }
    sizes = {name: len(table) for name, table in tables(experiments).items()}
    assert sizes == {LEHMAN: 8, DEFAULT: 12, SENSITIVITY: 24}
    solved = tables(experiments)[DEFAULT].query("solved")
    assert solved["solution_distance"].notna().all()
