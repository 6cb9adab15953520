"""Generate the tables of docs/benchmarks/agenda.md from results/agenda: python benchmarks/agenda_tables.py [--write].

Without --write, the exit status is 1 if a table in docs/benchmarks/agenda.md differs from the results.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from divergent.analysis import bounded_interval, holm, log_rank, mann_whitney, proportion_interval
from divergent.reports._formatting import markdown, ps

HOME = Path(__file__).parent.parent
PAGE = HOME / "docs" / "benchmarks" / "agenda.md"
RESULTS = HOME / "results"
BUDGET = 75_000
ELITES_RUNS = 30
LOOPS = {"steady": "steady state", "plus": "(mu + lambda)"}
VARIANTS = [
    ("authored", "novelty"), ("authored", "surprise"), ("family", "nslc"), ("family", "nsslc"), ("family", "dns"),
]  # fmt: skip


def read(name: str) -> pd.DataFrame:
    """Read the results of a section of docs/benchmarks/agenda.md; return an empty table if there are no runs yet."""
    path = RESULTS / "agenda" / f"{name}.csv"
    return pd.read_csv(path) if path.exists() else pd.DataFrame()


def authored(search: str, seeds: list[int]) -> pd.DataFrame:
    """Read the runs of one search in the hard maze with the given seeds from results/authored/runs.csv."""
    runs = pd.read_csv(RESULTS / "authored" / "runs.csv")
    chosen = runs[(runs.maze == "hard") & (runs.search == search) & runs.seed.isin(seeds)]
    return chosen[["seed", "solved", "evaluations"]]


def complete(runs: pd.DataFrame, variants: list[str]) -> pd.DataFrame:
    """Return the runs of all seeds for which every variant has a run."""
    counts = runs.groupby("seed").size()
    expected = len(runs[variants].drop_duplicates())
    return runs[runs.seed.isin(counts[counts == expected].index)]


def with_budget(runs: pd.DataFrame) -> pd.DataFrame:
    """Add the columns `population` and `generations`, whose product is the budget at which runs are censored."""
    return runs.assign(population=250, generations=BUDGET // 250)


def solved_cells(runs: pd.DataFrame) -> list[str]:
    """Format the number of successful runs and the restricted mean of evaluations, each with its 95 % interval."""
    solved, count = int(runs.solved.sum()), len(runs)
    low, high = proportion_interval(solved, count)
    first, last = bounded_interval(np.sort(runs.evaluations.to_numpy(float)), 0, BUDGET)
    return [
        f"{solved} of {count}",
        f"{low:.0%} to {high:.0%}",
        f"{runs.evaluations.mean():,.0f}",
        f"{first:,.0f} to {last:,.0f}",
    ]


def mean_cell(values: pd.Series, digits: int) -> str:
    """Format the mean of non-negative numbers with its 95 % interval."""
    low, high = bounded_interval(np.sort(values.to_numpy(float)), 0)
    return f"{values.mean():,.{digits}f} ({low:,.{digits}f} to {high:,.{digits}f})"


def table_text(header: list[str], rows: list[list[str]]) -> str:
    """Format rows of strings as a Markdown table."""
    return markdown(pd.DataFrame(rows, columns=header))


def batches_table() -> str:
    """Return a table of success rates in the hard maze for different batch sizes."""
    runs = complete(read("batches"), ["search", "batch"])
    rows, p_values = [], []
    for search in ("novelty", "surprise"):
        single = authored(search, runs.seed.unique().tolist())
        rows.append([search, "1", *solved_cells(single), ""])
        for batch in (8, 250):
            chosen = runs[(runs.search == search) & (runs.batch == batch)]
            p_values.append(log_rank(with_budget(chosen), with_budget(single)))
            rows.append([search, str(batch), *solved_cells(chosen), "p"])
    return _with_p(["search", "batch", *SOLVED, "log-rank p, compared with 1"], rows, p_values)


def wall_table() -> str:
    """Return a table of the wall time of 2,000 evaluations."""
    runs = read("wall")
    rows = []
    for (loop, batch), group in runs.groupby(["loop", "batch"], sort=False):
        seconds = group.set_index("processes").seconds
        name = "(250 + 250)" if loop == "plus" else "steady state"
        rows.append([name, str(batch), *(f"{seconds[n]:.0f}" if n in seconds else "" for n in (1, 2))])
    return table_text(["loop", "batch", "seconds, one process", "seconds, two processes"], rows)


def lineage_table() -> str:
    """Return a table that compares surprise search with predictions for lineages and for clusters of behaviours."""
    runs = read("lineage")
    clusters = authored("surprise", runs.seed.tolist())
    p_value = log_rank(with_budget(runs), with_budget(clusters))
    rows = [["clusters", *solved_cells(clusters), ""], ["lineage", *solved_cells(runs), "p"]]
    return _with_p(["partition", *SOLVED, "log-rank p"], rows, [p_value])


def elites_table() -> str:
    """Return a table that compares five methods of parent selection in MAP-Elites."""
    runs = complete(read("elites"), ["parents"])
    uniform = runs[runs.parents == "uniform"]
    rows, p_values = [], []
    for parents in ("uniform", "novelty", "surprise", "nss", "curiosity"):
        chosen = runs[runs.parents == parents]
        cells = [parents, *solved_cells(chosen)[:3], mean_cell(chosen.coverage, 2), mean_cell(chosen.qd_score, 0)]
        if parents != "uniform":
            p_values.append(log_rank(with_budget(chosen), with_budget(uniform)))
            p_values.append(mann_whitney(chosen.qd_score, uniform.qd_score)["p"])
        rows.append([*cells, *(["", ""] if parents == "uniform" else ["p", "p"])])
    header = ["parents", *SOLVED[:3], "coverage", "QD score", "p, evaluations", "p, QD score"]
    return _with_p(header, rows, p_values)


def variants_table() -> str:
    """Return a table of coverage and QD score of five searches, run with the same seeds as MAP-Elites."""
    rows = []
    for experiment, search in VARIANTS:
        runs = pd.read_csv(RESULTS / experiment / "runs.csv")
        chosen = runs[(runs.maze == "hard") & (runs.search == search) & (runs.seed < ELITES_RUNS)]
        loops = " and ".join(LOOPS[name] for name in chosen["loop"].unique())
        cells = [search, loops, *solved_cells(chosen)[:3], mean_cell(chosen.coverage, 2), mean_cell(chosen.qd_score, 0)]
        rows.append(cells)
    return table_text(["search", "loop", *SOLVED[:3], "coverage", "QD score"], rows)


def levels_table() -> str:
    """Return a table of the feasible game levels that five searches generate."""
    runs = complete(read("levels"), ["search"])
    novelty = runs[runs.search == "novelty"]
    rows, p_values = [], []
    for search in ("objective", "novelty", "surprise", "nss", "discard"):
        chosen = runs[runs.search == search]
        cells = [
            search,
            str(len(chosen)),
            *(mean_cell(chosen[name], 3) for name in ("feasible", "coverage", "diversity")),
        ]
        if search != "novelty":
            p_values += [mann_whitney(chosen[name], novelty[name])["p"] for name in ("coverage", "diversity")]
        rows.append([*cells, *(["", ""] if search == "novelty" else ["p", "p"])])
    header = ["search", "runs", "feasible fraction", "coverage", "diversity", "p, coverage", "p, diversity"]
    return _with_p(header, rows, p_values)


def _with_p(header: list[str], rows: list[list[str]], p_values: list[float]) -> str:
    """Format a Markdown table; each cell "p" is replaced by the next p-value, corrected by Holm's method."""
    corrected = iter(ps(holm(p_values)))
    return table_text(header, [[next(corrected) if cell == "p" else cell for cell in row] for row in rows])


SOLVED = ["solved", "95 % interval", "mean evaluations", "95 % interval"]
TABLES: dict[str, Callable[[], str]] = {
    "batches": batches_table,
    "wall": wall_table,
    "lineage": lineage_table,
    "elites": elites_table,
    "variants": variants_table,
    "levels": levels_table,
}


def regenerate(text: str) -> str:
    """Replace all tables in the text of docs/benchmarks/agenda.md by tables that are generated from the results."""
    for name, table in TABLES.items():
        pattern = rf"(<!-- agenda: {name} -->\n).*?(\n<!-- end -->)"
        text = re.sub(pattern, lambda match, table=table: match[1] + table() + match[2], text, flags=re.DOTALL)
    return text


def main() -> int:
    """Write the tables to docs/benchmarks/agenda.md, or check that the tables in this file match the results."""
    text = PAGE.read_text(encoding="utf-8")
    current = regenerate(text)
    if "--write" in sys.argv[1:]:
        PAGE.write_text(current, encoding="utf-8")
        return 0
    return int(text != current)


if __name__ == "__main__":
    sys.exit(main())
