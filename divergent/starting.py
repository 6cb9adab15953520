"""What has to be right before anything is compiled: a folder for numba's cache and, for a command, its streams."""

import atexit
import os
import shutil
import sys
import tempfile
import warnings
from types import TracebackType

NO_CACHE = (
    "numba can keep compiled functions neither beside the package nor in the home folder; "
    "set NUMBA_CACHE_DIR to a folder that can be written to"
)


def _prepare_command() -> None:
    """Let a command say in one line what goes wrong while it is being imported, if there is anybody to say it to."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed; the next file to be opened would take its place
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
    sys.excepthook = _say
    warnings.showwarning = lambda message, *_: print(f"divergent: warning: {message}", file=sys.stderr)


def _say(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if isinstance(error, KeyboardInterrupt | OSError):
        print(f"divergent: {str(error) or 'interrupted'}", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


def _prepare_cache() -> None:
    """Give numba a folder for this process and its workers where it finds none, so that it compiles all the same."""
    import numba

    try:
        numba.njit(cache=True)(_prepare_cache)  # compiles nothing, and fails where nothing can be kept
    except RuntimeError:
        try:
            folder = tempfile.mkdtemp(prefix="divergent-")
        except OSError as error:
            raise OSError(NO_CACHE) from error
        os.environ["NUMBA_CACHE_DIR"] = numba.config.CACHE_DIR = folder
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        warnings.warn(f"{NO_CACHE}, or every start compiles anew", stacklevel=2)


if sys.argv[:1] == ["-m"]:  # so it is while Python looks for the module of `python -m`, and only then
    _prepare_command()
_prepare_cache()
