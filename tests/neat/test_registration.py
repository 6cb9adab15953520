"""Registration of NEAT in a toolbox; `test_deap.py` runs DEAP's loops with it."""

import numpy as np
import pytest
from deap import base

from divergent.neat import PRESETS, Activation, Genome, Innovations, register


def test_register_adds_individual_population_and_operators():
    toolbox = base.Toolbox()
    innovations = register(toolbox, inputs=3, outputs=2, hidden=0, rng=np.random.default_rng(1))
    population = toolbox.population(n=4)
    assert all(isinstance(genome, Genome) and len(genome) == 6 for genome in population)
    first, second = toolbox.mate(toolbox.clone(population[0]), toolbox.clone(population[1]))
    (mutant,) = toolbox.mutate(first)
    assert mutant is first
    assert innovations.knows(second)


def test_register_passes_options_of_start():
    toolbox = base.Toolbox()
    kind = {"hidden_activation": "tanh", "output_activation": Activation("sigmoid", 1.0), "bias_node": True}
    innovations = register(toolbox, 2, 1, weight_range=(0.5, 0.6), rng=np.random.default_rng(1), **kind)
    for genome in toolbox.population(n=3):
        assert (genome.hidden_activation, genome.output_activation) == (Activation("tanh"), Activation("sigmoid", 1.0))
        assert genome.genes[:, 1:3].tolist() == [[0, 4], [1, 4], [2, 4], [4, 3]]
        assert ((genome.genes[:, 3] >= 0.5) & (genome.genes[:, 3] < 0.6)).all()
        assert innovations.knows(genome)


def test_register_with_invalid_options_raises_and_registers_nothing():
    toolbox = base.Toolbox()
    with pytest.raises(ValueError, match=r"name of an activation function, one of sigmoid, tanh, .* got 'softmax'"):
        register(toolbox, 2, 1, hidden_activation="softmax")
    with pytest.raises(ValueError, match="delete_node_rate must be a rate between 0 and 1, got 2"):
        register(toolbox, 2, 1, delete_node_rate=2)
    assert not hasattr(toolbox, "mate")


def test_register_uses_the_given_innovations():
    toolbox, innovations = base.Toolbox(), Innovations()
    assert register(toolbox, 2, 1, innovations=innovations, rng=np.random.default_rng(1)) is innovations
    assert toolbox.mutate.keywords["innovations"] is innovations


def test_register_with_preset_sets_the_other_options():
    toolbox = base.Toolbox()
    register(toolbox, 3, 1, preset="neat2002", node_rate=0.5, rng=np.random.default_rng(1))
    assert toolbox.individual().hidden.size == 0
    assert toolbox.breed.keywords == {"mutate_only": 0.25, "mate_only": 0.2}
    assert toolbox.mate.keywords["inherit"] == "fitter"
    assert {name: toolbox.mutate.keywords[name] for name in ("node_rate", "connection_rate", "weight_rate")} == {
        "node_rate": 0.5,
        "connection_rate": 0.05,
        "weight_rate": 0.8,
    }
    register(toolbox, 3, 1, preset="neat2002", hidden=2, rng=np.random.default_rng(1))
    assert toolbox.individual().hidden.size == 2


def test_register_without_preset_has_the_rates_of_the_maze_experiments():
    toolbox = base.Toolbox()
    register(toolbox, 3, 1, rng=np.random.default_rng(1))
    assert toolbox.individual().hidden.size == 1
    assert set(toolbox.mutate.keywords) == {"innovations", "rng"}


def test_register_does_not_change_presets_and_unknown_preset_raises():
    before = {name: dict(options) for name, options in PRESETS.items()}
    register(base.Toolbox(), 3, 1, preset="neat2002", power=9.0, rng=np.random.default_rng(1))
    assert before == PRESETS
    for preset in ("neat2003", ["neat2002"]):
        with pytest.raises(ValueError, match="preset must be None or the name of a preset, one of neat2002, got"):
            register(base.Toolbox(), 3, 1, preset=preset)


def test_preset_neat2002_perturbs_nine_of_ten_weights():
    toolbox = base.Toolbox()
    rates = {"node_rate": 0.0, "connection_rate": 0.0, "weight_rate": 1.0, "power": 0.5}
    register(toolbox, 10, 100, preset="neat2002", **rates, rng=np.random.default_rng(1))
    genome = toolbox.individual()
    genome.genes[:, 3] = 3.0
    (genome,) = toolbox.mutate(genome)
    perturbed = np.abs(genome.genes[:, 3] - 3.0) <= 0.5
    assert perturbed.mean() == pytest.approx(0.9, abs=0.03)
    assert (np.abs(genome.genes[~perturbed, 3]) <= 0.5).all()
