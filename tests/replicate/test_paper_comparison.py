import pytest
from sample_tables import results_of, runs_of

from divergent import analysis
from divergent.replicate import paper_comparison


@pytest.fixture(scope="module")
def found():
    return {"authored": results_of("authored", 30, mazes=["hard", "very_hard"]), "original": results_of("original", 30)}


def test_what_the_paper_itself_supports():
    table = paper_comparison.paper_itself().set_index("maze")
    assert table["p_evaluations"].round(3).tolist() == [0.055, 0.055, 0.0, 0.056]
    assert table.loc["very_hard", "p_evaluations"] == pytest.approx(0.00007, abs=5e-6)
    assert table["p_solved"].tolist() == pytest.approx([1, 0.065, 0.0003, 0.0098], abs=5e-4)


def test_the_authors_own_two_papers_differ_by_ten_five_and_two_percent():
    sentence = paper_comparison.yardstick()
    assert "21,390 and 23,566 for surprise search (10% apart)" in sentence
    assert "27,167 and 28,493 for novelty search (5% apart)" in sentence
    assert "72,427 and 73,643 for objective search (2% apart)" in sentence


def test_numbers_of_published_mazes_are_judged_and_those_of_others_compared_by_order(found):
    table = paper_comparison.solved_beside(found["authored"].runs).set_index(["maze", "search"])
    assert table.loc[("hard", "surprise"), "verdict"].kind in ("agrees", "undecided", "differs")
    assert table.loc[("very_hard", "surprise"), "verdict"] == paper_comparison.BY_ORDER
    assert table.loc[("hard", "ssr"), "verdict"] == paper_comparison.NOTHING  # of which the paper only says "few"


def test_p_are_corrected_over_the_table(found):
    table = paper_comparison.evaluations_beside(found["authored"].runs)
    judged = table[[verdict.runs is not None for verdict in table["verdict"]]]
    assert len(judged) == 4
    assert judged["p_corrected"].tolist() == pytest.approx(analysis.holm(judged["p"].tolist()))


def test_both_robots_are_told_with_their_differences_from_the_paper(found):
    table = paper_comparison.differences(found)
    assert set(table["series"]) == {"original robot", "described robot"}
    assert set(table["maze"]) == {"medium", "hard"}
    row = table[(table["series"] == "original robot") & (table["maze"] == "hard") & (table["search"] == "ssnp")
                & (table["measure"] == "evaluations")].iloc[0]  # fmt: skip
    runs = found["original"].runs
    mean = runs[(runs["maze"] == "hard") & (runs["search"] == "ssnp")]["evaluations"].mean()
    assert row["difference"] == pytest.approx(mean / 47_550 - 1)
    assert row["low"] < row["difference"] < row["high"]


def test_a_number_agrees_where_its_interval_is_in_the_grey(found):
    for row in paper_comparison.differences(found).itertuples():
        reach = analysis.POINTS if row.measure == "solved" else analysis.MARGIN
        assert (row.verdict.kind == "agrees") == (-reach <= row.low and row.high <= reach)


def test_the_conclusion_counts_verdicts_by_robot(found):
    sentence = paper_comparison.conclusion(found)
    assert sentence.startswith("With the original robot ")
    assert sentence.count(" of the paper's ") == 2
    assert paper_comparison.conclusion({"original": found["original"]}).count(" of the paper's 15 numbers ") == 1
    assert paper_comparison.conclusion({}).startswith("There are no runs")


def test_runs_of_another_budget_get_no_verdict():
    table = paper_comparison.evaluations_beside(runs_of("surprise", range(1, 31)))
    assert table["verdict"].tolist() == [paper_comparison.OTHER_BUDGET]
