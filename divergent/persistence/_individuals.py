"""Conversion of individuals (lists, arrays, sets, dictionaries, trees and genomes) to JSON-serialisable data."""

import array
import json
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from deap import gp

from divergent.persistence._serialization import ArrayPool, from_jsonable, to_jsonable
from divergent.validation import brief

INTERFACE = ("inputs", "outputs", "bias_node", "hidden_activation", "output_activation")  # of a genome
COLLECTIONS = {list: list, array.array: list, set: set, frozenset: frozenset, dict: dict}
"""Built-in classes of individuals, and the class to which each is converted before serialisation."""


class IndividualFormat:
    """Conversion of the individuals of one class to JSON-serialisable data and back, without their fitness.

    Parameters
    ----------
    kind : type
        Class of the individuals.
    save : callable or None, default=None
        `save(individual)` returns JSON-serialisable data; sets, tuples and arrays of numbers are allowed. None uses the
        built-in conversion of genomes, lists, arrays, sets, dictionaries and trees, including their attributes.
    load : callable or None, default=None
        `load(data)` restores the individual from the data that `save` returned.
    primitives : gp.PrimitiveSetTyped or None, default=None
        Primitive set of genetic programming trees, needed to load trees.

    Examples
    --------
    Convert a list to JSON-serialisable data and back:

    >>> form = IndividualFormat(list)
    >>> form.save([1, 2.5])
    {'content': [1, 2.5], 'attributes': {}}

    >>> form.load({'content': [1, 2.5], 'attributes': {}})
    [1, 2.5]
    """

    def __init__(
        self,
        kind: Any,
        save: Callable[[Any], Any] | None = None,
        load: Callable[[Any], Any] | None = None,
        primitives: gp.PrimitiveSetTyped | None = None,
    ) -> None:
        self.kind = kind
        self._save, self._load, self._primitives = save, load, primitives
        # names of attributes that need no separate entry, because they belong to the genotype or to the fitness
        self._own_attributes: set[str] | None = None
        # caches the JSON data of genomes except for their genes; many genomes share this data
        self._interfaces: dict[tuple[Any, ...], dict[str, Any]] = {}

    def save(self, individual: Any, pool: ArrayPool | None = None) -> dict[str, Any]:
        """Convert an individual to JSON-serialisable data: its genotype and its other attributes.

        Parameters
        ----------
        individual : object
            Individual to convert.
        pool : ArrayPool or None, default=None
            Collection of arrays for an npz file, to which the arrays of the individual are added. None converts arrays
            to lists.

        Returns
        -------
        dict
            JSON-serialisable data.

        Raises
        ------
        TypeError
            If the individual is not of class `kind`, or this class cannot be converted.
        """
        if self._save is not None:
            return {"content": to_jsonable(self._save(individual), pool=pool), "attributes": {}}
        if type(individual) is not self.kind:
            raise TypeError(
                f"individuals must be of class {self.kind.__name__}, got {brief(individual)}; "
                "pass functions that save and load them"
            )
        content = self._genome(individual, pool) if hasattr(individual, "to_json") else _content(individual, pool)
        if self._own_attributes is None:
            known = hasattr(individual, "to_json")
            own = vars(self.kind.from_json(json.loads(individual.to_json()))) if known else {}
            # `to_json` writes the `json_attributes` of a genome only if they differ from the defaults
            self._own_attributes = {*own, *getattr(individual, "json_attributes", ()), "fitness"}
        attributes = getattr(individual, "__dict__", {})
        others = {name: value for name, value in attributes.items() if name not in self._own_attributes}
        return {"content": content, "attributes": to_jsonable(others, pool=pool)}

    def load(self, data: dict[str, Any], pool: ArrayPool | None = None) -> Any:
        """Create an individual from the data that `save` returned.

        Parameters
        ----------
        data : dict
            Data that `save` returned.
        pool : ArrayPool or None, default=None
            Pool that contains the arrays, if `save` was called with a pool.

        Returns
        -------
        object
            The individual, with a new fitness that has no values.

        Raises
        ------
        ValueError, TypeError, LookupError
            If the data is invalid.
        """
        if self._load is not None:
            return self._load(from_jsonable(data["content"], pool=pool))
        individual = _from_content(self.kind, data["content"], self._primitives, pool)
        for name, value in from_jsonable(data["attributes"], pool=pool).items():
            setattr(individual, name, value)
        return individual

    def _genome(self, individual: Any, pool: ArrayPool | None) -> dict[str, Any]:
        """Return a genome as JSON-serialisable data; the array of genes is added to `pool` unless `pool` is None."""
        if pool is None or not _has_plain_genes(self.kind) or getattr(individual, "node_activations", None):
            return json.loads(individual.to_json())
        properties = tuple(getattr(individual, name) for name in INTERFACE)
        if properties not in self._interfaces:
            self._interfaces[properties] = json.loads(individual.with_genes(individual.genes[:0]).to_json())
        return {"interface": self._interfaces[properties], "genes": pool.add(individual.genes)}


def _content(individual: Any, pool: ArrayPool | None) -> Any:
    """Return a tree, array, list, set or dictionary as JSON-serialisable data."""
    if isinstance(individual, gp.PrimitiveTree):
        return [_node_data(node) for node in individual]
    if isinstance(individual, np.ndarray):
        return to_jsonable(np.asarray(individual), pool=pool)
    for kind, plain in COLLECTIONS.items():
        if isinstance(individual, kind):
            return to_jsonable(plain(individual), pool=pool)
    raise TypeError(
        f"individuals must be genomes, lists, arrays, sets, dictionaries or trees, got {brief(individual)}; "
        "pass functions that save and load other types"
    )


def _from_content(kind: Any, content: Any, primitives: Any, pool: ArrayPool | None) -> Any:
    """Create an individual from the data that `_content` or `_genome` returned."""
    if hasattr(kind, "from_json"):
        if pool is None or "genes" not in content:
            return kind.from_json(content)
        genome = kind.from_json(content["interface"])
        genome.genes = pool.get(content["genes"])
        return genome
    if issubclass(kind, gp.PrimitiveTree):
        return kind(_Nodes(primitives).read(content))
    value = from_jsonable(content, pool=pool)
    individual = kind(value)
    if isinstance(value, np.ndarray) and (individual.dtype != value.dtype or individual.shape != value.shape):
        raise ValueError(
            f"the constructor of class {kind.__name__} must preserve the dtype and shape of the array that it "
            f"receives, {value.dtype} {value.shape}, got {individual.dtype} {individual.shape}; "
            "pass functions that save and load individuals"
        )
    return individual


def _has_plain_genes(kind: type) -> bool:
    """Return whether the methods `to_json` and `with_genes` and the attribute `genes` come from the same class."""
    homes = [
        next((base for base in kind.__mro__ if name in vars(base)), None) for name in ("to_json", "with_genes", "genes")
    ]
    return homes[0] is not None and homes.count(homes[0]) == len(homes)


def _node_data(node: Any) -> list[Any]:
    """Return a node of a GP tree as a list: its kind, its name or value, and its return type or ephemeral value."""
    if isinstance(node, gp.Primitive):
        return ["primitive", node.name, node.ret.__name__]
    if isinstance(type(node), gp.MetaEphemeral):
        return ["ephemeral", node.name, to_jsonable(node.value)]
    if isinstance(node, gp.Terminal):
        if node.conv_fct is str:
            return ["terminal", node.value, node.ret.__name__]
        return ["constant", node.name, node.ret.__name__]
    raise TypeError(
        f"nodes of a tree must be primitives and terminals of DEAP, got {brief(node)}; "
        "pass functions that save and load trees"
    )


class _Nodes:
    """Lookup table from saved node data, as `_node_data` returns it, to the nodes of a GP primitive set."""

    def __init__(self, primitives: gp.PrimitiveSetTyped | None) -> None:
        if primitives is None:
            raise ValueError(
                "primitives must be a primitive set to load trees, got None; pass primitives, or register an operator "
                "with the argument pset in the toolbox"
            )
        self._mapping = primitives.mapping
        self._nodes: dict[tuple[Any, ...], Any] = {}
        for nodes in (*primitives.primitives.values(), *primitives.terminals.values()):
            for node in nodes:
                if not isinstance(node, gp.MetaEphemeral):
                    self._nodes.setdefault(tuple(_node_data(node)), node)

    def read(self, content: Iterable[Any]) -> list[Any]:
        """Convert the saved data of a GP tree to the list of its nodes."""
        return [self._node(*data) for data in content]

    def _node(self, kind: str, name: Any, last: Any) -> Any:
        """Return the node of a GP tree that the saved data of the node describes."""
        if kind == "ephemeral":
            node_class = self._mapping[name]
            if not isinstance(node_class, gp.MetaEphemeral):
                raise ValueError(
                    f"saved node {name!r} must be an ephemeral constant in primitives, got {brief(node_class)}"
                )
            node = object.__new__(node_class)
            node.value = from_jsonable(last)
            return node
        return self._nodes[kind, name, last]
