"""Divergent evolutionary search for DEAP: novelty search, surprise search, local competition and NEAT.

Public names are imported on first use, so that ``import divergent`` is fast and has no side effects.
"""

from typing import TYPE_CHECKING

from divergent._lazy import lazy_index

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
    from divergent.version import __version__ as __version__

__getattr__, __dir__, __all__ = lazy_index(
    __name__,
    {
        "constrained": ("FeasibleInfeasible",),
        "explorer": ("explore",),
        "history": ("History",),
        "illumination": ("MapElites", "map_elites"),
        "individual": ("Fitness", "Outcome", "Outcomes", "pack"),
        "loops": ("OneSpecies", "Step", "batch_map", "evolve", "steady_state"),
        "neat": ("Genome",),
        "persistence": ("Checkpoint",),
        "problem": ("Problem",),
        "reporter": ("Reporter",),
        "reports": ("report",),
        "runs": ("Settings", "read", "run", "run_many"),
        "search": ("Search",),
        "selection": ("Strategy", "by_score"),
        "version": ("__version__",),
    },
    (
        "analysis", "archives", "explorer", "maze", "neat", "neighbours", "persistence", "plots", "problems",
        "reports", "runs", "selection", "version",
    ),
)  # fmt: skip
