"""Files, JSON serialisation and checkpoints: written atomically, read as possibly damaged input, without pickle."""

from divergent.persistence.checkpoint import Checkpoint

__all__ = ["Checkpoint"]
