"""Run and report the experiments of the replication: python -m divergent.replicate --help."""

from divergent._command_line import start

if __name__ == "__main__":  # `start` is called before other imports, so that it reports an import error in one line
    start("divergent.replicate.__main__")

import argparse
import dataclasses
from collections.abc import Generator, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from divergent._command_line import Parser, program, status_of, watch
from divergent._progress import RunsProgress
from divergent.replicate import _deceptive as deceptive
from divergent.replicate._experiments import EXPERIMENTS, QUICK, experiment_of, parts_of
from divergent.runs.batch import Finished, check_count, check_jobs, plan_batch, run_batch, run_planned
from divergent.runs.settings import Settings

if TYPE_CHECKING:
    from divergent.replicate._results import Results

EXAMPLES = """
examples:
  python -m divergent.replicate list
      the experiments and their sizes
  python -m divergent.replicate run authored --quick --maze medium
      a quick version in half a minute: every search, too small for any verdict
  python -m divergent.replicate run authored --maze hard --runs 100 --jobs 2
      the hard maze with all searches; the same command resumes the runs
  python -m divergent.replicate collect authored --results results
      turn its records into compact results, added to those in the folder
  python -m divergent.replicate run family --maze hard --search nsslc --jobs 2
      one of the QD variants, which are not in the paper
  python -m divergent.replicate report --results results
      every table and figure, and report.html, from compact results
  python -m divergent.replicate readme
      the tables of README.md and docs from the same results
"""


def parser() -> argparse.ArgumentParser:
    """Return the argument parser of `python -m divergent.replicate`."""
    options = Parser(
        prog=program("replicate"),
        description="Run the paper's experiments, and report our numbers next to the paper's.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = options.add_subparsers(dest="command", metavar="COMMAND", required=True)
    commands.add_parser("list", help="the experiments and their sizes")
    run = commands.add_parser("run", help="do the runs of an experiment; finished runs are skipped")
    run.add_argument(
        "--runs", metavar="N", type=int, help="runs of each search in each maze (default: the experiment's)"
    )
    run.add_argument("--jobs", metavar="J", type=int, default=1, help="parallel runs (default: 1)")
    run.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler whose workers do the runs")
    gather = commands.add_parser("collect", help="turn an experiment's records into compact results")
    for command in (run, gather):
        command.add_argument("name", metavar="NAME", help=f"one of {', '.join(EXPERIMENTS)}")
        command.add_argument("--quick", action="store_true", help="the quick size, in a separate folder")
        command.add_argument("--out", metavar="DIR", default="runs", help="folder of the records (default: runs)")
        command.add_argument("--results", metavar="DIR", help="folder of the results (default: results in --out)")
    run.add_argument("--maze", metavar="MAZE", action="append", default=[], help="only this maze; may be repeated")
    run.add_argument("--search", metavar="NAME", action="append", default=[], help="only this search; may be repeated")
    choice = commands.add_parser("deceptive", help="choose the deceptive mazes of experiment family")
    choice.add_argument("--results", metavar="DIR", default="results", help="folder of the results (default: results)")
    choice.add_argument("--out", metavar="DIR", default="runs", help="folder of the records (default: runs)")
    choice.add_argument("--jobs", metavar="J", type=int, default=1, help="parallel runs (default: 1)")
    choice.add_argument("--list", metavar="FILE", default=str(deceptive.LIST), help="output file")
    report = commands.add_parser("report", help="tables, figures and report.html from compact results")
    report.add_argument("--results", metavar="DIR", default="results", help="folder of the results (default: results)")
    report.add_argument("--out", metavar="DIR", help="folder for the report (default: that of the results)")
    documents = commands.add_parser("readme", help="the tables of README and docs from compact results")
    documents.add_argument("--results", metavar="DIR", default="results", help="folder of the results")
    documents.add_argument("--home", metavar="DIR", default=".", help="folder of README.md (default: this one)")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status; errors are printed in one line."""
    return status_of("replicate", lambda: _dispatch(parser().parse_args(arguments)))


def _dispatch(options: argparse.Namespace) -> None:
    """Call the function that implements the chosen subcommand."""
    actions = {
        "list": _list, "run": _run, "collect": _collect, "deceptive": _deceptive, "report": _report, "readme": _readme,
    }  # fmt: skip
    actions[options.command](options)


def _list(options: argparse.Namespace) -> None:
    rows = [("name", "runs", "quick", "what")]
    for name, experiment in EXPERIMENTS.items():
        full, quick = (sum(part.runs for part in parts_of(name, quick=size)) for size in (False, True))
        rows.append((name, f"{full:,}", f"{quick:,}", experiment.what))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for row in rows:
        print(f"{row[0]:<{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]:>{widths[2]}}  {row[3]}")


def _run(options: argparse.Namespace) -> None:
    from divergent.replicate._results import known_seeds

    parts = parts_of(options.name, mazes=options.maze, searches=options.search, quick=options.quick)
    if options.runs is not None:
        check_count(options.runs)
        parts = [part._replace(runs=options.runs) for part in parts]
    check_jobs(min(options.jobs, sum(part.runs for part in parts)))
    results = _results_so_far(options)
    remaining = [
        (part.folder, dataclasses.replace(part.settings, seed=seed))
        for part in parts
        for known in [set() if results is None else known_seeds(results, part)]
        for seed in part.seeds
        if seed not in known
    ]

    def finished() -> Generator[Finished, None, None]:
        for folder, group in groupby(remaining, key=itemgetter(0)):
            planned = plan_batch([settings for _, settings in group], Path(options.out) / folder)
            yield from run_planned(planned, options.jobs, options.scheduler, progress)

    progress = RunsProgress(len(remaining), scheduler=options.scheduler)
    watch(finished(), progress)
    _collect(options)


def _results_folder(options: argparse.Namespace) -> Path:
    home = Path(options.out) / QUICK if options.quick else Path(options.out)
    results = home / "results" if options.results is None else Path(options.results)
    return results / experiment_of(options.name).records


def _results_so_far(options: argparse.Namespace) -> "Results | None":
    """Return the existing results of an experiment, or None if there are none."""
    from divergent.replicate._results import has_results, read_results

    folder = _results_folder(options)
    return read_results(folder) if has_results(folder) else None


def _collect(options: argparse.Namespace) -> None:
    from divergent.replicate._results import collect, write_results

    results = collect(
        parts_of(experiment_of(options.name).records, quick=options.quick), options.out, _results_so_far(options)
    )
    folder = _results_folder(options)
    write_results(results, folder)
    print(f"results  {folder}: {len(results.runs)} runs, {int(results.runs['solved'].sum())} solved")
    print(f"next     python -m divergent.replicate report --results {folder.parent}")


def _deceptive(options: argparse.Namespace) -> None:
    from divergent.replicate._results import has_results, read_results

    folder = Path(options.results) / "generated"
    runs = read_results(folder).runs if has_results(folder) else None

    def solved(maze: str) -> int:
        if runs is not None:
            known = runs["maze"].eq(maze) & runs["search"].eq(deceptive.SEARCH) & runs["seed"].isin(deceptive.SEEDS)
            if known.sum() == len(deceptive.SEEDS):
                return int(runs.loc[known, "solved"].sum())
        settings = [Settings(maze=maze, search=deceptive.SEARCH, seed=seed) for seed in deceptive.SEEDS]
        ends = list(run_batch(settings, options.out, jobs=options.jobs))
        print(f"{maze}: {sum(end.solved for end in ends)} of {len(ends)} runs solved", flush=True)
        return sum(end.solved for end in ends)

    candidates = deceptive.find_deceptive(solved)
    deceptive.write_list(candidates, Path(options.list))
    count = sum(candidate.deceptive for candidate in candidates)
    print(f"written  {options.list}: {count} of the first {len(candidates)} generated mazes are deceptive")


def _report(options: argparse.Namespace) -> None:
    from divergent.replicate._report import report

    print(f"report   {report(options.results, options.results if options.out is None else options.out)}")


def _readme(options: argparse.Namespace) -> None:
    from divergent.replicate._documents import DOCUMENTS, rewrite
    from divergent.replicate._replication import read_replication

    replication = read_replication(options.results)
    for name in DOCUMENTS:
        rewrite(Path(options.home) / name, replication)
        print(f"written  {Path(options.home) / name}")
