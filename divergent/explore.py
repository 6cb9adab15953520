"""Write an explorer of one run or two: python -m divergent.explore RECORD [RECORD] [--out explore.html]."""

from divergent._command_line import start

if __name__ == "__main__":  # before the other imports, so that their errors are reported as well
    start("divergent.explore")

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from divergent._command_line import Parser, print_line, program, status_of
from divergent._text import printable


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the records, run them again, write the page and print its path; returns the exit status."""
    options = _parser().parse_args(arguments)
    return status_of("explore", lambda: _explore(options))


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog=program("explore"),
        description="Write one self-contained HTML page that shows what happened in a run, or in two on one clock.",
    )
    parser.add_argument(
        "records", nargs="+", metavar="RECORD", help="the folder of a record, such as runs/hard-surprise/seed-0000"
    )
    parser.add_argument("--out", type=Path, default=Path("explore.html"), help="the page (default: %(default)s)")
    return parser


def _explore(options: argparse.Namespace) -> None:
    from tqdm import tqdm

    from divergent.explorer._page import MOST_RUNS, page_of
    from divergent.explorer._rerun import scene_of_record
    from divergent.runs import read

    if len(options.records) > MOST_RUNS:
        raise ValueError(f"a page shows one record or two, got {len(options.records)}")
    if not options.out.parent.is_dir():
        raise ValueError(f"--out {options.out}: there is no folder {options.out.parent}")
    scenes = []
    for folder, record in [(folder, read(folder)) for folder in options.records]:
        with tqdm(
            total=record.evaluations,
            unit="evaluation",
            desc=printable(record.settings.name),
            dynamic_ncols=True,
            disable=None,
        ) as bar:
            try:
                scenes.append(scene_of_record(record, bar.update))
            except ValueError as error:
                raise ValueError(f"{folder}: {error}") from error
        if scenes[-1].remark:
            print(printable(f"explore: {folder}: {scenes[-1].remark}"), file=sys.stderr)
    page = page_of(scenes)
    page.write(options.out)
    print_line(f"page     {options.out} ({len(page.text) / 1e6:.1f} MB)")
