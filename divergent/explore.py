"""Write an interactive page that shows recorded runs: python -m divergent.explore RECORD... [--out explore.html]."""

from divergent._command_line import start

if __name__ == "__main__":  # `start` runs before other imports, so that import errors are reported in one line
    start("divergent.explore")

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from divergent._command_line import Parser, print_line, program, status_of
from divergent._text import printable

if TYPE_CHECKING:
    from divergent.explorer._page import PageData
    from divergent.explorer._scene import Scene
    from divergent.runs._maze_record import MazeRecord

DATA = ".explorer"  # suffix of compact data files, from which the command creates HTML pages
TEXT = "record.jsonl"  # name of a file that every record folder contains
MOST_REPEATED = 2  # largest number of recorded runs that are executed again by default


def main(arguments: Sequence[str] | None = None) -> int:
    """Read records, execute the recorded runs again if there are at most two, write the HTML page and print its path.

    Parameters
    ----------
    arguments : sequence of str or None, default=None
        Command-line arguments; None uses `sys.argv`.

    Returns
    -------
    int
        Exit status.
    """
    options = _parser().parse_args(arguments)
    return status_of("explore", lambda: _explore(options))


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog=program("explore"),
        description="Write one self-contained HTML page: of a run, of two runs on one clock, or of many runs.",
    )
    parser.add_argument(
        "records",
        nargs="+",
        metavar="RECORD",
        help="folders of records, or folders with records in them, such as runs/hard-*; or one compact data file",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("explore.html"),
        help=f"the page (default: %(default)s); with the suffix {DATA} its compact data, from which this command makes "
        "the page",
    )
    parser.add_argument(
        "--problem",
        metavar="FILE.py",
        help="file with the problem of the records; one or two records are repeated, and draw and render are used",
    )
    parser.add_argument(
        "--repeat",
        action="store_true",
        help="with three records or more: repeat the runs for species, predictions, archives and stepping stones",
    )
    return parser


def _explore(options: argparse.Namespace) -> None:
    from divergent.explorer._page import PageData

    if not options.out.parent.is_dir():
        raise ValueError(
            f"--out must be a file in an existing folder, got {options.out}; create the folder {options.out.parent}"
        )
    sources = [Path(source) for source in options.records]
    if len(sources) == 1 and sources[0].suffix == DATA:
        data = PageData.read(sources[0])
    else:
        folders = [folder for source in sources for folder in _folders(source)]
        data = (
            _data_of_runs(folders, options.problem)
            if len(folders) <= MOST_REPEATED
            else _data_of_batch(folders, options.repeat, options.problem)
        )
    if options.out.suffix == DATA:
        data.write(options.out)
    else:
        data.page().write(options.out)
    print_line(f"page     {options.out} ({options.out.stat().st_size / 1e6:.1f} MB)")


def _folders(source: Path) -> list[Path]:
    """Return a folder itself if it contains a record, otherwise all record folders inside this folder."""
    if not source.is_dir() or (source / TEXT).exists():
        return [source]
    folders = sorted(path.parent for path in source.glob(f"**/{TEXT}") if not path.parent.name.endswith(".writing"))
    return folders or [source]


def _data_of_runs(folders: Sequence[Path], problem_file: str | None) -> "PageData":
    """Return the data of an HTML page that shows one or two runs."""
    from divergent.explorer import _View
    from divergent.explorer._page import PageData
    from divergent.runs import MazeRecord, load_problem, read

    view = _View(None if problem_file is None else load_problem(problem_file))
    scenes = []
    for folder, record in [(folder, read(folder)) for folder in folders]:
        try:
            scenes.append(_repeated(record) if isinstance(record, MazeRecord) else view.scene(record))
        except ValueError as error:
            raise ValueError(f"{folder}: {error}") from error
        if scenes[-1].remark:
            print(printable(f"explore: {folder}: {scenes[-1].remark}"), file=sys.stderr)
    return PageData.of(scenes)


def _repeated(record: "MazeRecord") -> "Scene":
    """Execute a recorded run in a maze again, with a progress bar."""
    from tqdm import tqdm

    from divergent.explorer._rerun import scene_of_record

    name = printable(record.settings.name)
    with tqdm(total=record.evaluations, unit="evaluation", desc=name, dynamic_ncols=True, disable=None) as bar:
        return scene_of_record(record, bar.update)


def _data_of_batch(folders: Sequence[Path], repeated: bool, problem_file: str | None) -> "PageData":
    """Return the data of an HTML page that shows many runs; execute the runs again if `repeated` is true."""
    from tqdm import tqdm

    from divergent.explorer._batch import batch_data
    from divergent.runs import load_problem, read

    problem = None if problem_file is None else load_problem(problem_file)
    records = [read(folder) for folder in tqdm(folders, unit="record", dynamic_ncols=True, disable=None)]
    with tqdm(total=len(records), unit="run", dynamic_ncols=True, disable=None) as bar:
        return batch_data(records, repeated=repeated, problem=problem, progress=bar.update)
