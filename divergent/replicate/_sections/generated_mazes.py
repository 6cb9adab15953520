"""Report section on generated mazes: evaluations, comparisons, rankings, deceptiveness and maze features."""

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pandas as pd

from divergent import analysis, plots
from divergent.analysis import Deceptiveness, Evidence, FeatureRegression, Verdict
from divergent.maze._files import default_steps, read_maze
from divergent.maze._generator import GENERATED
from divergent.maze._maze import Maze
from divergent.plots import label
from divergent.replicate import paper
from divergent.replicate._paper_comparison import OTHER_BUDGET, compare_means
from divergent.replicate._replication import Replication, computed_once
from divergent.reports import _formatting as formatting
from divergent.reports._page import Figure, Section, Table
from divergent.runs.defaults import default_budget

_EXAMPLES = "Generated mazes: one example for each number of subdivisions. The filled circle is the start."


@computed_once
def generated_runs(replication: Replication) -> pd.DataFrame:
    """Return the runs in generated mazes whose search was run with the same seed in every generated maze."""
    return analysis.complete_seeds(replication.runs("generated"))


@computed_once
def feature_regression(replication: Replication) -> FeatureRegression | None:
    """Return the regression of success rates on maze features, or None if novelty or surprise search has no runs."""
    if not _has_compared(replication):
        return None
    return analysis.regress_on_features(generated_runs(replication), paper.COMPARED)


def section(replication: Replication) -> Section | None:
    """Return the report section on generated mazes, or None if there are no runs in generated mazes."""
    runs = generated_runs(replication)
    if runs.empty:
        return None
    counts = runs.groupby(["maze", "search"]).size()
    number = f"{counts.min()}" if counts.min() == counts.max() else f"{counts.min()} to {counts.max()}"
    steps, budget = default_steps(GENERATED), default_budget(GENERATED)
    text = f"""<p>The {runs["maze"].nunique()} generated mazes of 200 by 200 units are created by recursive division. A
rollout has {steps} steps, and a run has a budget of {budget:,} evaluations. Each search has {number} runs in each maze.
The paper does not publish its generated mazes; our mazes are generated as the paper describes. We chose the width of
the gaps in the walls based only on results of objective search.</p>"""
    items: list[Table | Figure | None] = [
        Figure("generated_mazes", _EXAMPLES, plots.draw_examples(_examples(runs["maze"].unique()))),
        Figure(
            "generated_robustness",
            "Robustness: fraction of successful runs over evaluations, for all runs in all generated mazes "
            "(Kaplan-Meier). The 95% bands treat runs as independent.",
            plots.draw_kaplan_meier(analysis.kaplan_meier(runs, by=("search",))),
        ),
        generated_table(replication),
    ]
    if _has_compared(replication):
        items += [over_mazes_table(replication), _lead_table(runs), _rankings_table(runs), _ranking_totals_table(runs)]
        items += [*_deceptiveness_items(runs), features_table(replication), _features_figure(replication)]
    return Section("Generated mazes", text, [item for item in items if item is not None])


def _has_compared(replication: Replication) -> bool:
    """Return whether there are runs of both novelty and surprise search."""
    return set(paper.COMPARED) <= set(generated_runs(replication)["search"])


def _examples(names: Iterable[str]) -> list[tuple[str, Maze]]:
    """Return one generated maze as an example for each number of subdivisions."""
    mazes: dict[int, Maze] = {}
    for maze in map(read_maze, analysis.order_names(names, ())):
        # a subdivision adds two wall segments to the four outer walls
        mazes.setdefault((len(maze.walls) - 4) // 2, maze)
    return [(f"{count} subdivisions", mazes[count]) for count in sorted(mazes)]


@computed_once
def generated_table(replication: Replication) -> Table | None:
    """Return a table that compares mean evaluations in generated mazes with the paper; the sample unit is a maze."""
    runs = generated_runs(replication)
    if runs.empty:
        return None

    def reason(row: Any, runs: pd.DataFrame) -> Verdict | None:
        return None if row.budget == default_budget(GENERATED) else OTHER_BUDGET

    table = analysis.evaluations(runs, by=("search",))
    mazes = runs.groupby(["search", "maze"], as_index=False)["evaluations"].mean()
    intervals = [
        analysis.bounded_interval(mazes.loc[mazes["search"] == search, "evaluations"], 0, table["budget"].max())
        for search in table["search"]
    ]
    table = table.assign(
        mazes=analysis.means(mazes, "evaluations", by=("search",))["runs"],
        low=[low for low, _ in intervals],
        high=[high for _, high in intervals],
        solved=analysis.success_rates(runs, by=("search",))["solved"],
    )
    reported = {
        (search,): paper.Mean(mean.mean, mean.sd, paper.GENERATED_MAZES)
        for search, mean in paper.GENERATED_EVALUATIONS.items()
    }
    table = compare_means(table, mazes, reported, measure="evaluations", reason=reason, unit="maze")
    shown = formatting.compared_means(table, ",.0f")
    shown.insert(2, "solved", [f"{row.solved:,} ({row.solved / row.runs:.0%})" for row in table.itertuples()])
    caption = (
        "Evaluations over all runs in all generated mazes: restricted mean (standard deviation over runs). The 95% "
        "interval is by bootstrap over mazes, because runs in the same maze are correlated. The sample of the tests is "
        "the mean of each maze. The paper used other generated mazes."
    )
    return Table("generated_evaluations", caption, table, shown)


@computed_once
def over_mazes_table(replication: Replication) -> Table | None:
    """Return a table that compares the searches in pairs over generated mazes, or None if no pair has runs."""
    runs = generated_runs(replication)
    table = analysis.compare_over_mazes(runs) if len(runs) else pd.DataFrame()
    return formatting.comparisons_over_mazes("generated_comparisons", "generated", table) if len(table) else None


@computed_once
def features_table(replication: Replication) -> Table | None:
    """Return a table of the regression of success rates on maze features, or None if the regression is undefined."""
    regression = feature_regression(replication)
    if regression is None:
        return None
    first, second = (label(search) for search in paper.COMPARED)
    outcomes = {"difference": f"{second} less {first}"}
    table = regression.lines
    shown = pd.DataFrame(
        {"success rate of": [outcomes.get(name) or label(name) for name in table["outcome"]]}
        | {"feature": formatting.labels(table["feature"])}
        | {"mazes": table["mazes"], "change": formatting.numbers(table["change"], "+.1%")}
        | {"95% interval": formatting.intervals(table, "+.1%"), "p": formatting.ps(table["p"])}
    )
    caption = (
        "Linear regression of success rates on four features of the mazes. The features are the length of the shortest "
        "path, the right angles that the path turns, the fraction of the area in dead ends, and the number of "
        "subdivisions. The change of the success rate is for one standard deviation of a feature. Standard errors "
        "allow for unequal variances (HC3)."
    )
    return Table("maze_features", caption, table, shown)


def _features_figure(replication: Replication) -> Figure | None:
    """Return a figure of the regression coefficients of maze features, or None if they are undefined."""
    regression = feature_regression(replication)
    if regression is None or regression.lines["change"].isna().any():
        return None
    caption = (
        "Effect of maze features on success rates: change of the success rate for one standard deviation of a feature, "
        "with all other features constant, and 95% intervals."
    )
    return Figure("maze_features", caption, plots.draw_features(regression))


def _lead_table(runs: pd.DataFrame) -> Table:
    """Return a table of the evaluations after which surprise search has solved significantly more runs than novelty."""
    second, first = paper.COMPARED
    ours = analysis.lead_onset(runs, first, second)
    table = pd.DataFrame([{"first": first, "second": second, "ours": ours, "paper": paper.FASTER_FROM}])
    shown = pd.DataFrame(
        {"search": [label(first)], "has solved more runs than": [label(second)]}
        | {"ours": [f"{ours:,.0f}" if math.isfinite(ours) else "at no point up to the budget"]}
        | {"paper": [f"{paper.FASTER_FROM:,}"]}
    )
    caption = (
        "Number of evaluations from which one search has solved significantly more runs than the other, at all later "
        "evaluations (Fisher's exact test, 5%)."
    )
    return Table("lead_onset", caption, table, shown)


def _rankings_table(runs: pd.DataFrame) -> Table:
    """Return a table of the fraction of mazes in which one search has more successful runs than another."""
    table = analysis.rankings(runs)
    tests: list[Evidence | Verdict] = []
    percents = []
    for row in table.itertuples():
        percents.append(paper.RANKINGS[row.first, row.second])
        reported = round(percents[-1] / 100 * paper.GENERATED_MAZES)
        test = analysis.evidence_of_counts(row.more, row.mazes, [reported], paper.GENERATED_MAZES)
        enough = row.runs >= analysis.LEAST_RUNS_TO_RANK
        tests.append(replace(test, unit="maze") if enough else Verdict("no verdict", test.p, row.runs))
    table = table.assign(
        paper_percent=percents, paper_mazes=paper.GENERATED_MAZES, paper_runs=paper.GENERATED_RUNS,
        p=[test.p for test in tests], verdict=analysis.decide(tests),
    )  # fmt: skip
    fewest = int(table["runs"].min()) if len(table) else 0
    verdict = "Verdicts on the number of mazes are in the table's CSV file."
    if fewest < analysis.LEAST_RUNS_TO_RANK:
        verdict = f"No verdict below {analysis.LEAST_RUNS_TO_RANK} runs: fewer runs give more ties."
    caption = (
        "Rankings: fraction of mazes in which the search of the row solves strictly more runs than the search of the "
        "column. Each cell contains our fraction with Wilson's 95% interval, then the paper's fraction. Totals are "
        f"averages of rows and columns. We have at least {fewest} runs of each search in each maze, and the paper has "
        f"{paper.GENERATED_RUNS} runs. {verdict}"
    )
    return Table("rankings", caption, table, _shown_rankings(table, _ranking_totals(runs)))


def _shown_rankings(table: pd.DataFrame, totals: pd.DataFrame) -> pd.DataFrame:
    """Format the rankings as a matrix with a row and a column per search; the last row and column are averages."""
    searches = list(dict.fromkeys(table["first"]))
    cells = {
        (row.first, row.second): f"{row.fraction:.0%} ({row.low:.0%} to {row.high:.0%}) / {row.paper_percent}%"
        for row in table.itertuples()
    }
    sums = {
        (row["search"], name): f"{row[name]:.1%} / {row[f'paper_{name}']:g}%"
        for _, row in totals.iterrows()
        for name in ("more", "fewer")
    }
    rows = [
        {"solves more than": label(first)}
        | {label(second): cells.get((first, second), "") for second in searches}
        | {"Total": sums[first, "more"]}
        for first in searches
    ]
    last = {"solves more than": "Total"} | {label(search): sums[search, "fewer"] for search in searches} | {"Total": ""}
    return pd.DataFrame([*rows, last])


def _ranking_totals(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the average rankings of each search and, in additional columns, the averages in the paper."""
    table = analysis.ranking_totals(runs)
    reported = [paper.RANKING_TOTALS[search] for search in table["search"]]
    return table.assign(paper_more=[total.more for total in reported], paper_fewer=[total.fewer for total in reported])


def _ranking_totals_table(runs: pd.DataFrame) -> Table:
    """Return a table of the average rankings of each search with their bootstrap intervals."""
    table = _ranking_totals(runs)
    columns: dict[str, Any] = {"search": formatting.labels(table["search"]), "mazes": table["mazes"]}
    for name, title in (("more", "solves more than others"), ("fewer", "others solve more")):
        columns |= {
            title: formatting.numbers(table[name], ".1%"),
            f"{title}, 95% interval": formatting.intervals(table, ".1%", f"{name}_"),
            f"{title}, paper": [f"{value:g}%" for value in table[f"paper_{name}"]],
        }
    caption = (
        "Totals of the rankings. The first total is the fraction of mazes in which a search solves strictly more runs "
        "than another search, averaged over the other searches. The second total is the fraction of mazes in which the "
        "other search solves strictly more runs. The 95% intervals are by bootstrap over mazes."
    )
    return Table("ranking_totals", caption, table, pd.DataFrame(columns))


def _deceptiveness_items(runs: pd.DataFrame) -> list[Table | Figure]:
    """Return a table and a figure of the regression of success rates on failure rates of objective search.

    The figure is omitted if a slope is undefined.
    """
    regression = analysis.deceptiveness(runs, paper.COMPARED)
    items: list[Table | Figure] = [_deceptiveness_table(regression)]
    if regression.lines["slope"].notna().all():
        caption = (
            "Deceptiveness: success rate of a search in each maze against the failure rate of objective search. "
            "Markers of the two searches are shifted sideways to avoid overlaps."
        )
        items.append(Figure("regression", caption, plots.draw_regression(regression)))
    return items


def _deceptiveness_table(regression: Deceptiveness) -> Table:
    """Return a table of the regression lines of novelty and surprise search."""
    table = regression.lines.assign(
        paper_adjusted_r2_above=paper.ADJUSTED_R2, difference=regression.difference,
        intercept_p=regression.intercept_p, slope_p=regression.slope_p,
    )  # fmt: skip
    shown = pd.DataFrame(
        {"search": formatting.labels(table["search"]), "mazes": table["mazes"]}
        | {name: formatting.numbers(table[name], ".2f") for name in ("slope", "intercept")}
        | {"adjusted R²": formatting.numbers(table["adjusted_r2"], ".2f"), "p": formatting.ps(table["p"])}
    )
    caption = (
        "Deceptiveness: linear regression of the success rate in a maze on the failure rate of objective search. The "
        f"paper reports an adjusted R² above {paper.ADJUSTED_R2} for both searches, and a higher intercept of surprise "
        "search (ANCOVA, p < 0.05). In our runs, the intercept of surprise search minus that of novelty search is "
        f"{formatting.number(regression.difference, '+.3f')} at a common slope (ANCOVA, p: "
        f"{formatting.p(regression.intercept_p) or 'none'}). ANCOVA assumes equal slopes; the test of this assumption "
        f"gives p: {formatting.p(regression.slope_p) or 'none'}."
    )
    return Table("regression", caption, table, shown)
