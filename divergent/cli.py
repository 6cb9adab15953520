"""The console command `divergent` and its subcommands."""

import argparse
import inspect
import sys
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import divergent
from divergent._command_line import Parser, run_command, status_of

COLUMNS = 80
COMMANDS = {  # subcommand: (module, help)
    "run": ("divergent.run_problem", "run searches on the problem of a Python file, with many seeds; write records"),
    "resume": ("divergent.resume_runs", "resume the unfinished runs in a folder"),
    "report": ("divergent.reports.__main__", "write a page of tables and figures of the records in a folder"),
    "run-maze": ("divergent.run_maze", "evolve robot controllers for a maze; write records and figures"),
    "replicate": ("divergent.replicate.__main__", "repeat the paper's experiments; write tables, figures and a report"),
    "explore": ("divergent.explore", "write an interactive page of one or more runs"),
}
LIST = "list mazes, searches, predictors and deviations"
REMAINDER = (
    "COMMAND --help shows the options of a command; python -m divergent.run_maze is the same as divergent run-maze."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand, or list all commands, mazes, searches, predictors and deviation measures.

    Parameters
    ----------
    arguments : sequence of str or None, default=None
        Command-line arguments; None uses `sys.argv`.

    Returns
    -------
    int
        Exit status, see `divergent._command_line.status_of`.
    """
    command, *rest = (sys.argv[1:] if arguments is None else list(arguments)) or ["list"]
    if command in COMMANDS:
        return run_command(COMMANDS[command][0], rest)
    return status_of("divergent", lambda: _execute([command, *rest]))


def parser() -> argparse.ArgumentParser:
    """Return the argument parser of the command `divergent`; subcommands parse their own options."""
    options = Parser(prog="divergent", description=_summary(divergent), epilog=REMAINDER)
    options.add_argument("--version", action="version", version=divergent.__version__)
    commands = options.add_subparsers(metavar="COMMAND")
    for name, (_, meaning) in COMMANDS.items():
        commands.add_parser(name, help=meaning, add_help=False)
    commands.add_parser("list", help=LIST)
    return options


def overview() -> str:
    """Return an 80-column overview of all commands, mazes, searches, predictors and deviation measures."""
    from divergent.maze import maze_names, read_maze, shortest_path
    from divergent.selection import DEVIATIONS, PREDICTORS, SEARCHES

    lengths = sorted((shortest_path(read_maze(name))[0], name) for name in maze_names())
    mazes = {name: f"shortest path to the goal: {length:.0f} units" for length, name in lengths}
    sections: dict[str, Mapping[str, str]] = {
        "commands": {f"divergent {name}": meaning for name, (_, meaning) in COMMANDS.items()},
        "mazes": mazes | {"generated:SEED": "a random maze for every seed", "FILE": "a maze file, see mazes/README.md"},
        "searches": {name: _summary(strategy) for name, strategy in SEARCHES.items()},
        "predictors": {name: _summary(predictor) for name, predictor in PREDICTORS.items()},
        "deviations": {name: _summary(deviation) for name, deviation in DEVIATIONS.items()},
    }
    title = f"divergent {divergent.__version__}: {_summary(divergent).removesuffix('.')}"
    parts = [textwrap.fill(title, COLUMNS)]
    parts += [f"{section}\n{_columns(rows)}" for section, rows in sections.items()]
    return "\n\n".join([*parts, textwrap.fill(REMAINDER, COLUMNS)])


def _execute(arguments: Sequence[str]) -> None:
    """Parse the arguments of the command `divergent`, then print the overview."""
    parser().parse_args(arguments)
    print(overview())


def _columns(rows: Mapping[str, str]) -> str:
    """Format names and descriptions as two columns."""
    width = max(map(len, rows)) + 4
    return "\n".join(
        textwrap.fill(meaning, COLUMNS, initial_indent=f"  {name}".ljust(width), subsequent_indent=" " * width)
        for name, meaning in rows.items()
    )


def _summary(component: Any) -> str:
    """Return the first line of an object's docstring; an instance without a docstring uses that of its class."""
    return (inspect.getdoc(component) or "").partition("\n")[0]
