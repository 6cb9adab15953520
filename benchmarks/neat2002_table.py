"""Write the table of docs/benchmarks/neat2002.md: python benchmarks/neat2002_table.py [RECORDS] [--out FILE].

RECORDS is the output directory of the commands in benchmarks/neat2002.py. The runs in RECORDS replace the runs of the
same problems in results/neat2002.csv. If RECORDS contains a run of a problem, RECORDS must contain all runs of this
problem. With `--out FILE`, the runs are written to FILE even if runs are missing. With `--out FILE`, the table is
printed, and no committed file changes. Without RECORDS, the table is made from the committed results.
"""

import argparse
import csv
from pathlib import Path
from statistics import mean, stdev
from typing import Any, NamedTuple

from divergent import analysis
from divergent.neat.genome import ENABLED
from divergent.runs import load_problem

HOME = Path(__file__).parents[1]
FILE = HOME / "benchmarks" / "neat2002.py"
RESULTS = HOME / "results" / "neat2002.csv"
PAGE = HOME / "docs" / "benchmarks" / "neat2002.md"
BEGIN, END = "<!-- the table, written by benchmarks/neat2002_table.py -->", "<!-- the end of the table -->"
RUNS = {"exclusive or": 100, "two poles": 100, "two poles without speeds": 20}
PUBLISHED: dict[str, dict[str, Any]] = {
    "exclusive or": {
        "solved": "100 of 100", "generations": 32, "evaluations": 4755, "sd": 2553, "worst": 13459, "hidden": 2.35,
        "connections": 7.48,
    },
    "two poles": {"generations": 24, "evaluations": 3600},
    "two poles without speeds": {"evaluations": 33184, "starts": 286},
}  # fmt: skip
TITLES = {
    "exclusive or": "XOR",
    "two poles": "double pole balancing",
    "two poles without speeds": "double pole balancing without velocities",
}
COLUMNS = {
    "solved": "solved", "generations": "generations", "evaluations": "evaluations", "sd": "SD", "worst": "maximum",
    "hidden": "hidden nodes", "connections": "enabled connections",
}  # fmt: skip
TEST_COLUMNS = {"first": "evaluations to 100,000 steps", "starts": "initial states balanced, of 625"}
"""Columns of the second table, with the measures of double pole balancing without velocities."""


class Row(NamedTuple):
    """Result of a run."""

    problem: str
    seed: int
    solved: bool
    generations: int
    evaluations: int
    """Evaluations up to the solution, including unchanged champions, since the article counts them."""
    hidden: int
    connections: int
    """Enabled connections."""
    first: int
    """Evaluations up to the first network that balances long enough, from any number of initial states; or -1."""
    starts: int
    """Initial states of 625 from which the solution balances; -1 if not tested."""


def make_row(record: Any) -> Row:
    """Return the results of a run as a row of results/neat2002.csv.

    In the problem without velocity inputs, all evaluations of the last generation are counted.
    """
    name = record.info.name
    problem = load_problem(FILE, name)
    genome = record.load_solution(problem)
    tested = name == "two poles without speeds"
    population, generations = record.settings.population, len(record.rows)
    starts = record.fitness[:, 1]
    balancing = (starts >= 0).nonzero()[0]
    first = (int(balancing[0]) // population + 1) * population if tested and len(balancing) else -1
    return Row(
        name,
        record.settings.seed,
        record.solved,
        generations,
        population * generations if tested else record.evaluations,
        len(genome.hidden),
        int(genome.genes[:, ENABLED].sum()),
        first,
        int(starts[-1]) if tested and record.solved else -1,
    )


def collect(records: Path, path: Path = RESULTS) -> None:
    """Replace the rows of each problem that has run records in the folder `records`.

    Raises
    ------
    ValueError
        If `path` is the file of committed results and a problem does not have all its runs.
    """
    rows = [make_row(record) for name in RUNS if (records / name).is_dir()
            for record in analysis.read_records(records / name)]  # fmt: skip
    names = {row.problem for row in rows}
    if path == RESULTS:
        check_complete(rows, records)
    rows += [row for row in (read(path) if path.is_file() else []) if row.problem not in names]
    rows.sort(key=lambda row: (list(RUNS).index(row.problem), row.seed))
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([Row._fields, *rows])


def check_complete(rows: list[Row], records: Path) -> None:
    """Raise an error if there are no runs, or if the seeds of a problem differ from the committed results."""
    seeds = {name: sorted(row.seed for row in rows if row.problem == name) for name in {row.problem for row in rows}}
    wrong = [name for name, completed in seeds.items() if completed != list(range(RUNS[name]))]
    if not wrong and seeds:
        return
    name = min(wrong or RUNS, key=list(RUNS).index)
    raise ValueError(
        f"RECORDS must contain a run for every seed (0 to {RUNS[name] - 1}) of the problem {name!r}, got the folder "
        f"{str(records)!r} with {len(seeds.get(name, []))} runs; make the missing runs, or pass --out FILE to write "
        "the runs to another file"
    )


def read(path: Path = RESULTS) -> list[Row]:
    """Read the results of the committed runs, one row per run."""
    with path.open(encoding="utf-8") as file:
        return [
            Row(
                line["problem"],
                int(line["seed"]),
                line["solved"] == "True",
                *(int(line[name]) for name in Row._fields[3:]),  # type: ignore[arg-type]
            )
            for line in csv.DictReader(file)
        ]


def table(rows: list[Row]) -> str:
    """Return Markdown tables that compare our runs with the article; network sizes are means over successful runs.

    The second table has the measures of the problem without velocity inputs, and is omitted without runs of it.
    """
    text, tested = _table(rows, PUBLISHED, COLUMNS), "two poles without speeds"
    if any(row.problem == tested for row in rows):
        text += f"\n\n{_table(rows, {tested: PUBLISHED[tested]}, TEST_COLUMNS)}"
    return text


def _table(rows: list[Row], published: dict[str, dict[str, Any]], columns: dict[str, str]) -> str:
    """Return a Markdown table with two rows per problem: the numbers of the article, and those of our runs."""
    lines = [f"| problem | source | {' | '.join(columns.values())} |", "|---" * (2 + len(columns)) + "|"]
    for name, reported in published.items():
        ours = [row for row in rows if row.problem == name]
        if ours:
            for source, numbers in (("NEAT paper", reported), ("`divergent`", summary(ours))):
                cells = [shown(column, numbers.get(column)) for column in columns]
                lines.append(f"| {TITLES[name]} | {source} | {' | '.join(cells)} |")
    return "\n".join(lines)


def summary(rows: list[Row]) -> dict[str, Any]:
    """Return a dictionary that maps columns of the table to summary statistics of the runs of one problem."""
    counts, solvers = [row.evaluations for row in rows], [row for row in rows if row.solved]
    numbers: dict[str, Any] = {
        "solved": f"{len(solvers)} of {len(rows)}",
        "generations": mean(row.generations for row in rows),
        "evaluations": mean(counts),
        "sd": stdev(counts) if len(counts) > 1 else 0,
        "worst": max(counts),
    }
    if solvers:
        numbers["hidden"] = mean(row.hidden for row in solvers)
        numbers["connections"] = mean(row.connections for row in solvers)
    if solvers and solvers[0].starts >= 0:
        numbers["first"] = mean(row.first for row in rows if row.first >= 0)
        numbers["starts"] = mean(row.starts for row in solvers)
    return numbers


def shown(column: str, number: Any) -> str:
    """Format a number with the precision of its table column."""
    if number is None or isinstance(number, str):
        return number or ""
    return f"{number:.2f}" if column in ("hidden", "connections") else f"{number:,.0f}"


def main(arguments: list[str] | None = None) -> None:
    """Add the runs of the folder RECORDS to the results, and write the table to the documentation page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split(":")[0] + ".")
    parser.add_argument("records", nargs="?", type=Path, metavar="RECORDS", help="folder with the records of runs")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the runs to FILE and print the table")
    given = parser.parse_args(arguments)
    if given.records:
        try:
            collect(given.records, given.out or RESULTS)
        except ValueError as error:
            parser.error(str(error))
    if given.out:
        print(table(read(given.out if given.records else RESULTS)))
        return
    content = PAGE.read_text(encoding="utf-8")
    before, after = content.split(BEGIN)[0], content.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}\n\n{table(read())}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
