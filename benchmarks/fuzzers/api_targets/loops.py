"""Functions of `divergent` to be fuzzed: individuals, loops and checkpoints."""

import itertools
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import divergent
from divergent import neat, selection
from divergent.individual import MaximisedFitness
from fuzzers.api_targets.target import Target, all_finite, anything, at_least_0, constructor, stepped
from fuzzers.api_targets.values import genome, toolbox, value, walked, walkers


def first_steps(steps):
    return list(itertools.islice(steps, 40))


def top_targets() -> Iterator[Target]:
    def fitness_of(values, behaviour):
        fitness = MaximisedFitness()
        fitness.values = divergent.Outcome(values, behaviour)
        return fitness.valid

    yield Target(
        "Fitness.values",
        fitness_of,
        {"values": (value((1.0,)), "array"), "behaviour": (value((1.0,)), "array")},
        anything,
    )
    yield Target(
        "pack",
        divergent.pack,
        {"individuals": (walked, "walkers")},
        lambda packed: not np.isnan(packed.fitness).any() and all_finite(packed.behaviours),
    )
    yield Target(
        "batch_map",
        lambda function, individuals: divergent.batch_map(function, individuals),
        {"function": (value(len), "scalar"), "individuals": (walkers(), "walkers")},
        anything,
    )
    yield Target(
        "OneSpecies",
        lambda fraction, scores: divergent.OneSpecies(fraction).select_parents(scores),
        {"fraction": (value(0.4), "scalar"), "scores": (lambda: np.arange(8.0), "array")},
        at_least_0,
    )
    yield Target(
        "OneSpecies.replace",
        lambda child, scores: divergent.OneSpecies().replace(child, scores),
        {"child": (genome(), "genome"), "scores": (lambda: np.arange(8.0), "array")},
        at_least_0,
    )

    def kept(generation, evaluations, population, notes, **more):
        with tempfile.TemporaryDirectory() as folder:
            checkpoint = divergent.Checkpoint(Path(folder) / "run.npz", **more)
            checkpoint.save(divergent.Step(generation, evaluations, population, []), notes)
            return checkpoint.restore(population), generation, len(population)

    yield Target(
        "Checkpoint",
        kept,
        {
            "generation": (value(3), "scalar"),
            "evaluations": (value(12), "scalar"),
            "population": (walked, "walkers"),
            "notes": (value(None), "array"),
            "settings": (value(None), "scalar"),
            "strategy": (selection.Novelty, "strategy"),
            "species": (neat.Species, "scalar"),
        },
        lambda answer: answer[0].done == answer[1] + 1 and len(answer[0].population) == answer[2],
    )
    yield constructor(divergent.Problem, name=(value("roof"), "text"), toolbox=(value(toolbox), "toolbox"))
    good = {
        "population": (walkers(), "walkers"),
        "toolbox": (toolbox, "toolbox"),
        "generations": (value(3), "scalar"),
        "done": (value(0), "scalar"),
    }
    rates = {
        "offspring": (value(None), "scalar"),
        "cxpb": (value(0.5), "scalar"),
        "mutpb": (value(0.3), "scalar"),
        "evaluations": (value(0), "scalar"),
        "survive": (value("plus"), "scalar"),
    }
    yield Target("evolve", lambda **given: first_steps(divergent.evolve(**given)), good | rates, stepped)
    more = {
        "strategy": (selection.Novelty, "strategy"),
        "species": (value(None), "scalar"),
        "learn_from": (value(None), "scalar"),
        "refresh": (value(None), "scalar"),
    }
    yield Target("steady_state", lambda **given: first_steps(divergent.steady_state(**given)), good | more, stepped)
