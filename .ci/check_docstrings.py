"""Validate the numpydoc docstrings of every public object: python .ci/check_docstrings.py [MODULE ...]."""

import ast
import importlib
import inspect
import sys
import textwrap
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from numpydoc.validate import validate

MODULES = (
    "divergent", "divergent.analysis", "divergent.maze", "divergent.neat", "divergent.neighbours",
    "divergent.persistence", "divergent.plots", "divergent.problems", "divergent.replicate", "divergent.runs",
    "divergent.selection",
)  # fmt: skip
# https://numpydoc.readthedocs.io/en/latest/validation.html
CODES = {
    "GL01", "GL02", "GL05", "GL06", "GL07", "GL08",  # form, order of sections, no docstring
    "SS01", "SS02", "SS03", "SS04",  # a summary, capitalised, with a full stop
    "PR01", "PR02", "PR03", "PR04", "PR05", "PR07",  # every parameter, in order, with type and description
    "RT01", "RT02", "RT03", "YD01",  # Returns and Yields
}  # fmt: skip


def public_objects(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """The classes and functions that a module exports, and the public methods of its classes."""
    for name in getattr(module, "__all__", ()):
        exported = getattr(module, name)
        if not (inspect.isclass(exported) or inspect.isfunction(exported)):
            continue
        yield f"{module.__name__}.{name}", exported
        if inspect.isclass(exported):
            for attribute, value in vars(exported).items():
                method = inspect.isfunction(value) and value.__name__ == attribute  # not a default of a named tuple
                if not attribute.startswith("_") and (
                    (method and not _inherits_docstring(exported, attribute))
                    or isinstance(value, property | classmethod | staticmethod)
                ):
                    yield f"{module.__name__}.{name}.{attribute}", value


def _inherits_docstring(owner: type, name: str) -> bool:
    """Whether a method without a docstring overrides one that has it, which `help` and Sphinx then show."""
    return not vars(owner)[name].__doc__ and any(
        getattr(vars(base).get(name), "__doc__", None) for base in owner.__mro__
    )


def faults(path: str, exported: Any) -> list[str]:
    """What is wrong with the docstring of an object, one line a fault."""
    is_property = isinstance(exported, property)
    problems = [
        f"{path}: {code} {text}"
        for code, text in validate(path)["errors"]
        if code in CODES and not (is_property and code.startswith(("RT", "PR", "YD")))
    ]
    if _raises(exported) and "Raises\n------" not in (inspect.getdoc(exported) or ""):
        problems.append(f"{path}: raises an error and has no Raises section")
    return problems


def _raises(exported: Any) -> bool:
    """Whether the body of a function contains a raise statement of its own."""
    function = getattr(exported, "__func__", exported)
    if not inspect.isfunction(function):
        return False
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    return any(isinstance(node, ast.Raise) and node.exc is not None for node in ast.walk(tree))


def main(names: list[str]) -> int:
    """Print every fault and return the exit status."""
    checked = 0
    problems: list[str] = []
    for name in names or MODULES:
        for path, exported in public_objects(importlib.import_module(name)):
            checked += 1
            problems += faults(path, exported)
    print("\n".join(problems))
    print(f"docstrings: {len(problems)} faults in {checked} public objects")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
