"""Progress bars that show the elapsed time while a long step is executed."""

import contextlib
import sys
import threading
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def ticking(progress: Any) -> Iterator[None]:
    """Refresh a progress bar every second, so that its elapsed time is updated between two calls of `update`."""
    if progress.disable or not sys.stderr.isatty():
        yield
        return
    ended = threading.Event()

    def refresh() -> None:
        while not ended.wait(1.0):
            progress.refresh()

    thread = threading.Thread(target=refresh, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
