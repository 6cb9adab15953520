"""Random genomes, and a reference implementation of their networks in plain Python."""

import math
from types import SimpleNamespace

import numpy as np

from divergent.neat import Activation


def genome(*links, inputs=2, outputs=1, **kind):
    """Return a genome of links: source, target, weight and, if disabled, False."""
    genes = [(number, *link, *(() if len(link) == 4 else (True,))) for number, link in enumerate(links)]
    return SimpleNamespace(genes=np.array(genes, dtype=float).reshape(-1, 5), inputs=inputs, outputs=outputs, **kind)


PLAIN = {
    "sigmoid": lambda x: 1 / (1 + math.exp(-x)) if x > -700 else 0.0,
    "tanh": math.tanh,
    "relu": lambda x: min(max(x, 0.0), 1e30),
    "sine": math.sin,
    "gaussian": lambda x: math.exp(-x * x),
    "identity": lambda x: min(max(x, -1e30), 1e30),
    "absolute": lambda x: min(abs(x), 1e30),
    "step": lambda x: float(x > 0),
}


def reference(genome, hidden=None, output=None, bias_node=False, silence_unreached=False, own=None):
    """Reference implementation of one activation: all sums of the previous pass, then all activations."""
    own = own or {}
    hidden, output = hidden or Activation("sigmoid"), output or Activation("sigmoid")
    values = {}
    links = [(int(source), int(target), weight) for _, source, target, weight, on in genome.genes.tolist() if on]
    nodes = {node for source, target, _ in links for node in (source, target)}
    first = genome.inputs + bias_node
    outputs = range(first, first + genome.outputs)
    reached = set(range(first)) if silence_unreached else nodes | set(outputs)
    while more := {target for source, target, _ in links if source in reached} - reached:
        reached |= more

    def activate(inputs):
        for _ in range(1 if reached.issuperset(outputs) else 19):
            held = values | dict(enumerate([*inputs, 1.0][:first]))
            for node in (nodes | set(outputs)) - set(range(first)):
                function, slope = own.get(node, output if node in outputs else hidden).to_json().values()
                total = sum(w * held.get(source, 0.0) for source, target, w in links if target == node)
                values[node] = PLAIN[function](slope * total) if node in reached else 0.0
        return [values[node] for node in outputs]

    return activate


def random_genome(rng, *, bias_node=False, cycles=True, weight=2.0):
    """Any sizes, any ids of hidden nodes, some links disabled."""
    inputs, outputs, hidden = (int(number) for number in rng.integers((1, 1, 0), (15, 12, 30)))
    first = inputs + bias_node
    ids = np.arange(first + outputs + 100)
    inner = rng.permutation(np.concatenate((ids[first : first + outputs], rng.choice(ids[-100:], hidden, False))))
    order = [*range(first), *inner.tolist()]
    pairs = {tuple(rng.integers((0, first), len(order)).tolist()) for _ in range(rng.integers(0, 150))}
    links = [
        (order[source], order[target], rng.normal(0, weight), rng.random() < 0.8)
        for source, target in sorted(pairs)
        if cycles or source < target
    ]
    return genome(*links, inputs=inputs, outputs=outputs, bias_node=bias_node)
