"""Statistics that a record contains for every generation, and measures of the final population."""

import math
from typing import Any

import numpy as np

DIVERSITY = ("compatibility", "disjoint", "excess", "weight_difference")
"""Measures of genotypic diversity in the record of a run in a maze."""


def finite(value: Any) -> float | None:
    """Convert a number to a float, or to None if not finite, because JSON cannot represent NaN and infinity."""
    return float(value) if math.isfinite(value) else None


def mean_size(population: list) -> float | None:
    """Return the mean length of individuals, or None if an individual has no length."""
    if not all(hasattr(individual, "__len__") for individual in population):
        return None
    return float(np.mean([len(individual) for individual in population]))


def species_count(species: Any) -> int:
    """Return the number of species, or 0 if speciation is disabled."""
    count = getattr(species, "count", None)
    return int(count) if isinstance(count, int | np.integer) else len(getattr(species, "ids", ()))
