"""The options of a search: those arguments of its constructor that can be written down as a number or a word."""

import inspect
import re
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import numpy as np

from divergent.selection import DEVIATIONS, PREDICTORS, SEARCHES, Strategy

SIMPLE = (bool, int, float, str)
# parts of a search that have names, by the option that chooses them
NAMED: dict[str, Mapping[str, Any]] = {"predictor": PREDICTORS, "deviation": DEVIATIONS}


class Option(NamedTuple):
    """One option of a search."""

    kinds: tuple[type, ...]
    """The simple types that it may have, the narrowest first."""

    default: Any
    """None if it has none that is simple."""

    meaning: str
    """What the class says of it, in one sentence."""

    def read(self, text: str) -> Any:
        """The value that a text means; refused if it is of none of the types."""
        for kind in self.kinds:
            try:
                return _READERS[kind](text)
            except ValueError:
                continue
        raise ValueError(f"it must be {self.rule}, got {text!r}")

    def fits(self, value: Any) -> bool:
        """Whether a value is of one of the types; a whole number is a number, too."""
        kinds = (*self.kinds, int) if float in self.kinds else self.kinds
        return type(value) in kinds or (isinstance(value, np.generic) and type(value.item()) in kinds)

    @property
    def rule(self) -> str:
        """What a value has to be."""
        return " or ".join(_WORDS[kind] for kind in self.kinds)


def options_of(search: str) -> dict[str, Option]:
    """The options of a search by name, read from the signature and the docstring of its class.

    Examples
    --------
    >>> options_of("random")
    {}
    >>> options_of("ssr")["clusters"]
    Option(kinds=(<class 'int'>,), default=200, meaning='Number of random points.')
    """
    maker = SEARCHES[search]
    types_of = get_type_hints(maker.__init__)
    meanings = _meanings(inspect.getdoc(maker) or "")
    found = {}
    for name, parameter in _parameters(maker).items():
        default = parameter.default if type(parameter.default) in SIMPLE else None
        kinds = _simple(types_of[name]) if name in types_of else {type(default)} - {type(None)}
        if kinds:
            found[name] = Option(tuple(sorted(kinds, key=SIMPLE.index)), default, meanings.get(name, ""))
    return found


def all_options() -> dict[str, tuple[Option, list[str]]]:
    """Every option that any search has, as the first of them has it, with the names of those that do."""
    found: dict[str, tuple[Option, list[str]]] = {}
    for search in SEARCHES:
        for name, option in options_of(search).items():
            found.setdefault(name, (option, []))[1].append(search)
    return found


def make_strategy(
    search: str, options: Mapping[str, Any], bounds: tuple[Any, Any], rng: np.random.Generator
) -> Strategy:
    """The strategy of a name with these options; if it takes `bounds`, it gets the lows and highs of the behaviours."""
    maker: Callable[..., Strategy] = SEARCHES[search]
    known = _parameters(maker)
    brought = {name: value for name, value in (("bounds", bounds), ("rng", rng)) if name in known}
    return maker(**options, **brought)


def needs_of_parts(options: Mapping[str, Any]) -> dict[str, Any]:
    """What a named part needs of the other options: a predictor the history that it looks back on."""
    predictor: Any = PREDICTORS.get(options.get("predictor", ""))
    return {"history": predictor.history} if hasattr(predictor, "history") else {}


def _parameters(maker: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    found = inspect.signature(maker).parameters
    return {name: one for name, one in found.items() if one.kind in named}


def _simple(annotation: Any) -> set[type]:
    """The simple types that an annotation allows, None aside."""
    if get_origin(annotation) is Literal:
        return {type(value) for value in get_args(annotation)} & set(SIMPLE)
    if get_origin(annotation) in (Union, types.UnionType):
        return set().union(*map(_simple, get_args(annotation)))
    return {annotation} & set(SIMPLE) if isinstance(annotation, type) else set()


def _meanings(text: str) -> dict[str, str]:
    """The first sentence on each parameter of a numpydoc docstring."""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\S[^\n]*\n-+$|\Z)", text, flags=re.MULTILINE | re.DOTALL)
    found = {}
    for names, body in re.findall(r"^(\S.*)\n((?:(?: +.*)?\n?)+)", section.group(1) if section else "", re.MULTILINE):
        words = " ".join(body.split())
        sentence = re.match(r".*?\.(?= |$)", words)
        for name in names.split(":")[0].split(","):
            found[name.strip()] = sentence.group() if sentence else words
    return found


def _truth(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError(text)
    return text.lower() == "true"


_READERS: dict[type, Callable[[str], Any]] = {bool: _truth, int: int, float: float, str: str}
_WORDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a word"}


def told(options: Iterable[str]) -> str:
    """The names of options in a sentence."""
    return ", ".join(options) or "no options of its own"
