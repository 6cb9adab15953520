"""Run the studies and write their pages: python -m divergent.studies --help."""

from divergent._command_line import start

if __name__ == "__main__":  # `start` precedes the other imports to report import errors in one line
    start("divergent.studies.__main__")

import argparse
from collections.abc import Generator, Sequence

from divergent._command_line import Parser, program, status_of, watch
from divergent._progress import RunsProgress
from divergent.runs.batch import Finished, check_count, check_jobs
from divergent.studies._design import blocks

RESULTS = "results/studies"
EXAMPLES = """
examples:
  python -m divergent.studies list
      the blocks of runs, in the order of their execution
  python -m divergent.studies run ladder-hard
      run the variants of the ablation study in the hard maze; finished runs are skipped
  python -m divergent.studies run reference_set --cell plus-both-novel --runs 5
      execute the first 5 runs of one condition; without --runs, execute all runs
  python -m divergent.studies describe
      revisits, prediction errors, evolvability: about 8 s of a core per run
  python -m divergent.studies problems
      reference sets in the spiral and the Santa Fe ant
  python -m divergent.studies pages
      the tables and figures of docs/explanation from the results
"""


def parser() -> argparse.ArgumentParser:
    """Return the argument parser of `python -m divergent.studies`."""
    options = Parser(
        prog=program("studies"),
        description="Run the studies of surprise and of reference sets, and write their pages.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = options.add_subparsers(dest="command", metavar="COMMAND", required=True)
    commands.add_parser("list", help="list the blocks of runs and their sizes")
    run = commands.add_parser("run", help="execute the runs of a block; finished runs are skipped")
    run.add_argument("block", metavar="BLOCK", help=f"one of {', '.join(blocks())}")
    run.add_argument("--cell", metavar="NAME", action="append", default=[], help="only this condition; may be repeated")
    run.add_argument("--runs", metavar="N", type=int, help="runs of each condition and maze (default: as designed)")
    run.add_argument("--jobs", metavar="J", type=int, default=1, help="parallel runs (default: 1)")
    run.add_argument("--out", metavar="DIR", default="runs/studies", help="folder of the records")
    describe = commands.add_parser("describe", help="measure dynamics and evolvability in the hard maze")
    describe.add_argument("--search", metavar="NAME", action="append", default=[], help="only this search")
    describe.add_argument("--runs", metavar="N", type=int, help="runs of each search (default: as in the design)")
    problems = commands.add_parser("problems", help="compare reference sets in two problems that are not mazes")
    problems.add_argument("--runs", metavar="N", type=int, help="runs of each condition (default: as in the design)")
    problems.add_argument("--home", metavar="DIR", default=".", help="folder of examples (default: this one)")
    pages = commands.add_parser("pages", help="write the generated blocks and the figures of both pages")
    pages.add_argument("--home", metavar="DIR", default=".", help="folder of docs (default: this one)")
    for command in (run, describe, problems, pages):
        command.add_argument(
            "--results", metavar="DIR", default=RESULTS, help=f"folder of results (default: {RESULTS})"
        )
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status; errors are printed in one line."""
    return status_of("studies", lambda: _dispatch(parser().parse_args(arguments)))


def _dispatch(options: argparse.Namespace) -> None:
    """Call the function that implements the chosen subcommand."""
    actions = {"list": _list, "run": _run, "describe": _describe, "problems": _problems, "pages": _pages}
    actions[options.command](options)


def _list(options: argparse.Namespace) -> None:
    for name, selections in blocks().items():
        cells = len({cell.name for cell, _, _ in selections})
        print(f"{name:<18}{cells:>3} cells {sum(runs for _, _, runs in selections):>6,} runs")


def _run(options: argparse.Namespace) -> None:
    from divergent.studies._run import run_cell

    if options.block not in blocks():
        raise ValueError(
            f"BLOCK must be the name of a group of runs, one of {', '.join(blocks())}, got {options.block!r}"
        )
    selections = blocks()[options.block]
    names = list(dict.fromkeys(cell.name for cell, _, _ in selections))
    for name in options.cell:
        if name not in names:
            raise ValueError(
                f"--cell must be the name of an experimental condition in {options.block}, "
                f"one of {', '.join(names)}, got {name!r}"
            )
    if options.runs is not None:
        check_count(options.runs)
    check_jobs(options.jobs)
    chosen = [
        (cell, maze, runs if options.runs is None else min(runs, options.runs))
        for cell, maze, runs in selections
        if not options.cell or cell.name in options.cell
    ]

    def finished() -> Generator[Finished, None, None]:
        for selection in chosen:
            yield from run_cell(selection, options.out, options.results, options.jobs, progress)

    progress = RunsProgress(sum(runs for _, _, runs in chosen))
    watch(finished(), progress)
    print(f"results  {options.results}")


def _describe(options: argparse.Namespace) -> None:
    from divergent.studies._describe import RUNS, SEARCHES, describe

    for name in options.search:
        if name not in SEARCHES:
            raise ValueError(f"--search must be the name of a search, one of {', '.join(SEARCHES)}, got {name!r}")
    runs = RUNS if options.runs is None else options.runs
    check_count(runs)
    for description in describe(tuple(options.search) or SEARCHES, runs, options.results):
        row = description.run
        print(
            f"{row['search']}, seed {row['seed']}: {row['evaluations']} evaluations, solved {row['solved']}", flush=True
        )


def _problems(options: argparse.Namespace) -> None:
    from divergent.studies._problems import RUNS, run_problems

    runs = RUNS if options.runs is None else options.runs
    check_count(runs)
    for row in run_problems(options.results, options.home, runs):
        print(f"{row['problem']}, {row['cell']}, seed {row['seed']}: {row['value']:.4g}", flush=True)


def _pages(options: argparse.Namespace) -> None:
    from pathlib import Path

    from divergent.persistence._files import write_whole
    from divergent.studies._figures import draw_figures
    from divergent.studies._pages import PAGES, read_studies, render

    studies = read_studies(options.results)
    for path in draw_figures(studies, Path(options.home) / "docs" / "images"):
        print(f"written  {path}")
    for name in PAGES:
        page = Path(options.home) / name
        write_whole(page, render(page.read_text(encoding="utf-8"), studies).encode())
        print(f"written  {page}")
