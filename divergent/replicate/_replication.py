"""Results of all experiments of a replication, and cached tables computed from them."""

import functools
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd

from divergent import analysis
from divergent.replicate import _schema as schema
from divergent.replicate._experiments import EXPERIMENTS, KEPT
from divergent.replicate._results import Results, has_results, read_results

VARIANT_RUNS = "variants.csv"

Value = TypeVar("Value")


@dataclass(frozen=True, eq=False)
class Replication:
    """Results of experiments, from which the tables of report, README and docs are computed.

    Parameters
    ----------
    experiments : mapping of str to Results
        Results by name of the experiment.
    variants : DataFrame or None, default=None
        Runs with other rules of reproduction, as `benchmarks/variants.py` writes them.
    """

    experiments: Mapping[str, Results]
    variants: pd.DataFrame | None = None
    _values: dict[Callable[..., Any], Any] = field(default_factory=dict, init=False, repr=False)

    def has(self, *names: str) -> bool:
        """Return whether there are results of one of these experiments.

        Parameters
        ----------
        *names : str
            Names of experiments.

        Returns
        -------
        bool
            True if at least one of the experiments has results.
        """
        return bool(self.experiments.keys() & set(names))

    def runs(self, name: str) -> pd.DataFrame:
        """Return the table of runs of an experiment.

        Parameters
        ----------
        name : str
            Name of the experiment.

        Returns
        -------
        DataFrame
            The runs; an empty table if the experiment has no results.
        """
        if name in self.experiments:
            return self.experiments[name].runs
        return pd.DataFrame(columns=list(analysis.RUN_COLUMNS))


def computed_once(compute: Callable[[Replication], Value]) -> Callable[[Replication], Value]:
    """Decorator that caches the value of a function of a replication."""

    @functools.wraps(compute)
    def value(replication: Replication) -> Value:
        if compute not in replication._values:
            replication._values[compute] = compute(replication)
        return replication._values[compute]

    return value


def read_replication(results: str | os.PathLike) -> Replication:
    """Read the results of all experiments.

    Parameters
    ----------
    results : path_like
        A folder with a folder of results for each experiment; any of them may be missing.

    Returns
    -------
    Replication
        The results; runs without a solution count with their budget.

    Raises
    ------
    FileNotFoundError
        If no experiment has results.
    ValueError
        If a file is damaged, or an experiment has runs of a search that is not part of it.
    """
    results = Path(results)
    experiments = {
        name: _read(results / name, EXPERIMENTS[name].searches) for name in KEPT if has_results(results / name)
    }
    if not experiments:
        raise FileNotFoundError(f"{results}: no results there; choose a folder that contains {' or '.join(KEPT)}")
    path = results / VARIANT_RUNS
    return Replication(experiments, schema.read_table(path, schema.VARIANTS) if path.is_file() else None)


def _read(folder: Path, searches: Sequence[str]) -> Results:
    """Return the results of an experiment; raise an error if it has runs of other searches."""
    results = read_results(folder)
    if others := sorted(set(results.runs["search"]) - set(searches)):
        raise ValueError(f"{folder}: runs must be of {', '.join(searches)}, got {', '.join(others)}; remove these runs")
    return results._replace(runs=analysis.censor_at_budget(results.runs))
