"""Write a self-contained HTML page with tables and figures, and write each table and figure to separate files."""

import base64
import html
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib
import numpy as np
import pandas as pd
from matplotlib import pyplot

from divergent.analysis import Verdict
from divergent.persistence._files import write_whole
from divergent.plots import STYLE
from divergent.version import __version__

# the icon of the documentation, inside the page so that the page stays a single file
ICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-label="divergent">
<rect width="64" height="64" rx="12" fill="#0b3c5d"/>
<g fill="none" stroke-width="5" stroke-linecap="round">
<path d="M12 32 C26 32 28 14 50 12" stroke="#56B4E9"/>
<path d="M12 32 H50" stroke="#ffffff"/>
<path d="M12 32 C26 32 28 50 50 52" stroke="#E69F00"/>
</g>
<circle cx="12" cy="32" r="6" fill="#ffffff"/>
</svg>
"""
MARKS = {True: "good", False: "bad", None: "none"}  # CSS class of a good, bad or undecided result

STYLE_SHEET = """
:root {
  color-scheme: light dark;
  --ink: #1d1d1f; --soft: #6b6b70; --line: #dcdce0; --rule: #98989d; --ground: #fff; --code: #f6f6f8;
  --good: #00664a; --bad: #a63c00; --accent: #005a8c;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ink: #e8e8ea; --soft: #a5a7ad; --line: #34373d; --rule: #6a6d74; --ground: #16181c; --code: #22252a;
    --good: #4cc9a0; --bad: #f5a06a; --accent: #6db9ec;
  }
  /* figures keep the colours of the searches, on a light card */
  img { background: #fff; border-radius: 6px; padding: 8px; filter: brightness(.93); }
}
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--ground); font: 16px/1.55 Georgia, "Times New Roman", serif; }
header, main, footer { max-width: 64rem; margin: 0 auto; padding: 0 1.5rem; }
h1, h2, nav, table, .home, footer, figcaption, summary {
  font-family: system-ui, "Segoe UI", Helvetica, Arial, sans-serif;
}
h1 { font-size: 2rem; line-height: 1.2; margin: 3rem 0 .75rem; }
h2 { font-size: 1.35rem; margin: 3.5rem 0 .75rem; padding-top: 1rem; border-top: 2px solid var(--ink); }
p, ul { max-width: 44rem; }
p.home { font-size: .9rem; margin: 1.5rem 0 0; }
p.home + h1 { margin-top: 1.25rem; }
footer { margin-top: 4rem; border-top: 1px solid var(--line); font-size: .87rem; color: var(--soft); }
p.lead { font-size: 1.2rem; line-height: 1.45; }
a { color: var(--accent); }
nav { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; font-size: .9rem; }
figure { margin: 1.75rem 0; overflow-x: auto; }
figcaption, summary { max-width: 44rem; font-size: .87rem; line-height: 1.45; color: var(--soft); margin: .5rem 0; }
summary { cursor: pointer; color: var(--accent); }
img { max-width: 100%; height: auto; display: block; }
table { border-collapse: collapse; font-size: .84rem; font-variant-numeric: tabular-nums; }
th, td { padding: .32rem .75rem .32rem 0; text-align: left; white-space: nowrap; vertical-align: top; }
thead th { border-bottom: 1.5px solid var(--ink); font-weight: 600; }
tbody td { border-bottom: 1px solid var(--line); }
tbody tr.first td { border-top: 1.5px solid var(--rule); }
.good { color: var(--good); font-weight: 600; }
.bad { color: var(--bad); font-weight: 600; }
.none { color: var(--soft); }
pre { font-size: .75rem; line-height: 1.5; background: var(--code); padding: 1rem; overflow-x: auto; }
@media print { body { font-size: 11pt; } figure, tr { break-inside: avoid; } nav, .home { display: none; } }
"""


class Table(NamedTuple):
    """Table with numbers for the CSV file and formatted text for the page."""

    name: str
    caption: str
    numbers: pd.DataFrame
    shown: pd.DataFrame


class Figure(NamedTuple):
    """Figure with a file name and a caption; `axes` are matplotlib axes of the figure."""

    name: str
    caption: str
    axes: Any


class Section(NamedTuple):
    """Section of a page with a title, HTML text, and a sequence of tables and figures."""

    title: str
    text: str
    items: Sequence[Table | Figure] = ()


def write_page(title: str, sections: Sequence[Section], out: Path, home: str = "", description: str = "") -> Path:
    """Write the page `report.html`, the tables `tables/NAME.csv` and the figures `figures/NAME.png` and `.svg`.

    The content of the files depends only on the arguments and the version of `divergent`. Captions and the text of
    table cells are escaped for HTML.

    Parameters
    ----------
    title : str
        Title of the page.
    sections : sequence of Section
        Sections of the page, in order.
    out : Path
        Output folder.
    home : str, default=""
        Address of the documentation page to which the header and the footer link; no link by default.
    description : str, default=""
        One sentence about the page for search engines; the title by default.

    Returns
    -------
    Path
        Path of the HTML page.
    """
    for folder in (out / "tables", out / "figures"):
        folder.mkdir(parents=True, exist_ok=True)
    body = []
    for number, section in enumerate(sections):
        items = [_table(item, out) if isinstance(item, Table) else _figure(item, out) for item in section.items]
        heading = f'<section id="section-{number}">\n<h2>{html.escape(section.title)}</h2>'
        body.append("\n".join([heading, section.text, *items, "</section>"]))
    links = "".join(
        f'<a href="#section-{number}">{html.escape(section.title)}</a>' for number, section in enumerate(sections)
    )
    link = f'<a href="{html.escape(home)}">Documentation of divergent</a>' if home else ""
    text = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="{html.escape(description or title)}">
<title>{html.escape(title)}</title>
<link rel="icon" href="data:image/svg+xml;base64,{base64.b64encode(ICON.encode()).decode()}">
<style>{STYLE_SHEET}</style>
</head>
<body>
<header>{f'<p class="home">{link}</p>' if home else ""}<h1>{html.escape(title)}</h1><nav>{links}</nav></header>
<main>
{"".join(body)}
</main>
<footer><p>Written by divergent {__version__}.{f" {link}" if home else ""}</p></footer>
</body>
</html>
"""
    path = out / "report.html"
    write_whole(path, text.encode())
    return path


def _table(table: Table, out: Path) -> str:
    """Write the CSV file of a table and return the HTML of the table."""
    text = table.numbers.to_csv(index=False, float_format="%.6g", lineterminator="\n")
    write_whole(out / "tables" / f"{table.name}.csv", text.encode())
    head = "".join(f"<th>{html.escape(str(name))}</th>" for name in table.shown.columns)
    rows, previous = [], None
    for row in table.shown.itertuples(index=False):
        new = ' class="first"' if previous not in (None, row[0]) else ""
        rows.append(f"<tr{new}>{''.join(f'<td>{_cell(value)}</td>' for value in row)}</tr>")
        previous = row[0]
    body = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    caption = html.escape(table.caption)
    return f"<details><summary>{caption}</summary><figure>{body}</figure></details>"


def _cell(value: Any) -> str:
    """Return the HTML of a table cell; a line break in the cell becomes a `<br>` element."""
    text = html.escape("" if pd.isna(value) else str(value)).replace("\n", "<br>")
    if isinstance(value, Verdict) and text:
        return f'<span class="{MARKS[value.good]}">{text}</span>'
    return text


def _figure(figure: Figure, out: Path) -> str:
    """Write a figure as PNG and SVG files and return the HTML of the figure."""
    drawn = np.ravel(figure.axes)[0].figure
    content = {}
    with matplotlib.rc_context(STYLE):
        # SVG files have no date, so that equal figures give identical files
        for kind, notes in (("png", None), ("svg", {"Date": None})):
            buffer = BytesIO()
            drawn.savefig(buffer, format=kind, metadata=notes)
            content[kind] = buffer.getvalue()
            write_whole(out / "figures" / f"{figure.name}.{kind}", content[kind])
    pyplot.close(drawn)
    caption = html.escape(figure.caption)
    image = base64.b64encode(content["svg"]).decode()
    return (
        f'<figure><img alt="{caption}" src="data:image/svg+xml;base64,{image}">'
        f"<figcaption>{caption}</figcaption></figure>"
    )
