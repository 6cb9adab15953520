"""Compiled kernels of `Species`: members and species in arrays, speciation, parent selection and replacement.

Entry kernels take the fields of `Members` and `Groups` as separate arguments, since numba needs a microsecond more for
a named tuple than for its arrays. A species caches the mean and the lowest score of its members until a member changes,
joins or leaves. Therefore no step reads all scores except those that changed.
"""

from typing import NamedTuple

import numpy as np

from divergent._compile import njit
from divergent._intrinsics import count_ones
from divergent.neat._genes import INNOVATION
from divergent.neat._random import uniforms
from divergent.neat._species_arrays import (
    ABSENT,
    ADDED,
    COUNT,
    RANKED,
    Groups,
    Members,
    add_member,
    first_invalid_gene,
    first_member,
    member_rows,
    move_member,
    pack_row,
    remove_member,
    remove_species,
    set_representative,
)

REPLACED, NO_ROOM, INVALID_GENE, INVALID_SCORE = range(4)  # status codes of `replace`
NO_LIMIT = 2**31  # exceeds the genes of any two genomes
SCORES_PER_BLOCK = np.uint64(256)  # scores per comparison with the cached scores


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
    """Fill a row of the members, see `pack_row`."""
    pack_row(Members(*arrays), row, genes)


@njit(cache=True)
def _beyond(innovations: np.ndarray, last: int, others: np.ndarray, other_last: int) -> int:
    """Return the number of excess genes of a member and a representative; weights are indexed by innovation."""
    beyond = 0
    for innovation in range(last + 1, other_last + 1):
        beyond += others[innovation] == others[innovation]
    while beyond < len(innovations) and innovations[len(innovations) - 1 - beyond] > other_last:
        beyond += 1
    return beyond


@njit(cache=True)
def _rule(threshold: float, disjoint: float, excess: float, weight: float) -> Rule:
    """Return a rule with its limit."""
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
def _first_misplaced(members: Members, groups: Groups, start: int, end: int, rule: Rule) -> tuple[int, int]:
    """Return the first member from `start` to `end` that is in the wrong species, and the label of the right species.

    The right species is the first whose representative is closer than the threshold; the label is the number of species
    if there is none. The number of non-matching genes alone exceeds the threshold for most pairs. The folded bit sets
    give a lower bound of that number with one comparison. The exact count stops at the limit. The last computed
    distance of each member is cached, since most members are compared with the same representative again.

    One call covers many members and takes no slices: numba counts references to arrays, which costs more than a
    comparison.
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
                difference /= max((genes + group["genes"] - alone) // 2, 1)  # 0 without matching genes
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
    """Remove species without members, and make the first member the representative if none is set."""
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    for label in range(groups.totals[COUNT] - 1, -1, -1):
        slot = groups.order[label]
        if groups.notes[slot]["size"] == 0:
            remove_species(groups, slot)
        elif groups.notes[slot]["representative"] == ABSENT:
            set_representative(members, groups, first_member(groups.members[slot]), slot)


@njit(cache=True)
def restore_representative(genes: np.ndarray, row: int, slot: int, *arrays: np.ndarray) -> None:
    """Make valid genes the genes of the representative of a slot, and `row` its row."""
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    spare = len(members.notes) - 1
    pack_row(members, spare, genes)
    set_representative(members, groups, spare, slot)
    groups.notes[slot]["representative"] = row


@njit(cache=True)
def restore_members(labels: np.ndarray, *arrays: np.ndarray) -> None:
    """Add every member to the species of its label."""
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    for row in range(len(labels)):
        add_member(members, groups, row, labels[row])


@njit(cache=True)
def respeciate(
    row: int, threshold: float, disjoint: float, excess: float, weight: float, by_rank: bool, *arrays: np.ndarray
) -> int:
    """Move members from `row` on to the first species they belong to, including members without a species.

    Returns the first member that lacks a slot to found a species in, else the end.
    """
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    rule = _rule(threshold, disjoint, excess, weight)
    end = len(members.notes) - 1
    row, label = _first_misplaced(members, groups, row, end, rule)
    while row < end and label < len(groups.order):
        count, slot = groups.totals[COUNT], groups.order[label]
        if members.notes[row]["slot"] != ABSENT:
            remove_member(members, groups, row, by_rank)
            if label == count:
                label = groups.totals[COUNT]
            elif groups.order[label] != slot:
                label -= 1  # an earlier species was removed
        add_member(members, groups, row, label)
        row, label = _first_misplaced(members, groups, row + 1, end, rule)
    return row


@njit(cache=True)
def _update_scores(members: Members, groups: Groups, scores: np.ndarray) -> int:
    """Copy the scores that changed; return the first row whose score is not finite, or ABSENT."""
    size = np.uint64(len(members.notes) - 1)  # unsigned: no wrap-around of negative indices
    # comparison of bits vectorises; a change from 0 to -0 only costs time
    now, before = scores.view(np.uint64), members.scores.view(np.uint64)
    for start in range(np.uint64(0), size, SCORES_PER_BLOCK):
        end = min(start + SCORES_PER_BLOCK, size)
        changed = np.uint64(0)
        for place in range(start, end):
            changed |= now[place] ^ before[place]
        if changed:
            for row in range(start, end):
                if scores[row] != members.scores[row]:
                    if not abs(scores[row]) < np.inf:
                        return np.int64(row)  # type: ignore[return-value]  # row is unsigned
                    members.scores[row] = scores[row]
                    group = groups.notes[members.notes[row]["slot"]]
                    group["mean"] = group["lowest"] = np.nan
    return ABSENT


@njit(cache=True)
def _lowest(scores: np.ndarray, rows: np.ndarray) -> float:
    """Return the lowest score of the rows."""
    lowest = np.inf
    for row in rows:
        if scores[row] < lowest:  # rarely taken, so faster than min
            lowest = scores[row]
    return lowest


@njit(cache=True)
def _total_mean(members: Members, groups: Groups) -> tuple[float, float]:
    """Return the sum of the mean scores of all species above an offset, and the offset.

    The offset is the lowest score if that is negative, else 0.

    Updates cached means and lowest scores. Means are computed from the lowest score so that equal scores have exactly
    their mean.
    """
    total = offset = 0.0
    for label in range(groups.totals[COUNT]):
        slot = groups.order[label]
        group = groups.notes[slot]
        if np.isnan(group["mean"]):
            rows = member_rows(groups.members[slot], group["size"])
            if np.isnan(group["lowest"]):
                group["lowest"] = _lowest(members.scores, rows)
            above = 0.0
            for row in rows:
                above += members.scores[row] - group["lowest"]
            group["mean"] = group["lowest"] + above / group["size"]
        total += group["mean"]
        if group["lowest"] < offset:
            offset = group["lowest"]
    if offset < 0.0:
        total = 0.0
        for label in range(groups.totals[COUNT]):
            total += groups.notes[groups.order[label]]["mean"] - offset
    return total, offset


@njit(cache=True)
def means(scores: np.ndarray, *arrays: np.ndarray) -> tuple[np.ndarray, int]:
    """Return the mean score of each species above the offset, and the first row whose score is not finite."""
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    species_means = np.empty(groups.totals[COUNT])
    wrong = _update_scores(members, groups, scores)
    if wrong == ABSENT:
        _, offset = _total_mean(members, groups)
        for label in range(len(species_means)):
            species_means[label] = groups.notes[groups.order[label]]["mean"] - offset
    return species_means, wrong


@njit(cache=True)
def _better(scores: np.ndarray, row: int, other: int) -> bool:
    """Return whether a row ranks before another: higher score, then lower row; branch-free."""
    return (scores[row] > scores[other]) | ((scores[row] == scores[other]) & (row < other))


@njit(cache=True)
def _best(scores: np.ndarray, rows: np.ndarray, place: int) -> int:
    """Return the row with rank `place`, and move it there behind all better rows (quickselect)."""
    low, high = 0, len(rows) - 1
    while low < high:
        middle = (low + high) // 2
        pivot = rows[middle]
        rows[middle] = rows[high]
        border = low
        for i in range(low, high):  # branch-free: the comparison is unpredictable
            row = rows[i]
            rows[i], rows[border] = rows[border], row
            border += _better(scores, row, pivot)
        rows[high], rows[border] = rows[border], pivot
        if place == border:
            break
        if place < border:
            high = border - 1
        else:
            low = border + 1
    return rows[place]


@njit(cache=True)
def pool_size(size: int, fraction: float) -> int:
    """Return the number of members of a species that reproduce."""
    return 1 + int(fraction * (size - 1))


@njit(cache=True)
def _keep_ranking(members: Members, groups: Groups, ranked: np.ndarray) -> None:
    """Store the ranking of the members of a species."""
    for row in ranked:
        members.notes[row]["rank"] = groups.totals[RANKED]
        groups.totals[RANKED] += 1


@njit(cache=True)
def parents(label: int, scores: np.ndarray, fraction: float, *arrays: np.ndarray) -> tuple[np.ndarray, int]:
    """Return the members of a species that reproduce, best first, and the first row whose score is not finite."""
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    wrong = _update_scores(members, groups, scores)
    if wrong != ABSENT:
        return np.empty(0, np.int64), wrong
    slot = groups.order[label]
    rows = member_rows(groups.members[slot], groups.notes[slot]["size"])
    ranked = rows[np.argsort(-members.scores[rows], kind="mergesort")]  # stable
    _keep_ranking(members, groups, ranked)
    if groups.notes[slot]["representative"] != ranked[0]:
        set_representative(members, groups, ranked[0], slot)
    return ranked[: pool_size(len(rows), fraction)], wrong


@njit(cache=True)
def _draw_species(members: Members, groups: Groups, draw: float) -> int:
    """Return the label of a species drawn in proportion to its mean score."""
    count = groups.totals[COUNT]
    total, offset = _total_mean(members, groups)
    if total > 0.0:
        chosen, left = 0, draw * total - (groups.notes[groups.order[0]]["mean"] - offset)
        while left >= 0.0 and chosen < count - 1:
            chosen += 1
            left -= groups.notes[groups.order[chosen]]["mean"] - offset
    else:
        chosen = int(draw * count)
    return chosen


@njit(cache=True)
def select_parents(
    scores: np.ndarray, fraction: float, interspecies: float, function: int, state: int, *arrays: np.ndarray
) -> tuple[int, int, int]:
    """Return the first parent, the second parent, and the first row whose score is not finite."""
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    wrong = _update_scores(members, groups, scores)
    if wrong != ABSENT:
        return ABSENT, ABSENT, wrong
    draws = uniforms(5, function, state)
    count = groups.totals[COUNT]
    chosen = _draw_species(members, groups, draws[0])
    slot = groups.order[chosen]
    rows = member_rows(groups.members[slot], groups.notes[slot]["size"])
    pool = pool_size(len(rows), fraction)
    places = int(draws[1] * pool), int(draws[2] * pool)
    low, high = min(places), max(places)
    worse = _best(members.scores, rows, high)  # all better rows now precede it
    better = _best(members.scores, rows[: high + 1], low)
    champion = better
    for row in rows[:low]:
        if _better(members.scores, row, champion):
            champion = row
    if groups.notes[slot]["representative"] != champion:
        set_representative(members, groups, champion, slot)
    first_parent, second_parent = (better, worse) if places[0] == low else (worse, better)
    if draws[3] < interspecies and count > 1:
        other = int(draws[4] * (count - 1))
        second_parent = groups.notes[groups.order[other + (other >= chosen)]]["representative"]
    return first_parent, second_parent, wrong


@njit(cache=True)
def select_parents_ranked(
    scores: np.ndarray, fraction: float, interspecies: float, function: int, state: int, *arrays: np.ndarray
) -> tuple[int, int, int]:
    """Select parents as `select_parents` does from a ranking of the species; ties keep their previous order."""
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    wrong = _update_scores(members, groups, scores)
    if wrong != ABSENT:
        return ABSENT, ABSENT, wrong
    draws = uniforms(5, function, state)
    count = groups.totals[COUNT]
    chosen = _draw_species(members, groups, draws[0])
    slot = groups.order[chosen]
    rows = member_rows(groups.members[slot], groups.notes[slot]["size"])
    previous, negated = np.empty(len(rows)), np.empty(len(rows))
    for place in range(len(rows)):
        previous[place] = members.notes[rows[place]]["rank"]
    rows = rows[np.argsort(previous, kind="mergesort")]
    for place in range(len(rows)):
        negated[place] = -members.scores[rows[place]]
    ranked = rows[np.argsort(negated, kind="mergesort")]  # stable
    _keep_ranking(members, groups, ranked)
    if groups.notes[slot]["representative"] != ranked[0]:
        set_representative(members, groups, ranked[0], slot)
    pool = pool_size(len(ranked), fraction)
    first_parent, second_parent = ranked[int(draws[1] * pool)], ranked[int(draws[2] * pool)]
    if draws[3] < interspecies and count > 1:
        other = int(draws[4] * (count - 1))
        second_parent = groups.notes[groups.order[other + (other >= chosen)]]["representative"]
    return first_parent, second_parent, wrong


@njit(cache=True)
def _row_to_remove(members: Members, groups: Groups, oldest: bool) -> int:
    """Return the row with the lowest score divided by the size of its species, above the offset of `_total_mean`.

    Ties are broken by age or by row. Scores above the lowest of a species may tie with it after the division. Updates
    cached lowest scores.
    """
    values = np.empty(groups.totals[COUNT])
    least, offset = np.inf, 0.0
    for label in range(len(values)):
        slot = groups.order[label]
        group = groups.notes[slot]
        if np.isnan(group["lowest"]):
            group["lowest"] = _lowest(members.scores, member_rows(groups.members[slot], group["size"]))
        if group["lowest"] < offset:
            offset = group["lowest"]
        values[label] = group["lowest"] / group["size"]
        if values[label] < least:
            least = values[label]
    if offset < 0.0:
        least = np.inf
        for label in range(len(values)):
            group = groups.notes[groups.order[label]]
            values[label] = (group["lowest"] - offset) / group["size"]
            least = min(least, values[label])
    removed = len(members.notes)
    for label in range(len(values)):
        if values[label] == least:
            slot = groups.order[label]
            size = groups.notes[slot]["size"]
            edge = (groups.notes[slot]["lowest"] - offset) * (1 + 1e-15) + 1e-300  # no higher score can tie
            for row in member_rows(groups.members[slot], size):
                above = members.scores[row] - offset
                if above <= edge and above / size == least:
                    if not oldest:
                        removed = min(removed, row)
                        break
                    if removed == len(members.notes) or members.notes[row]["added"] < members.notes[removed]["added"]:
                        removed = row
    return removed


@njit(cache=True)
def replace(
    genes: np.ndarray,
    scores: np.ndarray,
    threshold: float,
    disjoint: float,
    excess: float,
    weight: float,
    oldest: bool,
    by_rank: bool,
    *arrays: np.ndarray,
) -> tuple[int, int]:
    """Return REPLACED and the row that was removed and now holds the child, or an error code and its place.

    An error changes nothing.
    """
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    row = len(members.notes) - 1
    width = groups.weights.shape[1]
    too_small = len(genes) > members.weights.shape[1] or (len(genes) and genes[-1, INNOVATION] >= width)
    if too_small or groups.totals[COUNT] == len(groups.order):
        return NO_ROOM, ABSENT
    gene = first_invalid_gene(genes, width)
    if gene != ABSENT:
        return INVALID_GENE, gene
    wrong = _update_scores(members, groups, scores)
    if wrong == ABSENT and not abs(scores[row]) < np.inf:
        wrong = row
    if wrong != ABSENT:
        return INVALID_SCORE, wrong
    members.scores[row] = scores[row]
    pack_row(members, row, genes)
    members.notes[row]["added"] = groups.totals[ADDED]
    groups.totals[ADDED] += 1
    _, label = _first_misplaced(members, groups, row, row + 1, _rule(threshold, disjoint, excess, weight))
    add_member(members, groups, row, label)
    removed = _row_to_remove(members, groups, oldest)
    remove_member(members, groups, removed, by_rank)
    if removed != row:
        move_member(members, groups, row, removed)
    return REPLACED, removed
