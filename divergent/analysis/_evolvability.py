"""Measure evolvability by the behaviours that the mutants of an individual reach."""

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
# STRATA is the default number of quantile intervals of each covariate in coarsened exact matching.
# RESAMPLES is the number of bootstrap resamples for the confidence interval of a mean.
STRATA, RESAMPLES = 5, 1000


def mutant_behaviours(
    individuals: Sequence[Any], toolbox: base.Toolbox, grid: GridPartition, visited: np.ndarray, mutants: int = MUTANTS
) -> pd.DataFrame:
    """Measure the evolvability of individuals by the behaviours of their mutants.

    Parameters
    ----------
    individuals : sequence
        Evaluated individuals, which are not changed.
    toolbox : deap.base.Toolbox
        Toolbox with `clone`, `mutate`, `evaluate` and `map`. Mutation and evaluation should not share a random number
        generator with the run.
    grid : GridPartition
        Grid of cells in behaviour space.
    visited : ndarray of bool, shape (cells,)
        Whether the run has visited each grid cell.
    mutants : int, default=100
        Number of mutants of each individual, at least 2.

    Returns
    -------
    DataFrame
        One row per individual. `fitness` is the fitness of the individual and `size` the size of its genome. `spread`
        is the mean pairwise distance between the behaviours of the mutants. `cells` is the number of distinct grid
        cells that the mutants reach. `new_cells` is the number of grid cells that the mutants reach but the run
        has not visited.

    See Also
    --------
    matched_means : Compare searches at equal fitness and genome size.
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
    """Return the mean of a measure per group after coarsened exact matching on covariates.

    Each covariate is divided into intervals at its quantiles over all rows. A stratum combines one interval of each
    covariate. A stratum is omitted unless it contains rows of every group. The weight of a stratum is its fraction of
    all matched rows, and is the same for every group.

    Parameters
    ----------
    table : DataFrame
        One row per individual, with the columns that `group`, `measure` and `covariates` name and the column `seed`.
    measure : str
        Name of the column to average.
    group : str, default="search"
        Name of the column that defines groups.
    covariates : sequence of str, default=("fitness", "size")
        Names of the columns to match on.
    strata : int, default=5
        Number of quantile intervals of each covariate; 1 disables matching.
    seed : int, default=0
        Seed of the bootstrap over runs.

    Returns
    -------
    DataFrame
        One row per group, with the number of `runs`, the number of matched `individuals` and the weighted `mean`. The
        columns `low` and `high` bound the 95% bootstrap interval of the mean, computed by resampling the runs of each
        group.

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
    """Return the rows of the strata that contain rows of every group, and the weight of each stratum."""
    check_at_least(1, strata=strata)
    codes = [_stratum(table[name], strata) for name in covariates]
    marked = table.assign(_stratum=list(zip(*codes, strict=True)) if codes else 0)
    groups = marked.groupby("_stratum")[group].transform("nunique")
    matched = marked[groups == table[group].nunique()]
    return matched, matched["_stratum"].value_counts(normalize=True)


def _stratum(column: pd.Series, strata: int) -> np.ndarray:
    """Return the index of the quantile interval of each value; equal values belong to the same interval."""
    limits = np.quantile(column.to_numpy(dtype=float), np.arange(1, strata) / strata)
    return np.searchsorted(np.unique(limits), column.to_numpy(dtype=float), side="left")


def _weighted(sums: np.ndarray, counts: np.ndarray, weights: "pd.Series[float]") -> float:
    """Pool the runs in each stratum and return the weighted mean of the stratum means; empty strata are omitted."""
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
