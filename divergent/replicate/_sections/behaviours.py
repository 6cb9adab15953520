"""Report section on behaviours: heatmaps of final positions, and the entropy of final positions."""

import math
from typing import Any

import numpy as np
import pandas as pd

from divergent import analysis, plots
from divergent.maze._files import read_maze
from divergent.maze._maze import Maze
from divergent.plots import label
from divergent.replicate import paper
from divergent.replicate._replication import Replication, needs_runs
from divergent.replicate._results import VISITS, Results
from divergent.reports import _formatting as formatting
from divergent.reports._page import Figure, Section, Table


@needs_runs("authored")
def section(replication: Replication) -> Section:
    """Return the report section on behaviours, or None if the experiment `authored` has no runs."""
    results = replication.experiments["authored"]
    heatmaps, table = _typical_runs(results)
    items: list[Table | Figure] = []
    if heatmaps:
        caption = (
            "Final positions of robots in the run that solved the maze closest to the paper's number of evaluations; "
            "evaluations and entropy are above each map. All have one logarithmic scale; white cells were not reached."
        )
        items = [Figure("heatmaps", caption, plots.draw_heatmaps(heatmaps)), _entropy_table(table)]
        items.append(_entropy_tests_table(results.runs))
    items.append(_all_visits_figure(results))
    text = f"""<p>Entropy is that of final positions counted in cells of {analysis.CELL_SIZE:g} by
{analysis.CELL_SIZE:g} units over the maze's bounding box, from 0 (all in one cell) to 1 (equal counts in all cells).
The paper does not report the size of its cells, so only the order can be compared: surprise above novelty in every
maze.</p>"""
    return Section("Behaviours", text, items)


def _typical_runs(results: Results) -> tuple[list[tuple[str, Maze, np.ndarray]], pd.DataFrame]:
    """Return heatmaps of one typical run per maze and search, and a table of the entropies of these runs."""
    rows: list[tuple[Any, ...]] = []
    heatmaps = []
    for maze in (maze for maze in paper.MAZES if maze in set(results.runs["maze"])):
        for search in paper.COMPARED:
            runs = results.runs[(results.runs["maze"] == maze) & (results.runs["search"] == search)]
            if runs.empty:
                continue
            reported = paper.ENTROPY[maze, search]
            run = analysis.typical_run(runs, reported.evaluations)
            entropies = runs.loc[runs["solved"], "entropy"]
            values = (pd.NA, pd.NA, math.nan) if run is None else (run["seed"], run["evaluations"], run["entropy"])
            rows.append((maze, search, *values, *reported, len(entropies), entropies.mean(), entropies.std()))
            title, key = f"{label(maze)}, {label(search)}\n", f"{maze}/{search}"
            if run is None:
                title += f"all {len(runs)} runs, none solved"
            else:
                title, key = _outcome(title, run), f"{key}/{run['seed']}"
            heatmaps.append((title, read_maze(maze), _visits(results, key)))
    names = ["maze", "search", "seed", "evaluations", "entropy", "paper", "paper_evaluations", "solved", "mean", "sd"]
    return heatmaps, pd.DataFrame(rows, columns=names).astype({"seed": "Int64", "evaluations": "Int64"})


def _outcome(title: str, run: Any) -> str:
    """Add evaluations and entropy of a run to the title of its heatmap."""
    return f"{title}{run['evaluations']:,} evaluations\nentropy {run['entropy']:.2f}"


def _all_visits_figure(results: Results) -> Figure:
    """Return heatmaps of the final positions of all runs, with one row per maze and one column per search."""
    columns = max(2, results.runs.groupby("maze")["search"].nunique().max())
    heatmaps: list[tuple[str, Maze, np.ndarray] | None] = []
    for maze, rates in analysis.success_rates(results.runs).groupby("maze", sort=False):
        heatmaps += [
            (f"{label(maze)}, {label(search)}", read_maze(maze), _visits(results, f"{maze}/{search}"))
            for search in rates["search"]
        ]
        heatmaps += [None] * (columns - len(rates))
    caption = "Final positions over all evaluations of all runs; the searches have different numbers of evaluations."
    return Figure("visits", caption, plots.draw_heatmaps(heatmaps, columns=columns))


def _visits(results: Results, key: str) -> np.ndarray:
    """Return the number of final positions in each grid cell, stored under a key such as "hard/novelty"."""
    if key not in results.visits:
        raise ValueError(
            f"the results file {VISITS} must contain the array {key!r}, got {len(results.visits)} arrays with other "
            "names; collect the results again"
        )
    return results.visits[key]


def _entropy_table(table: pd.DataFrame) -> Table:
    """Return a table of the entropy of the typical run and of all solved runs, for each maze and search."""
    shown = pd.DataFrame(
        {"maze": formatting.labels(table["maze"]), "search": formatting.labels(table["search"])}
        | {
            "typical run": [
                "none solved" if pd.isna(row.seed) else f"{row.entropy:.2f} (seed {row.seed}, {row.evaluations:,})"
                for row in table.itertuples()
            ]
        }
        | {"paper's typical run": [f"{row.paper:.2f} ({row.paper_evaluations:,})" for row in table.itertuples()]}
        | {"runs that solved": table["solved"], "their mean": formatting.means(table, ".3f")}
    )
    caption = (
        "Entropy of final positions: of a typical run (seed, evaluations), and mean (standard deviation) over "
        "all runs that solved."
    )
    return Table("entropy", caption, table, shown)


def _entropy_tests_table(runs: pd.DataFrame) -> Table:
    """Return a table of tests that compare the entropy of surprise search with that of novelty search."""
    table = analysis.compare(runs[runs["solved"] & runs["search"].isin(paper.COMPARED)], "entropy")
    table["verdict"] = analysis.decide(
        [
            analysis.evidence_of_order(row.p, row.effect, min(row.runs_first, row.runs_second))
            for row in table.itertuples()
        ]
    )
    caption = (
        "Whether surprise's entropy is above novelty's in runs that solved: Mann-Whitney U test, corrected by Holm's "
        "method over the table; effect: rank-biserial correlation, negative if surprise's is larger. Runs that take "
        "longer visit more cells with any search."
    )
    columns = {"maze": formatting.labels(table["maze"])} | formatting.tests(table) | {"verdict": table["verdict"]}
    return Table("entropy_tests", caption, table, pd.DataFrame(columns))
