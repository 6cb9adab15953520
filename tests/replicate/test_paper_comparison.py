import math

import pytest
from sample_tables import results_of, runs_of

from divergent import analysis
from divergent.replicate import _paper_comparison as paper_comparison
from divergent.replicate._replication import Replication


@pytest.fixture(scope="module")
def replication():
    experiments = {"authored": results_of("authored", 30, mazes=["hard", "very_hard"])}
    return Replication(experiments | {"original": results_of("original", 30)})


def test_check_paper_itself_returns_p_of_the_reported_numbers():
    table = paper_comparison.check_paper_itself().set_index("maze")
    assert table["p_evaluations"].round(3).tolist() == [0.055, 0.055, 0.0, 0.056]
    assert table.loc["very_hard", "p_evaluations"] == pytest.approx(0.00007, abs=5e-6)
    assert table["p_solved"].tolist() == pytest.approx([math.nan, 0.065, 0.0003, 0.0098], abs=5e-4, nan_ok=True)


def test_variation_between_papers_reports_ten_five_and_two_percent():
    sentence = paper_comparison.variation_between_papers()
    assert "21,390 and 23,566 for surprise search (10% apart)" in sentence
    assert "27,167 and 28,493 for novelty search (5% apart)" in sentence
    assert "72,427 and 73,643 for objective search (2% apart)" in sentence


def test_compare_solved_gives_verdicts_in_published_mazes_only(replication):
    table = paper_comparison.compare_solved(replication.runs("authored")).set_index(["maze", "search"])
    assert table.loc[("hard", "surprise"), "verdict"].kind in ("agrees", "undecided", "differs")
    assert table.loc[("very_hard", "surprise"), "verdict"] == paper_comparison.COMPARED_BY_ORDER
    assert table.loc[("hard", "ssr"), "verdict"] == paper_comparison.EMPTY  # the paper only reports "few"


def test_compare_evaluations_corrects_p_over_the_table(replication):
    table = paper_comparison.compare_evaluations(replication.runs("authored"))
    tested = table[[verdict.runs is not None for verdict in table["verdict"]]]
    assert len(tested) == 4
    assert tested["p_corrected"].tolist() == pytest.approx(analysis.holm(tested["p"].tolist()))


def test_differences_are_relative_to_the_paper_for_both_robots(replication):
    table = paper_comparison.differences(replication)
    assert set(table["series"]) == {"five-rangefinder robot", "six-rangefinder robot"}
    assert set(table["maze"]) == {"medium", "hard"}
    row = table[(table["series"] == "five-rangefinder robot") & (table["maze"] == "hard") & (table["search"] == "ssnp")
                & (table["measure"] == "evaluations")].iloc[0]  # fmt: skip
    runs = replication.runs("original")
    mean = runs[(runs["maze"] == "hard") & (runs["search"] == "ssnp")]["evaluations"].mean()
    assert row["difference"] == pytest.approx(mean / 47_550 - 1)
    assert row["low"] < row["difference"] < row["high"]


def test_differences_agree_if_and_only_if_the_interval_is_within_the_margin(replication):
    for row in paper_comparison.differences(replication).itertuples():
        reach = analysis.PROPORTION_MARGIN if row.measure == "solved" else analysis.MARGIN
        assert (row.verdict.kind == "agrees") == (-reach <= row.low and row.high <= reach)


def test_conclusion_counts_verdicts_by_robot(replication):
    sentence = paper_comparison.conclusion(replication)
    assert sentence.startswith("With the five-rangefinder robot, ")
    assert sentence.count(" with the paper have these verdicts: agrees (") == 2
    original = Replication({"original": replication.experiments["original"]})
    assert paper_comparison.conclusion(original).count(", the 14 comparisons of success rates ") == 1
    assert sentence.endswith(paper_comparison.expectation())
    assert paper_comparison.conclusion(Replication({})).startswith("There are no runs")
    assert "simulated" not in paper_comparison.conclusion(Replication({}))


def test_expectation_counts_the_comparisons_of_each_robot(replication):
    original = Replication({"original": replication.experiments["original"]})
    (count,) = paper_comparison.verdict_counts(original)["comparisons"]
    expected = paper_comparison.expected_agreements()
    assert count == len(expected) == 14
    sentence = f"{expected.sum():.1f} of the 14 comparisons of a simulated replication agree with the paper."
    assert sentence in paper_comparison.expectation()


def test_verdict_counts_of_each_robot_add_up_to_the_comparisons(replication):
    counts = paper_comparison.verdict_counts(replication)
    assert counts["robot"].tolist() == ["five-rangefinder robot", "six-rangefinder robot"]
    assert counts[["agrees", "differs", "undecided"]].sum(axis=1).tolist() == counts["comparisons"].tolist()
    assert paper_comparison.verdict_counts(Replication({})).empty


def test_compare_evaluations_with_another_budget_gives_no_verdict():
    table = paper_comparison.compare_evaluations(runs_of("surprise", range(1, 31)))
    assert table["verdict"].tolist() == [paper_comparison.OTHER_BUDGET]
