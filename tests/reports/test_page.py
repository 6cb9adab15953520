import re

import pandas as pd
import pytest
from matplotlib import pyplot

from divergent.analysis import Verdict
from divergent.reports._page import STYLE_SHEET, Figure, Section, Table, write_page
from divergent.version import __version__


@pytest.fixture
def sections():
    verdicts = [Verdict("agrees", 0.4, 30), Verdict("differs", 0.01, 30), Verdict("no verdict", runs=3), Verdict("")]
    numbers = pd.DataFrame({"maze": ["<a>", "<a>", "b", "b"], "mean": 1 / 3, "verdict": verdicts})
    table = Table("solved", "A caption with 3 < 4.", numbers, numbers)
    return [
        Section("First & last", "<p>Words.</p>", [table, Table("more", "Folded.", numbers, numbers)]),
        Section("Figures", "", [Figure("dots", "Two dots.", pyplot.subplots()[1])]),
    ]


def test_write_page_writes_tables_figures_and_page(sections, tmp_path):
    text = write_page("A title", sections, tmp_path).read_text()
    assert {path.name for path in tmp_path.rglob("*.*")} == {
        "report.html", "solved.csv", "more.csv", "dots.png", "dots.svg"
    }  # fmt: skip
    assert '<a href="#section-0">First &amp; last</a>' in text
    assert "<td>&lt;a&gt;</td>" in text
    assert "<details><summary>Folded.</summary>" in text


def test_write_page_renders_line_breaks_of_cells(tmp_path):
    table = Table("lines", "Two lines.", pd.DataFrame(), pd.DataFrame({"effect": ["3 < 4\nand 4 > 3"]}))
    text = write_page("A title", [Section("Lines", "", [table])], tmp_path).read_text()
    assert "<td>3 &lt; 4<br>and 4 &gt; 3</td>" in text


def test_write_page_links_to_the_documentation_only_with_a_home(sections, tmp_path):
    home = "../docs/index.html?a&b"
    assert 'href="../' not in write_page("A title", sections, tmp_path).read_text()
    text = write_page("A title", sections, tmp_path, home).read_text()
    header, footer = (re.search(f"<{name}>(.*?)</{name}>", text, re.DOTALL)[1] for name in ("header", "footer"))
    assert '<a href="../docs/index.html?a&amp;b">Documentation of divergent</a>' in header
    assert '<a href="../docs/index.html?a&amp;b">' in footer
    assert f"divergent {__version__}" in footer


def test_write_page_marks_verdicts_by_kind(sections, tmp_path):
    text = write_page("A title", sections, tmp_path).read_text()
    assert '<span class="good">agrees (30 runs)</span>' in text
    assert '<span class="bad">differs (30 runs)</span>' in text
    assert '<span class="none">no verdict (3 runs)</span>' in text


def test_write_page_writes_verdicts_as_text_in_csv(sections, tmp_path):
    write_page("A title", sections, tmp_path)
    rows = (tmp_path / "tables" / "solved.csv").read_text().splitlines()
    assert rows[:3] == ["maze,mean,verdict", "<a>,0.333333,agrees (30 runs)", "<a>,0.333333,differs (30 runs)"]


def test_page_style_in_a_dark_scheme_defines_every_colour_again():
    light, dark = re.findall(r":root \{(.*?)\}", STYLE_SHEET, re.DOTALL)
    names = set(re.findall(r"--\w+", light))
    assert names == set(re.findall(r"--\w+", dark))
    assert set(re.findall(r"var\((--\w+)\)", STYLE_SHEET)) <= names
