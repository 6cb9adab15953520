import configparser
import json
import re
from pathlib import Path

import pytest

import divergent
from divergent.explorer import explore
from divergent.explorer._page import page_of, script


def test_explore_writes_the_page_that_it_returns(history, tmp_path):
    page = explore(history, out=tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page.text


def test_a_page_loads_nothing_from_elsewhere(pages):
    for path in pages.values():
        text = path.read_text(encoding="utf-8")
        assert not re.findall(r"""(?:src|href)\s*=|url\(|@import|https?://""", text)


def test_a_page_describes_its_runs_as_plain_data(pages):
    text = pages["two"].read_text(encoding="utf-8")
    found = re.search(r'<script type="application/json" id="description">(.*?)</script>', text, re.DOTALL)
    titles = [run["title"] for run in json.loads(found[1])["runs"]]
    assert titles == ["Novelty search", "Surprise search"]
    assert "<title>Novelty search beside surprise search in the medium maze</title>" in text


def test_everything_a_page_is_made_of_is_installed_with_the_package():
    home = Path(divergent.__file__).parents[1]
    setup = configparser.ConfigParser()
    setup.read(home / "setup.cfg")
    patterns = setup["options.package_data"]["divergent.explorer"].split(", ")
    folder = home / "divergent" / "explorer"
    installed = {path for pattern in patterns for path in folder.glob(pattern)}
    needed = {path for path in folder.rglob("*") if path.suffix in (".html", ".css", ".js")}
    assert needed == installed
    assert len(needed) > 10


def test_a_page_shows_itself_in_a_notebook(history):
    shown = explore(history)._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert "<script" not in shown


@pytest.mark.parametrize("count", [0, 3])
def test_explore_with_no_or_three_runs_raises(history, count):
    with pytest.raises(ValueError, match=f"a page shows one run or two, got {count}"):
        explore(*[history] * count)


def test_explore_with_another_object_raises():
    with pytest.raises(TypeError, match="explore shows records, folders of records and histories, got int"):
        explore(7)


def test_the_script_has_every_module_once_after_what_it_needs():
    modules = re.findall(r'^modules\["(\w+\.js)"\] = ', script(), re.MULTILINE)
    assert len(modules) == len(set(modules))
    assert modules[-1] == "main.js"
    for place, body in enumerate(re.split(r'^modules\["\w+\.js"\] = ', script(), flags=re.MULTILINE)[1:]):
        assert set(re.findall(r'= modules\["(\w+\.js)"\];', body)) <= set(modules[:place])
    assert not re.findall(r"^(?:import|export) ", script(), re.MULTILINE)


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
