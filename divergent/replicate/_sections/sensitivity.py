"""Report section on the sensitivity of novelty and surprise search to the numbers of neighbours and clusters."""

from typing import Any

import pandas as pd

from divergent import analysis, plots
from divergent.analysis import Evidence, Verdict
from divergent.analysis._grouping import group_rows
from divergent.plots import label
from divergent.replicate import paper
from divergent.replicate._paper_comparison import EMPTY, exclusion
from divergent.replicate._replication import Replication, computed_once, needs_runs
from divergent.reports import _formatting as formatting
from divergent.reports._page import Figure, Section, Table

EXPERIMENTS = ("sensitivity-novelty", "sensitivity-surprise")


@needs_runs(*EXPERIMENTS)
def section(replication: Replication) -> Section:
    """Return the report section on sensitivity analyses, or None if there are no runs of such an analysis."""
    table = _settings_tried(replication)
    figures = [
        Figure(
            f"sensitivity_{search}",
            f"Sensitivity of {label(search).lower()} search: mean evaluations divided by the budget, with the 95% "
            "interval of the mean.",
            plots.by_maze(plots.draw_sensitivity, part),
        )
        for search, part in table.groupby("search", sort=False)
    ]
    shown = pd.DataFrame(
        {"maze": formatting.labels(table["maze"]), "search": formatting.labels(table["search"])}
        | {"setting": _settings(table)}
        | {"runs": table["runs"]}
        | {"of these runs in the experiment authored": [value or "" for value in table["runs_of_authored"]]}
        | {"solved": table["solved"], "evaluations": formatting.numbers(table["evaluations"], ",.0f")}
        | {"evaluations / budget": formatting.numbers(table["effort"], ".2f")}
        | {"95% interval": formatting.intervals(table, ".2f")}
    )
    caption = (
        "All settings that were tested. Runs with the default setting of their maze are the same runs as in the "
        "experiment authored, because they have the same seeds."
    )
    text = """<p>The parameter of novelty search is the number of neighbours n. The parameters of surprise search are
the number of clusters k and the number of nearest predictions n, over which distances are averaged.</p>"""
    best, every = best_table(replication), Table("sensitivity", caption, table, shown)
    return Section("Sensitivity", text, [*figures, *([best] if best else []), every])


@computed_once
def _sensitivity_runs(replication: Replication) -> pd.DataFrame:
    """Return all runs of the sensitivity analyses, and whether each run repeats a run of the experiment `authored`."""
    tables = [replication.runs(name) for name in EXPERIMENTS if replication.has(name)]
    runs = pd.concat(tables, ignore_index=True)
    if not replication.has("authored"):
        return runs.assign(repeated=False)
    same = ["maze", "search", "clusters", "neighbours", "seed", "evaluations", "solved"]
    authored = replication.runs("authored")[same].assign(repeated=True)
    return runs.merge(authored, how="left", on=same).assign(repeated=lambda table: table["repeated"].notna())


@computed_once
def _settings_tried(replication: Replication) -> pd.DataFrame:
    """Return a table of all tested settings that counts runs with seeds and settings of the experiment `authored`."""
    runs = _sensitivity_runs(replication)
    groups = group_rows(runs, ("maze", "search", "clusters", "neighbours"))
    return analysis.sensitivity(runs).assign(runs_of_authored=[int(group["repeated"].sum()) for _, group in groups])


@computed_once
@needs_runs(*EXPERIMENTS)
def best_table(replication: Replication) -> Table:
    """Return a table of the best setting of each search in each maze, compared with the paper."""
    table = _settings_tried(replication)
    best = analysis.best_settings(table)
    rows: list[tuple[Any, ...]] = []
    tests: list[Evidence | Verdict] = []
    for row in best.itertuples():
        reported = paper.SENSITIVITY[row.maze, row.search]
        same = table[(table["maze"] == row.maze) & (table["search"] == row.search)]
        same = same[
            (same["neighbours"] == reported.neighbours) & (same["clusters"].fillna(0) == (reported.clusters or 0))
        ]
        solved, count = (same["solved"].iloc[0], same["runs"].iloc[0]) if len(same) else (pd.NA, 0)
        test: Evidence | Verdict = EMPTY
        if count and reported.solved is not None:
            test = exclusion(row, _sensitivity_runs(replication)) or analysis.evidence_of_counts(
                solved, count, [reported.solved], paper.SENSITIVITY_RUNS
            )
        tests.append(test)
        repeated = same["runs_of_authored"].iloc[0] if count else pd.NA
        rows.append((*reported, paper.SENSITIVITY_RUNS, solved, count, repeated))
    names = [*(f"paper_{name}" for name in paper.Best._fields), "paper_runs", "solved_there", "runs_there"]
    names += ["runs_of_authored_there"]
    columns = pd.DataFrame(rows, columns=names).astype(dict.fromkeys(names, "Int64"))
    best = best.join(columns).assign(verdict=analysis.decide(tests))
    caption = (
        "Best setting of each search in each maze, which is the setting with the most successful runs; ties are broken "
        "by fewest evaluations. The verdict compares our success rate with the success rate in the paper, both with "
        "the best setting in the paper."
    )
    return Table("sensitivity_best", caption, best, _shown_best(best))


def _shown_best(best: pd.DataFrame) -> pd.DataFrame:
    """Format the table of best settings as strings."""
    reported = best[["paper_clusters", "paper_neighbours"]].set_axis(["clusters", "neighbours"], axis=1)
    return pd.DataFrame(
        {"maze": formatting.labels(best["maze"]), "search": formatting.labels(best["search"])}
        | {"our best setting": _settings(best), "solved": formatting.solved(best)}
        | {"evaluations": formatting.numbers(best["evaluations"], ",.0f")}
        | {"best setting in the paper": _settings(reported)}
        | {
            "solved: the paper": [
                "" if pd.isna(row.paper_solved) else f"{row.paper_solved} of {row.paper_runs}"
                for row in best.itertuples()
            ],
            "solved: our runs with the best setting in the paper": [
                "" if row.runs_there == 0 else f"{row.solved_there} of {row.runs_there}" for row in best.itertuples()
            ],
        }
        | {"of these runs in `authored`": best["runs_of_authored_there"], "verdict": best["verdict"]}
    )


def _settings(table: pd.DataFrame) -> list[str]:
    """Format the numbers of clusters and neighbours of each row as a string."""
    return [
        f"n = {row.neighbours}" if pd.isna(row.clusters) else f"k = {row.clusters}, n = {row.neighbours}"
        for row in table.itertuples()
    ]
