"""Every Python block of the pages in docs runs and prints what the page says.

The blocks of a page are one program, from top to bottom, except one with a main guard, which is a program of its own.
A text block is what the Python block before it prints.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HOME = Path(__file__).parents[1]
PAGES = sorted((HOME / "docs").glob("*.md"))
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
GUARD = 'if __name__ == "__main__":'


def programs(page):
    """The programs of a page, each with what it prints."""
    together, alone = ["", ""], []
    for language, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        if language == "python":
            current = ["", ""] if GUARD in text else together
            if current is not together:
                alone.append(current)
            current[0] += text + "\n"
        else:
            current[1] += text
    return [program for program in (together, *alone) if program[0]]


CASES = [(page.name, number) for page in PAGES for number in range(len(programs(page)))]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "number"), CASES)
def test_a_page_runs_and_prints_what_it_says(name, number, tmp_path):
    code, expected = programs(HOME / "docs" / name)[number]
    script = tmp_path / "snippets.py"
    script.write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path, env=os.environ | {"MPLBACKEND": "Agg"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout == expected


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_of_a_page_leads_somewhere(page):
    for link in re.findall(r"\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
        assert link.startswith(("https://", "#")) or (page.parent / link.partition("#")[0]).exists(), link


def test_text_that_is_promised_is_found():
    told = {page.name for page in PAGES if any(expected for _, expected in programs(page))}
    assert {"recipes.md", "choosing_behaviours.md"} <= told
