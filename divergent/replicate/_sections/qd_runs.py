"""Runs of the QD variants, together with runs of the reference searches in the mazes of the QD variants."""

from collections.abc import Iterable

import pandas as pd

from divergent.replicate._deceptive import deceptive_mazes
from divergent.replicate._experiments import EXPERIMENTS, REFERENCE_SEARCHES
from divergent.replicate._replication import Replication, computed_once


@computed_once
def authored_runs(replication: Replication) -> pd.DataFrame:
    """Return the runs of the QD variants and reference searches in the paper's mazes."""
    runs = replication.runs("family")
    runs = runs[runs["maze"].isin(EXPERIMENTS["authored"].mazes)]
    return _with_references(replication.runs("authored"), runs, runs["maze"])


@computed_once
def deceptive_runs(replication: Replication) -> pd.DataFrame:
    """Return the runs of the QD variants and reference searches in deceptive mazes."""
    runs = replication.runs("family")
    runs = runs[~runs["maze"].isin(EXPERIMENTS["authored"].mazes)]
    return _with_references(replication.runs("generated"), runs, deceptive_mazes())


def _with_references(others: pd.DataFrame, variants: pd.DataFrame, mazes: Iterable[str]) -> pd.DataFrame:
    """Concatenate the runs of the QD variants and the runs of the reference searches in the given mazes."""
    references = others[others["maze"].isin(set(mazes)) & others["search"].isin(REFERENCE_SEARCHES)]
    tables = [table for table in (references, variants) if len(table)]
    return pd.concat(tables, ignore_index=True) if tables else references
