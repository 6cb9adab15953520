"""NEAT as published by Stanley and Miikkulainen in 2002, on XOR and double pole balancing as in their article.

The command `divergent run benchmarks/neat2002.py --problem "exclusive or" --runs 100` executes the runs of XOR. The
problems "two poles" (100 runs) and "two poles without speeds" (20 runs) are double pole balancing with and without
velocity inputs. The script benchmarks/neat2002_table.py compares the run records with the numbers of the article.
"""

from functools import partial

import numpy as np
import two_poles
from deap import base, creator

import divergent
from divergent import Outcome, neat
from divergent.selection import Objective

LONG = 100_000  # number of time steps for which a solution must balance the poles
STARTS = 200  # a solution without velocity inputs must balance the poles from at least 200 of the 625 initial states
CASES = np.array([(0, 0), (0, 1), (1, 0), (1, 1)], dtype=float)
WANTED = np.array([0, 1, 1, 0])
WITHOUT_SPEEDS = {
    "connection_rate": 0.3, "node_rate": 0.01, "recurrent": 0.2, "toggle_rate": 0.1, "reenable_rate": 0.05,
}  # fmt: skip

creator.create("FirstValue", divergent.Fitness, weights=(1.0, 1.0))
creator.create("Network", neat.Genome, fitness=creator.FirstValue)


class Reproduction(neat.Reproduction):
    """NEAT's reproduction operator, which evaluates champions again because the article counts these evaluations."""

    def __call__(self, population, toolbox):
        following = super().__call__(population, toolbox)
        for individual in following:
            if individual.fitness.valid:
                del individual.fitness.values
        return following


def exclusive_or(genome):
    """Return two fitness values of XOR: (4 - sum of errors) squared, and the number of correct outputs."""
    network = neat.express(genome)
    outputs = np.array([network(case)[0] for case in CASES])
    fitness = (4 - np.abs(outputs - WANTED).sum()) ** 2
    return Outcome((float(fitness), float(((outputs > 0.5) == WANTED).sum())), behaviour=outputs)


def balanced_time(genome):
    """Return two equal fitness values: the number of time steps for which a network balances the poles."""
    decisions = float(two_poles.decisions(genome, LONG)[0])
    return Outcome((decisions, decisions))


class Damped:
    """Evaluation of pole balancing with two fitness values, Gruau's fitness and the result of a generalisation test.

    Only the best network of a generation is tested, and only if it balances the poles for 100,000 time steps. The test
    result is the number of initial states from which the network balances the poles; networks without a test get -1.
    """

    def __call__(self, genome):
        return Outcome((two_poles.calmness(genome), -1.0))

    def many(self, genomes):
        fitness = [two_poles.calmness(genome) for genome in genomes]
        best = int(np.argmax(fitness))
        starts = [-1.0] * len(genomes)
        if two_poles.decisions(genomes[best], LONG)[0] >= LONG:
            starts[best] = float(two_poles.starts_mastered(genomes[best]))
        return [Outcome(values) for values in zip(fitness, starts, strict=True)]


def make_toolbox(inputs, evaluate, rates, rng):
    toolbox = base.Toolbox()
    neat.register(toolbox, inputs, 1, preset="neat2002", genome=creator.Network, rng=rng, **rates)
    toolbox.register("evaluate", evaluate)
    toolbox.register("map", divergent.batch_map)
    return toolbox


def make_problem(name, inputs, evaluate, least, population=150, generations=300, rates=None, species=None):
    """Return a problem of Stanley and Miikkulainen (2002).

    A network solves the problem if the second fitness value of the network is at least `least`.
    """
    return divergent.Problem(
        name,
        partial(make_toolbox, inputs, evaluate, rates or {}),
        solved=lambda values: values[1] >= least,
        defaults={"population": population, "generations": generations},
        searches={"objective": partial(Objective, index=0)},
        survive=lambda strategy, rng: Reproduction(strategy=strategy, rng=rng, **(species or {})),
    )


problems = [
    make_problem("exclusive or", 2, exclusive_or, 4, rates={"bias_node": True, "feed_forward": True}),
    make_problem("two poles", two_poles.SEEING_ALL, balanced_time, LONG),
    make_problem(
        "two poles without speeds", two_poles.SEEING_PLACES, Damped(), STARTS, 1000, 100, WITHOUT_SPEEDS,
        {"threshold": 4.0, "weight": 3.0, "fraction": 0.4},
    ),
]  # fmt: skip
