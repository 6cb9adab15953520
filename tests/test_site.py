"""The generated parts of the site: gallery scripts and lists of public names."""

import importlib.util
import re
import sys
from pathlib import Path
from runpy import run_path

import pytest

HOME = Path(__file__).parents[1]
DOCS = HOME / "docs"


@pytest.fixture(scope="module")
def gallery():
    # not imported by its name, which a module in benchmarks has, too
    specification = importlib.util.spec_from_file_location("gallery_of_the_site", DOCS / "_ext" / "gallery.py")
    module = importlib.util.module_from_spec(specification)
    sys.modules[specification.name] = module
    specification.loader.exec_module(module)
    return module


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
        (toctree,) = re.findall(r"^```\{toctree\}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
        for entry in filter(None, toctree.splitlines()):
            if not entry.startswith(":") and "*" not in entry:
                assert f"]({entry}." in text, (name, entry)


def test_reference_functions_that_two_packages_export_are_documented_once(reference):
    pages = [name for name, (module, _) in reference["PAGES"].items() if "kmeans" in reference["names"](module)[1]]
    assert pages == ["neighbours"]
