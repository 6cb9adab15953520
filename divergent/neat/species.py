"""Species: who may mate with whom, how much each group reproduces, and who dies."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from divergent.neat import _species_kernels as kernels
from divergent.neat._random import source_of
from divergent.neat._species_kernels import (
    ABSENT,
    BORN,
    COUNT,
    FAULTY_GENE,
    FOUNDED,
    GROUP,
    MEMBER,
    NO_ROOM,
    WRONG_SCORE,
    Groups,
    Members,
)
from divergent.neat.genome import INNOVATION, WEIGHT, Genome
from divergent.validation import FLOAT, LARGEST, as_numbers, brief, check_at_least, check_generator, is_finite

INNOVATIONS = 2**20
"""How many innovation numbers species can tell apart: their representatives are kept in tables up to that wide."""


REPLACEMENT_TIES = ("index", "oldest")
NEXT_REPRESENTATIVE = ("index", "rank")

ORDERS = {"born": "birth_order", "rank": "ranking"}  # notes of members, as the state names the order that they give

MOST_CHOSEN = 10_000_000
"""How many parents may be selected at once."""


class Species:
    """A population divided by compatibility, with a threshold that follows a target number of species.

    Species are numbered 0, 1, ... in the order in which they were founded; when one dies out the later ones move up.
    Each has a representative: its champion when it last reproduced or, if that one is gone, its first member. An
    individual belongs to the first species whose representative is closer than the threshold.

    A generational loop calls `assign` for each generation, then `shares` and `parents`, then `adapt`. A steady-state
    loop calls `assign` once, then for each child `select_parents` and `replace`, and at intervals `respeciate`. Scores
    are one number for each member, larger is better, in the order of the individuals.

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
        How often `select_parents` takes a father from another species.
    disjoint, excess, weight
        The coefficients of `distance`.
    replacement_ties : {"index", "oldest"}, default="index"
        Which of the individuals that tie for the lowest score `replace` removes: the one with the lowest index, or the
        one that was added first. "oldest" is the rule of Lehman's program (2008).
    next_representative : {"index", "rank"}, default="index"
        Which member represents a species whose representative was removed: the one with the lowest index, or the next
        one in the ranking of the species when it last reproduced. Members that joined since follow in their order.
        "rank" is the rule of Lehman's program (2008).
    self_crossover : bool, default=False
        Whether the child of a parent that was drawn twice is distinguished from that of a species with a single
        candidate: `select_parents` then returns None as its second parent. Use it with the option of `breed` of this
        name.
    rng
        What `select_parents` draws from; None makes a fresh generator.

    Attributes
    ----------
    threshold
        The threshold now.
    individuals : sequence or None
        The individuals that were divided last, in the order of `labels`; None in a copy or an unpickled object.

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
        replacement_ties: str = "index",
        next_representative: str = "index",
        self_crossover: bool = False,
        rng: np.random.Generator | None = None,
    ):
        check_at_least(1, target=target)
        for name, value in (("threshold", threshold), ("floor", floor)):
            if not (is_finite(value) and value > 0):
                raise ValueError(f"{name} must be a finite number above 0, got {brief(value)}")
        for name, value in (("adjust", adjust), ("disjoint", disjoint), ("excess", excess), ("weight", weight)):
            if not (is_finite(value) and value >= 0):
                raise ValueError(f"{name} must be a finite number, at least 0, got {brief(value)}")
        for name, value in (("share", share), ("interspecies", interspecies)):
            if not (is_finite(value) and 0 <= value <= 1):
                raise ValueError(f"{name} must be a rate between 0 and 1, got {brief(value)}")
        for name, rule, choices in (
            ("replacement_ties", replacement_ties, REPLACEMENT_TIES),
            ("next_representative", next_representative, NEXT_REPRESENTATIVE),
        ):
            if not isinstance(rule, str) or rule not in choices:
                raise ValueError(f"{name} must be one of {', '.join(choices)}, got {brief(rule)}")
        if not isinstance(self_crossover, bool):
            raise ValueError(f"self_crossover must be True or False, got {brief(self_crossover)}")
        if rng is not None:
            check_generator(rng)
        self.target = target
        self.threshold = float(threshold)
        self.adjust = adjust
        self.floor = floor
        self.share = float(share)
        self.interspecies = float(interspecies)
        self.coefficients = (float(disjoint), float(excess), float(weight))
        self.replacement_ties = replacement_ties
        self.next_representative = next_representative
        self.self_crossover = self_crossover
        self.rng = np.random.default_rng() if rng is None else rng
        self._oldest, self._by_rank = replacement_ties == "oldest", next_representative == "rank"
        self.individuals: Sequence[Genome] | None = None
        self._population = 0
        self._members = Members(
            innovations=np.zeros((1, 1), np.int64),
            weights=np.zeros((1, 1)),
            bits=np.zeros((1, 1), np.uint64),
            scores=np.zeros(1),
            notes=np.zeros(1, MEMBER),
        )
        self._groups = Groups(
            weights=np.empty((0, 64)),
            bits=np.empty((0, 1), np.uint64),
            folded=np.empty(0, np.uint64),
            members=np.empty((0, 1), np.uint64),
            order=np.empty(0, np.int64),
            notes=np.empty(0, GROUP),
            totals=np.zeros(4, np.int64),
        )

    @property
    def count(self) -> int:
        """How many species there are."""
        return int(self._groups.totals[COUNT])

    @property
    def ids(self) -> np.ndarray:
        """The number that each species got when it was founded, and that no other ever gets."""
        return self._groups.notes["id"][self._slots]

    @property
    def sizes(self) -> np.ndarray:
        """How many members each species has."""
        return self._groups.notes["size"][self._slots]

    @property
    def labels(self) -> np.ndarray:
        """The species of each member."""
        label = np.empty(len(self._groups.order), int)
        label[self._slots] = np.arange(self.count)
        return label[self._members.notes["slot"][: self._population]]

    def species_id(self, index: int) -> int:
        """Return the lasting id of the species of one member, without computing the labels of all."""
        return self._groups.notes["id"].item(self._members.notes["slot"].item(index))

    @property
    def representatives(self) -> np.ndarray:
        """The member that represents each species, as an index."""
        return self._groups.notes["representative"][self._slots]

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return f"Species({self.count} of {self._population} members, threshold {self.threshold:g})"

    def __getstate__(self) -> dict[str, Any]:
        """Copies and pickles hold the genes of the members, not the individuals."""
        return self.__dict__ | {"individuals": None}

    def assign(self, individuals: Sequence[Genome]) -> np.ndarray:
        """Divide a whole population anew, in order, by the representatives there are; return each one's species."""
        self._pack(individuals)
        self._disband()
        self._send()
        kernels.settle(*self._members, *self._groups)
        return self.labels

    def adapt(self) -> None:
        """Lower the threshold if there are too few species, raise it if there are too many."""
        count = self.count
        if count < self.target:
            self.threshold = max(self.threshold - self.adjust, self.floor)
        elif count > self.target:
            self.threshold += self.adjust

    def shares(
        self, scores: Sequence[float] | np.ndarray, k: int, among: Sequence[int] | np.ndarray | None = None
    ) -> np.ndarray:
        """How many of `k` offspring each species gets, in proportion to its mean score.

        If any score is negative the lowest is subtracted from all first; if the means are all 0 the shares are equal.
        Fractions are rounded so that the sum is `k`, largest remainders first.

        Parameters
        ----------
        among
            The species that may have offspring, the others get none; all of them if None.
        """
        check_at_least(0, k=k)
        means, wrong = kernels.means(self._check(scores, self._population), *self._members, *self._groups)
        _refuse_score(scores, wrong)
        if among is not None:
            allowed = self._check_labels(among)
            found = means[allowed]
            means = np.zeros(self.count)
            means[allowed] = found if found.sum() > 0 else 1.0
        total = means.sum()
        exact = k * (means / total if total > 0 else np.full(self.count, 1 / self.count))
        shares = np.floor(exact).astype(int)
        shares[np.argsort(shares - exact, kind="stable")[: k - shares.sum()]] += 1
        return shares

    def parents(self, scores: Sequence[float] | np.ndarray, label: int) -> np.ndarray:
        """The members of a species that reproduce, as indices, best first; the best becomes its representative."""
        checked = self._check(scores, self._population)
        self._check_labels([label])
        chosen, wrong = kernels.parents(label, checked, self.share, *self._members, *self._groups)
        _refuse_score(scores, wrong)
        return chosen

    def select_parents(self, scores: np.ndarray) -> tuple[int, int | None]:
        """Two parents of the next child, as indices; one and the same where the child has only a mother.

        With `self_crossover` the second is None where the species has one candidate only.

        A species is drawn in proportion to its mean score, with the lowest score subtracted from all first if any is
        negative, and uniformly if the means are all 0; both parents come from the ones `parents` gives. Rarely, see
        `interspecies`, the father is the representative of another species.
        """
        draw = kernels.select_parents_ranked if self._by_rank else kernels.select_parents
        mother, father, wrong = draw(
            self._check(scores, self._population), self.share, self.interspecies, *source_of(self.rng),
            *self._members, *self._groups,
        )  # fmt: skip
        if wrong != ABSENT:
            _refuse_score(scores, wrong)
        if self.self_crossover:
            size = self._groups.notes["size"][self._members.notes["slot"][mother]]
            if kernels.reproducing(size, self.share) == 1:
                return mother, None
        return mother, father

    def replace(self, newborn: Genome, scores: np.ndarray) -> int:
        """Place a newborn, remove whoever has the lowest score for the size of its species, and return its index.

        The scores end with the newborn's. If any is negative the lowest is subtracted from all before they are divided.
        Of equals `replacement_ties` decides. The newborn takes the index of the dead, unless it died itself.
        """
        scores = self._check(scores, self._population + 1)
        genes, answer, place = _genes(newborn), NO_ROOM, ABSENT
        while answer == NO_ROOM:
            answer, place = kernels.replace(
                genes, scores, self.threshold, *self.coefficients, self._oldest, self._by_rank,
                *self._members, *self._groups,
            )  # fmt: skip
            if answer == NO_ROOM:
                self._reserve(genes)
                if self.count == len(self._groups.order):
                    self._add_slots()
        if answer == FAULTY_GENE:
            _refuse_gene(genes, place)
        if answer == WRONG_SCORE:
            _refuse_score(scores, place)
        return place

    def respeciate(self) -> None:
        """Adapt the threshold, then send every member to the first species it belongs to now."""
        self._check_assigned()
        self.adapt()
        self._send()

    def divides(self, individuals: Sequence[Genome]) -> bool:
        """Whether these are its members as it knows them, in their order: those to `restore` it with."""
        members = self._members
        return len(individuals) == self._population and all(
            np.array_equal(genes[:, INNOVATION], members.innovations[row, : members.notes["genes"][row]])
            and np.array_equal(genes[:, WEIGHT], members.weights[row, : members.notes["genes"][row]])
            for row, genes in enumerate(map(_genes, individuals))
        )

    def state(self) -> dict[str, Any]:
        """What `restore` needs to continue exactly: plain data, the generator's included."""
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
        """Continue from what `state` returned.

        Parameters
        ----------
        individuals
            The members, in the order they had. None where `assign` comes next, as in a generational loop: it needs
            only the representatives, which the state holds.
        """
        threshold, labels, representatives, genes, ids, founded = _read(state)
        orders = {name: _read_order(state, key, len(labels)) for name, key in ORDERS.items()}
        if individuals is not None and len(labels) != len(individuals):
            raise ValueError(f"the state is of {len(labels)} individuals, got {len(individuals)}")
        try:
            self.rng.bit_generator.state = state["rng"]
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
            raise ValueError(f"a state of species ends with that of its generator, which says {error!r}") from None
        if individuals is None:
            self.individuals, self._population = None, 0
        else:
            self._pack(individuals)
        for one in genes:
            self._reserve(one)
        while len(self._groups.order) < len(ids):
            self._add_slots()
        self._disband()
        self._groups.order[:] = np.arange(len(self._groups.order))
        self._groups.totals[:BORN] = len(ids), founded
        self._groups.notes["id"][: len(ids)] = ids
        for slot, one in enumerate(genes):
            row = ABSENT if individuals is None else representatives[slot]
            kernels.revive(one, row, slot, *self._members, *self._groups)
        if individuals is not None:
            kernels.enrol(labels, *self._members, *self._groups)
            for name, order in orders.items():
                self._members.notes[name][order] = np.arange(len(order))
            self._groups.totals[BORN:] = len(labels)
        self.threshold = threshold

    @property
    def _slots(self):
        return self._groups.order[: self.count]

    def _order_by(self, name: str) -> list[int]:
        """The members, as indices, in the order of a note."""
        return np.argsort(self._members.notes[name][: self._population]).tolist()

    def _genes_of(self, slot):
        """A representative's genes: innovations and weights."""
        weights = self._groups.weights[slot]
        innovations = np.flatnonzero(~np.isnan(weights))
        return [list(gene) for gene in zip(innovations.tolist(), weights[innovations].tolist(), strict=True)]

    def _check_assigned(self):
        if not self._population:
            raise ValueError("there are no species yet: call assign with the population first")

    def _check_labels(self, labels):
        if not isinstance(labels, list | tuple | np.ndarray) or np.ndim(labels) != 1:
            raise TypeError(f"species are named by a sequence of their numbers, got {brief(labels)}")
        for label in labels:
            check_at_least(0, label=label)
            if not label < self.count:
                raise ValueError(f"species are numbered from 0 to {self.count - 1}, got {label}")
        if not len(labels):
            raise ValueError("at least one species must be allowed to have offspring, got none")
        return np.asarray(labels, dtype=int)

    def _check(self, scores, size):
        self._check_assigned()
        scores = as_numbers("scores", scores, 1)
        if scores.shape != (size,):
            raise ValueError(f"there must be one score for each of {size} individuals, got shape {scores.shape}")
        return scores

    def _disband(self):
        """Empty all species, which keep their representatives' genes."""
        self._groups.members[:] = 0
        self._groups.notes["size"] = 0
        self._groups.notes["representative"] = ABSENT

    def _send(self):
        """Send everybody to the first species it belongs to, with as many slots as that needs."""
        row = 0
        while True:
            row = kernels.respeciate(
                row, self.threshold, *self.coefficients, self._by_rank, *self._members, *self._groups
            )
            if row == self._population:
                break
            self._add_slots()

    def _pack(self, individuals):
        """Fill the rows."""
        try:
            size, everybody = len(individuals), [_genes(individual) for individual in individuals]
        except AttributeError:
            raise TypeError(f"individuals must be a sequence of genomes, got {brief(individuals)}") from None
        if not size:
            raise ValueError("a population must have at least one individual to be divided into species")
        for number, genes in enumerate(everybody):
            _refuse_gene(genes, kernels.faulty_gene(genes, INNOVATIONS), f"individual {number}: ")
        if size != self._population:
            self._population = size
            self._members = Members(
                innovations=np.zeros((size + 1, self._members.innovations.shape[1]), np.int64),
                weights=np.zeros((size + 1, self._members.weights.shape[1])),
                bits=np.zeros((size + 1, self._members.bits.shape[1]), np.uint64),
                scores=np.zeros(size + 1),
                notes=np.zeros(size + 1, MEMBER),
            )
            self._groups = self._groups._replace(members=np.zeros((len(self._groups.order), size // 64 + 1), np.uint64))
        for row, genes in enumerate(everybody):
            self._reserve(genes)
            kernels.pack(genes, row, *self._members)
        self._members.notes["born"][:size] = np.arange(size)
        self._groups.totals[BORN] = size
        self.individuals = individuals

    def _reserve(self, genes):
        """Make room for genes in a row of the members, and for their innovations."""
        members, groups = self._members, self._groups
        if not len(genes):
            return
        room, last = members.weights.shape[1], genes[-1, INNOVATION]
        if len(genes) > room:
            added = ((0, 0), (0, max(room, len(genes) - room)))
            self._members = members = members._replace(
                innovations=np.pad(members.innovations, added), weights=np.pad(members.weights, added)
            )
        if last >= groups.weights.shape[1]:
            if not last < INNOVATIONS:
                _refuse_gene(genes, len(genes) - 1)
            words = members.bits.shape[1]
            added = ((0, 0), (0, max(words, int(last) // 64 + 1 - words)))
            self._members = members._replace(bits=np.pad(members.bits, added))
            weights = np.pad(groups.weights, ((0, 0), (0, 64 * added[1][1])), constant_values=np.nan)
            self._groups = groups._replace(bits=np.pad(groups.bits, added), weights=weights)

    def _add_slots(self):
        """Twice as many slots, and at least 16."""
        slots = len(self._groups.order)
        groups, added = self._groups, ((0, max(slots, 16)), (0, 0))
        notes = np.zeros(slots + added[0][1], GROUP)
        notes["last"] = ABSENT
        notes[:slots] = groups.notes
        self._groups = Groups(
            weights=np.pad(groups.weights, added, constant_values=np.nan),
            bits=np.pad(groups.bits, added),
            folded=np.pad(groups.folded, added[0]),
            members=np.pad(groups.members, added),
            order=np.append(groups.order, np.arange(slots, len(notes))),
            notes=notes,
            totals=groups.totals,
        )


def select(individuals: Sequence[Any], k: int, *, species: Species, fit_attr: str = "fitness") -> list[Any]:
    """Choose `k` parents by species, for stock DEAP loops: each two consecutive ones are of one species.

    Divides the individuals into species, gives each species its share of the pairs, draws both of a pair from the
    species' best, then adapts the threshold. An odd `k` ends with the best of all.

    Parameters
    ----------
    individuals
        Evaluated genomes, or whatever has their `genes` and the attribute to compare by.
    species
        The memory, and what it draws from.
    fit_attr
        The attribute to compare by; its first weighted value counts.
    """
    check_at_least(0, k=k)
    if k > MOST_CHOSEN:
        raise ValueError(f"k must be at most {MOST_CHOSEN:,}, got {k}")
    if not isinstance(species, Species):
        raise TypeError(f"species must be a Species, got {brief(species)}")
    scores = np.array([_score(number, individual, fit_attr) for number, individual in enumerate(individuals)])
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


def _genes(individual):
    """The genes of anything that has some, refused unless compiled code can read them."""
    try:
        genes = individual.genes
        if genes.dtype == FLOAT and genes.ndim == 2 and genes.flags.c_contiguous:
            return genes
    except AttributeError:
        raise TypeError(f"genomes have genes, an array; got {brief(individual)}") from None
    raise TypeError(f"genes are a C-contiguous array of floats with five columns, got {brief(genes)}")


def _score(number, individual, fit_attr):
    try:
        values = getattr(individual, fit_attr).wvalues
    except AttributeError:
        raise TypeError(f"individual {number} has no DEAP fitness as its {fit_attr}, got {brief(individual)}") from None
    if not values:
        raise ValueError(
            f"species can only select among evaluated individuals, but individual {number} was never evaluated: "
            f"its {fit_attr} has no values"
        )
    return values[0]


def _refuse_score(scores, row):
    if row != ABSENT:
        raise ValueError(f"scores must be finite numbers, individual {row} has {scores[row]}")


def _refuse_gene(genes, gene, whose=""):
    if gene != ABSENT:
        raise ValueError(
            f"{whose}genes must be five numbers each, sorted by innovation, with whole innovations below "
            f"{INNOVATIONS}, whole node ids from 0 to {LARGEST} and finite weights; "
            f"gene {gene} is {genes[gene].tolist()}"
        )


def _read(state):
    """The parts of a state, refused unless they are what `Species.state` can have returned."""
    if not isinstance(state, Mapping):
        raise TypeError(f"a state of species is what `state` gave, got {brief(state)}")
    for name in ("threshold", "labels", "representatives", "genes", "ids", "founded", "rng"):
        if name not in state:
            raise ValueError(f"a state of species has {name!r}, got {', '.join(map(repr, state))}")
    threshold, founded = state["threshold"], state["founded"]
    if not isinstance(threshold, float) or not 0 < threshold < np.inf:
        raise ValueError(f"the threshold of species must be a finite number above 0, got {brief(threshold)}")
    if not isinstance(founded, int) or not 0 <= founded < 2**63:
        raise ValueError(f"the number of species founded must be a whole number, at least 0, got {brief(founded)}")
    labels, rows, ids = (_read_numbers(name, state[name]) for name in ("labels", "representatives", "ids"))
    count = len(ids)
    if (ids < 0).any() or (np.diff(ids) <= 0).any() or (ids >= founded).any():
        raise ValueError(f"the ids of species must ascend from 0 on and stay below {founded}, got {ids.tolist()}")
    if len(rows) != count or not isinstance(state["genes"], list) or len(state["genes"]) != count:
        raise ValueError(f"each of {count} species has one representative and its genes")
    if len(labels):
        if not (labels.min() >= 0 and labels.max() < count == len(np.unique(labels))):
            raise ValueError(f"labels must name each of {count} species, got {np.unique(labels).tolist()}")
        if not (((rows >= 0) & (rows < len(labels))).all() and (labels[rows] == np.arange(count)).all()):
            raise ValueError(f"representatives must be members of their species, got {rows.tolist()}")
    return threshold, labels, rows, [_read_genes(genes) for genes in state["genes"]], ids, founded


def _read_order(state: Mapping[str, Any], name: str, size: int) -> np.ndarray:
    """All members in an order, that of the indices where a state of an earlier version has none."""
    order = _read_numbers(name, state.get(name, list(range(size))))
    if sorted(order.tolist()) != list(range(size)):
        raise ValueError(f"the {name} of species must have each of {size} members once, got {brief(order.tolist())}")
    return order


def _read_numbers(name, values):
    if not isinstance(values, list) or not all(type(value) is int and abs(value) < 2**63 for value in values):
        raise ValueError(f"the {name} of species must be a list of whole numbers, got {values!r:.60}")
    return np.array(values, dtype=np.int64)


def _read_genes(values):
    """A representative's genes in the columns of a genome's, those that species do not read left 0."""
    try:
        pairs = np.array(values, dtype=float).reshape(len(values), 2)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"a representative's genes are innovations and weights, got {values!r:.60}") from None
    genes = np.zeros((len(pairs), 5))
    genes[:, [INNOVATION, WEIGHT]] = pairs
    _refuse_gene(genes, kernels.faulty_gene(genes, INNOVATIONS), "a representative's ")
    return genes
