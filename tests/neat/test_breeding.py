"""Breeding: a child of one parent or of two, and the same child whether bred step by step or in one compiled call."""

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
    """A genome whose innovation n joins input n to the output."""
    return Genome([[number, number, 20, weight, 1.0] for number in numbers], inputs=20, outputs=1)


def test_a_child_of_one_parent_is_its_mutated_copy():
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


def test_two_parents_mate_and_the_child_is_mutated_in_four_of_five_cases():
    first, second = line([0, 1]), line([0, 2])
    rng = random_generator()
    calls = {"mate": 0, "both": 0, "mutate": 0}
    for _ in range(2000):
        done = []
        breed(
            first,
            second,
            mate=lambda one, other, done=done: done.append("mate") or (one, other),
            mutate=lambda one, done=done: done.append("mutate") or (one,),
            rng=rng,
        )
        calls["both" if len(done) == 2 else done[0]] += 1
    assert calls["mutate"] / 2000 == pytest.approx(0.3, abs=0.03)
    assert calls["both"] / 2000 == pytest.approx(0.7 * 0.8, abs=0.03)


def test_a_child_of_twins_is_always_mutated():
    done = []
    for _ in range(50):
        breed(
            line([0, 1]),
            line([0, 1]),
            mutate_only=0.0,
            mate_only=1.0,
            mate=lambda one, other: (one, other),
            mutate=lambda one: done.append(one) or (one,),
            rng=random_generator(),
        )
    assert len(done) == 50


def test_self_crossover_crosses_an_individual_with_itself_and_averaging_may_enable_genes():
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


def test_self_crossover_is_always_followed_by_mutation():
    genome, done = line([0, 1]), []
    for _ in range(50):
        breed(
            genome,
            genome,
            mutate_only=0.0,
            mate_only=1.0,
            self_crossover=True,
            mate=lambda one, other: done.append("mate") or (one, other),
            mutate=lambda one: done.append("mutate") or (one,),
            rng=random_generator(),
        )
    assert done == ["mate", "mutate"] * 50


def test_self_crossover_that_is_no_truth_value_raises():
    genome = line([0])
    with pytest.raises(ValueError, match="self_crossover must be True or False, got 1"):
        breed(genome, genome, self_crossover=1, mate=None, mutate=None, rng=random_generator())
    with pytest.raises(ValueError, match="self_crossover must be True or False, got 1"):
        register(base.Toolbox(), 2, 1, self_crossover=1)


def test_breed_refuses_its_own_rates_by_name():
    genome = line([0])
    with pytest.raises(ValueError, match="mate_only must be a rate between 0 and 1, got 3"):
        breed(genome, genome, mate_only=3, mate=None, mutate=None, rng=random_generator())


def lineage(seed, births, bits, rates, *, compiled):
    """Children of children, each of the two before or of one of them alone, and the numbers drawn after each."""
    rng = np.random.Generator(bits(seed))
    toolbox = base.Toolbox()
    register(toolbox, 3, 2, rng=rng, **rates)
    if not compiled:
        toolbox.register("mate", toolbox.mate)  # a partial of a partial, which a breeder does not know
        toolbox.mate.keywords.clear()
    genomes = toolbox.population(n=2)
    draws = []
    for birth in range(births):
        for genome in genomes[-2:]:
            genome.fitness.values, genome.fitness.score = (0.0,), rng.random()
        genomes.append(toolbox.breed(genomes[-1], genomes[-1 - birth % 3]))
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
def test_breeding_in_one_compiled_call_gives_the_same_children_and_draws(seed, bits, rates):
    at_once, after = lineage(seed, 40, bits, rates, compiled=True)
    in_steps, after_steps = lineage(seed, 40, bits, rates, compiled=False)
    assert after == after_steps
    assert at_once == in_steps


def test_a_registered_operator_whose_keywords_are_changed_in_place_breeds_by_them():
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


def test_a_rate_of_deletions_that_is_changed_in_place_is_followed():
    toolbox = base.Toolbox()
    options = {"node_rate": 0.0, "connection_rate": 0.0, "mutate_only": 1.0, "rng": random_generator()}
    register(toolbox, 3, 2, **options)
    mother, father = toolbox.population(n=2)
    assert len(toolbox.breed(mother, father)) == 5
    toolbox.mutate.keywords["delete_connection_rate"] = 1.0
    assert len(toolbox.breed(mother, father)) == 4
    toolbox.mutate.keywords["delete_connection_rate"] = 0.0
    assert len(toolbox.breed(mother, father)) == 5


def test_a_child_is_not_evaluated_and_keeps_what_else_its_mother_has():
    toolbox = base.Toolbox()
    register(toolbox, 3, 2, rng=random_generator())
    mother, father = toolbox.population(n=2)
    mother.fitness.values = (1.0,)
    mother.home = ["here"]
    before = mother.copy()
    child = toolbox.breed(mother, father)
    assert mother == before
    assert mother.fitness.valid
    assert not child.fitness.valid
    assert child.fitness.behaviour is None
    assert child.home == ["here"]
    assert child.home is not mother.home


def test_a_copy_of_its_mother_keeps_what_she_did_and_not_her_score():
    toolbox = base.Toolbox()
    nothing = dict.fromkeys(("node_rate", "connection_rate", "weight_rate", "toggle_rate", "reenable_rate"), 0.0)
    register(toolbox, 3, 2, **nothing, mutate_only=1.0, rng=random_generator())
    mother, father = toolbox.population(n=2)
    mother.fitness.values = Outcome((1.0,), behaviour=(2.0,))
    mother.fitness.score = 3.0
    child = toolbox.breed(mother, father)
    assert child == mother
    assert child.genes is not mother.genes
    assert child.fitness is not mother.fitness
    assert (child.fitness.values, child.fitness.behaviour) == ((1.0,), (2.0,))
    assert np.isnan(child.fitness.score)
    del mother.fitness.values
    assert not toolbox.breed(mother, father).fitness.valid


def test_what_an_operator_of_ones_own_left_as_it_was_is_not_taken_for_a_copy():
    toolbox = base.Toolbox()
    register(toolbox, 3, 2, mutate_only=1.0, rng=random_generator())

    def move(genome):
        genome.home += 1
        return (genome,)

    toolbox.register("mutate", move)
    mother, father = toolbox.population(n=2)
    mother.home = 1
    mother.fitness.values = (1.0,)
    child = toolbox.breed(mother, father)
    assert (child.home, child.fitness.valid) == (2, False)


def test_a_child_that_found_no_place_for_a_connection_is_a_copy():
    toolbox = base.Toolbox()
    register(toolbox, 3, 2, node_rate=0.0, connection_rate=1.0, recurrent=0.0, mutate_only=1.0, rng=random_generator())
    inputs, outputs = 3, 2
    full = [[3 * output + one, one, inputs + output, 1.0, 1.0] for output in range(outputs) for one in range(inputs)]
    mother = Genome([*full, [6, 3, 4, 1.0, 1.0]], inputs=inputs, outputs=outputs)  # and from one output to the other
    toolbox.mutate.keywords["innovations"] = Innovations([mother])
    mother.fitness.values = Outcome((1.0,), behaviour=(2.0,))
    child = toolbox.breed(mother, mother)
    assert child == mother
    assert child.fitness.values == (1.0,)


def test_genomes_that_cannot_mate_are_refused():
    toolbox = base.Toolbox()
    register(toolbox, 2, 1, mutate_only=0.0, rng=random_generator())
    first = Genome([[0, 0, 2, 1.0, 1.0]], inputs=2, outputs=1)
    second = Genome([[0, 1, 2, 1.0, 1.0]], inputs=2, outputs=1)
    with pytest.raises(ValueError, match="must come from one run, these number different connections alike"):
        toolbox.breed(first, second)
    with pytest.raises(ValueError, match="must have the same inputs and outputs, got 2 and 1, 20 and 1"):
        toolbox.breed(first, line([0]))
    other = Genome([], inputs=2, outputs=1, hidden_activation="tanh")
    with pytest.raises(ValueError, match="must have the same hidden_activation, got sigmoid and tanh"):
        toolbox.breed(first, other)
