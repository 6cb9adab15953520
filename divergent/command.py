"""What the commands share: refusals in one line, exit statuses, and the progress of many runs."""

import argparse
import contextlib
import sys
import warnings
from collections.abc import Callable, Generator
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from divergent.runs.many import Finished


class Parser(argparse.ArgumentParser):
    """A parser of `python -m divergent.NAME` that refuses bad arguments in one line, without the usage."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog.split()[2].removeprefix('divergent.')}: {message}\n")


def status_of(name: str, action: Callable[[], Any]) -> int:
    """Do what a command is for and return its exit status.

    0 when it is done, 2 for a refusal, 130 when interrupted, 1 if a worker process died; all but the first, and
    warnings, are said in one line.
    """
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_: print(f"{name}: warning: {message}", file=sys.stderr)
            action()
    except (ValueError, OSError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    except BrokenProcessPool:
        print(f"\n{name}: a worker process died; the same command goes on where it was stopped", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"\n{name}: interrupted; the same command goes on where it was stopped", file=sys.stderr)
        return 130
    return 0


def watch(runs: "Generator[Finished, None, None]", total: int, *, quiet: bool = False) -> "list[Finished]":
    """Wait for all runs, with a bar that tells how many are done and solved; if interrupted, stop those under way."""
    from tqdm import tqdm

    finished = []
    with tqdm(total=total, unit="run", disable=quiet, dynamic_ncols=True) as progress, contextlib.closing(runs):
        for end in runs:
            finished.append(end)
            progress.set_postfix_str(f"solved {sum(end.solved for end in finished)} of {len(finished)}")
            progress.update()
    return finished
