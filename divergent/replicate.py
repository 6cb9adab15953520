"""Run the paper's experiments again and report ours beside the paper's: python -m divergent.replicate --help."""

import argparse
import dataclasses
import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from divergent import paper
from divergent.command import Parser, status_of, watch
from divergent.settings import Settings

EXAMPLES = """
examples:
  python -m divergent.replicate list
      the paper's experiments and their sizes
  python -m divergent.replicate run authored --quick
      a taste of one in a minute: every part of it, too small for any verdict
  python -m divergent.replicate run authored --maze hard --runs 100 --jobs 2
      the hard maze with all searches; the same command again goes on where it was stopped
  python -m divergent.replicate collect authored --results results
      turn its records into compact results
  python -m divergent.replicate report --results results
      every table and figure, and report.html, from compact results
"""

QUICK = "quick"  # the folder of quick records, which never mix with those of full size
QUICK_RUNS, QUICK_POPULATION, QUICK_GENERATIONS = 2, 50, 20
# medium and hard first: their numbers are compared with the paper's, the other mazes' only by order
MAZES = ("hard", "medium", "very_hard", "extremely_hard")
COMPARED = ("surprise", "novelty")


class Experiment(NamedTuple):
    """One of the paper's experiments."""

    what: str
    mazes: tuple[str, ...]
    searches: tuple[str, ...]
    runs: int
    records: str = "authored"
    """The experiment whose records and results these are."""

    variants: tuple[dict[str, Any], ...] = ({},)
    """Settings that are tried in turn."""


EXPERIMENTS = {
    "authored": Experiment(
        "efficiency and robustness of six searches in four mazes",
        MAZES, paper.SEARCHES, paper.RUNS,
    ),
    "genotypes": Experiment(
        "size and diversity of what novelty and surprise evolve; runs of authored", MAZES, COMPARED, paper.RUNS
    ),
    "heatmaps": Experiment(
        "where robots ended under novelty and surprise, and its entropy; runs of authored", MAZES, COMPARED, paper.RUNS
    ),
    "generated": Experiment(
        "six searches in sixty generated mazes: rankings, deceptiveness, robustness",
        tuple(f"generated:{seed}" for seed in range(paper.GENERATED_MAZES)), paper.SEARCHES, paper.GENERATED_RUNS,
        "generated",
    ),
    "sensitivity-novelty": Experiment(
        "novelty's number of neighbours, 5 to 30", MAZES, ("novelty",), paper.SENSITIVITY_RUNS, "sensitivity-novelty",
        tuple({"neighbours": neighbours} for neighbours in range(5, 31, 5)),
    ),
    "sensitivity-surprise": Experiment(
        "surprise's number of clusters, 20 to 240, with one and two neighbours", MAZES, ("surprise",),
        paper.SENSITIVITY_RUNS, "sensitivity-surprise",
        tuple({"clusters": clusters, "neighbours": n} for n in (1, 2) for clusters in range(20, 241, 20)),
    ),
}  # fmt: skip


def settings_of(
    name: str, *, mazes: Sequence[str] = (), searches: Sequence[str] = (), quick: bool = False
) -> list[tuple[str, Settings]]:
    """The settings of an experiment's runs without their seeds, each with the folder for its records.

    Parameters
    ----------
    name
        A name in `EXPERIMENTS`.
    mazes, searches
        Only these, if any are given.
    quick
        The quick size: a small population, few generations, and few mazes and variants where there are many.

    Examples
    --------
    >>> folder, settings = settings_of("sensitivity-surprise", mazes=["hard"])[0]
    >>> folder, settings.clusters, settings.neighbours
    ('sensitivity-surprise/k20-n1', 20, 1)
    """
    if name not in EXPERIMENTS:
        raise ValueError(f"unknown experiment {name!r}; choose from {', '.join(EXPERIMENTS)}")
    experiment = EXPERIMENTS[name]
    for kind, asked, there in (("maze", mazes, experiment.mazes), ("search", searches, experiment.searches)):
        for one in asked:
            if one not in there:
                raise ValueError(f"{name} has no {kind} {one!r}; choose from {', '.join(there)}")
    size: dict[str, Any] = {"population": QUICK_POPULATION, "generations": QUICK_GENERATIONS} if quick else {}
    variants = [one for one in experiment.variants if one.get("clusters", 0) <= QUICK_POPULATION or not quick]
    chosen = [maze for maze in experiment.mazes if not mazes or maze in mazes]
    return [
        (_folder(experiment, variant, quick), Settings(maze=maze, search=search, **variant, **size))
        for maze in (chosen[:6] if quick else chosen)
        for variant in variants
        for search in experiment.searches
        if not searches or search in searches
    ]


def _folder(experiment, variant, quick):
    """Where an experiment's records are inside the folder of all: apart from others of the same maze and search."""
    letters = {"clusters": "k", "neighbours": "n"}
    values = "-".join(f"{letters[name]}{value}" for name, value in variant.items())
    return "/".join([QUICK] * quick + [experiment.records, values] * bool(variant))


def parser() -> argparse.ArgumentParser:
    """The command's options, with their help."""
    options = Parser(
        prog="python -m divergent.replicate",
        description="Run the paper's experiments again, and report our numbers beside the paper's.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = options.add_subparsers(dest="command", metavar="COMMAND", required=True)
    commands.add_parser("list", help="the paper's experiments and their sizes")
    run = commands.add_parser("run", help="do an experiment's runs; what is finished is skipped")
    run.add_argument("--runs", metavar="N", type=int, help="runs of each search in each maze (default: the paper's)")
    run.add_argument("--jobs", metavar="J", type=int, default=1, help="how many at a time (default: 1)")
    run.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler whose workers do the runs")
    gather = commands.add_parser("collect", help="turn an experiment's records into compact results")
    for command in (run, gather):
        command.add_argument("name", metavar="NAME", help=f"one of {', '.join(EXPERIMENTS)}")
        command.add_argument("--quick", action="store_true", help="the quick size, kept apart in the folder quick")
        command.add_argument("--out", metavar="DIR", default="runs", help="folder of the records (default: runs)")
        command.add_argument("--results", metavar="DIR", help="folder of the results (default: results in --out)")
    run.add_argument("--maze", metavar="MAZE", action="append", default=[], help="only this maze; may be repeated")
    run.add_argument("--search", metavar="NAME", action="append", default=[], help="only this search; may be repeated")
    report = commands.add_parser("report", help="tables, figures and report.html from compact results")
    report.add_argument("--results", metavar="DIR", default="results", help="folder of the results (default: results)")
    report.add_argument("--out", metavar="DIR", help="folder for the report (default: that of the results)")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status, see `divergent.command`."""
    options = parser().parse_args(arguments)
    action = {"list": _list, "run": _run, "collect": _collect, "report": _report}[options.command]
    return status_of("replicate", lambda: action(options))


def _list(options):
    rows = [("name", "runs", "quick", "what")]
    for name, experiment in EXPERIMENTS.items():
        full, quick = len(settings_of(name)) * experiment.runs, len(settings_of(name, quick=True)) * QUICK_RUNS
        rows.append((name, f"{full:,}", f"{quick:,}", experiment.what))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for row in rows:
        print(f"{row[0]:<{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]:>{widths[2]}}  {row[3]}")


def _run(options):
    from divergent.experiment import run_many

    count = options.runs
    if count is None:
        count = QUICK_RUNS if options.quick else EXPERIMENTS[_known(options.name)].runs
    if count < 1:
        raise ValueError(f"runs must be at least 1, got {count}")
    out = Path(options.out)
    parts = settings_of(options.name, mazes=options.maze, searches=options.search, quick=options.quick)

    def done():
        for folder, group in groupby(parts, key=lambda part: part[0]):
            runs = [dataclasses.replace(settings, seed=seed) for _, settings in group for seed in range(count)]
            yield from run_many(runs, out / folder, jobs=options.jobs, scheduler=options.scheduler)

    watch(done(), len(parts) * count)
    _collect(options)


def _collect(options):
    from divergent.collect import Part, collect, write_results

    home = Path(options.out) / QUICK if options.quick else Path(options.out)
    results = home / "results" if options.results is None else Path(options.results)
    kept = EXPERIMENTS[_known(options.name)].records
    found = collect([Part(*part) for part in settings_of(kept, quick=options.quick)], options.out)
    write_results(found, results / kept)
    print(f"results  {results / kept}: {len(found.runs)} runs, {int(found.runs['solved'].sum())} solved")
    print(f"next     python -m divergent.replicate report --results {results}")


def _report(options):
    from divergent.report import report

    print(f"report   {report(options.results, options.results if options.out is None else options.out)}")


def _known(name):
    settings_of(name)
    return name


if __name__ == "__main__":
    sys.exit(main())
