"""Statistical tests that compare the experimental conditions (cells) of a study."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from divergent import analysis
from divergent.studies._design import Step

MARGIN = 0.1  # equivalence margin of mean evaluations, as a fraction of the budget
PENDING, FASTER, SLOWER, EQUIVALENT, INCONCLUSIVE = "pending", "faster", "slower", "equivalent", "inconclusive"
COLUMNS = (
    "before", "after", "runs_before", "runs_after", "solved_before", "solved_after", "evaluations_before",
    "evaluations_after", "difference", "first_half", "second_half", "low", "high", "p", "p_corrected", "outcome",
)  # fmt: skip


def summarise_cells(runs: pd.DataFrame, names: Sequence[str], planned: int) -> pd.DataFrame:
    """Return success rates and mean evaluations of experimental conditions (cells).

    Parameters
    ----------
    runs : pandas.DataFrame
        Table of runs, with the name of the experimental condition in the column `cell`.
    names : sequence of str
        Names of the experimental conditions, in the order of the rows.
    planned : int
        Planned number of runs of each experimental condition.

    Returns
    -------
    pandas.DataFrame
        One row per experimental condition: success rate and mean evaluations, each with its 95 % interval. The column
        `complete` is True if all planned runs exist.
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
    """Compare pairs of experimental conditions by log-rank tests, with Holm's correction over all pairs.

    Parameters
    ----------
    steps : sequence of Step
        Pairs of experimental conditions, which form one family of tests.
    runs : pandas.DataFrame
        Runs with the same budget, and with the name of the experimental condition in the column `cell`.
    planned : int or mapping of str to int
        Planned number of runs of each experimental condition; surplus runs with higher seeds are ignored.
    strata : str or None, default=None
        Column by which the log-rank test is stratified, such as "maze".

    Returns
    -------
    pandas.DataFrame
        One row per pair of experimental conditions, with the columns `COLUMNS`. The column `difference` is the mean
        evaluations of the condition `after` minus the mean evaluations of the condition `before`. The columns
        `first_half` and `second_half` are the differences of mean evaluations in the first and second half of the
        runs, sorted by seed. If runs of a pair are missing, its p-value is NaN. The column `outcome` is "pending" in
        all rows until all planned runs exist.
    """
    table = pd.DataFrame([_compare(step, runs, planned, strata) for step in steps], columns=list(COLUMNS))
    if table["p"].isna().any():
        return table
    table["p_corrected"] = analysis.holm(table["p"].tolist())
    budget = analysis.censor_at_budget(runs)["budget"].max()
    table["outcome"] = [_outcome(row, MARGIN * budget) for row in table.to_dict("records")]
    return table


def _compare(step: Step, runs: pd.DataFrame, planned: int | Mapping[str, int], strata: str | None) -> dict[str, Any]:
    """Compare two experimental conditions; the p-value is NaN unless both have all planned runs."""
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
    """Return the outcome of a comparison: faster, slower, equivalent or inconclusive."""
    if row["p_corrected"] < analysis.LEVEL:
        return FASTER if row["difference"] < 0 else SLOWER
    return EQUIVALENT if -margin < row["low"] and row["high"] < margin else INCONCLUSIVE
