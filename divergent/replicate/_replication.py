"""Results of all experiments of the replication, and a cache of tables computed from the results."""

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
    """Results of all experiments, from which the tables of the report, README and docs are computed.

    Parameters
    ----------
    experiments : mapping of str to Results
        Results of each experiment, by the name of the experiment.
    variants : pandas.DataFrame or None, default=None
        Runs with alternative rules of reproduction, as `benchmarks/variants.py` writes them.
    """

    experiments: Mapping[str, Results]
    variants: pd.DataFrame | None = None
    _values: dict[Callable[..., Any], Any] = field(default_factory=dict, init=False, repr=False)

    def has(self, *names: str) -> bool:
        """Return whether at least one of the named experiments has results.

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
        pandas.DataFrame
            One row per run; an empty table if the experiment has no results.
        """
        if name in self.experiments:
            return self.experiments[name].runs
        return pd.DataFrame(columns=list(analysis.RUN_COLUMNS))


def computed_once(compute: Callable[[Replication], Value]) -> Callable[[Replication], Value]:
    """Decorate a function that takes a replication, so that its value is computed once per replication."""

    @functools.wraps(compute)
    def value(replication: Replication) -> Value:
        if compute not in replication._values:
            replication._values[compute] = compute(replication)
        return replication._values[compute]

    return value


def needs_runs(*names: str) -> Callable[[Callable[[Replication], Value]], Callable[[Replication], Value | None]]:
    """Decorate a function that takes a replication, so that it returns None if none of the experiments has results."""

    def decorate(compute: Callable[[Replication], Value]) -> Callable[[Replication], Value | None]:
        @functools.wraps(compute)
        def value(replication: Replication) -> Value | None:
            return compute(replication) if replication.has(*names) else None

        return value

    return decorate


def read_replication(results: str | os.PathLike) -> Replication:
    """Read the results of all experiments.

    Parameters
    ----------
    results : path_like
        Folder that contains one subfolder of results per experiment; experiments may be missing.

    Returns
    -------
    Replication
        Results of the available experiments. The number of evaluations of an unsuccessful run is its full budget.

    Raises
    ------
    FileNotFoundError
        If no experiment has results.
    ValueError
        If a file is damaged, or the results contain a search that is not part of the experiment.
    """
    results = Path(results)
    experiments = {
        name: _read(results / name, EXPERIMENTS[name].searches) for name in KEPT if has_results(results / name)
    }
    if not experiments:
        raise FileNotFoundError(
            f"{results}: folder must contain results of an experiment, got none; choose a folder with a subfolder "
            f"that is named after an experiment: {' or '.join(KEPT)}"
        )
    path = results / VARIANT_RUNS
    return Replication(experiments, schema.read_table(path, schema.VARIANTS) if path.is_file() else None)


def _read(folder: Path, searches: Sequence[str]) -> Results:
    """Read the results of an experiment; raise an error if a run has a search that is not part of the experiment."""
    results = read_results(folder)
    if others := sorted(set(results.runs["search"]) - set(searches)):
        raise ValueError(
            f"{folder}: search of every run must be one of {', '.join(searches)}, got {', '.join(others)}; remove the "
            "runs of other searches"
        )
    return results._replace(runs=analysis.censor_at_budget(results.runs))
