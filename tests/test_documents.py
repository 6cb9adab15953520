"""Every page of the site is true: its programs run, its commands and links exist, its pictures are those it draws."""

import re
from pathlib import Path

import pytest
from documents import HOME, blocks_of, check_command, ran

DOCS = HOME / "docs"
PAGES = {str(path.relative_to(DOCS)): path.read_text(encoding="utf-8") for path in sorted(DOCS.rglob("*.md"))}
GUARD = 'if __name__ == "__main__":'
FEWER = {r"^RUNS = \d+$": "RUNS = 1", r"^GENERATIONS = \d+$": "GENERATIONS = 4"}
"""Programs that take long name these sizes first, so that a test can make them small."""


def programs(page):
    """The programs of a page, each with what it prints: all Python blocks together, but those with a guard alone.

    A text block is what the Python block before it prints.
    """
    together, alone = ["", ""], []
    for language, text in blocks_of(PAGES[page]):
        if language == "python":
            current = ["", ""] if GUARD in text else together
            if current is not together:
                alone.append(current)
            current[0] += text + "\n"
        elif language == "text":
            current[1] += text
    return [program for program in (together, *alone) if program[0]]


def made_small(code):
    for size, fewer in FEWER.items():
        code = re.sub(size, fewer, code, flags=re.MULTILINE)
    return code


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if programs(page)])
def test_page_programs_print_the_shown_text_and_draw_the_figures(page, tmp_path):
    for code, expected in programs(page):
        small = made_small(code)
        said = ran(small, tmp_path)
        assert said == expected or small != code
    drawn = {path.name for path in tmp_path.iterdir() if path.suffix in (".png", ".gif")}
    shown = {Path(name).name for name in re.findall(r"!\[[^\]]*\]\((?:\.\./)?images/([^)]+)\)", PAGES[page])}
    assert drawn <= shown


def test_shown_text_matches_printed_text():
    told = {page for page in PAGES if any(expected for _, expected in programs(page))}
    assert {"howto/recipes.md", "explanation/behaviour_descriptors.md"} <= told


@pytest.mark.parametrize(
    ("page", "line"),
    [(page, line) for page, text in PAGES.items() for block in blocks_of(text, "sh") for line in block.splitlines()],
)
def test_page_commands_exist(page, line):
    check_command(line)


@pytest.mark.parametrize("page", PAGES)
def test_page_links_have_targets(page):
    text = re.sub(r"^```.*?^```$|^::::.*?^::::$", "", PAGES[page], flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        place = (DOCS / page).parent / link
        assert link.startswith("https://") or place.exists() or "explore.html" in link, link


@pytest.mark.parametrize("page", PAGES)
def test_page_inclusions_have_their_first_and_last_lines(page):
    for block in re.findall(r"^```\{include\} (.*?)^```$", PAGES[page], flags=re.MULTILINE | re.DOTALL):
        name, *options = block.splitlines()
        included = ((DOCS / page).parent / name).read_text(encoding="utf-8")
        for mark in re.findall(r'^:(?:start-after|end-before): "(.*)"$', "\n".join(options), flags=re.MULTILINE):
            assert mark in included, mark


def test_pages_are_reachable_from_the_start_page():
    seen, ahead = set(), ["index"]
    while ahead:
        page = ahead.pop()
        seen.add(page)
        for block in re.findall(r"^```\{toctree\}\n(.*?)^```$", PAGES[f"{page}.md"], flags=re.MULTILINE | re.DOTALL):
            for entry in filter(None, block.splitlines()):
                if not entry.startswith(":"):
                    ahead.extend(named_by(page, entry) - seen)
    assert {f"{page}.md" for page in seen} == set(PAGES)


def named_by(page, entry):
    """The pages of the site that an entry of a page's table of contents stands for."""
    found = DOCS.joinpath(page).parent.glob(f"{entry}.md")
    paths = [path.resolve() for path in found]
    return {str(path.relative_to(DOCS).with_suffix("")) for path in paths if path.is_relative_to(DOCS)}
