"""Divergent evolutionary search on DEAP: surprise, novelty and NEAT as interchangeable parts."""

__version__ = "0.1.0"

from importlib.util import find_spec

from divergent.individual import Fitness, Outcome, Outcomes, pack
from divergent.loops import OneSpecies, Step, batch_map, evolve, steady_state
from divergent.neat import Genome
from divergent.selection import Strategy, by_score
from divergent.settings import Settings

from divergent.experiment import run  # isort: skip  # it reads the version above

if find_spec("gymnasium"):  # an extra, which from 1.0 on looks for no environments by itself
    import divergent.maze_environment  # noqa: F401  # registers the mazes

__all__ = [
    "Fitness",
    "Genome",
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
    "pack",
    "run",
    "steady_state",
]
