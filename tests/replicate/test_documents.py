from pathlib import Path

import pytest
from sample_tables import results_of

from divergent.replicate import documents
from divergent.replicate.report import read_all, read_variants

HOME = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def committed():
    return read_all(HOME / "results")


@pytest.mark.slow
@pytest.mark.parametrize("name", documents.DOCUMENTS)
def test_every_number_in_a_block_comes_from_the_committed_results(name, committed):
    text = (HOME / name).read_text(encoding="utf-8")
    assert documents.BLOCK.search(text)
    assert documents.told(text, committed, read_variants(HOME / "results")) == text


def test_every_block_can_be_told_without_results_and_with_them():
    found = {"authored": results_of("authored", 20, mazes=["hard", "extremely_hard"])}
    for name in documents.BLOCKS:
        text = f"Before\n<!-- results: {name} -->\nold\n<!-- end of results -->\nafter"
        for results in (found, {}):
            told = documents.told(text, results)
            assert told.startswith("Before\n")
            assert told.endswith("<!-- end of results -->\nafter")
            assert "old" not in told
            assert documents.told(told, results) == told


def test_variants_stand_beside_the_rule():
    results = results_of("authored", 20, mazes=["hard", "very_hard"])
    variants = results.runs[results.runs["maze"].eq("hard") & results.runs["search"].eq("novelty")].head(5)
    text = "<!-- results: variants -->\n<!-- end of results -->"
    told = documents.told(text, {"authored": results}, variants.assign(variant="within-species"))
    assert [line.split(" | ")[1:3] for line in told.splitlines()[3:-1]] == [
        ["the rule", "Novelty"],
        ["within-species", "Novelty"],
    ]
    assert told.splitlines()[1].endswith("| log-rank p, against the rule |")
    assert told.splitlines()[3].endswith("|  |")  # the rule is not tested against itself
    assert 0 <= float(told.splitlines()[4].strip("| ").split(" | ")[-1]) <= 1
    assert documents.NOT_YET in documents.told(text, {"authored": results})


def test_what_compares_searches_waits_until_they_are_there():
    results = results_of("generated", 2, mazes=["generated:0", "generated:1"])
    objective = results._replace(runs=results.runs[results.runs["search"] == "objective"])
    for name in ("over_mazes", "features"):
        text = f"<!-- results: {name} -->\n<!-- end of results -->"
        assert documents.NOT_YET in documents.told(text, {"generated": objective})
        assert documents.NOT_YET not in documents.told(text, {"generated": results})


def test_a_search_is_told_of_over_generated_mazes_once_it_was_run_in_all_of_them():
    results = results_of("generated", 2, mazes=["generated:0", "generated:1"])
    runs = results.runs
    partly = results._replace(runs=runs[runs["search"].ne("novelty") | runs["maze"].eq("generated:0")])
    text = "<!-- results: generated -->\n<!-- end of results -->"
    assert "Novelty" in documents.told(text, {"generated": results})
    assert "Novelty" not in documents.told(text, {"generated": partly})
    apart = runs[runs["seed"].eq(0) == runs["maze"].eq("generated:0")]  # one seed here, another there
    assert documents.NOT_YET in documents.told(text, {"generated": results._replace(runs=apart)})


def test_the_paper_stands_between_the_two_robots():
    found = {"authored": results_of("authored", 20, mazes=["hard"]), "original": results_of("original", 20)}
    text = documents.told("<!-- results: robots -->\n<!-- end of results -->", found)
    head, _, *rows = text.splitlines()[1:-1]
    robots = ["original robot", "the paper", "described robot"]
    assert [cell for cell in head.split(" | ") if "evaluations" in cell] == [
        f"evaluations: {name}{' |' * (name == robots[-1])}" for name in robots
    ]
    assert [row.split(" | ")[0] for row in rows] == ["| Medium"] * 4 + ["| Hard"] * 6


def test_an_unknown_block_is_refused():
    with pytest.raises(ValueError, match="no block of results is called 'nothing'; there are conclusion, robots"):
        documents.told("<!-- results: nothing -->\n<!-- end of results -->", {})


def test_a_document_is_written_anew(tmp_path):
    path = tmp_path / "README.md"
    path.write_text("<!-- results: paper_itself -->\n<!-- end of results -->\n")
    documents.rewrite(path, {})
    assert "| Hard | 23,566 and 28,493 | 0.05501 | 99 and 93 | 0.06486 |" in path.read_text()
