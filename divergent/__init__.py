"""Divergent evolutionary search on DEAP: surprise, novelty and NEAT as interchangeable parts."""

from divergent import starting as starting  # before anything that is compiled

# isort: split
from importlib.util import find_spec

from divergent import explore
from divergent.checkpoint import Checkpoint
from divergent.history import History
from divergent.individual import Fitness, Outcome, Outcomes, pack
from divergent.loops import OneSpecies, Step, batch_map, evolve, steady_state
from divergent.neat import Genome
from divergent.runs import Settings, read, run
from divergent.selection import Strategy, by_score
from divergent.version import __version__

if find_spec("gymnasium"):  # an extra, which from 1.0 on looks for no environments by itself
    import divergent.maze.environment  # noqa: F401  # registers the mazes

__all__ = [
    "Checkpoint",
    "Fitness",
    "Genome",
    "History",
    "OneSpecies",
    "Outcome",
    "Outcomes",
    "Settings",
    "Step",
    "Strategy",
    "__version__",
    "batch_map",
    "by_score",
    "evolve",
    "explore",
    "pack",
    "read",
    "run",
    "steady_state",
]
