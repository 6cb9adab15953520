"""Speciation: parent selection and replacement within species."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from divergent.neat import _speciation_kernels
from divergent.neat import _species_kernels as kernels
from divergent.neat._genes import INNOVATION, WEIGHT
from divergent.neat._random import source_of
from divergent.neat._species_arrays import ABSENT, ADDED, COUNT, FOUNDED
from divergent.neat._species_kernels import INVALID_GENE, INVALID_SCORE, NO_ROOM
from divergent.neat._species_members import SpeciesMembers, check_labels, genes_of
from divergent.neat._species_state import check_choice, raise_if_invalid, raise_if_not_finite, read_order, read_state
from divergent.neat.genome import Genome
from divergent.validation import (
    as_numbers,
    brief,
    check_at_least,
    check_generator,
    check_number,
    check_rate,
    is_finite,
)

REPLACEMENT_TIES = ("index", "oldest")
NEXT_REPRESENTATIVE = ("index", "rank")

ORDERS = {"added": "birth_order", "rank": "ranking"}  # maps columns of the member array to keys of `Species.state`


class Species(SpeciesMembers):
    """A population divided into species by compatibility distance, with an adaptive threshold.

    Species are numbered 0, 1, ... in the order of their founding. If a species becomes extinct, the numbers of later
    species decrease by 1. When a species reproduces, its best member becomes its representative. If the
    representative of a species is removed, another member becomes the representative. An individual belongs to the
    first species whose representative is closer than the threshold.

    A generational loop calls `assign`, `allocate_offspring`, `parents` and `adapt` in each generation. A steady-state
    loop calls `assign` once, then `select_parents` and `replace` for each child, and `respeciate` at intervals. Arrays
    of scores have one number for each member, in the order of the individuals; larger is better.

    Parameters
    ----------
    target : int, default=16
        Target number of species, towards which `adapt` changes the threshold.
    threshold : float, default=4.0
        Initial compatibility threshold: genomes at this distance or farther belong to different species.
    adjust : float, default=0.1
        Change of the threshold in one call of `adapt`.
    floor : float, default=0.3
        Lower bound of the threshold.
    fraction : float, default=0.4
        Fraction of each species that may reproduce; the best members are selected.
    interspecies : float, default=0.001
        Probability that the second parent of `select_parents` comes from another species.
    disjoint : float, default=1.0
        Coefficient of `distance` for disjoint genes.
    excess : float, default=1.0
        Coefficient of `distance` for excess genes.
    weight : float, default=3.0
        Coefficient of `distance` for weight differences.
    replacement_ties : {"index", "oldest"}, default="index"
        Individual that `replace` removes if several tie for the lowest shared score: the individual with the lowest
        index, or the individual that was added first. Lehman's program (2008) removes the oldest individual.
    next_representative : {"index", "rank"}, default="index"
        Member that replaces a removed representative: the member with the lowest index, or the next member in the last
        ranking of the species. Members that joined after the last ranking come after all ranked members, in the order
        of joining. Lehman's program (2008) chooses the next member in the last ranking ("rank").
    self_crossover : bool, default=False
        Whether `breed` crosses an individual that was selected as both parents with itself; pass the same value to
        `breed`. If `self_crossover` is True and only one member of a species may reproduce, `select_parents` returns
        None as the second parent. If the second parent is None, `breed` returns a mutated copy of the first parent.
    rng : numpy.random.Generator or None, default=None
        Source of random numbers. None makes an unseeded generator.

    Attributes
    ----------
    threshold : float
        Current compatibility threshold.
    individuals : sequence or None
        The current members, in the order of `labels`; None in a copy or an unpickled object.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    See Also
    --------
    Reproduction : Generational NEAT.
    select : Parent selection by species, for use in DEAP's algorithms.

    References
    ----------
    K. O. Stanley and R. Miikkulainen, "Evolving neural networks through augmenting topologies", Evolutionary
    Computation 10(2), 2002.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> species = Species(threshold=2.0, rng=rng)
    >>> genomes = [Genome.start(3, 1, rng=rng) for _ in range(6)]
    >>> species.assign(genomes).tolist()
    [0, 1, 1, 0, 1, 0]
    >>> species.count, species.sizes.tolist()
    (2, [3, 3])
    >>> species.allocate_offspring([5.0, 2.0, 3.0, 5.0, 2.0, 5.0], 10).tolist()
    [7, 3]
    """

    def __init__(
        self,
        *,
        target: int = 16,
        threshold: float = 4.0,
        adjust: float = 0.1,
        floor: float = 0.3,
        fraction: float = 0.4,
        interspecies: float = 0.001,
        disjoint: float = 1.0,
        excess: float = 1.0,
        weight: float = 3.0,
        replacement_ties: str = "index",
        next_representative: str = "index",
        self_crossover: bool = False,
        rng: np.random.Generator | None = None,
    ):
        super().__init__()
        check_at_least(1, target=target)
        for name, value in (("threshold", threshold), ("floor", floor)):
            if not (is_finite(value) and value > 0):
                raise ValueError(
                    f"{name} must be a compatibility threshold, a finite number above 0, got {brief(value)}"
                )
        check_number(0.0, adjust=adjust, disjoint=disjoint, excess=excess, weight=weight)
        check_rate(fraction=fraction, interspecies=interspecies)
        check_choice(REPLACEMENT_TIES, replacement_ties=replacement_ties)
        check_choice(NEXT_REPRESENTATIVE, next_representative=next_representative)
        if not isinstance(self_crossover, bool):
            raise ValueError(f"self_crossover must be True or False, got {brief(self_crossover)}")
        if rng is not None:
            check_generator(rng)
        self.target = target
        self.threshold = float(threshold)
        self.adjust = adjust
        self.floor = floor
        self.fraction = float(fraction)
        self.interspecies = float(interspecies)
        self.coefficients = (float(disjoint), float(excess), float(weight))
        self.replacement_ties = replacement_ties
        self.next_representative = next_representative
        self.self_crossover = self_crossover
        self.rng = np.random.default_rng() if rng is None else rng
        self._oldest, self._by_rank = replacement_ties == "oldest", next_representative == "rank"

    @property
    def count(self) -> int:
        """Number of species."""
        return int(self._groups.totals[COUNT])

    @property
    def ids(self) -> np.ndarray:
        """Permanent id of each species; ids of extinct species are not reused."""
        return self._groups.notes["id"][self._slots]

    @property
    def sizes(self) -> np.ndarray:
        """Number of members of each species."""
        return self._groups.notes["size"][self._slots]

    @property
    def labels(self) -> np.ndarray:
        """Species of each member."""
        label = np.empty(len(self._groups.order), int)
        label[self._slots] = np.arange(self.count)
        return label[self._members.notes["slot"][: self._population]]

    def species_id(self, index: int) -> int:
        """Return the permanent id of the species to which one member belongs.

        Parameters
        ----------
        index : int
            Index of the member.

        Returns
        -------
        int
            The id.
        """
        return self._groups.notes["id"].item(self._members.notes["slot"].item(index))

    @property
    def representatives(self) -> np.ndarray:
        """Index of the member that represents each species."""
        return self._groups.notes["representative"][self._slots]

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return f"Species({self.count} of {self._population} members, threshold {self.threshold:g})"

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes for a copy or pickle, without `individuals`, whose genes are stored separately."""
        return self.__dict__ | {"individuals": None}

    def assign(self, individuals: Sequence[Genome]) -> np.ndarray:
        """Divide a population into species by the distance to the current representatives.

        Parameters
        ----------
        individuals : sequence of Genome
            The population.

        Returns
        -------
        numpy.ndarray
            Species label of each individual.

        See Also
        --------
        Species.respeciate : Divide the current members into species again.
        """
        self._pack(individuals)
        self._empty_species()
        self._assign_members()
        _speciation_kernels.finish_assignment(*self._members, *self._groups)
        return self.labels

    def adapt(self) -> None:
        """Lower the threshold if there are too few species, and raise it if there are too many."""
        count = self.count
        if count < self.target:
            self.threshold = max(self.threshold - self.adjust, self.floor)
        elif count > self.target:
            self.threshold += self.adjust

    def allocate_offspring(
        self, scores: Sequence[float] | np.ndarray, k: int, among: Sequence[int] | np.ndarray | None = None
    ) -> np.ndarray:
        """Divide a number of offspring among the species in proportion to their mean scores.

        If any score is negative, the lowest score is first subtracted from all scores. If all mean scores are 0, all
        species get the same number of offspring. Fractions are rounded by the largest-remainder method, so that the sum
        is `k`.

        Parameters
        ----------
        scores : array_like
            One score for each member.
        k : int
            Number of offspring.
        among : sequence of int or None, default=None
            Species that may reproduce. None: all.

        Returns
        -------
        numpy.ndarray
            Number of offspring of each species.
        """
        check_at_least(0, k=k)
        means, wrong = kernels.means(self._check(scores, self._population), *self._members, *self._groups)
        raise_if_not_finite(scores, wrong)
        if among is not None:
            allowed = check_labels(among, self.count)
            allowed_means = means[allowed]
            means = np.zeros(self.count)
            means[allowed] = allowed_means if allowed_means.sum() > 0 else 1.0
        total = means.sum()
        exact = k * (means / total if total > 0 else np.full(self.count, 1 / self.count))
        shares = np.floor(exact).astype(int)
        shares[np.argsort(shares - exact, kind="stable")[: k - shares.sum()]] += 1
        return shares

    def parents(self, scores: Sequence[float] | np.ndarray, label: int) -> np.ndarray:
        """Return the members of a species that may reproduce; the best member becomes the representative.

        Parameters
        ----------
        scores : array_like
            One score for each member.
        label : int
            Label of the species.

        Returns
        -------
        numpy.ndarray
            Indices of members, best first.
        """
        validated = self._check(scores, self._population)
        check_labels([label], self.count)
        chosen, wrong = kernels.parents(label, validated, self.fraction, *self._members, *self._groups)
        raise_if_not_finite(scores, wrong)
        return chosen

    def select_parents(self, scores: np.ndarray) -> tuple[int, int | None]:
        """Select two parents of the next child.

        A species is drawn in proportion to its mean score. If any score is negative, the lowest score is first
        subtracted from all scores; if all mean scores are 0, the draw is uniform. Both parents are drawn from the
        members that `parents` returns. With probability `interspecies` the second parent is the representative of
        another species.

        Parameters
        ----------
        scores : numpy.ndarray
            One score for each member.

        Returns
        -------
        tuple of int
            Indices of the parents, which may be equal. If `self_crossover` is True and only one member of the species
            may reproduce, the second parent is None.
        """
        draw = kernels.select_parents_ranked if self._by_rank else kernels.select_parents
        first_parent, second_parent, wrong = draw(
            self._check(scores, self._population), self.fraction, self.interspecies, *source_of(self.rng),
            *self._members, *self._groups,
        )  # fmt: skip
        if wrong != ABSENT:
            raise_if_not_finite(scores, wrong)
        if self.self_crossover:
            size = self._groups.notes["size"][self._members.notes["slot"][first_parent]]
            if kernels.pool_size(size, self.fraction) == 1:
                return first_parent, None
        return first_parent, second_parent

    def replace(self, child: Genome, scores: np.ndarray) -> int:
        """Add a child and remove the individual with the lowest shared score: score divided by species size.

        The last entry of `scores` is the score of the child. If any score is negative, the lowest score is first
        subtracted from all scores. Ties are broken by `replacement_ties`. The child takes the index of the removed
        individual, unless the child itself is removed.

        Parameters
        ----------
        child : divergent.neat.Genome
            The child.
        scores : numpy.ndarray
            One score for each member, then the score of the child.

        Returns
        -------
        int
            Index of the removed individual; the number of members if the child is removed.
        """
        scores = self._check(scores, self._population + 1)
        genes, answer, place = genes_of(child), NO_ROOM, ABSENT
        while answer == NO_ROOM:
            answer, place = kernels.replace(
                genes, scores, self.threshold, *self.coefficients, self._oldest, self._by_rank,
                *self._members, *self._groups,
            )  # fmt: skip
            if answer == NO_ROOM:
                self._reserve(genes)
                if self.count == len(self._groups.order):
                    self._add_slots()
        if answer == INVALID_GENE:
            raise_if_invalid(genes, place)
        if answer == INVALID_SCORE:
            raise_if_not_finite(scores, place)
        return place

    def respeciate(self) -> None:
        """Adapt the threshold, then move every member to the first species whose representative is close enough."""
        self._check_assigned()
        self.adapt()
        self._assign_members()

    def divides(self, individuals: Sequence[Genome]) -> bool:
        """Return whether the individuals have the same genes as the current members, in the same order.

        Parameters
        ----------
        individuals : sequence of Genome
            The individuals.

        Returns
        -------
        bool
            Whether all innovation numbers and weights equal those of the current members.
        """
        members = self._members
        return len(individuals) == self._population and all(
            np.array_equal(genes[:, INNOVATION], members.innovations[row, : members.notes["genes"][row]])
            and np.array_equal(genes[:, WEIGHT], members.weights[row, : members.notes["genes"][row]])
            for row, genes in enumerate(map(genes_of, individuals))
        )

    def state(self) -> dict[str, Any]:
        """Return the complete state, including the state of the random generator.

        Returns
        -------
        dict
            JSON-serialisable data for `restore`.

        See Also
        --------
        Species.restore : Resume from the state.
        """
        return {
            "threshold": self.threshold,
            "labels": self.labels.tolist(),
            "representatives": self.representatives.tolist(),
            "genes": [self._genes_of(slot) for slot in self._slots.tolist()],
            "ids": self.ids.tolist(),
            "founded": int(self._groups.totals[FOUNDED]),
            "rng": self.rng.bit_generator.state,
        } | {key: self._order_by(name) for name, key in ORDERS.items()}

    def restore(self, state: dict[str, Any], individuals: Sequence[Genome] | None = None) -> None:
        """Restore a saved state.

        Parameters
        ----------
        state : dict
            Dictionary that the method `state` returned.
        individuals : sequence of Genome or None, default=None
            Members in the order of the saved state. Pass None if the next call is `assign`, as in a generational loop;
            `assign` needs only the representatives in the state.

        Raises
        ------
        ValueError
            If an entry of `state` is missing or inconsistent, or the number of individuals is wrong.

        See Also
        --------
        Species.state : Return the state.
        """
        threshold, labels, representatives, genes, ids, founded = read_state(state)
        orders = {name: read_order(state, key, len(labels)) for name, key in ORDERS.items()}
        if individuals is not None and len(labels) != len(individuals):
            raise ValueError(
                f"individuals must be the {len(labels)} members of the saved state, got {len(individuals)}"
            )
        try:
            self.rng.bit_generator.state = state["rng"]
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
            raise ValueError(
                f"rng must be the state of a generator of the same type as Species.rng, got {error!r}"
            ) from None
        if individuals is None:
            self.individuals, self._population = None, 0
        else:
            self._pack(individuals)
        for representative in genes:
            self._reserve(representative)
        while len(self._groups.order) < len(ids):
            self._add_slots()
        self._empty_species()
        self._groups.order[:] = np.arange(len(self._groups.order))
        self._groups.totals[:ADDED] = len(ids), founded
        self._groups.notes["id"][: len(ids)] = ids
        for slot, representative in enumerate(genes):
            row = ABSENT if individuals is None else representatives[slot]
            _speciation_kernels.restore_representative(representative, row, slot, *self._members, *self._groups)
        if individuals is not None:
            _speciation_kernels.restore_members(labels, *self._members, *self._groups)
            for name, order in orders.items():
                self._members.notes[name][order] = np.arange(len(order))
            self._groups.totals[ADDED:] = len(labels)
        self.threshold = threshold

    def _check_assigned(self) -> None:
        """Raise a ValueError if `assign` has not been called yet."""
        if not self._population:
            raise ValueError(
                "individuals must be divided into species first, got no species; call assign with the population"
            )

    def _check(self, scores: Any, size: int) -> np.ndarray:
        """Return the scores as an array; raise an error unless there is one score for each individual."""
        if not self._population:
            self._check_assigned()
        scores = as_numbers("scores", scores, 1)
        if len(scores) != size:
            raise ValueError(
                f"the length of scores must equal the number of individuals, {size}, got the shape {scores.shape}"
            )
        return scores

    def _assign_members(self) -> None:
        """Move every member to the first compatible species; enlarge the species arrays if they are full."""
        row = 0
        while True:
            row = _speciation_kernels.respeciate(
                row, self.threshold, *self.coefficients, self._by_rank, *self._members, *self._groups
            )
            if row == self._population:
                break
            self._add_slots()
