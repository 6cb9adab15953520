import filecmp
import html.parser
import math
import shutil
from pathlib import Path

import pandas as pd
import pytest
from matplotlib import pyplot
from sample_tables import results_of

from divergent import analysis
from divergent.replicate import _schema as schema
from divergent.replicate import paper
from divergent.replicate._replication import Replication, computed_once
from divergent.replicate._report import report
from divergent.replicate._results import write_results
from divergent.replicate._sections.overview import provenance_section
from divergent.replicate._sections.paper_mazes import draw_efficiency
from divergent.replicate._sections.qd_variants import _missing_variants
from divergent.replicate._sections.sensitivity import best_table
from divergent.replicate._sections.variants import DEFAULT_RULE, _default_first, _missing, predictors_table

COMMITTED = Path(__file__).parents[2] / "results"
TINY = {"population": 20, "generations": 2}


class Reader(html.parser.HTMLParser):
    """Check that every element is closed, and collect texts and links."""

    def __init__(self):
        super().__init__()
        self.open, self.words, self.loads = [], [], []

    def handle_starttag(self, tag, attributes):
        self.loads += [value for name, value in attributes if name in ("src", "href")]
        if tag not in ("link", "meta", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture(scope="module")
def sample_report(tmp_path_factory):
    results = tmp_path_factory.mktemp("results")
    write_results(results_of("authored", 20, mazes=["hard", "very_hard"]), results / "authored")
    write_results(results_of("original", 20, mazes=["hard"], seed=1), results / "original")
    mazes = [f"generated:{seed}" for seed in range(16)]
    write_results(results_of("generated", 3, mazes=mazes), results / "generated")
    write_results(results_of("sensitivity-novelty", 2, mazes=["hard"]), results / "sensitivity-novelty")
    variants = results_of("authored", 4, mazes=["very_hard"]).runs.assign(variant="above-lowest")
    variants[list(schema.VARIANTS)].to_csv(results / "variants.csv", index=False)
    report(results, results)
    return results


@pytest.mark.parametrize(("lowest", "expected"), [(201.0, (200, 300)), (150.0, (142.5, 307.5))])
def test_efficiency_figure_begins_at_200_unless_values_are_lower(lowest, expected):
    table = pd.DataFrame(
        {"maze": ["medium", "medium", "hard"], "search": "novelty", "evaluations": [250, 500, 250],
         "mean": [lowest, 300.0, 260.0], "low": math.nan, "high": math.nan}
    )  # fmt: skip
    panels = draw_efficiency(table)
    assert [axes.get_ylim() for axes in panels] == [pytest.approx(expected)] * 2
    pyplot.close(panels[0].figure)


@pytest.mark.slow
def test_report_is_one_page_without_external_resources(sample_report):
    reader = Reader()
    reader.feed((sample_report / "report.html").read_text())
    assert reader.open == []
    assert all(link.startswith(("data:image/svg+xml;base64,", "#")) for link in reader.loads)
    text = "".join(reader.words)
    for words in ("61 or 62", "Hard", "no verdict", "20 runs", "compared by order", "<hard>", "above-lowest"):
        assert words in text


@pytest.mark.slow
def test_report_opens_with_the_conclusion_and_a_figure_and_folds_tables(sample_report):
    page = (sample_report / "report.html").read_text()
    opening = page[page.index("<main>") :]
    sentence = opening.index("With the five-rangefinder robot")
    assert sentence < opening.index("<img ") < opening.index("<table>")
    assert page.count("<table>") == page.count("<details><summary>") - page.count("<pre>")


@pytest.mark.slow
def test_report_writes_every_table_and_figure_as_a_file(sample_report):
    tables = {path.stem for path in (sample_report / "tables").iterdir()}
    assert tables == {
        "claim_counts", "claim_outcomes",
        "summary", "robots", "solved", "evaluations", "running_times", "best_fitness", "comparisons", "paper_itself",
        "order", "entropy", "entropy_tests", "genotypes", "solutions", "genotype_tests", "rankings", "regression",
        "paper_2016", "lead_onset", "ranking_totals",
        "generated_evaluations", "generated_comparisons", "maze_features", "sensitivity", "sensitivity_best",
        "variants",
    }  # fmt: skip
    figures = {path.name for path in (sample_report / "figures").iterdir()}
    for name in (
        "beside", "forest",
        "efficiency", "efficiency_original", "robustness", "robustness_original", "heatmaps", "visits",
        "generated_mazes", "generated_robustness", "regression", "maze_features", "sensitivity_novelty", "variants",
    ):  # fmt: skip
        assert {f"{name}.png", f"{name}.svg"} <= figures


@pytest.mark.slow
def test_report_tables_have_the_paper_and_a_verdict(sample_report):
    solved = pd.read_csv(sample_report / "tables" / "solved.csv").set_index(["robot", "maze", "search"])
    row = solved.loc[("six-rangefinder", "hard", "surprise")]
    assert (row["runs"], row["paper"]) == (20, "99")
    assert row["verdict"].split(" ")[0] in ("agrees", "differs", "undecided")
    assert solved.loc[("six-rangefinder", "very_hard", "surprise"), "verdict"] == "compared by order"
    generated = pd.read_csv(sample_report / "tables" / "generated_evaluations.csv").set_index("search")
    assert generated["paper_mean"].to_dict() == {
        search: mean.mean for search, mean in paper.GENERATED_EVALUATIONS.items()
    }
    rankings = pd.read_csv(sample_report / "tables" / "rankings.csv")
    assert set(rankings["verdict"]) == {"no verdict (3 runs)"}


@pytest.fixture(scope="module")
def complete_tables(tmp_path_factory):
    """The tables of sample results with every maze and setting of the paper's experiments."""
    results = tmp_path_factory.mktemp("complete")
    write_results(results_of("authored", 20), results / "authored")
    mazes = [f"generated:{seed}" for seed in range(6)]
    write_results(results_of("generated", 2, mazes=mazes), results / "generated")
    for name in ("sensitivity-novelty", "sensitivity-surprise"):
        write_results(results_of(name, 2), results / name)
    report(results, results)
    return {path.stem: pd.read_csv(path) for path in (results / "tables").iterdir()}


def paper_cells():
    """Yield each number of the paper: name of the constant, table, columns that identify the row, and column."""
    by = ("maze", "search")
    for key, count in paper.SOLVED.items():
        row = dict(zip(by, key, strict=True))
        yield from (("SOLVED", "solved", row, "paper", count.text), ("RUNS", "solved", row, "paper_runs", count.runs))
    for name, table, means in (
        ("EVALUATIONS", "evaluations", paper.EVALUATIONS),
        ("BEST_FITNESS", "best_fitness", paper.BEST_FITNESS),
        *(("GENOTYPES", table, {(*key, measure): mean for key, known in paper.GENOTYPES.items()
                                for measure, mean in known.items() if table == "genotypes" or measure in
                                analysis.DIVERSITY}) for table in ("genotypes", "solutions")),
    ):  # fmt: skip
        for key, mean in means.items():
            row = dict(zip((*by, "measure")[: len(key)], key, strict=True))
            yield from ((name, table, row, f"paper_{field}", getattr(mean, field)) for field in mean._fields)
    for key, known in paper.ENTROPY.items():
        row = dict(zip(by, key, strict=True))
        yield "ENTROPY", "entropy", row, "paper", known.entropy
        yield "ENTROPY", "entropy", row, "paper_evaluations", known.evaluations
    for key, mean in paper.EVALUATIONS_2016.items():
        yield "EVALUATIONS_2016", "paper_2016", dict(zip(by, key, strict=True)), "mean_2016", mean
    for maze, first, relation, second in paper.ORDERS:
        row = {"maze": maze, "first": first} | ({} if second is None else {"second": second})
        yield "ORDERS", "order", row, "relation", relation
    for key, percent in paper.RANKINGS.items():
        row = dict(zip(("first", "second"), key, strict=True))
        yield "RANKINGS", "rankings", row, "paper_percent", percent
        yield "GENERATED_MAZES", "rankings", row, "paper_mazes", paper.GENERATED_MAZES
        yield "GENERATED_RUNS", "rankings", row, "paper_runs", paper.GENERATED_RUNS
    for search, total in paper.RANKING_TOTALS.items():
        for field in total._fields:
            row = {"search": search}
            yield "RANKING_TOTALS", "ranking_totals", row, f"paper_{field}", getattr(total, field)
    for search, mean in paper.GENERATED_EVALUATIONS.items():
        for field in ("mean", "sd"):
            row = {"search": search}
            yield "GENERATED_EVALUATIONS", "generated_evaluations", row, f"paper_{field}", getattr(mean, field)
    for search in paper.COMPARED:
        yield "ADJUSTED_R2", "regression", {"search": search}, "paper_adjusted_r2_above", paper.ADJUSTED_R2
    yield "FASTER_FROM", "lead_onset", {"first": "surprise", "second": "novelty"}, "paper", paper.FASTER_FROM
    for key, best in paper.SENSITIVITY.items():
        row = dict(zip(by, key, strict=True))
        yield "SENSITIVITY_RUNS", "sensitivity_best", row, "paper_runs", paper.SENSITIVITY_RUNS
        yield from (
            ("SENSITIVITY", "sensitivity_best", row, f"paper_{field}", getattr(best, field))
            for field in best._fields
            if getattr(best, field) is not None
        )


@pytest.mark.slow
def test_report_has_every_number_of_the_paper_in_some_table(complete_tables):
    for name, table, key, column, value in paper_cells():
        rows = complete_tables[table]
        for field, wanted in key.items():
            rows = rows[rows[field] == wanted]
        assert len(rows) == 1, (name, table, key)
        cell = rows[column].iloc[0]
        assert str(cell) == value if isinstance(value, str) else cell == pytest.approx(value), (name, table, key)


def test_paper_cells_cover_every_constant_of_the_paper_with_numbers():
    names = {"MAZES", "SEARCHES", "MEASURED", "COMPARED", "PUBLISHED", "GENOTYPE_MEASURES"}
    names |= {"SENSITIVITY_NEIGHBOURS", "SENSITIVITY_CLUSTERS", "FEW", "NOT_REPORTED"}
    with_numbers = {name for name in vars(paper) if name.isupper() and not name.startswith("_")} - names
    assert {name for name, *_ in paper_cells()} == with_numbers


def check_tests(tables):
    """A test between two samples that are not empty has a p, a number of the paper a p or a reason for none."""
    for name, table in tables.items():
        for p in (column for column in table.columns if column in ("p", "p_log_rank", "p_corrected")):
            tested = pd.Series(False, index=table.index)
            if {"runs_first", "runs_second"} <= set(table.columns):
                tested = (table["runs_first"] > 0) & (table["runs_second"] > 0)
            elif "paper_mean" in table:
                tested = table["paper_mean"].notna() & ~table["verdict"].isin(["compared by order"])
            if p == "p_log_rank" and "measure" in table:
                tested &= table["measure"] == "evaluations"
            assert table.loc[tested, p].notna().all(), (name, p)


@pytest.mark.slow
def test_report_has_no_test_without_a_p_value(complete_tables):
    check_tests(complete_tables)


def test_committed_tables_have_no_test_without_a_p_value():
    check_tests({path.stem: pd.read_csv(path) for path in (COMMITTED / "tables").iterdir()})


@pytest.mark.slow
def test_genotype_and_entropy_tests_are_corrected_over_the_table(complete_tables):
    for name, count in (("entropy_tests", 4), ("genotype_tests", 24)):
        table = complete_tables[name]
        assert len(table) == count
        assert table["p_corrected"].tolist() == pytest.approx(analysis.holm(table["p"].tolist()), rel=1e-4)
        assert (table["p_corrected"] > table["p"]).any()


# possible range of the columns low and high of a table; "budget" is that of the row
POSSIBLE = {
    "solved": (0, 1), "evaluations": (0, "budget"), "best_fitness": (-math.inf, 300), "genotypes": (0, math.inf),
    "solutions": (0, math.inf), "solution_pairs": (0, math.inf), "rankings": (0, 1), "sensitivity": (0, 1),
    "generated_evaluations": (0, "budget"), "sensitivity_best": (0, 1), "running_times": (0, math.inf),
    "maze_features": (-math.inf, math.inf), "variants": (0, 1), "predictors": (0, 1),
    "claim_outcomes": (-math.inf, math.inf),
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
        middle = next(name for name in ("mean", "fraction", "effort", "median", "change", "effect") if name in table)
        rounding = 1e-5 * known[middle].abs()  # of six digits
        assert (known["low"] <= known[middle] + rounding).all(), path.stem
        assert (known[middle] <= known["high"] + rounding).all(), path.stem


@pytest.mark.slow
def test_report_intervals_are_within_the_possible_range(sample_report):
    check_intervals(sample_report / "tables")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["original", "generated", "sensitivity-novelty"])
def test_report_with_one_experiment_writes_a_page(sample_report, tmp_path, name):
    shutil.copytree(sample_report / name, tmp_path / name)
    report(tmp_path, tmp_path)
    assert (tmp_path / "report.html").stat().st_size > 5_000


@pytest.mark.slow
def test_report_of_the_same_results_writes_the_same_files(sample_report, tmp_path):
    report(sample_report, tmp_path)
    for kind in ("tables", "figures"):
        names = sorted(path.name for path in (sample_report / kind).iterdir())
        assert filecmp.cmpfiles(sample_report / kind, tmp_path / kind, names, shallow=False)[0] == names
    assert filecmp.cmp(sample_report / "report.html", tmp_path / "report.html", shallow=False)


@pytest.mark.slow
def test_report_with_another_budget_has_no_verdicts(tmp_path):
    results = results_of("authored", 20, mazes=["hard"])
    runs = results.runs.assign(generations=100, evaluations=25_000, solved=False)
    write_results(results._replace(runs=runs), tmp_path / "authored")
    report(tmp_path, tmp_path)
    verdicts = pd.read_csv(tmp_path / "tables" / "evaluations.csv")["verdict"].dropna()
    assert set(verdicts) == {"no verdict, another budget"}


@pytest.mark.slow
def test_report_of_committed_results_writes_the_committed_tables(tmp_path):
    report(COMMITTED, tmp_path)
    check_intervals(tmp_path / "tables")
    names = sorted(path.name for path in (tmp_path / "tables").iterdir())
    assert names == sorted(path.name for path in (COMMITTED / "tables").iterdir())
    assert filecmp.cmpfiles(COMMITTED / "tables", tmp_path / "tables", names, shallow=False)[0] == names


def test_best_table_counts_runs_repeated_from_authored():
    tried = results_of("sensitivity-novelty", 3, mazes=["medium", "hard"])
    default = tried.runs["neighbours"].eq(15) & tried.runs["maze"].eq("hard") & tried.runs["seed"].lt(2)
    authored = tried._replace(runs=tried.runs[default])
    table = best_table(Replication({"authored": authored, "sensitivity-novelty": tried})).numbers.set_index("maze")
    assert table["paper_neighbours"].tolist() == [15, 15]
    assert table["runs_of_authored_there"].to_dict() == {"medium": 0, "hard": 2}
    assert best_table(Replication({"sensitivity-novelty": tried})).numbers["runs_of_authored_there"].tolist() == [0, 0]


def test_paper_ranking_totals_are_averages_except_for_four():
    for search, total in paper.RANKING_TOTALS.items():
        rows = [percent for (first, _), percent in paper.RANKINGS.items() if first == search]
        assert total.more == pytest.approx(sum(rows) / 5)
        columns = [percent for (_, second), percent in paper.RANKINGS.items() if second == search]
        assert (total.fewer == pytest.approx(sum(columns) / 5)) == (search in ("objective", "surprise"))


def test_default_first_reorders_the_rows_of_each_maze():
    table = pd.DataFrame(
        {"maze": ["hard"] * 3 + ["medium"] * 2, "variant": ["a", DEFAULT_RULE, "z", "a", DEFAULT_RULE]}
    )
    ordered = _default_first(table, "variant", DEFAULT_RULE)
    assert ordered["maze"].tolist() == table["maze"].tolist()
    assert ordered["variant"].tolist() == [DEFAULT_RULE, "a", "z", DEFAULT_RULE, "a"]


def test_captions_name_the_searches_of_incomplete_rules_and_mazes():
    runs = pd.DataFrame(
        {"variant": [DEFAULT_RULE] * 2 + ["within-species"], "search": ["novelty", "surprise", "surprise"]}
    )
    assert _missing(runs) == " The rule within-species was run with surprise search only."
    assert _missing(runs[:2]) == ""
    pairs = [("hard", search) for search in ("nss", "nsslc", "dns")] + [("very_hard", "nss"), ("very_hard", "nsslc")]
    runs = pd.DataFrame(pairs, columns=["maze", "search"])
    assert _missing_variants(runs) == " In the very hard maze, only NSS and NSSLC were run."
    assert _missing_variants(runs[:3]) == ""


def test_provenance_reports_each_kind_of_time_in_a_sentence():
    results = results_of("authored", 4, mazes=["hard"], searches=["surprise"])
    runs = results.runs.assign(seconds=3600.0, cpu_seconds=[1800.0, math.nan, math.nan, math.nan])
    text = provenance_section(Replication({"authored": results._replace(runs=runs)})).text
    assert (
        "1 run with recorded processor time took 0.5 core hours. 3 runs without processor time took 3.0 wall-clock"
        in text
    )


def test_predictors_table_tests_against_the_linear_predictor():
    experiments = {
        name: results_of(name, 4, mazes=["hard"], searches=["surprise"]) for name in ("authored", "predictors")
    }
    table = predictors_table(Replication(experiments)).numbers
    assert table["predictor"].tolist() == ["linear", "shared:ridge"]
    assert table["runs"].tolist() == [4, 4]
    assert table["p_log_rank"].isna().tolist() == [True, False]
    alone = predictors_table(Replication({"predictors": experiments["predictors"]}))
    assert alone.numbers["predictor"].tolist() == ["shared:ridge"]


def test_computed_once_calls_the_function_once_per_replication():
    calls = []

    @computed_once
    def table(replication):
        calls.append(replication)
        return len(calls)

    first, second = Replication({}), Replication({})
    assert [table(first), table(first), table(second), table(first)] == [1, 1, 2, 1]
