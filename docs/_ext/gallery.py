"""A Sphinx extension: execute the scripts of examples/gallery_pages and write the gallery of the site.

Each script begins with a docstring: a title, one sentence, an optional text, and a line `Tags: a, b`. It draws
figures with matplotlib, prints text, or writes HTML pages to the current folder. A page shows the figures first, then
output, program and downloads. Outputs are kept in build/gallery until the script, the package, a maze or the results
that the script reads change. The card of a script that writes an HTML page shows a screenshot of the page if Chromium
or Chrome is installed.
"""

import ast
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
from PIL import Image

HOME = Path(__file__).parents[2]
SCRIPTS = HOME / "examples" / "gallery_pages"
PAGES = HOME / "docs" / "gallery"
KEPT = HOME / "build" / "gallery"
LIVE = HOME / "build" / "gallery-live"  # copied to the root of the site: HTML pages that scripts write
GROUPS = {
    "problems": "Problems",
    "run": "Looking at a run",
    "many_runs": "Many runs",
    "networks": "Networks and species",
    "explorers": "Live explorers",
}
THUMBNAIL = 320, 200
SCREENSHOT = "screenshot.jpg"  # in the folder of a script that writes HTML pages
BROWSERS = "chromium", "chromium-browser", "google-chrome"
SLOW = 10  # seconds of CPU time above which a script is executed again
RUNNER = """
import pathlib, runpy, sys, time
import matplotlib
matplotlib.use("Agg")
from matplotlib import pyplot
pyplot.show = lambda *arguments, **keywords: None
runpy.run_path(sys.argv[1], run_name="__main__")
pathlib.Path("seconds.txt").write_text(str(time.process_time()))
for number in pyplot.get_fignums():
    pyplot.figure(number).savefig(f"figure_{number}.png", dpi=110, bbox_inches="tight")
"""


class Tile(NamedTuple):
    """A page of the gallery: its script, and the text of its docstring."""

    name: str
    group: str
    path: Path
    title: str
    sentence: str
    text: str
    tags: list[str]
    code: str


def read_tile(path: Path) -> Tile:
    """Read a script.

    Raises
    ------
    ValueError
        If the docstring has not the expected form.
    """
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    docstring = ast.get_docstring(tree) or ""
    parts = docstring.split("\n\n")
    tags = re.fullmatch(r"Tags: (.+)", parts[-1].strip())
    if len(parts) < 3 or not tags or not parts[1].rstrip().endswith("."):
        raise ValueError(f"the docstring of {path} must be a title, a sentence and a line of tags, got {docstring!r}")
    code = "\n".join(source.splitlines()[tree.body[0].end_lineno :]).strip() + "\n"
    sentence = " ".join(parts[1].split())
    text = "\n\n".join(parts[2:-1])
    return Tile(path.stem, path.parent.name, path, parts[0].strip(), sentence, text, tags[1].split(", "), code)


def read_tiles() -> list[Tile]:
    """Read all scripts, in the order of the groups."""
    return [read_tile(path) for group in GROUPS for path in sorted((SCRIPTS / group).glob("*.py"))]


def files_digest(folder: Path) -> str:
    """Return a digest of the names and contents of all files in a folder, without compiled files."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    return digest.hexdigest()


def input_digests(tiles: list[Tile]) -> list[str]:
    """Return a digest of the files that each script may read: package and mazes, and results if the script names them.

    With GALLERY=fast all files are assumed to be unchanged, and the digests are empty.
    """
    if os.environ.get("GALLERY") == "fast":
        return [""] * len(tiles)
    shared = files_digest(HOME / "divergent") + files_digest(HOME / "mazes")
    results = files_digest(HOME / "results")
    return [shared + (results if '"results"' in tile.code else "") for tile in tiles]


def run_script(path: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Execute a script in a folder.

    Raises
    ------
    RuntimeError
        If the script fails.
    """
    command = [sys.executable, "-W", "error::DeprecationWarning:__main__", "-c", RUNNER, str(path)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{path} must run without errors:\n{done.stderr}")
    return done


def seconds_of(folder: Path) -> float:
    """Return the CPU time of the script that was executed in a folder."""
    return float((folder / "seconds.txt").read_text())


def execute(tile: Tile, inputs: str) -> dict[str, Any]:
    """Execute a script unless its output is kept; return seconds of CPU time, printed text, figures and pages.

    The output is kept while the script and the digest `inputs` of the files that it reads stay the same.

    Raises
    ------
    RuntimeError
        If the script fails or draws nothing.
    """
    folder = KEPT / tile.name
    key = hashlib.sha256(tile.path.read_bytes() + inputs.encode()).hexdigest()
    summary = folder / "summary.json"
    if summary.exists():
        known = json.loads(summary.read_text(encoding="utf-8"))
        if known["key"] == key or not inputs:
            return known
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    done = run_script(tile.path, folder)
    if seconds_of(folder) > SLOW:  # the first execution may compile kernels, which readers do only once
        done = run_script(tile.path, folder)
    figures = sorted(path.name for path in folder.iterdir() if path.suffix in (".png", ".gif"))
    if not figures:
        raise RuntimeError(f"{tile.path} must draw a figure")
    result = {"key": key, "seconds": seconds_of(folder), "output": done.stdout, "figures": figures}
    result["pages"] = sorted(path.name for path in folder.glob("*.html"))
    summary.write_text(json.dumps(result), encoding="utf-8")
    return result


def take_screenshot(page: Path, target: Path) -> bool:
    """Write a screenshot of an HTML page; return whether a browser took a screenshot.

    The virtual time of the browser makes the screenshot independent of the speed of the computer.
    """
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        return False
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        shot = Path(folder, "page.png")
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1120,700"]
        options += ["--virtual-time-budget=4000", f"--user-data-dir={folder}/profile", f"--screenshot={shot}"]
        command = [browser, *options, f"{page.resolve().as_uri()}#theme=light"]
        try:
            subprocess.run(command, capture_output=True, check=False, timeout=60)
        except subprocess.TimeoutExpired:
            return False
        if not shot.exists():
            return False
        Image.open(shot).convert("RGB").save(target, quality=90)
    return True


def preview_of(folder: Path, result: dict[str, Any]) -> Path:
    """Return the image for the card of a script: a screenshot of its first page, or its first figure."""
    screenshot = folder / SCREENSHOT
    if result["pages"] and (screenshot.exists() or take_screenshot(folder / result["pages"][0], screenshot)):
        return screenshot
    return folder / result["figures"][0]


def write_thumbnail(source: Path, target: Path) -> None:
    """Write an image centred on a white card."""
    image = Image.open(source).convert("RGB")
    image.thumbnail((THUMBNAIL[0] - 12, THUMBNAIL[1] - 12), Image.Resampling.LANCZOS)
    card = Image.new("RGB", THUMBNAIL, "white")
    card.paste(image, ((THUMBNAIL[0] - image.width) // 2, (THUMBNAIL[1] - image.height) // 2))
    card.save(target, optimize=True)


def write_notebook(tile: Tile, target: Path) -> None:
    """Write the script as a notebook."""
    heading = f"# {tile.title}\n\n{tile.sentence}\n\n{tile.text}".strip()
    text, code = nbformat.v4.new_markdown_cell(heading, id="text"), tile.code.rstrip()
    cells = [text, nbformat.v4.new_code_cell(code, id="code")]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), target)


def page_of(tile: Tile, result: dict[str, Any]) -> str:
    """Return the Markdown of a page: result first, then program and downloads."""
    lines = [f"# {tile.title}", "", tile.sentence, ""]
    for page in result["pages"]:
        lines += [
            f'<iframe class="explorer" src="live/{page}" title="{tile.title}"></iframe>', "",
            f'<a href="live/{page}">Open the explorer on its own page</a>', "",
        ]  # fmt: skip
    # on the page of an explorer, the sentence describes the explorer and the text describes the figure
    description = " ".join((tile.text if result["pages"] and tile.text else tile.sentence).replace("`", "").split())
    for figure in result["figures"]:
        lines += [f"![{description}](files/{tile.name}-{figure})", ""]
    if tile.text:
        lines += [tile.text, ""]
    if result["output"].strip():
        lines += ["```text", result["output"].rstrip(), "```", ""]
    script = os.path.relpath(tile.path, PAGES)
    lines += [
        "## Program", "", "```python", tile.code.rstrip(), "```", "",
        f"Run time: {result['seconds']:.0f} s of CPU time. Tags: {', '.join(tile.tags)}.", "",
        f"Download: {{download}}`Python script <{script}>`, {{download}}`notebook <files/{tile.name}.ipynb>`.", "",
    ]  # fmt: skip
    return "\n".join(lines)


def landing_page(tiles: list[Tile], results: dict[str, dict[str, Any]]) -> str:
    """Return the Markdown of the landing page: a grid of tiles for each group."""
    lines = [
        "# Gallery", "",
        f"{len(tiles)} programs with their figures. The build of the site executes the script of every page.", "",
    ]  # fmt: skip
    for group, title in GROUPS.items():
        lines += [f"## {title}", "", "::::{grid} 1 2 3 3", ":gutter: 3", ""]
        for tile in tiles:
            if tile.group == group:
                lines += [
                    f":::{{grid-item-card}} {tile.title}", f":img-top: files/{tile.name}-thumbnail.png",
                    f":img-alt: {tile.title}", f":link: {tile.name}", ":link-type: doc", "", tile.sentence, "",
                    f"*{results[tile.name]['seconds']:.0f} s · {', '.join(tile.tags)}*", ":::", "",
                ]  # fmt: skip
        lines += ["::::", ""]
    return "\n".join([*lines, "```{toctree}", ":hidden:", "", *(tile.name for tile in tiles), "```", ""])


def write_if_changed(path: Path, text: str) -> None:
    """Write a file unless it has this text, so that Sphinx reads only changed pages."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def write_gallery(*_: Any) -> None:
    """Execute all scripts and write all pages."""
    tiles = read_tiles()
    with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        outputs = pool.map(execute, tiles, input_digests(tiles))
        results = {tile.name: output for tile, output in zip(tiles, outputs, strict=True)}
    files, live = PAGES / "files", LIVE / "docs" / "gallery" / "live"
    for folder in (files, live):
        folder.mkdir(parents=True, exist_ok=True)
    for tile in tiles:
        result, folder = results[tile.name], KEPT / tile.name
        for figure in result["figures"]:
            shutil.copyfile(folder / figure, files / f"{tile.name}-{figure}")
        for page in result["pages"]:
            shutil.copyfile(folder / page, live / page)
        write_thumbnail(preview_of(folder, result), files / f"{tile.name}-thumbnail.png")
        write_notebook(tile, files / f"{tile.name}.ipynb")
        write_if_changed(PAGES / f"{tile.name}.md", page_of(tile, result))
    write_if_changed(PAGES / "index.md", landing_page(tiles, results))
    known = {f"{tile.name}.md" for tile in tiles} | {"index.md"}
    for path in PAGES.glob("*.md"):
        if path.name not in known:
            path.unlink()


def setup(app: Any) -> dict[str, Any]:
    """Write the gallery before Sphinx looks for pages."""
    LIVE.mkdir(parents=True, exist_ok=True)
    app.connect("builder-inited", write_gallery)
    return {"version": "1", "parallel_read_safe": True}
