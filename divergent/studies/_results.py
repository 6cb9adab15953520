"""Tables of results of the studies: runs of experimental conditions (cells), and measures in CSV files."""

import os
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from divergent.persistence._files import write_whole
from divergent.replicate._results import Results, has_results, read_results
from divergent.studies._design import Cell

DECIMALS = 4  # number of decimals of measures in CSV files


def read_cell(cell: Cell, results: str | os.PathLike) -> Results | None:
    """Return the results of an experimental condition (cell), or None if the condition has no results."""
    folder = Path(results) / cell.folder
    return read_results(folder) if has_results(folder) else None


def read_runs(cells: Iterable[Cell], results: str | os.PathLike) -> pd.DataFrame:
    """Return the runs of several experimental conditions as one table; the column `cell` names the condition."""
    tables = [kept.runs.assign(cell=cell.name) for cell in cells if (kept := read_cell(cell, results)) is not None]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=["cell", "maze", "seed"])


def read_table(path: Path) -> pd.DataFrame:
    """Read a table from a CSV file; return an empty table if the file is missing."""
    return pd.read_csv(path) if path.is_file() else pd.DataFrame()


def describe_progress(runs: pd.DataFrame, planned: int) -> str:
    """Return a sentence that reports the number of runs, the CPU time and the commits."""
    hours = runs["cpu_seconds"].sum() / 3600
    commits = [f"`{commit[:7]}`" for commit in runs["commit"].dropna().unique()]
    names = " and ".join(part for part in (", ".join(commits[:-1]), *commits[-1:]) if part)
    count = f"All {planned:,}" if len(runs) == planned else f"{len(runs):,} of {planned:,}"
    code = f"the code of commit{'s' if len(commits) > 1 else ''} {names}"
    return f"{count} planned runs are complete; they took {hours:.2f} CPU hours with {code}."


def append_rows(path: Path, rows: pd.DataFrame) -> None:
    """Append rows with rounded numbers to the table in a CSV file."""
    table = pd.concat([read_table(path), rows.round(DECIMALS)], ignore_index=True)
    if len(table):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, table.to_csv(index=False, lineterminator="\n").encode())
