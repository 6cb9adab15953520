"""What the commands share: refusals in one line, and exit statuses."""

import argparse
import sys
import warnings
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from typing import Any


class Parser(argparse.ArgumentParser):
    """A parser of `python -m divergent.NAME` that refuses bad arguments in one line, without the usage."""

    def error(self, message):
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
