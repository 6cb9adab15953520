"""The command `run-maze`, which evolves robot controllers for a maze."""

from divergent._command_line import start

if __name__ == "__main__":  # `start` precedes all other imports and reports import errors in one line.
    start("divergent.run_maze")

import argparse
import contextlib
import dataclasses
import math
import os
import sys
import time
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

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
from divergent._compile import nothing_compiled
from divergent._progress import RunsProgress, ticking
from divergent._text import printable
from divergent.loops._contract import REFRESHES
from divergent.maze._files import maze_names
from divergent.maze._maze import BEST
from divergent.maze._rules import DEFAULT_RULES, ROBOTS, RULES
from divergent.persistence._files import digest, read_bytes
from divergent.runs._compilation import compile_for
from divergent.runs._dask import EXAMPLE_ADDRESS
from divergent.runs._maze_plan import MazePlan
from divergent.runs._maze_record import MazeRecord
from divergent.runs.batch import Finished, PlannedRun, check_count, check_jobs, plan_batch, run_or_wait, run_planned
from divergent.runs.build import load_maze
from divergent.runs.defaults import CROSSOVER_RATE, INDIVIDUALS_PER_SPECIES, MUTATION_RATE, POPULATION
from divergent.runs.execution import Row
from divergent.runs.record import TEXT, read
from divergent.runs.settings import FIELDS, Settings
from divergent.selection._searches import SEARCHES

EXAMPLES = """
examples:
  {prog} hard --search surprise
      one run in the hard maze with the paper's settings
  {prog} medium --search novelty --runs 20 --jobs 2
      twenty runs, seeds 0 to 19, two at a time; the same command resumes them
  {prog} my/maze.txt --clusters 50 --neighbours 3
      a custom maze with custom settings
  {prog} generated:7 --search objective --seed 3
      the eighth generated maze
  {prog} --replay RECORD --animate drive.gif
      draw the figure of a record, and an animation of its solution
"""


def parser() -> argparse.ArgumentParser:
    """Return the argument parser of the command `run-maze`."""
    prog = program("run_maze")
    options = Parser(
        prog=prog,
        description="Evolve a robot controller for a maze by divergent search.",
        epilog=EXAMPLES.format(prog=prog),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = options.add_argument
    mazes = f"{', '.join(maze_names())}, a maze file, or generated:SEED"
    add("maze", nargs="?", metavar="MAZE", help=mazes)
    add("--search", metavar="NAME", default="surprise", help=f"{', '.join(SEARCHES)} (default: surprise)")
    add("--seed", metavar="S", type=int, default=0, help="seed of the first run (default: 0); runs have S, S+1, ...")
    add("--runs", metavar="N", type=int, default=1, help="number of runs (default: 1)")
    add("--jobs", metavar="J", type=int, default=1, help="number of parallel processes (default: 1)")
    add("--scheduler", metavar="ADDRESS", help=f"Dask scheduler whose workers do the runs, such as {EXAMPLE_ADDRESS}")
    add("--out", metavar="DIR", default="runs", help="output directory of the records (default: runs)")
    add("--watch", action="store_true", help="follow the run on a local page in the browser, for one run")
    add("--quiet", action="store_true", help="print only errors and warnings")
    add("--replay", metavar="RECORD", help="draw the figure of a record instead of running")
    add("--animate", metavar="FILE.gif", help="with --replay: write an animation of the solution")
    _add_settings(options)
    add_search_options(options, "options of the searches, by default the paper's for the maze and search")
    return options


def _add_settings(options: argparse.ArgumentParser) -> None:
    """Add the settings of a run to the argument parser."""
    add = options.add_argument_group("settings, by default the paper's for the maze").add_argument
    add("--generations", metavar="G", type=int, help="largest number of generations")
    add("--population", metavar="P", type=int, default=POPULATION, help=f"population size (default: {POPULATION})")
    add("--steps", metavar="T", type=int, help="simulation steps of one evaluation")
    robots = "; ".join(f"{name}: {meaning}" for name, meaning in ROBOTS.items())
    add("--robot", metavar="NAME", help=f"{robots} (default: the robot of the rules)")
    rules = "; ".join(f"{name}: {rule.meaning}" for name, rule in RULES.items())
    add("--rules", metavar="NAME", default=DEFAULT_RULES, help=f"{rules} (default: {DEFAULT_RULES})")
    add(
        "--behaviour",
        metavar="NAME",
        default="end",
        help="behaviour descriptor: end, the final position, or trail:M, M positions of the trajectory (default: end)",
    )
    plus = ", ".join(name for name, strategy in SEARCHES.items() if strategy.loop == "plus")
    add(
        "--loop",
        metavar="NAME",
        help="steady (one child replaces one individual), generational (the offspring replace all parents) or plus "
        "(the best of parents and offspring survive). Surprise search by itself performs poorly in the last two. "
        f"Default: plus for {plus}; steady for all others",
    )
    add(
        "--learn-from",
        metavar="NAME",
        help="steady loop: update from the current population (default of novelty) or from the offspring of the "
        "generation (default of surprise)",
    )
    add(
        "--refresh",
        metavar="E",
        type=int,
        help=f"steady loop: evaluations between two scorings of the population (default: P / {REFRESHES})",
    )
    add("--batch", metavar="K", type=int, help="steady loop: children bred from one population (default: 1)")
    add("--species", metavar="S", type=int, help=f"target number of species (default: P / {INDIVIDUALS_PER_SPECIES})")
    for flag, operator, rate in (("--cxpb", "crossover", CROSSOVER_RATE), ("--mutpb", "mutation", MUTATION_RATE)):
        add(flag, metavar="p", type=float, help=f"generational loop: probability of {operator} (default: {rate})")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command `run-maze`.

    Parameters
    ----------
    arguments : sequence of str or None, default=None
        Command-line arguments; None uses `sys.argv`.

    Returns
    -------
    int
        Exit status, see `divergent._command_line.status_of`.
    """
    return status_of("run_maze", lambda: _execute(parser().parse_args(arguments)))


def _execute(options: argparse.Namespace) -> None:
    """Draw the figure of a recorded run, or execute new runs."""
    if options.replay is not None:
        if options.maze is not None:
            raise ValueError(f"MAZE must be omitted if --replay is given, got {options.maze!r}")
        return _replay(options)
    if options.animate is not None:
        raise ValueError(f"--animate must be combined with --replay RECORD, got only --animate {options.animate!r}")
    if options.maze is None:
        raise ValueError("MAZE must be the name of a maze or a maze file, got none; try hard, or see --help")
    check_count(options.runs)
    if options.watch and (options.runs > 1 or options.scheduler is not None):
        raise ValueError(
            f"--watch must be used with --runs 1 and without --scheduler, got --runs {options.runs}; "
            "watch one run on this machine"
        )
    check_jobs(min(options.jobs, options.runs))
    values = vars(options)
    settings = {name: values[name] for name in FIELDS if name in values}
    first = Settings(**settings, options=chosen_options(options)).resolve()
    if options.runs == 1 and options.scheduler is None:
        return _run_one(first, options)
    return _run_batch([dataclasses.replace(first, seed=first.seed + number) for number in range(options.runs)], options)


def _run_one(plan: MazePlan, options: argparse.Namespace) -> None:
    """Execute one run, and print its result and the paths of its record and figure."""
    report = _discard if options.quiet else print_line
    planned = PlannedRun(plan, load_maze(plan), options.out)
    record = planned.find_record()
    if record is not None:
        report(f"this run is finished already: {planned.folder}")
    else:
        record = _run_watched(planned, options) if options.watch else _run_with_status(planned, quiet=options.quiet)
    report(_result(record))
    report(f"record   {planned.folder}")
    if figure := _figure(planned.folder, record):
        report(f"figure   {figure}")
    report(f"report   divergent report {planned.folder.parent}")
    report(f"explore  python -m divergent.explore {planned.folder}")


def _run_watched(planned: PlannedRun, options: argparse.Namespace) -> MazeRecord:
    """Execute a run while a local web page shows its progress; print the address of the page."""
    from divergent.explorer.live import RunWatch

    with contextlib.closing(RunWatch(print_line)) as watch:
        return _run_with_status(planned, quiet=options.quiet, watch=watch)


def _run_with_status(planned: PlannedRun, *, quiet: bool, watch: Any = None) -> MazeRecord:
    """Execute a run, with a status line if stderr is a terminal."""
    if nothing_compiled():
        if not quiet:
            print("compiling kernels, which is necessary in the first run only ...", flush=True)
        _compile(planned, quiet=quiet)
    if quiet or not sys.stderr.isatty():
        return run_or_wait(planned, _discard, watch)
    with contextlib.closing(_StatusLine()) as line:
        return run_or_wait(planned, line, watch)


def _compile(planned: PlannedRun, *, quiet: bool) -> None:
    """Compile the kernels of a run, and show the elapsed time if stderr is a terminal."""
    from tqdm import tqdm

    hidden = quiet or not sys.stderr.isatty()
    bar = tqdm(bar_format="compiling for {elapsed}, usually 15 to 25 seconds", leave=False, disable=hidden)
    with bar as clock, ticking(clock):
        compile_for(planned.plan, load_maze(planned.plan))


class _StatusLine:
    """Status line on the terminal with the progress of a run, shortened to the width of the terminal."""

    def __init__(self) -> None:
        from tqdm import tqdm

        self._bar = tqdm(bar_format="{desc}", leave=False)  # tqdm prints warnings above the status line
        self._began = self._shown = time.perf_counter()
        self._first: tuple[float, int] | None = None

    def __call__(self, row: Row) -> None:
        """Show the progress of a run after a generation, at most five times per second."""
        now = time.perf_counter()
        self._first = self._first or (now, row["evaluations"])
        if now - self._shown < 0.2:
            return
        self._shown = now
        rate = (row["evaluations"] - self._first[1]) / max(now - self._first[0], 1e-9)
        self._bar.set_description_str(_status(row, rate, now - self._began, _columns() - 1))

    def close(self) -> None:
        """Clear the line."""
        self._bar.close()


def _status(row: Row, rate: float, seconds: float, width: int) -> str:
    """Format the progress of a run in at most `width` characters; omit species and archive if there are none.

    Examples
    --------
    >>> row = {"evaluations": 70_000, "best_fitness": 287.5, "species": 16, "archive": 0}
    >>> "species 16" in _status(row, 9000.0, 7.8, 79), "species 16" in _status(row, 9000.0, 7.8, 39)
    (True, False)
    """
    # each part of the status line has a rank; parts with the highest ranks are omitted if the line is too long
    parts = [
        (0, f"{row['evaluations']:>6,} evaluations"),
        (3, f"{rate:>6,.0f}/s"),
        (1, f"best distance {BEST - row['best_fitness']:5.1f}"),
        *([(5, f"species {row['species']:>2}")] if row["species"] else []),
        *([(4, f"archive {row['archive']:>5,}")] if row["archive"] else []),
        (2, f"{seconds:5.1f} s"),
    ]
    while len(line := "  ".join(text for _, text in parts)) > width:
        parts.remove(max(parts))
    return line


def _columns() -> int:
    """Return the width of the terminal, or 80 if stderr is not a terminal."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except OSError:
        return 80


def _run_batch(runs: Sequence[MazePlan], options: argparse.Namespace) -> None:
    """Execute several runs and print a summary."""
    progress = RunsProgress(len(runs), hidden=options.quiet, scheduler=options.scheduler)
    done = run_planned(plan_batch(runs, options.out), options.jobs, options.scheduler, progress)
    finished = watch(_draw_figures(done), progress)
    if not options.quiet:
        print(summary(finished))
        folder = Path(options.out) / runs[0].name
        print_line(f"records  {folder}, each with its figure next to it")
        print_line(f"report   divergent report {folder}")
        print_line(f"explore  python -m divergent.explore {folder / f'seed-{runs[0].seed:04d}'}")


def _draw_figures(runs: Generator[Finished, None, None]) -> Generator[Finished, None, None]:
    """Draw the figure of each finished run, unless an up-to-date figure exists."""
    with contextlib.closing(runs):
        for finished in runs:
            _figure(finished.folder)
            yield finished


def summary(finished: Sequence[Finished]) -> str:
    """Format success rate and mean evaluations as a table; an unsuccessful run counts with its full budget."""
    from scipy import stats

    from divergent.analysis._intervals import bounded_interval

    settings = finished[0].settings
    solved = sum(run.solved for run in finished)
    interval = stats.binomtest(solved, len(finished)).proportion_ci(method="wilson")
    # sorted evaluations have the same mean in any order of runs; rounding errors of a sum depend on the order
    evaluations = np.sort([float(run.evaluations) for run in finished])
    mean, deviation = evaluations.mean(), evaluations.std(ddof=1) if len(evaluations) > 1 else math.nan
    low, high = bounded_interval(evaluations, 0, settings.budget)
    if len(evaluations) == 1:  # the standard deviation of a single run is unknown
        low, high = 0, settings.budget
    rows = [
        ("", printable(f"{settings.search} on {settings.maze}, {len(finished)} runs"), "95% interval"),
        ("solved", f"{solved} of {len(finished)}", f"{interval.low:.0%} to {interval.high:.0%}"),
        ("evaluations", f"{mean:,.0f} (sd {deviation:,.0f})", f"{low:,.0f} to {high:,.0f}"),
    ]
    return align_columns(rows)


def _replay(options: argparse.Namespace) -> None:
    """Draw the figure of a recorded run and, if `--animate` was given, an animation of the solution."""
    record = read(options.replay)
    report = _discard if options.quiet else print_line
    report(_result(record))
    if figure := _figure(Path(options.replay), record, redraw=True):
        report(f"figure   {figure}")
    if options.animate is not None:
        from divergent.plots import animate_run

        target = Path(options.animate)
        if target.suffix != ".gif":
            raise ValueError(f"--animate must be a file name that ends in .gif, got {options.animate!r}")
        animate_run(record, target)
        report(f"animation {target}")


def _figure(folder: Path, record: MazeRecord | None = None, *, redraw: bool = False) -> Path | None:
    """Draw the figure of a run, and return its path, or None if drawing fails.

    An up-to-date figure is not drawn again unless `redraw` is true.
    """
    from divergent.plots._run import is_figure_of, save_run

    target, source = folder.with_name(folder.name + ".png"), digest(read_bytes(folder / TEXT))
    if not redraw and is_figure_of(target, source):
        return target
    return target if save_run(record or read(folder), target, source=source) else None


def _result(record: MazeRecord) -> str:
    """Summarise the result of a recorded run in one line."""
    end = "solved" if record.solved else f"not solved, best distance {BEST - record.best_fitness:.1f}"
    seconds = record.machine.get("seconds", math.nan)
    return (
        f"{record.settings.search} on {record.maze.name}, seed {record.settings.seed}: {end} "
        f"after {record.evaluations:,} evaluations, {seconds:.1f} s"
    )


def _discard(*values: object) -> None:
    """Print nothing."""
