import math

import pandas as pd
import pytest
from sample_tables import results_of, typical_visits

from divergent import analysis
from divergent.replicate import documents, experiments, qd_variants
from divergent.replicate.experiments import EXPERIMENTS, family_blocks
from divergent.replicate.report import read_all, report
from divergent.replicate.results import Results, write_results

DECEPTIVE = ("generated:1", "generated:3", "generated:70")


@pytest.fixture(scope="module", autouse=True)
def three_deceptive_mazes():
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(EXPERIMENTS, "family", EXPERIMENTS["family"]._replace(blocks=family_blocks(DECEPTIVE)))
        patch.setattr(qd_variants, "deceptive_mazes", lambda: DECEPTIVE)
        yield


def shortened(results, search, evaluations):
    """The results with all runs of a search solved after so many evaluations."""
    mine = results.runs["search"].eq(search)
    runs = results.runs.assign(
        solved=results.runs["solved"] | mine, evaluations=results.runs["evaluations"].mask(mine, evaluations)
    )
    visits = {name: counts for name, counts in results.visits.items() if name.count("/") == 1}
    return results._replace(runs=analysis.at_budget(runs), visits=visits | typical_visits(runs, visits))


@pytest.fixture(scope="module")
def found():
    """Results as they might be; NSSLC is always the fastest."""
    mazes = ["generated:0", "generated:1", "generated:3"]
    return {
        "authored": shortened(results_of("authored", 4, mazes=["medium", "hard", "very_hard"]), "surprise", 900),
        "generated": shortened(results_of("generated", 3, mazes=mazes), "surprise", 900),
        "family": shortened(results_of("family", 10), "nsslc", 300),
    }


def test_the_family_stands_beside_the_papers_runs_in_the_mazes_that_it_was_run_in(found):
    runs = qd_variants.authored_runs(found)
    assert set(runs["maze"]) == {"hard", "very_hard", "extremely_hard"}
    assert set(runs.loc[runs["maze"] == "hard", "search"]) == {*experiments.BESIDE, *experiments.FAMILY}
    assert set(runs.loc[runs["maze"] == "extremely_hard", "search"]) == {"nss", "nsslc"}


def test_in_deceptive_mazes_the_others_come_from_the_sixty_or_are_of_the_family_itself(found):
    runs = qd_variants.deceptive_runs(found)
    assert set(runs["maze"]) == set(DECEPTIVE)
    counts = runs[runs["search"] == "novelty"].groupby("maze").size().to_dict()
    assert counts == {"generated:1": 3, "generated:3": 3, "generated:70": 10}


def test_every_search_is_told_with_what_it_solved_and_left_behind(found):
    table = qd_variants.family_table(qd_variants.authored_runs(found))
    (row,) = table.numbers.query("maze == 'hard' and search == 'nsslc'").itertuples()
    assert (row.solved, row.runs, row.evaluations_mean) == (10, 10, 300)
    mine = found["family"].runs.query("maze == 'hard' and search == 'nsslc'")
    assert row.coverage_mean == pytest.approx(mine["coverage"].mean())
    assert row.qd_score_sd == pytest.approx(mine["qd_score"].std())
    (half,) = table.numbers.query("maze == 'hard' and search == 'nss'").itertuples()
    assert half.runs == 10  # other weights have a table of their own


def test_weights_go_from_surprise_alone_to_novelty_alone(found):
    table = qd_variants.weights_table(qd_variants.authored_runs(found))
    assert table.numbers["weight"].tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert set(table.numbers["maze"]) == {"hard"}
    assert table.shown["weight of novelty"].tolist()[::2] == ["0 (surprise alone)", "0.5", "1 (novelty alone)"]


def test_over_deceptive_mazes_shares_and_means_are_of_all_runs(found):
    table = qd_variants.deceptive_table(qd_variants.deceptive_runs(found)).numbers.set_index("search")
    assert table.loc["nsslc", ["mazes", "runs", "solved", "evaluations_mean"]].tolist() == [3, 30, 30, 300]
    assert table.loc["novelty", "runs"] == 16


def test_the_expectation_is_judged_by_the_numbers(found):
    table = qd_variants.claim_table(found).numbers
    assert table[["runs_first", "solved_first", "effect"]].values.tolist() == [[30, 30, -1.0]]
    assert [verdict.kind for verdict in table["verdict"]] == ["agrees"]
    told = qd_variants.claim_told(found)
    assert "NSSLC is faster in 100 of 100 pairs of runs (log-rank p < 0.001). Verdict: agrees" in told
    slow = {"family": shortened(found["family"], "nslc", 2)}
    assert [verdict.kind for verdict in qd_variants.claim_table(slow).numbers["verdict"]] == ["differs"]


def test_what_was_not_run_is_not_told(found):
    assert qd_variants.claim_table({}) is None
    assert qd_variants.claim_told({}).endswith("These runs are not there yet.")
    text = "<!-- results: family -->\n<!-- end of results -->"
    assert "*Not there yet.*" in documents.told(text, {"authored": found["authored"]})
    some = found["family"]._replace(runs=found["family"].runs.query("maze == 'hard' and search == 'nss'"))
    for name in (name for name in documents.BLOCKS if name.startswith("family")):
        assert documents.told(text.replace("family", name), {"family": some})
    assert qd_variants.overview({"family": some}).columns.tolist() == ["search", "Hard"]


def test_the_overview_has_a_row_for_each_search_and_a_column_for_each_maze(found):
    table = qd_variants.overview(found)
    assert list(table.columns) == ["search", "Hard", "Very hard", "Extremely hard", "Deceptive mazes"]
    assert table.set_index("search").loc["NSSLC"].tolist() == ["10 of 10", "10 of 10", "10 of 10", "30 of 30"]
    assert table.set_index("search").loc["NSLC", "Extremely hard"] == ""


def test_a_search_is_named_faster_only_where_the_corrected_test_says_so(found):
    table = qd_variants.faster_than(found).set_index("search")
    assert "NSLC" in table.loc["NSSLC", "Hard"].split(", ")
    assert table.loc["NSSLC", "Extremely hard"] == "NSS"
    assert all("NSSLC" not in cell.split(", ") for cell in table.to_numpy().ravel())
    assert qd_variants.faster_than({}).empty


def test_results_without_coverage_are_told_without_it(found):
    blank = found["family"].runs.assign(coverage=float("nan"), qd_score=float("nan"))
    table = qd_variants.family_table(qd_variants.authored_runs({"family": found["family"]._replace(runs=blank)}))
    assert set(table.shown["coverage"]) == {""}
    old = found["authored"]._replace(runs=found["authored"].runs.assign(coverage=float("nan"), qd_score=float("nan")))
    items = qd_variants.section(found | {"authored": old}).items
    (tests,) = [item.numbers for item in items if item.name == "family_comparisons"]
    tests = tests[tests["measure"] == "coverage"].set_index(["maze", "first", "second"])["p_corrected"]
    assert math.isnan(tests["hard", "novelty", "nslc"])
    assert tests["hard", "nslc", "dns"] <= 1


@pytest.mark.slow
def test_the_report_has_a_section_on_the_family(found, tmp_path):
    for name, results in found.items():
        write_results(Results(results.runs.drop(columns="budget"), *results[1:]), tmp_path / name)
    assert "The family" in report(tmp_path, tmp_path).read_text()
    tables = {path.stem for path in (tmp_path / "tables").glob("family*")}
    assert tables == {
        "family", "family_claim", "family_comparisons", "family_deceptive", "family_over_mazes", "family_weights",
    }  # fmt: skip
    assert pd.read_csv(tmp_path / "tables" / "summary.csv")["table"].tolist()[-1] == "family_claim"
    assert {path.name for path in (tmp_path / "figures").glob("family*")} == {
        f"family_{name}.{kind}" for name in ("kaplan_meier", "deceptive") for kind in ("png", "svg")
    }


def test_runs_of_a_search_that_an_experiment_does_not_have_are_refused(found, tmp_path):
    results = found["family"]
    write_results(results._replace(runs=results.runs.drop(columns="budget")), tmp_path / "authored")
    with pytest.raises(ValueError, match=r"authored: runs must be of objective, .*; there are some of dns, nslc"):
        read_all(tmp_path)
