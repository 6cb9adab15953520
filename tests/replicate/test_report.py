import filecmp
import html.parser
from pathlib import Path

import pandas as pd
import pytest
from made_up import results_of

from divergent import analysis
from divergent.replicate import paper
from divergent.replicate.report import report
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
    write_results(results_of("generated", 3, mazes=[f"generated:{seed}" for seed in range(5)]), results / "generated")
    write_results(results_of("sensitivity-novelty", 2, mazes=["hard"]), results / "sensitivity-novelty")
    report(results, results)
    return results


@pytest.mark.slow
def test_the_report_is_one_page_that_loads_nothing(made_up_report):
    reader = Reader()
    reader.feed((made_up_report / "report.html").read_text())
    assert reader.open == []
    assert all(link.startswith(("data:image/svg+xml;base64,", "#")) for link in reader.loads)
    text = "".join(reader.words)
    for words in ("61 or 62", "Hard", "no verdict", "20 runs", "compared by order", "<hard>"):
        assert words in text


@pytest.mark.slow
def test_the_report_has_every_table_and_figure_as_a_file(made_up_report):
    tables = {path.stem for path in (made_up_report / "tables").iterdir()}
    assert tables == {
        "summary", "solved", "evaluations", "best_fitness", "comparisons", "order", "entropy", "entropy_tests",
        "genotypes", "solutions", "genotype_tests", "rankings", "regression", "generated_evaluations", "sensitivity",
        "sensitivity_best",
    }  # fmt: skip
    figures = {path.name for path in (made_up_report / "figures").iterdir()}
    for name in ("efficiency", "robustness", "heatmaps", "generated_mazes", "generated_robustness", "regression",
                 "sensitivity_novelty"):  # fmt: skip
        assert {f"{name}.png", f"{name}.svg"} <= figures


@pytest.mark.slow
def test_ours_stand_beside_the_papers_with_a_verdict(made_up_report):
    solved = pd.read_csv(made_up_report / "tables" / "solved.csv").set_index(["maze", "search"])
    row = solved.loc[("hard", "surprise")]
    expected = analysis.agreement_of_counts(row["solved"], 20, *paper.SOLVED["hard", "surprise"][1:])
    assert (row["runs"], row["paper"], row["verdict"]) == (20, "99", str(expected))
    assert solved.loc[("very_hard", "surprise"), "verdict"] == "compared by order"
    rankings = pd.read_csv(made_up_report / "tables" / "rankings.csv")
    assert set(rankings["verdict"]) == {"no verdict (3 runs)"}


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
    runs = found.runs.assign(generations=100, evaluations=20_000, solved=False)
    write_results(found._replace(runs=runs), tmp_path / "authored")
    report(tmp_path, tmp_path)
    verdicts = pd.read_csv(tmp_path / "tables" / "evaluations.csv")["verdict"].dropna()
    assert set(verdicts) == {"no verdict, another budget"}


@pytest.mark.slow
def test_the_committed_tables_come_from_the_committed_results(tmp_path):
    report(COMMITTED, tmp_path)
    names = sorted(path.name for path in (tmp_path / "tables").iterdir())
    assert names == sorted(path.name for path in (COMMITTED / "tables").iterdir())
    assert filecmp.cmpfiles(COMMITTED / "tables", tmp_path / "tables", names, shallow=False)[0] == names
