"""Study of the reference sets of novelty search in two problems that are not mazes."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from divergent import analysis
from divergent.analysis._tables import problem_row
from divergent.reports._formatting import markdown, number, ps
from divergent.runs._machine import describe_machine
from divergent.runs.execution import run
from divergent.runs.problem_files import load_problem
from divergent.studies._design import FIRST_SEED, PAPER_K, RULES
from divergent.studies._results import append_rows, describe_progress, read_table

TABLE = "reference_set_problems.csv"
RUNS = 20
CELLS = 50  # grid cells per dimension; in the spiral problem, a grid cell is narrower than the gap between turns
EQUAL_RULES = (
    'The archiving rules "random" and "fixed" add the same number of random behaviours per generation, but "fixed" '
    'limits the archive to 1,000 behaviours. With the same seed, the archiving rules "random" and "fixed" therefore '
    "give identical results until the archive exceeds 1,000 behaviours. If six behaviours are added per generation, "
    "the archive exceeds 1,000 behaviours after 167 generations. Runs on the Santa Fe ant problem have at most 50 "
    'generations, so the archiving rules "random" and "fixed" add at most 300 behaviours. On the Santa Fe ant problem, '
    'the archiving rules "random" and "fixed" therefore give identical results. On the Archimedean spiral problem, the '
    "archive exceeds 1,000 behaviours only in the last 33 of 200 generations. On the spiral problem, the archiving "
    'rules "random" and "fixed" can therefore give different results only in the last 33 generations.'
)
TESTED = ("population", "both-threshold", "archive-threshold")
"""Experimental conditions that are tested, with the same reference sets as the primary tests in the maze."""


class StudyProblem(NamedTuple):
    """Problem of the study of reference sets, and the measure that the statistical tests compare."""

    file: str
    title: str
    measure: str
    """Column of a table of runs: coverage, or the best fitness."""

    unit: str
    """The measure in words."""


PROBLEMS = {
    "spiral": StudyProblem(
        "examples/gallery/spiral.py", "Archimedean spiral", "coverage", f"coverage of {CELLS} x {CELLS} cells"
    ),
    "santa_fe_ant": StudyProblem(
        "examples/gallery/santa_fe_ant.py", "Santa Fe ant", "best_fitness", "food eaten by the best ant"
    ),
}


def problem_cells() -> dict[str, dict[str, Any]]:
    """Return the options of novelty search for each experimental condition, by the name of the condition.

    Examples
    --------
    The name of a condition consists of the reference set and the archiving rule:
    >>> problem_cells()["both-novel"]
    {'neighbours': 15, 'reference': 'both', 'archiving': 'novel'}
    """
    cells: dict[str, dict[str, Any]] = {"population": {"neighbours": PAPER_K, "archiving": "none"}}
    for reference in ("archive", "both"):
        for rule in RULES:
            cells[f"{reference}-{rule}"] = {"neighbours": PAPER_K, "reference": reference, "archiving": rule}
    return cells


def run_problems(
    results: str | os.PathLike, home: str | os.PathLike = ".", runs: int = RUNS, **settings: Any
) -> Iterator[dict[str, Any]]:
    """Execute the runs that are missing in the table of results, and append each run to the table when the run ends.

    Parameters
    ----------
    results : path_like
        Folder of the table of results.
    home : path_like, default="."
        Folder that contains the folder `examples` with the problems.
    runs : int, default=20
        Number of runs of each experimental condition.
    **settings
        Settings that replace the defaults of the problems.

    Yields
    ------
    dict
        Row of the table of results, for each run.
    """
    path = Path(results) / TABLE
    problems = {name: load_problem(Path(home) / chosen.file) for name, chosen in PROBLEMS.items()}
    for seed in range(FIRST_SEED, FIRST_SEED + runs):
        for name, problem in problems.items():
            for cell, options in problem_cells().items():
                key = {"problem": name, "cell": cell, "seed": seed}
                known = read_table(path)
                if len(known) and (known[list(key)] == list(key.values())).all(axis=1).any():
                    continue
                before = time.process_time()
                record = run(problem, search="novelty", seed=seed, **options, **settings)
                measured = problem_row(record, cells=CELLS)
                row = key | {"value": measured[PROBLEMS[name].measure], "evaluations": record.evaluations}
                row |= {"cpu_seconds": time.process_time() - before, "commit": describe_machine().get("commit")}
                append_rows(path, pd.DataFrame([row]))
                yield row


def compare_problems(runs: pd.DataFrame) -> pd.DataFrame:
    """Compare three reference sets in the spiral and Santa Fe ant problems by six tests with Holm's correction.

    The reference sets are the population, the archive, and both; the archive follows the threshold rule.

    Parameters
    ----------
    runs : pandas.DataFrame
        Table of the runs in the spiral and Santa Fe ant problems.

    Returns
    -------
    pandas.DataFrame
        Tests as `divergent.analysis.compare` returns them; an empty table until all planned runs exist.
    """
    tested = runs[runs["cell"].isin(TESTED)] if len(runs) else runs
    if len(tested) < RUNS * len(TESTED) * len(PROBLEMS):
        return pd.DataFrame()
    return analysis.compare(tested.rename(columns={"cell": "search"}), "value", by=("problem",))


def render_problems(runs: pd.DataFrame) -> str:
    """Render the results in the spiral and Santa Fe ant problems as Markdown tables.

    Parameters
    ----------
    runs : pandas.DataFrame
        Table of the runs in the spiral and Santa Fe ant problems.

    Returns
    -------
    str
        Means of all experimental conditions, followed by the statistical tests.
    """
    planned = RUNS * len(PROBLEMS) * len(problem_cells())
    if runs.empty:
        return f"*Pending: 0 of {planned} runs.*"
    parts = [describe_progress(runs, planned), "", EQUAL_RULES, ""]
    for name, problem in PROBLEMS.items():
        table = analysis.means(runs[runs["problem"] == name], "value", by=("cell",)).set_index("cell")
        form = ".1%" if problem.measure == "coverage" else ".1f"
        rows = [
            {"condition": cell, "runs": int(row["runs"]), problem.unit: number(row["mean"], form)}
            | {"95 % interval": f"{row['low']:{form}} to {row['high']:{form}}"}
            for cell, row in table.reindex([cell for cell in problem_cells() if cell in table.index]).iterrows()
        ]
        parts += [f"#### {problem.title}", "", markdown(pd.DataFrame(rows)), ""]
    tests = compare_problems(runs)
    parts += ["#### Tests of the reference sets", ""]
    return "\n".join([*parts, "*The tests are pending.*" if tests.empty else _test_table(tests)])


def _test_table(tests: pd.DataFrame) -> str:
    """Render the results of statistical tests as a Markdown table."""
    shown = {
        "problem": [PROBLEMS[name].title for name in tests["problem"]],
        "first": tests["first"],
        "second": tests["second"],
        "rank-biserial correlation": [number(value, "+.2f") for value in tests["effect"]],
        "p": ps(tests["p"]),
        "p (Holm)": ps(tests["p_corrected"]),
    }
    return markdown(pd.DataFrame(shown))
