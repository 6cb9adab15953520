"""Pages of the site: programs run, commands and links exist, figures are those that the programs draw."""

import ast
import re
from pathlib import Path

import pytest
from documents import HOME, blocks_of, check_command, ran

DOCS = HOME / "docs"
GENERATED = ("gallery/", "reference/generated/", "explorers/")  # pages that `make docs` writes, and notes on data
PAGES = {
    path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(DOCS.rglob("*.md"))
    if not path.relative_to(DOCS).as_posix().startswith(GENERATED)
}
SITE = "https://example.org/divergent/site/"
GENERATED_PAGES = {
    "docs/gallery/index.html",
    *(f"docs/gallery/{path.stem}.html" for path in HOME.glob("examples/gallery_pages/*/*.py")),
    *(f"_static/explorer_{path.stem}.html" for path in DOCS.glob("explorers/*.explorer")),
}
"""Pages that only the site has: links to them begin with its address, so that they work on a code host."""
WITH_DIRECTIVES = {"glossary.md", *(page for page in PAGES if "```{eval-rst}" in PAGES[page])}
GUARD = 'if __name__ == "__main__":'
FEWER = {r"^RUNS = \d+$": "RUNS = 1", r"^GENERATIONS = \d+$": "GENERATIONS = 4"}
"""Programs that take long name these sizes first, so that a test can make them small."""


@pytest.mark.parametrize("page", PAGES)
def test_page_has_no_line_that_markdown_reads_as_a_comment(page):
    # MyST drops a line that begins with "%", such as a wrapped "95 % interval"
    assert not re.search(r"^\s*%", PAGES[page], flags=re.MULTILINE)


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


def printed_forms(code):
    """Return a pattern for each call of `print`: the comment behind it, or its literal text with any values."""
    lines = code.splitlines()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print":
            comment = lines[node.end_lineno - 1][node.end_col_offset :].strip()
            yield re.escape(comment.removeprefix("# ")) if comment else " ".join(map(form, node.args))


def form(argument):
    """Return the pattern of an argument of `print`."""
    parts = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
    return "".join(re.escape(part.value) if isinstance(part, ast.Constant) else ".*" for part in parts)


def check_forms(printed, forms):
    """Check that every printed line has one of the forms, and that every form is printed."""
    forms = set(forms)
    matches = [{pattern for pattern in forms if re.fullmatch(pattern, line)} for line in printed.splitlines()]
    assert all(matches), printed
    assert forms == set().union(*matches), printed


def test_check_forms_of_another_text_or_a_missing_line_fails():
    forms = list(printed_forms('print(f"solved: {x} of {y}")\nprint(genome)  # Genome(2)\n'))
    check_forms("solved: 3 of 4\nGenome(2)\n", forms)
    for printed in ("solved: 3\nGenome(2)\n", "solved: 3 of 4\nGenome(3)\n", "Genome(2)\n", ""):
        with pytest.raises(AssertionError):
            check_forms(printed, forms)


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if programs(page)])
def test_page_programs_print_the_shown_text_and_draw_the_figures(page, tmp_path):
    for code, expected in programs(page):
        small = made_small(code)
        printed = ran(small, tmp_path)
        if small == code:
            assert printed == expected
        else:
            assert not expected, "the text of a program with smaller sizes cannot be compared"
            check_forms(printed, printed_forms(small))
    drawn = {path.name for path in tmp_path.iterdir() if path.suffix in (".png", ".gif")}
    shown = {Path(name).name for name in re.findall(r"!\[[^\]]*\]\((?:\.\./)?images/([^)]+)\)", PAGES[page])}
    assert drawn <= shown


def test_shown_text_matches_printed_text():
    pages = {page for page in PAGES if any(expected for _, expected in programs(page))}
    assert {"howto/recipes.md", "explanation/behaviour_descriptors.md"} <= pages


@pytest.mark.parametrize(
    ("page", "line"),
    [(page, line) for page, text in PAGES.items() for block in blocks_of(text, "sh") for line in block.splitlines()],
)
def test_documents_commands_of_pages_exist(page, line):
    check_command(line)


@pytest.mark.parametrize("page", PAGES)
def test_page_links_have_targets(page):
    text = re.sub(r"^```.*?^```$", "", PAGES[page], flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        if link.startswith(SITE):
            assert link.removeprefix(SITE) in GENERATED_PAGES, link
        else:
            assert link.startswith("https://") or ((DOCS / page).parent / link).exists(), link


@pytest.mark.parametrize("page", [page for page in PAGES if page not in WITH_DIRECTIVES])
def test_page_is_ordinary_markdown_on_a_code_host(page):
    text = re.sub(r"^```\w*\n.*?^```$|<!--.*?-->|`[^`\n]+`", "", PAGES[page], flags=re.MULTILINE | re.DOTALL)
    assert not re.search(r"^---|^:::|^```\{|\{[\w-]+\}|<iframe|\(\S*gallery/\S*\.md\)", text, flags=re.MULTILINE)


def test_example_explorers_are_linked_from_the_readme_by_one_page():
    assert "(docs/explore.md)" in (HOME / "README.md").read_text(encoding="utf-8")
    linked = re.findall(rf"\({re.escape(SITE)}(_static/explorer_\w+\.html)\)", PAGES["explore.md"])
    assert set(linked) == {name for name in GENERATED_PAGES if "explorer_" in name}


def test_site_has_the_same_address_in_pages_and_package_metadata():
    metadata = (HOME / "setup.cfg").read_text(encoding="utf-8")
    assert f"Documentation = {SITE.removesuffix('/')}\n" in metadata


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
        for block in re.findall(r"^<!-- \{toctree\}\n(.*?)^-->$", PAGES[f"{page}.md"], flags=re.MULTILINE | re.DOTALL):
            for entry in filter(None, block.splitlines()):
                if not entry.startswith(":"):
                    ahead.extend(named_by(page, entry) - seen)
    assert {f"{page}.md" for page in seen} == set(PAGES)


def named_by(page, entry):
    """The pages of the site that an entry of a page's table of contents stands for."""
    files = DOCS.joinpath(page).parent.glob(f"{entry}.md")
    paths = [path.resolve() for path in files]
    names = {path.relative_to(DOCS).with_suffix("").as_posix() for path in paths if path.is_relative_to(DOCS)}
    return {name for name in names if not name.startswith(GENERATED)}
