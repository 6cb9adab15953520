"""Imports point one way, so that every part can be read and used without those above it."""

import ast
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest

import divergent

PACKAGE = Path(divergent.__file__).parent
LONGEST_CHAIN = 14  # largest number of modules in a chain of imports

# the rooms that each room may import, apart from itself; imports in the body of a function count, too
_BASE = {"_behaviours", "_compile", "_intrinsics", "_lazy", "_lineage", "_progress", "_text", "validation", "version"}
_CORE = _BASE | {"individual", "loops"}
_TASKS = _CORE | {"neat", "maze", "problem"}
_RUNS = _TASKS | {"history", "neighbours", "persistence", "problems", "selection"}
_RESULTS = _RUNS | {"runs", "archives", "analysis", "plots", "_command_line"}
ALLOWED: dict[str, set[str]] = {
    "version": set(),
    "_lazy": set(),
    "_text": set(),
    "_compile": set(),
    "_lineage": set(),
    "_progress": {"_compile"},
    "_intrinsics": set(),
    "validation": set(),
    "_behaviours": {"validation"},
    "individual": _BASE,
    "problem": _BASE,
    "loops": _BASE | {"individual"},
    "persistence": _CORE,
    "neighbours": _CORE,
    "neat": _BASE | {"individual"},
    "selection": _CORE | {"neighbours", "persistence"},
    "maze": _CORE | {"neat", "problem"},
    "problems": _TASKS,
    "history": _CORE | {"persistence", "selection"},
    "reporter": _CORE,
    "search": _CORE,
    "constrained": _CORE | {"selection"},
    "illumination": _CORE | {"archives", "selection"},
    "runs": _RUNS | {"constrained"},
    "archives": _CORE | {"neighbours", "persistence", "selection"},
    "analysis": _RUNS | {"runs", "archives"},
    "plots": _RUNS | {"runs", "archives", "analysis", "reporter"},
    "_command_line": _BASE | {"runs", "selection"},
    "explorer": _RUNS | {"runs", "_command_line", "analysis", "plots"},
    "explore": _RUNS | {"runs", "_command_line", "explorer"},
    "reports": _RESULTS,
    "replicate": _RESULTS | {"reports"},
    "studies": _RESULTS | {"replicate", "reports"},
    "run_maze": _RESULTS | {"explorer"},
    "run_problem": _RESULTS | {"explorer"},
    "resume_runs": _RESULTS | {"run_problem"},
    "cli": {"maze", "selection", "_command_line", "divergent"},
    "__main__": {"_command_line"},
    "__init__": _RESULTS | {"constrained", "reports", "explorer", "illumination", "reporter", "search"},
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


def import_statements(body):
    """The imports that a module executes when it is loaded, without those for type checkers and commands."""
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If | ast.Try):
            if not (isinstance(node, ast.If) and re.search("TYPE_CHECKING|__name__", ast.unparse(node.test))):
                yield from import_statements(node.body)
            branches = [node.orelse, *(part.body for part in getattr(node, "handlers", []))]
            for branch in [*branches, getattr(node, "finalbody", [])]:
                yield from import_statements(branch)


def import_graph():
    """The imports between modules; a name of an index is an import of the module that defines the name, too."""
    trees = {}
    for source in PACKAGE.rglob("*.py"):
        parts = source.relative_to(PACKAGE.parent).with_suffix("").parts
        trees[".".join(parts).removesuffix(".__init__")] = ast.parse(source.read_text())
    exported = {}
    for module, tree in trees.items():
        for block in (node for node in tree.body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node)):
            for node in (node for node in block.body if isinstance(node, ast.ImportFrom)):
                exported |= {(module, name.asname): node.module for name in node.names if name.asname}
    graph = nx.DiGraph()
    for module, tree in trees.items():
        graph.add_node(module)
        for node in import_statements(tree.body):
            if isinstance(node, ast.Import):
                imported = {name.name for name in node.names}
            else:
                names = {name.name for name in node.names}
                within = {name for name in names if f"{node.module}.{name}" in trees}
                imported = {f"{node.module}.{name}" for name in within}
                imported |= {node.module} if names - within else set()
                imported |= {exported[node.module, name] for name in names - within if (node.module, name) in exported}
            graph.add_edges_from((module, other) for other in imported & trees.keys() - {module})
    return graph


def test_import_graph_has_no_cycle_and_no_chain_longer_than_the_limit():
    graph = import_graph()
    assert len(graph) > 200
    assert nx.is_directed_acyclic_graph(graph), nx.find_cycle(graph)
    chain = nx.dag_longest_path(graph)
    assert len(chain) <= LONGEST_CHAIN, " > ".join(chain)


@pytest.mark.parametrize("part", ALLOWED)
def test_room_imports_only_rooms_below_it(part):
    folder = PACKAGE / part
    sources = folder.rglob("*.py") if folder.is_dir() else [folder.with_suffix(".py")]
    for source in sources:
        assert set(imported_parts(source)) <= ALLOWED[part] | {part}, source


def test_module_name_is_shared_with_no_function_of_its_package():
    # modules that only start a command
    commands = ("divergent.explore", "divergent.run_maze", "divergent.run_problem", "divergent.resume_runs")
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


def loaded_by(code):
    """The names of all modules that a program imports."""
    environment = {name: value for name, value in os.environ.items() if name != "MPLBACKEND"}
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print('modules', *sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    return set(done.stdout.rpartition("modules ")[2].split())


@pytest.mark.parametrize("code", ["from divergent import *", "import divergent.plots._run, divergent.run_maze"])
def test_names_of_the_package_load_no_heavy_library(code):
    heavy = {"matplotlib", "pandas", "sklearn", "networkx", "statsmodels", "distributed", "scipy.stats", "gymnasium"}
    assert not loaded_by(code) & heavy


def test_running_and_drawing_one_run_needs_neither_tables_nor_statistics_nor_a_backend(tmp_path):
    arguments = ["medium", "--population", "20", "--generations", "2", "--steps", "20", "--out", str(tmp_path)]
    loaded = loaded_by(f"from divergent.run_maze import main; main({arguments})")
    assert "matplotlib.figure" in loaded
    assert not loaded & {"matplotlib.pyplot", "pandas", "sklearn", "networkx", "scipy.stats", "joblib", "gymnasium"}


def test_importing_plots_of_results_starts_no_backend():
    loaded = loaded_by("import divergent.plots._results")
    assert "matplotlib.pyplot" in loaded
    assert not [name for name in loaded if name.startswith("matplotlib.backends.backend_")]


def test_plots_has_every_public_name_on_first_use():
    from divergent import plots

    for name in plots.__all__:
        assert getattr(plots, name) is not None
    assert set(plots.__all__) <= set(dir(plots))
    with pytest.raises(AttributeError, match="no attribute 'draw_nothing'"):
        plots.draw_nothing  # noqa: B018
