"""Innovation numbers: the same structural mutation has the same number in every genome."""

import json

import numpy as np
import pytest

from divergent.neat import Genome, Innovations, add_connection, add_node, mate, reenable


def start(seed=0, inputs=2, outputs=1, hidden=0):
    return Genome.start(inputs, outputs, hidden=hidden, rng=np.random.default_rng(seed))


def split(genome, innovations, innovation):
    """Split the connection with this innovation by disabling all others."""
    enabled = genome.genes[:, 4].copy()
    genome.genes[:, 4] = genome.genes[:, 0] == innovation
    before = len(genome)
    add_node(genome, innovations=innovations, bias=None, tries=1000, rng=np.random.default_rng(0))
    added = len(genome) - before
    old = np.isin(genome.genes[:, 0], range(innovations.next_innovation)) & (genome.genes[:, 0] != innovation)
    genome.genes[old, 4] = 1
    assert added == 2
    assert enabled.sum() > 0
    return genome.hidden.tolist()


def test_innovations_start_above_those_of_the_genomes():
    genome = start(hidden=1)
    innovations = Innovations([genome])
    assert (innovations.next_innovation, innovations.next_node) == (3, 4)
    assert innovations.connection(0, 3) == 0
    assert innovations.connection(0, 2) == 3
    assert innovations.node(0) == 4


def test_same_split_in_two_genomes_has_one_node_id():
    innovations = Innovations([start()])
    first, second, third = start(1), start(2), start(3)
    assert split(first, innovations, 0) == [3]
    assert split(second, innovations, 1) == [4]
    assert split(third, innovations, 0) == [3]
    assert first.genes[:, :3].tolist() == third.genes[:, :3].tolist()


def test_same_connection_has_one_number():
    innovations = Innovations([start()])
    assert [innovations.connection(*pair) for pair in ((2, 2), (0, 5), (2, 2), (0, 5))] == [2, 3, 2, 3]


def test_same_recurrent_connection_has_one_number():
    innovations = Innovations([start()])
    first, second = start(1), start(2)
    for genome in (first, second):
        add_connection(genome, innovations=innovations, recurrent=1.0, loop=1.0, rng=np.random.default_rng(5))
    assert first.genes[-1, :3].tolist() == second.genes[-1, :3].tolist() == [2, 2, 2]


def test_reinvented_connection_draws_a_weight():
    innovations = Innovations([start()])
    weights = set()
    for seed in range(4):
        genome = start(seed)
        add_connection(genome, innovations=innovations, recurrent=1.0, rng=np.random.default_rng(seed))
        weights.add(genome.genes[-1, 3])
    assert len(weights) == 4


def added(genome, innovations, seed, recurrent=0.0):
    """The gene that `add_connection` adds."""
    before = set(genome.genes[:, 0])
    rng = np.random.default_rng(seed)
    add_connection(genome, innovations=innovations, recurrent=recurrent, loop=1.0, rng=rng)
    return next(gene for gene in genome.genes.tolist() if gene[0] not in before)


def with_one_gap(seed):
    """Both inputs lead to the hidden node 3 and the hidden node to the output 2; one input leads there directly."""
    return Genome([[0, 0, 3, seed, 1], [1, 1, 3, 1, 1], [2, 3, 2, 1, 1], [3, 0, 2, 1, 1], [4, 2, 2, 1, 1]], 2, 1)


def test_reuse_weights_gives_a_reinvented_connection_its_first_weight():
    own, reused = Innovations([with_one_gap(0)]), Innovations([with_one_gap(0)], reuse_weights=True)
    # the only connection that is missing and not recurrent is from input 1 to the output
    drawn = [added(with_one_gap(seed), own, seed) for seed in range(4)]
    again = [added(with_one_gap(seed), reused, seed) for seed in range(4)]
    assert {tuple(gene[:3]) for gene in drawn + again} == {(5.0, 1.0, 2.0)}
    assert len({gene[3] for gene in drawn}) == 4
    assert {gene[3] for gene in again} == {drawn[0][3]}


def test_reuse_weights_does_not_apply_to_recurrent_connections():
    innovations = Innovations([start()], reuse_weights=True)
    genes = [added(start(seed), innovations, seed, recurrent=1.0) for seed in range(4)]
    assert {tuple(gene[:3]) for gene in genes} == {(2.0, 2.0, 2.0)}
    assert len({gene[3] for gene in genes}) == 4


def test_match_recurrent_off_gives_every_recurrent_connection_a_new_number():
    innovations = Innovations([with_one_gap(0)], match_recurrent=False)
    loops = [added(start(seed), innovations, seed, recurrent=1.0)[:3] for seed in range(3)]
    assert loops == [[5, 2, 2], [6, 2, 2], [7, 2, 2]]
    forward = [added(with_one_gap(seed), innovations, seed)[:3] for seed in range(3)]
    assert forward == [[8, 1, 2]] * 3


def test_match_recurrent_off_includes_two_numbers_for_one_connection():
    first, second = start(), start()
    innovations = Innovations([first], match_recurrent=False)
    assert [added(genome, innovations, 0, recurrent=1.0)[0] for genome in (first, second)] == [2, 3]
    with pytest.raises(ValueError, match=r"one innovation number for .* use genomes of one run"):
        Innovations([first, second])
    both = Innovations([first, second], match_recurrent=False)
    assert both.next_innovation == 4
    assert both.connection(2, 2) == 4  # known only as a recurrent connection
    mated, _ = mate(first.copy(), second.copy(), rng=np.random.default_rng(0))
    assert mated.genes[:, 0].tolist() == [0, 1, 2]  # the older of the two


def test_innovations_state_has_first_weights():
    innovations = Innovations([with_one_gap(0)], reuse_weights=True)
    first = added(with_one_gap(0), innovations, 0)
    again = Innovations(reuse_weights=True)
    again.restore(json.loads(json.dumps(innovations.state())))
    assert added(with_one_gap(1), again, 1)[3] == first[3]
    assert again.state() == innovations.state()
    older = {name: value for name, value in innovations.state().items() if name != "first_weights"}
    again.restore(older)
    assert added(with_one_gap(1), again, 1)[3] != first[3]


@pytest.mark.parametrize("option", ["reuse_weights", "match_recurrent"])
def test_innovations_with_invalid_option_raise(option):
    with pytest.raises(ValueError, match=f"{option} must be True or False, got 1"):
        Innovations(**{option: 1})


def test_second_split_has_a_second_node_in_every_genome():
    innovations = Innovations([start()])
    first, second = start(1), start(2)
    assert split(first, innovations, 0) == [3]
    reenable(first)
    assert split(first, innovations, 0) == [3, 4]
    split(second, innovations, 0)
    reenable(second)
    assert split(second, innovations, 0) == [3, 4]
    assert first.genes[:, :3].tolist() == second.genes[:, :3].tolist()


def test_independently_discovered_genes_match_in_crossover():
    rng = np.random.default_rng(0)
    innovations = Innovations([start()])
    first, second = start(1), start(2)
    split(first, innovations, 0)
    split(second, innovations, 1)
    split(second, innovations, 0)
    mate(first, second, rng=rng)
    assert first.genes[:, 0].tolist() == [0, 1, 2, 3, 4, 5]
    assert first.hidden.tolist() == [3, 4]


def test_included_genomes_keep_numbers_and_splits():
    innovations = Innovations([start()])
    first, second = start(1), start(2)
    split(first, innovations, 0)
    reenable(first)
    split(first, innovations, 0)
    later = Innovations([Genome.from_json(first.to_json()), second])
    assert (later.next_innovation, later.next_node) == (innovations.next_innovation, innovations.next_node)
    assert later.state()["splits"] == innovations.state()["splits"] == [[0, 0, 3], [0, 1, 4]]
    assert split(second, later, 0) == [3]


def test_initial_hidden_node_is_not_a_split():
    genome = start(inputs=1, hidden=1)
    innovations = Innovations([genome])
    add_connection(genome, innovations=innovations, recurrent=0.0, rng=np.random.default_rng(1))
    assert genome.genes[-1, :3].tolist() == [2, 0, 1]
    assert Innovations([genome]).state()["splits"] == []


def test_unknown_genome_is_included_on_mutation():
    genome = start(inputs=3, outputs=2, hidden=1)
    innovations = Innovations()
    for seed in range(30):
        add_node(genome, innovations=innovations, bias=None, rng=np.random.default_rng(seed))
        add_connection(genome, innovations=innovations, rng=np.random.default_rng(seed))
    assert len(np.unique(genome.genes[:, 0])) == len(genome)
    assert genome.hidden.min() == 5
    assert (innovations.connection(0, 5), innovations.connection(5, 4)) == (0, 4)


def test_include_of_another_run_raises():
    ours, theirs = start(), start()
    innovations = Innovations([ours])
    innovations.connection(2, 2)
    with pytest.raises(ValueError, match="use genomes of one run"):
        innovations.include([Genome([[0, 0, 2, 1, 1], [1, 1, 2, 1, 1], [2, 0, 3, 1, 1]], 2, 1)])
    theirs.genes[0, 0], theirs.genes[1, 0] = 7, 8
    with pytest.raises(ValueError, match="use genomes of one run"):
        innovations.include([theirs])
    assert len(innovations) == 3


def test_conflicting_number_raises_and_leaves_the_genome_unchanged():
    innovations = Innovations([Genome([[0, 0, 3, 1, 1], [1, 1, 3, 1, 1]], 3, 1)])
    assert innovations.connection(3, 3) == 2
    stranger = Genome([[0, 0, 3, 1, 1], [1, 1, 3, 1, 1], [2, 2, 3, 1, 1]], 3, 1)
    before = stranger.copy()
    with pytest.raises(
        ValueError,
        match="innovation number 2 must not occur twice in a genome, got a gene of another run with the same",
    ):
        add_connection(stranger, innovations=innovations, recurrent=1.0, rng=np.random.default_rng(3))
    assert stranger == before


def test_innovations_state_is_json_and_restores_exactly():
    genome = start()
    innovations = Innovations([genome])
    split(genome, innovations, 0)
    reenable(genome)
    split(genome, innovations, 0)
    again = Innovations()
    again.restore(json.loads(json.dumps(innovations.state())))
    assert again.state() == innovations.state()
    assert again.node(0, 2) == innovations.node(0, 2) == 5
    assert repr(again) == "Innovations(6 connections, 3 splits)"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"connections": None}, "table connections in the state of Innovations must be a list, got None"),
        ({"connections": [[0, 3]]}, r"3 integers from 0 to 2147483647, got \[0, 3\]"),
        ({"connections": [[0, 3, 10**400]]}, "3 integers from 0"),
        ({"connections": [[0, 3, 0.5]]}, "3 integers from 0"),
        ({"connections": [[0, 3, 0], [1, 3, 0]]}, "must assign distinct numbers to distinct pairs"),
        ({"splits": [[0, 0, -1]]}, "row of table splits in the state of Innovations must be 3 integers"),
        ({"next_innovation": 0}, "next_innovation in .* Innovations must be the next free innovation number, 1, got 0"),
        (
            {"next_node": None},
            "next_node in the state of Innovations must be an integer from 0 to 2147483647, got None",
        ),
        ({"next_node": 2**40}, "next_node in the state of Innovations must be an integer"),
        (
            {"next_innovation": 2**31},
            "next_innovation in .* Innovations must be the next free innovation number, 1, got 2147483648",
        ),
        ({"first_weights": {}}, "first_weights in the state of Innovations must be a list, got {}"),
        ({"first_weights": [[1, 0.5]]}, r"pairs of an innovation number below 1 and a finite weight, got \[1, 0.5\]"),
        ({"first_weights": [[0, float("nan")]]}, "must be pairs of an innovation number below 1 and a finite weight"),
    ],
)
def test_restore_with_invalid_state_raises_and_changes_nothing(change, sentence):
    innovations = Innovations()
    innovations.connection(0, 3)
    before = innovations.state()
    with pytest.raises(ValueError, match=sentence):
        innovations.restore(before | change)
    assert innovations.state() == before


def test_restore_with_another_type_raises():
    with pytest.raises(TypeError, match=r"state must be a dictionary that Innovations.state\(\) returned, got 5"):
        Innovations().restore(5)
