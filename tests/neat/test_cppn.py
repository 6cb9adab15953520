"""Compositional pattern-producing networks: an activation for each node, and evaluation at many points."""

import copy
import json
import pickle

import numpy as np
import pytest
from deap import base
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_networks import random_genome, reference

from divergent import Checkpoint, Outcome, neat, steady_state
from divergent.neat import Activation, Genome, Innovations, Network, distance, express, mate, mutate, mutate_activation
from divergent.neat.activation import FUNCTIONS
from divergent.selection import Novelty

SET = ("sine", "gaussian", "sigmoid", "tanh", "absolute", "identity", "step")
SINE, GAUSSIAN, TANH = Activation("sine"), Activation("gaussian"), Activation("tanh")


def random_generator(seed=0):
    return np.random.default_rng(seed)


def chain(**kinds):
    """Return a genome of two inputs, the output 2 and the hidden nodes 3 and 4 between them."""
    genes = [(0, 0, 3, 1.0, 1), (1, 3, 2, 1.0, 1), (2, 1, 4, 2.0, 1), (3, 4, 2, -1.0, 1)]
    return Genome(genes, inputs=2, outputs=1, **kinds)


def evolved(seed, *, generations=60, **options):
    """Return a genome after many mutations."""
    rng = random_generator(seed)
    toolbox = base.Toolbox()
    options = {"feed_forward": True, "node_rate": 0.3, "connection_rate": 0.5, "bias_node": True, **options}
    neat.register(toolbox, 3, 2, hidden=1, activations=SET, rng=rng, **options)
    genome = toolbox.individual()
    for _ in range(generations):
        (genome,) = toolbox.mutate(genome)
    return genome


def test_genome_start_hidden_nodes_draw_their_activations_from_the_set():
    genome = Genome.start(2, 1, hidden=200, activations=("sine", TANH), rng=random_generator())
    counts = [list(genome.node_activations.values()).count(kind) for kind in (SINE, TANH)]
    assert set(genome.node_activations) == set(genome.hidden.tolist())
    assert sum(counts) == 200
    assert min(counts) > 70


def test_genome_start_with_vary_outputs_gives_outputs_an_activation():
    genome = Genome.start(2, 3, hidden=1, activations=("sine",), vary_outputs=True, rng=random_generator())
    assert genome.node_activations == dict.fromkeys((2, 3, 4, 5), SINE)


def test_genome_start_without_activations_draws_as_before():
    genome, rng = Genome.start(2, 1, rng=random_generator()), random_generator()
    assert genome.genes[:, 3].tolist() == rng.uniform(-1, 1, 3).tolist()
    assert "node_activations" not in vars(genome)


def test_express_node_activations_override_the_activation_of_hidden_nodes():
    genome = chain(hidden_activation="identity", output_activation="identity", node_activations={3: "sine", 9: "step"})
    assert express(genome)([0.5, 0.25])[0] == pytest.approx(np.sin(0.5) - 0.5)
    genome = chain(node_activations={2: "identity", 3: "absolute", 4: "step"})
    assert express(genome)([-0.5, -1.0]).tolist() == [0.5]
    assert express(genome)([-0.5, 1.0]).tolist() == [-0.5]


@settings(max_examples=100)
@given(seed=st.integers(0, 2**32 - 1), bias_node=st.booleans())
def test_network_with_activations_of_nodes_equals_the_reference(seed, bias_node):
    rng = random_generator(seed)
    plain = random_genome(rng, bias_node=bias_node)
    first = plain.inputs + bias_node
    names = [name for name in FUNCTIONS if name != "step"]  # a sum near 0 may round to either side
    ids = {int(node) for node in plain.genes[:, 1:3].ravel() if node >= first}
    own = {node: Activation(names[rng.integers(len(names))], rng.uniform(-1, 1)) for node in sorted(ids)}
    plain.node_activations = own
    network, expected = express(plain), reference(plain, bias_node=bias_node, own=own)
    for _ in range(3):
        inputs = rng.normal(size=plain.inputs)
        assert network.activate(inputs).tolist() == pytest.approx(expected(inputs), rel=1e-9, abs=1e-9)


@settings(max_examples=100)
@given(seed=st.integers(0, 2**32 - 1), points=st.sampled_from([0, 1, 7, 255, 256, 257, 600]), silence=st.booleans())
def test_network_many_equals_a_call_for_each_point(seed, points, silence):
    rng = random_generator(seed)
    plain = random_genome(rng, cycles=False)
    names = [name for name in FUNCTIONS if name != "step"]
    ids = {int(node) for node in plain.genes[:, 1:3].ravel() if node >= plain.inputs}
    plain.node_activations = {node: Activation(names[rng.integers(len(names))], 0.5) for node in sorted(ids)[::2]}
    network = express(plain, silence_unreached=silence)
    places = rng.normal(size=(points, plain.inputs))
    expected = np.array([network(place) for place in places]).reshape(points, plain.outputs)
    assert np.allclose(network.many(places), expected, rtol=1e-9, atol=1e-9)


def test_network_many_with_a_bias_and_default_activations_equals_calls():
    genome = Genome.start(3, 2, hidden=4, bias_node=True, hidden_activation="tanh", rng=random_generator())
    network, points = express(genome), random_generator(1).normal(size=(300, 3))
    network.activate([1.0, 2.0, 3.0])
    assert np.allclose(network.many(points), [express(genome)(point) for point in points], rtol=1e-12)


def test_network_many_of_a_cycle_raises():
    network = express(Genome([(0, 0, 2, 1.0, 1), (1, 2, 2, 1.0, 1)], inputs=2, outputs=1))
    with pytest.raises(ValueError, match=r"Network\.many must be called on an acyclic network"):
        network.many([[0.0, 0.0]])


@pytest.mark.parametrize("points", [[[0.0]], [0.0, 1.0], [["a", "b"]], np.zeros((1, 3))])
def test_network_many_of_invalid_points_raises(points):
    with pytest.raises((TypeError, ValueError), match="points must"):
        express(chain()).many(points)


@pytest.mark.parametrize("kinds", [("sine",), "sine", {0: "sine"}, ("sine", "tanh", "soft")])
def test_network_with_invalid_node_activations_raises(kinds):
    with pytest.raises(ValueError, match=r"node_activations must contain one activation|function must be the name of"):
        Network(np.zeros((1, 5, 8)), inputs=2, outputs=1, node_activations=kinds)


def test_genome_json_pickle_and_copies_keep_node_activations():
    genome = chain(node_activations={3: Activation("sine", 2.0), 2: "step"})
    for other in (
        Genome.from_json(genome.to_json()),
        pickle.loads(pickle.dumps(genome)),
        genome.copy(),
        copy.deepcopy(genome),
    ):
        assert other == genome
        assert other.node_activations == genome.node_activations
        assert other.node_activations is not genome.node_activations
    assert genome != chain()


def test_genome_json_omits_activations_of_missing_nodes():
    genome = chain(node_activations={3: "sine", 77: "tanh"})
    assert json.loads(genome.to_json())["node_activations"] == [[3, {"function": "sine", "slope": 1.0}]]
    assert genome == chain(node_activations={3: "sine"})


@pytest.mark.parametrize(
    "rows",
    [
        {},
        [[3]],
        [["3", {}]],
        [[3, "sine"]],
        [[0, {"function": "sine", "slope": 1.0}]],
        [[3, {"function": "sine", "slope": 1.0}]] * 2,
    ],
)
def test_genome_from_json_with_invalid_node_activations_raises(rows):
    data = json.loads(chain().to_json()) | {"node_activations": rows}
    with pytest.raises(ValueError, match="activation"):
        Genome.from_json(data)


@pytest.mark.parametrize(
    ("kinds", "error"),
    [({0: "sine"}, ValueError), ({2.5: "sine"}, ValueError), ({3: 1}, TypeError), ([("sine",)], TypeError)],
)
def test_genome_with_invalid_node_activations_raises(kinds, error):
    with pytest.raises(error, match="node_activations must"):
        chain(node_activations=kinds)


def test_genome_to_networkx_has_the_activation_of_each_node():
    graph = chain(node_activations={3: "sine"}).to_networkx()
    assert {node: graph.nodes[node]["activation"] for node in (2, 3, 4)} == {2: "sigmoid", 3: "sine", 4: "sigmoid"}


def test_mate_inherits_activations_with_the_nodes():
    first = chain(node_activations={3: "sine", 4: "sine"})
    longer = [*chain().genes.tolist(), [4, 0, 5, 1.0, 1], [5, 5, 2, 1.0, 1]]
    second = Genome(longer, inputs=2, outputs=1, node_activations={3: "tanh", 4: "tanh", 5: "gaussian"})
    seen = set()
    for seed in range(60):
        first_child, second_child = mate(first.copy(), second.copy(), rng=random_generator(seed))
        assert first_child.node_activations[5] == second_child.node_activations[5] == GAUSSIAN
        for node in (3, 4):
            assert {first_child.node_activations[node], second_child.node_activations[node]} == {SINE, TANH}
        seen.add((first_child.node_activations[3], first_child.node_activations[4]))
    assert len(seen) == 4


def test_mate_of_a_genome_without_activations_keeps_the_default_of_its_nodes():
    first, second = chain(), chain(node_activations={3: "sine"})
    children = [mate(first.copy(), second.copy(), rng=random_generator(seed)) for seed in range(20)]
    assert {tuple(sorted(child.node_activations)) for pair in children for child in pair} == {(), (3,)}


def test_add_node_draws_the_activation_of_the_new_node():
    genome = Genome.start(2, 1, hidden=0, rng=random_generator())
    innovations = Innovations([genome])
    neat.add_node(genome, innovations=innovations, bias=None, activations=("gaussian",), rng=random_generator())
    assert genome.node_activations == {3: GAUSSIAN}


def test_mutate_activation_changes_one_hidden_node_to_another_activation():
    seen = set()
    for seed in range(200):
        genome = chain(node_activations={3: "sine", 4: "sine"})
        mutate_activation(genome, activations=("sine", "tanh", "gaussian"), rng=random_generator(seed))
        changed = {node for node, kind in genome.node_activations.items() if kind != SINE}
        assert len(changed) == 1
        seen.add((*changed, genome.node_activations[min(changed)].function))
    assert seen == {(3, "tanh"), (3, "gaussian"), (4, "tanh"), (4, "gaussian")}


def test_mutate_activation_with_vary_outputs_changes_outputs():
    seen = set()
    for seed in range(60):
        genome = chain()
        mutate_activation(genome, activations=("sine",), vary_outputs=True, rng=random_generator(seed))
        seen |= set(genome.node_activations)
    assert seen == {2, 3, 4}


def test_mutate_activation_without_another_choice_changes_nothing():
    genome = chain(node_activations={3: "sine", 4: "sine"})
    mutate_activation(genome, activations=("sine",), rng=random_generator())
    assert genome == chain(node_activations={3: "sine", 4: "sine"})
    empty = Genome.start(2, 1, hidden=0, rng=random_generator())
    mutate_activation(empty, activations=("sine",), rng=random_generator())
    assert empty.node_activations == {}


def test_mutate_changes_activations_at_their_rate():
    start = chain(node_activations={3: "sine", 4: "sine"})
    innovations, rng = Innovations([start]), random_generator()
    changed = 0
    for _ in range(2000):
        genome = start.copy()
        mutate(
            genome, innovations=innovations, node_rate=0.0, connection_rate=0.0, activations=SET, activation_rate=0.25,
            rng=rng,
        )  # fmt: skip
        changed += genome.node_activations != start.node_activations
    assert changed / 2000 == pytest.approx(0.25, abs=0.03)


def test_mutate_without_activations_leaves_the_random_stream_as_before():
    start = chain()
    rngs = random_generator(3), random_generator(3)
    for rng, options in zip(rngs, ({}, {"activation_rate": 1.0}), strict=True):
        mutate(start.copy(), innovations=Innovations([start]), rng=rng, **options)
    assert rngs[0].random() == rngs[1].random()


def test_distance_counts_common_nodes_with_different_activations():
    first, second = chain(node_activations={3: "sine", 4: "tanh"}), chain(node_activations={3: "gaussian", 4: "tanh"})
    assert distance(first, second) == 0.0
    assert distance(first, second, activation=1.5) == 1.5
    assert distance(first, chain(), activation=2.0) == 4.0
    longer = Genome(
        [*first.genes.tolist(), [4, 0, 5, 1.0, 1]], 2, 1, node_activations={3: "sine", 4: "tanh", 5: "step"}
    )
    assert distance(first, longer, disjoint=0, excess=0, activation=1.0) == 0.0


def test_breed_of_genomes_with_activations_inherits_from_both_parents():
    rng, toolbox = random_generator(), base.Toolbox()
    neat.register(toolbox, 2, 1, hidden=2, activations=SET, rng=rng)
    population = toolbox.population(n=2)
    population[0].node_activations, population[1].node_activations = {3: SINE, 4: SINE}, {3: TANH, 4: TANH}
    seen = {tuple(toolbox.breed(*population).node_activations.values())[:2] for _ in range(100)}
    assert {(SINE, TANH), (TANH, SINE)} <= seen


def test_breed_without_the_option_inherits_activations_that_genomes_have():
    rng, toolbox = random_generator(), base.Toolbox()
    neat.register(toolbox, 2, 1, hidden=2, rng=rng)
    first, second = toolbox.population(n=2)
    second.node_activations = {3: TANH, 4: TANH}
    seen = {tuple(sorted(toolbox.breed(first, second).node_activations)) for _ in range(100)}
    assert seen == {(), (3,), (4,), (3, 4)}


def test_mutated_genome_with_feed_forward_evaluates_many_points():
    genome = evolved(1)
    assert len(genome.hidden) > 5
    assert len(set(genome.node_activations.values())) > 3
    outputs = express(genome).many(random_generator().normal(size=(50, 3)))
    assert outputs.shape == (50, 2)
    assert np.isfinite(outputs).all()


def run_with_checkpoints(path, generations):
    """Return the genomes after some generations; a checkpoint at the path is continued."""
    rng, toolbox = random_generator(5), base.Toolbox()
    options = {"activations": SET, "node_rate": 0.2, "activation_rate": 0.5}
    innovations = neat.register(toolbox, 2, 1, hidden=0, rng=rng, **options)
    toolbox.register("evaluate", lambda genome: Outcome((len(genome),), behaviour=(float(len(genome.hidden)),)))
    strategy, species = Novelty(rng=rng), neat.Species(rng=rng)
    checkpoint = Checkpoint(path, strategy=strategy, species=species, innovations=innovations, rng=rng)
    start = checkpoint.restore(toolbox.population(n=10))
    for step in steady_state(start.population, toolbox, strategy, species, generations=generations, done=start.done):
        if step.ends_generation and step.generation % 5 == 4:
            checkpoint.save(step)
    return [genome.to_json() for genome in step.population]


def test_checkpoint_resumes_a_population_with_activations_exactly(tmp_path):
    run_with_checkpoints(tmp_path / "half.npz", 7)
    resumed = run_with_checkpoints(tmp_path / "half.npz", 12)
    assert resumed == run_with_checkpoints(tmp_path / "whole.npz", 12)
    assert sum("node_activations" in text for text in resumed) > 2
