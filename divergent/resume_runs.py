"""The command `resume`, which continues the unfinished runs in the folder of a problem."""

from divergent._command_line import start

if __name__ == "__main__":  # `start` precedes all other imports and reports import errors in one line.
    start("divergent.resume_runs")

import argparse
from collections.abc import Sequence

from divergent._command_line import Parser, program, status_of
from divergent.run_problem import add_execution, do_runs
from divergent.runs._many import resumed_runs


def parser() -> argparse.ArgumentParser:
    """Return the argument parser of the command `resume`."""
    options = Parser(
        prog=program("resume_runs").replace("resume-runs", "resume"),
        description="Continue the unfinished runs of a folder. The problem file that made them is executed.",
    )
    options.add_argument("folder", metavar="FOLDER", help="folder of a problem, such as runs/roof")
    add_execution(options)
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command `resume`.

    Parameters
    ----------
    arguments : sequence of str or None, default=None
        Command-line arguments; None uses `sys.argv`.

    Returns
    -------
    int
        Exit status, see `divergent._command_line.status_of`.
    """
    return status_of("resume", lambda: _execute(parser().parse_args(arguments)))


def _execute(options: argparse.Namespace) -> None:
    """Execute the unfinished runs in the folder of a problem."""
    do_runs(resumed_runs(options.folder, options.force), options)
