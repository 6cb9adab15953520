import math

import numpy as np
import pandas as pd
import pytest
from made_up import nothing, runs_of

from divergent import analysis


def test_searches_are_compared_by_mann_whitney_with_the_rank_biserial_effect():
    runs = pd.concat([runs_of("novelty", [100, 200, 300]), runs_of("surprise", [400, 500, 600])])
    row = analysis.compare(runs).iloc[0]
    assert (row["first"], row["second"], row["u"], row["effect"]) == ("novelty", "surprise", 0, -1)
    assert row["p"] == pytest.approx(0.1)  # 2 of the 20 ways to divide six ranks are as extreme
    assert (row["runs_first"], row["runs_second"]) == (3, 3)


def test_half_the_pairs_each_way_is_no_effect():
    runs = pd.concat([runs_of("novelty", [100, 400]), runs_of("surprise", [200, 300])])
    assert analysis.compare(runs)["effect"].tolist() == [0]


def test_several_comparisons_are_corrected_by_holms_method_within_a_maze():
    generator = np.random.default_rng(1)
    runs = pd.concat(
        [
            runs_of(search, generator.integers(low, 900, 12).tolist(), maze=maze)
            for search, low in (("objective", 600), ("novelty", 300), ("surprise", 1))
            for maze in ("medium", "hard")
        ]
    )
    for _, table in analysis.compare(runs).groupby("maze"):
        table = table.sort_values("p")
        stepwise = (table["p"] * [3, 2, 1]).cummax().clip(upper=1)
        assert table["p_corrected"].tolist() == pytest.approx(stepwise.tolist())


def test_searches_that_all_fail_are_tied():
    runs = pd.concat([runs_of("ssr", [None] * 5), runs_of("random", [None] * 5)])
    row = analysis.compare(runs).iloc[0]
    assert (row["p"], row["effect"]) == (1, 0)


def test_comparing_needs_two_searches():
    assert analysis.compare(runs_of("surprise", [1, 2])).empty
    assert analysis.compare(nothing()).empty


def test_a_better_search_is_significantly_faster():
    claims = [
        analysis.Claim("hard", "surprise", "better", "novelty"),
        analysis.Claim("hard", "novelty", "better", "surprise"),
        analysis.Claim("hard", "random", "never", None),
    ]
    runs = pd.concat(
        [runs_of("surprise", range(1, 21)), runs_of("novelty", range(101, 121)), runs_of("random", [None] * 19 + [5])]
    )
    verdicts = [str(one) for one in analysis.order(runs, claims)["verdict"]]
    assert verdicts == ["holds (20 runs)", "reversed (20 runs)", "differs: solved 1 of 20"]


def test_an_order_without_significance_or_with_few_runs_says_so():
    claims = [
        analysis.Claim("hard", "surprise", "better", "novelty"),
        analysis.Claim("hard", "novelty", "equal", "surprise"),
        analysis.Claim("hard", "surprise", "better", "ssnp"),
        analysis.Claim("hard", "random", "never", None),
    ]
    runs = pd.concat(
        [
            runs_of("surprise", range(1, 41, 2)),
            runs_of("novelty", range(2, 42, 2)),
            runs_of("ssnp", [900]),
            runs_of("random", [None] * 20),
        ]
    )
    assert [str(one) for one in analysis.order(runs, claims)["verdict"]] == [
        "not significant, same direction (20 runs)",
        "holds (20 runs)",
        "no verdict (1 run)",
        "holds (20 runs)",
    ]


def test_an_order_of_searches_that_never_ran_has_no_verdict():
    claims = [("hard", "surprise", "better", "novelty"), ("hard", "random", "never", None)]
    assert set(map(str, analysis.order(nothing(), claims)["verdict"])) == {"no verdict (0 runs)"}


def test_rankings_count_mazes_with_strictly_more_successes():
    runs = pd.concat(
        [
            runs_of("novelty", [1, None], maze="a"), runs_of("surprise", [1, 1], maze="a"),
            runs_of("novelty", [1, 1], maze="b"), runs_of("surprise", [5, 5], maze="b"),
            runs_of("novelty", [1, 1], maze="c"), runs_of("surprise", [None, None], maze="c"),
            runs_of("novelty", [None, None], maze="d"), runs_of("surprise", [None, 1], maze="d"),
        ]
    )  # fmt: skip
    table = analysis.rankings(runs).set_index(["first", "second"])
    assert table.loc[("surprise", "novelty"), ["mazes", "runs", "more", "share"]].tolist() == [4, 2, 2, 0.5]
    assert table.loc[("novelty", "surprise"), "more"] == 1


def test_rankings_compare_the_seeds_that_both_searches_have_run():
    runs = pd.concat([runs_of("novelty", [None, 1, 1], maze="a"), runs_of("surprise", [1], maze="a")])
    table = analysis.rankings(runs).set_index(["first", "second"])
    assert table.loc[("surprise", "novelty"), ["runs", "more"]].tolist() == [1, 1]
    assert table.loc[("novelty", "surprise"), "more"] == 0


def test_rankings_of_nothing_or_of_one_search_are_empty():
    assert analysis.rankings(nothing()).empty
    assert analysis.rankings(runs_of("surprise", [1])).empty


def test_a_search_is_ahead_from_where_it_stays_significantly_ahead():
    fast, slow = [100] * 20, [900] * 10 + [None] * 10
    runs = pd.concat([runs_of("surprise", fast), runs_of("novelty", slow)])
    assert analysis.ahead_from(runs, "surprise", "novelty", points=10) == 100
    assert math.isnan(analysis.ahead_from(runs, "novelty", "surprise", points=10))
    caught_up = pd.concat([runs_of("surprise", fast), runs_of("novelty", [900] * 20)])
    assert math.isnan(analysis.ahead_from(caught_up, "surprise", "novelty", points=10))
    assert math.isnan(analysis.ahead_from(nothing(), "surprise", "novelty"))
