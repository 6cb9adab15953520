"""Command `divergent report`, which writes a page with tables and figures on the runs in a folder."""

from divergent._command_line import start

if __name__ == "__main__":  # `start` must precede all other imports to report import errors in one line.
    start("divergent.reports.__main__")

import argparse
from collections.abc import Sequence

from divergent._command_line import Parser, print_line, program, status_of


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command `divergent report`."""
    options = Parser(
        prog=program("reports").replace("divergent reports", "divergent report"),
        description="Write one self-contained page, tables and figures of all records in a folder.",
    )
    options.add_argument("folder", metavar="FOLDER", help="folder of records, such as runs/roof")
    options.add_argument("--out", metavar="DIR", help="output folder (default: FOLDER/report)")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command `divergent report`.

    Parameters
    ----------
    arguments : sequence of str or None, default=None
        Command-line arguments; None uses the arguments of the process.

    Returns
    -------
    int
        Exit status, see `divergent._command_line.status_of`.
    """
    return status_of("report", lambda: _execute(parser().parse_args(arguments)))


def _execute(options: argparse.Namespace) -> None:
    """Write the report and print its path."""
    from divergent.reports import report

    print_line(f"report   {report(options.folder, options.out)}")
