"""Compiled kernels of `Species` that assign individuals to species."""

from typing import NamedTuple

import numpy as np

from divergent._compile import njit
from divergent._intrinsics import count_ones
from divergent.neat._species_arrays import (
    ABSENT,
    COUNT,
    Groups,
    Members,
    add_member,
    first_member,
    pack_row,
    remove_member,
    remove_species,
    set_representative,
)

NO_LIMIT = 2**31  # two genomes always have fewer than 2**31 non-matching genes


class Rule(NamedTuple):
    """Compatibility coefficients and threshold."""

    threshold: float
    disjoint: float
    excess: float
    weight: float
    limit: int
    """Number of non-matching genes that alone reaches the threshold."""


@njit(cache=True)
def pack(genes: np.ndarray, row: int, *arrays: np.ndarray) -> None:
    """Copy the genes of an individual into row `row` of the member arrays; `arrays` are the fields of `Members`."""
    pack_row(Members(*arrays), row, genes)


@njit(cache=True)
def _beyond(innovations: np.ndarray, last: int, others: np.ndarray, other_last: int) -> int:
    """Count the excess genes of a member and a representative: genes beyond the last innovation of the other genome.

    `others` contains the weights of the representative by innovation number, and NaN for genes that are absent.
    """
    beyond = 0
    for innovation in range(last + 1, other_last + 1):
        beyond += others[innovation] == others[innovation]
    while beyond < len(innovations) and innovations[len(innovations) - 1 - beyond] > other_last:
        beyond += 1
    return beyond


@njit(cache=True)
def make_rule(threshold: float, disjoint: float, excess: float, weight: float) -> Rule:
    """Return the threshold, the coefficients of the compatibility distance and a limit on non-matching genes.

    The limit is the smallest number of non-matching genes for which the distance always reaches the threshold.
    """
    least = min(disjoint, excess)
    limit = NO_LIMIT
    if least * NO_LIMIT >= threshold:
        limit = int(threshold / least)
        while least * limit < threshold:
            limit += 1
        while least * (limit - 1) >= threshold:
            limit -= 1
    return Rule(threshold, disjoint, excess, weight, limit)


@njit(cache=True)
def first_misplaced(members: Members, groups: Groups, start: int, end: int, rule: Rule) -> tuple[int, int]:
    """Find the first member, from row `start`, that is in a wrong species; return its row and correct species label.

    The correct species is the first species whose representative is closer than the threshold. If no representative is
    close enough, the returned label is the number of species. For most pairs of genomes, the distance exceeds the
    threshold because of the non-matching genes alone. The field `folded` is a 64-bit signature of a genome: the
    exclusive or of all words in the bit set of its innovation numbers. The number of different bits in two signatures
    is a lower bound of the number of non-matching genes of two genomes. Exact counting of non-matching genes stops at
    `rule.limit`. The last computed distance of each member is cached, since most members are compared with the same
    representative again.

    The function processes many members in one call and avoids array slices. The reference counting of an array slice
    takes longer than a comparison of two genomes.
    """
    count = groups.totals[COUNT]
    for row in range(start, end):
        member = members.notes[row]
        folded, last, genes = member["folded"], member["last"], member["genes"]
        target = count
        for label in range(count):
            if count_ones(folded ^ groups.folded[label]) >= rule.limit:
                continue
            slot = groups.order[label]
            group = groups.notes[slot]
            if member["near"] != slot or member["since"] != group["version"]:
                alone = word = 0
                words = (max(last, group["last"]) >> 6) + 1
                while word < words and alone < rule.limit:
                    alone += count_ones(members.bits[row, word] ^ groups.bits[slot, word])
                    word += 1
                if alone >= rule.limit:
                    continue
                difference = 0.0
                for gene in range(genes):
                    gap = abs(members.weights[row, gene] - groups.weights[slot, members.innovations[row, gene]])
                    difference += gap if gap == gap else 0.0
                # the mean weight difference is 0 if no genes match
                difference /= max((genes + group["genes"] - alone) // 2, 1)
                beyond = 0
                if rule.disjoint != rule.excess:
                    beyond = _beyond(members.innovations[row, :genes], last, groups.weights[slot], group["last"])
                member["distance"] = rule.disjoint * (alone - beyond) + rule.excess * beyond + rule.weight * difference
                member["near"], member["since"] = slot, group["version"]
            if member["distance"] < rule.threshold:
                target = label
                break
        if target == count or groups.order[target] != member["slot"]:
            return row, target
    return end, count


@njit(cache=True)
def finish_assignment(*arrays: np.ndarray) -> None:
    """Remove empty species; if a species has no representative, make its first member the representative."""
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    for label in range(groups.totals[COUNT] - 1, -1, -1):
        slot = groups.order[label]
        if groups.notes[slot]["size"] == 0:
            remove_species(groups, slot)
        elif groups.notes[slot]["representative"] == ABSENT:
            set_representative(members, groups, first_member(groups.members[slot]), slot)


@njit(cache=True)
def restore_representative(genes: np.ndarray, row: int, slot: int, *arrays: np.ndarray) -> None:
    """Make a genome with the given genes the representative of a species.

    `slot` is the row of the species in the species arrays; `row` is the row of the representative in the member arrays.
    """
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    spare = len(members.notes) - 1
    pack_row(members, spare, genes)
    set_representative(members, groups, spare, slot)
    groups.notes[slot]["representative"] = row


@njit(cache=True)
def restore_members(labels: np.ndarray, *arrays: np.ndarray) -> None:
    """Add each member to a species; `labels` contains one species label for each member."""
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    for row in range(len(labels)):
        add_member(members, groups, row, labels[row])


@njit(cache=True)
def respeciate(
    row: int, threshold: float, disjoint: float, excess: float, weight: float, by_rank: bool, *arrays: np.ndarray
) -> int:
    """Move each member, starting at `row`, to the first species whose representative is closer than the threshold.

    Members may have no species yet. If the species arrays are full, the function stops at the first member that needs a
    new species, and returns the index of this member. If the species arrays have enough rows for all species, the
    function returns the number of members.
    """
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    rule = make_rule(threshold, disjoint, excess, weight)
    end = len(members.notes) - 1
    row, label = first_misplaced(members, groups, row, end, rule)
    while row < end and label < len(groups.order):
        count, slot = groups.totals[COUNT], groups.order[label]
        if members.notes[row]["slot"] != ABSENT:
            remove_member(members, groups, row, by_rank)
            if label == count:
                label = groups.totals[COUNT]
            elif groups.order[label] != slot:
                label -= 1  # the removal of an extinct species decreases the labels of all later species by 1
        add_member(members, groups, row, label)
        row, label = first_misplaced(members, groups, row + 1, end, rule)
    return row
