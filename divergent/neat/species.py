"""Species: who may mate with whom, how much each group reproduces, and who dies."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import njit

from divergent.neat.genome import INNOVATION, WEIGHT, Genome

SIZE, REPRESENTATIVE, GENES, LAST = range(4)  # rows of the table of species
ABSENT = -1


class Species:
    """A population divided by compatibility, with a threshold that follows a target number of species.

    Species are numbered 0, 1, ... in the order in which they were founded; when one dies out the later ones move up.
    Each has a representative: its champion when it last reproduced or, if that one is gone, its first member. An
    individual belongs to the first species whose representative is closer than the threshold.

    A generational loop calls `assign` for each generation, then `shares` and `parents`, then `adapt`. A steady-state
    loop calls `assign` once and then, for each birth, `couple`, `admit` and `bury`, and every few births `regroup`. In
    both the scores are one number for each member, larger is better, in the order of the individuals.

    Parameters
    ----------
    target
        The number of species that `adapt` aims at.
    threshold
        The distance from which on two genomes are of different species, at the start.
    adjust, floor
        How much one `adapt` changes the threshold, and how low it may get.
    share
        The best share of a species that reproduces.
    interspecies
        How often `couple` takes a father from another species.
    disjoint, excess, weight
        The coefficients of `distance`.
    rng
        What `couple` draws from; None makes a fresh generator.

    Attributes
    ----------
    threshold
        The threshold now.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> species = Species(threshold=2.0, rng=rng)
    >>> genomes = [Genome.start(3, 1, rng=rng) for _ in range(6)]
    >>> species.assign(genomes).tolist()
    [0, 1, 1, 0, 1, 0]
    >>> species.count, species.sizes.tolist()
    (2, [3, 3])
    >>> species.shares([5.0, 2.0, 3.0, 5.0, 2.0, 5.0], 10).tolist()
    [9, 1]
    """

    def __init__(
        self,
        *,
        target: int = 16,
        threshold: float = 4.0,
        adjust: float = 0.1,
        floor: float = 0.3,
        share: float = 0.4,
        interspecies: float = 0.001,
        disjoint: float = 1.0,
        excess: float = 1.0,
        weight: float = 3.0,
        rng: np.random.Generator | None = None,
    ):
        if target < 1:
            raise ValueError(f"target must be at least 1, got {target}")
        for name, value in (("threshold", threshold), ("floor", floor)):
            if not 0 < value < np.inf:
                raise ValueError(f"{name} must be a finite number above 0, got {value}")
        for name, value in (("adjust", adjust), ("disjoint", disjoint), ("excess", excess), ("weight", weight)):
            if not 0 <= value < np.inf:
                raise ValueError(f"{name} must be a finite number, at least 0, got {value}")
        for name, value in (("share", share), ("interspecies", interspecies)):
            if not 0 <= value <= 1:
                raise ValueError(f"{name} must be a rate between 0 and 1, got {value}")
        self.target = target
        self.threshold = float(threshold)
        self.adjust = adjust
        self.floor = floor
        self.share = float(share)
        self.interspecies = float(interspecies)
        self.coefficients = (float(disjoint), float(excess), float(weight))
        self.rng = np.random.default_rng() if rng is None else rng
        self._population = 0
        self._count = 0
        self._newborn = False
        # Members in rows, packed: innovations and weights; number of genes; slot of the species.
        self._rows = np.zeros((1, 2, 1))
        self._sizes = np.zeros(1, np.int64)
        self._slots = np.full(1, ABSENT)
        # Species in slots: the slots in order of founding, free ones last; the table; the representative's weights,
        # indexed by innovation, NaN where it has no such gene.
        self._line = np.arange(1)
        self._table = np.full((4, 1), ABSENT)
        self._models = np.full((1, 1), np.nan)

    @property
    def count(self) -> int:
        """How many species there are."""
        return self._count

    @property
    def sizes(self) -> np.ndarray:
        """How many members each species has, a newborn included."""
        return self._table[SIZE, self._line[: self._count]]

    @property
    def labels(self) -> np.ndarray:
        """The species of each member, without a newborn."""
        return np.argsort(self._line)[self._slots[: self._population]]

    @property
    def representatives(self) -> np.ndarray:
        """The member that represents each species, as an index."""
        return self._table[REPRESENTATIVE, self._line[: self._count]]

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        return f"Species({self._count} of {self._population} members, threshold {self.threshold:g})"

    def assign(self, individuals: Sequence[Genome]) -> np.ndarray:
        """Divide a whole population anew, in order, by the representatives there are; return each one's species."""
        self._pack(individuals)
        self._count = _assign(*self._members, *self._species, self._population, self._count, *self._rule)
        return self.labels

    def adapt(self) -> None:
        """Lower the threshold if there are too few species, raise it if there are too many."""
        if self._count < self.target:
            self.threshold = max(self.threshold - self.adjust, self.floor)
        elif self._count > self.target:
            self.threshold += self.adjust

    def shares(self, scores: Sequence[float] | np.ndarray, k: int) -> np.ndarray:
        """How many of `k` offspring each species gets, in proportion to its mean score above the population's lowest.

        Equal scores give equal shares. Fractions are rounded so that the sum is `k`, largest remainders first.
        """
        scores = self._check(scores, self._population)
        labels = self.labels
        means = np.bincount(labels, scores - scores.min(), self._count) / np.bincount(labels, minlength=self._count)
        total = means.sum()
        exact = k * (means / total if total > 0 else np.full(self._count, 1 / self._count))
        shares = np.floor(exact).astype(int)
        shares[np.argsort(shares - exact, kind="stable")[: k - shares.sum()]] += 1
        return shares

    def parents(self, scores: Sequence[float] | np.ndarray, label: int) -> np.ndarray:
        """The members of a species that reproduce, as indices, best first; the best becomes its representative."""
        scores = self._check(scores, self._population)
        if not 0 <= label < self._count:
            raise ValueError(f"species are numbered from 0 to {self._count - 1}, got {label}")
        return _parents(*self._members, *self._species, self._population, self._line[label], scores, self.share)

    def couple(self, scores: np.ndarray) -> tuple[int, int]:
        """Two parents of the next child, as indices; one and the same where the child has only a mother.

        A species is drawn in proportion to its mean score above the population's lowest, both parents from the ones
        `parents` gives. Rarely, see `interspecies`, the father is the representative of another species.
        """
        scores = self._check(scores, self._population)
        draws = self.rng.random(5)
        return _couple(
            *self._members, *self._species, self._population, self._count, scores, self.share, self.interspecies, draws
        )

    def admit(self, individual: Genome) -> int:
        """Place a newborn, the one after the last member, and return its species."""
        if self._newborn:
            raise ValueError("a newborn was admitted already: one must die (bury) before the next is born")
        genes = individual.genes
        self._reserve(len(genes), genes[-1, INNOVATION] if len(genes) else 0)
        label = _admit(genes, *self._members, *self._species, self._population, self._count, *self._rule)
        self._count = max(self._count, label + 1)
        self._newborn = True
        return label

    def bury(self, scores: np.ndarray) -> int:
        """Remove whoever has the lowest score for the size of its species, and return its index.

        The scores end with the newborn's. If any is negative the lowest is subtracted from all before they are divided.
        Of equals the first dies. The newborn takes the index of the dead, unless it died itself.
        """
        if not self._newborn:
            raise ValueError("nobody was born: admit a newborn before one must die")
        scores = self._check(scores, self._population + 1)
        dead, self._count = _bury(*self._members, *self._species, self._population, self._count, scores)
        self._newborn = False
        return dead

    def regroup(self) -> None:
        """Adapt the threshold, then send every member to the first species it belongs to now."""
        self.adapt()
        self._count = _regroup(*self._members, *self._species, self._population, self._count, *self._rule)

    def state(self) -> dict[str, Any]:
        """What `restore` needs to continue exactly with the same individuals: plain data, the generator's included."""
        return {
            "threshold": self.threshold,
            "labels": self.labels.tolist(),
            "representatives": self.representatives.tolist(),
            "rng": self.rng.bit_generator.state,
        }

    def restore(self, state: dict[str, Any], individuals: Sequence[Genome]) -> None:
        """Continue from what `state` returned, with the individuals it was returned for."""
        labels, representatives = state["labels"], state["representatives"]
        if len(labels) != len(individuals):
            raise ValueError(f"the state is of {len(labels)} individuals, got {len(individuals)}")
        self._count = 0
        self._pack(individuals)
        self._count = len(representatives)
        self._line = np.arange(len(self._line))
        self._slots[:-1] = labels
        self._table[SIZE, : self._count] = np.bincount(np.array(labels, int), minlength=self._count)
        for slot, row in enumerate(representatives):
            _crown(*self._members, *self._species, row, slot)
        self.threshold = state["threshold"]
        self.rng.bit_generator.state = state["rng"]

    @property
    def _members(self):
        return self._rows, self._sizes, self._slots

    @property
    def _species(self):
        return self._line, self._table, self._models

    @property
    def _rule(self):
        return self.threshold, *self.coefficients

    def _check(self, scores, size):
        scores = np.ascontiguousarray(scores, dtype=float)
        if scores.shape != (size,):
            raise ValueError(f"there must be one score for each of {size} individuals, got shape {scores.shape}")
        return scores

    def _pack(self, individuals):
        """Fill the rows; make room for a newborn, and for as many new species as there are individuals."""
        if not len(individuals):
            raise ValueError("a population must have at least one individual to be divided into species")
        size = len(individuals)
        genes = np.concatenate([individual.genes for individual in individuals])
        ends = np.cumsum([0, *(len(individual.genes) for individual in individuals)])
        if size != self._population:
            self._population = size
            self._rows = np.zeros((size + 1, 2, self._rows.shape[2]))
            self._sizes = np.zeros(size + 1, np.int64)
            self._slots = np.full(size + 1, ABSENT)
        self._newborn = False
        room = self._count + size + 1
        added = room - len(self._line)
        if added > 0:
            self._line = np.append(self._line, np.arange(len(self._line), room))
            self._table = np.pad(self._table, ((0, 0), (0, added)), constant_values=ABSENT)
            self._models = np.pad(self._models, ((0, added), (0, 0)), constant_values=np.nan)
        self._reserve(np.diff(ends).max(), genes[:, INNOVATION].max(initial=0.0))
        for row in range(size):
            _pack(genes[ends[row] : ends[row + 1]], self._rows, self._sizes, row)

    def _reserve(self, genes, last):
        """Make room for that many genes in a row and for innovations up to `last`."""
        room = self._rows.shape[2]
        if genes > room:
            self._rows = np.pad(self._rows, ((0, 0), (0, 0), (0, max(room, int(genes) - room))))
        room = self._models.shape[1]
        if last >= room:
            added = max(room, int(last) + 1 - room)
            self._models = np.pad(self._models, ((0, 0), (0, added)), constant_values=np.nan)


def select(
    individuals: Sequence[Genome], k: int, *, species: Species, fit_attr: str = "fitness"
) -> list[Genome]:
    """Choose `k` parents by species, for stock DEAP loops: each two consecutive ones are of one species.

    Divides the individuals into species, gives each species its share of the pairs, draws both of a pair from the
    species' best, then adapts the threshold. An odd `k` ends with the best of all.

    Parameters
    ----------
    species
        The memory, and what it draws from.
    fit_attr
        The attribute to compare by; its first weighted value counts.
    """
    scores = np.array([getattr(individual, fit_attr).wvalues[0] for individual in individuals])
    species.assign(individuals)
    chosen = []
    for label, pairs in enumerate(species.shares(scores, k // 2).tolist()):
        if pairs:
            pool = species.parents(scores, label)
            chosen += pool[species.rng.integers(len(pool), size=2 * pairs)].tolist()
    if k % 2:
        chosen.append(int(scores.argmax()))
    species.adapt()
    return [individuals[index] for index in chosen]


@njit(cache=True)
def _pack(genes, rows, sizes, row):
    sizes[row] = len(genes)
    for gene in range(len(genes)):
        rows[row, 0, gene] = genes[gene, INNOVATION]
        rows[row, 1, gene] = genes[gene, WEIGHT]


@njit(cache=True)
def _crown(rows, sizes, slots, line, table, models, row, slot):
    """Make a member the representative of the species in a slot."""
    models[slot, : table[LAST, slot] + 1] = np.nan
    size = sizes[row]
    for gene in range(size):
        models[slot, int(rows[row, 0, gene])] = rows[row, 1, gene]
    table[REPRESENTATIVE, slot] = row
    table[GENES, slot] = size
    table[LAST, slot] = int(rows[row, 0, size - 1]) if size else ABSENT


@njit(cache=True)
def _belongs(rows, sizes, table, models, row, slot, threshold, disjoint, excess, weight):
    """Whether a member is closer than the threshold to a representative."""
    size = sizes[row]
    surplus = table[GENES, slot] - size  # if every gene has a match, the representative has this many without
    least = min(disjoint, excess)
    if least * abs(surplus) >= threshold:
        return False
    unmatched = matching = 0
    total = 0.0
    for gene in range(size):
        other = models[slot, int(rows[row, 0, gene])]
        if other == other:
            total += abs(rows[row, 1, gene] - other)
            matching += 1
        else:
            unmatched += 1
            if least * (2 * unmatched + surplus) >= threshold:
                return False
    beyond = 0
    if disjoint != excess:
        last = int(rows[row, 0, size - 1]) if size else ABSENT
        for innovation in range(last + 1, table[LAST, slot] + 1):
            beyond += models[slot, innovation] == models[slot, innovation]
        gene = size - 1
        while gene >= 0 and rows[row, 0, gene] > table[LAST, slot]:
            beyond += 1
            gene -= 1
    mean = total / matching if matching else 0.0
    return disjoint * (2 * unmatched + surplus - beyond) + excess * beyond + weight * mean < threshold


@njit(cache=True)
def _place(rows, sizes, line, table, models, row, count, threshold, disjoint, excess, weight):
    """The first species a member belongs to; `count` if none."""
    for label in range(count):
        if _belongs(rows, sizes, table, models, row, line[label], threshold, disjoint, excess, weight):
            return label
    return count


@njit(cache=True)
def _vanish(line, count, slot):
    """Take a slot out of the line and put it behind the living ones."""
    label = 0
    while line[label] != slot:
        label += 1
    for later in range(label, count - 1):
        line[later] = line[later + 1]
    line[count - 1] = slot


@njit(cache=True)
def _first(slots, slot):
    """The first member of a species."""
    row = 0
    while slots[row] != slot:
        row += 1
    return row


@njit(cache=True)
def _leave(rows, sizes, slots, line, table, models, row, count):
    """Take a member out of its species; return how many species are left."""
    slot = slots[row]
    slots[row] = ABSENT
    table[SIZE, slot] -= 1
    if table[SIZE, slot] == 0:
        _vanish(line, count, slot)
        return count - 1
    if table[REPRESENTATIVE, slot] == row:
        _crown(rows, sizes, slots, line, table, models, _first(slots, slot), slot)
    return count


@njit(cache=True)
def _join(rows, sizes, slots, line, table, models, row, label, count):
    """Put a member into a species, or let it found one after the last; return how many species there are now."""
    slot = line[label]
    if label == count:
        table[SIZE, slot] = 0
        _crown(rows, sizes, slots, line, table, models, row, slot)
        count += 1
    slots[row] = slot
    table[SIZE, slot] += 1
    return count


@njit(cache=True)
def _assign(rows, sizes, slots, line, table, models, population, count, threshold, disjoint, excess, weight):
    slots[:] = ABSENT
    table[SIZE] = 0
    table[REPRESENTATIVE] = ABSENT
    for row in range(population):
        label = _place(rows, sizes, line, table, models, row, count, threshold, disjoint, excess, weight)
        count = _join(rows, sizes, slots, line, table, models, row, label, count)
    for label in range(count - 1, -1, -1):
        slot = line[label]
        if table[SIZE, slot] == 0:
            _vanish(line, count, slot)
            count -= 1
        elif table[REPRESENTATIVE, slot] == ABSENT:
            _crown(rows, sizes, slots, line, table, models, _first(slots, slot), slot)
    return count


@njit(cache=True)
def _regroup(rows, sizes, slots, line, table, models, population, count, threshold, disjoint, excess, weight):
    for row in range(population):
        label = _place(rows, sizes, line, table, models, row, count, threshold, disjoint, excess, weight)
        if label < count and line[label] == slots[row]:
            continue
        slot = line[label]
        left = _leave(rows, sizes, slots, line, table, models, row, count)
        if label == count:
            label = left
        elif line[label] != slot:
            label -= 1  # an earlier species died out
        count = _join(rows, sizes, slots, line, table, models, row, label, left)
    return count


@njit(cache=True)
def _ranked(slots, population, slot, scores):
    """The members of a species, best first, of equals the first member first."""
    members = np.empty(population, np.int64)
    size = 0
    for row in range(population):
        if slots[row] == slot:
            members[size] = row
            size += 1
    gap = size // 2
    while gap > 0:  # Shell's sort: members are few and nearly sorted most of the time
        for position in range(gap, size):
            row = members[position]
            earlier = position - gap
            while earlier >= 0 and (
                scores[members[earlier]] < scores[row]
                or (scores[members[earlier]] == scores[row] and members[earlier] > row)
            ):
                members[earlier + gap] = members[earlier]
                earlier -= gap
            members[earlier + gap] = row
        gap = 1 if gap == 2 else int(gap / 2.2)
    return members[:size]


@njit(cache=True)
def _parents(rows, sizes, slots, line, table, models, population, slot, scores, share):
    ranked = _ranked(slots, population, slot, scores)
    if table[REPRESENTATIVE, slot] != ranked[0]:
        _crown(rows, sizes, slots, line, table, models, ranked[0], slot)
    return ranked[: 1 + int(share * (len(ranked) - 1))]


@njit(cache=True)
def _couple(rows, sizes, slots, line, table, models, population, count, scores, share, interspecies, draws):
    lowest = scores[:population].min()
    means = np.zeros(len(line))
    for row in range(population):
        means[slots[row]] += scores[row] - lowest
    total = 0.0
    for label in range(count):
        slot = line[label]
        means[slot] /= table[SIZE, slot]
        total += means[slot]
    if total > 0.0:
        chosen, left = 0, draws[0] * total - means[line[0]]
        while left >= 0.0 and chosen < count - 1:
            chosen += 1
            left -= means[line[chosen]]
    else:
        chosen = int(draws[0] * count)
    parents = _parents(rows, sizes, slots, line, table, models, population, line[chosen], scores, share)
    mother = parents[int(draws[1] * len(parents))]
    father = parents[int(draws[2] * len(parents))]
    if draws[3] < interspecies and count > 1:
        other = int(draws[4] * (count - 1))
        father = table[REPRESENTATIVE, line[other + (other >= chosen)]]
    return mother, father


@njit(cache=True)
def _admit(genes, rows, sizes, slots, line, table, models, row, count, threshold, disjoint, excess, weight):
    _pack(genes, rows, sizes, row)
    label = _place(rows, sizes, line, table, models, row, count, threshold, disjoint, excess, weight)
    _join(rows, sizes, slots, line, table, models, row, label, count)
    return label


@njit(cache=True)
def _bury(rows, sizes, slots, line, table, models, population, count, scores):
    lowest = min(scores.min(), 0.0)
    dead, least = 0, np.inf
    for row in range(population + 1):
        value = (scores[row] - lowest) / table[SIZE, slots[row]]
        if value < least:
            dead, least = row, value
    count = _leave(rows, sizes, slots, line, table, models, dead, count)
    if dead != population:
        slot = slots[population]
        sizes[dead] = sizes[population]
        slots[dead] = slot
        slots[population] = ABSENT
        rows[dead, :, : sizes[dead]] = rows[population, :, : sizes[dead]]
        if table[REPRESENTATIVE, slot] == population:
            table[REPRESENTATIVE, slot] = dead
    return dead, count
