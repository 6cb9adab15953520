import pandas as pd
import pytest
from sample_tables import runs_of

from divergent.replicate._claim_tests import ALL_GENERATED, TESTS, Comparison


def by_maze(search, *solved):
    """Four runs in each maze, of which so many solve in 100 of 1,000 evaluations."""
    ends = [[100] * count + [None] * (4 - count) for count in solved]
    return pd.concat([runs_of(search, each, maze=f"maze {place}") for place, each in enumerate(ends)])


def test_margin_of_a_difference_is_half_of_the_papers_effect():
    comparison = Comparison("very_hard", "surprise", "novelty")
    assert TESTS["faster"].paper(comparison) == pytest.approx(76_261 / 115_600 - 1)
    assert TESTS["faster"].margin(comparison) == pytest.approx((1 - 76_261 / 115_600) / 2)
    assert TESTS["more successes"].margin(comparison) == pytest.approx(0.07)


def test_margin_of_equality_is_a_fifth():
    assert TESTS["about as fast"].margin(Comparison("very_hard", "novelty", "ssnp")) == 0.2


def test_effect_of_evaluations_counts_unsolved_runs_at_the_budget():
    first, second = runs_of("surprise", [100, 300]), runs_of("novelty", [600, None])
    assert TESTS["faster"].effect(first, second) == pytest.approx(200 / 800 - 1)


def test_effect_of_rankings_leaves_ties_out():
    first, second = by_maze("surprise", 4, 3, 2, 0), by_maze("novelty", 1, 2, 2, 3)
    assert TESTS["more mazes"].effect(first, second) == pytest.approx(2 / 4 - 1 / 4)
    assert TESTS["more mazes"].p(first, second) == pytest.approx(1)  # two of three


def test_sign_test_without_untied_mazes_has_p_of_one():
    assert TESTS["more mazes"].p(by_maze("surprise", 2, 3), by_maze("novelty", 2, 3)) == 1


def test_paired_test_exchanges_signs_of_mazes():
    # all four differences are positive: 2 of 16 assignments of signs are as extreme
    first, second = by_maze("surprise", 1, 2, 3, 4), by_maze("novelty", 0, 1, 2, 3)
    assert TESTS["higher intercept"].effect(first, second) == pytest.approx(0.25)
    assert TESTS["higher intercept"].p(first, second) == pytest.approx(2 / 16)


def test_paired_test_leaves_out_mazes_of_one_search():
    first, second = by_maze("surprise", 1, 2, 4), by_maze("novelty", 0, 1)
    assert TESTS["higher intercept"].effect(first, second) == pytest.approx(0.25)


def test_rank_correlation_of_evaluations_with_k():
    runs = runs_of("surprise", [400, 300, 200, 100], clusters=[20, 40, 60, 80])
    assert TESTS["falls with k"].effect(runs, runs) == pytest.approx(-1)


def test_paper_effects_of_generated_mazes():
    pair = Comparison(ALL_GENERATED, "surprise", "novelty")
    assert TESTS["more mazes"].paper(pair) == pytest.approx(0.32)
    assert TESTS["more mazes"].numbers(pair) == "more in 40 %, fewer in 8 % of mazes"
    assert TESTS["faster over mazes"].paper(pair) == pytest.approx(71_865 / 76_225 - 1)
