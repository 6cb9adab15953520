"""Breeding: children of one or two parents, and equality of the compiled call with `breed`."""

import numpy as np
import pytest
from deap import base
from hypothesis import given, settings
from hypothesis import strategies as st

from divergent import Outcome
from divergent.neat import Genome, Innovations, breed, mutate, register


def random_generator(seed=0):
    return np.random.default_rng(seed)


def line(numbers, weight=1.0):
    """Return a genome whose innovation n connects input n to the output."""
    return Genome([[number, number, 20, weight, 1.0] for number in numbers], inputs=20, outputs=1)


def test_breed_with_one_parent_returns_a_mutated_copy():
    genome = Genome.start(4, 2, rng=random_generator())
    innovations = Innovations([genome])
    genome.fitness.values = Outcome((1.0,), behaviour=(2.0,))
    genome.fitness.score = 1.0
    before = genome.copy()
    seen = []

    def mutated(child):
        seen.append(child)
        return mutate(child, innovations=innovations, rng=random_generator())

    child = breed(genome, genome, mutate_only=0.0, mate=None, mutate=mutated, rng=random_generator())
    assert seen == [child]
    assert genome == before
    assert genome.fitness.valid
    assert not child.fitness.valid
    assert child.fitness.behaviour is None
    assert np.isnan(child.fitness.score)


def test_breed_with_two_parents_mutates_four_of_five_children():
    first, second = line([0, 1]), line([0, 2])
    rng = random_generator()
    calls = {"mate": 0, "both": 0, "mutate": 0}
    for _ in range(2000):
        done = []
        breed(
            first,
            second,
            mate=lambda first, second, done=done: done.append("mate") or (first, second),
            mutate=lambda genome, done=done: done.append("mutate") or (genome,),
            rng=rng,
        )
        calls["both" if len(done) == 2 else done[0]] += 1
    assert calls["mutate"] / 2000 == pytest.approx(0.3, abs=0.03)
    assert calls["both"] / 2000 == pytest.approx(0.7 * 0.8, abs=0.03)


def test_breed_with_equal_parents_always_mutates():
    done = []
    for _ in range(50):
        breed(
            line([0, 1]),
            line([0, 1]),
            mutate_only=0.0,
            mate_only=1.0,
            mate=lambda first, second: (first, second),
            mutate=lambda genome: done.append(genome) or (genome,),
            rng=random_generator(),
        )
    assert len(done) == 50


def test_breed_with_self_crossover_averages_and_may_enable_genes():
    genome = Genome([[0, 0, 2, 0.5, 0.0], [1, 1, 2, 0.5, 1.0]], inputs=2, outputs=1)
    options = {"mutate_only": 0.0, "average": 1.0, "disable": 0.75}
    rates = dict.fromkeys(["node_rate", "connection_rate", "weight_rate", "toggle_rate", "reenable_rate"], 0.0)
    enabled = {}
    for self_crossover in (False, True):
        toolbox = base.Toolbox()
        register(toolbox, 2, 1, self_crossover=self_crossover, **options, **rates, rng=random_generator())
        enabled[self_crossover] = [toolbox.breed(genome, genome).genes[0, 4] for _ in range(2000)]
        assert toolbox.breed(genome).genes[0, 4] == 0.0  # without a second parent there is no crossover
    assert sum(enabled[False]) == 0
    assert np.mean(enabled[True]) == pytest.approx(0.25, abs=0.03)


def test_breed_with_self_crossover_always_mutates():
    genome, done = line([0, 1]), []
    for _ in range(50):
        breed(
            genome,
            genome,
            mutate_only=0.0,
            mate_only=1.0,
            self_crossover=True,
            mate=lambda first, second: done.append("mate") or (first, second),
            mutate=lambda genome: done.append("mutate") or (genome,),
            rng=random_generator(),
        )
    assert done == ["mate", "mutate"] * 50


def test_breed_with_invalid_self_crossover_raises():
    genome = line([0])
    with pytest.raises(ValueError, match="self_crossover must be True or False, got 1"):
        breed(genome, genome, self_crossover=1, mate=None, mutate=None, rng=random_generator())
    with pytest.raises(ValueError, match="self_crossover must be True or False, got 1"):
        register(base.Toolbox(), 2, 1, self_crossover=1)


def test_breed_with_invalid_rate_raises_its_name():
    genome = line([0])
    with pytest.raises(ValueError, match="mate_only must be a rate between 0 and 1, got 3"):
        breed(genome, genome, mate_only=3, mate=None, mutate=None, rng=random_generator())


def lineage(seed, offspring, bits, rates, *, compiled):
    """Return a line of descent, each child bred from one or both of its predecessors, and a draw after each child."""
    rng = np.random.Generator(bits(seed))
    toolbox = base.Toolbox()
    register(toolbox, 3, 2, rng=rng, **rates)
    if not compiled:
        toolbox.register("mate", toolbox.mate)  # a partial of a partial: the breeder uses `breed`
        toolbox.mate.keywords.clear()
    genomes = toolbox.population(n=2)
    draws = []
    for number in range(offspring):
        for genome in genomes[-2:]:
            genome.fitness.values, genome.fitness.score = (0.0,), rng.random()
        genomes.append(toolbox.breed(genomes[-1], genomes[-1 - number % 3]))
        draws.append(rng.random())
    return genomes, draws


rate = st.sampled_from([0.0, 0.1, 0.5, 1.0])


@settings(max_examples=60)
@given(
    st.integers(0, 10_000),
    st.sampled_from([np.random.PCG64, np.random.MT19937, np.random.Philox]),
    st.fixed_dictionaries(
        {},
        optional={
            **dict.fromkeys(["mutate_only", "mate_only", "average", "disable", "node_rate", "connection_rate"], rate),
            **dict.fromkeys(["weight_rate", "toggle_rate", "reenable_rate", "severe", "recurrent", "loop"], rate),
            "inherit": st.sampled_from(["both", "fitter"]),
            "power": st.sampled_from([0.0, 0.8, 5.0]),
            "out_weight": st.sampled_from([0.3, 1.0]),
            "perturb": st.sampled_from([0.0, 0.4, 0.8]),
            "replace": st.sampled_from([0.0, 0.1, 0.2]),
            "delete_node_rate": rate,
            "delete_connection_rate": rate,
            "bias_node": st.booleans(),
            "self_crossover": st.booleans(),
            "feed_forward": st.booleans(),
            "hidden_activation": st.sampled_from(["sigmoid", "relu"]),
        },
    ),
)
def test_breeder_compiled_call_equals_breed(seed, bits, rates):
    at_once, after = lineage(seed, 40, bits, rates, compiled=True)
    in_steps, after_steps = lineage(seed, 40, bits, rates, compiled=False)
    assert after == after_steps
    assert at_once == in_steps


def test_breeder_reads_options_changed_in_place():
    toolbox = base.Toolbox()
    options = {"mutate_only": 0.0, "mate_only": 1.0, "average": 0.0, "disable": 0.0}
    register(toolbox, 20, 1, **options, rng=random_generator())
    first, second = line([0], weight=1.0), line([0], weight=2.0)
    assert toolbox.breed(first, second).genes[0, 3] in (1.0, 2.0)
    toolbox.mate.keywords["average"] = 1.0
    assert toolbox.breed(first, second).genes[0, 3] == 1.5
    toolbox.breed.keywords["mutate_only"] = 1.0
    toolbox.mutate.keywords.update(node_rate=0.0, connection_rate=0.0, weight_rate=1.0, power=0.0, severe=0.0)
    assert toolbox.breed(first, second).genes[0, 3] == 1.0


def test_breeder_reads_deletion_rate_changed_in_place():
    toolbox = base.Toolbox()
    options = {"node_rate": 0.0, "connection_rate": 0.0, "mutate_only": 1.0, "rng": random_generator()}
    register(toolbox, 3, 2, **options)
    first_parent, second_parent = toolbox.population(n=2)
    assert len(toolbox.breed(first_parent, second_parent)) == 5
    toolbox.mutate.keywords["delete_connection_rate"] = 1.0
    assert len(toolbox.breed(first_parent, second_parent)) == 4
    toolbox.mutate.keywords["delete_connection_rate"] = 0.0
    assert len(toolbox.breed(first_parent, second_parent)) == 5


def test_breeder_child_is_not_evaluated_and_keeps_other_attributes():
    toolbox = base.Toolbox()
    register(toolbox, 3, 2, rng=random_generator())
    first_parent, second_parent = toolbox.population(n=2)
    first_parent.fitness.values = (1.0,)
    first_parent.home = ["here"]
    before = first_parent.copy()
    child = toolbox.breed(first_parent, second_parent)
    assert first_parent == before
    assert first_parent.fitness.valid
    assert not child.fitness.valid
    assert child.fitness.behaviour is None
    assert child.home == ["here"]
    assert child.home is not first_parent.home


def test_breeder_copy_keeps_values_and_behaviour_but_not_score():
    toolbox = base.Toolbox()
    nothing = dict.fromkeys(("node_rate", "connection_rate", "weight_rate", "toggle_rate", "reenable_rate"), 0.0)
    register(toolbox, 3, 2, **nothing, mutate_only=1.0, rng=random_generator())
    first_parent, second_parent = toolbox.population(n=2)
    first_parent.fitness.values = Outcome((1.0,), behaviour=(2.0,))
    first_parent.fitness.score = 3.0
    child = toolbox.breed(first_parent, second_parent)
    assert child == first_parent
    assert child.genes is not first_parent.genes
    assert child.fitness is not first_parent.fitness
    assert (child.fitness.values, child.fitness.behaviour) == ((1.0,), (2.0,))
    assert np.isnan(child.fitness.score)
    del first_parent.fitness.values
    assert not toolbox.breed(first_parent, second_parent).fitness.valid


def test_breeder_with_custom_operator_does_not_detect_copies():
    toolbox = base.Toolbox()
    register(toolbox, 3, 2, mutate_only=1.0, rng=random_generator())

    def move(genome):
        genome.home += 1
        return (genome,)

    toolbox.register("mutate", move)
    first_parent, second_parent = toolbox.population(n=2)
    first_parent.home = 1
    first_parent.fitness.values = (1.0,)
    child = toolbox.breed(first_parent, second_parent)
    assert (child.home, child.fitness.valid) == (2, False)


def test_breeder_without_place_for_a_connection_returns_a_copy():
    toolbox = base.Toolbox()
    register(toolbox, 3, 2, node_rate=0.0, connection_rate=1.0, recurrent=0.0, mutate_only=1.0, rng=random_generator())
    inputs, outputs = 3, 2
    full = [
        [3 * output + source, source, inputs + output, 1.0, 1.0]
        for output in range(outputs)
        for source in range(inputs)
    ]
    first_parent = Genome([*full, [6, 3, 4, 1.0, 1.0]], inputs=inputs, outputs=outputs)  # and between outputs
    toolbox.mutate.keywords["innovations"] = Innovations([first_parent])
    first_parent.fitness.values = Outcome((1.0,), behaviour=(2.0,))
    child = toolbox.breed(first_parent, first_parent)
    assert child == first_parent
    assert child.fitness.values == (1.0,)


def test_breeder_with_incompatible_parents_raises():
    toolbox = base.Toolbox()
    register(toolbox, 2, 1, mutate_only=0.0, rng=random_generator())
    first = Genome([[0, 0, 2, 1.0, 1.0]], inputs=2, outputs=1)
    second = Genome([[0, 1, 2, 1.0, 1.0]], inputs=2, outputs=1)
    with pytest.raises(ValueError, match="must be of one run, got one innovation for two connections"):
        toolbox.breed(first, second)
    message = "must have the same inputs and outputs, got 2 inputs and 1 outputs, 20 inputs and 1 outputs"
    with pytest.raises(ValueError, match=message):
        toolbox.breed(first, line([0]))
    other = Genome([], inputs=2, outputs=1, hidden_activation="tanh")
    with pytest.raises(ValueError, match="must have the same hidden_activation, got sigmoid and tanh"):
        toolbox.breed(first, other)
