"""Run all or some problems of the gallery, and write the results and their table in docs.

python examples/gallery/run.py [NAME ...] [--seeds N] [--jobs J]
"""

import argparse
import csv
import sys
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

HERE = Path(__file__).parent
RESULTS = HERE / "results"
PAGE = HERE.parents[1] / "docs" / "explanation" / "when_divergence_helps.md"
BEGIN, END = "<!-- the table, written by examples/gallery/run.py -->", "<!-- the end of the table -->"
PROBLEMS = ("mountain_car", "acrobot", "santa_fe_ant", "regression", "spiral", "tartarus", "reference_sets")
COLUMNS = ("search", "seed", "solved", "evaluations", "best", "size")


def problem(name):
    """Return the module of a problem."""
    return import_module(name)


def searches(name):
    return problem(name).SEARCHES


def measure(name, search, seed, generations):
    """Run once and return a row of the results."""
    budget = {} if generations is None else {"generations": generations}
    return search, seed, *problem(name).run(search, seed, **budget)


def run(names, seeds, jobs, generations=None, results=RESULTS):
    """Run every search of the problems with seeds 0, 1, ... and write one file per problem."""
    results.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        runs = {
            name: [
                pool.submit(measure, name, search, seed, generations)
                for search in searches(name)
                for seed in range(seeds)
            ]
            for name in names
        }
        for name, pending in runs.items():
            rows = [one.result() for one in pending]
            with (results / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
                csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows])
            print(f"{name}: {len(rows)} runs", flush=True)


def read(name, results=RESULTS):
    """Return the rows of a problem by search."""
    with (results / f"{name}.csv").open(encoding="utf-8") as file:
        found = {}
        for row in csv.DictReader(file):
            found.setdefault(row["search"], []).append(row)
        return found


def mean(rows, column):
    return sum(float(row[column]) for row in rows) / len(rows)


def table(results=RESULTS):
    """Return the results as a Markdown table, one row per search; unsolved runs count with their budget."""
    lines = [
        "| problem | search | solved | evaluations | best | size | published |",
        "|---|---|---|---|---|---|---|",
    ]
    for name in PROBLEMS:
        if not (results / f"{name}.csv").is_file():
            continue
        told = problem(name)
        for number, (search, rows) in enumerate(read(name, results).items()):
            solved = sum(row["solved"] == "True" for row in rows)
            size = f"{mean(rows, 'size'):.0f} {told.SIZE}" if told.SIZE else ""
            first = (f"[{name.replace('_', ' ')}](../../examples/gallery/{name}.py)", told.PUBLISHED)
            link, published = first if number == 0 else ("", "")
            lines.append(
                f"| {link} | {search} | {solved} of {len(rows)} | {mean(rows, 'evaluations'):,.0f} | "
                f"{mean(rows, 'best'):.4g} ({told.MEASURE}) | {size} | {published} |"
            )
    return "\n".join(lines)


def write_table(page=PAGE, results=RESULTS):
    """Write the table between its markers on the page."""
    text = page.read_text(encoding="utf-8")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    page.write_text(f"{before}{BEGIN}\n\n{table(results)}\n\n{END}{after}", encoding="utf-8")


def parser():
    words = argparse.ArgumentParser(prog="run.py", description=__doc__.splitlines()[0])
    words.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(PROBLEMS)}; all if none is named")
    words.add_argument("--seeds", type=int, default=20, help="runs of each search, seeds 0, 1, ...")
    words.add_argument("--jobs", type=int, default=2, help="processes")
    words.add_argument("--generations", type=int, help="of every run, instead of each problem's own: for a quick look")
    words.add_argument("--results", type=Path, help="a folder of your own; the page in docs is then left alone")
    return words


def main(arguments=None):
    words = parser()
    given = words.parse_args(arguments)
    for name in given.names:
        if name not in PROBLEMS:
            words.error(f"unknown problem {name!r}; choose from {', '.join(PROBLEMS)}")
    for option in ("seeds", "jobs"):
        if getattr(given, option) < 1:
            words.error(f"{option} must be at least 1, got {getattr(given, option)}")
    results = given.results or RESULTS
    run(given.names or PROBLEMS, given.seeds, given.jobs, given.generations, results)
    if given.results is None:
        write_table()
    print(table(results))


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    main()
