"""Tables and sentences of the pages on the ablation study and on reference sets, generated from results.

An HTML comment precedes each generated block of text. The comment contains the name of the block, a key of `BLOCKS`.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from divergent import analysis
from divergent.plots import label
from divergent.replicate._blocks import render_blocks
from divergent.reports._formatting import intervals, markdown, numbers, p, ps, solved
from divergent.studies import _describe, _problems
from divergent.studies._comparisons import PENDING, compare_steps, summarise_cells
from divergent.studies._design import (
    HARD,
    K_STEPS,
    LADDER_RUNS,
    LOOPS,
    PAPER_K,
    PREDICTOR_RUNS,
    PREDICTOR_STEPS,
    PREDICTORS,
    REFERENCE_RUNS,
    REFERENCE_SETS,
    REFERENCE_STEPS,
    RULE_STEPS,
    RULES,
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
EVOLVABILITY_MEASURES = {"spread": "spread", "new_cells": "new cells"}


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
        table = summarise_cells(runs, list(RUNGS), planned)
        parts += [_cell_table(table, {"variant": table["cell"]}), ""]
        steps = compare_group(studies, group)
        parts += [_step_table(steps, planned, _compared_variants(steps)), ""]
    parts += ["### Histories and predictors", "", _predictor_results(studies), ""]
    parts += ["### Dynamics and evolvability", "", _dynamics_results(studies)]
    return "\n".join(parts)


def _predictor_results(studies: Studies) -> str:
    """Render a table that compares other histories and predictors with surprise search as in the paper."""
    runs = studies.ladder[studies.ladder["maze"].eq(HARD) & studies.ladder["cell"].isin(["linear", *PREDICTORS])]
    if not runs["cell"].isin(PREDICTORS).any():
        return f"*Pending: 0 of {PREDICTOR_RUNS * len(PREDICTORS)} runs.*"
    steps = compare_steps(PREDICTOR_STEPS, runs, PREDICTOR_RUNS)
    return _step_table(steps, PREDICTOR_RUNS, _compared_variants(steps))


def _dynamics_results(studies: Studies) -> str:
    """Render the tables of dynamics and evolvability of the searches as Markdown."""
    table = studies.dynamics
    planned = _describe.RUNS * len(_describe.SEARCHES)
    if table.empty:
        return f"*Pending: 0 of {planned} runs.*"
    names = [name for name in _describe.SEARCHES if name in set(table["search"])]
    forms = {
        "occupied": "occupied cells", "new": "new cells", "revisited": "revisited cells", "return_time": "return time",
        "turnover": "turnover", "entropy": "entropy", "skill": "prediction skill",
        "novelty_surprise": "score correlation", "intensity": "selection intensity", "growth": "network growth",
    }  # fmt: skip
    rows = [
        {"measure": title} | {label(name): _mean_of(table[table["search"] == name][measure]) for name in names}
        for measure, title in forms.items()
    ]
    text = [
        describe_progress(table, planned),
        "",
        "Each curve in the next figure shows a measure, averaged in each generation over the runs that are still "
        "active, and smoothed by a running mean. A run ends at its first solution, so the averages for late "
        "generations come only from runs that have not yet found a solution.",
    ]
    text += ["", "![Measures of five searches over generations](../images/studies_dynamics.png)"]
    text += [
        "",
        "The next table shows the mean of each measure over all runs, with the 95 % confidence interval in "
        "parentheses. Measures with one value per generation are first averaged over the generations of each run.",
    ]
    text += ["", markdown(pd.DataFrame(rows))]
    return "\n".join([*text, "", _evolvability_results(studies)])


def _mean_of(column: pd.Series) -> str:
    """Format the mean of a column with its 95 % interval."""
    values = column.dropna().to_numpy(dtype=float)
    if len(values) == 0:
        return ""
    if len(values) == 1:
        return _rounded(values[0])
    low, high = analysis.bounded_interval(values)
    return f"{_rounded(values.mean())} ({_rounded(low)} to {_rounded(high)})"


def _rounded(value: float) -> str:
    """Format a number with two decimals, with one decimal from 10 and without decimals from 100."""
    return f"{value:.{2 if abs(value) < 10 else 1 if abs(value) < 100 else 0}f}"


def _evolvability_results(studies: Studies) -> str:
    """Render the table of evolvability, with and without matching of individuals by fitness and network size."""
    if studies.mutants.empty:
        return "*Evolvability: pending.*"
    rows = []
    for generation, table in studies.mutants.groupby("generation"):
        for measure, title in EVOLVABILITY_MEASURES.items():
            for search in _describe.SEARCHES:
                if search == EVOLVABILITY_REFERENCE:
                    continue
                row = {"generation": generation, "measure": title, "search": label(search)}
                for strata, ending in ((1, ""), (analysis.STRATA, ", matched")):
                    means = _compare_evolvability(table, measure, search, strata)
                    row |= dict(zip((f"mean{ending}", f"surprise{ending}"), means, strict=True))
                rows.append(row)
    text = (
        "The next table compares the mean evolvability of individuals evolved by each search method with that of "
        f"individuals evolved by {EVOLVABILITY_REFERENCE} search. Numbers in parentheses are 95 % confidence intervals "
        'of the means. Columns whose names end in "matched" show means after coarsened exact matching. Each stratum of '
        "the matching combines one quintile of fitness with one quintile of network size. In the matched means of the "
        "two search methods in a row, each stratum has the same weight for both search methods."
    )
    return f"{text}\n\n{markdown(pd.DataFrame(rows))}"


def _compare_evolvability(table: pd.DataFrame, measure: str, search: str, strata: int) -> tuple[str, str]:
    """Format the mean evolvability of a search and of surprise search, for a table.

    If `strata`, the number of quantile intervals per covariate, exceeds 1, individuals are matched by fitness and size.
    """
    pair = table[table["search"].isin([search, EVOLVABILITY_REFERENCE])]
    if pair["search"].nunique() < 2:
        return "", ""
    means = analysis.matched_means(pair, measure, strata=strata).set_index("search")
    if len(means) < 2:
        return "", ""
    first, second = (
        f"{_rounded(means['mean'][name])} ({_rounded(means['low'][name])} to {_rounded(means['high'][name])})"
        for name in (search, EVOLVABILITY_REFERENCE)
    )
    return first, second


def _cell_table(table: pd.DataFrame, names: Mapping[str, Iterable[str]]) -> str:
    """Render success rates and mean evaluations of experimental conditions as a Markdown table.

    The leading columns `names` identify the experimental conditions.
    """
    shown = {
        "solved": solved(table),
        "95 % interval": intervals(table, ".0%"),
        "mean evaluations": numbers(table["mean"], ",.0f"),
        "95 % interval of the mean": intervals(table, ",.0f", "mean_"),
    }
    return markdown(pd.DataFrame({**names, **shown}))


def _step_table(table: pd.DataFrame, planned: int, names: Mapping[str, Iterable[str]]) -> str:
    """Render the results of statistical tests as a Markdown table.

    The leading columns `names` identify the comparisons. `planned` is the number of runs of each condition. Differences
    of mean evaluations are in thousands.
    """
    columns = ["difference", "low", "high", "first_half", "second_half"]
    thousands = table[columns].astype(float).div(1000).round(1) + 0.0  # adding 0.0 changes -0.0 into 0.0
    shown = {
        f"solved of {planned}": [f"{row.solved_before} → {row.solved_after}" for row in table.itertuples()],
        "difference": numbers(thousands["difference"], "+.1f"),
        "90 % interval": intervals(thousands, "+.1f"),
        "split halves": [
            "" if pd.isna(row.first_half) else f"{row.first_half:+.1f}, {row.second_half:+.1f}"
            for row in thousands.itertuples()
        ],
        "p": ps(table["p"]),
        "p (Holm)": ps(table["p_corrected"]),
        "outcome": table["outcome"],
    }
    return markdown(pd.DataFrame({**names, **shown}))


def _compared_variants(table: pd.DataFrame) -> dict[str, list[str]]:
    """Return the column that names the two variants of each comparison."""
    return {"comparison": [f"{row.before} → {row.after}" for row in table.itertuples()]}


def _compared_conditions(table: pd.DataFrame, common: str, changed: str) -> dict[str, list[str]]:
    """Return two columns that identify comparisons of reference sets: a common property and the changed property."""
    pairs = [(_condition(row.before), _condition(row.after)) for row in table.itertuples()]
    return {
        common: [before[common] for before, _ in pairs],
        changed: [f"{before[changed]} → {after[changed]}" for before, after in pairs],
    }


def _condition(name: str) -> dict[str, str]:
    """Return the properties of an experimental condition of the study of reference sets, from its name."""
    loop, reference, *rest = name.split("-")
    rule, k = (*rest, *("none", f"k{PAPER_K}")[len(rest) :])
    return {"loop": LOOP_NAMES[loop], "reference set": reference, "archiving rule": rule, "k": k.removeprefix("k")}


def _ladder_answer(studies: Studies) -> str:
    """Render the main outcomes of the ablation study as a table, once the primary tests are complete."""
    table = compare_group(studies, HARD) if len(group_runs(studies, HARD)) else pd.DataFrame({"outcome": [PENDING]})
    if table["outcome"].eq(PENDING).any():
        return "*Pending: the primary tests need all runs in the hard maze.*"
    changes = {
        ("offspring", "linear"): "predictor `linear` (forward displacement) instead of `persistence` (none)",
        ("offspring", "delayed"): "predictor `delayed` (backward displacement) instead of `persistence` (none)",
        ("delayed", "linear"): "predictor `linear` instead of `delayed`",
        ("linear", "random-step"): "predictor `random-step` (random direction) instead of `linear`",
        ("linear", "forgetful"): "predictions of empty clusters not used",
        ("population", "archive"): "archive added to the population",
        ("nearest", "centroids"): "cluster centroids instead of individuals as reference points",
    }
    rows = {(row["before"], row["after"]): row for row in table.to_dict("records")}
    shown = [
        {
            "change": change,
            f"solved of {LADDER_RUNS[HARD]}": f"{rows[pair]['solved_before']} → {rows[pair]['solved_after']}",
            "difference": f"{rows[pair]['difference']:+,.0f}",
            "p (Holm)": p(rows[pair]["p_corrected"]),
            "outcome": rows[pair]["outcome"],
        }
        for pair, change in changes.items()
    ]
    text = (
        f"The next table shows {len(shown)} of the {len(STEPS)} primary tests of the ablation study in the hard maze. "
        "In each row, the difference is the mean number of evaluations with the change in the first column, minus the "
        "mean number of evaluations without this change."
    )
    return f"{text}\n\n{markdown(pd.DataFrame(shown))}"


def _reference_results(studies: Studies) -> str:
    """Render the result tables of the study of reference sets as Markdown."""
    runs = studies.reference_sets
    planned = REFERENCE_RUNS * len(REFERENCE_SETS)
    if runs.empty:
        return f"*Pending: 0 of {planned} runs.*"
    parts = [describe_progress(runs, planned), ""]
    parts += ["![Success rates by loop, reference set and archiving rule](../images/studies_reference_set.png)", ""]
    for loop in LOOPS:
        names = [name for name in REFERENCE_SETS if name.startswith(f"{loop}-") and "-k" not in name]
        table = summarise_cells(runs, names, REFERENCE_RUNS)
        conditions = [_condition(name) for name in table["cell"]]
        columns = pd.DataFrame(conditions, columns=["reference set", "archiving rule"])
        parts += [f"### {LOOP_NAMES[loop].capitalize()} loop, k = {PAPER_K}", ""]
        parts += [_cell_table(table, dict(columns)) if len(table) else "*Pending.*", ""]
    for title, steps, common, changed in (
        ("Primary tests of reference sets", REFERENCE_STEPS, "loop", "reference set"),
        ("Tests of archiving rules", RULE_STEPS, "loop", "archiving rule"),
        ("Tests of the number of neighbours", K_STEPS, "archiving rule", "k"),
    ):
        tests = compare_steps(steps, runs, REFERENCE_RUNS)
        compared = _compared_conditions(tests, common, changed)
        parts += [f"### {title}", "", _step_table(tests, REFERENCE_RUNS, compared), ""]
    return "\n".join([*parts, "### Problems that are not mazes", "", _problems.render_problems(studies.problems)])


def _reference_answer(studies: Studies) -> str:
    """Render the successful runs of all reference sets and archiving rules, once the primary tests are complete."""
    runs = studies.reference_sets
    table = compare_steps(REFERENCE_STEPS, runs, REFERENCE_RUNS) if len(runs) else pd.DataFrame({"outcome": [PENDING]})
    if table["outcome"].eq(PENDING).any():
        return "*Pending: the primary tests need all conditions with the threshold rule.*"
    rates = summarise_cells(runs, list(REFERENCE_SETS), REFERENCE_RUNS).set_index("cell")
    names = ["population", *(f"{reference}-{rule}" for reference in ("archive", "both") for rule in RULES)]
    shown = []
    for name in names:
        known = {LOOP_NAMES[loop]: f"{loop}-{name}" for loop in LOOPS}
        properties = _condition(f"{LOOPS[0]}-{name}")
        shown.append(
            {column: properties[column] for column in ("reference set", "archiving rule")}
            | {loop: rates.loc[cell, "solved"] if cell in rates.index else "" for loop, cell in known.items()}
        )
    text = (
        f"The next table shows how many of {REFERENCE_RUNS} runs of novelty search in the hard maze are successful, "
        "for each evolutionary loop, reference set and archiving rule."
    )
    return f"{text}\n\n{markdown(pd.DataFrame(shown))}"


BLOCKS: dict[str, Callable[[Studies], str]] = {
    "ladder_steps": _ladder_steps,
    "ladder_results": _ladder_results,
    "ladder_answer": _ladder_answer,
    "reference_results": _reference_results,
    "reference_answer": _reference_answer,
}
