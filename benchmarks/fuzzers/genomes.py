"""Fuzzing of genomes in JSON: reading a damaged text gives exactly the values in the text, or raises an error."""

import itertools
import json
from functools import partial

import numpy as np

from divergent import Outcome, neat
from divergent.neat.activation import SIGMOID
from divergent.neat.genome import ACTIVATIONS
from fuzzers.damage import damaged, forged, text_of

DEFAULT_COUNT = 5000
UNTOLD = {**dict.fromkeys(ACTIVATIONS, SIGMOID.to_json()), "bias_node": False}
KIND = {"hidden_activation": "tanh", "output_activation": neat.Activation("sine", 2.0), "bias_node": True}


def attacks(rng, folder):
    genomes = grown(np.random.default_rng(1))
    for number in itertools.count():
        text = genomes[rng.integers(len(genomes))].to_json(fitness=True)
        if number % 3:
            text = text_of(forged(json.loads(text), rng))
        else:
            text = damaged(text.encode(), rng)
        if number % 500 == 0:
            text = "[" * 10**5
        yield partial(read, text), []


def read(text):
    """Read a genome, write it again and express its network; the written values must equal the values in the input."""
    genome = neat.Genome.from_json(text)
    expected = json.loads(text)
    actual = json.loads(genome.to_json())
    expected["connections"].sort(key=lambda connection: connection[0])
    expected["hidden"].sort()
    expected, actual = UNTOLD | expected, UNTOLD | actual
    agree = all(expected[name] == actual[name] for name in ("inputs", "outputs", "hidden", "connections", *UNTOLD))
    assert agree, f"the text contains {expected}, got {actual}"
    assert neat.Genome.from_json(genome.to_json()) == genome, "another genome the second time"
    neat.express(genome)
    return "read"


def grown(rng):
    """Return genomes of several sizes."""
    genomes = []
    for steps, kind in ((0, {}), (10, KIND), (40, {})):
        genome, innovations = neat.Genome.start(4, 2, rng=rng, **kind), neat.Innovations()
        innovations.include([genome])
        for _ in range(steps):
            neat.mutate(genome, innovations=innovations, rng=rng)
        genome.fitness.values = Outcome((1.5,), behaviour=(float(steps), 2.0))
        genomes.append(genome)
    return genomes
