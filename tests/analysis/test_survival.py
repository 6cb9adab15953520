import math

import pandas as pd
import pytest
from sample_tables import no_runs, runs_of
from scipy import stats
from statsmodels.duration.survfunc import SurvfuncRight, survdiff

from divergent import analysis


def test_kaplan_meier_steps_at_every_solution_and_twice_at_a_tie():
    table = analysis.kaplan_meier(runs_of("surprise", [300, 300, None, 800]))
    assert table["evaluations"].tolist() == [0, 300, 800, 1000]
    assert table["solved"].tolist() == [0, 2, 3, 3]
    assert table["fraction"].tolist() == [0, 0.5, 0.75, 0.75]


def test_kaplan_meier_with_no_or_all_runs_solved_is_0_or_1():
    assert analysis.kaplan_meier(runs_of("random", [None, None]))["solved"].tolist() == [0, 0]
    assert analysis.kaplan_meier(runs_of("surprise", [1000, 10]))["solved"].tolist() == [0, 1, 2]
    assert analysis.kaplan_meier(no_runs()).empty


def test_kaplan_meier_by_search_has_one_curve_per_search():
    runs = pd.concat([runs_of("surprise", [100], maze="a"), runs_of("surprise", [200], maze="b")])
    assert analysis.kaplan_meier(runs, by=("search",))["solved"].tolist() == [0, 1, 2, 2]


def test_kaplan_meier_band_is_log_log_with_greenwoods_variance():
    solved = [300, 300, None, 800, 120, None, 650]
    table = analysis.kaplan_meier(runs_of("surprise", solved)).set_index("evaluations")
    other = SurvfuncRight(
        [1000 if count is None else count for count in solved], [int(count is not None) for count in solved]
    )
    z = stats.norm.ppf(0.975)
    for moment, left, error in zip(other.surv_times, other.surv_prob, other.surv_prob_se, strict=True):
        row = table.loc[moment]
        assert row["fraction"] == pytest.approx(1 - left)
        reach = z * error / (left * math.log(left))
        ends = sorted(1 - math.exp(-math.exp(math.log(-math.log(left)) + sign * reach)) for sign in (-1, 1))
        assert (row["low"], row["high"]) == pytest.approx(ends)
        assert row["at_risk"] == other.n_risk[list(other.surv_times).index(moment)]


def test_kaplan_meier_band_with_no_or_all_runs_solved_is_exact():
    table = analysis.kaplan_meier(runs_of("surprise", [10, 20, 30]))
    assert table[["low", "high"]].iloc[0].tolist() == pytest.approx([0, 1 - 0.025 ** (1 / 3)])
    assert table[["low", "high"]].iloc[-1].tolist() == pytest.approx([0.025 ** (1 / 3), 1])


def test_running_times_median_is_infinite_beyond_the_budget():
    table = analysis.running_times(runs_of("surprise", [100, 200, 300, None]))
    assert table["median"].tolist() == [200]
    assert table["low"].iloc[0] <= 200 <= table["high"].iloc[0]
    assert analysis.running_times(runs_of("surprise", [100, None, None])).loc[0, ["median", "high"]].tolist() == [
        math.inf, math.inf
    ]  # fmt: skip


def test_running_times_expected_is_all_evaluations_per_solution():
    table = analysis.running_times(runs_of("surprise", [100, 300, None]))
    assert table["expected"].tolist() == [1400 / 2]
    assert analysis.running_times(runs_of("random", [None]))["expected"].tolist() == [math.inf]
    assert analysis.running_times(no_runs()).empty


def test_log_rank_equals_statsmodels():
    first, second = runs_of("novelty", [100, 250, None, None]), runs_of("surprise", [50, 80, 600, None])
    times, status = [100, 250, 1000, 1000, 50, 80, 600, 1000], [1, 1, 0, 0, 1, 1, 1, 0]
    expected = survdiff(times, status, [0] * 4 + [1] * 4)[1]
    assert analysis.log_rank(first, second) == pytest.approx(expected)


def test_log_rank_with_strata_ignores_uninformative_strata():
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


def test_log_rank_without_solutions_is_1_and_without_runs_nan():
    assert analysis.log_rank(runs_of("ssr", [None] * 3), runs_of("random", [None] * 3)) == 1
    assert math.isnan(analysis.log_rank(no_runs(), runs_of("random", [None])))
