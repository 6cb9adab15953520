"""Public functions that `benchmarks/fuzzers/api.py` calls with valid and hostile arguments."""

from fuzzers.api_targets import loops, maze, neat, searches, selection
from fuzzers.api_targets.pools import POOLS
from fuzzers.api_targets.target import Target

__all__ = ["POOLS", "Target", "targets"]


def targets() -> list[Target]:
    """Return the public functions to be fuzzed, with their arguments, from all subpackages."""
    return [
        *selection.selection_targets(),
        *neat.neat_targets(),
        *maze.maze_targets(),
        *loops.top_targets(),
        *searches.top_targets(),
    ]
