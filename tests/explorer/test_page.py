import configparser
import json
import re
import runpy
from pathlib import Path

import pytest

import divergent
from divergent.explorer import explore
from divergent.explorer._page import PageData, page_of


def test_explore_writes_the_page_that_it_returns(history, tmp_path):
    page = explore(history, out=tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page.text


def test_page_description_names_its_runs(pages):
    text = pages["two"].read_text(encoding="utf-8")
    match = re.search(r'<script type="application/json" id="description">(.*?)</script>', text, re.DOTALL)
    titles = [run["title"] for run in json.loads(match[1])["runs"]]
    assert titles == ["Novelty search", "Surprise search"]
    assert "<title>Novelty search and surprise search in the medium maze</title>" in text


def test_package_data_has_template_style_and_script():
    home = Path(divergent.__file__).parents[1]
    setup = configparser.ConfigParser()
    setup.read(home / "setup.cfg")
    patterns = setup["options.package_data"]["divergent.explorer"].split(", ")
    folder = home / "divergent" / "explorer"
    installed = {path.name for pattern in patterns for path in folder.glob(pattern)}
    assert installed == {"page.html", "style.css", "script.js"}


def test_script_is_the_bundle_of_the_modules():
    home = Path(divergent.__file__).parents[1]
    digest = runpy.run_path(str(home / ".ci" / "bundle_explorer.py"))["digest"]()
    first = (home / "divergent" / "explorer" / "script.js").read_text(encoding="utf-8").partition("\n")[0]
    assert first == f"// modules: {digest}", "run python .ci/bundle_explorer.py after changes of divergent/explorer/js"


def test_script_has_no_tag_that_ends_its_element():
    script = (Path(divergent.__file__).parent / "explorer" / "script.js").read_text(encoding="utf-8").lower()
    assert "</script" not in script
    assert "<!--" not in script


def test_page_data_written_and_read_makes_the_same_page(surprise_scene, novelty_scene, tmp_path):
    data = PageData.of([novelty_scene, surprise_scene])
    again = PageData.read(data.write(tmp_path / "two.explorer"))
    assert again.page().text == data.page().text


def test_page_in_a_notebook_is_a_frame(history):
    shown = explore(history)._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert "<script" not in shown


def test_explore_without_runs_raises():
    with pytest.raises(ValueError, match="number of runs on a page must be one or two, got 0"):
        explore()


def test_explore_with_three_histories_raises(history):
    with pytest.raises(TypeError, match="three or more runs must all be records, got a History"):
        explore(history, history, history)


def test_explore_with_another_object_raises():
    with pytest.raises(TypeError, match="runs must be records, folders of records or histories, got int"):
        explore(7)


def description_of(text):
    """The JSON of a page, as text."""
    return re.search(r'<script type="application/json" id="description">(.*?)</script>', text, re.DOTALL)[1]


@pytest.mark.parametrize("title", ["</script><script>alert(1)", "<!--<script>", "<"])
def test_page_description_escapes_every_opening_bracket(history, title):
    from divergent.explorer._scene import scene_of

    text = page_of([scene_of(history, title=title)]).text
    description = description_of(text)
    assert "<" not in description
    assert json.loads(description)["runs"][0]["title"] == title
    assert text.count("<script") == 3


def test_page_of_a_lone_surrogate_can_be_written(history, tmp_path):
    from divergent.explorer._scene import scene_of

    path = page_of([scene_of(history, title="\ud800")]).write(tmp_path / "page.html")
    assert r"<title>\ud800</title>" in path.read_text(encoding="utf-8")


def test_page_write_that_fails_keeps_the_page_before(history, tmp_path):
    (tmp_path / "page.html").write_text("before")
    broken = explore(history)
    broken.text += "\ud800"
    with pytest.raises(UnicodeEncodeError):
        broken.write(tmp_path / "page.html")
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
    assert (tmp_path / "page.html").read_text() == "before"


def test_page_write_replaces_a_symbolic_link(history, tmp_path):
    (tmp_path / "victim").write_text("precious")
    (tmp_path / "page.html").symlink_to(tmp_path / "victim")
    explore(history, out=tmp_path / "page.html")
    assert (tmp_path / "victim").read_text() == "precious"
    assert not (tmp_path / "page.html").is_symlink()
