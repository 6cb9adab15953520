"""What a genome is, how it is copied, compared, written and read."""

import copy
import json
import math
import pickle

import numpy as np
import pytest
from deap import base, creator

from divergent import Fitness, Outcome, neat
from divergent.neat import Activation, Genome, Innovations, add_connection, add_node
from divergent.neat.genome import hidden_nodes, trace


def small():
    """Input 0 and 1 to output 2, over hidden 3 and directly; 3 has a loop; 0 to 2 is disabled."""
    return Genome(
        [[0, 0, 2, 0.5, 0], [1, 1, 2, -1.5, 1], [2, 0, 3, 1.0, 1], [3, 3, 2, 0.25, 1], [5, 3, 3, -0.1, 1]],
        inputs=2,
        outputs=1,
    )


def grown(seed, steps=60):
    rng = np.random.default_rng(seed)
    genome = Genome.start(4, 2, hidden=seed % 3, rng=rng)
    innovations = Innovations([genome])
    for _ in range(steps):
        add_connection(genome, innovations=innovations, recurrent=0.5, rng=rng)
        if rng.random() < 0.3:
            add_node(genome, innovations=innovations, rng=rng)
    return genome


def test_start_with_a_hidden_node_is_that_of_the_maze_experiments():
    genome = Genome.start(11, 2, rng=np.random.default_rng(0))
    assert genome.genes[:, 0].tolist() == list(range(13))
    assert genome.genes[:, 1].tolist() == [*range(11), 13, 13]
    assert genome.genes[:, 2].tolist() == [13] * 11 + [11, 12]
    assert (genome.genes[:, 4] == 1).all()
    assert (np.abs(genome.genes[:, 3]) < 1).all()


def test_start_without_hidden_nodes_joins_every_input_to_every_output():
    genome = Genome.start(2, 3, hidden=0, rng=np.random.default_rng(0))
    assert genome.genes[:, 1:3].tolist() == [[i, o] for i in (0, 1) for o in (2, 3, 4)]
    assert len(genome.hidden) == 0


def test_start_with_two_hidden_nodes_has_two_full_layers():
    genome = Genome.start(2, 1, hidden=2, rng=np.random.default_rng(0))
    assert genome.genes[:, 1:3].tolist() == [[0, 3], [0, 4], [1, 3], [1, 4], [3, 2], [4, 2]]


def test_start_weights_are_uniform_between_minus_one_and_one():
    rng = np.random.default_rng(1)
    weights = np.concatenate([Genome.start(11, 2, rng=rng).genes[:, 3] for _ in range(400)])
    assert abs(weights.mean()) < 0.03
    assert abs(weights.std() - 1 / np.sqrt(3)) < 0.02


def test_nodes_are_read_off_the_genes():
    genome = small()
    assert genome.nodes.tolist() == [0, 1, 2, 3]
    assert genome.hidden.tolist() == [3]
    assert len(genome) == 5


def test_a_genome_of_no_connections_has_its_inputs_and_outputs():
    genome = Genome([], inputs=2, outputs=1)
    assert genome.nodes.tolist() == [0, 1, 2]
    assert Genome.from_json(genome.to_json()) == genome


def test_genes_are_sorted_by_innovation_when_a_genome_is_made():
    assert Genome(small().genes[::-1], 2, 1) == small()


def test_repr_says_what_matters():
    assert repr(small()) == "Genome(2 inputs, 1 outputs, 1 hidden, 5 connections, 1 disabled)"


def test_equality_is_of_genes_and_not_of_fitness():
    one, other = small(), small()
    other.fitness.values = (1.0,)
    assert one == other
    other.genes[0, 3] = 9.0
    assert one != other
    assert one != "a genome"


def test_the_newest_link_of_a_cycle_is_the_recurrent_one():
    genome = small()
    assert genome.recurrent.tolist() == [False, False, False, False, True]
    back = Genome(np.vstack((genome.genes, [7, 2, 3, 1.0, 1])), 2, 1)
    assert back.recurrent.tolist() == [False, False, False, False, True, True]


def test_a_link_beside_a_recurrent_one_is_not_recurrent_itself():
    # 3 -> 4 -> 3 is closed by innovation 3; 4 -> 2 follows no cycle
    genes = [[0, 0, 3, 1, 1], [1, 3, 4, 1, 1], [2, 4, 2, 1, 1], [3, 4, 3, 1, 1], [4, 3, 2, 1, 1]]
    assert Genome(genes, 2, 1).recurrent.tolist() == [False, False, False, True, False]


def test_disabled_links_count_when_cycles_are_looked_for():
    genes = [[0, 0, 3, 1, 1], [1, 3, 2, 1, 0], [2, 2, 3, 1, 1]]
    assert Genome(genes, 1, 2).recurrent.tolist() == [False, False, True]


@pytest.mark.parametrize("seed", range(6))
def test_trace_agrees_with_a_plain_search(seed):
    genome = grown(seed)
    hidden, linked, reach, recurrent = trace(genome.genes, genome.inputs, genome.outputs)
    nodes = [*range(6), *sorted({int(n) for n in genome.genes[:, 1:3].ravel() if n >= 6})]
    assert hidden.tolist() == nodes[6:] == hidden_nodes(genome.genes, 6).tolist()

    followers = {node: set() for node in nodes}

    def reaches(start, end):
        seen, waiting = {start}, [start]
        while waiting:
            for node in followers[waiting.pop()] - seen:
                seen.add(node)
                waiting.append(node)
        return end in seen

    for gene, marked in zip(genome.genes, recurrent, strict=True):
        source, target = int(gene[1]), int(gene[2])
        assert linked[nodes.index(source), nodes.index(target)]
        assert marked == reaches(target, source)
        if not marked:
            followers[source].add(target)
    assert linked.sum() == len(genome)
    assert reach.tolist() == [[reaches(one, other) for other in nodes] for one in nodes]
    assert recurrent.any()


@pytest.mark.parametrize(
    ("row", "column", "value", "sentence"),
    [
        (0, 0, 9.0, "genes must be sorted by innovation, got \\[9.0, 1.0"),
        (1, 0, 0.0, "an innovation may occur once, 0 occurs 2 times"),
        (0, 0, np.nan, "innovations and nodes must be whole numbers from 0 to"),
        (0, 1, -1.0, "innovations and nodes must be whole numbers from 0 to"),
        (0, 2, 2.0**40, "innovations and nodes must be whole numbers from 0 to"),
        (0, 1, 0.5, "innovations and nodes must be whole numbers from 0 to"),
        (0, 2, 0.0, "no connection may lead into an input"),
        (0, 3, np.inf, "connection weights must be finite"),
        (0, 4, 0.5, "a connection is enabled"),
    ],
)
def test_genes_that_cannot_be_computed_with_are_refused_when_assigned_and_when_used(row, column, value, sentence):
    genome = small()
    genes = genome.genes.copy()
    genes[row, column] = value
    with pytest.raises(ValueError, match=sentence):
        genome.genes = genes
    genome.genes[row, column] = value  # in place, where nobody looks
    for use in (
        lambda: genome.recurrent,
        lambda: neat.distance(genome, small()),
        lambda: neat.mate(genome, small(), rng=np.random.default_rng(1)),
        lambda: neat.add_node(genome, innovations=neat.Innovations(), rng=np.random.default_rng(1)),
        lambda: neat.add_connection(genome, innovations=neat.Innovations(), rng=np.random.default_rng(1)),
    ):
        with pytest.raises(ValueError, match=sentence):
            use()


def test_genes_of_another_shape_are_refused():
    with pytest.raises(ValueError, match=r"got an array of shape \(3, 4\)"):
        small().genes = np.zeros((3, 4))


def test_a_copy_shares_nothing_that_changes():
    genome = small()
    genome.fitness.values = Outcome((2.0,), behaviour=(1.0, 2.0))
    genome.fitness.score = 3.0
    for twin in (genome.copy(), copy.copy(genome), copy.deepcopy(genome), pickle.loads(pickle.dumps(genome))):
        assert twin == genome
        assert type(twin) is Genome
        assert twin.genes is not genome.genes
        assert twin.genes.flags.c_contiguous
        assert twin.fitness is not genome.fitness
        assert (twin.fitness.values, twin.fitness.behaviour, twin.fitness.score) == ((2.0,), (1.0, 2.0), 3.0)
        twin.genes[0, 3] = 7.0
        del twin.fitness.values
        assert genome.genes[0, 3] == 0.5
        assert genome.fitness.valid


def test_a_copy_has_its_own_of_every_attribute_a_user_added():
    genome = small()
    genome.history = [1, 2]
    twin = genome.copy()
    twin.history.append(3)
    assert genome.history == [1, 2]


def test_deepcopy_keeps_one_genome_one_genome():
    genome = small()
    first, second = copy.deepcopy([genome, genome])
    assert first is second
    assert first is not genome


def test_a_class_made_by_creator_keeps_its_fitness_and_itself():
    creator.create("TwoObjectives", Fitness, weights=(1.0, -1.0))
    creator.create("PlainFitness", base.Fitness, weights=(-1.0,))
    for fitness, values in (("TwoObjectives", (1.0, 2.0)), ("PlainFitness", (3.0,))):
        creator.create("CreatedGenome", Genome, fitness=getattr(creator, fitness), strategy=list)
        try:
            genome = creator.CreatedGenome.start(3, 1, rng=np.random.default_rng(0))
            assert type(genome.fitness) is getattr(creator, fitness)
            genome.fitness.values = values
            twin = genome.copy()
            assert type(twin) is creator.CreatedGenome
            assert type(twin.fitness) is getattr(creator, fitness)
            assert twin.fitness.values == values
            assert twin.strategy == []
            assert twin.strategy is not genome.strategy
            assert type(creator.CreatedGenome.from_json(genome.to_json())) is creator.CreatedGenome
            assert repr(genome).startswith("CreatedGenome(3 inputs")
        finally:
            del creator.CreatedGenome
    del creator.TwoObjectives, creator.PlainFitness


def test_networkx_has_every_node_and_link():
    graph = small().to_networkx()
    assert dict(graph.nodes(data="kind")) == {0: "input", 1: "input", 2: "output", 3: "hidden"}
    assert set(graph.edges) == {(0, 2), (1, 2), (0, 3), (3, 2), (3, 3)}
    assert graph.edges[0, 2] == {"innovation": 0, "weight": 0.5, "enabled": False, "recurrent": False}
    assert graph.edges[3, 3]["recurrent"]


@pytest.mark.parametrize("seed", range(4))
def test_json_gives_the_same_genome_to_the_last_bit(seed):
    genome = grown(seed)
    genome.genes[3, 3] = 0.1 + 0.2
    again = Genome.from_json(genome.to_json())
    assert again.genes.tobytes() == genome.genes.tobytes()
    assert (again.inputs, again.outputs) == (genome.inputs, genome.outputs)
    assert Genome.from_json(json.loads(genome.to_json())) == genome


def without(key):
    return lambda data: data.pop(key)


def put(key, value):
    return lambda data: data.update({key: value})


def change(row, column, value):
    return lambda data: data["connections"][row].__setitem__(column, value)


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (without("inputs"), "a genome has the key 'inputs'"),
        (without("connections"), "a genome has the key 'connections'"),
        (put("version", 2), "version must be 1, got 2"),
        (put("inputs", 0), "a whole number of inputs, at least 1, got 0"),
        (put("outputs", -1), "a whole number of outputs, at least 1, got -1"),
        (put("inputs", 2.5), "a whole number of inputs, at least 1, got 2.5"),
        (put("inputs", True), "a whole number of inputs, at least 1, got True"),
        (put("hidden", 3), "hidden nodes are a list of whole numbers, got 3"),
        (put("hidden", [3, 3]), "a hidden node may be listed once"),
        (put("hidden", [1]), "hidden nodes must be numbered from 3"),
        (put("hidden", [3, 9]), "every hidden node has a connection, 9 has none"),
        (put("hidden", []), "connection 2 needs node 3, which does not exist"),
        (change(1, 1, 17), "connection 1 needs node 17, which does not exist"),
        (change(1, 1, -1), "whole numbers from 0 to 2147483647, got [1, -1, 2]"),
        (change(1, 0, 0), "an innovation may occur once, 0 occurs 2 times"),
        (change(1, 0, -4), "whole numbers from 0"),
        (change(1, 0, 10**30), "whole numbers from 0"),
        (change(1, 0, 10**400), "whole numbers from 0"),
        (change(1, 1, 10**400), "whole numbers from 0"),
        (change(1, 0, "one"), "innovations and nodes must be whole numbers"),
        (change(1, 1, 0), "two nodes may be connected once, 0 to 2 occurs 2 times"),
        (change(1, 2, 1), "no connection may lead into an input, connection 1 leads into node 1"),
        (change(1, 3, float("nan")), "weights must be finite, connection 1 has nan"),
        (change(1, 3, float("inf")), "weights must be finite, connection 1 has inf"),
        (change(1, 3, 10**400), "weights must be finite numbers, connection 1 has 1000"),
        (change(1, 3, None), "weights must be finite numbers, connection 1 has None"),
        (change(1, 4, 2), "a connection is enabled, true or false; connection 1 has 2"),
        (put("connections", "all"), "a genome's connections are a list, got 'all'"),
        (put("bias_node", 1), "bias_node must be True or False, got 1"),
        (put("hidden_activation", "tanh"), "an activation is an object of function and slope, got 'tanh'"),
        (put("output_activation", {"function": "x", "slope": 1}), "unknown activation 'x'; choose from sigmoid"),
        (put("fitness", 3.0), "a genome's fitness is an object with values, got 3.0"),
        (put("fitness", {}), "a genome's fitness is an object with values, got {}"),
        (put("fitness", {"values": [1, 2]}), "one value for each of 1 weights, got [1.0, 2.0]"),
        (put("fitness", {"values": 1}), "one value for each of 1 weights, got 1.0"),
        (put("fitness", {"values": ["1"]}), "the values of a genome's fitness must be finite numbers, got ['1']"),
        (put("fitness", {"values": [10**400]}), "the values of a genome's fitness must be finite numbers"),
        (put("fitness", {"values": [1], "behaviour": [[1], [1, 2]]}), "the behaviour of a genome's fitness must be"),
        (put("fitness", {"values": [1], "score": float("nan")}), "the score of a genome's fitness must be finite"),
        (put("connections", [[1, 2]]), "a connection is innovation, source, target, weight, enabled; got [1, 2]"),
    ],
)
def test_a_spoilt_genome_is_refused_in_one_sentence(spoil, sentence):
    data = json.loads(small().to_json())
    spoil(data)
    with pytest.raises(ValueError) as refusal:  # noqa: PT011
        Genome.from_json(json.dumps(data))
    assert sentence in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("text", ["", "{", '{"version": 1', "[]", "3", "null", "[" * 100_000])
def test_text_that_is_no_genome_is_refused(text):
    with pytest.raises(ValueError, match="a genome is"):
        Genome.from_json(text)


@pytest.mark.parametrize(
    ("genes", "sentence"),
    [
        ([[0, 0, 2, 1.0]], "got an array of shape"),
        ([[0.5, 0, 2, 1.0, 1]], "whole numbers"),
        ([[0, 0, 2, 1.0, 0.5]], "enabled \\(1\\) or not \\(0\\)"),
        ([[0, 0, 2, np.nan, 1]], "finite"),
    ],
)
def test_bad_genes_are_refused_when_a_genome_is_made(genes, sentence):
    with pytest.raises(ValueError, match=sentence):
        Genome(genes, 2, 1)


def test_a_start_without_inputs_is_refused():
    with pytest.raises(ValueError, match="inputs, at least 1, got 0"):
        Genome.start(0, 2, rng=np.random.default_rng(0))
    with pytest.raises(ValueError, match="hidden must be an integer, at least 0, got -1"):
        Genome.start(2, 2, hidden=-1, rng=np.random.default_rng(0))


@pytest.mark.parametrize("name", ["inputs", "outputs"])
@pytest.mark.parametrize("count", [-5, 0, 1.5, "x", None, 10**30])
def test_counts_changed_to_what_cannot_be_are_refused_where_compiled_code_reads_them(name, count):
    genome = Genome.start(3, 2, rng=np.random.default_rng(1))
    setattr(genome, name, count)
    with pytest.raises(ValueError, match=f"a genome needs a whole number of {name}, at least 1, got"):
        _ = genome.recurrent


def test_what_reaches_what_is_not_asked_of_a_billion_nodes():
    genome = Genome([], 3, 2)
    genome.outputs = 10**9
    with pytest.raises(ValueError, match="a network has at most 5000 nodes"):
        _ = genome.recurrent


@pytest.mark.parametrize("genes", ["genes", None, [[10**400, 0, 3, 1.0, 1]], np.full((2, 5), 1j), [[1.0], [1.0, 2.0]]])
def test_genes_that_are_no_numbers_are_refused(genes):
    with pytest.raises((TypeError, ValueError), match=r"genes are rows of numbers|a gene is innovation"):
        Genome(genes, 3, 2)


KIND = {"hidden_activation": "tanh", "output_activation": Activation("sigmoid", 1.0), "bias_node": True}


def kind(genome):
    return genome.hidden_activation, genome.output_activation, genome.bias_node


@pytest.mark.parametrize(
    "again",
    [
        Genome.copy,
        copy.deepcopy,
        lambda genome: pickle.loads(pickle.dumps(genome)),
        lambda genome: Genome.from_json(genome.to_json()),
        lambda genome: genome.with_genes(genome.genes),
    ],
)
def test_activations_and_bias_go_with_a_genome(again):
    genome = Genome.start(2, 1, rng=np.random.default_rng(0), **KIND)
    other = again(genome)
    assert kind(other) == (Activation("tanh"), Activation("sigmoid", 1.0), True)
    assert other == genome


@pytest.mark.parametrize("name", KIND)
def test_genomes_of_different_kinds_are_not_equal(name):
    assert Genome([], 2, 1) != Genome([], 2, 1, **{name: KIND[name]})


def test_a_bias_node_comes_after_the_inputs():
    genome = Genome.start(2, 1, bias_node=True, rng=np.random.default_rng(0))
    assert genome.genes[:, 1:3].tolist() == [[0, 4], [1, 4], [2, 4], [4, 3]]
    assert (genome.inputs, genome.nodes.tolist(), genome.hidden.tolist()) == (2, [0, 1, 2, 3, 4], [4])
    assert repr(genome) == "Genome(2 inputs and a bias, 1 outputs, 1 hidden, 4 connections)"
    with pytest.raises(ValueError, match="no connection may lead into an input, connection 0 leads into node 2"):
        Genome([[0, 0, 2, 1.0, 1.0]], 2, 1, bias_node=True)


def test_weights_begin_within_their_range():
    weights = Genome.start(40, 20, hidden=0, weight_range=(2.0, 3.0), rng=np.random.default_rng(0)).genes[:, 3]
    assert 2.0 <= weights.min() < 2.05
    assert 2.95 < weights.max() <= 3.0
    usual = Genome.start(3, 1, rng=np.random.default_rng(0))
    assert Genome.start(3, 1, weight_range=(-1, 1), rng=np.random.default_rng(0)) == usual


@pytest.mark.parametrize("bad", [1.0, (1.0,), (2.0, 1.0), (0.0, float("inf")), ("a", "b"), None, (-1e308, 1e308)])
def test_a_range_of_weights_that_is_none_is_refused(bad):
    with pytest.raises(ValueError, match="weight_range must be two finite numbers, the lower first, got"):
        Genome.start(2, 1, weight_range=bad, rng=np.random.default_rng(0))


def test_a_usual_genome_is_told_as_ever():
    genome = Genome([[0, 0, 1, 0.5, 1]], 1, 1)
    genome.fitness.values = Outcome((3.0,), behaviour=(1.0, 2.0))
    assert genome.to_json() == (
        '{"version": 1, "inputs": 1, "outputs": 1, "hidden": [], "connections": [[0, 0, 1, 0.5, true]]}'
    )


def test_what_is_unusual_is_told_after_it():
    told = json.loads(Genome([], 1, 1, **KIND).to_json())
    assert list(told)[5:] == ["hidden_activation", "output_activation", "bias_node"]
    assert told["hidden_activation"] == {"function": "tanh", "slope": 1.0}
    assert told["bias_node"] is True


@pytest.mark.parametrize(
    ("behaviour", "read"), [((1.0, 2.5), [1.0, 2.5]), (3.0, 3.0), ([[1, 2], [3, 4]], [[1, 2], [3, 4]])]
)
def test_fitness_behaviour_and_score_are_told_where_it_is_asked_for(behaviour, read):
    genome = small()
    genome.fitness.values = Outcome((0.1,), behaviour=behaviour)
    again = Genome.from_json(genome.to_json(fitness=True))
    assert again.fitness.values == (0.1,)
    assert again.fitness.behaviour.tolist() == read
    assert np.isnan(again.fitness.score)
    genome.fitness.score = 2.5
    assert Genome.from_json(genome.to_json(fitness=True)).fitness.score == 2.5
    genome.fitness.score = (1.0, 2.0)
    assert Genome.from_json(genome.to_json(fitness=True)).fitness.score == (1.0, 2.0)
    assert not Genome.from_json(genome.to_json()).fitness.valid


def test_who_was_not_evaluated_has_no_fitness_to_tell():
    assert small().to_json(fitness=True) == small().to_json()
    genome = small()
    genome.fitness.values = (1.0,)
    assert json.loads(genome.to_json(fitness=True))["fitness"] == {"values": [1.0]}


def test_a_fitness_that_json_cannot_tell_is_refused():
    genome = small()
    genome.fitness.values = (-math.inf,)
    with pytest.raises(ValueError, match="the values of a fitness must be finite to be written as JSON, got"):
        genome.to_json(fitness=True)


def test_the_graph_names_the_bias_and_activations():
    graph = Genome.start(1, 1, rng=np.random.default_rng(0), **KIND).to_networkx()
    assert dict(graph.nodes(data="kind")) == {0: "input", 1: "bias", 2: "output", 3: "hidden"}
    assert dict(graph.nodes(data="activation")) == {0: None, 1: None, 2: "sigmoid, slope 1", 3: "tanh"}


def test_a_class_of_somebodys_own_need_not_know_of_kinds():
    class Plain(Genome):
        def __init__(self, genes, inputs, outputs):
            super().__init__(genes, inputs, outputs)

    genome = Plain.start(2, 1, rng=np.random.default_rng(0))
    assert type(Plain.from_json(genome.to_json())) is Plain
    assert kind(genome) == kind(small())
