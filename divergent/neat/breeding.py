"""Breed one child of two parents, by any operators."""

from collections.abc import Callable
from typing import Any

import numpy as np

from divergent.neat.distances import distance
from divergent.neat.variation import Individual, check


def breed(
    mother: Individual,
    father: Individual,
    *,
    mutate_only: float = 0.3,
    mate_only: float = 0.2,
    mate: Callable[..., Any],
    mutate: Callable[..., Any],
    rng: np.random.Generator,
) -> Individual:
    """One child, not evaluated yet; the parents stay as they are.

    Parameters
    ----------
    mutate_only
        How often the child is a mutated copy of its mother; always if the father is the same individual.
    mate_only
        How often a child of two parents is left unmutated; never if the distance between them is 0.
    mate, mutate
        The operators, with their options bound; of what `mate` returns the first is kept.
    """
    if not (0.0 <= mutate_only <= 1.0 and 0.0 <= mate_only <= 1.0):
        check(mutate_only=mutate_only, mate_only=mate_only)
    child = mother.copy()
    if mother is father or rng.random() < mutate_only:
        (child,) = mutate(child)
    else:
        child, _ = mate(child, father.copy())
        if rng.random() >= mate_only or distance(mother, father) == 0.0:
            (child,) = mutate(child)
    del child.fitness.values
    return child
