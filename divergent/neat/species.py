"""Species: who may mate with whom, how much each group reproduces, and who dies."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import intrinsic

from divergent.neat.draw import source_of, uniforms
from divergent.neat.genome import INNOVATION, WEIGHT, Genome

# of a member: number of genes, last innovation, slot of its species; the slot whose representative it was compared with
# last, and that slot's number of representatives so far
GENES, LAST, SLOT, NEAR, SINCE = range(5)
SIZE, REPRESENTATIVE, LINE, CROWNED = range(2, 6)  # of a species: GENES and LAST of its representative, then these
ABSENT = -1

NOTHING, ONE = np.uint64(0), np.uint64(1)


class Species:
    """A population divided by compatibility, with a threshold that follows a target number of species.

    Species are numbered 0, 1, ... in the order in which they were founded; when one dies out the later ones move up.
    Each has a representative: its champion when it last reproduced or, if that one is gone, its first member. An
    individual belongs to the first species whose representative is closer than the threshold.

    A generational loop calls `assign` for each generation, then `shares` and `parents`, then `adapt`. A steady-state
    loop calls `assign` once and then, for each birth, `couple` and `admit`, and every few births `regroup`. In both the
    scores are one number for each member, larger is better, in the order of the individuals.

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
    [7, 3]
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
        # Members in rows: innovations and weights, the same innovations as bits, numbers, the distance found last.
        # Species in slots: numbers (LINE lists the slots in order of founding, free ones last), then the
        # representatives: weights by innovation, NaN where there is no gene, and innovations as bits.
        self._members = np.zeros((1, 2, 1)), np.zeros((1, 1), np.uint64), np.full((5, 1), ABSENT), np.zeros(1)
        self._species = np.zeros((6, 0), np.int64), np.empty((0, 1)), np.empty((0, 1), np.uint64)

    @property
    def count(self) -> int:
        """How many species there are."""
        return self._count

    @property
    def sizes(self) -> np.ndarray:
        """How many members each species has."""
        return self._species[0][SIZE, self._line]

    @property
    def labels(self) -> np.ndarray:
        """The species of each member."""
        place = np.empty(self._species[0].shape[1], int)
        place[self._line] = np.arange(self._count)
        return place[self._members[2][SLOT, : self._population]]

    @property
    def representatives(self) -> np.ndarray:
        """The member that represents each species, as an index."""
        return self._species[0][REPRESENTATIVE, self._line]

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
        """How many of `k` offspring each species gets, in proportion to its mean score.

        If any score is negative the lowest is subtracted from all first; if the means are all 0 the shares are equal.
        Fractions are rounded so that the sum is `k`, largest remainders first.
        """
        checked = self._check(scores, self._population)
        labels = self.labels
        means = np.bincount(labels, checked - _offset(checked), self._count) / np.bincount(labels, minlength=self._count)
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

        A species is drawn in proportion to its mean score, with the lowest subtracted from all first if any is negative,
        and uniformly if the means are all 0; both parents come from the ones `parents` gives. Rarely, see
        `interspecies`, the father is the representative of another species.
        """
        scores = self._check(scores, self._population)
        return _couple(
            *self._members, *self._species, self._population, self._count, scores, self.share, self.interspecies,
            *source_of(self.rng),
        )  # fmt: skip

    def admit(self, newborn: Genome, scores: np.ndarray) -> int:
        """Place a newborn, remove whoever has the lowest score for the size of its species, and return its index.

        The scores end with the newborn's. If any is negative the lowest is subtracted from all before they are divided.
        Of equals the first dies. The newborn takes the index of the dead, unless it died itself.
        """
        scores = self._check(scores, self._population + 1)
        genes = newborn.genes
        room, breadth = self._members[0].shape[2], self._species[1].shape[1]
        if len(genes) and (len(genes) > room or genes[-1, INNOVATION] >= breadth):
            self._reserve(len(genes), genes[-1, INNOVATION])
        dead, self._count = _admit(
            genes, *self._members, *self._species, self._population, self._count, scores, *self._rule
        )
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
        table, marks = self._species[0], self._members[2]
        table[LINE] = np.arange(table.shape[1])
        table[SIZE, : self._count] = np.bincount(labels, minlength=self._count)
        marks[SLOT] = [*labels, ABSENT]
        for slot, row in enumerate(representatives):
            _crown(*self._members, *self._species, row, slot)
        self.threshold = state["threshold"]
        self.rng.bit_generator.state = state["rng"]

    @property
    def _line(self):
        return self._species[0][LINE, : self._count]

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
        size = len(individuals)
        if not size:
            raise ValueError("a population must have at least one individual to be divided into species")
        rows, masks, *_ = self._members
        if size != self._population:
            self._population = size
            self._members = (
                np.zeros((size + 1, 2, rows.shape[2])),
                np.zeros((size + 1, masks.shape[1]), np.uint64),
                np.full((5, size + 1), ABSENT),
                np.zeros(size + 1),
            )
        table, models, seals = self._species
        slots = table.shape[1]
        added = self._count + size + 1 - slots
        if added > 0:
            table = np.pad(table, ((0, 0), (0, added)), constant_values=ABSENT)
            table[LINE, slots:] = np.arange(slots, slots + added)
            models = np.pad(models, ((0, added), (0, 0)), constant_values=np.nan)
            seals = np.pad(seals, ((0, added), (0, 0)))
            self._species = table, models, seals
        genes = [individual.genes for individual in individuals if len(individual.genes)]
        self._reserve(max(map(len, genes), default=0), max((one[-1, INNOVATION] for one in genes), default=0.0))
        for row, individual in enumerate(individuals):
            _pack(individual.genes, *self._members, row)

    def _reserve(self, genes, last):
        """Make room for that many genes in a row and for innovations up to `last`."""
        rows, masks, marks, gaps = self._members
        table, models, seals = self._species
        if genes > rows.shape[2]:
            rows = np.pad(rows, ((0, 0), (0, 0), (0, max(rows.shape[2], genes - rows.shape[2]))))
        if last >= models.shape[1]:
            words = max(2 * masks.shape[1], int(last) // 64 + 1)
            masks = np.pad(masks, ((0, 0), (0, words - masks.shape[1])))
            seals = np.pad(seals, ((0, 0), (0, words - seals.shape[1])))
            models = np.pad(models, ((0, 0), (0, 64 * words - models.shape[1])), constant_values=np.nan)
        self._members = rows, masks, marks, gaps
        self._species = table, models, seals


def select(individuals: Sequence[Genome], k: int, *, species: Species, fit_attr: str = "fitness") -> list[Genome]:
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


# Of the members, kernels take `rows` (innovations and weights), `masks` (innovations as bits), `marks` (numbers) and
# `gaps` (distances found last); of the species `table` (numbers) and, of representatives, `models` (weights by
# innovation) and `seals` (bits).


@njit(cache=True)
def _pack(genes, rows, masks, marks, gaps, row):
    """Copy genes into a row."""
    for word in range(masks.shape[1]):
        masks[row, word] = NOTHING
    for gene in range(len(genes)):
        innovation = int(genes[gene, INNOVATION])
        rows[row, 0, gene] = innovation
        rows[row, 1, gene] = genes[gene, WEIGHT]
        masks[row, innovation >> 6] |= ONE << np.uint64(innovation & 63)
    marks[NEAR, row] = ABSENT
    marks[GENES, row] = len(genes)
    marks[LAST, row] = int(genes[len(genes) - 1, INNOVATION]) if len(genes) else ABSENT


@njit(cache=True)
def _crown(rows, masks, marks, gaps, table, models, seals, row, slot):
    """Make a member the representative of the species in a slot."""
    for innovation in range(table[LAST, slot] + 1):
        models[slot, innovation] = np.nan
    for gene in range(marks[GENES, row]):
        models[slot, int(rows[row, 0, gene])] = rows[row, 1, gene]
    for word in range(masks.shape[1]):
        seals[slot, word] = masks[row, word]
    table[GENES, slot] = marks[GENES, row]
    table[LAST, slot] = marks[LAST, row]
    table[REPRESENTATIVE, slot] = row
    table[CROWNED, slot] += 1


@intrinsic
def _ones(typing_context, bits):
    """How many bits are set: an instruction of the processor."""

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@njit(cache=True)
def _common(masks, row, seals, slot, words):
    """How many innovations a member shares with a representative."""
    total = 0
    for word in range(words):
        total += _ones(masks[row, word] & seals[slot, word])
    return total


@njit(cache=True)
def _distance(rows, marks, table, models, row, slot, common, disjoint, excess, weight):
    """How far a member is from a representative, with which it shares so many innovations."""
    size, last, other_last = marks[GENES, row], marks[LAST, row], table[LAST, slot]
    beyond = 0
    if disjoint != excess:
        for innovation in range(last + 1, other_last + 1):
            beyond += models[slot, innovation] == models[slot, innovation]
        while beyond < size and rows[row, 0, size - 1 - beyond] > other_last:
            beyond += 1
    difference = 0.0
    for gene in range(size):
        gap = abs(rows[row, 1, gene] - models[slot, int(rows[row, 0, gene])])
        difference += gap if gap == gap else 0.0
    if common:
        difference /= common
    alone = size + table[GENES, slot] - 2 * common
    return disjoint * (alone - beyond) + excess * beyond + weight * difference


@njit(cache=True)
def _place(rows, masks, marks, gaps, table, models, seals, row, count, threshold, disjoint, excess, weight):
    """The first species a member belongs to, whose representative is closer than the threshold; `count` if none.

    Most members are compared with the same representative again and again, so that distance is kept. Otherwise the
    genes that only one of them has are counted first, since they decide alone most of the time. (All in one function,
    because a call with so many arrays takes longer than that.)
    """
    for label in range(count):
        slot = table[LINE, label]
        if marks[NEAR, row] != slot or marks[SINCE, row] != table[CROWNED, slot]:
            common = _common(masks, row, seals, slot, (min(marks[LAST, row], table[LAST, slot]) >> 6) + 1)
            alone = marks[GENES, row] + table[GENES, slot] - 2 * common
            if min(disjoint, excess) * alone >= threshold:
                continue
            gaps[row] = _distance(rows, marks, table, models, row, slot, common, disjoint, excess, weight)
            marks[NEAR, row], marks[SINCE, row] = slot, table[CROWNED, slot]
        if gaps[row] < threshold:
            return label
    return count


@njit(cache=True)
def _vanish(table, count, slot):
    """Take a slot out of the line and put it behind the living ones."""
    label = 0
    while table[LINE, label] != slot:
        label += 1
    for later in range(label, count - 1):
        table[LINE, later] = table[LINE, later + 1]
    table[LINE, count - 1] = slot


@njit(cache=True)
def _first(marks, slot):
    """The first member of a species."""
    row = 0
    while marks[SLOT, row] != slot:
        row += 1
    return row


@njit(cache=True)
def _leave(rows, masks, marks, gaps, table, models, seals, row, count):
    """Take a member out of its species; return how many species are left."""
    slot = marks[SLOT, row]
    marks[SLOT, row] = ABSENT
    table[SIZE, slot] -= 1
    if table[SIZE, slot] == 0:
        _vanish(table, count, slot)
        return count - 1
    if table[REPRESENTATIVE, slot] == row:
        _crown(rows, masks, marks, gaps, table, models, seals, _first(marks, slot), slot)
    return count


@njit(cache=True)
def _join(rows, masks, marks, gaps, table, models, seals, row, label, count):
    """Put a member into a species, or let it found one after the last; return how many species there are now."""
    slot = table[LINE, label]
    if label == count:
        table[SIZE, slot] = 0
        _crown(rows, masks, marks, gaps, table, models, seals, row, slot)
        count += 1
    marks[SLOT, row] = slot
    table[SIZE, slot] += 1
    return count


@njit(cache=True)
def _assign(rows, masks, marks, gaps, table, models, seals, population, count, threshold, disjoint, excess, weight):
    for row in range(population + 1):
        marks[SLOT, row] = ABSENT
    for slot in range(table.shape[1]):
        table[SIZE, slot] = 0
        table[REPRESENTATIVE, slot] = ABSENT
    for row in range(population):
        label = _place(rows, masks, marks, gaps, table, models, seals, row, count, threshold, disjoint, excess, weight)
        count = _join(rows, masks, marks, gaps, table, models, seals, row, label, count)
    for label in range(count - 1, -1, -1):
        slot = table[LINE, label]
        if table[SIZE, slot] == 0:
            _vanish(table, count, slot)
            count -= 1
        elif table[REPRESENTATIVE, slot] == ABSENT:
            _crown(rows, masks, marks, gaps, table, models, seals, _first(marks, slot), slot)
    return count


@njit(cache=True)
def _regroup(rows, masks, marks, gaps, table, models, seals, population, count, threshold, disjoint, excess, weight):
    for row in range(population):
        label = _place(rows, masks, marks, gaps, table, models, seals, row, count, threshold, disjoint, excess, weight)
        slot = table[LINE, label]
        if label < count and slot == marks[SLOT, row]:
            continue
        left = _leave(rows, masks, marks, gaps, table, models, seals, row, count)
        if label == count:
            label = left
        elif table[LINE, label] != slot:
            label -= 1  # an earlier species died out
        count = _join(rows, masks, marks, gaps, table, models, seals, row, label, left)
    return count


@njit(cache=True)
def _offset(scores):
    """What is subtracted from all scores before species are compared by them: the lowest if it is negative, or else 0."""
    lowest = 0.0
    for row in range(len(scores)):
        lowest = min(lowest, scores[row])
    return lowest


@njit(cache=True)
def _ranked(marks, population, slot, scores):
    """The members of a species, best first, of equals the first member first."""
    ranked = np.empty(population, np.int64)
    size = 0
    for row in range(population):
        if marks[SLOT, row] == slot:
            ranked[size] = row
            size += 1
    gap = size // 2
    while gap > 0:  # Shell's sort: a species has few members, or all of them
        for position in range(gap, size):
            row = ranked[position]
            earlier = position - gap
            while earlier >= 0 and (
                scores[ranked[earlier]] < scores[row]
                or (scores[ranked[earlier]] == scores[row] and ranked[earlier] > row)
            ):
                ranked[earlier + gap] = ranked[earlier]
                earlier -= gap
            ranked[earlier + gap] = row
        gap = 1 if gap == 2 else int(gap / 2.2)
    return ranked[:size]


@njit(cache=True)
def _parents(rows, masks, marks, gaps, table, models, seals, population, slot, scores, share):
    ranked = _ranked(marks, population, slot, scores)
    if table[REPRESENTATIVE, slot] != ranked[0]:
        _crown(rows, masks, marks, gaps, table, models, seals, ranked[0], slot)
    return ranked[: 1 + int(share * (len(ranked) - 1))]


@njit(cache=True)
def _couple(
    rows, masks, marks, gaps, table, models, seals, population, count, scores, share, interspecies, function, state
):
    draws = uniforms(5, function, state)
    lowest = _offset(scores)
    means = np.zeros(table.shape[1])
    for row in range(population):
        means[marks[SLOT, row]] += scores[row] - lowest
    total = 0.0
    for label in range(count):
        slot = table[LINE, label]
        means[slot] /= table[SIZE, slot]
        total += means[slot]
    if total > 0.0:
        chosen, left = 0, draws[0] * total - means[table[LINE, 0]]
        while left >= 0.0 and chosen < count - 1:
            chosen += 1
            left -= means[table[LINE, chosen]]
    else:
        chosen = int(draws[0] * count)
    parents = _parents(rows, masks, marks, gaps, table, models, seals, population, table[LINE, chosen], scores, share)
    mother = parents[int(draws[1] * len(parents))]
    father = parents[int(draws[2] * len(parents))]
    if draws[3] < interspecies and count > 1:
        other = int(draws[4] * (count - 1))
        father = table[REPRESENTATIVE, table[LINE, other + (other >= chosen)]]
    return mother, father


@njit(cache=True)
def _bury(rows, masks, marks, gaps, table, models, seals, population, count, scores):
    """Remove the lowest score for the size of its species; return who it was and how many species are left."""
    lowest = _offset(scores)
    dead, least = 0, np.inf
    for row in range(population + 1):
        value = (scores[row] - lowest) / table[SIZE, marks[SLOT, row]]
        if value < least:
            dead, least = row, value
    count = _leave(rows, masks, marks, gaps, table, models, seals, dead, count)
    if dead != population:
        slot = marks[SLOT, population]
        gaps[dead] = gaps[population]
        for kind in range(len(marks)):
            marks[kind, dead] = marks[kind, population]
        for gene in range(marks[GENES, dead]):
            rows[dead, 0, gene] = rows[population, 0, gene]
            rows[dead, 1, gene] = rows[population, 1, gene]
        for word in range(masks.shape[1]):
            masks[dead, word] = masks[population, word]
        if table[REPRESENTATIVE, slot] == population:
            table[REPRESENTATIVE, slot] = dead
    marks[SLOT, population] = ABSENT
    return dead, count


@njit(cache=True)
def _admit(
    genes, rows, masks, marks, gaps, table, models, seals, row, count, scores, threshold, disjoint, excess, weight
):
    _pack(genes, rows, masks, marks, gaps, row)
    label = _place(rows, masks, marks, gaps, table, models, seals, row, count, threshold, disjoint, excess, weight)
    count = _join(rows, masks, marks, gaps, table, models, seals, row, label, count)
    return _bury(rows, masks, marks, gaps, table, models, seals, row, count, scores)
