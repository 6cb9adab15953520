"""Properties of genomes after any sequence of crossover and mutation."""

import numpy as np
from deap import base
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from divergent.neat import (
    Genome,
    Innovations,
    Species,
    add_connection,
    add_node,
    distance,
    express,
    mate,
    mutate,
    mutate_weights,
    reenable,
    register,
    toggle,
)

slow = settings(max_examples=60, suppress_health_check=list(HealthCheck), derandomize=True)

shapes = st.tuples(st.integers(1, 5), st.integers(1, 3), st.integers(0, 2))
kinds = ["mate", "mutate", "weights", "node", "connection", "toggle", "reenable"]
steps = st.lists(st.sampled_from(kinds), max_size=20) | st.lists(st.sampled_from(kinds), min_size=100, max_size=300)


def evolved(shape, steps, seed, inherit="both"):
    """Four genomes after the steps, each applied to random ones of them."""
    inputs, outputs, hidden = shape
    rng = np.random.default_rng(seed)
    genomes = [Genome.start(inputs, outputs, hidden=hidden, rng=rng) for _ in range(4)]
    innovations = Innovations(genomes)
    for step in steps:
        index, other = rng.permutation(4)[:2]
        genome = genomes[index]
        if step == "mate":
            # parents survive, as in a (mu + lambda) loop
            genomes[index], _ = mate(genome.copy(), genomes[other].copy(), inherit=inherit, rng=rng)
        elif step == "mutate":
            mutate(genome, innovations=innovations, node_rate=0.2, connection_rate=0.3, rng=rng)
        elif step == "weights":
            mutate_weights(genome, rng=rng)
        elif step == "node":
            add_node(genome, innovations=innovations, bias=None, rng=rng)
        elif step == "connection":
            add_connection(genome, innovations=innovations, recurrent=0.5, rng=rng)
        elif step == "toggle":
            toggle(genome, rng=rng)
        else:
            reenable(genome)
    return genomes, innovations


@slow
@given(shape=shapes, seed=st.integers(0, 2**32), bias_node=st.booleans())
def test_deletions_keep_genomes_valid(shape, seed, bias_node):
    inputs, outputs, hidden = shape
    rng = np.random.default_rng(seed)
    population = [Genome.start(inputs, outputs, hidden=hidden, bias_node=bias_node, rng=rng) for _ in range(6)]
    innovations, species = Innovations(population), Species(target=3, rng=rng)
    rates = {"node_rate": 0.2, "connection_rate": 0.3, "delete_node_rate": 0.2, "delete_connection_rate": 0.4}
    numbers: dict = {}
    for _ in range(150):
        first, second, place = rng.integers(6, size=3)
        child, _ = mate(population[first].copy(), population[second].copy(), inherit="both", rng=rng)
        mutate(child, innovations=innovations, **rates, rng=rng)
        population[place] = child
        for number, *link in child.genes[:, :3].tolist():
            assert numbers.setdefault(number, link) == link
        assert innovations.knows(child)
        assert Genome.from_json(child.to_json()) == child
    assert len(species.assign(population)) == 6
    assert all(np.isfinite(express(genome)(np.ones(inputs))).all() for genome in population)


@slow
@given(shape=shapes, seed=st.integers(0, 2**32), inherit=st.sampled_from(["both", "fitter"]))
def test_feed_forward_variation_never_closes_a_cycle(shape, seed, inherit):
    inputs, outputs, hidden = shape
    rng = np.random.default_rng(seed)
    toolbox = base.Toolbox()
    rates = {"node_rate": 0.2, "connection_rate": 0.5, "inherit": inherit, "feed_forward": True, "recurrent": 1.0}
    register(toolbox, inputs, outputs, hidden=hidden, rng=rng, **rates)
    population = toolbox.population(n=6)
    for _ in range(100):
        first_parent, second_parent, place = rng.integers(6, size=3)
        child = population[place] = toolbox.breed(population[first_parent], population[second_parent])
        assert not child.recurrent.any()
        assert express(child).is_feed_forward


def check(genome):
    genes = genome.genes
    assert genes.flags.c_contiguous
    assert genes.dtype == float
    assert genes.shape[1] == 5
    assert (np.diff(genes[:, 0]) > 0).all()
    links = {tuple(link) for link in genes[:, 1:3].tolist()}
    assert len(links) == len(genes)
    assert (genes[:, 2] >= genome.inputs).all()
    assert set(genes[:, 1:3].ravel().astype(int)) <= set(genome.nodes.tolist())
    assert len(set(genome.nodes.tolist())) == len(genome.nodes)
    for node in genome.hidden:
        assert (genes[:, 1] == node).any()
        assert (genes[:, 2] == node).any()
    assert np.isfinite(genes).all()
    assert np.abs(genes[:, 3]).max() <= 3
    assert set(genes[:, 4]) <= {0.0, 1.0}
    # without the recurrent links there is no cycle: nodes can be taken away from the end
    forward = {tuple(link) for link in genes[~genome.recurrent, 1:3].tolist()}
    while forward:
        ends = {target for _, target in forward} - {source for source, _ in forward}
        assert ends
        forward = {link for link in forward if link[1] not in ends}


@slow
@given(shape=shapes, steps=steps, seed=st.integers(0, 2**32), inherit=st.sampled_from(["both", "fitter"]))
def test_variation_keeps_genomes_valid(shape, steps, seed, inherit):
    genomes, innovations = evolved(shape, steps, seed, inherit)
    numbers = {}
    for genome in genomes:
        check(genome)
        assert Genome.from_json(genome.to_json()).genes.tobytes() == genome.genes.tobytes()
        assert innovations.knows(genome)
        for number, *link in genome.genes[:, :3].tolist():
            assert numbers.setdefault(number, link) == link
    assert len({tuple(link) for link in numbers.values()}) == len(numbers)


@slow
@given(shape=shapes, steps=steps, seed=st.integers(0, 2**32))
def test_expressed_networks_are_finite(shape, steps, seed):
    for genome in evolved(shape, steps, seed)[0]:
        network = express(genome)
        outputs = network.activate(np.linspace(-1, 1, genome.inputs), passes=7)
        assert outputs.shape == (genome.outputs,)
        assert np.isfinite(outputs).all()


@slow
@given(shape=shapes, steps=steps, seed=st.integers(0, 2**32))
def test_distance_is_symmetric_and_zero_on_itself(shape, steps, seed):
    genomes, _ = evolved(shape, steps, seed)
    for genome in genomes:
        assert distance(genome, genome) == 0
        for other in genomes:
            assert distance(genome, other) == distance(other, genome) >= 0


@slow
@given(shape=shapes, steps=steps, seed=st.integers(0, 2**32))
def test_crossover_of_equal_parents_keeps_structure_and_weights(shape, steps, seed):
    for genome in evolved(shape, steps, seed)[0]:
        for child in mate(genome.copy(), genome.copy(), rng=np.random.default_rng(seed)):
            assert (child.genes[:, :4] == genome.genes[:, :4]).all()


@slow
@given(shape=shapes, steps=steps, seed=st.integers(0, 2**32))
def test_variation_with_equal_seeds_gives_equal_genomes(shape, steps, seed):
    first, second = evolved(shape, steps, seed), evolved(shape, steps, seed)
    assert first[0] == second[0]
    assert first[1].state() == second[1].state()


@slow
@given(shape=shapes, steps=steps, seed=st.integers(0, 2**32))
def test_innovations_from_genomes_equal_the_original(shape, steps, seed):
    genomes, innovations = evolved(shape, steps, seed)
    again = Innovations(genomes)
    for genome in genomes:
        for number, source, target in genome.genes[:, :3].astype(int).tolist():
            assert again.connection(source, target) == innovations.connection(source, target) == number


def test_thousands_of_steps_keep_genomes_valid():
    rng = np.random.default_rng(0)
    population = [Genome.start(3, 2, rng=rng) for _ in range(12)]
    innovations = Innovations(population)
    for step in range(6000):
        first, second, place = rng.integers(12, size=3)
        child = population[first].copy()
        if rng.random() < 0.3:
            mate(child, population[second].copy(), inherit="fitter", rng=rng)
        mutate(child, innovations=innovations, node_rate=0.02, connection_rate=0.1, toggle_rate=0.5, rng=rng)
        population[place] = child
        if step % 50 == 0:
            check(child)
    for genome in population:
        check(genome)
    assert max(len(genome) for genome in population) > 50
    assert any((genome.genes[:, 4] == 0).any() for genome in population)
