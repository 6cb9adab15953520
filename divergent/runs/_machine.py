"""Description of the machine and software of a run, since results can differ between machines and versions."""

import contextlib
import functools
import os
import platform
import subprocess
import time
from importlib import metadata
from pathlib import Path
from typing import Any

import llvmlite.binding
from numba.core import config
from numba.core.codegen import get_host_cpu_features

from divergent.persistence._files import digest
from divergent.version import __version__

LIBRARIES = ("numpy", "numba", "llvmlite", "scipy", "deap")
CODE = ("divergent", "mazes")  # folders of the repository whose content affects results
DIGITS = 12  # number of digits of commit ids and of the hash of processor features
GIT_TIMEOUT = 10.0  # seconds


@functools.cache
def describe_machine() -> dict[str, Any]:
    """Describe the processor, the library versions and the commit of the code; the result is cached.

    Returns
    -------
    dict
        The key ``commit`` contains the git commit of the package, with "+changes" if package files have uncommitted
        changes. The keys ``divergent``, ``python`` and the names in `LIBRARIES` contain software versions. The keys
        ``system`` and ``architecture`` come from the module `platform`. The key ``processor`` contains the processor
        model. The keys ``cpu``, ``cpu_features`` and ``cpu_features_hash`` describe the processor that numba compiles
        for. Unknown values are None.

    Examples
    --------
    >>> machine = describe_machine()
    >>> machine["divergent"] == __version__, len(machine["cpu_features_hash"])
    (True, 12)
    """
    features = ",".join(_features())
    return {
        "commit": find_commit(Path(__file__).parents[2]),
        "divergent": __version__,
        "python": platform.python_version(),
        **{library: _version(library) for library in LIBRARIES},
        "system": platform.platform(),
        "architecture": platform.machine(),
        "processor": _processor(),
        "cpu": config.CPU_NAME or llvmlite.binding.get_host_cpu_name(),
        "cpu_features": features,
        "cpu_features_hash": digest(features.encode())[:DIGITS],
    }


def find_commit(checkout: Path) -> str | None:
    """Find the git commit of a checkout, with "+changes" if files of the package have uncommitted changes.

    Parameters
    ----------
    checkout : Path
        The folder that contains ``.git``.

    Returns
    -------
    str or None
        Abbreviated commit id, or None if the folder is not a git checkout or git fails.
    """
    if not (checkout / ".git").exists():
        return None
    commit = _git(checkout, "rev-parse", f"--short={DIGITS}", "HEAD")
    changes = _git(checkout, "status", "--porcelain", "--", *CODE)
    if not commit or changes is None:
        return None
    return commit + "+changes" * bool(changes)


def _git(checkout: Path, *arguments: str) -> str | None:
    """Return the output of a git command, or None if the command failed."""
    # Inside a git hook, environment variables GIT_* would select another repository.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    with contextlib.suppress(OSError, subprocess.SubprocessError, UnicodeError):
        return subprocess.run(
            ["git", "-C", str(checkout), *arguments],
            capture_output=True, text=True, check=True, timeout=GIT_TIMEOUT, env=environment,
        ).stdout.strip()  # fmt: skip
    return None


def _features() -> list[str]:
    """Return the names of the processor features that numba compiles for, in alphabetical order."""
    features = get_host_cpu_features() if config.CPU_FEATURES is None else config.CPU_FEATURES
    return sorted(feature[1:] for feature in features.split(",") if feature.startswith("+"))


def _processor() -> str | None:
    """Return the model of the processor, on Linux from /proc/cpuinfo and elsewhere from `platform`."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or None


def _version(library: str) -> str | None:
    """Return the installed version of a library, or None if the library is not installed."""
    with contextlib.suppress(metadata.PackageNotFoundError):
        return metadata.version(library)
    return None


class Clock:
    """Wall time and processor time of a run, including the time before the checkpoint that the run resumed from."""

    def __init__(self) -> None:
        self._wall = time.perf_counter()
        self._processor = time.process_time()

    def advance(self, seconds: float, cpu_seconds: float) -> None:
        """Add the wall time and processor time that the run had used when its checkpoint was written."""
        self._wall -= seconds
        self._processor -= cpu_seconds

    def read(self) -> dict[str, float]:
        """Return the elapsed wall time ("seconds") and processor time ("cpu_seconds")."""
        return {
            "seconds": round(time.perf_counter() - self._wall, 3),
            "cpu_seconds": round(time.process_time() - self._processor, 3),
        }
