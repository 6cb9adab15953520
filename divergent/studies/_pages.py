"""Tables and sentences of the pages on the ablation study and on reference sets, generated from results.

An HTML comment precedes each generated block of text. The comment contains the name of the block, a key of `BLOCKS`.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from divergent import analysis
from divergent.replicate._blocks import render_blocks
from divergent.reports._formatting import markdown, number, p, ps
from divergent.studies import _describe, _problems
from divergent.studies._comparisons import PENDING, compare_steps, summarise_cells
from divergent.studies._design import (
    HARD,
    K_STEPS,
    LADDER_RUNS,
    LOOPS,
    PREDICTOR_RUNS,
    PREDICTOR_STEPS,
    PREDICTORS,
    REFERENCE_RUNS,
    REFERENCE_SETS,
    REFERENCE_STEPS,
    RULE_STEPS,
    RUNGS,
    SHARED,
    STEPS,
    VERY_HARD,
    changed_options,
)
from divergent.studies._results import describe_progress, read_runs, read_table

PAGES = ("docs/explanation/why_surprise_works.md", "docs/explanation/reference_set.md")
EVOLVABILITY_REFERENCE = "surprise"
LOOP_NAMES = {"steady": "steady state", "plus": "(mu + lambda)", "generational": "generational"}


class Studies(NamedTuple):
    """Tables of the results of the ablation study and of the study of reference sets."""

    ladder: pd.DataFrame
    """Runs of the ablation study and of all predictors; the column `cell` names the experimental condition."""

    reference_sets: pd.DataFrame
    """Runs of the study of reference sets, including runs that it shares with the ablation study."""

    dynamics: pd.DataFrame
    generations: pd.DataFrame
    mutants: pd.DataFrame
    problems: pd.DataFrame
    """Runs of the study of reference sets in problems that are not mazes."""


def read_studies(results: str | os.PathLike) -> Studies:
    """Read the results of the ablation study and of the study of reference sets.

    Parameters
    ----------
    results : path_like
        Folder of the results.

    Returns
    -------
    Studies
        Tables of runs and measures; experimental conditions without results have no rows.
    """
    ladder = read_runs([*RUNGS.values(), *PREDICTORS.values()], results)
    hard = ladder[ladder["maze"] == HARD].sort_values("seed", kind="stable")
    shared = [hard[hard["cell"] == rung].head(REFERENCE_RUNS).assign(cell=name) for name, rung in SHARED.items()]
    own = read_runs(REFERENCE_SETS.values(), results)
    tables = [table for table in (*shared, own) if len(table)]
    folder = Path(results)
    return Studies(
        ladder,
        pd.concat(tables, ignore_index=True) if tables else own,
        *(
            read_table(folder / name)
            for name in (_describe.RUN_TABLE, _describe.GENERATION_TABLE, _describe.MUTANT_TABLE, _problems.TABLE)
        ),
    )


def render(text: str, studies: Studies) -> str:
    """Replace the generated tables and sentences of a Markdown page by current results.

    Parameters
    ----------
    text : str
        Markdown page with blocks of generated tables and sentences.
    studies : named tuple
        Results of the ablation study and of the study of reference sets, as `read_studies` returns them.

    Returns
    -------
    str
        Markdown page with current tables and sentences.

    Raises
    ------
    ValueError
        If the name of a block is not in `BLOCKS`.
    """
    return render_blocks(text, "studies", BLOCKS, studies)


def group_runs(studies: Studies, group: str) -> pd.DataFrame:
    """Return the runs of the ablation study in one maze, or in all deceptive generated mazes."""
    runs = studies.ladder[studies.ladder["cell"].isin(RUNGS)]
    chosen = runs["maze"].eq(group) if group in (HARD, VERY_HARD) else ~runs["maze"].isin([HARD, VERY_HARD])
    return runs[chosen]


def compare_group(studies: Studies, group: str) -> pd.DataFrame:
    """Compare the variants of the ablation study in one maze, or in all deceptive generated mazes."""
    if group in (HARD, VERY_HARD):
        return compare_steps(STEPS, group_runs(studies, group), LADDER_RUNS[group])
    return compare_steps(STEPS, group_runs(studies, group), 20 * LADDER_RUNS[group], strata="maze")


def _ladder_steps(studies: Studies) -> str:
    """List the comparisons of the ablation study, each with the options in which the two searches differ."""
    lines = ["```diff"]
    for step in STEPS:
        lines.append(f"  {step.before} -> {step.after}: {step.question}")
        for name, values in changed_options(RUNGS[step.before], RUNGS[step.after]).items():
            lines += [f"{sign} {_option(name, value)}" for sign, value in zip("-+", values, strict=True)]
    return "\n".join([*lines, "```"])


def _option(name: str, value: Any) -> str:
    """Format an option and its value as on the command line."""
    flag = f"--{name.replace('_', '-')}"
    # the default value is printed if the option is None
    defaults = {"learn_from": "population", "keep_empty_clusters": True}
    return f"{flag} {defaults.get(name, '(none)') if value is None else value}"


def _ladder_results(studies: Studies) -> str:
    """Render the result tables of the ablation study as Markdown."""
    titles = {HARD: "Hard maze (primary)", VERY_HARD: "Very hard maze", "deceptive": "Deceptive generated mazes"}
    parts = []
    for group, title in titles.items():
        planned = LADDER_RUNS[group] * (1 if group in (HARD, VERY_HARD) else 20)
        runs = group_runs(studies, group)
        parts += [f"### {title}", ""]
        if runs.empty:
            parts += [f"*Pending: 0 of {planned * len(RUNGS)} runs.*", ""]
            continue
        parts += [describe_progress(runs, planned * len(RUNGS)), ""]
        if group == HARD:
            parts += ["![Success rates and mean evaluations of the variants](../images/studies_ladder.png)", ""]
        parts += [_cell_table(summarise_cells(runs, list(RUNGS), planned), "variant"), ""]
        parts += [_step_table(compare_group(studies, group)), ""]
    parts += ["### Histories and predictors", "", _predictor_results(studies), ""]
    parts += ["### The searches while they run", "", _dynamics_results(studies)]
    return "\n".join(parts)


def _predictor_results(studies: Studies) -> str:
    """Render a table that compares other histories and predictors with surprise search as in the paper."""
    runs = studies.ladder[studies.ladder["maze"].eq(HARD) & studies.ladder["cell"].isin(["linear", *PREDICTORS])]
    if not runs["cell"].isin(PREDICTORS).any():
        return f"*Pending: 0 of {PREDICTOR_RUNS * len(PREDICTORS)} runs.*"
    return _step_table(compare_steps(PREDICTOR_STEPS, runs, PREDICTOR_RUNS))


def _dynamics_results(studies: Studies) -> str:
    """Render the tables of dynamics and evolvability of the searches as Markdown."""
    table = studies.dynamics
    planned = _describe.RUNS * len(_describe.SEARCHES)
    if table.empty:
        return f"*Pending: 0 of {planned} runs.*"
    names = [name for name in _describe.SEARCHES if name in set(table["search"])]
    forms = {
        "occupied": "cells per generation", "new": "new cells", "revisited": "revisited cells",
        "return_time": "median return time", "turnover": "turnover", "entropy": "entropy", "skill": "prediction skill",
        "novelty_surprise": "rank correlation of novelty and surprise", "intensity": "selection intensity",
        "growth": "connections per 1,000 evaluations",
    }  # fmt: skip
    rows = [
        {"measure": title} | {name: _mean_of(table[table["search"] == name][measure]) for name in names}
        for measure, title in forms.items()
    ]
    seconds = table["cpu_seconds"].mean()
    state = "" if len(table) == planned else " The other runs are pending, and intervals of so few runs are too narrow."
    text = [
        f"{len(table)} of {planned} planned runs are complete. A run, including its measurements of evolvability, "
        f"takes {seconds:.0f} s of processor time on average. The next table shows the mean of each measure over "
        "runs, with the 95 % interval in parentheses. A measure with one value per generation is first averaged over "
        f"the generations of each run.{state}",
        "",
        "Each curve in the next figure is the mean of a measure over all runs that reach the generation, smoothed by a "
        "running mean. A run ends at its first solution, so only unsolved runs remain in late generations.",
    ]
    text += ["", "![Measures of five searches over generations](../images/studies_dynamics.png)"]
    text += ["", markdown(pd.DataFrame(rows))]
    return "\n".join([*text, "", _evolvability_results(studies)])


def _mean_of(column: pd.Series) -> str:
    """Format the mean of a column with its 95 % interval."""
    values = column.dropna().to_numpy(dtype=float)
    if len(values) == 0:
        return ""
    if len(values) == 1:
        return f"{values[0]:.3g}"
    low, high = analysis.bounded_interval(values)
    return f"{values.mean():.3g} ({low:.3g} to {high:.3g})"


def _evolvability_results(studies: Studies) -> str:
    """Render the table of evolvability, with and without matching of individuals by fitness and network size."""
    if studies.mutants.empty:
        return "*Evolvability: pending.*"
    rows = []
    for generation, table in studies.mutants.groupby("generation"):
        for measure in ("spread", "new_cells"):
            for strata, matched in ((1, "no"), (analysis.STRATA, "fitness and size")):
                cells = {
                    search: _compare_evolvability(table, measure, search, strata)
                    for search in _describe.SEARCHES
                    if search != EVOLVABILITY_REFERENCE
                }
                rows.append({"generation": generation, "measure": measure, "matched": matched} | cells)
    text = (
        "The next table shows the mean evolvability of individuals. The first column is the generation of the "
        "measurement. Evolvability is measured for 50 individuals of each unsolved run, with 100 mutants of each "
        "individual. Each table cell contains two means: the mean of the search in the column heading and, after the "
        f"slash, the mean of {EVOLVABILITY_REFERENCE} search. Numbers in parentheses are 95 % intervals of the means. "
        'If the column "matched" contains "fitness and size", individuals of the two searches are matched by quintiles '
        "of fitness and network size. A table cell is empty if no individuals of the two searches can be matched."
    )
    return f"{text}\n\n{markdown(pd.DataFrame(rows))}"


def _compare_evolvability(table: pd.DataFrame, measure: str, search: str, strata: int) -> str:
    """Format the mean evolvability of a search and of surprise search, for a table.

    If `strata`, the number of quantile intervals per covariate, exceeds 1, individuals are matched by fitness and size.
    """
    pair = table[table["search"].isin([search, EVOLVABILITY_REFERENCE])]
    if pair["search"].nunique() < 2:
        return ""
    means = analysis.matched_means(pair, measure, strata=strata).set_index("search")
    if len(means) < 2:
        return ""
    return " / ".join(
        f"{means.loc[name, 'mean']:.3g} ({means.loc[name, 'low']:.3g} to {means.loc[name, 'high']:.3g})"
        for name in (search, EVOLVABILITY_REFERENCE)
    )


def _cell_table(table: pd.DataFrame, first: str) -> str:
    """Render success rates and mean evaluations of experimental conditions as a Markdown table."""
    rows = [
        {first: row.cell, "solved": f"{row.solved} of {row.runs}", "95 % interval": f"{row.low:.0%} to {row.high:.0%}"}
        | {"mean evaluations": f"{row.mean:,.0f}"}
        | {"95 % interval of the mean": f"{row.mean_low:,.0f} to {row.mean_high:,.0f}"}
        for row in table.itertuples()
    ]
    return markdown(pd.DataFrame(rows))


def _step_table(table: pd.DataFrame) -> str:
    """Render the results of statistical tests as a Markdown table."""
    shown = {
        "comparison": [f"{row.before} → {row.after}" for row in table.itertuples()],
        "solved": [
            f"{row.solved_before} of {row.runs_before} → {row.solved_after} of {row.runs_after}"
            for row in table.itertuples()
        ],
        "difference of mean evaluations": [number(value, "+,.0f") for value in table["difference"]],
        "difference in each half of the seeds": [
            "" if pd.isna(row.first_half) else f"{row.first_half:+,.0f}, {row.second_half:+,.0f}"
            for row in table.itertuples()
        ],
        "90 % interval": [
            "" if pd.isna(row.low) else f"{row.low:+,.0f} to {row.high:+,.0f}" for row in table.itertuples()
        ],
        "p": ps(table["p"]),
        "p, corrected": ps(table["p_corrected"]),
        "outcome": table["outcome"],
    }
    return markdown(pd.DataFrame(shown))


def _ladder_answer(studies: Studies) -> str:
    """Render the main outcomes of the ablation study as a table, once the primary tests are complete."""
    table = compare_group(studies, HARD) if len(group_runs(studies, HARD)) else pd.DataFrame({"outcome": [PENDING]})
    if table["outcome"].eq(PENDING).any():
        return "*Pending: the primary tests need all runs in the hard maze.*"
    rows = {(row["before"], row["after"]): _outcome_cells(row) for row in table.to_dict("records")}
    shown = [
        {"question": "prediction", "change": "linear prediction added to SSnp"} | rows["offspring", "linear"],
        {"question": "direction", "change": "step forward instead of backward"} | rows["delayed", "linear"],
        {"question": "direction", "change": "step in a random direction instead of forward"}
        | rows["linear", "random-step"],
        {"question": "memory", "change": "empty clusters forgotten"} | rows["linear", "forgetful"],
        {"question": "memory", "change": "archive added to the population"} | rows["population", "archive"],
    ]
    text = "The next table shows the outcomes of five primary tests in the hard maze."
    return f"{text}\n\n{markdown(pd.DataFrame(shown))}"


def _outcome_cells(row: Mapping[str, Any]) -> dict[str, str]:
    """Format solved runs, difference of evaluations, corrected p-value and outcome of a comparison for a table."""
    return {
        "solved runs": f"{row['solved_before']} → {row['solved_after']}",
        "difference of mean evaluations": f"{row['difference']:+,.0f}",
        "p, corrected": p(row["p_corrected"]),
        "outcome": row["outcome"],
    }


def _reference_results(studies: Studies) -> str:
    """Render the result tables of the study of reference sets as Markdown."""
    runs = studies.reference_sets
    planned = REFERENCE_RUNS * len(REFERENCE_SETS)
    if runs.empty:
        return f"*Pending: 0 of {planned} runs.*"
    parts = [describe_progress(runs, planned), ""]
    parts += ["![Success rates by loop, reference set and archive rule](../images/studies_reference_set.png)", ""]
    for loop in LOOPS:
        names = [name for name in REFERENCE_SETS if name.startswith(f"{loop}-") and "-k" not in name]
        table = summarise_cells(runs, names, REFERENCE_RUNS)
        parts += [f"### {LOOP_NAMES[loop].capitalize()} loop, k = 15", ""]
        parts += [_cell_table(table, "condition") if len(table) else "*Pending.*", ""]
    for title, steps in (
        ("Primary tests", REFERENCE_STEPS), ("Archive rules", RULE_STEPS), ("Number of neighbours", K_STEPS),
    ):  # fmt: skip
        parts += [f"### {title}", "", _step_table(compare_steps(steps, runs, REFERENCE_RUNS)), ""]
    return "\n".join([*parts, "### Problems that are not mazes", "", _problems.render_problems(studies.problems)])


def _reference_answer(studies: Studies) -> str:
    """Render the outcomes of the primary tests on reference sets as a table, once these tests are complete."""
    runs = studies.reference_sets
    table = compare_steps(REFERENCE_STEPS, runs, REFERENCE_RUNS) if len(runs) else pd.DataFrame({"outcome": [PENDING]})
    if table["outcome"].eq(PENDING).any():
        return "*Pending: the primary tests need all conditions with the threshold rule.*"
    rows = {(row["before"], row["after"]): _outcome_cells(row) for row in table.to_dict("records")}
    shown = []
    for loop in LOOPS:
        population, archive, both = (f"{loop}-{name}" for name in ("population", "archive-threshold", "both-threshold"))
        shown += [
            {"loop": LOOP_NAMES[loop], "change": change} | rows[pair]
            for change, pair in (
                ("archive added to the population", (population, both)),
                ("archive alone instead of both sets", (both, archive)),
                ("archive alone instead of the population", (population, archive)),
            )
        ]
    text = "The next table shows the outcomes of the primary tests, which compare reference sets in pairs."
    return f"{text}\n\n{markdown(pd.DataFrame(shown))}"


BLOCKS: dict[str, Callable[[Studies], str]] = {
    "ladder_steps": _ladder_steps,
    "ladder_results": _ladder_results,
    "ladder_answer": _ladder_answer,
    "reference_results": _reference_results,
    "reference_answer": _reference_answer,
}
