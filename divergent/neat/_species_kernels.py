"""Compiled kernels of `Species`: scores of species, parent selection and replacement.

Kernels that Python code calls take the fields of `Members` and `Groups` as separate arguments, since unpacking a named
tuple costs numba a microsecond. The mean and the lowest score of a species are cached until a score in the species
changes or a member joins or leaves. Each selection or replacement therefore updates only the species that changed.
"""

import numpy as np

from divergent._compile import njit
from divergent.neat._genes import INNOVATION
from divergent.neat._random import uniforms
from divergent.neat._speciation_kernels import first_misplaced, make_rule
from divergent.neat._species_arrays import (
    ABSENT,
    ADDED,
    COUNT,
    RANKED,
    Groups,
    Members,
    add_member,
    first_invalid_gene,
    member_rows,
    move_member,
    pack_row,
    remove_member,
    set_representative,
)

REPLACED, NO_ROOM, INVALID_GENE, INVALID_SCORE = range(4)  # status codes of `replace`
SCORES_PER_BLOCK = np.uint64(256)  # number of scores that are compared with the cached scores in one block


@njit(cache=True)
def _update_scores(members: Members, groups: Groups, scores: np.ndarray) -> int:
    """Copy changed scores to the member arrays, and return the row of the first score that is not finite.

    The result is ABSENT if all scores are finite.
    """
    # Indices are unsigned, so that numba omits the code for negative indices.
    size = np.uint64(len(members.notes) - 1)
    # Scores are compared as 64-bit integers because LLVM vectorises this comparison.
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
                        return np.int64(row)  # type: ignore[return-value]
                    members.scores[row] = scores[row]
                    group = groups.notes[members.notes[row]["slot"]]
                    group["mean"] = group["lowest"] = np.nan
    return ABSENT


@njit(cache=True)
def _lowest(scores: np.ndarray, rows: np.ndarray) -> float:
    """Return the lowest score of the members in `rows`."""
    lowest = np.inf
    for row in rows:
        if scores[row] < lowest:  # a branch that is rarely taken is faster than min
            lowest = scores[row]
    return lowest


@njit(cache=True)
def _total_mean(members: Members, groups: Groups) -> tuple[float, float]:
    """Return two numbers: the sum of the mean scores of all species, each minus an offset, and the offset.

    The offset is the lowest score of all members if this score is negative, otherwise 0. The cached mean and lowest
    scores of species are updated. The mean is computed relative to the lowest score, so that the mean of equal scores
    is exact.
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
    """Compute the mean score of each species, and find the first invalid score.

    If any score is negative, the lowest score of all members is subtracted from the means. The second result is the row
    of the first score that is not finite, or ABSENT if all scores are finite. If a score is not finite, the means are
    not computed.
    """
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
    """Return whether member `row` has a higher score than member `other`, or an equal score and a lower row."""
    return (scores[row] > scores[other]) | ((scores[row] == scores[other]) & (row < other))


@njit(cache=True)
def _best(scores: np.ndarray, rows: np.ndarray, place: int) -> int:
    """Return the member with rank `place`, found by quickselect.

    All members of better rank are moved before index `place` of `rows`.
    """
    low, high = 0, len(rows) - 1
    while low < high:
        middle = (low + high) // 2
        pivot = rows[middle]
        rows[middle] = rows[high]
        border = low
        for i in range(low, high):  # branch-free, because the CPU cannot predict the comparison
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
    """Return the number of members that reproduce in a species with `size` members."""
    return 1 + int(fraction * (size - 1))


@njit(cache=True)
def _keep_ranking(members: Members, groups: Groups, ranked: np.ndarray) -> None:
    """Store the rank of each member of a species; `ranked` contains the rows of the members, best first."""
    for row in ranked:
        members.notes[row]["rank"] = groups.totals[RANKED]
        groups.totals[RANKED] += 1


@njit(cache=True)
def parents(label: int, scores: np.ndarray, fraction: float, *arrays: np.ndarray) -> tuple[np.ndarray, int]:
    """Return the members of a species that reproduce, best first, and the row of the first invalid score.

    The second result is ABSENT if all scores are finite; otherwise no members are returned.
    """
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
    """Draw a species with probability proportional to its mean score, and return the label of the species.

    If any score is negative, the lowest score of all members is first subtracted from all mean scores. If every species
    would have the probability 0, all species get the same probability.
    """
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
    """Return the rows of two selected parents and the row of the first invalid score.

    The third result is ABSENT if all scores are finite; otherwise both parents are ABSENT.
    """
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
    worse = _best(members.scores, rows, high)  # `_best` moves the members of ranks below `high` to the front of `rows`
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
    """Select parents like `select_parents`, but rank all members of the drawn species.

    Members with equal scores keep the order of the previous ranking.
    """
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
    """Return the row of the member with the lowest shared score, which is the score divided by the size of the species.

    If any score is negative, the lowest score is first subtracted from all scores. If members tie, the oldest member is
    chosen if `oldest` is True, otherwise the member with the lowest row. Different scores of a species may lead to the
    same shared score, because the division rounds. The cached lowest scores of species are updated.
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
            # Only members with nearly the lowest score of their species can tie, so higher scores are not divided.
            edge = (groups.notes[slot]["lowest"] - offset) * (1 + 1e-15) + 1e-300
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
    """Add a child, remove the individual with the lowest shared score, and return a status code and an index.

    If the status is REPLACED, the index is the row of the removed member, which now contains the child. If the child
    itself was removed, the index is the number of members. If the status is INVALID_GENE or INVALID_SCORE, the index
    refers to the first invalid gene or score. If the status is NO_ROOM, the arrays are too small for the child.
    Individuals are added and removed only if the status is REPLACED.
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
    _, label = first_misplaced(members, groups, row, row + 1, make_rule(threshold, disjoint, excess, weight))
    add_member(members, groups, row, label)
    removed = _row_to_remove(members, groups, oldest)
    remove_member(members, groups, removed, by_rank)
    if removed != row:
        move_member(members, groups, row, removed)
    return REPLACED, removed
