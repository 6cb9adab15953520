"""Arrays with the members and species of `Species`, and compiled functions that change these arrays."""

from typing import NamedTuple

import numpy as np

from divergent._compile import njit
from divergent._intrinsics import first_one
from divergent.neat._genes import INNOVATION, SOURCE, TARGET, WEIGHT
from divergent.validation import LARGEST

ABSENT = -1

MEMBER = np.dtype(
    [
        ("genes", np.int64),
        ("last", np.int64),  # last innovation number of the member
        # The field `folded` is a 64-bit signature: the exclusive or of all words in the member's innovation bit set.
        # The number of different bits in two signatures is a lower bound of the genomes' number of non-matching genes.
        ("folded", np.uint64),
        ("slot", np.int64),  # row of the member's species in the species arrays
        ("near", np.int64),  # row of the species that the member was last compared with
        # A comparison of a member with a representative stores the `version` of the species in the field `since`.
        # If `since` differs from `version`, the species has a new representative, and the cached distance is invalid.
        ("since", np.int64),
        ("distance", np.float64),  # distance to the representative in the last comparison
        ("added", np.int64),  # number of individuals added before this individual
        ("rank", np.int64),  # rank in the last ranking of the species; members that joined later have higher ranks
    ],
    align=True,
)

GROUP = np.dtype(
    [
        ("genes", np.int64),  # number of genes of the representative
        ("last", np.int64),  # last innovation number of the representative
        ("representative", np.int64),  # row of the representative in the member arrays
        ("version", np.int64),  # number of representatives that the species has had
        ("size", np.int64),
        ("id", np.int64),
        ("mean", np.float64),  # mean score of the species, NaN if not cached
        ("lowest", np.float64),  # lowest score in the species, NaN if not cached
    ],
    align=True,
)

# The array `totals` counts current species, founded species, added members and assigned ranks, in this order.
COUNT, FOUNDED, ADDED, RANKED = range(4)


class Members(NamedTuple):
    """Member arrays with one row for each individual; the last row is reserved for a child."""

    innovations: np.ndarray
    weights: np.ndarray
    bits: np.ndarray
    """Innovations as bit sets."""
    scores: np.ndarray
    """Cached scores."""
    notes: np.ndarray


class Groups(NamedTuple):
    """Species arrays with one row for each species and its representative; rows of removed species are reused."""

    weights: np.ndarray
    """Connection weights of the representative by innovation number; NaN if the representative lacks the gene."""
    bits: np.ndarray
    """Innovations as bit sets."""
    folded: np.ndarray
    """Words of `bits` combined by exclusive or, in order of founding: contiguous for the scan in `first_misplaced`."""
    members: np.ndarray
    """Rows of the members as bit sets."""
    order: np.ndarray
    """Rows of the species in order of founding, then unused rows."""
    notes: np.ndarray
    totals: np.ndarray


@njit(cache=True)
def bit_of(number: int) -> np.uint64:
    """Return the 64-bit word in which only bit `number` modulo 64 is set."""
    return np.uint64(1) << np.uint64(number & 63)


@njit(cache=True)
def first_member(rows: np.ndarray) -> int:
    """Return the row of the first member of a species; `rows` is the bit set of its members."""
    word = 0
    while not rows[word]:
        word += 1
    return 64 * word + first_one(rows[word])


@njit(cache=True)
def first_ranked(members: Members, rows: np.ndarray, size: int) -> int:
    """Return the row of the best member in the last ranking of a species; `rows` is the bit set of its members."""
    first = ABSENT
    for row in member_rows(rows, size):
        if first == ABSENT or members.notes[row]["rank"] < members.notes[first]["rank"]:
            first = row
    return first


@njit(cache=True)
def member_rows(rows: np.ndarray, size: int) -> np.ndarray:
    """Convert a bit set of member rows to an ascending array of row indices; `size` is the number of members."""
    members = np.empty(size, np.int64)
    count = 0
    for word in range(len(rows)):
        bits = rows[word]
        while bits:
            members[count] = 64 * word + first_one(bits)
            count += 1
            bits &= bits - np.uint64(1)
    return members


@njit(cache=True)
def first_invalid_gene(genes: np.ndarray, limit: int) -> int:
    """Return the index of the first gene that is invalid or not sorted by innovation, or ABSENT if there is none.

    A valid innovation is an integer below `limit`.
    """
    if genes.shape[1] != 5:
        return 0
    before = -1.0
    for gene in range(len(genes)):
        innovation, source, target = genes[gene, INNOVATION], genes[gene, SOURCE], genes[gene, TARGET]
        if not (
            before < innovation < limit
            and innovation == np.floor(innovation)
            and 0.0 <= source <= LARGEST
            and source == np.floor(source)
            and 0.0 <= target <= LARGEST
            and target == np.floor(target)
            and abs(genes[gene, WEIGHT]) < np.inf
        ):
            return gene
        before = innovation
    return ABSENT


@njit(cache=True)
def pack_row(members: Members, row: int, genes: np.ndarray) -> None:
    """Copy valid genes into a row of the member arrays, which must have enough columns."""
    for word in range(members.bits.shape[1]):
        members.bits[row, word] = 0
    last = ABSENT
    folded = np.uint64(0)
    for gene in range(len(genes)):
        last = int(genes[gene, INNOVATION])
        members.innovations[row, gene] = last
        members.weights[row, gene] = genes[gene, WEIGHT]
        members.bits[row, last >> 6] |= bit_of(last)
        folded ^= bit_of(last)
    member = members.notes[row]
    member["folded"] = folded
    member["genes"] = len(genes)
    member["last"] = last
    member["slot"] = ABSENT
    member["near"] = ABSENT


@njit(cache=True)
def label_of(groups: Groups, slot: int) -> int:
    """Return the label of a species, given its row `slot` in the species arrays."""
    label = 0
    while groups.order[label] != slot:
        label += 1
    return label


@njit(cache=True)
def set_representative(members: Members, groups: Groups, row: int, slot: int) -> None:
    """Make the member in row `row` the representative of the species in row `slot` of the species arrays."""
    member, group = members.notes[row], groups.notes[slot]
    for innovation in range(group["last"] + 1):
        groups.weights[slot, innovation] = np.nan
    for gene in range(member["genes"]):
        groups.weights[slot, members.innovations[row, gene]] = members.weights[row, gene]
    for word in range(members.bits.shape[1]):
        groups.bits[slot, word] = members.bits[row, word]
    groups.folded[label_of(groups, slot)] = member["folded"]
    group["genes"] = member["genes"]
    group["last"] = member["last"]
    group["representative"] = row
    group["version"] += 1


@njit(cache=True)
def remove_species(groups: Groups, slot: int) -> None:
    """Remove an extinct species, so that another species can use its row of the species arrays."""
    groups.totals[COUNT] -= 1
    for later in range(label_of(groups, slot), groups.totals[COUNT]):
        groups.order[later], groups.folded[later] = groups.order[later + 1], groups.folded[later + 1]
    groups.order[groups.totals[COUNT]] = slot


@njit(cache=True)
def remove_member(members: Members, groups: Groups, row: int, by_rank: bool) -> None:
    """Remove a member from its species; a species without members is removed.

    If the removed member was the representative, another member becomes the representative. The new representative is
    the best member of the last ranking if `by_rank` is True, otherwise the member with the lowest row.
    """
    slot = members.notes[row]["slot"]
    group = groups.notes[slot]
    members.notes[row]["slot"] = ABSENT
    groups.members[slot, row >> 6] &= ~bit_of(row)
    group["size"] -= 1
    group["mean"] = np.nan
    if members.scores[row] == group["lowest"]:
        group["lowest"] = np.nan
    if group["size"] == 0:
        remove_species(groups, slot)
    elif group["representative"] == row:
        rows = groups.members[slot]
        set_representative(
            members, groups, first_ranked(members, rows, group["size"]) if by_rank else first_member(rows), slot
        )


@njit(cache=True)
def add_member(members: Members, groups: Groups, row: int, label: int) -> None:
    """Add a member to the species `label`; create a new species if `label` equals the number of species."""
    slot = groups.order[label]
    group, totals = groups.notes[slot], groups.totals
    if label == totals[COUNT]:
        group["size"] = 0
        group["id"] = totals[FOUNDED]
        totals[FOUNDED] += 1
        totals[COUNT] += 1
        set_representative(members, groups, row, slot)
    members.notes[row]["slot"] = slot
    members.notes[row]["rank"] = totals[RANKED]
    totals[RANKED] += 1
    groups.members[slot, row >> 6] |= bit_of(row)
    group["mean"] = np.nan
    if group["size"] == 0 or members.scores[row] < group["lowest"]:
        group["lowest"] = members.scores[row]
    group["size"] += 1


@njit(cache=True)
def move_member(members: Members, groups: Groups, row: int, place: int) -> None:
    """Move a member from `row` to row `place` of the member arrays."""
    member, moved = members.notes[row], members.notes[place]
    moved["genes"], moved["last"], moved["folded"] = member["genes"], member["last"], member["folded"]
    moved["slot"] = member["slot"]
    moved["near"], moved["since"], moved["distance"] = member["near"], member["since"], member["distance"]
    moved["added"], moved["rank"] = member["added"], member["rank"]
    members.scores[place] = members.scores[row]
    for gene in range(member["genes"]):
        members.innovations[place, gene] = members.innovations[row, gene]
        members.weights[place, gene] = members.weights[row, gene]
    for word in range(members.bits.shape[1]):
        members.bits[place, word] = members.bits[row, word]
    slot = member["slot"]
    groups.members[slot, row >> 6] &= ~bit_of(row)
    groups.members[slot, place >> 6] |= bit_of(place)
    # Moving a member invalidates the cached mean score, because the rounding of a sum depends on the order of terms.
    groups.notes[slot]["mean"] = np.nan
    if groups.notes[slot]["representative"] == row:
        groups.notes[slot]["representative"] = place
    member["slot"] = ABSENT


def empty_members(size: int, genes: int = 1, words: int = 1) -> Members:
    """Return empty member arrays for `size` individuals with at most `genes` genes and 64 * `words` innovations."""
    return Members(
        innovations=np.zeros((size, genes), np.int64),
        weights=np.zeros((size, genes)),
        bits=np.zeros((size, words), np.uint64),
        scores=np.zeros(size),
        notes=np.zeros(size, MEMBER),
    )


def empty_groups() -> Groups:
    """Return empty species arrays, which have no rows yet."""
    return Groups(
        weights=np.empty((0, 64)),
        bits=np.empty((0, 1), np.uint64),
        folded=np.empty(0, np.uint64),
        members=np.empty((0, 1), np.uint64),
        order=np.empty(0, np.int64),
        notes=np.empty(0, GROUP),
        totals=np.zeros(4, np.int64),
    )


def with_room(members: Members, groups: Groups, genes: np.ndarray) -> tuple[Members, Groups]:
    """Return the member and species arrays, enlarged if they are too small for `genes`."""
    if not len(genes):
        return members, groups
    room, last = members.weights.shape[1], genes[-1, INNOVATION]
    if len(genes) > room:
        added = ((0, 0), (0, max(room, len(genes) - room)))
        members = members._replace(
            innovations=np.pad(members.innovations, added), weights=np.pad(members.weights, added)
        )
    if last >= groups.weights.shape[1]:
        words = members.bits.shape[1]
        added = ((0, 0), (0, max(words, int(last) // 64 + 1 - words)))
        members = members._replace(bits=np.pad(members.bits, added))
        weights = np.pad(groups.weights, ((0, 0), (0, 64 * added[1][1])), constant_values=np.nan)
        groups = groups._replace(bits=np.pad(groups.bits, added), weights=weights)
    return members, groups


def with_more_slots(groups: Groups) -> Groups:
    """Return the species arrays with twice as many rows, or with 16 rows if there are no rows."""
    slots = len(groups.order)
    added = ((0, max(slots, 16)), (0, 0))
    notes = np.zeros(slots + added[0][1], GROUP)
    notes["last"] = ABSENT
    notes[:slots] = groups.notes
    return Groups(
        weights=np.pad(groups.weights, added, constant_values=np.nan),
        bits=np.pad(groups.bits, added),
        folded=np.pad(groups.folded, added[0]),
        members=np.pad(groups.members, added),
        order=np.append(groups.order, np.arange(slots, len(notes))),
        notes=notes,
        totals=groups.totals,
    )
