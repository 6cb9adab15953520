"""One self-contained HTML file of one run or two: template, style, script and data put together."""

import html
import json
import os
import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from divergent._text import printable
from divergent.explorer._page_data import bundle_of
from divergent.explorer._scene import Scene
from divergent.persistence._files import write_whole

HEIGHT = 900  # pixels of a page in a notebook
MOST_RUNS = 2
IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./([a-z]+\.js)";$', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const|let) (\w+))", re.MULTILINE)


class Page:
    """An explorer: a page that opens in any browser, and shows itself in a notebook.

    Parameters
    ----------
    text
        The HTML.
    """

    def __init__(self, text: str):
        self.text = text

    def write(self, path: str | os.PathLike) -> Path:
        """Write the page to a file, whole or not at all, and return its path; a symbolic link there is replaced."""
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


def page_of(scenes: Sequence[Scene]) -> Page:
    """The page that shows one scene, or two on one clock."""
    if not 1 <= len(scenes) <= MOST_RUNS:
        raise ValueError(f"a page shows one run or two, got {len(scenes)}")
    bundles = [bundle_of(scene) for scene in scenes]
    title = " beside ".join(scene.title if place == 0 else _inside(scene.title) for place, scene in enumerate(scenes))
    mazes = {scene.maze["name"] for scene in scenes if scene.maze}
    if len(mazes) == 1:
        title += f" in the {mazes.pop().replace('_', ' ')} maze"
    parts = {
        "title": html.escape(printable(title)),
        "style": _read("style.css"),
        "description": _as_json({"runs": [description for description, _ in bundles]}),
        "arrays": "\n".join(
            f'<script type="text/plain" id="arrays-{place}">{text}</script>' for place, (_, text) in enumerate(bundles)
        ),
        "script": script(),
    }
    return Page(re.sub(r"\{(\w+)\}", lambda field: parts[field[1]], _read("page.html")))


def script(entry: str = "main.js") -> str:
    """All modules that an entry needs, as one script, since a page on a disk may not load modules from files.

    Each module becomes a function that is called once and returns what the module exports; ``import {a} from "./b.js"``
    becomes ``const {a} = modules["b.js"]``. So modules import by name, from files beside them, and what they export
    they declare with a name.
    """
    done: dict[str, str] = {}

    def add(name: str) -> None:
        if name in done:
            return
        source = (files("divergent.explorer") / "js" / name).read_text(encoding="utf-8")
        for needed in IMPORT.findall(source):
            add(needed[1])
        names = ", ".join(declared for _, declared in EXPORT.findall(source))
        body = EXPORT.sub(r"\1", IMPORT.sub(r'const \1 = modules["\2"];', source))
        done[name] = f'modules["{name}"] = (() => {{\n{body}\nreturn {{ {names} }};\n}})();\n'

    add(entry)
    return "const modules = {};\n" + "\n".join(done.values())


def _inside(title: str) -> str:
    """A title in the middle of a sentence."""
    return title[:1].lower() + title[1:]


def _as_json(data: object) -> str:
    """Data as ASCII JSON for a script element, which any `<` could end or turn into a comment."""
    return json.dumps(data, allow_nan=False).replace("<", "\\u003c")


def _read(name: str) -> str:
    return (files("divergent.explorer") / name).read_text(encoding="utf-8")
