"""One call that registers NEAT; `test_deap.py` runs DEAP's own loops with it."""

import numpy as np
import pytest
from deap import base

from divergent.neat import Activation, Genome, Innovations, register


def test_individuals_and_populations_are_made_with_the_operators_that_vary_them():
    toolbox = base.Toolbox()
    innovations = register(toolbox, inputs=3, outputs=2, hidden=0, rng=np.random.default_rng(1))
    population = toolbox.population(n=4)
    assert all(isinstance(genome, Genome) and len(genome) == 6 for genome in population)
    first, second = toolbox.mate(toolbox.clone(population[0]), toolbox.clone(population[1]))
    (mutant,) = toolbox.mutate(first)
    assert mutant is first
    assert innovations.knows(second)


def test_what_nodes_are_and_where_weights_begin_is_chosen_for_all():
    toolbox = base.Toolbox()
    kind = {"hidden_activation": "tanh", "output_activation": Activation("sigmoid", 1.0), "bias_node": True}
    innovations = register(toolbox, 2, 1, weight_range=(0.5, 0.6), rng=np.random.default_rng(1), **kind)
    for genome in toolbox.population(n=3):
        assert (genome.hidden_activation, genome.output_activation) == (Activation("tanh"), Activation("sigmoid", 1.0))
        assert genome.genes[:, 1:3].tolist() == [[0, 4], [1, 4], [2, 4], [4, 3]]
        assert ((genome.genes[:, 3] >= 0.5) & (genome.genes[:, 3] < 0.6)).all()
        assert innovations.knows(genome)


def test_what_no_genome_can_be_is_refused_before_anything_is_registered():
    toolbox = base.Toolbox()
    with pytest.raises(ValueError, match="unknown activation 'softmax'; choose from sigmoid, tanh"):
        register(toolbox, 2, 1, hidden_activation="softmax")
    with pytest.raises(ValueError, match="delete_node_rate must be a rate between 0 and 1, got 2"):
        register(toolbox, 2, 1, delete_node_rate=2)
    assert not hasattr(toolbox, "mate")


def test_a_numbering_that_is_given_is_the_one_that_is_used():
    toolbox, innovations = base.Toolbox(), Innovations()
    assert register(toolbox, 2, 1, innovations=innovations, rng=np.random.default_rng(1)) is innovations
    assert toolbox.mutate.keywords["innovations"] is innovations
