"""Everything a NEAT run needs, registered in a DEAP toolbox by one call."""

import inspect
from typing import Any

import numpy as np
from deap import base, tools

from divergent.neat import operators
from divergent.neat.breeding import Breeder, breed
from divergent.neat.genome import Genome
from divergent.neat.innovation import Innovations
from divergent.validation import brief, check_generator

PRESETS: dict[str, dict[str, Any]] = {
    "neat2002": {
        "hidden": 0,
        "inherit": "fitter",
        "mutate_only": 0.25,
        "disable": 0.75,
        "node_rate": 0.03,
        "connection_rate": 0.05,
        "weight_rate": 0.8,
        "severe": 1.0,
        "perturb": 0.9,
        "replace": 0.1,
        "out_weight": 1.0,
        # not in the article, but in the settings that its program was published with
        "mate_only": 0.2,
        "average": 0.4,
        "toggle_rate": 0.0,
        "reenable_rate": 0.0,
        "power": 2.5,
        "limit": 8.0,
        "recurrent": 0.0,
    }
}
"""Options of `register` that belong together: NEAT as K. O. Stanley and R. Miikkulainen published it in 2002."""


def register(
    toolbox: base.Toolbox,
    inputs: int,
    outputs: int,
    *,
    preset: str | None = None,
    hidden: int | None = None,
    genome: type[Genome] = Genome,
    innovations: Innovations | None = None,
    rng: np.random.Generator | None = None,
    **rates: Any,
) -> Innovations:
    """Register individual, population, clone, mate, mutate and breed, which share one `Innovations`; return it.

    Anything registered here can be registered by hand instead, or replaced afterwards: `breed` looks up `mate` and
    `mutate` in the toolbox when it is called.

    Parameters
    ----------
    preset
        A name in `PRESETS`, whose options are used where none is given. "neat2002" is NEAT as it was published in 2002,
        for populations of 150 and `Reproduction`; None the NEAT of the maze experiments.
    hidden
        Hidden nodes of a new individual, see `Genome.start`; if None what the preset says, or 1.
    genome
        The class of the individuals, for instance one made by `creator.create` from `Genome`.
    innovations
        Given to continue a numbering; None begins one.
    rng
        What everything draws from; None makes a fresh generator.
    rates
        Options of `Genome.start`, `mate`, `mutate` and `breed`, by name: `hidden_activation`, `output_activation`,
        `bias_node` and `weight_range` for the nodes and the first weights, `feed_forward=True` for networks that
        never get a cycle, `delete_node_rate` and so on.

    Examples
    --------
    >>> toolbox = base.Toolbox()
    >>> rng = np.random.default_rng(1)
    >>> innovations = register(toolbox, inputs=3, outputs=1, hidden=0, connection_rate=0.3, rng=rng)
    >>> population = toolbox.population(n=10)
    >>> toolbox.breed(population[0], population[1]).fitness.valid
    False
    """
    rng = np.random.default_rng() if rng is None else rng
    check_generator(rng)
    if not (isinstance(genome, type) and issubclass(genome, Genome)):
        raise TypeError(f"genome must be Genome or a class made from it, got {brief(genome)}")
    if innovations is not None and not isinstance(innovations, Innovations):
        raise TypeError(f"innovations must be Innovations, or None to begin some, got {brief(innovations)}")
    if preset is not None:
        if not isinstance(preset, str) or preset not in PRESETS:
            raise ValueError(f"preset must be one of {', '.join(PRESETS)}, or None, got {brief(preset)}")
        rates = PRESETS[preset] | rates
    usual = rates.pop("hidden", 1)
    hidden = usual if hidden is None else hidden
    first = _options(genome.start, rates)
    start = genome.start(inputs, outputs, hidden=hidden, **first, rng=np.random.default_rng(0))
    innovations = Innovations([start]) if innovations is None else innovations
    options = {operator: _options(operator, rates) for operator in (operators.mate, operators.mutate, breed)}
    known = {name for operator in (genome.start, *options) for name in _names(operator)}
    for name in rates:
        if name not in known:
            raise TypeError(f"unknown rate {name!r}; choose from {', '.join(sorted(known))}")
    operators.check(**{name: rate for name, rate in rates.items() if name not in first})

    toolbox.register("individual", genome.start, inputs, outputs, hidden=hidden, **first, rng=rng)
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    toolbox.register("clone", genome.copy)
    toolbox.register("mate", operators.mate, **options[operators.mate], rng=rng)
    toolbox.register("mutate", operators.mutate, innovations=innovations, **options[operators.mutate], rng=rng)
    toolbox.register("breed", Breeder(toolbox, rng), **options[breed])
    return innovations


def _names(operator):
    shared = {"innovations", "mate", "mutate", "hidden", "rng"}
    parameters = inspect.signature(operator).parameters.values()
    return [one.name for one in parameters if one.kind is one.KEYWORD_ONLY and one.name not in shared]


def _options(operator, rates):
    return {name: rates[name] for name in _names(operator) if name in rates}
