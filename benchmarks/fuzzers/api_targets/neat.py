"""Targets in `divergent.neat`."""

from collections.abc import Iterator

import numpy as np
from deap import base

import divergent
from divergent import neat, selection
from fuzzers.api_targets.target import (
    NOT_GIVEN,
    Target,
    all_finite,
    anything,
    at_least_0,
    constructor,
    given,
    nothing,
    operator_target,
    options,
    sound,
)
from fuzzers.api_targets.values import divided, genome, genomes, network, rng, value


def changed(species, method):
    """Return a function that creates a `Species` object and calls one of its methods."""
    return lambda **arguments: getattr(species(), method)(**arguments)


def before_assign(method, *arguments):
    return lambda unused=None: getattr(neat.Species(rng=rng()), method)(*arguments)


def restored_species(state):
    species = divided()
    species.restore(state, genomes())
    species.respeciate()
    species.select_parents(np.arange(8.0))
    return [species.replace(genome()(), np.arange(9.0)), *species.allocate_offspring(np.arange(8.0), 10)]


def restored_innovations(state):
    innovations = neat.Innovations()
    innovations.restore(state)
    individual = genome()()
    for _ in range(5):
        neat.mutate(individual, innovations=innovations, node_rate=0.5, connection_rate=1.0, rng=rng())
    return individual


def assigned(genes):
    individual = genome()()
    individual.genes = genes
    return individual.recurrent, individual


def neat_targets() -> Iterator[Target]:
    yield Target(
        "Genome",
        divergent.Genome,
        {
            "genes": (lambda: genome()().genes, "genes"),
            "inputs": (value(3), "scalar"),
            "outputs": (value(2), "scalar"),
            "hidden_activation": (value("tanh"), "scalar"),
            "output_activation": (lambda: neat.Activation("sigmoid", 1.0), "scalar"),
            "bias_node": (value(False), "scalar"),
            "node_activations": (value({3: "sine"}), "scalar"),
        },
        sound,
    )
    activation = {"function": (value("sine"), "scalar"), "slope": (value(2.0), "scalar")}
    yield Target("Activation", neat.Activation, activation, anything)
    yield Target(
        "Genome.start",
        lambda **given: divergent.Genome.start(**given),
        {
            "inputs": (value(3), "scalar"),
            "outputs": (value(2), "scalar"),
            "hidden": (value(1), "scalar"),
            "weight_range": (value((-2.0, 2.0)), "array"),
            "hidden_activation": (value("relu"), "scalar"),
            "bias_node": (value(True), "scalar"),
            "activations": (value(("sine", "step")), "scalar"),
            "vary_outputs": (value(True), "scalar"),
            "rng": (rng, "scalar"),
        },
        sound,
    )
    yield Target(
        "Genome.genes", assigned, {"genes": (lambda: genome()().genes, "genes")}, lambda answer: sound(answer[1])
    )
    yield Target(
        "Genome.from_json", divergent.Genome.from_json, {"text": (lambda: genome()().to_json(), "json")}, sound
    )
    for name in ("recurrent", "hidden", "nodes"):
        yield Target(
            f"Genome.{name}",
            lambda genome, name=name: getattr(divergent.Genome, name).fget(genome),
            {"genome": (genome(), "own genome")},
            at_least_0,
        )
    for name in ("copy", "to_json", "to_networkx", "__repr__", "__len__"):
        yield Target(
            f"Genome.{name}",
            lambda genome, name=name: getattr(divergent.Genome, name)(genome),
            {"genome": (genome(), "own genome")},
            anything,
        )
    for function in (neat.compatibility, neat.distance):
        yield Target(
            function.__name__, function, {"first": (genome(), "genome"), "second": (genome(), "genome")}, at_least_0
        )
    yield Target(
        "distance by",
        lambda **given: neat.distance(genome()(), genomes()[3], **given),
        {"disjoint": (value(1.0), "scalar"), "excess": (value(1.0), "scalar"), "weight": (value(1.0), "scalar")},
        all_finite,
    )
    yield Target("diversity", neat.diversity, {"genomes": (genomes, "population")}, at_least_0)
    yield Target("mean_distances", neat.mean_distances, {"genomes": (genomes, "population")}, at_least_0)
    yield Target(
        "Innovations", lambda genomes: neat.Innovations(genomes).state(), {"genomes": (genomes, "population")}, anything
    )
    yield Target(
        "Innovations.connection",
        lambda **given: neat.Innovations().connection(**given),
        {"source": (value(0), "scalar"), "target": (value(3), "scalar")},
        at_least_0,
    )
    yield Target(
        "Innovations.node",
        lambda **given: neat.Innovations().node(**given),
        {"split": (value(0), "scalar"), "occurrence": (value(0), "scalar")},
        at_least_0,
    )
    yield Target(
        "Innovations.knows", lambda genome: neat.Innovations().knows(genome), {"genome": (genome(), "genome")}, anything
    )
    yield Target(
        "Innovations.restore",
        restored_innovations,
        {"state": (lambda: neat.Innovations(genomes()).state(), "innovations")},
        sound,
    )
    yield Target(
        "Network",
        lambda weights, inputs, outputs, **kind: neat.Network(weights, inputs, outputs, **kind)(np.zeros(11)),
        {
            "weights": (lambda: np.zeros((1, 13, 8)), "weights"),
            "inputs": (value(11), "scalar"),
            "outputs": (value(2), "scalar"),
            "hidden_activation": (value("gaussian"), "scalar"),
            "bias_node": (value(False), "scalar"),
        },
        anything,
    )
    yield Target(
        "Network.activate",
        lambda inputs, passes: network()().activate(inputs, passes),
        {"inputs": (lambda: np.zeros(11), "array"), "passes": (value(2), "scalar")},
        anything,
    )
    yield Target(
        "Network.many",
        lambda points: neat.express(divergent.Genome.start(3, 2, activations=("sine", "tanh"), rng=rng())).many(points),
        {"points": (lambda: np.zeros((4, 3)), "array")},
        anything,
    )
    yield Target(
        "express", lambda genome: neat.express(genome)(np.zeros(3)), {"genome": (genome(), "genome")}, all_finite
    )

    def registered(**arguments):
        made = base.Toolbox()
        neat.register(made, **given(arguments))
        first, second = made.population(n=2)
        return made.breed(first, second)

    rates = options(neat.mutate, ("genome",)) | options(neat.mate, ("first", "second"))
    others = ("weight_range", "output_activation", "bias_node", "mutate_only", "mate_only", "nonsense")
    yield Target(
        "register",
        registered,
        {"inputs": (value(3), "scalar"), "outputs": (value(2), "scalar")}
        | options(neat.register, ("toolbox", "inputs", "outputs", "rates"))
        | rates
        | {name: (value(NOT_GIVEN), "scalar") for name in others},
        sound,
    )
    for operator in (neat.mutate, neat.add_node, neat.add_connection):
        yield operator_target(operator, innovations=neat.Innovations, rng=rng)
    for operator in (neat.mutate_weights, neat.delete_connection, neat.delete_node, neat.toggle):
        yield operator_target(operator, rng=rng)
    yield operator_target(neat.reenable)
    yield Target(
        "mutate_activation",
        lambda **given: neat.mutate_activation(genome()(), **given),
        {
            "activations": (value(("sine", "step")), "scalar"),
            "vary_outputs": (value(True), "scalar"),
            "rng": (rng, "scalar"),
        },
        anything,
    )
    yield Target(
        "mutate's generator",
        lambda rng, innovations: neat.mutate(genome()(), rng=rng, innovations=innovations, connection_rate=1.0),
        {"rng": (rng, "scalar"), "innovations": (neat.Innovations, "scalar")},
        sound,
    )
    yield Target(
        "mate",
        lambda first, second, **given: neat.mate(first, second, rng=rng(), **given),
        {
            "first": (genome(), "genome"),
            "second": (genome(), "genome"),
            "average": (value(0.4), "scalar"),
            "disable": (value(0.7), "scalar"),
            "inherit": (value("fitter"), "scalar"),
            "fit_attr": (value("fitness"), "scalar"),
        },
        sound,
    )
    yield Target(
        "breed",
        lambda first, second: neat.breed(
            first,
            second,
            mate=lambda a, b: neat.mate(a, b, rng=rng()),
            mutate=lambda a: neat.mutate_weights(a, rng=rng()),
            rng=rng(),
        ),
        {"first": (genome(), "genome"), "second": (genome(), "genome")},
        sound,
    )
    yield constructor(neat.Species)
    yield Target(
        "Species in use",
        lambda **given: [
            (species := neat.Species(**given)).assign(genomes()),
            species.respeciate(),
            species.select_parents(np.arange(8.0)),
        ][2],
        {
            name: (value(number), "scalar")
            for name, number in (
                ("target", 3),
                ("threshold", 2.0),
                ("adjust", 0.1),
                ("fraction", 0.4),
                ("interspecies", 0.5),
                ("weight", 3.0),
            )
        }
        | {"rng": (rng, "scalar")},
        at_least_0,
    )
    yield Target("Species.assign", changed(divided, "assign"), {"individuals": (genomes, "population")}, at_least_0)
    yield Target(
        "Species.allocate_offspring",
        changed(divided, "allocate_offspring"),
        {"scores": (lambda: np.arange(8.0), "array"), "k": (value(10), "scalar"), "among": (value([0]), "array")},
        at_least_0,
    )
    yield Target(
        "Species.parents",
        changed(divided, "parents"),
        {"scores": (lambda: np.arange(8.0), "array"), "label": (value(0), "scalar")},
        at_least_0,
    )
    yield Target(
        "Species.select_parents",
        changed(divided, "select_parents"),
        {"scores": (lambda: np.arange(8.0), "array")},
        at_least_0,
    )
    yield Target(
        "Species.replace",
        changed(divided, "replace"),
        {"child": (genome(), "genome"), "scores": (lambda: np.arange(9.0), "array")},
        at_least_0,
    )
    for method, arguments in (
        ("select_parents", (np.arange(8.0),)),
        ("replace", (genome()(), np.arange(9.0))),
        ("allocate_offspring", (np.arange(8.0), 3)),
        ("parents", (np.arange(8.0), 0)),
        ("respeciate", ()),
    ):
        yield Target(
            f"Species.{method} before assign",
            before_assign(method, *arguments),
            {"unused": (value(None), "nothing")},
            value(False),
        )
    for method in ("adapt", "state"):
        yield Target(
            f"Species.{method} before assign", before_assign(method), {"unused": (value(None), "nothing")}, anything
        )
    yield Target("Species.restore", restored_species, {"state": (lambda: divided().state(), "species")}, at_least_0)
    yield Target(
        "Species.restore's members",
        lambda individuals: divided().restore(divided().state(), individuals),
        {"individuals": (genomes, "population")},
        nothing,
    )
    yield Target(
        "select",
        lambda individuals, k, species: neat.select(individuals, k, species=species),
        {"individuals": (genomes, "population"), "k": (value(4), "scalar"), "species": (neat.Species, "scalar")},
        lambda chosen: all(hasattr(parent, "genes") for parent in chosen),
    )

    def following(population, **given):
        made = base.Toolbox()
        neat.register(made, 3, 2, hidden=1, preset="neat2002", rng=rng())
        return neat.Reproduction(**given)(population, made)

    yield Target(
        "Reproduction",
        following,
        {
            "population": (genomes, "population"),
            "species": (neat.Species, "scalar"),
            "strategy": (selection.Objective, "scalar"),
            "stagnation": (value(15), "scalar"),
            "refocus": (value(20), "scalar"),
            "large": (value(5), "scalar"),
        },
        lambda offspring: all(hasattr(child, "genes") for child in offspring),
    )
    yield Target(
        "Reproduction of options",
        lambda **given: following(genomes(), **given),
        {name: (value(0.5), "scalar") for name in ("threshold", "adjust", "fraction", "interspecies", "weight")}
        | {"rng": (rng, "scalar")},
        lambda offspring: len(offspring) == 8,
    )
    yield Target(
        "Reproduction.restore",
        lambda state: neat.Reproduction().restore(state),
        {"state": (lambda: neat.Reproduction(divided()).state(), "species")},
        nothing,
    )
