"""Validation of the arguments of loops, and warnings about strategies that an earlier run has used."""

import warnings
from collections.abc import Sequence
from typing import Any

from deap import base

from divergent.validation import brief


def mark_used(strategy: Any) -> None:
    """Mark a stateful strategy as used, so that a second run with the same strategy issues a warning."""
    if getattr(strategy, "remembers", False):
        strategy.used = True


def begin(strategies: Sequence[Any], done: int) -> None:
    """Mark strategies as used, and warn if a new run starts with a strategy that an earlier run has used."""
    for strategy in strategies:
        if done == 0 and getattr(strategy, "used", False):
            warnings.warn(
                f"{brief(strategy)} starts this run with the state of an earlier run; "
                "call its reset() first, or create one strategy per run",
                stacklevel=4,
            )
        mark_used(strategy)


def followed(toolbox: base.Toolbox, survive: Any) -> Sequence[Any]:
    """Return the strategies of a run, from `survive` if this is a callable, otherwise from `toolbox.select`."""
    keywords = getattr(getattr(toolbox, "select", None), "keywords", {})
    strategy = getattr(survive, "strategy", None) if callable(survive) else keywords.get("strategy")
    return strategy if isinstance(strategy, Sequence) else (strategy,)


def check_tools(toolbox: base.Toolbox, names: Sequence[str]) -> None:
    """Raise a TypeError if the toolbox lacks an operator that the loop calls."""
    for name in names:
        if not callable(getattr(toolbox, name, None)):
            raise TypeError(
                f"toolbox must have every operator that the loop calls, got a toolbox without {name!r}; "
                f"register these operators: {', '.join(names)}"
            )


def check_population(population: Any) -> list:
    """Return the population; raise an error unless it is a list of individuals with a DEAP fitness."""
    if not isinstance(population, list) or not population:
        raise ValueError(f"population must be a list of at least one individual, got {brief(population)}")
    for number, individual in enumerate(population):
        if not hasattr(getattr(individual, "fitness", None), "wvalues"):
            raise TypeError(f"individual {number} of the population must have a DEAP fitness, got {brief(individual)}")
    return population


def check_parents(selected: list, count: int) -> list:
    """Return the selected parents; raise a ValueError unless the selector returns the requested number."""
    if len(selected) != count:
        raise ValueError(
            f"select must return the requested number of parents, {count}, got {len(selected)}; "
            "pass a selector that draws with replacement, such as tools.selTournament"
        )
    return selected
