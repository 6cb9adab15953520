"""Report section on the paper's mazes: success rates, evaluations, running times and comparisons of the searches."""

import html
import math
from typing import Any

import pandas as pd

from divergent import analysis, plots
from divergent.maze._maze import BEST
from divergent.plots import label
from divergent.replicate import paper
from divergent.replicate._paper_comparison import (
    ROBOT_EXPERIMENTS,
    by_robot,
    check_paper_itself,
    compare_means,
    compare_paper_2016,
    evaluations_by_robot,
    solved_by_robot,
    variation_between_papers,
)
from divergent.replicate._replication import Replication, computed_once, needs_runs
from divergent.reports import _formatting as formatting
from divergent.reports._page import Figure, Section, Table
from divergent.runs.defaults import default_budget

LOWEST = 200.0  # first value of the fitness axis; in the figures of both robots, all values are higher


@needs_runs(*ROBOT_EXPERIMENTS)
def section(replication: Replication) -> Section:
    """Return the report section on the paper's mazes, or None if there are no runs in these mazes."""
    small, large = default_budget("medium"), default_budget("very_hard")
    text = f"""<p>Six searches were run in four mazes. A run ends with its first solution or with its budget. The budget
is {small:,} evaluations in the medium and hard mazes, and {large:,} evaluations in the other two mazes.
{html.escape(variation_between_papers())}</p>"""
    items: list[Table | Figure | None] = []
    for name, suffix, title in (("authored", "", ""), ("original", "_original", ", with the five-rangefinder robot")):
        if replication.has(name):
            items += _curves(replication, name, suffix, title)
    items += [_solved_table(replication), _evaluations_table(replication), _running_times_table(replication)]
    items += [_best_fitness_table(replication), order_table(replication), _comparisons_table(replication)]
    items += [paper_itself_table(replication), _paper_2016_table()]
    return Section("Mazes of the paper", text, [item for item in items if item is not None])


def _curves(replication: Replication, name: str, suffix: str, title: str) -> list[Table | Figure | None]:
    """Return two figures for an experiment: success rate and best fitness over evaluations."""
    results = replication.experiments[name]
    rows = list(results.runs.itertuples(index=False))
    efficiency = analysis.efficiency(analysis.curve_table(rows, results.curves.astype(float)))
    return [
        Figure(
            f"robustness{suffix}",
            f"Robustness{title}: fraction of successful runs over evaluations (Kaplan-Meier), with 95% bands. Below "
            "each panel is the number of runs at risk, which have not solved the maze yet.",
            plots.by_maze(plots.draw_kaplan_meier, analysis.kaplan_meier(results.runs)),
        ),
        Figure(
            f"efficiency{suffix}",
            f"Efficiency{title}: best fitness so far, as the mean over runs with its 95% interval. After its solution, "
            "a run keeps its fitness.",
            draw_efficiency(efficiency),
        ),
    ]


def draw_efficiency(table: pd.DataFrame) -> Any:
    """Draw the best fitness in each maze from 200 to 300, so that figures of both robots have the same y axis.

    The y axis begins below 200 if the table has lower values.

    Parameters
    ----------
    table : pandas.DataFrame
        Result of `divergent.analysis.efficiency`.

    Returns
    -------
    numpy.ndarray of matplotlib.axes.Axes
        Axes of the panel of each maze.
    """
    panels = plots.by_maze(plots.draw_efficiency, table)
    if table[["mean", "low"]].min(axis=None) >= LOWEST:
        for axes in panels:
            axes.set_ylim(LOWEST, BEST)
    return panels


def _solved_table(replication: Replication) -> Table:
    """Return a table of successful runs, compared with the paper, with verdicts."""
    table = solved_by_robot(replication)
    shown = pd.DataFrame(
        formatting.names(table)
        | {"ours": formatting.solved(table)}
        | {"95% interval": formatting.intervals(table, ".0%"), f"paper, of {paper.RUNS}": table["paper"]}
        | {"p": formatting.ps(table["p"]), "p, corrected": formatting.ps(table["p_corrected"])}
        | {"verdict": table["verdict"]}
    )
    caption = "Successful runs in each maze, with Wilson's 95% interval of the success rate."
    return Table("solved", caption, table, shown)


def _evaluations_table(replication: Replication) -> Table:
    """Return a table of mean evaluations, compared with the paper, with verdicts."""
    table = evaluations_by_robot(replication)
    caption = "Evaluations to a solution: restricted mean (standard deviation), and the 95% interval of the mean."
    return Table("evaluations", caption, table, formatting.compared_means(table, ",.0f"))


def _running_times_table(replication: Replication) -> Table:
    """Return a table of median and expected running times, in evaluations."""
    table = by_robot(replication, analysis.running_times)

    def time(value: float) -> str:
        return "beyond the budget" if math.isinf(value) else f"{value:,.0f}"

    shown = pd.DataFrame(
        formatting.names(table)
        | {"solved": table["solved"], "median": [time(value) for value in table["median"]]}
        | {"95% interval": [f"{time(row.low)} to {time(row.high)}" for row in table.itertuples()]}
        | {"expected running time": ["" if math.isinf(value) else f"{value:,.0f}" for value in table["expected"]]}
    )
    caption = (
        "Running times in evaluations, with unsuccessful runs censored at the budget. Half of the runs solve the maze "
        "within the median (Kaplan-Meier). The expected running time is the number of evaluations of all runs, "
        "divided by the number of successful runs."
    )
    return Table("running_times", caption, table, shown)


@needs_runs("authored")
def _best_fitness_table(replication: Replication) -> Table:
    """Return a table of the best fitness at the end of the runs, compared with the paper, with verdicts."""
    runs = replication.runs("authored")
    table = compare_means(analysis.means(runs, "best_fitness"), runs, paper.BEST_FITNESS, measure="best_fitness")
    caption = "Best fitness at the end of a run: mean (standard deviation), and the 95% interval of the mean."
    return Table("best_fitness", caption, table, formatting.compared_means(table, ".2f"))


@computed_once
def order_table(replication: Replication) -> Table | None:
    """Return a table of the paper's claims on the order of searches in its unpublished mazes, with verdicts."""
    runs = replication.runs("authored")
    if not set(runs["maze"]) - set(paper.PUBLISHED):
        return None
    claims = [claim for claim in paper.ORDERS if claim[0] in set(runs["maze"])]
    table = analysis.check_order(runs, claims, paper.RUNS)
    relations = {"better": "faster than", "equal": "about as fast as", "never": "never solves the maze"}
    statements, solved = [], []
    for row in table.itertuples():
        pair = row.relation != "never"
        statements.append(f"{label(row.first)} {relations[row.relation]}{f' {label(row.second)}' if pair else ''}")
        other = f"; {row.solved_second} of {row.runs_second}" if pair else ""
        solved.append(f"{row.solved_first} of {row.runs_first}{other}")
    shown = pd.DataFrame(
        {"maze": formatting.labels(table["maze"]), "ranking in the paper": statements, "solved": solved}
        | {"pairs of runs": formatting.pairs(table)}
        | {"p, corrected": formatting.ps(table["p_corrected"]), "verdict": table["verdict"]}
    )
    caption = (
        "Order of the searches in the two mazes that the paper does not publish. Claims of a faster search are tested "
        "by a Mann-Whitney U test on evaluations. Searches are about as fast if their means are equivalent within a "
        "fifth, and not about as fast if the means differ by Welch's test. Claims that a search never solves the maze "
        "are tested like successful runs. All p are corrected by Holm's method over the table."
    )
    return Table("order", caption, table, shown)


def _comparisons_table(replication: Replication) -> Table:
    """Return a table of tests that compare the evaluations of all pairs of searches."""
    table = analysis.correct_p_values(by_robot(replication, analysis.compare))
    caption = (
        "Pairwise comparisons of the searches: two-tailed Mann-Whitney U test and log-rank test on evaluations. Both "
        "p are corrected by Holm's method over the table. Ties between two runs count half for each search."
    )
    shown = pd.DataFrame(
        {"robot": formatting.labels(table["robot"]), "maze": formatting.labels(table["maze"])}
        | formatting.tests(table)
        | {"log-rank p, corrected": formatting.ps(table["p_log_rank_corrected"])}
        | {"pairs of runs": formatting.pairs(table)}
    )
    return Table("comparisons", caption, table, shown)


@computed_once
def paper_itself_table(replication: Replication) -> Table:
    """Return a table of tests that compare surprise and novelty search and use only numbers that the paper reports."""
    table = check_paper_itself()
    shown = pd.DataFrame(
        {"maze": formatting.labels(table["maze"])}
        | {"evaluations": [f"{row.surprise:,.0f} and {row.novelty:,.0f}" for row in table.itertuples()]}
        | {"Welch's p": formatting.ps(table["p_evaluations"], 5)}
        | {"solved": [f"{row.solved_surprise} and {row.solved_novelty}" for row in table.itertuples()]}
        | {"Fisher's p": formatting.ps(table["p_solved"], 5)}
    )
    caption = (
        "Surprise search compared with novelty search, by tests on the numbers reported in the paper. In the very hard "
        "maze, both differences are significant. In the extremely hard maze, only the difference of the numbers of "
        "successful runs is significant. In the medium and hard mazes, no difference is significant."
    )
    return Table("paper_itself", caption, table, shown)


def _paper_2016_table() -> Table:
    """Return a table that compares the numbers of evaluations in two papers of the same authors."""
    table = compare_paper_2016()
    shown = pd.DataFrame(
        {"maze": formatting.labels(table["maze"]), "search": formatting.labels(table["search"])}
        | {"evaluations in 2016": formatting.numbers(table["mean_2016"], ",.0f")}
        | {"in the paper": formatting.numbers(table["mean"], ",.0f")}
        | {"difference": formatting.numbers(table["relative_difference"], "+.0%")}
    )
    caption = "Evaluations that the authors of the paper report in 2016 and in the paper."
    return Table("paper_2016", caption, table, shown)
