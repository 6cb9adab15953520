"""Hostile arguments for the fuzzer: numbers, arrays, genomes, populations and outcomes."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
from deap import base

import divergent
from fuzzers.api_targets.values import evaluated, genome, genomes, rng, rows, value, walked, walkers


def hostile_array(change):
    """Return a function that creates a valid two-column array and makes the array hostile by calling `change`."""
    return lambda: change(rows()())


def with_number(number):
    def change(array):
        array[3, 1] = number
        return array

    return hostile_array(change)


def read_only(array):
    array.flags.writeable = False
    return array


def of_objects(array):
    array = array.astype(object)
    array[2, 1] = None
    return array


SCALARS = {
    repr(scalar): value(scalar)
    for scalar in (
        None,
        "x",
        "",
        b"x",
        math.nan,
        math.inf,
        -math.inf,
        -1,
        0,
        1,
        0.5,
        1.5,
        -0.0,
        True,
        1e308,
        1e-320,
        2**31,
        2**62,
        2**63,
        -(2**63),
        2**64,
        10**400,
        1j,
        (),
        (1, 2),
    )
} | {
    "[]": list,
    "{}": dict,
    "object()": object,
    "nan32": lambda: np.float32(math.nan),
    "int64": lambda: np.int64(2),
    "array(2)": lambda: np.array(2),
    "array([1, 2])": lambda: np.array([1, 2]),
    "lambda": lambda: lambda *_: None,
    "class": lambda: list,
}

ARRAYS = {
    "None": value(None),
    "text": value("text"),
    "5": value(5),
    "nan": value(math.nan),
    "[]": list,
    "{}": dict,
    "object()": object,
    "iterator": lambda: iter([[1.0, 2.0]]),
    "ragged": lambda: [[1.0, 2.0], [3.0]],
    "texts": lambda: [["a", "b"]],
    "strings": lambda: [["1", "2"]],
    "shape (0, 2)": lambda: np.empty((0, 2)),
    "shape (0, 0)": lambda: np.empty((0, 0)),
    "shape (12, 0)": lambda: np.empty((12, 0)),
    "shape (0,)": lambda: np.empty(0),
    "shape (12,)": lambda: np.arange(12.0),
    "shape ()": lambda: np.array(3.0),
    "shape (12, 2, 2)": lambda: np.ones((12, 2, 2)),
    "shape (1, 2)": lambda: np.ones((1, 2)),
    "shape (12, 1)": rows(12, 1),
    "shape (12, 3)": rows(12, 3),
    "shape (12, 7)": rows(12, 7),
    "shape (12, 90)": rows(12, 90),
    "shape (4, 2)": rows(4, 2),
    "shape (500, 2)": rows(500, 2),
    "shape (2, 50000)": rows(2, 50_000),
    "one nan": with_number(math.nan),
    "one inf": with_number(math.inf),
    "one -inf": with_number(-math.inf),
    "one 1e308": with_number(1e308),
    "one -1e200": with_number(-1e200),
    "one 1e-320": with_number(1e-320),
    "all equal": lambda: np.ones((12, 2)),
    "all nan": lambda: np.full((12, 2), math.nan),
    "all 1e308": lambda: np.full((12, 2), 1e308),
    "huge both ways": lambda: np.array([[1e308, 0], [-1e308, 0.0]] * 6),
    "objects": hostile_array(of_objects),
    "numbers as objects": hostile_array(lambda array: array.astype(object)),
    "complex": hostile_array(lambda array: array + 1j),
    "bool": hostile_array(lambda array: array > 50),
    "int8": hostile_array(lambda array: array.astype(np.int8)),
    "float16": hostile_array(lambda array: array.astype(np.float16)),
    "big-endian": hostile_array(lambda array: array.astype(">f8")),
    "long double": hostile_array(lambda array: array.astype(np.longdouble)),
    "dates": lambda: np.zeros((12, 2), "datetime64[s]"),
    "structured": lambda: np.zeros(12, [("x", float), ("y", float)]),
    "read-only": hostile_array(read_only),
    "Fortran": hostile_array(np.asfortranarray),
    "strided": lambda: rows(24, 4)()[::2, ::2],
    "backwards": hostile_array(lambda array: array[::-1, ::-1]),
    "broadcast": lambda: np.broadcast_to(1.0, (12, 2)),
    "masked": hostile_array(lambda array: np.ma.masked_greater(array, 50)),
}


def with_genes(change):
    """Return a function that creates a genome and changes its genes in place to invalid or extreme values."""

    def make():
        individual = genome()()
        change(individual.genes)
        return individual

    return make


def set_gene(row, column, number):
    def change(genes):
        genes[row, column] = number

    return with_genes(change)


def with_attribute(name, number):
    def make():
        individual = genome()()
        setattr(individual, name, number)
        return individual

    return make


def having(genes, inputs=3, outputs=2):
    return lambda: SimpleNamespace(
        genes=genes, inputs=inputs, outputs=outputs, fitness=evaluated(genome()(), 1.0).fitness
    )


KIND: dict[str, Any] = {"hidden_activation": "tanh", "output_activation": "identity", "bias_node": True}


GENOMES = {
    "None": value(None),
    "text": value("text"),
    "5": value(5),
    "object()": object,
    "class": lambda: divergent.Genome,
    "list": lambda: [1.0],
    "unevaluated": lambda: divergent.Genome.start(3, 2, rng=rng()),
    "other counts": genome(4, 1),
    "another kind": lambda: evaluated(divergent.Genome.start(3, 2, rng=rng(), **KIND), 1.0),
    "bias of None": with_attribute("bias_node", None),
    "activation of 5": with_attribute("hidden_activation", 5),
    "unknown activation": with_attribute("output_activation", "softmax"),
    "no genes": lambda: evaluated(divergent.Genome([], 3, 2), 1.0),
    "driver": genome(11, 2),
    "backwards": with_genes(lambda genes: genes.__setitem__(slice(None), genes[::-1].copy())),
    "numbered alike": set_gene(1, 0, 0),
    "nan innovation": set_gene(1, 0, math.nan),
    "innovation -1": set_gene(0, 0, -1),
    "innovation 0.5": set_gene(0, 0, 0.5),
    "innovation 2**30": set_gene(-1, 0, 2**30),
    "innovation 1e300": set_gene(-1, 0, 1e300),
    "source nan": set_gene(1, 1, math.nan),
    "source -7": set_gene(1, 1, -7),
    "source 2**31 - 1": set_gene(1, 1, 2**31 - 1),
    "source 1e300": set_gene(1, 1, 1e300),
    "target 0": set_gene(1, 2, 0),
    "target inf": set_gene(1, 2, math.inf),
    "target -1e300": set_gene(1, 2, -1e300),
    "weight nan": set_gene(1, 3, math.nan),
    "weight 1e308": set_gene(1, 3, 1e308),
    "enabled 2": set_gene(1, 4, 2),
    "enabled nan": set_gene(1, 4, math.nan),
    "inputs -5": with_attribute("inputs", -5),
    "inputs 0": with_attribute("inputs", 0),
    "inputs 10**9": with_attribute("inputs", 10**9),
    "inputs 'x'": with_attribute("inputs", "x"),
    "inputs None": with_attribute("inputs", None),
    "outputs -5": with_attribute("outputs", -5),
    "outputs 10**9": with_attribute("outputs", 10**9),
    "outputs 10**30": with_attribute("outputs", 10**30),
    "outputs 1.5": with_attribute("outputs", 1.5),
    "outputs nan": with_attribute("outputs", math.nan),
    "fitness None": with_attribute("fitness", None),
    "fitness 3": with_attribute("fitness", 3.0),
    "anything with genes": having(np.array([[0, 0, 3, 1.0, 1]])),
    "genes None": having(None),
    "genes text": having("genes"),
    "genes of shape (5,)": having(np.ones(5)),
    "genes of shape (3, 4)": having(np.ones((3, 4))),
    "genes of shape (3, 0)": having(np.ones((3, 0))),
    "genes of objects": having(np.array([[None] * 5])),
    "genes of integers": having(np.array([[0, 0, 3, 1, 1]])),
    "genes as lists": having([[0, 0, 3, 1.0, 1]]),
    "genes in Fortran's order": having(np.asfortranarray([[0, 0, 3, 1.0, 1], [1, 1, 3, 1.0, 1]])),
    "genes strided": having(np.tile([[0, 0, 3, 1.0, 1]], (2, 2))[::2, :5]),
    "genes read-only": having(read_only(np.array([[0, 0, 3, 1.0, 1]]))),
    "10,000 nodes": having(np.array([[n, 0, n + 5, 1.0, 1] for n in range(10_000)])),
    "10**7 inputs": having(np.empty((0, 5)), inputs=10**7),
    "10**9 outputs": having(np.empty((0, 5)), outputs=10**9),
}


def among_good(maker):
    """Return a function that creates a population with one hostile individual among valid genomes."""

    def make():
        members = genomes()
        members[5] = maker()
        return members

    return make


POPULATIONS = {
    "None": value(None),
    "text": value("text"),
    "5": value(5),
    "[]": list,
    "()": tuple,
    "{}": dict,
    "object()": object,
    "array": rows(),
    "iterator": lambda: iter(genomes()),
    "one": lambda: genomes()[:1],
    "twice the same": lambda: [genome()()] * 8,
    "a tuple": lambda: tuple(genomes()),
} | {f"one {name}": among_good(maker) for name, maker in GENOMES.items()}


def walker_with(change):
    def make():
        members = walked()
        change(members[5])
        return members

    return make


def setting(**attributes):
    def change(walker):
        for name, number in attributes.items():
            setattr(walker.fitness, name, number)

    return walker_with(change)


def of_plain_fitness(walker):
    walker.fitness = type("Plain", (base.Fitness,), {"weights": (1.0,)})((1.0,))


def outcome(*arguments, **keywords):
    return lambda walker: setattr(walker.fitness, "values", divergent.Outcome(*arguments, **keywords))


WALKERS = {
    "None": value(None),
    "text": value("text"),
    "5": value(5),
    "[]": list,
    "()": tuple,
    "{}": dict,
    "object()": object,
    "array": rows(),
    "iterator": lambda: iter(walked()),
    "numbers": lambda: [1.0, 2.0],
    "one": lambda: walked()[:1],
    "two": lambda: walked()[:2],
    "the same": lambda: walked()[:1] * 5,
    "a tuple": lambda: tuple(walked()),
    "unevaluated": walkers(),
    "one unevaluated": walker_with(lambda walker: walker.fitness.__delattr__("values")),
    "behaviour None": setting(behaviour=None),
    "behaviour text": setting(behaviour="far"),
    "behaviour longer": setting(behaviour=(1.0, 2.0, 3.0)),
    "behaviour nan": setting(behaviour=(math.nan, 1.0)),
    "behaviour inf": setting(behaviour=(math.inf, 1.0)),
    "behaviour ragged": setting(behaviour=[[1.0], [1.0, 2.0]]),
    "behaviour object": setting(behaviour=object()),
    "behaviour complex": setting(behaviour=(1j, 2.0)),
    "behaviour 1e308": setting(behaviour=(1e308, -1e308)),
    "fitness nan": walker_with(outcome((math.nan,), behaviour=(0.0, 1.0))),
    "fitness inf": walker_with(outcome((math.inf,), behaviour=(0.0, 1.0))),
    "fitness -inf": walker_with(outcome((-math.inf,), behaviour=(0.0, 1.0))),
    "plain fitness": walker_with(of_plain_fitness),
    "fitness None": walker_with(lambda walker: setattr(walker, "fitness", None)),
    "no fitness": walker_with(lambda walker: walker.__delattr__("fitness")),
    "weighted text": setting(wvalues=("x",)),
    "weighted None": setting(wvalues=(None,)),
    "weighted by 3": setting(wvalues=3),
    "weighted array": setting(wvalues=(np.ones(3),)),
}

OUTCOMES = {
    "None": value(None),
    "text": value("text"),
    "5": value(5),
    "()": tuple,
    "object()": object,
    "array": rows(),
    "class": lambda: divergent.Outcomes,
    "individuals": walked,
    "no fitness": lambda: divergent.Outcomes(None, rows()()),
    "fitness text": lambda: divergent.Outcomes("x", rows()()),
    "fitness shorter": lambda: divergent.Outcomes(np.zeros(3), rows()()),
    "fitness longer": lambda: divergent.Outcomes(np.zeros(30), rows()()),
    "fitness nan": lambda: divergent.Outcomes(np.full(12, math.nan), rows()()),
    "fitness inf": lambda: divergent.Outcomes(np.full(12, math.inf), rows()()),
    "fitness of objects": lambda: divergent.Outcomes(np.array([None] * 12), rows()()),
    "fitness of shape (12, 1)": lambda: divergent.Outcomes(np.zeros((12, 1)), rows()()),
    "fitness a list": lambda: divergent.Outcomes([1.0] * 12, rows()()),
} | {
    f"behaviours {name}": (lambda maker=maker: divergent.Outcomes(np.zeros(12), maker()))
    for name, maker in ARRAYS.items()
}
