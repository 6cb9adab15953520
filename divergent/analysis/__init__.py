"""Tables and statistics of many runs: records in, tidy pandas tables out.

A table of runs has the columns `RUN_COLUMNS`, a row a run. Every statistic says how many runs are behind it, and is NaN
where there are too few for it.
"""

from divergent.analysis.comparisons import Claim, ahead_from, compare, order, rankings
from divergent.analysis.groups import LEVEL, ordered
from divergent.analysis.positions import CELL, entropy, visits
from divergent.analysis.regression import Deceptiveness, deceptiveness
from divergent.analysis.solutions import between
from divergent.analysis.summaries import (
    best_settings,
    efficiency,
    evaluations,
    genotypes,
    means,
    robustness,
    sensitivity,
    successes,
    typical,
)
from divergent.analysis.tables import (
    DIVERSITY,
    RUN_COLUMNS,
    SETTINGS,
    at_budget,
    curve_table,
    curves,
    grid,
    read_records,
    run_curve,
    run_row,
    tabulate,
)
from divergent.analysis.verdicts import (
    LEAST_RUNS,
    LEAST_RUNS_TO_RANK,
    Verdict,
    agreement,
    agreement_of_counts,
    agreement_of_means,
    order_of_two,
    told_runs,
)

__all__ = [
    "CELL",
    "DIVERSITY",
    "LEAST_RUNS",
    "LEAST_RUNS_TO_RANK",
    "LEVEL",
    "RUN_COLUMNS",
    "SETTINGS",
    "Claim",
    "Deceptiveness",
    "Verdict",
    "agreement",
    "agreement_of_counts",
    "agreement_of_means",
    "ahead_from",
    "at_budget",
    "best_settings",
    "between",
    "compare",
    "curve_table",
    "curves",
    "deceptiveness",
    "efficiency",
    "entropy",
    "evaluations",
    "genotypes",
    "grid",
    "means",
    "order",
    "order_of_two",
    "ordered",
    "rankings",
    "read_records",
    "robustness",
    "run_curve",
    "run_row",
    "sensitivity",
    "successes",
    "tabulate",
    "told_runs",
    "typical",
    "visits",
]
