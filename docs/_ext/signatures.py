"""A Sphinx extension: show the signatures of classes in the reference as callers use them."""

import re
from typing import Any

from sphinx.util.inspect import signature, stringify_signature

from divergent.selection import Strategy

# the type numpy.typing.ArrayLike, as Sphinx prints it
ARRAY_LIKE = re.compile(r"[~\w.]*Buffer \| [~\w.]*_SupportsArray\[.*?_NestedSequence\[complex \| bytes \| str\]")


def correct(app: Any, what: str, name: str, value: Any, options: Any, text: str | None, returns: str | None) -> Any:
    """Return the signature and the return annotation of a documented object.

    Sphinx reads the signature of a class from `__new__`, which only the base class of all strategies defines. The
    keyword arguments of a strategy are those of `__init__`. Sphinx cannot parse functions and factories as defaults,
    and it prints the definition of a type alias instead of its name.
    """
    if what == "class" and isinstance(value, type) and issubclass(value, Strategy):
        text = stringify_signature(signature(value.__init__, bound_method=True), unqualified_typehints=True)
    text = text and ARRAY_LIKE.sub("ArrayLike", text.replace("<factory>", "..."))
    return text and re.sub(r"<function ([\w.]+)>", r"\1", text), returns


def setup(app: Any) -> dict[str, Any]:
    """Correct signatures before Sphinx parses them."""
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-signature", correct)
    return {"version": "1", "parallel_read_safe": True}
