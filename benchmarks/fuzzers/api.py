"""Call every public function with hostile arguments, in child processes: nothing may crash, hang or answer wrongly.

Run it as ``python benchmarks/fuzzers/api.py [COUNT] [SEED]``. A call is a public function with good arguments, of which
one, or two when all single ones are through, is replaced by a hostile value. It must give a right answer, or a
ValueError or TypeError with a sentence; signals, time-outs, warnings, any other exception and answers that break what
the function promises are findings. With ``NUMBA_BOUNDSCHECK=1`` (and a ``NUMBA_CACHE_DIR`` of its own) compiled code
that reads or writes where it should not is found even where nothing breaks.
"""

import contextlib
import copy
import inspect
import io
import itertools
import json
import linecache
import math
import random
import resource
import signal
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from deap import base, tools

import divergent
from divergent import maze, neat, selection
from divergent.individual import MaximisedFitness
from divergent.neighbours import NeighbourIndex, Scale
from divergent.selection.partitions import GridPartition

SECONDS = 20  # of processor time for one call; compiling takes most of it where nothing is cached
MEMORY = 6 << 30
OWN, BORROWED, RIGHT = "rejected", "rejected in numpy's or Python's words", "right answers"


class Result(NamedTuple):
    """One call and what became of it."""

    call: str
    kind: str
    """OWN, BORROWED or RIGHT; anything else is a finding."""
    text: str = ""

    @property
    def found(self) -> bool:
        return self.kind not in (OWN, BORROWED, RIGHT)


class Target(NamedTuple):
    """A public function, good arguments for it, what to put in their place, and what is right."""

    name: str
    function: Callable[..., Any]
    arguments: dict[str, tuple[Callable[[], Any], str]]
    """For each a maker of a good value, and the kind of hostile ones."""
    right: Callable[[Any], Any] = bool
    expected: tuple[type[BaseException], ...] = ()
    """Exceptions that are documented beside ValueError and TypeError."""


# ---------------------------------------------------------------------------------------------------------- good values


def rng():
    return np.random.default_rng(1)


def rows(count=12, width=2):
    return lambda: np.random.default_rng(count * width).uniform(0, 100, (count, width))


def genome(inputs=3, outputs=2):
    return lambda: evaluated(divergent.Genome.start(inputs, outputs, rng=rng()), 1.0)


def genomes():
    found = [divergent.Genome.start(3, 2, rng=np.random.default_rng(seed)) for seed in range(8)]
    return [evaluated(one, float(number)) for number, one in enumerate(found)]


def evaluated(individual, value, behaviour=(0.0, 1.0)):
    individual.fitness.values = divergent.Outcome((value,), behaviour=behaviour)
    return individual


class Walker(list):
    """Numbers that are their own behaviour."""

    def __init__(self, numbers):
        super().__init__(numbers)
        self.fitness = MaximisedFitness()


def walkers(count=12):
    return lambda: [Walker(row) for row in rows(count)().tolist()]


def walked():
    return [evaluated(walker, walker[0], tuple(walker)) for walker in walkers()()]


def toolbox():
    made = base.Toolbox()
    made.register("evaluate", lambda walker: divergent.Outcome((walker[0],), behaviour=tuple(walker)))
    made.register("mate", tools.cxBlend, alpha=0.2)
    made.register("mutate", tools.mutGaussian, mu=0, sigma=1, indpb=1)
    made.register("select", tools.selTournament, tournsize=2)
    return made


def outcomes(count=12, width=2):
    return lambda: divergent.Outcomes(np.arange(float(count)), rows(count, width)())


def box():
    walls = np.array([(0, 0, 100, 0), (100, 0, 100, 80), (100, 80, 0, 80), (0, 80, 0, 0), (50, 0, 50, 40)], float)
    return maze.Maze("box", (20.0, 20.0), 0.0, (80.0, 20.0), walls)


def network(inputs=11, outputs=2):
    return lambda: neat.express(divergent.Genome.start(inputs, outputs, rng=rng()))


def divided():
    species = neat.Species(threshold=2.0, rng=rng())
    species.assign(genomes())
    return species


def tracks():
    return np.random.default_rng(3).uniform(0, 9, (4, 5, 2))


def value(constant):
    return lambda: constant


# ------------------------------------------------------------------------------------------------------- hostile values


def hostile_array(change):
    """A good array of two columns, changed."""
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
    repr(one): value(one)
    for one in (
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
    """A genome whose genes were changed in place."""

    def make():
        one = genome()()
        change(one.genes)
        return one

    return make


def set_gene(row, column, number):
    def change(genes):
        genes[row, column] = number

    return with_genes(change)


def with_attribute(name, number):
    def make():
        one = genome()()
        setattr(one, name, number)
        return one

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
    """A population with one hostile member."""

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


def box_with(**parts):
    return lambda: box()._replace(**parts)


MAZES = {
    "None": value(None),
    "text": value("text"),
    "5": value(5),
    "()": tuple,
    "object()": object,
    "class": lambda: maze.Maze,
    "a name": lambda: "hard",
    "name None": box_with(name=None),
    "name $x^$": box_with(name="$x^$"),
    "start None": box_with(start=None),
    "start 3 numbers": box_with(start=(1.0, 2.0, 3.0)),
    "start nan": box_with(start=(math.nan, 20.0)),
    "start inf": box_with(start=(math.inf, 20.0)),
    "start far": box_with(start=(1e300, -1e300)),
    "start in a wall": box_with(start=(50.0, 20.0)),
    "start outside": box_with(start=(-50.0, 20.0)),
    "start text": box_with(start="ab"),
    "start array": box_with(start=np.array([20.0, 20.0])),
    "heading None": box_with(heading=None),
    "heading nan": box_with(heading=math.nan),
    "heading inf": box_with(heading=math.inf),
    "heading 1e300": box_with(heading=1e300),
    "heading -1e-320": box_with(heading=-1e-320),
    "heading text": box_with(heading="east"),
    "goal nan": box_with(goal=(math.nan, 1.0)),
    "goal far": box_with(goal=(1e308, 1e308)),
    "goal at start": box_with(goal=(20.0, 20.0)),
    "goal on a wall": box_with(goal=(50.0, 20.0)),
    "goal None": box_with(goal=None),
    "goal 1 number": box_with(goal=(1.0,)),
    "walls None": box_with(walls=None),
    "walls text": box_with(walls="walls"),
    "no walls": box_with(walls=np.empty((0, 4))),
    "walls (0,)": box_with(walls=np.empty(0)),
    "walls (3,)": box_with(walls=np.ones(3)),
    "walls (5, 3)": box_with(walls=np.ones((5, 3))),
    "walls (5, 5)": box_with(walls=np.ones((5, 5))),
    "walls (2, 4, 4)": box_with(walls=np.ones((2, 4, 4))),
    "a point as a wall": box_with(walls=np.array([[50.0, 50.0, 50.0, 50.0]])),
    "a tiny wall": box_with(walls=np.array([[50.0, 50.0, 50.0 + 1e-13, 50.0]])),
    "a tinier wall": box_with(walls=np.array([[0.0, 0.0, 1e-300, 0.0]])),
    "a wall of nan": box_with(walls=np.array([[math.nan] * 4])),
    "a wall to infinity": box_with(walls=np.array([[0.0, 0.0, math.inf, 0.0]])),
    "a huge wall": box_with(walls=np.array([[-1e308, 0.0, 1e308, 0.0]])),
    "walls of objects": box_with(walls=np.array([[None] * 4])),
    "walls of texts": box_with(walls=[["a"] * 4]),
    "one wall": box_with(walls=np.array([[0.0, 0.0, 100.0, 0.0]])),
    "the same wall twice": box_with(walls=np.array([[0.0, 0.0, 100.0, 0.0]] * 2)),
    "walls as lists": box_with(walls=[[0, 0, 100, 0]]),
    "integers": box_with(walls=np.array([[0, 0, 100, 0]])),
    "walls in Fortran's order": box_with(walls=np.asfortranarray(box().walls)),
    "walls read-only": box_with(walls=read_only(box().walls)),
    "20,000 walls": box_with(walls=np.tile([[0.0, 0.0, 100.0, 0.0]], (20_000, 1))),
}

WEIGHTS = {
    "10**7 nodes": lambda: np.broadcast_to(0.0, ((10**7 - 11) // 8 + 1, 10**7, 8)),
    "6,000 nodes": lambda: np.broadcast_to(0.0, (749, 6000, 8)),
    "too few": lambda: np.zeros((1, 11, 8)),
    "nothing": lambda: np.zeros((0, 11, 8)),
    "blocks of 7": lambda: np.zeros((1, 13, 7)),
    "another block": lambda: np.zeros((2, 13, 8)),
    "of nan": lambda: np.full((1, 13, 8), math.nan),
    "of inf": lambda: np.full((1, 13, 8), math.inf),
    "of 1e308": lambda: np.full((1, 13, 8), 1e308),
    "of objects": lambda: np.full((1, 13, 8), None),
    "complex": lambda: np.full((1, 13, 8), 1j),
    "strided": lambda: np.zeros((1, 13, 16))[:, :, ::2],
    "Fortran": lambda: np.asfortranarray(np.zeros((1, 13, 8))),
    "lists": lambda: np.zeros((1, 13, 8)).tolist(),
    "read-only": lambda: read_only(np.zeros((1, 13, 8))),
} | ARRAYS

GENES = {
    "rows": lambda: genome()().genes,
    "backwards": lambda: genome()().genes[::-1],
    "doubled": lambda: np.repeat(genome()().genes, 2, axis=0),
    "of nan": lambda: np.full((2, 5), math.nan),
    "10**400": lambda: [[10**400, 0, 3, 1.0, 1]],
    "2**31 - 1": lambda: [[2**31 - 1, 0, 2**31 - 1, 1.0, 1]],
    "one row": lambda: [0, 0, 3, 1.0, 1],
    "six columns": lambda: np.zeros((2, 6)),
    "texts": lambda: [["0", "0", "3", "1", "1"]],
    "shape (0, 7)": lambda: np.empty((0, 7)),
    "shape (1, 1, 5)": lambda: np.array([[[0, 0, 3, 1.0, 1]]]),
} | ARRAYS


def walker_strategy(scores):
    """A custom strategy that returns these scores."""

    class Own(selection.Strategy):
        def score(self, outcomes, among=None):
            return scores(len(outcomes.fitness))

    return Own


STRATEGIES = {
    "None": value(None),
    "text": value("novelty"),
    "5": value(5),
    "[]": list,
    "class": lambda: selection.Novelty,
    "object()": object,
    "scores None": walker_strategy(lambda size: None),
    "scores nan": walker_strategy(lambda size: np.full(size, math.nan)),
    "too few scores": walker_strategy(lambda size: np.zeros(max(0, size - 1))),
    "too many scores": walker_strategy(lambda size: np.zeros(size + 1)),
    "scores text": walker_strategy(lambda size: "x" * size),
    "a list of classes": lambda: [selection.Novelty],
    "a list of None": lambda: [None],
    "two": lambda: [selection.Novelty(), selection.Objective()],
    "wide": lambda: selection.SurpriseRandom(bounds=((0, 0, 0), (1, 1, 1))),
    "many clusters": lambda: selection.Surprise(clusters=50),
    "a heatmap": lambda: selection.Surprise(deviation="heatmap", bounds=((0, 0), (1, 1))),
}

SELECTORS = {
    "None": value(None),
    "text": value("best"),
    "gives None": lambda: lambda individuals, k: None,
    "gives numbers": lambda: lambda individuals, k: list(range(k)),
    "gives one": lambda: lambda individuals, k: individuals[0],
    "gives too many": lambda: lambda individuals, k: individuals * 3,
    "gives strangers": lambda: lambda individuals, k: [object()],
    "selNSGA2": lambda: tools.selNSGA2,
    "selRoulette": lambda: tools.selRoulette,
    "selSPEA2": lambda: tools.selSPEA2,
    "selLexicase": lambda: tools.selLexicase,
    "selTournamentDCD": lambda: tools.selTournamentDCD,
    "a number's": lambda: len,
}


def toolbox_with(**operators):
    def make():
        made = toolbox()
        for name, operator in operators.items():
            made.register(name, operator) if operator else made.unregister(name)
        return made

    return make


TOOLBOXES = {
    "None": value(None),
    "text": value("toolbox"),
    "class": lambda: base.Toolbox,
    "empty": base.Toolbox,
    "no evaluate": toolbox_with(evaluate=None),
    "no mate": toolbox_with(mate=None),
    "no select": toolbox_with(select=None),
    "evaluates to None": toolbox_with(evaluate=lambda walker: None),
    "evaluates to a number": toolbox_with(evaluate=lambda walker: 1.0),
    "evaluates to a tuple": toolbox_with(evaluate=lambda walker: (1.0,)),
    "evaluates to nan": toolbox_with(evaluate=lambda walker: divergent.Outcome((math.nan,), (0.0, 1.0))),
    "evaluates to text": toolbox_with(evaluate=lambda walker: "ab"),
    "evaluates to nothing": toolbox_with(evaluate=lambda walker: ()),
    "selects None": toolbox_with(select=lambda individuals, k: None),
    "selects no individual": toolbox_with(select=lambda individuals, k: []),
    "mates to None": toolbox_with(mate=lambda a, b: None),
    "breeds None": toolbox_with(breed=lambda a, b: None),
    "maps to nothing": toolbox_with(map=lambda function, items: []),
}


def state_with(maker, name, change):
    def make():
        state = copy.deepcopy(maker())
        found = change(state.get(name)) if isinstance(state, dict) else None
        if found is KeyError:
            del state[name]
        else:
            state[name] = found
        return state

    return make


def hostile_states(maker):
    """States as `state` gave them with one part changed."""
    found: dict[str, Callable[[], Any]] = {
        "None": value(None),
        "text": value("text"),
        "5": value(5),
        "[]": list,
        "{}": dict,
        "object()": object,
    }
    array = {"array": [1.0, 2.0, 3.0], "shape": [1, 3], "dtype": "<f8"}
    changes = {
        "gone": lambda old: KeyError,
        "None": lambda old: None,
        "text": lambda old: "x",
        "-1": lambda old: -1,
        "nan": lambda old: math.nan,
        "10**400": lambda old: 10**400,
        "[]": lambda old: [],
        "{}": lambda old: {},
        "[None]": lambda old: [None],
        "[[0, 1]]": lambda old: [[0, 1]],
        "another array": lambda old: array,
        "a list of arrays": lambda old: [array, array],
        "of a wrong shape": lambda old: array | {"shape": [7, 7]},
        "of a shape of texts": lambda old: array | {"shape": "x"},
        "of no type": lambda old: array | {"dtype": "nonsense"},
        "of objects": lambda old: array | {"dtype": "O"},
        "of nan": lambda old: array | {"array": [math.nan, 1.0, 2.0]},
        "doubled": lambda old: old * 2 if isinstance(old, list) else old,
        "shortened": lambda old: old[:-1] if isinstance(old, list) else old,
        "of large numbers": lambda old: [10**9 for _ in old] if isinstance(old, list) else old,
        "negated": lambda old: [-1 for _ in old] if isinstance(old, list) else old,
    }
    for name in maker():
        for label, change in changes.items():
            found[f"{name} {label}"] = state_with(maker, name, change)
    return found


def learnt(strategy):
    for _ in range(3):
        strategy.score_generation(outcomes()())
    return strategy


LEARNING = {
    "Novelty": lambda: selection.Novelty(neighbours=3, threshold=6.0, scale="range", clusters=3, rng=rng()),
    "Surprise": lambda: selection.Surprise(clusters=4, archived=2, rng=rng()),
    "Surprise(heatmap)": lambda: selection.Surprise(deviation="heatmap", bounds=((0, 0), (100, 100)), rng=rng()),
    "SurpriseNoPrediction": lambda: selection.SurpriseNoPrediction(clusters=4, scale="std", rng=rng()),
    "SurpriseRandom": lambda: selection.SurpriseRandom(clusters=4, bounds=((0, 0), (100, 100)), rng=rng()),
    "Random": lambda: selection.Random(rng=rng()),
    "LocalCompetition": lambda: selection.LocalCompetition(neighbours=3, threshold=6.0, rng=rng()),
    "DominatedNovelty": lambda: selection.DominatedNovelty(neighbours=3, rng=rng()),
    "NoveltyAndSurprise": lambda: selection.NoveltyAndSurprise(neighbours=3, clusters=4, rng=rng()),
    "NoveltyWithCompetition": lambda: selection.NoveltyWithCompetition(neighbours=3, rng=rng()),
    "SurpriseWithCompetition": lambda: selection.SurpriseWithCompetition(neighbours=3, clusters=4, rng=rng()),
    "CoupledWithCompetition": lambda: selection.CoupledWithCompetition(neighbours=3, clusters=4, rng=rng()),
    "NoveltySurpriseAndCompetition": lambda: selection.NoveltySurpriseAndCompetition(clusters=4, rng=rng()),
    "NSGA2Ranking": lambda: selection.NSGA2Ranking([selection.Objective(), selection.Novelty(rng=rng())]),
    "Objective": selection.Objective,
    "Blend": lambda: selection.Blend({selection.Objective(): 1.0, selection.Novelty(): 1.0}),
}

INNOVATIONS = hostile_states(lambda: neat.Innovations(genomes()).state())
TEXTS = {
    "None": value(None),
    "5": value(5),
    "[]": list,
    "''": str,
    "text": value("text"),
    "bytes": value(b"\xff\xfe"),
    "null": value("null"),
    "NaN": value("NaN"),
    "deep": lambda: "[" * 100_000,
    "object()": object,
    "a number": value("1e999"),
    "digits": value("9" * 5000),
    "a tuple": lambda: ("hard",),
    "missing": lambda: "no/such/file.txt",
    "folder": lambda: "/",
    "zero byte": lambda: "a\0b",
    "generated:-1": value("generated:-1"),
    "generated:": value("generated:"),
    "generated:9...": lambda: "generated:" + "9" * 5000,
    "long": lambda: "x" * 100_000,
    "lone surrogate": value("\ud800"),
}


def json_with(**parts):
    return lambda: json.dumps(json.loads(genome()().to_json()) | parts)


JSON = TEXTS | {
    f"{name} {part!r:.30}": json_with(**{name: part})
    for name in ("version", "inputs", "outputs", "hidden", "connections", "bias_node", "hidden_activation", "fitness")
    for part in (
        None,
        -1,
        0,
        1.5,
        "x",
        [],
        {},
        True,
        [None],
        [[0, 0, 3, 1.0, True]],
        [[0, 0, 3, 1e999, True]],
        [[10**400, 0, 3, 1.0, True]],
        10**400,
        2**40,
        [5, 5],
        [10**9],
    )
}

POOLS: dict[str, dict[str, Callable[[], Any]]] = {
    "nothing": {"None": value(None)},
    "own genome": {name: make for name, make in GENOMES.items() if isinstance(make(), divergent.Genome)},
    "own maze": {name: make for name, make in MAZES.items() if isinstance(make(), maze.Maze)},
    "scalar": SCALARS,
    "array": ARRAYS,
    "genome": GENOMES,
    "population": POPULATIONS,
    "walkers": WALKERS,
    "outcomes": OUTCOMES,
    "maze": MAZES,
    "weights": WEIGHTS,
    "genes": GENES,
    "strategy": STRATEGIES,
    "select": SELECTORS,
    "toolbox": TOOLBOXES,
    "text": TEXTS,
    "json": JSON,
    "innovations": INNOVATIONS,
    "species": hostile_states(lambda: divided().state()),
    **{name: hostile_states(lambda maker=maker: learnt(maker()).state()) for name, maker in LEARNING.items()},
}


# -------------------------------------------------------------------------------------------------------- right answers


def anything(answer):
    return True


def nothing(answer):
    return answer is None


def all_finite(answer):
    return bool(np.isfinite(np.asarray(answer, dtype=float)).all())


def no_nan(answer):
    return not bool(np.isnan(np.asarray(answer, dtype=float)).any())


def at_least_0(answer):
    return all_finite(answer) and bool((np.asarray(answer) >= 0).all())


def clustered(answer):
    centroids, labels = answer
    return all_finite(centroids) and bool(((labels >= 0) & (labels < len(centroids))).all())


def sensed(answer):
    return answer.shape == (11,) and all_finite(answer) and bool(((answer >= 0) & (answer <= 1)).all())


def driven(answer):
    return (
        all_finite(answer.end)
        and all_finite(answer.heading)
        and answer.steps >= 0
        and (answer.trail is None or all_finite(answer.trail))
    )


def outcome_of(answer):
    return all_finite(answer) and all_finite(answer.behaviour)


def sound(answer):
    """Whether a genome, or each of several, has genes that may be."""
    several = answer if isinstance(answer, tuple) else (answer,)
    return all(len(divergent.Genome(one.genes, one.inputs, one.outputs)) == len(one.genes) for one in several)


def path(answer):
    length, points = answer
    return length >= 0 and all_finite(length) and all_finite(points)


def stepped(answer):
    return all(step.evaluations >= 0 and len(step.population) >= 0 for step in answer)


# -------------------------------------------------------------------------------------------------------------- targets


def numbers(function, names, given=(), right=anything):
    """A target all of whose arguments are numbers by keyword, with none of them but the `given` ones good."""
    arguments = {name: (value(None), "scalar") for name in names}
    missing = object()

    def call(**found):
        return function(**{name: one for name, one in found.items() if one is not missing})

    return call, {name: (value(missing), kind) for name, (_, kind) in arguments.items()} | dict(given), right


def constructor(name, function, names, given=None):
    call, arguments, right = numbers(function, names, given or {})
    return Target(name, call, arguments, right)


def operator_target(operator, options, **fixed):
    def call(genome, **found):
        return operator(
            genome,
            **{name: one for name, one in found.items() if one is not NOT_GIVEN},
            **{name: make() for name, make in fixed.items()},
        )

    arguments = {"genome": (genome(), "genome")} | {name: (value(NOT_GIVEN), "scalar") for name in options}
    return Target(operator.__name__, call, arguments, sound)


NOT_GIVEN = object()


def changed(species, method):
    """A method of species that were divided before."""
    return lambda **arguments: getattr(species(), method)(**arguments)


def before_assign(method, *arguments):
    return lambda unused=None: getattr(neat.Species(rng=rng()), method)(*arguments)


def restored(strategy, state):
    made = strategy()
    made.restore(state)
    first = made.score(outcomes()())
    made.learn(outcomes()())
    return np.concatenate([first, made.score_generation(outcomes()())])


def restored_species(state):
    species = divided()
    species.restore(state, genomes())
    species.respeciate()
    species.select_parents(np.arange(8.0))
    return [species.replace(genome()(), np.arange(9.0)), *species.allocate_offspring(np.arange(8.0), 10)]


def restored_innovations(state):
    innovations = neat.Innovations()
    innovations.restore(state)
    one = genome()()
    for _ in range(5):
        neat.mutate(one, innovations=innovations, node_rate=0.5, connection_rate=1.0, rng=rng())
    return one


def assigned(genes):
    one = genome()()
    one.genes = genes
    return one.recurrent, one


def some(steps):
    return list(itertools.islice(steps, 40))


def strategy_targets() -> Iterator[Target]:
    for name, make in LEARNING.items():
        right = no_nan if name == "Objective" else all_finite  # fitness may be infinite
        yield Target(
            f"{name}.restore",
            lambda state, make=make: restored(make, state),
            {"state": (lambda make=make: learnt(make()).state(), name)},
            right,
        )
        for learned, who in ((lambda make=make: learnt(make()), f"{name} that has learnt"), (make, name)):
            yield Target(
                f"{who}.score",
                lambda outcomes, among, learned=learned: learned().score(outcomes, among),
                {"outcomes": (outcomes(), "outcomes"), "among": (value(None), "outcomes")},
                right,
            )
            yield Target(
                f"{who}.follow",
                lambda outcomes, learned=learned: learned().score_generation(outcomes),
                {"outcomes": (outcomes(), "outcomes")},
                right,
            )
        yield Target(
            f"{name}.__call__",
            lambda individuals, make=make: make()(individuals),
            {"individuals": (walked, "walkers")},
            right,
        )


def selection_targets() -> Iterator[Target]:
    yield Target(
        "kmeans",
        selection.kmeans,
        {"behaviours": (rows(), "array"), "seeds": (rows(4), "array"), "iterations": (value(9), "scalar")},
        clustered,
    )
    for width in (2, 3, 9, 80):
        good = {
            "points": (rows(500, width), "array"),
            "queries": (rows(12, width), "array"),
            "count": (value(3), "scalar"),
            "among": (rows(5, width), "array"),
            "distance": (value("euclidean"), "scalar"),
        }
        yield Target(
            f"Points.mean_nearest of {width}",
            lambda points, queries, count, among, distance: NeighbourIndex(points, distance).mean_nearest(
                queries, count, among
            ),
            good,
            at_least_0,
        )
        without = {name: one for name, one in good.items() if name != "among"}
        yield Target(
            f"Points.mean_nearest_of_all of {width}",
            lambda points, queries, count, distance: NeighbourIndex(points, distance).mean_nearest_of_all(
                queries, count
            ),
            without,
            at_least_0,
        )
        yield Target(
            f"NeighbourIndex.select_by_threshold of {width}",
            lambda points, queries, threshold: NeighbourIndex(points).select_by_threshold(queries, threshold),
            {"points": good["points"], "queries": good["queries"], "threshold": (value(3.0), "scalar")},
            anything,
        )
        yield Target(
            f"Points.extended of {width}",
            lambda points, queries, width=width: (
                NeighbourIndex(rows(500, width)()).extended(points).mean_nearest(queries, 3)
            ),
            {"points": (rows(600, width), "array"), "queries": good["queries"]},
            at_least_0,
        )
    yield Target(
        "Nearest",
        lambda neighbours, distance, behaviours, predictions: selection.Nearest(neighbours, distance)(
            behaviours, predictions
        ),
        {
            "neighbours": (value(2), "scalar"),
            "distance": (value("cityblock"), "scalar"),
            "behaviours": (rows(), "array"),
            "predictions": (rows(5), "array"),
        },
        at_least_0,
    )
    good = {
        "bounds": (value(((0, 0), (100, 100))), "array"),
        "cells": (value(3), "scalar"),
        "behaviours": (rows(), "array"),
    }
    yield Target(
        "GridPartition",
        lambda bounds, cells, behaviours: GridPartition(bounds, cells).cell_indices(behaviours),
        good,
        at_least_0,
    )
    yield Target(
        "Heatmap",
        lambda bounds, cells, behaviours, predictions: selection.Heatmap(bounds, cells)(behaviours, predictions),
        good | {"predictions": (rows(9, 1), "array")},
        all_finite,
    )

    def scale(kind, behaviours):
        made = Scale(kind)
        made.learn(behaviours)
        return made.factors()

    yield Target("Scale", scale, {"kind": (value("range"), "scalar"), "behaviours": (rows(), "array")}, all_finite)
    for name, predictor in (selection.PREDICTORS | {"least_squares": selection.least_squares}).items():
        yield Target(name, predictor, {"tracks": (tracks, "array")}, all_finite)
    yield Target("linear of tracks", selection.linear, {"tracks": (tracks, "weights")}, all_finite)
    yield Target(
        "polynomial",
        lambda degree: selection.polynomial(degree)(tracks()),
        {"degree": (value(2), "scalar")},
        all_finite,
    )

    def fitted(predictor, estimator, tracks):
        from sklearn.linear_model import LinearRegression

        return predictor(LinearRegression() if estimator is NOT_GIVEN else estimator)(tracks)

    for predictor in (selection.regressor, selection.shared):
        yield Target(
            predictor.__name__,
            partial(fitted, predictor),
            {"estimator": (value(NOT_GIVEN), "scalar"), "tracks": (tracks, "array")},
            all_finite,
        )
    yield constructor(
        "Novelty",
        selection.Novelty,
        tuple(inspect.signature(selection.Novelty).parameters),
    )
    for made in (
        selection.LocalCompetition,
        selection.DominatedNovelty,
        selection.NoveltyAndSurprise,
        selection.NoveltyWithCompetition,
        selection.SurpriseWithCompetition,
        selection.CoupledWithCompetition,
        selection.NoveltySurpriseAndCompetition,
    ):
        yield constructor(made.__name__, made, tuple(inspect.signature(made).parameters))
    yield Target(
        "Novelty in use",
        lambda **given: learnt(selection.Novelty(**given)).score(outcomes()()),
        {
            "distance": (value("cityblock"), "scalar"),
            "threshold": (value(1.0), "scalar"),
            "archived": (value(2), "scalar"),
            "neighbours": (value(3), "scalar"),
        },
        all_finite,
    )
    yield constructor(
        "Surprise",
        selection.Surprise,
        (
            "clusters",
            "neighbours",
            "history",
            "predictor",
            "clustering",
            "deviation",
            "distance",
            "bounds",
            "groups",
            "scale",
            "archived",
            "archive_size",
            "keep_empty_clusters",
            "rng",
        ),
    )
    yield Target(
        "Surprise in use",
        lambda **given: learnt(selection.Surprise(**given)).score(outcomes()()),
        {
            "clusters": (value(4), "scalar"),
            "neighbours": (value(2), "scalar"),
            "history": (value(3), "scalar"),
            "predictor": (value("linear"), "scalar"),
            "clustering": (value(selection.kmeans), "scalar"),
            "deviation": (value("nearest"), "scalar"),
            "distance": (value("cityblock"), "scalar"),
            "groups": (value(None), "scalar"),
        },
        all_finite,
    )
    yield constructor(
        "SurpriseNoPrediction",
        selection.SurpriseNoPrediction,
        ("clusters", "neighbours", "clustering", "distance", "scale", "keep_empty_clusters", "rng"),
    )
    yield constructor(
        "SurpriseRandom",
        selection.SurpriseRandom,
        ("clusters", "neighbours", "distance", "rng"),
        {"bounds": (value(((0, 0), (9, 9))), "array")},
    )
    yield constructor("Random", selection.Random, ("rng",))
    yield Target(
        "Blend",
        lambda strategy, weight: learnt(selection.Blend({strategy: weight})).score(outcomes()()),
        {"strategy": (selection.Objective, "strategy"), "weight": (value(1.0), "scalar")},
        all_finite,
    )
    yield Target(
        "Blend of",
        lambda parts: selection.Blend(parts),
        {"parts": (lambda: {selection.Objective(): 1.0}, "scalar")},
        anything,
    )
    good = {
        "individuals": (walked, "walkers"),
        "k": (value(4), "scalar"),
        "strategy": (selection.Novelty, "strategy"),
        "select": (value(tools.selBest), "select"),
    }
    yield Target("by_score", divergent.by_score, good, lambda chosen: all(isinstance(one, Walker) for one in chosen))
    yield Target(
        "check_strategy",
        selection.check_strategy,
        {
            "strategy": (selection.Objective, "strategy"),
            "individuals": (value(12), "scalar"),
            "dimensions": (value(2), "scalar"),
            "seed": (value(0), "scalar"),
        },
        nothing,
        (AssertionError,),
    )
    yield from strategy_targets()


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
        "express", lambda genome: neat.express(genome)(np.zeros(3)), {"genome": (genome(), "genome")}, all_finite
    )

    def registered(**given):
        made = base.Toolbox()
        neat.register(made, **{name: one for name, one in given.items() if one is not NOT_GIVEN})
        first, second = made.population(n=2)
        return made.breed(first, second)

    options = (
        "preset",
        "hidden",
        "genome",
        "innovations",
        "rng",
        "average",
        "disable",
        "inherit",
        "fit_attr",
        "node_rate",
        "connection_rate",
        "weight_rate",
        "power",
        "limit",
        "bias",
        "recurrent",
        "loop",
        "delete_node_rate",
        "delete_connection_rate",
        "feed_forward",
        "weight_range",
        "output_activation",
        "bias_node",
        "mutate_only",
        "mate_only",
        "nonsense",
    )
    yield Target(
        "register",
        registered,
        {"inputs": (value(3), "scalar"), "outputs": (value(2), "scalar")}
        | {name: (value(NOT_GIVEN), "scalar") for name in options},
        sound,
    )
    yield operator_target(
        neat.mutate,
        (
            "node_rate",
            "connection_rate",
            "weight_rate",
            "toggle_rate",
            "reenable_rate",
            "delete_node_rate",
            "delete_connection_rate",
            "feed_forward",
            "power",
            "limit",
            "severe",
            "out_weight",
            "bias",
            "recurrent",
            "loop",
        ),
        innovations=neat.Innovations,
        rng=rng,
    )
    yield operator_target(
        neat.mutate_weights,
        ("power", "limit", "severe", "perturb", "replace", "tail", "tail_perturb", "tail_replace"),
        rng=rng,
    )
    yield operator_target(
        neat.add_node, ("in_weight", "out_weight", "bias", "tries"), innovations=neat.Innovations, rng=rng
    )
    yield operator_target(
        neat.add_connection, ("recurrent", "loop", "width", "tries"), innovations=neat.Innovations, rng=rng
    )
    yield operator_target(neat.delete_connection, (), rng=rng)
    yield operator_target(neat.delete_node, (), rng=rng)
    yield operator_target(neat.toggle, (), rng=rng)
    yield operator_target(neat.reenable, ())
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
    yield constructor(
        "Species",
        neat.Species,
        ("target", "threshold", "adjust", "floor", "fraction", "interspecies", "disjoint", "excess", "weight", "rng"),
    )
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
        lambda chosen: all(hasattr(one, "genes") for one in chosen),
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
        lambda found: all(hasattr(one, "genes") for one in found),
    )
    yield Target(
        "Reproduction of options",
        lambda **given: following(genomes(), **given),
        {name: (value(0.5), "scalar") for name in ("threshold", "adjust", "fraction", "interspecies", "weight")}
        | {"rng": (rng, "scalar")},
        lambda found: len(found) == 8,
    )
    yield Target(
        "Reproduction.restore",
        lambda state: neat.Reproduction().restore(state),
        {"state": (lambda: neat.Reproduction(divided()).state(), "species")},
        nothing,
    )


def maze_targets() -> Iterator[Target]:
    yield Target("maze_names", lambda unused: maze.maze_names(), {"unused": (value(None), "nothing")})
    of_files = (OSError,)
    yield Target("read_maze", maze.read_maze, {"name_or_path": (value("hard"), "text")}, anything, of_files)
    yield Target(
        "generate_maze",
        maze.generate_maze,
        {"seed": (value(3), "scalar"), "subdivisions": (value(3), "scalar")},
        lambda answer: len(answer.walls) >= 4,
    )
    yield Target("check_maze", maze.check_maze, {"maze": (box, "maze")}, nothing)
    yield Target("Maze.bounds", lambda maze: maze.bounds, {"maze": (box, "own maze")}, anything)
    yield Target("shortest_path", maze.shortest_path, {"maze": (box, "maze"), "radius": (value(8.0), "scalar")}, path)
    yield Target(
        "warn_if_goal_unreachable", maze.warn_if_goal_unreachable, {"maze": (box, "maze")}, nothing, (UserWarning,)
    )
    yield Target(
        "sense",
        maze.sense,
        {
            "maze": (box, "maze"),
            "position": (value((20.0, 20.0)), "array"),
            "heading": (value(0.0), "scalar"),
            "robot": (value("six-rangefinder"), "scalar"),
        },
        sensed,
    )
    yield Target(
        "sense at",
        lambda x, y: maze.sense(box(), (x, y), 0.0),
        {"x": (value(20.0), "scalar"), "y": (value(20.0), "scalar")},
        sensed,
    )
    yield Target(
        "step",
        maze.step,
        {
            "pose": (value(maze.Pose(20.0, 20.0, 0.0)), "array"),
            "outputs": (value((0.5, 1.0)), "array"),
            "maze": (box, "maze"),
        },
        all_finite,
    )
    yield Target(
        "step from",
        lambda turned, accelerated, **pose: maze.step(maze.Pose(**pose), (turned, accelerated), box()),
        {name: (value(1.0), "scalar") for name in (*maze.Pose._fields, "turned", "accelerated")},
        all_finite,
    )
    yield Target(
        "drive",
        maze.drive,
        {
            "controller": (network(), "scalar"),
            "maze": (box, "maze"),
            "steps": (value(30), "scalar"),
            "trail": (value(True), "scalar"),
            "robot": (value("five-rangefinder"), "scalar"),
        },
        driven,
    )
    yield Target(
        "drive by weights",
        lambda weights, inputs, outputs: maze.drive(neat.Network(weights, inputs, outputs), box(), 30),
        {
            "weights": (lambda: np.zeros((1, 13, 8)), "weights"),
            "inputs": (value(11), "scalar"),
            "outputs": (value(2), "scalar"),
        },
        driven,
    )
    yield Target(
        "drive by outputs",
        lambda outputs: maze.drive(lambda inputs: outputs, box(), 30),
        {"outputs": (value((0.5, 1.0)), "array")},
        driven,
    )
    yield Target(
        "drive by numbers",
        lambda turned, accelerated: maze.drive(lambda inputs: (turned, accelerated), box(), 30),
        {"turned": (value(0.5), "scalar"), "accelerated": (value(1.0), "scalar")},
        driven,
    )
    yield Target(
        "MazeTask",
        lambda genome, **given: maze.MazeTask(**given)(genome),
        {
            "genome": (genome(11, 2), "genome"),
            "maze": (box, "maze"),
            "steps": (value(30), "scalar"),
            "samples": (value(3), "scalar"),
            "robot": (value("six-rangefinder"), "scalar"),
        },
        outcome_of,
    )
    yield Target(
        "MazeTask of",
        lambda maze_name: maze.MazeTask(maze_name),
        {"maze_name": (value("hard"), "text")},
        anything,
        of_files,
    )
    yield Target(
        "MazeTask.rollout",
        lambda genome: maze.MazeTask(box(), 30).rollout(genome),
        {"genome": (genome(11, 2), "genome")},
        driven,
    )
    yield Target(
        "MazeTask.many",
        lambda individuals: maze.MazeTask(box(), 30).many(individuals),
        {"individuals": (lambda: [genome(11, 2)()], "population")},
        lambda answer: all(map(outcome_of, answer)),
    )
    yield Target(
        "MazeTask.solved",
        lambda values: maze.MazeTask(box(), 30).solved(values),
        {"values": (value((3.0,)), "array")},
        lambda answer: answer in (True, False),
    )


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
    yield Target("evolve", lambda **given: some(divergent.evolve(**given)), good | rates, stepped)
    more = {
        "strategy": (selection.Novelty, "strategy"),
        "species": (value(None), "scalar"),
        "learn_from": (value(None), "scalar"),
        "refresh": (value(None), "scalar"),
    }
    yield Target("steady_state", lambda **given: some(divergent.steady_state(**given)), good | more, stepped)


def targets() -> list[Target]:
    """Every public function, in order."""
    return [*selection_targets(), *neat_targets(), *maze_targets(), *top_targets()]


# --------------------------------------------------------------------------------------------------------------- calls


class Call(NamedTuple):
    target: Target
    hostile: dict[str, str]
    """By argument the name of what it is replaced with."""

    def __str__(self) -> str:
        return f"{self.target.name}({', '.join(f'{name}={what:.40}' for name, what in self.hostile.items())})"

    def make(self) -> dict[str, Any]:
        kinds = self.target.arguments
        return {
            name: POOLS[kinds[name][1]][self.hostile[name]]() if name in self.hostile else good()
            for name, (good, _) in kinds.items()
        }


def calls(count: int, seed: int) -> list[Call]:
    """Every argument once with every hostile value, in an order decided by the seed; then two at a time."""
    draw = random.Random(seed)
    found = targets()
    singles = [
        Call(target, {name: what})
        for target in found
        for name, (_, kind) in target.arguments.items()
        for what in POOLS[kind]
    ]
    draw.shuffle(singles)
    wide = [target for target in found if len(target.arguments) > 1]
    while len(singles) < count:
        target = draw.choice(wide)
        names = draw.sample(sorted(target.arguments), 2)
        singles.append(Call(target, {name: draw.choice(list(POOLS[target.arguments[name][1]])) for name in names}))
    return singles[:count]


def attempt(call: Call) -> Result:
    """Make one call in this process."""
    arguments = call.make()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.filterwarnings("ignore", r".*(have drifted|uses values\[0\])")  # advice, given on purpose
            answer = call.target.function(**arguments)
            right = call.target.right(answer)
    except call.target.expected as error:
        return Result(str(call), OWN, str(error))
    except (ValueError, TypeError) as error:
        if "numba" in type(error).__module__ or not str(error):
            return Result(str(call), f"{type(error).__name__} without a sentence", str(error))
        return Result(str(call), OWN if _raised_on_purpose(error) else BORROWED, f"{type(error).__name__}: {error}")
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        return Result(str(call), type(error).__name__, f"{error!s:.200} ({Path(where.filename).name}:{where.lineno})")
    return Result(str(call), RIGHT) if right else Result(str(call), "wrong answer", f"{answer!r:.200}")


def _raised_on_purpose(error: BaseException) -> bool:
    """Whether a sentence is one of the package's own."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    return "divergent" in Path(where.filename).parts and "raise " in linecache.getline(
        where.filename, where.lineno or 0
    )


def survey(count: int, seed: int) -> Iterator[Result]:
    """Make the calls in child processes; a new child goes on after one that was killed."""
    begin = 0
    names = [str(call) for call in calls(count, seed)]
    while begin < count:
        command = [sys.executable, __file__, "child", *map(str, (count, seed, begin))]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
            for line in child.stdout or ():
                yield Result(*json.loads(line))
                begin += 1
        if child.returncode < 0:
            kind = "time-out" if -child.returncode == signal.SIGPROF else signal.Signals(-child.returncode).name
            yield Result(names[begin], kind)
            begin += 1
        elif child.returncode:
            raise RuntimeError(f"the child that should make the call {names[begin]} failed, status {child.returncode}")


def fuzz(count: int, seed: int) -> Iterator[Result]:
    """The calls that neither gave a right answer nor raised a clear error."""
    return (result for result in survey(count, seed) if result.found)


def _child(count: int, seed: int, begin: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    for call in calls(count, seed)[begin:]:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        with contextlib.redirect_stdout(io.StringIO()):
            result = attempt(call)
        signal.setitimer(signal.ITIMER_PROF, 0)
        print(json.dumps(result), flush=True)


def main(count: int = 2000, seed: int = 0) -> None:
    results = []
    for result in survey(count, seed):
        results.append(result)
        if result.found:
            print(f"{result.call}: {result.kind}: {result.text}", flush=True)
    print(f"{len(results)} calls of {len(targets())} functions")
    for kind, number in Counter(result.kind for result in results).most_common():
        print(f"{number:6} {kind}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["child"]:
        _child(*map(int, sys.argv[2:]))
    else:
        main(*map(int, sys.argv[1:]))
