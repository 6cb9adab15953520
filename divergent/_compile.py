"""Compilation of numba kernels, with a temporary disk cache if numba finds no writable cache folder."""

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

# environment variable with the path of the temporary cache folder, inherited by worker processes
TEMPORARY = "DIVERGENT_CACHE_DIR"
NO_CACHE = (
    "numba can keep compiled functions neither next to the package nor in the home folder; "
    "set NUMBA_CACHE_DIR to a folder that can be written to"
)


def njit(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Compile a kernel like ``numba.njit``, with a temporary disk cache if numba finds no writable cache folder."""
    if function is None:
        return partial(njit, **options)
    try:
        return numba.njit(**options)(function)
    except RuntimeError:  # numba raises RuntimeError if it finds no writable cache folder
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = _temporary_folder()
        try:
            return numba.njit(**options)(function)
        finally:
            numba.config.CACHE_DIR = before


def cache_folder() -> Path:
    """Return the folder that contains the cached kernels."""
    return Path(numba.config.CACHE_DIR or os.environ.get(TEMPORARY) or Path(__file__).parent)


def nothing_compiled() -> bool:
    """Return whether the cache of compiled functions is empty."""
    return not any(cache_folder().rglob("*.nbi"))


@cache
def _temporary_folder() -> str:
    """Return the path of the temporary cache folder, which child processes share; warn when the folder is created."""
    if TEMPORARY not in os.environ:
        try:
            os.environ[TEMPORARY] = folder = tempfile.mkdtemp(prefix="divergent-")
        except OSError as error:
            raise OSError(NO_CACHE) from error
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        warnings.warn(f"{NO_CACHE}, or every start compiles again", stacklevel=4)
    return os.environ[TEMPORARY]
