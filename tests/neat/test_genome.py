"""Genomes: construction, copies, equality, JSON and graphs."""

import copy
import json
import math
import pickle

import numpy as np
import pytest
from deap import base, creator

from divergent import Fitness, Outcome, neat
from divergent.neat import Activation, Genome, Innovations, add_connection, add_node
from divergent.neat._topology import analyse_topology, hidden_nodes


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


def test_start_with_one_hidden_node_is_that_of_the_maze_experiments():
    genome = Genome.start(11, 2, rng=np.random.default_rng(0))
    assert genome.genes[:, 0].tolist() == list(range(13))
    assert genome.genes[:, 1].tolist() == [*range(11), 13, 13]
    assert genome.genes[:, 2].tolist() == [13] * 11 + [11, 12]
    assert (genome.genes[:, 4] == 1).all()
    assert (np.abs(genome.genes[:, 3]) < 1).all()


def test_start_without_hidden_nodes_connects_inputs_to_outputs():
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


def test_nodes_are_those_of_the_genes():
    genome = small()
    assert genome.nodes.tolist() == [0, 1, 2, 3]
    assert genome.hidden.tolist() == [3]
    assert len(genome) == 5


def test_genome_without_connections_has_inputs_and_outputs():
    genome = Genome([], inputs=2, outputs=1)
    assert genome.nodes.tolist() == [0, 1, 2]
    assert Genome.from_json(genome.to_json()) == genome


def test_genome_sorts_genes_by_innovation():
    assert Genome(small().genes[::-1], 2, 1) == small()


def test_genome_repr_shows_sizes():
    assert repr(small()) == "Genome(2 inputs, 1 outputs, 1 hidden, 5 connections, 1 disabled)"


def test_genome_equality_ignores_fitness():
    first, second = small(), small()
    second.fitness.values = (1.0,)
    assert first == second
    second.genes[0, 3] = 9.0
    assert first != second
    assert first != "a genome"


def test_recurrent_marks_the_newest_connection_of_a_cycle():
    genome = small()
    assert genome.recurrent.tolist() == [False, False, False, False, True]
    back = Genome(np.vstack((genome.genes, [7, 2, 3, 1.0, 1])), 2, 1)
    assert back.recurrent.tolist() == [False, False, False, False, True, True]


def test_recurrent_ignores_paths_over_recurrent_connections():
    # 3 -> 4 -> 3 is closed by innovation 3; 4 -> 2 follows no cycle
    genes = [[0, 0, 3, 1, 1], [1, 3, 4, 1, 1], [2, 4, 2, 1, 1], [3, 4, 3, 1, 1], [4, 3, 2, 1, 1]]
    assert Genome(genes, 2, 1).recurrent.tolist() == [False, False, False, True, False]


def test_recurrent_counts_disabled_connections():
    genes = [[0, 0, 3, 1, 1], [1, 3, 2, 1, 0], [2, 2, 3, 1, 1]]
    assert Genome(genes, 1, 2).recurrent.tolist() == [False, False, True]


@pytest.mark.parametrize("seed", range(6))
def test_analyse_topology_equals_the_reference(seed):
    genome = grown(seed)
    hidden, linked, reach, recurrent = analyse_topology(genome.genes, genome.inputs, genome.outputs)
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
    assert reach.tolist() == [[reaches(start, other) for other in nodes] for start in nodes]
    assert recurrent.any()


@pytest.mark.parametrize(
    ("row", "column", "value", "sentence"),
    [
        (0, 0, 9.0, "genes must be sorted by innovation, got the order \\[9.0, 1.0"),
        (1, 0, 0.0, "innovation numbers must be unique within a genome, got the number 0 for 2 genes"),
        (0, 0, np.nan, "innovations and node ids must be integers from 0 to"),
        (0, 1, -1.0, "innovations and node ids must be integers from 0 to"),
        (0, 2, 2.0**40, "innovations and node ids must be integers from 0 to"),
        (0, 1, 0.5, "innovations and node ids must be integers from 0 to"),
        (0, 2, 0.0, "the target of a connection must not be an input"),
        (0, 3, np.inf, "connection weights must be finite"),
        (0, 4, 0.5, "enabled must be 1 or 0"),
    ],
)
def test_invalid_genes_raise_when_assigned_and_when_used(row, column, value, sentence):
    genome = small()
    genes = genome.genes.copy()
    genes[row, column] = value
    with pytest.raises(ValueError, match=sentence):
        genome.genes = genes
    genome.genes[row, column] = value  # in place, without validation
    for use in (
        lambda: genome.recurrent,
        lambda: neat.distance(genome, small()),
        lambda: neat.mate(genome, small(), rng=np.random.default_rng(1)),
        lambda: neat.add_node(genome, innovations=neat.Innovations(), rng=np.random.default_rng(1)),
        lambda: neat.add_connection(genome, innovations=neat.Innovations(), rng=np.random.default_rng(1)),
    ):
        with pytest.raises(ValueError, match=sentence):
            use()


def test_genes_of_another_shape_raise():
    with pytest.raises(ValueError, match=r"got the shape \(3, 4\)"):
        small().genes = np.zeros((3, 4))


def test_copy_shares_no_mutable_state():
    genome = small()
    genome.fitness.values = Outcome((2.0,), behaviour=(1.0, 2.0))
    genome.fitness.score = 3.0
    for duplicate in (genome.copy(), copy.copy(genome), copy.deepcopy(genome), pickle.loads(pickle.dumps(genome))):
        assert duplicate == genome
        assert type(duplicate) is Genome
        assert duplicate.genes is not genome.genes
        assert duplicate.genes.flags.c_contiguous
        assert duplicate.fitness is not genome.fitness
        fitness = duplicate.fitness
        assert (fitness.values, fitness.behaviour, fitness.score) == ((2.0,), (1.0, 2.0), 3.0)
        duplicate.genes[0, 3] = 7.0
        del duplicate.fitness.values
        assert genome.genes[0, 3] == 0.5
        assert genome.fitness.valid


def test_copy_copies_custom_attributes():
    genome = small()
    genome.history = [1, 2]
    duplicate = genome.copy()
    duplicate.history.append(3)
    assert genome.history == [1, 2]


def test_deepcopy_of_a_repeated_genome_keeps_identity():
    genome = small()
    first, second = copy.deepcopy([genome, genome])
    assert first is second
    assert first is not genome


def test_copy_of_creator_class_keeps_class_and_fitness():
    creator.create("TwoObjectives", Fitness, weights=(1.0, -1.0))
    creator.create("PlainFitness", base.Fitness, weights=(-1.0,))
    for fitness, values in (("TwoObjectives", (1.0, 2.0)), ("PlainFitness", (3.0,))):
        creator.create("CreatedGenome", Genome, fitness=getattr(creator, fitness), strategy=list)
        try:
            genome = creator.CreatedGenome.start(3, 1, rng=np.random.default_rng(0))
            assert type(genome.fitness) is getattr(creator, fitness)
            genome.fitness.values = values
            duplicate = genome.copy()
            assert type(duplicate) is creator.CreatedGenome
            assert type(duplicate.fitness) is getattr(creator, fitness)
            assert duplicate.fitness.values == values
            assert duplicate.strategy == []
            assert duplicate.strategy is not genome.strategy
            assert type(creator.CreatedGenome.from_json(genome.to_json())) is creator.CreatedGenome
            assert repr(genome).startswith("CreatedGenome(3 inputs")
        finally:
            del creator.CreatedGenome
    del creator.TwoObjectives, creator.PlainFitness


def test_to_networkx_has_all_nodes_and_connections():
    graph = small().to_networkx()
    assert dict(graph.nodes(data="kind")) == {0: "input", 1: "input", 2: "output", 3: "hidden"}
    assert set(graph.edges) == {(0, 2), (1, 2), (0, 3), (3, 2), (3, 3)}
    assert graph.edges[0, 2] == {"innovation": 0, "weight": 0.5, "enabled": False, "recurrent": False}
    assert graph.edges[3, 3]["recurrent"]


@pytest.mark.parametrize("seed", range(4))
def test_json_round_trip_is_exact(seed):
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
        (without("inputs"), "genome must have all required keys, got data without the key 'inputs'"),
        (without("connections"), "genome must have all required keys, got data without the key 'connections'"),
        (put("version", 2), "version of a genome must be 1, got 2"),
        (put("inputs", 0), "inputs and outputs must be integers, at least 1, got inputs = 0"),
        (put("outputs", -1), "inputs and outputs must be integers, at least 1, got outputs = -1"),
        (put("inputs", 2.5), "inputs and outputs must be integers, at least 1, got inputs = 2.5"),
        (put("inputs", True), "inputs and outputs must be integers, at least 1, got inputs = True"),
        (put("hidden", 3), "hidden must be a list of integer node ids, got 3"),
        (put("hidden", [3, 3]), "hidden must list each node once"),
        (put("hidden", [1]), "ids of hidden nodes must be integers from 3"),
        (put("hidden", [3, 9]), "every hidden node must have a connection, got none for node 9"),
        (put("hidden", []), "got the unknown node 3 in the connection with innovation number 2"),
        (change(1, 1, 17), "got the unknown node 17 in the connection with innovation number 1"),
        (change(1, 1, -1), "integers from 0 to 2147483647, got [1, -1, 2]"),
        (change(1, 0, 0), "innovation numbers must be unique within a genome, got the number 0 for 2 genes"),
        (change(1, 0, -4), "integers from 0"),
        (change(1, 0, 10**30), "integers from 0"),
        (change(1, 0, 10**400), "integers from 0"),
        (change(1, 1, 10**400), "integers from 0"),
        (change(1, 0, "one"), "innovations and node ids must be integers"),
        (change(1, 1, 0), "connections must be unique within a genome, got 2 connections from node 0 to node 2"),
        (change(1, 2, 1), "must not be an input, got node 1 for innovation 1"),
        (change(1, 3, float("nan")), "weights must be finite, got nan for innovation 1"),
        (change(1, 3, float("inf")), "weights must be finite, got inf for innovation 1"),
        (change(1, 3, 10**400), "weights must be finite numbers, got 1000"),
        (change(1, 3, None), "weights must be finite numbers, got None for the connection with innovation number 1"),
        (change(1, 4, 2), "enabled must be true or false, got 2 for the connection with innovation number 1"),
        (put("connections", "all"), "connections must be a list of genes, got 'all'"),
        (put("bias_node", 1), "bias_node must be True or False, got 1"),
        (put("hidden_activation", "tanh"), "an activation must have the keys function and slope, got 'tanh'"),
        (
            put("output_activation", {"function": "x", "slope": 1}),
            "function must be the name of an activation function, one of sigmoid",
        ),
        (put("fitness", 3.0), "fitness must be a JSON object with the key 'values', got 3.0"),
        (put("fitness", {}), "fitness must be a JSON object with the key 'values', got {}"),
        (put("fitness", {"values": [1, 2]}), "fitness must have 1 values, one for each weight, got [1.0, 2.0]"),
        (put("fitness", {"values": 1}), "fitness must have 1 values, one for each weight, got 1.0"),
        (put("fitness", {"values": ["1"]}), "fitness must contain only finite numbers, got values = ['1']"),
        (put("fitness", {"values": [10**400]}), "data of a fitness must contain only finite numbers, got values"),
        (
            put("fitness", {"values": [1], "behaviour": [[1], [1, 2]]}),
            "must contain only finite numbers, got behaviour",
        ),
        (put("fitness", {"values": [1], "score": float("nan")}), "fitness must contain only finite numbers, got score"),
        (
            put("connections", [[1, 2]]),
            "a connection must be [innovation, source, target, weight, enabled], got [1, 2]",
        ),
    ],
)
def test_from_json_with_invalid_data_raises(spoil, sentence):
    data = json.loads(small().to_json())
    spoil(data)
    with pytest.raises(ValueError) as error:  # noqa: PT011
        Genome.from_json(json.dumps(data))
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["", "{", '{"version": 1', "[]", "3", "null", "[" * 100_000])
def test_from_json_with_other_text_raises(text):
    with pytest.raises(ValueError, match="a genome must be"):
        Genome.from_json(text)


@pytest.mark.parametrize(
    ("genes", "sentence"),
    [
        ([[0, 0, 2, 1.0]], "got the shape"),
        ([[0.5, 0, 2, 1.0, 1]], "integers"),
        ([[0, 0, 2, 1.0, 0.5]], "enabled must be 1 or 0"),
        ([[0, 0, 2, np.nan, 1]], "finite"),
    ],
)
def test_genome_with_invalid_genes_raises(genes, sentence):
    with pytest.raises(ValueError, match=sentence):
        Genome(genes, 2, 1)


def test_start_with_invalid_counts_raises():
    with pytest.raises(ValueError, match="inputs and outputs must be integers, at least 1, got inputs = 0"):
        Genome.start(0, 2, rng=np.random.default_rng(0))
    with pytest.raises(ValueError, match="hidden must be an integer, at least 0, got -1"):
        Genome.start(2, 2, hidden=-1, rng=np.random.default_rng(0))


@pytest.mark.parametrize("name", ["inputs", "outputs"])
@pytest.mark.parametrize("count", [-5, 0, 1.5, "x", None, 10**30])
def test_invalid_counts_raise_when_used(name, count):
    genome = Genome.start(3, 2, rng=np.random.default_rng(1))
    setattr(genome, name, count)
    with pytest.raises(ValueError, match=f"inputs and outputs must be integers, at least 1, got {name} ="):
        _ = genome.recurrent


def test_topology_with_too_many_nodes_raises():
    genome = Genome([], 3, 2)
    genome.outputs = 10**9
    with pytest.raises(ValueError, match="a network must have at most 5000 nodes"):
        _ = genome.recurrent


@pytest.mark.parametrize("genes", ["genes", None, [[10**400, 0, 3, 1.0, 1]], np.full((2, 5), 1j), [[1.0], [1.0, 2.0]]])
def test_genes_that_are_not_numbers_raise(genes):
    with pytest.raises((TypeError, ValueError), match=r"genes must be rows of numbers|genes must have the columns"):
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
def test_copies_keep_activations_and_bias(again):
    genome = Genome.start(2, 1, rng=np.random.default_rng(0), **KIND)
    other = again(genome)
    assert kind(other) == (Activation("tanh"), Activation("sigmoid", 1.0), True)
    assert other == genome


@pytest.mark.parametrize("name", KIND)
def test_genomes_with_different_activations_or_bias_are_not_equal(name):
    assert Genome([], 2, 1) != Genome([], 2, 1, **{name: KIND[name]})


def test_bias_node_follows_the_inputs():
    genome = Genome.start(2, 1, bias_node=True, rng=np.random.default_rng(0))
    assert genome.genes[:, 1:3].tolist() == [[0, 4], [1, 4], [2, 4], [4, 3]]
    assert (genome.inputs, genome.nodes.tolist(), genome.hidden.tolist()) == (2, [0, 1, 2, 3, 4], [4])
    assert repr(genome) == "Genome(2 inputs and a bias, 1 outputs, 1 hidden, 4 connections)"
    with pytest.raises(ValueError, match="must not be an input, got node 2 for innovation 0"):
        Genome([[0, 0, 2, 1.0, 1.0]], 2, 1, bias_node=True)


def test_start_draws_weights_within_weight_range():
    weights = Genome.start(40, 20, hidden=0, weight_range=(2.0, 3.0), rng=np.random.default_rng(0)).genes[:, 3]
    assert 2.0 <= weights.min() < 2.05
    assert 2.95 < weights.max() <= 3.0
    default = Genome.start(3, 1, rng=np.random.default_rng(0))
    assert Genome.start(3, 1, weight_range=(-1, 1), rng=np.random.default_rng(0)) == default


@pytest.mark.parametrize("bad", [1.0, (1.0,), (2.0, 1.0), (0.0, float("inf")), ("a", "b"), None, (-1e308, 1e308)])
def test_start_with_invalid_weight_range_raises(bad):
    with pytest.raises(ValueError, match=r"weight_range must be two finite numbers \(lower bound, upper bound\), got"):
        Genome.start(2, 1, weight_range=bad, rng=np.random.default_rng(0))


def test_to_json_omits_defaults():
    genome = Genome([[0, 0, 1, 0.5, 1]], 1, 1)
    genome.fitness.values = Outcome((3.0,), behaviour=(1.0, 2.0))
    assert genome.to_json() == (
        '{"version": 1, "inputs": 1, "outputs": 1, "hidden": [], "connections": [[0, 0, 1, 0.5, true]]}'
    )


def test_to_json_appends_what_differs_from_the_defaults():
    content = json.loads(Genome([], 1, 1, **KIND).to_json())
    assert list(content)[5:] == ["hidden_activation", "output_activation", "bias_node"]
    assert content["hidden_activation"] == {"function": "tanh", "slope": 1.0}
    assert content["bias_node"] is True


@pytest.mark.parametrize(
    ("behaviour", "read"), [((1.0, 2.5), [1.0, 2.5]), (3.0, 3.0), ([[1, 2], [3, 4]], [[1, 2], [3, 4]])]
)
def test_to_json_with_fitness_writes_values_behaviour_and_score(behaviour, read):
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


def test_to_json_of_an_unevaluated_genome_omits_fitness():
    assert small().to_json(fitness=True) == small().to_json()
    genome = small()
    genome.fitness.values = (1.0,)
    assert json.loads(genome.to_json(fitness=True))["fitness"] == {"values": [1.0]}


def test_to_json_with_infinite_fitness_raises():
    genome = small()
    genome.fitness.values = (-math.inf,)
    with pytest.raises(
        ValueError, match="fitness must contain only finite numbers to be written as JSON, got values ="
    ):
        genome.to_json(fitness=True)


def test_to_networkx_has_bias_and_activations():
    graph = Genome.start(1, 1, rng=np.random.default_rng(0), **KIND).to_networkx()
    assert dict(graph.nodes(data="kind")) == {0: "input", 1: "bias", 2: "output", 3: "hidden"}
    assert dict(graph.nodes(data="activation")) == {0: None, 1: None, 2: "sigmoid, slope 1", 3: "tanh"}


def test_start_of_a_custom_class_without_activations_works():
    class Plain(Genome):
        def __init__(self, genes, inputs, outputs):
            super().__init__(genes, inputs, outputs)

    genome = Plain.start(2, 1, rng=np.random.default_rng(0))
    assert type(Plain.from_json(genome.to_json())) is Plain
    assert kind(genome) == kind(small())


def test_copy_has_the_violation_and_the_ancestors_of_the_fitness():
    genome = small()
    genome.fitness.values = Outcome((1.0,), behaviour=np.array([2.0]), violation=3.0)
    genome.fitness.ancestors = (np.array([4.0]),)
    duplicate = genome.copy()
    assert duplicate.fitness.violation == 3.0
    assert duplicate.fitness.ancestors == genome.fitness.ancestors
