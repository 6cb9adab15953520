import math

import pandas as pd
import pytest
from sample_tables import no_runs, runs_of
from scipy import stats
from statsmodels.duration.survfunc import SurvfuncRight, survdiff

from divergent import analysis


def test_robustness_steps_up_at_every_solution_and_twice_at_a_tie():
    table = analysis.kaplan_meier(runs_of("surprise", [300, 300, None, 800]))
    assert table["evaluations"].tolist() == [0, 300, 800, 1000]
    assert table["solved"].tolist() == [0, 2, 3, 3]
    assert table["fraction"].tolist() == [0, 0.5, 0.75, 0.75]


def test_robustness_of_none_solved_and_of_all_solved():
    assert analysis.kaplan_meier(runs_of("random", [None, None]))["solved"].tolist() == [0, 0]
    assert analysis.kaplan_meier(runs_of("surprise", [1000, 10]))["solved"].tolist() == [0, 1, 2]
    assert analysis.kaplan_meier(no_runs()).empty


def test_robustness_over_all_mazes_is_by_search_alone():
    runs = pd.concat([runs_of("surprise", [100], maze="a"), runs_of("surprise", [200], maze="b")])
    assert analysis.kaplan_meier(runs, by=("search",))["solved"].tolist() == [0, 1, 2, 2]


def test_the_band_is_the_log_log_one_of_greenwoods_variance():
    solved = [300, 300, None, 800, 120, None, 650]
    table = analysis.kaplan_meier(runs_of("surprise", solved)).set_index("evaluations")
    theirs = SurvfuncRight([1000 if one is None else one for one in solved], [int(one is not None) for one in solved])
    z = stats.norm.ppf(0.975)
    for moment, left, error in zip(theirs.surv_times, theirs.surv_prob, theirs.surv_prob_se, strict=True):
        row = table.loc[moment]
        assert row["fraction"] == pytest.approx(1 - left)
        reach = z * error / (left * math.log(left))
        ends = sorted(1 - math.exp(-math.exp(math.log(-math.log(left)) + sign * reach)) for sign in (-1, 1))
        assert (row["low"], row["high"]) == pytest.approx(ends)
        assert row["at_risk"] == theirs.n_risk[list(theirs.surv_times).index(moment)]


def test_where_none_or_all_have_solved_the_band_is_the_exact_one():
    table = analysis.kaplan_meier(runs_of("surprise", [10, 20, 30]))
    assert table[["low", "high"]].iloc[0].tolist() == pytest.approx([0, 1 - 0.025 ** (1 / 3)])
    assert table[["low", "high"]].iloc[-1].tolist() == pytest.approx([0.025 ** (1 / 3), 1])


def test_the_median_is_where_half_have_solved_and_infinite_beyond_the_budget():
    table = analysis.running_times(runs_of("surprise", [100, 200, 300, None]))
    assert table["median"].tolist() == [200]
    assert table["low"].iloc[0] <= 200 <= table["high"].iloc[0]
    assert analysis.running_times(runs_of("surprise", [100, None, None])).loc[0, ["median", "high"]].tolist() == [
        math.inf, math.inf
    ]  # fmt: skip


def test_the_expected_running_time_is_all_evaluations_for_each_solution():
    table = analysis.running_times(runs_of("surprise", [100, 300, None]))
    assert table["expected"].tolist() == [1400 / 2]
    assert analysis.running_times(runs_of("random", [None]))["expected"].tolist() == [math.inf]
    assert analysis.running_times(no_runs()).empty


def test_the_log_rank_test_is_that_of_statsmodels():
    first, second = runs_of("novelty", [100, 250, None, None]), runs_of("surprise", [50, 80, 600, None])
    times, status = [100, 250, 1000, 1000, 50, 80, 600, 1000], [1, 1, 0, 0, 1, 1, 1, 0]
    expected = survdiff(times, status, [0] * 4 + [1] * 4)[1]
    assert analysis.log_rank(first, second) == pytest.approx(expected)


def test_the_log_rank_test_within_strata_ignores_those_that_tell_nothing():
    first = pd.concat([runs_of("novelty", [100, 250, 900], maze="a"), runs_of("novelty", [400, 600], maze="b")])
    second = pd.concat([runs_of("surprise", [50, 80, None], maze="a"), runs_of("surprise", [500, 700], maze="b")])
    p = analysis.log_rank(first, second, strata="maze")
    one_alone, unsolved = runs_of("novelty", [1, 2], maze="c"), runs_of("surprise", [None], maze="d")
    more = analysis.log_rank(pd.concat([first, one_alone, unsolved]), pd.concat([second, unsolved]), strata="maze")
    assert more == pytest.approx(p)
    assert p != pytest.approx(analysis.log_rank(first, second))


def test_log_rank_with_all_runs_solved_at_the_same_time_gives_p_1():
    assert analysis.log_rank(runs_of("novelty", [5, 5, 5]), runs_of("surprise", [5, 5])) == 1
    assert analysis.log_rank(runs_of("novelty", [5]), runs_of("surprise", [5]), strata="maze") == 1


def test_log_rank_with_a_tied_stratum_ignores_it():
    first, second = runs_of("novelty", [100, 250, 900], maze="a"), runs_of("surprise", [50, 80, None], maze="a")
    tied = [runs_of(search, [5, 5], maze="b") for search in ("novelty", "surprise")]
    p = analysis.log_rank(pd.concat([first, tied[0]]), pd.concat([second, tied[1]]), strata="maze")
    assert p == pytest.approx(analysis.log_rank(first, second))


def test_without_solutions_no_search_is_faster_and_without_runs_there_is_no_test():
    assert analysis.log_rank(runs_of("ssr", [None] * 3), runs_of("random", [None] * 3)) == 1
    assert math.isnan(analysis.log_rank(no_runs(), runs_of("random", [None])))
