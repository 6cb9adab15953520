"""Report sections on variants of the default configuration: alternative predictors and reproduction rules."""

import math

import pandas as pd

from divergent import analysis, plots
from divergent.plots import label
from divergent.replicate._replication import Replication, computed_once, needs_runs
from divergent.reports import _formatting as formatting
from divergent.reports._page import Figure, Section, Table

DEFAULT_RULE = "the rule"  # label of the default rules of reproduction in tables of variants


def predictors_section(replication: Replication) -> Section | None:
    """Return the report section on predictors of surprise search, or None if there are no runs."""
    table = predictors_table(replication)
    if table is None:
        return None
    text = "<p>Surprise search with the paper's linear predictor, and with others.</p>"
    return Section("Predictors", text, [table])


def section(replication: Replication) -> Section | None:
    """Return the report section on alternative rules of reproduction, or None if there are no runs."""
    table, runs = variants_table(replication), _runs_by_rule(replication)
    if table is None or runs is None:
        return None
    panels = analysis.kaplan_meier(runs, by=("maze", "variant", "search"))
    panels = panels.assign(maze=[f"{label(row.maze)}, {row.variant}" for row in panels.itertuples()])
    text = """<p>Species are drawn in proportion to their mean score. Another rule subtracts the population's lowest
score first (<q>above-lowest</q>), which increases selection pressure. One in a thousand matings is between species;
with <q>within-species</q> there are none.</p>"""
    caption = "The default rule and other rules that were tried: robustness."
    figure = Figure("variants", caption, plots.by_maze(plots.draw_kaplan_meier, panels))
    return Section("Other rules", text, [figure, table])


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
    caption = "Every rule that was tried, with a log-rank test against the default rule."
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
        "Surprise search by its predictor: runs that solved, with Wilson's interval, evaluations (restricted mean and "
        "standard deviation), and a log-rank test against the linear one."
    )
    return Table("predictors", caption, table, shown)


def _compare_with_default(
    default: str, runs: pd.DataFrame, column: str, by: tuple[str, ...]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Group runs by the value of a column, and compare each group with the group of the default value."""
    table = analysis.success_rates(runs, by)
    effort = analysis.evaluations(runs, by)
    table = table.assign(evaluations=effort["mean"], sd=effort["sd"], p_log_rank=math.nan)
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
