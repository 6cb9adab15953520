"""Base class of `Species` that stores members and species in arrays."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from divergent.neat._genes import INNOVATION
from divergent.neat._speciation_kernels import pack
from divergent.neat._species_arrays import (
    ABSENT,
    ADDED,
    COUNT,
    empty_groups,
    empty_members,
    first_invalid_gene,
    with_more_slots,
    with_room,
)
from divergent.neat._species_state import INNOVATIONS, raise_if_invalid
from divergent.neat.genome import Genome
from divergent.validation import FLOAT, brief, check_at_least


class SpeciesMembers:
    """Base class of `Species` that stores members and species in arrays, which grow on demand."""

    def __init__(self) -> None:
        self.individuals: Sequence[Genome] | None = None
        self._population = 0
        self._members = empty_members(1)
        self._groups = empty_groups()

    @property
    def _slots(self) -> np.ndarray:
        return self._groups.order[: self._groups.totals[COUNT]]

    def _order_by(self, name: str) -> list[int]:
        """Return the indices of the members, sorted by the column `name` of the member array."""
        return np.argsort(self._members.notes[name][: self._population]).tolist()

    def _genes_of(self, slot: int) -> list[list[float]]:
        """Return the innovations and weights of the representative of a species."""
        weights = self._groups.weights[slot]
        innovations = np.flatnonzero(~np.isnan(weights))
        return [list(gene) for gene in zip(innovations.tolist(), weights[innovations].tolist(), strict=True)]

    def _empty_species(self) -> None:
        """Remove all members from their species; the species keep the genes of their representatives."""
        self._groups.members[:] = 0
        self._groups.notes["size"] = 0
        self._groups.notes["representative"] = ABSENT

    def _pack(self, individuals: Sequence[Genome]) -> None:
        """Copy the genes of a population into the rows of the member arrays."""
        try:
            size, gene_arrays = len(individuals), [genes_of(individual) for individual in individuals]
        except AttributeError:
            raise TypeError(f"individuals must be a sequence of genomes, got {brief(individuals)}") from None
        if not size:
            raise ValueError("individuals must contain at least one genome, got none; pass the population")
        for number, genes in enumerate(gene_arrays):
            raise_if_invalid(genes, first_invalid_gene(genes, INNOVATIONS), f"individual {number}: ")
        if size != self._population:
            self._population = size
            self._members = empty_members(size + 1, self._members.weights.shape[1], self._members.bits.shape[1])
            self._groups = self._groups._replace(members=np.zeros((len(self._groups.order), size // 64 + 1), np.uint64))
        for row, genes in enumerate(gene_arrays):
            self._reserve(genes)
            pack(genes, row, *self._members)
        self._members.notes["added"][:size] = np.arange(size)
        self._groups.totals[ADDED] = size
        self.individuals = individuals

    def _reserve(self, genes: np.ndarray) -> None:
        """Enlarge the member and species arrays if they are too small for `genes`."""
        if len(genes) and not genes[-1, INNOVATION] < INNOVATIONS:
            raise_if_invalid(genes, len(genes) - 1)
        self._members, self._groups = with_room(self._members, self._groups, genes)

    def _add_slots(self) -> None:
        """Double the number of rows of the species arrays, to at least 16."""
        self._groups = with_more_slots(self._groups)


def genes_of(individual: Any) -> np.ndarray:
    """Return the genes of an individual; raise an error unless compiled code can read them."""
    try:
        genes = individual.genes
        if genes.dtype == FLOAT and genes.ndim == 2 and genes.flags.c_contiguous:
            return genes
    except AttributeError:
        raise TypeError(f"individuals must have an array as attribute genes, got {brief(individual)}") from None
    raise TypeError(f"genes must be a C-contiguous array of floats with five columns, got {brief(genes)}")


def check_labels(labels: Any, count: int) -> np.ndarray:
    """Return species labels as an array; raise an error if a label is not below `count` or `labels` is empty."""
    if not isinstance(labels, list | tuple | np.ndarray) or np.ndim(labels) != 1:
        raise TypeError(f"among must be a sequence of species labels, got {brief(labels)}")
    for label in labels:
        check_at_least(0, label=label)
        if not label < count:
            raise ValueError(f"labels of species must be from 0 to {count - 1}, got {label}")
    if not len(labels):
        raise ValueError("among must contain at least one species label, got none; pass None for all species")
    return np.asarray(labels, dtype=int)
