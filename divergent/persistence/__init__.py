"""Files, JSON serialisation and checkpoints, with atomic writes and validated reads, and without pickle."""

from typing import TYPE_CHECKING

from divergent._lazy import lazy_index

if TYPE_CHECKING:
    from divergent.persistence._checkpoint import Checkpoint as Checkpoint, Start as Start

# imported on first use, so that commands can import `_files` without loading compiled modules
__getattr__, __dir__, __all__ = lazy_index(
    __name__,
    {
        "_checkpoint": ("Checkpoint", "Start"),
    },
)  # fmt: skip
