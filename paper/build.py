"""Build the paper as one HTML page with embedded figures and a list of references: python paper/build.py [FILE.html].

The Markdown file has the form of JOSS, so that its tools can make the PDF. This program needs markdown-it-py, which the
extra `docs` installs.
"""

import base64
import html
import re
import sys
from pathlib import Path

from markdown_it import MarkdownIt

HERE = Path(__file__).parent
STYLE = """
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1.05rem/1.5 Georgia, serif; color: #222;
  background: #fff; }
img { max-width: 100%; } table { border-collapse: collapse; font-size: 0.9rem; display: block; overflow-x: auto; }
td, th { border-bottom: 1px solid #ccc; padding: 0.2rem 0.6rem; text-align: left; } figcaption, .date { color: #555; }
figure { margin: 1.5rem 0; } figcaption { font-size: 0.9rem; } li { overflow-wrap: anywhere; }
"""


def references(text: str) -> dict[str, str]:
    """Return the entries of a BibTeX file by key, formatted as text."""
    entries = {}
    for key, body in re.findall(r"@\w+\{(\w+),(.*?)\n\}", text, flags=re.DOTALL):
        fields = dict(re.findall(r"(\w+) = \{(.*?)\}(?=,|\s*$)", body, flags=re.DOTALL))
        venue = next(fields[name] for name in ("journal", "booktitle", "howpublished") if name in fields)
        link = fields.get("url") or f"https://doi.org/{fields['doi']}"
        names = fields["author"].replace(" and others", " et al.").replace(" and ", "; ")
        entries[key] = f"{names.rstrip('.')}. {fields['title']}. {venue}, {fields['year']}. {link}"
    return entries


def build(text: str, bibliography: str, folder: Path) -> str:
    """Return the paper as HTML.

    Raises
    ------
    ValueError
        If a citation is not in the bibliography.
    """
    _, header, body = text.split("---\n", 2)
    title = re.search(r'^title: "(.*)"$', header, flags=re.MULTILINE)[1]
    date = re.search(r"^date: (.*)$", header, flags=re.MULTILINE)[1]
    known = references(bibliography)
    cited = list(dict.fromkeys(re.findall(r"@(\w+)", body)))
    if missing := set(cited) - set(known):
        raise ValueError(f"citations must be in paper.bib, got {', '.join(sorted(missing))}")
    numbers = {key: number for number, key in enumerate(cited, 1)}
    body = re.sub(r"\[@(\w+)\]", lambda match: f"[{numbers[match[1]]}]", body)
    body += "\n" + "\n".join(f"{number}. {known[key]}" for key, number in numbers.items())
    page = MarkdownIt("commonmark", {"linkify": False}).enable("table").render(body)

    def embedded(match: re.Match[str]) -> str:
        data = base64.b64encode((folder / match[1]).read_bytes()).decode()
        return f'<img src="data:image/png;base64,{data}"'

    # the caption of a figure is the text of its image; screen readers read it once
    figure = r'<figure>\1<figcaption aria-hidden="true">\2</figcaption></figure>'
    page = re.sub(r'<p>(<img [^>]*alt="([^"]*)"[^>]*>)</p>', figure, page)
    page = re.sub(r'<img src="([^"]+)"', embedded, page)
    head = f'<meta charset="utf-8"><title>{html.escape(title)}</title><style>{STYLE}</style>'
    return (
        f'<!DOCTYPE html><html lang="en"><head>{head}</head><body><h1>{html.escape(title)}</h1>'
        f'<p class="date">The divergent developers, {date}. Draft.</p>{page}</body></html>'
    )


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / "build" / "paper.html"
    target.parent.mkdir(parents=True, exist_ok=True)
    sources = ((HERE / name).read_text(encoding="utf-8") for name in ("paper.md", "paper.bib"))
    target.write_text(build(*sources, HERE), encoding="utf-8")
    print(f"written  {target}")
