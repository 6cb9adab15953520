"""The compiled half of `Species`: members and species in arrays, and what births, deaths and regrouping do to them.

Entry kernels take the fields of `Members` and `Groups` as separate arguments, since numba takes a microsecond more for
a named tuple than for its arrays; inside they travel together. No step looks at every member unless its score changed:
a species remembers the mean and the lowest score of its members until one of them changes, comes or goes. The lowest
outlasts whoever comes, and whoever goes with a higher score.
"""

from typing import NamedTuple

import numpy as np
from numba import njit, types
from numba.extending import intrinsic

from divergent.checks import LARGEST
from divergent.neat.draw import uniforms
from divergent.neat.genome import INNOVATION, SOURCE, TARGET, WEIGHT

ABSENT = -1
ADMITTED, NO_ROOM, FAULTY_GENE, WRONG_SCORE = range(4)  # what `admit` answers
MANY = 2**31  # more than two genomes have genes

MEMBER = np.dtype(
    [
        ("genes", np.int64),
        ("last", np.int64),  # innovation
        ("folded", np.uint64),  # the words of its set of innovations, folded into one by exclusive or
        ("slot", np.int64),  # of its species
        ("near", np.int64),  # slot of the species whose representative it was compared with last
        ("since", np.int64),  # the version of that representative
        ("distance", np.float64),  # from that representative
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

COUNT, FOUNDED = range(2)  # of the totals: species there are, and were ever founded


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


@intrinsic
def _ones(typing_context, bits):
    """How many bits are set: an instruction of the processor."""

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@intrinsic
def _first_one(typing_context, bits):
    """The position of the first bit that is set, of at least one: an instruction of the processor."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(types.uint64), generate


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
    return 64 * word + _first_one(rows[word])


@njit(cache=True)
def _rows_of(rows, size):
    """The members of a species of some size, given as a set of rows, in order."""
    found = np.empty(size, np.int64)
    count = 0
    for word in range(len(rows)):
        bits = rows[word]
        while bits:
            found[count] = 64 * word + _first_one(bits)
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
    member.folded = folded
    member.genes = len(genes)
    member.last = last
    member.slot = ABSENT
    member.near = ABSENT


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
    for innovation in range(group.last + 1):
        groups.weights[slot, innovation] = np.nan
    for gene in range(member.genes):
        groups.weights[slot, members.innovations[row, gene]] = members.weights[row, gene]
    for word in range(members.bits.shape[1]):
        groups.bits[slot, word] = members.bits[row, word]
    groups.folded[_label(groups, slot)] = member.folded
    group.genes = member.genes
    group.last = member.last
    group.representative = row
    group.version += 1


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


@njit(cache=True, inline="always")
def _place(members, groups, row, rule):
    """The first species a member belongs to, whose representative is closer than the threshold; the count if none.

    Genes that only one of them has decide alone most of the time. What differs in the folded sets is the least they can
    be, so most representatives are passed over by one comparison; the others are counted no further than needed. Most
    members are compared with the same representative again and again, so that distance is kept. (All in one function
    that is never called, because a call with so many arrays takes longer than a comparison.)
    """
    member = members.notes[row]
    folded, last, genes = member.folded, member.last, member.genes
    mine, innovations, weights = members.bits[row], members.innovations[row, :genes], members.weights[row, :genes]
    for label in range(groups.totals[COUNT]):
        if _ones(folded ^ groups.folded[label]) >= rule.limit:
            continue
        slot = groups.order[label]
        group = groups.notes[slot]
        if member.near != slot or member.since != group.version:
            theirs = groups.bits[slot]
            alone = word = 0
            words = (max(last, group.last) >> 6) + 1
            while word < words and alone < rule.limit:
                alone += _ones(mine[word] ^ theirs[word])
                word += 1
            if alone >= rule.limit:
                continue
            others = groups.weights[slot]
            difference = 0.0
            for gene in range(len(innovations)):
                gap = abs(weights[gene] - others[innovations[gene]])
                difference += gap if gap == gap else 0.0
            common = (len(innovations) + group.genes - alone) // 2
            if common:
                difference /= common
            beyond = 0
            if rule.disjoint != rule.excess:
                beyond = _beyond(innovations, last, others, group.last)
            member.distance = rule.disjoint * (alone - beyond) + rule.excess * beyond + rule.weight * difference
            member.near, member.since = slot, group.version
        if member.distance < rule.threshold:
            return label
    return groups.totals[COUNT]


@njit(cache=True)
def _close(groups, slot):
    """Take a slot out of the order and put it behind the living ones."""
    groups.totals[COUNT] -= 1
    for later in range(_label(groups, slot), groups.totals[COUNT]):
        groups.order[later], groups.folded[later] = groups.order[later + 1], groups.folded[later + 1]
    groups.order[groups.totals[COUNT]] = slot


@njit(cache=True)
def _leave(members, groups, row):
    """Take a member out of its species; the species ends with its last member."""
    slot = members.notes[row].slot
    group = groups.notes[slot]
    members.notes[row].slot = ABSENT
    groups.members[slot, row >> 6] &= ~_bit(row)
    group.size -= 1
    group.mean = np.nan
    if members.scores[row] == group.lowest:
        group.lowest = np.nan
    if group.size == 0:
        _close(groups, slot)
    elif group.representative == row:
        _appoint(members, groups, _first_of(groups.members[slot]), slot)


@njit(cache=True)
def _join(members, groups, row, label):
    """Put a member into a species, or let it found one after the last."""
    slot = groups.order[label]
    group, totals = groups.notes[slot], groups.totals
    if label == totals[COUNT]:
        group.size = 0
        group.id = totals[FOUNDED]
        totals[FOUNDED] += 1
        totals[COUNT] += 1
        _appoint(members, groups, row, slot)
    members.notes[row].slot = slot
    groups.members[slot, row >> 6] |= _bit(row)
    group.mean = np.nan
    if group.size == 0 or members.scores[row] < group.lowest:
        group.lowest = members.scores[row]
    group.size += 1


@njit(cache=True)
def settle(*arrays):
    """End species without members, and let the first member represent where no founder does."""
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    for label in range(groups.totals[COUNT] - 1, -1, -1):
        slot = groups.order[label]
        if groups.notes[slot].size == 0:
            _close(groups, slot)
        elif groups.notes[slot].representative == ABSENT:
            _appoint(members, groups, _first_of(groups.members[slot]), slot)


@njit(cache=True)
def revive(genes, row, slot, *arrays):
    """Make genes, which must fit as for `pack`, the representative's of the species in a slot, and its row that one."""
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    newborn = len(members.notes) - 1
    _pack(members, newborn, genes)
    _appoint(members, groups, newborn, slot)
    groups.notes[slot].representative = row


@njit(cache=True)
def enrol(labels, *arrays):
    """Put every member into the species it is labelled with."""
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    for row in range(len(labels)):
        _join(members, groups, row, labels[row])


@njit(cache=True)
def regroup(row, threshold, disjoint, excess, weight, *arrays):
    """Send members from a row on to the first species they belong to, also those who are in none yet.

    Returns the first one that lacks a slot to found a species in, or else the end.
    """
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    rule = _rule(threshold, disjoint, excess, weight)
    while row < len(members.notes) - 1:
        label = _place(members, groups, row, rule)
        count, before = groups.totals[COUNT], members.notes[row].slot
        if label == len(groups.order):
            break
        slot = groups.order[label]
        if before != ABSENT and (label == count or slot != before):
            _leave(members, groups, row)
            if label == count:
                label = groups.totals[COUNT]
            elif groups.order[label] != slot:
                label -= 1  # an earlier species died out
        if members.notes[row].slot == ABSENT:
            _join(members, groups, row, label)
        row += 1
    return row


@njit(cache=True)
def _observe(members, groups, scores):
    """Take over the members' scores where they changed; return the first row whose score is not finite, or ABSENT."""
    size = len(members.notes) - 1
    for start in range(0, size, 256):
        end = min(start + 256, size)
        # as bits, which are compared fastest; a 0 that has become a -0 does no harm
        now, before = scores[start:end].view(np.uint64), members.scores[start:end].view(np.uint64)
        changed = np.uint64(0)
        for place in range(len(now)):
            changed |= now[place] ^ before[place]
        if changed:
            for row in range(start, end):
                if scores[row] != members.scores[row]:
                    if not abs(scores[row]) < np.inf:
                        return row
                    members.scores[row] = scores[row]
                    group = groups.notes[members.notes[row].slot]
                    group.mean = group.lowest = np.nan
    return ABSENT


@njit(cache=True)
def _offset(members, groups):
    """What is subtracted from all scores before species are compared: the lowest of all if it is negative, or else 0.

    Brings the lowest score of every species up to date.
    """
    offset = 0.0
    for label in range(groups.totals[COUNT]):
        slot = groups.order[label]
        group = groups.notes[slot]
        if np.isnan(group.lowest):
            lowest = np.inf
            for row in _rows_of(groups.members[slot], group.size):
                lowest = min(lowest, members.scores[row])
            group.lowest = lowest
        offset = min(offset, group.lowest)
    return offset


@njit(cache=True)
def _total(members, groups, offset):
    """The sum of the mean scores of all species above an offset, when their lowest scores are up to date.

    Brings the means up to date. Each is counted from the lowest score, so that that of equal scores is exactly theirs.
    """
    total = 0.0
    for label in range(groups.totals[COUNT]):
        slot = groups.order[label]
        group = groups.notes[slot]
        if np.isnan(group.mean):
            above = 0.0
            for row in _rows_of(groups.members[slot], group.size):
                above += members.scores[row] - group.lowest
            group.mean = group.lowest + above / group.size
        total += group.mean - offset
    return total


@njit(cache=True)
def means(scores, *arrays):
    """The mean score of each species, counted from the offset, and the first row whose score is not finite."""
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    found = np.empty(groups.totals[COUNT])
    wrong = _observe(members, groups, scores)
    if wrong == ABSENT:
        offset = _offset(members, groups)
        _total(members, groups, offset)
        for label in range(len(found)):
            found[label] = groups.notes[groups.order[label]].mean - offset
    return found, wrong


@njit(cache=True)
def _better(scores, row, other):
    """Whether a row comes before another, best first, of equals the first row first."""
    return scores[row] > scores[other] or (scores[row] == scores[other] and row < other)


@njit(cache=True)
def _best(scores, rows, place):
    """The row at a place when rows are best first, which is put there, after all better ones (Hoare's selection)."""
    low, high = 0, len(rows) - 1
    while low < high:
        middle = rows[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while _better(scores, rows[i], middle):
                i += 1
            while _better(scores, middle, rows[j]):
                j -= 1
            if i <= j:
                rows[i], rows[j] = rows[j], rows[i]
                i += 1
                j -= 1
        if place <= j:
            high = j
        elif place >= i:
            low = i
        else:
            break
    return rows[place]


@njit(cache=True)
def _reproducing(size, share):
    """How many of a species reproduce."""
    return 1 + int(share * (size - 1))


@njit(cache=True)
def parents(label, scores, share, *arrays):
    """The members of a species that reproduce, best first, and the first row whose score is not finite."""
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    wrong = _observe(members, groups, scores)
    if wrong != ABSENT:
        return np.empty(0, np.int64), wrong
    slot = groups.order[label]
    rows = _rows_of(groups.members[slot], groups.notes[slot].size)
    ranked = rows[np.argsort(-members.scores[rows], kind="mergesort")]  # which is stable
    if groups.notes[slot].representative != ranked[0]:
        _appoint(members, groups, ranked[0], slot)
    return ranked[: _reproducing(len(rows), share)], wrong


@njit(cache=True)
def couple(scores, share, interspecies, function, state, *arrays):
    """Mother, father, and the first row whose score is not finite."""
    members, groups = Members(*arrays[:5]), Groups(*arrays[5:])
    wrong = _observe(members, groups, scores)
    if wrong != ABSENT:
        return ABSENT, ABSENT, wrong
    draws = uniforms(5, function, state)
    count = groups.totals[COUNT]
    offset = _offset(members, groups)
    total = _total(members, groups, offset)
    if total > 0.0:
        chosen, left = 0, draws[0] * total - (groups.notes[groups.order[0]].mean - offset)
        while left >= 0.0 and chosen < count - 1:
            chosen += 1
            left -= groups.notes[groups.order[chosen]].mean - offset
    else:
        chosen = int(draws[0] * count)
    slot = groups.order[chosen]
    rows = _rows_of(groups.members[slot], groups.notes[slot].size)
    pool = _reproducing(len(rows), share)
    places = int(draws[1] * pool), int(draws[2] * pool)
    near, far = min(places), max(places)
    farther = _best(members.scores, rows, far)  # before whom all better ones are then
    nearer = _best(members.scores, rows[: far + 1], near)
    champion = _best(members.scores, rows[: near + 1], 0)
    if groups.notes[slot].representative != champion:
        _appoint(members, groups, champion, slot)
    mother, father = (nearer, farther) if places[0] == near else (farther, nearer)
    if draws[3] < interspecies and count > 1:
        other = int(draws[4] * (count - 1))
        father = groups.notes[groups.order[other + (other >= chosen)]].representative
    return mother, father, wrong


@njit(cache=True)
def _doomed(members, groups):
    """Who has the lowest score for the size of its species, of equals the first.

    Within a species that is the lowest score, but others may be equal to it once they are divided.
    """
    offset = _offset(members, groups)
    values = np.empty(groups.totals[COUNT])
    least = np.inf
    for label in range(len(values)):
        group = groups.notes[groups.order[label]]
        values[label] = (group.lowest - offset) / group.size
        least = min(least, values[label])
    doomed = len(members.notes)
    for label in range(len(values)):
        if values[label] == least:
            slot = groups.order[label]
            size = groups.notes[slot].size
            for row in _rows_of(groups.members[slot], size):
                if (members.scores[row] - offset) / size == least:
                    doomed = min(doomed, row)
                    break
    return doomed


@njit(cache=True)
def _move(members, groups, row, place):
    """Give a member another row."""
    member, moved = members.notes[row], members.notes[place]
    moved.genes, moved.last, moved.folded, moved.slot = member.genes, member.last, member.folded, member.slot
    moved.near, moved.since, moved.distance = member.near, member.since, member.distance
    members.scores[place] = members.scores[row]
    for gene in range(member.genes):
        members.innovations[place, gene] = members.innovations[row, gene]
        members.weights[place, gene] = members.weights[row, gene]
    for word in range(members.bits.shape[1]):
        members.bits[place, word] = members.bits[row, word]
    slot = member.slot
    groups.members[slot, row >> 6] &= ~_bit(row)
    groups.members[slot, place >> 6] |= _bit(place)
    groups.notes[slot].mean = np.nan  # which is added up in the order of rows
    if groups.notes[slot].representative == row:
        groups.notes[slot].representative = place
    member.slot = ABSENT


@njit(cache=True)
def admit(genes, scores, threshold, disjoint, excess, weight, *arrays):
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
    _join(members, groups, row, _place(members, groups, row, _rule(threshold, disjoint, excess, weight)))
    dead = _doomed(members, groups)
    _leave(members, groups, dead)
    if dead != row:
        _move(members, groups, row, dead)
    return ADMITTED, dead
