"""Parent selection by species, for use in DEAP's algorithms."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from divergent.neat.species import Species
from divergent.validation import brief, check_at_least

MAX_PARENTS = 10_000_000
"""Largest number of parents that one call of `select` returns."""


def select(individuals: Sequence[Any], k: int, *, species: Species, fit_attr: str = "fitness") -> list[Any]:
    """Select `k` parents in pairs of the same species, for use in DEAP's algorithms.

    The individuals are divided into species. The number of pairs from a species is proportional to the mean score of
    the species; parents are drawn uniformly from the best members. After selection, the compatibility threshold is
    adapted. If `k` is odd, the best individual is added at the end.

    Parameters
    ----------
    individuals : sequence
        Evaluated genomes, or objects with `genes` and a fitness.
    k : int
        Number of parents.
    species : divergent.neat.Species
        Species to which the individuals are assigned; the representatives persist between calls.
    fit_attr : str, default="fitness"
        Attribute that holds the fitness; selection uses its first weighted value.

    Returns
    -------
    list
        The selected individuals.

    Raises
    ------
    TypeError
        If `species` is not a `Species`, or an individual has no fitness.
    ValueError
        If `k` is out of range, or an individual was not evaluated.
    """
    check_at_least(0, k=k)
    if k > MAX_PARENTS:
        raise ValueError(f"k, the number of parents, must be at most {MAX_PARENTS:,}, got {k}")
    if not isinstance(species, Species):
        raise TypeError(f"species must be a Species, got {brief(species)}")
    scores = np.array([_score(number, individual, fit_attr) for number, individual in enumerate(individuals)])
    species.assign(individuals)
    chosen = []
    for label, pairs in enumerate(species.allocate_offspring(scores, k // 2).tolist()):
        if pairs:
            pool = species.parents(scores, label)
            chosen += pool[species.rng.integers(len(pool), size=2 * pairs)].tolist()
    if k % 2:
        chosen.append(int(scores.argmax()))
    species.adapt()
    return [individuals[index] for index in chosen]


def _score(number: int, individual: Any, fit_attr: str) -> float:
    """Return the first weighted fitness value of an individual."""
    try:
        values = getattr(individual, fit_attr).wvalues
    except AttributeError:
        raise TypeError(
            f"attribute {fit_attr} of individual {number} must be a DEAP fitness, got {brief(individual)}"
        ) from None
    if not values:
        raise ValueError(
            f"individuals must be evaluated before selection, got individual {number} without fitness values "
            f"in the attribute {fit_attr}; call toolbox.evaluate first"
        )
    return values[0]
