"""First and last sections of the report: conclusion, counts of verdicts, decision rules and provenance of the runs."""

import html
from collections.abc import Sequence

import pandas as pd

from divergent import analysis, plots
from divergent.replicate._paper_comparison import EMPTY, ROBOT_EXPERIMENTS, conclusion, differences
from divergent.replicate._replication import Replication
from divergent.replicate._results import COMMANDS
from divergent.reports import _formatting as formatting
from divergent.reports._page import Figure, Section, Table


def opening_section(replication: Replication, sections: Sequence[Section], robots: Table | None) -> Section:
    """Return the first section: the conclusion, a table of both robots, and counts of verdicts in all sections."""
    count = sum(len(results.runs) for results in replication.experiments.values())
    text = f"""
<p class="lead">{html.escape(conclusion(replication))}</p>
<p>{count:,} runs, compared with the numbers of D. Gravina, A. Liapis and G. N. Yannakakis, <cite>Surprise Search for
Evolutionary Divergence</cite>. Click the caption of a table to unfold it.</p>"""
    items: list[Table | Figure | None] = []
    if replication.has(*ROBOT_EXPERIMENTS):
        if len(differences(replication)):
            caption = (
                "Our numbers less the paper's in its two published mazes, with both robots. Left: percentage points of "
                "solved runs, with Newcombe's 95% interval. Right: evaluations, relative to the paper's mean, with "
                "Welch's 90% interval. A number agrees if its interval lies within the grey margin."
            )
            items.append(Figure("beside", caption, plots.draw_paper_comparison(differences(replication))))
        items.append(robots)
    items.append(_summary_table(sections))
    return Section("What came out", text, [item for item in items if item is not None])


def _summary_table(sections: Sequence[Section]) -> Table:
    """Return a table that counts the verdicts of each kind in every table of the report."""
    rows = []
    for item in (item for section in sections for item in section.items):
        if isinstance(item, Table) and "verdict" in item.numbers:
            kinds = [verdict.kind for verdict in item.numbers["verdict"] if verdict != EMPTY]
            counts = [kinds.count(kind) for kind in ("agrees", "undecided", "differs")]
            rows.append((item.name, *counts, len(kinds) - sum(counts)))
    table = pd.DataFrame(rows, columns=["table", "agree", "undecided", "differ", "without"])
    shown = table.rename(columns={"without": "no verdict"}).assign(table=formatting.labels(table["table"]))
    return Table("summary", "Verdicts in each table of this page.", table, shown)


def rules_section() -> Section:
    """Return the report section on the statistical rules that decide the verdicts."""
    text = f"""
<p>The rules were fixed on 17 November 2026, before the runs were finished. A number <strong>agrees</strong> with the
paper's if a relevant difference is ruled out: evaluations, best fitness and genotypes if two one-sided Welch
tests at 5% show that the means differ by less than {analysis.MARGIN:.0%} of the paper's; solved runs if Newcombe's 95%
interval of the difference lies within {100 * analysis.PROPORTION_MARGIN:.0f} percentage points. It
<strong>differs</strong> if Welch's or Fisher's p, corrected by Holm's method over its table, is below 5%. Otherwise it
is <strong>undecided</strong>, with the number of our runs that would decide it with a probability of
{analysis.POWER:.0%} if the observed means and proportions are the true ones. There is no verdict below
{analysis.LEAST_RUNS} runs, nor on rankings below {analysis.LEAST_RUNS_TO_RANK} runs of each search in each maze, nor
where the paper has no number or only reports <q>few</q>.</p>
<p>Evaluations are restricted means: a run without a solution counts with its budget, as in the paper. Medians,
expected running times and log-rank tests treat it as censored at the budget. Intervals of means are by bootstrap
(bias-corrected and accelerated, {analysis.RESAMPLES:,} resamples) within the range of possible values. Intervals of
proportions are Wilson's, also where the proportion is 0 of n; a mean of runs that all end with the budget gets its
interval from Wilson's interval of 0 of n, too.</p>
<p>The very hard and extremely hard mazes are not published in the paper. Ours are different mazes of the same kind, so
the order of the searches is compared, and not the numbers.</p>"""
    return Section("By which rules", text)


def provenance_section(replication: Replication) -> Section:
    """Return the report section on provenance: versions, computing times and commands of the runs."""
    tables = [results.runs for results in replication.experiments.values()]
    versions = sorted({str(version) for runs in tables for version in runs["version"]})
    text = f"""
<p>By divergent {html.escape(", ".join(versions))}, in {formatting.hours(pd.concat(tables, ignore_index=True))}. The
records come from these commands, which are also in {COMMANDS} in the folder of each experiment's results; the results
come from the records by <code>python -m divergent.replicate collect</code>, and this page from the results by
<code>python -m divergent.replicate report</code>.</p>"""
    for name, results in replication.experiments.items():
        text += (
            f"<details><summary>{html.escape(name)}: {len(results.runs):,} runs, "
            f"{formatting.hours(results.runs)}</summary>"
            f"<pre>{html.escape(results.commands)}</pre></details>"
        )
    return Section("How it was made", text)
