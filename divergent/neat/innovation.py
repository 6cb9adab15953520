"""Innovation numbers: identical structural mutations get the same number in all genomes of a run."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from divergent.neat._genes import INNOVATION, SOURCE, TARGET
from divergent.neat._topology import hidden_nodes
from divergent.neat.genome import Genome, sources, validated_genes
from divergent.validation import LARGEST, brief, is_finite


class Innovations:
    """Registry that assigns innovation numbers to connections and ids to hidden nodes during a run.

    A connection is identified by the nodes that it joins. A hidden node is identified by the connection that it splits
    and by the number of earlier splits of that connection in the genome. A genome that re-enables a split connection
    and splits it again gets a second hidden node. All genomes that split the connection a second time get the same
    second hidden node.

    Parameters
    ----------
    genomes : iterable of Genome, default=()
        Existing genomes, which keep their innovation numbers; new numbers start above the existing numbers. Genomes
        with larger numbers can be added later with `include`.
    reuse_weights : bool, default=False
        Whether `add_connection` gives a connection the same initial weight in all genomes of a run, as in Lehman's
        program (2008). Recurrent connections always start with a random weight.
    match_recurrent : bool, default=True
        Whether the same recurrent connection has the same innovation number in every genome. If False, each new
        recurrent connection gets a new innovation number, as in Lehman's program (2008).

    Attributes
    ----------
    next_innovation : int
        The next free innovation number.
    next_node : int
        The next free node id.

    Raises
    ------
    ValueError
        If genomes have different innovation numbers for the same connection, or the same number for different
        connections. A ValueError is also raised if `reuse_weights` or `match_recurrent` is not True or False.

    References
    ----------
    K. O. Stanley and R. Miikkulainen, "Evolving neural networks through augmenting topologies", Evolutionary
    Computation 10(2), 2002.

    Examples
    --------
    >>> innovations = Innovations()
    >>> innovations.connection(0, 3), innovations.connection(1, 3), innovations.connection(0, 3)
    (0, 1, 0)
    """

    def __init__(self, genomes: Iterable[Genome] = (), *, reuse_weights: bool = False, match_recurrent: bool = True):
        for name, value in (("reuse_weights", reuse_weights), ("match_recurrent", match_recurrent)):
            if not isinstance(value, bool):
                raise ValueError(f"option {name} must be True or False, got {brief(value)}")
        self.reuse_weights = reuse_weights
        self.match_recurrent = match_recurrent
        self._first_weights: dict[int, float] = {}
        self._connections: dict[tuple[int, int], int] = {}
        self._splits: dict[tuple[int, int], int] = {}
        self.next_innovation = 0
        self.next_node = 0
        self.include(genomes)

    def connection(self, source: int, target: int, *, recurrent: bool = False) -> int:
        """Return the innovation number of a connection; a new connection gets a new number.

        Parameters
        ----------
        source : int
            Id of the node that the connection starts from.
        target : int
            Id of the node that the connection leads into.
        recurrent : bool, default=False
            Whether the connection closes a cycle; see `match_recurrent`.

        Returns
        -------
        int
            The innovation number.
        """
        if recurrent and not self.match_recurrent:
            self.next_innovation += 1
            return self.next_innovation - 1
        number = self._connections.get((source, target))
        if number is None:
            number = self._connections[source, target] = self.next_innovation
            self.next_innovation += 1
        return number

    def first_weight(self, number: int, drawn: float) -> float:
        """Return the initial weight of an added connection.

        Parameters
        ----------
        number : int
            Innovation number of the connection.
        drawn : float
            Weight that was drawn at random for the connection.

        Returns
        -------
        float
            If `reuse_weights` is True, the value of `drawn` in the first call with the same `number`, otherwise the
            value of `drawn` in this call.
        """
        return self._first_weights.setdefault(number, float(drawn)) if self.reuse_weights else drawn

    def node(self, split: int, occurrence: int = 0) -> int:
        """Return the id of the hidden node that splits a connection; a new split gets a new id.

        Parameters
        ----------
        split : int
            Innovation number of the connection.
        occurrence : int, default=0
            Number of earlier splits of this connection in the genome.

        Returns
        -------
        int
            The node id.
        """
        node = self._splits.get((split, occurrence))
        if node is None:
            node = self._splits[split, occurrence] = self.next_node
            self.next_node += 1
        return node

    def knows(self, genome: Genome) -> bool:
        """Return whether the registry covers the innovation numbers, inputs and outputs of a genome.

        Parameters
        ----------
        genome : divergent.neat.Genome
            The genome.

        Returns
        -------
        bool
            False if `include` must register the genome first.
        """
        genes = validated_genes(genome)
        last = genes[-1, INNOVATION] if len(genes) else -1
        return self.next_node >= sources(genome) + genome.outputs and last < self.next_innovation

    def include(self, genomes: Iterable[Genome]) -> None:
        """Register the connections and hidden nodes of genomes.

        If `match_recurrent` is False, connections between the same two nodes may have different innovation numbers.
        If `match_recurrent` is False, later genomes reuse a registered innovation number only for connections that are
        not recurrent (`Genome.recurrent`).

        Parameters
        ----------
        genomes : iterable of Genome
            Genomes to register.

        Raises
        ------
        ValueError
            If genomes have different innovation numbers for the same connection, or the same number for different
            connections; no genome is registered in this case.
        """
        numbers = {number: link for link, number in self._connections.items()}
        connections = dict(self._connections)
        visible, hidden = self.next_node, set()
        for genome in genomes:
            genes = validated_genes(genome)
            first = sources(genome) + genome.outputs
            visible = max(visible, first)
            matched = np.full(len(genes), True) if self.match_recurrent else ~genome.recurrent
            for row, matches in zip(
                genes[:, [INNOVATION, SOURCE, TARGET]].astype(int).tolist(), matched.tolist(), strict=True
            ):
                number, link = row[0], (row[1], row[2])
                known = connections.setdefault(link, number) if matches else number
                if numbers.setdefault(number, link) != link or (known != number and self.match_recurrent):
                    raise ValueError(
                        "genomes must have one innovation number for each connection, got a conflict at the "
                        f"connection from {link[0]} to {link[1]} with number {number}; use genomes of one run"
                    )
            hidden.update(hidden_nodes(genes, first).tolist())
        self._connections = connections
        self.next_innovation = max(self.next_innovation, 1 + max(numbers, default=-1))
        self.next_node = max(visible, 1 + max(hidden, default=-1))
        self._infer_splits(numbers, sorted(hidden))

    def _infer_splits(self, numbers: dict[int, tuple[int, int]], nodes: list[int]) -> None:
        """Use the first two connections of each hidden node to infer the connection that the node splits."""
        known = set(self._splits.values())
        leads_in: dict[int, int] = {}
        for number in sorted(numbers):
            leads_in.setdefault(numbers[number][1], number)
        occurrences: defaultdict[int, int] = defaultdict(int)
        for split, occurrence in self._splits:
            occurrences[split] = max(occurrences[split], occurrence + 1)
        for node in nodes:
            number = leads_in.get(node, -1)
            if node in known or number < 0 or numbers.get(number + 1, (None,))[0] != node:
                continue
            before = self._connections.get((numbers[number][0], numbers[number + 1][1]))
            if before is not None and before < number:
                self._splits[before, occurrences[before]] = node
                occurrences[before] += 1

    def __len__(self) -> int:
        return len(self._connections)

    def __repr__(self) -> str:
        return f"Innovations({len(self._connections)} connections, {len(self._splits)} splits)"

    def state(self) -> dict[str, Any]:
        """Return the complete state.

        Returns
        -------
        dict
            JSON-serialisable data for `restore`.

        See Also
        --------
        Innovations.restore : Resume from the state.
        """
        return {
            "connections": [[*link, number] for link, number in self._connections.items()],
            "splits": [[*split, node] for split, node in self._splits.items()],
            "next_innovation": self.next_innovation,
            "next_node": self.next_node,
            "first_weights": [[number, weight] for number, weight in self._first_weights.items()],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Restore the registry from the result of `state`.

        Parameters
        ----------
        state : dict
            Dictionary that the method `state` returned.

        Raises
        ------
        TypeError
            If `state` is not a mapping.
        ValueError
            If an entry of `state` is missing or inconsistent; the registry is then unchanged.

        See Also
        --------
        Innovations.state : Return the state.
        """
        if not isinstance(state, Mapping):
            raise TypeError(f"state must be a dictionary that Innovations.state() returned, got {state!r:.60}")
        connections = _read_table("connections", state)
        splits = _read_table("splits", state)
        next_innovation, next_node = state.get("next_innovation"), state.get("next_node")
        following = 1 + max(connections.values(), default=-1)
        # If match_recurrent is False, `connections` lacks the innovation numbers of recurrent connections.
        most = following if self.match_recurrent else LARGEST
        if type(next_innovation) is not int or not following <= next_innovation <= most:
            rule = f"{following}" if self.match_recurrent else f"an integer from {following} to {most}"
            raise ValueError(
                f"next_innovation in the state of Innovations must be the next free innovation number, {rule}, "
                f"got {next_innovation!r:.60}"
            )
        least = 1 + max(splits.values(), default=-1)
        if type(next_node) is not int or not least <= next_node <= LARGEST:
            raise ValueError(
                f"next_node in the state of Innovations must be an integer from {least} to {LARGEST}, "
                f"got {next_node!r:.60}"
            )
        self._first_weights = _read_weights(state.get("first_weights", []), next_innovation)
        self._connections, self._splits = connections, splits
        self.next_innovation, self.next_node = next_innovation, next_node


def _read_table(name: str, state: dict[str, Any]) -> dict[tuple[int, int], int]:
    """Read a table of `Innovations.state`; each row is a pair of integers and the number assigned to this pair."""
    rows = state.get(name)
    if not isinstance(rows, list):
        raise ValueError(f"table {name} in the state of Innovations must be a list, got {rows!r:.60}")
    for row in rows:
        valid = isinstance(row, list | tuple) and all(type(number) is int and 0 <= number <= LARGEST for number in row)
        if not valid or len(row) != 3:
            raise ValueError(
                f"each row of table {name} in the state of Innovations must be 3 integers from 0 to {LARGEST}, "
                f"got {row!r:.60}"
            )
    table = {(first, second): number for first, second, number in rows}
    if not len(rows) == len(table) == len(set(table.values())):
        raise ValueError(
            f"table {name} in the state of Innovations must assign distinct numbers to distinct pairs, got duplicates; "
            "pass an unmodified state"
        )
    return table


def _read_weights(rows: Any, following: int) -> dict[int, float]:
    """Return the initial weights of connections by innovation number, read from the rows of a saved state.

    Each row must be a pair of an innovation number below `following` and a finite weight. `following` is the next free
    innovation number.
    """
    if not isinstance(rows, list):
        raise ValueError(f"first_weights in the state of Innovations must be a list, got {brief(rows)}")
    for row in rows:
        pair = isinstance(row, list | tuple) and len(row) == 2 and type(row[0]) is int and 0 <= row[0] < following
        if not pair or not is_finite(row[1]):
            raise ValueError(
                f"first_weights in the state of Innovations must be pairs of an innovation number below {following} "
                f"and a finite weight, got {brief(row)}"
            )
    return {number: float(weight) for number, weight in rows}
