"""Report section on QD variants, which the paper does not study: success rates, evaluations, coverage and QD score."""

import html
import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from divergent import analysis, plots
from divergent.archives import CELLS
from divergent.maze._files import STEPS
from divergent.plots import label
from divergent.replicate._deceptive import DECEPTIVE_MAZES, MOST_SOLVED, SEARCH, SEEDS
from divergent.replicate._experiments import QD_VARIANTS, REFERENCE_SEARCHES
from divergent.replicate._replication import Replication, computed_once, needs_runs
from divergent.replicate._sections.qd_claim import claim_table, claim_text
from divergent.replicate._sections.qd_runs import authored_runs, deceptive_runs
from divergent.reports import _formatting as formatting
from divergent.reports._page import Figure, Section, Table

DEFAULT_WEIGHT = 0.5  # default weight of novelty in NSS
QD_MEASURES = {"coverage": "coverage", "qd_score": "QD score"}


@computed_once
def authored_table(replication: Replication) -> Table | None:
    """Return a table of successful runs, evaluations, coverage and QD score of every search in the paper's mazes."""
    runs = _default_weight(authored_runs(replication))
    if runs.empty or not replication.has("family"):
        return None
    table = analysis.success_rates(runs).rename(columns={"low": "fraction_low", "high": "fraction_high"})
    for measure, means in (
        ("evaluations", analysis.evaluations(runs).drop(columns="budget")),
        *((measure, analysis.means(runs, measure)) for measure in QD_MEASURES),
    ):
        table = table.join(means.drop(columns=["maze", "search", "runs"]).add_prefix(f"{measure}_"))
    caption = (
        "QD variants compared with objective, novelty and surprise search: successful runs, evaluations (restricted "
        "mean and standard deviation), coverage and QD score (mean and standard deviation). Coverage and QD score are "
        "empty if they were not recorded."
    )
    return Table("qd_variants", caption, table, pd.DataFrame(formatting.names(table) | _shown(table)))


@computed_once
def weights_table(replication: Replication) -> Table | None:
    """Return a table of results for each weight of novelty in NSS, or None if only the default weight was run."""
    runs = authored_runs(replication)
    ends = {"surprise": 0.0, "novelty": 1.0}
    runs = runs[runs["search"].isin(["nss", *ends])]
    runs = runs.assign(weight=runs["weight"].fillna(runs["search"].map(ends)))
    tried = runs.loc[runs["search"].eq("nss") & runs["weight"].ne(DEFAULT_WEIGHT), "maze"]
    runs = runs[runs["maze"].isin(tried)]
    if runs.empty or not replication.has("family"):
        return None
    by = ("maze", "weight")
    table = analysis.success_rates(runs, by).rename(columns={"low": "fraction_low", "high": "fraction_high"})
    table = table.join(analysis.evaluations(runs, by).drop(columns=[*by, "budget", "runs"]).add_prefix("evaluations_"))
    names = {0.0: "0 (surprise alone)", 1.0: "1 (novelty alone)"}
    shown = pd.DataFrame(
        {"maze": formatting.labels(table["maze"])}
        | {"weight of novelty": [names.get(weight, f"{weight:g}") for weight in table["weight"]]}
        | _shown_solved(table)
    )
    caption = "Results of NSS for each weight of novelty in the weighted sum of novelty and surprise."
    return Table("qd_variants_weights", caption, table, shown)


@computed_once
def deceptive_table(replication: Replication) -> Table | None:
    """Return a table of successful runs, evaluations, coverage and QD score of each search over all deceptive mazes."""
    runs = deceptive_runs(replication)
    if runs.empty or not replication.has("family"):
        return None
    table = analysis.success_rates(runs, by=("search",)).drop(columns=["low", "high"])
    mazes = runs.groupby(["search", "maze"], as_index=False)[["solved", "evaluations", *QD_MEASURES]].mean()
    table.insert(1, "mazes", [int((mazes["search"] == search).sum()) for search in table["search"]])
    for measure, name in (("solved", "fraction"), *((name, name) for name in ("evaluations", *QD_MEASURES))):
        limits = {"solved": (0.0, 1.0), "coverage": (0.0, 1.0)}.get(measure, (0.0, math.inf))
        values = [runs.loc[runs["search"] == search, measure].astype(float) for search in table["search"]]
        ends = [
            analysis.bounded_interval(mazes.loc[mazes["search"] == search, measure].dropna(), *limits)
            for search in table["search"]
        ]
        columns: dict[str, Any] = {f"{name}_low": [low for low, _ in ends], f"{name}_high": [high for _, high in ends]}
        if measure != "solved":
            columns |= {f"{name}_mean": [sample.mean() for sample in values]}
            columns |= {f"{name}_sd": [sample.std() for sample in values]}
        table = table.assign(**columns)
    caption = (
        "All runs in the deceptive mazes, with the columns of the previous table. Intervals are by bootstrap over "
        f"mazes. The mazes were chosen by failures of {SEARCH} search, so the success rate of {SEARCH} search is "
        "biased downwards."
    )
    shown = pd.DataFrame(
        {"search": formatting.labels(table["search"]), "mazes": table["mazes"], "runs": table["runs"]} | _shown(table)
    )
    return Table("qd_variants_deceptive", caption, table, shown)


@computed_once
@needs_runs("family")
def overview_table(replication: Replication) -> Table | None:
    """Return a table of successful runs with a row per search and a column per maze."""
    columns: dict[str, dict[str, str]] = {}
    for row in analysis.success_rates(_default_weight(authored_runs(replication))).itertuples():
        columns.setdefault(label(row.maze), {})[row.search] = f"{row.solved} of {row.runs}"
    for row in analysis.success_rates(deceptive_runs(replication), by=("search",)).itertuples():
        columns.setdefault("Deceptive mazes", {})[row.search] = f"{row.solved} of {row.runs}"
    return _search_table("qd_variants_overview", "Successful runs of each search in each maze.", columns)


@computed_once
@needs_runs("family")
def faster_table(replication: Replication) -> Table | None:
    """Return a table that lists, for each search and maze, the searches that need significantly more evaluations."""
    authored = analysis.compare(_default_weight(authored_runs(replication)))
    tests = {label(maze): authored[authored["maze"] == maze] for maze in authored["maze"].unique()}
    tests["Deceptive mazes"] = analysis.compare_over_mazes(deceptive_runs(replication))
    columns: dict[str, dict[str, str]] = {}
    for maze, table in tests.items():
        for row in table[table["p_log_rank_corrected"] < analysis.LEVEL].itertuples():
            faster, slower = (row.first, row.second) if row.effect < 0 else (row.second, row.first)
            before = columns.setdefault(maze, {}).get(faster)
            columns[maze][faster] = f"{before}, {label(slower)}" if before else label(slower)
    caption = "Searches that need significantly more evaluations than the search of the row."
    return _search_table("qd_variants_faster", caption, columns)


@needs_runs("family")
def section(replication: Replication) -> Section:
    """Return the report section on QD variants, or None if the experiment `family` has no runs."""
    authored, deceptive = _default_weight(authored_runs(replication)), deceptive_runs(replication)
    text = f"""
<p>NSS is the weighted sum of novelty and surprise. NSLC, SSLC and NSSLC have two objectives. The first objective is
novelty (NSLC), surprise (SSLC) or their sum (NSSLC). The second objective is local competition: the number of nearest
neighbours with a lower fitness. NSSSLC has novelty, surprise and local competition as three objectives. The score of
DNS, dominated novelty search, is the distance to the nearest fitter individuals. Runs of objective, novelty and
surprise search come from the experiments <code>authored</code> and <code>generated</code>.</p>
<p>The maze is divided into {CELLS} by {CELLS} cells. Coverage is the fraction of these cells that contain a final
position of the run. The QD score is the sum of the best fitness in each cell, above the fitness of the corner furthest
from the goal. A run ends with its first solution, so a run with an early solution has fewer evaluations to occupy
cells.</p>
<p>{html.escape(claim_text(replication))} Deceptive mazes are the first {DECEPTIVE_MAZES} generated mazes that {SEARCH}
search solves in at most {MOST_SOLVED} of {len(SEEDS)} runs.</p>"""
    items: list[Table | Figure | None] = []
    if len(authored):
        caption = (
            "QD variants: fraction of successful runs over evaluations (Kaplan-Meier), with the 95% band of each "
            f"variant. Thin lines are objective, novelty and surprise search.{_missing_variants(authored)}"
        )
        figure = plots.draw_variants(analysis.kaplan_meier(authored))
        items += [Figure("qd_variants_robustness", caption, figure), authored_table(replication)]
        items += [_comparisons_table(authored), weights_table(replication)]
    if len(deceptive):
        caption = (
            "QD variants in deceptive mazes: fraction of successful runs over evaluations, with the 95% band of each "
            "variant. Thin lines are objective, novelty and surprise search. The vertical axis ends below 100%."
        )
        figure = plots.draw_variants(analysis.kaplan_meier(deceptive, by=("search",)))
        items += [Figure("qd_variants_deceptive", caption, figure), deceptive_table(replication)]
        tests = analysis.compare_over_mazes(deceptive)
        items.append(formatting.comparisons_over_mazes("qd_variants_over_mazes", "deceptive", tests))
    items.append(claim_table(replication))
    return Section("QD variants", text, [item for item in items if item is not None])


def _missing_variants(runs: pd.DataFrame) -> str:
    """Return a sentence for each maze in which only some QD variants were run; the sentences may be empty."""
    searches = [search for search in QD_VARIANTS if search in set(runs["search"])]
    sentences = ""
    for maze in analysis.order_names(runs["maze"].unique(), tuple(STEPS)):
        used = [label(search) for search in searches if search in set(runs.loc[runs["maze"].eq(maze), "search"])]
        if used and len(used) < len(searches):
            listed = " and ".join(filter(None, (", ".join(used[:-1]), used[-1])))
            verb = "was" if len(used) == 1 else "were"
            sentences += f" In the {label(maze).lower()} maze, only {listed} {verb} run."
    return sentences


def _search_table(name: str, caption: str, columns: Mapping[str, Mapping[str, str]]) -> Table | None:
    """Return a table of strings with one row per search, or None if all columns are empty."""
    searches = [
        search for search in (*REFERENCE_SEARCHES, *QD_VARIANTS) if any(search in column for column in columns.values())
    ]
    table = pd.DataFrame(columns, index=searches).fillna("")
    table.insert(0, "search", formatting.labels(searches))
    return Table(name, caption, table, table) if searches else None


def _comparisons_table(runs: pd.DataFrame) -> Table:
    """Return a table of tests that compare all pairs of searches in the paper's mazes."""
    table = analysis.compare_measures(runs, ("evaluations", *QD_MEASURES))
    shown = pd.DataFrame(
        {"measure": table["measure"].replace(QD_MEASURES), "maze": formatting.labels(table["maze"])}
        | formatting.tests(table)
        | {"log-rank p, corrected": formatting.ps(table["p_log_rank_corrected"])}
    )
    caption = (
        "Pairwise comparisons of the searches: Mann-Whitney U test, and log-rank test on evaluations. Both p are "
        "corrected by Holm's method over the table. The effect is the rank-biserial correlation, which is positive if "
        "the values of the first search are larger."
    )
    return Table("qd_variants_comparisons", caption, table, shown)


def _default_weight(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the runs that have the default weight of novelty, or whose search has no such weight."""
    return runs[runs["weight"].isna() | runs["weight"].eq(DEFAULT_WEIGHT)]


def _shown_solved(table: pd.DataFrame) -> dict[str, Any]:
    """Format successful runs and evaluations as columns of strings."""
    return {
        "solved": formatting.solved(table),
        "95% interval": formatting.intervals(table, ".0%", "fraction_"),
        "evaluations": formatting.means(table, ",.0f", "evaluations_mean", "evaluations_sd"),
    }


def _shown(table: pd.DataFrame) -> dict[str, Any]:
    """Format successful runs, evaluations, coverage and QD score as columns of strings."""
    columns = _shown_solved(table)
    for (measure, name), form in zip(QD_MEASURES.items(), (".2f", ",.0f"), strict=True):
        columns[name] = formatting.means(table, form, f"{measure}_mean", f"{measure}_sd")
    return columns
