"""The command `run`, which runs searches with many seeds on a problem that a Python file defines."""

from divergent._command_line import start

if __name__ == "__main__":  # `start` is called before the other imports to report an import error in one line
    start("divergent.run_problem")

import argparse
import contextlib
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from divergent._command_line import (
    Parser,
    add_search_options,
    align_columns,
    chosen_options,
    print_line,
    program,
    status_of,
    watch,
)
from divergent._progress import RunsProgress
from divergent.problem import PROBLEM_LOOPS
from divergent.runs._dask import EXAMPLE_ADDRESS
from divergent.runs._many import note_batch, plan_many
from divergent.runs._plan import ON_ERROR
from divergent.runs.batch import Finished, PlannedRun, run_or_wait, run_planned
from divergent.runs.problem_files import load_problem
from divergent.selection._searches import SEARCHES

SETTINGS: dict[str, tuple[Any, str, str]] = {  # type, metavar and help text of each command-line option
    "population": (int, "P", "population size"),
    "generations": (int, "G", "largest number of generations"),
    "loop": (str, "NAME", ", ".join(PROBLEM_LOOPS)),
    "learn_from": (str, "NAME", "steady loop: update from the current population or from the offspring"),
    "refresh": (int, "E", "steady loop: evaluations between two scorings of the population"),
    "batch": (int, "K", "steady loop: children that are evaluated together"),
    "cxpb": (float, "p", "loops with generations: probability of crossover"),
    "mutpb": (float, "p", "loops with generations: probability of mutation"),
    "timeout": (float, "SECONDS", "seconds after which an evaluation fails"),
    "on_error": (str, "NAME", f"after a failing evaluation: {' or '.join(ON_ERROR)} (default: raise)"),
}
EXAMPLES = """
examples:
  {prog} roof.py --search novelty --runs 20 --jobs 2
      twenty runs of novelty search on the problem of roof.py, two at a time
  {prog} roof.py --search objective novelty surprise --runs 20
      three searches; the same command, or divergent resume runs/roof, resumes them
"""


def parser() -> argparse.ArgumentParser:
    """Return the argument parser of the command `run`."""
    prog = program("run_problem").replace("run-problem", "run")
    options = Parser(
        prog=prog,
        description="Run searches on the problem that a Python file defines. The file is executed.",
        epilog=EXAMPLES.format(prog=prog),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = options.add_argument
    add("file", metavar="FILE.py", help="Python file that defines a divergent.Problem")
    add("--problem", metavar="NAME", help="name of the problem, if the file defines several")
    searches = f"{', '.join(SEARCHES)}, or searches of the problem (default: those of the problem)"
    add("--search", metavar="NAME", nargs="+", action="extend", help=searches)
    add("--seed", metavar="S", type=int, default=0, help="seed of the first run (default: 0); runs have S, S+1, ...")
    add("--runs", metavar="N", type=int, default=1, help="number of runs of each search (default: 1)")
    add_execution(options)
    add("--out", metavar="DIR", default="runs", help="output directory of the records (default: runs)")
    add("--watch", action="store_true", help="follow the run on a local page in the browser, for one run")
    group = options.add_argument_group("settings, by default those of the problem")
    for name, (kind, metavar, meaning) in SETTINGS.items():
        group.add_argument(f"--{name.replace('_', '-')}", metavar=metavar, type=kind, help=meaning)
    add_search_options(options, "options of the searches, by default those of the problem or of their class")
    return options


def add_execution(options: argparse.ArgumentParser) -> None:
    """Add the command-line options that the commands `run` and `resume` share."""
    add = options.add_argument
    add("--jobs", metavar="J", type=int, default=1, help="number of parallel processes (default: 1)")
    add("--scheduler", metavar="ADDRESS", help=f"Dask scheduler whose workers do the runs, such as {EXAMPLE_ADDRESS}")
    add("--force", action="store_true", help="accept records made with another version of the problem file")
    add("--quiet", action="store_true", help="print only errors and warnings")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command `run`.

    Parameters
    ----------
    arguments : sequence of str or None, default=None
        Command-line arguments; None uses `sys.argv`.

    Returns
    -------
    int
        Exit status, see `divergent._command_line.status_of`.
    """
    return status_of("run", lambda: _execute(parser().parse_args(arguments)))


def _execute(options: argparse.Namespace) -> None:
    """Plan and execute the runs that the command line specifies."""
    problem = load_problem(options.file, options.problem)
    settings = {name: getattr(options, name) for name in SETTINGS} | chosen_options(options)
    settings = {name: value for name, value in settings.items() if value is not None}
    planned = plan_many(
        problem, options.search, options.runs, options.out, seed=options.seed, force=options.force, settings=settings
    )
    names = list(dict.fromkeys(run.plan.search for run in planned))
    given = [f"--{name.replace('_', '-')} {shlex.quote(str(value))}" for name, value in settings.items()]
    words = ["divergent run", shlex.quote(options.file), "--search", *map(shlex.quote, names)]
    command = " ".join([*words, f"--runs {options.runs} --seed {options.seed}", *given])
    note_batch(problem, names, options.runs, options.seed, settings, options.out, command)
    if options.watch:
        _run_watched(planned)
    do_runs(planned, options)
    if not options.quiet:
        folder = shlex.quote(str(Path(options.out) / problem.name))
        print_line(f"records  {folder}")
        print_line(f"report   divergent report {folder}")
        record = shlex.quote(str(planned[0].folder))
        print_line(f"explore  divergent explore {record} --problem {shlex.quote(options.file)}")


def _run_watched(planned: Sequence[PlannedRun]) -> None:
    """Execute a run while a local web page shows its progress; print the address of the page."""
    from divergent.explorer.live import RunWatch

    if len(planned) != 1:
        raise ValueError(f"--watch must be used with one run, got {len(planned)} runs; choose one search and --runs 1")
    with contextlib.closing(RunWatch(print_line)) as page:
        run_or_wait(planned[0], lambda row: None, page)


def do_runs(planned: Sequence[PlannedRun], options: argparse.Namespace) -> None:
    """Execute planned runs with a progress bar, and print a table with one row per search."""
    progress = RunsProgress(len(planned), hidden=options.quiet, scheduler=options.scheduler)
    finished = watch(run_planned(planned, options.jobs, options.scheduler, progress), progress)
    if not options.quiet:
        print(summary(finished, searches=list(dict.fromkeys(run.plan.search for run in planned))))


def summary(finished: Sequence[Finished], searches: Sequence[str]) -> str:
    """Format a table with the runs, successful runs, mean evaluations and mean best fitness of each search."""
    rows = [("search", "runs", "solved", "evaluations", "best fitness")]
    for search in searches:
        runs = [run for run in finished if run.settings.search == search]
        best = [run.best_fitness for run in runs if run.best_fitness is not None]
        rows.append(
            (
                search,
                str(len(runs)),
                str(sum(run.solved for run in runs)),
                f"{sum(run.evaluations for run in runs) / len(runs):,.0f}",
                f"{sum(best) / len(best):.4g}" if best else "",
            )
        )
    return align_columns(rows)
