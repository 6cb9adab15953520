"""Generated blocks of README and docs: tables and sentences that are rendered from the results of the experiments.

The HTML comment that precedes a block contains the name of the block, which is a key of `BLOCKS`.
"""

from collections.abc import Callable
from pathlib import Path

import pandas as pd

from divergent import analysis
from divergent.persistence._files import write_whole
from divergent.plots import label
from divergent.replicate import _claim_tables as claim_tables
from divergent.replicate import _claims as claims
from divergent.replicate import paper
from divergent.replicate._blocks import render_blocks
from divergent.replicate._experiments import EXPERIMENTS, KEPT
from divergent.replicate._paper_comparison import compare_paper_2016, conclusion, expectation, verdict_counts
from divergent.replicate._replication import Replication
from divergent.replicate._sections import claims as claims_section
from divergent.replicate._sections import (
    generated_mazes,
    genotypes,
    paper_mazes,
    qd_claim,
    qd_variants,
    robots,
    sensitivity,
    variants,
)
from divergent.replicate._update_source import OFFSPRING, POPULATION, decide, growth_table
from divergent.reports import _formatting as formatting
from divergent.reports._page import Table

DOCUMENTS = (
    "README.md",
    "docs/benchmarks/replication.md",
    "docs/benchmarks/qd_variants.md",
    "docs/benchmarks/claims.md",
)
NO_RESULTS = "*No results yet.*"


def rewrite(document: Path, replication: Replication) -> None:
    """Update the generated blocks of a Markdown file.

    Parameters
    ----------
    document : pathlib.Path
        Markdown file with generated blocks.
    replication : divergent.replicate.Replication
        Results of the experiments.
    """
    text = document.read_text(encoding="utf-8")
    write_whole(document, render(text, replication).encode())


def render(text: str, replication: Replication) -> str:
    """Return a Markdown text with its generated blocks rendered from results.

    Parameters
    ----------
    text : str
        Markdown with generated blocks.
    replication : divergent.replicate.Replication
        Results of the experiments.

    Returns
    -------
    str
        Markdown with updated blocks. If the results of a block are missing, the block contains a notice.

    Raises
    ------
    ValueError
        If the name of a block is not in `BLOCKS`.

    Examples
    --------
    >>> print(render("<!-- results: conclusion -->\\n<!-- end of results -->", Replication({})))
    <!-- results: conclusion -->
    There are no runs in the paper's two published mazes that could be compared.
    <!-- end of results -->
    """
    return render_blocks(text, "results", BLOCKS, replication)


def _table_block(table: Callable[[Replication], Table | None]) -> Callable[[Replication], str]:
    """Return a function that renders a table of the report as Markdown, or a notice if results are missing."""

    def block(replication: Replication) -> str:
        value = table(replication)
        return NO_RESULTS if value is None else formatting.markdown(value.shown)

    return block


def _robots(replication: Replication) -> str:
    """Render a table of the results in the published mazes with the five- and the six-rangefinder robot."""
    table = robots.robots_table(replication)
    if table is None:
        return NO_RESULTS
    return formatting.markdown(table.shown[table.numbers["maze"].isin(paper.PUBLISHED).to_numpy()])


def _extremely_hard(replication: Replication) -> str:
    """Describe the results of novelty and surprise search in the extremely hard maze."""
    rows: list[dict[str, str]] = []
    test = ""
    for kind, experiment in (("exploratory run", "authored"), ("confirmatory run", "fresh")):
        runs = replication.runs(experiment)
        runs = runs[runs["maze"].eq("extremely_hard") & runs["search"].isin(paper.COMPARED)]
        if runs["search"].nunique() == len(paper.COMPARED):
            counts, means = (
                table.set_index("search") for table in (analysis.success_rates(runs), analysis.evaluations(runs))
            )
            rows += [
                {"runs": f"{kind}s", "search": label(search)}
                | {"solved": f"{counts.loc[search, 'solved']} of {counts.loc[search, 'runs']}"}
                | {"evaluations": f"{means.loc[search, 'mean']:,.0f}"}
                for search in paper.COMPARED
            ]
            test = _test_extremely_hard(runs, counts, kind)
    if not rows:
        return NO_RESULTS
    rows += [
        {"runs": "the paper", "search": label(search)}
        | {"solved": f"{paper.SOLVED['extremely_hard', search].text} of {paper.RUNS}"}
        | {"evaluations": f"{paper.EVALUATIONS['extremely_hard', search].mean:,}"}
        for search in paper.COMPARED
    ]
    return f"{formatting.markdown(pd.DataFrame(rows))}\n\n{test}"


def _test_extremely_hard(runs: pd.DataFrame, counts: pd.DataFrame, run: str) -> str:
    """Describe the tests that compare novelty search with surprise search in the extremely hard maze."""
    (test,) = analysis.compare(runs).itertuples()
    fewer, more = (test.first, test.second) if test.effect <= 0 else (test.second, test.first)
    p = analysis.fisher(*(int(counts.loc[search, name]) for search in paper.COMPARED for name in ("solved", "runs")))
    needs = "needs significantly" if test.p_log_rank < analysis.LEVEL else "does not need significantly"
    has = "has a significantly" if p < analysis.LEVEL else "does not have a significantly"
    rates = counts["solved"] / counts["runs"]
    lower, higher = sorted(paper.COMPARED, key=lambda search: float(rates[search]))
    return (
        f"If each {run} of novelty search is compared with each {run} of surprise search, {fewer} search needs fewer "
        f"evaluations than {more} search in {50 * (1 + abs(test.effect)):.0f} % of the comparisons (each tie counts as "
        f"half). In the {run}s in the extremely hard maze, {fewer} search {needs} fewer evaluations than {more} search "
        f"(log-rank test, p {_relation(test.p_log_rank)}). In the {run}s in the extremely hard maze, {higher} search "
        f"{has} higher success rate than {lower} search (Fisher's exact test, p {_relation(p)})."
    )


def _differ(p: float) -> str:
    return "differs significantly" if p < analysis.LEVEL else "does not differ significantly"


def _relation(value: float) -> str:
    """Return a p-value with its relation sign, such as "= 0.02" or "< 0.001"."""
    text = formatting.p(value)
    return text if text.startswith("<") else f"= {text}"


def _variation_between_papers() -> str:
    """Render a table of the evaluations that the authors report for the hard maze in two papers."""
    rows = [
        {"search": label(row.search), "paper of 2016": f"{row.mean_2016:,}", "paper of 2017": f"{row.mean:,}"}
        | {"difference": f"{row.relative_difference:.0%}"}
        for row in compare_paper_2016().itertuples()
    ]
    return formatting.markdown(pd.DataFrame(rows))


def _provenance(replication: Replication) -> str:
    """Render a table of the experiments with their numbers of runs and computing times."""
    rows = [
        {"experiment": f"`{name}`", "what": EXPERIMENTS[name].what, "runs": f"{len(replication.runs(name)):,}"}
        | {"time": formatting.hours(replication.runs(name))}
        for name in KEPT
        if replication.has(name)
    ]
    return formatting.markdown(pd.DataFrame(rows))


def _claim_outcomes(replication: Replication) -> str:
    """Render a summary, the number of claims with each outcome, and a table of the outcomes of the claims."""
    evaluated = claims_section.evaluated(replication)
    counts, outcomes = claim_tables.outcome_counts(evaluated), claim_tables.outcomes(evaluated)
    return "\n\n".join([claim_tables.summary(), formatting.markdown(counts), formatting.markdown(outcomes)])


def _conclusion(replication: Replication) -> str:
    """Render the number of verdicts of each kind for each robot, and the expected number of agreements.

    If results are missing, render a notice.
    """
    counts = verdict_counts(replication)
    return f"{formatting.markdown(counts)}\n\n{expectation()}" if len(counts) else conclusion(replication)


def _update_source(replication: Replication) -> str:
    """Describe the test of clustering offspring against clustering the population, and its secondary measures."""
    experiments = [f"update-{source}" for source in (OFFSPRING, POPULATION)]
    if not replication.has(*experiments):
        return NO_RESULTS
    decision = decide(*(replication.runs(name) for name in experiments))
    table = decision.table
    shown = {
        "`learn_from`": [name if name == "the paper" else f"`{name}`" for name in table["setting"]],
        "successful runs": [f"{row.solved} of {row.runs}" for row in table.itertuples()],
        "mean evaluations": formatting.numbers(table["evaluations"], ",.0f"),
        "connections gained per 1,000 evaluations": formatting.numbers(table["growth"], ".2f"),
    }
    fisher = analysis.fisher(*table.loc[:1, ["solved", "runs"]].to_numpy().ravel().tolist())
    return (
        f"The number of evaluations of surprise search {_differ(decision.p)} between clustering the offspring and "
        f"clustering the current population (log-rank test, p = {decision.p:.2f}). By the decision rule below, the "
        f"default of the option `learn_from` is therefore `{decision.default}`. The success rate is a secondary "
        f"measure. The success rate of surprise search {_differ(fisher)} between "
        f'`learn_from="{OFFSPRING}"` and `learn_from="{POPULATION}"` '
        f"(Fisher's exact test, p = {fisher:.3f}).\n\n"
        f"{formatting.markdown(pd.DataFrame(shown))}"
    )


def _growth(replication: Replication) -> str:
    """Render a table of the growth of networks in the paper, in confirmatory runs and in exploratory runs."""
    table = growth_table(replication)
    shown = {
        "maze": [label(maze).lower() for maze in table["maze"]],
        "configuration of the confirmatory runs": [claims.PLAN[maze].configuration for maze in table["maze"]],
    } | {
        name: formatting.numbers(table[column], ".2f")
        for name, column in (
            ("the paper", "paper"), ("our confirmatory runs", "confirmatory"), ("our exploratory runs", "exploratory")
        )
    }  # fmt: skip
    return formatting.markdown(pd.DataFrame(shown))


def _solution_pairs(replication: Replication) -> str:
    """Render a table of the compatibility distance over pairs of solutions, or a notice if results are missing."""
    table = genotypes.pairs_table(replication)
    if table is None:
        return NO_RESULTS
    shown = table.shown[table.numbers["measure"].eq(analysis.DIVERSITY[0])].drop(columns="measure")
    return formatting.markdown(shown)


BLOCKS: dict[str, Callable[[Replication], str]] = {
    "conclusion": _conclusion,
    "robots": _robots,
    "verdicts": _table_block(robots.verdicts_table),
    "paper_itself": _table_block(paper_mazes.paper_itself_table),
    "yardstick": lambda replication: _variation_between_papers(),
    "order": _table_block(paper_mazes.order_table),
    "extremely_hard": _extremely_hard,
    "generated": _table_block(generated_mazes.generated_table),
    "over_mazes": _table_block(generated_mazes.over_mazes_table),
    "features": _table_block(generated_mazes.features_table),
    "sensitivity": _table_block(sensitivity.best_table),
    "predictors": _table_block(variants.predictors_table),
    "solution_pairs": _solution_pairs,
    "variants": _table_block(variants.variants_table),
    "family": _table_block(qd_variants.overview_table),
    "family_mazes": _table_block(qd_variants.authored_table),
    "family_tests": _table_block(qd_variants.faster_table),
    "family_weights": _table_block(qd_variants.weights_table),
    "family_deceptive": _table_block(qd_variants.deceptive_table),
    "family_claim": qd_claim.claim_text,
    "claims": lambda replication: formatting.markdown(claim_tables.overview(claims.tables(replication.experiments))),
    "claim_statements": lambda replication: formatting.markdown(claim_tables.statements()),
    "claim_rules": lambda replication: formatting.markdown(claim_tables.rules()),
    "claim_outcomes": _claim_outcomes,
    "claim_configurations": lambda replication: formatting.markdown(
        claim_tables.configurations(claims.tables(replication.experiments))
    ),
    "update_source": _update_source,
    "growth": _growth,
    "made": _provenance,
}
