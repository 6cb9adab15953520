"""Tables of strings that show the paper's claims, the decision rules and the outcomes."""

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from divergent.plots import label
from divergent.replicate import paper
from divergent.replicate._claim_tests import ALL_GENERATED, TESTS, Comparison
from divergent.replicate._claims import (
    CLAIMS,
    DEFAULT,
    LEHMAN,
    OUTCOMES,
    PRIMARY,
    Claim,
    Planned,
    compare,
    evaluate,
    expected_replications,
)
from divergent.reports._formatting import number
from divergent.reports._formatting import p as p_words

TEST_OF = {claim.id: claim.test for claim in CLAIMS}
NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
LINE_BREAK = "\n"  # between the lines of a table cell; Markdown and HTML render it as "<br>"


def statements() -> pd.DataFrame:
    """Return a table of strings with one row per claim: the statement and the numbers that the paper reports."""
    rows = []
    for claim in CLAIMS:
        results = {each: TESTS[claim.test].numbers(each) for each in claim.comparisons}
        rows.append(
            {"claim": f"`{claim.id}`", "statement": claim.statement, "source in the paper": claim.where}
            | {"results in the paper": _by_comparison(results)}
        )
    return pd.DataFrame(rows)


def rules() -> pd.DataFrame:
    """Return a table of strings with one row per claim: primary test, effect, margin and planned runs."""
    rows = []
    for claim in CLAIMS:
        test = TESTS[claim.test]
        effects = {
            each: f"{test.paper(each):{test.form}} ({test.margin(each):{test.form[1:]}})" for each in claim.comparisons
        }
        rows.append(
            {"claim": f"`{claim.id}`", "primary test": test.name, "effect": test.measure}
            | {"effect in the paper (margin)": _by_comparison(effects), "runs": _runs(claim)}
        )
    return pd.DataFrame(rows)


def _by_comparison(words: Mapping[Comparison, str]) -> str:
    """Join the texts of all comparisons of a claim, for example their effects, into a single text.

    If a claim has several comparisons, each text is labelled with its maze. If the comparisons have different
    searches, the labels also name the searches. Each comparison has a separate line of the table cell.
    """
    if len(words) == 1:
        return "".join(words.values())
    several = len({comparison[1:] for comparison in words}) > 1
    return LINE_BREAK.join(
        f"{label(maze)}{f', {label(first)} vs {label(second)}' * several}: {each}"
        for (maze, first, second), each in words.items()
    )


def _runs(claim: Claim) -> str:
    """Describe the runs on which a claim is tested: number, mazes, seeds and configuration."""
    if claim.committed:
        return f"exploratory runs only ({claim.committed}): descriptive"
    mazes: dict[Planned, dict[str, None]] = {}
    for comparison in claim.comparisons:
        mazes.setdefault(claim.planned(comparison.maze), {})[comparison.maze] = None
    return LINE_BREAK.join(
        f"{', '.join(label(name).lower() for name in names)}: {len(plan.seeds)} of each search"
        f"{f' in each of {paper.GENERATED_MAZES} mazes' * (ALL_GENERATED in names)}, "
        f"seeds {plan.seeds[0]} to {plan.seeds[-1]}, {plan.configuration}"
        for plan, names in mazes.items()
    )


def outcomes(evaluated: pd.DataFrame) -> pd.DataFrame:
    """Return a table of strings with one row per claim: outcome, effect, p-values and numbers of runs.

    The column of outcomes also contains the number of runs or mazes for 80 % power. The cells of effects and of runs
    also contain the values of the paper. A corrected p-value follows the uncorrected p-value in parentheses.

    Parameters
    ----------
    evaluated : pandas.DataFrame
        Outcomes of the claims, as `divergent.replicate._claims.evaluate` returns them.
    """
    perfect = expected_replications()
    rows = []
    for claim, row in zip(CLAIMS, evaluated.itertuples(), strict=True):
        form = TESTS[claim.test].form
        known = not math.isnan(row.effect)
        rows.append(
            {"claim": f"`{claim.id}`", "outcome": row.outcome + _needed(row)}
            | {"power": number(perfect.get(claim.id, math.nan), ".0%")}
            | {"weakest comparison": _named(row) if known else ""}
            | {"effect (95% interval)": _lines(_with_interval(row, form, LINE_BREAK), f"paper: {row.paper:{form}}")}
            | {"p (Holm)": _lines(p_words(row.p), _corrected(row))}
            | {"runs": f"{row.n_first:,}, {row.n_second:,}{LINE_BREAK}paper: {row.n_paper:,}" if known else ""}
        )
    return pd.DataFrame(rows)


def _needed(row: Any) -> str:
    """Format the number of runs or mazes for 80 % power, with an empty string if this number is unknown."""
    return f"; {row.n_needed:,.0f} {row.unit} for 80 % power" if row.n_needed > 0 else ""


def _with_interval(row: Any, form: str, separator: str = " ") -> str:
    """Format an effect with its 95 % interval in parentheses, with an empty string for NaN."""
    return "" if math.isnan(row.effect) else f"{row.effect:{form}}{separator}({row.low:{form}} to {row.high:{form}})"


def _lines(*lines: str) -> str:
    """Join the lines of a table cell, without empty lines; spaces within a line are not wrapped."""
    return LINE_BREAK.join(line.replace(" ", NO_BREAK_SPACE) for line in lines if line)


def _corrected(row: Any) -> str:
    """Format the corrected p-value in parentheses, with an empty string if the claim has no corrected p-value."""
    corrected = p_words(row.p_holm)
    return f"({corrected})" if corrected else ""


def evaluate_committed(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Evaluate every claim on exploratory runs, which were executed before the decision rules for claims were fixed.

    Parameters
    ----------
    tables : mapping of str to pandas.DataFrame
        Table of runs for each configuration, as `divergent.replicate._claims.tables` returns them.

    Returns
    -------
    pandas.DataFrame
        One row per claim, with the columns of `divergent.replicate._claims.evaluate`. The
        outcome of a claim with exploratory runs is "descriptive", because no claim is tested on exploratory runs.
    """
    return evaluate(tables, [dataclasses.replace(claim, committed=claim.committed or DEFAULT) for claim in CLAIMS])


def overview(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return a table of strings with one row per claim: statement, effect in the paper, our effect and outcome.

    Parameters
    ----------
    tables : mapping of str to pandas.DataFrame
        Table of runs for each configuration, as `divergent.replicate._claims.tables` returns them.
    """
    rows = []
    for claim, decided, known in zip(
        CLAIMS, evaluate(tables).itertuples(), evaluate_committed(tables).itertuples(), strict=True
    ):
        form = TESTS[claim.test].form
        row = known if math.isnan(decided.effect) else decided
        rows.append(
            {"claim of the paper": claim.statement, "effect in the paper": f"{row.paper:{form}}"}
            | {"our effect (95% interval)": _with_interval(row, form), "outcome in confirmatory runs": decided.outcome}
        )
    return pd.DataFrame(rows)


def outcome_counts(evaluated: pd.DataFrame) -> pd.DataFrame:
    """Return a table with one row: the number of primary claims with each outcome that occurs.

    Parameters
    ----------
    evaluated : pandas.DataFrame
        Outcomes of the claims, as `divergent.replicate._claims.evaluate` returns them.
    """
    primary = [claim.id for claim in PRIMARY]
    counts = evaluated.loc[evaluated["claim"].isin(primary), "outcome"].value_counts()
    return pd.DataFrame([{outcome: counts[outcome] for outcome in OUTCOMES if outcome in counts}])


def conclusion(evaluated: pd.DataFrame) -> str:
    """Describe how many primary claims have each outcome, and how many would be replicated by an exact replication.

    Parameters
    ----------
    evaluated : pandas.DataFrame
        Outcomes of the claims, as `divergent.replicate._claims.evaluate` returns them.
    """
    counts = outcome_counts(evaluated).iloc[0]
    listed = ", ".join(f"{outcome} ({count})" for outcome, count in counts.items())
    return (
        f"The {counts.sum()} claims with a primary test on confirmatory runs have these outcomes: {listed}. "
        f"{_expectation()}"
    )


def summary() -> str:
    """Describe the primary claims and the two tables of their outcomes."""
    primary = len(PRIMARY)
    return (
        f"The primary tests on confirmatory runs cover {primary} claims. {_expectation()} The first table "
        f"counts the {primary} tested claims by outcome. The second table gives the outcome of each of the "
        f"{len(CLAIMS)} claims, including {len(CLAIMS) - primary} descriptive claims (claims without confirmatory "
        "runs)."
    )


def _expectation() -> str:
    """Describe how many primary claims would be replicated if the numbers in the paper were the true values."""
    perfect = expected_replications()
    return (
        "If the means, standard deviations and success counts reported in the paper were the true values, "
        f"{perfect.sum():.1f} of the {len(perfect)} claims would be replicated on average."
    )


def configurations(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Compare the default configuration with that of Lehman's program in the published mazes.

    The table of strings has one row per comparison, with effects and uncorrected p-values of both configurations. The
    columns of the default configuration are omitted while none of its comparisons is complete.

    Parameters
    ----------
    tables : mapping of str to pandas.DataFrame
        Table of runs for each configuration, as `divergent.replicate._claims.tables` returns them.
    """
    swapped = {LEHMAN: tables[DEFAULT]} if DEFAULT in tables else {}
    primary, default = (compare(each, PRIMARY) for each in (tables, swapped))
    known = default["effect"].notna().any()
    rows = []
    for row, other in zip(primary.itertuples(), default.itertuples(), strict=True):
        if row.maze in paper.PUBLISHED:
            form = TESTS[TEST_OF[row.claim]].form
            rows.append(
                {"claim": f"`{row.claim}`", "comparison": _named(row), "effect in the paper": f"{row.paper:{form}}"}
                | {LEHMAN: number(row.effect, form), f"p, {LEHMAN}": p_words(row.p)}
                | ({DEFAULT: number(other.effect, form), f"p, {DEFAULT}": p_words(other.p)} if known else {})
            )
    return pd.DataFrame(rows)


def _named(row: Any) -> str:
    return f"{label(row.maze)}: {label(row.first)}, {label(row.second)}"
