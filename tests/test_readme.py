import re
from runpy import run_path

import pandas as pd
import pytest
from documents import HOME, blocks_of, check_command, ran

import divergent
from divergent.selection import SEARCHES

README = (HOME / "README.md").read_text(encoding="utf-8")
BLOCKS = blocks_of(README)


def block(kind, containing):
    (text,) = [text for language, text in BLOCKS if language == kind and containing in text]
    return text


def before_and_after(diff):
    """The two programs that a diff is between."""
    lines = diff.splitlines()
    assert {line[:1] for line in lines} <= {" ", "+", "-", ""}
    return ["\n".join(line[1:] for line in lines if not line.startswith(other)) for other in "+-"]


def distance(printed):
    return float(printed.removesuffix(" from the goal\n"))


def test_readme_blocks_are_all_tested():
    assert sorted(language for language, _ in BLOCKS if language != "sh") == ["bibtex", "diff", "python"]


def test_readme_without_code_and_tables_has_at_most_800_words():
    text = re.sub(r"^```.*?^```$|<!--.*?-->", "", README, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^\|.*$", "", text, flags=re.MULTILINE)
    assert 300 < len(text.split()) <= 800


@pytest.mark.slow
def test_readme_first_search_solves_and_draws_its_maze(tmp_path):
    printed = ran(block("python", "draw_run"), tmp_path)
    assert printed.startswith("solved: True, after ")
    assert (tmp_path / "run.png").stat().st_size > 10_000
    assert (tmp_path / "run.gif").stat().st_size > 10_000


@pytest.mark.slow
def test_readme_walker_solves_the_task_only_with_the_diff(tmp_path):
    before, after = before_and_after(block("diff", "divergent.Fitness"))
    assert "divergent" not in before
    assert distance(ran(before, tmp_path)) == 4.0
    assert distance(ran(after, tmp_path)) < 1


def figure_script(name):
    return run_path(str(HOME / "docs" / "images" / f"{name}.py"))


@pytest.mark.slow
def test_median_runs_figure_with_two_generations_is_drawn(tmp_path):
    figure_script("median_runs")["draw"](tmp_path / "figure.png", 2)
    assert (tmp_path / "figure.png").stat().st_size > 10_000


def test_median_run_of_runs_with_ties_is_the_middle_row():
    runs = pd.DataFrame({"evaluations": [9, 5, 9, 9], "best_fitness": [1.0, 3.0, 2.0, 2.0], "seed": [0, 1, 3, 2]})
    assert figure_script("median_runs")["median_run"](runs) == (2, 9)  # order: seeds 1, 2, 3, 0


@pytest.mark.slow
def test_forest_figure_is_drawn(tmp_path):
    figure_script("forest")["draw"](tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size > 10_000


@pytest.mark.parametrize("line", [line for language, text in BLOCKS if language == "sh" for line in text.splitlines()])
def test_readme_commands_of_code_blocks_exist(line):
    check_command(line)


def test_readme_links_have_targets():
    links = re.findall(r"\]\(([^)]+)\)", README)
    assert links
    for link in links:
        assert link.startswith("https://") or (HOME / link).exists(), link
    for script in re.findall(r"`python (\S+\.py)`", README):
        assert (HOME / script).is_file(), script


def test_readme_names_every_search():
    table = README.split("## Searches")[1].split("\n## ")[0]
    assert set(re.findall(r"`(\w+)`", table)) == set(SEARCHES)


def test_readme_table_lists_the_searches_of_the_package():
    page = (HOME / "docs" / "reference" / "searches.md").read_text(encoding="utf-8")
    link = r'<a href="generated/divergent\.selection\.(\w+)\.html"><code>\2</code></a>'
    rows = re.findall(rf"^\| `(\w+)` \| {link} \|[^|]*\| (.*) \|$", page, flags=re.MULTILINE)
    assert {name: search for name, search, _ in rows} == {
        name: strategy.__name__ for name, strategy in SEARCHES.items()
    }
    for name, _, parameters in rows:
        cells = [] if parameters == "none" else parameters.split("<br>")
        documented = {
            key: value or None for key, value in (re.match(r"`(\w+)=?([^`]*)`", cell).groups() for cell in cells)
        }
        defaults = {key: value for key, value in (SEARCHES[name].__init__.__kwdefaults__ or {}).items() if key != "rng"}
        assert documented.keys() == defaults.keys()
        for key, value in documented.items():
            default = defaults[key]
            assert value is None or value in (repr(default).replace("'", '"'), getattr(default, "__name__", None))


def test_readme_citation_equals_the_citation_file():
    citation = (HOME / "CITATION.cff").read_text(encoding="utf-8")
    for words in ("Surprise Search for Evolutionary Divergence", "1706.02556"):
        assert words in README
        assert words in citation


def test_citation_file_has_the_version_of_the_package():
    assert f"\nversion: {divergent.__version__}\n" in (HOME / "CITATION.cff").read_text(encoding="utf-8")
