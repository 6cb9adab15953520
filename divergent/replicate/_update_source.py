"""Decision whether surprise search updates from the offspring of a generation or from the current population.

The decision rule was fixed in a commit before any run of the comparison was executed. The comparison has 200 runs of
surprise search in the hard maze: 100 runs with updates from offspring, and 100 with updates from the population.
"""

import math
from typing import Any, NamedTuple

import pandas as pd

from divergent.analysis import LEVEL, log_rank
from divergent.replicate import paper
from divergent.replicate._experiments import CONFIRMATORY, FIRST_UPDATE_SEED, UPDATE_RUNS
from divergent.replicate._replication import Replication
from divergent.runs.defaults import default_budget

MAZE, SEARCH = "hard", "surprise"
# runs with updates from offspring and runs with updates from the population have the same seeds
SEEDS = range(FIRST_UPDATE_SEED, FIRST_UPDATE_SEED + UPDATE_RUNS)
OFFSPRING, POPULATION = "offspring", "population"
FIRST_CONNECTIONS = 13  # number of connections of every genome in the initial population


class Decision(NamedTuple):
    """Decision on the default update source of surprise search, with the result of the statistical test."""

    default: str
    """ "population" if updates from the population are significantly faster, otherwise "offspring"."""

    p: float
    """The p-value of the two-tailed log-rank test on evaluations."""

    table: pd.DataFrame
    """One row per update source, and a last row for the paper: runs, successes, mean evaluations, network growth."""


def decide(offspring: pd.DataFrame, population: pd.DataFrame) -> Decision:
    """Decide whether surprise search updates from the offspring or from the population by default.

    Parameters
    ----------
    offspring, population : pandas.DataFrame
        Runs of surprise search with each update source, both with the seeds 2000 to 2099.

    Raises
    ------
    ValueError
        If a table does not have exactly one run with each of the seeds 2000 to 2099.
    """
    for name, runs in ((OFFSPRING, offspring), (POPULATION, population)):
        if sorted(runs["seed"]) != list(SEEDS):
            seeds = f"{SEEDS[0]} to {SEEDS[-1]}"
            raise ValueError(
                f"table of runs {name} must have one run for each seed ({seeds}), got {len(runs)} runs; run all seeds"
            )
    p = log_rank(offspring, population)
    rows = [
        {"setting": name, "runs": len(runs), "solved": int(runs["solved"].sum())}
        | {"evaluations": runs["evaluations"].mean(), "growth": growth(runs)}
        for name, runs in ((OFFSPRING, offspring), (POPULATION, population))
    ]
    faster = population["evaluations"].mean() < offspring["evaluations"].mean()
    table = pd.DataFrame([*rows, _paper_row()])
    return Decision(POPULATION if p < LEVEL and faster else OFFSPRING, p, table)


def growth(runs: pd.DataFrame) -> float:
    """Return the mean number of connections that networks gain in 1,000 evaluations of successful runs.

    Parameters
    ----------
    runs : pandas.DataFrame
        Table of runs.

    Returns
    -------
    float
        Number of connections per 1,000 evaluations; NaN if no run is successful.

    Examples
    --------
    >>> runs = pd.DataFrame({"solved": [True, True], "connections": [23, 43], "evaluations": [8_000, 12_000]})
    >>> growth(runs)
    2.0
    """
    solved = runs[runs["solved"]]
    if solved.empty:
        return math.nan
    return float(1000 * (solved["connections"].mean() - FIRST_CONNECTIONS) / solved["evaluations"].mean())


def paper_growth(maze: str, budget: int) -> float:
    """Return the mean number of connections that networks gain in 1,000 evaluations, from the results in the paper.

    Examples
    --------
    >>> round(paper_growth("hard", 75_000), 2)
    1.71
    """
    rate = paper.SOLVED[maze, SEARCH].among[0] / paper.RUNS
    evaluations = (paper.EVALUATIONS[maze, SEARCH].mean - (1 - rate) * budget) / rate
    return 1000 * (paper.GENOTYPES[maze, SEARCH]["connections"].mean - FIRST_CONNECTIONS) / evaluations


def growth_table(replication: Replication) -> pd.DataFrame:
    """Return a table of the growth of networks in runs of surprise search, with one row per maze of the paper.

    Parameters
    ----------
    replication : divergent.replicate.Replication
        Results of the experiments.

    Returns
    -------
    pandas.DataFrame
        Number of connections that networks gain in 1,000 evaluations, in the columns `paper`, `confirmatory` and
        `exploratory`; NaN without successful runs.
    """
    rows = []
    for maze in paper.MAZES:
        row: dict[str, Any] = {"maze": maze, "paper": paper_growth(maze, default_budget(maze))}
        for kind, experiment in (("confirmatory", CONFIRMATORY[maze]), ("exploratory", "authored")):
            runs = replication.runs(experiment)
            row[kind] = growth(runs[(runs["maze"] == maze) & (runs["search"] == SEARCH)])
        rows.append(row)
    return pd.DataFrame(rows)


def _paper_row() -> dict[str, Any]:
    count, evaluations = paper.SOLVED[MAZE, SEARCH], paper.EVALUATIONS[MAZE, SEARCH]
    return {"setting": "the paper", "runs": count.runs, "solved": count.among[0]} | {
        "evaluations": evaluations.mean,
        "growth": paper_growth(MAZE, default_budget(MAZE)),
    }
