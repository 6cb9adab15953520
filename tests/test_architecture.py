"""docs/architecture.md is true: its places exist and its code runs."""

import importlib
import re
from pathlib import Path

import pytest

from divergent.runs import Settings, run
from divergent.selection import SEARCHES

HOME = Path(__file__).parents[1]
TEXT = (HOME / "docs" / "architecture.md").read_text(encoding="utf-8")


PROGRAMS = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)


@pytest.mark.parametrize("place", sorted(set(re.findall(r"`((?:[a-z_]+/)*[a-z_]+(?:/|\.py))`", TEXT))))
def test_architecture_page_names_existing_paths(place):
    assert (HOME / place).exists() or (HOME / "divergent" / place).exists()


@pytest.mark.parametrize("part", ["maze", "runs", "analysis", "replicate"])
def test_architecture_row_of_a_room_names_every_module(part):
    (row,) = re.findall(rf"^\| `divergent/{part}/` \|(.*)\|$", TEXT, flags=re.MULTILINE)
    modules = {path.stem for path in (HOME / "divergent" / part).glob("*.py")} - {"__init__", "__main__"}
    assert modules <= set(re.findall(r"`(\w+)`", row))


def test_architecture_strategy_passes_check_strategy_and_runs_with_options(tmp_path, monkeypatch):
    code, _ = PROGRAMS
    monkeypatch.setitem(SEARCHES, "outskirts", None)  # so that it is taken out again
    (tmp_path / "outskirts.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("outskirts")
    settings = Settings(maze="hard", search="outskirts", pace=0.5, population=20, generations=3, steps=30)
    assert run(settings).settings.options == {"pace": 0.5, "power": 1}


def test_architecture_operator_changes_the_genomes_of_a_run():
    _, code = PROGRAMS
    namespace = {}
    exec(code, namespace)
    assert any((genome.genes[:, 4] == 0).any() for genome in namespace["step"].population)


def test_architecture_table_names_every_top_level_module():
    parts = {
        path.name for path in (HOME / "divergent").iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()
    }
    documented = {
        place.rstrip("/").split("/")[-1] for place in re.findall(r"`((?:divergent/)?[a-z_/]+(?:/|\.py))`", TEXT)
    }
    assert parts - {"__init__.py"} <= documented
