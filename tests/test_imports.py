"""Imports point one way, so that every part can be read and used without those above it."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import divergent

PACKAGE = Path(divergent.__file__).parent

# what each part may import of ours, itself always included
ALLOWED = {
    "individual": set(),
    "loops": {"individual"},
    "maze": set(),
    "robot": {"maze", "neat"},
    "task": {"individual", "maze", "neat", "robot"},
    "neat": {"individual"},
    "selection": {"individual"},
    "settings": {"loops", "selection"},
    "record": {"maze", "neat", "settings"},
    "checkpoint": {"individual", "neat", "record"},
    "experiment": {
        "checkpoint",
        "loops",
        "individual",
        "maze",
        "neat",
        "record",
        "robot",
        "selection",
        "settings",
        "task",
    },
    "analysis": {"neat", "record", "settings", "selection", "maze", "paper"},
}


def imported_parts(source):
    """The parts of the package that a file imports."""
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "divergent":
            yield from [node.module.split(".")[1]] if "." in node.module else [name.name for name in node.names]
        elif isinstance(node, ast.Import):
            yield from [name.name.split(".")[1] for name in node.names if name.name.startswith("divergent.")]


@pytest.mark.parametrize("part", ALLOWED)
def test_a_part_imports_only_what_lies_below_it(part):
    folder = PACKAGE / part
    sources = folder.rglob("*.py") if folder.is_dir() else [folder.with_suffix(".py")]
    for source in sources:
        assert set(imported_parts(source)) <= ALLOWED[part] | {part}, source


def test_importing_the_package_leaves_heavy_libraries_alone():
    heavy = ("matplotlib", "pandas", "sklearn", "networkx", "statsmodels", "distributed", "scipy.stats")
    found = subprocess.run(
        [sys.executable, "-c", f"import sys, divergent; print([name for name in {heavy} if name in sys.modules])"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == "[]"
