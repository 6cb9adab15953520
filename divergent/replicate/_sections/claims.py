"""Report section on the claims of the paper: outcomes, forest plot and results of confirmatory runs."""

import html
import math
import textwrap
from collections import Counter
from typing import Any

import pandas as pd

from divergent.analysis import censor_at_budget
from divergent.replicate import _claim_tables as claim_tables
from divergent.replicate import _claims as claims
from divergent.replicate import paper
from divergent.replicate._claim_tests import ALL_GENERATED
from divergent.replicate._experiments import GENERATED_NAMES, parts_of
from divergent.replicate._forest import draw_forest, relative_effects
from divergent.replicate._replication import Replication, computed_once, needs_runs
from divergent.reports import _formatting as formatting
from divergent.reports._page import Figure, Section, Table

# configuration of each experiment with confirmatory runs
CONFIGURATIONS = {"lehman2008": claims.LEHMAN, "fresh": claims.DEFAULT, "fresh-generated": claims.DEFAULT}
STATEMENT_WIDTH = 60  # characters per line of a statement in a table


@computed_once
def tables(replication: Replication) -> dict[str, pd.DataFrame]:
    """Return the runs that the claims compare, as `divergent.replicate._claims.tables` returns them."""
    return claims.tables(replication.experiments)


@computed_once
def evaluated(replication: Replication) -> pd.DataFrame:
    """Return the outcomes of the claims, as `divergent.replicate._claims.evaluate` returns them."""
    return claims.evaluate(tables(replication))


def effects(replication: Replication) -> list[dict[str, Any]]:
    """Return the rows of the forest plot, as `divergent.replicate._forest.relative_effects` returns them."""
    return relative_effects(evaluated(replication), claim_tables.evaluate_committed(tables(replication)))


def section(replication: Replication) -> Section:
    """Return the report section on the claims of the paper; claims with incomplete runs are pending."""
    text = f"""<p>Exploratory runs have the seeds 0 to 99. Confirmatory runs are planned runs with
seeds of {claims.FIRST_SEED} or higher, whose tests were committed before the runs. This section contains the outcomes
of the claims and the results of confirmatory runs. Unless stated otherwise, the other sections show exploratory
runs.</p>
<p>{html.escape(claim_tables.summary())} A claim is pending until all its confirmatory runs are complete.</p>"""
    items: list[Table | Figure | None] = [_forest(replication), *_outcome_tables(replication)]
    items.append(confirmatory_table(replication))
    return Section("Claims of the paper", text, [item for item in items if item is not None])


def _forest(replication: Replication) -> Figure | None:
    """Return the forest plot of the claims, or None if no directional claim has a known effect."""
    drawn = effects(replication)
    caption = (
        "Effect of each directional claim, divided by the effect in the paper, with its 95% interval. The value 1 is "
        "an effect as large as in the paper, 0 is no effect, and negative values are effects in the opposite "
        "direction. An interval that exceeds the plot ends in an arrow."
    )
    return Figure("forest", caption, draw_forest(drawn)) if drawn else None


def _outcome_tables(replication: Replication) -> list[Table]:
    """Return a table that counts the outcomes of the tested claims, and a table of the outcome of each claim."""
    table = evaluated(replication)
    counts = claim_tables.outcome_counts(table)
    statements = [textwrap.fill(claim.statement, STATEMENT_WIDTH) for claim in claims.CLAIMS]
    shown = claim_tables.outcomes(table).assign(claim=table["claim"])
    shown.insert(1, "statement", statements)
    caption = (
        "Outcome of each claim. If a claim has several comparisons, the row shows the weakest comparison, which "
        "supports the claim least. The last line of each effect is the effect in the paper. Power is the probability "
        "that our planned runs replicate the claim if the paper's numbers are the true values. The p-value of the "
        "primary test is followed by the p-value corrected by Holm's method in parentheses. The last column gives the "
        "numbers of runs of the first and the second search method, and the number of runs in the paper."
    )
    return [
        Table("claim_counts", "Number of tested claims with each outcome.", counts, counts),
        Table("claim_outcomes", caption, table, shown),
    ]


@computed_once
@needs_runs(*CONFIGURATIONS)
def confirmatory_table(replication: Replication) -> Table:
    """Return a table of the results of confirmatory runs, compared with the numbers in the paper.

    Combinations of maze and search without all planned runs have no results.
    """
    rows = []
    for name, configuration in CONFIGURATIONS.items():
        runs = replication.runs(name)
        groups = dict(list(runs.assign(maze=runs["maze"].map(_place)).groupby(["maze", "search"])))
        planned: Counter[tuple[str, str]] = Counter()
        for part in parts_of(name):
            planned[_place(part.settings.maze), part.settings.search] += part.runs
        for (maze, search), count in planned.items():
            group = groups.get((maze, search), runs[:0])
            row = {"configuration": configuration, "maze": maze, "search": search, "planned": count, "runs": len(group)}
            rows.append(row | _results(group, complete=len(group) == count) | _reported(maze, search))
    table = pd.DataFrame(rows).astype({"solved": "Int64"})
    caption = (
        "Results of confirmatory runs, compared with the paper: successful runs, evaluations (mean and standard "
        "deviation), connections of solutions, and entropy of the final positions in successful runs. Results are "
        "shown when all planned runs of a search method are complete. The very hard, extremely hard and generated "
        "mazes differ from the mazes of the paper. The entropy in the paper is that of one typical run."
    )
    return Table("confirmatory", caption, table, _shown(table))


def _place(maze: str) -> str:
    """Return the name of a maze, or the common name of all generated mazes."""
    return ALL_GENERATED if maze in GENERATED_NAMES else maze


def _results(runs: pd.DataFrame, *, complete: bool) -> dict[str, Any]:
    """Return the number of successful runs and the mean and standard deviation of each measure, if complete."""
    row: dict[str, Any] = {"solved": int(runs["solved"].sum()) if complete else pd.NA}
    solutions = runs[runs["solved"].astype(bool)]
    for measure, values in (
        ("evaluations", censor_at_budget(runs)["evaluations"] if complete else runs["evaluations"]),
        ("connections", solutions["connections"]),
        ("entropy", solutions["entropy"]),
    ):
        values = values.astype(float)
        row[measure] = values.mean() if complete else math.nan
        row[f"{measure}_sd"] = values.std() if complete else math.nan
    return row


def _reported(maze: str, search: str) -> dict[str, Any]:
    """Return the numbers that the paper reports for a search in a maze, with an empty string or NaN for the others."""
    unknown = paper.Mean(math.nan, math.nan)
    generated = maze == ALL_GENERATED
    solved = paper.SOLVED.get((maze, search), paper.Count("", ()))
    evaluations = paper.GENERATED_EVALUATIONS[search] if generated else paper.EVALUATIONS.get((maze, search), unknown)
    connections = paper.GENOTYPES.get((maze, search), {}).get("connections", unknown)
    entropy = paper.ENTROPY.get((maze, search), paper.Entropy(math.nan, 0)).entropy
    return {
        "paper_solved": f"{solved.text} of {solved.runs}" if solved.among else solved.text,
        "paper_evaluations": evaluations.mean,
        "paper_evaluations_sd": evaluations.sd,
        "paper_connections": connections.mean,
        "paper_connections_sd": connections.sd,
        "paper_entropy": entropy,
    }


def _shown(table: pd.DataFrame) -> pd.DataFrame:
    """Format the results of confirmatory runs and of the paper as strings."""
    columns = {"configuration": table["configuration"], "maze": formatting.labels(table["maze"])}
    columns |= {"search method": formatting.labels(table["search"])}
    columns |= {"runs (planned)": [f"{row.runs:,} ({row.planned:,})" for row in table.itertuples()]}
    solved = ["" if pd.isna(row.solved) else f"{row.solved:,} of {row.runs:,}" for row in table.itertuples()]
    columns |= {"solved": solved, "solved: the paper": table["paper_solved"]}
    for measure, form in (("evaluations", ",.0f"), ("connections", ".2f")):
        columns[f"{measure} (sd)"] = formatting.means(table, form, measure, f"{measure}_sd")
        columns[f"{measure}: the paper"] = formatting.means(table, form, f"paper_{measure}", f"paper_{measure}_sd")
    columns["entropy (sd)"] = formatting.means(table, ".3f", "entropy", "entropy_sd")
    columns["entropy: the paper"] = formatting.numbers(table["paper_entropy"], ".2f")
    return pd.DataFrame(columns)
