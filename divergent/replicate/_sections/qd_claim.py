"""Test of the authors' claim that NSSLC is better than NSLC in deceptive mazes."""

import pandas as pd

from divergent import analysis
from divergent.plots import label
from divergent.replicate._replication import Replication, computed_once
from divergent.replicate._sections.qd_runs import deceptive_runs
from divergent.reports import _formatting as formatting
from divergent.reports._page import Table

# the abstract of "Quality Diversity Through Surprise" claims that NSSLC is better than NSLC
CLAIM = ("nsslc", "nslc")
NAMES = {
    "nsslc": "novelty-surprise search with local competition",
    "nslc": "novelty search with local competition",
}


@computed_once
def claim_table(replication: Replication) -> Table | None:
    """Return a table that tests whether NSSLC is better than NSLC, or None if one of them has no runs."""
    runs = deceptive_runs(replication)
    first, second = parts = [runs[runs["search"] == search] for search in CLAIM]
    if first.empty or second.empty:
        return None
    (test,) = analysis.compare_over_mazes(pd.concat(parts)).itertuples()
    effect = test.effect if test.first == CLAIM[0] else -test.effect
    fewest = min(len(first), len(second))
    (verdict,) = analysis.decide([analysis.evidence_of_order(test.p_log_rank, effect, fewest)])
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
    caption = (
        f"Test of the claim that {label(CLAIM[0])} is better than {label(CLAIM[1])} in deceptive mazes: log-rank test "
        "stratified by maze."
    )
    return Table("qd_variants_claim", caption, table, shown)


def claim_text(replication: Replication) -> str:
    """Describe the claim that NSSLC is better than NSLC, and its test, in a few sentences."""
    first, second = map(label, CLAIM)
    expected = (
        f'According to the abstract of "Quality diversity through surprise", search methods such as {first} have '
        f'"significantly higher efficiency, speed and robustness" than {second} in highly deceptive mazes.'
    )
    table = claim_table(replication)
    if table is None:
        return f"{expected} The runs for a test of this claim are not available yet."
    (row,) = table.numbers.itertuples()
    p = formatting.p(row.p_log_rank)
    faster, slower = (first, second) if row.effect <= 0 else (second, first)
    needs = "needs significantly" if row.p_log_rank < analysis.LEVEL else "does not need significantly"
    full_first, full_second = (f"{NAMES[search]} ({label(search)})" for search in CLAIM)
    relation = {True: "agree with", False: "contradict"}.get(row.verdict.good, "are inconclusive for")
    return (
        f"{expected} In the {row.mazes} deceptive mazes, {full_first} finds a solution in {row.solved_first} of "
        f"{row.runs_first} runs. In the {row.mazes} deceptive mazes, {full_second} finds a solution in "
        f"{row.solved_second} of {row.runs_second} runs. In {50 * (1 + abs(row.effect)):.0f} % of all pairs of runs in "
        f"the same maze, {faster} needs fewer evaluations than {slower} (ties count half). In the deceptive mazes, "
        f"{faster} {needs} fewer evaluations than {slower} (log-rank test stratified by maze, not corrected for "
        f"multiple tests, p {p if p.startswith('<') else f'= {p}'}). These results {relation} the claim that "
        f"{full_first} needs fewer evaluations than {full_second} in deceptive mazes."
    )
