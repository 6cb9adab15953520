"""Functions that find the stateful components of a toolbox for checkpoints."""

import types
from collections.abc import Iterator
from functools import partial
from typing import Any

from deap import base, gp

from divergent.persistence._checkpoint import STATE_ACCESS

DEEPEST = 5  # objects more than five references away from a function of the toolbox are not searched
LARGEST_COLLECTION = 100  # collections with more than 100 elements are treated as data and are not searched


def find_components(toolbox: base.Toolbox) -> list[Any]:
    """Find the random generators and the objects with `state` and `restore` methods that a toolbox refers to.

    References are followed through partials, closures, default arguments, global variables and attributes. The objects
    are returned in the order of registration in the toolbox, which is the same in every process.
    """
    return [value for value in _referenced(toolbox) if has_state(value)]


def find_primitives(toolbox: base.Toolbox) -> gp.PrimitiveSetTyped | None:
    """Find the GP primitive set that the functions of a toolbox refer to, or return None if none is found."""
    return next((value for value in _referenced(toolbox) if isinstance(value, gp.PrimitiveSetTyped)), None)


def has_state(value: Any) -> bool:
    """Return whether an object has a state that a checkpoint can store."""
    if isinstance(value, type | types.ModuleType):
        return False
    return any(all(hasattr(type(value), name) for name in names) for names in STATE_ACCESS)


def _referenced(toolbox: base.Toolbox) -> Iterator[Any]:
    """Yield each object that the functions of a toolbox refer to exactly once, in a fixed order."""
    seen: dict[int, Any] = {id(toolbox): toolbox}  # storing the objects prevents Python from reusing their ids
    waiting = [(tool, 0) for tool in reversed(list(vars(toolbox).values()))]
    while waiting:
        value, depth = waiting.pop()
        if id(value) in seen or depth > DEEPEST:
            continue
        seen[id(value)] = value
        yield value
        if not has_state(value) and not isinstance(value, gp.PrimitiveSetTyped):
            waiting += [(part, depth + 1) for part in reversed(_references(value))]


def _references(value: Any) -> list[Any]:
    """Return the objects that a function, partial, collection or instance refers to."""
    if isinstance(value, partial):
        return [value.func, *value.args, *value.keywords.values()]
    if isinstance(value, types.MethodType):
        return [value.__self__, value.__func__]
    if isinstance(value, types.FunctionType):
        return _function_references(value)
    if isinstance(value, list | tuple | set | frozenset):
        return list(value) if len(value) <= LARGEST_COLLECTION and not isinstance(value, set | frozenset) else []
    if isinstance(value, dict):
        return list(value.values()) if len(value) <= LARGEST_COLLECTION else []
    if isinstance(value, type | types.ModuleType):
        return []
    return list(getattr(value, "__dict__", {}).values())


def _function_references(function: types.FunctionType) -> list[Any]:
    """Return the values of the closure variables, default arguments and global variables that a function uses."""
    cells = []
    for cell in function.__closure__ or ():
        try:
            cells.append(cell.cell_contents)
        except ValueError:  # the closure variable has no value yet
            continue
    defaults = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    names = [name for name in function.__code__.co_names if name in function.__globals__]
    wrapped = [function.__wrapped__] if hasattr(function, "__wrapped__") else []
    return [*cells, *defaults, *(function.__globals__[name] for name in names), *wrapped]
