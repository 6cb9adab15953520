"""Tests between neighbouring cells of a study, by the rules on the pages."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from divergent import analysis
from divergent.studies._design import Step

MARGIN = 0.1  # margin of equivalence of mean evaluations, as a fraction of the budget
PENDING, FASTER, SLOWER, EQUIVALENT, UNDECIDED = "pending", "faster", "slower", "equivalent", "undecided"
COLUMNS = (
    "before", "after", "runs_before", "runs_after", "solved_before", "solved_after", "evaluations_before",
    "evaluations_after", "difference", "first_half", "second_half", "low", "high", "p", "p_corrected", "outcome",
)  # fmt: skip


def summarise_cells(runs: pd.DataFrame, names: Sequence[str], planned: int) -> pd.DataFrame:
    """Return successes and mean evaluations of cells.

    Parameters
    ----------
    runs : DataFrame
        Table of runs with a column `cell`.
    names : sequence of str
        The cells, in order.
    planned : int
        Number of runs of a complete cell.

    Returns
    -------
    DataFrame
        One row per cell with runs: success rate with Wilson's 95 % interval, mean evaluations with its 95 % interval
        (`mean`, `mean_low`, `mean_high`), and whether the cell is `complete`.
    """
    chosen = runs[runs["cell"].isin(names)]
    if chosen.empty:
        return pd.DataFrame(columns=["cell", "runs", "solved", "fraction", "low", "high", "mean", "complete"])
    rates = analysis.success_rates(chosen, by=("cell",)).set_index("cell")
    means = analysis.evaluations(chosen, by=("cell",)).set_index("cell")
    table = rates.assign(mean=means["mean"], mean_low=means["low"], mean_high=means["high"])
    table = table.assign(complete=table["runs"] >= planned)
    return table.reindex([name for name in names if name in table.index]).reset_index()


def compare_steps(
    steps: Sequence[Step], runs: pd.DataFrame, planned: int | Mapping[str, int], strata: str | None = None
) -> pd.DataFrame:
    """Test each step by the log-rank test, with Holm's correction over all steps.

    Parameters
    ----------
    steps : sequence of Step
        The family of tests.
    runs : DataFrame
        Table of runs with a column `cell`; all runs have the same budget.
    planned : int or mapping of str to int
        Number of runs of a complete cell, or by the name of a cell. If a cell has more runs, only the first seeds
        count.
    strata : str or None, default=None
        Column of a stratified test.

    Returns
    -------
    DataFrame
        One row per step with the columns `COLUMNS`. `difference` is the difference of mean evaluations (after minus
        before) over all seeds; `first_half` and `second_half` are this difference over each half of the seeds. Steps
        with missing runs are pending and have no p-value. Corrected p-values, and outcomes that need them, are pending
        until all steps are complete.
    """
    table = pd.DataFrame([_compare(step, runs, planned, strata) for step in steps], columns=list(COLUMNS))
    if table["p"].isna().any():
        return table
    table["p_corrected"] = analysis.holm(table["p"].tolist())
    budget = analysis.censor_at_budget(runs)["budget"].max()
    table["outcome"] = [_outcome(row, MARGIN * budget) for row in table.to_dict("records")]
    return table


def _compare(step: Step, runs: pd.DataFrame, planned: int | Mapping[str, int], strata: str | None) -> dict[str, Any]:
    """Compare two cells; the p-value is NaN unless both are complete."""
    sizes = [planned if isinstance(planned, int) else planned[name] for name in (step.before, step.after)]
    samples = [
        runs[runs["cell"] == name].sort_values("seed", kind="stable").head(size)
        for name, size in zip((step.before, step.after), sizes, strict=True)
    ]
    row: dict[str, Any] = {"before": step.before, "after": step.after, "outcome": PENDING}
    row |= dict.fromkeys(("difference", "first_half", "second_half", "low", "high", "p", "p_corrected"), math.nan)
    numbers, halves = [], []
    for name, sample in zip(("before", "after"), samples, strict=True):
        evaluations = analysis.censor_at_budget(sample)["evaluations"] if len(sample) else sample.get("evaluations")
        mean = evaluations.mean() if len(sample) else math.nan
        solved = int(sample["solved"].sum()) if len(sample) else 0
        row |= {f"runs_{name}": len(sample), f"solved_{name}": solved, f"evaluations_{name}": mean}
        middle = len(sample) // 2
        halves.append([evaluations[:middle].mean(), evaluations[middle:].mean()] if middle else [math.nan] * 2)
        numbers.append((mean, evaluations.std() if len(sample) > 1 else math.nan, len(sample)))
    if all(len(sample) == size for sample, size in zip(samples, sizes, strict=True)):
        before, after = numbers
        low, high = analysis.difference_of_means(*after, *before)
        row |= {"difference": after[0] - before[0], "low": low, "high": high}
        row |= {name: halves[1][half] - halves[0][half] for half, name in enumerate(("first_half", "second_half"))}
        row["p"] = analysis.log_rank(samples[0], samples[1], strata)
    return row


def _outcome(row: Mapping[str, Any], margin: float) -> str:
    """Return the outcome of a complete step."""
    if row["p_corrected"] < analysis.LEVEL:
        return FASTER if row["difference"] < 0 else SLOWER
    return EQUIVALENT if -margin < row["low"] and row["high"] < margin else UNDECIDED
