"""Evolve robot controllers for a maze from the command line: python -m divergent.run_maze --help."""

from divergent.command import start

if __name__ == "__main__":  # before the other imports, so that their errors are reported as well
    start("divergent.run_maze")

import argparse
import contextlib
import dataclasses
import math
import os
import sys
import time
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from divergent.command import Parser, say, status_of, watch
from divergent.loops import REFRESHES
from divergent.maze import ROBOTS, maze_names
from divergent.maze.task import BEST
from divergent.persistence.files import digest, read_bytes
from divergent.runs import Finished, Plan, Record, Settings, read, run_many
from divergent.runs.batch import Asked, check_count, check_jobs, run_or_wait
from divergent.runs.compilation import compile_for, nothing_compiled
from divergent.runs.dask import EXAMPLE_ADDRESS
from divergent.runs.defaults import CROSSOVER, MUTATION, POPULATION, SPECIES_OF
from divergent.runs.execution import Row, maze_of
from divergent.runs.options import NAMED, Option, all_options
from divergent.runs.record import TEXT
from divergent.runs.rules import DEFAULT, RULES
from divergent.selection import SEARCHES
from divergent.text import printable

EXAMPLES = """
examples:
  python -m divergent.run_maze hard --search surprise
      one run on the hard maze with the paper's settings, its record and a figure
  python -m divergent.run_maze medium --search novelty --runs 20 --jobs 2
      twenty runs, seeds 0 to 19, two at a time; the same command again goes on where it was stopped
  python -m divergent.run_maze my/maze.txt --clusters 50 --neighbours 3 --generations 100
      a maze of your own, with settings of your own
  python -m divergent.run_maze generated:7 --search objective --seed 3 --out results
      the eighth generated maze
  python -m divergent.run_maze --replay runs/hard-surprise/seed-0000 --animate drive.gif
      draw a record again, and the robot driving
"""


def parser() -> argparse.ArgumentParser:
    """The command's options, with their help."""
    options = Parser(
        prog="python -m divergent.run_maze",
        description="Evolve a robot controller for a maze by divergent search.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = options.add_argument
    mazes = f"{', '.join(maze_names())}, a maze file, or generated:SEED"
    add("maze", nargs="?", metavar="MAZE", help=mazes)
    add("--search", metavar="NAME", default="surprise", help=f"one of {', '.join(SEARCHES)} (default: surprise)")
    add("--seed", metavar="S", type=int, default=0, help="seed of the first run (default: 0); runs have S, S+1, ...")
    add("--runs", metavar="N", type=int, default=1, help="how many runs (default: 1)")
    add("--jobs", metavar="J", type=int, default=1, help="how many at a time, on this machine (default: 1)")
    add("--scheduler", metavar="ADDRESS", help=f"a Dask scheduler whose workers do the runs, such as {EXAMPLE_ADDRESS}")
    add("--out", metavar="DIR", default="runs", help="folder for the records (default: runs)")
    add("--quiet", action="store_true", help="say nothing but errors")
    add("--replay", metavar="RECORD", help="draw a record's figure again, instead of running")
    add("--animate", metavar="FILE.gif", help="with --replay: the robot driving, as an animation")
    own = options.add_argument_group("settings, by default the paper's for the maze")
    own.add_argument("--generations", metavar="G", type=int, help="give up after this many generations")
    own.add_argument(
        "--population", metavar="P", type=int, default=POPULATION, help=f"individuals (default: {POPULATION})"
    )
    own.add_argument("--steps", metavar="T", type=int, help="simulation steps of one evaluation")
    robots = "; ".join(f"{name}: {what}" for name, what in ROBOTS.items())
    own.add_argument("--robot", metavar="NAME", help=f"{robots} (default: that of the rules)")
    rules = "; ".join(f"{name}: {one.meaning}" for name, one in RULES.items())
    own.add_argument("--rules", metavar="NAME", default=DEFAULT, help=f"{rules} (default: {DEFAULT})")
    own.add_argument("--behaviour", metavar="WHAT", default="end", help="end, or trail:M for M positions of the way")
    own.add_argument(
        "--loop",
        metavar="NAME",
        help="steady (one birth, one death), generational (all parents die) or plus (the best of parents and children "
        "survive), where surprise alone works poorly in the last two; the default is steady, but plus for "
        f"{', '.join(_searches_in('plus'))}",
    )
    own.add_argument("--learn-from", metavar="WHAT", help="population (as novelty does) or births (as surprise does)")
    own.add_argument(
        "--refresh", metavar="B", type=int, help=f"births between two scorings of everybody (default: P / {REFRESHES})"
    )
    own.add_argument("--species", metavar="S", type=int, help=f"species aimed at (default: P / {SPECIES_OF})")
    for flag, what, usual in (("--cxpb", "crossover", CROSSOVER), ("--mutpb", "mutation", MUTATION)):
        words = f"probability of {what} in the generational loop (default: {usual})"
        own.add_argument(flag, metavar="p", type=float, help=words)
    of_search = options.add_argument_group("options of the searches, by default the paper's for the maze and search")
    for name, (option, searches) in all_options().items():
        of_search.add_argument(
            _flag(name),
            dest=f"option {name}",
            metavar="VALUE",
            type=_reader(option),
            help=_help(name, option, searches),
        )
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status, see `divergent.command`."""
    return status_of("run_maze", lambda: _obey(parser().parse_args(arguments)))


def _obey(options: argparse.Namespace) -> None:
    if options.replay is not None:
        if options.maze is not None:
            raise ValueError(f"--replay draws a record and takes no maze, got {options.maze!r}")
        return _replay(options)
    if options.animate is not None:
        raise ValueError("--animate needs --replay RECORD")
    if options.maze is None:
        raise ValueError("no maze given; name one, such as hard, or see --help")
    check_count(options.runs)
    check_jobs(min(options.jobs, options.runs))
    given = vars(options)
    chosen = {name: given[name] for name in Settings.__dataclass_fields__ if name in given}
    chosen["options"] = {name: given[f"option {name}"] for name in all_options()}
    first = Settings(**chosen).resolve()
    if options.runs == 1 and options.scheduler is None:
        return _one(first, options)
    return _many([dataclasses.replace(first, seed=first.seed + number) for number in range(options.runs)], options)


def _searches_in(loop: str) -> list[str]:
    return [name for name, maker in SEARCHES.items() if maker.loop == loop]


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _reader(option: Option) -> Callable[[str], Any]:
    """What reads an option's value, so that a refusal says what it has to be."""

    def read_value(text: str) -> Any:
        try:
            return option.read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read_value


def _help(name: str, option: Option, searches: Sequence[str]) -> str:
    choices = f"{', '.join(NAMED[name])}. " if name in NAMED else ""
    return f"{choices}{option.meaning} ({', '.join(searches)})".replace("%", "%%")


def _one(plan: Plan, options: argparse.Namespace) -> None:
    tell = _silent if options.quiet else say
    asked = Asked(plan, maze_of(plan), options.out)
    record = asked.found()
    if record is not None:
        tell(f"this run is finished already: {asked.folder}")
    else:
        record = _live(asked, quiet=options.quiet)
    tell(_verdict(record))
    tell(f"record   {asked.folder}")
    if figure := _figure(asked.folder, record):
        tell(f"figure   {figure}")


def _live(asked: Asked, *, quiet: bool) -> Record:
    """Do the run, with a status line if stderr is a terminal."""
    if nothing_compiled():
        if not quiet:
            print("compiling, on the first start only ...", flush=True)
        compile_for(asked.plan, asked.maze)
    if quiet or not sys.stderr.isatty():
        return run_or_wait(asked, _silent)
    with contextlib.closing(_StatusLine()) as line:
        return run_or_wait(asked, line)


class _StatusLine:
    """One line on the terminal that reports the progress of a run, shortened to the width of the terminal."""

    def __init__(self) -> None:
        from tqdm import tqdm

        self._bar = tqdm(bar_format="{desc}", leave=False)  # which warnings are printed above of
        self._began = self._shown = time.perf_counter()
        self._first: tuple[float, int] | None = None

    def __call__(self, row: Row) -> None:
        """Report the row of a generation, five times a second at most."""
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
    """The progress of a run in at most so many characters; species and archive are left out where there are none.

    Examples
    --------
    >>> row = {"evaluations": 70_000, "best_fitness": 287.5, "species": 16, "archive": 0}
    >>> _status(row, 9000.0, 7.8, 79)
    '70,000 evaluations   9,000/s  best distance  12.5  species 16    7.8 s'
    >>> _status(row, 9000.0, 7.8, 39)
    '70,000 evaluations  best distance  12.5'
    """
    # in the order shown, each with its rank: where there is no room the last ranks are left out
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
    """The width of the terminal now; 80 where it has none."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except OSError:
        return 80


def _many(runs: Sequence[Plan], options: argparse.Namespace) -> None:
    done = _drawn(run_many(runs, options.out, jobs=options.jobs, scheduler=options.scheduler))
    finished = watch(done, len(runs), quiet=options.quiet, scheduler=options.scheduler)
    if not options.quiet:
        print(summary(finished))
        say(f"records  {Path(options.out) / runs[0].name}, each with its figure next to it")


def _drawn(runs: Generator[Finished, None, None]) -> Generator[Finished, None, None]:
    """The same runs, each with its figure; a missing, truncated or stale one is drawn."""
    with contextlib.closing(runs):
        for end in runs:
            _figure(end.folder)
            yield end


def summary(finished: Sequence[Finished]) -> str:
    """A table of many runs: how many solved, and in how many evaluations, the unsolved counted at the budget."""
    from scipy import stats

    from divergent.analysis.intervals import bounded_interval

    settings = finished[0].settings
    solved = sum(end.solved for end in finished)
    interval = stats.binomtest(solved, len(finished)).proportion_ci(method="wilson")
    evaluations = np.sort([float(end.evaluations) for end in finished])  # in whatever order they ended
    mean, deviation = evaluations.mean(), evaluations.std(ddof=1) if len(evaluations) > 1 else math.nan
    low, high = bounded_interval(evaluations, 0, settings.budget)
    if len(evaluations) == 1:  # which says nothing of how far others might lie from it
        low, high = 0, settings.budget
    rows = [
        ("", printable(f"{settings.search} on {settings.maze}, {len(finished)} runs"), "95% interval"),
        ("solved", f"{solved} of {len(finished)}", f"{interval.low:.0%} to {interval.high:.0%}"),
        ("evaluations", f"{mean:,.0f} (sd {deviation:,.0f})", f"{low:,.0f} to {high:,.0f}"),
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)


def _replay(options: argparse.Namespace) -> None:
    record = read(options.replay)
    tell = _silent if options.quiet else say
    tell(_verdict(record))
    if figure := _figure(Path(options.replay), record, redraw=True):
        tell(f"figure   {figure}")
    if options.animate is not None:
        from divergent.plots import animate_run

        target = Path(options.animate)
        if target.suffix != ".gif":
            raise ValueError(f"--animate writes a .gif, got {options.animate!r}")
        animate_run(record, target)
        tell(f"film     {target}")


def _figure(folder: Path, record: Record | None = None, *, redraw: bool = False) -> Path | None:
    """Draw a record next to its folder unless its complete figure is there; None, with a warning, if that fails."""
    from divergent.plots.run import is_figure_of, save_run

    target, source = folder.with_name(folder.name + ".png"), digest(read_bytes(folder / TEXT))
    if not redraw and is_figure_of(target, source):
        return target
    return target if save_run(record or read(folder), target, source=source) else None


def _verdict(record: Record) -> str:
    end = "solved" if record.solved else f"not solved, best distance {BEST - record.best_fitness:.1f}"
    seconds = record.machine.get("seconds", math.nan)
    return (
        f"{record.settings.search} on {record.maze.name}, seed {record.settings.seed}: {end} "
        f"after {record.evaluations:,} evaluations, {seconds:.1f} s"
    )


def _silent(*words: object) -> None:
    """Say nothing."""
