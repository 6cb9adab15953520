"""Registration of all NEAT operators in a DEAP toolbox."""

import inspect
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from deap import base, tools

from divergent.neat import operators
from divergent.neat._options import check
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
        # The following values are not in the article of 2002; they come from the settings of the original NEAT program.
        "mate_only": 0.2,
        "average": 0.4,
        "toggle_rate": 0.0,
        "reenable_rate": 0.0,
        "power": 2.5,
        "limit": 8.0,
        "recurrent": 0.0,
    }
}
"""Presets of options for `register`: NEAT as in the article of K. O. Stanley and R. Miikkulainen (2002)."""


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
    """Register individual, population, clone, mate, mutate and breed in a toolbox, with shared innovation numbers.

    Every operator can be registered separately or replaced later, because `breed` looks up `mate` and `mutate` in each
    call.

    Parameters
    ----------
    toolbox : deap.base.Toolbox
        The toolbox.
    inputs : int
        Number of inputs of a network.
    outputs : int
        Number of outputs of a network.
    preset : str or None, default=None
        Name of a set of options in `PRESETS`; options that are passed override the preset. The preset "neat2002"
        follows the article of 2002; use it with a population of 150 and `Reproduction`. None uses the options of the
        maze experiments.
    hidden : int or None, default=None
        Number of hidden nodes of an initial individual, see `Genome.start`. None uses the value of the preset, or 1 if
        there is no preset.
    genome : type, default=Genome
        Class of the individuals, either `Genome` or a subclass, such as a class from `creator.create`.
    innovations : divergent.neat.Innovations or None, default=None
        Existing registry of innovation numbers to extend. None creates a registry with the connections of an initial
        individual.
    rng : numpy.random.Generator or None, default=None
        Source of random numbers of all operators. None makes an unseeded generator.
    **rates : dict
        Options of `Genome.start`, `mate`, `mutate` and `breed` by name, for example `hidden_activation`, `bias_node`,
        `weight_range`, `feed_forward`, `delete_node_rate` or, for compositional pattern-producing networks,
        `activations`.

    Returns
    -------
    Innovations
        The registry that the operators share.

    Raises
    ------
    TypeError
        If `genome`, `innovations` or `rng` has the wrong type, or a rate is unknown.
    ValueError
        If the preset is unknown, or an option is out of range.

    See Also
    --------
    Reproduction : Generational NEAT.
    Species : Speciation.

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
        raise TypeError(f"genome must be Genome or a subclass, got {brief(genome)}")
    if innovations is not None and not isinstance(innovations, Innovations):
        raise TypeError(f"innovations must be an Innovations object or None, got {brief(innovations)}")
    rates = _preset_options(preset) | rates
    default = rates.pop("hidden", 1)
    hidden = default if hidden is None else hidden
    first = _options(genome.start, rates)
    start = genome.start(inputs, outputs, hidden=hidden, **first, rng=np.random.default_rng(0))
    innovations = Innovations([start]) if innovations is None else innovations
    options = {operator: _options(operator, rates) for operator in (operators.mate, operators.mutate, breed)}
    _check_names(rates, (genome.start, *options))
    check(**{name: rate for name, rate in rates.items() if name not in first})

    toolbox.register("individual", genome.start, inputs, outputs, hidden=hidden, **first, rng=rng)
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    toolbox.register("clone", genome.copy)
    toolbox.register("mate", operators.mate, **options[operators.mate], rng=rng)
    toolbox.register("mutate", operators.mutate, innovations=innovations, **options[operators.mutate], rng=rng)
    toolbox.register("breed", Breeder(toolbox, rng), **options[breed])
    return innovations


def _preset_options(preset: Any) -> dict[str, Any]:
    """Return the options of a preset, or an empty dictionary if the preset is None."""
    if preset is None:
        return {}
    if not isinstance(preset, str) or preset not in PRESETS:
        raise ValueError(
            f"preset must be None or the name of a preset, one of {', '.join(PRESETS)}, got {brief(preset)}"
        )
    return PRESETS[preset]


def _check_names(rates: dict[str, Any], functions: Iterable[Callable[..., Any]]) -> None:
    """Raise a TypeError if a rate is not an option of any NEAT operator."""
    known = {name for function in functions for name in _names(function)}
    for name in rates:
        if name not in known:
            raise TypeError(
                f"rates must be options of NEAT operators, got {name!r}; choose from {', '.join(sorted(known))}"
            )


def _names(operator: Callable[..., Any]) -> list[str]:
    """Return the names of the options that `register` may pass to an operator."""
    shared = {"innovations", "mate", "mutate", "hidden", "rng"}
    parameters = inspect.signature(operator).parameters.values()
    return [
        parameter.name
        for parameter in parameters
        if parameter.kind is parameter.KEYWORD_ONLY and parameter.name not in shared
    ]


def _options(operator: Callable[..., Any], rates: dict[str, Any]) -> dict[str, Any]:
    """Return the rates that are options of an operator."""
    return {name: rates[name] for name in _names(operator) if name in rates}
