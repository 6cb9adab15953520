"""Options of a search: the constructor arguments of its strategy that are numbers, strings or booleans."""

import functools
import inspect
import re
import types
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import numpy as np

from divergent.selection._predictors import PREDICTORS
from divergent.selection._searches import SEARCHES

if TYPE_CHECKING:
    from divergent.selection._strategy import Strategy

SIMPLE_TYPES = (bool, int, float, str)


class Option(NamedTuple):
    """An option of a search."""

    types: tuple[type, ...]
    """The simple types that a value of the option may have, narrowest first."""

    default: Any
    """Default value of the option; None if the default is not of a simple type."""

    meaning: str
    """First sentence of the option's description in the docstring of the strategy class."""

    def read(self, text: str) -> Any:
        """Parse the text of an option value; raise a ValueError if the text fits none of the option's types."""
        for simple_type in self.types:
            try:
                return _READERS[simple_type](text)
            except ValueError:
                continue
        raise ValueError(f"option value must be of the documented type, {self.rule}, got {text!r}")

    def fits(self, value: Any) -> bool:
        """Return whether a value has one of the option's types; integers are accepted as floats."""
        valid = (*self.types, int) if float in self.types else self.types
        return type(value) in valid or (isinstance(value, np.generic) and type(value.item()) in valid)

    @property
    def rule(self) -> str:
        """Rule for valid values of the option, for error messages."""
        return " or ".join(_RULES[simple_type] for simple_type in self.types)


def search_options(search: str) -> dict[str, Option]:
    """Return the options of a search by name.

    Parameters
    ----------
    search : str
        A name in `divergent.selection.SEARCHES`.

    Returns
    -------
    dict
        The options, read from the signature and the docstring of the strategy class.

    Examples
    --------
    Random search has no options:

    >>> search_options("random")
    {}

    The option `clusters` of the search "ssr" is an integer with default 200:

    >>> option = search_options("ssr")["clusters"]
    >>> option.types, option.default
    ((<class 'int'>,), 200)
    """
    return strategy_options(SEARCHES[search])


def strategy_options(strategy: "Callable[..., Strategy]") -> dict[str, Option]:
    """Return the options of a strategy class, or of a `functools.partial` of a strategy class, by name.

    Arguments of a partial replace the defaults of the class. Only constructor arguments that are numbers, strings or
    booleans are options.
    """
    if not isinstance(strategy, functools.partial):
        return dict(_class_options(strategy))
    options = strategy_options(strategy.func)
    for name, value in strategy.keywords.items():
        if name in options and type(value) in SIMPLE_TYPES:
            options[name] = options[name]._replace(default=value)
        else:
            options.pop(name, None)
    return options


@functools.cache
def _class_options(strategy: "Callable[..., Strategy]") -> dict[str, Option]:
    """Read the options of a strategy class from its signature and docstring."""
    annotations = get_type_hints(strategy.__init__)
    meanings = _parameter_meanings(inspect.getdoc(strategy) or "")
    options = {}
    for name, parameter in _named_parameters(strategy).items():
        default = parameter.default if type(parameter.default) in SIMPLE_TYPES else None
        valid = _simple_types(annotations[name]) if name in annotations else {type(default)} - {type(None)}
        if valid:
            options[name] = Option(tuple(sorted(valid, key=SIMPLE_TYPES.index)), default, meanings.get(name, ""))
    return options


def all_options() -> dict[str, tuple[Option, list[str]]]:
    """Return the options of all searches by name, each with the names of the searches that have the option."""
    options: dict[str, tuple[Option, list[str]]] = {}
    for search in SEARCHES:
        for name, option in search_options(search).items():
            options.setdefault(name, (option, []))[1].append(search)
    return options


def make_strategy(
    strategy: "Callable[..., Strategy]", options: Mapping[str, Any], bounds: tuple[Any, Any] | None, rng: Any
) -> "Strategy":
    """Build a strategy with its options, behaviour limits and random generator.

    Parameters
    ----------
    strategy : callable
        Strategy class, or a `functools.partial` of a strategy class.
    options : Mapping
        Options of the search by name.
    bounds : tuple or None
        Lower and upper limits of the behaviours, passed to the strategy if it has a parameter `bounds`.
    rng : numpy.random.Generator
        Random generator, passed to the strategy if it has a parameter `rng`.

    Returns
    -------
    Strategy
        The strategy.
    """
    parameters = _named_parameters(strategy)
    context = {
        name: value for name, value in (("bounds", bounds), ("rng", rng)) if name in parameters and value is not None
    }
    return strategy(**options, **context)


def required_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the option `history` if the chosen predictor prescribes a history length."""
    predictor: Any = PREDICTORS.get(options.get("predictor", ""))
    return {"history": predictor.history} if hasattr(predictor, "history") else {}


def _named_parameters(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """Return the parameters of a function that can be passed as keywords."""
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    parameters = inspect.signature(function).parameters
    return {name: parameter for name, parameter in parameters.items() if parameter.kind in kinds}


def _simple_types(annotation: Any) -> set[type]:
    """Return which of the types bool, int, float and str an annotation allows."""
    if get_origin(annotation) is Literal:
        return {type(value) for value in get_args(annotation)} & set(SIMPLE_TYPES)
    if get_origin(annotation) in (Union, types.UnionType):
        return set().union(*map(_simple_types, get_args(annotation)))
    return {annotation} & set(SIMPLE_TYPES) if isinstance(annotation, type) else set()


def _parameter_meanings(docstring: str) -> dict[str, str]:
    """Return the first sentence of each parameter's description in a numpydoc docstring."""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\S[^\n]*\n-+$|\Z)", docstring, flags=re.MULTILINE | re.DOTALL)
    parameters = section.group(1) if section else ""
    meanings = {}
    for names, description in re.findall(r"^(\S.*)\n((?:(?: +.*)?\n?)+)", parameters, re.MULTILINE):
        text = " ".join(description.split())
        sentence = re.match(r".*?\.(?= |$)", text)
        for name in names.split(":")[0].split(","):
            meanings[name.strip()] = sentence.group() if sentence else text
    return meanings


def _read_truth(text: str) -> bool:
    """Parse "true" or "false" in upper or lower case."""
    if text.lower() not in ("true", "false"):
        raise ValueError(text)
    return text.lower() == "true"


_READERS: dict[type, Callable[[str], Any]] = {bool: _read_truth, int: int, float: float, str: str}
_RULES = {bool: "true or false", int: "an integer", float: "a number", str: "a word"}
