import re

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


def distance(said):
    return float(said.removesuffix(" from the goal\n"))


def test_every_block_has_a_test():
    assert sorted(language for language, _ in BLOCKS if language != "sh") == ["diff", "python", "python", "python"]


@pytest.mark.slow
def test_the_first_search_solves_its_maze_and_draws_it(tmp_path):
    said = ran(block("python", "draw_run"), tmp_path)
    assert said.startswith("solved: True, after ")
    assert (tmp_path / "run.png").stat().st_size > 10_000
    assert (tmp_path / "run.gif").stat().st_size > 10_000


@pytest.mark.slow
def test_without_the_diff_the_walker_stays_under_the_roof_and_with_it_arrives(tmp_path):
    before, after = before_and_after(block("diff", "divergent.Fitness"))
    assert "divergent" not in before
    assert distance(ran(before, tmp_path)) == 4.0
    assert distance(ran(after, tmp_path)) < 1


@pytest.mark.slow
def test_the_figure_can_be_drawn_again(tmp_path):
    script = HOME / "docs" / "images" / "side_by_side.py"
    code = f"import runpy, sys; sys.argv[1:] = 'figure.png', '2'; runpy.run_path({str(script)!r}, None, '__main__')"
    ran(code, tmp_path)
    assert (tmp_path / "figure.png").stat().st_size > 10_000


def test_exclusive_or_gets_better_in_a_few_generations(tmp_path):
    code = block("python", "neat.register")
    fewer = code.replace("GENERATIONS = 150\n", "GENERATIONS = 12\n")
    assert fewer != code
    said = ran(fewer, tmp_path)
    assert said.startswith("Genome(2 inputs and a bias, 1 outputs, ")
    assert float(said.split()[-3]) > 3.0


def test_the_strategy_of_the_readme_keeps_the_contract(tmp_path):
    assert ran(block("python", "check_strategy"), tmp_path) == ""


@pytest.mark.parametrize("line", [line for language, text in BLOCKS if language == "sh" for line in text.splitlines()])
def test_every_command_is_one_that_exists(line):
    check_command(line)


def test_every_link_leads_somewhere():
    links = re.findall(r"\]\(([^)]+)\)", README)
    assert links
    for link in links:
        assert link.startswith("https://") or (HOME / link).exists(), link
    for script in re.findall(r"`python (\S+\.py)`", README):
        assert (HOME / script).is_file(), script


def test_the_table_of_searches_is_that_of_the_package():
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \|[^|]*\|(.*)\|$", README, flags=re.MULTILINE)
    assert {name: search for name, search, _ in rows} == {name: one.__name__ for name, one in SEARCHES.items()}
    for name, _, parameters in rows:
        told = dict(re.findall(r"`(\w+)=([^`]+)`", parameters)) | dict.fromkeys(re.findall(r"`(bounds)`", parameters))
        defaults = {key: value for key, value in (SEARCHES[name].__init__.__kwdefaults__ or {}).items() if key != "rng"}
        assert told.keys() == defaults.keys()
        for key, value in told.items():
            default = defaults[key]
            assert value is None or value in (repr(default).replace("'", '"'), getattr(default, "__name__", None))


def test_the_paper_is_cited_as_in_the_citation_file():
    citation = (HOME / "CITATION.cff").read_text(encoding="utf-8")
    for words in ("Surprise Search for Evolutionary Divergence", "1706.02556"):
        assert words in README
        assert words in citation


def test_the_citation_file_names_this_version():
    assert f"\nversion: {divergent.__version__}\n" in (HOME / "CITATION.cff").read_text(encoding="utf-8")
