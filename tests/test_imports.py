"""Imports point one way, so that every part can be read and used without those above it."""

import ast
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import divergent

PACKAGE = Path(divergent.__file__).parent

# what each part may import of ours, itself always included; what is imported in a function's body counts, too
ALLOWED: dict[str, set[str]] = {
    "version": set(),
    "text": set(),
    "storage": set(),
    "_compile": set(),
    "_intrinsics": set(),
    "checks": set(),
    "individual": {"_compile", "checks"},
    "loops": {"checks", "individual"},
    "neat": {"_compile", "_intrinsics", "checks", "individual"},
    "plain": {"checks"},
    "checkpoint": {"checks", "loops", "plain", "storage", "version"},
    "selection": {"_compile", "_intrinsics", "checks", "individual", "loops", "plain"},
    "maze": {"_intrinsics", "checks", "individual", "neat"},
    "runs": {
        "_compile",
        "checkpoint",
        "checks",
        "history",
        "individual",
        "loops",
        "neat",
        "selection",
        "maze",
        "storage",
        "version",
    },
    "analysis": {"individual", "neat", "selection", "maze", "runs", "storage"},
    "plots": {"history", "individual", "neat", "selection", "maze", "runs", "analysis", "storage", "text"},
    "gym": {"checks", "individual", "neat"},
    "history": {"individual", "loops", "selection"},
    "command": {"_compile", "runs", "storage", "text"},
    "explore": {
        "history",
        "individual",
        "loops",
        "maze",
        "neat",
        "runs",
        "selection",
        "storage",
        "text",
        "command",
    },
    "replicate": {"maze", "runs", "analysis", "plots", "command", "storage", "version"},
    "run_maze": {"loops", "maze", "selection", "runs", "analysis", "plots", "storage", "text", "command"},
    "__main__": {"maze", "selection", "version", "command", "divergent"},
    "__init__": {
        "checkpoint",
        "individual",
        "loops",
        "neat",
        "selection",
        "maze",
        "runs",
        "history",
        "explore",
        "version",
    },
}


def imported_parts(source):
    """The parts of the package that a file imports, `divergent` for the package itself."""
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module == "divergent":
            yield from (name.name if name.name in ALLOWED else "divergent" for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("divergent."):
            yield node.module.split(".")[1]
        elif isinstance(node, ast.Import):
            ours = (name.name for name in node.names if name.name.split(".")[0] == "divergent")
            yield from (name.split(".")[1] if "." in name else name for name in ours)


def test_every_part_is_listed():
    parts = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()}
    assert parts == set(ALLOWED)


@pytest.mark.parametrize("part", ALLOWED)
def test_a_part_imports_only_what_lies_below_it(part):
    folder = PACKAGE / part
    sources = folder.rglob("*.py") if folder.is_dir() else [folder.with_suffix(".py")]
    for source in sources:
        assert set(imported_parts(source)) <= ALLOWED[part] | {part}, source


def test_no_module_is_hidden_by_something_of_its_own_name():
    for module in pkgutil.walk_packages([str(PACKAGE)], "divergent."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
            above, _, name = module.name.rpartition(".")
            assert getattr(importlib.import_module(above), name) is sys.modules[module.name], module.name


def test_every_module_has_a_file_of_tests():
    tests = Path(__file__).parent
    for part in ("neat", "selection", "maze", "runs", "analysis", "replicate", "explore"):
        for source in (PACKAGE / part).glob("*.py"):
            if source.stem != "__init__":
                assert (tests / part / f"test_{source.stem.strip('_')}.py").is_file(), source


def test_kernels_are_compiled_by_one_decorator():
    """Numba's own raises an error where it finds no folder for its cache."""
    for source in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(source.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module == "numba":
                assert not {"njit", "jit"} & {name.name for name in node.names}, source


def test_every_name_of_the_package_can_be_imported():
    for name in divergent.__all__:
        assert getattr(divergent, name) is not None
    assert set(divergent.__all__) <= set(dir(divergent))
    with pytest.raises(AttributeError, match="module 'divergent' has no attribute 'nonsense'"):
        divergent.nonsense  # noqa: B018


def test_names_of_the_package_load_no_heavy_library():
    heavy = ("matplotlib", "pandas", "sklearn", "networkx", "statsmodels", "distributed", "scipy.stats", "gymnasium")
    code = f"import sys; from divergent import *; print([name for name in {heavy} if name in sys.modules])"
    found = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == "[]"
