"""Write what came out into README and docs: the blocks between markers, from compact results.

A block begins with a line `<!-- results: NAME -->` and ends with `<!-- end of results -->`; NAME is one of `BLOCKS`, or
that of `VARIANTS`.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pandas as pd

from divergent import analysis
from divergent.persistence.files import write_whole
from divergent.plots.style import label
from divergent.replicate import claim_tables, claims, formatting, paper, qd_variants
from divergent.replicate.experiments import EXPERIMENTS, KEPT
from divergent.replicate.paper_comparison import by_robot, conclusion, evaluations_beside, solved_beside, yardstick
from divergent.replicate.report import (
    best_table,
    features_table,
    generated_table,
    order_table,
    over_mazes_table,
    paper_itself_table,
    predictors_table,
    robots_table,
    variants_table,
)
from divergent.replicate.results import Results

DOCUMENTS = ("README.md", "docs/replication.md", "docs/family.md", "docs/explanation/claims.md")
NOT_YET = "*Not there yet.*"
VARIANTS = "variants"  # the block that is not made of results alone
BLOCK = re.compile(r"(?<=<!-- results: )(\w+)( -->\n).*?(?=<!-- end of results -->)", flags=re.DOTALL)

Found = Mapping[str, Results]


def rewrite(document: Path, found: Found, variants: pd.DataFrame | None = None) -> None:
    """Write the blocks of a document anew."""
    text = document.read_text(encoding="utf-8")
    write_whole(document, told(text, found, variants).encode())


def told(text: str, found: Found, variants: pd.DataFrame | None = None) -> str:
    """A text with its blocks told anew from results and runs of variants; a block of unknown name is refused.

    Examples
    --------
    >>> print(told("<!-- results: conclusion -->\\n<!-- end of results -->", {}))
    <!-- results: conclusion -->
    There are no runs in the paper's two published mazes that could be compared.
    <!-- end of results -->
    """

    def block(match: re.Match[str]) -> str:
        name, opening = match.groups()
        if name == VARIANTS:
            table = NOT_YET if variants is None else _markdown(variants_table(variants, found).shown)
            return f"{name}{opening}{table}\n"
        if name not in BLOCKS:
            raise ValueError(f"no block of results is called {name!r}; there are {', '.join([*BLOCKS, VARIANTS])}")
        return f"{name}{opening}{BLOCKS[name](found)}\n"

    return BLOCK.sub(block, text)


def _of(*names: str) -> Callable[[Callable[[Found], str]], Callable[[Found], str]]:
    """What a block is without the results that it needs one of."""

    def needing(block: Callable[[Found], str]) -> Callable[[Found], str]:
        def or_nothing(found: Found) -> str:
            return block(found) if found.keys() & set(names) else NOT_YET

        return or_nothing

    return needing


@_of("authored", "original")
def _robots(found: Found) -> str:
    shown = robots_table(found).shown
    return _markdown(shown[shown["maze"].isin([label(maze) for maze in paper.PUBLISHED])])


@_of("authored", "original")
def _verdicts(found: Found) -> str:
    solved, evaluations = by_robot(found, solved_beside), by_robot(found, evaluations_beside)
    table = pd.DataFrame(
        {"robot": solved["robot"], "maze": solved["maze"].map(label), "search": solved["search"].map(label)}
        | {"solved": [f"{row.solved} of {row.runs}" for row in solved.itertuples()]}
        | {"the paper, of 100": solved["paper"], "": solved["verdict"]}
        | {"evaluations (sd)": _means(evaluations, "mean", "sd")}
        | {"the paper": _means(evaluations, "paper_mean", "paper_sd"), " ": evaluations["verdict"]}
    )
    return _markdown(table)


@_of("authored")
def _order(found: Found) -> str:
    runs = found["authored"].runs
    return _markdown(order_table(runs).shown) if set(runs["maze"]) - set(paper.PUBLISHED) else NOT_YET


@_of("authored")
def _extremely_hard(found: Found) -> str:
    runs = found["authored"].runs
    runs = runs[runs["maze"].eq("extremely_hard") & runs["search"].isin(paper.COMPARED)]
    if runs["search"].nunique() < 2:
        return NOT_YET
    counts, means = (table.set_index("search") for table in (analysis.successes(runs), analysis.evaluations(runs)))
    sentences = [
        f"{label(search)} search solves {counts.loc[search, 'solved']} of {counts.loc[search, 'runs']} runs in "
        f"{means.loc[search, 'mean']:,.0f} evaluations (the paper's {paper.SOLVED['extremely_hard', search].text} of "
        f"{paper.RUNS} in {paper.EVALUATIONS['extremely_hard', search].mean:,})"
        for search in paper.COMPARED
    ]
    (test,) = analysis.compare(runs).itertuples()
    pairs = analysis.told_pairs(label(test.first), label(test.second), test.effect)
    p = analysis.fisher(*(int(counts.loc[search, name]) for search in paper.COMPARED for name in ("solved", "runs")))
    return f"{'; '.join(sentences)}. {pairs} (log-rank p = {test.p_log_rank:.3f}; solved, Fisher's p = {p:.3f})."


@_of("generated")
def _generated(found: Found) -> str:
    runs = analysis.in_every_maze(found["generated"].runs)
    return _markdown(generated_table(runs).shown) if len(runs) else NOT_YET


@_of("generated")
def _over_mazes(found: Found) -> str:
    table = over_mazes_table(analysis.in_every_maze(found["generated"].runs)).shown
    return _markdown(table) if len(table) else NOT_YET


@_of("generated")
def _features(found: Found) -> str:
    runs = analysis.in_every_maze(found["generated"].runs)
    if not set(paper.COMPARED) <= set(runs["search"]):
        return NOT_YET
    return _markdown(features_table(analysis.regress_on_features(runs, paper.COMPARED)).shown)


@_of("sensitivity-novelty", "sensitivity-surprise")
def _sensitivity(found: Found) -> str:
    return _markdown(best_table(found).shown)


@_of("predictors")
def _predictors(found: Found) -> str:
    return _markdown(predictors_table(found).shown)


@_of("family")
def _family(found: Found) -> str:
    return _markdown(qd_variants.overview(found))


@_of("family")
def _family_mazes(found: Found) -> str:
    runs = qd_variants.authored_runs(found)
    return _markdown(qd_variants.family_table(runs).shown) if len(runs) else NOT_YET


@_of("family")
def _family_tests(found: Found) -> str:
    table = qd_variants.faster_than(found)
    return _markdown(table) if len(table) else NOT_YET


@_of("family")
def _family_weights(found: Found) -> str:
    table = qd_variants.weights_table(qd_variants.authored_runs(found)).shown
    return _markdown(table) if len(table) else NOT_YET


@_of("family")
def _family_deceptive(found: Found) -> str:
    runs = qd_variants.deceptive_runs(found)
    return _markdown(qd_variants.deceptive_table(runs).shown) if len(runs) else NOT_YET


def _family_claim(found: Found) -> str:
    return qd_variants.claim_told(found)


def _made(found: Found) -> str:
    rows = [
        {"experiment": f"`{name}`", "what": EXPERIMENTS[name].what, "runs": f"{len(found[name].runs):,}"}
        | {"time": formatting.hours(found[name].runs)}
        for name in KEPT
        if name in found
    ]
    return _markdown(pd.DataFrame(rows))


def _claim_statements(found: Found) -> str:
    return _markdown(claim_tables.statements())


def _claim_rules(found: Found) -> str:
    return _markdown(claim_tables.rules())


def _claim_outcomes(found: Found) -> str:
    evaluated = claims.evaluate(claims.tables(found))
    return f"{claim_tables.summary(evaluated)}\n\n{_markdown(claim_tables.outcomes(evaluated))}"


def _claim_configurations(found: Found) -> str:
    return _markdown(claim_tables.configurations(claims.tables(found)))


def _paper_itself(found: Found) -> str:
    return _markdown(paper_itself_table().shown)


def _yardstick(found: Found) -> str:
    return yardstick()


BLOCKS: dict[str, Callable[[Found], str]] = {
    "conclusion": conclusion,
    "robots": _robots,
    "verdicts": _verdicts,
    "paper_itself": _paper_itself,
    "yardstick": _yardstick,
    "order": _order,
    "extremely_hard": _extremely_hard,
    "generated": _generated,
    "over_mazes": _over_mazes,
    "features": _features,
    "sensitivity": _sensitivity,
    "predictors": _predictors,
    "family": _family,
    "family_mazes": _family_mazes,
    "family_tests": _family_tests,
    "family_weights": _family_weights,
    "family_deceptive": _family_deceptive,
    "family_claim": _family_claim,
    "claim_statements": _claim_statements,
    "claim_rules": _claim_rules,
    "claim_outcomes": _claim_outcomes,
    "claim_configurations": _claim_configurations,
    "made": _made,
}


def _means(table: pd.DataFrame, mean: str, sd: str) -> list[str]:
    pairs = zip(table[mean], table[sd], strict=True)
    return [
        "" if pd.isna(one) else f"{one:,.0f}" + ("" if pd.isna(other) else f" ({other:,.0f})") for one, other in pairs
    ]


def _markdown(table: pd.DataFrame) -> str:
    lines = [list(table.columns), ["---"] * len(table.columns), *table.fillna("").values.tolist()]
    return "\n".join(f"| {' | '.join(str(cell).strip() for cell in line)} |" for line in lines)
