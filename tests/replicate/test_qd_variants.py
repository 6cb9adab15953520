import math

import pandas as pd
import pytest
from sample_tables import results_of, typical_visits

from divergent import analysis
from divergent.replicate import _documents as documents
from divergent.replicate import _experiments as experiments
from divergent.replicate._experiments import EXPERIMENTS, qd_variant_blocks
from divergent.replicate._replication import Replication, read_replication
from divergent.replicate._report import report
from divergent.replicate._results import Results, write_results
from divergent.replicate._sections import qd_claim, qd_runs, qd_variants

DECEPTIVE = ("generated:1", "generated:3", "generated:70")


@pytest.fixture(scope="module", autouse=True)
def three_deceptive_mazes():
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(EXPERIMENTS, "family", EXPERIMENTS["family"]._replace(blocks=qd_variant_blocks(DECEPTIVE)))
        patch.setattr(qd_runs, "deceptive_mazes", lambda: DECEPTIVE)
        yield


def shortened(results, search, evaluations):
    """The results with all runs of a search solved after this number of evaluations."""
    selected = results.runs["search"].eq(search)
    runs = results.runs.assign(
        solved=results.runs["solved"] | selected,
        evaluations=results.runs["evaluations"].mask(selected, evaluations),
    )
    visits = {name: counts for name, counts in results.visits.items() if name.count("/") == 1}
    return results._replace(runs=analysis.censor_at_budget(runs), visits=visits | typical_visits(runs, visits))


@pytest.fixture(scope="module")
def replication():
    """Sample results in which NSSLC is always the fastest."""
    mazes = ["generated:0", "generated:1", "generated:3"]
    experiments = {
        "authored": shortened(results_of("authored", 4, mazes=["medium", "hard", "very_hard"]), "surprise", 900),
        "generated": shortened(results_of("generated", 3, mazes=mazes), "surprise", 900),
        "family": shortened(results_of("family", 10), "nsslc", 300),
    }
    return Replication(experiments)


def test_authored_runs_have_the_reference_searches_in_the_same_mazes(replication):
    runs = qd_runs.authored_runs(replication)
    assert set(runs["maze"]) == {"hard", "very_hard", "extremely_hard"}
    assert set(runs.loc[runs["maze"] == "hard", "search"]) == {
        *experiments.REFERENCE_SEARCHES,
        *experiments.QD_VARIANTS,
    }
    assert set(runs.loc[runs["maze"] == "extremely_hard", "search"]) == {"nss", "nsslc"}


def test_deceptive_runs_take_the_reference_searches_from_both_experiments(replication):
    runs = qd_runs.deceptive_runs(replication)
    assert set(runs["maze"]) == set(DECEPTIVE)
    counts = runs[runs["search"] == "novelty"].groupby("maze").size().to_dict()
    assert counts == {"generated:1": 3, "generated:3": 3, "generated:70": 10}


def test_authored_table_has_success_coverage_and_qd_score_of_each_search(replication):
    table = qd_variants.authored_table(replication)
    (row,) = table.numbers.query("maze == 'hard' and search == 'nsslc'").itertuples()
    assert (row.solved, row.runs, row.evaluations_mean) == (10, 10, 300)
    runs = replication.runs("family").query("maze == 'hard' and search == 'nsslc'")
    assert row.coverage_mean == pytest.approx(runs["coverage"].mean())
    assert row.qd_score_sd == pytest.approx(runs["qd_score"].std())
    (half,) = table.numbers.query("maze == 'hard' and search == 'nss'").itertuples()
    assert half.runs == 10  # other weights have a separate table


def test_weights_table_has_weights_from_surprise_alone_to_novelty_alone(replication):
    table = qd_variants.weights_table(replication)
    assert table.numbers["weight"].tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert set(table.numbers["maze"]) == {"hard"}
    assert table.shown["weight of novelty"].tolist()[::2] == ["0 (surprise alone)", "0.5", "1 (novelty alone)"]


def test_deceptive_table_summarises_all_runs_in_deceptive_mazes(replication):
    table = qd_variants.deceptive_table(replication).numbers.set_index("search")
    assert table.loc["nsslc", ["mazes", "runs", "solved", "evaluations_mean"]].tolist() == [3, 30, 30, 300]
    assert table.loc["novelty", "runs"] == 16


def test_claim_table_verdict_depends_on_the_faster_search(replication):
    table = qd_claim.claim_table(replication).numbers
    assert table[["runs_first", "solved_first", "effect"]].values.tolist() == [[30, 30, -1.0]]
    assert [verdict.kind for verdict in table["verdict"]] == ["agrees"]
    text = qd_claim.claim_text(replication)
    assert "In 100 % of all pairs of runs in the same maze, NSSLC needs fewer evaluations than NSLC" in text
    assert "corrected for multiple tests, p < 0.001). These results agree with the claim that novelty-" in text
    slow = Replication({"family": shortened(replication.experiments["family"], "nslc", 2)})
    assert [verdict.kind for verdict in qd_claim.claim_table(slow).numbers["verdict"]] == ["differs"]
    assert "These results contradict the claim that novelty-surprise" in qd_claim.claim_text(slow)


def test_qd_variants_without_runs_report_no_results(replication):
    assert qd_claim.claim_table(Replication({})) is None
    assert qd_claim.claim_text(Replication({})).endswith("are not available yet.")
    text = "<!-- results: family -->\n<!-- end of results -->"
    authored = Replication({"authored": replication.experiments["authored"]})
    assert documents.NO_RESULTS in documents.render(text, authored)
    results = replication.experiments["family"]
    partial = Replication({"family": results._replace(runs=results.runs.query("maze == 'hard' and search == 'nss'"))})
    for name in (name for name in documents.BLOCKS if name.startswith("family")):
        assert documents.render(text.replace("family", name), partial)
    assert qd_variants.overview_table(partial).shown.columns.tolist() == ["search", "Hard"]


def test_overview_table_has_a_row_per_search_and_a_column_per_maze(replication):
    table = qd_variants.overview_table(replication).shown
    assert list(table.columns) == ["search", "Hard", "Very hard", "Extremely hard", "Deceptive mazes"]
    assert table.set_index("search").loc["NSSLC"].tolist() == ["10 of 10", "10 of 10", "10 of 10", "30 of 30"]
    assert table.set_index("search").loc["NSLC", "Extremely hard"] == ""


def test_faster_table_lists_searches_with_significant_corrected_tests(replication):
    table = qd_variants.faster_table(replication).shown.set_index("search")
    assert "NSLC" in table.loc["NSSLC", "Hard"].split(", ")
    assert table.loc["NSSLC", "Extremely hard"] == "NSS"
    assert all("NSSLC" not in cell.split(", ") for cell in table.to_numpy().ravel())
    assert qd_variants.faster_table(Replication({})) is None


def test_qd_variants_without_coverage_leave_it_empty(replication):
    blank = {"coverage": float("nan"), "qd_score": float("nan")}
    experiments = replication.experiments
    old = {name: experiments[name]._replace(runs=experiments[name].runs.assign(**blank)) for name in experiments}
    table = qd_variants.authored_table(Replication({"family": old["family"]}))
    assert set(table.shown["coverage"]) == {""}
    items = qd_variants.section(Replication({**experiments, "authored": old["authored"]})).items
    (tests,) = [item.numbers for item in items if item.name == "qd_variants_comparisons"]
    tests = tests[tests["measure"] == "coverage"].set_index(["maze", "first", "second"])["p_corrected"]
    assert math.isnan(tests["hard", "novelty", "nslc"])
    assert tests["hard", "nslc", "dns"] <= 1


@pytest.mark.slow
def test_report_with_qd_variants_has_their_section(replication, tmp_path):
    for name, results in replication.experiments.items():
        write_results(Results(results.runs.drop(columns="budget"), *results[1:]), tmp_path / name)
    assert "QD variants" in report(tmp_path, tmp_path).read_text()
    tables = {path.stem for path in (tmp_path / "tables").glob("qd_variants*")}
    assert tables == {
        "qd_variants", "qd_variants_claim", "qd_variants_comparisons", "qd_variants_deceptive",
        "qd_variants_over_mazes", "qd_variants_weights",
    }  # fmt: skip
    assert pd.read_csv(tmp_path / "tables" / "summary.csv")["table"].tolist()[-1] == "qd_variants_claim"
    assert {path.name for path in (tmp_path / "figures").glob("qd_variants*")} == {
        f"qd_variants_{name}.{kind}" for name in ("robustness", "deceptive") for kind in ("png", "svg")
    }


def test_read_replication_with_a_search_of_another_experiment_raises(replication, tmp_path):
    results = replication.experiments["family"]
    write_results(results._replace(runs=results.runs.drop(columns="budget")), tmp_path / "authored")
    with pytest.raises(ValueError, match=r"authored: search of every run must be one of objective, .*, got dns, nslc"):
        read_replication(tmp_path)
