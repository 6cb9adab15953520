"""Create self-contained HTML pages from a template, a style sheet, a script and page data."""

import base64
import gzip
import html
import itertools
import json
import lzma
import os
import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from divergent._text import printable
from divergent.explorer._array_bundle import compress
from divergent.explorer._page_data import bundle_of
from divergent.explorer._scene import Scene
from divergent.persistence._files import write_whole
from divergent.plots._style import grammar

HEIGHT = 900  # height of a page in a notebook, in pixels
MOST_RUNS = 2


class Page:
    """Interactive HTML page that opens in any browser and is displayed in a notebook.

    Parameters
    ----------
    text : str
        HTML of the page.
    """

    def __init__(self, text: str):
        self.text = text

    def write(self, path: str | os.PathLike) -> Path:
        """Write the page to a file atomically and return the path; a symbolic link at the path is replaced."""
        path = Path(path)
        write_whole(path, self.text.encode("utf-8"))
        return path

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.text)}" title="explorer" '
            f'style="width: 100%; height: {HEIGHT}px; border: 1px solid #ccc"></iframe>'
        )

    def __repr__(self) -> str:
        return f"Page({len(self.text) / 1e6:.1f} MB of HTML; write it to a file with .write(path))"


def page_of(scenes: Sequence[Scene], title: str | None = None) -> Page:
    """Return a page that shows one run, or two runs with synchronous animations.

    Parameters
    ----------
    scenes : sequence of Scene
        Page content of one run or of two runs.
    title : str or None, default=None
        Title of the page; None uses the names of the searches and the maze.

    Returns
    -------
    Page
        The interactive page.

    Raises
    ------
    ValueError
        If the number of runs is not one or two.
    """
    return PageData.of(scenes, title).page()


class PageData(NamedTuple):
    """Data that an HTML page shows, without the HTML template, the style sheet and the script."""

    title: str
    description: dict[str, Any]
    arrays: list[bytes]

    @classmethod
    def of(cls, scenes: Sequence[Scene], title: str | None = None, level: int = 9) -> "PageData":
        """Return the data of a page with one or two runs, compressed at a level from 1 (fastest) to 9 (smallest)."""
        if not 1 <= len(scenes) <= MOST_RUNS:
            raise ValueError(f"number of runs on a page must be one or two, got {len(scenes)}")
        bundles = [bundle_of(scene, level) for scene in scenes]
        descriptions, arrays = [list(parts) for parts in zip(*bundles, strict=True)]
        return cls(title or _title_of(scenes), {"runs": descriptions}, arrays)

    def page(self) -> Page:
        """Combine the template, the style sheet, the script and the data into an HTML page."""
        texts = [base64.b64encode(content).decode("ascii") for content in self.arrays]
        parts = {
            "title": html.escape(printable(self.title)),
            "style": _read("style.css"),
            "description": _as_json(self.description | {"grammar": grammar()}),
            "arrays": "\n".join(
                f'<script type="text/plain" id="arrays-{place}">{text}</script>' for place, text in enumerate(texts)
            ),
            "script": _read("script.js"),
        }
        return Page(re.sub(r"\{(\w+)\}", lambda field: parts[field[1]], _read("page.html")))

    def write(self, path: str | os.PathLike) -> Path:
        """Write the data of the page to a compressed file, which is smaller than the HTML page."""
        arrays = [gzip.decompress(content) for content in self.arrays]
        lengths = [len(content) for content in arrays]
        head = json.dumps({"title": self.title, "description": self.description, "lengths": lengths}, allow_nan=False)
        content = head.encode("ascii") + b"\n" + b"".join(arrays)
        # LZMA files are 13% smaller than gzip files
        write_whole(Path(path), lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))
        return Path(path)

    @classmethod
    def read(cls, path: str | os.PathLike) -> "PageData":
        """Read the data of a page from a file that `write` has written."""
        try:
            line, _, rest = lzma.decompress(Path(path).read_bytes()).partition(b"\n")
            head = json.loads(line)
            ends = list(itertools.accumulate(head["lengths"]))
            arrays = [compress(rest[end - length : end]) for end, length in zip(ends, head["lengths"], strict=True)]
            return cls(head["title"], head["description"], arrays)
        except (lzma.LZMAError, ValueError, KeyError, TypeError) as error:
            raise ValueError(f"path must be a file that PageData.write has written, got {path}: {error}") from error


def _title_of(scenes: Sequence[Scene]) -> str:
    """Join the titles of the runs, and append the name of the maze if all runs have the same maze."""
    titles = [scene.title if place == 0 else _inside(scene.title) for place, scene in enumerate(scenes)]
    mazes = {scene.maze["name"] for scene in scenes if scene.maze}
    place = f" in the {mazes.pop().replace('_', ' ')} maze" if len(mazes) == 1 else ""
    return " and ".join(titles) + place


def _inside(title: str) -> str:
    """Return a title with a lower-case first letter, for use within a sentence."""
    return title[:1].lower() + title[1:]


def _as_json(data: object) -> str:
    """Return ASCII JSON for an HTML script element, with `<` escaped because `</script>` would end the element."""
    return json.dumps(data, allow_nan=False).replace("<", "\\u003c")


def _read(name: str) -> str:
    return (files("divergent.explorer") / name).read_text(encoding="utf-8")
