"""Evolvability: the behaviours that the mutants of an individual reach."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from deap import base
from scipy.spatial.distance import pdist

from divergent.history import genome_size
from divergent.individual import pack
from divergent.selection._partitions import GridPartition
from divergent.validation import check_at_least

MUTANTS = 100
MATCHED = ("fitness", "size")
STRATA, RESAMPLES = 5, 1000  # number of quantile strata of each covariate, and of bootstrap samples of runs


def mutant_behaviours(
    individuals: Sequence[Any], toolbox: base.Toolbox, grid: GridPartition, visited: np.ndarray, mutants: int = MUTANTS
) -> pd.DataFrame:
    """Measure the evolvability of individuals by the behaviours of their mutants.

    Parameters
    ----------
    individuals : sequence
        Evaluated individuals, which are not changed.
    toolbox : deap.base.Toolbox
        `clone`, `mutate`, `evaluate` and `map`. The operators should draw random numbers from a separate generator.
    grid : GridPartition
        Cells of behaviour space.
    visited : ndarray of bool, shape (cells,)
        Cells that the run has visited.
    mutants : int, default=100
        Number of mutants of each individual, at least 2.

    Returns
    -------
    DataFrame
        One row per individual: `fitness`, `size` of the genome, `spread` (mean pairwise distance of the behaviours of
        its mutants), `cells` (number of distinct cells that the mutants reach) and `new_cells` (number of these cells
        that are not in `visited`).

    See Also
    --------
    matched_means : Compare searches at equal fitness and size.
    """
    check_at_least(2, mutants=mutants)
    rows = []
    for individual in individuals:
        changed = [_mutant(individual, toolbox) for _ in range(mutants)]
        for mutant, outcome in zip(changed, toolbox.map(toolbox.evaluate, changed), strict=True):
            mutant.fitness.values = outcome
        behaviours = pack(changed).behaviours
        reached = np.unique(grid.cell_indices(behaviours))
        rows.append(
            {"fitness": float(individual.fitness.values[0]), "size": genome_size(individual)}
            | {"spread": float(pdist(behaviours).mean()), "cells": len(reached)}
            | {"new_cells": int((~visited[reached]).sum())}
        )
    return pd.DataFrame(rows, columns=["fitness", "size", "spread", "cells", "new_cells"])


def matched_means(
    table: pd.DataFrame,
    measure: str,
    *,
    group: str = "search",
    covariates: Sequence[str] = MATCHED,
    strata: int = STRATA,
    seed: int = 0,
) -> pd.DataFrame:
    """Return the mean of a measure per group, matched for covariates by coarsened exact matching.

    Each covariate is divided at quantiles of all rows. Only strata with rows of every group count. The weight of a
    stratum is its fraction of all matched rows, equal for every group.

    Parameters
    ----------
    table : DataFrame
        Rows of individuals with the columns `group`, `seed`, `measure` and `covariates`.
    measure : str
        The column to average.
    group : str, default="search"
        The column of groups.
    covariates : sequence of str, default=("fitness", "size")
        Columns to match.
    strata : int, default=5
        Number of quantile strata of each covariate. 1 compares without matching.
    seed : int, default=0
        Seed of the bootstrap.

    Returns
    -------
    DataFrame
        One row per group: `runs`, matched `individuals`, `mean`, and the 95% interval of the mean, `low` to `high`, by
        a bootstrap of the runs of each group.

    References
    ----------
    S. M. Iacus, G. King and G. Porro, "Causal inference without balance checking: coarsened exact matching", Political
    Analysis 20(1), 2012.

    Examples
    --------
    Group b has twice the spread at equal fitness, and more individuals of high fitness:

    >>> rows = pd.DataFrame({"search": list("aaabbb"), "seed": 0, "fitness": [0, 0, 1, 0, 1, 1], "size": 1,
    ...     "spread": [1.0, 1.0, 3.0, 2.0, 6.0, 6.0]})
    >>> matched_means(rows, "spread", strata=2)["mean"].tolist()
    [2.0, 4.0]
    """
    matched, weights = _match(table, group, covariates, strata)
    rng = np.random.default_rng(seed)
    rows = []
    for name, members in matched.groupby(group):
        means = members.groupby(["seed", "_stratum"])[measure].agg(["sum", "count"])
        sums, counts = (
            means[column].unstack(fill_value=0).reindex(columns=weights.index, fill_value=0).to_numpy()
            for column in ("sum", "count")
        )
        samples = rng.integers(0, len(sums), (RESAMPLES, len(sums)))
        low, high = np.nanpercentile([_weighted(sums[runs], counts[runs], weights) for runs in samples], [2.5, 97.5])
        rows.append(
            {group: name, "runs": len(sums), "individuals": len(members)}
            | {"mean": _weighted(sums, counts, weights), "low": low, "high": high}
        )
    return pd.DataFrame(rows, columns=[group, "runs", "individuals", "mean", "low", "high"])


def _match(
    table: pd.DataFrame, group: str, covariates: Sequence[str], strata: int
) -> tuple[pd.DataFrame, "pd.Series[float]"]:
    """Return the rows in strata that all groups have, and the weight of each stratum."""
    check_at_least(1, strata=strata)
    codes = [_stratum(table[name], strata) for name in covariates]
    marked = table.assign(_stratum=list(zip(*codes, strict=True)) if codes else 0)
    groups = marked.groupby("_stratum")[group].transform("nunique")
    matched = marked[groups == table[group].nunique()]
    return matched, matched["_stratum"].value_counts(normalize=True)


def _stratum(column: pd.Series, strata: int) -> np.ndarray:
    """Return the number of the quantile stratum of each value; equal values are in the same stratum."""
    limits = np.quantile(column.to_numpy(dtype=float), np.arange(1, strata) / strata)
    return np.searchsorted(np.unique(limits), column.to_numpy(dtype=float), side="left")


def _weighted(sums: np.ndarray, counts: np.ndarray, weights: "pd.Series[float]") -> float:
    """Return the weighted mean of the means of strata, pooled over runs; strata without rows are omitted."""
    total, number = sums.sum(axis=0), counts.sum(axis=0)
    present = number > 0
    if not present.any():
        return math.nan
    chosen = weights.to_numpy()[present]
    return float((total[present] / number[present]) @ chosen / chosen.sum())


def _mutant(individual: Any, toolbox: base.Toolbox) -> Any:
    """Return a mutated copy of an individual."""
    copy = toolbox.clone(individual)
    (mutant,) = toolbox.mutate(copy)
    del mutant.fitness.values
    return mutant
