"""What the commands share: refusals in one line, exit statuses, and the progress of many runs."""

import argparse
import contextlib
import gc
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Generator
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from divergent.text import printable

if TYPE_CHECKING:
    from divergent.runs.batch import Finished

GO_ON = "the same command goes on where it was stopped"
GO_ON_ON_CLUSTER = (
    "finished runs are kept, those under way on the cluster are cancelled; the same command begins these again"
)
CLOSED_PIPE = 141  # what a shell tells of a program that nobody listens to any more


class Parser(argparse.ArgumentParser):
    """A parser of `python -m divergent.NAME` that refuses bad arguments in one line, without the usage."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog.split()[2].removeprefix('divergent.')}: {printable(message)}\n")


def start(module: str) -> NoReturn:
    """Run the command of a module as this process: import the module, call its `main` and exit.

    Errors and interrupts of the imports are reported as those of the command are. A module calls this before its own
    imports. Closed streams are replaced by the null device, since the next file to be opened would take their place.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
    command = module.removesuffix(".__main__").rpartition(".")[2]
    status = status_of(command, lambda: import_module(module)) or import_module(module).main()
    gc.freeze()  # or the interpreter's last collections look through all of numba and matplotlib
    sys.exit(status)


def status_of(name: str, action: Callable[[], Any]) -> int:
    """Do what a command is for and return its exit status.

    0 when it is done, 2 for invalid input, a file that cannot be read or written, or too little memory, 130 when
    interrupted, 1 if processes or machines that did the work are lost, 141 if its output is closed. All but the first
    and the last, and warnings, are reported in one line.
    """
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_: _say(f"{name}: warning: {str(message).splitlines()[0]}")
            try:
                action()
            finally:
                _flush()  # a closed pipe or a full disk is noticed here, and not when Python ends
    except BrokenPipeError:
        _hush()
        return CLOSED_PIPE
    except KeyboardInterrupt as error:
        _say(f"{name}: interrupted; {str(error) or GO_ON}")
        return 130
    except BrokenProcessPool:
        _say(f"{name}: a worker process died; {GO_ON}")
        return 1
    except Exception as error:
        if (lack := _lack_of_memory(error)) is not None:
            _say(f"{name}: not enough memory{f' ({lack})' if str(lack) else ''}; finished runs are kept")
            return 2
        if isinstance(error.__cause__, KeyboardInterrupt):  # as numba tells of one inside a compiled function
            _say(f"{name}: interrupted; {GO_ON}")
            return 130
        if _is_of_the_cache(error):
            _say(f"{name}: {_what_to_delete(error)}")
            return 2
        if not isinstance(error, ValueError | OSError):
            raise
        _say(f"{name}: {error}")
        _hush()
        return 1 if isinstance(error, ConnectionError) else 2
    return 0


def watch(
    runs: "Generator[Finished, None, None]", total: int, *, quiet: bool = False, scheduler: str | None = None
) -> "list[Finished]":
    """Wait for all runs, with a bar that tells how many are done and solved; if interrupted, stop those under way."""
    from tqdm import tqdm

    finished = []
    try:
        with tqdm(total=total, unit="run", disable=quiet, dynamic_ncols=True) as progress, contextlib.closing(runs):
            for end in runs:
                finished.append(end)
                progress.set_postfix_str(f"solved {sum(end.solved for end in finished)} of {len(finished)}")
                progress.update()
    except KeyboardInterrupt:
        if scheduler is not None:
            raise KeyboardInterrupt(GO_ON_ON_CLUSTER) from None
        raise
    return finished


def say(line: str) -> None:
    """Print one line of a command's output; what it quotes from records and paths cannot control the terminal."""
    print(printable(line))


def _say(sentence: str) -> None:
    """Print one line on stderr, above any progress bar; a closed stream is ignored."""
    from tqdm import tqdm

    with contextlib.suppress(OSError):
        tqdm.write(printable(sentence), file=sys.stderr)


def _flush() -> None:
    """Flush the output; an error names it, as errors of files do."""
    try:
        sys.stdout.flush()
    except OSError as error:
        # named_errors of divergent.persistence would import DEAP before its errors are reported in one line
        raise OSError(error.errno, error.strerror, "standard output") from error


def _hush() -> None:
    """Discard output that cannot be written, so that Python does not report it at its end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _lack_of_memory(error: BaseException | None) -> MemoryError | None:
    """Return the MemoryError that an error is, or followed from: closing a half written archive raises another one."""
    while error is not None and not isinstance(error, MemoryError):
        error = error.__cause__ or error.__context__
    return error


def _is_of_the_cache(error: BaseException) -> bool:
    """Whether reading compiled functions failed, here or in a worker, of which only the text of the traceback comes."""
    return not isinstance(error, OSError) and "numba/core/caching.py" in "".join(traceback.format_exception(error))


def _what_to_delete(error: BaseException) -> str:
    from divergent._compile import cache_folder

    files = f"the files *.nbi and *.nbc under {cache_folder()}"
    return f"numba's cache of compiled functions is damaged ({error}); delete {files}"
