import filecmp
import html.parser
import math
import shutil
from pathlib import Path

import pandas as pd
import pytest
from made_up import results_of

from divergent.replicate import paper, reading
from divergent.replicate.report import predictors_table, report
from divergent.replicate.results import write_results

COMMITTED = Path(__file__).parents[2] / "results"
TINY = {"population": 20, "generations": 2}


class Reader(html.parser.HTMLParser):
    """Check that every element is closed, and gather text and what the page would load."""

    def __init__(self):
        super().__init__()
        self.open, self.words, self.loads = [], [], []

    def handle_starttag(self, tag, attributes):
        self.loads += [value for name, value in attributes if name in ("src", "href")]
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture(scope="module")
def made_up_report(tmp_path_factory):
    results = tmp_path_factory.mktemp("results")
    write_results(results_of("authored", 20, mazes=["hard", "very_hard"]), results / "authored")
    write_results(results_of("original", 20, mazes=["hard"], seed=1), results / "original")
    mazes = [f"generated:{seed}" for seed in range(16)]
    write_results(results_of("generated", 3, mazes=mazes), results / "generated")
    write_results(results_of("sensitivity-novelty", 2, mazes=["hard"]), results / "sensitivity-novelty")
    variants = results_of("authored", 4, mazes=["very_hard"]).runs.assign(variant="above-lowest")
    variants[list(reading.VARIANTS)].to_csv(results / "variants.csv", index=False)
    report(results, results)
    return results


@pytest.mark.slow
def test_the_report_is_one_page_that_loads_nothing(made_up_report):
    reader = Reader()
    reader.feed((made_up_report / "report.html").read_text())
    assert reader.open == []
    assert all(link.startswith(("data:image/svg+xml;base64,", "#")) for link in reader.loads)
    text = "".join(reader.words)
    for words in ("61 or 62", "Hard", "no verdict", "20 runs", "compared by order", "<hard>", "above-lowest"):
        assert words in text


@pytest.mark.slow
def test_the_report_opens_with_one_sentence_and_a_picture_and_folds_its_tables(made_up_report):
    page = (made_up_report / "report.html").read_text()
    opening = page[page.index("<main>") :]
    sentence = opening.index("With the original robot ")
    assert sentence < opening.index("<img ") < opening.index("<table>")
    assert page.count("<table>") == page.count("<details><summary>") - page.count("<pre>")


@pytest.mark.slow
def test_the_report_has_every_table_and_figure_as_a_file(made_up_report):
    tables = {path.stem for path in (made_up_report / "tables").iterdir()}
    assert tables == {
        "summary", "robots", "solved", "evaluations", "running_times", "best_fitness", "comparisons", "paper_itself",
        "order", "entropy", "entropy_tests", "genotypes", "solutions", "genotype_tests", "rankings", "regression",
        "generated_evaluations", "generated_comparisons", "maze_features", "sensitivity", "sensitivity_best",
        "variants",
    }  # fmt: skip
    figures = {path.name for path in (made_up_report / "figures").iterdir()}
    for name in (
        "beside", "efficiency", "efficiency_original", "robustness", "robustness_original", "heatmaps", "visits",
        "generated_mazes", "generated_robustness", "regression", "maze_features", "sensitivity_novelty", "variants",
    ):  # fmt: skip
        assert {f"{name}.png", f"{name}.svg"} <= figures


@pytest.mark.slow
def test_ours_stand_beside_the_papers_with_a_verdict(made_up_report):
    solved = pd.read_csv(made_up_report / "tables" / "solved.csv").set_index(["robot", "maze", "search"])
    row = solved.loc[("described", "hard", "surprise")]
    assert (row["runs"], row["paper"]) == (20, "99")
    assert row["verdict"].split(" ")[0] in ("agrees", "differs", "undecided")
    assert solved.loc[("described", "very_hard", "surprise"), "verdict"] == "compared by order"
    generated = pd.read_csv(made_up_report / "tables" / "generated_evaluations.csv").set_index("search")
    assert generated["paper_mean"].to_dict() == {
        search: mean.mean for search, mean in paper.GENERATED_EVALUATIONS.items()
    }
    rankings = pd.read_csv(made_up_report / "tables" / "rankings.csv")
    assert set(rankings["verdict"]) == {"no verdict (3 runs)"}


# between which the columns low and high of a table must be; a budget is that of the row
POSSIBLE = {
    "solved": (0, 1), "evaluations": (0, "budget"), "best_fitness": (-math.inf, 300), "genotypes": (0, math.inf),
    "solutions": (0, math.inf), "rankings": (0, 1), "generated_evaluations": (0, "budget"), "sensitivity": (0, 1),
    "sensitivity_best": (0, 1), "running_times": (0, math.inf), "maze_features": (-math.inf, math.inf),
    "variants": (0, 1), "predictors": (0, 1),
}  # fmt: skip


def check_intervals(tables):
    for path in sorted(tables.iterdir()):
        table = pd.read_csv(path)
        assert {"low", "high"} <= set(table.columns) or path.stem not in POSSIBLE
        for name in (name.removesuffix("_low") for name in table.columns if name.endswith("_low")):
            if name != "difference":
                known = table[table[f"{name}_low"].notna()]
                assert (known[f"{name}_low"] >= 0).all(), (path.stem, name)
                assert (known[f"{name}_low"] <= known[f"{name}_high"]).all(), (path.stem, name)
        if "low" not in table:
            continue
        least, most = POSSIBLE[path.stem]
        most = table["budget"] if most == "budget" else most
        known = table[table["low"].notna()]
        assert (known["low"] >= least).all(), path.stem
        assert (known["high"] <= most).all(), path.stem
        assert (known["low"] <= known["high"]).all(), path.stem
        middle = next(name for name in ("mean", "share", "effort", "median", "change") if name in table)
        rounding = 1e-5 * known[middle].abs()  # of six digits
        assert (known["low"] <= known[middle] + rounding).all(), path.stem
        assert (known[middle] <= known["high"] + rounding).all(), path.stem


@pytest.mark.slow
def test_no_interval_of_any_table_lies_outside_what_is_possible(made_up_report):
    check_intervals(made_up_report / "tables")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["original", "generated", "sensitivity-novelty"])
def test_the_report_works_with_whatever_results_are_there(made_up_report, tmp_path, name):
    shutil.copytree(made_up_report / name, tmp_path / name)
    report(tmp_path, tmp_path)
    assert (tmp_path / "report.html").stat().st_size > 5_000


@pytest.mark.slow
def test_the_same_results_give_the_same_files(made_up_report, tmp_path):
    report(made_up_report, tmp_path)
    for kind in ("tables", "figures"):
        names = sorted(path.name for path in (made_up_report / kind).iterdir())
        assert filecmp.cmpfiles(made_up_report / kind, tmp_path / kind, names, shallow=False)[0] == names
    assert filecmp.cmp(made_up_report / "report.html", tmp_path / "report.html", shallow=False)


@pytest.mark.slow
def test_runs_of_another_budget_get_no_verdict(tmp_path):
    found = results_of("authored", 20, mazes=["hard"])
    runs = found.runs.assign(generations=100, evaluations=25_000, solved=False)
    write_results(found._replace(runs=runs), tmp_path / "authored")
    report(tmp_path, tmp_path)
    verdicts = pd.read_csv(tmp_path / "tables" / "evaluations.csv")["verdict"].dropna()
    assert set(verdicts) == {"no verdict, another budget"}


@pytest.mark.slow
def test_the_committed_tables_come_from_the_committed_results(tmp_path):
    report(COMMITTED, tmp_path)
    check_intervals(tmp_path / "tables")
    names = sorted(path.name for path in (tmp_path / "tables").iterdir())
    assert names == sorted(path.name for path in (COMMITTED / "tables").iterdir())
    assert filecmp.cmpfiles(COMMITTED / "tables", tmp_path / "tables", names, shallow=False)[0] == names


def test_a_predictor_stands_beside_the_linear_one():
    found = {name: results_of(name, 4, mazes=["hard"], searches=["surprise"]) for name in ("authored", "predictors")}
    table = predictors_table(found).numbers
    assert table["predictor"].tolist() == ["linear", "shared:ridge"]
    assert table["runs"].tolist() == [4, 4]
    assert table["p_log_rank"].isna().tolist() == [True, False]
    assert predictors_table({"predictors": found["predictors"]}).numbers["predictor"].tolist() == ["shared:ridge"]
