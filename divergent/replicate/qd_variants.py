"""The family of searches beside the paper's: how often they solve, how fast, and what they leave behind."""

import html
import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from divergent import analysis
from divergent.archives import CELLS
from divergent.plots import results as plots
from divergent.plots.style import label
from divergent.replicate import formatting
from divergent.replicate.deceptive import AT_MOST, MAZES, SEARCH, SEEDS, deceptive_mazes
from divergent.replicate.experiments import BESIDE, EXPERIMENTS, FAMILY
from divergent.replicate.page import Figure, Section, Table
from divergent.replicate.results import Results

EVEN = 0.5  # the weight of novelty where no other is tried
LEFT = {"coverage": "coverage", "qd_score": "QD score"}  # what a run leaves behind, and how a reader calls it
CLAIM = ("nsslc", "nslc")  # the abstract of "Quality Diversity Through Surprise": the first is better than the second

Found = Mapping[str, Results]


def authored_runs(found: Found) -> pd.DataFrame:
    """All runs in the paper's mazes that the family was run in, with those of the searches it is compared with."""
    family = _runs(found, "family")
    family = family[family["maze"].isin(_mazes())]
    return _together(_runs(found, "authored"), family, family["maze"])


def deceptive_runs(found: Found) -> pd.DataFrame:
    """All runs in deceptive mazes, with those of the searches that the family is compared with."""
    family = _runs(found, "family")
    return _together(_runs(found, "generated"), family[~family["maze"].isin(_mazes())], deceptive_mazes())


def family_table(runs: pd.DataFrame) -> Table:
    """Solved runs, evaluations, coverage and QD score of every search in every maze."""
    runs = _even(runs)
    table = analysis.successes(runs).rename(columns={"low": "share_low", "high": "share_high"})
    for measure, means in (
        ("evaluations", analysis.evaluations(runs).drop(columns="budget")),
        *((measure, analysis.means(runs, measure)) for measure in LEFT),
    ):
        table = table.join(means.drop(columns=["maze", "search", "runs"]).add_prefix(f"{measure}_"))
    caption = (
        "The family beside objective, novelty and surprise search: runs that solved the maze, evaluations (restricted "
        "mean and standard deviation), and what a run leaves behind, coverage and QD score (mean and standard "
        "deviation; nothing where they were not counted)."
    )
    return Table("family", caption, table, pd.DataFrame(formatting.names(table) | _shown(table)))


def weights_table(runs: pd.DataFrame) -> Table:
    """What the share of novelty in NSS does, from surprise alone to novelty alone."""
    ends = {"surprise": 0.0, "novelty": 1.0}
    runs = runs[runs["search"].isin(["nss", *ends])]
    runs = runs.assign(weight=runs["weight"].fillna(runs["search"].map(ends)))
    tried = runs.loc[runs["search"].eq("nss") & runs["weight"].ne(EVEN), "maze"]
    runs = runs[runs["maze"].isin(tried)]
    by = ("maze", "weight")
    table = analysis.successes(runs, by).rename(columns={"low": "share_low", "high": "share_high"})
    table = table.join(analysis.evaluations(runs, by).drop(columns=[*by, "budget", "runs"]).add_prefix("evaluations_"))
    names = {0.0: "0 (surprise alone)", 1.0: "1 (novelty alone)"}
    shown = pd.DataFrame(
        {"maze": formatting.labels(table["maze"])}
        | {"weight of novelty": [names.get(weight, f"{weight:g}") for weight in table["weight"]]}
        | _shown_solved(table)
    )
    return Table("family_weights", "How much novelty is best beside surprise: the weight in NSS.", table, shown)


def deceptive_table(runs: pd.DataFrame) -> Table:
    """The same as `family_table` over all deceptive mazes; runs in a maze are alike, so that mazes are resampled."""
    table = analysis.successes(runs, by=("search",)).drop(columns=["low", "high"])
    mazes = runs.groupby(["search", "maze"], as_index=False)[["solved", "evaluations", *LEFT]].mean()
    table.insert(1, "mazes", [int((mazes["search"] == search).sum()) for search in table["search"]])
    for measure, name in (("solved", "share"), *((one, one) for one in ("evaluations", *LEFT))):
        limits = {"solved": (0.0, 1.0), "coverage": (0.0, 1.0)}.get(measure, (0.0, math.inf))
        values = [runs.loc[runs["search"] == search, measure].astype(float) for search in table["search"]]
        ends = [
            analysis.bounded_interval(mazes.loc[mazes["search"] == search, measure].dropna(), *limits)
            for search in table["search"]
        ]
        columns: dict[str, Any] = {f"{name}_low": [low for low, _ in ends], f"{name}_high": [high for _, high in ends]}
        if measure != "solved":
            columns |= {f"{name}_mean": [each.mean() for each in values], f"{name}_sd": [each.std() for each in values]}
        table = table.assign(**columns)
    caption = (
        f"All runs in the deceptive mazes, as in the table before; intervals by bootstrap over mazes. {label(SEARCH)} "
        "search chose these mazes by its own failures, so that its numbers are low by choice."
    )
    shown = pd.DataFrame(
        {"search": formatting.labels(table["search"]), "mazes": table["mazes"], "runs": table["runs"]} | _shown(table)
    )
    return Table("family_deceptive", caption, table, shown)


def claim_table(found: Found) -> Table | None:
    """Whether novelty, surprise and local competition beat novelty and local competition; None before both were run."""
    runs = deceptive_runs(found)
    first, second = parts = [runs[runs["search"] == search] for search in CLAIM]
    if first.empty or second.empty:
        return None
    (test,) = analysis.compare_over_mazes(pd.concat(parts)).itertuples()
    effect = test.effect if test.first == CLAIM[0] else -test.effect
    fewest = min(len(first), len(second))
    (verdict,) = analysis.judged([analysis.evidence_of_order(test.p_log_rank, effect, fewest)])
    row = {"first": CLAIM[0], "second": CLAIM[1], "mazes": test.mazes}
    for name, part in (("first", first), ("second", second)):
        row |= {f"runs_{name}": len(part), f"solved_{name}": int(part["solved"].sum())}
    table = pd.DataFrame([row | {"effect": effect, "p_log_rank": test.p_log_rank, "verdict": verdict}])
    shown = pd.DataFrame(
        {"expected": [f"{label(CLAIM[0])} better than {label(CLAIM[1])}"], "mazes": table["mazes"]}
        | {"solved": [f"{row['solved_first']} of {row['runs_first']}; {row['solved_second']} of {row['runs_second']}"]}
        | {"pairs of runs": formatting.pairs(table), "log-rank p": formatting.ps(table["p_log_rank"])}
        | {"verdict": table["verdict"]}
    )
    caption = "What is expected in deceptive mazes and what came out, by a log-rank test stratified by maze."
    return Table("family_claim", caption, table, shown)


def claim_told(found: Found) -> str:
    """The expectation and the verdict on it, in a few sentences."""
    first, second = map(label, CLAIM)
    expected = (
        f"The abstract of the authors' paper on quality diversity says that {first} is significantly better than "
        f"{second} in highly deceptive generated mazes."
    )
    table = claim_table(found)
    if table is None:
        return f"{expected} These runs are not there yet."
    (row,) = table.numbers.itertuples()
    p = formatting.p(row.p_log_rank)
    return (
        f"{expected} In {row.mazes} deceptive mazes of ours {first} solves {row.solved_first} of {row.runs_first} runs "
        f"and {second} {row.solved_second} of {row.runs_second}. {analysis.told_pairs(first, second, row.effect)} "
        f"(log-rank p {p if p.startswith('<') else f'= {p}'}). Verdict: {row.verdict}."
    )


def overview(found: Found) -> pd.DataFrame:
    """Solved runs as a reader sees them, a row a search and a column a maze."""
    columns: dict[str, dict[str, str]] = {}
    for row in analysis.successes(_even(authored_runs(found))).itertuples():
        columns.setdefault(label(row.maze), {})[row.search] = f"{row.solved} of {row.runs}"
    for row in analysis.successes(deceptive_runs(found), by=("search",)).itertuples():
        columns.setdefault("Deceptive mazes", {})[row.search] = f"{row.solved} of {row.runs}"
    return _by_search(columns)


def faster_than(found: Found) -> pd.DataFrame:
    """Which searches are significantly faster than which others, a row a search and a column a maze."""
    authored = analysis.compare(_even(authored_runs(found)))
    tests = {label(maze): authored[authored["maze"] == maze] for maze in authored["maze"].unique()}
    tests["Deceptive mazes"] = analysis.compare_over_mazes(deceptive_runs(found))
    columns: dict[str, dict[str, str]] = {}
    for maze, table in tests.items():
        for row in table[table["p_log_rank_corrected"] < analysis.LEVEL].itertuples():
            faster, slower = (row.first, row.second) if row.effect < 0 else (row.second, row.first)
            before = columns.setdefault(maze, {}).get(faster)
            columns[maze][faster] = f"{before}, {label(slower)}" if before else label(slower)
    return _by_search(columns)


def section(found: Found) -> Section:
    """The family in the report."""
    authored, deceptive = authored_runs(found), deceptive_runs(found)
    text = f"""
<p>NSS adds novelty and surprise up. NSLC, SSLC and NSSLC have novelty, surprise and their sum as one objective and
local competition (how many of the nearest are less fit) as another; NSSSLC has novelty, surprise and local competition
as three. DNS, dominated novelty search, is the distance to the nearest who are fitter. Runs of objective, novelty and
surprise search are those of the paper's experiments.</p>
<p>Coverage is the share of {CELLS} by {CELLS} cells over the maze in which any robot of
a run ended, QD score the sum over these cells of how much better the best there is than one in the corner furthest from
the goal. A run ends with its first solution, and one that solves early has had less time to leave anything behind.</p>
<p>{html.escape(claim_told(found))} Deceptive are the first {MAZES} generated mazes of which {SEARCH} search solves at
most {AT_MOST} in {len(SEEDS)} runs.</p>"""
    items: list[Table | Figure] = []
    if len(authored):
        caption = (
            "The family: share of runs that have solved the maze (Kaplan-Meier), with 95% bands, and runs at risk."
        )
        figure = plots.by_maze(plots.draw_kaplan_meier, analysis.kaplan_meier(_even(authored)), size=(3.6, 3.0))
        items += [Figure("family_robustness", caption, figure), family_table(authored), _comparisons(_even(authored))]
        if authored["weight"].nunique() > 1:
            items.append(weights_table(authored))
    if len(deceptive):
        caption = "The family in deceptive mazes: share of all runs that have solved their maze."
        figure = plots.draw_kaplan_meier(analysis.kaplan_meier(deceptive, by=("search",)))
        items += [Figure("family_deceptive", caption, figure), deceptive_table(deceptive), _over_mazes(deceptive)]
    claim = claim_table(found)
    return Section("The family", text, [*items, *([claim] if claim else [])])


def _by_search(columns: Mapping[str, Mapping[str, str]]) -> pd.DataFrame:
    """A row a search, from what is said of each in columns."""
    searches = [search for search in (*BESIDE, *FAMILY) if any(search in column for column in columns.values())]
    table = pd.DataFrame(columns, index=searches).fillna("")
    table.insert(0, "search", formatting.labels(searches))
    return table


def _comparisons(runs: pd.DataFrame) -> Table:
    table = analysis.compare_measures(runs, ("evaluations", *LEFT))
    shown = pd.DataFrame(
        {"measure": table["measure"].replace(LEFT), "maze": formatting.labels(table["maze"])}
        | formatting.tests(table)
        | {"log-rank p, corrected": formatting.ps(table["p_log_rank_corrected"])}
    )
    caption = (
        "Every two searches of the family and beside: Mann-Whitney U test, and log-rank test on evaluations, corrected "
        "by Holm's method over the table. Effect: rank-biserial correlation, positive if the first one's are larger."
    )
    return Table("family_comparisons", caption, table, shown)


def _over_mazes(runs: pd.DataFrame) -> Table:
    table = analysis.compare_over_mazes(runs)
    caption = (
        "Every two searches over all deceptive mazes: evaluations of the first less those of the second, the mean "
        "over mazes with its 95% interval by bootstrap over mazes and a paired t-test of the mazes' means; pairs of "
        "runs in the same maze, the mean over mazes, and a log-rank test stratified by maze. Both p are corrected by "
        "Holm's method."
    )
    return Table("family_over_mazes", caption, table, pd.DataFrame(formatting.tests_over_mazes(table)))


def _mazes() -> list[str]:
    """The paper's mazes."""
    return list(EXPERIMENTS["authored"].mazes)


def _runs(found: Found, name: str) -> pd.DataFrame:
    """The runs of an experiment, none if it has no results."""
    return found[name].runs if name in found else pd.DataFrame(columns=list(analysis.RUN_COLUMNS))


def _together(others: pd.DataFrame, family: pd.DataFrame, mazes: Any) -> pd.DataFrame:
    others = others[others["maze"].isin(set(mazes)) & others["search"].isin(BESIDE)]
    tables = [table for table in (others, family) if len(table)]
    return pd.concat(tables, ignore_index=True) if tables else others


def _even(runs: pd.DataFrame) -> pd.DataFrame:
    return runs[runs["weight"].isna() | runs["weight"].eq(EVEN)]


def _shown_solved(table: pd.DataFrame) -> dict[str, Any]:
    interval = table[["share_low", "share_high"]].set_axis(["low", "high"], axis=1)
    pairs = zip(table["evaluations_mean"], table["evaluations_sd"], strict=True)
    return (
        {"solved": [f"{row.solved} of {row.runs}" for row in table.itertuples()]}
        | {"95% interval": formatting.spans(interval, ".0%")}
        | {"evaluations": [formatting.mean(*pair, ",.0f") for pair in pairs]}
    )


def _shown(table: pd.DataFrame) -> dict[str, Any]:
    columns = _shown_solved(table)
    for (measure, name), form in zip(LEFT.items(), (".2f", ",.0f"), strict=True):
        pairs = zip(table[f"{measure}_mean"], table[f"{measure}_sd"], strict=True)
        columns[name] = [formatting.mean(*pair, form) for pair in pairs]
    return columns
