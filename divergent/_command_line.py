"""Code shared by the console commands: argument parser, exit status, one-line error messages, progress bars."""

import argparse
import contextlib
import gc
import os
import re
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from divergent._progress import RunsProgress
from divergent._text import printable

if TYPE_CHECKING:
    from divergent.runs.batch import Finished
    from divergent.runs.options import Option

RESUME = "the same command resumes the runs"
RESUME_ON_CLUSTER = (
    "finished runs are kept, unfinished runs on the cluster are cancelled; the same command restarts them"
)
OPTION_PREFIX = "option "  # prefix that distinguishes parsed search options from other arguments of the same name
CLOSED_PIPE = 141  # exit status that shells report for SIGPIPE


class Parser(argparse.ArgumentParser):
    """Argument parser that reports invalid arguments in one line, without the usage message."""

    def error(self, message: str) -> NoReturn:
        """Print the name of the command and the message, and exit with status 2."""
        name = re.sub(r"^(python -m )?divergent[. ]", "", self.prog).split()[0]
        self.exit(2, f"{name}: {printable(message)}\n")


def program(name: str) -> str:
    """Return the text that starts a command in a shell, which depends on how the user started the current process.

    Parameters
    ----------
    name : str
        Name of the command's module, such as "run_maze".

    Returns
    -------
    str
        Command such as "divergent run-maze", "python -m divergent run-maze" or "python -m divergent.run_maze".
    """
    started = Path(sys.argv[0])
    if started.stem == "divergent":
        return f"divergent {name.replace('_', '-')}"
    if started.parts[-2:] == ("divergent", "__main__.py"):
        return f"python -m divergent {name.replace('_', '-')}"
    return f"python -m divergent.{name}"


def start(module: str) -> NoReturn:
    """Run the function `main` of a command's module, then exit the process with the returned status.

    A command's module calls `start` before its other imports, so that an import error is reported in one line.

    Parameters
    ----------
    module : str
        Name of the command's module, which defines a function `main`.
    """
    sys.exit(run_command(module, None))


def run_command(module: str, arguments: Sequence[str] | None) -> int:
    """Import the module of a command, call its `main`, and return the exit status.

    Parameters
    ----------
    module : str
        Name of the command's module, which defines a function `main`.
    arguments : sequence of str or None
        Command-line arguments; None uses `sys.argv`.

    Returns
    -------
    int
        Exit status, see `status_of`.
    """
    # Closed standard streams are replaced; otherwise a file that is opened later would receive their output.
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
    command = module.removesuffix(".__main__").rpartition(".")[2]
    status = status_of(command, lambda: import_module(module)) or import_module(module).main(arguments)
    # `gc.freeze` avoids a garbage collection at exit, which would be slow after the import of numba and matplotlib.
    gc.freeze()
    return status


def status_of(name: str, action: Callable[[], Any]) -> int:
    """Call the function of a command and return the exit status of the command.

    Each warning or expected error is printed as one line on stderr; an unexpected exception is raised.

    Parameters
    ----------
    name : str
        Name of the command, for error messages.
    action : callable
        Function without arguments that does the work of the command.

    Returns
    -------
    int
        Exit status: 0 on success, 1 if a worker process or machine was lost, 2 if input or files are invalid or memory
        is insufficient, 130 after an interrupt, 141 if the output pipe was closed.
    """
    with _recorded_interrupts() as interrupts:
        try:
            with warnings.catch_warnings():
                warnings.showwarning = lambda message, *_: _report(f"{name}: warning: {str(message).splitlines()[0]}")
                try:
                    action()
                finally:
                    _flush()
        except BrokenPipeError:
            _discard_output()
            return CLOSED_PIPE
        except KeyboardInterrupt as error:
            _report(f"{name}: interrupted; {str(error) or RESUME}")
            return 130
        except BrokenProcessPool:
            _report(f"{name}: a worker process was lost; {RESUME}")
            return 1
        except Exception as error:
            if (memory_error := _find_memory_error(error)) is not None:
                detail = f" ({memory_error})" if str(memory_error) else ""
                _report(f"{name}: not enough memory{detail}; finished runs are kept")
                return 2
            if interrupts:
                _report(f"{name}: interrupted; {RESUME}")
                return 130
            if _is_cache_error(error):
                _report(f"{name}: {_cache_remedy(error)}")
                return 2
            if not isinstance(error, ValueError | OSError):
                raise
            _report(f"{name}: {error}")
            _discard_output()
            return 1 if isinstance(error, ConnectionError) else 2
        return 0


def watch(runs: "Generator[Finished, None, None]", progress: RunsProgress) -> "list[Finished]":
    """Wait for all runs of a batch and return the results; an interrupt stops the unfinished runs."""
    try:
        return progress.watch(runs)
    except KeyboardInterrupt:
        if progress.scheduler is not None:
            raise KeyboardInterrupt(RESUME_ON_CLUSTER) from None
        raise


def add_search_options(parser: argparse.ArgumentParser, title: str) -> None:
    """Add the command-line options of all searches to a parser, as one titled group."""
    from divergent.runs.options import all_options

    group = parser.add_argument_group(title)
    for name, (option, searches) in all_options().items():
        group.add_argument(
            f"--{name.replace('_', '-')}",
            dest=OPTION_PREFIX + name,
            metavar="VALUE",
            type=_reader(option),
            help=_help(name, option, searches),
        )


def chosen_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the parsed search options by name; an option that was not given has the value None."""
    values = vars(arguments).items()
    return {name.removeprefix(OPTION_PREFIX): value for name, value in values if name.startswith(OPTION_PREFIX)}


def _reader(option: "Option") -> Callable[[str], Any]:
    """Return a function that parses an option's text and raises argparse's error type if the value is invalid."""

    def read_value(text: str) -> Any:
        try:
            return option.read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read_value


def _help(name: str, option: "Option", searches: Sequence[str]) -> str:
    """Return the help text of a search option: valid names (if any), meaning, and searches that accept the option."""
    from divergent.selection import DEVIATIONS, PREDICTORS

    components: dict[str, Any] = {"predictor": PREDICTORS, "deviation": DEVIATIONS}
    choices = f"{', '.join(components[name])}. " if name in components else ""
    return f"{choices}{option.meaning} ({', '.join(searches)})".replace("%", "%%")


def align_columns(rows: Sequence[Sequence[str]]) -> str:
    """Format rows of cells as lines with columns of equal width."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)


def _flush() -> None:
    """Flush stdout, so that a closed pipe or a full disk is reported before the process exits."""
    try:
        sys.stdout.flush()
    except OSError as error:
        raise OSError(error.errno, error.strerror, "standard output") from error


def print_line(line: str) -> None:
    """Print one line on stdout, with control characters escaped, since the line may contain text from files."""
    print(printable(line))


@contextlib.contextmanager
def _recorded_interrupts() -> Iterator[list[int]]:
    """Record interrupts in a list, because the KeyboardInterrupt can be lost in compiled functions and in the compiler.

    numba raises a SystemError if a compiled function is interrupted. During compilation, Python reports an exception in
    a callback as unraisable, and numba raises another error.
    """
    interrupts: list[int] = []
    handler, report_unraisable = signal.getsignal(signal.SIGINT), sys.unraisablehook
    if not callable(handler) or threading.current_thread() is not threading.main_thread():
        yield interrupts
        return

    def record(number: int, frame: Any) -> None:
        interrupts.append(number)
        handler(number, frame)

    def discard_interrupt(unraisable: Any) -> None:
        if not isinstance(unraisable.exc_value, KeyboardInterrupt):
            report_unraisable(unraisable)

    signal.signal(signal.SIGINT, record)
    sys.unraisablehook = discard_interrupt
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, handler)
        sys.unraisablehook = report_unraisable


def _report(sentence: str) -> None:
    """Print one line on stderr, above any progress bar; do nothing if stderr cannot be written to."""
    from tqdm import tqdm

    with contextlib.suppress(OSError):
        tqdm.write(printable(sentence), file=sys.stderr)


def _discard_output() -> None:
    """Discard output that cannot be written; otherwise Python would report an error at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _find_memory_error(error: BaseException | None) -> MemoryError | None:
    """Return the MemoryError that caused an error, directly or through other errors, or None."""
    while error is not None and not isinstance(error, MemoryError):
        error = error.__cause__ or error.__context__
    return error


def _is_cache_error(error: BaseException) -> bool:
    """Return whether an error comes from a damaged numba cache; an OSError, such as a full disk, has another cause."""
    return not isinstance(error, OSError) and "numba/core/caching.py" in "".join(traceback.format_exception(error))


def _cache_remedy(error: BaseException) -> str:
    """Return the error message for a damaged cache of compiled functions."""
    from divergent._compile import cache_folder

    files = f"the files *.nbi and *.nbc under {cache_folder()}"
    return f"numba's cache of compiled functions is damaged ({error}); delete {files}"
