"""Lazy imports of a package: each public name is imported from its module on first use."""

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any


def lazy_index(
    package: str, homes: Mapping[str, str], submodules: Iterable[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the functions `__getattr__` and `__dir__` of a package with lazy imports.

    Parameters
    ----------
    package : str
        Name of the package: the value of `__name__` in the package's `__init__.py`.
    homes : mapping of str to str
        Module that defines each public name, relative to the package.
    submodules : iterable of str, default=()
        Modules and subpackages that are also attributes of the package.

    Returns
    -------
    get : callable
        The package's `__getattr__`.
    names : callable
        The package's `__dir__`.
    """
    submodules = frozenset(submodules)

    def get(name: str) -> Any:
        if name in submodules:
            return import_module(f"{package}.{name}")
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes, *submodules})

    return get, names
