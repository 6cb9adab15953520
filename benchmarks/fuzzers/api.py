"""Call every public function with hostile arguments in child processes, which may crash or hang.

Run the script as ``python benchmarks/fuzzers/api.py [COUNT] [SEED]``. Each call passes one hostile argument to a public
function; the other arguments are valid. Once every argument has been tested with every hostile value, further calls
pass two hostile arguments. A call must return a correct answer or raise a ValueError or TypeError with a message.
Signals, time-outs, warnings, other exceptions and incorrect answers are reported as findings. With
``NUMBA_BOUNDSCHECK=1`` (and a separate ``NUMBA_CACHE_DIR``), invalid array indices in compiled code also count as
findings.
"""

import contextlib
import io
import json
import linecache
import random
import resource
import signal
import subprocess
import sys
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

if __package__ != "fuzzers":  # makes the package `fuzzers` importable from scripts and tests
    sys.path.insert(0, str(Path(__file__).parents[1]))
from fuzzers.api_targets import POOLS, Target, targets

SECONDS = 20  # CPU time limit of a call in seconds, long enough to compile functions that are not cached
MEMORY = 6 << 30
OWN, BORROWED, RIGHT = "rejected", "rejected in numpy's or Python's words", "right answers"


class Result(NamedTuple):
    """A call with hostile arguments and its result."""

    call: str
    kind: str
    """OWN, BORROWED or RIGHT; every other kind is a finding."""
    text: str = ""

    @property
    def is_finding(self) -> bool:
        return self.kind not in (OWN, BORROWED, RIGHT)


class Call(NamedTuple):
    target: Target
    hostile: dict[str, str]
    """Name of the hostile value of each replaced argument."""

    def __str__(self) -> str:
        return f"{self.target.name}({', '.join(f'{name}={what:.40}' for name, what in self.hostile.items())})"

    def make(self) -> dict[str, Any]:
        kinds = self.target.arguments
        return {
            name: POOLS[kinds[name][1]][self.hostile[name]]() if name in self.hostile else good()
            for name, (good, _) in kinds.items()
        }


def calls(count: int, seed: int) -> list[Call]:
    """Return calls with one hostile argument in random order, followed by calls with two hostile arguments."""
    draw = random.Random(seed)
    all_targets = targets()
    singles = [
        Call(target, {name: what})
        for target in all_targets
        for name, (_, kind) in target.arguments.items()
        for what in POOLS[kind]
    ]
    draw.shuffle(singles)
    wide = [target for target in all_targets if len(target.arguments) > 1]
    while len(singles) < count:
        target = draw.choice(wide)
        names = draw.sample(sorted(target.arguments), 2)
        singles.append(Call(target, {name: draw.choice(list(POOLS[target.arguments[name][1]])) for name in names}))
    return singles[:count]


def attempt(call: Call) -> Result:
    """Execute one call in this process and classify its result."""
    arguments = call.make()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.filterwarnings("ignore", r".*(have drifted|uses values\[0\])")  # intended warnings
            answer = call.target.function(**arguments)
            right = call.target.right(answer)
    except call.target.expected as error:
        return Result(str(call), OWN, str(error))
    except (ValueError, TypeError) as error:
        if "numba" in type(error).__module__ or not str(error):
            return Result(str(call), f"{type(error).__name__} without a sentence", str(error))
        return Result(str(call), OWN if _raised_on_purpose(error) else BORROWED, f"{type(error).__name__}: {error}")
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        return Result(str(call), type(error).__name__, f"{error!s:.200} ({Path(where.filename).name}:{where.lineno})")
    return Result(str(call), RIGHT) if right else Result(str(call), "wrong answer", f"{answer!r:.200}")


def _raised_on_purpose(error: BaseException) -> bool:
    """Return whether the error comes from a raise statement in the package, not from a library."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    return "divergent" in Path(where.filename).parts and "raise " in linecache.getline(
        where.filename, where.lineno or 0
    )


def survey(count: int, seed: int) -> Iterator[Result]:
    """Execute the calls in a child process; if a signal kills this process, a new one executes the remaining calls."""
    begin = 0
    names = [str(call) for call in calls(count, seed)]
    while begin < count:
        command = [sys.executable, __file__, "child", *map(str, (count, seed, begin))]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
            for line in child.stdout or ():
                yield Result(*json.loads(line))
                begin += 1
        if child.returncode < 0:
            kind = "time-out" if -child.returncode == signal.SIGPROF else signal.Signals(-child.returncode).name
            yield Result(names[begin], kind)
            begin += 1
        elif child.returncode:
            raise RuntimeError(
                f"child process must exit with status 0 after the call {names[begin]}, got {child.returncode}"
            )


def fuzz(count: int, seed: int) -> Iterator[Result]:
    """Return the calls that neither returned a correct answer nor raised a clear error."""
    return (result for result in survey(count, seed) if result.is_finding)


def _child(count: int, seed: int, begin: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    for call in calls(count, seed)[begin:]:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        with contextlib.redirect_stdout(io.StringIO()):
            result = attempt(call)
        signal.setitimer(signal.ITIMER_PROF, 0)
        print(json.dumps(result), flush=True)


def main(count: int = 2000, seed: int = 0) -> None:
    results = []
    for result in survey(count, seed):
        results.append(result)
        if result.is_finding:
            print(f"{result.call}: {result.kind}: {result.text}", flush=True)
    print(f"{len(results)} calls of {len(targets())} functions")
    for kind, number in Counter(result.kind for result in results).most_common():
        print(f"{number:6} {kind}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["child"]:
        _child(*map(int, sys.argv[2:]))
    else:
        main(*map(int, sys.argv[1:]))
