"""Tables that compare the results of the five- and the six-rangefinder robot with the paper."""

import math
from typing import Any

import pandas as pd

from divergent.replicate import paper
from divergent.replicate._paper_comparison import ROBOT_EXPERIMENTS, ROBOTS, evaluations_by_robot, solved_by_robot
from divergent.replicate._replication import Replication, computed_once, needs_runs
from divergent.reports import _formatting as formatting
from divergent.reports._page import Table


@computed_once
@needs_runs(*ROBOT_EXPERIMENTS)
def robots_table(replication: Replication) -> Table:
    """Return a table that compares successful runs and evaluations of the two robots with the paper.

    The robots have five and six rangefinders.
    """
    solved, evaluations = (
        {(row.maze, row.search, row.robot): row for row in table.itertuples()}
        for table in (solved_by_robot(replication), evaluations_by_robot(replication))
    )
    rows = []
    for maze, search in ((maze, search) for maze in paper.MAZES for search in paper.SEARCHES):
        keys = {robot: (maze, search, robot) for robot in ROBOTS}
        if not any(key in solved for key in keys.values()):
            continue
        row: dict[str, Any] = {"maze": maze, "search": search}
        for robot, key in keys.items():
            present = key in solved
            row[f"solved_{robot}"] = solved[key].solved if present else pd.NA
            row[f"runs_{robot}"] = solved[key].runs if present else pd.NA
            row[f"evaluations_{robot}"] = evaluations[key].mean if present else math.nan
            row[f"sd_{robot}"] = evaluations[key].sd if present else math.nan
        reported = paper.EVALUATIONS.get((maze, search), paper.Mean(math.nan, math.nan))
        row |= {"paper_solved": paper.SOLVED[maze, search].text}
        rows.append(row | {"paper_mean": reported.mean, "paper_sd": reported.sd})
    table = pd.DataFrame(rows)
    caption = (
        "Successful runs and evaluations (mean and standard deviation) with both robots, compared with the paper. The "
        "very hard and extremely hard mazes are replacements for the unpublished mazes of the paper."
    )
    return Table("robots", caption, table, _shown_robots(table))


def _shown_robots(table: pd.DataFrame) -> pd.DataFrame:
    """Format the results of the two robots and of the paper as strings."""
    five, six = ROBOTS
    columns: dict[str, Any] = {"maze": formatting.labels(table["maze"]), "search": formatting.labels(table["search"])}
    solved = {
        robot: [
            "" if pd.isna(count) else f"{count} of {of}"
            for count, of in zip(table[f"solved_{robot}"], table[f"runs_{robot}"], strict=True)
        ]
        for robot in ROBOTS
    }
    columns |= {f"solved: {ROBOTS[five]}": solved[five], f"solved: the paper, of {paper.RUNS}": table["paper_solved"]}
    columns |= {f"solved: {ROBOTS[six]}": solved[six]}
    for name, mean, sd in (
        (ROBOTS[five], f"evaluations_{five}", f"sd_{five}"),
        ("the paper", "paper_mean", "paper_sd"),
        (ROBOTS[six], f"evaluations_{six}", f"sd_{six}"),
    ):
        columns[f"evaluations: {name}"] = formatting.means(table, ",.0f", mean, sd)
    return pd.DataFrame(columns)


@computed_once
@needs_runs(*ROBOT_EXPERIMENTS)
def verdicts_table(replication: Replication) -> Table:
    """Return a table of successful runs and evaluations of the five- and the six-rangefinder robot, with verdicts."""
    solved, evaluations = solved_by_robot(replication), evaluations_by_robot(replication)
    shown = pd.DataFrame(
        {"robot": solved["robot"], "maze": formatting.labels(solved["maze"])}
        | {"search": formatting.labels(solved["search"]), "solved": formatting.solved(solved)}
        | {f"solved: the paper, of {paper.RUNS}": solved["paper"], "verdict: solved": solved["verdict"]}
        | {"evaluations (sd)": formatting.means(evaluations, ",.0f")}
        | {"evaluations: the paper": formatting.means(evaluations, ",.0f", "paper_mean", "paper_sd")}
        | {"verdict: evaluations": evaluations["verdict"]}
    )
    return Table(
        "verdicts", "Successful runs and evaluations with both robots, with a verdict on each number.", solved, shown
    )
