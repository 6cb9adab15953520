"""Divergent evolutionary search for DEAP: novelty search, surprise search, local competition and NEAT.

Public names are imported on first use, so that ``import divergent`` is fast and has no side effects.
"""

from typing import TYPE_CHECKING

from divergent._lazy import lazy_index
from divergent.version import __version__

if TYPE_CHECKING:
    from divergent.constrained import FeasibleInfeasible as FeasibleInfeasible
    from divergent.explorer import explore as explore
    from divergent.history import History as History
    from divergent.illumination import MapElites as MapElites, map_elites as map_elites
    from divergent.individual import Fitness as Fitness, Outcome as Outcome, Outcomes as Outcomes, pack as pack
    from divergent.loops import (
        OneSpecies as OneSpecies,
        Step as Step,
        batch_map as batch_map,
        evolve as evolve,
        steady_state as steady_state,
    )
    from divergent.neat import Genome as Genome
    from divergent.persistence import Checkpoint as Checkpoint
    from divergent.problem import Problem as Problem
    from divergent.reporter import Reporter as Reporter
    from divergent.reports import report as report
    from divergent.runs import Settings as Settings, read as read, run as run, run_many as run_many
    from divergent.search import Search as Search
    from divergent.selection import Strategy as Strategy, by_score as by_score

_ROOMS = (
    "analysis", "archives", "explorer", "maze", "neat", "neighbours", "persistence", "plots", "problems", "reports",
    "runs", "selection",
)  # fmt: skip
_HOMES = {  # maps each public name of the package to the module that defines it
    "Checkpoint": "persistence",
    "FeasibleInfeasible": "constrained",
    "Fitness": "individual",
    "Genome": "neat",
    "History": "history",
    "MapElites": "illumination",
    "OneSpecies": "loops",
    "Outcome": "individual",
    "Outcomes": "individual",
    "Problem": "problem",
    "Reporter": "reporter",
    "Search": "search",
    "Settings": "runs",
    "Step": "loops",
    "Strategy": "selection",
    "batch_map": "loops",
    "by_score": "selection",
    "evolve": "loops",
    "explore": "explorer",
    "map_elites": "illumination",
    "pack": "individual",
    "read": "runs",
    "report": "reports",
    "run": "runs",
    "run_many": "runs",
    "steady_state": "loops",
}
__all__ = ["__version__", *_HOMES]
__getattr__, __dir__ = lazy_index(__name__, _HOMES, _ROOMS)
