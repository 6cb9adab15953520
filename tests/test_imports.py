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

# the rooms that each room may import, apart from itself; imports in the body of a function count, too
_BASE = {"_compile", "_intrinsics", "text", "validation", "version"}
_CORE = _BASE | {"individual", "loops"}
_TASKS = _CORE | {"neat", "maze"}
_RUNS = _TASKS | {"history", "neighbours", "persistence", "problems", "selection"}
_RESULTS = _RUNS | {"runs", "archives", "analysis", "plots", "command"}
ALLOWED: dict[str, set[str]] = {
    "version": set(),
    "text": set(),
    "_compile": set(),
    "_intrinsics": set(),
    "validation": set(),
    "individual": _BASE,
    "loops": _BASE | {"individual"},
    "persistence": _CORE,
    "neighbours": _CORE,
    "neat": _BASE | {"individual"},
    "selection": _CORE | {"neighbours", "persistence"},
    "maze": _BASE | {"individual", "neat"},
    "problems": _TASKS,
    "history": _CORE | {"selection"},
    "runs": _RUNS,
    "archives": _RUNS | {"runs"},
    "analysis": _RUNS | {"runs", "archives"},
    "plots": _RUNS | {"runs", "archives", "analysis"},
    "command": _BASE | {"persistence", "runs"},
    "explorer": _RUNS | {"runs", "command"},
    "explore": _RUNS | {"runs", "command", "explorer"},
    "replicate": _RESULTS,
    "run_maze": _RESULTS,
    "__main__": {"maze", "selection", "version", "command", "divergent"},
    "__init__": _RESULTS | {"explorer"},
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


def test_allowed_imports_list_every_room():
    parts = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()}
    assert parts == set(ALLOWED)


@pytest.mark.parametrize("part", ALLOWED)
def test_room_imports_only_rooms_below_it(part):
    folder = PACKAGE / part
    sources = folder.rglob("*.py") if folder.is_dir() else [folder.with_suffix(".py")]
    for source in sources:
        assert set(imported_parts(source)) <= ALLOWED[part] | {part}, source


def test_module_name_is_shared_with_no_function_of_its_package():
    commands = ("divergent.explore", "divergent.run_maze")  # modules that only start a command
    for module in pkgutil.walk_packages([str(PACKAGE)], "divergent."):
        if not module.name.endswith("__main__") and module.name not in commands:
            importlib.import_module(module.name)
            above, _, name = module.name.rpartition(".")
            assert getattr(importlib.import_module(above), name) is sys.modules[module.name], module.name


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
