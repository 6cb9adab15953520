"""Lazy imports of a package: each public name is imported from its module on first use."""

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any


def lazy_index(
    package: str, modules: Mapping[str, Iterable[str]], submodules: Iterable[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a package with lazy imports.

    Parameters
    ----------
    package : str
        Name of the package: the value of `__name__` in the package's `__init__.py`.
    modules : mapping of str to iterable of str
        Public names that each module defines. Module names are relative to the package; a name that begins with a dot
        is relative to the parent package.
    submodules : iterable of str, default=()
        Modules and subpackages that are also attributes of the package.

    Returns
    -------
    get : callable
        The package's `__getattr__`.
    names : callable
        The package's `__dir__`.
    public : list of str
        The package's `__all__`.
    """
    submodules = frozenset(submodules)
    homes = {name: module for module, names in modules.items() for name in names}

    def get(name: str) -> Any:
        if name in submodules:
            return import_module(f"{package}.{name}")
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f".{homes[name]}", package), name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes, *submodules})

    return get, names, list(homes)
