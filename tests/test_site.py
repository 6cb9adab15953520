"""The generated parts of the site: gallery scripts, lists of public names, signatures, and heads of pages."""

import importlib.util
import inspect
import json
import re
import sys
from pathlib import Path
from runpy import run_path

import pytest

from divergent import selection
from divergent.reports._page import ICON, Section, write_page

HOME = Path(__file__).parents[1]
DOCS = HOME / "docs"
STRATEGIES = [
    name
    for name in selection.__all__
    if inspect.isclass(value := getattr(selection, name)) and issubclass(value, selection.Strategy)
]


def extension(name):
    """Return an extension of the site; it is not imported by its name, which a module in benchmarks has, too."""
    specification = importlib.util.spec_from_file_location(f"{name}_of_the_site", DOCS / "_ext" / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    sys.modules[specification.name] = module
    specification.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def gallery():
    return extension("gallery")


@pytest.fixture(scope="module")
def heads():
    pytest.importorskip("sphinx")
    return extension("heads")


@pytest.fixture(scope="module")
def documented(tmp_path_factory):
    """Return the parameters that Sphinx shows, such as "seed: int = 0", for strategies, `Evidence` and `draw_maze`."""
    application = pytest.importorskip("sphinx.application")
    folder = tmp_path_factory.mktemp("reference")
    names = [*(f"divergent.selection.{name}" for name in STRATEGIES), "divergent.analysis.Evidence"]
    lines = [*(f".. autoclass:: {name}" for name in names), ".. autofunction:: divergent.plots.draw_maze"]
    (folder / "index.rst").write_text("\n".join(lines))
    settings = {"extensions": ["sphinx.ext.autodoc", "signatures"], "autodoc_typehints_format": "short"}
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DOCS / "_ext"))
        site = application.Sphinx(folder, None, folder / "out", folder / "trees", "text", settings, status=None)
        site.build()
    signatures = [node for node in site.env.get_doctree("index").findall() if node.tagname == "desc_signature"]
    return {
        node["fullname"]: [part.astext() for part in node.findall() if part.tagname == "desc_parameter"]
        for node in signatures
    }


@pytest.fixture(scope="module")
def reference():
    return run_path(str(DOCS / "reference" / "write.py"))


def test_gallery_has_at_least_24_tiles_in_five_groups(gallery):
    tiles = gallery.read_tiles()
    assert len(tiles) >= 24
    assert {tile.group for tile in tiles} == set(gallery.GROUPS)
    assert len({tile.name for tile in tiles}) == len(tiles)


def test_gallery_tiles_have_a_title_a_sentence_and_tags(gallery):
    for tile in gallery.read_tiles():
        assert len(tile.title) <= 50
        assert len(tile.sentence.split()) <= 25, tile.name
        assert tile.tags


def test_gallery_docstring_without_tags_raises(gallery, tmp_path):
    path = tmp_path / "script.py"
    path.write_text('"""Title\n\nA sentence.\n"""\n')
    with pytest.raises(ValueError, match=r"must be a title, a sentence and a line of tags"):
        gallery.read_tile(path)


def test_gallery_executes_a_script_and_reuses_its_output(gallery, tmp_path, monkeypatch):
    monkeypatch.setattr(gallery, "KEPT", tmp_path / "kept")
    path = tmp_path / "script.py"
    path.write_text(
        '"""A line\n\nOne line is drawn.\n\nTags: test\n"""\n\nfrom matplotlib import pyplot\n\n'
        'pyplot.plot([0, 1])\nprint("drawn")\npyplot.show()\n'
    )
    tile = gallery.read_tile(path)
    result = gallery.execute(tile, "digest")
    assert (result["output"], result["figures"], result["pages"]) == ("drawn\n", ["figure_1.png"], [])
    (tmp_path / "kept" / "script" / "figure_1.png").unlink()
    assert gallery.execute(tile, "digest") == result  # not executed again
    assert gallery.execute(tile, "another digest")["key"] != result["key"]
    page = gallery.page_of(tile, result)
    assert page.index("figure_1.png") < page.index("## Program") < page.index("{download}")


def test_gallery_page_describes_figures_with_the_code_of_the_sentence(gallery, tmp_path):
    path = tmp_path / "script.py"
    path.write_text('"""A title\n\nThe function `draw` draws a line.\n\nTags: test\n"""\n')
    result = {"pages": [], "figures": ["figure_1.png"], "output": "", "seconds": 1.0}
    page = gallery.page_of(gallery.read_tile(path), result)
    assert "![The function draw draws a line.](files/script-figure_1.png)" in page


def test_gallery_digests_depend_on_package_and_mazes_and_on_results_that_a_script_names(gallery, tmp_path, monkeypatch):
    monkeypatch.setattr(gallery, "HOME", tmp_path)
    monkeypatch.delenv("GALLERY", raising=False)
    for file in ("divergent/a.py", "mazes/hard.txt", "results/authored/runs.csv"):
        (tmp_path / file).parent.mkdir(parents=True)
        (tmp_path / file).write_text("before")
    tile = gallery.Tile("name", "run", tmp_path, "Title", "Sentence.", "", ["test"], "read_maze('hard')\n")
    tiles = [tile, tile._replace(code='path / "results" / "authored"\n')]
    digests = gallery.input_digests(tiles)
    assert gallery.input_digests(tiles) == digests
    for file, changed in (("divergent/a.py", {0, 1}), ("mazes/hard.txt", {0, 1}), ("results/authored/runs.csv", {1})):
        (tmp_path / file).write_text("after")
        again = gallery.input_digests(tiles)
        assert {number for number in (0, 1) if again[number] != digests[number]} == changed, file
        digests = again
    monkeypatch.setenv("GALLERY", "fast")
    assert gallery.input_digests(tiles) == ["", ""]


def test_gallery_script_without_figure_raises(gallery, tmp_path, monkeypatch):
    monkeypatch.setattr(gallery, "KEPT", tmp_path / "kept")
    path = tmp_path / "empty.py"
    path.write_text('"""Nothing\n\nNothing is drawn.\n\nTags: test\n"""\n')
    with pytest.raises(RuntimeError, match="must draw a figure"):
        gallery.execute(gallery.read_tile(path), "digest")


def test_reference_pages_list_every_public_name_once(reference):
    listed = []
    for page, (module, _) in reference["PAGES"].items():
        classes, functions, _ = reference["names"](module)
        text = reference["write"](page)
        assert all(f"\n   {name}\n" in text for name in classes + functions)
        listed += [name for name in classes + functions if module in ("divergent", "divergent.selection")]
    assert {"Outcome", "Novelty", "by_score", "evolve"} <= set(listed)
    assert len(set(listed)) == len(listed)


def test_reference_pages_explain_every_constant_and_group_every_function(reference):
    for page, (module, _) in reference["PAGES"].items():
        _, functions, constants = reference["names"](module)
        assert set(constants) == set(reference["MEANINGS"].get(module, ())), module
        groups = reference["grouped"](module, functions).values()
        assert sorted(name for group in groups for name in group) == sorted(functions)
        text = reference["write"](page)
        assert all(f"| `{name}` | " in text for name in constants)
        title = text.splitlines()[0]
        assert "`" not in title, page
        assert f"`{module}`" in text.split("<!-- names of")[0], page


def test_landing_pages_describe_every_page_of_their_toctree():
    for name in ("tutorials", "howto", "explanation", "benchmarks", "development", "reference"):
        text = (DOCS / name / "index.md").read_text(encoding="utf-8")
        (toctree,) = re.findall(r"^<!-- \{toctree\}\n(.*?)^-->$", text, flags=re.MULTILINE | re.DOTALL)
        for entry in filter(None, toctree.splitlines()):
            if not entry.startswith(":") and "*" not in entry:
                assert f"]({entry}." in text, (name, entry)


def test_reference_functions_that_two_packages_export_are_documented_once(reference):
    pages = [name for name, (module, _) in reference["PAGES"].items() if "kmeans" in reference["names"](module)[1]]
    assert pages == ["neighbours"]


@pytest.mark.parametrize("name", STRATEGIES)
def test_reference_signature_of_a_strategy_has_its_arguments(documented, name):
    shown = [parameter.partition(":")[0] for parameter in documented[name] if parameter != "*"]
    assert shown == list(inspect.signature(getattr(selection, name)).parameters)


def test_reference_signatures_name_functions_that_are_defaults(documented):
    assert "predictor: str | Callable[[...], ndarray] = linear" in documented["Surprise"]
    assert "decided: Callable[[int, float], bool] = never" in documented["Evidence"]


def test_reference_signatures_name_type_aliases(documented):
    assert "path: ArrayLike | None = None" in documented["draw_maze"]


def test_heads_summary_is_the_first_paragraph_of_the_first_object(heads):
    from docutils import nodes
    from sphinx import addnodes

    texts = ("Bases: Strategy", "Search for\n`novelty`.", "Details.")
    content = addnodes.desc_content("", *(nodes.paragraph(text=text) for text in texts))
    assert heads.summary(nodes.section("", addnodes.desc("", content))) == "Search for `novelty`."
    assert heads.summary(nodes.section("", nodes.paragraph(text="A page."))) == heads.summary(None) == ""


def test_heads_insert_card_uses_title_and_description_of_the_page(heads, tmp_path):
    page = write_page("A & B", [Section("Section", "")], tmp_path, description='The "best".')
    heads.insert_card(page, "https://site")
    text = page.read_text()
    assert '<meta name="description" content="The &quot;best&quot;.">\n<meta property="og:title"' in text
    assert '<meta property="og:title" content="A &amp; B">' in text
    assert '<meta property="og:description" content="The &quot;best&quot;.">' in text
    assert '<meta property="og:image" content="https://site/_static/social_card.png">' in text


def test_first_page_of_the_site_has_the_description_of_the_configuration():
    summary = re.search(r'^site_summary = "(.*)"$', (DOCS / "conf.py").read_text(), re.MULTILINE)[1]
    assert f'<meta name="description" content="{summary}">' in (DOCS / "_root" / "index.html").read_text()


def test_icon_of_reports_is_the_icon_of_the_site():
    assert (DOCS / "_static" / "favicon.svg").read_text() == ICON


@pytest.mark.parametrize("path", sorted((HOME / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebook_figures_have_a_description(path):
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        outputs = cell.get("outputs", [])
        if any(kind.startswith("image/") for output in outputs for kind in output.get("data", {})):
            alt = cell["metadata"]["mystnb"]["image"]["alt"]
            assert alt.endswith("."), cell["id"]
            assert all(len(sentence.split()) <= 25 for sentence in alt.split(". ")), alt


@pytest.mark.parametrize("path", sorted(DOCS.rglob("*.md")), ids=lambda path: str(path.relative_to(DOCS)))
def test_page_descriptions_of_images_are_on_one_line(path):
    # MyST drops the line break without a space
    assert not re.search(r"!\[[^\]\n]*\n", path.read_text(encoding="utf-8"))
