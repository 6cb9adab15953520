"""The compiled half of `Species`: members and species in arrays, and what births, deaths and regrouping do to them.

Entry kernels take the fields of `Members` and `Groups` as separate arguments, since numba takes a microsecond more for
a named tuple than for its arrays; inside they travel together. No step looks at every member unless its score changed:
a species remembers the mean and the lowest score of its members until one of them changes, comes or goes. The lowest
outlasts whoever comes, and whoever goes with a higher score.
"""

from typing import NamedTuple

import numpy as np

from divergent._compile import njit
from divergent._intrinsics import count_ones, first_one
from divergent.neat._random import uniforms
from divergent.neat.genome import INNOVATION, SOURCE, TARGET, WEIGHT
from divergent.validation import LARGEST

ABSENT = -1
ADMITTED, NO_ROOM, FAULTY_GENE, WRONG_SCORE = range(4)  # what `replace` answers
MANY = 2**31  # more than two genomes have genes
BLOCK = np.uint64(256)  # scores that are compared with those of before together

MEMBER = np.dtype(
    [
        ("genes", np.int64),
        ("last", np.int64),  # innovation
        ("folded", np.uint64),  # the words of its set of innovations, folded into one by exclusive or
        ("slot", np.int64),  # of its species
        ("near", np.int64),  # slot of the species whose representative it was compared with last
        ("since", np.int64),  # the version of that representative
        ("distance", np.float64),  # from that representative
        ("born", np.int64),  # ascends with the order in which individuals were added
        ("rank", np.int64),  # ascends with the last ranking of its species, later members last
    ],
    align=True,
)

GROUP = np.dtype(
    [
        ("genes", np.int64),  # of the representative
        ("last", np.int64),  # its last innovation
        ("representative", np.int64),  # its row
        ("version", np.int64),  # counts representatives
        ("size", np.int64),
        ("id", np.int64),
        ("mean", np.float64),  # score of the members, NaN where it is not known
        ("lowest", np.float64),  # score of a member, NaN where it is not known
    ],
    align=True,
)

# of the totals: species there are, and were ever founded; the next numbers for `born` and `rank` of members
COUNT, FOUNDED, BORN, RANKED = range(4)


class Members(NamedTuple):
    """The individuals in rows, the last row for a newborn."""

    innovations: np.ndarray
    weights: np.ndarray
    bits: np.ndarray
    """The innovations as a set."""
    scores: np.ndarray
    """As they were when they were last looked at."""
    notes: np.ndarray


class Groups(NamedTuple):
    """The species in slots, which are used again, with copies of their representatives' genes."""

    weights: np.ndarray
    """By innovation, NaN where there is no gene."""
    bits: np.ndarray
    """The innovations as a set."""
    folded: np.ndarray
    """Its words, folded into one by exclusive or; in order of founding, since all are looked through together."""
    members: np.ndarray
    """The rows of the members as a set."""
    order: np.ndarray
    """Slots in order of founding, the free ones last."""
    notes: np.ndarray
    totals: np.ndarray


class Rule(NamedTuple):
    """When two genomes are of one species."""

    threshold: float
    disjoint: float
    excess: float
    weight: float
    limit: int
    """How many genes that only one of them has are enough to be of two."""


@njit(cache=True)
def _bit(number):
    """The bit of a number in its word."""
    return np.uint64(1) << np.uint64(number & 63)


@njit(cache=True)
def _first_of(rows):
    """The first member of a species, given as a set of rows."""
    word = 0
    while not rows[word]:
        word += 1
    return 64 * word + first_one(rows[word])


@njit(cache=True)
def _first_ranked(members, rows, size):
    """The member of a species, given as a set of rows, that comes first in its last ranking."""
    first = ABSENT
    for row in _rows_of(rows, size):
        if first == ABSENT or members.notes[row]["rank"] < members.notes[first]["rank"]:
            first = row
    return first


@njit(cache=True)
def _rows_of(rows, size):
    """The members of a species of some size, given as a set of rows, in order."""
    found = np.empty(size, np.int64)
    count = 0
    for word in range(len(rows)):
        bits = rows[word]
        while bits:
            found[count] = 64 * word + first_one(bits)
            count += 1
            bits &= bits - np.uint64(1)
    return found


@njit(cache=True)
def faulty_gene(genes, limit):
    """The first gene out of order or out of range, innovations being below a limit; ABSENT if there is none."""
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
def _pack(members, row, genes):
    """Copy genes, which must not be faulty and for which there must be room, into a row of the members."""
    for word in range(members.bits.shape[1]):
        members.bits[row, word] = 0
    last = ABSENT
    folded = np.uint64(0)
    for gene in range(len(genes)):
        last = int(genes[gene, INNOVATION])
        members.innovations[row, gene] = last
        members.weights[row, gene] = genes[gene, WEIGHT]
        members.bits[row, last >> 6] |= _bit(last)
        folded ^= _bit(last)
    member = members.notes[row]
    member["folded"] = folded
    member["genes"] = len(genes)
    member["last"] = last
    member["slot"] = ABSENT
    member["near"] = ABSENT


@njit(cache=True)
def pack(genes, row, *arrays):
    """Fill a row of the members, see `_pack`."""
    _pack(Members(*arrays), row, genes)


@njit(cache=True)
def _label(groups, slot):
    """The place of a slot in the order."""
    label = 0
    while groups.order[label] != slot:
        label += 1
    return label


@njit(cache=True)
def _appoint(members, groups, row, slot):
    """Make a member the representative of the species in a slot."""
    member, group = members.notes[row], groups.notes[slot]
    for innovation in range(group["last"] + 1):
        groups.weights[slot, innovation] = np.nan
    for gene in range(member["genes"]):
        groups.weights[slot, members.innovations[row, gene]] = members.weights[row, gene]
    for word in range(members.bits.shape[1]):
        groups.bits[slot, word] = members.bits[row, word]
    groups.folded[_label(groups, slot)] = member["folded"]
    group["genes"] = member["genes"]
    group["last"] = member["last"]
    group["representative"] = row
    group["version"] += 1


@njit(cache=True)
def _beyond(innovations, last, others, other_last):
    """How many genes of a member and of a representative, given by innovation, are beyond the other's last."""
    beyond = 0
    for innovation in range(last + 1, other_last + 1):
        beyond += others[innovation] == others[innovation]
    while beyond < len(innovations) and innovations[len(innovations) - 1 - beyond] > other_last:
        beyond += 1
    return beyond


@njit(cache=True)
def _rule(threshold, disjoint, excess, weight):
    """A rule with its limit."""
    least = min(disjoint, excess)
    limit = MANY
    if least * MANY >= threshold:
        limit = int(threshold / least)
        while least * limit < threshold:
            limit += 1
        while least * (limit - 1) >= threshold:
            limit -= 1
    return Rule(threshold, disjoint, excess, weight, limit)


@njit(cache=True)
def _first_to_move(members, groups, row, end, rule):
    """The first member from a row on, up to an end, that is not in the species it belongs to, and the place of that.

    It belongs to the first species whose representative is closer than the threshold; the place is the count if there
    is none. Genes that only one of them has decide alone most of the time. What differs in the folded sets is the least
    they can be, so most representatives are passed over by one comparison; the others are counted no further than
    needed. Most members are compared with the same representative again and again, so that distance is kept. (One call
    for many members, and no slices: numba counts who holds an array, and for twelve arrays, or at every slice, that
    takes longer than a comparison.)
    """
    count = groups.totals[COUNT]
    for one in range(row, end):
        member = members.notes[one]
        folded, last, genes = member["folded"], member["last"], member["genes"]
        found = count
        for label in range(count):
            if count_ones(folded ^ groups.folded[label]) >= rule.limit:
                continue
            slot = groups.order[label]
            group = groups.notes[slot]
            if member["near"] != slot or member["since"] != group["version"]:
                alone = word = 0
                words = (max(last, group["last"]) >> 6) + 1
                while word < words and alone < rule.limit:
                    alone += count_ones(members.bits[one, word] ^ groups.bits[slot, word])
                    word += 1
                if alone >= rule.limit:
                    continue
                difference = 0.0
                for gene in range(genes):
                    gap = abs(members.weights[one, gene] - groups.weights[slot, members.innovations[one, gene]])
                    difference += gap if gap == gap else 0.0
                common = (genes + group["genes"] - alone) // 2
                if common:
                    difference /= common
                beyond = 0
                if rule.disjoint != rule.excess:
                    beyond = _beyond(members.innovations[one, :genes], last, groups.weights[slot], group["last"])
                member["distance"] = rule.disjoint * (alone - beyond) + rule.excess * beyond + rule.weight * difference
                member["near"], member["since"] = slot, group["version"]
            if member["distance"] < rule.threshold:
                found = label
                break
        if found == count or groups.order[found] != member["slot"]:
            return one, found
    return end, count


@njit(cache=True)
def _close(groups, slot):
    """Take a slot out of the order and put it behind the living ones."""
    groups.totals[COUNT] -= 1
    for later in range(_label(groups, slot), groups.totals[COUNT]):
        groups.order[later], groups.folded[later] = groups.order[later + 1], groups.folded[later + 1]
    groups.order[groups.totals[COUNT]] = slot


@njit(cache=True)
def _leave(members, groups, row, by_rank):
    """Take a member out of its species; the species ends with its last member.

    A representative that leaves is followed by the next member of the last ranking, or by that of the lowest row.
    """
    slot = members.notes[row]["slot"]
    group = groups.notes[slot]
    members.notes[row]["slot"] = ABSENT
    groups.members[slot, row >> 6] &= ~_bit(row)
    group["size"] -= 1
    group["mean"] = np.nan
    if members.scores[row] == group["lowest"]:
        group["lowest"] = np.nan
    if group["size"] == 0:
        _close(groups, slot)
    elif group["representative"] == row:
        rows = groups.members[slot]
        _appoint(members, groups, _first_ranked(members, rows, group["size"]) if by_rank else _first_of(rows), slot)


@njit(cache=True)
def _join(members, groups, row, label):
    """Put a member into a species, or let it found one after the last."""
    slot = groups.order[label]
    group, totals = groups.notes[slot], groups.totals
    if label == totals[COUNT]:
        group["size"] = 0
        group["id"] = totals[FOUNDED]
        totals[FOUNDED] += 1
        totals[COUNT] += 1
        _appoint(members, groups, row, slot)
    members.notes[row]["slot"] = slot
    members.notes[row]["rank"] = totals[RANKED]
    totals[RANKED] += 1
    groups.members[slot, row >> 6] |= _bit(row)
    group["mean"] = np.nan
    if group["size"] == 0 or members.scores[row] < group["lowest"]:
        group["lowest"] = members.scores[row]
    group["size"] += 1


@njit(cache=True)
def settle(*arrays):
    """End species without members, and let the first member represent where no founder does."""
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    for label in range(groups.totals[COUNT] - 1, -1, -1):
        slot = groups.order[label]
        if groups.notes[slot]["size"] == 0:
            _close(groups, slot)
        elif groups.notes[slot]["representative"] == ABSENT:
            _appoint(members, groups, _first_of(groups.members[slot]), slot)


@njit(cache=True)
def revive(genes, row, slot, *arrays):
    """Make genes, which must fit as for `pack`, the representative's of the species in a slot, and its row that one."""
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    newborn = len(members.notes) - 1
    _pack(members, newborn, genes)
    _appoint(members, groups, newborn, slot)
    groups.notes[slot]["representative"] = row


@njit(cache=True)
def enrol(labels, *arrays):
    """Put every member into the species it is labelled with."""
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    for row in range(len(labels)):
        _join(members, groups, row, labels[row])


@njit(cache=True)
def respeciate(row, threshold, disjoint, excess, weight, by_rank, *arrays):
    """Send members from a row on to the first species they belong to, also those who are in none yet.

    Returns the first one that lacks a slot to found a species in, or else the end.
    """
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    rule = _rule(threshold, disjoint, excess, weight)
    end = len(members.notes) - 1
    row, label = _first_to_move(members, groups, row, end, rule)
    while row < end and label < len(groups.order):
        count, slot = groups.totals[COUNT], groups.order[label]
        if members.notes[row]["slot"] != ABSENT:
            _leave(members, groups, row, by_rank)
            if label == count:
                label = groups.totals[COUNT]
            elif groups.order[label] != slot:
                label -= 1  # an earlier species died out
        _join(members, groups, row, label)
        row, label = _first_to_move(members, groups, row + 1, end, rule)
    return row


@njit(cache=True)
def _observe(members, groups, scores):
    """Take over the members' scores where they changed; return the first row whose score is not finite, or ABSENT."""
    size = np.uint64(len(members.notes) - 1)  # unsigned, so that no place is asked whether it counts from the end
    # as bits, which are compared fastest; a 0 that has become a -0 does no harm
    now, before = scores.view(np.uint64), members.scores.view(np.uint64)
    for start in range(np.uint64(0), size, BLOCK):
        end = min(start + BLOCK, size)
        changed = np.uint64(0)
        for place in range(start, end):
            changed |= now[place] ^ before[place]
        if changed:
            for row in range(start, end):
                if scores[row] != members.scores[row]:
                    if not abs(scores[row]) < np.inf:
                        return np.int64(row)
                    members.scores[row] = scores[row]
                    group = groups.notes[members.notes[row]["slot"]]
                    group["mean"] = group["lowest"] = np.nan
    return ABSENT


@njit(cache=True)
def _lowest(scores, rows):
    """The lowest score of some rows."""
    lowest = np.inf
    for row in rows:
        if scores[row] < lowest:  # which seldom is, so that it takes less time than min
            lowest = scores[row]
    return lowest


@njit(cache=True)
def _total(members, groups):
    """The sum of the mean scores of all species above an offset, and that: the lowest score of all if negative, or 0.

    Brings means and lowest scores up to date. Each mean is counted from the lowest score, so that that of equal scores
    is exactly theirs.
    """
    total = offset = 0.0
    for label in range(groups.totals[COUNT]):
        slot = groups.order[label]
        group = groups.notes[slot]
        if np.isnan(group["mean"]):
            rows = _rows_of(groups.members[slot], group["size"])
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
def means(scores, *arrays):
    """The mean score of each species, counted from the offset, and the first row whose score is not finite."""
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    found = np.empty(groups.totals[COUNT])
    wrong = _observe(members, groups, scores)
    if wrong == ABSENT:
        _, offset = _total(members, groups)
        for label in range(len(found)):
            found[label] = groups.notes[groups.order[label]]["mean"] - offset
    return found, wrong


@njit(cache=True)
def _better(scores, row, other):
    """Whether a row comes before another, best first, of equals the first row first; without a branch."""
    return (scores[row] > scores[other]) | ((scores[row] == scores[other]) & (row < other))


@njit(cache=True)
def _best(scores, rows, place):
    """The row at a place when rows are best first, which is put there, after all better ones (quickselect)."""
    low, high = 0, len(rows) - 1
    while low < high:
        middle = (low + high) // 2
        pivot = rows[middle]
        rows[middle] = rows[high]
        border = low
        for i in range(low, high):  # which are better goes as often as not, so nothing is made to depend on it
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
def reproducing(size, share):
    """How many of a species reproduce."""
    return 1 + int(share * (size - 1))


@njit(cache=True)
def _keep_ranking(members, groups, ranked):
    """Rank the members of a species as their rows are ordered, before all who join it later."""
    for row in ranked:
        members.notes[row]["rank"] = groups.totals[RANKED]
        groups.totals[RANKED] += 1


@njit(cache=True)
def parents(label, scores, share, *arrays):
    """The members of a species that reproduce, best first, and the first row whose score is not finite."""
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    wrong = _observe(members, groups, scores)
    if wrong != ABSENT:
        return np.empty(0, np.int64), wrong
    slot = groups.order[label]
    rows = _rows_of(groups.members[slot], groups.notes[slot]["size"])
    ranked = rows[np.argsort(-members.scores[rows], kind="mergesort")]  # which is stable
    _keep_ranking(members, groups, ranked)
    if groups.notes[slot]["representative"] != ranked[0]:
        _appoint(members, groups, ranked[0], slot)
    return ranked[: reproducing(len(rows), share)], wrong


@njit(cache=True)
def _draw_species(members, groups, draw):
    """The label of a species, drawn in proportion to its mean score."""
    count = groups.totals[COUNT]
    total, offset = _total(members, groups)
    if total > 0.0:
        chosen, left = 0, draw * total - (groups.notes[groups.order[0]]["mean"] - offset)
        while left >= 0.0 and chosen < count - 1:
            chosen += 1
            left -= groups.notes[groups.order[chosen]]["mean"] - offset
    else:
        chosen = int(draw * count)
    return chosen


@njit(cache=True)
def select_parents(scores, share, interspecies, function, state, *arrays):
    """Mother, father, and the first row whose score is not finite."""
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    wrong = _observe(members, groups, scores)
    if wrong != ABSENT:
        return ABSENT, ABSENT, wrong
    draws = uniforms(5, function, state)
    count = groups.totals[COUNT]
    chosen = _draw_species(members, groups, draws[0])
    slot = groups.order[chosen]
    rows = _rows_of(groups.members[slot], groups.notes[slot]["size"])
    pool = reproducing(len(rows), share)
    places = int(draws[1] * pool), int(draws[2] * pool)
    near, far = min(places), max(places)
    farther = _best(members.scores, rows, far)  # before whom all better ones are then
    nearer = _best(members.scores, rows[: far + 1], near)
    champion = nearer
    for row in rows[:near]:
        if _better(members.scores, row, champion):
            champion = row
    if groups.notes[slot]["representative"] != champion:
        _appoint(members, groups, champion, slot)
    mother, father = (nearer, farther) if places[0] == near else (farther, nearer)
    if draws[3] < interspecies and count > 1:
        other = int(draws[4] * (count - 1))
        father = groups.notes[groups.order[other + (other >= chosen)]]["representative"]
    return mother, father, wrong


@njit(cache=True)
def select_parents_ranked(scores, share, interspecies, function, state, *arrays):
    """Select parents as `select_parents` does, from a species that is ranked, equal scores in their last order."""
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    wrong = _observe(members, groups, scores)
    if wrong != ABSENT:
        return ABSENT, ABSENT, wrong
    draws = uniforms(5, function, state)
    count = groups.totals[COUNT]
    chosen = _draw_species(members, groups, draws[0])
    slot = groups.order[chosen]
    rows = _rows_of(groups.members[slot], groups.notes[slot]["size"])
    before, scored = np.empty(len(rows)), np.empty(len(rows))
    for place in range(len(rows)):
        before[place] = members.notes[rows[place]]["rank"]
    rows = rows[np.argsort(before, kind="mergesort")]
    for place in range(len(rows)):
        scored[place] = -members.scores[rows[place]]
    ranked = rows[np.argsort(scored, kind="mergesort")]  # which is stable
    _keep_ranking(members, groups, ranked)
    if groups.notes[slot]["representative"] != ranked[0]:
        _appoint(members, groups, ranked[0], slot)
    pool = reproducing(len(ranked), share)
    mother, father = ranked[int(draws[1] * pool)], ranked[int(draws[2] * pool)]
    if draws[3] < interspecies and count > 1:
        other = int(draws[4] * (count - 1))
        father = groups.notes[groups.order[other + (other >= chosen)]]["representative"]
    return mother, father, wrong


@njit(cache=True)
def _doomed(members, groups, oldest):
    """The row with the lowest score for the size of its species; counted from the offset of `_total`.

    Of equals it is the oldest or the lowest row.

    Within a species that is the lowest score, but others may be equal to it once they are divided. Brings the lowest
    scores up to date.
    """
    values = np.empty(groups.totals[COUNT])
    least, offset = np.inf, 0.0
    for label in range(len(values)):
        slot = groups.order[label]
        group = groups.notes[slot]
        if np.isnan(group["lowest"]):
            group["lowest"] = _lowest(members.scores, _rows_of(groups.members[slot], group["size"]))
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
    doomed = len(members.notes)
    for label in range(len(values)):
        if values[label] == least:
            slot = groups.order[label]
            size = groups.notes[slot]["size"]
            edge = (groups.notes[slot]["lowest"] - offset) * (1 + 1e-15) + 1e-300  # nobody above it is equal
            for row in _rows_of(groups.members[slot], size):
                above = members.scores[row] - offset
                if above <= edge and above / size == least:
                    if not oldest:
                        doomed = min(doomed, row)
                        break
                    if doomed == len(members.notes) or members.notes[row]["born"] < members.notes[doomed]["born"]:
                        doomed = row
    return doomed


@njit(cache=True)
def _move(members, groups, row, place):
    """Give a member another row."""
    member, moved = members.notes[row], members.notes[place]
    moved["genes"], moved["last"], moved["folded"] = member["genes"], member["last"], member["folded"]
    moved["slot"] = member["slot"]
    moved["near"], moved["since"], moved["distance"] = member["near"], member["since"], member["distance"]
    moved["born"], moved["rank"] = member["born"], member["rank"]
    members.scores[place] = members.scores[row]
    for gene in range(member["genes"]):
        members.innovations[place, gene] = members.innovations[row, gene]
        members.weights[place, gene] = members.weights[row, gene]
    for word in range(members.bits.shape[1]):
        members.bits[place, word] = members.bits[row, word]
    slot = member["slot"]
    groups.members[slot, row >> 6] &= ~_bit(row)
    groups.members[slot, place >> 6] |= _bit(place)
    groups.notes[slot]["mean"] = np.nan  # which is added up in the order of rows
    if groups.notes[slot]["representative"] == row:
        groups.notes[slot]["representative"] = place
    member["slot"] = ABSENT


@njit(cache=True)
def replace(genes, scores, threshold, disjoint, excess, weight, oldest, by_rank, *arrays):
    """ADMITTED and the row of the dead, where the newborn is now; or what is amiss and where, with nothing changed."""
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    row = len(members.notes) - 1
    breadth = groups.weights.shape[1]
    narrow = len(genes) > members.weights.shape[1] or (len(genes) and genes[-1, INNOVATION] >= breadth)
    if narrow or groups.totals[COUNT] == len(groups.order):
        return NO_ROOM, ABSENT
    faulty = faulty_gene(genes, breadth)
    if faulty != ABSENT:
        return FAULTY_GENE, faulty
    wrong = _observe(members, groups, scores)
    if wrong == ABSENT and not abs(scores[row]) < np.inf:
        wrong = row
    if wrong != ABSENT:
        return WRONG_SCORE, wrong
    members.scores[row] = scores[row]
    _pack(members, row, genes)
    members.notes[row]["born"] = groups.totals[BORN]
    groups.totals[BORN] += 1
    _, label = _first_to_move(members, groups, row, row + 1, _rule(threshold, disjoint, excess, weight))
    _join(members, groups, row, label)
    dead = _doomed(members, groups, oldest)
    _leave(members, groups, dead, by_rank)
    if dead != row:
        _move(members, groups, row, dead)
    return ADMITTED, dead
