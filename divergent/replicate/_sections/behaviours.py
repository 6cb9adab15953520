"""Report section on behaviours: heatmaps of final positions, and the entropy of final positions."""

import math
from typing import Any

import numpy as np
import pandas as pd

from divergent import analysis, plots
from divergent.maze._files import read_maze
from divergent.maze._maze import ROBOT_RADIUS, Maze
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
            "Final positions of robots in one typical run per maze and search. The typical run is the successful run "
            "whose number of evaluations is closest to the paper's. Evaluations and entropy are above each heatmap. "
            "All heatmaps share one logarithmic scale, and white cells contain no final position."
        )
        items = [Figure("heatmaps", caption, plots.draw_heatmaps(heatmaps)), _entropy_table(table)]
        items.append(_entropy_tests_table(results.runs))
    items.append(_all_visits_figure(results))
    text = f"""<p>Final positions are counted in cells of {analysis.CELL_SIZE:g} by {analysis.CELL_SIZE:g} units over
the bounding box of the maze. The entropy of the counts is 0 if all positions are in one cell, and 1 if all cells have
equal counts. The paper does not report the size of its cells, so only the order of the searches can be compared. In the
paper, the entropy of surprise search is higher than the entropy of novelty search in every maze.</p>"""
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
    caption = (
        "Final positions over all evaluations of all runs. The numbers of evaluations differ between searches. Every "
        f"final position is at least {ROBOT_RADIUS:g} units, the radius of the robot, from all walls. A cell of "
        f"{analysis.CELL_SIZE:g} by {analysis.CELL_SIZE:g} units may extend into the white band along a wall. The "
        "few dark cells in this band contain robots that touch the wall."
    )
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
    """Return a table of the entropy of the typical run and of all successful runs, for each maze and search."""
    shown = pd.DataFrame(
        {"maze": formatting.labels(table["maze"]), "search": formatting.labels(table["search"])}
        | {
            "typical run": [
                "none solved" if pd.isna(row.seed) else f"{row.entropy:.2f} (seed {row.seed}, {row.evaluations:,})"
                for row in table.itertuples()
            ]
        }
        | {"paper's typical run": [f"{row.paper:.2f} ({row.paper_evaluations:,})" for row in table.itertuples()]}
        | {"successful runs": table["solved"], "mean of successful runs": formatting.means(table, ".3f")}
    )
    caption = (
        "Entropy of final positions, for a typical run (with its seed and evaluations) and for all successful runs "
        "(mean and standard deviation)."
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
        "Entropy of surprise search compared with the entropy of novelty search, in successful runs: Mann-Whitney U "
        "test, corrected by Holm's method over the table. The effect is the rank-biserial correlation, which is "
        "negative if the entropy of surprise search is larger. Longer runs visit more cells with any search."
    )
    columns = {"maze": formatting.labels(table["maze"])} | formatting.tests(table) | {"verdict": table["verdict"]}
    return Table("entropy_tests", caption, table, pd.DataFrame(columns))
