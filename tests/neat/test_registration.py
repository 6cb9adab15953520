"""One call that registers NEAT; `test_deap.py` runs DEAP's own loops with it."""

import numpy as np
from deap import base

from divergent.neat import Genome, Innovations, register


def test_individuals_and_populations_are_made_with_the_operators_that_vary_them():
    toolbox = base.Toolbox()
    innovations = register(toolbox, inputs=3, outputs=2, hidden=0, rng=np.random.default_rng(1))
    population = toolbox.population(n=4)
    assert all(isinstance(genome, Genome) and len(genome) == 6 for genome in population)
    first, second = toolbox.mate(toolbox.clone(population[0]), toolbox.clone(population[1]))
    (mutant,) = toolbox.mutate(first)
    assert mutant is first
    assert innovations.knows(second)


def test_a_numbering_that_is_given_is_the_one_that_is_used():
    toolbox, innovations = base.Toolbox(), Innovations()
    assert register(toolbox, 2, 1, innovations=innovations, rng=np.random.default_rng(1)) is innovations
    assert toolbox.mutate.keywords["innovations"] is innovations
