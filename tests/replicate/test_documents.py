from pathlib import Path

import numpy as np
import pytest
from sample_tables import results_of
from scipy import stats

from divergent import analysis
from divergent.neat import Genome
from divergent.replicate import _documents as documents
from divergent.replicate import paper
from divergent.replicate._experiments import CONFIRMATORY
from divergent.replicate._paper_comparison import expectation, expected_agreements
from divergent.replicate._replication import Replication, read_replication

HOME = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def committed():
    return read_replication(HOME / "results")


@pytest.mark.slow
@pytest.mark.parametrize("name", documents.DOCUMENTS)
def test_committed_documents_rendered_again_are_unchanged(name, committed):
    text = (HOME / name).read_text(encoding="utf-8")
    assert "<!-- results: " in text
    assert documents.render(text, committed) == text


def test_fidelity_page_medium_maze_has_the_numbers_of_the_committed_runs(committed):
    runs = committed.experiments["lehman2008"].runs
    cells = []
    for search in ("objective", "novelty"):
        chosen = runs[runs["maze"].eq("medium") & runs["search"].eq(search)]
        counted = analysis.censor_at_budget(chosen)["evaluations"]
        cells.append(f"{chosen['solved'].sum()} of {len(chosen)} | {counted.mean():,.0f} ({counted.std():,.0f})")
    row = f'| R1 to R7, `rules="lehman2008"`, seeds 1000 to 1149 | {" | ".join(cells)} |'
    assert row in (HOME / "docs" / "benchmarks" / "fidelity.md").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("experiment", ["lehman2008", "fresh"])
def test_fidelity_page_tables_have_the_numbers_of_the_committed_runs(experiment, committed):
    runs = committed.experiments[experiment].runs
    page = (HOME / "docs" / "benchmarks" / "fidelity.md").read_text(encoding="utf-8").splitlines()
    for maze in paper.PUBLISHED:
        for search in ("objective", "novelty", "surprise", "ssnp"):
            chosen = runs[runs["maze"].eq(maze) & runs["search"].eq(search)]
            counted = analysis.censor_at_budget(chosen)["evaluations"]
            reported = paper.EVALUATIONS[maze, search]
            p = stats.ttest_ind_from_stats(
                counted.mean(), counted.std(), len(counted), reported.mean, reported.sd, paper.RUNS, equal_var=False
            ).pvalue
            cells = {
                maze, search.replace("ssnp", "SSnp"), f"{chosen['solved'].sum()} of {len(chosen)}",
                f"{counted.mean():,.0f} ({counted.std():,.0f})", "< 0.001" if p < 0.001 else f"{p:.2f}",
            }  # fmt: skip
            assert any(cells <= set(row.strip("| ").split(" | ")) for row in page), cells


def merge_cells(counts, factor):
    """Add the counts of neighbouring cells, so that the side of a cell is `factor` times as long."""
    rows, columns = (-(-length // factor) for length in counts.shape)
    padded = np.zeros((rows * factor, columns * factor))
    padded[: counts.shape[0], : counts.shape[1]] = counts
    return padded.reshape(rows, factor, columns, factor).sum(axis=(1, 3))


def test_replication_page_has_the_entropy_of_the_committed_runs(committed):
    differences, levels = [], []
    for maze, name in CONFIRMATORY.items():
        results = committed.experiments[name]
        solved = results.runs[results.runs["solved"] & results.runs["maze"].eq(maze)]
        means = solved.groupby("search")["entropy"].mean()
        known = paper.ENTROPY[maze, "surprise"].entropy - paper.ENTROPY[maze, "novelty"].entropy
        ours = means["surprise"] - means["novelty"]
        differences.append(f"{maze.replace('_', ' ')} {ours:+.3f} against {known:+.2f}")
        for search in paper.COMPARED:
            (typical,) = [counts for name, counts in results.visits.items() if name.startswith(f"{maze}/{search}/")]
            levels += [analysis.entropy(merge_cells(typical, factor)) for factor in range(1, 11)]
    low, high = (end(known.entropy for known in paper.ENTROPY.values()) for end in (min, max))
    page = (HOME / "docs" / "benchmarks" / "replication.md").read_text(encoding="utf-8")
    assert "; ".join(differences) in page
    assert f"The entropy in the paper is {low} to {high}." in page
    assert f"the entropy is {min(levels):.2f} to {max(levels):.2f} with grid cells of 5 to 50 units" in page


def test_solution_pairs_block_has_the_paper_and_only_mazes_with_genomes():
    genomes = {
        f"hard/surprise/{1000 + number}": Genome([[0, 0, 2, weight, 1]], inputs=2, outputs=1).to_json()
        for number, weight in enumerate((0.0, 1.0, 3.0))
    }
    results = results_of("lehman2008", 3, mazes=["hard"])
    text = "<!-- results: solution_pairs -->\n<!-- end of results -->"
    assert documents.NO_RESULTS in documents.render(text, Replication({"lehman2008": results}))
    *_, row, _ = documents.render(text, Replication({"lehman2008": results._replace(genomes=genomes)})).splitlines()
    cells = row.strip("| ").split(" | ")
    assert cells[:5] == ["Hard", "Surprise", "as in Lehman's program", "3", "6.00 (3.00)"]
    assert cells[-1] == "73.24 (36.82)"


def test_render_replaces_every_block_with_and_without_results():
    experiments = {"authored": results_of("authored", 20, mazes=["hard", "extremely_hard"])}
    for name in documents.BLOCKS:
        text = f"Before\n<!-- results: {name} -->\nold\n<!-- end of results -->\nafter"
        for replication in (Replication(experiments), Replication({})):
            rendered = documents.render(text, replication)
            assert rendered.startswith("Before\n")
            assert rendered.endswith("<!-- end of results -->\nafter")
            assert "old" not in rendered
            assert documents.render(rendered, replication) == rendered


def test_variants_block_compares_variants_with_the_default_rule():
    results = results_of("authored", 20, mazes=["hard", "very_hard"])
    variants = results.runs[results.runs["maze"].eq("hard") & results.runs["search"].eq("novelty")].head(5)
    text = "<!-- results: variants -->\n<!-- end of results -->"
    replication = Replication({"authored": results}, variants.assign(variant="within-species"))
    lines = documents.render(text, replication).splitlines()
    assert [line.split(" | ")[1:3] for line in lines[3:-1]] == [
        ["default rule", "Novelty"],
        ["within-species", "Novelty"],
    ]
    assert lines[1].endswith("| log-rank p, against default rule |")
    assert lines[3].endswith("|  |")  # the default rule is not tested against itself
    assert 0 <= float(lines[4].strip("| ").split(" | ")[-1]) <= 1
    assert documents.NO_RESULTS in documents.render(text, Replication({"authored": results}))


def test_comparison_blocks_without_both_searches_report_no_results():
    results = results_of("generated", 2, mazes=["generated:0", "generated:1"])
    objective = results._replace(runs=results.runs[results.runs["search"] == "objective"])
    for name in ("over_mazes", "features"):
        text = f"<!-- results: {name} -->\n<!-- end of results -->"
        assert documents.NO_RESULTS in documents.render(text, Replication({"generated": objective}))
        assert documents.NO_RESULTS not in documents.render(text, Replication({"generated": results}))


def test_generated_block_leaves_out_searches_missing_in_a_maze():
    results = results_of("generated", 2, mazes=["generated:0", "generated:1"])
    runs = results.runs
    partly = results._replace(runs=runs[runs["search"].ne("novelty") | runs["maze"].eq("generated:0")])
    text = "<!-- results: generated -->\n<!-- end of results -->"
    assert "Novelty" in documents.render(text, Replication({"generated": results}))
    assert "Novelty" not in documents.render(text, Replication({"generated": partly}))
    apart = runs[runs["seed"].eq(0) == runs["maze"].eq("generated:0")]  # different seeds in the two mazes
    assert documents.NO_RESULTS in documents.render(text, Replication({"generated": results._replace(runs=apart)}))


def test_robots_block_shows_the_paper_between_both_robots():
    experiments = {"authored": results_of("authored", 20, mazes=["hard"]), "original": results_of("original", 20)}
    text = documents.render("<!-- results: robots -->\n<!-- end of results -->", Replication(experiments))
    head, _, *rows = text.splitlines()[1:-1]
    robots = ["five-rangefinder robot", "the paper", "six-rangefinder robot"]
    assert [cell for cell in head.split(" | ") if "evaluations" in cell] == [
        f"evaluations: {name}{' |' * (name == robots[-1])}" for name in robots
    ]
    assert [row.split(" | ")[0] for row in rows] == ["| Medium"] * 4 + ["| Hard"] * 6


def test_render_with_unknown_block_raises():
    with pytest.raises(ValueError, match=r"must be one of conclusion, robots, .*, got 'nothing'"):
        documents.render("<!-- results: nothing -->\n<!-- end of results -->", Replication({}))


def test_rewrite_replaces_the_blocks_of_a_file(tmp_path):
    path = tmp_path / "README.md"
    path.write_text("<!-- results: paper_itself -->\n<!-- end of results -->\n")
    documents.rewrite(path, Replication({}))
    assert "| Hard | 23,566 and 28,493 | 0.05501 | 99 and 93 | 0.06486 |" in path.read_text()


def test_conclusion_block_has_the_expected_number_of_agreements_below_the_counts():
    text = "<!-- results: conclusion -->\n<!-- end of results -->"
    lines = documents.render(text, Replication({"original": results_of("original", 20)})).splitlines()
    assert lines[3].startswith("| five-rangefinder robot | 14 | ")
    assert lines[-2] == expectation()


def test_forking_paths_page_has_the_expected_number_of_agreements():
    expected = expected_agreements()
    page = (HOME / "docs" / "benchmarks" / "forking_paths.md").read_text(encoding="utf-8")
    assert f'gives "agrees" in {expected.sum():.1f} of {len(expected)} comparisons on average' in page
