"""Files, JSON serialisation and checkpoints, with atomic writes and validated reads, and without pickle."""

from typing import TYPE_CHECKING

from divergent._lazy import lazy_index

if TYPE_CHECKING:
    from divergent.persistence._checkpoint import Checkpoint as Checkpoint
    from divergent.persistence._checkpoint import Start as Start

# imported on first use, so that commands can import `_files` without loading compiled modules
_HOMES = {"Checkpoint": "_checkpoint", "Start": "_checkpoint"}
__all__ = list(_HOMES)
__getattr__, __dir__ = lazy_index(__name__, _HOMES)
