import math

import numpy as np
import pandas as pd
import pytest
from sample_tables import no_runs, runs_of
from scipy import stats

from divergent import analysis


def test_compare_returns_mann_whitney_test_and_rank_biserial_effect():
    runs = pd.concat([runs_of("novelty", [100, 200, 300]), runs_of("surprise", [400, 500, 600])])
    row = analysis.compare(runs).iloc[0]
    assert (row["first"], row["second"], row["u"], row["effect"]) == ("novelty", "surprise", 0, -1)
    assert row["p"] == pytest.approx(0.1)  # 2 of the 20 ways to divide six ranks are as extreme
    assert (row["runs_first"], row["runs_second"]) == (3, 3)


def test_compare_with_half_of_the_pairs_each_way_has_no_effect():
    runs = pd.concat([runs_of("novelty", [100, 400]), runs_of("surprise", [200, 300])])
    assert analysis.compare(runs)["effect"].tolist() == [0]


def test_compare_corrects_by_holms_method_over_all_mazes():
    generator = np.random.default_rng(1)
    runs = pd.concat(
        [
            runs_of(search, generator.integers(low, 900, 12).tolist(), maze=maze)
            for search, low in (("objective", 600), ("novelty", 300), ("surprise", 1))
            for maze in ("medium", "hard")
        ]
    )
    table = analysis.compare(runs)
    for name in ("p", "p_log_rank"):
        ordered = table.sort_values(name)
        stepwise = (ordered[name] * [6, 5, 4, 3, 2, 1]).cummax().clip(upper=1)
        assert ordered[f"{name}_corrected"].tolist() == pytest.approx(stepwise.tolist())


def test_compare_corrects_one_pair_in_each_of_two_mazes_over_both():
    runs = pd.concat(
        [runs_of("novelty", [1, 2, 3], maze="medium"), runs_of("surprise", [4, 5, 6], maze="medium"),
         runs_of("novelty", [1, 2, 3, 4], maze="hard"), runs_of("surprise", [5, 6, 7, 8], maze="hard")]
    )  # fmt: skip
    table = analysis.compare(runs, "evaluations")
    assert table["p"].tolist() == pytest.approx([2 / 20, 2 / 70])  # two of the ways to divide the ranks
    assert table["p_corrected"].tolist() == pytest.approx([2 / 20, 2 * 2 / 70])


@pytest.mark.parametrize("count", [1, 5, 20])
def test_compare_with_all_runs_at_the_budget_gives_p_1_and_no_effect(count):
    runs = pd.concat([runs_of("ssr", [None] * count), runs_of("random", [None] * count)])
    row = analysis.compare(runs).iloc[0]
    assert (row["p"], row["effect"], row["u"]) == (1, 0, count**2 / 2)


def test_compare_with_a_tied_pair_counts_it_in_the_correction():
    runs = pd.concat([runs_of("surprise", range(1, 9)), runs_of("ssr", [None] * 8), runs_of("random", [None] * 8)])
    table = analysis.compare(runs)
    assert table["p"].isna().sum() == 0
    assert table["p_corrected"].tolist() == pytest.approx(
        [3 * table["p"].min(), 3 * table["p"].min(), 1]
    )  # both fail against surprise alike


def test_compare_with_one_search_is_empty():
    assert analysis.compare(runs_of("surprise", [1, 2])).empty
    assert analysis.compare(no_runs()).empty


def test_compare_censors_unsolved_runs_in_the_log_rank_test():
    runs = pd.concat([runs_of("novelty", [100, 200, None]), runs_of("surprise", [150, None, None])])
    table = analysis.compare(runs)
    first, second = (runs[runs["search"] == search] for search in ("novelty", "surprise"))
    assert table["p_log_rank"].tolist() == [analysis.log_rank(first, second)]
    assert table["p_log_rank_corrected"].tolist() == table["p_log_rank"].tolist()
    assert "p_log_rank" not in analysis.compare(runs, "seed")


def test_compare_over_mazes_compares_runs_within_mazes():
    runs = pd.concat(
        [runs_of("novelty", [10, 20], maze="a"), runs_of("surprise", [30, 40], maze="a"),
         runs_of("novelty", [910, 920], maze="b"), runs_of("surprise", [930, 940], maze="b"),
         runs_of("novelty", [1], maze="of novelty alone")]
    )  # fmt: skip
    (row,) = analysis.compare_over_mazes(runs).itertuples()
    assert (row.mazes, row.runs_first, row.runs_second, row.effect) == (2, 4, 4, -1.0)
    assert row.p_log_rank < 0.05 < analysis.compare(runs.assign(maze="one"))["p_log_rank"].iloc[0]
    assert analysis.compare_over_mazes(no_runs()).empty


def test_compare_over_mazes_tests_the_differences_of_the_mazes_means_in_pairs():
    ends = {"a": ([100, 300], [150, 250]), "b": ([400, 600], [100, 300]), "c": ([900, None], [500, 700])}
    runs = pd.concat(
        [runs_of(search, part, maze=maze) for maze, parts in ends.items()
         for search, part in zip(("objective", "novelty"), parts, strict=True)]
    )  # fmt: skip
    (row,) = analysis.compare_over_mazes(runs).itertuples()
    differences = [200 - 200, 500 - 200, 950 - 600]
    assert row.difference == pytest.approx(np.mean(differences))
    assert row.p_paired == row.p_paired_corrected == pytest.approx(stats.ttest_1samp(differences, 0).pvalue)
    assert row.difference_low < row.difference < row.difference_high


def test_compare_over_mazes_without_spread_of_differences_gives_p_1_or_0_and_of_one_maze_nan():
    alike = [runs_of(search, [5], maze=maze) for maze in "ab" for search in ("novelty", "surprise")]
    assert analysis.compare_over_mazes(pd.concat(alike))["p_paired"].tolist() == [1]
    apart = [runs_of(search, [end], maze=maze) for maze in "ab" for search, end in (("novelty", 5), ("surprise", 9))]
    assert analysis.compare_over_mazes(pd.concat(apart))["p_paired"].tolist() == [0]
    assert analysis.compare_over_mazes(pd.concat(apart[:2]))["p_paired"].isna().tolist() == [True]


def test_describe_effect_counts_pairs_of_runs():
    runs = pd.concat([runs_of("novelty", [100, 300]), runs_of("surprise", [200, 400])])
    effect = analysis.compare(runs)["effect"].iloc[0]
    assert analysis.describe_effect("novelty", "surprise", effect) == "novelty is faster in 75 % of all pairs of runs"
    assert analysis.describe_effect("novelty", "surprise", math.nan) == ""


def test_check_order_better_needs_a_significantly_faster_search():
    claims = [
        analysis.Claim("hard", "surprise", "better", "novelty"),
        analysis.Claim("hard", "novelty", "better", "surprise"),
        analysis.Claim("hard", "random", "never", None),
        analysis.Claim("hard", "objective", "never", None),
        analysis.Claim("hard", "ssnp", "equal", "surprise"),
    ]
    runs = pd.concat(
        [runs_of("surprise", range(1, 21)), runs_of("novelty", range(101, 121)),
         runs_of("random", [5] * 10 + [None] * 10), runs_of("objective", [None] * 60), runs_of("ssnp", [500] * 20)]
    )  # fmt: skip
    verdicts = [str(verdict) for verdict in analysis.check_order(runs, claims)["verdict"]]
    assert verdicts == [
        "agrees (20 runs)", "differs (20 runs)", "differs (20 runs)", "agrees (60 runs)", "differs (20 runs)"
    ]  # fmt: skip


def test_check_order_without_significance_or_runs_reports_it():
    claims = [
        analysis.Claim("hard", "surprise", "better", "novelty"),
        analysis.Claim("hard", "novelty", "better", "surprise"),
        analysis.Claim("hard", "surprise", "better", "ssnp"),
        analysis.Claim("hard", "random", "never", None),
        analysis.Claim("hard", "surprise", "equal", "novelty"),
    ]
    runs = pd.concat(
        [
            runs_of("surprise", range(1, 41, 2)),
            runs_of("novelty", range(2, 42, 2)),
            runs_of("ssnp", [900]),
            runs_of("random", [None] * 20),
        ]
    )
    verdicts = analysis.check_order(runs, claims)["verdict"].tolist()
    assert [verdict.kind for verdict in verdicts] == ["undecided", "undecided", "no verdict", "undecided", "undecided"]
    assert str(verdicts[0]).endswith("would decide; same direction)")
    assert str(verdicts[1]).endswith("would decide; opposite direction)")


def test_check_order_equal_needs_equivalence():
    claim = [("hard", "novelty", "equal", "surprise")]
    wide = pd.concat([runs_of(search, [10, 990] * 15) for search in ("novelty", "surprise")])
    assert analysis.check_order(wide, claim)["verdict"].iloc[0].kind == "undecided"
    narrow = pd.concat([runs_of(search, [490, 510] * 15) for search in ("novelty", "surprise")])
    assert analysis.check_order(narrow, claim)["verdict"].iloc[0].kind == "agrees"


def test_check_order_without_runs_has_no_verdict():
    claims = [
        ("hard", "surprise", "better", "novelty"), ("hard", "surprise", "equal", "novelty"),
        ("hard", "random", "never", None),
    ]  # fmt: skip
    assert set(map(str, analysis.check_order(no_runs(), claims)["verdict"])) == {"no verdict (0 runs)"}


def test_rankings_have_wilsons_interval_over_mazes():
    runs = pd.concat(
        [runs_of(search, [1 if search == "surprise" or maze % 2 else None], maze=f"generated:{maze}")
         for maze in range(12) for search in ("novelty", "surprise")]
    )  # fmt: skip
    table = analysis.rankings(runs).set_index(["first", "second"])
    row = table.loc[("surprise", "novelty")]
    assert 0 < row["low"] < row["fraction"] == 0.5 < row["high"] < 1
    assert table.loc[("novelty", "surprise"), ["low", "high"]].tolist() == pytest.approx(
        [0, 1.96**2 / (12 + 1.96**2)], rel=1e-4
    )


def test_ranking_totals_are_averages_of_the_rankings():
    solved = {"objective": [None, None], "novelty": [1, None], "surprise": [1, 1]}
    runs = pd.concat(
        [
            runs_of(search, ends if maze == "a" else [1, 1], maze=maze)
            for maze in "ab"
            for search, ends in solved.items()
        ]
    )
    totals, pairs = analysis.ranking_totals(runs).set_index("search"), analysis.rankings(runs)
    for search in solved:
        assert totals.loc[search, "more"] == pairs.loc[pairs["first"] == search, "fraction"].mean()
        assert totals.loc[search, "fewer"] == pairs.loc[pairs["second"] == search, "fraction"].mean()
    assert totals["more"].tolist() == [0, 0.25, 0.5]
    assert totals["mazes"].tolist() == [2, 2, 2]
    assert totals.loc["objective", "more_high"] > 0
    assert analysis.ranking_totals(runs_of("surprise", [1])).empty


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
    assert table.loc[("surprise", "novelty"), ["mazes", "runs", "more", "fraction"]].tolist() == [4, 2, 2, 0.5]
    assert table.loc[("novelty", "surprise"), "more"] == 1


def test_rankings_compare_the_seeds_that_both_searches_have_run():
    runs = pd.concat([runs_of("novelty", [None, 1, 1], maze="a"), runs_of("surprise", [1], maze="a")])
    table = analysis.rankings(runs).set_index(["first", "second"])
    assert table.loc[("surprise", "novelty"), ["runs", "more"]].tolist() == [1, 1]
    assert table.loc[("novelty", "surprise"), "more"] == 0


def test_rankings_of_one_search_or_none_are_empty():
    assert analysis.rankings(no_runs()).empty
    assert analysis.rankings(runs_of("surprise", [1])).empty


def test_lead_onset_is_where_the_lead_stays_significant():
    fast, slow = [100] * 20, [900] * 10 + [None] * 10
    runs = pd.concat([runs_of("surprise", fast), runs_of("novelty", slow)])
    assert analysis.lead_onset(runs, "surprise", "novelty", points=10) == 100
    assert analysis.lead_onset(runs, "novelty", "surprise", points=10) == math.inf
    caught_up = pd.concat([runs_of("surprise", fast), runs_of("novelty", [900] * 20)])
    assert analysis.lead_onset(caught_up, "surprise", "novelty", points=10) == math.inf
    assert math.isnan(analysis.lead_onset(no_runs(), "surprise", "novelty"))
