"""Crossover and mutation: changes, rates and invalid options."""

import math

import numpy as np
import pytest

from divergent.neat import (
    Activation,
    Genome,
    Innovations,
    add_connection,
    add_node,
    delete_connection,
    delete_node,
    mate,
    mutate,
    mutate_weights,
    reenable,
    toggle,
)
from divergent.neat._gene_kernels import BOTH, FIRST, SECOND, cross_genes, find_unconnected, perturb_genes


def random_generator(seed=0):
    return np.random.default_rng(seed)


def line(numbers, weight=1.0, enabled=1.0):
    """Return a genome whose innovation n connects input n to the output."""
    return Genome([[number, number, 20, weight, enabled] for number in numbers], inputs=20, outputs=1)


def grown(seed, steps=40, inputs=4, outputs=2):
    rng = np.random.default_rng(seed)
    genome = Genome.start(inputs, outputs, rng=rng)
    innovations = Innovations([genome])
    for _ in range(steps):
        mutate(genome, innovations=innovations, node_rate=0.15, connection_rate=0.4, recurrent=0.4, rng=rng)
    return genome, innovations


class Same:
    """A generator that always draws the same number, for cases with one outcome."""

    def __init__(self, value):
        self.value = value

    def random(self, size=None):
        return self.value if size is None else np.full(size, self.value)


def test_mate_multipoint_children_are_complementary():
    first, second = line(range(12), weight=1.0), line(range(12), weight=2.0)
    mate(first, second, average=0.0, rng=random_generator())
    assert set(first.genes[:, 3]) == {1.0, 2.0}
    assert (first.genes[:, 3] + second.genes[:, 3] == 3.0).all()


def test_mate_takes_matching_genes_from_either_parent_equally_often():
    rng = random_generator()
    taken = 0
    for _ in range(400):
        first, _ = mate(line(range(10), weight=1.0), line(range(10), weight=2.0), average=0.0, rng=rng)
        taken += (first.genes[:, 3] == 1.0).sum()
    assert abs(taken / 4000 - 0.5) < 0.03


def test_mate_with_averaging_gives_the_mean_weight():
    first, second = line(range(4), weight=1.0), line(range(4), weight=2.0)
    mate(first, second, average=1.0, rng=random_generator())
    assert (first.genes[:, 3] == 1.5).all()
    assert (second.genes[:, 3] == 1.5).all()


def test_mate_averages_in_four_of_ten_cases():
    rng = random_generator()
    averaged = [mate(line([0], 1.0), line([0], 2.0), rng=rng)[0].genes[0, 3] == 1.5 for _ in range(2000)]
    assert abs(np.mean(averaged) - 0.4) < 0.04


def test_mate_children_have_the_union_of_genes():
    first, second = line([0, 1, 3, 5]), line([0, 2, 3, 4, 8, 9])
    first.fitness.values, second.fitness.values = (2.0,), (1.0,)
    mate(first, second, rng=random_generator())
    assert first.genes[:, 0].tolist() == second.genes[:, 0].tolist() == [0, 1, 2, 3, 4, 5, 8, 9]


@pytest.mark.parametrize(
    ("first_values", "second_values", "structure"),
    [
        ((1.0, 2.0), (1.0, 1.0), [0, 1, 3, 5]),
        ((9.0, -2.0), (1.0, -1.0), [0, 2, 3, 8]),
        ((9.0, 1.0), (1.0, 1.0), [0, 1, 2, 3, 5, 8]),
        ((2.0, math.nan), (1.0, math.nan), [0, 1, 3, 5]),
        ((1.0, 5.0), (2.0, math.nan), [0, 2, 3, 8]),
        ((1.0, math.nan), (1.0, math.nan), [0, 1, 2, 3, 5, 8]),
        (None, (1.0, 1.0), [0, 1, 2, 3, 5, 8]),
        ((1.0, 1.0), None, [0, 1, 2, 3, 5, 8]),
    ],
    ids=[
        "larger score", "larger score, lower fitness", "equal scores", "no scores, better fitness",
        "one score, better fitness", "no scores, equal fitness", "first never evaluated", "second never evaluated",
    ],
)  # fmt: skip
def test_mate_inherit_fitter_follows_score_then_fitness(first_values, second_values, structure):
    first, second = line([0, 1, 3, 5]), line([0, 2, 3, 8])
    for genome, known in ((first, first_values), (second, second_values)):
        if known is not None:
            genome.fitness.values, genome.fitness.score = known[:1], known[1]
    mate(first, second, inherit="fitter", rng=random_generator())
    assert first.genes[:, 0].tolist() == second.genes[:, 0].tolist() == structure


@pytest.mark.parametrize("average", [0.0, 1.0])
@pytest.mark.parametrize("flags", [(0, 1), (1, 0), (0, 0)])
def test_mate_disables_three_of_four_genes_disabled_in_either_parent(average, flags):
    rng = random_generator()
    off = np.zeros(2)
    for _ in range(1000):
        first, second = line(range(5), enabled=flags[0]), line(range(5), enabled=flags[1])
        mate(first, second, average=average, rng=rng)
        off += (first.genes[:, 4] == 0).mean(), (second.genes[:, 4] == 0).mean()
    # otherwise it keeps the flag of the parent it came from, or is enabled where weights are averaged
    kept_off = 0.0 if average else (2 - sum(flags)) / 2
    assert off / 1000 == pytest.approx([0.75 + 0.25 * kept_off] * 2, abs=0.03)


def test_mate_keeps_the_flag_of_disjoint_genes():
    first, second = line([0, 1]), line([0, 2])
    first.genes[1, 4] = 0
    mate(first, second, rng=random_generator())
    assert first.genes[:, 4].tolist() == [1, 0, 1]


def test_mate_keeps_the_older_of_two_connections_between_the_same_nodes():
    first = Genome([[0, 0, 2, 1, 1], [3, 1, 2, 1, 1]], 2, 1)
    second = Genome([[0, 0, 2, 2, 1], [5, 1, 2, 2, 1]], 2, 1)
    for parent, other in ((first, second), (second, first)):
        children = mate(parent.copy(), other.copy(), rng=random_generator())
        assert all(child.genes[:, 0].tolist() == [0, 3] for child in children)


def test_mate_of_equal_parents_keeps_the_structure():
    for seed in range(5):
        genome, _ = grown(seed)
        first, second = mate(genome.copy(), genome.copy(), rng=random_generator(seed))
        assert (first.genes[:, :4] == genome.genes[:, :4]).all()
        assert (second.genes[:, :4] == genome.genes[:, :4]).all()


def test_mate_of_incompatible_genomes_raises():
    message = "same inputs and outputs, got 20 inputs and 1 outputs, 3 inputs and 1 outputs"
    with pytest.raises(ValueError, match=message):
        mate(line([0]), Genome.start(3, 1, rng=random_generator()), rng=random_generator())
    with pytest.raises(ValueError, match="must be of one run"):
        mate(line([0, 1]), Genome([[1, 5, 20, 1, 1]], 20, 1), rng=random_generator())


def plain_cross(first, second, keep, average, disable, draws):
    """Reference implementation of `cross_genes`: both children as lists of genes."""
    first_child, second_child = [], []
    mine, other = ({gene[0]: gene for gene in genes.tolist()} for genes in (first, second))
    matching = 0
    for number in sorted(mine.keys() | other.keys()):
        if number in mine and number in other:
            pair = [list(mine[number]), list(other[number])]
            if draws[1 + 3 * matching] < 0.5:
                pair.reverse()
            for child, gene in enumerate(pair):
                if draws[0] < average:
                    gene[3] = (mine[number][3] + other[number][3]) / 2
                    gene[4] = 1.0
                disabled = not (mine[number][4] and other[number][4])
                if disabled and draws[2 + child + 3 * matching] < disable:
                    gene[4] = 0.0
            first_child.append(pair[0])
            second_child.append(pair[1])
            matching += 1
        else:
            gene = mine.get(number) or other[number]
            unwanted = keep == (SECOND if number in mine else FIRST)
            if not unwanted and gene[1:3] not in [known[1:3] for known in first_child]:
                first_child.append(gene)
                second_child.append(gene)
    return first_child, second_child


@pytest.mark.parametrize("keep", [BOTH, FIRST, SECOND])
@pytest.mark.parametrize("seed", range(4))
def test_cross_genes_equals_the_reference(keep, seed):
    rng = random_generator(seed)
    first, innovations = grown(seed)
    second = Genome.start(4, 2, rng=rng)
    for _ in range(40):
        mutate(second, innovations=innovations, node_rate=0.15, connection_rate=0.4, rng=rng)
    draws = rng.random(1 + 3 * min(len(first), len(second)))
    first_child, second_child = np.empty((2, len(first) + len(second), 5))
    count = cross_genes(first.genes, second.genes, keep, 0.5, 0.75, draws, first_child, second_child)
    wanted = plain_cross(first.genes, second.genes, keep, 0.5, 0.75, draws)
    assert first_child[:count].tolist() == wanted[0]
    assert second_child[:count].tolist() == wanted[1]


def plain_perturb(weights, draws, power, limit, severe, perturb, replace, tail, tail_perturb, tail_replace):
    """Reference implementation of `perturb_genes`: the new weights."""
    changed = []
    for gene, weight in enumerate(weights):
        change = power * (2 * draws[1 + 2 * gene] - 1)
        rates = (1.0, 0.0)
        if draws[0] < severe:
            rates = (perturb, replace)
        elif len(weights) >= 10 and gene > tail * len(weights):
            rates = (tail_perturb, tail_replace)
        if draws[2 + 2 * gene] < rates[0]:
            weight += change
        elif draws[2 + 2 * gene] < sum(rates):
            weight = change
        changed.append(min(max(weight, -limit), limit))
    return changed


@pytest.mark.parametrize("size", [3, 9, 10, 30])
@pytest.mark.parametrize("severe", [0.0, 1.0])
def test_perturb_genes_equals_the_reference(size, severe):
    rng = random_generator(size)
    genes = np.zeros((size, 5))
    for _ in range(20):
        genes[:, 3] = rng.uniform(-3, 3, size)
        draws = rng.random(1 + 2 * size)
        options = (0.8, 3.0, severe, 0.7, 0.2, 0.8, 0.5, 0.2)
        wanted = plain_perturb(genes[:, 3].tolist(), draws.tolist(), *options)
        perturb_genes(genes, draws, *options)
        assert genes[:, 3].tolist() == pytest.approx(wanted, abs=1e-15)


def shares(size, severe):
    """How often weights of the last gene are added to, replaced and left alone, starting from 10."""
    rng = random_generator()
    counts = np.zeros(3)
    for _ in range(3000):
        genome = Genome([[n, n, 40, 10.0, 1] for n in range(size)], 40, 1)
        mutate_weights(genome, limit=100.0, severe=severe, rng=rng)
        last = genome.genes[-1, 3]
        assert last == 10 or abs(last) <= 0.8 or abs(last - 10) <= 0.8
        counts += last != 10 and last > 5, last < 5, last == 10
    return counts / 3000


def test_mutate_weights_changes_weights_at_the_given_rates():
    assert shares(12, severe=1.0) == pytest.approx([0.7, 0.2, 0.1], abs=0.03)
    assert shares(12, severe=0.0) == pytest.approx([0.5, 0.2, 0.3], abs=0.03)
    assert shares(9, severe=0.0) == pytest.approx([1.0, 0.0, 0.0])


def test_mutate_weights_respects_the_limit():
    genome = line(range(15), weight=2.9)
    for _ in range(200):
        mutate_weights(genome, rng=random_generator(3))
    assert np.abs(genome.genes[:, 3]).max() == 3.0


def test_add_node_replaces_the_split_connection():
    genome = Genome([[0, 0, 2, 0.5, 1], [1, 1, 2, -2.0, 1]], 2, 1)
    innovations = Innovations([genome])
    assert add_node(genome, innovations=innovations, rng=random_generator()) == (genome,)
    assert genome.genes.tolist() == [[0, 0, 2, 0.5, 1], [1, 1, 2, -2, 0], [2, 1, 3, 1, 1], [3, 3, 2, 0.3 * -2, 1]]


def test_add_node_uses_the_given_weights():
    genome = line([1])
    add_node(genome, innovations=Innovations([genome]), in_weight=0.5, out_weight=1.0, rng=random_generator())
    assert genome.genes[:, 3].tolist() == [1.0, 0.5, 1.0]


def test_add_node_splits_bias_connections_only_if_bias_is_none():
    genome = line([0])
    innovations = Innovations([genome])
    add_node(genome, innovations=innovations, rng=random_generator())
    assert len(genome) == 1
    add_node(genome, innovations=innovations, bias=None, rng=random_generator())
    assert len(genome) == 3


def test_add_node_does_not_split_disabled_connections():
    genome = line(range(1, 4), enabled=0)
    add_node(genome, innovations=Innovations([genome]), rng=random_generator())
    assert len(genome) == 3


def test_add_connection_connects_unconnected_nodes():
    genome, innovations = grown(1, steps=0)
    assert add_connection(genome, innovations=innovations, recurrent=0.0, rng=random_generator(4)) == (genome,)
    added = genome.genes[-1]
    assert added[0] == 6
    assert -1 < added[3] < 1
    assert added[4] == 1
    assert not genome.recurrent[-1]
    assert added[1:3].tolist() not in genome.genes[:-1, 1:3].tolist()


def test_add_connection_is_recurrent_in_one_of_five_cases():
    rng = random_generator()
    recurrent = 0
    for _ in range(600):
        genome, innovations = grown(0, steps=0)
        add_connection(genome, innovations=innovations, rng=rng)
        recurrent += genome.recurrent.any()
    assert abs(recurrent / 600 - 0.2) < 0.05


def test_add_connection_tries_loops_in_half_of_the_recurrent_cases():
    rng = random_generator()
    loops = 0
    for _ in range(600):
        genome, innovations = grown(0, steps=0)
        add_connection(genome, innovations=innovations, recurrent=1.0, loop=1.0, rng=rng)
        loops += genome.genes[-1, 1] == genome.genes[-1, 2]
    assert loops == 600


def test_add_connection_leaves_a_fully_connected_genome_unchanged():
    genome = Genome.start(3, 1, hidden=0, rng=random_generator())
    before = genome.copy()
    add_connection(genome, innovations=Innovations([genome]), recurrent=0.0, rng=random_generator())
    assert genome == before


@pytest.mark.parametrize("closing", [0.0, 1.0])
@pytest.mark.parametrize("seed", range(4))
def test_unconnected_equals_the_reference(closing, seed):
    genome, _ = grown(seed, steps=25)
    rng = random_generator(seed)
    nodes = genome.nodes.tolist()
    taken = {tuple(gene[1:3]) for gene in genome.genes.astype(int).tolist()}
    forward = [gene[1:3] for gene, back in zip(genome.genes.tolist(), genome.recurrent, strict=True) if not back]

    def reaches(start, end):
        return start == end or any(reaches(target, end) for source, target in forward if source == start)

    for _ in range(30):
        draws = rng.random(2 + 3 * 6)
        wanted = (-1, -1)
        for attempt in range(2, len(draws), 3):
            target = nodes[genome.inputs + int(draws[attempt + 1] * (len(nodes) - genome.inputs))]
            loop = closing and draws[attempt + 2] < 0.5
            source = target if loop else nodes[int(draws[attempt] * len(nodes))]
            if (source, target) not in taken and reaches(target, source) == bool(closing):
                wanted = (source, target)
                break
        assert find_unconnected(genome.genes, genome.inputs, genome.outputs, closing, 0.5, draws) == wanted


def test_toggle_protects_the_last_enabled_connection_of_a_source():
    genome = Genome([[0, 0, 1, 1, 1], [1, 0, 2, 1, 1]], 1, 2)
    toggle(genome, rng=Same(0.0))
    assert genome.genes[:, 4].tolist() == [0, 1]
    toggle(genome, rng=Same(0.9))
    assert genome.genes[:, 4].tolist() == [0, 1]
    toggle(genome, rng=Same(0.0))
    assert genome.genes[:, 4].tolist() == [1, 1]


def test_reenable_enables_the_oldest_disabled_connection():
    genome = line(range(4), enabled=0)
    genome.genes[0, 4] = 1
    reenable(genome)
    assert genome.genes[:, 4].tolist() == [1, 1, 0, 0]
    full = line(range(3))
    assert reenable(full) == (full,)
    assert full == line(range(3))


def test_mutate_applies_the_first_structural_mutation_only():
    rng = random_generator()
    kinds = {"node": 0, "connection": 0, "weights": 0, "nothing": 0}
    for _ in range(4000):
        genome = Genome.start(4, 2, rng=random_generator(1))
        before = genome.copy()
        mutate(genome, innovations=Innovations([before]), node_rate=0.1, rng=rng)
        change = len(genome) - len(before)
        same = np.array_equal(genome.genes[: len(before), 3], before.genes[:, 3])
        assert same or change == 0
        kinds["node" if change == 2 else "connection" if change else "nothing" if same else "weights"] += 1
    wanted = {"node": 0.1, "connection": 0.09, "weights": 0.81 * 0.6, "nothing": 0.81 * 0.4}
    assert {kind: count / 4000 for kind, count in kinds.items()} == pytest.approx(wanted, abs=0.03)


def test_operators_accept_an_empty_genome():
    genome, other = Genome([], 2, 1), Genome([], 2, 1)
    rng, innovations = random_generator(), Innovations()
    mutate_weights(genome, rng=rng)
    add_node(genome, innovations=innovations, rng=rng)
    toggle(genome, rng=rng)
    reenable(genome)
    mate(genome, other, rng=rng)
    assert len(genome) == 0
    add_connection(genome, innovations=innovations, recurrent=0.0, rng=rng)
    assert genome.genes[0, :3].tolist()[0] == 0
    assert innovations.next_node == 3


@pytest.mark.parametrize(
    ("operator", "options", "sentence"),
    [
        (mate, {"average": 1.5}, "average must be a rate between 0 and 1, got 1.5"),
        (mate, {"disable": -0.1}, "disable must be a rate between 0 and 1, got -0.1"),
        (mate, {"disable": float("nan")}, "disable must be a rate between 0 and 1, got nan"),
        (mate, {"inherit": "best"}, "inherit must be one of both, fitter, got 'best'"),
        (mutate, {"node_rate": 2}, "node_rate must be a rate between 0 and 1, got 2"),
        (mutate, {"reenable_rate": -1}, "reenable_rate must be a rate between 0 and 1, got -1"),
        (mutate_weights, {"power": -0.1}, "power must be a finite number, at least 0, got -0.1"),
        (mutate_weights, {"limit": float("inf")}, "limit must be a finite number, at least 0, got inf"),
        (mutate_weights, {"severe": 1.1}, "severe must be a rate between 0 and 1, got 1.1"),
        (mutate_weights, {"perturb": 0.9}, "must be at most 1, got 0.9 and 0.2"),
        (add_node, {"tries": 0}, "tries must be an integer from 1 to 1000000, got 0"),
        (add_node, {"out_weight": float("nan")}, "out_weight must be a finite number, got nan"),
        (add_connection, {"recurrent": 7}, "recurrent must be a rate between 0 and 1, got 7"),
        (add_connection, {"width": -1}, "width must be a finite number, at least 0, got -1"),
    ],
)
def test_operators_with_invalid_option_raise_its_name(operator, options, sentence):
    genome = Genome.start(2, 1, rng=random_generator())
    partners = (genome.copy(), genome.copy()) if operator is mate else (genome.copy(),)
    if operator in (mutate, add_node, add_connection):
        options = {**options, "innovations": Innovations([genome])}
    with pytest.raises(ValueError) as error:  # noqa: PT011
        operator(*partners, **options, rng=random_generator())
    assert sentence in str(error.value)
    assert all(partner == genome for partner in partners)


@pytest.mark.parametrize("operator", [mutate_weights, toggle, lambda genome, rng: reenable(genome)])
def test_operators_with_unsorted_genes_raise(operator):
    genome = Genome.start(3, 2, rng=np.random.default_rng(1))
    genome.genes[:] = genome.genes[::-1].copy()
    with pytest.raises(ValueError, match="genes must be sorted by innovation"):
        operator(genome, rng=np.random.default_rng(1))


@pytest.mark.parametrize("stranger", [None, 5, "genome", [1.0]])
def test_operators_with_another_type_raise(stranger):
    with pytest.raises(TypeError, match="a genome must have genes, inputs and outputs, got"):
        mutate_weights(stranger, rng=np.random.default_rng(1))


def test_mate_of_genomes_with_different_interfaces_raises():
    plain = line([0])
    for name, value, difference in (
        ("bias_node", True, "False and True"),
        ("hidden_activation", "relu", "sigmoid and relu"),
        ("output_activation", Activation("sigmoid", 1.0), "sigmoid and sigmoid, slope 1"),
    ):
        other = Genome([], inputs=20, outputs=1, **{name: value})
        with pytest.raises(ValueError, match=f"genomes that mate must have the same {name}, got {difference}"):
            mate(plain, other, rng=random_generator())


def test_mate_children_keep_activations_and_bias():
    kind = {"hidden_activation": "tanh", "output_activation": "identity", "bias_node": True}
    first, second = (Genome.start(2, 1, rng=random_generator(seed), **kind) for seed in (1, 2))
    for child in mate(first.copy(), second.copy(), rng=random_generator()):
        assert (child.hidden_activation, child.output_activation) == (Activation("tanh"), Activation("identity"))
        assert child.bias_node


def test_add_node_never_splits_connections_of_a_bias_node():
    genome = Genome([[0, 0, 2, 1.0, 1.0], [1, 1, 2, 1.0, 1.0]], inputs=1, outputs=1, bias_node=True)
    for draw, nodes in ((0.0, 1), (0.9, 0)):
        child = genome.copy()
        add_node(child, innovations=Innovations([genome]), bias=0, rng=Same(draw))
        assert len(child.hidden) == nodes


def test_mutation_never_connects_into_a_bias_node():
    genome = Genome.start(1, 1, bias_node=True, rng=random_generator())
    innovations, rng = Innovations([genome]), random_generator()
    for _ in range(30):
        add_connection(genome, innovations=innovations, recurrent=0.5, rng=rng)
        add_node(genome, innovations=innovations, rng=rng)
    assert (genome.genes[:, 2] >= 2).all()
    assert (genome.genes[:, 1] == 1).any()


def test_delete_connection_is_uniform():
    genome = line([0, 1, 2, 3])
    for draw, left in ((0.0, [1, 2, 3]), (0.3, [0, 2, 3]), (0.99, [0, 1, 2])):
        (child,) = delete_connection(genome.copy(), rng=Same(draw))
        assert child.genes[:, 0].tolist() == left


def test_delete_node_deletes_its_connections():
    genes = [[0, 0, 3, 1, 1], [1, 3, 2, 1, 1], [2, 0, 4, 1, 1], [3, 4, 3, 1, 0], [4, 4, 2, 1, 1], [5, 1, 2, 1, 1]]
    for draw, left in ((0.0, [2, 4, 5]), (0.9, [0, 1, 5])):
        (child,) = delete_node(Genome(genes, 2, 1), rng=Same(draw))
        assert child.genes[:, 0].tolist() == left


def test_deletion_in_an_empty_genome_changes_nothing():
    empty = Genome([], 2, 1)
    assert delete_connection(empty, rng=random_generator()) == (empty,)
    assert delete_node(line([0, 1]), rng=random_generator()) == (line([0, 1]),)


def test_deleted_connection_keeps_its_number():
    genome = Genome.start(1, 1, hidden=0, rng=random_generator())
    innovations = Innovations([genome])
    add_node(genome, innovations=innovations, bias=None, rng=random_generator())
    before = genome.genes[:, :3].tolist()
    delete_node(genome, rng=random_generator())
    reenable(genome)
    add_node(genome, innovations=innovations, bias=None, rng=random_generator())
    assert genome.genes[:, :3].tolist() == before


def test_mutate_with_deletion_rates_only_deletes():
    genome, innovations = grown(1)
    others = {"node_rate": 0.0, "connection_rate": 0.0, "innovations": innovations}
    nodes = connections = 0
    for seed in range(300):
        (child,) = mutate(
            genome.copy(), delete_node_rate=0.2, delete_connection_rate=0.5, **others, rng=random_generator(seed)
        )
        if len(child) < len(genome):
            kept = np.isin(genome.genes[:, 0], child.genes[:, 0])
            assert child.genes.tolist() == genome.genes[kept].tolist()
            nodes += len(child) < len(genome) - 1
            connections += len(child) == len(genome) - 1
    assert nodes / 300 == pytest.approx(0.2, abs=0.06)
    assert connections / 300 == pytest.approx(0.8 * 0.5, abs=0.07)


def test_mutate_without_deletions_draws_nothing_for_them():
    mutated, other = (Genome.start(3, 1, rng=random_generator()) for _ in range(2))
    rates = {"node_rate": 0.0, "connection_rate": 0.0, "weight_rate": 0.0, "toggle_rate": 0.0, "reenable_rate": 0.0}
    rng, same = random_generator(7), random_generator(7)
    mutate(mutated, innovations=Innovations([mutated]), **rates, rng=rng)
    same.random(5)
    assert rng.random() == same.random()
    assert mutated == other


def test_mate_with_feed_forward_keeps_the_older_connection_of_a_cycle():
    shared = [[0, 0, 3, 1.0, 1.0], [1, 0, 4, 1.0, 1.0]]
    first, second = Genome([*shared, [5, 3, 4, 1.0, 1.0]], 2, 1), Genome([*shared, [6, 4, 3, 1.0, 0.0]], 2, 1)
    for child in mate(first.copy(), second.copy(), rng=random_generator()):
        assert child.genes[:, 0].tolist() == [0, 1, 5, 6]
    for child in mate(first.copy(), second.copy(), feed_forward=True, rng=random_generator()):
        assert child.genes[:, 0].tolist() == [0, 1, 5]
    with pytest.raises(ValueError, match="feed_forward must be True or False, got 1"):
        mate(first, second, feed_forward=1, rng=random_generator())
