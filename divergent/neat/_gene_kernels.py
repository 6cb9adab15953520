"""Compiled kernels of crossover and mutation, on gene arrays."""

import numpy as np

from divergent._compile import njit
from divergent.neat._genes import ENABLED, INNOVATION, SOURCE, TARGET, WEIGHT
from divergent.neat._topology import analyse_topology

BOTH, FIRST, SECOND = range(3)  # codes of the parents that pass on their disjoint and excess genes


@njit(cache=True)
def insert_gene(
    genes: np.ndarray, extended: np.ndarray, innovation: float, source: float, target: float, weight: float
) -> bool:
    """Copy `genes` and a new enabled gene to `extended`, sorted by innovation number.

    The result is False if a gene in `genes` already has the innovation number of the new gene.
    """
    place = len(genes)
    while place > 0 and genes[place - 1, INNOVATION] >= innovation:
        place -= 1
    for gene in range(len(genes)):
        for column in range(5):
            extended[gene + (gene >= place), column] = genes[gene, column]
    extended[place, INNOVATION] = innovation
    extended[place, SOURCE] = source
    extended[place, TARGET] = target
    extended[place, WEIGHT] = weight
    extended[place, ENABLED] = 1.0
    return place == len(genes) or genes[place, INNOVATION] != innovation


@njit(cache=True)
def toggle_genes(genes: np.ndarray, draw: float) -> None:
    """Enable or disable the gene at relative position `draw` (0 to 1) in the genome, see `toggle`."""
    chosen = int(draw * len(genes))
    if genes[chosen, ENABLED] == 0.0:
        genes[chosen, ENABLED] = 1.0
        return
    alike = 0.0
    for gene in range(len(genes)):
        if genes[gene, SOURCE] == genes[chosen, SOURCE]:
            alike += genes[gene, ENABLED]
    if alike > 1.0:
        genes[chosen, ENABLED] = 0.0


@njit(cache=True)
def reenable_genes(genes: np.ndarray) -> None:
    """Enable the oldest disabled gene, see `reenable`."""
    for gene in range(len(genes)):
        if genes[gene, ENABLED] == 0.0:
            genes[gene, ENABLED] = 1.0
            return


@njit(cache=True)
def perturb_genes(
    genes: np.ndarray,
    draws: np.ndarray,
    power: float,
    limit: float,
    severe: float,
    perturb: float,
    replace: float,
    tail: float,
    tail_perturb: float,
    tail_replace: float,
) -> None:
    """Change the weights of genes in place, see `mutate_weights`."""
    severely = draws[0] < severe
    newest = tail * len(genes) if len(genes) >= 10 else len(genes)
    for gene in range(len(genes)):
        change = power * (2.0 * draws[1 + 2 * gene] - 1.0)
        choice = draws[2 + 2 * gene]
        weight = genes[gene, WEIGHT]
        if severely:
            if choice < perturb:
                weight += change
            elif choice < perturb + replace:
                weight = change
        elif gene > newest:
            if choice < tail_perturb:
                weight += change
            elif choice < tail_perturb + tail_replace:
                weight = change
        else:
            weight += change
        genes[gene, WEIGHT] = min(max(weight, -limit), limit)


@njit(cache=True)
def cross_genes(
    first: np.ndarray,
    second: np.ndarray,
    donor: int,
    average: float,
    disable: float,
    draws: np.ndarray,
    first_child: np.ndarray,
    second_child: np.ndarray,
) -> int:
    """Fill the gene arrays of two children and return their number of genes, or -1 if the parents do not match.

    The parents do not match if the same innovation number denotes different connections.
    """
    averaged = draws[0] < average
    # Inherited disjoint and excess connections are recorded, so that no connection is inherited from both parents.
    first_links, second_links = np.empty(len(first), np.int64), np.empty(len(second), np.int64)
    i = j = count = matching = first_count = second_count = 0
    while i < len(first) or j < len(second):
        first_number, second_number = _number(first, i), _number(second, j)
        if first_number == second_number:
            if _link(first, i) != _link(second, j):
                return -1
            swap = draws[1 + 3 * matching] < 0.5
            for column in range(5):
                first_child[count, column] = second[j, column] if swap else first[i, column]
                second_child[count, column] = first[i, column] if swap else second[j, column]
            if averaged:
                first_child[count, WEIGHT] = second_child[count, WEIGHT] = (first[i, WEIGHT] + second[j, WEIGHT]) / 2.0
                first_child[count, ENABLED] = second_child[count, ENABLED] = 1.0
            if first[i, ENABLED] * second[j, ENABLED] == 0.0:
                first_child[count, ENABLED] *= draws[2 + 3 * matching] >= disable
                second_child[count, ENABLED] *= draws[3 + 3 * matching] >= disable
            matching += 1
            i += 1
            j += 1
            count += 1
        elif first_number < second_number:
            first_links[first_count] = link = _link(first, i)
            if _may_inherit(link, second_links, second_count, donor != SECOND):
                first_count += 1
                for column in range(5):
                    first_child[count, column] = second_child[count, column] = first[i, column]
                count += 1
            i += 1
        else:
            second_links[second_count] = link = _link(second, j)
            if _may_inherit(link, first_links, first_count, donor != FIRST):
                second_count += 1
                for column in range(5):
                    first_child[count, column] = second_child[count, column] = second[j, column]
                count += 1
            j += 1
    return count


# `_number` is inlined because a call that passes arrays takes longer than the function body.
@njit(cache=True, inline="always")
def _number(genes: np.ndarray, gene: int) -> float:
    """Return the innovation number of a gene, or infinity after the last gene."""
    return genes[gene, INNOVATION] if gene < len(genes) else np.inf


@njit(cache=True, inline="always")
def _link(genes: np.ndarray, gene: int) -> int:
    """Return the source and the target of a connection, encoded as one integer."""
    return int(genes[gene, SOURCE]) << 32 | int(genes[gene, TARGET])


@njit(cache=True)
def _may_inherit(link: int, others: np.ndarray, count: int, donates: bool) -> bool:
    """Return whether the children inherit a disjoint or excess gene, whose connection is encoded in `link`.

    `donates` specifies whether the parent with the gene passes on its disjoint and excess genes. The first `count`
    entries of `others` encode connections that the children have inherited from the parent that lacks the disjoint or
    excess gene. The children inherit no connection twice.
    """
    present = not donates
    for position in range(count):
        present |= others[position] == link
    return not present


@njit(cache=True)
def find_unconnected(
    genes: np.ndarray, sources: int, outputs: int, recurrent: float, loop: float, draws: np.ndarray
) -> tuple[int, int]:
    """Return the source and the target of a new connection, or -1 and -1 if no attempt finds a valid pair of nodes."""
    hidden, linked, reach, _ = analyse_topology(genes, sources, outputs)
    visible = sources + outputs
    size = visible + len(hidden)
    closing = draws[0] < recurrent
    for attempt in range(2, len(draws), 3):
        target = sources + int(draws[attempt + 1] * (size - sources))
        if closing and draws[attempt + 2] < loop:
            source = target
        else:
            source = int(draws[attempt] * size)
        if not linked[source, target] and reach[target, source] == closing:
            return (
                source if source < visible else hidden[source - visible],
                target if target < visible else hidden[target - visible],
            )
    return -1, -1
