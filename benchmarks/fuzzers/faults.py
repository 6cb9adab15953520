"""Runs in which a write, fsync, rename or allocation fails; a repetition of the run must give the correct record.

A failed run must not leave an incomplete record. The library `faults.c` is compiled and preloaded into a server
process, which forks a child process for each fault.
"""

import ctypes
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import traceback
import unittest
from contextlib import closing
from functools import partial
from pathlib import Path

from divergent._command_line import status_of
from divergent.runs import Settings, execution, read, run, run_batch
from divergent.runs.record import ARRAYS, TEXT

DEFAULT_COUNT = None  # by default, a fault is injected into every write, fsync, rename and allocation of a run
KINDS = ("write", "fsync", "rename", "allocation")
SETTINGS = Settings(maze="hard", search="surprise", population=6, generations=5, steps=5, clusters=3)
CHECKPOINT_EVERY = 2
# errors of NumPy, numba and Python, which do not handle every failed allocation, are counted separately
OF_LIBRARIES = ("SystemError: ", "RuntimeError: can't allocate ")


def attacks(rng, folder):
    execution.CHECKPOINT_EVERY = CHECKPOINT_EVERY
    undisturbed = run(SETTINGS).files()
    with closing(Server(compiled(folder))) as server:
        counts = server.ask(0, 0, False, folder / "counted")["calls"]
        faults = [
            [(kind, int(n), stays) for n in rng.permutation(counts[kind]) + 1]
            for kind in range(len(KINDS))
            # if `stays` is true, all later calls fail as well, as on a full disk
            for stays in ((False,) if KINDS[kind] == "allocation" else (False, True))
        ]
        for number, fault in enumerate(interleaved(faults)):
            yield partial(check, server, fault, folder / str(number), undisturbed), []


def interleaved(lists):
    """Yield the first item of every list, then the second item of every list, and so on."""
    return (item for items in itertools.zip_longest(*lists) for item in items if item is not None)


def check(server, fault, out, undisturbed):
    """Execute a run with a fault and check its message and record; then repeat the run without the fault."""
    kind, n, stays = fault
    label = f"{KINDS[kind]} {n}{' and all later ones' if stays else ''}"
    ended = server.ask(*fault, out)
    folder = execution.record_folder(SETTINGS, out)
    end = "complete" if folder.exists() else "absent"
    if end == "complete":
        same(read(folder).files(), undisturbed, f"{label} leaves a wrong record")
    elif folder.with_name("seed-0000.checkpoint.npz").exists():
        end = "resumable"
    lines = ended["messages"].splitlines()
    if ended["status"] < 0:
        end = f"signal {-ended['status']}, {end}"
    elif ended["status"] == 0:
        assert end == "complete", f"{label}: status 0 without a record"
    else:
        message = lines.pop() if lines else ""
        of_library = [line.partition(":")[0] for line in (*lines, message) if line.startswith(OF_LIBRARIES)]
        if KINDS[kind] == "allocation" and ended["status"] == 1 and of_library:
            end, lines = f"{of_library[0]}, {end}", []
        elif ended["status"] != 2 or (KINDS[kind] != "allocation" and str(out) not in message):
            raise RuntimeError(
                f"{label}: a failed run must exit with status 2 and print its output path, got the exit status "
                f"{ended['status']} and the message {ended['messages']}"
            )
    if ended["status"] >= 0 and not all("warning: " in line and str(out) in line for line in lines):
        raise RuntimeError(f"{label}: {ended['messages']}")
    (again,) = run_batch([SETTINGS], out)
    same(read(again.folder).files(), undisturbed, f"{label}, then run again: a wrong record")
    left = sorted(path.name for path in folder.parent.iterdir())
    assert left == ["seed-0000"], f"{label}, then run again: {left} are left"
    shutil.rmtree(out)
    return end


def same(files, undisturbed, message):
    assert all(files[name] == undisturbed[name] for name in (TEXT, ARRAYS)), message


def compiled(folder):
    """Compile the library that injects faults, and return its path."""
    if not sys.platform.startswith("linux"):
        raise unittest.SkipTest(f"operating system must be Linux, got {sys.platform}")
    compiler = shutil.which("cc")
    if compiler is None:
        raise unittest.SkipTest("C compiler cc must be installed, got none")
    library = folder / "faults.so"
    source = Path(__file__).with_suffix(".c")
    done = subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise unittest.SkipTest(f"C compiler cc must compile faults.c, got an error: {done.stderr[:200]!r}")
    return library


class Server:
    """Server process that preloads the library `faults.c` and executes one run for each requested fault."""

    def __init__(self, library):
        environment = os.environ | {
            "PYTHONFAULTHANDLER": "1",
            "LD_PRELOAD": str(library),
            "PYTHONPATH": str(Path(__file__).parents[1]),
        }
        command = [sys.executable, "-m", "fuzzers.faults"]
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, kind, n, stays, out):
        """Execute a run in which the n-th call of `KINDS[kind]` fails; return exit status, messages and call counts."""
        self.process.stdin.write(json.dumps((kind, n, stays, str(out))) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def serve():
    """Execute one run per line of standard input; print the exit status, messages and call counts of the run."""
    execution.CHECKPOINT_EVERY = CHECKPOINT_EVERY
    with tempfile.TemporaryDirectory() as folder:
        list(run_batch([SETTINGS], folder))  # loads modules and compiles functions before any fault is injected
    library = ctypes.CDLL(None)
    for line in sys.stdin:
        kind, n, stays, out = json.loads(line)
        Path(out).mkdir()
        messages, calls = Path(out, "messages"), Path(out, "calls")
        child = os.fork()
        if child == 0:
            os.dup2(os.open(messages, os.O_WRONLY | os.O_CREAT), 2)
            status = 1
            try:
                library.arm(kind, n, stays)
                status = status_of("faults", lambda out=out: list(run_batch([SETTINGS], out)))
                made = [library.disarm(number) for number in range(len(KINDS))]
                calls.write_text(json.dumps(made))
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        made = json.loads(calls.read_text()) if calls.exists() else None
        answer = {"status": status, "messages": messages.read_text() if messages.exists() else "", "calls": made}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    serve()
