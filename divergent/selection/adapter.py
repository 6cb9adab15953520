"""Let any DEAP selector follow a strategy."""

from collections.abc import Callable, Sequence
from typing import Any

from divergent.individual import Score
from divergent.selection.strategy import Strategy


def by_score(individuals: Sequence[Any], k: int, *, strategy: Strategy, select: Callable, **options: Any) -> list:
    """Score the whole population, then let any DEAP selector choose `k`.

    Registered as `select` it makes every stock DEAP loop divergent. The strategy learns from whom it is given: in
    `eaMuPlusLambda` parents and offspring together.

    Parameters
    ----------
    individuals
        Evaluated individuals whose fitness is a `divergent.Fitness`; each gets its `score`.
    k
        How many to choose.
    strategy
        What gives the scores.
    select
        A DEAP selector that takes `fit_attr`, such as `tools.selTournament` or `tools.selBest`.
    options
        Passed on to the selector.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from deap import base, tools
    >>> from divergent.individual import MaximisedFitness, Outcome
    >>> from divergent.selection import Novelty
    >>> toolbox = base.Toolbox()
    >>> toolbox.register("select", by_score, strategy=Novelty(neighbours=1), select=tools.selBest)
    >>> individuals = [SimpleNamespace(name=name, fitness=MaximisedFitness()) for name in ("here", "there", "far away")]
    >>> for individual, x in zip(individuals, (0.0, 1.0, 9.0)):
    ...     individual.fitness.values = Outcome((-x,), behaviour=(x, 0.0))
    >>> [(chosen.name, chosen.score) for chosen in toolbox.select(individuals, 1)]
    [('far away', 8.0)]
    """
    for individual, value in zip(individuals, strategy(individuals), strict=True):
        individual.score = Score(value)
    return select(individuals, k, fit_attr="score", **options)
