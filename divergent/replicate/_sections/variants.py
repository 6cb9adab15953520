"""Report sections on variants of the default configuration: alternative predictors and reproduction rules."""

import math

import pandas as pd

from divergent import analysis, plots
from divergent.plots import label
from divergent.replicate._replication import Replication, computed_once, needs_runs
from divergent.reports import _formatting as formatting
from divergent.reports._page import Figure, Section, Table

DEFAULT_RULE = "default rule"  # label of the default rules of reproduction in tables of variants


def predictors_section(replication: Replication) -> Section | None:
    """Return the report section on predictors of surprise search, or None if there are no runs."""
    table = predictors_table(replication)
    if table is None:
        return None
    text = "<p>Surprise search with the linear predictor of the paper is compared with other predictors.</p>"
    return Section("Predictors", text, [table])


def section(replication: Replication) -> Section | None:
    """Return the report section on alternative rules of reproduction, or None if there are no runs."""
    table, runs = variants_table(replication), _runs_by_rule(replication)
    if table is None or runs is None:
        return None
    panels = _default_first(analysis.kaplan_meier(runs, by=("maze", "variant", "search")), "variant", DEFAULT_RULE)
    panels = panels.assign(maze=[f"{label(row.maze)}, {row.variant}" for row in panels.itertuples()])
    text = """<p>By the default rule, species are drawn in proportion to their mean score, and one in a thousand matings
is between species. The rule <q>above-lowest</q> first subtracts the population's lowest score, which increases
selection pressure. The rule <q>within-species</q> allows no mating between species.</p>"""
    caption = (
        f"Fraction of successful runs over evaluations with each rule of reproduction, with 95% bands.{_missing(runs)}"
    )
    figure = Figure("variants", caption, plots.by_maze(plots.draw_kaplan_meier, panels))
    return Section("Rules of reproduction", text, [figure, table])


def _missing(runs: pd.DataFrame) -> str:
    """Return a sentence for each rule that was not run with all searches of the table; the sentences may be empty."""
    sentences = ""
    searches = set(runs["search"])
    for variant, part in runs.groupby("variant", sort=False):
        if set(part["search"]) != searches:
            used = " and ".join(label(search).lower() for search in part["search"].unique())
            sentences += f" The rule {variant} was run with {used} search only."
    return sentences


@computed_once
def _runs_by_rule(replication: Replication) -> pd.DataFrame | None:
    """Return the runs with alternative rules, and the runs of the same searches and mazes with the default rules."""
    variants = replication.variants
    if variants is None:
        return None
    pairs = set(zip(variants["maze"], variants["search"], strict=True))
    default = replication.runs("authored").assign(variant=DEFAULT_RULE)
    default = default[[pair in pairs for pair in zip(default["maze"], default["search"], strict=True)]]
    tables = [table for table in (default, variants) if len(table)]
    return analysis.censor_at_budget(pd.concat(tables, ignore_index=True))


@computed_once
def variants_table(replication: Replication) -> Table | None:
    """Return a table of success rates and evaluations with alternative rules, or None if there are no runs."""
    runs = _runs_by_rule(replication)
    if runs is None:
        return None
    table, shown = _compare_with_default(DEFAULT_RULE, runs, "variant", ("maze", "variant", "search"))
    caption = f"Results with each rule of reproduction, with a log-rank test against the default rule.{_missing(runs)}"
    return Table("variants", caption, table, shown)


@computed_once
@needs_runs("predictors")
def predictors_table(replication: Replication) -> Table:
    """Return a table that compares alternative predictors with the linear predictor, or None if there are no runs."""
    variants, authored = replication.runs("predictors"), replication.runs("authored")
    default = authored[authored["maze"].isin(variants["maze"]) & authored["search"].isin(variants["search"])]
    runs = pd.concat([table for table in (default, variants) if len(table)], ignore_index=True)
    table, shown = _compare_with_default("linear", runs, "predictor", ("maze", "predictor"))
    caption = (
        "Surprise search with each predictor: successful runs with Wilson's interval, evaluations (restricted mean and "
        "standard deviation), and a log-rank test against the linear predictor."
    )
    return Table("predictors", caption, table, shown)


def _compare_with_default(
    default: str, runs: pd.DataFrame, column: str, by: tuple[str, ...]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Group runs by the value of a column, and compare each group with the group of the default value."""
    table = analysis.success_rates(runs, by)
    effort = analysis.evaluations(runs, by)
    table = table.assign(evaluations=effort["mean"], sd=effort["sd"], p_log_rank=math.nan)
    table = _default_first(table, column, default)
    others = [name for name in by if name != column]
    for index, row in table.iterrows():
        comparable = runs[(runs[others] == row[others]).all(axis=1)]
        reference = comparable[comparable[column] == default]
        if row[column] != default and len(reference):
            variant = comparable[comparable[column] == row[column]]
            table.loc[index, "p_log_rank"] = analysis.log_rank(reference, variant)
    shown = pd.DataFrame(
        {name: table[name] if name == column else formatting.labels(table[name]) for name in by}
        | {"solved": formatting.solved(table), "95% interval": formatting.intervals(table, ".0%")}
        | {"evaluations": formatting.means(table, ",.0f", "evaluations", "sd")}
        | {f"log-rank p, against {default}": formatting.ps(table["p_log_rank"])}
    )
    return table, shown


def _default_first(table: pd.DataFrame, column: str, default: str) -> pd.DataFrame:
    """Reorder the rows of each maze so that rows with the default value of a column come first."""
    maze = pd.Series(pd.factorize(table["maze"])[0], index=table.index)
    order = pd.DataFrame({"maze": maze, "other": table[column].ne(default)})
    return table.loc[order.sort_values(["maze", "other"], kind="stable").index].reset_index(drop=True)
