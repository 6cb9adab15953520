"""Compile kernels; where numba has no folder for its disk cache, use a temporary one for them alone."""

import atexit
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numba

TEMPORARY = "DIVERGENT_CACHE_DIR"  # environment variable with the temporary folder, which worker processes inherit
NO_CACHE = (
    "numba can keep compiled functions neither beside the package nor in the home folder; "
    "set NUMBA_CACHE_DIR to a folder that can be written to"
)


def njit(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Compile a kernel as ``numba.njit`` does, with a temporary cache if numba cannot keep it."""
    if function is None:
        return partial(njit, **options)
    try:
        return numba.njit(**options)(function)
    except RuntimeError:  # raised by numba if it finds no folder
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = _temporary_folder()
        try:
            return numba.njit(**options)(function)
        finally:
            numba.config.CACHE_DIR = before


def cache_folder() -> Path:
    """Return the folder below which compiled kernels are kept."""
    return Path(numba.config.CACHE_DIR or os.environ.get(TEMPORARY) or Path(__file__).parent)


@cache
def _temporary_folder() -> str:
    """Return the temporary cache of this process and of those it starts; warn when it is made."""
    if TEMPORARY not in os.environ:
        try:
            os.environ[TEMPORARY] = folder = tempfile.mkdtemp(prefix="divergent-")
        except OSError as error:
            raise OSError(NO_CACHE) from error
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        warnings.warn(f"{NO_CACHE}, or every start compiles again", stacklevel=4)
    return os.environ[TEMPORARY]
