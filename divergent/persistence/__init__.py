"""Files, JSON serialisation and checkpoints: written atomically, read as possibly damaged input, without pickle."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from divergent.persistence.checkpoint import Checkpoint as Checkpoint

__all__ = ["Checkpoint"]


def __getattr__(name: str) -> Any:
    # on first use: commands import `files` before anything that is compiled
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from divergent.persistence.checkpoint import Checkpoint

    return Checkpoint
