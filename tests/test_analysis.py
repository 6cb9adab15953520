import dataclasses
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from divergent import analysis, paper
from divergent.experiment import run
from divergent.settings import Settings


def runs_of(search, solved, *, maze="hard", budget=1000, **columns):
    """Runs of a search in a maze: the evaluations of each, None for one that did not solve it."""
    table = pd.DataFrame({"evaluations": [budget if count is None else count for count in solved]})
    table["solved"] = [count is not None for count in solved]
    table["maze"], table["search"], table["seed"] = maze, search, range(len(solved))
    table["population"], table["generations"] = 10, budget // 10
    return table.assign(**columns)


def nothing():
    return runs_of("surprise", []).astype({"solved": bool})


def curves_of(*values, search="surprise", budget=100):
    settings = [Settings(maze="hard", search=search, seed=seed, population=10, generations=budget // 10)
                for seed in range(len(values))]  # fmt: skip
    return analysis.curve_table(settings, np.array(values, dtype=float))


@pytest.fixture(scope="module")
def record():
    return run(Settings(maze="medium", search="random", population=20, generations=3, seed=4))


def test_a_record_becomes_a_row_with_every_column(record):
    table = analysis.tabulate([record])
    assert tuple(table.columns) == analysis.RUN_COLUMNS
    row = table.iloc[0]
    assert (row["maze"], row["search"], row["seed"], row["evaluations"]) == ("medium", "random", 4, record.evaluations)
    assert row["connections"] == len(record.solution.genes)
    assert row["compatibility"] == record.diversity["compatibility"]
    assert (row["population"], row["generations"], row["steps"]) == (20, 3, 400)
    assert 0 < row["entropy"] < 1


def test_a_record_without_a_part_of_its_diversity_names_the_record_and_the_part(record):
    short = dataclasses.replace(record, diversity={"compatibility": 1.0, "disjoint": 1.0, "excess": 1.0})
    with pytest.raises(ValueError, match="random on medium, seed 4: 'weight_difference' is missing"):
        analysis.tabulate([short])


def test_no_records_make_empty_tables_with_their_columns():
    assert analysis.tabulate([]).empty
    assert tuple(analysis.tabulate([]).columns) == analysis.RUN_COLUMNS
    assert analysis.curves([]).empty


def test_a_curve_follows_the_generations_and_is_carried_forward_after_the_end(record):
    rows = [{"evaluations": 20, "best_fitness": 100.0}, {"evaluations": 40, "best_fitness": 150.0},
            {"evaluations": 45, "best_fitness": 296.0}]  # fmt: skip
    ended = dataclasses.replace(record, rows=rows)  # of a budget of 60
    assert analysis.run_curve(ended, points=6).tolist() == [100, 100, 100, 150, 296, 296]


def test_records_are_read_from_folders_in_folders(record, tmp_path):
    for seed in (1, 0):
        run(Settings(maze="medium", search="random", population=20, generations=2, seed=seed), out=tmp_path / "deep")
    (tmp_path / "deep" / "medium-random" / "seed-0002.123.writing").mkdir()
    assert [one.settings.seed for one in analysis.read_records(tmp_path)] == [0, 1]
    with pytest.raises(FileNotFoundError, match="no such folder"):
        list(analysis.read_records(tmp_path / "elsewhere"))


def test_visits_are_counted_in_cells_with_the_smallest_y_first():
    positions = [(0, 0), (4.9, 4.9), (5, 0), (12, 9)]
    assert analysis.visits(np.array(positions), bounds=(0, 0, 12, 10)).tolist() == [[2, 1, 0], [0, 0, 1]]


def test_visits_outside_the_maze_count_in_the_nearest_cell():
    counts = analysis.visits(np.array([(-3.0, -3.0), (99.0, 2.0)]), bounds=(0, 0, 10, 10))
    assert counts.tolist() == [[1, 1], [0, 0]]


def test_visits_refuse_cells_without_a_size():
    with pytest.raises(ValueError, match="cell must be above 0, got 0"):
        analysis.visits(np.zeros((1, 2)), bounds=(0, 0, 10, 10), cell=0)


def test_entropy_is_that_of_the_shares_over_the_logarithm_of_the_cells():
    assert analysis.entropy(np.array([[2, 1], [1, 0]])) == pytest.approx(1.5 * math.log(2) / math.log(4))
    assert math.isnan(analysis.entropy(np.zeros((2, 2))))
    assert analysis.entropy(np.array([[7]])) == 0


def test_efficiency_is_the_mean_over_runs_with_its_interval():
    table = analysis.efficiency(curves_of([10, 20], [14, 20], [12, 26]))
    assert table["evaluations"].tolist() == [50, 100]
    assert table["mean"].tolist() == [12, 22]
    low, high = stats.t.interval(0.95, 2, loc=12, scale=stats.sem([10, 14, 12]))
    assert (table["low"][0], table["high"][0]) == pytest.approx((low, high))
    assert table["runs"].tolist() == [3, 3]


def test_efficiency_of_one_run_has_no_interval():
    table = analysis.efficiency(curves_of([10, 20]))
    assert table["mean"].tolist() == [10, 20]
    assert table[["sd", "low", "high"]].isna().all(axis=None)


def test_efficiency_of_nothing_is_empty():
    assert analysis.efficiency(analysis.curves([])).empty


def test_efficiency_refuses_curves_of_different_budgets():
    mixed = pd.concat([curves_of([1, 2], budget=100), curves_of([1, 2], budget=200)])
    with pytest.raises(ValueError, match=r"different budgets .* maze hard, search surprise has 100 and 200"):
        analysis.efficiency(mixed)


def test_robustness_steps_up_at_every_solution_and_twice_at_a_tie():
    table = analysis.robustness(runs_of("surprise", [300, 300, None, 800]))
    assert table["evaluations"].tolist() == [0, 300, 800, 1000]
    assert table["solved"].tolist() == [0, 2, 3, 3]
    assert table["share"].tolist() == [0, 0.5, 0.75, 0.75]


def test_robustness_of_none_solved_and_of_all_solved():
    assert analysis.robustness(runs_of("random", [None, None]))["solved"].tolist() == [0, 0]
    assert analysis.robustness(runs_of("surprise", [1000, 10]))["solved"].tolist() == [0, 1, 2]
    assert analysis.robustness(nothing()).empty


def test_robustness_over_all_mazes_is_by_search_alone():
    runs = pd.concat([runs_of("surprise", [100], maze="a"), runs_of("surprise", [200], maze="b")])
    assert analysis.robustness(runs, by=("search",))["solved"].tolist() == [0, 1, 2, 2]


def test_successes_have_wilsons_interval():
    row = analysis.successes(runs_of("surprise", [1] * 9 + [None])).iloc[0]
    assert (row["runs"], row["solved"], row["share"]) == (10, 9, 0.9)
    assert (row["low"], row["high"]) == pytest.approx((0.5958, 0.9821), abs=1e-4)
    all_of_one = analysis.successes(runs_of("surprise", [1])).iloc[0]
    assert (all_of_one["solved"], all_of_one["high"]) == (1, 1)
    assert analysis.successes(nothing()).empty


def test_evaluations_count_failures_at_the_budget():
    row = analysis.evaluations(runs_of("surprise", [100, 300, None])).iloc[0]
    assert row["mean"] == pytest.approx(1400 / 3)
    assert row["sd"] == pytest.approx(np.std([100, 300, 1000], ddof=1))
    assert row["budget"] == 1000


def test_evaluations_of_one_run_have_a_mean_only():
    row = analysis.evaluations(runs_of("surprise", [100])).iloc[0]
    assert row["mean"] == 100
    assert math.isnan(row["low"])
    assert analysis.evaluations(nothing()).empty


def test_evaluations_refuse_runs_of_different_budgets():
    mixed = pd.concat([runs_of("surprise", [100]), runs_of("surprise", [100], budget=2000)])
    with pytest.raises(ValueError, match=r"different budgets .* maze hard, search surprise has 1,000 and 2,000"):
        analysis.evaluations(mixed)
    with pytest.raises(ValueError, match="different budgets"):
        analysis.compare(mixed)


@pytest.mark.parametrize("missing", ["solved", "evaluations", "maze", "population"])
def test_a_missing_column_is_named(missing):
    with pytest.raises(ValueError, match=f"needs a column '{missing}'"):
        analysis.evaluations(runs_of("surprise", [100]).drop(columns=missing))


def test_groups_come_in_the_papers_order_and_numbered_mazes_by_number():
    runs = pd.concat(
        [runs_of("surprise", [1], maze=maze) for maze in ("generated:10", "hard", "own", "medium", "generated:9")]
        + [runs_of("objective", [1], maze="hard")]
    )
    table = analysis.successes(runs)
    assert table["maze"].tolist() == ["medium", "hard", "hard", "generated:9", "generated:10", "own"]
    assert table["search"].tolist()[1:3] == ["objective", "surprise"]


def test_the_typical_run_is_the_solved_one_closest_to_a_number_of_evaluations():
    runs = runs_of("surprise", [100, 450, None, 550])
    assert analysis.typical(runs, 500)["seed"] == 1
    assert analysis.typical(runs, 990)["seed"] == 3
    assert analysis.typical(runs_of("random", [None]), 500) is None


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
        paper.Claim("hard", "surprise", "better", "novelty"),
        paper.Claim("hard", "novelty", "better", "surprise"),
        paper.Claim("hard", "random", "never", None),
    ]
    runs = pd.concat(
        [runs_of("surprise", range(1, 21)), runs_of("novelty", range(101, 121)), runs_of("random", [None] * 19 + [5])]
    )
    verdicts = analysis.order(runs, claims)["verdict"].tolist()
    assert verdicts == ["holds (20 runs)", "reversed (20 runs)", "differs: solved 1 of 20"]


def test_an_order_without_significance_or_with_few_runs_says_so():
    claims = [
        paper.Claim("hard", "surprise", "better", "novelty"),
        paper.Claim("hard", "novelty", "equal", "surprise"),
        paper.Claim("hard", "surprise", "better", "ssnp"),
        paper.Claim("hard", "random", "never", None),
    ]
    runs = pd.concat(
        [
            runs_of("surprise", range(1, 41, 2)),
            runs_of("novelty", range(2, 42, 2)),
            runs_of("ssnp", [900]),
            runs_of("random", [None] * 20),
        ]
    )
    assert analysis.order(runs, claims)["verdict"].tolist() == [
        "not significant, same direction (20 runs)",
        "holds (20 runs)",
        "no verdict (1 run)",
        "holds (20 runs)",
    ]


def test_an_order_of_searches_that_never_ran_has_no_verdict():
    assert set(analysis.order(nothing())["verdict"]) == {"no verdict (0 runs)"}


def test_genotypes_are_means_over_the_runs_that_solved():
    measures = dict.fromkeys(paper.GENOTYPE_MEASURES, 1.0) | {"connections": [30, 40, 90]}
    table = analysis.genotypes(runs_of("surprise", [1, 2, None], **measures))
    row = table[table["measure"] == "connections"].iloc[0]
    assert (row["runs"], row["mean"]) == (2, 35)
    assert table["measure"].tolist() == list(paper.GENOTYPE_MEASURES)
    assert analysis.genotypes(runs_of("surprise", [None], **dict.fromkeys(paper.GENOTYPE_MEASURES, 1.0))).empty


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


def deceptive_mazes(offset, failures=(0, 2, 4, 6, 8)):
    """Mazes in which objective fails so often of 10, novelty as often, and surprise less often by an offset."""
    noise = (0, 1, 0, -1, 0)
    parts = []
    for number, (count, more) in enumerate(zip(failures, noise, strict=True)):
        for search, solved in (("objective", 10 - count), ("novelty", 9 - count + more),
                               ("surprise", 9 - count + offset - more)):  # fmt: skip
            solved = min(10, max(0, solved))
            parts.append(runs_of(search, [1] * solved + [None] * (10 - solved), maze=f"generated:{number}"))
    return pd.concat(parts)


def test_deceptiveness_is_the_regression_on_objectives_failures():
    result = analysis.deceptiveness(deceptive_mazes(offset=1))
    failures, novelty = [0, 0.2, 0.4, 0.6, 0.8], [0.9, 0.8, 0.5, 0.2, 0.1]
    line = stats.linregress(failures, novelty)
    row = result.lines.set_index("search").loc["novelty"]
    assert (row["slope"], row["intercept"], row["p"]) == pytest.approx((line.slope, line.intercept, line.pvalue))
    assert row["adjusted_r2"] == pytest.approx(1 - (1 - line.rvalue**2) * 4 / 3)
    assert result.difference == pytest.approx(0.1)


def test_ancova_is_the_f_test_of_the_intercepts():
    result = analysis.deceptiveness(deceptive_mazes(offset=1))
    points = result.points
    second = (points["search"] == "surprise").astype(float)
    full = np.column_stack([np.ones(10), points["failures"], second])
    squares = [np.linalg.lstsq(columns, points["successes"], rcond=None)[1][0] for columns in (full[:, :2], full)]
    ratio = (squares[0] - squares[1]) / (squares[1] / 7)
    assert result.intercept_p == pytest.approx(stats.f.sf(ratio, 1, 7))
    assert 0 <= result.slope_p <= 1


@pytest.mark.parametrize(
    "runs",
    [
        nothing(),
        runs_of("objective", [1]),
        pd.concat([runs_of(search, [1], maze=maze) for search in paper.SEARCHES for maze in "abc"]),
        pd.concat([runs_of(search, [None], maze=maze) for search in paper.SEARCHES for maze in "abc"]),
    ],
    ids=["no runs", "one run", "all solved", "none solved"],
)
def test_deceptiveness_that_cannot_be_computed_is_nan(runs):
    result = analysis.deceptiveness(runs)
    assert result.lines[["slope", "adjusted_r2", "p"]].isna().all(axis=None)
    assert math.isnan(result.intercept_p)


def test_points_exactly_on_two_lines_leave_nothing_to_test():
    runs = pd.concat(
        [
            runs_of(search, [1] * solved + [None] * (4 - solved), maze=maze)
            for maze, counts in zip("abc", ((4, 3, 4), (3, 2, 3), (2, 1, 2)), strict=True)
            for search, solved in zip(("objective", "novelty", "surprise"), counts, strict=True)
        ]
    )
    result = analysis.deceptiveness(runs)
    assert result.difference == pytest.approx(0.25)
    assert math.isnan(result.intercept_p)


def test_a_search_is_ahead_from_where_it_stays_significantly_ahead():
    fast, slow = [100] * 20, [900] * 10 + [None] * 10
    runs = pd.concat([runs_of("surprise", fast), runs_of("novelty", slow)])
    assert analysis.ahead_from(runs, "surprise", "novelty", points=10) == 100
    assert math.isnan(analysis.ahead_from(runs, "novelty", "surprise", points=10))
    caught_up = pd.concat([runs_of("surprise", fast), runs_of("novelty", [900] * 20)])
    assert math.isnan(analysis.ahead_from(caught_up, "surprise", "novelty", points=10))
    assert math.isnan(analysis.ahead_from(nothing(), "surprise", "novelty"))


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
    assert analysis.sensitivity(nothing().assign(clusters=1, neighbours=1)).empty


def test_novelty_has_a_sensitivity_without_clusters():
    runs = runs_of("novelty", [100, 300], clusters=pd.array([None, None], dtype="Int64"), neighbours=15)
    assert analysis.sensitivity(runs)["runs"].tolist() == [2]


def test_the_best_setting_has_most_successes_then_fewest_evaluations():
    runs = pd.concat(
        [
            runs_of("surprise", [1, None], clusters=20, neighbours=1),
            runs_of("surprise", [900, 900], clusters=40, neighbours=1),
            runs_of("surprise", [800, 900], clusters=60, neighbours=1),
        ]
    )
    assert analysis.best_settings(analysis.sensitivity(runs))["clusters"].tolist() == [60]


def test_counts_agree_by_fishers_exact_test():
    other = paper.Count("93", (93,))
    p = stats.fisher_exact([[80, 20], [93, 7]]).pvalue
    assert analysis.agreement_of_counts(80, 100, other) == ("differs", pytest.approx(p), 100)
    assert analysis.agreement_of_counts(90, 100, other).verdict == "agrees"


def test_a_count_of_two_numbers_agrees_if_it_agrees_with_one():
    one, two = (analysis.agreement_of_counts(75, 100, paper.Count("", among)) for among in ((61,), (61, 62)))
    assert (one.verdict, two.verdict) == ("differs", "agrees")


def test_there_is_no_verdict_on_a_word_nor_on_few_runs():
    assert str(analysis.agreement_of_counts(3, 100, paper.FEW)) == "no verdict (100 runs)"
    assert str(analysis.agreement_of_counts(19, 19, paper.Count("100", (100,)))) == "no verdict (19 runs)"
    assert analysis.agreement_of_counts(20, 20, paper.Count("100", (100,))).verdict == "agrees"
    assert analysis.agreement_of_counts(0, 0, paper.Count("100", (100,))).verdict == "no verdict"


def test_means_agree_by_welchs_test():
    values = np.linspace(12_000, 34_000, 50)
    other = paper.Mean(23_566, 15_925)
    generator = np.random.default_rng(5)
    theirs = generator.normal(size=100)
    theirs = (theirs - theirs.mean()) / theirs.std(ddof=1) * other.sd + other.mean  # of that very mean and sd
    expected = stats.ttest_ind(values, theirs, equal_var=False).pvalue
    assert analysis.agreement_of_means(values, other) == ("agrees", pytest.approx(expected), 50)
    assert analysis.agreement_of_means(values + 20_000, other).verdict == "differs"


@pytest.mark.parametrize("count", [0, 1, 19])
def test_there_is_no_verdict_on_means_of_few_runs(count):
    assert analysis.agreement_of_means([5.0] * count, paper.Mean(5, 1)).verdict == "no verdict"


def test_runs_that_all_end_at_the_budget_can_be_compared():
    assert analysis.agreement_of_means([75_000] * 100, paper.Mean(73_643, 7_542)).p == pytest.approx(0.075, abs=1e-3)
    assert analysis.agreement_of_means([5.0] * 20, paper.Mean(5, 0)).verdict == "agrees"
    assert analysis.agreement_of_means([6.0] * 20, paper.Mean(5, 0)).verdict == "differs"


def test_the_papers_numbers_cover_every_maze_and_search():
    pairs = {(maze, search) for maze in paper.MAZES for search in paper.SEARCHES}
    assert set(paper.SOLVED) == pairs
    assert len(paper.RANKINGS) == 30
    assert paper.RANKINGS["surprise", "novelty"] == 40
    assert all(count.among <= (100, 100) for count in paper.SOLVED.values())
    assert {len(measures) for measures in paper.GENOTYPES.values()} == {6}
