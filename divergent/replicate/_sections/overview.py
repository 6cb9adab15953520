"""First and last sections of the report: conclusion, counts of verdicts, decision rules and provenance of the runs."""

import html
from collections.abc import Sequence

import pandas as pd

from divergent import analysis, plots
from divergent.replicate import _claim_tables as claim_tables
from divergent.replicate._paper_comparison import EMPTY, ROBOT_EXPERIMENTS, conclusion, differences
from divergent.replicate._replication import Replication
from divergent.replicate._results import COMMANDS
from divergent.replicate._sections import claims
from divergent.reports import _formatting as formatting
from divergent.reports._page import Figure, Section, Table


def opening_section(replication: Replication, sections: Sequence[Section], robots: Table | None) -> Section:
    """Return the first section: the conclusion, a table of both robots, and counts of verdicts in all sections."""
    count = sum(len(results.runs) for results in replication.experiments.values())
    text = f"""
<p class="lead">{html.escape(claim_tables.conclusion(claims.evaluated(replication)))}</p>
<p>{html.escape(conclusion(replication))}</p>
<p>{count:,} runs, compared with the numbers of D. Gravina, A. Liapis and G. N. Yannakakis, <cite>Surprise Search for
Evolutionary Divergence</cite>. To open a table, click its caption.</p>"""
    items: list[Table | Figure | None] = []
    if replication.has(*ROBOT_EXPERIMENTS):
        if len(differences(replication)):
            caption = (
                "Our numbers minus the paper's numbers in the two published mazes, with both robots. Left: difference "
                "of the success rates in percentage points, with Newcombe's 95% interval. Right: difference of the "
                "mean evaluations in per cent of the paper's mean, with Welch's 90% interval. A number agrees with the "
                "paper if its interval lies within the grey margin."
            )
            items.append(Figure("beside", caption, plots.draw_paper_comparison(differences(replication))))
        items.append(robots)
    items.append(_summary_table(sections))
    return Section("Conclusion", text, [item for item in items if item is not None])


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
    return Table("summary", "Number of verdicts of each kind, for every table of this report.", table, shown)


def rules_section() -> Section:
    """Return the report section on the statistical rules that decide the verdicts."""
    text = f"""
<p>The rules were fixed on 17 November 2026, before the runs were finished. A number <strong>agrees</strong> with the
paper's number if a relevant difference is ruled out:</p>
<ul>
<li>Evaluations, best fitness and genotypes: two one-sided Welch tests at 5% show that the means differ by less than
{analysis.MARGIN:.0%} of the paper's mean.</li>
<li>Successful runs: Newcombe's 95% interval of the difference lies within {100 * analysis.PROPORTION_MARGIN:.0f}
percentage points.</li>
</ul>
<p>A number <strong>differs</strong> if Welch's or Fisher's p, corrected by Holm's method over its table, is below 5%.
Otherwise a number is <strong>undecided</strong>. An undecided verdict reports the number of our runs that would decide
it with a probability of {analysis.POWER:.0%}, if the observed means and proportions are the true ones. There is no
verdict in three cases:</p>
<ul>
<li>There are fewer than {analysis.LEAST_RUNS} runs.</li>
<li>A ranking has fewer than {analysis.LEAST_RUNS_TO_RANK} runs of each search in each maze.</li>
<li>The paper has no number or only reports <q>few</q>.</li>
</ul>
<p>Evaluations are restricted means: a run without a solution counts with its budget, as in the paper. Medians,
expected running times and log-rank tests treat such a run as censored at the budget. Intervals of means are bootstrap
intervals (bias-corrected and accelerated, {analysis.RESAMPLES:,} resamples) within the range of possible values.
Intervals of proportions are Wilson's intervals, also for a proportion of 0. If all runs end with the budget, the
interval of the mean is derived from Wilson's interval of the proportion 0.</p>
<p>The paper does not publish its very hard and extremely hard mazes. Our mazes of these names are different mazes of
the same kind: experiments in these mazes are a conceptual replication. In these mazes, only the order of the searches
is compared with the paper, not the numbers.</p>"""
    return Section("Statistical rules", text)


def provenance_section(replication: Replication) -> Section:
    """Return the report section on provenance: versions, computing times and commands of the runs."""
    tables = [results.runs for results in replication.experiments.values()]
    versions = sorted({str(version) for runs in tables for version in runs["version"]})
    text = f"""
<p>The runs were made with divergent {html.escape(", ".join(versions))}. {_computing_time(tables)}</p>
<p>The commands below wrote the records of the runs. The file {COMMANDS} in the results of each experiment also contains
these commands. The command <code>python -m divergent.replicate collect</code> computed the results from the records.
The command <code>python -m divergent.replicate report</code> wrote this report from the results.</p>"""
    for name, results in replication.experiments.items():
        text += (
            f"<details><summary>{html.escape(name)}: {_computing_time([results.runs])}</summary>"
            f"<pre>{html.escape(results.commands)}</pre></details>"
        )
    return Section("Provenance", text)


def _computing_time(tables: Sequence[pd.DataFrame]) -> str:
    """Describe the computing time of all runs in one sentence for each kind of time."""
    runs = pd.concat(tables, ignore_index=True)
    recorded = runs["cpu_seconds"].notna() if "cpu_seconds" in runs else pd.Series(False, index=runs.index)
    sentences = []
    if recorded.any():
        part = runs[recorded]
        sentences.append(
            f"{analysis.format_count(len(part))} with recorded processor time took {formatting.hours(part)}."
        )
    if not recorded.all():
        part = runs[~recorded]
        sentences.append(f"{analysis.format_count(len(part))} without processor time took {formatting.hours(part)}.")
    return " ".join(sentences)
