"""Small problems of every kind of individual, for tests of runs: lists, arrays, sets, trees and NEAT genomes."""

import operator
import random
from functools import partial

import numpy as np
from deap import base, creator, gp, tools

import divergent
from divergent import Outcome, Problem, neat
from divergent.selection import Novelty

if not hasattr(creator, "SampleMax"):  # the doctest collector imports this module a second time
    creator.create("SampleMax", divergent.Fitness, weights=(1.0,))
    creator.create("SampleMin", divergent.Fitness, weights=(-1.0,))
    creator.create("SampleTwo", divergent.Fitness, weights=(-1.0, 1.0))
    creator.create("SampleWalk", list, fitness=creator.SampleMin)
    creator.create("SampleBits", np.ndarray, fitness=creator.SampleMax)
    creator.create("SampleBag", set, fitness=creator.SampleTwo)
    creator.create("SampleTree", gp.PrimitiveTree, fitness=creator.SampleMin)

ITEMS = {number: (1 + number % 7, float(number * 13 % 11)) for number in range(15)}
POINTS = np.linspace(-1, 1, 8)


def population_of(toolbox, make):
    toolbox.register("individual", make)
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)


def walk_toolbox(rng):
    """Lists: steps in the plane, with the end of the walk as behaviour; drawn from the module random."""
    toolbox = base.Toolbox()
    population_of(toolbox, lambda: creator.SampleWalk(random.gauss(0, 1) for _ in range(6)))
    toolbox.register(
        "evaluate", lambda walk: Outcome((abs(sum(walk) - 20),), behaviour=(sum(walk[::2]), sum(walk[1::2])))
    )
    toolbox.register("mate", tools.cxTwoPoint)
    toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=1, indpb=0.5)
    return toolbox


def bits_toolbox(rng):
    """Arrays: bits, drawn from the generator of the run and from numpy.random."""
    toolbox = base.Toolbox()
    population_of(toolbox, lambda: creator.SampleBits(rng.integers(0, 2, 12, dtype=np.int8)))
    toolbox.register("evaluate", lambda bits: Outcome((float(bits.sum()),), behaviour=bits[:4].astype(float)))

    def cross(first, second):
        place = np.random.randint(1, 12)  # noqa: NPY002
        first[place:], second[place:] = second[place:].copy(), first[place:].copy()
        return first, second

    def flip(bits):
        bits[rng.random(12) < 0.1] ^= 1
        return (bits,)

    toolbox.register("mate", cross)
    toolbox.register("mutate", flip)
    return toolbox


def bag_toolbox(rng):
    """Sets: a knapsack with two fitness values."""
    toolbox = base.Toolbox()
    population_of(toolbox, lambda: creator.SampleBag(random.sample(sorted(ITEMS), 4)))

    def evaluate(bag):
        weight, value = (sum(ITEMS[item][place] for item in bag) for place in (0, 1))
        return Outcome((weight, value), behaviour=(weight, value))

    def cross(first, second):
        kept = set(first)
        first &= second
        second ^= kept
        return first, second

    def change(bag):
        bag ^= {random.choice(sorted(ITEMS))}
        return (bag,)

    toolbox.register("evaluate", evaluate)
    toolbox.register("mate", cross)
    toolbox.register("mutate", change)
    toolbox.register("select", tools.selNSGA2)
    return toolbox


def tree_toolbox(rng):
    """Trees of genetic programming with ephemeral constants."""
    known = gp.PrimitiveSet("sample", 1)
    known.addPrimitive(operator.add, 2)
    known.addPrimitive(operator.mul, 2)
    known.addPrimitive(operator.neg, 1)
    known.addEphemeralConstant("constant", partial(random.uniform, -1, 1))
    toolbox = base.Toolbox()
    population_of(toolbox, lambda: creator.SampleTree(gp.genHalfAndHalf(known, 1, 3)))

    def evaluate(tree):
        function = gp.compile(tree, known)
        errors = np.clip([function(x) - x * x - 0.5 for x in POINTS], -1e3, 1e3)
        return Outcome((float(np.abs(errors).mean()),), behaviour=errors)

    toolbox.register("evaluate", evaluate)
    toolbox.register("mate", gp.cxOnePoint)
    toolbox.register("mutate", gp.mutUniform, expr=partial(gp.genFull, min_=0, max_=2), pset=known)
    for name in ("mate", "mutate"):
        toolbox.decorate(name, gp.staticLimit(len, 40))
    return toolbox


def genome_toolbox(rng):
    """NEAT genomes with species."""
    toolbox = base.Toolbox()
    neat.register(toolbox, inputs=2, outputs=1, rng=rng)

    def evaluate(genome):
        network = neat.express(genome)
        answers = [float(network(case)[0]) for case in ((0, 1), (1, 0), (1, 1))]
        return Outcome((answers[0] - answers[2],), behaviour=answers)

    toolbox.register("evaluate", evaluate)
    return toolbox


SMALL = {"population": 12, "generations": 9}
WALK = Problem(
    "walk",
    walk_toolbox,
    solved=lambda values: values[0] < 0.05,
    defaults=SMALL,
    axes=("x", "y"),
    limits=((-20, 20), (-20, 20)),
    searches={"novelty": partial(Novelty, neighbours=3), "objective": divergent.selection.Objective},
)
BITS = Problem("bits", bits_toolbox, defaults=SMALL)
BAG = Problem("bag", bag_toolbox, defaults=SMALL)
TREE = Problem("tree", tree_toolbox, defaults=SMALL)
GENOME = Problem("genome", genome_toolbox, defaults=SMALL, species=lambda rng: neat.Species(target=3, rng=rng))
PROBLEMS = {problem.name: problem for problem in (WALK, BITS, BAG, TREE, GENOME)}
